#pragma once
/// The passes that pipelines expect of a compiler, for MLIR modules.
///
/// MLIR has these passes, but they leave ops alone that are not registered. Those here know the ops of mpmd, sdy and
/// StableHLO by name, and take registered ops at their word. They fold no StableHLO arithmetic: a host that registers
/// the dialect does, and specialises mpmd::host_passes for modules of its own to use its patterns.

#include <concepts>
#include <cstddef>
#include <vector>

#include <mlir/IR/BuiltinOps.h>
#include <mlir/IR/PatternMatch.h>
#include <mlir/Transforms/RegionUtils.h>

#include <mpmd/adapters/mlir.hpp>
#include <mpmd/adapters/mlir/canonical_forms.hpp>
#include <mpmd/adapters/mlir/constants.hpp>
#include <mpmd/adapters/mlir/cse.hpp>
#include <mpmd/graph/host_passes.hpp>
#include <mpmd/graph/symbol_program.hpp>
#include <mpmd/transform/greedy_rewriter.hpp>

template <class P>
  requires std::derived_from<P, mlir::ModuleOp>
struct mpmd::host_passes<P> {
  using policy = typename ir_traits<P>::policy;
  static_assert(inlinable_program<P> && sharded_mpmd_program<P>);

  static void eliminate_common_subexpressions(P& p) {
    adapters::mlir_common_subexpressions<policy>().run(p.getOperation());
  }
  static void canonicalize(P& p, bool simplify_regions) {
    if (simplify_regions) {
      ::mlir::IRRewriter rewriter(p.getContext());
      static_cast<void>(::mlir::eraseUnreachableBlocks(rewriter, p->getRegions()));
    }
    adapters::mlir_constant_uniquer<policy> constants;
    std::vector<adapters::mlir_op> order;
    p->template walk<::mlir::WalkOrder::PreOrder>([&](adapters::mlir_op o) {
      if (constants.visit(o)) return ::mlir::WalkResult::skip();
      if (o != p.getOperation()) order.push_back(o);
      return ::mlir::WalkResult::advance();
    });
    greedy_rewriter<P> r(p);
    for (std::size_t i = order.size(); i-- > 0;) r.revisit(order[i]);
    r.run(adapters::mlir_canonical_forms<P>::rewrite);
  }
};
