// expect: flow_graph<toy>
// expect: nodes
// The concept by itself names the member, too, through the concept of that member.
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
#endif
  static std::span<const node> predecessors(const toy& g, node) { return g.all; }
  static std::size_t index(const toy&, node n) { return n; }
  static std::size_t index_bound(const toy& g) { return g.all.size(); }
};

static_assert(mpmd::flow_graph<toy>);
