// Generated programs through mesh inference: valid behind every pass, the same results, the same text each time.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <mpmd/pipeline/infer_mesh.hpp>

#include "pipeline/generated.hpp"

namespace generated_programs_test {
namespace {

using namespace mpmd;
using namespace mpmd::testing;
using program = ir::program;

std::string placed_text(random_options const& o) {
  auto made = make_random_program(o);
  auto const passes = placing<program>(o, made);
  diagnostics quiet;
  return run(passes, made.program, quiet) ? text::to_mlir(made.program) : "failed";
}

// The lines of each function, the functions in the order of their names.
std::vector<std::string> functions_of(std::string const& text) {
  std::vector<std::string> found;
  for (std::size_t at = text.find("  func.func"); at != std::string::npos;) {
    std::size_t const next = text.find("  func.func", at + 1);
    std::string one = text.substr(at, next == std::string::npos ? next : next - at);
    one = one.substr(0, one.rfind("  }\n"));
    found.push_back(std::move(one));
    at = next;
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace

TEST_CASE("generated programs are placed: valid behind each pass, with the same results, and read back equal") {
  std::uint64_t refused = 0;
  std::uint64_t const programs = generated_programs(1000);
  for (std::uint64_t seed = 0; seed < programs; ++seed) {
    auto const o = options_of(seed);
    auto made = make_random_program(o);
    std::string const source = text::to_mlir(made.program);
    std::string const wrong = what_goes_wrong(made.program, placing<program>(o, made));
    if (is_conflict(o, wrong)) {
      // What cannot be placed without transfers can be with them.
      ++refused;
      auto again = make_random_program(o);
      auto asked = inference_of(o, again);
      asked.infer_transfers = true;
      std::string const still = what_goes_wrong(again.program, placing<program>(again, asked));
      REQUIRE_MESSAGE(still.empty(), "seed " << seed << ", with transfers: " << still << wrong << source);
      continue;
    }
    REQUIRE_MESSAGE(wrong.empty(), "seed " << seed << ": " << wrong << made.assignment() << '\n' << source);
  }
  CHECK(refused > 0);
  CHECK(refused * 20 < programs);
}

TEST_CASE("the same program is placed in the same bytes each time") {
  for (std::uint64_t seed = 0; seed < 40; ++seed) CHECK(placed_text(options_of(seed)) == placed_text(options_of(seed)));
}

TEST_CASE("how functions are placed does not depend on the order of those that nobody orders") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    auto o = options_of(seed);
    o.callees = 3;
    std::string const usual = placed_text(o);
    auto made = make_random_program(o);
    auto const passes = placing<program>(o, made);
    program& p = made.program;
    // The last function comes first: callees before the function that calls them.
    ir::op const last = p.last_op(p.body());
    if (last != p.first_op(p.body())) p.move_before(p.first_op(p.body()), last);
    diagnostics quiet;
    REQUIRE(run(passes, p, quiet) == (usual != "failed"));
    CHECK_MESSAGE(functions_of(text::to_mlir(p)) == functions_of(usual), "seed " << seed);
  }
}

}  // namespace generated_programs_test
