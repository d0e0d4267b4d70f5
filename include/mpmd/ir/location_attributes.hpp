#pragma once
/// Locations that a program states itself, in the forms of MLIR.

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include <mpmd/ir/handles.hpp>

namespace mpmd::ir {

/// `unknown`.
struct unknown_loc {
  static constexpr auto fields = std::tuple{};
  friend bool operator==(unknown_loc const&, unknown_loc const&) = default;
};

/// `"file":3:7`, or a range `"file":3:7 to 4:2`; the end is (0, 0) when there is none.
struct file_loc {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::uint32_t end_line = 0;
  std::uint32_t end_column = 0;
  static constexpr auto fields = std::tuple{&file_loc::file, &file_loc::line, &file_loc::column, &file_loc::end_line,
                                            &file_loc::end_column};
  friend bool operator==(file_loc const&, file_loc const&) = default;
};

/// `"name"`, or `"name"(child)`; no child is unknown, and ir::context makes none of an unknown one.
struct name_loc {
  std::string text;
  attribute child = {};
  static constexpr auto fields = std::tuple{&name_loc::text, &name_loc::child};
  friend bool operator==(name_loc const&, name_loc const&) = default;
};

/// `fused<metadata>[a, b]`.
struct fused_loc {
  std::vector<attribute> parts;
  attribute metadata = {};
  static constexpr auto fields = std::tuple{&fused_loc::parts, &fused_loc::metadata};
  friend bool operator==(fused_loc const&, fused_loc const&) = default;
};

/// `callsite(callee at caller)`.
struct callsite_loc {
  attribute callee;
  attribute caller;
  static constexpr auto fields = std::tuple{&callsite_loc::callee, &callsite_loc::caller};
  friend bool operator==(callsite_loc const&, callsite_loc const&) = default;
};

}  // namespace mpmd::ir
