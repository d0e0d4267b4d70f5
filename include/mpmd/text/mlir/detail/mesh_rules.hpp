#pragma once
/// When a mesh attribute is well-formed, as Shardy checks it whenever one is built.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <mpmd/ir/dialect_attributes.hpp>

namespace mpmd::text::mlir::detail {

/// 0, 1, ..., n - 1.
inline bool is_iota(std::vector<std::int64_t> const& ids) {
  for (std::size_t i = 0; i < ids.size(); ++i)
    if (ids[i] != static_cast<std::int64_t>(i)) return false;
  return true;
}

/// Device ids in their default order are not stored. A mesh without axes keeps its one id, which names the device.
inline void drop_iota(ir::mesh_attr& mesh) {
  if (!mesh.axes.empty() && is_iota(mesh.device_ids)) mesh.device_ids.clear();
}

/// What is wrong with a mesh, or nothing. O(n log n).
inline std::string mesh_defect(ir::mesh_attr const& mesh) {
  std::vector<std::string_view> labels;
  std::int64_t product = 1;
  bool overflow = false;
  for (auto const& axis : mesh.axes) {
    if (axis.size < 1) return "axis size must be at least 1, got: " + std::to_string(axis.size);
    overflow = overflow || product > std::numeric_limits<std::int64_t>::max() / axis.size;
    if (!overflow) product *= axis.size;
    labels.push_back(axis.label);
  }
  std::sort(labels.begin(), labels.end());
  auto const twice = std::adjacent_find(labels.begin(), labels.end());
  if (twice != labels.end()) return "duplicate axis name: \"" + std::string(*twice) + '"';
  if (overflow) return "the product of the axis sizes is too large";
  for (auto id : mesh.device_ids)
    if (id < 0) return "device id must be non-negative, got: " + std::to_string(id);
  if (mesh.axes.empty())
    return mesh.device_ids.size() > 1 ? "axes is empty and device_ids has more than one element" : "";
  if (mesh.device_ids.empty()) return {};
  auto const count = static_cast<std::int64_t>(mesh.device_ids.size());
  if (count != product)
    return "total product of axis sizes must match total number of device ids, got: " + std::to_string(product) +
           " != " + std::to_string(count);
  auto sorted = mesh.device_ids;
  std::sort(sorted.begin(), sorted.end());
  if (is_iota(sorted)) return {};
  std::string list;
  for (auto id : sorted) list += (list.empty() ? "" : ", ") + std::to_string(id);
  return "sorted device ids must be iota(product(axes)), got: " + list;
}

}  // namespace mpmd::text::mlir::detail
