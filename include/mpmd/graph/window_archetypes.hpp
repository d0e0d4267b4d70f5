#pragma once
/// Minimal models of `window_program`: what the tracing of windows compiles with here, it compiles with on any program.

#include <vector>

#include <mpmd/graph/program_archetypes.hpp>
#include <mpmd/graph/window_program.hpp>

namespace mpmd::archetypes {

/// A straight list of ops; nothing optional. It holds no ops.
struct straight_windows {
  straight_windows() = default;
  straight_windows(straight_windows const&) = delete;
  straight_windows& operator=(straight_windows const&) = delete;
};

/// Functions with bodies, ops and values apart; nothing optional. It holds no functions.
struct function_windows {
  struct op_handle : bare_handle {
    using bare_handle::bare_handle;
  };
  struct value_handle : bare_handle {
    using bare_handle::bare_handle;
  };
  function_windows() = default;
  function_windows(function_windows const&) = delete;
  function_windows& operator=(function_windows const&) = delete;
};

}  // namespace mpmd::archetypes

template <>
struct std::hash<mpmd::archetypes::function_windows::value_handle> : std::hash<mpmd::archetypes::bare_handle> {};

template <>
struct mpmd::ir_traits<mpmd::archetypes::straight_windows> {
  using program = archetypes::straight_windows;
  using op = archetypes::bare_handle;
  using value = archetypes::bare_handle;
  static std::vector<op> ops(program const&) { return {}; }
  static std::vector<value> operands(program const&, op) { return {}; }
  static std::vector<value> results(program const&, op) { return {}; }
  static window_role window_role_of(program const&, op) { return window_role::other; }
  static device_form<value> device_of(program const&, op) { return {}; }
  static collective_kind collective_of(program const&, op) { return {}; }
};

template <>
struct mpmd::ir_traits<mpmd::archetypes::function_windows> {
  using program = archetypes::function_windows;
  using op = program::op_handle;
  using value = program::value_handle;
  static std::vector<op> window_functions(program const&) { return {}; }
  static std::vector<std::vector<op>> bodies(program const&, op) { return {}; }
  static std::vector<value> window_operands(program const&, op) { return {}; }
  static std::vector<value> window_results(program const&, op) { return {}; }
  static window_role window_role_of(program const&, op) { return window_role::other; }
  static device_form<value> device_of(program const&, op) { return {}; }
  static collective_kind collective_of(program const&, op) { return {}; }
};

namespace mpmd {
static_assert(window_program<archetypes::straight_windows>);
static_assert(window_program<archetypes::function_windows>);
}  // namespace mpmd
