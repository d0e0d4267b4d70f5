// expect: mpmd::flow_graph: ir_traits<G>::node is not copyable
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
#else
  struct node {
    node(unsigned);
    node(node&&) = default;
    operator unsigned() const;
  };
#endif
  static std::span<const unsigned> nodes(const toy& g) { return g.all; }
  static std::span<const unsigned> predecessors(const toy& g, const node&) { return g.all; }
  static std::size_t index(const toy&, const node& n) { return n; }
  static std::size_t index_bound(const toy& g) { return g.all.size(); }
};

auto facts = mpmd::solve<mpmd::backward>(toy{}, mpmd::mesh_sets<8>{}, [](const auto&, auto, auto&) {});
