// expect: mpmd::join_semilattice: l.join(element&, const element&) const is missing
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
  using element = unsigned;
  unsigned bottom() const { return 0; }
#ifdef MPMD_CONTROL
  mpmd::change join(unsigned&, unsigned) const { return mpmd::change::no; }
#endif
};

auto facts = mpmd::solve<mpmd::backward>(toy{}, no_lattice{}, [](const auto&, auto, auto&) {});
