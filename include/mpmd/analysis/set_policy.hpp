#pragma once
/// What the facts of the set analyses are made of: bare sets of meshes, for speed; sets_with_origins.hpp has those
/// which remember why.

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <mpmd/graph/mpmd_program.hpp>
#include <mpmd/lattice/inverted.hpp>
#include <mpmd/lattice/lift.hpp>
#include <mpmd/lattice/mesh_set.hpp>
#include <mpmd/support/name_table.hpp>

namespace mpmd {

/// The meshes and labels of a program by number.
struct mesh_names {
  static constexpr std::uint32_t no_label = name_table::missing;
  name_table meshes;
  name_table labels;

  constexpr std::uint32_t label(std::string_view text) { return text.empty() ? no_label : labels.intern(text); }
};

/// Sets of meshes without labels. A use set is a set; a src set is one too, or unspecified: any mesh.
class plain_sets {
 public:
  static constexpr bool keeps_labels = false;
  using use_element = mesh_set<>;
  using src_element = lift<inverted<mesh_sets<>>>::element;

  mesh_sets<> const& use_lattice() const { return uses_; }
  lift<inverted<mesh_sets<>>> const& src_lattice() const { return srcs_; }

  /// The set of one mesh, there for the reason `label`.
  use_element use_of(std::uint32_t mesh, std::uint32_t) const { return {mesh}; }
  /// Adds meshes to a src set, which is specified from then on.
  void add(src_element& to, std::vector<std::uint32_t> const& meshes, std::uint32_t) const {
    if (!to) to = use_element{};
    for (std::uint32_t const m : meshes) static_cast<void>((*to).insert(m));
  }
  /// Adds the meshes of `from`, and their labels, unless it is unspecified.
  void unite(src_element& to, src_element const& from) const {
    if (!from) return;
    if (!to)
      to = from;
    else
      *to |= *from;
  }
  static src_element unspecified() { return {}; }
  static bool is_specified(src_element const& s) { return s.has_value(); }
  /// Specified, and no mesh is left.
  static bool is_empty(src_element const& s) { return s && s->empty(); }

  /// Calls `f(mesh)` for each mesh of a set, in the set's order; for none of an unspecified one.
  template <class F>
  void for_each_use(use_element const& s, F f) const {
    for (auto const mesh : s) f(static_cast<std::uint32_t>(mesh));
  }
  template <class F>
  void for_each_src(src_element const& s, F f) const {
    if (s) for_each_use(*s, f);
  }
  bool use_contains(use_element const& s, std::uint32_t mesh) const { return s.contains(mesh); }
  bool src_contains(src_element const& s, std::uint32_t mesh) const { return s && s->contains(mesh); }

  /// From and to the form in which sets stand on ops. An absent use set is empty, an absent src set unspecified.
  use_element read_use(mesh_names& names, mesh_annotation const& from) const {
    use_element set;
    if (from)
      for (auto const& m : *from) static_cast<void>(set.insert(names.meshes.intern(m.mesh)));
    return set;
  }
  src_element read_src(mesh_names& names, mesh_annotation const& from) const {
    if (!from) return {};
    return read_use(names, from);
  }
  mesh_annotation write_use(mesh_names const& names, use_element const& s) const {
    if (s.empty()) return std::nullopt;
    return write(names, s);
  }
  mesh_annotation write_src(mesh_names const& names, src_element const& s) const {
    if (!s) return std::nullopt;
    return write(names, *s);
  }

 private:
  std::vector<labelled_mesh> write(mesh_names const& names, use_element const& s) const {
    std::vector<labelled_mesh> meshes;
    for_each_use(s, [&](std::uint32_t m) { meshes.push_back({std::string(names.meshes[m]), {}}); });
    return meshes;
  }

  mesh_sets<> uses_{0};
  lift<inverted<mesh_sets<>>> srcs_{inverted{mesh_sets<>{0}}};
};

}  // namespace mpmd
