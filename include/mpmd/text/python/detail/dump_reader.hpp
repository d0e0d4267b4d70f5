#pragma once
/// Calls below pl._dump: definitions of text/python/function_reader.hpp, which includes this.

#include <mpmd/text/python/function_reader.hpp>

namespace mpmd::text::python {

inline bool function_reader::open_dump(node n, std::string_view name, frame& f) {
  call_plan& plan = *f.call;
  auto const arguments = tree_.children(n).subspan(1);
  if (name == "call") return open_dump_call(n, f);
  if (name == "logical_xor") {
    bool positional = arguments.size() == 2;
    for (node const a : arguments) positional &= tree_[a].kind != node_kind::keyword;
    if (!positional) return module_.error(n, "_dump.logical_xor requires exactly two positional operands"), false;
    plan.is = form::pair;
    plan.name = "xor";
    f.parts.assign(arguments.begin(), arguments.end());
    return true;
  }
  if (name == "alloc_window_buffer") {
    keyword_set seen;
    bool good = arguments.size() >= 1 && tree_[arguments[0]].kind != node_kind::keyword;
    for (node const a : arguments.subspan(good ? 1 : 0)) {
      if (tree_[a].kind != node_kind::keyword) {
        good = false;
      } else if (module_.text(a) == "attrs") {
        good &= read_dictionary(plan.attrs, tree_.child(a, 0), plan.held, "attrs must be a dictionary literal",
                                "attrs names must be unique string literals");
      } else if (module_.text(a) == "name" && !module_.is_string(tree_.child(a, 0))) {
        good = false;
      } else {
        good &= read_keyword(plan.kwargs, a, seen, plan.held);
      }
    }
    bool named = false;
    for (auto const& e : plan.kwargs.entries) named |= e.first == "name";
    if (!good || !named)
      return module_.error(n, "_dump.alloc_window_buffer requires a size and name=, a string literal"), false;
    plan.is = form::operation;
    plan.name = "pld.tensor.alloc_window_buffer";
    plan.callee = in_.string(plan.name);
    f.parts = {arguments[0]};
    f.parts.insert(f.parts.end(), plan.held.begin(), plan.held.end());
    return true;
  }
  if (name == "window_ref" || name == "window_buffer") {
    plan.is = form::plain;
    return true;
  }
  module_.error(n, "Unknown IR dump expression: pl._dump." + std::string(name),
                name == "comm_domain" ? "pl._dump.comm_domain stands behind 'with'" : "");
  return false;
}

inline bool function_reader::open_dump_call(node n, frame& f) {
  call_plan& plan = *f.call;
  plan.is = form::dump_call;
  std::vector<node> positional;
  bool good = true, kwargs_seen = false, attrs_seen = false;
  for (node const a : tree_.children(n).subspan(1)) {
    if (tree_[a].kind != node_kind::keyword) {
      positional.push_back(a);
      continue;
    }
    bool const is_kwargs = module_.text(a) == "kwargs", is_attrs = module_.text(a) == "attrs";
    bool& seen = is_kwargs ? kwargs_seen : attrs_seen;
    bool const is_dictionary = tree_[tree_.child(a, 0)].kind == node_kind::dict;
    if ((!is_kwargs && !is_attrs) || seen || !is_dictionary) {
      module_.error(a, "_dump.call accepts unique kwargs and attrs dictionaries");
      good = false;
      continue;
    }
    seen = true;
    good &= read_dictionary(is_kwargs ? plan.kwargs : plan.attrs, tree_.child(a, 0), plan.held, "",
                            "_dump.call metadata keys must be unique string literals");
  }
  if (positional.size() != 3 || tree_[positional[1]].kind != node_kind::list) {
    module_.error(n, "_dump.call requires an operator, an argument list, and a result type");
    return false;
  }
  auto const arguments = tree_.children(positional[1]);
  plan.arguments.assign(arguments.begin(), arguments.end());
  plan.type = positional[2];
  auto const refuse = [&] {
    module_.error(positional[0], "_dump.call requires a registered op name or a program method");
    return false;
  };
  if (module_.is_string(positional[0])) {
    plan.name = module_.string_value(positional[0]);
    bool foreign = plan.name.find('.') != std::string::npos && !plan.name.starts_with("pld.") &&
                   !plan.name.starts_with("builtin.") && !plan.name.starts_with("_dump.") &&
                   !plan.name.ends_with(".get_byte");
    // It has to be a name that can be written as one.
    for (std::string_view rest = plan.name; foreign && !rest.empty();) {
      auto const word = rest.substr(0, rest.find('.'));
      foreign = is_identifier(word) && !is_keyword(word) && !rest.ends_with('.');
      rest.remove_prefix(std::min(rest.size(), word.size() + 1));
    }
    if (!ir::host::find_operation(plan.name) && !foreign) return refuse();
    plan.callee = in_.string(plan.name);
  } else {
    auto const path = module_.path(positional[0]);
    if (!path || !path->starts_with("self.") || !module_.results->find(std::string_view(*path).substr(5)))
      return refuse();
    plan.callee = in_.symbol(std::string_view(*path).substr(5));
    good = good && takes_arguments(n, std::string_view(*path).substr(5), plan.arguments);
  }
  f.parts = plan.arguments;
  f.parts.insert(f.parts.end(), plan.held.begin(), plan.held.end());
  return good;
}

}  // namespace mpmd::text::python
