#pragma once
/// Minimal models of the program concepts, beside those of flow_graph in archetypes.hpp: what an analysis compiles with
/// here, it compiles with on any program.

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <mpmd/graph/foldable_program.hpp>
#include <mpmd/graph/mutable_program.hpp>
#include <mpmd/graph/sharded_program.hpp>
#include <mpmd/graph/symbol_program.hpp>

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

/// All that passes ask for.
struct mutable_program : annotated_program {
  struct type_handle : bare_handle {
    using bare_handle::bare_handle;
  };
  struct location_handle {};
};

/// The same with topologies, meshes and shardings.
struct sharded_program : mutable_program {};

/// The same with names, and functions that can take the place of calls.
struct inlinable_program : mutable_program {
  struct symbol_uses {
    explicit symbol_uses(inlinable_program const&) {}
    template <class Named>
    void of(inlinable_program const&, op_handle, Named) {}
  };
};

/// The same with regions of blocks, and what ops are by themselves.
struct structured_program : inlinable_program {
  struct block_handle : bare_handle {
    using bare_handle::bare_handle;
  };
};

/// The same with what is computed on tensors.
struct foldable_program : structured_program {};

}  // namespace mpmd::archetypes

template <>
struct std::hash<mpmd::archetypes::bare_handle> {
  std::size_t operator()(mpmd::archetypes::bare_handle h) const noexcept { return h.number(); }
};
template <>
struct std::hash<mpmd::archetypes::function_program::value_handle> : std::hash<mpmd::archetypes::bare_handle> {};
template <>
struct std::hash<mpmd::archetypes::function_program::op_handle> : std::hash<mpmd::archetypes::bare_handle> {};
template <>
struct std::hash<mpmd::archetypes::structured_program::block_handle> : std::hash<mpmd::archetypes::bare_handle> {};

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
  static void set_argument_annotations(program&, op, set_kind, std::span<mesh_annotation const>) {}
  static void set_result_annotations(program&, op, set_kind, std::span<mesh_annotation const>) {}
  static void set_reduction_annotation(program&, op, reduction_kind) {}
};

template <>
struct mpmd::ir_traits<mpmd::archetypes::mutable_program> : ir_traits<archetypes::annotated_program> {
  using program = archetypes::mutable_program;
  using type = program::type_handle;
  using location = program::location_handle;
  static std::vector<operand_use<op>> uses(program const&, value) { return {}; }
  static op parent_op(program const&, op) { return {}; }
  static std::string_view callee_name(program const&, op) { return {}; }
  static std::string_view function_name(program const&, op) { return {}; }
  static type type_of(program const&, value) { return {}; }
  static void set_type(program&, value, type) {}
  static type mesh_type(program&, type t, std::string_view, std::string_view) { return t; }
  static type tensor_type_of(program const&, type t) { return t; }
  static std::string_view memory_kind_of(program const&, type) { return {}; }
  static bool is_tensor(program const&, type) { return true; }
  static bool is_replicated(program const&, type) { return true; }
  static std::optional<std::vector<std::int64_t>> shape_of(program const&, type) { return std::nullopt; }
  static type with_shape(program&, type t, std::vector<std::int64_t> const&) { return t; }
  static location location_of(program const&, op) { return {}; }
  static location location_of_value(program const&, value) { return {}; }
  static source_location source_of(program const&, location) { return {}; }
  static std::string location_text(program const&, location) { return {}; }
  static std::vector<location_frame> location_stack(program const&, location) { return {}; }
  static location named_location(program&, std::string_view, location) { return {}; }
  static location merged_location(program&, location, location) { return {}; }
  static std::string op_text(program const&, op) { return {}; }
  static std::string type_text(program const&, type) { return {}; }
  static op create(program&, op_recipe<program> const&, insertion_point<program>) { return {}; }
  static op recreate(program&, op, std::span<value const>, std::span<type const>) { return {}; }
  static void take_body(program&, op, op) {}
  static op clone(program&, op, value_map<program>&, insertion_point<program>) { return {}; }
  static void move(program&, op, insertion_point<program>) {}
  static void erase(program&, op) {}
  static void set_operand(program&, op, std::size_t, value) {}
  static void set_operands(program&, op, std::span<value const>) {}
  static void append_operand(program&, op, value) {}
  static void erase_operands(program&, op, std::span<std::size_t const>) {}
  static value add_argument(program&, op, type, location) { return {}; }
  static void erase_argument(program&, op, std::size_t) {}
  static void erase_arguments(program&, op, std::span<std::size_t const>) {}
  static void erase_results_kept(program&, op, std::size_t) {}
  static void update_signature(program&, op) {}
  static bool is_pure(program const&, op) { return true; }
  static bool is_constant(program const&, op) { return false; }
  static bool comes_before(program const&, op, op) { return false; }
  static note note_of(program const&, op, std::string_view) { return {}; }
  static note argument_note(program const&, op, std::size_t, std::string_view) { return {}; }
  static note result_note(program const&, op, std::size_t, std::string_view) { return {}; }
  static void set_note(program&, op, std::string_view, note const&) {}
  static void set_argument_note(program&, op, std::size_t, std::string_view, note const&) {}
  static void set_result_note(program&, op, std::size_t, std::string_view, note const&) {}
  static void set_argument_notes(program&, op, std::string_view, std::span<note const>) {}
  static void set_result_notes(program&, op, std::string_view, std::span<note const>) {}
  static void copy_notes(program&, op, op) {}
  static user_origin origin_of(program const&, op) { return {}; }
  static void add_notes(program&, op, op) {}
  static fragment_info fragment_of(program const&, op) { return {}; }
  static void set_fragment(program&, op, fragment_info const&) {}
  static loop_info loop_info_of(program const&, op) { return {}; }
  static reduction_kind reduction_kind_of(program const&, op) { return {}; }
  static std::vector<std::string> meshes_of(program const&, op) { return {}; }
};

template <>
struct mpmd::ir_traits<mpmd::archetypes::sharded_program> : ir_traits<archetypes::mutable_program> {
  using program = archetypes::sharded_program;
  static void copy_topology(program&, op, op) {}
  static bool has_same_topology(program const&, op, op) { return true; }
  static void close_entry(program&, op) {}
  static std::vector<device_mesh> topology_of(program const&, op) { return {}; }
  static void add_to_topology(program&, op, device_mesh const&) {}
  static std::vector<device_mesh> declared_meshes(program const&) { return {}; }
  static void declare_meshes(program&, std::span<device_mesh const>) {}
  static void undeclare_meshes(program&, std::span<std::string const>) {}
  template <class To>
  static void retarget_shardings(program&, To) {}
};

template <>
struct mpmd::ir_traits<mpmd::archetypes::inlinable_program> : ir_traits<archetypes::mutable_program> {
  using program = archetypes::inlinable_program;
  using symbol_uses = program::symbol_uses;
  static op root(program const&) { return {}; }
  static bool is_symbol_table(program const&, op) { return false; }
  static std::string_view symbol_name(program const&, op) { return {}; }
  static bool is_private(program const&, op) { return false; }
  static bool is_function(program const&, op) { return false; }
  static bool is_function_call(program const&, op) { return false; }
  static void set_called_from(program&, op, location) {}
};

template <>
struct mpmd::ir_traits<mpmd::archetypes::structured_program> : ir_traits<archetypes::inlinable_program> {
  using program = archetypes::structured_program;
  using symbol_uses = program::symbol_uses;
  using block = program::block_handle;
  static std::size_t region_count(program const&, op) { return 0; }
  static std::vector<block> blocks(program const&, op, std::size_t) { return {}; }
  static std::vector<op> block_ops(program const&, block) { return {}; }
  static std::vector<value> block_arguments(program const&, block) { return {}; }
  static std::vector<block> successors(program const&, op) { return {}; }
  static void erase_block(program&, block) {}
  static own_effects effects_of(program const&, op) { return own_effects::none; }
  static bool is_isolated(program const&, op) { return true; }
  static bool is_foreign(program const&, op) { return false; }
  static bool is_commutative(program const&, op) { return false; }
  static bool is_alike(program const&, op, op) { return true; }
  static std::uint64_t hash_alone(program const&, op) { return 0; }
  static std::array<std::uint64_t, 3> constant_key(program const&, op) { return {}; }
};

template <>
struct mpmd::ir_traits<mpmd::archetypes::foldable_program> : ir_traits<archetypes::structured_program> {
  using program = archetypes::foldable_program;
  static tensor_kind tensor_kind_of(program const&, op) { return tensor_kind::other; }
  static std::optional<integer_element> integer_element_of(program const&, type) { return std::nullopt; }
  static std::optional<std::int64_t> number_of(program const&, op) { return std::nullopt; }
  static std::optional<std::int64_t> integer_attribute(program const&, op, std::string_view) { return std::nullopt; }
  static std::optional<std::vector<std::int64_t>> list_attribute(program const&, op, std::string_view) {
    return std::nullopt;
  }
  static comparison comparison_of(program const&, op) { return comparison::unknown; }
  static void clear_notes(program&, op) {}
};

namespace mpmd {
static_assert(mpmd_program<archetypes::straight_program>);
static_assert(mpmd_program<archetypes::function_program>);
static_assert(annotated_mpmd_program<archetypes::annotated_program>);
static_assert(mutable_mpmd_program<archetypes::mutable_program>);
static_assert(sharded_mpmd_program<archetypes::sharded_program>);
static_assert(inlinable_program<archetypes::inlinable_program>);
static_assert(structured_program<archetypes::structured_program>);
static_assert(foldable_program<archetypes::foldable_program>);
}  // namespace mpmd
