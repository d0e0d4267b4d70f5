#pragma once
/// The second step of what an IR offers: functions, ops in program order, operands, results, uses, regions, calls.
///
/// Flow edges depend on the question asked (an assignment stops use sets and starts them), so a program is not itself
/// a flow_graph: each analysis looks at it through a view which is one (analysis/program_order.hpp).

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <string_view>
#include <type_traits>

#include <mpmd/graph/flow_graph.hpp>
#include <mpmd/support/verdict.hpp>

namespace mpmd {

/// Members of `ir_traits<P>` for an SSA program `P`, beside or instead of those of flow_graph:
///
///     using op, value                   handles: default constructible (none), copyable, equality comparable;
///                                       an op converts to bool, false for none
///     operands(p, o), results(p, o)     ranges of values                                        O(1) to obtain
///
/// and either, for a program which is one straight list of ops,
///
///     ops(p)                            all ops, definitions before uses
///
/// or, for one with functions,
///
///     functions(p)                      ops that are functions, in program order
///     body(p, o)                        the ops directly inside the regions of o, in program order
///     arguments(p, o)                   the block arguments of o's regions (of a function: of its entry block)
///
/// Optional:
///
///     defining_op(p, v) -> op           none for an argument; needed unless op and value are one type
///     uses(p, v)                        a range of {user, index}, the order being that in which facts are joined;
///                                       without it uses are found by one scan of the program, last op first
///     callee_name(p, o), function_name(p, f) -> string
///                                       the name of the function that a call names, and of a function
///     index(p, v), index_bound(p)       dense numbers of values; without them facts stand behind a hash table
///     is_leaf(p, o) -> bool             body(p, o) is empty; only worth having where that is cheaper to say
///     in_dominance_order(p, f) -> bool  f lists every definition before its uses: spares a check of the order
template <class P>
using op_t = typename ir_traits<P>::op;
template <class P>
using value_t = typename ir_traits<P>::value;

/// One use of a value: operand `index` of `user`. A host may return any type with these two members.
template <class Op>
struct operand_use {
  Op user;
  std::uint32_t index = 0;
};

namespace detail {
template <class H>
concept program_handle = std::default_initializable<H> && std::copyable<H> && std::equality_comparable<H>;
template <class R, class T>
concept range_of = std::ranges::forward_range<R> && std::convertible_to<std::ranges::range_reference_t<R>, T>;
}  // namespace detail

/// The members, one concept each, so that a compiler which reports one names it.
/// @{
template <class P>
concept has_op = requires { typename ir_traits<P>::op; } && detail::program_handle<op_t<P>> &&
                 std::constructible_from<bool, op_t<P>>;
template <class P>
concept has_value = requires { typename ir_traits<P>::value; } && detail::program_handle<value_t<P>>;
template <class P>
concept has_operands = requires(P const& p, op_t<P> o) {
  { ir_traits<P>::operands(p, o) } -> detail::range_of<value_t<P>>;
};
template <class P>
concept has_results = requires(P const& p, op_t<P> o) {
  { ir_traits<P>::results(p, o) } -> detail::range_of<value_t<P>>;
};
template <class P>
concept has_ops = requires(P const& p) {
  { ir_traits<P>::ops(p) } -> detail::range_of<op_t<P>>;
};
template <class P>
concept has_functions = requires(P const& p) {
  { ir_traits<P>::functions(p) } -> detail::range_of<op_t<P>>;
};
template <class P>
concept has_body = requires(P const& p, op_t<P> o) {
  { ir_traits<P>::body(p, o) } -> detail::range_of<op_t<P>>;
};
template <class P>
concept has_arguments = requires(P const& p, op_t<P> o) {
  { ir_traits<P>::arguments(p, o) } -> detail::range_of<value_t<P>>;
};
template <class P>
concept has_defining_op = std::same_as<op_t<P>, value_t<P>> || requires(P const& p, value_t<P> v) {
  { ir_traits<P>::defining_op(p, v) } -> std::convertible_to<op_t<P>>;
};
template <class P>
concept has_uses = requires(P const& p, value_t<P> v, op_t<P> o) {
  { ir_traits<P>::uses(p, v) } -> std::ranges::forward_range;
  requires requires(std::ranges::range_value_t<decltype(ir_traits<P>::uses(p, v))> u) {
    { u.user } -> std::convertible_to<op_t<P>>;
    { u.index } -> std::convertible_to<std::size_t>;
  };
};
template <class P>
concept has_calls = requires(P const& p, op_t<P> o) {
  { ir_traits<P>::callee_name(p, o) } -> std::convertible_to<std::string_view>;
  { ir_traits<P>::function_name(p, o) } -> std::convertible_to<std::string_view>;
};
template <class P>
concept has_value_index = requires(P const& p, value_t<P> v) {
  { ir_traits<P>::index(p, v) } -> std::convertible_to<std::size_t>;
  { ir_traits<P>::index_bound(p) } -> std::convertible_to<std::size_t>;
};
/// @}

/// Enough for the structure of every analysis.
template <class P>
concept ssa_program = has_ir_traits<P> && has_op<P> && has_value<P> && has_operands<P> && has_results<P> &&
                      (has_ops<P> || (has_functions<P> && has_body<P> && has_arguments<P>)) && has_defining_op<P>;

namespace detail {

/// Refuses a type that is no `ssa_program` with a sentence that names what is missing, before anything else is tried.
template <class P>
struct check_ssa_program {
  static_assert(has_ir_traits<P>, "mpmd::ssa_program: there is no specialisation of mpmd::ir_traits<P> for this type");
  static_assert(!has_ir_traits<P> || has_op<P>,
                "mpmd::ssa_program: ir_traits<P>::op is missing, or is no handle (default constructible, copyable, "
                "equality comparable, convertible to bool)");
  static_assert(!has_ir_traits<P> || has_value<P>,
                "mpmd::ssa_program: ir_traits<P>::value is missing, or is no handle (default constructible, copyable, "
                "equality comparable)");
  static constexpr bool handles = has_op<P> && has_value<P>;
  static_assert(!handles || has_operands<P>,
                "mpmd::ssa_program: ir_traits<P>::operands(p, o) is missing or does not return a range of value");
  static_assert(!handles || has_results<P>,
                "mpmd::ssa_program: ir_traits<P>::results(p, o) is missing or does not return a range of value");
  static_assert(!handles || has_ops<P> || has_functions<P>,
                "mpmd::ssa_program: ir_traits<P>::ops(p) or ir_traits<P>::functions(p) is missing");
  static_assert(!handles || !has_functions<P> || has_body<P>,
                "mpmd::ssa_program: ir_traits<P>::functions(p) is there but ir_traits<P>::body(p, o) is missing");
  static_assert(!handles || !has_functions<P> || has_arguments<P>,
                "mpmd::ssa_program: ir_traits<P>::functions(p) is there but ir_traits<P>::arguments(p, o) is missing");
  static_assert(!handles || has_defining_op<P>, "mpmd::ssa_program: ir_traits<P>::defining_op(p, v) is missing");
  static constexpr bool passed = ssa_program<P>;
};

}  // namespace detail

/// Whether `P` models ssa_program; where it does not, the compiler says which member is missing or wrong:
/// `static_assert(mpmd::check_ssa_program<my_ir>());`
template <class P>
inline constexpr verdict check_ssa_program{detail::check_ssa_program<P>::passed};

/// The op that defines a value, none for an argument.
template <ssa_program P>
constexpr op_t<P> defining_op(P const& p, value_t<P> v) {
  if constexpr (requires { ir_traits<P>::defining_op(p, v); })
    return ir_traits<P>::defining_op(p, v);
  else
    return v;
}

/// The functions of a program; one without functions is a single one, named by no op.
template <ssa_program P>
constexpr auto functions(P const& p) {
  if constexpr (has_functions<P>)
    return std::views::all(ir_traits<P>::functions(p));
  else
    return std::views::single(op_t<P>{});
}

/// The ops directly inside an op's regions.
template <ssa_program P>
constexpr auto body(P const& p, [[maybe_unused]] op_t<P> o) {
  if constexpr (has_functions<P>)
    return std::views::all(ir_traits<P>::body(p, o));
  else
    return std::views::all(ir_traits<P>::ops(p));
}

/// Whether an op has no ops inside.
template <ssa_program P>
constexpr bool is_leaf(P const& p, [[maybe_unused]] op_t<P> o) {
  if constexpr (requires { ir_traits<P>::is_leaf(p, o); }) {
    return ir_traits<P>::is_leaf(p, o);
  } else if constexpr (has_functions<P>) {
    auto&& inside = mpmd::body(p, o);
    return std::ranges::begin(inside) == std::ranges::end(inside);
  } else {
    return true;
  }
}

/// The block arguments of an op's regions.
template <ssa_program P>
constexpr auto arguments(P const& p, [[maybe_unused]] op_t<P> o) {
  if constexpr (has_functions<P>)
    return std::views::all(ir_traits<P>::arguments(p, o));
  else
    return std::views::empty<value_t<P>>;
}

}  // namespace mpmd
