#pragma once
/// What users say about where things go: names to meshes, inputs and outputs to meshes, inputs to outputs.

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mpmd {

/// The mesh of a named computation or tensor, `mesh` or `mesh#memory_kind`, and the stage of its fragment.
struct mesh_assignment {
  std::string mesh = {};
  std::optional<std::int64_t> stage = {};
  friend bool operator==(mesh_assignment const&, mesh_assignment const&) = default;
};

/// `{{"encoder", {"m1"}}, {"decoder", {"m2", 1}}}`. Names that no op bears do no harm.
using name_to_mesh_map = std::map<std::string, mesh_assignment, std::less<>>;

/// The meshes, `mesh` or `mesh#memory_kind`, of some inputs or outputs, by number.
using index_to_mesh_map = std::map<std::int64_t, std::string>;

/// The same from a list with an entry an input; empty slots are left out.
inline index_to_mesh_map index_to_mesh(std::vector<std::optional<std::string>> const& meshes) {
  index_to_mesh_map found;
  for (std::size_t i = 0; i < meshes.size(); ++i)
    if (meshes[i]) found.emplace(static_cast<std::int64_t>(i), *meshes[i]);
  return found;
}

/// An input and an output that must be on one mesh, in one layout, as those are that a caller feeds back.
struct io_constraint {
  std::int64_t input = -1;
  std::int64_t output = -1;
  friend bool operator==(io_constraint const&, io_constraint const&) = default;
};

/// `m1#pinned_host` is mesh m1 and memory kind pinned_host. Cut at the first `#`; with nothing behind it, the whole
/// text is a mesh without a memory kind, and the kind is empty.
constexpr std::pair<std::string_view, std::string_view> mesh_and_memory_kind(std::string_view mesh) {
  auto const at = mesh.find('#');
  if (at == std::string_view::npos || at + 1 == mesh.size()) return {mesh, {}};
  return {mesh.substr(0, at), mesh.substr(at + 1)};
}

namespace detail {
/// As it is written in an option: quoted when a reader would take it apart. `other` are characters that mean
/// something where it stands.
inline std::string quoted_if_needed(std::string_view text, std::string_view other) {
  bool plain = true;
  for (char const c : text)
    plain = plain && std::string_view(" \t\n\r,'\"\\(){}[]<>").find(c) == std::string_view::npos &&
            other.find(c) == std::string_view::npos;
  if (plain) return std::string(text);
  std::string out = "'";
  for (char const c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + '\'';
}
}  // namespace detail

}  // namespace mpmd
