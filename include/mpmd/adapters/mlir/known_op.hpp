#pragma once
/// What the library knows of an MLIR op, by the name that the dialect gives it.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <mlir/IR/OpDefinition.h>
#include <mlir/IR/Operation.h>

#include <mpmd/ir/opcodes.hpp>

namespace mpmd::adapters {

namespace detail {
/// The places of ir::known_ops, by name.
inline constexpr auto known_ops_by_name = [] {
  std::array<std::uint16_t, ir::known_ops.size()> places{};
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = static_cast<std::uint16_t>(i);
  std::sort(places.begin(), places.end(),
            [](std::uint16_t a, std::uint16_t b) { return ir::known_ops[a].name < ir::known_ops[b].name; });
  return places;
}();
}  // namespace detail

inline std::string_view text_of(llvm::StringRef s) { return {s.data(), s.size()}; }
inline std::string_view name_of(::mlir::Operation* o) { return text_of(o->getName().getStringRef()); }

/// What is known of an op of that name, or null. O(log known ops).
inline ir::op_info const* known_op(std::string_view name) {
  auto const& all = detail::known_ops_by_name;
  auto const at = std::lower_bound(all.begin(), all.end(), name, [](std::uint16_t place, std::string_view key) {
    return ir::known_ops[place].name < key;
  });
  return at != all.end() && ir::known_ops[*at].name == name ? &ir::known_ops[*at] : nullptr;
}

}  // namespace mpmd::adapters
