#pragma once
/// Small dense tensors, the values of a simulation. Equal values are equal bit for bit.

#include <bit>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <mpmd/ir/context.hpp>
#include <mpmd/sim/exact.hpp>
#include <mpmd/support/float_format.hpp>

namespace mpmd::sim {

/// What the elements of a tensor are. A token is a tensor of rank 0 whose one element stands for all that
/// happened before.
struct element_format {
  enum class kind : std::uint8_t { boolean, integer, unsigned_integer, floating, token };
  kind what = kind::integer;
  std::uint8_t width = 64;  ///< in bits; of a float only for sizes, its numbers are exact

  constexpr bool is_integer() const { return what == kind::integer || what == kind::unsigned_integer; }
  constexpr bool is_float() const { return what == kind::floating; }
  friend bool operator==(element_format const&, element_format const&) = default;
};

/// The value of an integer of this format that has these low bits: sign- or zero-extended.
constexpr std::uint64_t wrap(element_format f, std::uint64_t bits) {
  if (f.what == element_format::kind::boolean) return bits & 1;
  if (f.what == element_format::kind::floating || f.what == element_format::kind::token || f.width >= 64) return bits;
  unsigned const spare = 64u - f.width;
  if (f.what == element_format::kind::unsigned_integer) return bits << spare >> spare;
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(bits << spare) >> spare);
}

struct tensor {
  std::vector<std::int64_t> shape;
  element_format format;
  /// Row-major. Booleans are 0 or 1, integers are extended to 64 bits, floats are exact numbers.
  std::vector<std::uint64_t> elements;

  /// Bytes of the tensor that is simulated, not of this object.
  std::uint64_t bytes() const { return (elements.size() * format.width + 7) / 8; }
  friend bool operator==(tensor const&, tensor const&) = default;
};

/// A hash of everything about a tensor.
inline std::uint64_t digest(tensor const& t) {
  std::uint64_t h = exact::mix(static_cast<std::uint64_t>(t.format.what), t.format.width);
  for (std::int64_t const extent : t.shape) h = exact::mix(h, static_cast<std::uint64_t>(extent));
  for (std::uint64_t const e : t.elements) h = exact::mix(h, e);
  return h;
}

/// Some element of a format for a hash.
inline std::uint64_t element_from_hash(element_format f, std::uint64_t h) {
  return f.is_float() ? exact::from_hash(h) : wrap(f, h);
}

// --- Float encodings -----------------------------------------------------------------------------------------

namespace detail {
/// The format of a type of floats that fill whole bytes, 8 at most; null for any other type.
inline float_format const* simulated_float(ir::context const& in, ir::type element) {
  auto const* f = in.get_if<ir::float_type>(element);
  auto const* format = f ? find_float_format(f->keyword) : nullptr;
  return format && format->width % 8 == 0 && format->width <= 64 ? format : nullptr;
}

/// The exact number that an encoding stands for. Both zeros are zero.
inline std::uint64_t exact_number(float_format const& f, std::uint64_t bits) {
  auto const parts = decode_float(f, {bits, 0});
  if (parts.what == float_parts::kind::nan) return exact::nan;
  if (parts.what == float_parts::kind::infinite) return parts.negative ? exact::minus_infinity : exact::infinity;
  return exact::from_dyadic(parts.negative, parts.significand.low, parts.exponent);
}
}  // namespace detail

// --- Types and constants -------------------------------------------------------------------------------------

/// The shape and element format of a type.
struct tensor_form {
  std::vector<std::int64_t> shape;
  element_format format;
  friend bool operator==(tensor_form const&, tensor_form const&) = default;
};

/// The element format of an element type; nothing for a type whose elements are not simulated.
inline std::optional<element_format> format_of(ir::context const& in, ir::type element) {
  using kind = element_format::kind;
  if (auto const* i = in.get_if<ir::integer_type>(element)) {
    if (i->width == 0 || i->width > 64) return std::nullopt;
    auto const width = static_cast<std::uint8_t>(i->width);
    if (i->width == 1 && i->sign == ir::signedness::signless) return element_format{kind::boolean, 1};
    return element_format{i->sign == ir::signedness::is_unsigned ? kind::unsigned_integer : kind::integer,
                          width};
  }
  if (in.get_if<ir::index_type>(element)) return element_format{kind::integer, 64};
  auto const* format = detail::simulated_float(in, element);
  if (format == nullptr) return std::nullopt;
  return element_format{kind::floating, static_cast<std::uint8_t>(format->width)};
}

/// The form of the values of a type: of a tensor, of the global tensor inside a mesh tensor, or of a token.
/// Nothing for anything else, and for shapes that are not static.
inline std::optional<tensor_form> form_of(ir::context const& in, ir::type t) {
  if (auto const* placed = in.get_if<ir::mesh_tensor_type>(t)) t = placed->global;
  if (in.get_if<ir::token_type>(t)) return tensor_form{{}, {element_format::kind::token, 0}};
  auto const* tensor = in.get_if<ir::tensor_type>(t);
  if (tensor == nullptr) return std::nullopt;
  auto const format = format_of(in, tensor->element);
  if (!format) return std::nullopt;
  for (std::int64_t const extent : tensor->shape)
    if (extent < 0) return std::nullopt;
  return tensor_form{tensor->shape, *format};
}

/// How many elements a static shape has; at most `limit` + 1.
inline std::uint64_t element_count(std::vector<std::int64_t> const& shape, std::uint64_t limit) {
  for (std::int64_t const extent : shape)
    if (extent == 0) return 0;
  std::uint64_t count = 1;
  for (std::int64_t const extent : shape) {
    auto const n = static_cast<std::uint64_t>(extent);
    if (n > (limit + 1) / count) return limit + 1;
    count *= n;
  }
  return count;
}

/// The tensor of a dense attribute; nothing if its type is not simulated or its data do not fit the type. The
/// caller has checked the size.
inline std::optional<tensor> tensor_of(ir::context const& in, ir::dense_attr const& dense) {
  auto form = form_of(in, dense.of);
  auto const* type = in.get_if<ir::tensor_type>(dense.of);
  if (!form || type == nullptr) return std::nullopt;
  std::size_t const size = (form->format.width + 7u) / 8u;
  auto const* real = detail::simulated_float(in, type->element);
  std::uint64_t const count = element_count(form->shape, ~std::uint64_t{0} - 1);
  if (dense.data.size() != (dense.splat ? size : size * count)) return std::nullopt;
  auto element = [&](std::size_t i) {
    std::uint64_t bits = 0;
    for (std::size_t b = size; b-- > 0;)
      bits = bits << 8 | static_cast<unsigned char>(dense.data[i * size + b]);
    return real ? detail::exact_number(*real, bits) : wrap(form->format, bits);
  };
  tensor made{std::move(form->shape), form->format, {}};
  if (dense.splat)
    made.elements.assign(count, count == 0 ? 0 : element(0));
  else
    for (std::size_t i = 0; i < count; ++i) made.elements.push_back(element(i));
  return made;
}

// --- Text ----------------------------------------------------------------------------------------------------

/// An element as a person reads it; an exact number without a short form is shown as its residue.
inline std::string to_text(element_format f, std::uint64_t e) {
  switch (f.what) {
    case element_format::kind::boolean: return e != 0 ? "true" : "false";
    case element_format::kind::unsigned_integer: return std::to_string(e);
    case element_format::kind::integer: return std::to_string(static_cast<std::int64_t>(e));
    case element_format::kind::token: return "token " + std::to_string(e);
    case element_format::kind::floating: break;
  }
  if (e == exact::infinity) return "inf";
  if (e == exact::minus_infinity) return "-inf";
  if (e == exact::nan) return "nan";
  auto const value = exact::as_double(e);
  if (!value) return "residue " + std::to_string(e);
  char buffer[32];
  auto const done = std::to_chars(buffer, buffer + sizeof buffer, *value);
  return std::string(buffer, done.ptr);
}

/// `[1, 0, 3]` for element 4 * 1 + ... of a shape.
inline std::string index_text(std::vector<std::int64_t> const& shape, std::uint64_t element) {
  std::string out;
  for (std::size_t d = shape.size(); d-- > 0;) {
    auto const extent = static_cast<std::uint64_t>(shape[d]);
    out = std::to_string(element % extent) + (out.empty() ? "" : ", ") + out;
    element /= extent;
  }
  return "[" + out + "]";
}

}  // namespace mpmd::sim
