// Programs as other compilers emit them, and the project's own training steps: printed and read again they are equal, and
// what mlir-opt makes of their generic form is, too.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include <mpmd/ir/equality.hpp>
#include <mpmd/ir/structural_hash.hpp>
#include <mpmd/text/mlir.hpp>

#include "testing/paths.hpp"

namespace models_round_trip_test {
namespace {

using namespace mpmd;

std::string contents(std::filesystem::path const& path) {
  std::ifstream in(path);
  std::ostringstream all;
  all << in.rdbuf();
  return all.str();
}

std::vector<std::filesystem::path> inputs() {
  std::filesystem::path const source = testing::source_dir();
  std::vector<std::filesystem::path> found;
  for (auto const& folder : {source / "../shared/inputs/models", source / "../shared/inputs/train-steps"}) {
    if (!std::filesystem::is_directory(folder)) {
      MESSAGE("skipped: " << folder.string() << " is not there");
      continue;
    }
    for (auto const& f : std::filesystem::directory_iterator(folder)) found.push_back(f.path());
  }
  for (auto const* own : {"train_step.mlir", "train_step_named.mlir"}) found.push_back(source / "examples" / own);
  std::erase_if(found, [](auto const& p) { return p.extension() != ".mlir"; });
  std::sort(found.begin(), found.end());
  return found;
}

// What differs between a program and a text, nothing if they say the same.
std::string difference(ir::program const& p, std::string const& text) {
  std::string said;
  diagnostics diags([&said](diagnostic const& d) { said += d.message + '\n'; });
  auto const again = text::read_mlir(std::make_shared<ir::context>(), "again", text, diags);
  if (!again) return said;
  if (auto const d = ir::first_difference(p, *again)) return ir::describe(*d, p, *again);
  return ir::structural_hash(p) == ir::structural_hash(*again) ? "" : "the hashes differ";
}

}  // namespace

TEST_CASE("models and training steps are equal when printed and read again, and when mlir-opt has read them") {
  bool const mlir_opt = std::system("command -v mlir-opt-19 > /dev/null 2>&1") == 0;
  if (!mlir_opt) MESSAGE("skipped: mlir-opt-19 is not there");
  for (auto const& path : inputs()) {
    CAPTURE(path.string());
    std::string said;
    diagnostics diags([&said](diagnostic const& d) { said += d.message + '\n'; });
    auto const p = text::read_mlir(std::make_shared<ir::context>(), path.filename().string(), contents(path), diags);
    REQUIRE_MESSAGE(p.has_value(), said);
    std::string const generic = text::to_mlir(*p, {.generic = true});
    CHECK(difference(*p, text::to_mlir(*p)) == "");
    CHECK(difference(*p, generic) == "");
    CHECK(difference(*p, text::to_mlir(*p, {.generic = true, .debug_info = true})) == "");
    // MLIR looks for what a func.call names in the nearest op that may be a table of symbols, and takes each op with a
    // region that it does not know for one: no text of a call inside sdy.manual_computation is valid there.
    bool const calls_inside_unknown_op = path.filename().string().starts_with("ttmlir__e2e_pipeline");
    if (!mlir_opt || calls_inside_unknown_op) continue;
    std::string const from = testing::scratch_dir() + "/model.mlir", to = testing::scratch_dir() + "/model.out.mlir";
    std::ofstream(from) << generic;
    // The pretty forms of dialects that mlir-opt knows and the library does not are kept as text, so the attributes of
    // an arith.constant are attributes in the generic form only.
    bool const other_dialects = generic.find("\"arith.") != std::string::npos;
    for (std::string const form : {"--mlir-print-op-generic", ""}) {
      if (form.empty() && other_dialects) continue;
      REQUIRE(std::system(("mlir-opt-19 --allow-unregistered-dialect " + form + " " + from + " -o " + to).c_str()) == 0);
      CHECK(difference(*p, contents(to)) == "");
    }
  }
}

}  // namespace models_round_trip_test
