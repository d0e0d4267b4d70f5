#pragma once
/// What mesh tensor types and topologies say: which mesh, which memory, which shape.

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <mpmd/ir/context.hpp>
#include <mpmd/ir/sharding.hpp>

namespace mpmd::ir {

inline constexpr std::string_view memory_kind_device = "device";
inline constexpr std::string_view memory_kind_pinned_host = "pinned_host";

// --- Mesh tensors ----------------------------------------------------------------------------------------------

/// The mesh a type lives on, or nothing for a type that is not placed.
inline std::optional<std::string_view> mesh_of(context const& in, type t) {
  auto const* placed = in.get_if<mesh_tensor_type>(t);
  return placed ? std::optional<std::string_view>(placed->mesh) : std::nullopt;
}
/// The tensor type inside a mesh tensor; any other type itself.
inline type global_type(context const& in, type t) {
  auto const* placed = in.get_if<mesh_tensor_type>(t);
  return placed ? placed->global : t;
}
/// The shape one device of `mesh` holds of a mesh tensor; any other type itself.
inline type local_type(context& in, type t, mesh_attr const& mesh) {
  auto const* placed = in.get_if<mesh_tensor_type>(t);
  if (placed == nullptr) return t;
  auto const* sharding = in.get_if<sharding_attr>(placed->sharding);
  return sharding ? local_type(in, placed->global, *sharding, mesh) : placed->global;
}
/// No sharding, or one that splits no dimension (unreduced axes do not count).
inline bool is_fully_replicated(context const& in, mesh_tensor_type const& t) {
  auto const* sharding = in.get_if<sharding_attr>(t.sharding);
  return sharding == nullptr || sharding->is_fully_replicated();
}
inline bool is_on_host(mesh_tensor_type const& t) { return t.memory_kind == memory_kind_pinned_host; }

/// The mesh tensor with another sharding (null removes it); any other type itself.
inline type with_sharding(context& in, type t, attribute sharding) {
  auto const* placed = in.get_if<mesh_tensor_type>(t);
  if (placed == nullptr) return t;
  mesh_tensor_type changed = *placed;
  changed.sharding = sharding;
  return in.get(std::move(changed));
}
/// The mesh tensor with another memory kind; any other type itself.
inline type with_memory_kind(context& in, type t, std::optional<std::string> kind) {
  auto const* placed = in.get_if<mesh_tensor_type>(t);
  if (placed == nullptr) return t;
  mesh_tensor_type changed = *placed;
  changed.memory_kind = std::move(kind);
  return in.get(std::move(changed));
}

/// Same mesh and same memory kind, so that moving from one to the other at most reshards. A memory kind that
/// is not given differs from "device".
inline bool is_intra_mesh(mesh_tensor_type const& a, mesh_tensor_type const& b) {
  return a.mesh == b.mesh && a.memory_kind == b.memory_kind;
}

// --- Topologies ------------------------------------------------------------------------------------------------

/// The first mesh of that name, a mesh_attr, or null. O(meshes).
inline attribute find_mesh(context const& in, topology_attr const& topology, std::string_view label) {
  for (attribute const entry : topology.meshes)
    if (auto const* named = in.get_if<named_mesh_attr>(entry); named && named->label == label)
      return named->mesh;
  return {};
}

/// Every mesh equivalent to the first one, up to axes of size 1.
inline bool is_homogeneous(context const& in, topology_attr const& topology) {
  mesh_attr const* first = nullptr;
  for (attribute const entry : topology.meshes) {
    auto const* named = in.get_if<named_mesh_attr>(entry);
    auto const* mesh = named ? in.get_if<mesh_attr>(named->mesh) : nullptr;
    if (mesh == nullptr) return false;
    if (first == nullptr) first = mesh;
    if (!equivalent(*first, *mesh)) return false;
  }
  return true;
}

// --- Names of meshes -------------------------------------------------------------------------------------------

/// `m1/cpu` names the CPUs beside mesh m1.
inline bool is_cpu_mesh(std::string_view label) { return label.ends_with("/cpu"); }

/// `m1#pinned_host` is mesh m1 and memory kind pinned_host; an empty kind is none. Split at the first `#`.
inline std::pair<std::string_view, std::optional<std::string_view>> split_memory_kind(
    std::string_view label) {
  auto const at = label.find('#');
  if (at == std::string_view::npos) return {label, std::nullopt};
  std::string_view const kind = label.substr(at + 1);
  return {label.substr(0, at), kind.empty() ? std::nullopt : std::optional(kind)};
}

namespace detail {
/// The digits at the end of a name without leading zeros, or nothing. Of two such numbers the longer one is
/// larger.
inline std::optional<std::string_view> trailing_number(std::string_view s) {
  std::size_t from = s.size();
  while (from > 0 && s[from - 1] >= '0' && s[from - 1] <= '9') --from;
  if (from == s.size()) return {};
  while (from + 1 < s.size() && s[from] == '0') ++from;
  return s.substr(from);
}
}  // namespace detail

/// How two mesh names compare: by the numbers at their ends if both have one, so that mesh2 stands before
/// mesh10, else as text. It ties a1 and b1, and it is no order on three names of which some have numbers and
/// some do not: sort_by_mesh_name sorts.
inline std::weak_ordering compare_mesh_names(std::string_view a, std::string_view b) {
  auto const x = detail::trailing_number(a), y = detail::trailing_number(b);
  if (!x || !y) return a.compare(b) <=> 0;
  if (x->size() != y->size()) return x->size() <=> y->size();
  return x->compare(*y) <=> 0;
}

/// Sorts by mesh name, keeping ties in place: by number when every name ends in one, else all as text.
template <class T, class NameOf>
void sort_by_mesh_name(std::vector<T>& items, NameOf name_of) {
  bool const numbered = std::all_of(items.begin(), items.end(), [&](T const& item) {
    return detail::trailing_number(name_of(item)).has_value();
  });
  std::vector<std::pair<std::size_t, T>> keyed;  // with places, which break ties
  for (std::size_t i = 0; i < items.size(); ++i) keyed.emplace_back(i, std::move(items[i]));
  std::sort(keyed.begin(), keyed.end(), [&](auto const& a, auto const& b) {
    std::string_view const x = name_of(a.second), y = name_of(b.second);
    std::weak_ordering const order = numbered ? compare_mesh_names(x, y) : x.compare(y) <=> 0;
    return order != 0 ? order < 0 : a.first < b.first;
  });
  for (std::size_t i = 0; i < items.size(); ++i) items[i] = std::move(keyed[i].second);
}

}  // namespace mpmd::ir
