#pragma once
/// Removal of blocks that control never reaches.

#include <cstddef>
#include <iterator>
#include <span>
#include <unordered_set>
#include <vector>

#include <mpmd/graph/structured_program.hpp>
#include <mpmd/transform/walk_ops.hpp>

namespace mpmd {

namespace detail {

/// Those of the blocks that no way from the first leads to, in order.
template <structured_program P>
std::vector<block_t<P>> unreached_blocks(P const& p, std::vector<block_t<P>> const& all) {
  using block = block_t<P>;
  std::unordered_set<block> unseen(std::next(all.begin()), all.end());
  std::vector<block> todo{all.front()};
  while (!todo.empty()) {
    op_t<P> last = {};
    for (auto&& o : ir_traits<P>::block_ops(p, todo.back())) last = o;
    todo.pop_back();
    if (!last) continue;
    for (auto&& to : ir_traits<P>::successors(p, last))
      if (unseen.erase(to) != 0) todo.push_back(to);
  }
  std::vector<block> dead;
  for (block const b : all)
    if (unseen.contains(b)) dead.push_back(b);
  return dead;
}

/// Blocks whose values are used elsewhere stay: such a program is not valid, and is left to the verifier.
template <structured_program P>
bool erase_blocks(P& p, std::vector<block_t<P>> const& dead) {
  using traits = ir_traits<P>;
  std::vector<op_t<P>> doomed;
  for (block_t<P> const b : dead)
    for (auto&& top : traits::block_ops(p, b)) {
      doomed.push_back(top);
      walk_ops(p, static_cast<op_t<P>>(top), [&](op_t<P> o) { doomed.push_back(o); });
    }
  std::unordered_set<op_t<P>> const gone(doomed.begin(), doomed.end());
  bool used_elsewhere = false;
  auto check = [&](value_t<P> v) {
    for (auto const& u : traits::uses(p, v)) used_elsewhere = used_elsewhere || !gone.contains(u.user);
  };
  for (block_t<P> const b : dead)
    for (auto&& v : traits::block_arguments(p, b)) check(v);
  for (op_t<P> const o : doomed) {
    for (auto&& v : traits::results(p, o)) check(v);
    for (auto&& v : mpmd::arguments(p, o)) check(v);
  }
  if (used_elsewhere) return false;
  // They may use each other in any order, so all uses go first.
  for (op_t<P> const o : doomed) traits::set_operands(p, o, std::span<value_t<P> const>{});
  for (block_t<P> const b : dead) traits::erase_block(p, b);
  return true;
}

}  // namespace detail

/// Removes the blocks which no way from the entry of their region leads to, in all regions in an op; how many.
/// O(size of the op + uses of what is removed).
template <structured_program P>
std::size_t erase_unreachable_blocks(P& p, op_t<P> root) {
  using traits = ir_traits<P>;
  std::size_t erased = 0;
  std::vector<op_t<P>> todo{root};
  while (!todo.empty()) {
    op_t<P> const o = todo.back();
    todo.pop_back();
    for (std::size_t i = 0; i < traits::region_count(p, o); ++i) {
      std::vector<block_t<P>> all;
      for (auto&& b : traits::blocks(p, o, i)) all.push_back(b);
      if (all.size() > 1) {
        auto const dead = detail::unreached_blocks(p, all);
        if (!dead.empty() && detail::erase_blocks(p, dead)) erased += dead.size();
      }
    }
    for (auto&& inner : mpmd::body(p, o))
      if (traits::region_count(p, inner) != 0) todo.push_back(inner);
  }
  return erased;
}

}  // namespace mpmd
