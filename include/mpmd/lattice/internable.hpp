#pragma once

#include <mpmd/lattice/lattice.hpp>

#include <concepts>
#include <cstdint>

namespace mpmd {

/// A lattice whose elements can be interned: `l.digest(e)` is a hash of the whole representation of an
/// element.
///
/// Where equality ignores part of the representation, such as an order of arrival, the lattice also says
/// `l.identical(a, b)`, which ignores nothing, and `l.unordered_digest(e)`, a hash which is the same for
/// equal elements.
template <class L>
concept internable = join_semilattice<L> && requires(const L& l, const element_t<L>& e) {
  { l.digest(e) } -> std::same_as<std::uint64_t>;
};

namespace detail {

template <class L>
constexpr bool identical_in(const L& l, const element_t<L>& a, const element_t<L>& b) {
  if constexpr (requires { l.identical(a, b); })
    return l.identical(a, b);
  else
    return a == b;
}

template <class L>
constexpr std::uint64_t unordered_digest_in(const L& l, const element_t<L>& e) {
  if constexpr (requires { l.unordered_digest(e); })
    return l.unordered_digest(e);
  else
    return l.digest(e);
}

}  // namespace detail

}  // namespace mpmd
