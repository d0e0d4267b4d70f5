#pragma once

#include <concepts>

/// What a fact is.
///
/// A lattice is an object, separate from its elements: it knows what an element cannot (how many meshes there
/// are, what "every device" means), so an element is only bits. The shape follows `concept Lattice` of
/// Binaryen's src/analysis; `join` reports change as MLIR's `ChangeResult` does.
namespace mpmd {

/// Whether an operation altered what it was given. A type of its own, so that neither "it changed" and "it
/// succeeded" nor an ignored answer can be confused.
enum class [[nodiscard]] change : bool { no, yes };

constexpr change changed_if(bool changed) noexcept { return static_cast<change>(changed); }

constexpr change operator|(change a, change b) noexcept {
  return changed_if(static_cast<unsigned>(a) + static_cast<unsigned>(b) != 0);
}

constexpr change& operator|=(change& into, change from) noexcept { return into = into | from; }

/// A partial order in which any two elements have a least upper bound, and which has a least element.
///
/// For a lattice `l` and elements `a`, `b`, `c`, where `a | b` stands for a copy of `a` after `l.join(a, b)`:
///
///     associative   (a | b) | c == a | (b | c)
///     commutative    a | b      == b | a
///     idempotent     a | a      == a, also when both are one object
///     bottom         a | l.bottom() == a
///     exact change   l.join(a, b) == change::yes   exactly when   a | b != a  (a as it was before)
///     congruent      == is an equivalence, and join cannot tell equal elements apart
///
/// The order follows: `a <= b` means `a | b == b`; it is a partial order, and `a | b` is the least element
/// above both. `laws::hold` (laws.hpp) runs these against any lattice; a type that satisfies only the syntax
/// is no lattice.
///
/// Equality may ignore part of an element's representation, such as the order in which labels arrived; the
/// laws speak of what it compares.
template <class L>
concept join_semilattice =
    std::copyable<typename L::element> && std::equality_comparable<typename L::element> &&
    requires(const L& l, typename L::element& into, const typename L::element& from) {
      { l.bottom() } -> std::convertible_to<typename L::element>;
      { l.join(into, from) } -> std::same_as<change>;
    };

/// The dual: any two elements have a greatest lower bound, and there is a greatest element. The laws are
/// those of `join_semilattice` with `meet` for `join` and `top` for `bottom`; `meet` reports whether the
/// first element shrank.
template <class L>
concept meet_semilattice =
    std::copyable<typename L::element> && std::equality_comparable<typename L::element> &&
    requires(const L& l, typename L::element& into, const typename L::element& from) {
      { l.top() } -> std::convertible_to<typename L::element>;
      { l.meet(into, from) } -> std::same_as<change>;
    };

/// Both, of one order. Beside the laws of each, with `a & b` for a copy of `a` after `l.meet(a, b)`:
///
///     absorption    a | (a & b) == a    and    a & (a | b) == a
///     bounds        a & l.bottom() == l.bottom()    and    a | l.top() == l.top()
template <class L>
concept lattice = join_semilattice<L> && meet_semilattice<L>;

/// The type of the facts of `L`.
template <class L>
using element_t = typename L::element;

/// Whether every ascending chain of `L` ends, so that a solver needs no budget. True unless the lattice
/// declares `static constexpr bool finite_height = false`.
template <class L>
inline constexpr bool has_finite_height = true;

template <class L>
  requires requires { L::finite_height; }
inline constexpr bool has_finite_height<L> = L::finite_height;

/// Whether `a` is below or equal to `b` in the order that `join` defines. Copies `b` and joins once.
template <join_semilattice L>
constexpr bool less_equal(const L& l, const element_t<L>& a, const element_t<L>& b) {
  auto above = b;
  return l.join(above, a) == change::no;
}

}  // namespace mpmd
