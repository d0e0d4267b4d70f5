// expect: mpmd::join_semilattice: the type L::element is missing
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

struct no_lattice {
#ifdef MPMD_CONTROL
  using element = unsigned;
#endif
  unsigned bottom() const { return 0; }
  mpmd::change join(unsigned&, unsigned) const { return mpmd::change::no; }
};

auto facts = mpmd::solve<mpmd::backward>(toy{}, no_lattice{}, [](const auto&, auto, auto&) {});
