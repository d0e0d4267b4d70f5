// expect: meet_semilattice
// expect: l.top()
// The concept by itself names the member.
#include <mpmd/lattice/lattice.hpp>

struct toy {
  using element = unsigned;
#ifdef MPMD_CONTROL
  unsigned top() const { return ~0u; }
#endif
  mpmd::change meet(unsigned&, unsigned) const { return mpmd::change::no; }
};

static_assert(mpmd::meet_semilattice<toy>);
