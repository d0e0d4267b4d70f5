#pragma once
/// Programs on which a pass can leave its sets for the next one.

#include <cstddef>
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

}  // namespace mpmd
