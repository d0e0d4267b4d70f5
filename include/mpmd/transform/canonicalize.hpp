#pragma once
/// -canonicalize: unused pure ops go, equal constants become one at the start of their function or fragment, and ops are
/// rewritten to their canonical forms until nothing changes. It does what MLIR's `-canonicalize` does to programs of mpmd,
/// in its order, so that the results read alike.

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <vector>

#include <mpmd/graph/foldable_program.hpp>
#include <mpmd/support/diagnostics.hpp>
#include <mpmd/support/option.hpp>
#include <mpmd/transform/canonical_forms.hpp>
#include <mpmd/transform/erase_unreachable_blocks.hpp>
#include <mpmd/transform/fold_stablehlo.hpp>
#include <mpmd/transform/greedy_rewriter.hpp>
#include <mpmd/transform/unite_constants.hpp>

namespace mpmd {

/// Canonicalises an op and everything in it with these rewrites, each a `bool(greedy_rewriter<P>&, op)`; those that
/// come first have precedence. Near-linear in the size of the op for the rewrites of this library. The order
/// of work, and so the result, depends on the program alone.
template <structured_program P, class... Rewrites>
void canonicalize_with(P& p, op_t<P> root, Rewrites const&... rewrites) {
  std::vector<op_t<P>> order;
  unite_constants(p, root, [&](op_t<P> o) { order.push_back(o); });
  greedy_rewriter<P> r(p);
  for (std::size_t i = order.size(); i-- > 0;) r.revisit(order[i]);
  r.run(rewrites...);
}

/// How far regions are simplified beside what is in them, as MLIR's canonicalizer has it.
enum class region_simplification : std::uint8_t { disabled, normal, aggressive };

/// Folds ops into their simplest form and erases what is unused. A compiler with patterns of its own puts a pass of its own
/// in the place of this one, which canonicalize_with makes of them: see import_pipeline.
struct canonicalize {
  region_simplification simplify_regions = region_simplification::normal;
  std::int64_t max_iterations = 10;  ///< without effect, like top_down: taken because mlir-opt takes it
  bool top_down = true;
  static constexpr std::string_view name = "canonicalize";
  static constexpr std::string_view summary = "Fold ops into their simplest form and erase what is unused";
  static constexpr auto options =
      std::tuple{option{"region-simplify", &canonicalize::simplify_regions,
                        "Erase blocks that are never reached; aggressive does no more than normal"},
                 option{"max-iterations", &canonicalize::max_iterations,
                        "Taken as by mlir-opt; ops are looked at until nothing changes, whatever it says"},
                 option{"top-down", &canonicalize::top_down,
                        "Taken as by mlir-opt; the order in which ops are looked at is always the same"}};
  template <foldable_program P>
  bool operator()(P& p, diagnostics&) const {
    op_t<P> const root = ir_traits<P>::root(p);
    if (simplify_regions != region_simplification::disabled) erase_unreachable_blocks(p, root);
    canonicalize_with(p, root, rewrite_mpmd<P>, rewrite_sdy<P>, fold_stablehlo<P>);
    unite_constants(p, root);  // those that folding has made
    return true;
  }
};

}  // namespace mpmd
