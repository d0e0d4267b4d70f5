#pragma once

#include <mpmd/lattice/lattice.hpp>

#include <cassert>
#include <concepts>
#include <utility>

namespace mpmd {

/// A fact, or that there is none yet. Used like a `std::optional`, but one inside another stays two different
/// things in comparisons.
template <std::default_initializable Fact>
class lifted {
 public:
  /// No fact yet.
  constexpr lifted() = default;
  constexpr lifted(Fact fact) : fact_(std::move(fact)), known_(true) {}

  constexpr bool has_value() const noexcept { return known_; }
  constexpr explicit operator bool() const noexcept { return known_; }
  constexpr const Fact& operator*() const noexcept {
    assert(known_);
    return fact_;
  }
  constexpr Fact& operator*() noexcept {
    assert(known_);
    return fact_;
  }
  constexpr const Fact* operator->() const noexcept { return &**this; }

  friend bool operator==(const lifted&, const lifted&) = default;

 private:
  Fact fact_{};  // as it is built by default when there is none
  bool known_ = false;
};

/// `L` with one more element below all of its own: "no fact yet". It is not the bottom of `L`: where facts
/// are source sets that start as "every mesh", nothing having been said and every mesh having been said are
/// different findings.
template <join_semilattice L>
  requires std::default_initializable<element_t<L>>
class lift {
 public:
  using element = lifted<element_t<L>>;
  static constexpr bool finite_height = has_finite_height<L>;

  constexpr lift()
    requires std::default_initializable<L>
  = default;
  constexpr explicit lift(L inner) : inner_(std::move(inner)) {}

  constexpr const L& inner() const noexcept { return inner_; }

  constexpr element bottom() const { return {}; }
  constexpr change join(element& into, const element& from) const {
    if (!from) return change::no;
    if (into) return inner_.join(*into, *from);
    into = from;
    return change::yes;
  }

  constexpr element top() const
    requires lattice<L>
  {
    return inner_.top();
  }
  constexpr change meet(element& into, const element& from) const
    requires lattice<L>
  {
    if (!into) return change::no;
    if (from) return inner_.meet(*into, *from);
    into = from;
    return change::yes;
  }

 private:
  [[no_unique_address]] L inner_;
};

}  // namespace mpmd
