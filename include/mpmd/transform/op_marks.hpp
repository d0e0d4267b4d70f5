#pragma once
/// Sets of ops.

#include <cstddef>
#include <type_traits>
#include <unordered_set>
#include <vector>

#include <mpmd/graph/structured_program.hpp>

namespace mpmd {

/// A set of ops: an array of bits where the program has numbers for its ops, a hash table where it has none. Whoever
/// erases an op takes it out first, since another may get its handle. Expected O(1) a call.
template <ssa_program P>
class op_marks {
 public:
  /// Whether the op was not in it.
  bool insert(P const& p, op_t<P> o) {
    if constexpr (has_op_index<P>) {
      std::size_t const i = ir_traits<P>::op_index(p, o);
      if (i >= marks_.size()) marks_.resize(ir_traits<P>::op_index_bound(p), false);
      if (marks_[i]) return false;
      marks_[i] = true;
      return true;
    } else {
      return marks_.insert(o).second;
    }
  }
  /// Whether the op was in it.
  bool erase(P const& p, op_t<P> o) {
    if constexpr (has_op_index<P>) {
      std::size_t const i = ir_traits<P>::op_index(p, o);
      bool const there = i < marks_.size() && marks_[i];
      if (there) marks_[i] = false;
      return there;
    } else {
      return marks_.erase(o) != 0;
    }
  }
  bool contains(P const& p, op_t<P> o) const {
    if constexpr (has_op_index<P>) {
      std::size_t const i = ir_traits<P>::op_index(p, o);
      return i < marks_.size() && marks_[i];
    } else {
      return marks_.contains(o);
    }
  }

 private:
  std::conditional_t<has_op_index<P>, std::vector<bool>, std::unordered_set<op_t<P>>> marks_;
};

}  // namespace mpmd
