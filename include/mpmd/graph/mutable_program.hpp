#pragma once
/// The fourth step of what an IR offers: edits. Enough for every pass.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include <mpmd/graph/annotated_program.hpp>
#include <mpmd/support/diagnostics.hpp>  // before the alias `note`, which would otherwise be shadowed there
#include <mpmd/support/source.hpp>

namespace mpmd {

template <class P>
using type_t = typename ir_traits<P>::type;
template <class P>
using location_t = typename ir_traits<P>::location;

/// A user's name for a computation, and how often the computation has been transposed.
struct user_origin {
  std::string name;
  std::int64_t transpose_count = 0;
  friend bool operator==(user_origin const&, user_origin const&) = default;
};

/// What a fragment says of itself. Without origins it is an inferred one, which no user asked for.
struct fragment_info {
  std::string mesh;
  std::vector<user_origin> origins = {};
  std::optional<std::int64_t> stage = {};
  bool is_inferred() const { return origins.empty(); }
  friend bool operator==(fragment_info const&, fragment_info const&) = default;
};

/// One step of a location that leads through calls: a place, and the name that the program gives it. Either may be
/// missing.
struct location_frame {
  source_location where;
  std::string name;
};

/// The value of a named note on an op, argument or result, in the forms that passes read and write. A note of any
/// other form reads as `foreign` and is only ever kept, copied or removed.
struct unit_note {
  friend bool operator==(unit_note, unit_note) = default;
};
struct foreign_note {
  friend bool operator==(foreign_note, foreign_note) = default;
};
using note = std::variant<std::monostate, unit_note, std::uint32_t, std::int64_t, std::string,
                          std::vector<std::string>, std::vector<std::int64_t>, foreign_note>;

/// Where a new or moved op goes. Several ops put before one anchor, or at one end, come to stand in the order in which
/// they were put there; put behind one anchor, in the reverse.
template <class Op>
struct insertion_point_of {
  enum class kind : std::uint8_t { before, after, start, end } where = kind::end;
  Op at = {};

  static insertion_point_of before(Op o) { return {kind::before, o}; }
  static insertion_point_of after(Op o) { return {kind::after, o}; }
  /// First in the one body of an op.
  static insertion_point_of start(Op holder) { return {kind::start, holder}; }
  /// Last in it.
  static insertion_point_of end(Op holder) { return {kind::end, holder}; }
};
template <class P>
using insertion_point = insertion_point_of<op_t<P>>;

/// A loop of so many turns; `unroll_factor` of them are to be written out one behind the other.
struct loop_info {
  std::uint64_t iterations = 0;
  std::optional<std::uint64_t> unroll_factor = {};
};

/// How many ops one pass may add to a program. Loops and calls let a short text ask for more than any memory holds: a pass
/// that writes them out counts first, and reports what would go beyond this.
inline constexpr std::size_t most_added_ops = std::size_t{1} << 24;

/// Ops on tensors that passes make, beside the elementwise ones.
enum class tensor_op : std::uint8_t {
  none,         ///< see `reduction`
  constant,     ///< of nothing: every element is `number`, modulo the width of the elements
  concatenate,  ///< of any number of tensors, along dimension 0
  slice,        ///< of one: what lies within `bounds`
  broadcast,    ///< of one without dimensions: its value everywhere
};

/// The elements start, start + stride, ... before limit of one dimension.
struct slice_bounds {
  std::int64_t start = 0;
  std::int64_t limit = 0;
  std::int64_t stride = 1;
};

/// An op to be made. What counts depends on the role:
///
///     assign, unassign       label
///     transfer, broadcast    -
///     fragment               fragment, arguments: the types of the arguments of its body, which is left empty
///     reduce                 reduction
///     terminator             ends the body of a fragment or loop
///     compute                tensor, number and bounds; for `none`, reduction: the elementwise op of that kind, of two
///                            operands, or, for `none` again, a reshape of one
template <class Value, class Type, class Location>
struct op_recipe_of {
  role what = role::compute;
  std::vector<Value> operands = {};
  std::vector<Type> results = {};
  Location where = {};
  std::string label = {};
  reduction_kind reduction = reduction_kind::none;
  fragment_info fragment = {};
  std::vector<Type> arguments = {};
  tensor_op tensor = tensor_op::none;
  std::int64_t number = 0;
  std::vector<slice_bounds> bounds = {};  ///< one a dimension
};
template <class P>
using op_recipe = op_recipe_of<value_t<P>, type_t<P>, location_t<P>>;

/// Where clones of values go.
template <class P>
using value_map = std::unordered_map<value_t<P>, value_t<P>>;

/// Members of `ir_traits<P>` beside those of annotated_mpmd_program, defining_op, uses, parent_op, callee_name,
/// function_name and body included. Ops and values have a `std::hash`. Costs are per call.
///
/// Types:
///
///     using type, location                        handles: default constructible (none), copyable, equality comparable
///     type_of(p, v) -> type, set_type(p, v, t)    set_type: of results and arguments                            O(1)
///     mesh_type(p, tensor, mesh, memory_kind) -> type
///                                                 the tensor on a mesh, fully replicated; empty kind: none
///     tensor_type_of(p, t) -> type                the tensor inside a mesh tensor, any other type itself
///     memory_kind_of(p, t) -> string              of a mesh tensor, empty when it has none
///     is_tensor(p, t) -> bool                     a ranked tensor that stands on no mesh (a token is none)
///     is_replicated(p, t) -> bool                 a mesh tensor is whole on each device
///     shape_of(p, t) -> optional<vector<int64_t>> of a ranked tensor, on a mesh or not, all extents known
///     with_shape(p, t, shape) -> type             the like of that type, fully replicated
///
/// Optional: `is_token(p, t) -> bool`, a value without data which goes from fragment to fragment as it is; without it,
/// whatever is no tensor.
///
/// Places and texts, for diagnostics and new ops:
///
///     location_of(p, o), location_of_value(p, v) -> location
///     source_of(p, location) -> source_location   as a person reads it
///     location_text(p, location) -> string        as the program states it: `"x"` of a named one, empty if it is not
///     location_stack(p, location) -> vector<location_frame>
///                                                 the same through call sites, from the inside out; at most some tens
///     named_location(p, name, location) -> location
///                                                 that place under that name, in place of its own
///     merged_location(p, a, b) -> location        of an op that does the work of two
///     op_text(p, o), type_text(p, t) -> string    for messages; the op at least by its name
///
/// Edits:
///
///     create(p, recipe, point) -> op              O(size of the recipe)
///     recreate(p, o, operands, result types) -> op
///                                                 an op like o in every other respect, in o's place; o's bodies move
///                                                 over; o stays behind it, empty, for its uses to be redirected and
///                                                 to be erased
///     take_body(p, from, to)                      the body of one op, its arguments included, takes the place of that of
///                                                 another, of a kind that may differ; `from` is fit to be erased then
///     clone(p, o, map, point) -> op               with everything in it; operands found in `map` are replaced, in it
///                                                 and inside, and results and inner values are added     O(size of o)
///     move(p, o, point), erase(p, o)              erase: with everything in it; its results are unused
///     set_operand(p, o, i, v)                     the new use becomes the most recent one                      O(1)
///     set_operands(p, o, values)                  O(values)
///     append_operand(p, o, v)                     amortised O(1)
///     erase_operands(p, o, positions)             in ascending order                               O(operands of o)
///     add_argument(p, o, type, location) -> value
///                                                 appended to o's body; what is kept per argument grows with it
///     erase_argument(p, o, i)                     unused by then; what is kept per argument shrinks with it
///     erase_arguments(p, o, positions)            the same for many, in ascending order           O(arguments of o)
///     erase_results_kept(p, f, i)                 forgets what is kept for result i of a function; the others move up
///     update_signature(p, f)                      makes the type of a function say what its body does
///     is_pure(p, o) -> bool                       no effects but its results, with everything in it     O(size of o)
///     is_constant(p, o) -> bool                   makes one value known in advance, from nothing
///     comes_before(p, a, b) -> bool               whether a stands before b; both stand directly in one body. Cheap
///                                                 between edits of other places, too
///
/// Notes: named facts about ops, arguments of functions, loops and fragments, and results of functions:
///
///     note_of(p, o, name), argument_note(p, o, i, name), result_note(p, f, i, name) -> note
///     set_note(p, o, name, note), set_argument_note(...), set_result_note(...)
///     set_argument_notes(p, o, name, notes), set_result_notes(p, f, name, notes)
///                                                 those of all arguments or results at once; what lies behind the end
///                                                 of the list has none                     O(arguments or results)
///     copy_notes(p, from, to)                     all notes of an op, foreign ones included, replace those of another
///     add_notes(p, from, to)                      all notes of an op are set on another, which keeps its other ones
///
///     origin_of(p, o) -> user_origin              the name that a user gave to a named computation or tensor
///     fragment_of(p, o) -> fragment_info, set_fragment(p, o, info)
///     loop_info_of(p, o) -> loop_info             of a loop
///     reduction_kind_of(p, o) -> reduction_kind   of a reduce
///     meshes_of(p, f) -> vector<string>           the meshes that a function may use, in the order of its topology
///
/// Optional:
///
///     is_function_call(p, o) -> bool              as of inlinable_program; without it there are no ordinary calls
template <class P>
concept has_types = requires(P& p, P const& c, value_t<P> v, type_t<P> t, std::string_view text) {
  requires std::default_initializable<type_t<P>> && std::copyable<type_t<P>> && std::equality_comparable<type_t<P>>;
  { ir_traits<P>::type_of(c, v) } -> std::same_as<type_t<P>>;
  ir_traits<P>::set_type(p, v, t);
  { ir_traits<P>::mesh_type(p, t, text, text) } -> std::same_as<type_t<P>>;
  { ir_traits<P>::tensor_type_of(c, t) } -> std::same_as<type_t<P>>;
  { ir_traits<P>::memory_kind_of(c, t) } -> std::convertible_to<std::string_view>;
  { ir_traits<P>::is_tensor(c, t) } -> std::same_as<bool>;
  { ir_traits<P>::is_replicated(c, t) } -> std::same_as<bool>;
  { ir_traits<P>::shape_of(c, t) } -> std::same_as<std::optional<std::vector<std::int64_t>>>;
  { ir_traits<P>::with_shape(p, t, std::vector<std::int64_t>{}) } -> std::same_as<type_t<P>>;
};
template <class P>
concept has_locations = requires(P& p, P const& c, op_t<P> o, value_t<P> v, location_t<P> at, type_t<P> t) {
  requires std::default_initializable<location_t<P>> && std::copyable<location_t<P>>;
  { ir_traits<P>::location_of(c, o) } -> std::same_as<location_t<P>>;
  { ir_traits<P>::location_of_value(c, v) } -> std::same_as<location_t<P>>;
  { ir_traits<P>::source_of(c, at) } -> std::same_as<source_location>;
  { ir_traits<P>::location_text(c, at) } -> std::convertible_to<std::string>;
  { ir_traits<P>::location_stack(c, at) } -> std::same_as<std::vector<location_frame>>;
  { ir_traits<P>::named_location(p, std::string_view{}, at) } -> std::same_as<location_t<P>>;
  { ir_traits<P>::merged_location(p, at, at) } -> std::same_as<location_t<P>>;
  { ir_traits<P>::op_text(c, o) } -> std::convertible_to<std::string>;
  { ir_traits<P>::type_text(c, t) } -> std::convertible_to<std::string>;
};
template <class P>
concept has_edits = requires(P& p, P const& c, op_t<P> o, value_t<P> v, type_t<P> t, location_t<P> at, std::size_t i,
                             op_recipe<P> const& recipe, insertion_point<P> point, value_map<P>& map,
                             std::span<value_t<P> const> values, std::span<type_t<P> const> types,
                             std::span<std::size_t const> positions) {
  { ir_traits<P>::create(p, recipe, point) } -> std::same_as<op_t<P>>;
  { ir_traits<P>::recreate(p, o, values, types) } -> std::same_as<op_t<P>>;
  ir_traits<P>::take_body(p, o, o);
  { ir_traits<P>::clone(p, o, map, point) } -> std::same_as<op_t<P>>;
  ir_traits<P>::move(p, o, point);
  ir_traits<P>::erase(p, o);
  ir_traits<P>::set_operand(p, o, i, v);
  ir_traits<P>::set_operands(p, o, values);
  ir_traits<P>::append_operand(p, o, v);
  ir_traits<P>::erase_operands(p, o, positions);
  { ir_traits<P>::add_argument(p, o, t, at) } -> std::same_as<value_t<P>>;
  ir_traits<P>::erase_argument(p, o, i);
  ir_traits<P>::erase_arguments(p, o, positions);
  ir_traits<P>::erase_results_kept(p, o, i);
  ir_traits<P>::update_signature(p, o);
  { ir_traits<P>::is_pure(c, o) } -> std::same_as<bool>;
  { ir_traits<P>::is_constant(c, o) } -> std::same_as<bool>;
  { ir_traits<P>::comes_before(c, o, o) } -> std::same_as<bool>;
  { std::hash<op_t<P>>{}(o) } -> std::convertible_to<std::size_t>;
  { std::hash<value_t<P>>{}(v) } -> std::convertible_to<std::size_t>;
};
template <class P>
concept has_notes = requires(P& p, P const& c, op_t<P> o, std::size_t i, std::string_view name, note const& n,
                             fragment_info const& info, std::span<note const> notes) {
  { ir_traits<P>::note_of(c, o, name) } -> std::same_as<note>;
  { ir_traits<P>::argument_note(c, o, i, name) } -> std::same_as<note>;
  { ir_traits<P>::result_note(c, o, i, name) } -> std::same_as<note>;
  ir_traits<P>::set_note(p, o, name, n);
  ir_traits<P>::set_argument_note(p, o, i, name, n);
  ir_traits<P>::set_result_note(p, o, i, name, n);
  ir_traits<P>::set_argument_notes(p, o, name, notes);
  ir_traits<P>::set_result_notes(p, o, name, notes);
  ir_traits<P>::copy_notes(p, o, o);
  { ir_traits<P>::origin_of(c, o) } -> std::same_as<user_origin>;
  ir_traits<P>::add_notes(p, o, o);
  { ir_traits<P>::fragment_of(c, o) } -> std::same_as<fragment_info>;
  ir_traits<P>::set_fragment(p, o, info);
  { ir_traits<P>::loop_info_of(c, o) } -> std::same_as<loop_info>;
  { ir_traits<P>::reduction_kind_of(c, o) } -> std::same_as<reduction_kind>;
  { ir_traits<P>::meshes_of(c, o) } -> std::same_as<std::vector<std::string>>;
};

template <class P>
concept has_parent_op = requires(P const& p, op_t<P> o) {
  { ir_traits<P>::parent_op(p, o) } -> std::convertible_to<op_t<P>>;
};

template <class P>
concept mutable_mpmd_program =
    annotated_mpmd_program<P> && has_functions<P> && has_body<P> && has_uses<P> && has_calls<P> &&
    has_parent_op<P> && has_types<P> && has_locations<P> && has_edits<P> && has_notes<P>;

}  // namespace mpmd
