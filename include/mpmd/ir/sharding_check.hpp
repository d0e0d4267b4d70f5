#pragma once
/// What is wrong with a mesh or with a sharding, in words. The rules and the words are those of Shardy's sdy
/// dialect, in its order, since the first fault found is the one reported.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <mpmd/ir/context.hpp>
#include <mpmd/ir/sharding.hpp>
#include <mpmd/ir/type_text.hpp>

namespace mpmd::ir {

/// A message, or nothing when all is well.
using fault = std::optional<std::string>;

/// Axis sizes, names and device ids. O(n log n).
inline fault find_fault(mesh_attr const& mesh) {
  for (auto const& axis : mesh.axes)
    if (axis.size < 1) return "axis size must be at least 1, got: " + std::to_string(axis.size);
  std::vector<std::string_view> labels;
  for (auto const& axis : mesh.axes) labels.push_back(axis.label);
  std::sort(labels.begin(), labels.end());
  if (auto const twice = std::adjacent_find(labels.begin(), labels.end()); twice != labels.end())
    return "duplicate axis name: \"" + std::string(*twice) + "\"";
  for (std::int64_t const id : mesh.device_ids)
    if (id < 0) return "device id must be non-negative, got: " + std::to_string(id);
  if (mesh.axes.empty()) {
    if (mesh.device_ids.size() > 1) return "axes is empty and device_ids has more than one element";
    return {};
  }
  if (mesh.device_ids.empty()) return {};
  std::int64_t const product = device_count(mesh);
  if (product != static_cast<std::int64_t>(mesh.device_ids.size()))
    return "total product of axis sizes must match total number of device ids, got: " +
           std::to_string(product) + " != " + std::to_string(mesh.device_ids.size());
  std::vector<std::int64_t> sorted = mesh.device_ids;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    if (sorted[i] == static_cast<std::int64_t>(i)) continue;
    std::string got;
    for (std::int64_t const id : sorted) got += (got.empty() ? "" : ", ") + std::to_string(id);
    return "sorted device ids must be iota(product(axes)), got: " + got;
  }
  if (sorted == mesh.device_ids) return "device ids in increasing order say nothing and must be left out";
  return {};
}

namespace detail {

/// Checks the axis lists of one sharding against one mesh.
class axis_checker {
 public:
  explicit axis_checker(mesh_attr const& mesh) : mesh_(mesh), of_axis_(mesh.axes.size()) {}

  /// One list: known names, nothing named twice in the whole sharding, no neighbours that are one sub-axis.
  fault check(std::vector<axis_ref> const& axes) {
    for (axis_ref const& a : axes) {
      auto const at = axis_position(mesh_, a.axis);
      if (!at) return "unknown axis name: \"" + a.axis + "\"";
      if (!seen_.insert({*at, a.pre_size, a.size}).second) return "duplicate axis ref: " + to_text(a);
      of_axis_[*at].push_back(a);
    }
    for (std::size_t i = 1; i < axes.size(); ++i)
      if (can_merge(axes[i - 1], axes[i]))
        return "two consecutive sub-axes can be merged: " + to_text(axes[i - 1]) + ", " + to_text(axes[i]);
    return {};
  }

  fault check_ordered(std::vector<axis_ref> const& axes, std::string_view which) {
    for (std::size_t i = 1; i < axes.size(); ++i)
      if (compare_axes(mesh_, axes[i], axes[i - 1]) < 0)
        return std::string(which) + " axes are not ordered w.r.t. mesh";
    return check(axes);
  }

  /// What the lists together say about each axis that is split into sub-axes.
  fault check_sub_axes() {
    for (std::size_t i = 0; i < of_axis_.size(); ++i) {
      auto& refs = of_axis_[i];
      auto const sub_axes =
          std::count_if(refs.begin(), refs.end(), [](axis_ref const& a) { return a.is_sub_axis(); });
      if (sub_axes == 0) continue;
      std::string const& label = mesh_.axes[i].label;
      std::int64_t const full = mesh_.axes[i].size;
      if (static_cast<std::size_t>(sub_axes) != refs.size())
        return "both sub-axis and full-axis are used for axis name: \"" + label + "\"";
      for (axis_ref const& a : refs) {
        if (a.pre_size < 1) return "sub-axis pre-size must be at least 1: " + to_text(a);
        if (a.size <= 1) return "sub-axis sizes must be greater than 1: " + to_text(a);
        std::int64_t const next = next_pre_size(a);
        if (next > full || full % next != 0)
          return "sub-axis next pre-size " + std::to_string(next) +
                 " doesn't divide the size of the full axis " + std::to_string(full) + ": " + to_text(a);
        if (a.size == full) return "sub-axis size is equal to the full axis size: " + to_text(a);
      }
      std::sort(refs.begin(), refs.end(),
                [&](axis_ref const& a, axis_ref const& b) { return compare_axes(mesh_, a, b) < 0; });
      for (std::size_t k = 1; k < refs.size(); ++k)
        if (next_pre_size(refs[k - 1]) > refs[k].pre_size)
          return "overlapping sub-axes: " + to_text(refs[k - 1]) + ", " + to_text(refs[k]);
    }
    return {};
  }

 private:
  mesh_attr const& mesh_;
  std::vector<std::vector<axis_ref>>
      of_axis_;  // the references to each axis of the mesh, in order of appearance
  std::set<std::tuple<std::size_t, std::int64_t, std::int64_t>> seen_;
};

}  // namespace detail

enum class divisibility : bool { ignored, required };

/// Whether a sharding fits a type on a mesh. With `divisibility::required`, a static dimension must be a
/// multiple of the product of its axes. O(axes named * axes of the mesh): a mesh has a handful.
inline fault find_fault(context const& in, sharding_attr const& sharding, type of, mesh_attr const& mesh,
                        divisibility divides) {
  bool const plain = sharding.dims.empty() && sharding.replicated.empty() && sharding.unreduced.empty();
  if (mesh.is_maximal()) {
    if (!plain)
      return "a maximal sharding can only have a sharding with rank 0 and no replicated or unreduced axes";
    return {};
  }
  if (auto const* tuple = in.get_if<tuple_type>(of)) {
    if (tuple->elements.size() != 1) return "ops can only have a sharding for a tuple of size 1";
    of = tuple->elements[0];
  }
  if (in.get_if<unranked_tensor_type>(of) != nullptr) return "only ranked tensors can have a sharding";
  auto const rank = rank_of(in, of);
  if (!rank) {
    if (!plain)
      return "non-shaped tensors can only have a sharding with rank 0 and no replicated or unreduced axes";
    return {};
  }
  if (sharding.dims.size() != *rank)
    return "sharding doesn't match tensor rank: " + std::to_string(sharding.dims.size()) +
           " != " + std::to_string(*rank);

  auto const* placed = in.get_if<mesh_tensor_type>(of);
  auto const* tensor = in.get_if<tensor_type>(placed ? placed->global : of);
  auto const* vector = in.get_if<vector_type>(of);
  std::vector<std::int64_t> const& shape = tensor ? tensor->shape : vector->shape;
  detail::axis_checker axes(mesh);
  for (std::size_t i = 0; i < sharding.dims.size(); ++i) {
    dim_sharding const& d = sharding.dims[i];
    std::string const dim = "dim " + std::to_string(i);
    if (d.priority && *d.priority < 0)
      return dim + " has a negative priority: " + std::to_string(*d.priority);
    if (d.priority && d.axes.empty() && !d.open) return dim + " is empty and closed but has a priority";
    if (auto bad = axes.check(d.axes)) return bad;
    std::int64_t const parts = sharded_size(mesh, d.axes);
    if (divides == divisibility::required && shape[i] != dynamic_extent && parts > 0 && shape[i] % parts != 0)
      return dim + " with size " + std::to_string(shape[i]) + " is not divisible by its sharded size " +
             std::to_string(parts);
  }
  if (auto bad = axes.check_ordered(sharding.replicated, "replicated")) return bad;
  if (auto bad = axes.check_ordered(sharding.unreduced, "unreduced")) return bad;
  return axes.check_sub_axes();
}

}  // namespace mpmd::ir
