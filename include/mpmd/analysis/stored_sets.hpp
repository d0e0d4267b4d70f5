#pragma once
/// The sets that earlier passes left on a program, read once, and where the passes of mesh inference find the set of an
/// operand: behind calls and loops.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <mpmd/analysis/set_facts.hpp>
#include <mpmd/analysis/sets_with_origins.hpp>
#include <mpmd/analysis/value_origins.hpp>

namespace mpmd {

/// The label that says: prefer another mesh. Nothing in the library attaches it.
inline constexpr std::string_view low_priority_label = "broadcast_in";

/// The calls of each function, in program order. Linear in the program.
template <mpmd_program P>
class call_sites {
 public:
  using function = typename program_map<P>::function;

  explicit call_sites(program_map<P> const& map) : map_(&map), calls_(map.functions().size()) {
    for (function const& f : map.functions())
      walk_steps<false>(map, f, [&](program_step<P> const& s) {
        if (s.kind != step_kind::call) return;
        if (auto const* to = map.callee(s.o)) calls_[map.index_of(*to)].push_back(s.o);
      });
  }

  std::vector<op_t<P>> const& of(function const& f) const { return calls_[map_->index_of(f)]; }

 private:
  program_map<P> const* map_;
  std::vector<std::vector<op_t<P>>> calls_;
};

/// The sets on the ops, arguments and callee results of a program, as they were when this was made: linear in the
/// program. It stays good while the program is edited, as long as values keep their numbers; a value that is made later
/// has no sets. A set that is not there is unspecified, which is what an absent src set means; as a use set it has no
/// meshes. A look-up is expected O(1).
template <mpmd_program P>
class stored_sets {
 public:
  using traits = ir_traits<P>;
  using function = typename program_map<P>::function;
  using element = sets_with_origins::src_element;

  explicit stored_sets(P const& p)
      : map_(p),
        values_(map_.functions().empty() ? map_.nowhere() : map_.functions().front().first_result),
        use_(map_.bound()),
        src_(map_.bound()),
        origins_(map_) {
    for (set_kind const kind : {set_kind::use, set_kind::src})
      for_each_set(
          map_, kind, [&](mesh_annotation const& a) { return policy_.read_src(names_, a); },
          [&](program_step<P> const& s, element set) { (kind == set_kind::use ? use_ : src_)[s.number] = set; });
  }
  stored_sets(stored_sets const&) = delete;
  stored_sets& operator=(stored_sets const&) = delete;

  program_map<P> const& map() const { return map_; }
  P const& program() const { return map_.program(); }
  mesh_names const& names() const { return names_; }

  /// The set on the op that defines a value, or on the argument that it is.
  mesh_origins const& use(value_t<P> v) const { return at(use_, v); }
  mesh_origins const& src(value_t<P> v) const { return at(src_, v); }
  /// The use set on a result of a function that is called.
  mesh_origins const& result_use(function const& f, std::uint32_t i) const {
    return policy_.src_value(use_[f.result(i)]);
  }
  /// The set on an op, which need have no results.
  mesh_origins const& on(op_t<P> o, set_kind kind) {
    if (value_t<P> first = {}; first_result(o, first)) return kind == set_kind::use ? use(first) : src(first);
    return policy_.src_value(policy_.read_src(names_, traits::op_annotation(program(), o, kind)));
  }

  /// Where a value comes from: what the callee returns for a call's result, what the body yields for a loop's. Calls
  /// that only lead to each other return nothing: the value itself.
  value_t<P> origin(value_t<P> v) const { return origins_[v]; }
  /// Where an operand can be: the src set at its origin. Unspecified for what an assign puts on a mesh.
  mesh_origins const& src_of_operand(value_t<P> v) const {
    v = origin(v);
    op_t<P> const d = mpmd::defining_op(program(), v);
    return d && traits::role_of(program(), d) == role::assign ? anywhere_ : src(v);
  }

  /// In the form in which sets stand on ops; nullopt for an unspecified one.
  mesh_annotation annotation(mesh_origins const& set) {
    return policy_.write_src(names_, policy_.src_lattice().make(set));
  }

  /// `m1,m2`, in the set's order.
  std::string meshes_text(mesh_origins const& set) const {
    std::string all;
    for (auto const& e : set.entries()) all.append(all.empty() ? "" : ",").append(names_.meshes[e.mesh]);
    if (set.has_wildcard()) all.append(all.empty() ? "" : ",").append(wildcard_mesh);
    return all;
  }
  /// `m1[in], m2[]`: with the labels.
  std::string labels_text(mesh_origins const& set) const {
    std::string all;
    auto add = [&](std::string_view mesh, mesh_origins::labels const& why) {
      all.append(all.empty() ? "" : ", ").append(mesh);
      add_labels(all, why);
    };
    for (auto const& e : set.entries()) add(names_.meshes[e.mesh], e.origins);
    if (set.has_wildcard()) add(wildcard_mesh, set.wildcard());
    return all;
  }

 private:
  mesh_origins const& at(std::vector<element> const& sets, value_t<P> v) const {
    fact_number const n = map_.owner(v);
    return n < values_ ? policy_.src_value(sets[n]) : anywhere_;
  }
  bool first_result(op_t<P> o, value_t<P>& first) const {
    for (auto&& v : traits::results(program(), o)) {
      first = v;
      return true;
    }
    return false;
  }
  void add_labels(std::string& to, mesh_origins::labels const& why) const {
    to += '[';
    bool first = true;
    for (std::uint32_t const l : why) to.append(std::exchange(first, false) ? "" : ",").append(names_.labels[l]);
    to += ']';
  }

  program_map<P> map_;
  mesh_names names_;
  sets_with_origins policy_;
  fact_number values_;  // numbers from here on are those of no value, or of a later one
  std::vector<element> use_;
  std::vector<element> src_;
  value_origins<P> origins_;
  mesh_origins anywhere_;
};

}  // namespace mpmd
