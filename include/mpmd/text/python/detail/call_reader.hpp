#pragma once
/// Calls: definitions of text/python/function_reader.hpp, which includes this.

#include <algorithm>
#include <bit>

#include <mpmd/ir/host_call_checks.hpp>
#include <mpmd/text/python/function_reader.hpp>

namespace mpmd::text::python {

inline bool function_reader::is_call_of(node n, std::string_view path) const {
  if (!n || tree_[n].kind != node_kind::call) return false;
  node const callee = tree_.child(n, 0);
  // Cheap refusals first: this is asked of every statement.
  if (tree_[callee].kind != node_kind::attribute && tree_[callee].kind != node_kind::name) return false;
  if (!path.ends_with(module_.text(callee))) return false;
  return module_.path(callee) == path;
}

inline bool function_reader::host_only(node n, std::string_view what) {
  if (is_host_ && device_depth_ == 0) return true;
  module_.error(n, std::string(what) + " can be used in HOST functions only",
                "give the function level=pl.Level.HOST and role=pl.Role.Orchestrator");
  return false;
}

/// Calls without operands of their own: constants. Nothing for other calls.
inline std::optional<function_reader::lowered> function_reader::leaf_call(node n) {
  node const callee = tree_.child(n, 0);
  if (tree_[callee].kind != node_kind::attribute) return std::nullopt;
  auto const arguments = tree_.children(n).subspan(1);
  if (module_.text(callee) == "get_byte") {
    auto const dtype = module_.dtype(tree_.child(callee, 0));
    if (dtype.empty()) return std::nullopt;
    if (!arguments.empty()) return module_.error(n, "get_byte takes no arguments"), lowered{};
    return lowered{make_.constant((ir::host::find_dtype(dtype)->bits + 7) / 8, "INDEX"), false};
  }
  bool const dumped = module_.text(callee) == "float64";
  if (!dumped && module_.text(callee) != "const") return std::nullopt;
  auto const path = module_.path(callee);
  auto dumped_bits = [&](node call) -> std::optional<double> {
    auto const list = tree_.children(call).subspan(1);
    if (list.size() != 1 || !module_.is_string(list[0])) {
      module_.error(call, "_dump.float64 requires one hexadecimal string literal");
      return std::nullopt;
    }
    std::string const digits = module_.string_value(list[0]);
    std::uint64_t bits = 0;
    auto const end = std::from_chars(digits.data(), digits.data() + digits.size(), bits, 16).ptr;
    if (digits.size() != 16 || end != digits.data() + 16) {
      module_.error(list[0], "_dump.float64 requires 16 hexadecimal digits");
      return std::nullopt;
    }
    return std::bit_cast<double>(bits);
  };
  if (path == "pl._dump.float64") {
    auto const v = dumped_bits(n);
    return v ? lowered{real_constant(*v, "FP32"), false} : lowered{};
  }
  if (path != "pl.const") return std::nullopt;
  auto const dtype = arguments.size() == 2 ? module_.dtype(arguments[1]) : std::string_view{};
  if (dtype.empty()) return module_.error(n, "pl.const requires a number and an element type"), lowered{};
  bool too_large = false;
  if (auto const v = module_.boolean(arguments[0]); v && dtype == "BOOL") return lowered{boolean_constant(*v), false};
  if (auto const v = module_.signed_integer(arguments[0], &too_large)) {
    if (ir::host::find_dtype(dtype)->is_float) return lowered{real_constant(static_cast<double>(*v), dtype), false};
    if (!ir::host::fits(*v, *ir::host::find_dtype(dtype)))
      return module_.error(arguments[0], std::to_string(*v) + " is no value of pl." + std::string(dtype)), lowered{};
    if (dtype != "BOOL") return lowered{make_.constant(*v, dtype), false};
  }
  if (too_large) return module_.error(arguments[0], "this integer does not fit into 64 bits"), lowered{};
  if (ir::host::find_dtype(dtype)->is_float) {
    if (auto const v = module_.signed_real(arguments[0])) return lowered{real_constant(*v, dtype), false};
    if (is_call_of(arguments[0], "pl._dump.float64")) {
      auto const v = dumped_bits(arguments[0]);
      return v ? lowered{real_constant(*v, dtype), false} : lowered{};
    }
  }
  module_.error(arguments[0], "this is no literal of type " + std::string(dtype));
  return lowered{};
}

/// Finds out what is called and which parts of the call are operands.
inline bool function_reader::open_call(node n, frame& f) {
  f.call = std::make_unique<call_plan>();
  node const callee = tree_.child(n, 0);
  auto const path = module_.path(callee);
  if (!path) {
    module_.error(callee, "this cannot be called");
    return false;
  }
  std::string_view const whole = *path;
  bool good = false;
  if (whole.starts_with("self.")) {
    good = open_function(n, whole.substr(5), 1, f);
  } else if (whole == "pl.submit" || whole == "pl.spmd_submit") {
    f.call->submit = whole.substr(3);
    auto const arguments = tree_.children(n).subspan(1);
    auto const target = arguments.empty() ? std::nullopt : module_.path(arguments[0]);
    if (!target || !target->starts_with("self.")) {
      module_.error(n, "*" + std::string(whole) + " requires a function of the program first, as in pl.submit(self.f, ...)");
      return false;
    }
    good = open_function(n, std::string_view(*target).substr(5), 2, f);
  } else if (whole.starts_with("pl._dump.")) {
    good = open_dump(n, whole.substr(9), f);
  } else if (whole == "pl.min" || whole == "pl.max") {
    auto const arguments = tree_.children(n).subspan(1);
    if (arguments.size() != 2) return module_.error(n, std::string(whole) + " requires two operands"), false;
    f.call->is = form::pair;
    f.call->name = whole.substr(3);
    f.parts.assign(arguments.begin(), arguments.end());
    good = true;
  } else if (whole == "abs" || whole == "pl.abs") {
    if (tree_[n].count != 2) return module_.error(n, "abs requires one operand"), false;
    f.call->is = form::absolute;
    f.parts = {tree_.child(n, 1)};
    good = true;
  } else if (whole == "pl.cast") {
    auto const dtype = tree_[n].count == 3 ? module_.dtype(tree_.child(n, 2)) : std::string_view{};
    if (dtype.empty()) return module_.error(n, "pl.cast requires a value and an element type"), false;
    f.call->is = form::cast;
    f.call->dtype = dtype;
    f.parts = {tree_.child(n, 1)};
    good = true;
  } else if (whole == "pl.yield_" || whole == "pl.cond" || whole == "pl.while_" || whole == "pl.func_attr" ||
             whole == "pl.const" || whole == "pl.dynamic" ||
             (whole.starts_with("pl.") && is_loop_kind(whole.substr(3)))) {
    module_.error(n, std::string(whole) + " cannot stand here");
  } else if (whole.starts_with("pld.") || (whole.starts_with("pl.") && whole.size() > 3)) {
    good = open_operation(n, long_spelling(whole), f);
  } else {
    module_.error(callee, "unknown function '" + std::string(whole) + "'",
                  module_.results->find(whole) ? "functions of the program are called as self." + std::string(whole) + "(...)"
                                               : std::string{});
  }
  return good;
}

inline bool function_reader::open_operation(node n, std::string_view path, frame& f) {
  call_plan& plan = *f.call;
  if (path == "pld.tensor.alloc_window_buffer") return open_allocation(n, f);
  std::string_view const name = path.starts_with("pl.") ? path.substr(3) : path;
  auto const* const registered = ir::host::find_operation(name);
  if (registered == nullptr && path.starts_with("pld.")) {
    module_.error(n, "unknown operation '" + std::string(path) + "'");
    return false;
  }
  plan.is = form::operation;
  plan.name = name;
  plan.callee = in_.string(name);
  bool good = name != "pld.system.world_size" || host_only(n, "pld.system.world_size");
  keyword_set seen;
  for (node const a : tree_.children(n).subspan(1)) {
    if (tree_[a].kind != node_kind::keyword) {
      if (!plan.held.empty() || !plan.kwargs.empty() || !plan.attrs.empty())
        good = false, module_.error(a, "a positional argument stands behind a keyword argument");
      plan.arguments.push_back(a);
    } else if (module_.text(a) == "attrs") {
      good &= read_dictionary(plan.attrs, tree_.child(a, 0), plan.held, "attrs must be a dictionary literal",
                              "attrs names must be unique string literals");
    } else if (registered != nullptr && !ir::host::is_listed(registered->keywords, module_.text(a))) {
      module_.error(a, "unexpected keyword '" + std::string(module_.text(a)) + "' in a call of '" + std::string(name) + "'",
                    registered->keywords.empty() ? "it takes no keywords but attrs="
                                                 : "it takes attrs= and: " + std::string(registered->keywords));
      good = false;
    } else {
      good &= read_keyword(plan.kwargs, a, seen, plan.held);
    }
  }
  if (name == "pld.system.world_size" && tree_[n].count > 1)
    good = false, module_.error(n, "pld.system.world_size takes no arguments");
  if (name == "pld.tensor.window" && plan.arguments.size() == 2 && tree_[plan.arguments[1]].kind != node_kind::list &&
      tree_[plan.arguments[1]].kind != node_kind::tuple)
    good = false, module_.error(plan.arguments[1], "pld.tensor.window requires its shape as a list of extents");
  if (name == "pld.tensor.window" && plan.arguments.size() != 2)
    good = false, module_.error(n, "pld.tensor.window requires a Ptr handle and a shape");
  f.parts = plan.arguments;
  f.parts.insert(f.parts.end(), plan.held.begin(), plan.held.end());
  return good;
}

/// `self.name(arguments, device=..., attrs={...})`; the operands start with argument `first` of the call.
inline bool function_reader::open_function(node n, std::string_view name, std::size_t first, frame& f) {
  call_plan& plan = *f.call;
  ir::op const callee = module_.results->find(name);
  if (!callee) {
    module_.error(n, "the program has no function '" + std::string(name) + "'");
    return false;
  }
  plan.is = plan.submit.empty() ? form::function : form::submit;
  plan.callee = in_.symbol(name);
  bool good = true, keywords_seen = false;
  keyword_set seen;
  for (node const a : tree_.children(n).subspan(first)) {
    if (tree_[a].kind != node_kind::keyword) {
      if (keywords_seen) good = false, module_.error(a, "a positional argument stands behind a keyword argument");
      plan.arguments.push_back(a);
      continue;
    }
    keywords_seen = true;
    auto const word = module_.text(a);
    node const given = tree_.child(a, 0);
    if (word == "device") {
      if (ir::host::role(p_, callee) != "Orchestrator") {
        module_.error(a, "device= is accepted by orchestrators only, and '" + std::string(name) + "' is none",
                      "give '" + std::string(name) + "' the role pl.Role.Orchestrator");
        good = false;
        continue;
      }
      if (plan.attrs.entries.size() && plan.attrs.entries[0].first == "device")
        good = false, module_.error(a, "device is given twice");
      // Always an expression, also where it is a literal.
      auto& entries = plan.attrs.entries;
      entries.emplace(entries.begin(), "device", operand_mark(plan.held.size()));
      plan.held.push_back(given);
    } else if (word == "attrs") {
      bool const device = !plan.attrs.empty();
      good &= read_dictionary(plan.attrs, given, plan.held, "attrs must be a dictionary literal",
                              "attrs names must be unique string literals");
      if (device)
        for (std::size_t i = 1; i < plan.attrs.entries.size(); ++i)
          if (plan.attrs.entries[i].first == "device") good = false, module_.error(a, "device is given twice");
    } else if (!plan.submit.empty()) {
      good &= read_keyword(plan.kwargs, a, seen, plan.held);
    } else {
      module_.error(a, "unexpected keyword '" + std::string(word) + "' in a call of '" + std::string(name) + "'",
                    "arguments are passed by position; the keywords are device= and attrs=");
      good = false;
    }
  }
  f.parts = plan.arguments;
  f.parts.insert(f.parts.end(), plan.held.begin(), plan.held.end());
  return good && takes_arguments(n, name, plan.arguments);
}

/// Whether a function takes as many arguments: the first one beyond, or the call that lacks one, is an error.
inline bool function_reader::takes_arguments(node call, std::string_view name, std::span<node const> arguments) {
  auto const known = module_.parameters.find(name);
  if (known == module_.parameters.end() || arguments.size() == known->second.size()) return true;
  std::size_t const takes = known->second.size(), given = arguments.size();
  std::string const text = "'" + std::string(name) + "' takes " + std::to_string(takes) +
                           (takes == 1 ? " argument, but " : " arguments, but ") +
                           (given == 0 ? "none is" : std::to_string(given) + (given == 1 ? " is" : " are")) + " given";
  if (given > takes)
    module_.error(arguments[takes], text, "leave out what is too much, or give '" + std::string(name) + "' more parameters");
  else
    module_.error(call, text,
                  "pass something for '" + std::string(module_.text(known->second[given])) +
                      "': parameters have no default values");
  return false;
}

/// Whether the operands and keywords of a registered operation are of the types that it takes; reports where not. What is
/// recorded below pl._dump is taken as it is.
inline bool function_reader::check_operands(frame const& f, std::vector<value> const& values) {
  call_plan const& plan = *f.call;
  if (plan.arguments.empty()) return true;
  auto const fault = ir::host::find_call_fault(p_, plan.name, values, [&plan](std::string_view key) {
    for (auto const& [name, data] : plan.kwargs.entries)
      if (name == key) return data;
    return ir::attribute{};
  });
  if (!fault) return true;
  node at = f.of;
  if (fault->argument && *fault->argument < plan.arguments.size()) at = plan.arguments[*fault->argument];
  if (auto const kind = tree_[at].kind; fault->extent && (kind == node_kind::list || kind == node_kind::tuple))
    at = tree_.child(at, *fault->extent);
  for (node const a : tree_.children(f.of).subspan(1))
    if (!fault->keyword.empty() && tree_[a].kind == node_kind::keyword && module_.text(a) == fault->keyword) at = a;
  module_.error(at, fault->message);
  return false;
}

inline function_reader::value function_reader::finish_call(frame& f) {
  call_plan& plan = *f.call;
  std::vector<value> values;
  for (lowered const& v : f.values) values.push_back(v.v);
  switch (plan.is) {
    case form::plain: return window(f.of);
    case form::pair:
      if (plan.name == "xor")
        for (std::size_t i = 0; i < 2; ++i)
          if (p_.type_of(values[i]) != in_.integer(1))
            return module_.error(f.parts[i], "_dump.logical_xor requires BOOL scalar operands"), value{};
      return make_binary(plan.name, values[0], values[1]);
    case form::absolute:
      return make_.unary("abs", values[0], ir::host::is_scalar(in_, p_.type_of(values[0])) ? p_.type_of(values[0])
                                                                                          : ir::host::unknown(in_));
    case form::cast: return cast_to(values[0], ir::host::scalar(in_, plan.dtype));
    default: break;
  }
  std::size_t const count = values.size() - plan.held.size();
  plan.kwargs.operands.assign(values.begin() + static_cast<std::ptrdiff_t>(count), values.end());
  plan.attrs.operands = plan.kwargs.operands;
  values.resize(count);
  full_type of;
  if (plan.is == form::dump_call) {
    of = type(plan.type);
    if (!of) return {};
    make_.set_location(module_.place(tree_.start_of(f.of)));
    return make_.call(plan.callee, values, plan.kwargs, plan.attrs, of.of, of.holes);
  }
  if (plan.name == "pld.tensor.alloc_window_buffer" && !plan.dtype.empty()) {
    value const size = finish_allocation_shape(plan.arguments[0], plan.dtype, values);
    if (!size) return {};
    values.assign(1, size);
  }
  if (plan.name == "pld.tensor.window") {
    if (!ir::host::is_ptr(in_, p_.type_of(values[0])) && !ir::host::is_unknown(in_, p_.type_of(values[0])))
      return module_.error(plan.arguments[0], "pld.tensor.window requires a Ptr handle first"), value{};
    bool typed = false;
    for (auto const& e : plan.kwargs.entries)
      if (auto const* s = in_.get_if<ir::symbol_ref_attr>(e.second); e.first == "dtype")
        typed = s != nullptr && s->nested.empty();
    if (!typed) return module_.error(f.of, "pld.tensor.window requires dtype=, an element type"), value{};
  }
  if (plan.is == form::operation) {
    if (!check_operands(f, values)) return {};
    std::string_view dtype;
    for (auto const& e : plan.kwargs.entries)
      if (e.first == "dtype")
        if (auto const* s = in_.get_if<ir::symbol_ref_attr>(e.second)) dtype = s->root;
    of = ir::host::detail::deduce_operation(p_, plan.name, values, dtype);
  } else {
    of = module_.results->of_call(module_.results->find(in_.get_if<ir::symbol_ref_attr>(plan.callee)->root), values);
  }
  auto const holes = make_.clone_expressions(of.holes);
  make_.set_location(module_.place(tree_.start_of(f.of)));
  value const made = make_.call(plan.callee, values, plan.kwargs, plan.attrs, of.of, holes);
  if (!plan.submit.empty()) p_.set_attr(p_.defining_op(made), "submit", in_.string(plan.submit));
  return made;
}

}  // namespace mpmd::text::python
