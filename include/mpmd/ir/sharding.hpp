#pragma once
/// Questions about meshes, axes and shardings of the sdy dialect, and shapes under them. Shardy's
/// documentation of the dialect is the source of the notions.

#include <compare>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <mpmd/ir/context.hpp>

namespace mpmd::ir {

/// a * b for non-negative factors, or the largest number there is: sizes in text may be absurd.
constexpr std::int64_t saturating_product(std::int64_t a, std::int64_t b) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  return a > 0 && b > most / a ? most : a * b;
}

// --- Axes ------------------------------------------------------------------------------------------------------

/// Position of the axis in the mesh, or nothing. O(axes).
inline std::optional<std::size_t> axis_position(mesh_attr const& mesh, std::string_view label) {
  for (std::size_t i = 0; i < mesh.axes.size(); ++i)
    if (mesh.axes[i].label == label) return i;
  return {};
}
inline bool has_axis(mesh_attr const& mesh, std::string_view label) {
  return axis_position(mesh, label).has_value();
}

/// Size of a named axis; 1 when the mesh does not have it.
inline std::int64_t axis_size(mesh_attr const& mesh, std::string_view label) {
  auto const at = axis_position(mesh, label);
  return at ? mesh.axes[*at].size : 1;
}
/// Size of a full axis or of a sub-axis.
inline std::int64_t axis_size(mesh_attr const& mesh, axis_ref const& a) {
  return a.is_sub_axis() ? a.size : axis_size(mesh, a.axis);
}
/// Product of the sizes of some axes.
inline std::int64_t sharded_size(mesh_attr const& mesh, std::vector<axis_ref> const& axes) {
  std::int64_t product = 1;
  for (auto const& a : axes) product = saturating_product(product, axis_size(mesh, a));
  return product;
}
/// Number of devices: the product of all axes, or the number of ids of a mesh without axes.
inline std::int64_t device_count(mesh_attr const& mesh) {
  if (mesh.axes.empty()) return static_cast<std::int64_t>(mesh.device_ids.size());
  std::int64_t product = 1;
  for (auto const& a : mesh.axes) product = saturating_product(product, a.size);
  return product;
}

/// Where a sub-axis ends and the next one of its axis may start.
constexpr std::int64_t next_pre_size(axis_ref const& a) { return saturating_product(a.pre_size, a.size); }

/// Whether `b` starts in the same axis where `a` ends, so that both together are one sub-axis.
inline bool can_merge(axis_ref const& a, axis_ref const& b) {
  return a.axis == b.axis && a.is_sub_axis() && b.is_sub_axis() && next_pre_size(a) == b.pre_size;
}

/// Order of axes by their place in the mesh; those not in it stand last, by name. In one axis a full axis
/// counts as the sub-axis that starts at 1 and is the largest.
inline std::strong_ordering compare_axes(mesh_attr const& mesh, axis_ref const& a, axis_ref const& b) {
  if (a.axis != b.axis) {
    std::size_t const last = mesh.axes.size();
    auto const by_place =
        axis_position(mesh, a.axis).value_or(last) <=> axis_position(mesh, b.axis).value_or(last);
    return by_place != 0 ? by_place : a.axis.compare(b.axis) <=> 0;
  }
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  auto const key = [most](axis_ref const& r) {
    return r.is_sub_axis() ? std::pair(r.pre_size, r.size) : std::pair(std::int64_t{1}, most);
  };
  return key(a) <=> key(b);
}

/// The axes that a `manual_axes` attribute names: an array of strings, or the text `#sdy<manual_axes {"x",
/// "y"}>`. Nothing if it is neither.
inline std::optional<std::vector<std::string>> manual_axes(context const& in, attribute held) {
  std::vector<std::string> found;
  if (auto const* array = in.get_if<array_attr>(held)) {
    for (attribute const e : array->elements) {
      auto const* label = in.get_if<string_attr>(e);
      if (label == nullptr) return {};
      found.push_back(label->text);
    }
    return found;
  }
  auto const* opaque = in.get_if<opaque_attr>(held);
  if (opaque == nullptr || !opaque->text.starts_with("#sdy<manual_axes")) return {};
  auto hex = [](char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
                                  : -1;
  };
  std::string_view rest = opaque->text;
  for (std::size_t at = rest.find('"'); at != std::string_view::npos; at = rest.find('"', at + 1)) {
    std::string label;
    for (++at; at < rest.size() && rest[at] != '"'; ++at) {
      if (rest[at] != '\\' || at + 1 == rest.size()) {
        label += rest[at];
      } else if (at + 2 < rest.size() && hex(rest[at + 1]) >= 0 && hex(rest[at + 2]) >= 0) {
        label += static_cast<char>(hex(rest[at + 1]) * 16 + hex(rest[at + 2]));
        at += 2;
      } else {
        label += rest[++at];
      }
    }
    if (at >= rest.size()) return {};  // a string without end
    found.push_back(std::move(label));
  }
  return found;
}

// --- Meshes ----------------------------------------------------------------------------------------------------

/// Whether two meshes hold the same devices in the same arrangement: axes of size 1 do not count.
inline bool equivalent(mesh_attr const& a, mesh_attr const& b) {
  auto proper = [](mesh_attr const& m) {
    std::vector<mesh_axis> out;
    for (auto const& axis : m.axes)
      if (axis.size != 1) out.push_back(axis);
    return out;
  };
  return a.device_ids == b.device_ids && proper(a) == proper(b);
}

// --- Shardings -------------------------------------------------------------------------------------------------

/// Whether two shardings lay a tensor out alike; null is fully replicated. Openness, priorities and
/// explicitly replicated axes do not count.
inline bool equivalent(sharding_attr const* a, sharding_attr const* b) {
  auto replicated = [](sharding_attr const* s) {
    return s == nullptr || (s->is_fully_replicated() && s->unreduced.empty());
  };
  if (replicated(a) || replicated(b)) return replicated(a) && replicated(b);
  if (a->mesh != b->mesh || a->unreduced != b->unreduced || a->dims.size() != b->dims.size()) return false;
  for (std::size_t i = 0; i < a->dims.size(); ++i)
    if (a->dims[i].axes != b->dims[i].axes) return false;
  return true;
}
inline bool equivalent_shardings(context const& in, attribute a, attribute b) {
  return a == b || equivalent(in.get_if<sharding_attr>(a), in.get_if<sharding_attr>(b));
}

/// `<mesh, [{?}, {?}]>`; `mesh` is a symbol_ref_attr or a mesh_attr.
inline attribute fully_open(context& in, attribute mesh, std::size_t rank) {
  return in.get(sharding_attr{mesh, std::vector<dim_sharding>(rank, dim_sharding{{}, true, {}})});
}
/// `<mesh, [{}, {}]>`.
inline attribute fully_closed(context& in, attribute mesh, std::size_t rank) {
  return in.get(sharding_attr{mesh, std::vector<dim_sharding>(rank)});
}

// --- Shapes ----------------------------------------------------------------------------------------------------

/// The rank of a tensor, vector or mesh tensor type; nothing for other types and for unranked tensors.
inline std::optional<std::size_t> rank_of(context const& in, type t) {
  if (auto const* tensor = in.get_if<tensor_type>(t)) return tensor->shape.size();
  if (auto const* vector = in.get_if<vector_type>(t)) return vector->shape.size();
  if (auto const* placed = in.get_if<mesh_tensor_type>(t)) {
    auto const* global = in.get_if<tensor_type>(placed->global);
    return global ? std::optional(global->shape.size()) : std::nullopt;
  }
  return {};
}

/// The shape one device holds of a tensor: each dimension divided by the size of its axes, rounded up. Types
/// that are not ranked tensors, and shardings whose rank does not fit, give the type back.
inline type local_type(context& in, type global, sharding_attr const& sharding, mesh_attr const& mesh) {
  auto const* tensor = in.get_if<tensor_type>(global);
  if (tensor == nullptr || tensor->shape.size() != sharding.dims.size()) return global;
  tensor_type local = *tensor;
  for (std::size_t i = 0; i < local.shape.size(); ++i) {
    if (local.shape[i] == dynamic_extent) continue;
    std::int64_t const parts = sharded_size(mesh, sharding.dims[i].axes);
    if (parts > 0) local.shape[i] = local.shape[i] / parts + (local.shape[i] % parts != 0 ? 1 : 0);
  }
  return in.get(std::move(local));
}
/// The inverse: each dimension times the size of its axes. What was rounded up is not taken back.
inline type global_type(context& in, type local, sharding_attr const& sharding, mesh_attr const& mesh) {
  auto const* tensor = in.get_if<tensor_type>(local);
  if (tensor == nullptr || tensor->shape.size() != sharding.dims.size()) return local;
  tensor_type global = *tensor;
  for (std::size_t i = 0; i < global.shape.size(); ++i)
    if (global.shape[i] != dynamic_extent)
      global.shape[i] = saturating_product(global.shape[i], sharded_size(mesh, sharding.dims[i].axes));
  return in.get(std::move(global));
}

}  // namespace mpmd::ir
