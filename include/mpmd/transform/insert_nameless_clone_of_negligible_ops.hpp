#pragma once
/// -mpmd-insert-nameless-clone-of-negligible-ops: constants that a named computation returns are made again
/// behind it, so that their users are not drawn to its mesh.

#include <cstddef>
#include <string_view>
#include <tuple>
#include <vector>

#include <mpmd/support/diagnostics.hpp>
#include <mpmd/transform/edit.hpp>
#include <mpmd/transform/walk_ops.hpp>

namespace mpmd {

/// In every distributed function, for every result of a named computation that is used and whose value in it
/// comes from a pure op without operands and regions and with one result: a copy of that op stands behind the
/// named computation, in the order of the results, and is used instead; only the function goes on to return
/// what the user placed. A copy is made, too, where only the function's return uses the result. Reports
/// nothing. Linear.
struct insert_nameless_clone_of_negligible_ops {
  static constexpr std::string_view name = "mpmd-insert-nameless-clone-of-negligible-ops";
  static constexpr std::string_view summary =
      "Make constants that named computations return again outside them";
  static constexpr auto options = std::tuple{};

  template <mutable_mpmd_program P>
  bool operator()(P& p, diagnostics&) const {
    using traits = ir_traits<P>;
    for (op_t<P> const f : functions(p)) {
      if (!is_distributed(p, f)) continue;
      for (op_t<P> const n : inner_ops_first(p, f, role::named_computation)) {
        op_t<P> const end = terminator_of(p, n);
        if (!end) continue;
        std::vector<value_t<P>> const returned = operands_of(p, end), results = results_of(p, n);
        op_t<P> behind = n;
        for (std::size_t i = 0; i < results.size() && i < returned.size(); ++i) {
          op_t<P> const made_by = mpmd::defining_op(p, returned[i]);
          if (!made_by || !is_negligible(p, made_by) || is_unused(p, results[i])) continue;
          value_map<P> none;
          behind = traits::clone(p, made_by, none, insertion_point<P>::after(behind));
          replace_uses_if(p, results[i], result_of(p, behind), [&](auto const& u) {
            return traits::role_of(p, u.user) != role::terminator || !(traits::parent_op(p, u.user) == f);
          });
        }
      }
    }
    return true;
  }

 private:
  template <mutable_mpmd_program P>
  static bool is_negligible(P const& p, op_t<P> o) {
    auto&& inside = mpmd::body(p, o);
    return operands_of(p, o).empty() && results_of(p, o).size() == 1 &&
           std::ranges::begin(inside) == std::ranges::end(inside) && ir_traits<P>::is_pure(p, o);
  }
};

}  // namespace mpmd
