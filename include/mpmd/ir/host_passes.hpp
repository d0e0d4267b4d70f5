#pragma once
/// The passes that pipelines expect of a compiler, for the library's own IR.

#include <mpmd/graph/host_passes.hpp>
#include <mpmd/ir/canonicalize.hpp>
#include <mpmd/ir/cse.hpp>
#include <mpmd/ir/inline_functions.hpp>
#include <mpmd/ir/symbol_uses.hpp>
#include <mpmd/ir/traits.hpp>

template <>
struct mpmd::host_passes<mpmd::ir::program> {
  /// As MLIR's inliner does, simplifies what it has put together.
  static bool inline_functions(ir::program& p, diagnostics& diags) {
    if (!ir::inline_functions(p, diags)) return false;
    ir::canonicalize(p);
    return true;
  }
  static void eliminate_common_subexpressions(ir::program& p) { ir::eliminate_common_subexpressions(p, p.root()); }
  static void canonicalize(ir::program& p, bool simplify_regions) {
    ir::canonicalize(p, {.simplify_regions = simplify_regions});
  }
  static void erase_unused_symbols(ir::program& p) { ir::erase_unused_symbols(p); }
};
