#pragma once
/// Numbers between text and bits, the way MLIR 19 reads and writes them.

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include <mpmd/ir/types.hpp>
#include <mpmd/text/mlir/detail/natural.hpp>
#include <mpmd/support/float_format.hpp>
#include <mpmd/text/mlir/lexer.hpp>

namespace mpmd::text::mlir {

// --- Integers --------------------------------------------------------------------------------------------------------

/// How integers of a type behave: `index` is 64 bits signed.
struct integer_format {
  std::uint32_t width = 64;
  ir::signedness sign = ir::signedness::signless;
  bool is_index = false;

  bool prints_unsigned() const { return sign == ir::signedness::is_unsigned || is_bool(); }
  bool is_bool() const { return width == 1 && sign == ir::signedness::signless && !is_index; }
  bool rejects_sign_bit() const { return is_index || sign == ir::signedness::is_signed; }
};

/// The value of up to 64 bits as an integer_attr holds it: zero-extended if unsigned or i1, else
/// sign-extended.
inline std::int64_t extend(integer_format const& f, std::uint64_t bits) {
  if (f.width == 0) return 0;
  if (f.width >= 64) return static_cast<std::int64_t>(bits);
  unsigned const spare = 64 - f.width;
  return f.prints_unsigned() ? static_cast<std::int64_t>(bits << spare >> spare)
                             : static_cast<std::int64_t>(bits << spare) >> spare;
}

/// The bits of an integer literal in a format of at most 64 bits; nothing if it is out of range. A positive
/// literal of a signless type may use the sign bit: `255 : i8` is -1.
inline std::optional<std::uint64_t> integer_bits(integer_format const& f, number_token const& token,
                                                 bool negative) {
  bool const hex = token.kind == number_token::form::hex;
  std::string_view const digits = hex ? token.text.substr(2) : token.text;
  std::uint64_t bits = 0;
  if (std::from_chars(digits.data(), digits.data() + digits.size(), bits, hex ? 16 : 10).ec != std::errc{})
    return std::nullopt;
  if (f.width < 64 && bits >> f.width != 0) return std::nullopt;
  if (f.width == 0) return negative ? std::nullopt : std::optional<std::uint64_t>(0);
  std::uint64_t const mask = ~std::uint64_t{0} >> (64 - f.width);
  if (negative) bits = (0 - bits) & mask;
  bool const sign_bit = (bits >> (f.width - 1) & 1) != 0;
  if (negative ? !sign_bit : f.rejects_sign_bit() && sign_bit) return std::nullopt;
  return bits;
}

/// The same for a format of any width, as little-endian bytes whose spare high bits are zero. Literals of
/// more than 4096 digits count as out of range.
inline std::optional<std::string> wide_integer_bytes(integer_format const& f, number_token const& token,
                                                     bool negative) {
  std::size_t const size = (f.width + 7u) / 8u;
  bool const hex = token.kind == number_token::form::hex;
  std::string_view digits = hex ? token.text.substr(2) : token.text;
  while (digits.size() > 1 && digits[0] == '0') digits.remove_prefix(1);
  if (digits.size() > 4096) return std::nullopt;
  detail::natural magnitude;
  if (hex)
    for (char c : digits) magnitude.multiply_add(16, chars::hex_value(c));
  else
    magnitude = detail::natural::from_decimal(digits);
  std::size_t const length = magnitude.bit_length();
  if (length > f.width || (!negative && f.rejects_sign_bit() && length == f.width)) return std::nullopt;
  std::string bytes = magnitude.to_bytes(size);
  if (!negative) return bytes;
  unsigned carry = 1;  // two's complement
  for (char& b : bytes) {
    carry += static_cast<unsigned char>(~static_cast<unsigned char>(b));
    b = static_cast<char>(static_cast<unsigned char>(carry));
    carry >>= 8;
  }
  if (f.width % 8 != 0)
    bytes.back() = static_cast<char>(static_cast<unsigned char>(bytes.back()) & ((1u << f.width % 8) - 1));
  if (!detail::natural::from_bytes(bytes).bit(f.width - 1)) return std::nullopt;
  return bytes;
}

inline void print_integer(std::string& out, std::int64_t value, bool as_unsigned) {
  char buffer[24];
  auto const done = as_unsigned
                        ? std::to_chars(buffer, buffer + sizeof buffer, static_cast<std::uint64_t>(value))
                        : std::to_chars(buffer, buffer + sizeof buffer, value);
  out.append(buffer, done.ptr);
}

/// An integer of any width from its little-endian bytes.
inline void print_integer(std::string& out, integer_format const& f, std::string_view bytes) {
  if (f.width <= 64) {
    std::uint64_t bits = 0;
    for (std::size_t i = bytes.size(); i-- > 0;) bits = bits << 8 | static_cast<unsigned char>(bytes[i]);
    return print_integer(out, extend(f, bits), f.prints_unsigned());
  }
  auto value = detail::natural::from_bytes(bytes);
  if (!f.prints_unsigned() && value.bit(f.width - 1)) {
    std::string negated(bytes);
    unsigned carry = 1;
    for (char& b : negated) {
      carry += static_cast<unsigned char>(~static_cast<unsigned char>(b));
      b = static_cast<char>(static_cast<unsigned char>(carry));
      carry >>= 8;
    }
    if (f.width % 8 != 0)
      negated.back() =
          static_cast<char>(static_cast<unsigned char>(negated.back()) & ((1u << f.width % 8) - 1));
    out += '-';
    value = detail::natural::from_bytes(negated);
  }
  out += value.to_decimal();
}

// --- Floating point --------------------------------------------------------------------------------------------------

/// The double nearest to a literal such as "1.5e3"; infinity or zero when it is out of range. O(length).
inline double parse_double(std::string_view text) {
  double value = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), value).ec == std::errc{}) return value;
  // Out of range: find the decimal exponent of the first digit that is not zero to tell which way.
  std::size_t const e = text.find_first_of("eE");
  std::string_view const digits = text.substr(0, e);
  std::size_t const first = digits.find_first_of("123456789");
  if (first == std::string_view::npos) return 0;
  std::size_t const point = digits.find('.');
  double exponent = static_cast<double>(point) - static_cast<double>(first);
  if (e != std::string_view::npos) {
    std::string_view power = text.substr(e + 1);
    bool const negative = power[0] == '-';
    if (negative || power[0] == '+') power.remove_prefix(1);
    double size = 0;
    for (char c : power) size = size * 10 + (c - '0');
    exponent += negative ? -size : size;
  }
  return exponent > 0 ? std::numeric_limits<double>::infinity() : 0.0;
}

/// The bits of a hexadecimal literal; nothing if it needs more than `width` (at most 128).
inline std::optional<bits128> hex_bits(std::string_view text, unsigned width) {
  text.remove_prefix(2);
  while (!text.empty() && text[0] == '0') text.remove_prefix(1);
  if (text.size() > 32) return std::nullopt;
  bits128 bits;
  for (char c : text) bits = bits << 4 | bits128{chars::hex_value(c), 0};
  if (!((bits & bits128::ones(width)) == bits)) return std::nullopt;
  return bits;
}

namespace detail {

/// A finite number in decimal: digits * 10^exponent, without zeros at either end.
struct decimal {
  std::string digits;
  int exponent = 0;

  /// Rounds half up to `precision` digits.
  void round(std::size_t precision) {
    if (digits.size() <= precision) return;
    bool const up = digits[precision] >= '5';
    exponent += static_cast<int>(digits.size() - precision);
    digits.resize(precision);
    if (up) {
      while (!digits.empty() && digits.back() == '9') {
        digits.pop_back();
        ++exponent;
      }
      if (digits.empty())
        digits = "1";
      else
        ++digits.back();
    }
    trim();
  }
  void trim() {
    while (digits.size() > 1 && digits.back() == '0') {
      digits.pop_back();
      ++exponent;
    }
  }
};

/// At least `precision` digits of significand * 2^exponent, in the way LLVM's APFloat::toString finds them:
/// the exact expansion, cut (not rounded) after an estimated number of digits and then rounded half up. The
/// estimate can leave just `precision` digits, so the result is sometimes one unit low in its last place.
/// That shows in printed text, so it is repeated here.
inline decimal to_decimal(bits128 significand, int exponent, unsigned precision) {
  while ((significand.low & 1) == 0) {
    significand = significand >> 1;
    ++exponent;
  }
  natural scaled(significand.high, significand.low);
  decimal made;
  if (exponent > 0) {
    scaled.shift_left(static_cast<std::size_t>(exponent));
  } else {
    scaled.multiply_by_power_of_5(static_cast<std::size_t>(-exponent));
    made.exponent = exponent;
  }
  std::size_t const bits = scaled.bit_length();
  std::size_t const bits_required = (precision * 196 + 58) / 59;
  made.digits = scaled.to_decimal();
  if (bits > bits_required) {
    std::size_t const removable = (bits - bits_required) * 59 / 196;
    made.digits.resize(made.digits.size() - removable);
    made.exponent += static_cast<int>(removable);
  }
  made.trim();
  made.round(precision);
  return made;
}

/// Whether a reader that rounds correctly finds just this number when it reads `d`.
inline bool reads_back(float_format const& f, float_parts const& p, decimal const& d) {
  // Compare digits * 10^e with the bounds of the interval that rounds to the number, (4s - 2) .. (4s + 2) in
  // units of 2^(exponent - 2). Below a power of two the numbers are twice as dense.
  bool const power_of_two = p.significand == bits128{1, 0} << (f.precision - 1) && p.exponent > f.lowest();
  bool const ties_to_it = (p.significand.low & 1) == 0;
  natural value = natural::from_decimal(d.digits);
  int const unit = p.exponent - 2;
  if (d.exponent > 0) value.multiply_by_power_of_5(static_cast<std::size_t>(d.exponent));
  if (d.exponent > unit) value.shift_left(static_cast<std::size_t>(d.exponent - unit));
  auto bound = [&](bool upper) {
    natural b(p.significand.high, p.significand.low);
    b.multiply_add(4, upper ? 2 : 0);
    if (!upper) {
      // 4s - 1 or 4s - 2, with borrow-free arithmetic: (s - 1) * 4 + 3 or + 2.
      bits128 less = p.significand;
      if (less.low-- == 0) --less.high;
      b = natural(less.high, less.low);
      b.multiply_add(4, power_of_two ? 3 : 2);
    }
    if (d.exponent < 0) b.multiply_by_power_of_5(static_cast<std::size_t>(-d.exponent));
    if (unit > d.exponent) b.shift_left(static_cast<std::size_t>(unit - d.exponent));
    return b;
  };
  auto const below = bound(true) <=> value, above = value <=> bound(false);
  return (below > 0 || (below == 0 && ties_to_it)) && (above > 0 || (above == 0 && ties_to_it));
}

/// `d.ddddde+XX` with six places when `padded`; else with an 'E' and no padding.
inline void print_scientific(std::string& out, decimal const& d, bool padded) {
  out += d.digits[0];
  out += '.';
  if (d.digits.size() == 1 && !padded) out += '0';
  out.append(d.digits, 1);
  if (padded && d.digits.size() < 7) out.append(7 - d.digits.size(), '0');
  int const power = d.exponent + static_cast<int>(d.digits.size()) - 1;
  out += padded ? 'e' : 'E';
  out += power < 0 ? '-' : '+';
  auto const digits = std::to_string(power < 0 ? -power : power);
  if (padded && digits.size() < 2) out += '0';
  out += digits;
}

/// APFloat's default form: positional when that needs no more than three zeros.
inline void print_default(std::string& out, decimal const& d, unsigned precision) {
  int const count = static_cast<int>(d.digits.size());
  int const leading = d.exponent + count - 1;  // power of the first digit
  bool const scientific =
      d.exponent >= 0 ? d.exponent > 3 || count + d.exponent > static_cast<int>(precision) : leading < -3;
  if (scientific) return print_scientific(out, d, false);
  if (d.exponent >= 0) {
    out += d.digits;
    out.append(static_cast<std::size_t>(d.exponent), '0');
    return;
  }
  if (leading >= 0) {
    auto const whole = static_cast<std::size_t>(leading + 1);
    out.append(d.digits, 0, whole);
    out += '.';
    out.append(d.digits, whole);
  } else {
    out += "0.";
    out.append(static_cast<std::size_t>(-leading - 1), '0');
    out += d.digits;
  }
}

}  // namespace detail

inline void print_hex(std::string& out, bits128 bits) {
  constexpr std::string_view hex = "0123456789ABCDEF";
  out += "0x";
  bool started = false;
  for (int shift = 124; shift >= 0; shift -= 4) {
    auto const digit = (bits >> static_cast<unsigned>(shift)).low & 15;
    started = started || digit != 0 || shift == 0;
    if (started) out += hex[digit];
  }
}

/// Writes a number of a format as MLIR does: six significant digits if they say it exactly (`1.000000e+00`),
/// else as many as the format can need (`0.333333343`), else, and for infinities and NaNs, its bits
/// (`0x7F800000`). Decimal literals are read by way of double, so numbers that double does not have print
/// their bits too, where MLIR prints digits that do not read back.
inline void print_float(std::string& out, float_format const& f, bits128 bits) {
  float_parts const p = decode_float(f, bits);
  if (p.what != float_parts::kind::finite) return print_hex(out, bits);
  std::size_t const start = out.size();
  if (p.negative) out += '-';
  unsigned const precision = 2 + f.precision * 59 / 196;
  if (p.significand == bits128{})
    out += "0.000000e+00";
  else if (auto const six = detail::to_decimal(p.significand, p.exponent, 6); detail::reads_back(f, p, six))
    detail::print_scientific(out, six, true);
  else
    detail::print_default(out, detail::to_decimal(p.significand, p.exponent, precision), precision);
  // The default form of a whole number has no point and would read as an integer.
  bool sound = out.find('.', start) != std::string::npos;
  if (sound && f.precision > 53) {
    auto const digits = std::string_view(out).substr(start + (p.negative ? 1 : 0));
    double const value = parse_double(digits);
    sound = encode_float(f, p.negative ? -value : value) == bits;
  }
  if (sound) return;
  out.resize(start);
  print_hex(out, bits);
}

}  // namespace mpmd::text::mlir
