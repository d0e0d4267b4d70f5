#pragma once
/// Finds equal ones among numbered things, without a copy of any.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace mpmd {

/// A hash table of numbers. The caller has the things, their hashes, and knows which are equal. Expected O(1) a look.
class index_table {
 public:
  /// For at most so many things.
  explicit index_table(std::size_t most) : slots_(std::bit_ceil(most * 2 + 1)) {}

  /// The number of the thing that `same(number)` is true of, among those added with this hash. If there is none,
  /// `number` is added and returned.
  template <class Same>
  std::uint32_t find_or_add(std::uint64_t hash, std::uint32_t number, Same same) {
    hash *= 0x9E3779B97F4A7C15u;
    auto const mark = static_cast<std::uint32_t>(hash >> 32);
    for (std::size_t at = hash >> 20 & mask();; at = (at + 1) & mask()) {
      slot& s = slots_[at];
      if (s.number == none) {
        s = {mark, number};
        return number;
      }
      if (s.mark == mark && same(s.number)) return s.number;
    }
  }

 private:
  static constexpr std::uint32_t none = 0xFFFFFFFFu;
  struct slot {
    std::uint32_t mark = 0;
    std::uint32_t number = none;
  };
  std::size_t mask() const { return slots_.size() - 1; }
  std::vector<slot> slots_;
};

}  // namespace mpmd
