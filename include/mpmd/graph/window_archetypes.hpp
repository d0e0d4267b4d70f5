#pragma once
/// Minimal models of `window_program` and `mutable_window_program`: what the tracing of windows and the passes over them
/// compile with here, they compile with on any program.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <mpmd/graph/mutable_window_program.hpp>
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

/// All that passes over windows ask for.
struct mutable_windows : function_windows {
  struct window_handle : bare_handle {
    using bare_handle::bare_handle;
  };
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

template <>
struct mpmd::ir_traits<mpmd::archetypes::mutable_windows> {
  using program = archetypes::mutable_windows;
  using op = program::op_handle;
  using value = program::value_handle;
  using window = program::window_handle;
  using buffer = allocated_buffer<op, value>;
  using scope = scope_recipe<op, window>;

  static std::vector<op> window_functions(program const&) { return {}; }
  static std::vector<std::vector<op>> bodies(program const&, op) { return {}; }
  static std::vector<value> window_operands(program const&, op) { return {}; }
  static std::vector<value> window_results(program const&, op) { return {}; }
  static window_role window_role_of(program const&, op) { return window_role::other; }
  static device_form<value> device_of(program const&, op) { return {}; }
  static collective_kind collective_of(program const&, op) { return {}; }

  static window window_of(program const&, value) { return {}; }
  static std::size_t window_number(program const&, window w) { return w.number(); }
  static value window_base(program const&, window) { return {}; }
  static void set_window(program&, value, window) {}
  static void match_window(program&, op) {}
  static std::vector<window> create_windows(program&, op, std::span<buffer const>) { return {}; }
  static bool is_parameter(program const&, value) { return false; }
  static bool follows_types(program const&, value) { return false; }
  static void add_scopes(program&, op, std::span<scope const>) {}
  static bool is_scope(program const&, op) { return false; }
  static std::string_view scope_name(program const&, op) { return {}; }
  static std::vector<device_run> scope_devices(program const&, op) { return {}; }
  static std::vector<window> scope_windows(program const&, op) { return {}; }
  static std::vector<value> mentions(program const&, op) { return {}; }
  static value split_variable(program&, op, value) { return {}; }
  static void replace_mention(program&, op, value, value) {}
  static void replace_set(program&, op, value, value) {}
  static call_position position_of(program const&, op) { return call_position::statement; }
  static std::vector<std::string_view> used_names(program const&) { return {}; }
  static std::optional<std::int64_t> integer_argument(program const&, op, std::string const&) { return {}; }
  static std::optional<std::string> text_argument(program const&, op, std::string const&) { return {}; }
  static std::vector<value> add_signals(program&, op, std::span<signal_recipe const>) { return {}; }
  static void add_operand(program&, op, value) {}
  static void name_result(program&, op, std::string const&) {}
  static std::vector<std::optional<std::int64_t>> extents_of(program const&, value) { return {}; }
  static std::string_view element_type(program const&, value) { return {}; }
  static void lower(program&, op, lowered_collective const&) {}
};

namespace mpmd {
static_assert(window_program<archetypes::straight_windows>);
static_assert(window_program<archetypes::function_windows>);
static_assert(mutable_window_program<archetypes::mutable_windows>);
}  // namespace mpmd
