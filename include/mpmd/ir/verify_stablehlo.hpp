#pragma once
/// What is cheap to check of stablehlo ops: that elementwise ops work on tensors of one type, and that a few
/// others give back the types they take. The rest of that dialect's rules is left to its own verifier.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include <mpmd/ir/verify_context.hpp>

namespace mpmd::ir {

namespace detail {

/// Elementwise ops whose operands and result have one type, with their number of operands.
struct elementwise_op {
  std::string_view name;
  std::uint8_t operands;
};
inline constexpr auto elementwise_ops = std::to_array<elementwise_op>({
    {"add", 2},
    {"and", 2},
    {"atan2", 2},
    {"divide", 2},
    {"maximum", 2},
    {"minimum", 2},
    {"multiply", 2},
    {"or", 2},
    {"power", 2},
    {"remainder", 2},
    {"shift_left", 2},
    {"shift_right_arithmetic", 2},
    {"shift_right_logical", 2},
    {"subtract", 2},
    {"xor", 2},
    {"cbrt", 1},
    {"ceil", 1},
    {"cosine", 1},
    {"count_leading_zeros", 1},
    {"exponential", 1},
    {"exponential_minus_one", 1},
    {"floor", 1},
    {"log", 1},
    {"log_plus_one", 1},
    {"logistic", 1},
    {"negate", 1},
    {"not", 1},
    {"popcnt", 1},
    {"round_nearest_afz", 1},
    {"round_nearest_even", 1},
    {"rsqrt", 1},
    {"sign", 1},
    {"sine", 1},
    {"sqrt", 1},
    {"tan", 1},
    {"tanh", 1},
});
/// By name id: the number of operands, 0 for ops that are not in the list.
inline constexpr auto elementwise_arity = [] {
  std::array<std::uint8_t, known_ops.size()> table{};
  std::size_t found = 0;
  for (std::size_t i = 0; i < table.size(); ++i) {
    constexpr std::string_view prefix = "stablehlo.";
    if (!known_ops[i].name.starts_with(prefix)) continue;
    for (auto const& e : elementwise_ops)
      if (known_ops[i].name.substr(prefix.size()) == e.name) {
        table[i] = e.operands;
        ++found;
      }
  }
  return found == elementwise_ops.size() ? table : decltype(table){};
}();
static_assert(elementwise_arity[static_cast<std::size_t>(opcode::stablehlo_add)] == 2,
              "a listed op is not known");

/// One element type, and shapes that agree where both are known.
inline bool compatible_tensors(context const& cx, type a, type b) {
  if (a == b) return true;
  auto const* x = cx.get_if<tensor_type>(a);
  auto const* y = cx.get_if<tensor_type>(b);
  auto element = [&](type t, tensor_type const* ranked) {
    auto const* unranked = cx.get_if<unranked_tensor_type>(t);
    return ranked ? ranked->element : unranked ? unranked->element : type{};
  };
  type const of_a = element(a, x), of_b = element(b, y);
  if (!of_a || of_a != of_b) return false;
  if (x == nullptr || y == nullptr) return true;
  if (x->shape.size() != y->shape.size()) return false;
  for (std::size_t i = 0; i < x->shape.size(); ++i)
    if (x->shape[i] != y->shape[i] && x->shape[i] != dynamic_extent && y->shape[i] != dynamic_extent)
      return false;
  return true;
}

inline bool check_elementwise(verify_context& c, op o, std::uint32_t arity) {
  if (c.in.operand_count(o) != arity)
    return c.fail_op(o, "operand-count",
                     "expected " + std::to_string(arity) + " operands, but found " +
                         std::to_string(c.in.operand_count(o)));
  if (c.in.result_count(o) != 1) return c.fail_op(o, "result-count", "requires one result");
  auto const tensor = [&](type t) { return is_tensor(c.cx(), t); };
  if (!check_operand_types(c, o, "tensor", tensor) || !check_result_types(c, o, "tensor", tensor))
    return false;
  type const result = c.in.type_of(c.in.result(o, 0));
  for (value const v : c.in.operands(o))
    if (!compatible_tensors(c.cx(), c.in.type_of(v), result))
      return c.fail_op(o, "type", "requires compatible types for all operands and results");
  return true;
}

/// Operands and results agree one by one.
inline bool check_pairwise(verify_context& c, op o) {
  auto const operands = c.in.operands(o);
  auto const results = c.in.results(o);
  if (operands.size() != results.size())
    return c.fail_op(o, "result-count",
                     "expected as many results as operands: " + std::to_string(results.size()) + " vs " +
                         std::to_string(operands.size()));
  for (std::size_t i = 0; i < operands.size(); ++i)
    if (type const from = c.in.type_of(operands[i]), to = c.in.type_of(results[i]);
        from != to && !compatible_tensors(c.cx(), from, to))
      return c.fail_op(o, "type",
                       "operand #" + std::to_string(i) + " has type " + c.quoted(from) +
                           " but the result has type " + c.quoted(to));
  return true;
}

}  // namespace detail

inline bool check_stablehlo(verify_context& c, op o) {
  std::uint32_t const code = c.in.kind(o).id;
  if (code < known_ops.size() && detail::elementwise_arity[code] != 0)
    return detail::check_elementwise(c, o, detail::elementwise_arity[code]);
  switch (static_cast<opcode>(code)) {
    case opcode::stablehlo_while:
    case opcode::stablehlo_optimization_barrier: return detail::check_pairwise(c, o);
    case opcode::stablehlo_constant: {
      auto const* data = c.in.attr_if<dense_attr>(o, "value");
      type const result = c.in.type_of(c.in.result(o, 0));
      if (data == nullptr || data->of == result || detail::compatible_tensors(c.cx(), data->of, result))
        return true;
      return c.fail_op(
          o, "type", "value has type " + c.quoted(data->of) + " but the result has type " + c.quoted(result));
    }
    default: return true;
  }
}

}  // namespace mpmd::ir
