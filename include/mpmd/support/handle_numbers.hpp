#pragma once
/// Numbers for handles that have none of their own.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>  // std::hash, cheaper than <functional>
#include <vector>

namespace mpmd {

/// Numbers handles 0, 1, 2, ... as they come: a hash table in one array, of 16 bytes a place for handles of 8.
///
/// Hosts make their ops one behind the other, so handles that are near to each other in a program mostly are near in
/// memory, too, and their hash mostly is their address. The table keeps near handles in one line of the cache: a table
/// that scatters all of them costs a cache miss for each.
///
/// `Handle` has a default constructor, `==` and `std::hash`. A look-up is expected O(1).
template <class Handle>
class handle_numbers {
 public:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  /// The number of `h`, which gets the next one if it has none.
  std::uint32_t add(Handle const& h) {
    if (4 * std::size_t{size_} >= 3 * entries_.size()) grow();
    entry& at = entries_[place_of(h)];
    if (at.number == none) at = {h, size_++};
    return at.number;
  }
  /// The number of `h`, or `none`.
  std::uint32_t find(Handle const& h) const { return entries_.empty() ? none : entries_[place_of(h)].number; }

  std::uint32_t size() const { return size_; }

 private:
  struct entry {
    Handle key = {};
    std::uint32_t number = none;
  };

  // Where `h` is, or the free place where it would go. Four places make a line of the cache; handles within 512 bytes
  // of each other share one, spread over it in the order of their addresses, and lines are scattered. The lowest bits
  // of addresses say nothing; of other hashes they may be all there is, so they count for the line.
  std::size_t place_of(Handle const& h) const {
    std::uint64_t const hash = std::hash<Handle>{}(h);
    std::uint64_t const line = ((hash >> 9) ^ (hash << 60)) * 0x9E3779B97F4A7C15u >> (66 - bits_);
    std::size_t const mask = entries_.size() - 1;
    auto place = static_cast<std::size_t>(line << 2 | (hash >> 7 & 3)) & mask;
    while (entries_[place].number != none && !(entries_[place].key == h)) place = (place + 1) & mask;
    return place;
  }
  void grow() {
    std::vector<entry> old(entries_.empty() ? 64 : 2 * entries_.size());
    old.swap(entries_);
    bits_ = static_cast<unsigned>(std::countr_zero(entries_.size()));
    for (entry const& e : old)
      if (e.number != none) entries_[place_of(e.key)] = e;
  }

  std::vector<entry> entries_;  // a power of two of them
  unsigned bits_ = 0;
  std::uint32_t size_ = 0;
};

}  // namespace mpmd
