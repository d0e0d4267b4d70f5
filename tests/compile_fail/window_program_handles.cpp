// expect: mpmd::window_program: ir_traits<P>::op or ir_traits<P>::value is missing or is no handle
#include <mpmd/graph/window_program.hpp>

#include <span>
#include <vector>

struct toy {
  std::vector<unsigned> all;
};

template <>
struct mpmd::ir_traits<toy> {
  using op = unsigned;
#ifdef MPMD_CONTROL
  using value = unsigned;
#endif
  static std::span<op const> ops(toy const& p) { return p.all; }
  static std::span<unsigned const> operands(toy const& p, op) { return p.all; }
  static std::span<unsigned const> results(toy const& p, op) { return p.all; }
  static mpmd::window_role window_role_of(toy const&, op) { return mpmd::window_role::other; }
  static mpmd::device_form<unsigned> device_of(toy const&, op) { return {}; }
};

static_assert(mpmd::check_window_program<toy>());
