#pragma once
/// -mpmd-introduce-transfers: a value that is taken off one mesh and put on another is transferred.

#include <cstddef>
#include <string_view>
#include <tuple>
#include <unordered_set>
#include <vector>

#include <mpmd/support/diagnostics.hpp>
#include <mpmd/transform/edit.hpp>
#include <mpmd/transform/push_unassigns_into_callees.hpp>
#include <mpmd/transform/simplify_region_op.hpp>
#include <mpmd/transform/transfer_routes.hpp>
#include <mpmd/transform/walk_ops.hpp>
#include <mpmd/transform/wrap_in_fragment.hpp>

namespace mpmd {

/// In three steps, the first two of which make more such pairs of an unassign and an assign:
///
/// 1. A callee whose callers all hand in a value that has just been taken off one mesh assigns and unassigns
/// it itself
///    (push_unassigns_into_callees).
/// 2. A sum of unassigned values that is put on a mesh is computed there: each addition that only serves the
/// sum gets a
///    fragment.
/// 3. Each pair goes: within one type it is the value itself, else a transfer (replace_by_transfers). Pairs
/// inside a
///    loop stay where their value is made inside it, because transfers stand in functions only.
///
/// Dead ops go too, in all functions. Reports nothing. Near-linear.
struct introduce_transfers {
  static constexpr std::string_view name = "mpmd-introduce-transfers";
  static constexpr std::string_view summary = "Replace assigns of unassigned values by transfers";
  static constexpr auto options = std::tuple{};

  template <mutable_mpmd_program P>
  bool operator()(P& p, diagnostics&) const {
    push_unassigns_into_callees(p);
    std::vector<op_t<P>> all;
    for (op_t<P> const f : functions(p)) all.push_back(f);
    for (op_t<P> const f : all) {
      erase_dead_ops(p, f);
      place_sums(p, f);
      replace_by_transfers(p, f);
      erase_dead_ops(p, f);
    }
    return true;
  }

 private:
  template <mutable_mpmd_program P>
  static void place_sums(P& p, op_t<P> f) {
    using traits = ir_traits<P>;
    std::unordered_set<op_t<P>> sums;
    std::vector<op_t<P>> assigns;
    walk_ops(p, f, [&](op_t<P> o) {
      role const r = traits::role_of(p, o);
      if (r == role::assign && sums.contains(mpmd::defining_op(p, operand_of(p, o)))) assigns.push_back(o);
      auto const what = mpmd::reduction_of(p, o);
      if (r != role::compute || what.kind != reduction_kind::add || what.paired) return;
      if (uses_of(p, result_of(p, o)).size() != 1) return;
      for (value_t<P> const v : operands_of(p, o))
        if (!defined_by(p, v, role::unassign) && !sums.contains(mpmd::defining_op(p, v))) return;
      sums.insert(o);
    });
    while (!assigns.empty()) {
      op_t<P> const a = assigns.back();
      assigns.pop_back();
      op_t<P> const sum = mpmd::defining_op(p, operand_of(p, a));
      auto const wrapped =
          wrap_in_fragment(p, sum, traits::mesh_of(p, result_of(p, a)), "introduce_transfers");
      traits::set_operand(p, a, 0, wrapped.results[0]);
      traits::erase(p, sum);
      for (value_t<P> const v : operands_of(p, wrapped.fragment)) {
        op_t<P> const inner = mpmd::defining_op(p, v);
        if (sums.contains(mpmd::defining_op(p, operand_of(p, inner)))) assigns.push_back(inner);
      }
    }
  }
};

}  // namespace mpmd
