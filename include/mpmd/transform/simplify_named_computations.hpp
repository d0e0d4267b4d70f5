#pragma once
/// -mpmd-simplify-named-computations: named computations lose what they take and give in vain, so that a
/// value which only passes through one is not drawn to its mesh.

#include <cstddef>
#include <string_view>
#include <tuple>
#include <unordered_set>
#include <vector>

#include <mpmd/support/diagnostics.hpp>
#include <mpmd/transform/edit.hpp>
#include <mpmd/transform/simplify_region_op.hpp>
#include <mpmd/transform/walk_ops.hpp>

namespace mpmd {

/// Works on every distributed function, in three sweeps: dead ops go, and an argument that a named
/// computation hands through a barrier and returns is returned directly; then results are bypassed from the
/// first named computation to the last, so that each sees what those before it have left; then unused results
/// and operands go from the last to the first. Named computations keep their attributes. Reports nothing.
/// Linear in the program.
struct simplify_named_computations {
  static constexpr std::string_view name = "mpmd-simplify-named-computations";
  static constexpr std::string_view summary =
      "Drop duplicate, unused and passed-through operands and results of named computations";
  static constexpr auto options = std::tuple{};

  template <mutable_mpmd_program P>
  bool operator()(P& p, diagnostics&) const {
    for (op_t<P> const f : functions(p)) {
      if (!is_distributed(p, f)) continue;
      erase_dead_ops(p, f);
      bypass_barriers(p, f);
      for (op_t<P> const n : inner_ops_first(p, f, role::named_computation)) bypass_results(p, n);
      trim_inside(p, f, [&p](op_t<P> o) { return ir_traits<P>::role_of(p, o) == role::named_computation; });
    }
    return true;
  }

 private:
  template <mutable_mpmd_program P>
  static void bypass_barriers(P& p, op_t<P> f) {
    using traits = ir_traits<P>;
    std::vector<op_t<P>> barriers;
    walk_ops(p, f, [&](op_t<P> o) {
      if (is_barrier(p, o) && traits::role_of(p, traits::parent_op(p, o)) == role::named_computation)
        barriers.push_back(o);
    });
    for (op_t<P> const b : barriers) {
      std::vector<value_t<P>> const operands = operands_of(p, b), results = results_of(p, b);
      std::vector<value_t<P>> kept, kept_results;
      std::vector<type_t<P>> types;
      for (std::size_t i = 0; i < operands.size(); ++i) {
        auto const uses = uses_of(p, results[i]);
        bool const returned = uses.size() == 1 && traits::role_of(p, uses[0].user) == role::terminator &&
                              traits::parent_op(p, uses[0].user) == traits::parent_op(p, b);
        if (returned && !mpmd::defining_op(p, operands[i])) {
          traits::set_operand(p, uses[0].user, uses[0].index, operands[i]);
          continue;
        }
        kept.push_back(operands[i]);
        kept_results.push_back(results[i]);
        types.push_back(traits::type_of(p, results[i]));
      }
      if (kept.size() == operands.size()) continue;
      if (!kept.empty()) {
        std::vector<value_t<P>> const now = results_of(p, traits::recreate(p, b, kept, types));
        for (std::size_t i = 0; i < now.size(); ++i) replace_uses(p, kept_results[i], now[i]);
      }
      traits::erase(p, b);
    }
  }
};

}  // namespace mpmd
