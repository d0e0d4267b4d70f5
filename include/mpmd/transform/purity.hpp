#pragma once
/// Which ops have no effects besides their results.

#include <cstddef>
#include <vector>

#include <mpmd/graph/structured_program.hpp>
#include <mpmd/transform/op_marks.hpp>

namespace mpmd {

/// is_pure of ops, where the program is a structured_program with each region looked into once: for who asks about ops that
/// nest. Erasing ops keeps the answers safe: an op that was not pure may have become so.
template <mutable_mpmd_program P>
class purity {
 public:
  bool operator()(P const& p, op_t<P> o) {
    if constexpr (structured_program<P>) {
      own_effects const own = ir_traits<P>::effects_of(p, o);
      if (own != own_effects::of_regions) return own == own_effects::none;
      if (!known_.contains(p, o)) look_into(p, o);
      return pure_.contains(p, o);
    } else {
      return ir_traits<P>::is_pure(p, o);
    }
  }
  /// An op is about to be erased, and its handle may come back as that of another.
  void forget(P const& p, op_t<P> o) {
    if (known_.erase(p, o)) pure_.erase(p, o);
  }

 private:
  void look_into(P const& p, op_t<P> root) {
    struct entry {
      op_t<P> o;
      std::size_t around;
      bool pure;
    };
    std::vector<entry> all{{root, 0, true}};  // an op before those inside it
    for (std::size_t i = 0; i < all.size(); ++i)
      for (auto&& inner : mpmd::body(p, all[i].o)) {
        own_effects const own = ir_traits<P>::effects_of(p, inner);
        if (own == own_effects::none) continue;
        if (own == own_effects::unknown)
          all[i].pure = false;
        else if (!known_.contains(p, inner))
          all.push_back({inner, i, true});
        else if (!pure_.contains(p, inner))
          all[i].pure = false;
      }
    for (std::size_t i = all.size(); i-- > 0;) {
      known_.insert(p, all[i].o);
      if (all[i].pure)
        pure_.insert(p, all[i].o);
      else
        all[all[i].around].pure = false;
    }
  }

  op_marks<P> known_;  // only ops whose effects are those of their regions
  op_marks<P> pure_;
};

}  // namespace mpmd
