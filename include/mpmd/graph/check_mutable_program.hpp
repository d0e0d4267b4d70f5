#pragma once
/// What is missing of a mutable_mpmd_program, member by member. Of each group only what fails is looked at.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <mpmd/graph/mutable_program.hpp>
#include <mpmd/support/verdict.hpp>

namespace mpmd::detail {

template <class P>
struct explain_structure {
  static_assert(has_functions<P>,
                "mpmd::mutable_mpmd_program: ir_traits<P>::functions(p) is missing or does not return a range of op");
  static_assert(has_body<P>,
                "mpmd::mutable_mpmd_program: ir_traits<P>::body(p, o) is missing or does not return a range of op");
  static_assert(has_uses<P>,
                "mpmd::mutable_mpmd_program: ir_traits<P>::uses(p, v) is missing or does not return a range of what "
                "has a user and an index");
  static_assert(has_calls<P>,
                "mpmd::mutable_mpmd_program: ir_traits<P>::callee_name(p, o) or function_name(p, o) is missing or does "
                "not return a string");
  static_assert(has_parent_op<P>,
                "mpmd::mutable_mpmd_program: ir_traits<P>::parent_op(p, o) is missing or does not return op");
};
template <class P>
struct explain_annotations {
  static_assert(
      requires(P const& c, op_t<P> o, set_kind k) {
        { ir_traits<P>::op_annotation(c, o, k) } -> std::convertible_to<mesh_annotation>;
      },
      "mpmd::mutable_mpmd_program: ir_traits<P>::op_annotation(p, o, kind) is missing or does not return "
      "mesh_annotation");
  static_assert(
      requires(P const& c, op_t<P> o, std::size_t i, set_kind k) {
        { ir_traits<P>::argument_annotation(c, o, i, k) } -> std::convertible_to<mesh_annotation>;
      },
      "mpmd::mutable_mpmd_program: ir_traits<P>::argument_annotation(p, o, i, kind) is missing or does not return "
      "mesh_annotation");
  static_assert(
      requires(P const& c, op_t<P> o, std::size_t i, set_kind k) {
        { ir_traits<P>::result_annotation(c, o, i, k) } -> std::convertible_to<mesh_annotation>;
      },
      "mpmd::mutable_mpmd_program: ir_traits<P>::result_annotation(p, f, i, kind) is missing or does not return "
      "mesh_annotation");
  static_assert(
      requires(P& p, op_t<P> o, set_kind k, mesh_annotation const& a) { ir_traits<P>::set_op_annotation(p, o, k, a); },
      "mpmd::mutable_mpmd_program: ir_traits<P>::set_op_annotation(p, o, kind, annotation) is missing");
  static_assert(
      requires(P& p, op_t<P> o, std::size_t i, set_kind k, mesh_annotation const& a) {
        ir_traits<P>::set_argument_annotation(p, o, i, k, a);
      }, "mpmd::mutable_mpmd_program: ir_traits<P>::set_argument_annotation(p, o, i, kind, annotation) is missing");
  static_assert(
      requires(P& p, op_t<P> o, std::size_t i, set_kind k, mesh_annotation const& a) {
        ir_traits<P>::set_result_annotation(p, o, i, k, a);
      }, "mpmd::mutable_mpmd_program: ir_traits<P>::set_result_annotation(p, f, i, kind, annotation) is missing");
  static_assert(
      requires(P& p, op_t<P> o, set_kind k, std::span<mesh_annotation const> all) {
        ir_traits<P>::set_argument_annotations(p, o, k, all);
      }, "mpmd::mutable_mpmd_program: ir_traits<P>::set_argument_annotations(p, o, kind, annotations) is missing");
  static_assert(
      requires(P& p, op_t<P> o, set_kind k, std::span<mesh_annotation const> all) {
        ir_traits<P>::set_result_annotations(p, o, k, all);
      }, "mpmd::mutable_mpmd_program: ir_traits<P>::set_result_annotations(p, f, kind, annotations) is missing");
  static_assert(
      requires(P& p, op_t<P> o, reduction_kind r) { ir_traits<P>::set_reduction_annotation(p, o, r); },
      "mpmd::mutable_mpmd_program: ir_traits<P>::set_reduction_annotation(p, o, reduction_kind) is missing");
};
template <class P>
struct explain_types {
  static_assert(std::default_initializable<type_t<P>> && std::copyable<type_t<P>> &&
                    std::equality_comparable<type_t<P>>,
                "mpmd::mutable_mpmd_program: ir_traits<P>::type is no handle (default constructible, copyable, "
                "equality comparable)");
  static_assert(
      requires(P const& c, value_t<P> v) {
        { ir_traits<P>::type_of(c, v) } -> std::same_as<type_t<P>>;
      }, "mpmd::mutable_mpmd_program: ir_traits<P>::type_of(p, v) is missing or does not return type");
  static_assert(
      requires(P& p, value_t<P> v, type_t<P> t) { ir_traits<P>::set_type(p, v, t); },
      "mpmd::mutable_mpmd_program: ir_traits<P>::set_type(p, v, type) is missing");
  static_assert(
      requires(P& p, type_t<P> t, std::string_view text) {
        { ir_traits<P>::mesh_type(p, t, text, text) } -> std::same_as<type_t<P>>;
      },
      "mpmd::mutable_mpmd_program: ir_traits<P>::mesh_type(p, tensor, mesh, memory_kind) is missing or does not return "
      "type");
  static_assert(
      requires(P const& c, type_t<P> t) {
        { ir_traits<P>::tensor_type_of(c, t) } -> std::same_as<type_t<P>>;
      }, "mpmd::mutable_mpmd_program: ir_traits<P>::tensor_type_of(p, type) is missing or does not return type");
  static_assert(
      requires(P const& c, type_t<P> t) {
        { ir_traits<P>::memory_kind_of(c, t) } -> std::convertible_to<std::string_view>;
      }, "mpmd::mutable_mpmd_program: ir_traits<P>::memory_kind_of(p, type) is missing or does not return a string");
  static_assert(
      requires(P const& c, type_t<P> t) {
        { ir_traits<P>::is_tensor(c, t) } -> std::same_as<bool>;
      }, "mpmd::mutable_mpmd_program: ir_traits<P>::is_tensor(p, type) is missing or does not return bool");
  static_assert(
      requires(P const& c, type_t<P> t) {
        { ir_traits<P>::is_replicated(c, t) } -> std::same_as<bool>;
      }, "mpmd::mutable_mpmd_program: ir_traits<P>::is_replicated(p, type) is missing or does not return bool");
  static_assert(
      requires(P const& c, type_t<P> t) {
        { ir_traits<P>::shape_of(c, t) } -> std::same_as<std::optional<std::vector<std::int64_t>>>;
      },
      "mpmd::mutable_mpmd_program: ir_traits<P>::shape_of(p, type) is missing or does not return "
      "optional<vector<int64_t>>");
  static_assert(
      requires(P& p, type_t<P> t, std::vector<std::int64_t> const& shape) {
        { ir_traits<P>::with_shape(p, t, shape) } -> std::same_as<type_t<P>>;
      }, "mpmd::mutable_mpmd_program: ir_traits<P>::with_shape(p, type, shape) is missing or does not return type");
};
template <class P>
struct explain_locations {
  static_assert(std::default_initializable<location_t<P>> && std::copyable<location_t<P>>,
                "mpmd::mutable_mpmd_program: ir_traits<P>::location is no handle (default constructible, copyable)");
  static_assert(
      requires(P const& c, op_t<P> o) {
        { ir_traits<P>::location_of(c, o) } -> std::same_as<location_t<P>>;
      }, "mpmd::mutable_mpmd_program: ir_traits<P>::location_of(p, o) is missing or does not return location");
  static_assert(
      requires(P const& c, value_t<P> v) {
        { ir_traits<P>::location_of_value(c, v) } -> std::same_as<location_t<P>>;
      }, "mpmd::mutable_mpmd_program: ir_traits<P>::location_of_value(p, v) is missing or does not return location");
  static_assert(
      requires(P const& c, location_t<P> at) {
        { ir_traits<P>::source_of(c, at) } -> std::same_as<source_location>;
      },
      "mpmd::mutable_mpmd_program: ir_traits<P>::source_of(p, location) is missing or does not return source_location");
  static_assert(
      requires(P const& c, location_t<P> at) {
        { ir_traits<P>::location_text(c, at) } -> std::convertible_to<std::string>;
      }, "mpmd::mutable_mpmd_program: ir_traits<P>::location_text(p, location) is missing or does not return a string");
  static_assert(
      requires(P const& c, location_t<P> at) {
        { ir_traits<P>::location_stack(c, at) } -> std::same_as<std::vector<location_frame>>;
      },
      "mpmd::mutable_mpmd_program: ir_traits<P>::location_stack(p, location) is missing or does not return "
      "vector<location_frame>");
  static_assert(
      requires(P& p, std::string_view text, location_t<P> at) {
        { ir_traits<P>::named_location(p, text, at) } -> std::same_as<location_t<P>>;
      },
      "mpmd::mutable_mpmd_program: ir_traits<P>::named_location(p, name, location) is missing or does not return "
      "location");
  static_assert(
      requires(P& p, location_t<P> at) {
        { ir_traits<P>::merged_location(p, at, at) } -> std::same_as<location_t<P>>;
      }, "mpmd::mutable_mpmd_program: ir_traits<P>::merged_location(p, a, b) is missing or does not return location");
  static_assert(
      requires(P const& c, op_t<P> o) {
        { ir_traits<P>::op_text(c, o) } -> std::convertible_to<std::string>;
      }, "mpmd::mutable_mpmd_program: ir_traits<P>::op_text(p, o) is missing or does not return a string");
  static_assert(
      requires(P const& c, type_t<P> t) {
        { ir_traits<P>::type_text(c, t) } -> std::convertible_to<std::string>;
      }, "mpmd::mutable_mpmd_program: ir_traits<P>::type_text(p, type) is missing or does not return a string");
};
template <class P>
struct explain_edits {
  static_assert(
      requires(P& p, op_recipe<P> const& recipe, insertion_point<P> point) {
        { ir_traits<P>::create(p, recipe, point) } -> std::same_as<op_t<P>>;
      }, "mpmd::mutable_mpmd_program: ir_traits<P>::create(p, recipe, point) is missing or does not return op");
  static_assert(
      requires(P& p, op_t<P> o, std::span<value_t<P> const> values, std::span<type_t<P> const> types) {
        { ir_traits<P>::recreate(p, o, values, types) } -> std::same_as<op_t<P>>;
      },
      "mpmd::mutable_mpmd_program: ir_traits<P>::recreate(p, o, operands, result types) is missing or does not return "
      "op");
  static_assert(
      requires(P& p, op_t<P> o) { ir_traits<P>::take_body(p, o, o); },
      "mpmd::mutable_mpmd_program: ir_traits<P>::take_body(p, from, to) is missing");
  static_assert(
      requires(P& p, op_t<P> o, value_map<P>& map, insertion_point<P> point) {
        { ir_traits<P>::clone(p, o, map, point) } -> std::same_as<op_t<P>>;
      }, "mpmd::mutable_mpmd_program: ir_traits<P>::clone(p, o, map, point) is missing or does not return op");
  static_assert(
      requires(P& p, op_t<P> o, insertion_point<P> point) { ir_traits<P>::move(p, o, point); },
      "mpmd::mutable_mpmd_program: ir_traits<P>::move(p, o, point) is missing");
  static_assert(
      requires(P& p, op_t<P> o) { ir_traits<P>::erase(p, o); },
      "mpmd::mutable_mpmd_program: ir_traits<P>::erase(p, o) is missing");
  static_assert(
      requires(P& p, op_t<P> o, std::size_t i, value_t<P> v) { ir_traits<P>::set_operand(p, o, i, v); },
      "mpmd::mutable_mpmd_program: ir_traits<P>::set_operand(p, o, i, v) is missing");
  static_assert(
      requires(P& p, op_t<P> o, std::span<value_t<P> const> values) { ir_traits<P>::set_operands(p, o, values); },
      "mpmd::mutable_mpmd_program: ir_traits<P>::set_operands(p, o, values) is missing");
  static_assert(
      requires(P& p, op_t<P> o, value_t<P> v) { ir_traits<P>::append_operand(p, o, v); },
      "mpmd::mutable_mpmd_program: ir_traits<P>::append_operand(p, o, v) is missing");
  static_assert(
      requires(P& p, op_t<P> o, std::span<std::size_t const> positions) {
        ir_traits<P>::erase_operands(p, o, positions);
      }, "mpmd::mutable_mpmd_program: ir_traits<P>::erase_operands(p, o, positions) is missing");
  static_assert(
      requires(P& p, op_t<P> o, type_t<P> t, location_t<P> at) {
        { ir_traits<P>::add_argument(p, o, t, at) } -> std::same_as<value_t<P>>;
      },
      "mpmd::mutable_mpmd_program: ir_traits<P>::add_argument(p, o, type, location) is missing or does not return "
      "value");
  static_assert(
      requires(P& p, op_t<P> o, std::size_t i) { ir_traits<P>::erase_argument(p, o, i); },
      "mpmd::mutable_mpmd_program: ir_traits<P>::erase_argument(p, o, i) is missing");
  static_assert(
      requires(P& p, op_t<P> o, std::span<std::size_t const> positions) {
        ir_traits<P>::erase_arguments(p, o, positions);
      }, "mpmd::mutable_mpmd_program: ir_traits<P>::erase_arguments(p, o, positions) is missing");
  static_assert(
      requires(P& p, op_t<P> o, std::size_t i) { ir_traits<P>::erase_results_kept(p, o, i); },
      "mpmd::mutable_mpmd_program: ir_traits<P>::erase_results_kept(p, f, i) is missing");
  static_assert(
      requires(P& p, op_t<P> o) { ir_traits<P>::update_signature(p, o); },
      "mpmd::mutable_mpmd_program: ir_traits<P>::update_signature(p, f) is missing");
  static_assert(
      requires(P const& c, op_t<P> o) {
        { ir_traits<P>::is_pure(c, o) } -> std::same_as<bool>;
      }, "mpmd::mutable_mpmd_program: ir_traits<P>::is_pure(p, o) is missing or does not return bool");
  static_assert(
      requires(P const& c, op_t<P> o) {
        { ir_traits<P>::is_constant(c, o) } -> std::same_as<bool>;
      }, "mpmd::mutable_mpmd_program: ir_traits<P>::is_constant(p, o) is missing or does not return bool");
  static_assert(
      requires(P const& c, op_t<P> o) {
        { ir_traits<P>::comes_before(c, o, o) } -> std::same_as<bool>;
      }, "mpmd::mutable_mpmd_program: ir_traits<P>::comes_before(p, a, b) is missing or does not return bool");
  static_assert(
      requires(op_t<P> o, value_t<P> v) {
        { std::hash<op_t<P>>{}(o) } -> std::convertible_to<std::size_t>;
        { std::hash<value_t<P>>{}(v) } -> std::convertible_to<std::size_t>;
      }, "mpmd::mutable_mpmd_program: ir_traits<P>::op or value has no std::hash");
};
template <class P>
struct explain_notes {
  static_assert(
      requires(P const& c, op_t<P> o, std::string_view name) {
        { ir_traits<P>::note_of(c, o, name) } -> std::same_as<note>;
      }, "mpmd::mutable_mpmd_program: ir_traits<P>::note_of(p, o, name) is missing or does not return note");
  static_assert(
      requires(P const& c, op_t<P> o, std::size_t i, std::string_view name) {
        { ir_traits<P>::argument_note(c, o, i, name) } -> std::same_as<note>;
      }, "mpmd::mutable_mpmd_program: ir_traits<P>::argument_note(p, o, i, name) is missing or does not return note");
  static_assert(
      requires(P const& c, op_t<P> o, std::size_t i, std::string_view name) {
        { ir_traits<P>::result_note(c, o, i, name) } -> std::same_as<note>;
      }, "mpmd::mutable_mpmd_program: ir_traits<P>::result_note(p, f, i, name) is missing or does not return note");
  static_assert(
      requires(P& p, op_t<P> o, std::string_view name, note const& n) { ir_traits<P>::set_note(p, o, name, n); },
      "mpmd::mutable_mpmd_program: ir_traits<P>::set_note(p, o, name, note) is missing");
  static_assert(
      requires(P& p, op_t<P> o, std::size_t i, std::string_view name, note const& n) {
        ir_traits<P>::set_argument_note(p, o, i, name, n);
      }, "mpmd::mutable_mpmd_program: ir_traits<P>::set_argument_note(p, o, i, name, note) is missing");
  static_assert(
      requires(P& p, op_t<P> o, std::size_t i, std::string_view name, note const& n) {
        ir_traits<P>::set_result_note(p, o, i, name, n);
      }, "mpmd::mutable_mpmd_program: ir_traits<P>::set_result_note(p, f, i, name, note) is missing");
  static_assert(
      requires(P& p, op_t<P> o, std::string_view name, std::span<note const> notes) {
        ir_traits<P>::set_argument_notes(p, o, name, notes);
      }, "mpmd::mutable_mpmd_program: ir_traits<P>::set_argument_notes(p, o, name, notes) is missing");
  static_assert(
      requires(P& p, op_t<P> o, std::string_view name, std::span<note const> notes) {
        ir_traits<P>::set_result_notes(p, o, name, notes);
      }, "mpmd::mutable_mpmd_program: ir_traits<P>::set_result_notes(p, f, name, notes) is missing");
  static_assert(
      requires(P& p, op_t<P> o) { ir_traits<P>::copy_notes(p, o, o); },
      "mpmd::mutable_mpmd_program: ir_traits<P>::copy_notes(p, from, to) is missing");
  static_assert(
      requires(P& p, op_t<P> o) { ir_traits<P>::add_notes(p, o, o); },
      "mpmd::mutable_mpmd_program: ir_traits<P>::add_notes(p, from, to) is missing");
  static_assert(
      requires(P const& c, op_t<P> o) {
        { ir_traits<P>::origin_of(c, o) } -> std::same_as<user_origin>;
      }, "mpmd::mutable_mpmd_program: ir_traits<P>::origin_of(p, o) is missing or does not return user_origin");
  static_assert(
      requires(P const& c, op_t<P> o) {
        { ir_traits<P>::fragment_of(c, o) } -> std::same_as<fragment_info>;
      }, "mpmd::mutable_mpmd_program: ir_traits<P>::fragment_of(p, o) is missing or does not return fragment_info");
  static_assert(
      requires(P& p, op_t<P> o, fragment_info const& info) { ir_traits<P>::set_fragment(p, o, info); },
      "mpmd::mutable_mpmd_program: ir_traits<P>::set_fragment(p, o, info) is missing");
  static_assert(
      requires(P const& c, op_t<P> o) {
        { ir_traits<P>::loop_info_of(c, o) } -> std::same_as<loop_info>;
      }, "mpmd::mutable_mpmd_program: ir_traits<P>::loop_info_of(p, o) is missing or does not return loop_info");
  static_assert(
      requires(P const& c, op_t<P> o) {
        { ir_traits<P>::reduction_kind_of(c, o) } -> std::same_as<reduction_kind>;
      },
      "mpmd::mutable_mpmd_program: ir_traits<P>::reduction_kind_of(p, o) is missing or does not return reduction_kind");
  static_assert(
      requires(P const& c, op_t<P> o) {
        { ir_traits<P>::meshes_of(c, o) } -> std::same_as<std::vector<std::string>>;
      }, "mpmd::mutable_mpmd_program: ir_traits<P>::meshes_of(p, f) is missing or does not return vector<string>");
};

/// Stops the build with the sentences of `Explain<P>`.
template <bool Missing, template <class> class Explain, class P>
consteval bool explained() {
  if constexpr (Missing) return sizeof(Explain<P>) == 0;
  return true;
}

/// Refuses a type that is no `mutable_mpmd_program` with a sentence for each member that is missing.
template <class P>
struct check_mutable_program : check_mpmd_program<P> {
  static constexpr bool named = check_ssa_program<P>::handles && requires {
    typename ir_traits<P>::type;
    typename ir_traits<P>::location;
  };
  static_assert(!check_ssa_program<P>::handles || named,
                "mpmd::mutable_mpmd_program: ir_traits<P>::type or ir_traits<P>::location is missing");
  static constexpr bool has_structure =
      has_functions<P> && has_body<P> && has_uses<P> && has_calls<P> && has_parent_op<P>;
  static_assert(explained<named && !has_structure, explain_structure, P>());
  static_assert(explained<named && !annotated_mpmd_program<P>, explain_annotations, P>());
  static_assert(explained<named && !has_types<P>, explain_types, P>());
  static_assert(explained<named && !has_locations<P>, explain_locations, P>());
  static_assert(explained<named && !has_edits<P>, explain_edits, P>());
  static_assert(explained<named && !has_notes<P>, explain_notes, P>());
  static constexpr bool passed = mutable_mpmd_program<P>;
};

}  // namespace mpmd::detail

namespace mpmd {

/// Whether `P` models mutable_mpmd_program; where it does not, the compiler says which members are missing or wrong:
/// `static_assert(mpmd::check_mutable_program<my_ir>());`
template <class P>
inline constexpr verdict check_mutable_program{detail::check_mutable_program<P>::passed};

}  // namespace mpmd
