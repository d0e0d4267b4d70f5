// expect: join_semilattice
// expect: l.join(into, from)
// The concept by itself names the member.
#include <mpmd/lattice/lattice.hpp>

struct toy {
  using element = unsigned;
  unsigned bottom() const { return 0; }
#ifdef MPMD_CONTROL
  mpmd::change join(unsigned&, unsigned) const { return mpmd::change::no; }
#endif
};

static_assert(mpmd::join_semilattice<toy>);
