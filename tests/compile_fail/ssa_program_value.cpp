// expect: mpmd::ssa_program: ir_traits<P>::value is missing
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
  using op = unsigned;
#ifdef MPMD_CONTROL
  using value = unsigned;
#endif
  static std::span<const unsigned> ops(const toy& p) { return p.all; }
  static std::span<const unsigned> operands(const toy& p, unsigned) { return p.all; }
  static std::span<const unsigned> results(const toy& p, unsigned) { return p.all; }
  static mpmd::role role_of(const toy&, unsigned) { return mpmd::role::compute; }
  static std::string_view mesh_of(const toy&, unsigned) { return {}; }
};

static_assert(mpmd::check_ssa_program<toy>());
