#pragma once
/// Removal of blocks that control never reaches.

#include <cstddef>
#include <vector>

#include <mpmd/ir/program.hpp>
#include <mpmd/ir/walk.hpp>

namespace mpmd::ir {

namespace detail {

class unreachable_block_eraser {
 public:
  explicit unreachable_block_eraser(program& in)
      : in_(in), reached_(in.block_capacity(), false), doomed_(in.op_capacity(), false) {}

  /// Blocks whose values are used from reachable ones stay: such a program is not valid, and is left to the
  /// verifier.
  std::size_t run(region r) {
    block const entry = in_.first_block(r);
    if (!entry || !in_.next_block(entry)) return 0;
    reach(entry);
    std::vector<block> dead;
    for (block const b : blocks(in_, r)) {
      if (!reached_[b.id]) dead.push_back(b);
      reached_[b.id] = false;  // the marks are only for this region
    }
    return dead.empty() ? 0 : erase(dead);
  }

 private:
  void reach(block entry) {
    std::vector<block> todo{entry};
    reached_[entry.id] = true;
    while (!todo.empty()) {
      op const last = in_.last_op(todo.back());
      todo.pop_back();
      if (!last) continue;
      for (block const to : in_.successors(last)) {
        if (reached_[to.id] || in_.parent_region(to) != in_.parent_region(entry)) continue;
        reached_[to.id] = true;
        todo.push_back(to);
      }
    }
  }

  std::size_t erase(std::vector<block> const& dead) {
    std::vector<op> doomed;
    bool used_elsewhere = false;
    for (block const b : dead)
      for (op const top : ops(in_, b))
        walk(in_, top, [&](op o) {
          doomed.push_back(o);
          doomed_[o.id] = true;
        });
    auto check = [&](value v) {
      for (use const u : in_.uses(v)) used_elsewhere = used_elsewhere || !doomed_[u.user.id];
    };
    for (block const b : dead)
      for (value const v : in_.arguments(b)) check(v);
    for (op const o : doomed)
      for (value const v : in_.results(o)) check(v);
    for (op const o : doomed) doomed_[o.id] = false;
    if (used_elsewhere) return 0;
    // They may use each other in any order, so all uses go first.
    for (op const o : doomed) in_.set_operands(o, {});
    for (block const b : dead) in_.erase_block(b);
    return dead.size();
  }

  program& in_;
  std::vector<bool> reached_;  // by block
  std::vector<bool> doomed_;   // by op
};

}  // namespace detail

/// Removes the blocks which no way from the entry of their region leads to, in all regions in an op; how
/// many. O(size of the op + uses of what is removed).
inline std::size_t erase_unreachable_blocks(program& in, op root) {
  detail::unreachable_block_eraser eraser(in);
  std::size_t erased = 0;
  walk(in, root, [&](op o) {
    for (std::size_t i = 0; i < in.regions(o).size(); ++i) erased += eraser.run(in.regions(o)[i]);
  });
  return erased;
}

}  // namespace mpmd::ir
