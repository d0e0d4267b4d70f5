#pragma once
/// The attributes of the library's IR, each as plain data, uniqued by a context like the types (see types.hpp).
/// Builtin attributes of MLIR and the fall-back for foreign dialects stand here; those of the sdy and mpmd dialects
/// in dialect_attributes.hpp, locations in location_attributes.hpp.

#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <mpmd/ir/handles.hpp>

namespace mpmd::ir {

/// An attribute without a value: its presence says everything.
struct unit_attr {
  static constexpr auto fields = std::tuple{};
  friend bool operator==(unit_attr const&, unit_attr const&) = default;
};

/// `3 : i64`, `true` (which is 1 : i1), `4 : index`. Widths up to 64 bits; the value is sign-extended for signless
/// and signed types and zero-extended for unsigned ones.
struct integer_attr {
  std::int64_t value = 0;
  type of;
  static constexpr auto fields = std::tuple{&integer_attr::value, &integer_attr::of};
  friend bool operator==(integer_attr const&, integer_attr const&) = default;
};

/// `1.0 : f32`: the bits of the value in the format of its type, so that NaN payloads survive.
struct float_attr {
  std::uint64_t bits = 0;
  type of;
  static constexpr auto fields = std::tuple{&float_attr::bits, &float_attr::of};
  friend bool operator==(float_attr const&, float_attr const&) = default;
};

/// `"text"`, or `"text" : type`.
struct string_attr {
  std::string text;
  type of = {};
  static constexpr auto fields = std::tuple{&string_attr::text, &string_attr::of};
  friend bool operator==(string_attr const&, string_attr const&) = default;
};

/// `@root::@nested`.
struct symbol_ref_attr {
  std::string root;
  std::vector<std::string> nested = {};
  static constexpr auto fields = std::tuple{&symbol_ref_attr::root, &symbol_ref_attr::nested};
  friend bool operator==(symbol_ref_attr const&, symbol_ref_attr const&) = default;
};

/// A type as an attribute.
struct type_attr {
  type held;
  static constexpr auto fields = std::tuple{&type_attr::held};
  friend bool operator==(type_attr const&, type_attr const&) = default;
};

/// `[a, b]`.
struct array_attr {
  std::vector<attribute> elements;
  static constexpr auto fields = std::tuple{&array_attr::elements};
  friend bool operator==(array_attr const&, array_attr const&) = default;
};

/// `{a = 1, b}`, sorted by name in byte order, no name twice. context::dictionary() makes one from unsorted entries.
struct dictionary_attr {
  std::vector<std::pair<name, attribute>> entries;
  static constexpr auto fields = std::tuple{&dictionary_attr::entries};
  friend bool operator==(dictionary_attr const&, dictionary_attr const&) = default;
};

/// `dense<[1, 2]> : tensor<2xi32>`. `data` holds the elements in row-major order, little endian, each in the smallest
/// whole number of bytes (i1: one byte of 0 or 1; complex: real then imaginary part); one element when `splat`.
/// A value that could be a splat always is.
struct dense_attr {
  type of;
  std::string data;
  bool splat = false;
  static constexpr auto fields = std::tuple{&dense_attr::of, &dense_attr::data, &dense_attr::splat};
  friend bool operator==(dense_attr const&, dense_attr const&) = default;
};

/// `array<i64: 1, 2>`; element types i1, i8 ... i64, f32, f64 (floats as bits of their format).
struct dense_array_attr {
  type element;
  std::vector<std::int64_t> values;
  static constexpr auto fields = std::tuple{&dense_array_attr::element, &dense_array_attr::values};
  friend bool operator==(dense_array_attr const&, dense_array_attr const&) = default;
};

/// `dense_resource<key> : tensor<4xf32>`: elements kept in the resource section of the file.
struct dense_resource_attr {
  std::string key;
  type of;
  static constexpr auto fields = std::tuple{&dense_resource_attr::key, &dense_resource_attr::of};
  friend bool operator==(dense_resource_attr const&, dense_resource_attr const&) = default;
};

/// Any attribute this IR has no structure for, kept as text with normalised white space: `#stablehlo<precision
/// DEFAULT>`, `affine_map<(d0) -> (d0)>`. `of` is the type written after a colon, if any.
struct opaque_attr {
  std::string text;
  type of = {};
  static constexpr auto fields = std::tuple{&opaque_attr::text, &opaque_attr::of};
  friend bool operator==(opaque_attr const&, opaque_attr const&) = default;
};

}  // namespace mpmd::ir
