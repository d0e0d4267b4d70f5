// expect: mpmd::flow_graph: ir_traits<G>::successors(g, n) does not return a range of ir_traits<G>::node
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
#ifdef MPMD_CONTROL
  static std::span<const node> successors(const toy& g, node) { return g.all; }
#else
  static int successors(const toy&, node) { return 0; }
#endif
  static std::size_t index(const toy&, node n) { return n; }
  static std::size_t index_bound(const toy& g) { return g.all.size(); }
};

auto facts = mpmd::solve<mpmd::backward>(toy{}, mpmd::mesh_sets<8>{}, [](const auto&, auto, auto&) {});
