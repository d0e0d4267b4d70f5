// The command line tool, from outside: what it prints, what it reports, what it exits with.
#include <doctest/doctest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <utility>
#include <sys/wait.h>

#include "testing/paths.hpp"

namespace mpmd_opt_test {

namespace {

struct outcome {
  int status;
  std::string said;  // standard output and errors, as they came
};

// Runs the tool with these arguments on a file that holds `text`.
outcome run(std::string const& arguments, std::string const& text, std::string const& name = "tool_input.mlir") {
  std::string const path = mpmd::testing::scratch_dir() + "/" + name;
  std::ofstream(path) << text;
  std::string const command = mpmd::testing::bin_dir() + "/mpmd-opt " + arguments + " " + path + " 2>&1 < /dev/null";
  std::FILE* const pipe = popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  outcome found{0, {}};
  std::array<char, 4096> block{};
  while (std::size_t const got = std::fread(block.data(), 1, block.size(), pipe)) found.said.append(block.data(), got);
  int const status = pclose(pipe);
  found.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return found;
}

bool says(outcome const& o, std::string const& text) { return o.said.find(text) != std::string::npos; }

constexpr auto program = R"(func.func @main(%w: tensor<2xf32>) attributes {topology = #mpmd.topology<<"a" : <["x"=2]>>>} {
  %d = stablehlo.negate %w : tensor<2xf32>
  %x = mpmd.assign {origin = "enc"} %d : (tensor<2xf32>) -> !mpmd.mesh_tensor<"a", tensor<2xf32>>
  return
}
)";

}  // namespace

TEST_CASE("without passes the program is printed as it is") {
  auto const o = run("", program);
  CHECK(o.status == 0);
  CHECK(says(o, "module {\n  func.func @main(%arg0: tensor<2xf32>) attributes"));
  CHECK(says(o, "%0 = stablehlo.negate %arg0 : tensor<2xf32>"));
}

TEST_CASE("passes run in the order given, with one dash or two; a bare -- is nothing") {
  auto const o = run("-mpmd-infer-mesh-populate-use-set --mpmd-infer-mesh-populate-src-set --", program);
  CHECK(o.status == 0);
  CHECK(says(o, R"(stablehlo.negate %arg0 {mpmd.src_set = #mpmd.meshes_with_origins<"a"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"a"["enc"]>})"));
  auto const reversed = run("--mpmd-infer-mesh-populate-src-set -mpmd-infer-mesh-populate-use-set", program);
  CHECK_FALSE(says(reversed, "src_set"));
}

TEST_CASE("an unknown pass, an unknown option of a pass and a missing file are errors") {
  CHECK(run("-no-such-pass", program).status == 1);
  CHECK(says(run("-no-such-pass", program), "no such option or pass: -no-such-pass"));
  auto const o = run("-mpmd-infer-mesh-populate-use-set='limit=3'", program);
  CHECK(o.status == 1);
  CHECK(says(o, "no such option: 'limit'"));
}

TEST_CASE("every pass is listed by --help with its summary") {
  auto const o = run("--help", program);
  CHECK(o.status == 0);
  for (auto const* line : {"-mpmd-infer-mesh-populate-use-set", "-mpmd-infer-mesh-populate-src-set", "-canonicalize",
                           "-split-input-file", "-verify-roundtrip", "-why=VALUE", "-summary[=table|json]"})
    CHECK_MESSAGE(says(o, line), line);
  // Each of them has a summary behind it, or on the next line, and options with their types and defaults.
  std::size_t passes = 0;
  std::istringstream lines(o.said.substr(o.said.find("\npasses:\n") + 9));
  for (std::string line, next; std::getline(lines, line);) {
    if (!line.starts_with("  -")) continue;
    ++passes;
    if (line.size() < 42 || line[41] != ' ') CHECK_MESSAGE((std::getline(lines, next) && next.size() > 42), line);
  }
  CHECK(passes >= 19 + 15 + 3);
  auto const squeezed = [&] {
    std::string all;
    for (char const c : o.said)
      if (c == '\n' || c == ' ') {
        if (!all.ends_with(' ')) all += ' ';
      } else {
        all += c;
      }
    return all;
  }();
  CHECK(squeezed.find("error-limit=<") != std::string::npos);
  CHECK(squeezed.find("(default: 5)") != std::string::npos);
}

TEST_CASE("a flag takes no value but the words for true and false, and says so") {
  std::string const two = "func.func @a() { return }\n// -----\nfunc.func @a() { return }\n";
  CHECK(run("-split-input-file", two).status == 0);
  CHECK(run("-split-input-file=true", two).status == 0);
  CHECK(run("-split-input-file=false", two).status == 1);  // @a is there twice
  for (auto const* wrong : {"-split-input-file=maybe", "-verify-diagnostics=", "-verify-each=maybe",
                            "-mlir-diagnostic-verbosity-level=foo"}) {
    auto const o = run(wrong, program);
    CHECK_MESSAGE(o.status == 1, wrong);
    CHECK_MESSAGE(says(o, " takes '"), wrong);
  }
  CHECK(run("-verify-each=False --summary", program).status == 0);
}

TEST_CASE("a run that fails leaves the file for its output as it was") {
  std::string const kept = mpmd::testing::scratch_dir() + "/tool_kept.mlir";
  std::ofstream(kept) << "what stood there";
  auto text = [&] {
    std::ifstream in(kept);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  CHECK(run("-mpmd-unroll-for-loops -o " + kept, "func.func @main() { nonsense }").status == 1);
  CHECK(text() == "what stood there");
  CHECK(run("-canonicalize -o " + kept, program).status == 0);
  CHECK(text().find("func.func") != std::string::npos);
}

TEST_CASE("output that cannot be written is an error") {
  for (auto const* what : {"", "--help"}) {
    auto const o = run(std::string(what) + " -o /dev/full", program);
    if (*what == 0) CHECK(o.status == 1);
    std::string const path = mpmd::testing::scratch_dir() + "/tool_input.mlir";
    int const status =
        std::system((mpmd::testing::bin_dir() + "/mpmd-opt " + what + " " + path + " > /dev/full 2> /dev/null").c_str());
    CHECK((WIFEXITED(status) && WEXITSTATUS(status) == 1));
  }
}

TEST_CASE("an error has file, line, column and a caret, and the others of the file follow") {
  auto const o = run("", "func.func @f() {\n  \"a.b\"(%x) : (f32) -> ()\n  \"a.c\"(%y) : (f32) -> ()\n  return\n}\n");
  CHECK(o.status == 1);
  CHECK(says(o, "tool_input.mlir:2:9: error: use of undeclared SSA value name"));
  CHECK(says(o, "\n        ^\n"));
  CHECK(says(o, "tool_input.mlir:3:9: error:"));
}

TEST_CASE("parts of an input are processed each on their own; a bad one does not stop the others") {
  auto const o = run("-split-input-file", "func.func @a() { return }\n// -----\nbad\n// -----\nfunc.func @c() { return }\n");
  CHECK(o.status == 1);
  CHECK(says(o, "@a()"));
  CHECK(says(o, "tool_input.mlir:3:1: error:"));
  CHECK(says(o, "@c()"));
  CHECK(says(o, "// -----\n"));
}

TEST_CASE("announced diagnostics are checked, missing and surplus ones are failures") {
  std::string const bad = R"(func.func @f(%x: f32) {
  // expected-error@+1 {{must be}}
  %y = mpmd.broadcast %x : f32
  return
}
)";
  CHECK(run("-verify-diagnostics", bad).status == 0);
  CHECK(run("-verify-diagnostics", "// expected-error@+1 {{never}}\nfunc.func @f() { return }\n").status == 1);
  std::string unannounced = bad;
  unannounced.replace(unannounced.find("expected"), 8, "foreseen");
  CHECK(run("-verify-diagnostics", unannounced).status == 1);
}

namespace {

constexpr auto host_program = R"(import pypto.language as pl
import pypto.language.distributed as pld

@pl.program
class T:
    @pl.function(type=pl.FunctionType.Orchestration)
    def step(self, w: pld.DistributedTensor[[16], pl.FP32]):
        return w
    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def host(self):
        buf = pld.alloc_window_buffer(64)
        v = pld.window(buf, [16], dtype=pl.FP32)
        for r in pl.range(1, 3):
            self.step(v, device=r)
        pld.tensor.allreduce(v)
        return 0
)";

}  // namespace

TEST_CASE("a host program is run over ranks, and what each did is listed") {
  auto const o = run("-comm-domain-pipeline -simulate-ranks=4", host_program, "ranks.py");
  CHECK(o.status == 0);
  CHECK(o.said == "host function host on 4 ranks\n"
                  "  window __allreduce_signal_buf_0: 16 bytes on ranks 1, 2 (comm_d0), touched by ranks 1, 2\n"
                  "  window buf: 64 bytes on ranks 1, 2 (comm_d0), touched by ranks 1, 2\n"
                  "  rank 0: nothing\n  rank 1: step(buf), allreduce(buf)\n  rank 2: step(buf), allreduce(buf)\n"
                  "  rank 3: nothing\n");
  auto const raw = run("-simulate-ranks=4", host_program, "ranks.py");
  CHECK(raw.status == 1);
  CHECK(says(raw, "ranks.py:11:15: error: 'buf' is allocated outside of any communication domain"));
  CHECK(says(run("-comm-domain-pipeline -simulate-ranks=2", host_program, "ranks.py"), "has device 2, and there are 2 ranks"));
  CHECK(says(run("-simulate-ranks=0", host_program, "ranks.py"), "-simulate-ranks takes a number from 1 to 65536, not '0'"));
  CHECK(says(run("-simulate-ranks=2", program), "-simulate-ranks runs host programs, and this is none"));
}

TEST_CASE("passes over host programs are verified by simulation") {
  auto const o = run("-verify-by-simulation -comm-domain-pipeline", host_program, "ranks.py");
  CHECK(o.status == 0);
  CHECK(says(o, "builtin.tensor.allreduce"));
  std::string text = host_program;
  text.replace(text.find("range(1, 3)"), 11, "range(2, 2)");
  auto const unused = run("-verify-by-simulation -synthesize-allreduce-signals", text, "ranks.py");
  CHECK(unused.status == 1);
  CHECK(says(unused, "ranks.py:15:9: error: MaterializeCommDomainScopes: collective data/target buffer has no inferred"));
  CHECK(says(unused, "the program cannot be simulated, so its passes are not verified"));
}

TEST_CASE("passes are verified by simulation, with a seed that is a number") {
  auto const o = run("-verify-by-simulation -simulation-seed=7 -mpmd-infer-mesh-populate-use-set -canonicalize", program);
  CHECK(o.status == 0);
  CHECK_FALSE(says(o, "error"));
  auto const unknown = run("-verify-by-simulation", "func.func @f(%x: tensor<f32>) {\n  \"a.b\"(%x) : (tensor<f32>) -> ()\n  return\n}\n");
  CHECK(unknown.status == 1);
  CHECK(says(unknown, "tool_input.mlir:2:3: error: the simulation does not know the op 'a.b'"));
  CHECK(run("-verify-by-simulation -simulation-seed=x", program).status == 1);
  CHECK(says(run("-simulation-seed=1x", program), "the seed must be a number of 64 bits, not '1x'"));
}

TEST_CASE("programs, times and counts are shown behind passes, under mlir-opt's names too") {
  auto const all = run("-canonicalize -symbol-dce -print-ir-after-all -o /dev/null", program);
  CHECK_EQ(all.status, 0);
  CHECK(says(all, "IR Dump After canonicalize"));
  CHECK(says(all, "IR Dump After symbol-dce"));
  // The unused assign goes in the first pass; the second finds nothing to do.
  auto const changes = run("-canonicalize -symbol-dce -mlir-print-ir-after-change -o /dev/null", program);
  CHECK(says(changes, "IR Dump After canonicalize"));
  CHECK_FALSE(says(changes, "IR Dump After symbol-dce"));
  auto const counts = run("-canonicalize -symbol-dce -pass-statistics -o /dev/null", program);
  CHECK(says(counts, "canonicalize\n  (S)        1 times of 1 that it changed the program\n  (S)       -2 ops"));
  CHECK(says(counts, "symbol-dce\n  (S)        0 times of 1"));
  auto const times = run("-canonicalize -mlir-timing -o /dev/null", program);
  CHECK(says(times, "Execution time report"));
  CHECK(says(times, "  canonicalize\n"));
  CHECK(says(times, "(100.0%)  Total"));
}

TEST_CASE("the round trip and the generic print are the same program") {
  CHECK(run("-verify-roundtrip", program).status == 0);
  auto const o = run("-mlir-print-op-generic", program);
  CHECK(o.status == 0);
  CHECK(says(o, "\"func.func\"() <{"));
  CHECK(says(o, "\"mpmd.assign\"(%"));
}

TEST_CASE("--why explains each mesh of a value by a chain with places in the input") {
  auto const o = run("--why %w", program);
  CHECK(o.status == 0);
  CHECK(says(o, "must be on: a (enc)"));
  CHECK(says(o, "<- %d = stablehlo.negate  ["));
  CHECK(says(o, "<- %x = mpmd.assign to mesh \"a\" (enc)  ["));
  CHECK(says(o, "tool_input.mlir:3:8]"));
  CHECK(run("--why %none", program).status == 1);
  CHECK(run("--why @main:%d", program).status == 0);
  CHECK(run("--why @other:%d", program).status == 1);
}

TEST_CASE("a summary tells what stands where, what is transferred and what the passes decided") {
  std::string const step = mpmd::testing::source_dir() + "/examples/train_step_named.mlir";
  std::ifstream in(step);
  std::string const text((std::istreambuf_iterator<char>(in)), {});
  std::string const key = "name-to-mesh-assignment: ";
  auto const at = text.find(key);
  REQUIRE(at != std::string::npos);
  std::string assignment = text.substr(at + key.size(), text.find('\n', at) - at - key.size());
  std::erase(assignment, ' ');
  auto const o = run("-mpmd-simplify-named-computations -mpmd-map-named-ops-to-mpmd-ops='assignment=" + assignment +
                         "' -mpmd-introduce-transfers -mpmd-infer-mesh-pipeline --summary",
                     text, "tool_named_step.mlir");
  CHECK(o.status == 0);
  // 24 weights, six a mesh; the inputs where the first block is, the targets where the last one is.
  CHECK(says(o, "arguments  m0: 0-5, 24-27; m1: 6-11; m2: 12-17; m3: 18-23, 28-31\n"));
  // The loss, then the weights.
  CHECK(says(o, "results    m3: 0, 19-24; m0: 1-6; m1: 7-12; m2: 13-18\n"));
  // One activation of 16x32 f32 forward and one cotangent back between neighbours.
  for (std::string const way : {"m0    m1", "m1    m0", "m1    m2", "m2    m1", "m2    m3", "m3    m2"})
    CHECK(says(o, "  " + way + "          1   2 048\n"));
  CHECK(says(o, "  all               6  12 288\n"));
  CHECK_FALSE(says(o, "not placed"));
  CHECK(says(o, "decided by the passes"));
}

namespace {

// The arguments that import the named training step of the examples, and its text.
std::pair<std::string, std::string> named_step() {
  std::ifstream in(mpmd::testing::source_dir() + "/examples/train_step_named.mlir");
  std::string const text((std::istreambuf_iterator<char>(in)), {});
  std::string const key = "name-to-mesh-assignment: ";
  auto const at = text.find(key);
  REQUIRE(at != std::string::npos);
  std::string assignment = text.substr(at + key.size(), text.find('\n', at) - at - key.size());
  std::erase(assignment, ' ');
  return {"-mpmd-import-pipeline='name-to-mesh-assignment=" + assignment + "' ", text};
}

}  // namespace

TEST_CASE("the summary of an imported program tells which computation is where and what is sent in each microbatch") {
  auto const [import, text] = named_step();
  auto const o = run(import + "--summary", text, "tool_imported.mlir");
  CHECK(o.status == 0);
  // Six blocks of three ops a mesh; the four microbatches run alike.
  CHECK(says(o, "\n  block0-5       m0    -      0-3                   4   72          0\n"));
  CHECK(says(o, "\n  block23-18(1)  m3    -      0-3                   4  202         82\n"));
  // 2 kB forward and back over three borders in each of four microbatches.
  CHECK(says(o, "\n  all              24  49 152\n"));
  for (char const n : {'0', '1', '2', '3'}) CHECK(says(o, std::string("\n  ") + n + "                   8  "));
  CHECK(says(o, "          6  12 288\n"));
  // Of 112 kB of weights, inputs and targets, m0 and m3 hold 32 kB each; of 975 ops m3 has 274.
  CHECK(says(o, "  balance  ops 1.12, argument bytes 1.14 (1: even, 4: all on one mesh)\n"));
  CHECK(says(o, "the meshes of 76 ops of the input that stood outside named computations\n"));
}

TEST_CASE("the summary comes as JSON, too, and an unknown form is an error") {
  auto const [import, text] = named_step();
  auto const o = run(import + "--summary=json", text, "tool_imported.mlir");
  CHECK(o.status == 0);
  CHECK(o.said.starts_with("{\"version\":1,\"functions\":[\n{\"name\":\"main\",\"entry\":true,\"meshes\":[\n{\"name\":\"m0\""));
  CHECK(says(o, R"("balance":{"ops":1.124)"));
  CHECK(says(run("--summary=xml", program), "-summary takes 'table' or 'json', not 'xml'"));
  CHECK(says(run("--emit=png", program), "-emit takes 'mlir' or 'dot', not 'png'"));
  CHECK(run("--emit=mlir", program).said == run("", program).said);
}

TEST_CASE("domains of a host program come as JSON, too, with the signals that allreduces will have") {
  std::string const head = "import pypto.language as pl\nimport pypto.language.distributed as pld\n@pl.program\nclass Sum:\n"
                           "    @pl.function(type=pl.FunctionType.Orchestration)\n"
                           "    def step(self, w: pld.DistributedTensor[[16], pl.FP32]):\n        return w\n"
                           "    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)\n    def host(self):\n";
  std::string const users = head + "        a = pld.alloc_window_buffer(64)\n"
                                   "        v = pld.window(a, [16], dtype=pl.FP32)\n"
                                   "        for r in pl.range(2):\n            self.step(v, device=r)\n"
                                   "        pld.tensor.allreduce(v)\n        return 0\n";
  std::string const window =
      R"({"name":"a","bytes":64,"line":10,"needed_on":[[0,1]],"views":[{"name":"v","shape":[16],"dtype":"FP32","line":11}],)"
      R"("dispatches":[{"callee":"step","devices":[[0,1]],"line":13}]})";
  std::string const signal =
      R"({"name":"__allreduce_signal_buf_0","bytes":null,"line":9,"needed_on":[[0,1]],)"
      R"("views":[{"name":"__allreduce_signal_0","shape":[null,1],"dtype":"INT32","line":9}],"dispatches":[]})";
  auto const o = run("-summary=json", users, "tool_input.py");
  CHECK(o.status == 0);
  CHECK(o.said == "{\"version\":1,\"functions\":[\n{\"name\":\"host\",\"materialised\":false,\"fault\":null,\"domains\":[\n"
                  "{\"name\":\"comm_d0\",\"devices\":[[0,1]],\"windows\":[\n" + signal + ",\n" + window + "]}]}]}\n");
  CHECK(says(run("-summary", users, "tool_input.py"), "  domain comm_d0: {0, 1}\n    window __allreduce_signal_buf_0: "));
  // Domains that stand there are told as they stand, and what is wrong too.
  auto const made = run("-comm-domain-pipeline -summary=json", users, "tool_input.py");
  CHECK(says(made, R"("materialised":true,"fault":null)"));
  CHECK(says(made, R"({"name":"comm_d0","devices":[[0,1]],"windows":[)"));
  auto const table = run("-comm-domain-pipeline -summary", users, "tool_input.py");
  CHECK(says(table, "  domain comm_d0: {0, 1}"));
  CHECK_FALSE(says(table, "at fault"));
  CHECK_FALSE(says(table, "is needed on"));
  auto const all = run("-summary=json", head + "        a = pld.alloc_window_buffer(64)\n        v = pld.window(a, [16], dtype=pl.FP32)\n"
                                               "        for r in pl.range(pld.world_size()):\n            self.step(v, device=r)\n"
                                               "        return 0\n",
                       "tool_input.py");
  CHECK(says(all, R"("devices":"all","windows":[)"));
  auto const unused = run("-summary=json", head + "        a = pld.alloc_window_buffer(64)\n        return 0\n", "tool_input.py");
  CHECK(says(unused, R"x('a' has no pld.tensor.window materialisation (dead allocation)","domains":[])x"));
  CHECK(says(run("-emit=dot", users, "tool_input.py"), "a host program has no placement to show as a drawing"));
}

TEST_CASE("the drawing of an imported program is one that Graphviz takes") {
  auto const [import, text] = named_step();
  std::string const drawing = mpmd::testing::scratch_dir() + "/tool_imported.dot";
  auto const o = run(import + "--emit=dot -o " + drawing, text, "tool_imported.mlir");
  CHECK_MESSAGE(o.status == 0, o.said);
  if (std::system("command -v dot > /dev/null") != 0) {
    MESSAGE("skipped: Graphviz (dot) is not installed");
    return;
  }
  std::string const picture = mpmd::testing::scratch_dir() + "/tool_imported.svg";
  CHECK(std::system(("dot -Tsvg -o " + picture + " " + drawing).c_str()) == 0);
  std::ifstream in(picture);
  std::string const svg((std::istreambuf_iterator<char>(in)), {});
  auto count = [&](std::string const& what) {
    std::size_t n = 0;
    for (auto at = svg.find(what); at != std::string::npos; at = svg.find(what, at + 1)) ++n;
    return n;
  };
  CHECK(count("class=\"cluster\"") == 32 + 1);  // the fragments and the legend
  CHECK(count(">2 048 B</text>") == 24);        // the transfers
  CHECK(count(">mesh m3</text>") == 1);
}

TEST_CASE("--why of a value of the input tells where the passes put it and why") {
  auto const [import, text] = named_step();
  auto const o = run(import + "--why %loss --why %mean --why %w3 --why %f0_1 --why @main:%s3", text, "tool_imported.mlir");
  CHECK(o.status == 0);
  CHECK(says(o, "can be on: m3 (block23, inferred_in)"));
  CHECK(says(o, "%mean = stablehlo.multiply  ["));
  CHECK(says(o, "  behind the passes\n    on m3, in block23-18(1), microbatches 0-3 (4 ops)\n"));
  CHECK(says(o, "  behind the passes\n    an argument on m0\n"));
  CHECK(says(o, "%f0_1\n  in the computation that the user named block0\n  behind the passes\n    on m0, in block0-5, microbatches 0-3 (12 ops)\n"));
  CHECK(says(o, "    on m0, in block5-0(1), microbatch 3 (1 op)\n"));
  auto const gone = run("-canonicalize --why %x", program);
  CHECK(says(gone, "    nowhere: nothing needs it, or it was folded away\n"));
  CHECK(run(import + "--why %nosuch", text, "tool_imported.mlir").status == 1);
}

TEST_CASE("--why of what a loop carries follows what a turn leaves; of what goes into a body, what is outside") {
  std::string const text = R"(
func.func @main(%x: tensor<2xf32>, %y: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
    attributes {topology = #mpmd.topology<<"a" : <["x"=2]>>, <"b" : <["x"=2]>>>} {
  %r:2 = mpmd.for (%x, %y) {iterations = 2 : ui32, unroll_factor = 2 : ui32}
      (%p: tensor<2xf32>, %q: tensor<2xf32>, %i: tensor<ui32>) {
    %f = mpmd.named_computation<"f"> (%p) (%v: tensor<2xf32>) {
      %n = stablehlo.abs %v : tensor<2xf32>
      mpmd.return %n : tensor<2xf32>
    } : (tensor<2xf32>) -> tensor<2xf32>
    %s = stablehlo.add %f, %q : tensor<2xf32>
    mpmd.return %s, %q : tensor<2xf32>, tensor<2xf32>
  } : tensor<2xf32>, tensor<2xf32>
  return %r#0, %r#1 : tensor<2xf32>, tensor<2xf32>
})";
  auto why = [&](std::string const& value) {
    auto const o = run("-mpmd-import-pipeline=name-to-mesh-assignment=f@b '--why=" + value + "'", text, "tool_why_loop.mlir");
    CHECK_EQ(o.status, 0);
    return o.said;
  };
  for (std::string const value : {"%r#0", "%s", "%p", "%v"}) {
    CAPTURE(value);
    auto const said = why(value);
    CHECK_MESSAGE(said.ends_with("  behind the passes\n    on b, in f (2 ops)\n"), said);
  }
  for (std::string const value : {"%r#1", "%q", "%y"}) {
    CAPTURE(value);
    auto const said = why(value);
    CHECK_MESSAGE(said.ends_with("  behind the passes\n    an argument on b\n"), said);
  }
  auto const said = why("%i");
  CHECK_MESSAGE(said.ends_with("  behind the passes\n    the number of a loop's turn, a constant in each\n"), said);
}

TEST_CASE("--why of the result of a call follows what the function returns, for that microbatch") {
  std::string const text = R"(#t = #mpmd.topology<<"a" : <["x"=2]>>, <"b" : <["x"=2]>>>
func.func @main(%x: tensor<2xf32>, %y: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) attributes {topology = #t} {
  %c0:2 = mpmd.call @step(%x, %y) {call_counter = 0 : ui32} : (tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  %c1:2 = mpmd.call @step(%c0#0, %c0#1) {call_counter = 1 : ui32} : (tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  return %c1#0, %c1#1 : tensor<2xf32>, tensor<2xf32>
}
func.func private @step(%a: tensor<2xf32>, %b: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) attributes {topology = #t} {
  %f = mpmd.named_computation<"f"> (%a) (%p: tensor<2xf32>) {
    %n = stablehlo.abs %p : tensor<2xf32>
    mpmd.return %n : tensor<2xf32>
  } : (tensor<2xf32>) -> tensor<2xf32>
  %s = stablehlo.negate %f : tensor<2xf32>
  return %s, %b : tensor<2xf32>, tensor<2xf32>
})";
  std::string const import = "-mpmd-import-pipeline=name-to-mesh-assignment=f@b ";
  auto why = [&](std::string const& passes, std::string const& value) {
    auto const o = run(passes + "'--why=" + value + "'", text, "tool_why.mlir");
    CHECK_EQ(o.status, 0);
    return o.said;
  };
  auto ends = [](std::string const& said, std::string const& with) {
    CHECK_MESSAGE(said.ends_with(with), said);
  };
  ends(why(import, "%c0#0"), "  behind the passes\n    on b, in f, microbatch 0 (1 op)\n");
  ends(why(import, "%c1#0"), "  behind the passes\n    on b, in f, microbatch 1 (1 op)\n");
  ends(why(import, "%s"), "  behind the passes\n    on b, in f, microbatches 0-1 (2 ops)\n");
  // What the function hands back was there before the calls.
  ends(why(import, "%c1#1"), "  behind the passes\n    an argument on a\n");
  // Where the call is still there it says of no microbatch what it does.
  std::string const inferred = "-mpmd-map-named-ops-to-mpmd-ops=assignment=f@b -mpmd-infer-mesh-pipeline ";
  std::string const said = why(inferred, "%c1#0");
  CHECK_MESSAGE(said.find("  behind the passes, where the call has it from\n    on b, in a fragment that inference made") !=
                    std::string::npos,
                said);
}

TEST_CASE("--why of a name that several values bear speaks of each") {
  std::string text = "#t = #mpmd.topology<<\"a\" : <[\"x\"=2]>>, <\"b\" : <[\"x\"=2]>>>\n"
                     "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> attributes {topology = #t} {\n";
  for (int i = 0; i < 12; ++i) {
    std::string const from = i == 0 ? "%x" : "%f" + std::to_string(i - 1), to = "%f" + std::to_string(i);
    text += "  " + to + " = mpmd.named_computation<\"f" + std::to_string(i) + "\"> (" + from +
            ") (%p: tensor<2xf32>) {\n    %n = stablehlo.negate %p : tensor<2xf32>\n"
            "    mpmd.return %n : tensor<2xf32>\n  } : (tensor<2xf32>) -> tensor<2xf32>\n";
  }
  text += "  return %f11 : tensor<2xf32>\n}\n";
  std::string meshes;
  for (int i = 0; i < 12; ++i) meshes += "f" + std::to_string(i) + (i < 6 ? "@a," : "@b,");
  auto const o = run("'-mpmd-import-pipeline=name-to-mesh-assignment=" + meshes + "' --why %n", text, "tool_names.mlir");
  CHECK_EQ(o.status, 0);
  CHECK(says(o, "%n (1 of 12 values of that name, in @main, "));
  CHECK(says(o, "tool_names.mlir:4:10)\n"));
  CHECK(says(o, "%n (7 of 12 values of that name, in @main, "));
  CHECK(says(o, "\n    on a, in f0-5 (1 op)\n"));
  CHECK(says(o, "\n    on b, in f6-11 (1 op)\n"));
  CHECK(says(o, "\n2 more values are called %n; @function:%name asks for those of one function\n"));
}

TEST_CASE("the training step of the examples survives the round trip and gets its sets") {
  std::string const step = mpmd::testing::source_dir() + "/examples/train_step.mlir";
  std::ifstream in(step);
  std::string const text((std::istreambuf_iterator<char>(in)), {});
  REQUIRE_FALSE(text.empty());
  CHECK(run("-verify-roundtrip", text, "tool_step.mlir").status == 0);
  auto const o = run("--why %w13", text, "tool_step.mlir");
  CHECK(o.status == 0);
  CHECK(says(o, "must be on: m2 (block13)"));
}

TEST_CASE("files that end in .py are read and printed in Python syntax, and -x says otherwise") {
  std::string const text =
      "import pypto.language as pl\n@pl.program\nclass P:\n    @pl.function\n    def f(self, a: pl.Ptr): return a\n";
  std::string const printed =
      "# pypto.program: P\nimport pypto.language as pl\n\n@pl.program\nclass P:\n    @pl.function\n"
      "    def f(self, a: pl.Ptr):\n        return a\n";
  CHECK(run("-verify-roundtrip", text, "tool_input.py").said == printed);
  CHECK(run("-x py", text).said == printed);
  CHECK(run("-x=mlir", text, "tool_input.py").status == 1);
  CHECK(says(run("-x rust", text), "-x takes 'mlir' or 'py', not 'rust'"));
  auto const generic = run("-mlir-print-op-generic", text, "tool_input.py");
  CHECK(says(generic, "\"host.param\"() <{hint = \"a\"}> : () -> !host.ptr"));
  CHECK(run("-mlir-print-op-generic", generic.said).said == generic.said);
}

TEST_CASE("parts of a Python file are cut at '# -----', and all its errors come in one run") {
  std::string const part = "import pypto.language as pl\n@pl.program\nclass P:\n    @pl.function\n    def f(self):\n";
  auto const o = run("-split-input-file", part + "        return x\n# -----\n" + part + "        pass\n# -----\n" + part +
                                              "        y = (1\n        return z\n",
                     "tool_input.py");
  CHECK(o.status == 1);
  CHECK(says(o, "tool_input.py:6:16: error: unknown name 'x'\n        return x\n               ^\n"));
  CHECK(says(o, "tool_input.py:20:13: error: '(' was never closed\n"));
  CHECK(says(o, "tool_input.py:21:16: error: unknown name 'z'\n"));
  CHECK(says(o, "    def f(self):\n        pass\n"));
  std::string const announced = part + "        # expected-error@+1 {{unknown name}}\n        return x\n";
  CHECK(run("-verify-diagnostics", announced, "tool_input.py").status == 0);
  CHECK(run("-verify-diagnostics", part + "        return x\n", "tool_input.py").status == 1);
}

}  // namespace mpmd_opt_test
