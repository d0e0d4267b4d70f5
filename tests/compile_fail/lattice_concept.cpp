// expect: lattice<toy>
// expect: l.meet(into, from)
// The concept by itself names the member.
#include <mpmd/lattice/lattice.hpp>

struct toy {
  using element = unsigned;
  unsigned bottom() const { return 0; }
  unsigned top() const { return ~0u; }
  mpmd::change join(unsigned&, unsigned) const { return mpmd::change::no; }
#ifdef MPMD_CONTROL
  mpmd::change meet(unsigned&, unsigned) const { return mpmd::change::no; }
#endif
};

static_assert(mpmd::lattice<toy>);
