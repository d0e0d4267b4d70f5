#pragma once
/// Canonicalisation: unused pure ops go, equal constants become one at the start of their function or
/// fragment, and ops are rewritten to their canonical forms until nothing changes. It does what MLIR's
/// `-canonicalize` does to programs of mpmd, in its order, so that the results read alike.

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include <mpmd/ir/program.hpp>
#include <mpmd/ir/rewriter.hpp>
#include <mpmd/ir/rewrites.hpp>
#include <mpmd/ir/simplify_regions.hpp>
#include <mpmd/ir/walk.hpp>
#include <mpmd/support/hash.hpp>

namespace mpmd::ir {

struct canonicalize_options {
  bool simplify_regions = true;  ///< remove unreachable blocks
};

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

/// Canonicalises an op and everything in it with these rewrites, each a `bool(rewriter&, op)`; those that
/// come first have precedence. Near-linear in the size of the op for the rewrites of this library. The order
/// of work, and so the result, depends on the program alone.
template <class... Rewrites>
void canonicalize_with(program& in, op root, canonicalize_options const& options,
                       Rewrites const&... rewrites) {
  if (options.simplify_regions) erase_unreachable_blocks(in, root);
  constant_uniquer constants(in);
  std::vector<op> order;
  walk(in, root, [&](op o) {
    if (constants.visit(o)) return walk_step::skip;
    if (o != root) order.push_back(o);
    return walk_step::advance;
  });
  rewriter r(in, root);
  for (std::size_t i = order.size(); i-- > 0;) r.revisit(order[i]);
  r.run(rewrites...);
}

/// Canonicalises with all rewrites this library has.
inline void canonicalize(program& in, op root, canonicalize_options const& options = {}) {
  canonicalize_with(in, root, options, rewrite_mpmd, rewrite_sdy);
}
inline void canonicalize(program& in, canonicalize_options const& options = {}) {
  canonicalize(in, in.root(), options);
}

}  // namespace mpmd::ir
