#pragma once
/// Equal constants become one.

#include <cstddef>
#include <unordered_map>
#include <vector>

#include <mpmd/ir/program.hpp>
#include <mpmd/ir/walk.hpp>
#include <mpmd/support/hash.hpp>

namespace mpmd::ir {

/// Makes equal constants one. The first of them is kept and moved to the start of the nearest region around
/// it that is isolated, belongs to a foreign op or to an op that stands nowhere; constants that head such a
/// region already stay as they are, later ones come to stand before them. Visits ops in program order.
class constant_uniquer {
 public:
  explicit constant_uniquer(program& in) : in_(in) {}

  /// Says whether the op has been replaced by an equal constant, and is gone.
  bool visit(op o) {
    if (!in_.has_trait(o, op_trait::constant_like) || in_.result_count(o) != 1 || !in_.regions(o).empty())
      return false;
    region const home = insertion_region(in_.parent_block(o));
    if (!home) return false;
    auto const [at, is_new] =
        known_.emplace(key{home, in_.attr(o, "value"), in_.type_of(in_.result(o, 0))}, o);
    if (!is_new) {
      in_.replace_all_uses(in_.result(o, 0), in_.result(at->second, 0));
      in_.erase(o);
      return true;
    }
    block const start = in_.first_block(home);
    op const before = in_.previous_op(o);
    bool const in_place = in_.parent_block(o) == start && (!before || is_unique(before));
    if (!in_place) in_.move_before(in_.first_op(start), o);
    mark(o);
    return false;
  }

 private:
  struct key {
    region home;
    attribute held;
    type of;
    friend bool operator==(key const&, key const&) = default;
  };
  struct key_hash {
    std::size_t operator()(key const& k) const {
      hasher h;
      h.add(k.home.id);
      h.add(k.held.id);
      h.add(k.of.id);
      return static_cast<std::size_t>(h.value());
    }
  };

  /// Cached by block, since constants of one block have one home. O(depth) for the first in a block.
  region insertion_region(block b) {
    if (!b) return {};
    if (auto const at = homes_.find(b); at != homes_.end()) return at->second;
    std::vector<block> path;
    region found;
    for (block at = b; !found;) {
      if (auto const known = homes_.find(at); known != homes_.end()) {
        found = known->second;
        break;
      }
      path.push_back(at);
      op const around = in_.parent_op(at);
      bool const ends_here = !around || !in_.info(around) || in_.has_trait(around, op_trait::isolated) ||
                             !in_.parent_block(around);
      if (ends_here)
        found = in_.parent_region(at);
      else
        at = in_.parent_block(around);
    }
    for (block const passed : path) homes_.emplace(passed, found);
    return found;
  }
  bool is_unique(op o) const { return o.id < unique_.size() && unique_[o.id]; }
  void mark(op o) {
    if (unique_.size() <= o.id) unique_.resize(in_.op_capacity(), false);
    unique_[o.id] = true;
  }

  program& in_;
  std::unordered_map<key, op, key_hash> known_;
  std::unordered_map<block, region> homes_;
  std::vector<bool> unique_;
};

/// Makes equal constants inside an op one. O(size of the op).
inline void unite_constants(program& in, op root) {
  constant_uniquer constants(in);
  walk(in, root, [&](op o) { return constants.visit(o) ? walk_step::skip : walk_step::advance; });
}

}  // namespace mpmd::ir
