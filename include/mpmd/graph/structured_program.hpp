#pragma once
/// Programs that tell of the regions and blocks inside their ops, and of ops by themselves: which are alike, and what they
/// do besides making their results. Enough for finding common subexpressions and unreachable blocks, and for uniting
/// constants.

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>

#include <mpmd/graph/symbol_program.hpp>

namespace mpmd {

/// What is known of an op without looking at its regions.
enum class own_effects : std::uint8_t {
  none,        ///< no effect at all besides its results
  of_regions,  ///< those of the ops in its regions and no others
  unknown,     ///< possibly any
};

template <class P>
using block_t = typename ir_traits<P>::block;

/// Members of `ir_traits<P>` beside those of symbol_program. Costs are per call.
///
/// Regions and blocks:
///
///     using block                             handle: default constructible (none), copyable, equality comparable, with
///                                             a `std::hash`
///     region_count(p, o) -> size_t                                                                             O(1)
///     blocks(p, o, i) -> range of block       those of region i of o, in order; the first is entered from outside
///     block_ops(p, b) -> range of op          in order                                                  O(1) to obtain
///     block_arguments(p, b) -> range of value
///     successors(p, o) -> range of block      where an op that ends its block may lead
///     erase_block(p, b)                       with all in it; its values are used by ops in it at most
///
/// Ops by themselves:
///
///     effects_of(p, o) -> own_effects         is_pure(p, o) follows from it; an op that bears a name has some  O(1)
///     is_isolated(p, o) -> bool               its regions use no values from outside                           O(1)
///     is_foreign(p, o) -> bool                nothing is known of ops of its kind                              O(1)
///     is_commutative(p, o) -> bool            it has two operands, whose order means nothing                   O(1)
///     is_alike(p, a, b) -> bool               kind, attributes, notes and the types of results agree; operands and
///                                             what is inside do not count, nor do locations              O(results)
///     hash_alone(p, o) -> uint64_t            the same for ops that are alike                                O(results)
///     constant_key(p, o) -> array<uint64_t, 3>
///                                             of a constant: the same for those of one kind, value and type, whatever
///                                             their notes, and for no others                                   O(1)
///
/// Optional, for sets of ops without a hash table: dense numbers of ops, below a bound that grows as ops are made
///
///     op_index(p, o), op_index_bound(p)                                                                        O(1)
template <class P>
concept structured_program =
    symbol_program<P> && requires { typename ir_traits<P>::block; } && detail::program_handle<block_t<P>> &&
    requires(P& p, P const& c, op_t<P> o, block_t<P> b, std::size_t i) {
      { ir_traits<P>::region_count(c, o) } -> std::convertible_to<std::size_t>;
      { ir_traits<P>::blocks(c, o, i) } -> detail::range_of<block_t<P>>;
      { ir_traits<P>::block_ops(c, b) } -> detail::range_of<op_t<P>>;
      { ir_traits<P>::block_arguments(c, b) } -> detail::range_of<value_t<P>>;
      { ir_traits<P>::successors(c, o) } -> detail::range_of<block_t<P>>;
      ir_traits<P>::erase_block(p, b);
      { ir_traits<P>::effects_of(c, o) } -> std::same_as<own_effects>;
      { ir_traits<P>::is_isolated(c, o) } -> std::same_as<bool>;
      { ir_traits<P>::is_foreign(c, o) } -> std::same_as<bool>;
      { ir_traits<P>::is_commutative(c, o) } -> std::same_as<bool>;
      { ir_traits<P>::is_alike(c, o, o) } -> std::same_as<bool>;
      { ir_traits<P>::hash_alone(c, o) } -> std::same_as<std::uint64_t>;
      { ir_traits<P>::constant_key(c, o) } -> std::same_as<std::array<std::uint64_t, 3>>;
      { std::hash<block_t<P>>{}(b) } -> std::convertible_to<std::size_t>;
    };

template <class P>
concept has_op_index = requires(P const& p, op_t<P> o) {
  { ir_traits<P>::op_index(p, o) } -> std::convertible_to<std::size_t>;
  { ir_traits<P>::op_index_bound(p) } -> std::convertible_to<std::size_t>;
};

}  // namespace mpmd
