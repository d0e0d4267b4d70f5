// The programs that tests of passes are fed with are valid, run, and are the same each time.

#include "testing/random_programs.hpp"
#include "support.hpp"

#include <set>

namespace random_programs_test {

using namespace mpmd;
using namespace mpmd::sim;
using mpmd::testing::make_random_program;
using mpmd::testing::random_options;

namespace {

random_options options_of(std::uint64_t seed) {
  random_options o{.seed = seed};
  o.meshes = 1 + static_cast<std::uint32_t>(seed % 5);
  o.assigned = seed % 2 != 0;
  o.loops = seed % 3 == 0;
  o.nested_names = seed % 7 == 0;
  o.inferred_reductions = seed % 4 == 0;
  o.conflicts = seed % 5 == 0;
  return o;
}

}  // namespace

TEST_CASE("random programs are valid and can be simulated, with one memory and with one a mesh") {
  std::set<std::string> kinds;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    auto const made = make_random_program(options_of(seed));
    std::string said;
    diagnostics to([&said](diagnostic const& d) { said += d.message + '\n'; });
    bool const valid = ir::verify(made.program, to);
    auto const one = observe(made.program, to, {.trials = 1}, memories::one);
    auto const many = observe(made.program, to, {.trials = 1}, memories::one_per_mesh);
    bool const equal = one && many && same_behaviour(*one, *many, to);
    REQUIRE_MESSAGE((valid && equal), "seed " << seed << ": " << said << text::to_mlir(made.program));
    ir::walk(made.program, made.program.root(), [&](ir::op o) { kinds.emplace(made.program.kind_text(o)); });
  }
  for (auto const* kind :
       {"mpmd.named_computation", "mpmd.named_tensor", "mpmd.fragment", "mpmd.assign", "mpmd.unassign",
        "mpmd.transfer", "mpmd.call", "mpmd.for", "mpmd.broadcast", "mpmd.reduce", "stablehlo.while",
        "stablehlo.case", "stablehlo.custom_call", "stablehlo.dot_general", "stablehlo.concatenate"})
    CHECK_MESSAGE(kinds.contains(kind), kind);
}

TEST_CASE("random programs survive their text, and equal options give equal programs") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    auto const made = make_random_program(options_of(seed));
    std::string const text = text::to_mlir(made.program);
    CHECK(text == text::to_mlir(make_random_program(options_of(seed)).program));
    CHECK(text::to_mlir(sim::testing::good(text)) == text);
    CHECK(made.assignment() == make_random_program(options_of(seed)).assignment());
  }
  auto const a = make_random_program({.seed = 1}), b = make_random_program({.seed = 2});
  CHECK(text::to_mlir(a.program) != text::to_mlir(b.program));
}

}  // namespace random_programs_test
