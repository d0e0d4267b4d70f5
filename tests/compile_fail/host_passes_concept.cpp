// expect: has_host_passes
// expect: canonicalize(p, true)
// The concept by itself names the member.
#include <mpmd/graph/host_passes.hpp>

struct toy {};

template <>
struct mpmd::host_passes<toy> {
  static void eliminate_common_subexpressions(toy&) {}
#ifdef MPMD_CONTROL
  static void canonicalize(toy&, bool) {}
#endif
};

static_assert(mpmd::has_host_passes<toy>);
