#pragma once
/// Minimal models of the program concepts, beside those of flow_graph in archetypes.hpp: what an analysis compiles with
/// here, it compiles with on any program.

#include <cstddef>
#include <functional>
#include <string_view>
#include <vector>

#include <mpmd/graph/annotated_program.hpp>

namespace mpmd::archetypes {

/// A handle with what the concept asks of one, and a hash, as values without an index need.
class bare_handle {
 public:
  constexpr bare_handle() = default;
  constexpr explicit bare_handle(std::size_t number) : number_(number) {}
  constexpr std::size_t number() const { return number_; }
  constexpr explicit operator bool() const { return number_ != 0; }
  friend constexpr bool operator==(bare_handle const&, bare_handle const&) = default;

 private:
  std::size_t number_ = 0;
};

/// A straight list of ops, ops and values of one type; nothing optional. It holds no ops.
struct straight_program {
  straight_program() = default;
  straight_program(straight_program const&) = delete;
  straight_program& operator=(straight_program const&) = delete;
};

/// A program of functions, ops and values apart; nothing optional. It holds no functions.
struct function_program {
  struct op_handle : bare_handle {
    using bare_handle::bare_handle;
  };
  struct value_handle : bare_handle {
    using bare_handle::bare_handle;
  };
  function_program() = default;
  function_program(function_program const&) = delete;
  function_program& operator=(function_program const&) = delete;
};

/// The same with places for sets.
struct annotated_program : function_program {};

}  // namespace mpmd::archetypes

template <>
struct std::hash<mpmd::archetypes::bare_handle> {
  std::size_t operator()(mpmd::archetypes::bare_handle h) const noexcept { return h.number(); }
};
template <>
struct std::hash<mpmd::archetypes::function_program::value_handle> : std::hash<mpmd::archetypes::bare_handle> {};

template <>
struct mpmd::ir_traits<mpmd::archetypes::straight_program> {
  using program = archetypes::straight_program;
  using op = archetypes::bare_handle;
  using value = archetypes::bare_handle;
  static std::vector<op> ops(program const&) { return {}; }
  static std::vector<value> operands(program const&, op) { return {}; }
  static std::vector<value> results(program const&, op) { return {}; }
  static role role_of(program const&, op) { return role::compute; }
  static std::string_view mesh_of(program const&, value) { return {}; }
};

template <>
struct mpmd::ir_traits<mpmd::archetypes::function_program> {
  using program = archetypes::function_program;
  using op = program::op_handle;
  using value = program::value_handle;
  static std::vector<op> functions(program const&) { return {}; }
  static std::vector<op> body(program const&, op) { return {}; }
  static std::vector<value> arguments(program const&, op) { return {}; }
  static std::vector<value> operands(program const&, op) { return {}; }
  static std::vector<value> results(program const&, op) { return {}; }
  static op defining_op(program const&, value) { return {}; }
  static role role_of(program const&, op) { return role::compute; }
  static std::string_view mesh_of(program const&, value) { return {}; }
};

template <>
struct mpmd::ir_traits<mpmd::archetypes::annotated_program> : ir_traits<archetypes::function_program> {
  using program = archetypes::annotated_program;
  static mesh_annotation op_annotation(program const&, op, set_kind) { return {}; }
  static mesh_annotation argument_annotation(program const&, op, std::size_t, set_kind) { return {}; }
  static mesh_annotation result_annotation(program const&, op, std::size_t, set_kind) { return {}; }
  static void set_op_annotation(program&, op, set_kind, mesh_annotation const&) {}
  static void set_argument_annotation(program&, op, std::size_t, set_kind, mesh_annotation const&) {}
  static void set_result_annotation(program&, op, std::size_t, set_kind, mesh_annotation const&) {}
  static void set_reduction_annotation(program&, op, reduction_kind) {}
};

namespace mpmd {
static_assert(mpmd_program<archetypes::straight_program>);
static_assert(mpmd_program<archetypes::function_program>);
static_assert(annotated_mpmd_program<archetypes::annotated_program>);
}  // namespace mpmd
