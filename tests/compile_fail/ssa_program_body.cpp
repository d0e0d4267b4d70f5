// expect: mpmd::ssa_program: ir_traits<P>::functions(p) is there but ir_traits<P>::body(p, o) is missing
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
  using value = int;
  static std::span<const op> functions(const toy& p) { return p.all; }
#ifdef MPMD_CONTROL
  static std::span<const op> body(const toy& p, op) { return p.all; }
#endif
  static std::span<const value> arguments(const toy& p, op) { return p.values; }
  static std::span<const value> operands(const toy& p, op) { return p.values; }
  static std::span<const value> results(const toy& p, op) { return p.values; }
  static op defining_op(const toy&, value) { return {}; }
  static mpmd::role role_of(const toy&, op) { return mpmd::role::compute; }
  static std::string_view mesh_of(const toy&, value) { return {}; }
};

static_assert(mpmd::check_ssa_program<toy>());
