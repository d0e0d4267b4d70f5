#pragma once

#include <mpmd/lattice/laws.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace mpmd::testing {

/// Fails with the name of the broken law and the numbers of the samples that break it.
template <class L>
void check_laws(const L& l, const std::vector<element_t<L>>& samples) {
  REQUIRE_FALSE(samples.empty());
  const auto found = laws::broken(l, samples);
  CAPTURE(found.a);
  CAPTURE(found.b);
  CAPTURE(found.c);
  CHECK(std::string(found.law) == "");
}

}  // namespace mpmd::testing
