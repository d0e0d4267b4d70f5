// The benchmarked analyses of the library's IR find the sets of the loop written by hand.
#include <doctest/doctest.h>

#include <cstdint>
#include <string>

#include "../../bench/propagation_kernels.hpp"
#include "../../bench/propagation_program.hpp"

namespace propagation_models_test {

using namespace mpmd;
using namespace mpmd::bench;

namespace {

// The meshes of a value's set as bits: mesh "m5" is bit 5.
template <class Facts>
std::uint64_t bits_of(Facts const& facts, ir::value v) {
  std::uint64_t bits = 0;
  for (auto const mesh : facts.meshes(v)) bits |= std::uint64_t{1} << std::stoul(std::string(mesh.substr(1)));
  return bits;
}

}  // namespace

TEST_CASE("use sets on the IR, bare and with origins, equal those of a loop over arrays") {
  for (std::uint32_t const ops : {1u, 1'000u, 30'000u}) {
    auto const g = make_propagation_graph(ops);
    auto const floor = raw_sweep(g);
    auto const p = make_propagation_program(g);
    auto const bare = use_set_ir(p);
    auto const labelled = use_set_origins_ir(p);
    std::size_t same = 0, same_labelled = 0;
    for (std::uint32_t i = 0; i < ops; ++i) {
      same += bits_of(bare, p.values[i]) == floor[i];
      same_labelled += bits_of(labelled, p.values[i]) == floor[i];
    }
    CHECK(same == ops);
    CHECK(same_labelled == ops);
  }
}

TEST_CASE("without anything unassigned, src sets of that program say that every op can be anywhere") {
  auto const p = make_propagation_program(make_propagation_graph(1'000));
  auto const srcs = src_set_ir(p);
  std::size_t anywhere = 0;
  for (auto const v : p.values) anywhere += srcs.anywhere(v);
  CHECK(anywhere == p.values.size());
}

TEST_CASE("an op of the IR with two operands and one result takes at most 200 bytes") {
  // Slots of 64 bytes an op, 16 an operand and 16 a result; vectors that grow by doubling hold up to twice that.
  auto const small = make_propagation_program(make_propagation_graph(1'000));
  CHECK(small.program.memory_use() / small.program.op_capacity() <= 200);
}

}  // namespace propagation_models_test
