// expect: mpmd::window_program: ir_traits<P>::ops(p) is missing, or window_functions(p) and bodies(p, o)
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
#ifdef MPMD_CONTROL
  static std::span<op const> ops(toy const& p) { return p.all; }
#endif
  static std::span<value const> operands(toy const& p, op) { return p.all; }
  static std::span<value const> results(toy const& p, op) { return p.all; }
  static mpmd::window_role window_role_of(toy const&, op) { return mpmd::window_role::other; }
  static mpmd::device_form<value> device_of(toy const&, op) { return {}; }
};

static_assert(mpmd::check_window_program<toy>());
