#pragma once

#include <mpmd/lattice/inverted.hpp>
#include <mpmd/lattice/lattice.hpp>

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <span>
#include <string_view>
#include <type_traits>

/// The laws that the concepts of lattice.hpp state, as code to run against any lattice, in a test or while
/// compiling:
///
///     static_assert(mpmd::laws::hold<taint>({0, 1, 2, 3}));
///
/// Samples stand for all elements, so give all where they are few, and otherwise some that are unrelated,
/// some that are ordered, and some that are equal but built in different ways. The cost is cubic in their
/// number; a compiler's default limits on evaluation admit about eight small ones.
namespace mpmd::laws {

/// Which law is broken, and by which of the samples; a law of one or two elements leaves the later places
/// zero. False when no law is broken.
struct verdict {
  std::string_view law = {};
  std::size_t a = 0, b = 0, c = 0;

  constexpr explicit operator bool() const noexcept { return !law.empty(); }
};

namespace detail {

template <class L>
using samples = std::span<const element_t<L>>;

// What each law is called for one of the two dual operations.
struct names {
  std::string_view exact_change, idempotent, in_place, identity, commutative, bound, transitive, closest,
      associative, congruent;
};

inline constexpr names of_join{
    .exact_change = "join reports a change exactly when the element grew",
    .idempotent = "join is idempotent",
    .in_place = "join of an element and itself in place changes nothing",
    .identity = "bottom is the identity of join",
    .commutative = "join is commutative",
    .bound = "join is an upper bound",
    .transitive = "the order of join is transitive",
    .closest = "join is the least upper bound",
    .associative = "join is associative",
    .congruent = "join cannot tell equal elements apart",
};

inline constexpr names of_meet{
    .exact_change = "meet reports a change exactly when the element shrank",
    .idempotent = "meet is idempotent",
    .in_place = "meet of an element and itself in place changes nothing",
    .identity = "top is the identity of meet",
    .commutative = "meet is commutative",
    .bound = "meet is a lower bound",
    .transitive = "the order of meet is transitive",
    .closest = "meet is the greatest lower bound",
    .associative = "meet is associative",
    .congruent = "meet cannot tell equal elements apart",
};

template <class L>
constexpr element_t<L> joined(const L& l, element_t<L> a, const element_t<L>& b) {
  (void)l.join(a, b);
  return a;
}

template <class L>
constexpr element_t<L> met(const L& l, element_t<L> a, const element_t<L>& b) {
  (void)l.meet(a, b);
  return a;
}

template <class L>
constexpr verdict of_equality(samples<L> all) {
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!(all[i] == all[i])) return {"equality is reflexive", i};
    for (std::size_t j = 0; j < all.size(); ++j) {
      if ((all[i] == all[j]) != (all[j] == all[i])) return {"equality is symmetric", i, j};
      for (std::size_t k = 0; k < all.size(); ++k)
        if (all[i] == all[j] && all[j] == all[k] && !(all[i] == all[k]))
          return {"equality is transitive", i, j, k};
    }
  }
  return {};
}

template <class L>
constexpr verdict of_change(const L& l, const names& name, samples<L> all) {
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = 0; j < all.size(); ++j) {
      auto grown = all[i];
      const change reported = l.join(grown, all[j]);
      if (reported != changed_if(grown != all[i])) return {name.exact_change, i, j};
    }
  return {};
}

template <class L>
constexpr verdict of_one(const L& l, const names& name, samples<L> all) {
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto& a = all[i];
    if (joined(l, a, a) != a) return {name.idempotent, i};
    auto same = a;
    if (l.join(same, same) == change::yes || same != a) return {name.in_place, i};
    if (joined(l, a, l.bottom()) != a || joined(l, l.bottom(), a) != a) return {name.identity, i};
  }
  return {};
}

template <class L>
constexpr verdict of_two(const L& l, const names& name, samples<L> all) {
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = 0; j < all.size(); ++j) {
      const auto &a = all[i], &b = all[j];
      const auto both = joined(l, a, b);
      if (both != joined(l, b, a)) return {name.commutative, i, j};
      if (!less_equal(l, a, both) || !less_equal(l, b, both)) return {name.bound, i, j};
    }
  return {};
}

template <class L>
constexpr verdict of_order(const L& l, const names& name, samples<L> all) {
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = 0; j < all.size(); ++j) {
      const auto &a = all[i], &b = all[j];
      const auto both = joined(l, a, b);
      const bool ordered = less_equal(l, a, b);
      for (std::size_t k = 0; k < all.size(); ++k) {
        const bool a_below = less_equal(l, a, all[k]), b_below = less_equal(l, b, all[k]);
        if (ordered && b_below && !a_below) return {name.transitive, i, j, k};
        if (a_below && b_below && !less_equal(l, both, all[k])) return {name.closest, i, j, k};
      }
    }
  return {};
}

template <class L>
constexpr verdict of_three(const L& l, const names& name, samples<L> all) {
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = 0; j < all.size(); ++j) {
      const auto &a = all[i], &b = all[j];
      const auto both = joined(l, a, b);
      for (std::size_t k = 0; k < all.size(); ++k) {
        const auto& c = all[k];
        if (joined(l, both, c) != joined(l, a, joined(l, b, c))) return {name.associative, i, j, k};
        if (a == b && joined(l, a, c) != joined(l, b, c)) return {name.congruent, i, j, k};
      }
    }
  return {};
}

// The report of change comes first, because the order is read off it. That the order is reflexive and
// antisymmetric needs no check of its own: a <= a is a | a == a, and a <= b <= a is a | b == a with b | a ==
// b.
template <class L>
constexpr verdict of_semilattice(const L& l, const names& name, samples<L> all) {
  if (auto broken = of_change(l, name, all)) return broken;
  if (auto broken = of_one(l, name, all)) return broken;
  if (auto broken = of_two(l, name, all)) return broken;
  if (auto broken = of_order(l, name, all)) return broken;
  return of_three(l, name, all);
}

template <class L>
constexpr verdict of_both(const L& l, samples<L> all) {
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (met(l, all[i], l.bottom()) != l.bottom()) return {"bottom absorbs in meet", i};
    if (joined(l, all[i], l.top()) != l.top()) return {"top absorbs in join", i};
    for (std::size_t j = 0; j < all.size(); ++j) {
      if (joined(l, all[i], met(l, all[i], all[j])) != all[i]) return {"join absorbs meet", i, j};
      if (met(l, all[i], joined(l, all[i], all[j])) != all[i]) return {"meet absorbs join", i, j};
    }
  }
  return {};
}

}  // namespace detail

/// The first law that `samples` show to be broken: of equality, of join, of meet, and of both together, as
/// far as `L` has them.
template <class L>
  requires join_semilattice<L> || meet_semilattice<L>
constexpr verdict broken(const L& l, std::type_identity_t<std::span<const element_t<L>>> samples) {
  if (auto found = detail::of_equality<L>(samples)) return found;
  if constexpr (join_semilattice<L>)
    if (auto found = detail::of_semilattice(l, detail::of_join, samples)) return found;
  if constexpr (meet_semilattice<L>) {
    // The laws of meet are those of join, upside down.
    if (auto found = detail::of_semilattice(inverted<L>(l), detail::of_meet, samples)) return found;
  }
  if constexpr (lattice<L>)
    if (auto found = detail::of_both(l, samples)) return found;
  return {};
}

template <class L>
constexpr verdict broken(const L& l, std::initializer_list<element_t<L>> samples) {
  return broken(l, std::span<const element_t<L>>(samples.begin(), samples.size()));
}

/// Whether `samples` show no law to be broken.
template <class L>
constexpr bool hold(const L& l, std::type_identity_t<std::span<const element_t<L>>> samples) {
  return !broken(l, samples);
}

template <class L>
constexpr bool hold(const L& l, std::initializer_list<element_t<L>> samples) {
  return !broken(l, samples);
}

template <std::default_initializable L>
constexpr bool hold(std::initializer_list<element_t<L>> samples) {
  return !broken(L{}, samples);
}

/// Whether `f`, from elements to elements, keeps the order of `samples`: a <= b implies f(a) <= f(b). A
/// solver reaches the least solution only with functions that do. Quadratic in the number of samples.
template <join_semilattice L, class F>
  requires std::convertible_to<std::invoke_result_t<const F&, const element_t<L>&>, element_t<L>>
constexpr bool monotone(const L& l, const F& f, std::type_identity_t<std::span<const element_t<L>>> samples) {
  for (const auto& a : samples)
    for (const auto& b : samples)
      if (less_equal(l, a, b) && !less_equal<L>(l, f(a), f(b))) return false;
  return true;
}

template <join_semilattice L, class F>
constexpr bool monotone(const L& l, const F& f, std::initializer_list<element_t<L>> samples) {
  return monotone(l, f, std::span<const element_t<L>>(samples.begin(), samples.size()));
}

}  // namespace mpmd::laws
