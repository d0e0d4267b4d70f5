#pragma once
/// Comparing expressions and types of host programs: by what they are, as the specification of the language has it.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <mpmd/ir/detail/compared_parts.hpp>
#include <mpmd/ir/host_ops.hpp>
#include <mpmd/ir/program.hpp>

namespace mpmd::ir::host {

/// Whether two expressions of one program say the same: variables and windows must be the same ones, constants are
/// compared by value, and constants of INDEX and INT64 are not told apart. O(size), without recursion.
inline bool same_expression(program const& p, value a, value b) {
  std::vector<std::pair<value, value>> open{{a, b}};
  while (!open.empty()) {
    auto const [v, w] = open.back();
    open.pop_back();
    if (v == w) continue;
    op const x = p.defining_op(v), y = p.defining_op(w);
    if (!x || !y || p.kind(x) != p.kind(y) || !p.has_trait(x, op_trait::expression)) return false;
    if (p.operand_count(x) != p.operand_count(y)) return false;
    if (ir::detail::compared_type(p, x, v) != ir::detail::compared_type(p, y, w)) return false;
    if (ir::detail::compared_properties(p, x) != ir::detail::compared_properties(p, y)) return false;
    for (std::uint32_t i = 0; i < p.operand_count(x); ++i) open.emplace_back(p.operand(x, i), p.operand(y, i));
  }
  return true;
}

/// A type with what its holes hold.
struct full_type {
  type of = {};
  std::vector<value> holes = {};
  explicit operator bool() const { return static_cast<bool>(of); }
};

inline full_type type_of(program const& p, value v) {
  auto const held = type_operands(p, v);
  return {p.type_of(v), {held.begin(), held.end()}};
}

inline bool same_type(program const& p, full_type const& a, full_type const& b) {
  return a.of == b.of && a.holes.size() == b.holes.size() &&
         std::equal(a.holes.begin(), a.holes.end(), b.holes.begin(),
                    [&p](value v, value w) { return same_expression(p, v, w); });
}

/// The type without the reference to a window, if it is distributed and has one.
inline full_type without_window(program const& p, full_type t) {
  if (!is_windowed(p.context(), t.of) || t.holes.empty()) return t;
  t.holes.pop_back();
  t.of = with_window(p.context(), t.of, false);
  return t;
}

/// The same of the elements of a tuple, too.
inline full_type without_windows(program const& p, full_type const& t) {
  context& in = p.context();
  auto const* tuple = in.get_if<tuple_type>(t.of);
  if (tuple == nullptr) return without_window(p, t);
  full_type made;
  tuple_type list;
  std::size_t from = 0;
  for (type const element : tuple->elements) {
    auto const n = holes(in, element);
    full_type one{element, {t.holes.begin() + static_cast<std::ptrdiff_t>(from),
                            t.holes.begin() + static_cast<std::ptrdiff_t>(from + n)}};
    from += n;
    one = without_window(p, std::move(one));
    list.elements.push_back(one.of);
    made.holes.insert(made.holes.end(), one.holes.begin(), one.holes.end());
  }
  made.of = in.get(std::move(list));
  return made;
}

/// The type as it is written: the constants among its holes are in it (extents that have become known), and a valid shape
/// that is the shape is not. Types are at most 64 deep.
inline full_type settled(program const& p, full_type const& t) {
  context& in = p.context();
  full_type made;
  std::size_t next = 0;
  auto settle = [&](std::vector<std::int64_t>& list) {
    for (auto& e : list) {
      if (e != dynamic_extent || next >= t.holes.size()) continue;
      value const hole = t.holes[next++];
      if (auto const n = constant_int(p, hole); n && *n >= 0)
        e = *n;
      else
        made.holes.push_back(hole);
    }
  };
  auto same = [&p](std::span<value const> a, std::span<value const> b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [&p](value v, value w) { return same_expression(p, v, w); });
  };
  auto one = [&](auto const& self, type of) -> type {
    if (auto const* tuple = in.get_if<tuple_type>(of)) {
      tuple_type list = *tuple;
      for (type& e : list.elements) e = self(self, e);
      return in.get(std::move(list));
    }
    auto data = tensor_of(in, of);
    if (!data || holes(in, of) == 0) return of;
    std::size_t const from = made.holes.size();
    settle(data->shape);
    if (data->view && data->view->valid_shape) {
      std::size_t const valid_from = made.holes.size();
      settle(*data->view->valid_shape);
      auto const all = std::span<value const>(made.holes).subspan(from);
      if (*data->view->valid_shape == data->shape && same(all.first(valid_from - from), all.subspan(valid_from - from))) {
        data->view->valid_shape.reset();
        made.holes.resize(valid_from);
      }
    }
    if (data->view) settle(data->view->stride);
    if (data->windowed && next < t.holes.size()) made.holes.push_back(t.holes[next++]);
    return tensor(in, *data);
  };
  made.of = one(one, t.of);
  return made;
}

/// The type an operation on two scalars has: BOOL for comparisons and logic, otherwise the wider of the two; the left
/// one when they are equally wide. Null when one of them is no scalar or only one of them is a float.
inline type promoted(context& in, std::string_view kind, type a, type b) {
  auto const* left = find_dtype(dtype_name(in, a));
  auto const* right = find_dtype(dtype_name(in, b));
  if (left == nullptr || right == nullptr) return {};
  if (left->is_float != right->is_float && left->bits != 1 && right->bits != 1) return {};
  static constexpr std::string_view to_bool[] = {"eq", "ne", "lt", "le", "gt", "ge", "and", "or", "xor"};
  if (std::find(std::begin(to_bool), std::end(to_bool), kind) != std::end(to_bool)) return scalar(in, "BOOL");
  return right->bits > left->bits ? b : a;
}

}  // namespace mpmd::ir::host
