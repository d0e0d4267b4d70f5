#pragma once

#include <mpmd/lattice/lattice.hpp>

#include <concepts>
#include <utility>

namespace mpmd {

/// `L` upside down: join is the meet of `L`, bottom is its top, and the other way round. A source set is an
/// element of `inverted<mesh_sets<>>`: it starts as "every mesh", and each operand cuts it down.
template <meet_semilattice L>
class inverted {
 public:
  using element = element_t<L>;
  static constexpr bool finite_height = has_finite_height<L>;

  constexpr inverted()
    requires std::default_initializable<L>
  = default;
  constexpr explicit inverted(L upright) : upright_(std::move(upright)) {}

  /// The lattice the right way up.
  constexpr const L& upright() const noexcept { return upright_; }

  constexpr element bottom() const { return upright_.top(); }
  constexpr change join(element& into, const element& from) const { return upright_.meet(into, from); }

  constexpr element top() const
    requires lattice<L>
  {
    return upright_.bottom();
  }
  constexpr change meet(element& into, const element& from) const
    requires lattice<L>
  {
    return upright_.join(into, from);
  }

 private:
  [[no_unique_address]] L upright_;
};

}  // namespace mpmd
