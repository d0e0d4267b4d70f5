// expect: mpmd::flow_graph: ir_traits<G>::nodes(g) is missing
#include <mpmd/dataflow/witness.hpp>
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

auto chain =
    mpmd::witness<mpmd::backward>(toy{}, 0u, [](unsigned) { return true; }, [](unsigned) { return true; });
