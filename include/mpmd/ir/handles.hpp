#pragma once
/// The 32-bit names by which the parts of a program are known. A handle is an index into an arena of the program
/// (or of its context), so a map from ops or values to facts is an array.

#include <compare>
#include <cstdint>
#include <functional>

#include <mpmd/support/source.hpp>

namespace mpmd::ir {

/// A typed index. Default constructed: none.
template <class Tag>
struct handle {
  static constexpr std::uint32_t none = 0xFFFFFFFFu;
  std::uint32_t id = none;

  constexpr explicit operator bool() const { return id != none; }
  friend constexpr auto operator<=>(handle, handle) = default;
};

using op = handle<struct op_tag>;
using value = handle<struct value_tag>;
using block = handle<struct block_tag>;
using region = handle<struct region_tag>;
using type = handle<struct type_tag>;
using attribute = handle<struct attribute_tag>;
using name = handle<struct name_tag>;  ///< an interned string: op names, attribute names

/// Where an op comes from: the text it was read from (for carets) and the location the program itself gives it
/// (`loc(...)`, kept through passes and printed on demand); either may be missing.
struct location {
  source_position text = {};
  attribute given = {};

  friend constexpr bool operator==(location, location) = default;
};

}  // namespace mpmd::ir

template <class Tag>
struct std::hash<mpmd::ir::handle<Tag>> {
  std::size_t operator()(mpmd::ir::handle<Tag> h) const noexcept { return h.id; }
};
