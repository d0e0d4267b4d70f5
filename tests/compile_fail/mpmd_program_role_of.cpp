// expect: mpmd::mpmd_program: ir_traits<P>::role_of(p, o) is missing or does not return mpmd::role
#include <mpmd/analysis/use_sets.hpp>

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
  static std::span<const value> results(const toy& p, op) { return p.all; }
#ifdef MPMD_CONTROL
  static mpmd::role role_of(const toy&, op) { return mpmd::role::compute; }
#else
  static int role_of(const toy&, op) { return 0; }
#endif
  static std::string_view mesh_of(const toy&, value) { return {}; }
};

auto sets = mpmd::use_sets(toy{});
