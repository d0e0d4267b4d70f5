#pragma once
/// Elementwise ops of StableHLO on simulated tensors, after the StableHLO specification; integers wrap, and
/// floats are exact (see exact.hpp).

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include <mpmd/sim/evaluation.hpp>

namespace mpmd::sim {

/// An op of one kind of element: nothing if it is not defined there.
using unary_function = std::optional<std::uint64_t> (*)(element_format, std::uint64_t);
using binary_function = std::optional<std::uint64_t> (*)(element_format, std::uint64_t, std::uint64_t);

namespace detail {

constexpr std::int64_t as_signed(std::uint64_t v) { return static_cast<std::int64_t>(v); }
constexpr bool is_unsigned(element_format f) { return f.what == element_format::kind::unsigned_integer; }
constexpr bool is_boolean(element_format f) { return f.what == element_format::kind::boolean; }
constexpr bool less(element_format f, std::uint64_t a, std::uint64_t b) {
  if (f.is_float()) return exact::compare(a, b) < 0;
  return f.what == element_format::kind::integer ? as_signed(a) < as_signed(b) : a < b;
}

/// A function whose value is exact at one place and pseudo-random elsewhere.
inline std::optional<std::uint64_t> pseudo(std::uint64_t function, std::uint64_t a, std::int64_t at,
                                           std::uint64_t value) {
  if (a == exact::nan) return exact::nan;
  if (a == exact::from_integer(at)) return value;
  return exact::opaque(function, a);
}
inline constexpr std::uint64_t one_half = exact::from_dyadic(false, 1, -1);

inline std::optional<std::uint64_t> rounded(element_format f, std::uint64_t a, int direction) {
  if (!f.is_float()) return std::nullopt;
  if (!exact::is_finite(a)) return a;
  constexpr exact::signed_wide unit = static_cast<exact::signed_wide>(1) << 45;
  exact::signed_wide const k = exact::key(a);
  exact::signed_wide whole = k / unit;
  if (k % unit < 0) --whole;  // the floor
  exact::signed_wide const rest = k - whole * unit;
  bool up = false;
  switch (direction) {
    case 0: break;                                                       // floor
    case 1: up = rest != 0; break;                                       // ceil
    case 2: up = rest * 2 > unit || (rest * 2 == unit && k > 0); break;  // nearest, away from zero
    default: up = rest * 2 > unit || (rest * 2 == unit && (whole & 1) != 0); break;  // nearest, even
  }
  return exact::from_key((up ? whole + 1 : whole) * unit);
}

}  // namespace detail

// --- Of one operand ------------------------------------------------------------------------------------------

struct unary_op {
  std::string_view name;
  unary_function run;
};
inline constexpr auto unary_ops = std::to_array<unary_op>({
    {"stablehlo.abs",
     [](element_format f, std::uint64_t a) -> std::optional<std::uint64_t> {
       if (f.is_float()) return a != exact::nan && exact::sign(a) < 0 ? exact::negate(a) : a;
       return detail::as_signed(a) < 0 && !detail::is_unsigned(f) ? wrap(f, 0 - a) : a;
     }},
    {"stablehlo.negate",
     [](element_format f, std::uint64_t a) -> std::optional<std::uint64_t> {
       return f.is_float() ? exact::negate(a) : wrap(f, 0 - a);
     }},
    {"stablehlo.not", [](element_format f, std::uint64_t a) -> std::optional<std::uint64_t> {
       return f.is_float() ? std::nullopt : std::optional(wrap(f, ~a));
     }},
    {"stablehlo.sign",
     [](element_format f, std::uint64_t a) -> std::optional<std::uint64_t> {
       if (f.is_float()) return a == exact::nan ? a : exact::from_integer(exact::sign(a));
       if (detail::is_unsigned(f) || a == 0) return a != 0;
       return detail::as_signed(a) < 0 ? ~std::uint64_t{0} : 1;
     }},
    {"stablehlo.ceil", [](element_format f, std::uint64_t a) { return detail::rounded(f, a, 1); }},
    {"stablehlo.floor", [](element_format f, std::uint64_t a) { return detail::rounded(f, a, 0); }},
    {"stablehlo.round_nearest_afz", [](element_format f, std::uint64_t a) { return detail::rounded(f, a, 2); }},
    {"stablehlo.round_nearest_even", [](element_format f, std::uint64_t a) { return detail::rounded(f, a, 3); }},
    {"stablehlo.cbrt", [](element_format, std::uint64_t a) { return detail::pseudo(1, a, 0, 0); }},
    {"stablehlo.cosine", [](element_format, std::uint64_t a) { return detail::pseudo(2, a, 0, 1); }},
    {"stablehlo.exponential",
     [](element_format, std::uint64_t a) {
       if (a == exact::infinity) return std::optional(a);
       return a == exact::minus_infinity ? std::optional(std::uint64_t{0}) : detail::pseudo(3, a, 0, 1);
     }},
    {"stablehlo.exponential_minus_one", [](element_format, std::uint64_t a) { return detail::pseudo(4, a, 0, 0); }},
    {"stablehlo.log",
     [](element_format, std::uint64_t a) {
       if (a == 0) return std::optional(exact::minus_infinity);
       return a == exact::infinity ? std::optional(a) : detail::pseudo(5, a, 1, 0);
     }},
    {"stablehlo.log_plus_one", [](element_format, std::uint64_t a) { return detail::pseudo(6, a, 0, 0); }},
    {"stablehlo.logistic",
     [](element_format, std::uint64_t a) {
       if (!exact::is_finite(a) && a != exact::nan) return std::optional(std::uint64_t{a == exact::infinity});
       return detail::pseudo(7, a, 0, detail::one_half);
     }},
    {"stablehlo.sine", [](element_format, std::uint64_t a) { return detail::pseudo(8, a, 0, 0); }},
    {"stablehlo.tan", [](element_format, std::uint64_t a) { return detail::pseudo(9, a, 0, 0); }},
    {"stablehlo.tanh",
     [](element_format, std::uint64_t a) {
       if (a == exact::infinity) return std::optional(std::uint64_t{1});
       if (a == exact::minus_infinity) return std::optional(exact::from_integer(-1));
       return detail::pseudo(10, a, 0, 0);
     }},
    {"stablehlo.sqrt", [](element_format, std::uint64_t a) { return std::optional(exact::square_root(a)); }},
    {"stablehlo.rsqrt",
     [](element_format, std::uint64_t a) { return std::optional(exact::divide(1, exact::square_root(a))); }},
    {"stablehlo.popcnt",
     [](element_format f, std::uint64_t a) {
       return std::optional(static_cast<std::uint64_t>(
           std::popcount(f.width >= 64 ? a : a & ((std::uint64_t{1} << f.width) - 1))));
     }},
    {"stablehlo.count_leading_zeros",
     [](element_format f, std::uint64_t a) {
       std::uint64_t const bits = f.width >= 64 ? a : a & ((std::uint64_t{1} << f.width) - 1);
       return std::optional(static_cast<std::uint64_t>(std::countl_zero(bits) - (64 - f.width)));
     }},
    {"stablehlo.reduce_precision", [](element_format, std::uint64_t a) { return std::optional(a); }},
});
/// Those of the above that are defined on floats alone.
constexpr bool is_float_only(std::string_view name) {
  constexpr auto also_integers =
      std::to_array<std::string_view>({"stablehlo.abs", "stablehlo.negate", "stablehlo.not", "stablehlo.sign",
                                       "stablehlo.popcnt", "stablehlo.count_leading_zeros"});
  for (auto const& other : also_integers)
    if (other == name) return false;
  return true;
}

// --- Of two operands -----------------------------------------------------------------------------------------

struct binary_op {
  std::string_view name;
  binary_function run;
};
namespace detail {
inline std::optional<std::uint64_t> divided(element_format f, std::uint64_t a, std::uint64_t b) {
  if (f.is_float()) return exact::divide(a, b);
  if (is_boolean(f)) return std::nullopt;
  if (b == 0) return wrap(f, ~std::uint64_t{0});  // as XLA has it
  if (is_unsigned(f)) return a / b;
  if (as_signed(b) == -1) return wrap(f, 0 - a);
  return static_cast<std::uint64_t>(as_signed(a) / as_signed(b));
}
inline std::optional<std::uint64_t> remaining(element_format f, std::uint64_t a, std::uint64_t b) {
  if (f.is_float()) return exact::remainder(a, b);
  if (is_boolean(f)) return std::nullopt;
  if (b == 0) return a;
  if (is_unsigned(f)) return a % b;
  if (as_signed(b) == -1) return 0;
  return static_cast<std::uint64_t>(as_signed(a) % as_signed(b));
}
inline std::optional<std::uint64_t> raised(element_format f, std::uint64_t a, std::uint64_t b) {
  if (!f.is_float()) {
    if (is_boolean(f)) return std::nullopt;
    if (!is_unsigned(f) && as_signed(b) < 0)
      return a == 1 ? 1 : as_signed(a) == -1 ? wrap(f, (b & 1) != 0 ? ~std::uint64_t{0} : 1) : 0;
    std::uint64_t result = 1;
    for (; b != 0; b >>= 1, a *= a)
      if ((b & 1) != 0) result *= a;
    return wrap(f, result);
  }
  if (a == exact::nan || b == exact::nan) return exact::nan;
  auto const n = exact::truncated(b);
  if (n && exact::from_integer(*n) == b && *n < (1 << 20) && *n > -(1 << 20)) {
    auto const raised_up = exact::power(a, static_cast<std::uint64_t>(*n < 0 ? -*n : *n));
    return *n < 0 ? exact::divide(1, raised_up) : raised_up;
  }
  if (b == one_half) return exact::square_root(a);
  return exact::from_hash(exact::mix(exact::mix(11, a), b));
}
/// Shifts by the width or more leave nothing, or the sign.
inline std::optional<std::uint64_t> shifted(element_format f, std::uint64_t a, std::uint64_t by, int how) {
  if (f.is_float() || is_boolean(f)) return std::nullopt;
  std::uint64_t const bits = f.width >= 64 ? a : a & ((std::uint64_t{1} << f.width) - 1);
  if (by >= f.width)
    return how == 2 && as_signed(wrap({element_format::kind::integer, f.width}, bits)) < 0
               ? wrap(f, ~std::uint64_t{0})
               : 0;
  if (how == 0) return wrap(f, bits << by);
  if (how == 1) return wrap(f, bits >> by);
  return wrap(
      f, static_cast<std::uint64_t>(as_signed(wrap({element_format::kind::integer, f.width}, bits)) >> by));
}
}  // namespace detail

inline constexpr auto binary_ops = std::to_array<binary_op>({
    {"stablehlo.add",
     [](element_format f, std::uint64_t a, std::uint64_t b) -> std::optional<std::uint64_t> {
       if (detail::is_boolean(f)) return a | b;
       return f.is_float() ? exact::add(a, b) : wrap(f, a + b);
     }},
    {"stablehlo.multiply",
     [](element_format f, std::uint64_t a, std::uint64_t b) -> std::optional<std::uint64_t> {
       return f.is_float() ? exact::multiply(a, b) : wrap(f, a * b);
     }},
    {"stablehlo.subtract",
     [](element_format f, std::uint64_t a, std::uint64_t b) -> std::optional<std::uint64_t> {
       return f.is_float() ? exact::subtract(a, b) : wrap(f, a - b);
     }},
    {"stablehlo.maximum",
     [](element_format f, std::uint64_t a, std::uint64_t b) -> std::optional<std::uint64_t> {
       if (f.is_float()) return exact::maximum(a, b);
       return detail::less(f, a, b) ? b : a;
     }},
    {"stablehlo.minimum",
     [](element_format f, std::uint64_t a, std::uint64_t b) -> std::optional<std::uint64_t> {
       if (f.is_float()) return exact::minimum(a, b);
       return detail::less(f, b, a) ? b : a;
     }},
    {"stablehlo.and",
     [](element_format f, std::uint64_t a, std::uint64_t b) -> std::optional<std::uint64_t> {
       return f.is_float() ? std::nullopt : std::optional(a & b);
     }},
    {"stablehlo.or",
     [](element_format f, std::uint64_t a, std::uint64_t b) -> std::optional<std::uint64_t> {
       return f.is_float() ? std::nullopt : std::optional(a | b);
     }},
    {"stablehlo.xor",
     [](element_format f, std::uint64_t a, std::uint64_t b) -> std::optional<std::uint64_t> {
       return f.is_float() ? std::nullopt : std::optional(a ^ b);
     }},
    {"stablehlo.divide", &detail::divided},
    {"stablehlo.remainder", &detail::remaining},
    {"stablehlo.power", &detail::raised},
    {"stablehlo.atan2",
     [](element_format f, std::uint64_t a, std::uint64_t b) -> std::optional<std::uint64_t> {
       if (!f.is_float()) return std::nullopt;
       return exact::from_hash(exact::mix(exact::mix(12, a), b));
     }},
    {"stablehlo.shift_left",
     [](element_format f, std::uint64_t a, std::uint64_t b) { return detail::shifted(f, a, b, 0); }},
    {"stablehlo.shift_right_logical",
     [](element_format f, std::uint64_t a, std::uint64_t b) { return detail::shifted(f, a, b, 1); }},
    {"stablehlo.shift_right_arithmetic",
     [](element_format f, std::uint64_t a, std::uint64_t b) { return detail::shifted(f, a, b, 2); }},
});
inline binary_function find_binary(std::string_view name) {
  for (auto const& b : binary_ops)
    if (b.name == name) return b.run;
  return nullptr;
}

// --- Evaluators ----------------------------------------------------------------------------------------------

inline bool evaluate_unary(evaluation& e, unary_op const& of) {
  if (!e.has(1) || !same_form(*e.inputs[0], e.outputs[0])) return e.malformed();
  tensor const& a = *e.inputs[0];
  if (is_float_only(of.name) && !a.format.is_float()) return e.malformed();
  for (std::size_t i = 0; i < a.elements.size(); ++i) {
    auto const made = of.run(a.format, a.elements[i]);
    if (!made) return e.malformed();
    e.outputs[0].elements[i] = *made;
  }
  return true;
}

inline bool evaluate_binary(evaluation& e, binary_function run) {
  if (!e.has(2) || !same_form(*e.inputs[0], e.outputs[0]) || !same_form(*e.inputs[1], e.outputs[0]))
    return e.malformed();
  tensor const &a = *e.inputs[0], &b = *e.inputs[1];
  for (std::size_t i = 0; i < a.elements.size(); ++i) {
    auto const made = run(a.format, a.elements[i], b.elements[i]);
    if (!made) return e.malformed();
    e.outputs[0].elements[i] = *made;
  }
  return true;
}

inline bool evaluate_compare(evaluation& e) {
  if (!e.has(2) || !same_form(*e.inputs[0], *e.inputs[1]) || e.inputs[0]->shape != e.outputs[0].shape ||
      !detail::is_boolean(e.outputs[0].format))
    return e.malformed();
  auto const direction = e.enumerator("comparison_direction");
  if (direction.size() != 2) return e.malformed();
  tensor const &a = *e.inputs[0], &b = *e.inputs[1];
  for (std::size_t i = 0; i < a.elements.size(); ++i) {
    std::uint64_t const x = a.elements[i], y = b.elements[i];
    bool holds = direction == "NE";
    if (!a.format.is_float() || (x != exact::nan && y != exact::nan)) {
      bool const below = detail::less(a.format, x, y), above = detail::less(a.format, y, x);
      if (direction == "EQ")
        holds = x == y;
      else if (direction == "NE")
        holds = x != y;
      else if (direction == "LT")
        holds = below;
      else if (direction == "LE")
        holds = !above;
      else if (direction == "GT")
        holds = above;
      else if (direction == "GE")
        holds = !below;
      else
        return e.malformed();
    }
    e.outputs[0].elements[i] = holds;
  }
  return true;
}

inline bool evaluate_select(evaluation& e) {
  if (!e.has(3) || !same_form(*e.inputs[1], e.outputs[0]) || !same_form(*e.inputs[2], e.outputs[0]))
    return e.malformed();
  tensor const& which = *e.inputs[0];
  bool const scalar = which.shape.empty();
  if (!detail::is_boolean(which.format) || (!scalar && which.shape != e.outputs[0].shape))
    return e.malformed();
  for (std::size_t i = 0; i < e.outputs[0].elements.size(); ++i)
    e.outputs[0].elements[i] = e.inputs[which.elements[scalar ? 0 : i] != 0 ? 1 : 2]->elements[i];
  return true;
}

/// Operands: least, value, greatest.
inline bool evaluate_clamp(evaluation& e) {
  if (!e.has(3) || !same_form(*e.inputs[1], e.outputs[0])) return e.malformed();
  for (std::size_t const bound : {0u, 2u})
    if (e.inputs[bound]->format != e.outputs[0].format ||
        (!e.inputs[bound]->shape.empty() && e.inputs[bound]->shape != e.outputs[0].shape))
      return e.malformed();
  auto const highest = find_binary("stablehlo.maximum"), lowest = find_binary("stablehlo.minimum");
  for (std::size_t i = 0; i < e.outputs[0].elements.size(); ++i) {
    auto bound = [&](std::size_t which) {
      auto const& t = *e.inputs[which];
      return t.elements[t.shape.empty() ? 0 : i];
    };
    auto const f = e.outputs[0].format;
    e.outputs[0].elements[i] = *lowest(f, *highest(f, e.inputs[1]->elements[i], bound(0)), bound(2));
  }
  return true;
}

/// The element in another format.
inline std::uint64_t converted(element_format from, element_format to, std::uint64_t v) {
  if (to.is_float()) {
    if (from.is_float()) return v;
    return from.what == element_format::kind::integer ? exact::from_integer(detail::as_signed(v))
                                                      : exact::from_unsigned(v);
  }
  if (detail::is_boolean(to)) return v != 0;
  if (!from.is_float()) return wrap(to, v);
  return wrap(to, static_cast<std::uint64_t>(exact::truncated(v).value_or(0)));
}
inline bool evaluate_convert(evaluation& e) {
  if (!e.has(1) || e.inputs[0]->shape != e.outputs[0].shape) return e.malformed();
  for (std::size_t i = 0; i < e.outputs[0].elements.size(); ++i)
    e.outputs[0].elements[i] = converted(e.inputs[0]->format, e.outputs[0].format, e.inputs[0]->elements[i]);
  return true;
}

/// Between formats of one width. The bits of a float are those of the number in its type if it is a short
/// dyadic one of 32 or 64 bits, else pseudo-random.
inline bool evaluate_bitcast_convert(evaluation& e) {
  if (!e.has(1)) return e.malformed();
  tensor const& in = *e.inputs[0];
  tensor& out = e.outputs[0];
  if (in.format.width != out.format.width)
    return e.fail("it splits or joins elements, which is not simulated");
  if (in.shape != out.shape) return e.malformed();
  auto const* type = e.context().get_if<ir::tensor_type>(e.program.type_of(e.program.result(e.op, 0)));
  auto const* real = type ? detail::simulated_float(e.context(), type->element) : nullptr;
  for (std::size_t i = 0; i < out.elements.size(); ++i) {
    std::uint64_t bits = in.elements[i];
    if (in.format == out.format) {
      out.elements[i] = bits;
      continue;
    }
    if (in.format.is_float()) {
      double const value = exact::as_double(bits).value_or(0);
      bool const known = (value != 0 || bits == 0) && in.format.width >= 32;
      if (!known)
        bits = exact::mix(13, bits);
      else if (in.format.width == 64)
        bits = std::bit_cast<std::uint64_t>(value);
      else if (auto const single = static_cast<float>(value); static_cast<double>(single) == value)
        bits = std::bit_cast<std::uint32_t>(single);
      else
        bits = exact::mix(13, bits);
    }
    std::uint64_t const mask = ~std::uint64_t{0} >> (64u - in.format.width);
    out.elements[i] = real ? detail::exact_number(*real, bits & mask) : wrap(out.format, bits);
  }
  return true;
}

}  // namespace mpmd::sim
