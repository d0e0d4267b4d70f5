#pragma once
/// The numbers that simulated floating point tensors hold.
///
/// A pass may reassociate a sum or a product, as every pass that makes reductions across meshes does; rounded
/// arithmetic would then tell programs apart that mean the same. So a simulated float is exact: a residue
/// modulo the prime 2^61 - 1. Each finite float is a dyadic rational n * 2^e and has an image there, sums and
/// products of images are images of sums and products, and division is exact as well. Numbers never overflow,
/// and two programs that compute different polynomials of their inputs differ with near certainty (Schwartz,
/// "Fast probabilistic algorithms for verification of polynomial identities", 1980). A function that has no
/// exact value (`exp`, `tanh`) is some fixed pseudo-random function of its argument, except where its value
/// is exact
/// (`exp(0)` is 1): what preserves the computation preserves the result.
///
/// The order is that of the rationals where the residue is the image of n * 2^e with |n| < 2^25 and -45 <= e
/// <= 15 (a power of two above 2^25 may be that of a small one, as 2^61 is 1), and that of the
/// representatives of least magnitude elsewhere. It is total, so max and min associate.

#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>

namespace mpmd::sim::exact {

using word = std::uint64_t;
__extension__ typedef unsigned __int128 wide;
__extension__ typedef __int128 signed_wide;

inline constexpr word prime = (word{1} << 61) - 1;
// Beyond the residues.
inline constexpr word infinity = prime;
inline constexpr word minus_infinity = prime + 1;
inline constexpr word nan = prime + 2;

constexpr bool is_finite(word a) { return a < prime; }

/// A well mixed function of two words; what pseudo-random values and digests are made of.
constexpr word mix(word a, word b) {
  word x = a * 0x9E3779B97F4A7C15u ^ (b + 0x7F4A7C15F39CC060u + (a << 6) + (a >> 2));
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
  x = (x ^ x >> 27) * 0x94D049BB133111EBu;
  return x ^ x >> 31;
}
/// Some residue for a word.
constexpr word from_hash(word h) { return h % prime; }

// --- Residues ------------------------------------------------------------------------------------------------

namespace detail {
constexpr word fold(word x) {
  word const r = (x & prime) + (x >> 61);
  return r >= prime ? r - prime : r;
}
constexpr word times(word a, word b) {
  wide const product = static_cast<wide>(a) * b;
  return fold(static_cast<word>(product & prime) + static_cast<word>(product >> 61));
}
/// a * 2^n: 2^61 is 1, so it is a rotation of 61 bits.
constexpr word shift(word a, int n) {
  unsigned const k = static_cast<unsigned>((n % 61 + 61) % 61);
  return k == 0 ? a : ((a << k) & prime) | a >> (61 - k);
}
constexpr word negated(word a) { return a == 0 ? 0 : prime - a; }
constexpr std::int64_t least(word a) {
  return a > prime / 2 ? static_cast<std::int64_t>(a) - static_cast<std::int64_t>(prime)
                       : static_cast<std::int64_t>(a);
}
}  // namespace detail

constexpr word from_integer(std::int64_t v) {
  word const magnitude = detail::fold(v < 0 ? word{0} - static_cast<word>(v) : static_cast<word>(v));
  return v < 0 ? detail::negated(magnitude) : magnitude;
}
constexpr word from_unsigned(std::uint64_t v) { return detail::fold(v); }
/// significand * 2^exponent.
constexpr word from_dyadic(bool negative, std::uint64_t significand, int exponent) {
  word const magnitude = detail::shift(detail::fold(significand), exponent);
  return negative ? detail::negated(magnitude) : magnitude;
}

// --- Order ---------------------------------------------------------------------------------------------------

/// The number n * 2^e that a residue is the image of, as above, in units of 2^-45; nothing if there is none.
constexpr std::optional<signed_wide> short_key(word a) {
  constexpr std::int64_t limit = std::int64_t{1} << 25;
  constexpr signed_wide unit = static_cast<signed_wide>(1) << 45;
  for (auto const [from, to, step] : {std::array{0, -25, -1}, std::array{1, 16, 1}, std::array{-25, -46, -1}})
    for (int e = from; e != to; e += step) {
      std::int64_t const n = detail::least(detail::shift(a, -e));
      if (-limit < n && n < limit) return n * (e < 0 ? unit >> -e : unit << e);
    }
  return std::nullopt;
}
/// Numbers as the order sees them: in units of 2^-45. Finite numbers only; injective.
constexpr signed_wide key(word a) {
  auto const known = short_key(a);
  return known ? *known : detail::least(a) * (static_cast<signed_wide>(1) << 45);
}
constexpr word from_key(signed_wide k) {
  bool const negative = k < 0;
  wide const magnitude = negative ? -static_cast<wide>(k) : static_cast<wide>(k);
  word const folded = detail::fold(static_cast<word>(magnitude & prime));
  word const rest = static_cast<word>(magnitude >> 61);
  word const residue = detail::shift(detail::fold(folded + detail::fold(rest)), -45);
  return negative ? detail::negated(residue) : residue;
}
/// -1, 0 or 1; neither may be NaN.
constexpr int compare(word a, word b) {
  if (a == b) return 0;
  if (a == infinity || b == minus_infinity) return 1;
  if (b == infinity || a == minus_infinity) return -1;
  return key(a) < key(b) ? -1 : 1;
}
constexpr int sign(word a) { return compare(a, 0); }

// --- Arithmetic ----------------------------------------------------------------------------------------------

constexpr word negate(word a) {
  return is_finite(a) ? detail::negated(a) : a == nan ? nan : a == infinity ? minus_infinity : infinity;
}
constexpr word add(word a, word b) {
  if (is_finite(a) && is_finite(b)) return detail::fold(a + b);
  if (is_finite(a)) return b;
  return is_finite(b) || a == b ? a : nan;
}
constexpr word subtract(word a, word b) { return add(a, negate(b)); }
/// A product with an infinite factor is NaN: no sign of a residue would be the product of two signs.
constexpr word multiply(word a, word b) { return is_finite(a) && is_finite(b) ? detail::times(a, b) : nan; }
constexpr word power(word a, std::uint64_t n) {
  word result = 1;
  for (; n != 0; n >>= 1, a = multiply(a, a))
    if ((n & 1) != 0) result = multiply(result, a);
  return result;
}
/// 1 / a; NaN for zero.
constexpr word inverse(word a) {
  if (a == infinity || a == minus_infinity) return 0;
  return a == 0 || a == nan ? nan : power(a, prime - 2);
}
constexpr word divide(word a, word b) {
  if (b == 0 && a != nan && a != 0) return sign(a) > 0 ? infinity : minus_infinity;
  return multiply(a, inverse(b));
}
constexpr word maximum(word a, word b) { return a == nan || b == nan ? nan : compare(a, b) < 0 ? b : a; }
constexpr word minimum(word a, word b) { return a == nan || b == nan ? nan : compare(a, b) > 0 ? b : a; }

/// The whole number that remains when the fraction is cut off; nothing for infinities and NaN.
constexpr std::optional<std::int64_t> truncated(word a) {
  if (!is_finite(a)) return std::nullopt;
  return static_cast<std::int64_t>(key(a) / (static_cast<signed_wide>(1) << 45));
}
/// a - trunc(a / b) * b.
constexpr word remainder(word a, word b) {
  if (!is_finite(a) || !is_finite(b) || b == 0) return nan;
  return from_key(key(a) % key(b));
}
/// The value of a function that is exact nowhere that matters here.
constexpr word opaque(word function, word a) { return from_hash(mix(function, a)); }

/// The square root if it is a short dyadic number, else pseudo-random; NaN of short numbers below zero. (The order
/// puts others below zero too, which may be sums of positive ones.)
constexpr word square_root(word a) {
  constexpr word function = 0x73717274;
  if (!is_finite(a)) return a == infinity ? infinity : nan;
  signed_wide const k = key(a);
  if (k < 0) return short_key(a) ? nan : opaque(function, a);
  // k * 2^-45 = (2k) * 2^-46: the root of 2k in units of 2^-23.
  wide const twice = static_cast<wide>(k) * 2;
  wide root = 0;
  for (int bit = 54; bit >= 0; --bit)
    if (wide const more = root | static_cast<wide>(1) << bit; more * more <= twice) root = more;
  if (root * root != twice) return opaque(function, a);
  return from_dyadic(false, static_cast<word>(root), -23);
}

// --- Text ----------------------------------------------------------------------------------------------------

/// The number as a double if the order knows it as a short dyadic number; every such number is one.
constexpr std::optional<double> as_double(word a) {
  if (!is_finite(a)) return std::nullopt;
  signed_wide const k = key(a);
  constexpr signed_wide limit = static_cast<signed_wide>(1) << 53;
  signed_wide n = k;
  int e = -45;
  while (n != 0 && (n & 1) == 0) {
    n >>= 1;
    ++e;
  }
  if (n >= limit || -limit >= n) return std::nullopt;
  double value = static_cast<double>(n);
  for (; e < 0; ++e) value /= 2;
  for (; e > 0; --e) value *= 2;
  return value;
}

}  // namespace mpmd::sim::exact
