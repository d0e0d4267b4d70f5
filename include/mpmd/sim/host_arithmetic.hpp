#pragma once
/// Arithmetic of host programs on integers and booleans, as Python has it.

#include <cstdint>
#include <limits>
#include <string_view>

#include <mpmd/sim/host_values.hpp>

namespace mpmd::sim {

namespace detail {

constexpr std::int64_t floor_quotient(std::int64_t a, std::int64_t b) {
  std::int64_t const q = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}
inline host_value power(std::int64_t base, std::int64_t exponent) {
  if (exponent < 0) return {};
  std::int64_t result = 1;
  while (exponent > 0) {
    if (exponent % 2 == 1 && __builtin_mul_overflow(result, base, &result)) return {};
    exponent /= 2;
    if (exponent > 0 && __builtin_mul_overflow(base, base, &base)) return {};
  }
  return host_value::integer(result);
}

}  // namespace detail

/// What a host.binary of this kind makes of two values: unknown for what is no integer, does not fit, or is not defined.
inline host_value compute(std::string_view kind, host_value const& left, host_value const& right) {
  if (!left.is_integer() || !right.is_integer()) return {};
  std::int64_t const a = left.number, b = right.number;
  std::int64_t r = 0;
  auto const known = [](std::int64_t n) { return host_value::integer(n); };
  if (kind == "add") return __builtin_add_overflow(a, b, &r) ? host_value{} : known(r);
  if (kind == "sub") return __builtin_sub_overflow(a, b, &r) ? host_value{} : known(r);
  if (kind == "mul") return __builtin_mul_overflow(a, b, &r) ? host_value{} : known(r);
  if (kind == "floordiv" || kind == "floormod") {
    if (b == 0 || (b == -1 && a == std::numeric_limits<std::int64_t>::min())) return {};
    std::int64_t const q = detail::floor_quotient(a, b);
    return known(kind == "floordiv" ? q : a - q * b);
  }
  if (kind == "min") return known(a < b ? a : b);
  if (kind == "max") return known(a < b ? b : a);
  if (kind == "pow") return detail::power(a, b);
  if (kind == "eq") return known(a == b);
  if (kind == "ne") return known(a != b);
  if (kind == "lt") return known(a < b);
  if (kind == "le") return known(a <= b);
  if (kind == "gt") return known(a > b);
  if (kind == "ge") return known(a >= b);
  if (kind == "and") return known(a != 0 && b != 0);
  if (kind == "or") return known(a != 0 || b != 0);
  if (kind == "xor") return known((a != 0) != (b != 0));
  if (kind == "bitand") return known(a & b);
  if (kind == "bitor") return known(a | b);
  if (kind == "bitxor") return known(a ^ b);
  if (kind == "shr" && b >= 0) return known(a >> (b > 63 ? 63 : b));
  if (kind == "shl" && b >= 0 && b < 63) {
    std::int64_t const by = std::int64_t{1} << b;
    return __builtin_mul_overflow(a, by, &r) ? host_value{} : known(r);
  }
  return {};
}
inline host_value compute(std::string_view kind, host_value const& of) {
  if (!of.is_integer()) return {};
  std::int64_t const a = of.number;
  std::int64_t r = 0;
  if (kind == "not") return host_value::integer(a == 0);
  if (kind == "bitnot") return host_value::integer(~a);
  if (kind == "cast") return of;
  if (kind == "neg" || (kind == "abs" && a < 0))
    return __builtin_sub_overflow(std::int64_t{0}, a, &r) ? host_value{} : host_value::integer(r);
  return kind == "abs" ? of : host_value{};
}

}  // namespace mpmd::sim
