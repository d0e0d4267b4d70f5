#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

#include "../../bench/propagation_kernels.hpp"

namespace propagation_test {

using namespace mpmd;
using namespace mpmd::bench;

TEST_CASE("the benchmark's graph is as described") {
  const auto g = make_propagation_graph(20'000);
  REQUIRE(g.size() == 20'000);
  REQUIRE(g.offsets.size() == g.size() + 1);
  std::size_t assigned = 0;
  bool two_earlier = true;
  bool known_meshes = true;
  for (std::uint32_t i = 0; i < g.size(); ++i) {
    two_earlier = two_earlier && g.offsets[i + 1] - g.offsets[i] == (i == 0 ? 0 : 2);
    for (auto e = g.offsets[i]; e < g.offsets[i + 1]; ++e)
      two_earlier = two_earlier && g.operands[e] < i && i - g.operands[e] <= 1000;
    if (g.assigned[i] == no_mesh) continue;
    ++assigned;
    known_meshes = known_meshes && g.assigned[i] < mesh_count;
  }
  CHECK(two_earlier);
  CHECK(known_meshes);
  CHECK(assigned > 100);
  CHECK(assigned < 300);
}

TEST_CASE("the benchmarked kernels find the same sets") {
  for (std::uint32_t ops : {0u, 1u, 2u, 1'000u, 50'000u}) {
    const auto g = make_propagation_graph(ops);
    const auto floor = raw_sweep(g);
    for (auto order : {csr_order::topological, csr_order::unknown}) {
      const auto found = use_set_flat(g, order);
      CHECK(found.converged());
      bool same = true;
      std::size_t members = 0;
      for (std::uint32_t i = 0; i < ops; ++i) {
        std::uint64_t bits = 0;
        for (auto mesh : found[i]) bits |= std::uint64_t{1} << mesh;
        same = same && bits == floor[i];
        members += found[i].size();
      }
      CHECK(same);
      if (ops == 50'000) CHECK(members > ops);  // most ops are needed somewhere
    }
  }
}

}  // namespace propagation_test
