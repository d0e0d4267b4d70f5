#pragma once
/// What the passes over communication windows change in a program.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <mpmd/graph/window_program.hpp>

namespace mpmd {

/// A window buffer of a program, by identity.
template <class P>
using window_t = typename ir_traits<P>::window;

/// Where the call of a collective stands.
enum class call_position : std::uint8_t {
  assigned,   ///< a variable is set to its result
  statement,  ///< it is a statement of its own
  returned,   ///< the function returns its result, as one of its values
  nested,     ///< anywhere else
};

/// An allocation, and the variable that points to its buffer.
template <class Op, class Value>
struct allocated_buffer {
  Op o;
  Value v;
};

/// Devices `first` to `last`.
struct device_run {
  std::int64_t first;
  std::int64_t last;
};

/// A scope to be put around the body of a function.
template <class Op, class Window>
struct scope_recipe {
  std::string name;
  std::vector<device_run> devices;  ///< ascending and apart; none: all
  std::vector<Window> windows;      ///< its slots, in order
  Op first = {};                    ///< the allocation that it is located at
};

/// A signal to be allocated at the top of a function: the number of devices, a buffer of one INT32 for each device and
/// lane, and a view of it.
struct signal_recipe {
  std::string world_size_name;
  std::string buffer_name;
  std::string view_name;
  std::int64_t lanes = 1;
  std::string domain = {};  ///< the tag of the data that it is for
};

/// How a lowered collective uses an operand.
enum class operand_access : std::uint8_t { input, inout };

/// One launch on each device in place of a collective.
struct lowered_collective {
  std::string_view operation;                 ///< "builtin.tensor.allreduce"
  /// Arguments by name that it keeps from the collective, or has with these numbers where that has none.
  std::vector<std::pair<std::string_view, std::int64_t>> kept;
  std::optional<std::size_t> typed_by;        ///< the operand whose element type it notes
  std::optional<std::int64_t> lanes;          ///< on how many cores it runs, if it says so
  std::vector<operand_access> access;         ///< one for each operand
  std::vector<std::int64_t> devices;          ///< none: all, by a loop
  std::size_t result = 0;                     ///< the operand that stands for the result
};

/// Members of `ir_traits<P>` beside those of window_program:
///
///     window                                      a handle of a window buffer: default constructible (none), equality
///                                                 comparable, converts to bool; `window_number(p, w)` tells them apart
///     window_of(p, v) -> window                   the window that the type of v refers to, or none
///     set_window(p, v, w)                         lets the type of variable v refer to w; nothing else of it changes
///     match_window(p, o)                          o sets a variable to the result of a call: gives the type of the call
///                                                 the variable's window if the two are equal but for that
///     create_windows(p, f, allocations) -> windows
///                                                 new ones, each for the buffer of an allocation
///     is_parameter(p, v) -> bool                  whether v is a parameter, whose type must stay
///     add_scopes(p, f, recipes)                   puts scopes around the body of f, the first one outermost
///     is_scope(p, o), scope_name(p, o), scope_devices(p, o), scope_windows(p, o)
///                                                 of what add_scopes has made; the devices as runs
///     window_base(p, w) -> value                  the variable that points to the buffer of a window
///     mentions(p, o) -> range of values           all variables that o reads, wherever
///     follows_types(p, v) -> bool                 whether the type of v is that of another variable, and set_window of
///                                                 that one sets it
///     split_variable(p, f, v) -> value            a new variable like v
///     replace_mention(p, o, from, to), replace_set(p, o, from, to)
///                                                 variables that o reads; the one it sets
///
///     position_of(p, o) -> call_position          of a collective
///     used_names(p) -> range of strings           names of variables and allocations
///     integer_argument(p, o, name), text_argument(p, o, name) -> optional
///                                                 an argument of a collective that is given by name
///     add_signals(p, f, recipes) -> values        at the top of f, in order; the views
///     add_operand(p, o, v)                        behind the last operand of a collective
///     name_result(p, o, name)                     assigns the result of a returned collective to a new variable of that
///                                                 name, which is returned in its place
///
///     extents_of(p, v) -> vector of optional      of a tensor: its shape; absent where it is not constant
///     element_type(p, v) -> string                "FP32"
///     lower(p, o, recipe)                         replaces a collective; what is set to its result becomes the operand
template <class P>
concept mutable_window_program =
    window_program<P> && requires { typename window_t<P>; } && std::equality_comparable<window_t<P>> &&
    requires(P& p, P const& c, op_t<P> o, value_t<P> v, window_t<P> w, std::string const& name,
             std::span<allocated_buffer<op_t<P>, value_t<P>> const> allocations,
             std::span<scope_recipe<op_t<P>, window_t<P>> const> scopes, std::span<signal_recipe const> signals,
             lowered_collective const& lowered) {
      { ir_traits<P>::window_of(c, v) } -> std::convertible_to<window_t<P>>;
      { ir_traits<P>::window_number(c, w) } -> std::convertible_to<std::size_t>;
      { ir_traits<P>::window_base(c, w) } -> std::convertible_to<value_t<P>>;
      ir_traits<P>::set_window(p, v, w);
      ir_traits<P>::match_window(p, o);
      { ir_traits<P>::create_windows(p, o, allocations) } -> detail::range_of<window_t<P>>;
      { ir_traits<P>::is_parameter(c, v) } -> std::convertible_to<bool>;
      { ir_traits<P>::follows_types(c, v) } -> std::convertible_to<bool>;
      ir_traits<P>::add_scopes(p, o, scopes);
      { ir_traits<P>::is_scope(c, o) } -> std::convertible_to<bool>;
      { ir_traits<P>::scope_name(c, o) } -> std::convertible_to<std::string_view>;
      { ir_traits<P>::scope_devices(c, o) } -> detail::range_of<device_run>;
      { ir_traits<P>::scope_windows(c, o) } -> detail::range_of<window_t<P>>;
      { ir_traits<P>::mentions(c, o) } -> detail::range_of<value_t<P>>;
      { ir_traits<P>::split_variable(p, o, v) } -> std::convertible_to<value_t<P>>;
      ir_traits<P>::replace_mention(p, o, v, v);
      ir_traits<P>::replace_set(p, o, v, v);
      { ir_traits<P>::position_of(c, o) } -> std::same_as<call_position>;
      { ir_traits<P>::used_names(c) } -> detail::range_of<std::string_view>;
      { ir_traits<P>::integer_argument(c, o, name) } -> std::convertible_to<std::optional<std::int64_t>>;
      { ir_traits<P>::text_argument(c, o, name) } -> std::convertible_to<std::optional<std::string>>;
      { ir_traits<P>::add_signals(p, o, signals) } -> detail::range_of<value_t<P>>;
      ir_traits<P>::add_operand(p, o, v);
      ir_traits<P>::name_result(p, o, name);
      { ir_traits<P>::extents_of(c, v) } -> std::convertible_to<std::vector<std::optional<std::int64_t>>>;
      { ir_traits<P>::element_type(c, v) } -> std::convertible_to<std::string_view>;
      ir_traits<P>::lower(p, o, lowered);
    };

}  // namespace mpmd
