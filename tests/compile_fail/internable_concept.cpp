// expect: internable
// expect: l.digest(e)
// The concept by itself names the member.
#include <mpmd/lattice/internable.hpp>

#include <cstdint>

struct toy {
  using element = unsigned;
  unsigned bottom() const { return 0; }
  mpmd::change join(unsigned&, unsigned) const { return mpmd::change::no; }
#ifdef MPMD_CONTROL
  std::uint64_t digest(unsigned n) const { return n; }
#endif
};

static_assert(mpmd::internable<toy>);
