#pragma once
/// Equal constants become one.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <unordered_map>
#include <vector>

#include <mpmd/graph/structured_program.hpp>
#include <mpmd/support/hash.hpp>
#include <mpmd/transform/edit.hpp>

namespace mpmd {

namespace detail {

/// Goes through everything in an op in program order.
template <structured_program P>
class constant_uniter {
  using traits = ir_traits<P>;
  using op = op_t<P>;
  using block = block_t<P>;

 public:
  explicit constant_uniter(P& p) : p_(p) {}

  /// Calls `visit` for each op inside `root` that stays, an op before those inside it.
  template <class Visit>
  void run(op root, Visit visit) {
    enter(root, {}, true);
    while (!open_.empty()) {
      place& at = open_.back();
      if (todo_.size() == at.floor) {
        open_.pop_back();
        continue;
      }
      op const o = todo_.back();
      todo_.pop_back();
      if (is_constant(o)) {
        if (unite(o, at)) continue;
      } else {
        at.constants_only = false;
      }
      visit(o);
      if (traits::region_count(p_, o) != 0) enter(o, at.home, traits::is_isolated(p_, o) || traits::is_foreign(p_, o));
    }
  }

 private:
  struct place {
    std::size_t floor;           // todo_ holds the rest of the block above it
    block home;                  // where constants in this block come to stand: at its start
    bool is_home;                // it is this block
    bool constants_only = true;  // before the next op stand none but constants that are as they should be
  };
  struct key {
    block home;
    std::array<std::uint64_t, 3> of;
    friend bool operator==(key const&, key const&) = default;
  };
  struct key_hash {
    std::size_t operator()(key const& k) const {
      hasher h;
      h.add(static_cast<std::uint64_t>(std::hash<block>{}(k.home)));
      for (std::uint64_t const part : k.of) h.add(part);
      return static_cast<std::size_t>(h.value());
    }
  };

  bool is_constant(op o) const {
    if (!traits::is_constant(p_, o) || traits::region_count(p_, o) != 0) return false;
    auto&& results = traits::results(p_, o);
    return std::ranges::distance(results) == 1;
  }
  /// The first block of what is inside comes to lie on top.
  void enter(op o, block home, bool keeps_constants) {
    for (std::size_t i = traits::region_count(p_, o); i-- > 0;) {
      blocks_.clear();
      for (auto&& b : traits::blocks(p_, o, i)) blocks_.push_back(b);
      for (std::size_t k = blocks_.size(); k-- > 0;) {
        block const start = keeps_constants ? blocks_.front() : home;
        std::size_t const floor = todo_.size();
        open_.push_back({floor, start, start == blocks_[k]});
        for (auto&& inner : traits::block_ops(p_, blocks_[k])) todo_.push_back(inner);
        std::reverse(todo_.begin() + static_cast<std::ptrdiff_t>(floor), todo_.end());
      }
    }
  }
  /// Says whether the constant has been replaced by an equal one, and is gone.
  bool unite(op o, place& at) {
    auto const [known, is_new] = known_.emplace(key{at.home, traits::constant_key(p_, o)}, o);
    if (!is_new) {
      replace_uses(p_, result_of(p_, o), result_of(p_, known->second));
      traits::erase(p_, o);
      return true;
    }
    if (at.is_home && at.constants_only) return false;
    for (auto&& first : traits::block_ops(p_, at.home)) {
      traits::move(p_, o, insertion_point<P>::before(first));
      break;
    }
    return false;
  }

  P& p_;
  std::vector<place> open_;
  std::vector<op> todo_;
  std::vector<block> blocks_;  // scratch of enter
  std::unordered_map<key, op, key_hash> known_;
};

}  // namespace detail

/// Makes equal constants inside an op one. The first of them is kept and moved to the start of the nearest region around it
/// that is `root`'s, or belongs to an isolated op or to one that nothing is known of; constants that head such a region
/// already stay as they are, later ones come to stand before them. Then `visit` has been called for each op inside that
/// stays, in the order in which they stood. O(size of the op).
template <structured_program P, class Visit>
void unite_constants(P& p, op_t<P> root, Visit visit) {
  detail::constant_uniter<P>(p).run(root, visit);
}
template <structured_program P>
void unite_constants(P& p, op_t<P> root) {
  unite_constants(p, root, [](op_t<P>) {});
}

}  // namespace mpmd
