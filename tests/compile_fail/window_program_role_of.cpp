// expect: mpmd::window_program: ir_traits<P>::window_role_of(p, o) is missing or does not return window_role
#include <mpmd/graph/window_program.hpp>

#include <span>
#include <vector>

struct toy {
  std::vector<unsigned> all;
};

template <>
struct mpmd::ir_traits<toy> {
  using op = unsigned;
  using value = unsigned;
  static std::span<op const> ops(toy const& p) { return p.all; }
  static std::span<value const> operands(toy const& p, op) { return p.all; }
  static std::span<value const> results(toy const& p, op) { return p.all; }
#ifdef MPMD_CONTROL
  static mpmd::window_role window_role_of(toy const&, op) { return mpmd::window_role::other; }
#else
  static int window_role_of(toy const&, op) { return 0; }
#endif
  static mpmd::device_form<value> device_of(toy const&, op) { return {}; }
};

static_assert(mpmd::check_window_program<toy>());
