#pragma once
/// The binary floating point formats of MLIR's builtin types, and conversion between them and double. Bit
/// patterns are up to 128 bits wide; NaN payloads are kept.

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <string_view>

namespace mpmd {

/// What a format does with the encodings that IEEE 754 gives to infinities and NaNs.
enum class special_values : std::uint8_t {
  ieee,            ///< infinities and NaNs
  all_ones_nan,    ///< no infinity; NaN is the pattern of all ones (the "FN" formats)
  minus_zero_nan,  ///< no infinity; NaN is what would be -0 (the "FNUZ" formats)
  none,            ///< finite numbers only
};

struct float_format {
  std::string_view keyword;
  unsigned width;      ///< bits of an encoding
  unsigned precision;  ///< bits of a significand, the leading one included
  int bias;
  special_values special = special_values::ieee;
  bool explicit_one = false;  ///< the leading one of the significand is stored (f80)

  constexpr unsigned stored() const { return explicit_one ? precision : precision - 1; }
  constexpr unsigned exponent_bits() const { return width - 1 - stored(); }
  /// Exponent of the last place of the smallest numbers.
  constexpr int lowest() const { return 2 - bias - static_cast<int>(precision); }
};

inline constexpr auto float_formats = std::to_array<float_format>({
    {"f32", 32, 24, 127},
    {"bf16", 16, 8, 127},
    {"f16", 16, 11, 15},
    {"f64", 64, 53, 1023},
    {"tf32", 19, 11, 127},
    {"f80", 80, 64, 16383, special_values::ieee, true},
    {"f128", 128, 113, 16383},
    {"f8E5M2", 8, 3, 15},
    {"f8E4M3", 8, 4, 7},
    {"f8E3M4", 8, 5, 3},
    {"f8E4M3FN", 8, 4, 7, special_values::all_ones_nan},
    {"f8E5M2FNUZ", 8, 3, 16, special_values::minus_zero_nan},
    {"f8E4M3FNUZ", 8, 4, 8, special_values::minus_zero_nan},
    {"f8E4M3B11FNUZ", 8, 4, 11, special_values::minus_zero_nan},
    {"f6E2M3FN", 6, 4, 1, special_values::none},
    {"f6E3M2FN", 6, 3, 3, special_values::none},
    {"f4E2M1FN", 4, 2, 1, special_values::none},
});

/// The format of a float type's keyword, or null. `f8E8M0FNU`, which has neither sign nor zero, is not among
/// them.
constexpr float_format const* find_float_format(std::string_view keyword) {
  for (auto const& f : float_formats)
    if (f.keyword == keyword) return &f;
  return nullptr;
}

/// An encoding, or any other number of up to 128 bits.
struct bits128 {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  friend constexpr bool operator==(bits128, bits128) = default;

  constexpr bits128 operator<<(unsigned n) const {
    if (n == 0) return *this;
    if (n >= 64) return {0, n < 128 ? low << (n - 64) : 0};
    return {low << n, high << n | low >> (64 - n)};
  }
  constexpr bits128 operator>>(unsigned n) const {
    if (n == 0) return *this;
    if (n >= 64) return {n < 128 ? high >> (n - 64) : 0, 0};
    return {low >> n | high << (64 - n), high >> n};
  }
  constexpr bits128 operator|(bits128 b) const { return {low | b.low, high | b.high}; }
  constexpr bits128 operator&(bits128 b) const { return {low & b.low, high & b.high}; }
  /// The lowest n bits set.
  static constexpr bits128 ones(unsigned n) {
    constexpr std::uint64_t all = ~std::uint64_t{0};
    return {n >= 64 ? all : (std::uint64_t{1} << n) - 1, n >= 128 ? all
                                                         : n > 64 ? (std::uint64_t{1} << (n - 64)) - 1
                                                                  : 0};
  }
};

/// What an encoding stands for: for a finite number, significand * 2^exponent.
struct float_parts {
  enum class kind : std::uint8_t { finite, infinite, nan };
  kind what = kind::finite;
  bool negative = false;
  bits128 significand = {};
  int exponent = 0;
};

constexpr float_parts decode_float(float_format const& f, bits128 bits) {
  float_parts made;
  made.negative = (bits >> (f.width - 1)).low & 1;
  auto const stored = bits & bits128::ones(f.stored());
  auto const biased = static_cast<int>(((bits >> f.stored()) & bits128::ones(f.exponent_bits())).low);
  int const top = static_cast<int>(bits128::ones(f.exponent_bits()).low);
  bits128 const magnitude = bits & bits128::ones(f.width - 1);
  switch (f.special) {
    case special_values::ieee:
      if (biased == top) {
        bool const infinite = (stored & bits128::ones(f.precision - 1)) == bits128{};
        made.what = infinite ? float_parts::kind::infinite : float_parts::kind::nan;
        return made;
      }
      break;
    case special_values::all_ones_nan:
      if (magnitude == bits128::ones(f.width - 1)) return made.what = float_parts::kind::nan, made;
      break;
    case special_values::minus_zero_nan:
      if (made.negative && magnitude == bits128{}) return made.what = float_parts::kind::nan, made;
      break;
    case special_values::none: break;
  }
  bool const one = biased != 0 && !f.explicit_one;
  made.significand = one ? stored | bits128{1, 0} << (f.precision - 1) : stored;
  made.exponent = f.lowest() + (biased == 0 ? 0 : biased - 1);
  return made;
}

/// The encoding nearest to a double, ties to even; what is too large becomes infinity, NaN, or the largest
/// number, as the format has them.
constexpr bits128 encode_float(float_format const& f, double value) {
  auto const raw = std::bit_cast<std::uint64_t>(value);
  bool const negative = raw >> 63 != 0;
  bits128 const sign = bits128{negative ? 1u : 0u, 0} << (f.width - 1);
  bits128 const top = bits128::ones(f.exponent_bits()) << f.stored();
  bits128 const one = f.explicit_one ? bits128{1, 0} << (f.precision - 1) : bits128{};
  bits128 const infinity = sign | top | one;
  bits128 const nan = f.special == special_values::ieee ? infinity | bits128{1, 0} << (f.precision - 2)
                      : f.special == special_values::all_ones_nan ? sign | bits128::ones(f.width - 1)
                                                                  : bits128{1, 0} << (f.width - 1);
  bits128 largest = sign | bits128::ones(f.width - 1);
  if (f.special == special_values::all_ones_nan) largest.low -= 1;
  bits128 const too_large = f.special == special_values::ieee   ? infinity
                            : f.special == special_values::none ? largest
                                                                : nan;
  auto const fraction = raw & ((std::uint64_t{1} << 52) - 1);
  int const biased = static_cast<int>(raw >> 52 & 0x7FF);
  if (biased == 0x7FF) return fraction == 0 ? too_large : f.special == special_values::none ? largest : nan;
  std::uint64_t significand = biased == 0 ? fraction : fraction | std::uint64_t{1} << 52;
  int exponent = (biased == 0 ? 1 : biased) - 1075;
  if (significand == 0) return f.special == special_values::minus_zero_nan ? bits128{} : sign;
  int const length = static_cast<int>(std::bit_width(significand));
  // Where the last place of the result lies: `precision` bits below the leading one, but no lower than
  // `lowest`.
  int const last = std::max(exponent + length - static_cast<int>(f.precision), f.lowest());
  bits128 rounded{significand, 0};
  if (last <= exponent) {
    rounded = rounded << static_cast<unsigned>(exponent - last);
  } else {
    int const drop = last - exponent;
    if (drop > 63) {
      rounded = {};
    } else {
      std::uint64_t const rest = significand & ((std::uint64_t{1} << drop) - 1);
      std::uint64_t const half = std::uint64_t{1} << (drop - 1);
      significand >>= drop;
      if (rest > half || (rest == half && (significand & 1) != 0)) ++significand;
      rounded = {significand, 0};
    }
  }
  exponent = last;
  if (rounded == bits128{1, 0} << f.precision) {
    rounded = rounded >> 1;
    ++exponent;
  }
  if (rounded == bits128{} && f.special == special_values::minus_zero_nan) return {};
  bool const normal = (rounded >> (f.precision - 1)).low != 0;
  auto const field = static_cast<std::uint64_t>(normal ? exponent - f.lowest() + 1 : 0);
  bits128 const magnitude =
      bits128{field, 0} << f.stored() | (f.explicit_one ? rounded : rounded & bits128::ones(f.precision - 1));
  // Larger than every finite number?
  std::uint64_t const most = bits128::ones(f.exponent_bits()).low;
  bool const over = field > most || (f.special == special_values::ieee && field == most) ||
                    (f.special == special_values::all_ones_nan && magnitude == bits128::ones(f.width - 1));
  return over ? too_large : sign | magnitude;
}

}  // namespace mpmd
