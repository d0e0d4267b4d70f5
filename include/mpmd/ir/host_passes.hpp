#pragma once
/// The passes that pipelines expect of a compiler, for the library's own IR.

#include <mpmd/graph/host_passes.hpp>
#include <mpmd/graph/symbol_program.hpp>
#include <mpmd/ir/canonicalize.hpp>
#include <mpmd/ir/cse.hpp>
#include <mpmd/ir/traits.hpp>

template <>
struct mpmd::host_passes<mpmd::ir::program> {
  static_assert(inlinable_program<ir::program> && sharded_mpmd_program<ir::program>);
  static void eliminate_common_subexpressions(ir::program& p) { ir::eliminate_common_subexpressions(p, p.root()); }
  static void canonicalize(ir::program& p, bool simplify_regions) {
    ir::canonicalize(p, {.simplify_regions = simplify_regions});
  }
};
