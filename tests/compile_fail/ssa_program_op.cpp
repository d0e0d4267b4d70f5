// expect: mpmd::ssa_program: ir_traits<P>::op is missing
#include <mpmd/graph/mpmd_program.hpp>

#include <span>
#include <string_view>
#include <vector>

struct toy {
  std::vector<unsigned> all;
  std::vector<int> values;
};

template <>
struct mpmd::ir_traits<toy> {
#ifdef MPMD_CONTROL
  using op = unsigned;
#endif
  using value = unsigned;
  static std::span<const unsigned> ops(const toy& p) { return p.all; }
  static std::span<const value> operands(const toy& p, unsigned) { return p.all; }
  static std::span<const value> results(const toy& p, unsigned) { return p.all; }
  static mpmd::role role_of(const toy&, unsigned) { return mpmd::role::compute; }
  static std::string_view mesh_of(const toy&, value) { return {}; }
};

static_assert(mpmd::check_ssa_program<toy>());
