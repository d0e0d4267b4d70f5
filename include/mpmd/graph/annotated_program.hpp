#pragma once
/// Programs on which a pass can leave its sets for the next one.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>

#include <mpmd/graph/mpmd_program.hpp>

namespace mpmd {

/// Members of `ir_traits<P>` beside those of mpmd_program, all optional ones for reading annotations included:
///
///     set_op_annotation(p, o, kind, annotation), set_argument_annotation(p, o, i, kind, annotation),
///     set_result_annotation(p, f, i, kind, annotation)
///                                       set or, for nullopt, remove a set
///     set_argument_annotations(p, o, kind, annotations), set_result_annotations(p, f, kind, annotations)
///                                       those of all arguments or results at once; what lies behind the end of the
///                                       list has none                                     O(arguments or results)
///     set_reduction_annotation(p, o, reduction_kind)
///
/// and, optional, for programs in which many ops share a long set (see has_annotation_keys):
///
///     annotation_key(p, o, kind)        a number that tells the sets of ops apart: equal for equal ones, 0 where there
///                                       is none                                                     O(1)
///     copy_op_annotation(p, from, to, kind)
///                                       gives `to` the set of `from`, or none                       O(1)
template <class P>
concept annotated_mpmd_program =
    mpmd_program<P> && has_annotations<P> &&
    requires(P& p, op_t<P> o, std::size_t i, set_kind k, mesh_annotation const& a, reduction_kind r,
             std::span<mesh_annotation const> all) {
      ir_traits<P>::set_op_annotation(p, o, k, a);
      ir_traits<P>::set_argument_annotation(p, o, i, k, a);
      ir_traits<P>::set_result_annotation(p, o, i, k, a);
      ir_traits<P>::set_argument_annotations(p, o, k, all);
      ir_traits<P>::set_result_annotations(p, o, k, all);
      ir_traits<P>::set_reduction_annotation(p, o, r);
    };

/// Whether equal sets on ops can be told without reading them.
template <class P>
inline constexpr bool has_annotation_keys = requires(P& p, op_t<P> o, set_kind k) {
  { ir_traits<P>::annotation_key(p, o, k) } -> std::convertible_to<std::uint64_t>;
  ir_traits<P>::copy_op_annotation(p, o, o, k);
};

}  // namespace mpmd
