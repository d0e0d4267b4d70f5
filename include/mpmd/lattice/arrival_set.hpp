#pragma once

#include <mpmd/support/hash.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <utility>
#include <vector>

namespace mpmd {

/// A set that remembers the order in which its members arrived, for what is printed. As elements of a lattice
/// two such sets are equal when they have the same members, whatever the order; `identical` compares the
/// order too.
///
/// Meant for a handful of members: membership is linear. A union of large sets is O((n + m) log n) all the
/// same.
template <std::totally_ordered T>
class arrival_set {
 public:
  using value_type = T;
  using const_iterator = typename std::vector<T>::const_iterator;

  constexpr arrival_set() = default;
  constexpr arrival_set(std::initializer_list<T> members) {
    unite(std::span(members.begin(), members.size()));
  }
  constexpr explicit arrival_set(std::span<const T> members) { unite(members); }

  /// The members in order of arrival.
  constexpr const_iterator begin() const noexcept { return members_.begin(); }
  constexpr const_iterator end() const noexcept { return members_.end(); }
  constexpr std::size_t size() const noexcept { return members_.size(); }
  constexpr bool empty() const noexcept { return members_.empty(); }
  constexpr bool contains(const T& value) const { return std::find(begin(), end(), value) != end(); }

  /// Adds a member at the end; says whether it was absent.
  constexpr bool insert(T value) {
    if (contains(value)) return false;
    members_.push_back(std::move(value));
    return true;
  }

  /// Adds at the end what is new of `added`, in its order; says whether anything was.
  constexpr bool unite(std::span<const T> added) {
    const auto before = size();
    if (added.size() * (before + added.size()) <= few)
      for (const auto& value : added) insert(value);
    else
      add_many(added);
    return size() != before;
  }
  constexpr bool unite(const arrival_set& other) {
    return &other != this && unite(std::span(other.members_));
  }

  constexpr void clear() noexcept { members_.clear(); }

  /// The same members in ascending order.
  constexpr arrival_set sorted() const {
    auto result = *this;
    std::sort(result.members_.begin(), result.members_.end());
    return result;
  }
  /// A hash that is the same for equal sets, whatever their order.
  constexpr std::uint64_t unordered_digest() const
    requires std::integral<T>
  {
    std::uint64_t sum = members_.size();
    for (const auto& value : members_) sum += hash_of(static_cast<std::uint64_t>(value));
    return sum;
  }

  friend constexpr bool operator==(const arrival_set& a, const arrival_set& b) {
    return a.size() == b.size() && (a.identical(b) || a.sorted().identical(b.sorted()));
  }
  constexpr bool identical(const arrival_set& other) const { return members_ == other.members_; }

 private:
  static constexpr std::size_t few = 256;  // comparisons up to which scanning beats sorting

  constexpr void add_many(std::span<const T> added) {
    const auto known = sorted();
    std::vector<std::size_t> order, fresh;  // places in `added`
    for (std::size_t i = 0; i < added.size(); ++i) order.push_back(i);
    std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
      return added[i] < added[j] || (added[i] == added[j] && i < j);
    });
    for (std::size_t i = 0; i < order.size(); ++i) {
      const auto& value = added[order[i]];
      const bool repeats = i > 0 && added[order[i - 1]] == value;
      if (!repeats && !std::binary_search(known.begin(), known.end(), value)) fresh.push_back(order[i]);
    }
    std::sort(fresh.begin(), fresh.end());
    for (auto i : fresh) members_.push_back(added[i]);
  }

  std::vector<T> members_;
};

}  // namespace mpmd
