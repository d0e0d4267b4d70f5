// Models that other projects exported, cut into four stages by op range and imported. They are not part of
// this repository; where they do not lie beside the checkout the tests say so and pass.
#include <doctest/doctest.h>

#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <mpmd/analysis/placement_cost.hpp>

#include "pipeline/generated.hpp"
#include "testing/cut_into_stages.hpp"
#include "testing/paths.hpp"

namespace real_models_test {
namespace {

using namespace mpmd;
using program = ir::program;
using traits = ir_traits<program>;

std::string model(std::string const& name) {
  std::ifstream in(mpmd::testing::source_dir() + "/../shared/inputs/models/" + name);
  std::string text((std::istreambuf_iterator<char>(in)), {});
  if (text.empty()) MESSAGE("skipped: the model " << name << " is not there");
  return text;
}

// With other extents: in tensor types, and wherever else a list in brackets has such a number.
std::string with_extents(std::string const& text, std::map<std::string, std::string> const& to) {
  std::string out;
  int in_type = 0;
  for (std::size_t i = 0; i < text.size();) {
    if (text.compare(i, 7, "tensor<") == 0) in_type = 1;
    if (text[i] == '>') in_type = 0;
    bool const begins = std::isdigit(static_cast<unsigned char>(text[i])) &&
                        (i == 0 ||
                         !(std::isalnum(static_cast<unsigned char>(text[i - 1])) || text[i - 1] == '.' ||
                           text[i - 1] == '%' || text[i - 1] == '_') ||
                         (in_type && text[i - 1] == 'x'));
    if (!begins) {
      out += text[i++];
      continue;
    }
    std::size_t stop = i;
    while (stop < text.size() && std::isdigit(static_cast<unsigned char>(text[stop]))) ++stop;
    std::string number = text.substr(i, stop - i);
    bool const extent = in_type ? text[stop] == 'x' : text[stop] == ',' || text[stop] == ']';
    auto const at = to.find(number);
    out += extent && at != to.end() ? at->second : number;
    i = stop;
  }
  return out;
}

program read(std::string const& text) {
  std::ostringstream said;
  diagnostics diags(said);
  auto p = text::read_mlir(std::make_shared<ir::context>(), "model.mlir", text, diags);
  REQUIRE_MESSAGE(p.has_value(), said.str());
  return std::move(*p);
}

// The variances of batch norms become what variances are, which no input made up for a simulation keeps to:
// not negative. Their roots, and with them all results, would be NaN.
void make_variances_positive(program& p) {
  std::vector<ir::op> norms;
  ir::walk(p, p.root(), [&](ir::op o) {
    if (p.kind_text(o) == "stablehlo.batch_norm_inference") norms.push_back(o);
  });
  for (ir::op const o : norms) {
    ir::value const variance = p.operand(o, 4);
    auto b = ir::builder::before(p, o);
    ir::op const positive = b.create("stablehlo.abs", {variance}, {p.type_of(variance)});
    traits::set_operand(p, o, 4, p.result(positive, 0));
  }
}

bool are_finite(program const& p) {
  diagnostics diags;
  auto const seen = sim::observe(p, diags, {.trials = 1}, sim::memories::one);
  if (!seen || seen->functions.empty()) return false;
  for (auto const& f : seen->functions)
    for (auto const& run : f.runs)
      for (auto const& result : run.results)
        for (auto const element : result.elements)
          if (!sim::exact::is_finite(element)) return false;
  return true;
}

program cut(std::string const& text) {
  program p = read(text);
  ir::op const f = traits::functions(p).at(0);
  mpmd::testing::take_foreign_ops_out(p, f);
  mpmd::testing::take_one_device(p, f);
  std::ostringstream said;
  diagnostics diags(said);
  REQUIRE_MESSAGE(inline_calls(p, diags), said.str());
  mpmd::testing::cut_into_stages(p, f, 4);
  REQUIRE_MESSAGE(ir::verify(p, diags), said.str());
  return p;
}

import_options four_stages() {
  import_options asked;
  for (char const n : {'0', '1', '2', '3'})
    asked.name_to_mesh[std::string("stage") + n] = {.mesh = std::string("m") + n};
  return asked;
}

// Values flow from each stage to later ones only, and each stage holds the ops of its part.
void check_stages(program const& p, std::size_t ops) {
  auto const graph = graph_of_placement(p);
  auto const& f = graph.functions.at(0);
  auto const cost = cost_of(f);
  REQUIRE(cost.meshes.size() == 4);
  for (auto const& m : cost.meshes) CHECK(m.ops >= ops / 4 / 2);
  for (auto const& r : cost.routes) CHECK(r.from < r.to);
  for (auto const& a : f.arguments) CHECK(a.mesh.has_value());
}

std::string import(program& p) {
  std::string said;
  diagnostics diags([&said](diagnostic const& d) { said += d.message + '\n'; });
  std::string last;
  bool const good = run(import_pipeline<program>(four_stages()), p, diags, [&](pass<program> const& one) {
    last = one.name;
    return ir::verify(p, diags);
  });
  if (!good) return "behind " + last + ": " + said;
  auto const again = text::read_mlir(p.shared_context(), "printed", text::to_mlir(p), diags);
  return again && ir::structural_equal(p, *again) ? std::string{} : "text: " + said;
}

}  // namespace

TEST_CASE("models are cut into four stages and imported: valid behind each pass, and all on meshes") {
  struct row {
    char const* name;
    std::size_t ops;  // at least
  };
  for (row const& r :
       {row{"iree__bert_encoder_unrolled.stablehlo.mlir", 2000}, row{"iree__resnet50.stablehlo.mlir", 150},
        row{"jaxcompat__cuda_threefry2x32_0.mlir", 20}, row{"ttmlir__e2e_pipeline_shardy.mlir", 300}}) {
    CAPTURE(r.name);
    std::string const text = model(r.name);
    if (text.empty()) continue;
    program p = cut(text);
    REQUIRE(import(p) == "");
    check_stages(p, r.ops);
  }
}

TEST_CASE(
    "models do the same when they are cut into stages and imported, at reduced extents where they are "
    "large") {
  using extents = std::map<std::string, std::string>;
  // Feature extents shrink by sixteen. The image keeps its strides: a window of two in place of seven halves
  // 64 pixels, which are 58 and three more on each side.
  extents const bert{{"512", "32"}, {"384", "24"}, {"383", "23"}, {"128", "8"}, {"32", "2"}, {"30522", "16"}},
      resnet{{"64", "4"},     {"128", "8"},   {"256", "16"}, {"512", "32"}, {"1024", "64"},
             {"2048", "128"}, {"1000", "10"}, {"224", "58"}, {"230", "64"}, {"112", "32"},
             {"114", "34"},   {"56", "16"},   {"28", "8"},   {"14", "4"},   {"7", "2"}};
  for (auto const& [name, reduced] : {std::pair{"iree__bert_encoder_unrolled.stablehlo.mlir", bert},
                                      std::pair{"iree__resnet50.stablehlo.mlir", resnet},
                                      std::pair{"jaxcompat__cuda_threefry2x32_0.mlir", extents{}},
                                      std::pair{"ttmlir__e2e_pipeline_shardy.mlir", extents{}}}) {
    CAPTURE(name);
    std::string const text = model(name);
    if (text.empty()) continue;
    program p = cut(with_extents(text, reduced));
    make_variances_positive(p);
    REQUIRE(are_finite(p));  // NaN is equal to NaN, whatever it came from
    CHECK(mpmd::testing::what_goes_wrong(p, import_pipeline<program>(four_stages())) == "");
  }
}

}  // namespace real_models_test
