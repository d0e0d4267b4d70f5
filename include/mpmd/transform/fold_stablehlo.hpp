#pragma once
/// The rewrites by which stablehlo ops are brought into canonical form: those that mesh inference depends on, which are
/// about shapes and whole values, and arithmetic on constants that are one number, as loop indices are.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <ranges>
#include <string_view>
#include <utility>
#include <vector>

#include <mpmd/graph/foldable_program.hpp>
#include <mpmd/transform/canonical_forms.hpp>
#include <mpmd/transform/greedy_rewriter.hpp>

namespace mpmd {

namespace detail {

/// The op of this kind that makes the value, and nothing else; or none.
template <foldable_program P>
op_t<P> producer(P const& p, value_t<P> v, tensor_kind kind) {
  op_t<P> const by = mpmd::defining_op(p, v);
  bool const fits = by && ir_traits<P>::tensor_kind_of(p, by) == kind &&
                    std::ranges::distance(ir_traits<P>::results(p, by)) == 1;
  return fits ? by : op_t<P>{};
}
/// The one number that all elements of a value are known to be.
template <foldable_program P>
std::optional<std::int64_t> known_number(P const& p, value_t<P> v) {
  op_t<P> const by = producer(p, v, tensor_kind::constant);
  return by ? ir_traits<P>::number_of(p, by) : std::nullopt;
}
template <foldable_program P>
std::optional<integer_element> integers_of(P const& p, value_t<P> v) {
  return ir_traits<P>::integer_element_of(p, ir_traits<P>::type_of(p, v));
}
/// The shape of a tensor that stands on no mesh, all extents known.
template <foldable_program P>
std::optional<std::vector<std::int64_t>> static_shape(P const& p, value_t<P> v) {
  auto const t = ir_traits<P>::type_of(p, v);
  return ir_traits<P>::is_tensor(p, t) ? ir_traits<P>::shape_of(p, t) : std::nullopt;
}

/// Puts a constant in the place of an op: `number` modulo the width of its elements.
template <foldable_program P>
bool replace_by_number(greedy_rewriter<P>& r, op_t<P> o, std::int64_t number) {
  using traits = ir_traits<P>;
  P const& p = r.in();
  value_t<P> const result = result_of(p, o);
  if (!integers_of(p, result)) return false;
  op_t<P> const made = r.create({.what = role::compute,
                                 .results = {traits::type_of(p, result)},
                                 .where = traits::location_of(p, o),
                                 .tensor = tensor_op::constant,
                                 .number = number},
                                insertion_point<P>::before(o));
  r.replace(o, {result_of(p, made)});
  return true;
}

template <foldable_program P>
void replace_by_slice(greedy_rewriter<P>& r, op_t<P> o, value_t<P> of, std::vector<slice_bounds> bounds) {
  using traits = ir_traits<P>;
  P const& p = r.in();
  op_t<P> const made = r.create({.what = role::compute,
                                 .operands = {of},
                                 .results = {traits::type_of(p, result_of(p, o))},
                                 .where = traits::location_of(p, o),
                                 .tensor = tensor_op::slice,
                                 .bounds = std::move(bounds)},
                                insertion_point<P>::before(o));
  traits::copy_notes(r.in(), o, made);
  r.replace(o, {result_of(p, made)});
}

/// The concatenation that makes an operand of `o`, if nothing else uses it and it is along the same dimension; none
/// otherwise.
template <foldable_program P>
op_t<P> absorbable_concatenate(P const& p, op_t<P> o, value_t<P> operand, std::int64_t along) {
  op_t<P> const inner = producer(p, operand, tensor_kind::concatenate);
  if (!inner || inner == o || ir_traits<P>::integer_attribute(p, inner, "dimension") != along) return {};
  return only_user(p, operand) ? inner : op_t<P>{};
}

/// A concatenation takes the operands of those along the same dimension that only it uses, and of those that only these
/// use; one of a single operand is the operand. The last of a chain takes all at once: linear in the chain.
template <foldable_program P>
bool flatten_concatenate(greedy_rewriter<P>& r, op_t<P> o) {
  using traits = ir_traits<P>;
  P const& p = r.in();
  std::vector<value_t<P>> open = operands_of(p, o);
  auto const along = traits::integer_attribute(p, o, "dimension");
  if (std::ranges::distance(traits::results(p, o)) != 1 || open.empty() || !along) return false;
  value_t<P> const result = result_of(p, o);
  if (open.size() == 1 && traits::type_of(p, open[0]) == traits::type_of(p, result) && open[0] != result) {
    r.replace(o, {open[0]});
    return true;
  }
  if (op_t<P> const user = only_user(p, result)) {
    bool const goes_on = traits::tensor_kind_of(p, user) == tensor_kind::concatenate &&
                         traits::integer_attribute(p, user, "dimension") == along &&
                         absorbable_concatenate(p, user, result, *along);
    if (goes_on) return false;
  }
  std::vector<value_t<P>> flat;
  std::reverse(open.begin(), open.end());
  bool any = false;
  while (!open.empty()) {
    value_t<P> const v = open.back();
    open.pop_back();
    op_t<P> const inner = absorbable_concatenate(p, o, v, *along);
    if (!inner) {
      flat.push_back(v);
      continue;
    }
    any = true;
    std::size_t const from = open.size();
    for (auto&& part : traits::operands(p, inner)) open.push_back(part);
    std::reverse(open.begin() + static_cast<std::ptrdiff_t>(from), open.end());
  }
  if (!any) return false;
  type_t<P> const type = traits::type_of(p, result);
  op_t<P> const made = r.recreate(o, flat, std::span(&type, 1));
  r.replace(o, {result_of(p, made)});
  return true;
}

/// The bounds of a slice, if they are as many as they should be.
template <foldable_program P>
std::optional<std::vector<slice_bounds>> bounds_of(P const& p, op_t<P> o, std::size_t rank) {
  auto const starts = ir_traits<P>::list_attribute(p, o, "start_indices");
  auto const limits = ir_traits<P>::list_attribute(p, o, "limit_indices");
  auto const strides = ir_traits<P>::list_attribute(p, o, "strides");
  if (!starts || !limits || !strides || starts->size() != rank || limits->size() != rank || strides->size() != rank)
    return std::nullopt;
  std::vector<slice_bounds> bounds;
  for (std::size_t i = 0; i < rank; ++i) bounds.push_back({(*starts)[i], (*limits)[i], (*strides)[i]});
  return bounds;
}

/// A slice of everything is its operand; one that lies within one operand of a concatenation is a slice of that.
template <foldable_program P>
bool simplify_slice(greedy_rewriter<P>& r, op_t<P> o) {
  using traits = ir_traits<P>;
  P const& p = r.in();
  if (!has_arity(p, o, 1)) return false;
  value_t<P> const from = operand_of(p, o), result = result_of(p, o);
  auto const shape = static_shape(p, from);
  if (!shape || from == result) return false;
  auto bounds = bounds_of(p, o, shape->size());
  if (!bounds) return false;
  if (traits::type_of(p, from) == traits::type_of(p, result)) {
    r.replace(o, {from});
    return true;
  }
  op_t<P> const joined = producer(p, from, tensor_kind::concatenate);
  auto const along = joined ? traits::integer_attribute(p, joined, "dimension") : std::nullopt;
  if (!along || *along < 0 || static_cast<std::size_t>(*along) >= bounds->size()) return false;
  slice_bounds& cut = (*bounds)[static_cast<std::size_t>(*along)];
  std::int64_t begin = 0;
  for (value_t<P> const part : operands_of(p, joined)) {
    auto const piece = static_shape(p, part);
    if (!piece || piece->size() != bounds->size()) return false;
    std::int64_t const end = begin + (*piece)[static_cast<std::size_t>(*along)];
    if (cut.start < end || cut.limit <= end) {
      if (cut.start < begin || cut.limit > end) return false;
      cut.start -= begin;
      cut.limit -= begin;
      replace_by_slice(r, o, part, std::move(*bounds));
      return true;
    }
    begin = end;
  }
  return false;
}

/// A dynamic slice at places that are known is a slice.
template <foldable_program P>
bool simplify_dynamic_slice(greedy_rewriter<P>& r, op_t<P> o) {
  P const& p = r.in();
  auto const sizes = ir_traits<P>::list_attribute(p, o, "slice_sizes");
  if (!sizes || !has_arity(p, o, std::ssize(*sizes) + 1)) return false;
  auto const shape = static_shape(p, operand_of(p, o));
  if (!shape || shape->size() != sizes->size()) return false;
  std::vector<slice_bounds> bounds;
  for (std::size_t i = 0; i < sizes->size(); ++i) {
    if ((*sizes)[i] < 0 || (*sizes)[i] > (*shape)[i]) return false;
    std::int64_t const room = (*shape)[i] - (*sizes)[i];
    value_t<P> const index = *operand_at(p, o, i + 1);
    auto const given = known_number(p, index);
    if (!given && room != 0) return false;
    std::int64_t at = given.value_or(0);
    auto const element = integers_of(p, index);
    bool const is_huge = element && !element->is_signed && at < 0;  // of 64 bits
    at = is_huge ? room : std::clamp<std::int64_t>(at, 0, room);
    bounds.push_back({at, at + (*sizes)[i], 1});
  }
  replace_by_slice(r, o, operand_of(p, o), std::move(bounds));
  return true;
}

/// Whether the list counts up from zero, and has this length.
inline bool is_iota(std::optional<std::vector<std::int64_t>> const& list, std::size_t length) {
  if (!list || list->size() != length) return false;
  for (std::size_t i = 0; i < list->size(); ++i)
    if ((*list)[i] != static_cast<std::int64_t>(i)) return false;
  return true;
}

/// Ops that change the shape of a value: those that do not are their operand, a reshape of a reshape is one, and one of
/// a number is that number in another shape.
template <foldable_program P>
bool simplify_shape_op(greedy_rewriter<P>& r, op_t<P> o, tensor_kind kind) {
  using traits = ir_traits<P>;
  P const& p = r.in();
  if (!has_arity(p, o, 1)) return false;
  value_t<P> const from = operand_of(p, o), result = result_of(p, o);
  if (from == result) return false;
  bool const is_reshape = kind == tensor_kind::reshape, converts = kind == tensor_kind::convert;
  auto const shape = static_shape(p, from);
  bool identity = traits::type_of(p, from) == traits::type_of(p, result) && shape;
  if (identity && !is_reshape && !converts) {
    auto const key = kind == tensor_kind::transpose ? "permutation" : "broadcast_dimensions";
    identity = is_iota(traits::list_attribute(p, o, key), shape->size());
  }
  if (identity) {
    r.replace(o, {from});
    return true;
  }
  if (is_reshape)
    if (op_t<P> const inner = producer(p, from, tensor_kind::reshape);
        inner && has_arity(p, inner, 1) && inner != o && operand_of(p, inner) != from) {
      r.set_operand(o, 0, operand_of(p, inner));
      return true;
    }
  auto const number = known_number(p, from);
  if (!number || !(is_reshape || converts)) return false;
  auto const to = integers_of(p, result);
  if (!to || (converts && (to->width == 1 || !static_shape(p, result)->empty()))) return false;
  if (*number < 0 && !to->is_signed && to->width > 1) return false;
  return replace_by_number(r, o, *number);
}

/// Integer arithmetic on numbers, and with those that change nothing.
template <foldable_program P>
bool fold_arithmetic(greedy_rewriter<P>& r, op_t<P> o, tensor_kind kind) {
  using traits = ir_traits<P>;
  P const& p = r.in();
  if (!has_arity(p, o, 2)) return false;
  value_t<P> const left = *operand_at(p, o, 0), right = *operand_at(p, o, 1), result = result_of(p, o);
  auto const element = integers_of(p, result);
  if (!element || element->width == 1 || traits::type_of(p, left) != traits::type_of(p, result) ||
      traits::type_of(p, right) != traits::type_of(p, left) || left == result || right == result)
    return false;
  auto const a = known_number(p, left), b = known_number(p, right);
  if (a && b) {
    auto const x = static_cast<std::uint64_t>(*a), y = static_cast<std::uint64_t>(*b);
    std::uint64_t const made = kind == tensor_kind::add ? x + y : kind == tensor_kind::multiply ? x * y : x - y;
    return replace_by_number(r, o, static_cast<std::int64_t>(made));
  }
  std::int64_t const neutral = kind == tensor_kind::multiply ? 1 : 0;
  if (b == neutral || (kind != tensor_kind::subtract && a == neutral)) {
    r.replace(o, {b == neutral ? left : right});
    return true;
  }
  return false;
}

/// A choice by a number, or between one value and itself.
template <foldable_program P>
bool fold_select(greedy_rewriter<P>& r, op_t<P> o) {
  using traits = ir_traits<P>;
  P const& p = r.in();
  if (!has_arity(p, o, 3)) return false;
  value_t<P> const yes = *operand_at(p, o, 1), no = *operand_at(p, o, 2), result = result_of(p, o);
  auto const which = known_number(p, *operand_at(p, o, 0));
  if (!which && yes != no) return false;
  value_t<P> const taken = which.value_or(0) != 0 ? yes : no;
  if (traits::type_of(p, taken) != traits::type_of(p, result) || taken == result) return false;
  r.replace(o, {taken});
  return true;
}

/// The comparison of two numbers.
template <foldable_program P>
bool fold_compare(greedy_rewriter<P>& r, op_t<P> o) {
  using traits = ir_traits<P>;
  P const& p = r.in();
  if (!has_arity(p, o, 2)) return false;
  value_t<P> const left = *operand_at(p, o, 0), right = *operand_at(p, o, 1);
  auto const a = known_number(p, left), b = known_number(p, right);
  auto const element = integers_of(p, left);
  if (!a || !b || !element || traits::type_of(p, left) != traits::type_of(p, right)) return false;
  bool const less = element->is_signed ? *a < *b : static_cast<std::uint64_t>(*a) < static_cast<std::uint64_t>(*b);
  bool const equal = *a == *b;
  switch (traits::comparison_of(p, o)) {
    case comparison::eq: return replace_by_number(r, o, equal);
    case comparison::ne: return replace_by_number(r, o, !equal);
    case comparison::lt: return replace_by_number(r, o, less);
    case comparison::le: return replace_by_number(r, o, less || equal);
    case comparison::gt: return replace_by_number(r, o, !less && !equal);
    case comparison::ge: return replace_by_number(r, o, !less);
    case comparison::unknown: break;
  }
  return false;
}

}  // namespace detail

/// The canonical forms of stablehlo ops.
template <foldable_program P>
bool fold_stablehlo(greedy_rewriter<P>& r, op_t<P> o) {
  tensor_kind const kind = ir_traits<P>::tensor_kind_of(r.in(), o);
  switch (kind) {
    case tensor_kind::concatenate: return detail::flatten_concatenate(r, o);
    case tensor_kind::slice: return detail::simplify_slice(r, o);
    case tensor_kind::dynamic_slice: return detail::simplify_dynamic_slice(r, o);
    case tensor_kind::reshape:
    case tensor_kind::transpose:
    case tensor_kind::broadcast_in_dim:
    case tensor_kind::convert: return detail::simplify_shape_op(r, o, kind);
    case tensor_kind::add:
    case tensor_kind::subtract:
    case tensor_kind::multiply: return detail::fold_arithmetic(r, o, kind);
    case tensor_kind::compare: return detail::fold_compare(r, o);
    case tensor_kind::select: return detail::fold_select(r, o);
    default: return false;
  }
}

}  // namespace mpmd
