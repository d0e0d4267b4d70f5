#pragma once
/// Which ops combine values associatively, and so can become reductions across meshes.

#include <cstdint>
#include <limits>
#include <optional>

#include <mpmd/graph/mpmd_program.hpp>
#include <mpmd/ir/program.hpp>
#include <mpmd/support/float_format.hpp>

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

/// The other way round: the elementwise op of a kind. `none` is a reshape, as in op_recipe_of.
constexpr opcode elementwise_op(reduction_kind k) {
  switch (k) {
    case reduction_kind::add: return opcode::stablehlo_add;
    case reduction_kind::max: return opcode::stablehlo_maximum;
    case reduction_kind::min: return opcode::stablehlo_minimum;
    case reduction_kind::mul: return opcode::stablehlo_multiply;
    case reduction_kind::or_: return opcode::stablehlo_or;
    case reduction_kind::and_: return opcode::stablehlo_and;
    case reduction_kind::none: break;
  }
  return opcode::stablehlo_reshape;
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

namespace detail {
/// The neutral element of a kind, as bits of a number format; nullopt for an unknown one.
inline std::optional<std::uint64_t> neutral_bits(context const& c, type element, reduction_kind kind) {
  if (auto const* t = c.get_if<integer_type>(element); t && t->width > 0 && t->width <= 64) {
    std::uint64_t const ones = ~std::uint64_t{0} >> (64 - t->width);
    bool const is_signed = t->sign != signedness::is_unsigned && t->width > 1;
    switch (kind) {
      case reduction_kind::mul: return 1;
      case reduction_kind::and_: return ones;
      case reduction_kind::max: return is_signed ? ones ^ ones >> 1 : 0;
      case reduction_kind::min: return is_signed ? ones >> 1 : ones;
      default: return 0;
    }
  }
  auto const* t = c.get_if<float_type>(element);
  auto const* format = t ? find_float_format(t->keyword) : nullptr;
  if (format == nullptr || format->width > 64) return std::nullopt;
  double const infinity = std::numeric_limits<double>::infinity();
  bool const has_infinity = format->special == special_values::ieee;
  switch (kind) {
    case reduction_kind::add: return 0;
    case reduction_kind::mul: return encode_float(*format, 1.0).low;
    case reduction_kind::max: return has_infinity ? std::optional(encode_float(*format, -infinity).low) : std::nullopt;
    case reduction_kind::min: return has_infinity ? std::optional(encode_float(*format, infinity).low) : std::nullopt;
    default: return std::nullopt;
  }
}
}  // namespace detail

/// Whether a constant is known to be the neutral element of a kind of reduction.
inline bool is_neutral(program const& p, op constant, reduction_kind kind) {
  context const& c = p.context();
  auto const* held = p.attr_if<dense_attr>(constant, "value");
  auto const* t = held ? c.get_if<tensor_type>(held->of) : nullptr;
  if (t == nullptr || held->data.empty() || held->data.size() > 8) return false;
  auto const neutral = detail::neutral_bits(c, t->element, kind);
  std::uint64_t bits = 0;
  for (std::size_t i = held->data.size(); i-- > 0;) bits = bits << 8 | static_cast<unsigned char>(held->data[i]);
  // -0.0 adds nothing either.
  bool const is_float = c.get_if<float_type>(t->element) != nullptr;
  if (is_float && kind == reduction_kind::add && bits == std::uint64_t{1} << (held->data.size() * 8 - 1)) return true;
  return neutral == bits;
}

}  // namespace mpmd::ir
