#pragma once
/// Which ops combine values associatively, and so can become reductions across meshes.

#include <cstdint>
#include <optional>

#include <mpmd/graph/mpmd_program.hpp>
#include <mpmd/ir/program.hpp>

namespace mpmd::ir {

/// The kind of an elementwise op of two operands, `none` for any other op.
inline reduction_kind elementwise_reduction(program const& p, op o) {
  switch (static_cast<opcode>(p.kind(o).id)) {
    case opcode::stablehlo_add: return reduction_kind::add;
    case opcode::stablehlo_maximum: return reduction_kind::max;
    case opcode::stablehlo_minimum: return reduction_kind::min;
    case opcode::stablehlo_multiply: return reduction_kind::mul;
    case opcode::stablehlo_or: return reduction_kind::or_;
    case opcode::stablehlo_and: return reduction_kind::and_;
    default: return reduction_kind::none;
  }
}

/// The kind that the body of a `stablehlo.reduce` computes: result i combines arguments i and i + n by the same kind
/// of op for all of the n results. `none` for any other body.
inline reduction_kind region_reduction(program const& p, block b) {
  op const end = p.last_op(b);
  if (!end) return reduction_kind::none;
  std::uint32_t const n = p.operand_count(end);
  if (n == 0 || p.arguments(b).size() != 2 * std::size_t{n}) return reduction_kind::none;
  reduction_kind kind = reduction_kind::none;
  for (std::uint32_t i = 0; i < n; ++i) {
    op const combiner = p.defining_op(p.operand(end, i));
    if (!combiner || p.parent_block(combiner) != b) return reduction_kind::none;
    reduction_kind const k = elementwise_reduction(p, combiner);
    if (k == reduction_kind::none || (i > 0 && k != kind) || p.operand_count(combiner) != 2)
      return reduction_kind::none;
    kind = k;
    value const x = p.operand(combiner, 0), y = p.operand(combiner, 1);
    value const a = p.argument(b, i), c = p.argument(b, i + n);
    if (!((x == a && y == c) || (x == c && y == a))) return reduction_kind::none;
  }
  return kind;
}

namespace detail {
inline std::optional<std::int64_t> single_integer(context const& c, attribute a) {
  if (auto const* i = c.get_if<integer_attr>(a)) return i->value;
  if (auto const* list = c.get_if<dense_array_attr>(a); list && list->values.size() == 1) return list->values[0];
  if (auto const* list = c.get_if<dense_attr>(a)) {
    // The older spelling: dense<1> : tensor<1xi64>.
    auto const* t = c.get_if<tensor_type>(list->of);
    if (t && t->shape == std::vector<std::int64_t>{1} && list->data.size() == 8) {
      std::uint64_t v = 0;
      for (std::size_t i = 8; i-- > 0;) v = v << 8 | static_cast<unsigned char>(list->data[i]);
      return static_cast<std::int64_t>(v);
    }
  }
  return std::nullopt;
}
}  // namespace detail

/// Whether `o` is a concatenation of tensors of extent one whose only use is a `stablehlo.reduce` that reduces the
/// concatenated dimension and no other: together they combine the operands.
inline reduction_op<op> concatenate_reduction(program const& p, op o) {
  if (!p.is(o, opcode::stablehlo_concatenate) || p.result_count(o) != 1 || p.operand_count(o) == 0) return {};
  context const& c = p.context();
  auto const dimension = detail::single_integer(c, p.attr(o, "dimension"));
  if (!dimension) return {};
  type const shape = p.type_of(p.operand(o, 0));
  for (value const v : p.operands(o))
    if (p.type_of(v) != shape) return {};
  auto const* t = c.get_if<tensor_type>(shape);
  if (t == nullptr || *dimension < 0 || static_cast<std::size_t>(*dimension) >= t->shape.size() ||
      t->shape[static_cast<std::size_t>(*dimension)] != 1)
    return {};
  if (!p.has_one_use(p.result(o, 0))) return {};
  op const reduce = (*p.uses(p.result(o, 0)).begin()).user;
  if (!p.is(reduce, opcode::stablehlo_reduce) || p.operand_count(reduce) != 2 || p.operand(reduce, 0) != p.result(o, 0) ||
      p.regions(reduce).size() != 1)
    return {};
  if (detail::single_integer(c, p.attr(reduce, "dimensions")) != dimension) return {};
  block const b = p.first_block(p.regions(reduce)[0]);
  if (!b) return {};
  return {region_reduction(p, b), reduce};
}

/// The associative combination that an op is, or is the first half of.
inline reduction_op<op> reduction_of(program const& p, op o) {
  if (auto const k = elementwise_reduction(p, o); k != reduction_kind::none)
    return {p.operand_count(o) == 2 ? k : reduction_kind::none, {}};
  return concatenate_reduction(p, o);
}

}  // namespace mpmd::ir
