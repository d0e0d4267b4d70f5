// expect: mpmd::flow_graph: ir_traits<G>::index_bound(g) is there but ir_traits<G>::index(g, n) is missing
#include <mpmd/dataflow/solver.hpp>
#include <mpmd/lattice/mesh_set.hpp>

#include <cstddef>
#include <span>
#include <vector>

struct toy {
  std::vector<unsigned> all;
};

template <>
struct mpmd::ir_traits<toy> {
  using node = unsigned;
  static std::span<const node> nodes(const toy& g) { return g.all; }
  static std::span<const node> predecessors(const toy& g, node) { return g.all; }
#ifdef MPMD_CONTROL
  static std::size_t index(const toy&, node n) { return n; }
#endif
  static std::size_t index_bound(const toy& g) { return g.all.size(); }
};

auto facts = mpmd::solve<mpmd::backward>(toy{}, mpmd::mesh_sets<8>{}, [](const auto&, auto, auto&) {});
