#pragma once
/// How the elements of dense attributes are stored, for reader and printer alike.

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <mpmd/ir/context.hpp>
#include <mpmd/text/mlir/number.hpp>

namespace mpmd::text::mlir {

/// How integers of a type behave, or nothing for any other type.
inline std::optional<integer_format> integer_format_of(ir::context const& in, ir::type of) {
  if (in.get_if<ir::index_type>(of) != nullptr) return integer_format{64, ir::signedness::signless, true};
  if (auto const* i = in.get_if<ir::integer_type>(of)) return integer_format{i->width, i->sign, false};
  return std::nullopt;
}

namespace detail {

/// The scalars of an element type: integers, numbers of a known float format, or (`raw_float`) bytes of a
/// float type that has neither sign nor zero.
struct element {
  integer_format integer = {};
  float_format const* real = nullptr;
  bool raw_float = false;
  bool complex = false;

  unsigned width() const { return real != nullptr ? real->width : raw_float ? 8 : integer.width; }
  std::size_t scalar_size() const { return width() == 0 ? 1 : (width() + 7) / 8; }
  std::size_t size() const { return complex ? scalar_size() * 2 : scalar_size(); }
  unsigned spare_bits() const { return static_cast<unsigned>(scalar_size() * 8) - width(); }
  /// Stored eight to a byte in hexadecimal text.
  bool is_bit() const { return width() == 1 && !complex; }
};

inline std::optional<element> scalar_of(ir::context const& in, ir::type of) {
  element made;
  if (auto const* f = in.get_if<ir::float_type>(of)) {
    made.real = find_float_format(f->keyword);
    made.raw_float = made.real == nullptr;
    return made;
  }
  auto const integer = integer_format_of(in, of);
  if (!integer) return std::nullopt;
  made.integer = *integer;
  return made;
}

/// Null unless the type is a ranked tensor or a vector.
inline std::vector<std::int64_t> const* shape_of(ir::context const& in, ir::type of) {
  if (auto const* t = in.get_if<ir::tensor_type>(of)) return &t->shape;
  if (auto const* v = in.get_if<ir::vector_type>(of)) return &v->shape;
  return nullptr;
}

/// Nothing for elements that are no numbers.
inline std::optional<element> element_of(ir::context const& in, ir::type shaped) {
  auto const* t = in.get_if<ir::tensor_type>(shaped);
  auto const* v = in.get_if<ir::vector_type>(shaped);
  ir::type const of = t != nullptr ? t->element : v->element;
  auto const* c = in.get_if<ir::complex_type>(of);
  auto made = scalar_of(in, c != nullptr ? c->element : of);
  if (made) made->complex = c != nullptr;
  return made;
}

/// The number of elements of a static shape, or the greatest number if it is greater still.
inline std::uint64_t element_count(ir::context const& in, ir::type shaped) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t count = 1;
  for (auto extent : *shape_of(in, shaped)) {
    auto const e = static_cast<std::uint64_t>(extent);
    if (e == 0) return 0;
    count = count > most / e ? most : count * e;
  }
  return count;
}

inline void append_bits(std::string& to, bits128 bits, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i, bits = bits >> 8)
    to += static_cast<char>(static_cast<unsigned char>(bits.low));
}
inline bits128 load_bits(std::string_view bytes) {
  bits128 bits;
  for (std::size_t i = bytes.size(); i-- > 0;)
    bits = bits << 8 | bits128{static_cast<unsigned char>(bytes[i]), 0};
  return bits;
}

}  // namespace detail
}  // namespace mpmd::text::mlir
