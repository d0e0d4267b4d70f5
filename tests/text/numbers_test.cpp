#include <mpmd/text/mlir/number.hpp>

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <string>

#include "text/support/attribute_text.hpp"

namespace numbers_test {

namespace {

using namespace mpmd;
using namespace mpmd::text::mlir;
using mpmd::testing::error_of;
using mpmd::testing::reprinted;

std::string printed(std::string_view keyword, std::uint64_t bits) {
  std::string text;
  print_float(text, *find_float_format(keyword), {bits, 0});
  return text;
}

TEST_CASE("integers print with their type, signed unless the type is unsigned") {
  CHECK(reprinted("1") == "1 : i64");
  CHECK(reprinted("-1 : i32") == "-1 : i32");
  CHECK(reprinted("255 : i8") == "-1 : i8");
  CHECK(reprinted("255 : ui8") == "255 : ui8");
  CHECK(reprinted("0xFF : i16") == "255 : i16");
  CHECK(reprinted("3 : index") == "3 : index");
  CHECK(reprinted("18446744073709551615") == "-1 : i64");
  CHECK(reprinted("18446744073709551615 : ui64") == "18446744073709551615 : ui64");
  CHECK(reprinted("-9223372036854775808") == "-9223372036854775808 : i64");
  CHECK(reprinted("0 : i0") == "0 : i0");
}

TEST_CASE("one bit is a truth value when it has no sign") {
  CHECK(reprinted("true") == "true");
  CHECK(reprinted("0 : i1") == "false");
  CHECK(reprinted("-1 : i1") == "true");
  CHECK(reprinted("-1 : si1") == "-1 : si1");
  CHECK(reprinted("1 : ui1") == "1 : ui1");
}

TEST_CASE("an integer must fit its type: the sign bit is free only where the type has no sign") {
  for (std::string const text : {"256 : i8", "-129 : i8", "128 : si8", "0xFF : si8", "2 : i1", "1 : si1",
                                 "1 : i0", "18446744073709551616", "9223372036854775808 : index", "-0",
                                 "-9223372036854775809", "99999999999999999999999999999999999999999"})
    CHECK(error_of(text) == "1:1: integer constant out of range for attribute");
  CHECK(error_of("-1 : ui8") == "1:1: negative integer literal not valid for unsigned integer type");
  CHECK(error_of("1 : tensor<i32>") == "1:1: integer literal not valid for specified type");
  CHECK(error_of("- x") == "1:3: expected constant integer or floating point value");
}

TEST_CASE("integers of more than 64 bits") {
  // 2^127 and 2^128 - 1
  CHECK(reprinted("170141183460469231731687303715884105727 : i128") ==
        "170141183460469231731687303715884105727 : i128");
  CHECK(reprinted("170141183460469231731687303715884105728 : i128") ==
        "-170141183460469231731687303715884105728 : i128");
  CHECK(reprinted("340282366920938463463374607431768211455 : i128") == "-1 : i128");
  CHECK(reprinted("340282366920938463463374607431768211455 : ui128") ==
        "340282366920938463463374607431768211455 : ui128");
  CHECK(reprinted("0x1FFFFFFFFFFFFFFFF : i65") == "-1 : i65");
  CHECK(reprinted("-5 : i65") == "-5 : i65");
  CHECK(reprinted("00000000000000000000000000000000000000000000000005 : i65") == "5 : i65");
  CHECK(error_of("340282366920938463463374607431768211456 : i128") ==
        "1:1: integer constant out of range for attribute");
  CHECK(error_of("170141183460469231731687303715884105728 : si128") ==
        "1:1: integer constant out of range for attribute");
  CHECK(error_of(std::string(5000, '9') + " : i16777215") ==
        "1:1: integer constant out of range for attribute");
}

TEST_CASE("six significant digits, with zeros up to six places, where they are exact") {
  CHECK(reprinted("1.0") == "1.000000e+00 : f64");
  CHECK(reprinted("0.1 : f32") == "1.000000e-01 : f32");
  CHECK(reprinted("-2.5e10 : bf16") == "-2.496450e+10 : bf16");  // 93 * 2^28 is as near as bf16 comes
  CHECK(reprinted("1.5e-300") == "1.500000e-300 : f64");
  CHECK(reprinted("0.0") == "0.000000e+00 : f64");
  CHECK(reprinted("-0.0 : f32") == "-0.000000e+00 : f32");
}

TEST_CASE("more digits, as many as the format can need, where six are not enough") {
  // 1/3 in f64 and f32 to 17 and 9 digits: positional down to three zeros behind the point.
  CHECK(reprinted("0.33333333333333331") == "0.33333333333333331 : f64");
  CHECK(reprinted("0.333333343 : f32") == "0.333333343 : f32");
  CHECK(reprinted("1234567.5 : f32") == "1234567.5 : f32");
  CHECK(reprinted("0.00012345678901234567") == "1.2345678901234567E-4 : f64");
  CHECK(reprinted("0.0012359619140625") == "0.0012359619140625 : f64");  // 81 / 2^16
  CHECK(reprinted("1.2345678e20") == "1.2345678E+20 : f64");
}

TEST_CASE("0.7 in f32 shows where the estimate of digits cuts instead of rounding") {
  // The exact value is 0.699999988079...; cut to six digits that is 0.699999, which reads back as another
  // number.
  CHECK(reprinted("0.7 : f32") == "0.699999988 : f32");
}

TEST_CASE("a number whose shortest form would have no point prints its bits") {
  // 123456789 = 1.1101 0110 1111 0011 0100 0101 01b * 2^26
  CHECK(reprinted("123456789.0") == "0x419D6F3454000000 : f64");
}

TEST_CASE("infinities and NaNs print their bits, payload and all") {
  CHECK(printed("f32", 0x7F800000) == "0x7F800000");
  CHECK(printed("f32", 0xFFC12345) == "0xFFC12345");
  CHECK(printed("f16", 0x7C00) == "0x7C00");
  CHECK(reprinted("0xFFC12345 : f32") == "0xFFC12345 : f32");
  CHECK(reprinted("0x3F800000 : f32") == "1.000000e+00 : f32");
  CHECK(reprinted("1.0e400") == "0x7FF0000000000000 : f64");
  CHECK(reprinted("-1.0e39 : f32") == "0xFF800000 : f32");
  CHECK(reprinted("1.0e-400") == "0.000000e+00 : f64");
}

TEST_CASE("literals beyond the range of double: the exponent of the first digit decides") {
  double const infinity = std::numeric_limits<double>::infinity();
  CHECK(parse_double("1.0e309") == infinity);
  CHECK(parse_double("1.0e-330") == 0);
  CHECK(parse_double("1" + std::string(400, '0') + ".0") == infinity);
  CHECK(parse_double("0." + std::string(400, '0') + "1") == 0);
  CHECK(parse_double("0." + std::string(400, '0') + "1e800") == infinity);
  CHECK(parse_double("0.0e99999999999999999999") == 0);
  CHECK(parse_double("1.0e99999999999999999999") == infinity);
  CHECK(parse_double("1.0e-99999999999999999999") == 0);
  CHECK(parse_double("1.5e3") == 1500);
}

TEST_CASE("float literals that do not fit their type") {
  CHECK(
      error_of("1 : f32").starts_with("1:1: unexpected decimal integer literal for a floating point value"));
  CHECK(error_of("1.0 : i32") == "1:1: floating point value not valid for specified type");
  CHECK(error_of("0x1FFFFFFFF : f32") == "1:1: hexadecimal float constant out of range for type");
  CHECK(error_of("0x1FF : f8E5M2") == "1:1: hexadecimal float constant out of range for type");
  CHECK(error_of("-0x1 : f32") == "1:1: hexadecimal float literal should not have a leading minus");
  CHECK(error_of("1.0 : f8E8M0FNU") == "1:1: a value of type f8E8M0FNU must be written in hexadecimal");
  CHECK(reprinted("0x7F : f8E8M0FNU") == "0x7F : f8E8M0FNU");
}

TEST_CASE("formats of more than 64 bits") {
  CHECK(reprinted("1.0 : f80") == "1.000000e+00 : f80");
  CHECK(reprinted("0x3FFF8000000000000000 : f80") == "1.000000e+00 : f80");
  CHECK(reprinted("-0.5 : f128") == "-5.000000e-01 : f128");
  CHECK(reprinted("0x7FFF0000000000000000000000000000 : f128") ==
        "0x7FFF0000000000000000000000000000 : f128");
  // 0.1 to 64 bits, and 2^16383: double has neither, and decimal literals are read by way of double.
  CHECK(reprinted("0x3FFBCCCCCCCCCCCCCCCD : f80") == "0x3FFBCCCCCCCCCCCCCCCD : f80");
  CHECK(reprinted("0x7FFE8000000000000000 : f80") == "0x7FFE8000000000000000 : f80");
  // The leading one of the significand is missing, or stands where the exponent has none.
  CHECK(reprinted("0x3FFF0000000000000001 : f80") == "0x3FFF0000000000000001 : f80");
  CHECK(reprinted("0x00008000000000000000 : f80") == "0x8000000000000000 : f80");
}

TEST_CASE("rounding to a narrow format: ties to even, then what the format has for too much") {
  auto bits = [](std::string_view keyword, double value) {
    return encode_float(*find_float_format(keyword), value).low;
  };
  CHECK(bits("f16", 1.0 + 1.0 / 2048) == 0x3C00);      // halfway between 1 and its neighbour
  CHECK(bits("f16", 1.0 + 3.0 / 2048) == 0x3C02);      // halfway, the even one is above
  CHECK(bits("f16", 65519.0) == 0x7BFF);               // the largest is 65504, the next step would be 65536
  CHECK(bits("f16", 65520.0) == 0x7C00);               // infinity
  CHECK(bits("f16", std::ldexp(1.0, -24)) == 0x0001);  // the smallest
  CHECK(bits("f16", std::ldexp(1.0, -25)) == 0x0000);  // halfway to zero
  CHECK(bits("f16", std::ldexp(1.5, -25)) == 0x0001);
  CHECK(bits("f16", -std::ldexp(1.0, -80)) == 0x8000);
  CHECK(bits("f8E4M3FN", 448.0) == 0x7E);  // the largest
  CHECK(bits("f8E4M3FN", 464.0) == 0x7E);  // halfway to what would be 480
  CHECK(bits("f8E4M3FN", 465.0) == 0x7F);  // NaN: there is no infinity
  CHECK(bits("f8E4M3FN", -1e300) == 0xFF);
  CHECK(bits("f8E5M2", 61439.0) == 0x7B);
  CHECK(bits("f8E5M2", 61440.0) == 0x7C);
  CHECK(bits("f8E5M2FNUZ", -0.0) == 0x00);  // no negative zero
  CHECK(bits("f8E5M2FNUZ", -1e-30) == 0x00);
  CHECK(bits("f8E5M2FNUZ", 1e30) == 0x80);  // the only NaN
  CHECK(bits("f4E2M1FN", 6.0) == 0x7);
  CHECK(bits("f4E2M1FN", 1000.0) == 0x7);  // neither infinity nor NaN: the largest
  CHECK(bits("bf16", 1.0) == 0x3F80);
  CHECK(bits("tf32", 1.0) == 0x1FC00);
}

TEST_CASE("every number of the small formats reads back as itself") {
  for (float_format const& f : float_formats) {
    if (f.width > 16) continue;
    for (std::uint64_t bits = 0; bits < std::uint64_t{1} << f.width; ++bits) {
      std::string text;
      print_float(text, f, {bits, 0});
      bool const negative = text[0] == '-';
      cursor const in(std::string_view(text).substr(negative ? 1 : 0));
      auto const token = in.number();
      REQUIRE(token.text.size() + (negative ? 1 : 0) == text.size());
      if (token.kind == number_token::form::hex) {
        REQUIRE(hex_bits(token.text, f.width)->low == bits);
      } else {
        REQUIRE(token.kind == number_token::form::real);
        double const value = parse_double(token.text);
        REQUIRE(encode_float(f, negative ? -value : value).low == bits);
      }
    }
  }
}

TEST_CASE("doubles keep their bits through encode and decode") {
  float_format const& f64 = *find_float_format("f64");
  for (double const value :
       {0.0, -0.0, 1.0, -1.5, 5e-324, 2.2250738585072014e-308, 1.7976931348623157e308,
        std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()}) {
    auto const bits = encode_float(f64, value);
    CHECK(bits.low == std::bit_cast<std::uint64_t>(value));
    auto const parts = decode_float(f64, bits);
    if (parts.what == float_parts::kind::finite)
      CHECK(std::ldexp(static_cast<double>(parts.significand.low), parts.exponent) == std::abs(value));
  }
}

}  // namespace

}  // namespace numbers_test
