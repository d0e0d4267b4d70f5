// expect: mpmd::solve: the transfer function cannot be called as transfer(const G&, node, L::element&)
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
  static std::size_t index(const toy&, node n) { return n; }
  static std::size_t index_bound(const toy& g) { return g.all.size(); }
};

#ifdef MPMD_CONTROL
constexpr auto keep = [](const toy&, unsigned, mpmd::mesh_set<8>&) {};
#else
constexpr auto keep = [](unsigned, mpmd::mesh_set<8>&) {};
#endif
auto facts = mpmd::solve<mpmd::backward>(toy{}, mpmd::mesh_sets<8>{}, keep);
