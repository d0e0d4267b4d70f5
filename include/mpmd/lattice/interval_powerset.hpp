#pragma once

#include <mpmd/lattice/lattice.hpp>
#include <mpmd/support/inline_vector.hpp>

#include <algorithm>
#include <cassert>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace mpmd {

/// A set of integers kept as intervals, or all of them, which is more than any finite set: `finite_set_or_all` for sets
/// that are mostly ranges, such as the devices of a loop. `{0, ..., 65535}` takes as much room as `{0}`.
template <std::signed_integral T = std::int64_t>
class interval_set_or_all {
 public:
  /// Both ends belong to it.
  struct interval {
    T first;
    T last;
    friend constexpr auto operator<=>(interval const&, interval const&) = default;
  };

  constexpr interval_set_or_all() = default;
  /// `first` to `last`, both included; empty when `last` is less.
  constexpr interval_set_or_all(T first, T last) {
    if (first <= last) parts_.push_back({first, last});
  }
  static constexpr interval_set_or_all all() {
    interval_set_or_all set;
    set.all_ = true;
    return set;
  }
  static constexpr interval_set_or_all one(T value) { return {value, value}; }

  constexpr bool is_all() const noexcept { return all_; }
  constexpr bool empty() const noexcept { return !all_ && parts_.empty(); }
  /// O(log intervals).
  constexpr bool contains(T value) const {
    if (all_) return true;
    auto const after = std::upper_bound(parts_.begin(), parts_.end(), value,
                                        [](T v, interval const& i) { return v < i.first; });
    return after != parts_.begin() && value <= (after - 1)->last;
  }
  /// Ascending, neither overlapping nor adjacent; of a set that is not all.
  constexpr std::span<interval const> intervals() const noexcept {
    assert(!all_);
    return {parts_.begin(), parts_.size()};
  }
  /// How many members a set has that is not all, at most the largest number there is.
  constexpr std::uint64_t size() const noexcept {
    std::uint64_t n = 0;
    for (interval const& i : intervals()) {
      auto const more = static_cast<std::uint64_t>(i.last) - static_cast<std::uint64_t>(i.first);
      n = more >= ~std::uint64_t{0} - n ? ~std::uint64_t{0} : n + more + 1;
    }
    return n;
  }
  /// The members in ascending order, of a set that is not all.
  constexpr std::vector<T> members() const {
    std::vector<T> all;
    for (interval const& i : intervals())
      for (T v = i.first;; ++v) {
        all.push_back(v);
        if (v == i.last) break;
      }
    return all;
  }

  /// Adds an interval; says whether anything was new. O(log intervals) plus a move of those behind it.
  constexpr bool insert(interval added) {
    if (all_ || added.last < added.first) return false;
    // Members mostly come in ascending order.
    if (parts_.empty() || (parts_.back().last < added.first && parts_.back().last != added.first - 1)) {
      parts_.push_back(added);
      return true;
    }
    // The first interval that is not wholly before the new one with a gap between.
    auto const from = std::lower_bound(parts_.begin(), parts_.end(), added.first,
                                       [](interval const& i, T v) { return i.last < v && i.last != v - 1; });
    if (from != parts_.end() && from->first <= added.first && added.last <= from->last) return false;
    auto to = from;
    for (; to != parts_.end() && (to->first <= added.last || to->first - 1 == added.last); ++to) {
      added.first = std::min(added.first, to->first);
      added.last = std::max(added.last, to->last);
    }
    if (from == to) {
      parts_.insert(from, added);
    } else {
      *from = added;
      parts_.erase(from + 1, to);
    }
    return true;
  }
  /// Adds the members of `other`; says whether any was new. Linear in both, or O(log) for each interval of `other` when
  /// those are few.
  constexpr bool unite(interval_set_or_all const& other) {
    if (all_) return false;
    if (other.all_) {
      *this = all();
      return true;
    }
    if (other.parts_.size() == 1) return insert(other.parts_.back());
    if (parts_.empty()) {
      parts_ = other.parts_;
      return !parts_.empty();
    }
    if (other.parts_.size() <= 4) {
      bool grew = false;
      for (interval const& i : other.parts_) grew |= insert(i);
      return grew;
    }
    list both;
    both.reserve(parts_.size() + other.parts_.size());
    auto a = parts_.begin();
    auto b = other.parts_.begin();
    while (a != parts_.end() || b != other.parts_.end()) {
      bool const mine = b == other.parts_.end() || (a != parts_.end() && a->first <= b->first);
      interval const next = mine ? *a++ : *b++;
      if (!both.empty() && (next.first <= both.back().last || next.first - 1 == both.back().last))
        both.back().last = std::max(both.back().last, next.last);
      else
        both.push_back(next);
    }
    if (both == parts_) return false;
    parts_ = std::move(both);
    return true;
  }
  /// Keeps what is also in `other`; says whether anything went. Linear in both.
  constexpr bool retain(interval_set_or_all const& other) {
    if (other.all_) return false;
    if (all_) {
      *this = other;
      return true;
    }
    list both;
    auto a = parts_.begin();
    auto b = other.parts_.begin();
    while (a != parts_.end() && b != other.parts_.end()) {
      interval const common{std::max(a->first, b->first), std::min(a->last, b->last)};
      if (common.first <= common.last) both.push_back(common);
      if (a->last < b->last)
        ++a;
      else
        ++b;
    }
    if (both == parts_) return false;
    parts_ = std::move(both);
    return true;
  }

  /// Any total order: all first, then by the intervals.
  friend constexpr auto operator<=>(interval_set_or_all const& a, interval_set_or_all const& b) {
    if (a.all_ != b.all_) return a.all_ ? std::strong_ordering::less : std::strong_ordering::greater;
    return std::lexicographical_compare_three_way(a.parts_.begin(), a.parts_.end(), b.parts_.begin(), b.parts_.end());
  }
  friend constexpr bool operator==(interval_set_or_all const&, interval_set_or_all const&) = default;

 private:
  using list = inline_vector<interval, 1>;
  list parts_;  // empty when all
  bool all_ = false;
};

/// The lattice `powerset` over integers, with elements kept as intervals: join is union, meet is intersection, and "all"
/// absorbs every union. Its height is not finite, as that of `powerset`.
template <std::signed_integral T = std::int64_t>
class interval_powerset {
 public:
  using element = interval_set_or_all<T>;
  static constexpr bool finite_height = false;

  constexpr element bottom() const { return {}; }
  constexpr element top() const { return element::all(); }
  constexpr change join(element& into, const element& from) const { return changed_if(into.unite(from)); }
  constexpr change meet(element& into, const element& from) const { return changed_if(into.retain(from)); }
};

}  // namespace mpmd
