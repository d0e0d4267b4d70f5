#pragma once
/// Natural numbers of any size: just enough arithmetic to write binary floating point numbers exactly, and
/// integers of more than 64 bits.

#include <algorithm>
#include <bit>
#include <cassert>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mpmd::text::mlir::detail {

class natural {
 public:
  natural() = default;
  explicit natural(std::uint64_t value) : natural(0, value) {}
  natural(std::uint64_t high, std::uint64_t low) {
    for (std::uint64_t word : {low, high})
      for (unsigned shift : {0u, 32u}) limbs_.push_back(static_cast<std::uint32_t>(word >> shift));
    trim();
  }

  bool is_zero() const { return limbs_.empty(); }
  std::size_t bit_length() const {
    return limbs_.empty() ? 0
                          : limbs_.size() * 32 - static_cast<std::size_t>(std::countl_zero(limbs_.back()));
  }
  bool bit(std::size_t i) const { return i / 32 < limbs_.size() && ((limbs_[i / 32] >> i % 32) & 1) != 0; }

  /// this * factor + addend. O(size).
  void multiply_add(std::uint32_t factor, std::uint32_t addend) {
    std::uint64_t carry = addend;
    for (auto& limb : limbs_) {
      carry += std::uint64_t{limb} * factor;
      limb = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    if (carry != 0) limbs_.push_back(static_cast<std::uint32_t>(carry));
    trim();
  }
  void multiply_by_power_of_5(std::size_t exponent) {
    for (; exponent >= 13; exponent -= 13) multiply_add(1220703125u, 0);
    for (; exponent > 0; --exponent) multiply_add(5, 0);
  }
  void shift_left(std::size_t bits) {
    if (limbs_.empty()) return;
    if (bits % 32 != 0) multiply_add(1u << bits % 32, 0);
    limbs_.insert(limbs_.begin(), bits / 32, 0u);
  }
  /// Divides by `divisor` and returns the remainder.
  std::uint32_t divide(std::uint32_t divisor) {
    std::uint64_t rest = 0;
    for (std::size_t i = limbs_.size(); i-- > 0;) {
      rest = rest << 32 | limbs_[i];
      limbs_[i] = static_cast<std::uint32_t>(rest / divisor);
      rest %= divisor;
    }
    trim();
    return static_cast<std::uint32_t>(rest);
  }

  /// "0" for zero. O(size^2).
  std::string to_decimal() const {
    natural rest = *this;
    std::string reversed;
    do {
      std::uint32_t group = rest.divide(1000000000u);
      for (int i = 0; i < 9; ++i, group /= 10) reversed += static_cast<char>('0' + group % 10);
    } while (!rest.is_zero());
    while (reversed.size() > 1 && reversed.back() == '0') reversed.pop_back();
    std::reverse(reversed.begin(), reversed.end());
    return reversed;
  }
  /// O(size^2).
  static natural from_decimal(std::string_view digits) {
    natural made;
    for (char c : digits) made.multiply_add(10, static_cast<std::uint32_t>(c - '0'));
    return made;
  }
  static natural from_bytes(std::string_view little_endian) {
    natural made;
    made.limbs_.assign((little_endian.size() + 3) / 4, 0u);
    for (std::size_t i = 0; i < little_endian.size(); ++i)
      made.limbs_[i / 4] |= std::uint32_t{static_cast<unsigned char>(little_endian[i])} << i % 4 * 8;
    made.trim();
    return made;
  }
  /// The low `count` bytes, little endian.
  std::string to_bytes(std::size_t count) const {
    std::string made(count, '\0');
    for (std::size_t i = 0; i < count && i / 4 < limbs_.size(); ++i)
      made[i] = static_cast<char>(static_cast<unsigned char>(limbs_[i / 4] >> i % 4 * 8));
    return made;
  }

  friend std::strong_ordering operator<=>(natural const& a, natural const& b) {
    if (a.limbs_.size() != b.limbs_.size()) return a.limbs_.size() <=> b.limbs_.size();
    for (std::size_t i = a.limbs_.size(); i-- > 0;)
      if (a.limbs_[i] != b.limbs_[i]) return a.limbs_[i] <=> b.limbs_[i];
    return std::strong_ordering::equal;
  }
  friend bool operator==(natural const&, natural const&) = default;

 private:
  void trim() {
    while (!limbs_.empty() && limbs_.back() == 0) limbs_.pop_back();
  }
  std::vector<std::uint32_t> limbs_;  // least significant first, no zeros on top
};

}  // namespace mpmd::text::mlir::detail
