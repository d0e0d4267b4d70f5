// Scopes of communication domains as whole programs: what comes out letter by letter, which functions take part, where
// scopes and errors stand, and what stays as it was.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <mpmd/analysis/window_messages.hpp>
#include <mpmd/ir/host_ops.hpp>
#include <mpmd/pipeline/comm_domain_passes.hpp>
#include <mpmd/transform/materialize_comm_domain_scopes.hpp>

#include "transform/host_programs.hpp"

namespace comm_domain_rules_test {

namespace {

namespace ir = mpmd::ir;
namespace host = mpmd::ir::host;
using host_programs::around;
using host_programs::result;

std::string const imports = "import pypto.language as pl\nimport pypto.language.distributed as pld\n\n";
std::string const host_head = "    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)\n";

result materialize(std::string const& text) { return host_programs::run(text, {mpmd::materialize_comm_domain_scopes{}}); }

ir::program read(std::string const& text) {
  mpmd::diagnostics diags;
  auto p = mpmd::text::read_python(std::make_shared<ir::context>(), "test.py", text, diags);
  REQUIRE(p);
  return std::move(*p);
}

}  // namespace

TEST_CASE("a buffer of all devices: the scope, the types and the calls, letter by letter") {
  auto const found = materialize(imports +
                                 "@pl.program\nclass Ring:\n    @pl.function(type=pl.FunctionType.Orchestration)\n"
                                 "    def step(self, w: pld.DistributedTensor[[32], pl.FP32]):\n        return w\n" + host_head +
                                 "    def host(self):\n        buf = pld.alloc_window_buffer(32 * pl.FP32.get_byte())\n"
                                 "        w = pld.window(buf, [32], dtype=pl.FP32)\n"
                                 "        for r in pl.range(pld.world_size()):\n            self.step(w, device=r)\n"
                                 "        return 0\n");
  std::string const size = "pl.const(32, pl.INDEX) * pl.const(4, pl.INDEX)";
  std::string const type = "pld.DistributedTensor[[32], pl.FP32, pl._dump.window_ref(\"buf_window\")]";
  CHECK(found.text ==
        "# pypto.program: Ring\n" + imports +
            "@pl.program\nclass Ring:\n"
            "    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)\n"
            "    def step(self, w: pld.DistributedTensor[[32], pl.FP32]):\n        return w\n" + host_head +
            "    def host(self):\n"
            "        with pl._dump.comm_domain(name=\"comm_d0\", devices=[], slots=[pl._dump.window_buffer(\"buf_window\", "
            "base=\"buf\", size=" + size + ", load_from_host=False, store_to_host=False)]):\n"
            "            buf: pl.Ptr = pl._dump.alloc_window_buffer(" + size + ", name='buf')\n"
            "            w: " + type + " = pl._dump.call(\"pld.tensor.window\", [buf, [32]], " + type +
            ", kwargs={\"dtype\": pl.FP32})\n"
            "            for r in pl.range(pld.system.world_size()):\n"
            "                pl._dump.call(self.step, [w], pld.DistributedTensor[[32], pl.FP32], attrs={\"device\": r})\n"
            "            return 0\n");
}

TEST_CASE("scopes nest in the order of first allocations, slots keep theirs, and sizes stay as written") {
  auto const found = materialize(around(
      "c_buf = pld.alloc_window_buffer(k * 4)\na_buf = pld.alloc_window_buffer(32)\nz_buf = pld.alloc_window_buffer(64)\n"
      "c = pld.window(c_buf, [16], dtype=pl.FP32)\na = pld.window(a_buf, [16], dtype=pl.FP32)\n"
      "z = pld.window(z_buf, [16], dtype=pl.FP32)\nself.step(a, device=3)\nself.step(z, device=1)\nself.step(z, device=0)\n"
      "self.step(c, device=0)\nself.step(c, device=1)\nreturn 0"));
  REQUIRE(found.good);
  CHECK(found.domains() == "[0, 1]: c_buf z_buf; [3]: a_buf");
  CHECK(found.has("        with pl._dump.comm_domain(name=\"comm_d0\", devices=[0, 1], slots=[pl._dump.window_buffer("
                  "\"c_buf_window\", base=\"c_buf\", size=k * 4, load_from_host=False, store_to_host=False), "));
  CHECK(found.has("\n            with pl._dump.comm_domain(name=\"comm_d1\", devices=[3], slots=[pl._dump.window_buffer("
                  "\"a_buf_window\", base=\"a_buf\", size=32, "));
  CHECK(found.has("\n                c_buf: pl.Ptr = pl._dump.alloc_window_buffer(k * 4, name='c_buf')\n"));
  CHECK(found.has("\n                return 0\n"));
}

TEST_CASE("each host function numbers its scopes from comm_d0") {
  auto function = [](std::string const& name) {
    return host_head + "    def " + name + "(self):\n        " + name + "_x = pld.alloc_window_buffer(64)\n        " + name +
           "_y = pld.alloc_window_buffer(64)\n        v = pld.window(" + name + "_x, [16], dtype=pl.FP32)\n        w = pld.window(" +
           name + "_y, [16], dtype=pl.FP32)\n        self.step(v, device=0)\n        self.step(w, device=1)\n        return 0\n";
  };
  auto const found = materialize(imports + "@pl.program\nclass P:\n    @pl.function(type=pl.FunctionType.Orchestration)\n"
                                           "    def step(self, w: pld.DistributedTensor[[16], pl.FP32]):\n        return w\n" +
                                 function("one") + function("two"));
  REQUIRE(found.good);
  std::string names;
  for (auto at = found.text.find("name=\"comm_d"); at != std::string::npos; at = found.text.find("name=\"comm_d", at + 1))
    names += found.text[at + 12];
  CHECK(names == "0101");
}

TEST_CASE("host orchestrators are processed, and chip orchestrators are what they dispatch to") {
  struct {
    char const* decorator;
    bool is_host, is_chip;
  } const cases[] = {
      {"level=pl.Level.HOST, role=pl.Role.Orchestrator", true, false},
      {"type=pl.FunctionType.Spmd, level=pl.Level.NODE, role=pl.Role.Orchestrator", true, false},
      {"level=pl.Level.HOST, role=pl.Role.SubWorker", false, false},
      {"level=pl.Level.HOST", false, false},
      {"type=pl.FunctionType.Orchestration", false, true},
      {"level=pl.Level.CHIP, role=pl.Role.Orchestrator", false, true},
      {"type=pl.FunctionType.Inline, level=pl.Level.UMA, role=pl.Role.Orchestrator", false, true},
      {"level=pl.Level.CHIP, role=pl.Role.SubWorker", false, false},
      {"type=pl.FunctionType.Graph", false, false},
      {"type=pl.FunctionType.InCore", false, false},
      {"type=pl.FunctionType.Opaque", false, false},
  };
  for (auto const& c : cases) {
    CAPTURE(c.decorator);
    bool const worker = std::string_view(c.decorator).find("SubWorker") != std::string_view::npos ||
                        std::string_view(c.decorator).find("InCore") != std::string_view::npos;
    auto const p = read(imports + "@pl.program\nclass P:\n    @pl.function(" + c.decorator + ")\n    def f(" +
                        (worker ? "" : "self, ") + "x: pl.Ptr):\n        pass\n");
    auto const f = host::functions(p)[0];
    CHECK(host::is_host_orchestrator(p, f) == c.is_host);
    CHECK(host::is_chip_orchestrator(p, f) == c.is_chip);
  }
}

TEST_CASE("an allocation in a function that is no host orchestrator is left alone") {
  std::string const text = imports + "@pl.program\nclass P:\n    @pl.function(level=pl.Level.HOST, role=pl.Role.SubWorker)\n"
                                     "    def helper(x: pl.Ptr):\n        b: pl.Ptr = pl._dump.alloc_window_buffer(4, name='b')\n";
  auto const found = materialize(text);
  CHECK(found.good);
  CHECK(found.text == mpmd::text::to_python(read(text)));
}

TEST_CASE("a device that is none is an error though the dispatch is given no window") {
  CHECK(materialize(around("self.step(x, device=k + 1)\nd = pld.alloc_window_buffer(64)\nw = pld.window(d, [16], "
                           "dtype=pl.FP32)\nself.step(w, device=0)\nreturn 0"))
            .first_error()
            .starts_with("1: MaterializeCommDomainScopes: device= expression must be ConstInt"));
}

TEST_CASE("of several faults the first is told: collecting, then devices and operands, then inheritance, then allocations") {
  std::string const collecting = "c: pl.Ptr = pl._dump.call(\"pld.tensor.alloc_window_buffer\", [1], pl.Ptr)\n";
  std::string const device = "self.step(x, device=-1)\n";
  std::string const operand = "pld.tensor.barrier(y)\n";
  std::string const inheritance = "e = pld.alloc_window_buffer(64)\ns = pld.window(e, [8, 1], dtype=pl.INT32)\n"
                                  "pld.tensor.barrier(s)\n";
  std::string const unused = "d = pld.alloc_window_buffer(64)\n";
  std::string const y = "y: pl.Tensor[[8, 1], pl.INT32] = pl.load(p)\n";
  auto first = [](std::string const& body) { return materialize(around(body + "return 0")).first_error(); };
  CHECK(first(unused + inheritance + y + operand + device + collecting).find("missing 'name' kwarg") != std::string::npos);
  CHECK(first(unused + inheritance + y + operand + device).find("barrier signal must be produced by") != std::string::npos);
  CHECK(first(unused + inheritance + device + y + operand).find("must be non-negative, got -1") != std::string::npos);
  CHECK(first(unused + inheritance).find("barrier signal buffer has no inferred comm-domain coverage") != std::string::npos);
  CHECK(first(unused).find("(dead allocation)") != std::string::npos);
}

TEST_CASE("a scope stands where the first allocation of its domain does") {
  auto p = read(around("a_buf = pld.alloc_window_buffer(64)\nb_buf = pld.alloc_window_buffer(64)\n"
                       "a = pld.window(a_buf, [16], dtype=pl.FP32)\nb = pld.window(b_buf, [16], dtype=pl.FP32)\n"
                       "self.step(b, device=1)\nself.step(a, device=0)\nreturn 0"));
  mpmd::diagnostics diags;
  REQUIRE(mpmd::materialize_comm_domain_scopes{}(p, diags));
  std::vector<std::int64_t> lines;
  ir::walk(p, p.root(), [&](ir::op o) {
    if (p.is(o, ir::opcode::host_comm_domain))
      lines.push_back(static_cast<std::int64_t>(mpmd::window_place(p, o).line) -
                      static_cast<std::int64_t>(host_programs::lines_before()));
  });
  CHECK(lines == std::vector<std::int64_t>{1, 2});
}

TEST_CASE("the order of functions in a file makes no difference") {
  std::string const chip = "    @pl.function(type=pl.FunctionType.Orchestration)\n"
                           "    def step(self, w: pld.DistributedTensor[[16], pl.FP32]):\n        return w\n";
  auto host_function = [](std::string const& name, std::string const& device) {
    return host_head + "    def " + name + "(self):\n        " + name + "_b = pld.alloc_window_buffer(64)\n        v = pld.window(" +
           name + "_b, [16], dtype=pl.FP32)\n        self.step(v, device=" + device + ")\n        pld.tensor.allreduce(v)\n"
           "        return 0\n";
  };
  std::vector<std::string> functions{chip, host_function("one", "0"), host_function("two", "1")};
  std::sort(functions.begin(), functions.end());
  std::string expected;
  do {
    auto const found = host_programs::run(imports + "@pl.program\nclass P:\n" + functions[0] + functions[1] + functions[2],
                                          mpmd::comm_domain_pipeline<ir::program>());
    REQUIRE(found.good);
    if (expected.empty()) expected = found.text;
    CHECK(found.text == expected);
  } while (std::next_permutation(functions.begin(), functions.end()));
}

TEST_CASE("functions and statements that have nothing to do with windows stay the same ops") {
  auto p = read(around("n = k + 1\npl.show(n)\nb = pld.alloc_window_buffer(64)\nw = pld.window(b, [16], dtype=pl.FP32)\n"
                       "self.step(w, device=0)\nreturn n"));
  auto snapshot = [&] {
    std::vector<std::uint32_t> all;
    for (ir::op const f : host::functions(p)) {
      if (!host::is_host_orchestrator(p, f))
        ir::walk(p, f, [&](ir::op o) { all.push_back(o.id); });
      else
        ir::walk(p, f, [&](ir::op o) {
          if (p.is(o, ir::opcode::host_eval) || p.is(o, ir::opcode::host_return) || p.is(o, ir::opcode::host_assign))
            all.push_back(o.id);
        });
    }
    return all;
  };
  auto const before = snapshot();
  mpmd::diagnostics diags;
  REQUIRE(mpmd::materialize_comm_domain_scopes{}(p, diags));
  CHECK(snapshot() == before);
  auto const revision = p.revision();
  REQUIRE(mpmd::materialize_comm_domain_scopes{}(p, diags));
  CHECK(p.revision() == revision);  // a second run touches nothing
}

TEST_CASE("what a program without allocations has is not touched") {
  // Nor is it held to the rules of devices and collectives.
  auto p = read(around("self.step(x, device=0)\nself.step(x, device=k + 1)\npld.tensor.allreduce(x)\nreturn 0"));
  auto const revision = p.revision();
  mpmd::diagnostics diags;
  REQUIRE(mpmd::materialize_comm_domain_scopes{}(p, diags));
  CHECK(p.revision() == revision);
}

TEST_CASE("an operand of a collective that is no window is pointed at, on whichever line it stands") {
  struct {
    std::string call;
    unsigned line, column;  // in the call
    std::string message;
  } const cases[] = {
      {"pld.tensor.allreduce(x, s)", 1, 22, "data/target must be produced by pld.tensor.window"},
      {"pld.tensor.allreduce( a ,  y)", 1, 28, "signal must be produced by pld.tensor.window"},
      {"pld.tensor.allreduce(\n    x,\n    s)", 2, 5, "data/target must be produced by pld.tensor.window"},
      {"r = pld.tensor.allreduce(a,  # data, (and\n                         y, op=0)", 2, 26,
       "signal must be produced by pld.tensor.window"},
      {"r = pld.tensor.allreduce(a[2:4],\n                         s)", 1, 26, "data/target must be a window view Var"},
      {"pld.tensor.allreduce(\n    a,\n  [y, s][0])", 3, 3, "signal must be a window view Var"},
      {"pld.tensor.all_to_all(pl.other(a, note=\"],)\"), a,\n  y)", 2, 3, "signal must be produced by pld.tensor.window"},
      {"pl._dump.call(\"pld.tensor.allreduce\", [a, y], pld.DistributedTensor[[16], pl.FP32])", 1, 43,
       "signal must be produced by pld.tensor.window"},
  };
  for (auto const& c : cases) {
    CAPTURE(c.call);
    std::string const start = "a_buf = pld.alloc_window_buffer(64)\ns_buf = pld.alloc_window_buffer(32)\n"
                              "a = pld.window(a_buf, [16], dtype=pl.FP32)\ns = pld.window(s_buf, [8, 1], dtype=pl.INT32)\n"
                              "y = pl.other(k)\nself.step(a, device=0)\n";
    auto const r = host_programs::run(host_programs::around(start + c.call + "\nreturn 0"),
                                      {mpmd::materialize_comm_domain_scopes{}});
    REQUIRE(r.errors.size() == 1);
    CHECK(r.errors[0].message.find(c.message) != std::string::npos);
    CHECK(r.errors[0].where.line == host_programs::lines_before() + 6 + c.line);
    CHECK(r.errors[0].where.column == 8 + c.column);
  }
}

}  // namespace comm_domain_rules_test
