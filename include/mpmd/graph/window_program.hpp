#pragma once
/// The step beside mpmd_program: programs which allocate communication windows, look at them through views and launch
/// tasks on devices. Enough to find out which devices share which window.

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <ranges>
#include <string_view>
#include <vector>

#include <mpmd/graph/ssa_program.hpp>
#include <mpmd/support/verdict.hpp>

namespace mpmd {

/// What an op means to the tracing of windows.
enum class window_role : std::uint8_t {
  other,       ///< passes no window on
  allocation,  ///< its result points to a new buffer
  view,        ///< its result is a window over the buffer that its first operand points to
  alias,       ///< result i is what operand i is: an assignment, a copy
  element,     ///< its result is one element of its operand, which is a tuple
  dispatch,    ///< runs a task on some devices, which touch the windows among its operands
  collective,  ///< moves data between the devices of a domain
  sequence,    ///< holds ops that run one after the other
  branch,      ///< holds alternatives of which at most one runs
  loop,        ///< holds ops that run again and again
  yield,       ///< ends a body and passes its operands to the op that holds it
  leave,       ///< leaves the loop around it, or starts its next round
  nothing,     ///< like `other`, and sets no variable and computes no number but literals: the walk passes it by
};

enum class collective_kind : std::uint8_t {
  allreduce,
  broadcast,
  reduce_scatter,
  barrier,
  allgather,
  all_to_all,
  all_to_all_v,
};

/// What holds for every collective of a kind.
struct collective_facts {
  static constexpr std::uint8_t no_operand = 0xFF;
  /// An operand whose devices are those of the data.
  struct receiver {
    std::uint8_t operand = no_operand;
    std::string_view called = {};
  };
  std::string_view name;
  std::uint8_t operands;        ///< how many it takes
  std::uint8_t most_operands;   ///< as many as that when it takes optional ones
  std::uint8_t data;            ///< the operand whose devices the receivers share, or none
  std::string_view data_called; ///< what messages call it
  std::uint8_t result;          ///< the operand whose memory the result is
  std::array<receiver, 2> receivers;
  bool in_loops;                ///< whether it may stand in a loop
  std::array<std::string_view, 5> operand_names;
};

inline constexpr std::array<collective_facts, 7> collective_table{{
    {"allreduce", 2, 2, 0, "data/target", 0, {{{1, "signal"}, {}}}, true, {"data", "signal"}},
    {"broadcast", 2, 2, 0, "data/target", 0, {{{1, "signal"}, {}}}, true, {"target", "signal"}},
    {"reduce_scatter", 2, 2, 0, "data/target", 0, {{{1, "signal"}, {}}}, true, {"target", "signal"}},
    {"barrier", 1, 1, collective_facts::no_operand, "", 0, {{{0, "signal"}, {}}}, true, {"signal"}},
    {"allgather", 3, 3, 1, "target", 1, {{{2, "signal"}, {}}}, true, {"input", "target", "signal"}},
    {"all_to_all", 3, 3, 1, "target", 1, {{{2, "signal"}, {}}}, true, {"input", "target", "signal"}},
    {"all_to_all_v", 5, 6, 1, "target", 1, {{{2, "signal"}, {4, "recv_counts"}}}, false,
     {"input", "target", "signal", "send_counts", "recv_counts"}},
}};
constexpr collective_facts const& facts_of(collective_kind k) { return collective_table[static_cast<std::size_t>(k)]; }

/// How a dispatch says on which devices it runs.
template <class Value>
struct device_form {
  enum class kind : std::uint8_t {
    none,        ///< it does not: the dispatch says nothing about its windows
    every,       ///< on all devices there are
    numbers,     ///< on `first` to `last`
    expression,  ///< on the devices that `expression` names as the loops around it run
    malformed,   ///< by something that is no device
  };
  kind form = kind::none;
  std::int64_t first = 0;
  std::int64_t last = 0;
  Value expression = {};
};

/// A dispatch: whom it calls, on which devices, with what.
template <class Value, class Operands>
struct dispatch_parts {
  std::string_view callee;
  device_form<Value> device;
  Operands operands;
};

/// An allocation: what the program calls it, its tag, and what it is given as sizes.
template <class Operands>
struct allocation_parts {
  std::string_view name;
  std::string_view domain;
  Operands sizes;
};

/// What an op computes with integers, from its operands.
struct integer_op {
  enum class kind : std::uint8_t {
    none,  ///< nothing that is known
    constant,
    world_size,  ///< how many devices there are
    negate,
    add,
    subtract,
    multiply,
    floor_divide,
    floor_modulo,
    minimum,
    maximum,
  };
  kind computes = kind::none;
  std::int64_t number = 0;  ///< of a constant
};

/// A loop. One that counts has an induction variable, which takes `start`, `start + step`, ... below `stop`.
template <class Value>
struct loop_parts {
  bool counts = false;
  Value induction = {};
  Value start = {};
  Value stop = {};
  Value step = {};
  std::vector<Value> initial = {};  ///< of the carried values; the yield of the body has the next ones
  std::vector<Value> carried = {};  ///< as the body sees them; the results of the loop are their last values
};

/// Members of `ir_traits<P>` beside `op` and `value`, which are those of ssa_program. A program need not be in SSA form:
/// several ops may set one value, a variable.
///
///     window_role_of(p, o) -> window_role               O(1)
///     device_of(p, o) -> device_form<value>             of a dispatch
///     window_operands(p, o), window_results(p, o)       ranges of values: what an op reads and what it sets; of a
///                                                       dispatch or collective its arguments alone. Without them
///                                                       operands(p, o) and results(p, o)
///     window_functions(p), bodies(p, o)                 the functions that are looked at, and the bodies of an op or a
///                                                       function, each a range of ops. Without them functions(p),
///                                                       body(p, o) as the one body, and arguments(p, o); or ops(p)
///
/// and, as far as the ops of the program have those roles,
///
///     collective_of(p, o) -> collective_kind            of a collective
///     loop_of(p, o) -> loop_parts<value>                of a loop; without it loops carry nothing and do not count
///     integer_of(p, o) -> integer_op                    of any op; without it no expression is known
///
/// Optional:
///
///     task_names(p) -> range of strings, callee_name(p, o)
///                                                       only calls of these are dispatches; without it all are
///     dispatch_memory, dispatch_of(p, o, dispatch_memory&) -> dispatch_parts
///                                                       callee_name, device_of and window_operands of a dispatch at once,
///                                                       where that is cheaper; the memory starts empty and has what the
///                                                       walk was told of dispatches before
///     allocation_name(p, o) -> string                   what the program calls an allocation
///     allocation_domain(p, o) -> string                 a tag that keeps an allocation apart from those with other tags,
///                                                       though they are on the same devices; empty: none
///     allocation_sizes(p, o) -> size_t                  how many sizes an allocation is given: 1 is right
///     allocation_of(p, o) -> allocation_parts           these three at once, where that is cheaper
///     is_variable(p, v) -> bool                         whether v is a variable and no part of an expression; without
///                                                       it, every value is
///     is_expression(p, o) -> bool                       whether the results of o are parts of expressions, no variables;
///                                                       asked first, where that is cheaper
///     user_of(p, o) -> optional of op                   the op that the result of an expression is an operand of, unless
///                                                       that is no expression; with dense numbers of values. Of several
///                                                       faults in one statement, the outermost call's is told with it
///     tuple_elements(p, v) -> range of values           what v, part of an expression, is a tuple of; nothing if it is none
///     element_of(p, o) -> optional of size_t            which element an op of that role takes; nothing if it is not known
///     literal_of(p, v) -> optional of int64_t           the number that v is, if v is part of an expression and a literal.
///                                                       With it, literals need no role but `nothing`
///     is_window_type(p, v) -> bool                      whether the type of v can refer to a window; without it, any can
///     is_materialised(p, f) -> bool                     whether the scopes of a function are there already
///     value_name(p, v) -> string                        what messages call a value
///     location_of(p, o), source_of(p, location) -> source_location
///                                                       where messages point
///     location_of_operand(p, o, i)                      where messages about window operand i of o point; without it,
///                                                       at o
///     index(p, v), index_bound(p)                       dense numbers of values; without them values need a hash
///     function_name(p, f) -> string                     functions are processed in the order of their names
template <class P>
concept has_window_role_of = requires(P const& p, op_t<P> o) {
  { ir_traits<P>::window_role_of(p, o) } -> std::same_as<window_role>;
};
template <class P>
concept has_device_of = requires(P const& p, op_t<P> o) {
  { ir_traits<P>::device_of(p, o) } -> std::same_as<device_form<value_t<P>>>;
};
template <class P>
concept has_window_operands = has_operands<P> || requires(P const& p, op_t<P> o) {
  { ir_traits<P>::window_operands(p, o) } -> detail::range_of<value_t<P>>;
};
template <class P>
concept has_window_results = has_results<P> || requires(P const& p, op_t<P> o) {
  { ir_traits<P>::window_results(p, o) } -> detail::range_of<value_t<P>>;
};
template <class P>
concept has_window_functions = requires(P const& p, op_t<P> o) {
  { ir_traits<P>::window_functions(p) } -> detail::range_of<op_t<P>>;
  ir_traits<P>::bodies(p, o);
};

/// Enough to trace windows.
template <class P>
concept window_program = has_ir_traits<P> && has_op<P> && has_value<P> && has_window_role_of<P> && has_device_of<P> &&
                         has_window_operands<P> && has_window_results<P> &&
                         (has_window_functions<P> || has_ops<P> || (has_functions<P> && has_body<P> && has_arguments<P>));

namespace detail {

/// Refuses a type that is no `window_program` with a sentence that names what is missing.
template <class P>
struct check_window_program {
  static constexpr bool handles = has_ir_traits<P> && has_op<P> && has_value<P>;
  static_assert(has_ir_traits<P>,
                "mpmd::window_program: there is no specialisation of mpmd::ir_traits<P> for this type");
  static_assert(!has_ir_traits<P> || (has_op<P> && has_value<P>),
                "mpmd::window_program: ir_traits<P>::op or ir_traits<P>::value is missing or is no handle");
  static_assert(!handles || has_window_role_of<P>,
                "mpmd::window_program: ir_traits<P>::window_role_of(p, o) is missing or does not return window_role");
  static_assert(!handles || has_device_of<P>,
                "mpmd::window_program: ir_traits<P>::device_of(p, o) is missing or does not return device_form<value>");
  static_assert(!handles || has_window_operands<P>,
                "mpmd::window_program: ir_traits<P>::window_operands(p, o) is missing, and operands(p, o) too");
  static_assert(!handles || has_window_results<P>,
                "mpmd::window_program: ir_traits<P>::window_results(p, o) is missing, and results(p, o) too");
  static_assert(!handles || has_window_functions<P> || has_ops<P> ||
                    (has_functions<P> && has_body<P> && has_arguments<P>),
                "mpmd::window_program: ir_traits<P>::ops(p) is missing, or window_functions(p) and bodies(p, o), or "
                "functions(p), body(p, o) and arguments(p, o)");
  static constexpr bool passed = window_program<P>;
};

}  // namespace detail

/// Whether `P` models window_program; where it does not, the compiler says which member is missing or wrong:
/// `static_assert(mpmd::check_window_program<my_ir>());`
template <class P>
inline constexpr verdict check_window_program{detail::check_window_program<P>::passed};

/// The members with what holds where they are missing. @{
template <window_program P>
constexpr bool is_materialised(P const& p, op_t<P> f) {
  if constexpr (requires { ir_traits<P>::is_materialised(p, f); })
    return ir_traits<P>::is_materialised(p, f);
  else
    return false;
}
template <window_program P>
constexpr auto window_operands(P const& p, op_t<P> o) {
  if constexpr (requires { ir_traits<P>::window_operands(p, o); })
    return std::views::all(ir_traits<P>::window_operands(p, o));
  else
    return std::views::all(ir_traits<P>::operands(p, o));
}
template <window_program P>
constexpr auto window_results(P const& p, op_t<P> o) {
  if constexpr (requires { ir_traits<P>::window_results(p, o); })
    return std::views::all(ir_traits<P>::window_results(p, o));
  else
    return std::views::all(ir_traits<P>::results(p, o));
}
template <window_program P>
constexpr std::string_view allocation_name(P const& p, op_t<P> o) {
  if constexpr (requires { ir_traits<P>::allocation_name(p, o); })
    return ir_traits<P>::allocation_name(p, o);
  else
    return {};
}
template <window_program P>
constexpr std::string_view allocation_domain(P const& p, op_t<P> o) {
  if constexpr (requires { ir_traits<P>::allocation_domain(p, o); })
    return ir_traits<P>::allocation_domain(p, o);
  else
    return {};
}
template <window_program P>
constexpr std::size_t allocation_sizes(P const& p, op_t<P> o) {
  if constexpr (requires { ir_traits<P>::allocation_sizes(p, o); })
    return ir_traits<P>::allocation_sizes(p, o);
  else
    return 1;
}
template <window_program P>
constexpr bool is_variable(P const& p, value_t<P> v) {
  if constexpr (requires { ir_traits<P>::is_variable(p, v); })
    return ir_traits<P>::is_variable(p, v);
  else
    return true;
}
template <window_program P>
constexpr bool is_expression(P const& p, op_t<P> o) {
  if constexpr (requires { ir_traits<P>::is_expression(p, o); })
    return ir_traits<P>::is_expression(p, o);
  else
    return false;
}
template <window_program P>
constexpr std::optional<std::int64_t> literal_of(P const& p, value_t<P> v) {
  if constexpr (requires { ir_traits<P>::literal_of(p, v); })
    return ir_traits<P>::literal_of(p, v);
  else
    return std::nullopt;
}
template <window_program P>
constexpr bool is_window_type(P const& p, value_t<P> v) {
  if constexpr (requires { ir_traits<P>::is_window_type(p, v); })
    return ir_traits<P>::is_window_type(p, v);
  else
    return true;
}
template <window_program P>
constexpr std::string_view value_name(P const& p, value_t<P> v) {
  if constexpr (requires { ir_traits<P>::value_name(p, v); })
    return ir_traits<P>::value_name(p, v);
  else
    return {};
}
template <window_program P>
constexpr integer_op integer_of(P const& p, op_t<P> o) {
  if constexpr (requires { ir_traits<P>::integer_of(p, o); })
    return ir_traits<P>::integer_of(p, o);
  else
    return {};
}
template <window_program P>
constexpr loop_parts<value_t<P>> loop_of(P const& p, op_t<P> o) {
  if constexpr (requires { ir_traits<P>::loop_of(p, o); })
    return ir_traits<P>::loop_of(p, o);
  else
    return {};
}
/// @}

}  // namespace mpmd
