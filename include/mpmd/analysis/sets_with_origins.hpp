#pragma once
/// Facts of the set analyses that remember why: each mesh with the labels of the annotations that put it
/// there, in the order in which they were met. They are what the dialect prints.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <mpmd/analysis/set_policy.hpp>
#include <mpmd/lattice/interned.hpp>
#include <mpmd/lattice/mesh_origins.hpp>

namespace mpmd {

/// The mesh that stands for "any other mesh" in a set written by hand.
inline constexpr std::string_view wildcard_mesh = "*";

/// A policy like plain_sets. Elements are handles into a pool that the copies of the policy share.
class sets_with_origins {
 public:
  static constexpr bool keeps_labels = true;
  using use_element = interned_element;
  using src_element = interned_element;

  interned<use_origins> const& use_lattice() const { return uses_; }
  interned<src_origins> const& src_lattice() const { return srcs_; }
  /// What a handle names.
  mesh_origins const& use_value(use_element e) const { return uses_.value(e); }
  mesh_origins const& src_value(src_element e) const { return srcs_.value(e); }

  use_element use_of(std::uint32_t mesh, std::uint32_t label) const {
    if (label != mesh_names::no_label) return uses_.make({{mesh, {label}}});
    if (mesh >= unlabelled_.size()) unlabelled_.resize(mesh + std::size_t{1});
    auto& known = unlabelled_[mesh];
    if (known == use_element{}) known = uses_.make({{mesh}});
    return known;
  }
  void add(src_element& to, std::vector<std::uint32_t> const& meshes, std::uint32_t label) const {
    std::vector<mesh_origins::entry> entries;
    for (std::uint32_t const m : meshes) entries.push_back({m, labels(label)});
    mesh_origins const added = mesh_origins::of(std::move(entries));
    mesh_origins grown = srcs_.value(to);
    if (grown.unite(added)) to = srcs_.make(grown);
  }
  void unite(src_element& to, src_element from) const {
    mesh_origins grown = srcs_.value(to);
    if (grown.unite(srcs_.value(from))) to = srcs_.make(grown);
  }
  static src_element unspecified() { return {}; }
  static bool is_specified(src_element s) { return s.kind != 0; }
  bool is_empty(src_element s) const { return srcs_.value(s).empty(); }

  template <class F>
  void for_each_use(use_element s, F f) const {
    for (auto const& e : uses_.value(s).entries()) f(e.mesh);
  }
  template <class F>
  void for_each_src(src_element s, F f) const {
    for (auto const& e : srcs_.value(s).entries()) f(e.mesh);
  }
  bool use_contains(use_element s, std::uint32_t mesh) const { return uses_.value(s).contains(mesh); }
  bool src_contains(src_element s, std::uint32_t mesh) const { return srcs_.value(s).contains(mesh); }

  use_element read_use(mesh_names& names, mesh_annotation const& from) const {
    return uses_.make(from ? read(names, *from) : mesh_origins::none());
  }
  src_element read_src(mesh_names& names, mesh_annotation const& from) const {
    return from ? srcs_.make(read(names, *from)) : unspecified();
  }
  mesh_annotation write_use(mesh_names const& names, use_element s) const {
    if (uses_.value(s).empty()) return std::nullopt;
    return write(names, uses_.value(s));
  }
  mesh_annotation write_src(mesh_names const& names, src_element s) const {
    if (!is_specified(s)) return std::nullopt;
    return write(names, srcs_.value(s));
  }

 private:
  static mesh_origins::labels labels(std::uint32_t label) {
    return label == mesh_names::no_label ? mesh_origins::labels{} : mesh_origins::labels{label};
  }
  static mesh_origins read(mesh_names& names, std::vector<labelled_mesh> const& from) {
    std::vector<mesh_origins::entry> entries;
    entries.reserve(from.size());
    mesh_origins::labels of_wildcard;
    for (auto const& m : from) {
      mesh_origins::labels why;
      for (auto const& l : m.labels) static_cast<void>(why.insert(names.labels.intern(l)));
      if (m.mesh != wildcard_mesh)
        entries.push_back({names.meshes.intern(m.mesh), std::move(why)});
      else
        static_cast<void>(of_wildcard.unite(why));
    }
    mesh_origins set = mesh_origins::of(std::move(entries));
    if (!of_wildcard.empty()) static_cast<void>(set.insert_wildcard(of_wildcard));
    return set;
  }
  static std::vector<labelled_mesh> write(mesh_names const& names, mesh_origins const& set) {
    std::vector<labelled_mesh> meshes;
    auto add = [&](std::string_view mesh, mesh_origins::labels const& why) {
      labelled_mesh m{std::string(mesh), {}};
      for (std::uint32_t const l : why) m.labels.emplace_back(names.labels[l]);
      meshes.push_back(std::move(m));
    };
    for (auto const& e : set.entries()) add(names.meshes[e.mesh], e.origins);
    if (set.has_wildcard()) add(wildcard_mesh, set.wildcard());
    return meshes;
  }

  mutable std::vector<use_element>
      unlabelled_;  // by mesh, where made: many ops put values on a mesh and say no more
  interned<use_origins> uses_;
  interned<src_origins> srcs_;
};

}  // namespace mpmd
