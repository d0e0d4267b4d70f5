#pragma once
/// Programs that tell what is computed on tensors, as far as it can be simplified.

#include <concepts>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <mpmd/graph/structured_program.hpp>

namespace mpmd {

/// Ops on tensors that are brought into simpler forms: of StableHLO, by the names they have there, and sdy.reshard.
enum class tensor_kind : std::uint8_t {
  other,
  constant,
  add,
  subtract,
  multiply,
  compare,
  select,
  convert,
  reshape,
  transpose,
  broadcast_in_dim,
  slice,
  dynamic_slice,
  concatenate,
  reshard,
};

/// The `comparison_direction` of a compare.
enum class comparison : std::uint8_t { unknown, eq, ne, lt, le, gt, ge };

/// Integers that are elements of a tensor. Those of one bit are truth values, and have no sign.
struct integer_element {
  unsigned width = 0;  ///< in bits, 1 to 64
  bool is_signed = false;
};

/// Members of `ir_traits<P>` beside those of structured_program. Costs are per call.
///
///     tensor_kind_of(p, o) -> tensor_kind                                                                   O(1)
///     integer_element_of(p, t) -> optional<integer_element>
///                                             of a ranked tensor of such integers that stands on no mesh, all its extents
///                                             known                                                      O(rank)
///     number_of(p, o) -> optional<int64_t>    the one number that all elements of a constant of such integers are; signed
///                                             ones with their sign, others as the bits of an unsigned one     O(1)
///     integer_attribute(p, o, name) -> optional<int64_t>
///                                             the integer that o bears under that name, inherent or not
///     list_attribute(p, o, name) -> optional<vector<int64_t>>
///                                             the list of integers under that name
///     comparison_of(p, o) -> comparison       of a compare
///     clear_notes(p, o)                       removes all notes of an op
template <class P>
concept foldable_program =
    structured_program<P> && requires(P& p, P const& c, op_t<P> o, type_t<P> t, std::string_view name) {
      { ir_traits<P>::tensor_kind_of(c, o) } -> std::same_as<tensor_kind>;
      { ir_traits<P>::integer_element_of(c, t) } -> std::same_as<std::optional<integer_element>>;
      { ir_traits<P>::number_of(c, o) } -> std::same_as<std::optional<std::int64_t>>;
      { ir_traits<P>::integer_attribute(c, o, name) } -> std::same_as<std::optional<std::int64_t>>;
      { ir_traits<P>::list_attribute(c, o, name) } -> std::same_as<std::optional<std::vector<std::int64_t>>>;
      { ir_traits<P>::comparison_of(c, o) } -> std::same_as<comparison>;
      ir_traits<P>::clear_notes(p, o);
    };

}  // namespace mpmd
