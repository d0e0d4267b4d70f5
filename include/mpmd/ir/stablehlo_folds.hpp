#pragma once
/// The rewrites by which stablehlo ops are brought into canonical form: those that mesh inference depends on, which are
/// about shapes and whole values, and arithmetic on constants that are one number, as loop indices are.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <mpmd/ir/builders.hpp>
#include <mpmd/ir/program.hpp>
#include <mpmd/ir/rewriter.hpp>

namespace mpmd::ir {

namespace detail {

void there_is_no_such_op();  // not constexpr: asking for one does not compile
consteval std::uint32_t known_op_id(std::string_view label) {
  for (std::size_t i = 0; i < known_ops.size(); ++i)
    if (known_ops[i].name == label) return static_cast<std::uint32_t>(i);
  there_is_no_such_op();
  return 0;
}
inline bool is_op(program const& in, op o, std::uint32_t id) { return in.kind(o).id == id; }

/// An op of so many operands and one result.
inline bool has_arity(program const& in, op o, std::uint32_t operands) {
  return in.operand_count(o) == operands && in.result_count(o) == 1;
}
inline tensor_type const* static_tensor(program const& in, value v) {
  auto const* t = in.context().get_if<tensor_type>(in.type_of(v));
  return t && std::all_of(t->shape.begin(), t->shape.end(), [](std::int64_t n) { return n >= 0; }) ? t : nullptr;
}
inline integer_type const* integers(program const& in, tensor_type const* t) {
  auto const* i = t ? in.context().get_if<integer_type>(t->element) : nullptr;
  return i && i->width >= 1 && i->width <= 64 ? i : nullptr;
}
inline op producer(program const& in, value v, std::uint32_t id) {
  op const by = in.defining_op(v);
  return by && is_op(in, by, id) && in.result_count(by) == 1 ? by : op{};
}
inline std::vector<std::int64_t> const* list_attr(program const& in, op o, std::string_view key) {
  auto const* list = in.attr_if<dense_array_attr>(o, key);
  return list ? &list->values : nullptr;
}

/// The one number that all elements of a constant of integers are; signed ones with their sign.
inline std::optional<std::int64_t> number_of(program const& in, value v) {
  op const by = producer(in, v, known_op_id("stablehlo.constant"));
  auto const* held = by ? in.attr_if<dense_attr>(by, "value") : nullptr;
  auto const* element = integers(in, static_tensor(in, v));
  if (!held || !element || (!held->splat && static_tensor(in, v)->shape.size() != 0)) return std::nullopt;
  std::size_t const bytes = (element->width + 7) / 8;
  if (held->data.size() != bytes) return std::nullopt;
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < bytes; ++i)
    bits |= static_cast<std::uint64_t>(static_cast<unsigned char>(held->data[i])) << (8 * i);
  bool const is_signed = element->sign != signedness::is_unsigned && element->width > 1;
  if (is_signed && element->width < 64 && (bits >> (element->width - 1) & 1) != 0) bits |= ~std::uint64_t{0} << element->width;
  return static_cast<std::int64_t>(bits);
}

/// Puts a constant in the place of an op: `number` modulo the width of its elements.
inline bool replace_by_number(rewriter& r, op o, std::int64_t number) {
  program& in = r.in();
  context& c = in.context();
  value const result = in.result(o, 0);
  auto const* element = integers(in, static_tensor(in, result));
  if (!element) return false;
  auto bits = static_cast<std::uint64_t>(number);
  if (element->width < 64) bits &= (std::uint64_t{1} << element->width) - 1;
  dense_attr held{in.type_of(result), {}, true};
  for (std::uint32_t bit = 0; bit < element->width; bit += 8) held.data += static_cast<char>(bits >> bit & 0xFF);
  op const made = in.create({.kind = {static_cast<std::uint32_t>(opcode::stablehlo_constant)},
                             .results = {in.type_of(result)},
                             .properties = make_dictionary(c, {{"value", c.get(std::move(held))}}),
                             .where = in.where(o)});
  in.insert_before(o, made);
  r.created(made);
  r.replace(o, {in.result(made, 0)});
  return true;
}

inline op replace_by_slice(rewriter& r, op o, value of, std::vector<std::int64_t> const& starts,
                           std::vector<std::int64_t> const& limits, std::vector<std::int64_t> const& strides) {
  program& in = r.in();
  context& c = in.context();
  auto list = [&](std::vector<std::int64_t> const& values) { return c.get(dense_array_attr{c.integer(64), values}); };
  op const made = in.create({.kind = {static_cast<std::uint32_t>(opcode::stablehlo_slice)},
                             .operands = {of},
                             .results = {in.type_of(in.result(o, 0))},
                             .properties = make_dictionary(c, {{"limit_indices", list(limits)},
                                                               {"start_indices", list(starts)},
                                                               {"strides", list(strides)}}),
                             .attributes = in.attributes(o),
                             .where = in.where(o)});
  in.insert_before(o, made);
  r.created(made);
  r.replace(o, {in.result(made, 0)});
  return made;
}

}  // namespace detail

namespace detail {

/// The concatenation that makes an operand of `o`, if nothing else uses it and it is along the same dimension; null
/// otherwise.
inline op absorbable_concatenate(program const& in, op o, value operand, std::int64_t along) {
  op const inner = producer(in, operand, known_op_id("stablehlo.concatenate"));
  auto const* inner_along = inner && inner != o ? in.attr_if<integer_attr>(inner, "dimension") : nullptr;
  return inner_along && inner_along->value == along && in.has_one_use(operand) ? inner : op{};
}

}  // namespace detail

/// A concatenation takes the operands of those along the same dimension that only it uses, and of those that only these
/// use; one of a single operand is the operand. The last of a chain takes all at once: linear in the chain.
inline bool flatten_concatenate(rewriter& r, op o) {
  program& in = r.in();
  auto const* along = in.attr_if<integer_attr>(o, "dimension");
  if (in.result_count(o) != 1 || in.operand_count(o) == 0 || !along) return false;
  value const result = in.result(o, 0);
  if (in.operand_count(o) == 1 && in.type_of(in.operand(o, 0)) == in.type_of(result) && in.operand(o, 0) != result) {
    r.replace(o, {in.operand(o, 0)});
    return true;
  }
  if (in.has_one_use(result)) {
    op const user = (*in.uses(result).begin()).user;
    bool const concatenates = in.kind(user) == in.kind(o);
    auto const* outer = concatenates ? in.attr_if<integer_attr>(user, "dimension") : nullptr;
    if (outer && outer->value == along->value && detail::absorbable_concatenate(in, user, result, outer->value)) return false;
  }
  std::vector<value> flat, open(in.operands(o).begin(), in.operands(o).end());
  std::reverse(open.begin(), open.end());
  bool any = false;
  while (!open.empty()) {
    value const v = open.back();
    open.pop_back();
    op const inner = detail::absorbable_concatenate(in, o, v, along->value);
    if (!inner) {
      flat.push_back(v);
      continue;
    }
    any = true;
    std::size_t const from = open.size();
    for (value const part : in.operands(inner)) open.push_back(part);
    std::reverse(open.begin() + static_cast<std::ptrdiff_t>(from), open.end());
  }
  if (!any) return false;
  op const made = in.create({.kind = in.kind(o),
                             .operands = std::move(flat),
                             .results = {in.type_of(result)},
                             .properties = in.properties(o),
                             .attributes = in.attributes(o),
                             .where = in.where(o)});
  in.insert_before(o, made);
  r.created(made);
  r.replace(o, {in.result(made, 0)});
  return true;
}

/// A slice of everything is its operand; one that lies within one operand of a concatenation is a slice of that.
inline bool simplify_slice(rewriter& r, op o) {
  program& in = r.in();
  auto const* starts = detail::list_attr(in, o, "start_indices");
  auto const* limits = detail::list_attr(in, o, "limit_indices");
  auto const* strides = detail::list_attr(in, o, "strides");
  if (!detail::has_arity(in, o, 1) || !starts || !limits || !strides) return false;
  value const from = in.operand(o, 0);
  auto const* shape = detail::static_tensor(in, from);
  if (!shape || starts->size() != shape->shape.size() || limits->size() != starts->size() ||
      strides->size() != starts->size() || from == in.result(o, 0))
    return false;
  if (in.type_of(from) == in.type_of(in.result(o, 0))) {
    r.replace(o, {from});
    return true;
  }
  op const joined = detail::producer(in, from, detail::known_op_id("stablehlo.concatenate"));
  auto const* along = joined ? in.attr_if<integer_attr>(joined, "dimension") : nullptr;
  if (!along || along->value < 0 || static_cast<std::size_t>(along->value) >= starts->size()) return false;
  auto const d = static_cast<std::size_t>(along->value);
  std::int64_t begin = 0;
  for (value const part : in.operands(joined)) {
    auto const* piece = detail::static_tensor(in, part);
    if (!piece || piece->shape.size() != starts->size()) return false;
    std::int64_t const end = begin + piece->shape[d];
    if ((*starts)[d] < end || (*limits)[d] <= end) {
      if ((*starts)[d] < begin || (*limits)[d] > end) return false;
      std::vector<std::int64_t> first = *starts, last = *limits, step = *strides;
      first[d] -= begin;
      last[d] -= begin;
      detail::replace_by_slice(r, o, part, first, last, step);
      return true;
    }
    begin = end;
  }
  return false;
}

/// A dynamic slice at places that are known is a slice.
inline bool simplify_dynamic_slice(rewriter& r, op o) {
  program& in = r.in();
  auto const* sizes = detail::list_attr(in, o, "slice_sizes");
  if (in.operand_count(o) == 0 || in.result_count(o) != 1 || !sizes) return false;
  auto const* shape = detail::static_tensor(in, in.operand(o, 0));
  if (!shape || shape->shape.size() != sizes->size() || in.operand_count(o) != sizes->size() + 1) return false;
  std::vector<std::int64_t> first, last;
  for (std::size_t i = 0; i < sizes->size(); ++i) {
    std::int64_t const room = shape->shape[i] - (*sizes)[i];
    if (room < 0) return false;
    value const index = in.operand(o, static_cast<std::uint32_t>(i + 1));
    auto const given = detail::number_of(in, index);
    if (!given && room != 0) return false;
    std::int64_t at = given.value_or(0);
    auto const* element = detail::integers(in, detail::static_tensor(in, index));
    bool const huge = element && element->sign == signedness::is_unsigned && at < 0;  // of 64 bits
    at = huge ? room : std::clamp<std::int64_t>(at, 0, room);
    first.push_back(at);
    last.push_back(at + (*sizes)[i]);
  }
  detail::replace_by_slice(r, o, in.operand(o, 0), first, last, std::vector<std::int64_t>(first.size(), 1));
  return true;
}

/// Ops that change the shape of a value: those that do not are their operand, a reshape of a reshape is one, and one of
/// a number is that number in another shape.
inline bool simplify_shape_op(rewriter& r, op o) {
  program& in = r.in();
  if (!detail::has_arity(in, o, 1)) return false;
  value const from = in.operand(o, 0), result = in.result(o, 0);
  if (from == result) return false;
  bool const is_reshape = in.is(o, opcode::stablehlo_reshape);
  bool identity = in.type_of(from) == in.type_of(result) && detail::static_tensor(in, from);
  if (identity && !is_reshape && !detail::is_op(in, o, detail::known_op_id("stablehlo.convert"))) {
    auto const* order =
        detail::list_attr(in, o, in.is(o, opcode::stablehlo_transpose) ? "permutation" : "broadcast_dimensions");
    identity = order != nullptr;
    for (std::size_t i = 0; identity && i < order->size(); ++i) identity = (*order)[i] == static_cast<std::int64_t>(i);
  }
  if (identity) {
    r.replace(o, {from});
    return true;
  }
  if (is_reshape)
    if (op const inner = detail::producer(in, from, detail::known_op_id("stablehlo.reshape"));
        inner && detail::has_arity(in, inner, 1) && inner != o && in.operand(inner, 0) != from) {
      r.set_operand(o, 0, in.operand(inner, 0));
      return true;
    }
  auto const number = detail::number_of(in, from);
  bool const converts = detail::is_op(in, o, detail::known_op_id("stablehlo.convert"));
  bool const small = detail::static_tensor(in, result) && detail::static_tensor(in, result)->shape.empty();
  auto const* to = detail::integers(in, detail::static_tensor(in, result));
  if (!number || !to || !(is_reshape || (converts && small && to->width > 1))) return false;
  if (*number < 0 && to->sign == signedness::is_unsigned) return false;
  return detail::replace_by_number(r, o, *number);
}

/// Integer arithmetic on numbers, and with those that change nothing.
inline bool fold_arithmetic(rewriter& r, op o) {
  program& in = r.in();
  if (!detail::has_arity(in, o, 2)) return false;
  value const left = in.operand(o, 0), right = in.operand(o, 1);
  auto const* element = detail::integers(in, detail::static_tensor(in, in.result(o, 0)));
  if (!element || element->width == 1 || in.type_of(left) != in.type_of(in.result(o, 0)) ||
      in.type_of(right) != in.type_of(left) || left == in.result(o, 0) || right == in.result(o, 0))
    return false;
  bool const adds = in.is(o, opcode::stablehlo_add), multiplies = in.is(o, opcode::stablehlo_multiply);
  bool const subtracts = detail::is_op(in, o, detail::known_op_id("stablehlo.subtract"));
  if (!adds && !multiplies && !subtracts) return false;
  auto const a = detail::number_of(in, left), b = detail::number_of(in, right);
  if (a && b) {
    auto const x = static_cast<std::uint64_t>(*a), y = static_cast<std::uint64_t>(*b);
    return detail::replace_by_number(r, o, static_cast<std::int64_t>(adds ? x + y : multiplies ? x * y : x - y));
  }
  std::int64_t const neutral = multiplies ? 1 : 0;
  if (b == neutral || (!subtracts && a == neutral)) {
    r.replace(o, {b == neutral ? left : right});
    return true;
  }
  return false;
}

/// The comparison of two numbers, and the choice by one.
inline bool fold_choice(rewriter& r, op o) {
  program& in = r.in();
  if (detail::is_op(in, o, detail::known_op_id("stablehlo.select"))) {
    if (!detail::has_arity(in, o, 3)) return false;
    auto const which = detail::number_of(in, in.operand(o, 0));
    if (!which && in.operand(o, 1) != in.operand(o, 2)) return false;
    value const taken = in.operand(o, which.value_or(0) != 0 ? 1 : 2);
    if (in.type_of(taken) != in.type_of(in.result(o, 0)) || taken == in.result(o, 0)) return false;
    r.replace(o, {taken});
    return true;
  }
  if (!in.is(o, opcode::stablehlo_compare) || !detail::has_arity(in, o, 2)) return false;
  auto const a = detail::number_of(in, in.operand(o, 0)), b = detail::number_of(in, in.operand(o, 1));
  auto const* element = detail::integers(in, detail::static_tensor(in, in.operand(o, 0)));
  auto const direction = in.context().get_if<opaque_attr>(in.attr(o, "comparison_direction"));
  if (!a || !b || !element || !direction || in.type_of(in.operand(o, 0)) != in.type_of(in.operand(o, 1))) return false;
  bool const is_unsigned = element->sign == signedness::is_unsigned || element->width == 1;
  bool const less = is_unsigned ? static_cast<std::uint64_t>(*a) < static_cast<std::uint64_t>(*b) : *a < *b;
  std::string_view const how = direction->text;
  auto says = [&](std::string_view word) { return how.find(' ' + std::string(word) + '>') != std::string_view::npos; };
  bool const equal = *a == *b;
  if (says("EQ")) return detail::replace_by_number(r, o, equal);
  if (says("NE")) return detail::replace_by_number(r, o, !equal);
  if (says("LT")) return detail::replace_by_number(r, o, less);
  if (says("LE")) return detail::replace_by_number(r, o, less || equal);
  if (says("GT")) return detail::replace_by_number(r, o, !less && !equal);
  if (says("GE")) return detail::replace_by_number(r, o, !less);
  return false;
}

/// The canonical forms of stablehlo ops.
inline bool rewrite_stablehlo(rewriter& r, op o) {
  switch (static_cast<opcode>(r.in().kind(o).id)) {
    case opcode::stablehlo_concatenate: return flatten_concatenate(r, o);
    case opcode::stablehlo_slice: return simplify_slice(r, o);
    case opcode::stablehlo_dynamic_slice: return simplify_dynamic_slice(r, o);
    case opcode::stablehlo_reshape:
    case opcode::stablehlo_transpose:
    case opcode::stablehlo_broadcast_in_dim: return simplify_shape_op(r, o);
    case opcode::stablehlo_add:
    case opcode::stablehlo_multiply: return fold_arithmetic(r, o);
    case opcode::stablehlo_compare: return fold_choice(r, o);
    default: break;
  }
  program const& in = r.in();
  if (detail::is_op(in, o, detail::known_op_id("stablehlo.convert"))) return simplify_shape_op(r, o);
  if (detail::is_op(in, o, detail::known_op_id("stablehlo.subtract"))) return fold_arithmetic(r, o);
  if (detail::is_op(in, o, detail::known_op_id("stablehlo.select"))) return fold_choice(r, o);
  return false;
}

}  // namespace mpmd::ir
