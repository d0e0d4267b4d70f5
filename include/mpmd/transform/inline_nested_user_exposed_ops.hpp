#pragma once
/// -mpmd-inline-nested-user-exposed-ops: what users name inside a named computation dissolves in it.

#include <algorithm>
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
#include <mpmd/transform/placement.hpp>
#include <mpmd/transform/walk_ops.hpp>

namespace mpmd {

/// In every distributed function, inside every named computation: other named computations are spliced in,
/// named tensors and broadcasts become their operands, and reduces the elementwise ops that they stand for.
///
/// A named op counts as placed by the nearest named computation around it that is assigned to a mesh. Errors:
/// there is none; a named computation is itself assigned to another mesh or stage, or a named tensor to
/// another mesh. Memory kinds do not count, because computations have none. A function with an error is left
/// as it is. Linear.
struct inline_nested_user_exposed_ops {
  name_to_mesh_map assignment;

  static constexpr std::string_view name = "mpmd-inline-nested-user-exposed-ops";
  static constexpr std::string_view summary =
      "Dissolve named computations, named tensors, broadcasts and reduces inside named computations";
  static constexpr auto options = std::tuple{
      option{"assignment", &inline_nested_user_exposed_ops::assignment, "The mesh, and stage, of each name"}};

  template <mutable_mpmd_program P>
  bool operator()(P& p, diagnostics& diags) const {
    bool good = true;
    for (op_t<P> const f : functions(p))
      if (is_distributed(p, f)) good &= in_function(p, f, diags);
    return good;
  }

 private:
  using assigned = name_to_mesh_map::const_iterator;

  /// What stands around a nested op: the nearest named computation, and the assignment that places it, if
  /// any.
  template <mutable_mpmd_program P>
  struct surroundings {
    op_t<P> computation = {};
    assigned placed;
  };

  template <mutable_mpmd_program P>
  bool in_function(P& p, op_t<P> f, diagnostics& diags) const {
    using traits = ir_traits<P>;
    std::unordered_map<op_t<P>, surroundings<P>> around;  // of what stands in the body of an op
    std::vector<op_t<P>> nested;
    std::unordered_set<op_t<P>> reported;
    bool good = true;
    auto fail = [&](op_t<P> at, std::string_view id, std::string message) {
      diags.error(traits::source_of(p, traits::location_of(p, at)), id, std::move(message));
      good = false;
    };
    walk_ops(p, f, [&](op_t<P> o) {
      role const r = traits::role_of(p, o);
      auto const outer = around.find(traits::parent_op(p, o));
      if (outer == around.end()) {
        if (r == role::named_computation)
          around.emplace(o, surroundings<P>{o, assignment.find(traits::origin_of(p, o).name)});
        return;
      }
      surroundings<P> mine = outer->second;
      bool const names = r == role::named_computation || r == role::named_tensor;
      if (names || r == role::broadcast || r == role::reduce) nested.push_back(o);
      if (names) {
        std::string const label = traits::origin_of(p, o).name;
        assigned const own = assignment.find(label);
        if (mine.placed == assignment.end()) {
          if (reported.insert(mine.computation).second)
            fail(mine.computation, "named-op.unassigned",
                 "Parent NamedComputation '" + traits::origin_of(p, mine.computation).name +
                     "' is not assigned to a mesh in the user-defined name-to-mesh assignment. '" + label +
                     "' inside it needs to know where it runs");
        } else if (own != assignment.end() && disagree(own->second, mine.placed->second, r)) {
          fail(o, "named-op.nested",
               std::string(r == role::named_tensor ? "NamedTensor '" : "NamedComputation '") + label +
                   "' is nested in a NamedComputation '" + mine.placed->first +
                   "' which has a different mesh " +
                   (r == role::named_tensor ? "assignment. '" : "or stage assignment. '") + label +
                   "' is assigned to " + described(own->second) + ", '" + mine.placed->first + "' to " +
                   described(mine.placed->second) + ": give both the same, or leave '" + label +
                   "' unassigned");
        }
        if (r == role::named_computation) mine = {o, own == assignment.end() ? mine.placed : own};
      }
      around.emplace(o, mine);
    });
    // Outer ones first, so that each op is moved once.
    if (good)
      for (op_t<P> const o : nested) dissolve(p, o);
    return good;
  }

  static bool disagree(mesh_assignment const& a, mesh_assignment const& b, role of) {
    if (mesh_and_memory_kind(a.mesh).first != mesh_and_memory_kind(b.mesh).first) return true;
    return of == role::named_computation && a.stage != b.stage;
  }
  static std::string described(mesh_assignment const& a) {
    return "mesh '" + a.mesh + (a.stage ? "', stage " + std::to_string(*a.stage) : "', no stage");
  }

  template <mutable_mpmd_program P>
  static void dissolve(P& p, op_t<P> o) {
    using traits = ir_traits<P>;
    std::vector<value_t<P>> const operands = operands_of(p, o), results = results_of(p, o);
    if (traits::role_of(p, o) == role::named_computation) {
      op_t<P> const end = terminator_of(p, o);
      std::size_t i = 0;
      for (auto&& a : mpmd::arguments(p, o)) replace_uses(p, static_cast<value_t<P>>(a), operands[i++]);
      std::vector<value_t<P>> const returned = operands_of(p, end);
      std::vector<op_t<P>> inner;
      for (auto&& b : mpmd::body(p, o))
        if (!(b == end)) inner.push_back(b);
      for (op_t<P> const b : inner) traits::move(p, b, insertion_point<P>::before(o));
      for (i = 0; i < results.size(); ++i) replace_uses(p, results[i], returned[i]);
    } else if (traits::role_of(p, o) == role::reduce &&
               traits::reduction_kind_of(p, o) != reduction_kind::none) {
      value_t<P> total = operands[0];
      for (std::size_t i = 1; i < operands.size(); ++i)
        total = result_of(p, traits::create(p,
                                            {.what = role::compute,
                                             .operands = {total, operands[i]},
                                             .results = {traits::type_of(p, results[0])},
                                             .where = traits::location_of(p, o),
                                             .reduction = traits::reduction_kind_of(p, o)},
                                            insertion_point<P>::before(o)));
      replace_uses(p, results[0], total);
    } else {
      replace_uses(p, results[0], operands[0]);
    }
    traits::erase(p, o);
  }
};

}  // namespace mpmd
