// expect: mpmd::flow_graph: the type ir_traits<G>::node is missing
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
#ifdef MPMD_CONTROL
  using node = unsigned;
#endif
  static std::span<const unsigned> nodes(const toy& g) { return g.all; }
  static std::span<const unsigned> predecessors(const toy& g, unsigned) { return g.all; }
  static std::size_t index(const toy&, unsigned n) { return n; }
  static std::size_t index_bound(const toy& g) { return g.all.size(); }
};

auto facts = mpmd::solve<mpmd::backward>(toy{}, mpmd::mesh_sets<8>{}, [](const auto&, auto, auto&) {});
