#pragma once
/// Calls: definitions of text/python/function_reader.hpp, which includes this.

#include <algorithm>
#include <bit>

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
  bool const registered = ir::host::find_operation(name) != nullptr;
  if (!registered && path.starts_with("pld.")) {
    module_.error(n, "unknown operation '" + std::string(path) + "'");
    return false;
  }
  plan.is = form::operation;
  plan.name = name;
  plan.callee = in_.string(name);
  bool good = name != "pld.system.world_size" || host_only(n, "pld.system.world_size");
  for (node const a : tree_.children(n).subspan(1)) {
    if (tree_[a].kind != node_kind::keyword) {
      if (!plan.held.empty() || !plan.kwargs.empty() || !plan.attrs.empty())
        good = false, module_.error(a, "a positional argument stands behind a keyword argument");
      plan.arguments.push_back(a);
    } else if (module_.text(a) == "attrs") {
      good &= read_dictionary(plan.attrs, tree_.child(a, 0), plan.held, "attrs must be a dictionary literal",
                              "attrs names must be unique string literals");
    } else {
      for (auto const& e : plan.kwargs.entries)
        if (e.first == module_.text(a)) good = false, module_.error(a, "the keyword is given twice");
      good &= read_entry(plan.kwargs, module_.text(a), tree_.child(a, 0), plan.held);
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

/// `alloc_window_buffer(size)` or `alloc_window_buffer([d0, d1], dtype=T)`, as users write it.
inline bool function_reader::open_allocation(node n, frame& f) {
  call_plan& plan = *f.call;
  if (!host_only(n, "pld.tensor.alloc_window_buffer")) return false;
  if (n != assigned_call_ || assigned_name_.empty()) {
    module_.error(n, "pld.tensor.alloc_window_buffer must appear as the RHS of a simple assignment",
                  "write 'buf = pld.alloc_window_buffer(...)': the buffer is named after the variable");
    return false;
  }
  bool good = true;
  for (node const a : tree_.children(n).subspan(1)) {
    if (tree_[a].kind != node_kind::keyword) {
      plan.arguments.push_back(a);
    } else if (module_.text(a) == "name") {
      module_.error(a, "the 'name' kwarg cannot be passed explicitly to pld.tensor.alloc_window_buffer",
                    "the buffer is named after the variable it is assigned to");
      good = false;
    } else if (module_.text(a) == "dtype") {
      plan.dtype = module_.dtype(tree_.child(a, 0));
      if (plan.dtype.empty()) good = false, module_.error(a, "dtype must be an element type, as in dtype=pl.FP32");
    } else {
      good &= read_entry(plan.kwargs, module_.text(a), tree_.child(a, 0), plan.held);
    }
  }
  if (!good) return false;
  if (plan.arguments.size() != 1) {
    module_.error(n, "pld.tensor.alloc_window_buffer requires one size in bytes, or one list of extents and dtype=");
    return false;
  }
  node const size = plan.arguments[0];
  bool const shape = tree_[size].kind == node_kind::list || tree_[size].kind == node_kind::tuple;
  if (shape != !plan.dtype.empty()) {
    module_.error(size, shape ? "a list of extents needs dtype= to become a size" : "dtype= goes with a list of extents");
    return false;
  }
  if (shape && tree_[size].count == 0) return module_.error(size, "the shape of a window buffer cannot be empty"), false;
  module_.allocations.emplace_back(std::string(assigned_name_), tree_.start_of(n));
  plan.is = form::operation;
  plan.name = "pld.tensor.alloc_window_buffer";
  plan.callee = in_.string(plan.name);
  plan.kwargs.set("name", in_.string(assigned_name_));
  if (shape) {
    auto const extents = tree_.children(size);
    f.parts.assign(extents.begin(), extents.end());
  } else {
    f.parts = {size};
  }
  f.parts.insert(f.parts.end(), plan.held.begin(), plan.held.end());
  return true;
}

/// The bytes of a shape: one constant when all extents are, otherwise a product from left to right.
inline function_reader::value function_reader::finish_allocation_shape(node shape, std::string_view dtype,
                                                                       std::vector<value> const& extents) {
  std::int64_t const bytes = (ir::host::find_dtype(dtype)->bits + 7) / 8;
  std::int64_t product = bytes;
  bool constant = true, overflow = false;
  for (std::size_t i = 0; i < extents.size(); ++i) {
    auto const n = ir::host::constant_int(p_, extents[i]);
    if (n && *n <= 0) {
      module_.error(tree_.child(shape, i), "the extents of a window buffer must be positive, got " + std::to_string(*n));
      return {};
    }
    constant &= n.has_value();
    if (constant) overflow |= __builtin_mul_overflow(product, *n, &product);
  }
  if (constant) {
    if (overflow) return module_.error(shape, "the size of the window buffer does not fit into 64 bits"), value{};
    for (value const v : extents) ir::host::erase_expression(p_, v);
    return make_.constant(product, "INT64");
  }
  value all = extents[0];
  for (std::size_t i = 1; i < extents.size(); ++i) all = make_binary("mul", all, extents[i]);
  return make_binary("mul", all, make_.constant(bytes, "INDEX"));
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
      good &= read_entry(plan.kwargs, word, given, plan.held);
    } else {
      module_.error(a, "unexpected keyword '" + std::string(word) + "' in a call of '" + std::string(name) + "'",
                    "arguments are passed by position; the keywords are device= and attrs=");
      good = false;
    }
  }
  f.parts = plan.arguments;
  f.parts.insert(f.parts.end(), plan.held.begin(), plan.held.end());
  return good;
}

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
        good &= read_entry(plan.kwargs, module_.text(a), tree_.child(a, 0), plan.held);
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
  if (name == "comm_domain") {
    module_.error(n, "_dump.comm_domain stands behind 'with'");
    return false;
  }
  module_.error(n, "Unknown IR dump expression: pl._dump." + std::string(name));
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
  }
  f.parts = plan.arguments;
  f.parts.insert(f.parts.end(), plan.held.begin(), plan.held.end());
  return good;
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
