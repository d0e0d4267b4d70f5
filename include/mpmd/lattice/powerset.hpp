#pragma once

#include <mpmd/lattice/lattice.hpp>

#include <algorithm>
#include <cassert>
#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <utility>
#include <vector>

namespace mpmd {

/// A finite set of `T`, or all of `T`, which is more than any finite set even where `T` has few values:
/// "every device" is not the devices that a program happens to name. Finite sets are kept sorted.
template <std::totally_ordered T>
class finite_set_or_all {
 public:
  constexpr finite_set_or_all() = default;
  constexpr finite_set_or_all(std::initializer_list<T> members) : members_(members) {
    std::sort(members_.begin(), members_.end());
    members_.erase(std::unique(members_.begin(), members_.end()), members_.end());
  }

  static constexpr finite_set_or_all all() {
    finite_set_or_all set;
    set.all_ = true;
    return set;
  }

  constexpr bool is_all() const noexcept { return all_; }
  constexpr bool empty() const noexcept { return !all_ && members_.empty(); }
  constexpr bool contains(const T& value) const {
    return all_ || std::binary_search(members_.begin(), members_.end(), value);
  }

  /// The members in ascending order, of a set that is not all.
  constexpr const std::vector<T>& members() const noexcept {
    assert(!all_);
    return members_;
  }

  /// Adds one member; says whether it was absent. Linear.
  constexpr bool insert(T value) {
    if (all_) return false;
    const auto place = std::lower_bound(members_.begin(), members_.end(), value);
    if (place != members_.end() && *place == value) return false;
    members_.insert(place, std::move(value));
    return true;
  }

  /// Adds the members of `other`; says whether any of them was new. Linear in both.
  constexpr bool unite(const finite_set_or_all& other) {
    if (all_) return false;
    if (other.all_) {
      *this = all();
      return true;
    }
    if (std::includes(members_.begin(), members_.end(), other.members_.begin(), other.members_.end()))
      return false;
    std::vector<T> both;
    both.reserve(members_.size() + other.members_.size());
    std::set_union(members_.begin(), members_.end(), other.members_.begin(), other.members_.end(),
                   std::back_inserter(both));
    members_ = std::move(both);
    return true;
  }

  /// Keeps what is also in `other`; says whether anything went. Linear in both.
  constexpr bool retain(const finite_set_or_all& other) {
    if (other.all_) return false;
    if (all_) {
      *this = other;
      return true;
    }
    std::vector<T> both;
    std::set_intersection(members_.begin(), members_.end(), other.members_.begin(), other.members_.end(),
                          std::back_inserter(both));
    if (both.size() == members_.size()) return false;
    members_ = std::move(both);
    return true;
  }

  friend bool operator==(const finite_set_or_all&, const finite_set_or_all&) = default;

 private:
  std::vector<T> members_;  // empty when all
  bool all_ = false;
};

/// The finite sets of `T` and all of it, ordered by inclusion, over a universe that need not be known: join
/// is union, meet is intersection, and "all" absorbs every union. Its height is not finite; a program that
/// names finitely many values still has only finite chains unless a transfer function makes up new ones.
template <std::totally_ordered T>
class powerset {
 public:
  using element = finite_set_or_all<T>;
  static constexpr bool finite_height = false;

  constexpr element bottom() const { return {}; }
  constexpr element top() const { return element::all(); }
  constexpr change join(element& into, const element& from) const { return changed_if(into.unite(from)); }
  constexpr change meet(element& into, const element& from) const { return changed_if(into.retain(from)); }
};

}  // namespace mpmd
