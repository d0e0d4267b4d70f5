#pragma once

#include <mpmd/lattice/arrival_set.hpp>
#include <mpmd/lattice/internable.hpp>
#include <mpmd/lattice/lattice.hpp>
#include <mpmd/support/hash.hpp>

#include <concepts>
#include <cstdint>
#include <utility>

namespace mpmd {

/// A fact and the labels of what it came from, in order of arrival.
template <class Fact, class Label>
struct fact_with_origins {
  Fact fact;
  arrival_set<Label> origins = {};

  friend bool operator==(const fact_with_origins&, const fact_with_origins&) = default;
};

/// `L`, where each fact carries the labels of all that flowed into it: the names of annotations, say, or
/// pairs of an atom of the fact and a name. A join joins the facts and appends the labels that are new.
///
/// One element is below another when its fact is and its labels are a subset: the product of `L` and the
/// finite sets of labels. So a label that arrives at an unchanged fact is a change, and everything downstream
/// hears of it. Equality, and with it the laws and `change`, ignores the order of arrival; printing sees it.
/// The height is taken to be that of `L`, since labels name what a program says, and flow without being made
/// up on the way.
///
/// Joins that grow a set of labels allocate; `interned<with_origins<L>>` does so once for each different
/// outcome. Where labels belong to single meshes and must go when their mesh goes, see mesh_origins.hpp.
template <join_semilattice L, std::totally_ordered Label = std::uint32_t>
class with_origins {
 public:
  using element = fact_with_origins<element_t<L>, Label>;
  static constexpr bool finite_height = has_finite_height<L>;

  constexpr with_origins()
    requires std::default_initializable<L>
  = default;
  constexpr explicit with_origins(L inner) : inner_(std::move(inner)) {}

  constexpr const L& inner() const noexcept { return inner_; }

  constexpr element bottom() const { return {inner_.bottom(), {}}; }
  constexpr change join(element& into, const element& from) const {
    return inner_.join(into.fact, from.fact) | changed_if(into.origins.unite(from.origins));
  }

  constexpr bool identical(const element& a, const element& b) const {
    return detail::identical_in(inner_, a.fact, b.fact) && a.origins.identical(b.origins);
  }
  constexpr std::uint64_t digest(const element& e) const
    requires internable<L> && std::integral<Label>
  {
    hasher hash;
    hash.add(inner_.digest(e.fact));
    for (auto label : e.origins) hash.add(static_cast<std::uint64_t>(label));
    return hash.value();
  }
  constexpr std::uint64_t unordered_digest(const element& e) const
    requires internable<L> && std::integral<Label>
  {
    hasher hash;
    hash.add(detail::unordered_digest_in(inner_, e.fact));
    hash.add(e.origins.unordered_digest());
    return hash.value();
  }

 private:
  [[no_unique_address]] L inner_;
};

}  // namespace mpmd
