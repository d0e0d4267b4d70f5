#pragma once
/// What fragments hold and say, and the ops of functions as lists.

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <ranges>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include <mpmd/graph/mutable_program.hpp>
#include <mpmd/transform/edit.hpp>
#include <mpmd/transform/walk_ops.hpp>

namespace mpmd {

template <mutable_mpmd_program P>
std::vector<value_t<P>> arguments_of(P const& p, op_t<P> o) {
  auto&& all = ir_traits<P>::arguments(p, o);
  return {std::ranges::begin(all), std::ranges::end(all)};
}
/// The ops directly in an op, in order, as they are now: the list stays while ops are moved and erased.
template <mutable_mpmd_program P>
std::vector<op_t<P>> body_of(P const& p, op_t<P> o) {
  std::vector<op_t<P>> all;
  for (op_t<P> const inner : ir_traits<P>::body(p, o)) all.push_back(inner);
  return all;
}
template <mutable_mpmd_program P>
std::vector<type_t<P>> types_of(P const& p, std::vector<value_t<P>> const& values) {
  std::vector<type_t<P>> types;
  for (value_t<P> const v : values) types.push_back(ir_traits<P>::type_of(p, v));
  return types;
}

/// A fragment with its body, as against the call of one.
template <mutable_mpmd_program P>
bool is_fragment(P const& p, op_t<P> o) {
  if (ir_traits<P>::role_of(p, o) != role::fragment) return false;
  auto&& inside = ir_traits<P>::body(p, o);
  return std::ranges::begin(inside) != std::ranges::end(inside);
}

/// The op among those directly in `holder` which is or contains `o`; none when o stands elsewhere. O(depth).
template <mutable_mpmd_program P>
op_t<P> ancestor_in(P const& p, op_t<P> holder, op_t<P> o) {
  while (o) {
    op_t<P> const around = ir_traits<P>::parent_op(p, o);
    if (around == holder) return o;
    o = around;
  }
  return {};
}

/// The ops of a function at its top level and in its loops, a loop before what is in it.
template <mutable_mpmd_program P>
std::vector<op_t<P>> placed_ops(P const& p, op_t<P> f) {
  std::vector<op_t<P>> found, todo;
  auto open = [&](op_t<P> holder) {
    auto const inside = body_of(p, holder);
    todo.insert(todo.end(), inside.rbegin(), inside.rend());
  };
  open(f);
  while (!todo.empty()) {
    op_t<P> const o = todo.back();
    todo.pop_back();
    found.push_back(o);
    if (ir_traits<P>::role_of(p, o) == role::loop) open(o);
  }
  return found;
}

/// The number in a note of 32 or 64 bits.
inline std::optional<std::int64_t> number_in(note const& n) {
  if (auto const* narrow = std::get_if<std::uint32_t>(&n)) return static_cast<std::int64_t>(*narrow);
  if (auto const* wide = std::get_if<std::int64_t>(&n)) return *wide;
  return std::nullopt;
}
/// Which microbatch a fragment or call belongs to, where it says so.
template <mutable_mpmd_program P>
std::optional<std::uint32_t> call_counter_of(P const& p, op_t<P> o) {
  note const held = ir_traits<P>::note_of(p, o, "call_counter");
  auto const* n = std::get_if<std::uint32_t>(&held);
  return n ? std::optional(*n) : std::nullopt;
}
/// How often the computations of a fragment have been transposed, if that is one number for all of them.
inline std::optional<std::int64_t> single_transpose_count(fragment_info const& fragment) {
  if (fragment.origins.empty()) return std::nullopt;
  for (auto const& o : fragment.origins)
    if (o.transpose_count != fragment.origins.front().transpose_count) return std::nullopt;
  return fragment.origins.front().transpose_count;
}

/// A place and a text for a diagnostic about an op.
template <mutable_mpmd_program P>
source_location source_of(P const& p, op_t<P> o) {
  return ir_traits<P>::source_of(p, ir_traits<P>::location_of(p, o));
}

}  // namespace mpmd
