#pragma once

#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace mpmd::detail {

/// A set of numbers below a bound which finds the next member in either direction: a bit for each number,
/// over that a bit for each word with a member, and so on. Each operation costs at most a word per level, of
/// which there are log64(bound): three for 10^5 numbers.
class rank_set {
 public:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  /// All numbers below `bound`.
  constexpr void fill(std::size_t bound) {
    depth_ = 0;
    do {
      const auto words = (bound + 63) / 64;
      if (levels_.size() == depth_) levels_.emplace_back();
      auto& level = levels_[depth_++];
      level.assign(words, ~std::uint64_t{0});
      if (bound % 64 != 0) level.back() = (std::uint64_t{1} << bound % 64) - 1;
      bound = words;
    } while (bound > 1);
  }

  constexpr void insert(std::size_t i) {
    for (std::size_t level = 0; level < depth_; ++level, i /= 64) {
      auto& word = levels_[level][i / 64];
      const bool was_empty = word == 0;
      word |= std::uint64_t{1} << i % 64;
      if (!was_empty) return;
    }
  }

  constexpr void erase(std::size_t i) {
    for (std::size_t level = 0; level < depth_; ++level, i /= 64) {
      auto& word = levels_[level][i / 64];
      word &= ~(std::uint64_t{1} << i % 64);
      if (word != 0) return;
    }
  }

  /// The least member that is at least `i`, or `none`.
  constexpr std::size_t next(std::size_t i) const {
    for (std::size_t level = 0; level < depth_ && i / 64 < levels_[level].size(); ++level) {
      const auto word = levels_[level][i / 64] & (~std::uint64_t{0} << i % 64);
      if (word != 0) return descend(level, i / 64 * 64 + bits(std::countr_zero(word)), true);
      i = i / 64 + 1;
    }
    return none;
  }

  /// The greatest member that is at most `i`, or `none`.
  constexpr std::size_t previous(std::size_t i) const {
    for (std::size_t level = 0; level < depth_; ++level) {
      const auto word = levels_[level][i / 64] & (~std::uint64_t{0} >> (63 - i % 64));
      if (word != 0) return descend(level, i / 64 * 64 + 63 - bits(std::countl_zero(word)), false);
      if (i / 64 == 0) return none;
      i = i / 64 - 1;
    }
    return none;
  }

 private:
  static constexpr std::size_t bits(int count) { return static_cast<std::size_t>(count); }

  // From a bit of an upper level to the least or greatest member below it.
  constexpr std::size_t descend(std::size_t level, std::size_t i, bool least) const {
    while (level-- > 0) {
      const auto word = levels_[level][i];
      assert(word != 0);
      i = i * 64 + (least ? bits(std::countr_zero(word)) : 63 - bits(std::countl_zero(word)));
    }
    return i;
  }

  std::vector<std::vector<std::uint64_t>> levels_;  // kept between fills
  std::size_t depth_ = 0;
};

}  // namespace mpmd::detail
