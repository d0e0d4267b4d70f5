#pragma once
/// The result types of calls in host programs, where nobody has written them down.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <mpmd/ir/host_expressions.hpp>
#include <mpmd/ir/host_ops.hpp>
#include <mpmd/ir/program.hpp>

namespace mpmd::ir::host {

/// A registered operation: how many operands it takes, the one whose type and memory are those of its result
/// (`no_operand`: none), and the keywords it knows.
struct operation_info {
  static constexpr std::size_t no_operand = 0xFFFF;
  std::string_view name;
  std::size_t least, most;
  std::size_t result = no_operand;
  std::string_view keywords = {};
};

/// The operations that the library knows by name. Anything else below `pl.` is let through, with an unknown result.
inline constexpr auto operations = std::to_array<operation_info>({
    {"pld.tensor.alloc_window_buffer", 1, 1, operation_info::no_operand, "name domain dtype"},
    {"pld.tensor.window", 2, 2, operation_info::no_operand, "dtype"},
    {"pld.system.world_size", 0, 0},
    {"pld.system.get_comm_ctx", 1, 1},
    {"pld.tensor.allreduce", 1, 2, 0, "op mode core_num"},
    {"pld.tensor.barrier", 1, 1, 0},
    {"pld.tensor.broadcast", 2, 2, 0, "root"},
    {"pld.tensor.reduce_scatter", 2, 2, 0, "op"},
    {"pld.tensor.allgather", 3, 3, 1},
    {"pld.tensor.all_to_all", 3, 3, 1},
    {"pld.tensor.all_to_all_v", 5, 6, 1, "core_num"},
    {"builtin.tensor.allreduce", 2, 2, operation_info::no_operand, "op dtype core_num"},
    {"builtin.tensor.allreduce_ring", 2, 2, operation_info::no_operand, "op dtype"},
    {"builtin.tensor.barrier", 1, 1},
    {"builtin.tensor.broadcast", 2, 2, operation_info::no_operand, "root dtype"},
    {"builtin.tensor.reduce_scatter", 2, 2, operation_info::no_operand, "op dtype"},
    {"builtin.tensor.allgather", 3, 3, operation_info::no_operand, "dtype"},
    {"builtin.tensor.all_to_all", 3, 3, operation_info::no_operand, "dtype"},
    {"builtin.tensor.all_to_all_v", 5, 5, operation_info::no_operand, "dtype"},
});

constexpr operation_info const* find_operation(std::string_view name) {
  for (auto const& o : operations)
    if (o.name == name) return &o;
  return nullptr;
}

namespace detail {

/// A tensor type of these extents: constants go into the type, anything else is a hole.
inline full_type shaped(program const& p, tensor_data data, std::vector<value> const& extents) {
  full_type made;
  data.shape.clear();
  for (value const v : extents) {
    auto const n = constant_int(p, v);
    bool const fits = n && *n >= 0;
    data.shape.push_back(fits ? *n : dynamic_extent);
    if (!fits) made.holes.push_back(v);
  }
  made.of = tensor(p.context(), data);
  return made;
}

inline full_type deduce_operation(program const& p, std::string_view name, std::vector<value> const& args,
                                  std::string_view dtype) {
  context& in = p.context();
  full_type const nothing{unknown(in), {}};
  if (name == "pld.tensor.alloc_window_buffer") return {ptr(in), {}};
  if (name == "pld.system.world_size") return {scalar(in, "INT64"), {}};
  if (name == "pld.system.get_comm_ctx") return {marker(in, "!host.comm_ctx"), {}};
  if (name == "pld.tensor.window") {
    op const shape = args.size() > 1 ? p.defining_op(args[1]) : op{};
    if (!shape || !p.is(shape, opcode::host_tuple) || find_dtype(dtype) == nullptr) return nothing;
    auto const rank = p.operand_count(shape) - type_operands(p, args[1]).size();
    auto const all = p.operands(shape);
    return shaped(p, {.kind = tensor_kind::distributed, .dtype = std::string(dtype)},
                  {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(rank)});
  }
  auto const* known = find_operation(name);
  if (known != nullptr && known->result < args.size()) return type_of(p, args[known->result]);
  return nothing;
}

}  // namespace detail

/// What the result types of functions are: as declared, or what their first return returns. Each is found once and
/// remembered, so functions must not change while this is in use.
class function_results {
 public:
  explicit function_results(program const& p) : p_(p) {
    for (op const f : host::functions(p)) by_name_.emplace(std::string(function_name(p, f)), f);
  }
  op find(std::string_view name) const {
    auto const at = by_name_.find(std::string(name));
    return at == by_name_.end() ? op{} : at->second;
  }

  /// The result type of a function as a call with these arguments has it. Parameters of the callee in it become the
  /// arguments; what else only the callee knows makes the type unknown. No window leaves a function.
  full_type of_call(op f, std::vector<value> const& args) const {
    context& in = p_.context();
    full_type const nothing{unknown(in), {}};
    if (!f) return nothing;
    auto [known, is_new] = known_.try_emplace(f.id);
    if (is_new) {
      full_type const found = declared_result(f);
      if (found) known->second.result = without_windows(p_, found);
      if (!known->second.result.holes.empty()) known->second.parameters = host::parameters(p_, f);
    }
    full_type declared = known->second.result;
    if (!declared) return nothing;
    auto const& params = known->second.parameters;
    for (value& hole : declared.holes) {
      op const o = p_.defining_op(hole);
      if (!o || p_.is(o, opcode::host_dim)) continue;
      auto const at = std::find(params.begin(), params.end(), hole);
      auto const i = static_cast<std::size_t>(at - params.begin());
      if (at == params.end() || i >= args.size()) return nothing;
      hole = args[i];
    }
    return declared.holes.empty() ? declared : settled(p_, declared);
  }

 private:
  full_type declared_result(op f) const {
    context& in = p_.context();
    block const body = body_of(p_, f);
    for (op o = body ? p_.first_op(body) : op{}; o; o = p_.next_op(o)) {
      if (p_.is(o, opcode::host_returns)) {
        auto const* types = p_.attr_if<array_attr>(o, "types");
        if (types == nullptr || types->elements.empty()) return {};
        std::vector<type> list;
        for (attribute const a : types->elements)
          if (auto const* t = in.get_if<type_attr>(a)) list.push_back(t->held);
        auto const all = p_.operands(o);
        return {list.size() == 1 ? list[0] : in.get(tuple_type{list}), {all.begin(), all.end()}};
      }
    }
    // The first return in the text, also of an inner block.
    std::vector<op> open;
    if (body) open.push_back(p_.first_op(body));
    while (!open.empty()) {
      op const o = open.back();
      open.pop_back();
      if (!o) continue;
      if (p_.is(o, opcode::host_return)) return returned(o);
      open.push_back(p_.next_op(o));
      auto const regions = p_.regions(o);
      for (std::size_t i = regions.size(); i-- > 0;)
        if (block const b = p_.first_block(regions[i])) open.push_back(p_.first_op(b));
    }
    return {};
  }
  full_type returned(op o) const {
    context& in = p_.context();
    if (p_.operand_count(o) == 0) return {};
    if (p_.operand_count(o) == 1) return type_of(p_, p_.operand(o, 0));
    full_type made;
    tuple_type list;
    for (value const v : p_.operands(o)) {
      auto const one = type_of(p_, v);
      list.elements.push_back(one.of);
      made.holes.insert(made.holes.end(), one.holes.begin(), one.holes.end());
    }
    made.of = in.get(std::move(list));
    return made;
  }
  struct signature {
    full_type result = {};
    std::vector<value> parameters = {};
  };
  program const& p_;
  std::unordered_map<std::string, op> by_name_;
  mutable std::unordered_map<std::uint32_t, signature> known_;
};

/// The type that a call has by what it calls. The holes are borrowed: they belong to other ops, and whoever gives a
/// new call this type copies them (builder::clone_expressions).
inline full_type deduced_type(program const& p, function_results const& functions, op call) {
  auto const list = arguments(p, call);
  std::vector<value> const args(list.begin(), list.end());
  if (auto const f = called_function(p, call); !f.empty()) return functions.of_call(functions.find(f), args);
  std::string_view dtype;
  if (auto const* s = p.context().get_if<symbol_ref_attr>(p.context().lookup(p.attr(call, "kwargs"), "dtype")))
    dtype = s->root;
  return detail::deduce_operation(p, called_op(p, call), args, dtype);
}

}  // namespace mpmd::ir::host
