#pragma once
/// The types of the library's IR, each as plain data. A context uniques them: equal data, equal handle.
///
/// Every struct lists its fields once (`fields`); equality, hashing and translation between contexts follow from
/// that list, so a new field cannot be forgotten in one of them.

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include <mpmd/ir/handles.hpp>

namespace mpmd::ir {

/// The extent of a dimension that is not known statically (`?`).
inline constexpr std::int64_t dynamic_extent = std::numeric_limits<std::int64_t>::min();

enum class signedness : std::uint8_t { signless, is_signed, is_unsigned };

/// `i32`, `si8`, `ui32`.
struct integer_type {
  std::uint32_t width = 0;
  signedness sign = signedness::signless;
  static constexpr auto fields = std::tuple{&integer_type::width, &integer_type::sign};
  friend bool operator==(integer_type const&, integer_type const&) = default;
};

/// `f32`, `bf16`, `f8E4M3FN`, ...: the keyword says it all.
struct float_type {
  std::string keyword;
  static constexpr auto fields = std::tuple{&float_type::keyword};
  friend bool operator==(float_type const&, float_type const&) = default;
};

/// `index`.
struct index_type {
  static constexpr auto fields = std::tuple{};
  friend bool operator==(index_type const&, index_type const&) = default;
};

/// `none`.
struct none_type {
  static constexpr auto fields = std::tuple{};
  friend bool operator==(none_type const&, none_type const&) = default;
};

/// `tensor<8x?xf32, encoding>`.
struct tensor_type {
  std::vector<std::int64_t> shape;
  type element;
  attribute encoding = {};
  static constexpr auto fields = std::tuple{&tensor_type::shape, &tensor_type::element, &tensor_type::encoding};
  friend bool operator==(tensor_type const&, tensor_type const&) = default;
};

/// `tensor<*xf32>`.
struct unranked_tensor_type {
  type element;
  static constexpr auto fields = std::tuple{&unranked_tensor_type::element};
  friend bool operator==(unranked_tensor_type const&, unranked_tensor_type const&) = default;
};

/// `vector<4x[8]xf32>`; `scalable` has one entry a dimension.
struct vector_type {
  std::vector<std::int64_t> shape;
  std::vector<bool> scalable;
  type element;
  static constexpr auto fields = std::tuple{&vector_type::shape, &vector_type::scalable, &vector_type::element};
  friend bool operator==(vector_type const&, vector_type const&) = default;
};

/// `complex<f32>`.
struct complex_type {
  type element;
  static constexpr auto fields = std::tuple{&complex_type::element};
  friend bool operator==(complex_type const&, complex_type const&) = default;
};

/// `tuple<i32, f32>`.
struct tuple_type {
  std::vector<type> elements;
  static constexpr auto fields = std::tuple{&tuple_type::elements};
  friend bool operator==(tuple_type const&, tuple_type const&) = default;
};

/// `(i32) -> (f32, f32)`.
struct function_type {
  std::vector<type> inputs;
  std::vector<type> results;
  static constexpr auto fields = std::tuple{&function_type::inputs, &function_type::results};
  friend bool operator==(function_type const&, function_type const&) = default;
};

/// `!stablehlo.token`.
struct token_type {
  static constexpr auto fields = std::tuple{};
  friend bool operator==(token_type const&, token_type const&) = default;
};

/// `!mpmd.mesh_tensor<"m1", tensor<8xf32>, sharding=<@mesh, [{"x"}]>, memory_kind="pinned_host">`: a tensor of the
/// global shape `global` which lives on mesh `mesh`. Sharding and memory kind may be absent; an absent sharding means
/// fully replicated, and an absent memory kind differs from "device".
struct mesh_tensor_type {
  std::string mesh;
  type global;
  attribute sharding = {};
  std::optional<std::string> memory_kind = {};
  static constexpr auto fields = std::tuple{&mesh_tensor_type::mesh, &mesh_tensor_type::global,
                                            &mesh_tensor_type::sharding, &mesh_tensor_type::memory_kind};
  friend bool operator==(mesh_tensor_type const&, mesh_tensor_type const&) = default;
};

/// Any type this IR has no structure for, kept as the text it is written with: `!util.ptr<i32>`, `memref<4xf32, 1>`.
/// White space in it is normalised by the reader.
struct opaque_type {
  std::string text;
  static constexpr auto fields = std::tuple{&opaque_type::text};
  friend bool operator==(opaque_type const&, opaque_type const&) = default;
};

using type_data = std::variant<integer_type, float_type, index_type, none_type, tensor_type, unranked_tensor_type,
                               vector_type, complex_type, tuple_type, function_type, token_type, mesh_tensor_type,
                               opaque_type>;

}  // namespace mpmd::ir
