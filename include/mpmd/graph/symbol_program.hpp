#pragma once
/// Programs whose ops bear names by which other ops refer to them, and whose functions can take the place of calls.

#include <concepts>
#include <string_view>

#include <mpmd/graph/mutable_program.hpp>

namespace mpmd {

namespace detail {
struct ignore_symbol {
  void operator()(std::string_view) const {}
};
}  // namespace detail

/// Members of `ir_traits<P>` beside those of mutable_mpmd_program:
///
///     root(p) -> op                   the op that holds all others; body(p, root) lists those directly in it       O(1)
///     is_symbol_table(p, o) -> bool   names of ops directly in o are known in o alone, as in a module              O(1)
///     symbol_name(p, o) -> string     the name that o bears, empty for none
///     is_private(p, o) -> bool        nobody outside of the program knows that name
///     using symbol_uses               made of a p; `of(p, o, f)` calls f(string_view) for each part of each name in
///                                     attributes and types of o itself. It may leave out what it has found before
template <class P>
concept symbol_program = mutable_mpmd_program<P> && requires(P const& p, op_t<P> o) {
  { ir_traits<P>::root(p) } -> std::same_as<op_t<P>>;
  { ir_traits<P>::is_symbol_table(p, o) } -> std::same_as<bool>;
  { ir_traits<P>::symbol_name(p, o) } -> std::convertible_to<std::string_view>;
  { ir_traits<P>::is_private(p, o) } -> std::same_as<bool>;
  requires std::constructible_from<typename ir_traits<P>::symbol_uses, P const&>;
  requires requires(typename ir_traits<P>::symbol_uses uses) { uses.of(p, o, detail::ignore_symbol{}); };
};

/// Members beside those of symbol_program:
///
///     is_function(p, o) -> bool       wherever o stands: functions(p) lists those directly in the root
///     is_function_call(p, o) -> bool  an ordinary call, of the function that callee_name(p, o) names; none of those that
///                                     role_of(p, o) names calls
///     set_called_from(p, o, at)       o has taken the place of a part of a call at `at`
template <class P>
concept inlinable_program = symbol_program<P> && requires(P& p, P const& c, op_t<P> o, location_t<P> at) {
  { ir_traits<P>::is_function(c, o) } -> std::same_as<bool>;
  { ir_traits<P>::is_function_call(c, o) } -> std::same_as<bool>;
  ir_traits<P>::set_called_from(p, o, at);
};

}  // namespace mpmd
