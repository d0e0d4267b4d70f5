#pragma once
/// Names of attributes that are asked for so often that comparing text would show.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <mpmd/ir/opcodes.hpp>

namespace mpmd::ir {

/// Their ids are the same in every context: they follow those of the known ops.
enum class attribute_key : std::uint32_t { attrs, callee, device, domain, hint, kind, kwargs, own_name, segments, own_value };

inline constexpr std::array<std::string_view, 10> attribute_keys{"attrs", "callee", "device", "domain",   "hint",
                                                                "kind",  "kwargs", "name",   "segments", "value"};

constexpr std::uint32_t name_id(attribute_key k) {
  return static_cast<std::uint32_t>(known_ops.size()) + static_cast<std::uint32_t>(k);
}

}  // namespace mpmd::ir
