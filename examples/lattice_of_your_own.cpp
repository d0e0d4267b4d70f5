// A lattice of one's own: what untrusted data a value may hold. The lattice is an object, its elements are
// only bits, and the compiler checks that it keeps the laws that an analysis relies on.

#include <mpmd/lattice/lattice.hpp>
#include <mpmd/lattice/laws.hpp>
#include <mpmd/lattice/with_origins.hpp>

#include <cstdint>
#include <iostream>
#include <string_view>

enum source : std::uint8_t { nowhere = 0, network = 1, disk = 2 };

struct taint {
  using element = std::uint8_t;
  constexpr element bottom() const { return nowhere; }
  constexpr mpmd::change join(element& into, element from) const {
    const element before = into;
    into |= from;
    return mpmd::changed_if(into != before);
  }
};

static_assert(mpmd::join_semilattice<taint>);
static_assert(mpmd::laws::hold<taint>({0, 1, 2, 3}));

// One character away from it: two tainted values would make a clean one. The laws say what is wrong.
struct careless_taint : taint {
  constexpr mpmd::change join(element& into, element from) const {
    into ^= from;
    return mpmd::changed_if(from != nowhere);
  }
};

static_assert(mpmd::laws::broken(careless_taint{}, {0, 1, 2, 3}).law == "join is idempotent");

int main() {
  // Combinators take it like any other: here each fact remembers which calls it came from.
  using labelled = mpmd::with_origins<taint, std::string_view>;
  const labelled facts;

  const labelled::element received{network, {"recv"}}, stored{disk, {"read", "mmap"}};

  auto request = facts.bottom();
  for (const auto& operand : {received, stored, received}) {
    const bool grew = facts.join(request, operand) == mpmd::change::yes;
    std::cout << (grew ? "grew:  " : "stays: ") << (request.fact & network ? "network " : "")
              << (request.fact & disk ? "disk " : "") << "from";
    for (const auto& call : request.origins) std::cout << ' ' << call;
    std::cout << '\n';
  }
}
