#include <doctest/doctest.h>

#include <set>

#include "lattice/check_laws.hpp"
#include "lattice/random_lattice.hpp"

namespace compositions_test {

namespace {

using namespace mpmd::testing;
using mpmd::change;

template <class L>
std::vector<mpmd::element_t<L>> draw_some(const L& l, generator& random, std::size_t count) {
  std::vector<mpmd::element_t<L>> samples{l.bottom()};
  while (samples.size() < count) {
    samples.push_back(draw(l, random));
    // A join makes elements that are ordered likelier than chance would.
    if (samples.size() > 2 && below(random, 3) == 0)
      (void)l.join(samples.back(), samples[samples.size() - 2]);
  }
  return samples;
}

// Sets of three bits with a join that is no join.
struct joins_by_xor {
  using element = unsigned;
  element bottom() const { return 0; }
  change join(element& into, const element& from) const {
    into ^= from;
    return mpmd::changed_if(from != 0);
  }
  friend element draw(const joins_by_xor&, generator& random) { return below(random, 8); }
};

void check_that_laws_are_broken(const any_semilattice& l) {
  generator random{11};
  CHECK(mpmd::laws::broken(l, draw_some(l, random, 12)));
}

}  // namespace

TEST_CASE("the laws hold for lattices composed at random") {
  std::set<std::string> seen;
  for (unsigned seed = 0; seed < 60; ++seed) {
    generator random{seed};
    const auto l = random_lattice(random, 3);
    seen.insert(l.name());
    CAPTURE(seed);
    CAPTURE(l.name());
    auto samples = draw_some(l, random, 7);
    samples.push_back(l.top());
    check_laws(l, samples);
  }
  CHECK(seen.size() > 30);
}

TEST_CASE("the laws hold for semilattices composed at random") {
  std::set<std::string> seen;
  for (unsigned seed = 0; seed < 90; ++seed) {
    generator random{1000 + seed};
    const auto l = random_semilattice(random, 3);
    seen.insert(l.name());
    CAPTURE(seed);
    CAPTURE(l.name());
    check_laws(l, draw_some(l, random, 8));
  }
  CHECK(seen.size() > 45);
}

TEST_CASE("a broken lattice is noticed through every combinator") {
  const joins_by_xor broken;
  check_that_laws_are_broken({broken, "itself"});
  check_that_laws_are_broken({mpmd::lift(broken), "lift"});
  check_that_laws_are_broken({mpmd::product(mpmd::mesh_sets<>(2), broken), "product"});
  check_that_laws_are_broken({mpmd::map_of<int, joins_by_xor>(broken), "map_of"});
  check_that_laws_are_broken({mpmd::with_origins(broken), "with_origins"});
}

}  // namespace compositions_test
