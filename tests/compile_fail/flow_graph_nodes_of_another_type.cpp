// expect: mpmd::flow_graph: ir_traits<G>::nodes(g) does not return a range of ir_traits<G>::node
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
#ifdef MPMD_CONTROL
  static std::span<const node> nodes(const toy& g) { return g.all; }
#else
  static std::span<const char* const> nodes(const toy&) { return {}; }
#endif
  static std::span<const node> predecessors(const toy& g, node) { return g.all; }
  static std::size_t index(const toy&, node n) { return n; }
  static std::size_t index_bound(const toy& g) { return g.all.size(); }
};

auto facts = mpmd::solve<mpmd::backward>(toy{}, mpmd::mesh_sets<8>{}, [](const auto&, auto, auto&) {});
