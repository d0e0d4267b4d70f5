// Generated programs through the passes that place them: valid behind each pass, the same when simulated, the
// same when printed and read again, the same bytes each time and whatever the order of the functions.
//
// MPMD_GENERATED_PROGRAMS says how many (default 60), MPMD_GENERATED_SEED with which seed to begin (default
// 0).
#include <doctest/doctest.h>

#include <sys/wait.h>
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include <mpmd/ir/functions.hpp>
#include <mpmd/text/mlir.hpp>

#include "testing/paths.hpp"
#include "testing/random_programs.hpp"

namespace generated_programs_test {

namespace {

struct outcome {
  int status;
  std::string printed, reported;
};

std::string contents(std::string const& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

outcome run(std::string const& arguments, std::string const& text) {
  std::string const base = mpmd::testing::scratch_dir() + "/generated";
  std::ofstream(base + ".mlir") << text;
  std::string const command = mpmd::testing::bin_dir() + "/mpmd-opt " + arguments + " " + base + ".mlir > " +
                              base + ".out 2> " + base + ".err < /dev/null";
  int const status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, contents(base + ".out"), contents(base + ".err")};
}

/// A way to make programs, and the passes they go through.
struct way {
  std::string_view name;
  void (*set)(mpmd::testing::random_options&);
  std::string_view before, inference;
};
constexpr auto ways = std::to_array<way>({
    {"named", [](mpmd::testing::random_options&) {}, "", ""},
    {"assigned", [](mpmd::testing::random_options& o) { o.assigned = true; }, "", ""},
    {"named, with reductions and loops",
     [](mpmd::testing::random_options& o) { o.inferred_reductions = o.loops = true; },
     "-mpmd-unroll-for-loops", "=infer-cross-mesh-reductions=true"},
    {"named, with conflicts and loops",
     [](mpmd::testing::random_options& o) { o.inferred_reductions = o.loops = o.conflicts = true; },
     "-mpmd-unroll-for-loops", "=infer-transfers=true"},
    {"assigned, with conflicts and loops",
     [](mpmd::testing::random_options& o) {
       o.assigned = o.inferred_reductions = o.loops = o.conflicts = true;
     },
     "-mpmd-unroll-for-loops", "=infer-transfers=true"},
});

std::uint64_t number_from(char const* variable, std::uint64_t otherwise) {
  char const* const text = std::getenv(variable);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

/// The functions of a printed module, sorted.
std::vector<std::string> functions_of(std::string const& printed) {
  std::vector<std::string> found;
  constexpr std::string_view head = "\n  func.func ";
  std::size_t at = printed.find(head);
  while (at != std::string::npos) {
    std::size_t const next = printed.find(head, at + 1);
    std::string one = printed.substr(at, next == std::string::npos ? next : next - at);
    found.push_back(one.substr(0, one.find("\n  }")));
    at = next;
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace

TEST_CASE("generated programs are placed and stay what they are") {
  std::uint64_t const count = number_from("MPMD_GENERATED_PROGRAMS", 60);
  std::uint64_t const first = number_from("MPMD_GENERATED_SEED", 0);
  std::array<std::uint64_t, ways.size()> refused{};
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    way const& w = ways[seed % ways.size()];
    mpmd::testing::random_options options{.seed = seed};
    options.meshes = 1 + static_cast<std::uint32_t>(seed / ways.size() % 5);
    w.set(options);
    auto made = mpmd::testing::make_random_program(options);
    std::string const text = mpmd::text::to_mlir(made.program);
    std::string passes = "-verify-roundtrip -verify-by-simulation " + std::string(w.before);
    if (!options.assigned)
      passes += " -mpmd-simplify-named-computations -mpmd-map-named-ops-to-mpmd-ops=assignment=" +
                made.assignment();
    passes += " -mpmd-introduce-transfers -mpmd-infer-mesh-pipeline" + std::string(w.inference);
    outcome const once = run(passes, text);
    CAPTURE(seed);
    CAPTURE(w.name);
    CAPTURE(once.reported);
    // A program that inference cannot place is refused with an error; all else would be a fault of a pass.
    for (auto const* fault :
         {"is not valid behind pass", "does not do what it did", "cannot be simulated", "roundtrip"})
      CHECK_MESSAGE(once.reported.find(fault) == std::string::npos, fault);
    REQUIRE((once.status == 0 || (once.status == 1 && once.reported.find("error: ") != std::string::npos)));
    if (once.status == 1) {
      ++refused[seed % ways.size()];
      continue;
    }
    outcome const again = run("-verify-roundtrip", once.printed);
    CHECK(again.status == 0);
    CHECK(again.printed == once.printed);
    if (seed / ways.size() % 4 == 0) CHECK(run(passes, text).printed == once.printed);
    if (seed / ways.size() % 4 == 1) {
      auto& p = made.program;
      auto const functions = mpmd::ir::functions(p);
      for (auto f = functions.rbegin(); f != functions.rend(); ++f) {
        p.unlink(*f);
        p.append(p.body(), *f);
      }
      CHECK(functions_of(run(passes, mpmd::text::to_mlir(p)).printed) == functions_of(once.printed));
    }
  }
  // The generator avoids what cannot be placed, but it does not know all that inference does.
  for (std::size_t i = 0; i < ways.size(); ++i)
    CHECK_MESSAGE(refused[i] * ways.size() * 10 <= count, ways[i].name << ": " << refused[i] << " refused");
}

}  // namespace generated_programs_test
