// Training steps as users write them, imported: what stands where, what is sent, and that they still do the same.
#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <mpmd/analysis/placement_cost.hpp>
#include <mpmd/text/mlir/written_names.hpp>

#include "pipeline/generated.hpp"
#include "testing/paths.hpp"

namespace train_steps_test {
namespace {

using namespace mpmd;
using program = ir::program;
using traits = ir_traits<program>;

struct step {
  std::string path;
  std::string text;
  text::mlir::written_names names;
  std::optional<program> p;

  // What stands behind `key: ` in the first lines.
  std::string line(std::string const& key) const {
    auto const at = text.find("// " + key + ": ");
    if (at == std::string::npos) return {};
    auto const from = at + key.size() + 5;
    return text.substr(from, text.find('\n', from) - from);
  }
  std::string assignment() const {
    std::string all = line("name-to-mesh-assignment");
    std::erase(all, ' ');
    return all;
  }
};

step read_step(std::string const& path) {
  step s;
  s.path = path;
  std::ifstream in(path);
  s.text.assign(std::istreambuf_iterator<char>(in), {});
  std::ostringstream said;
  diagnostics diags(said);
  auto const context = std::make_shared<ir::context>();
  auto const buffer = context->sources.add(path, s.text).first;
  s.p = text::read_mlir(context, buffer, diags, 0, s.text.size(), &s.names);
  REQUIRE_MESSAGE(s.p.has_value(), said.str());
  return s;
}

// Those of the project and, where it lies beside the checkout, of the collection.
std::vector<std::string> paths_of_steps() {
  std::string const root = mpmd::testing::source_dir();
  std::vector<std::string> found{root + "/examples/train_step_loop.mlir", root + "/examples/train_step_named.mlir"};
  std::filesystem::path const more = root + "/../shared/inputs/train-steps";
  std::error_code none;
  if (!std::filesystem::is_directory(more, none)) {
    MESSAGE("only the steps of the project: the collection of inputs is not there");
    return found;
  }
  for (auto const& file : std::filesystem::directory_iterator(more))
    if (file.path().extension() == ".mlir") found.push_back(file.path().string());
  std::sort(found.begin(), found.end());
  return found;
}

// The items of `w0=m0, x*=m1; loss=m1`.
std::vector<std::pair<std::string, std::string>> wanted(std::string text) {
  std::vector<std::pair<std::string, std::string>> all;
  std::replace(text.begin(), text.end(), ';', ',');
  std::istringstream in(text);
  for (std::string item; std::getline(in, item, ',');) {
    std::erase(item, ' ');
    auto const equals = item.find('=');
    if (equals != std::string::npos) all.emplace_back(item.substr(0, equals), item.substr(equals + 1));
  }
  return all;
}

name_to_mesh_map names_of(step const& s) {
  name_to_mesh_map map;
  CHECK(option_value<name_to_mesh_map>::parse(s.assignment(), map).message.empty());
  return map;
}
// The meshes of the stages, in the order in which the first line names them.
std::vector<std::string> meshes_of_stages(step const& s) {
  std::vector<std::string> meshes;
  std::istringstream in(s.assignment());
  for (std::string item; std::getline(in, item, ',');) meshes.push_back(item.substr(item.find('@') + 1));
  return meshes;
}

// Where the ops between the named computations of a microbatch have to be, by their places in the text: sums for the
// weights of a stage (%a3_in, %n3) on the mesh of that stage, all else, which makes the loss, on that of the last.
std::map<std::uint32_t, std::string> meshes_between(step const& s) {
  auto const stages = meshes_of_stages(s);
  std::map<std::uint32_t, std::string> found;
  ir::op const microbatch = traits::functions(*s.p).at(1);
  for (ir::op const o : traits::body(*s.p, microbatch)) {
    if (traits::role_of(*s.p, o) != role::compute) continue;
    std::string const name(s.names.of(s.p->result(o, 0)));
    bool const numbered = name.size() > 2 && (name[1] == 'a' || name[1] == 'n') && std::isdigit(static_cast<unsigned char>(name[2]));
    found[s.p->where(o).text.offset] = numbered ? stages.at(std::stoul(name.substr(2))) : stages.back();
  }
  return found;
}

// Where the arguments and results of the entry function are, against what the first lines say of each.
void check_signature(step const& s) {
  ir::op const entry = traits::functions(*s.p).at(0);
  auto const arguments = traits::arguments(*s.p, entry);
  auto const args = wanted(s.line("expected args")), results = wanted(s.line("expected results"));
  std::size_t checked = 0;
  for (auto const& [name, mesh] : args)
    for (ir::value const v : arguments) {
      std::string const called(s.names.of(v));
      bool const all = name.ends_with('*');
      if (all ? !called.starts_with('%' + name.substr(0, name.size() - 1)) : called != '%' + name) continue;
      CHECK_MESSAGE(traits::mesh_of(*s.p, v) == mesh, s.path << ": " << called);
      ++checked;
    }
  if (!args.empty()) CHECK_MESSAGE(checked == arguments.size(), s.path);
  auto const returned = s.p->operands(s.p->last_op(ir::entry_block(*s.p, entry)));
  if (!results.empty()) REQUIRE(results.size() == returned.size());
  for (std::size_t i = 0; i < results.size(); ++i)
    CHECK_MESSAGE(traits::mesh_of(*s.p, returned[i]) == results[i].second, s.path << ": result " << i);
}

// The ops of meshes_between, wherever they are now in the body of this function.
void check_between(step const& s, ir::op function, std::map<std::uint32_t, std::string> const& between) {
  std::size_t found = 0;
  for (ir::op const fragment : traits::body(*s.p, function)) {
    if (traits::role_of(*s.p, fragment) != role::fragment) continue;
    auto const info = traits::fragment_of(*s.p, fragment);
    for (ir::op const o : traits::body(*s.p, fragment)) {
      auto const at = between.find(s.p->where(o).text.offset);
      if (at == between.end()) continue;
      ++found;
      // A constant may be copied to where it is used.
      if (!traits::is_constant(*s.p, o)) CHECK_MESSAGE(info.mesh == at->second, s.path << ": " << std::string(s.p->kind_text(o)));
    }
  }
  CHECK_MESSAGE(found >= between.size(), s.path);
}

// How many borders there are between stages on different meshes.
std::uint64_t borders_of(step const& s) {
  auto const stages = meshes_of_stages(s);
  std::uint64_t borders = 0;
  for (std::size_t i = 1; i < stages.size(); ++i) borders += stages[i] != stages[i - 1];
  return borders;
}

}  // namespace

TEST_CASE("training steps are imported: placed as they say, with the least transfers, the same results and the same text") {
  for (auto const& path : paths_of_steps())
    for (bool const merge_after_scheduling : {false, true}) {
      CAPTURE(path);
      CAPTURE(merge_after_scheduling);
      step s = read_step(path);
      auto const between = meshes_between(s);
      import_options const asked{.name_to_mesh = names_of(s), .merge_after_scheduling = merge_after_scheduling};
      CHECK(mpmd::testing::what_goes_wrong(*s.p, import_pipeline<program>(asked)) == "");
      check_signature(s);
      check_between(s, traits::functions(*s.p).at(0), between);
      auto const graph = graph_of_placement(*s.p);
      REQUIRE(graph.functions.size() == 1);
      // In each microbatch one activation forward and one cotangent back over each border; the cotangent is not sent where
      // nobody uses what would be made of it.
      std::string const forward_only = s.line("microbatch without cotangents");
      for (auto const& batch : cost_of(graph.functions[0]).microbatches) {
        bool const both = batch.number && std::to_string(*batch.number) != forward_only;
        CHECK(batch.sent.transfers == (both ? 2 : batch.number ? 1 : 0) * borders_of(s));
      }
    }
}

TEST_CASE("training steps are placed by the passes for names and mesh inference alone") {
  for (auto const& path : paths_of_steps()) {
    if (path.ends_with("_loop.mlir")) continue;  // loops are written out by the import pipeline only
    CAPTURE(path);
    step s = read_step(path);
    auto const between = meshes_between(s);
    pipeline<program> passes{simplify_named_computations{}, map_named_ops_to_mpmd_ops{.assignment = names_of(s)},
                             introduce_transfers{}};
    for (auto& one : infer_mesh_pipeline<program>()) passes.push_back(std::move(one));
    CHECK(mpmd::testing::what_goes_wrong(*s.p, passes) == "");
    check_signature(s);
    ir::op const microbatch = traits::functions(*s.p).at(1);
    check_between(s, microbatch, between);
    for (ir::op const f : traits::functions(*s.p)) {
      std::uint64_t transfers = 0;
      for (ir::op const o : traits::body(*s.p, f)) transfers += traits::role_of(*s.p, o) == role::transfer;
      CHECK(transfers == (f == microbatch ? 2 * borders_of(s) : 0));
    }
  }
}

}  // namespace train_steps_test
