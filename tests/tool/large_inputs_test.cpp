// The command line tool on inputs that are long, deep or broken, with a small stack and a bound on memory: it answers
// with a result or an error.
#include <doctest/doctest.h>

#include <sys/wait.h>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>

#include "testing/paths.hpp"
#include "testing/sanitized.hpp"

namespace large_inputs_test {
namespace {

// Sanitizers need more of everything: a bound on memory means nothing to them, and they are slow.
constexpr int scale = mpmd::testing::sanitized ? 50 : 1;
constexpr auto limits = mpmd::testing::sanitized ? "" : "ulimit -s 256; ulimit -v 6000000; ";

struct outcome {
  int status;
  std::string said;  // the first of it
};

// Runs the tool on what `write` writes, for so many seconds of processor time if given.
outcome run(std::string const& flags, std::function<void(std::ostream&)> const& write, std::string const& suffix = ".mlir",
            int seconds = 0) {
  std::string const time = seconds != 0 && !mpmd::testing::sanitized ? "ulimit -t " + std::to_string(seconds) + "; " : "";
  std::string const path = mpmd::testing::scratch_dir() + "/large" + suffix, said = mpmd::testing::scratch_dir() + "/large.said";
  {
    std::ofstream out(path);
    write(out);
    REQUIRE(out.good());
  }
  int const status = std::system((limits + time + mpmd::testing::bin_dir() + "/mpmd-opt " + flags + " " + path + " > /dev/null 2> " +
                                  said + " < /dev/null")
                                     .c_str());
  std::ifstream in(said);
  std::string text(2000, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  std::remove(path.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status), text};
}

// A host program around what `body` writes, each line of it with eight blanks in front.
void host(std::ostream& out, std::function<void(std::ostream&)> const& body) {
  out << "import pypto.language as pl\nimport pypto.language.distributed as pld\n@pl.program\nclass Large:\n"
         "    @pl.function(type=pl.FunctionType.Orchestration)\n"
         "    def step(self, w: pld.DistributedTensor[[16], pl.FP32]):\n        return w\n"
         "    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)\n    def host(self, c: pl.Scalar[pl.BOOL]):\n"
         "        b = pld.alloc_window_buffer(64)\n        w = pld.window(b, [16], dtype=pl.FP32)\n"
         "        sb = pld.alloc_window_buffer(64)\n        s = pld.window(sb, [16], dtype=pl.INT32)\n"
         "        self.step(w, device=0)\n";
  body(out);
}

void chain(std::ostream& out, int length) {
  out << "func.func @main(%0: tensor<2xf32>) -> !mpmd.mesh_tensor<\"a\", tensor<2xf32>> attributes {topology = "
         "#mpmd.topology<<\"a\" : <[\"x\"=2]>>, <\"b\" : <[\"x\"=2]>>>} {\n";
  for (int i = 1; i <= length; ++i) out << "%" << i << " = stablehlo.negate %" << i - 1 << " : tensor<2xf32>\n";
  out << "%r = mpmd.assign {origin = \"o\"} %" << length
      << " : (tensor<2xf32>) -> !mpmd.mesh_tensor<\"a\", tensor<2xf32>>\nreturn %r : !mpmd.mesh_tensor<\"a\", "
         "tensor<2xf32>>\n}\n";
}

}  // namespace

TEST_CASE("a value of an argument that is needed on thousands of meshes") {
  CHECK(run("-mpmd-infer-mesh-pipeline=infer-transfers=true", [](std::ostream& out) {
          int const meshes = 4096 / scale;
          out << "!T = tensor<2xf32>\nfunc.func @main(%x: !T) -> !T attributes {topology = #mpmd.topology<";
          for (int i = 0; i < meshes; ++i) out << (i ? ", <\"m" : "<\"m") << i << "\" : <[\"x\"=2]>>";
          out << ">} {\n%c = stablehlo.negate %x : !T\n";
          for (int i = 0; i < meshes; ++i) {
            std::string const on = "!mpmd.mesh_tensor<\"m" + std::to_string(i) + "\", !T>";
            out << "%p" << i << " = mpmd.assign %c : (!T) -> " << on << "\n%f" << i << " = mpmd.fragment<mesh=\"m" << i
                << "\", origin=[\"f\"]> (%p" << i << ") (%a: !T) { mpmd.return %a : !T } : (" << on << ") -> " << on << '\n';
          }
          out << "return %x : !T\n}\n";
        }).status == 0);
}

// Each takes about a second, and minutes where each statement costs as much as all that are about the same variable.
TEST_CASE("a window that is set again and again, a name for many windows, many results that are returned") {
  constexpr int many = 60'000 / scale;
  CHECK(run("-comm-domain-pipeline", [](std::ostream& out) {
          host(out, [](std::ostream& body) {
            for (int i = 0; i < many; ++i) body << "        w = pld.tensor.allreduce(w, s)\n";
          });
        }, ".py", 20).status == 0);
  CHECK(run("-materialize-comm-domain-scopes", [](std::ostream& out) {
          host(out, [](std::ostream& body) {
            body << "        pld.tensor.allreduce(w, s)\n";
            for (int i = 0; i < many; ++i)
              body << "        b" << i << " = pld.alloc_window_buffer(64)\n        w = pld.window(b" << i
                   << ", [16], dtype=pl.FP32)\n        u = w\n        self.step(u, device=" << i % 3 << ")\n";
          });
        }, ".py", 20).status == 0);
  CHECK(run("-synthesize-allreduce-signals", [](std::ostream& out) {
          host(out, [](std::ostream& body) {
            for (int i = 0; i < many; ++i) body << "        if c:\n            return pld.tensor.allreduce(w)\n";
          });
        }, ".py", 20).status == 0);
  CHECK(run("", [](std::ostream& out) {
          host(out, [](std::ostream& body) {
            body << "        pl.show(c";
            for (int i = 0; i < many; ++i) body << ", k" << i << "=1";
            body << ")\n";
          });
        }, ".py", 20).status == 0);
}

TEST_CASE("a hundred thousand parts of one input, with an error in each, are read in linear time") {
  // Ten seconds of processor time: a hundred times what it takes, and a tenth of what it takes if each part costs as much
  // as the whole.
  auto const o = run("-split-input-file -verify-diagnostics", [](std::ostream& out) {
    for (int i = 0; i < 100'000 / scale; ++i)
      out << (i ? "// -----\n" : "") << "// expected-error@+1 {{undeclared}}\n\"a.b\"(%x) : (f32) -> ()\n";
  });
  CHECK(o.status == 0);
}

TEST_CASE("a thousand errors in one line of ten megabytes") {
  auto const o = run("", [](std::ostream& out) {
    for (int i = 0; i < 10'000'000 / scale / 25; ++i) out << "\"a.b\"(%x) : (f32) -> () ";
    out << '\n';
  });
  CHECK(o.status == 1);
  CHECK(o.said.find("undeclared SSA value name") != std::string::npos);
}

TEST_CASE("a chain of a million ops is read, analysed, placed and printed on a small stack") {
  auto const write = [](std::ostream& out) { chain(out, 1'000'000 / scale); };
  CHECK(run("-mpmd-infer-mesh-populate-use-set -mpmd-infer-mesh-populate-src-set", write).status == 0);
  CHECK(run("-mpmd-import-pipeline", write).status == 0);
}

TEST_CASE("a hundred megabytes are a program, or an error, not more") {
  // Data of one constant.
  int const megabytes = 100 / scale;
  CHECK(run("", [&](std::ostream& out) {
          out << "func.func @f() {\n%0 = stablehlo.constant dense<\"0x";
          std::string const block(1 << 20, '0');
          for (int i = 0; i < megabytes; ++i) out << block;
          out << "\"> : tensor<" << megabytes * (1 << 17) << "xf32>\nreturn\n}\n";
        }).status == 0);
  // One string that never ends; one comment; brackets that never close.
  auto const filled = [&](std::string const& begin, char with) {
    return run("", [&](std::ostream& out) {
      out << begin;
      std::string const block(1 << 20, with);
      for (int i = 0; i < megabytes; ++i) out << block;
    });
  };
  auto const string = filled("func.func @f() attributes {a = \"", 'x');
  CHECK(string.status == 1);
  CHECK_MESSAGE(string.said.find("large.mlir:1:32: error:") != std::string::npos, string.said);
  CHECK(filled("// ", 'x').status == 0);
  CHECK(filled("func.func @f() attributes {a = ", '[').status == 1);
  CHECK(filled("\"a.b\"() ", '(').status == 1);
  CHECK(filled("some.op ", '{').status == 1);
}

TEST_CASE("what nests a hundred thousand deep is a program or an error") {
  int const depth = 100'000 / scale;
  auto const nested = [&](std::string const& begin, std::string const& open, std::string const& middle,
                          std::string const& close, std::string const& suffix = ".mlir") {
    return run("", [&](std::ostream& out) {
      out << begin;
      for (int i = 0; i < depth; ++i) out << open;
      out << middle;
      for (int i = 0; i < depth; ++i) out << close;
    }, suffix).status;
  };
  CHECK(nested("", "\"a.b\"() ({\n", "", "}) : () -> ()\n") == 0);
  CHECK(nested("", "module {\n", "", "}\n") == 0);
  CHECK(nested("func.func @f() attributes {a = ", "[", "", "]") == 1);
  CHECK(nested("func.func @f() -> ", "tuple<", "f32", ">") == 1);
  CHECK(nested("x = ", "(", "1", ")", ".py") == 0);
  CHECK(nested("x = ", "-", "1", "", ".py") == 0);
  CHECK(nested("x = ", "[", "1", "]", ".py") == 1);
}

}  // namespace large_inputs_test
