// expect: mpmd::flow_graph: ir_traits<G>::index(g, n) is missing, and ir_traits<G>::node has no std::hash
#include <mpmd/dataflow/solver.hpp>
#include <mpmd/lattice/mesh_set.hpp>

#include <cstddef>
#include <span>
#include <vector>

struct toy {
  std::vector<unsigned> all;
};

struct handle {
  unsigned number;
  bool operator==(const handle&) const = default;
};

#ifdef MPMD_CONTROL
template <>
struct std::hash<handle> {
  std::size_t operator()(handle h) const { return h.number; }
};
#endif

template <>
struct mpmd::ir_traits<toy> {
  using node = handle;
  static std::vector<handle> nodes(const toy&) { return {}; }
  static std::vector<handle> successors(const toy&, node) { return {}; }
};

auto facts = mpmd::solve<mpmd::backward>(toy{}, mpmd::mesh_sets<8>{}, [](const auto&, auto, auto&) {});
