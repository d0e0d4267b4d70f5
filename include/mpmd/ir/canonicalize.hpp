#pragma once
/// Canonicalisation: unused pure ops go, equal constants become one at the start of their function or
/// fragment, and ops are rewritten to their canonical forms until nothing changes. It does what MLIR's
/// `-canonicalize` does to programs of mpmd, in its order, so that the results read alike.

#include <cstddef>
#include <vector>

#include <mpmd/ir/constants.hpp>
#include <mpmd/ir/program.hpp>
#include <mpmd/ir/rewriter.hpp>
#include <mpmd/ir/rewrites.hpp>
#include <mpmd/ir/simplify_regions.hpp>
#include <mpmd/ir/stablehlo_folds.hpp>
#include <mpmd/ir/walk.hpp>

namespace mpmd::ir {

struct canonicalize_options {
  bool simplify_regions = true;  ///< remove unreachable blocks
};

/// Canonicalises an op and everything in it with these rewrites, each a `bool(rewriter&, op)`; those that
/// come first have precedence. Near-linear in the size of the op for the rewrites of this library. The order
/// of work, and so the result, depends on the program alone.
template <class... Rewrites>
void canonicalize_with(program& in, op root, canonicalize_options const& options,
                       Rewrites const&... rewrites) {
  if (options.simplify_regions) erase_unreachable_blocks(in, root);
  constant_uniquer constants(in);
  std::vector<op> order;
  walk(in, root, [&](op o) {
    if (constants.visit(o)) return walk_step::skip;
    if (o != root) order.push_back(o);
    return walk_step::advance;
  });
  rewriter r(in, root);
  for (std::size_t i = order.size(); i-- > 0;) r.revisit(order[i]);
  r.run(rewrites...);
}

/// Canonicalises with all rewrites this library has.
inline void canonicalize(program& in, op root, canonicalize_options const& options = {}) {
  canonicalize_with(in, root, options, rewrite_mpmd, rewrite_sdy, rewrite_stablehlo);
  unite_constants(in, root);  // those that folding has made
}
inline void canonicalize(program& in, canonicalize_options const& options = {}) {
  canonicalize(in, in.root(), options);
}

}  // namespace mpmd::ir
