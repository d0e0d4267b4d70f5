#pragma once
/// The order of the operands of a fragment that others are merged into.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <ranges>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <mpmd/graph/mutable_program.hpp>

namespace mpmd {

/// Where the operands of a fragment stand which grows by merges, as merge_fragments() orders them: those of the producer,
/// then those of the consumer, each once; control operands behind all that the body sees. `is_outside(value)` says of an
/// operand that no fragment of the merge makes it. O(operands) for what is added.
template <mutable_mpmd_program P>
class merged_operand_order {
 public:
  using op = op_t<P>;
  using value = value_t<P>;
  using rank = std::int64_t;  ///< rises with the place; gaps mean nothing

  rank rank_of(value v) const { return rank_.at(v); }
  /// How many the body sees.
  std::size_t seen() const { return seen_.size(); }
  /// A member makes that operand by now.
  void forget(value v) { seen_.erase(v); }

  /// The fragment or first member, or a consumer behind those before.
  template <class IsOutside>
  void add_behind(P const& p, op o, IsOutside is_outside) {
    inputs const all = inputs_of(p, o, is_outside);
    for (value const v : all.seen) append(v);
    append_controls(all.controls);
  }
  /// A producer. If its one result is replaced, its operand comes where that stood.
  template <class IsOutside>
  void add_in_front(P const& p, op o, std::optional<value> replaced, IsOutside is_outside) {
    inputs const all = inputs_of(p, o, is_outside);
    if (!replaced) {
      prepend(all.seen);
    } else {
      if (rank const at = rank_.at(*replaced); at < behind_seen / 2) lower(all.seen[0], at);
      append(all.seen[0]);
    }
    for (std::size_t i = all.controls.size(); i-- > 0;) lower(all.controls[i], behind_seen + --controls_begin_);
  }
  /// A consumer in which the one operand so far comes where the one result so far stood.
  template <class IsOutside>
  void add_around(P const& p, op o, value replaced, IsOutside is_outside) {
    inputs const all = inputs_of(p, o, is_outside);
    std::size_t in_front = 0;
    for (value const v : ir_traits<P>::operands(p, o)) {
      if (v == replaced || in_front == all.seen.size()) break;
      ++in_front;
    }
    auto const middle = all.seen.begin() + static_cast<std::ptrdiff_t>(in_front);
    prepend({all.seen.begin(), middle});
    for (auto at = middle; at != all.seen.end(); ++at) append(*at);
    append_controls(all.controls);
  }

 private:
  static constexpr rank behind_seen = std::numeric_limits<rank>::max() / 2;

  struct inputs {
    std::vector<value> seen, controls;
  };
  template <class IsOutside>
  static inputs inputs_of(P const& p, op o, IsOutside is_outside) {
    inputs all;
    auto const count = static_cast<std::size_t>(std::ranges::distance(ir_traits<P>::arguments(p, o)));
    std::size_t i = 0;
    for (value const v : ir_traits<P>::operands(p, o)) {
      auto& list = i++ < count ? all.seen : all.controls;
      if (is_outside(v)) list.push_back(v);
    }
    return all;
  }
  void lower(value v, rank to) {
    auto const [at, is_new] = rank_.emplace(v, to);
    if (!is_new) at->second = std::min(at->second, to);
  }
  void append(value v) {
    lower(v, end_++);
    seen_.insert(v);
  }
  void prepend(std::vector<value> const& all) {
    for (std::size_t i = all.size(); i-- > 0;) {
      lower(all[i], --begin_);
      seen_.insert(all[i]);
    }
  }
  void append_controls(std::vector<value> const& all) {
    for (value const v : all) lower(v, behind_seen + controls_end_++);
  }

  std::unordered_set<value> seen_;
  std::unordered_map<value, rank> rank_;
  rank begin_ = 0, end_ = 0, controls_begin_ = 0, controls_end_ = 0;
};

}  // namespace mpmd
