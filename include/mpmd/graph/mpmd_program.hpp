#pragma once
/// The third step of what an IR offers: what an op means, and which mesh a type names. Enough for every analysis.

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <mpmd/graph/ssa_program.hpp>
#include <mpmd/support/verdict.hpp>

namespace mpmd {

/// What an op means to the analyses. The names are those of the mpmd dialect and of host programs; a host maps its own
/// ops onto them.
enum class role : std::uint8_t {
  compute,            ///< an ordinary op: may be placed on any mesh where its operands are
  argument,           ///< stands for an argument of a program that has no functions
  assign,             ///< puts a value of no mesh on a mesh
  unassign,           ///< takes a value off its mesh
  transfer,           ///< moves a value from mesh to mesh
  fragment,           ///< a computation placed on a mesh; opaque
  named_computation,  ///< a computation that a user named; opaque until it is placed
  named_tensor,       ///< a value that a user named
  call,               ///< a call of a function
  loop,               ///< a counted loop whose body belongs to the function around it
  reduce,             ///< combines values of several meshes
  broadcast,          ///< makes a value available wherever it is used
  terminator,         ///< ends a body and passes its operands on
  other,              ///< takes no part
};

/// The mesh without axes and devices to which shardings of nothing refer. A topology may list it, but nothing is placed
/// there that was not assigned to it.
inline constexpr std::string_view empty_mesh_name = "empty_mesh";

/// A mesh and the labels that say why it is in a set, as a host keeps them on its ops; the order is kept.
struct labelled_mesh {
  std::string mesh;
  std::vector<std::string> labels = {};
  friend bool operator==(labelled_mesh const&, labelled_mesh const&) = default;
};
/// A set of meshes kept on an op between passes; nullopt = none is kept.
using mesh_annotation = std::optional<std::vector<labelled_mesh>>;

/// Which set an annotation holds.
enum class set_kind : std::uint8_t { use, src };

/// How values of several meshes can be combined. `none`: all of them are the same.
enum class reduction_kind : std::uint8_t { none, add, max, min, mul, or_, and_ };

/// An op that could combine values of several meshes. Kind `none`: it is no such op.
template <class Op>
struct reduction_op {
  reduction_kind kind = reduction_kind::none;
  /// For a concatenation whose only use is a reduction over the concatenated dimension: that reduction.
  Op paired = {};
};

/// Members of `ir_traits<P>` beside those of ssa_program:
///
///     role_of(p, o) -> role             O(1)
///     mesh_of(p, v) -> string           the mesh that the type of v names, empty when it names none; the text stays
///                                       valid while p does
///
/// Optional:
///
///     label_of(p, o) -> string          the origin label of an assign or unassign, empty when it has none
///     takes_part(p, f) -> bool          whether a function is analysed; without it, every one
///     is_distributed(p, f) -> bool      whether a function runs on some mesh or meshes, stated or not to be analysed;
///                                       without it, those that are analysed
///     is_entry(p, f) -> bool            whether a function is entered from outside; without it, every one
///     op_annotation(p, o, kind), argument_annotation(p, o, i, kind), result_annotation(p, f, i, kind)
///                                       -> mesh_annotation: sets that an earlier pass left behind; all three or none
///     parent_op(p, o) -> op             the op in whose region o stands; needed for uses inside regions to count where
///                                       a value taken off its mesh is used
///     byte_size(p, v) -> optional<uint64>
///                                       the bytes of a value; nullopt where they are not known
///     reduction_of(p, o) -> reduction_op<op>
///                                       whether o is an associative elementwise op of two operands, or the
///                                       concatenation of a concatenate and reduce pair; without it no reduction is
///                                       ever inferred
///     is_neutral(p, o, reduction_kind) -> bool
///                                       whether a constant is known to be the neutral element of the kind; without it,
///                                       no constant
///     reduction_annotation(p, o) -> reduction_kind
///                                       the kind of cross-mesh reduction an earlier pass saw in o
///     is_barrier(p, o) -> bool          whether o hands its operands on, one a result, and only keeps what stands before
///                                       it from being mixed with what comes behind; without it, no op
template <class P>
concept has_role_of = requires(P const& p, op_t<P> o) {
  { ir_traits<P>::role_of(p, o) } -> std::same_as<role>;
};
template <class P>
concept has_mesh_of = requires(P const& p, value_t<P> v) {
  { ir_traits<P>::mesh_of(p, v) } -> std::convertible_to<std::string_view>;
};
template <class P>
concept has_annotations = requires(P const& p, op_t<P> o, std::size_t i, set_kind k) {
  { ir_traits<P>::op_annotation(p, o, k) } -> std::convertible_to<mesh_annotation>;
  { ir_traits<P>::argument_annotation(p, o, i, k) } -> std::convertible_to<mesh_annotation>;
  { ir_traits<P>::result_annotation(p, o, i, k) } -> std::convertible_to<mesh_annotation>;
};

template <class P>
concept mpmd_program = ssa_program<P> && has_role_of<P> && has_mesh_of<P>;

namespace detail {

/// Refuses a type that is no `mpmd_program` with a sentence that names what is missing.
template <class P>
struct check_mpmd_program : check_ssa_program<P> {
  static_assert(!check_ssa_program<P>::handles || has_role_of<P>,
                "mpmd::mpmd_program: ir_traits<P>::role_of(p, o) is missing or does not return mpmd::role");
  static_assert(!check_ssa_program<P>::handles || has_mesh_of<P>,
                "mpmd::mpmd_program: ir_traits<P>::mesh_of(p, v) is missing or does not return a string");
  static constexpr bool passed = mpmd_program<P>;
};

}  // namespace detail

/// Whether `P` models mpmd_program; where it does not, the compiler says which member is missing or wrong:
/// `static_assert(mpmd::check_mpmd_program<my_ir>());`
template <class P>
inline constexpr verdict check_mpmd_program{detail::check_mpmd_program<P>::passed};

/// The origin label of an assign or unassign.
template <mpmd_program P>
constexpr std::string_view label_of(P const& p, op_t<P> o) {
  if constexpr (requires { ir_traits<P>::label_of(p, o); })
    return ir_traits<P>::label_of(p, o);
  else
    return {};
}

/// The reduction that an op computes.
template <mpmd_program P>
constexpr reduction_op<op_t<P>> reduction_of(P const& p, op_t<P> o) {
  if constexpr (requires { ir_traits<P>::reduction_of(p, o); })
    return ir_traits<P>::reduction_of(p, o);
  else
    return {};
}

/// The bytes of a value, if they are known.
template <mpmd_program P>
constexpr std::optional<std::uint64_t> byte_size(P const& p, value_t<P> v) {
  if constexpr (requires { ir_traits<P>::byte_size(p, v); })
    return ir_traits<P>::byte_size(p, v);
  else
    return std::nullopt;
}

/// Whether a function is analysed at all.
template <mpmd_program P>
constexpr bool takes_part(P const& p, op_t<P> f) {
  if constexpr (requires { ir_traits<P>::takes_part(p, f); })
    return ir_traits<P>::takes_part(p, f);
  else
    return true;
}

/// Whether a function runs on meshes at all: passes that need no topology look at these.
template <mpmd_program P>
constexpr bool is_distributed(P const& p, op_t<P> f) {
  if constexpr (requires { ir_traits<P>::is_distributed(p, f); })
    return ir_traits<P>::is_distributed(p, f);
  else
    return takes_part(p, f);
}

/// Whether a function is entered from outside.
template <mpmd_program P>
constexpr bool is_entry(P const& p, op_t<P> f) {
  if constexpr (requires { ir_traits<P>::is_entry(p, f); })
    return ir_traits<P>::is_entry(p, f);
  else
    return true;
}

/// Whether an op hands its operands on and only holds optimisers up.
template <mpmd_program P>
constexpr bool is_barrier(P const& p, op_t<P> o) {
  if constexpr (requires { ir_traits<P>::is_barrier(p, o); })
    return ir_traits<P>::is_barrier(p, o);
  else
    return false;
}

}  // namespace mpmd
