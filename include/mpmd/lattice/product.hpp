#pragma once

#include <mpmd/lattice/lattice.hpp>

#include <concepts>
#include <cstddef>
#include <tuple>
#include <utility>

namespace mpmd {

/// Several facts side by side, each from its own lattice, in a `std::tuple`. One element is below another
/// when it is so in every place; join and meet work place by place.
template <join_semilattice... Ls>
class product {
 public:
  using element = std::tuple<element_t<Ls>...>;
  static constexpr bool finite_height = (has_finite_height<Ls> && ...);

  constexpr product()
    requires(std::default_initializable<Ls> && ...)
  = default;
  constexpr explicit product(Ls... factors)
    requires(sizeof...(Ls) > 0)
      : factors_(std::move(factors)...) {}

  template <std::size_t I>
  constexpr const auto& factor() const noexcept {
    return std::get<I>(factors_);
  }

  constexpr element bottom() const {
    return std::apply([](const Ls&... l) { return element(l.bottom()...); }, factors_);
  }
  constexpr change join(element& into, const element& from) const {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return (change::no | ... | factor<I>().join(std::get<I>(into), std::get<I>(from)));
    }(std::index_sequence_for<Ls...>());
  }

  constexpr element top() const
    requires(lattice<Ls> && ...)
  {
    return std::apply([](const Ls&... l) { return element(l.top()...); }, factors_);
  }
  constexpr change meet(element& into, const element& from) const
    requires(lattice<Ls> && ...)
  {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return (change::no | ... | factor<I>().meet(std::get<I>(into), std::get<I>(from)));
    }(std::index_sequence_for<Ls...>());
  }

 private:
  [[no_unique_address]] std::tuple<Ls...> factors_;
};

}  // namespace mpmd
