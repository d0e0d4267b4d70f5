#pragma once

#include <mpmd/dataflow/solver.hpp>
#include <mpmd/graph/csr_graph.hpp>
#include <mpmd/lattice/mesh_set.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "propagation_graph.hpp"

/// What the propagation benchmarks time, and a test compares: the use set of each op, that is the meshes of
/// the ops that need it, directly or not, and its own.
namespace mpmd::bench {

/// The floor: a loop written by hand for this one question. Users come after what they use, so when it
/// reaches an op, the op's set is complete.
inline std::vector<std::uint64_t> raw_sweep(const propagation_graph& g) {
  const auto* offsets = g.offsets.data();
  const auto* operands = g.operands.data();
  const auto* assigned = g.assigned.data();
  std::vector<std::uint64_t> sets(g.size(), 0);
  auto* bits = sets.data();
  for (auto i = g.size(); i-- > 0;) {
    auto mine = bits[i];
    if (assigned[i] != no_mesh) {
      mine |= std::uint64_t{1} << assigned[i];
      bits[i] = mine;
    }
    for (auto e = offsets[i], end = offsets[i + 1]; e != end; ++e) bits[operands[e]] |= mine;
  }
  return sets;
}

/// The solver on the same arrays, through the concepts. `order` is what it is told: the loop above, too,
/// knows that users come after what they use; told nothing, the solver looks first.
inline auto use_set_flat(const propagation_graph& g, csr_order order = csr_order::topological) {
  const csr_graph<> graph(g.offsets, g.operands, order);
  return solve<backward>(graph, mesh_sets<64>(mesh_count),
                         [&](const csr_graph<>&, std::uint32_t op, mesh_set<64>& uses) {
                           if (g.assigned[op] != no_mesh) uses.insert(g.assigned[op]);
                         });
}

}  // namespace mpmd::bench
