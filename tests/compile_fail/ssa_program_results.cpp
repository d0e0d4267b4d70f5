// expect: mpmd::ssa_program: ir_traits<P>::results(p, o) is missing or does not return a range of value
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
  using value = unsigned;
  static std::span<const op> ops(const toy& p) { return p.all; }
  static std::span<const value> operands(const toy& p, op) { return p.all; }
#ifdef MPMD_CONTROL
  static std::span<const value> results(const toy& p, op) { return p.all; }
#endif
  static mpmd::role role_of(const toy&, op) { return mpmd::role::compute; }
  static std::string_view mesh_of(const toy&, value) { return {}; }
};

static_assert(mpmd::check_ssa_program<toy>());
