#pragma once
/// How the options of `canonicalize` are written: as mlir-opt takes them, and as switches.

#include <string>
#include <string_view>

#include <mpmd/pipeline/options.hpp>
#include <mpmd/transform/canonicalize.hpp>

namespace mpmd {

/// `disabled`, `normal` or `aggressive`; false is disabled, true or nothing is normal.
template <>
struct option_value<region_simplification> {
  static std::string_view type() { return "disabled|normal|aggressive"; }
  static std::string print(region_simplification r) {
    return r == region_simplification::disabled ? "disabled" : r == region_simplification::normal ? "normal" : "aggressive";
  }
  static option_error parse(std::string_view text, region_simplification& to) {
    for (auto const r : {region_simplification::disabled, region_simplification::normal, region_simplification::aggressive})
      if (text == print(r)) {
        to = r;
        return {};
      }
    bool on = false;
    if (!option_value<bool>::parse(text, on).message.empty())
      return {"'" + std::string(text) + "' is none of disabled, normal and aggressive"};
    to = on ? region_simplification::normal : region_simplification::disabled;
    return {};
  }
};

}  // namespace mpmd
