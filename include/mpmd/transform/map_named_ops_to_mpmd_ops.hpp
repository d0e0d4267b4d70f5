#pragma once
/// -mpmd-map-named-ops-to-mpmd-ops: named computations become fragments, and named tensors assigns, on the
/// meshes that the user gives to their names.

#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <mpmd/support/diagnostics.hpp>
#include <mpmd/support/option.hpp>
#include <mpmd/transform/edit.hpp>
#include <mpmd/transform/known_meshes.hpp>
#include <mpmd/transform/placement.hpp>
#include <mpmd/transform/walk_ops.hpp>

namespace mpmd {

/// Works on every distributed function. The operands of a named computation are assigned to its mesh, each
/// once, its results unassigned; other values than tensors (tokens) are handed over as they are. A named
/// tensor is assigned and unassigned at once, in the memory that its mesh is given with; without a mesh it is
/// its operand. Tensors stand fully replicated. All new ops stand where the named op does, and assigns and
/// unassigns bear its name.
///
/// Errors, behind which the program is as far as the other ops go: a named computation without a mesh, a mesh
/// that the topology does not have, a named op that is to be placed by itself inside another computation.
/// Linear.
struct map_named_ops_to_mpmd_ops {
  name_to_mesh_map assignment;
  bool warn_unused = false;

  static constexpr std::string_view name = "mpmd-map-named-ops-to-mpmd-ops";
  static constexpr std::string_view summary =
      "Make fragments of named computations and assigns of named tensors, on the meshes assigned to their "
      "names";
  static constexpr auto options = std::tuple{
      option{"assignment", &map_named_ops_to_mpmd_ops::assignment, "The mesh, and stage, of each name"},
      option{"warn-unused", &map_named_ops_to_mpmd_ops::warn_unused, "Warn about names that nothing bears"}};

  template <mutable_mpmd_program P>
  bool operator()(P& p, diagnostics& diags) const {
    bool good = true;
    known_meshes<P> meshes(p);
    std::unordered_set<std::string> used;
    for (op_t<P> const f : functions(p))
      if (is_distributed(p, f)) good &= in_function(p, f, meshes, used, diags);
    if (warn_unused)
      for (auto const& [label, to] : assignment)
        if (!used.contains(label))
          diags.warning({}, "named-op.unused",
                        "no named computation or tensor is called '" + label +
                            "', which is assigned to mesh '" + to.mesh + "'");
    return good;
  }

 private:
  template <mutable_mpmd_program P>
  bool in_function(P& p, op_t<P> f, known_meshes<P>& meshes, std::unordered_set<std::string>& used,
                   diagnostics& diags) const {
    using traits = ir_traits<P>;
    struct named {
      op_t<P> o;
      bool nested;
    };
    std::vector<named> found;
    walk_ops(p, f, [&](op_t<P> o) {
      role const r = traits::role_of(p, o);
      if (r == role::named_computation || r == role::named_tensor) found.push_back({o, false});
      if (r == role::named_computation || r == role::fragment)
        walk_ops(p, o, [&](op_t<P> inner) {
          role const inside = traits::role_of(p, inner);
          if (inside == role::named_computation || inside == role::named_tensor)
            found.push_back({inner, true});
        });
      return r != role::named_computation && r != role::fragment;
    });
    if (found.empty()) return true;

    meshes.enter(f);
    bool good = true;
    for (auto const& [o, nested] : found) {
      user_origin const origin = traits::origin_of(p, o);
      source_location const where = traits::source_of(p, traits::location_of(p, o));
      bool const is_tensor = traits::role_of(p, o) == role::named_tensor;
      auto const to = assignment.find(origin.name);
      used.insert(origin.name);
      if (to == assignment.end() && is_tensor) {
        replace_uses(p, result_of(p, o), operand_of(p, o));
        traits::erase(p, o);
      } else if (nested) {
        diags.error(where, "named-op.nested",
                    std::string(is_tensor ? "NamedTensor '" : "NamedComputation '") + origin.name +
                        "' is nested in another computation and cannot be placed by itself: flatten named "
                        "computations "
                        "first (-mpmd-inline-nested-user-exposed-ops)");
        good = false;
      } else if (to == assignment.end()) {
        std::string const written = detail::quoted_if_needed(origin.name, "@");
        diags.error(where, "named-op.unassigned",
                    "Top-level NamedComputation '" + origin.name +
                        "' is not assigned to a mesh in the user-defined named-to-mesh assignment. Add " +
                        (written == origin.name ? '\'' + written + "@<mesh>'" : written + "@<mesh>") + " to it");
        good = false;
      } else if (auto const [mesh, kind] = meshes.split(to->second.mesh);
                 !meshes.check(mesh, where, diags)) {
        good = false;
      } else if (is_tensor) {
        place_tensor(p, o, origin.name, mesh, kind);
      } else {
        if (!kind.empty())
          diags.warning(where, "named-op.memory-kind",
                        "the memory kind '" + std::string(kind) + "' of NamedComputation '" + origin.name +
                            "' is ignored: only tensors are placed in a memory");
        place_computation(p, o, {std::string(mesh), {origin}, to->second.stage});
      }
    }
    return good;
  }

  template <mutable_mpmd_program P>
  static void place_tensor(P& p, op_t<P> o, std::string const& label, std::string_view mesh,
                           std::string_view kind) {
    using traits = ir_traits<P>;
    auto const where = traits::location_of(p, o);
    type_t<P> const t = traits::type_of(p, result_of(p, o));
    if (traits::is_tensor(p, t)) {
      auto make = [&](role what, value_t<P> v, type_t<P> to) {
        return result_of(
            p, traits::create(
                   p, {.what = what, .operands = {v}, .results = {to}, .where = where, .label = label},
                   insertion_point<P>::before(o)));
      };
      value_t<P> const placed = make(role::assign, operand_of(p, o), traits::mesh_type(p, t, mesh, kind));
      replace_uses(p, result_of(p, o), make(role::unassign, placed, t));
    } else {
      replace_uses(p, result_of(p, o), operand_of(p, o));
    }
    traits::erase(p, o);
  }

  template <mutable_mpmd_program P>
  static void place_computation(P& p, op_t<P> o, fragment_info const& info) {
    using traits = ir_traits<P>;
    auto const at = insertion_point<P>::before(o);
    std::string const& label = info.origins[0].name;
    op_recipe<P> made{.what = role::fragment, .where = traits::location_of(p, o), .fragment = info};
    std::unordered_map<value_t<P>, value_t<P>> assigned;
    for (value_t<P> const v : operands_of(p, o)) {
      auto const [known, fresh] = assigned.emplace(v, v);
      type_t<P> const t = traits::type_of(p, v);
      if (fresh && traits::is_tensor(p, t))
        known->second = result_of(p, traits::create(p,
                                                    {.what = role::assign,
                                                     .operands = {v},
                                                     .results = {traits::mesh_type(p, t, info.mesh, {})},
                                                     .where = made.where,
                                                     .label = label},
                                                    at));
      made.operands.push_back(known->second);
    }
    std::vector<value_t<P>> const results = results_of(p, o);
    for (value_t<P> const v : results) {
      type_t<P> const t = traits::type_of(p, v);
      made.results.push_back(traits::is_tensor(p, t) ? traits::mesh_type(p, t, info.mesh, {}) : t);
    }
    op_t<P> const fragment = traits::create(p, made, at);
    traits::take_body(p, o, fragment);
    traits::copy_notes(p, o, fragment);
    std::vector<value_t<P>> const placed = results_of(p, fragment);
    for (std::size_t i = 0; i < results.size(); ++i) {
      type_t<P> const t = traits::type_of(p, results[i]);
      value_t<P> outside = placed[i];
      if (traits::is_tensor(p, t))
        outside = result_of(p, traits::create(p,
                                              {.what = role::unassign,
                                               .operands = {outside},
                                               .results = {t},
                                               .where = made.where,
                                               .label = label},
                                              at));
      replace_uses(p, results[i], outside);
    }
    traits::erase(p, o);
  }
};

}  // namespace mpmd
