// Scopes of communication domains, rule by rule: what counts as a window and as a dispatch, devices, collectives, errors.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include <mpmd/ir/assign_type_symmetry.hpp>
#include <mpmd/pipeline/comm_domain_passes.hpp>
#include <mpmd/transform/materialize_comm_domain_scopes.hpp>
#include <mpmd/transform/verify_comm_domain_scopes.hpp>

#include "transform/host_programs.hpp"

namespace comm_domain_scopes_test {

namespace {

using host_programs::around;
using host_programs::result;

result materialize(std::string const& body) {
  return host_programs::run(around(body), {mpmd::materialize_comm_domain_scopes{}});
}

// What the rule AssignTypeSymmetry finds in a program.
std::string asymmetries(std::string const& text) {
  std::string all;
  mpmd::diagnostics diags([&](mpmd::diagnostic const& d) { all += d.message + "\n"; });
  auto const p = mpmd::text::read_python(std::make_shared<mpmd::ir::context>(), "test.py", text, diags);
  REQUIRE(p);
  bool const good = mpmd::ir::host::verify_assign_type_symmetry(*p, diags);
  CHECK(good == all.empty());
  return all;
}

// Two windows with signals, before what a case adds.
std::string const windows = R"(a_buf = pld.alloc_window_buffer(64)
b_buf = pld.alloc_window_buffer(64)
s_buf = pld.alloc_window_buffer(32)
a = pld.window(a_buf, [16], dtype=pl.FP32)
b = pld.window(b_buf, [16], dtype=pl.FP32)
s = pld.window(s_buf, [8, 1], dtype=pl.INT32)
)";
constexpr int windows_lines = 6;

struct rule {
  std::string name;
  std::string body;
  std::string expected;  // domains, or where it starts with a digit the line in the body and a part of the error
};

void check(rule const& r, std::string const& start, int start_lines) {
  CAPTURE(r.name);
  result const found = materialize(start + r.body);
  if (r.expected.front() == '[') {
    REQUIRE(found.first_error() == "");
    CHECK(found.domains() == r.expected);
    // Verified clean, and a second run changes nothing.
    result const twice = host_programs::run(found.text, {mpmd::verify_comm_domain_scopes{},
                                                         mpmd::materialize_comm_domain_scopes{}});
    CHECK(twice.text == found.text);
    CHECK(asymmetries(found.text) == "");
    return;
  }
  auto const colon = r.expected.find(": ");
  std::string const line = std::to_string(std::stoi(r.expected) + start_lines);
  CHECK(found.first_error().starts_with(line + ": "));
  CHECK(found.first_error().find(r.expected.substr(colon + 2)) != std::string::npos);
}

}  // namespace

TEST_CASE("evidence: what a dispatch touches") {
  rule const rules[] = {
      {"literals, in ascending order, each once", "self.step(a, device=9)\nself.step(a, device=1)\nself.step(a, device=9)\n"
                                                  "self.step(b, device=0)\nself.pair(b, s, device=0)\nreturn 0",
       "[1, 9]: a_buf; [0]: b_buf s_buf"},
      {"aliases of views and of pointers", "q = b_buf\nv = pld.window(q, [4], dtype=pl.FP32)\nu = a\nt = u\n"
                                           "self.step(t, device=2)\nself.step(v, device=2)\nself.flag(s, device=2)\nreturn 0",
       "[2]: a_buf b_buf s_buf"},
      {"conditions, arguments of other calls, return values",
       "if self.probe(a, device=3):\n    self.step(a, device=0)\nself.pair(self.step(b, device=4), s, device=1)\n"
       "return self.step(a, device=5)",
       "[0, 3, 5]: a_buf; [4]: b_buf; [1]: s_buf"},
      {"both branches, and a branch that may not run",
       "if go:\n    self.step(a, device=0)\nelse:\n    self.step(a, device=1)\nif go:\n    self.step(b, device=0)\n"
       "self.pair(b, s, device=1)\nreturn 0",
       "[0, 1]: a_buf b_buf; [1]: s_buf"},
      {"a call without device, and one of a function that is no chip orchestrator, count for nothing",
       "self.step(a)\npl._dump.call(self.graph, [a], pld.DistributedTensor[[16], pl.FP32], attrs={\"device\": 7})\n"
       "self.step(b, device=0)\nself.flag(s, device=0)\nreturn 0",
       "-5: 'a_buf' is not consumed by any chip_orch dispatch"},
      {"a submitted task", "pl.submit(self.step, a, device=4, deps=[])\nself.step(b, device=0)\nself.flag(s, device=0)\nreturn 0",
       "[4]: a_buf; [0]: b_buf s_buf"},
      {"an integer that is no expression is a device",
       "pl._dump.call(self.step, [a], pld.DistributedTensor[[16], pl.FP32], attrs={\"device\": 6})\n"
       "self.step(b, device=0)\nself.flag(s, device=0)\nreturn 0",
       "[6]: a_buf; [0]: b_buf s_buf"},
      {"other data is none",
       "pl._dump.call(self.step, [a], pld.DistributedTensor[[16], pl.FP32], attrs={\"device\": \"all\"})\nreturn 0",
       "1: got an unsupported expression at test.py:"},
      {"what has no name counts for nothing",
       "self.step(a, device=0)\nself.step(pld.tensor.broadcast(a, s, root=0), device=3)\nself.step(b, device=0)\nreturn 0",
       "[0]: a_buf b_buf s_buf"},
      {"a call comes before its arguments",
       "self.step(self.step(self.step(a, device=-2), device=1), device=-3)\nreturn 0",
       "1: device= ConstInt must be non-negative, got -3"},
      {"an argument before the next one", "self.pair(self.step(a, device=k), self.flag(s, device=-3), device=1)\nreturn 0",
       "1: device= Var is not the induction variable"},
      {"elements of tuples have no name, the tuple keeps its windows",
       "t = [a, b]\nself.step(t[0], device=7)\nself.step(a, device=0)\nself.pair(b, s, device=0)\nreturn t",
       "[0]: a_buf b_buf s_buf"},
      {"what only attributes mention is not touched",
       "self.step(b, device=5, attrs={\"dump_vars\": [a]})\nself.step(a, device=0)\nself.flag(s, device=0)\nreturn 0",
       "[0]: a_buf s_buf; [5]: b_buf"},
  };
  for (rule const& r : rules) check(r, windows, windows_lines);
}

TEST_CASE("evidence: devices of loops") {
  std::string const rest = "self.pair(b, s, device=0)\nreturn 0";
  auto loop = [&](std::string const& range, std::string const& device = "r") {
    return "for r in pl." + range + ":\n    self.step(a, device=" + device + ")\n" + rest;
  };
  std::string const others = "; [0]: b_buf s_buf";
  rule const rules[] = {
      {"a literal range", loop("range(2, 4)"), "[2, 3]: a_buf" + others},
      {"other kinds of loop", loop("parallel(2)"), "[0, 1]: a_buf" + others},
      {"up to all devices", loop("range(pld.world_size())"), "[]: a_buf" + others},
      {"from somewhere up to all", loop("range(3, pld.world_size())"), "[]: a_buf" + others},
      {"a step other than one", loop("range(0, 4, 2)"), "2: over a non-unit-step loop is not supported (step=2)"},
      {"the same up to all", loop("range(0, pld.world_size(), 2)"), "2: non-unit-step loop is not supported (step=2)"},
      {"downwards", loop("range(3, 0, -1)"), "2: non-unit-step loop is not supported (step=-1)"},
      {"from below zero", loop("range(-1, 3)"), "2: device=r loop range must be [0, N) with N>=0"},
      {"backwards", loop("range(4, 2)"), "2: device=r loop range must be [0, N) with N>=0"},
      {"from an unknown start", loop("range(k, 4)"), "2: device=r loop start must unwrap to ConstInt"},
      {"by an unknown step", loop("range(0, 4, k)"), "2: device=r loop step must unwrap to ConstInt"},
      {"up to a parameter", loop("range(k)"), "2: device=r loop bound must be ConstInt or pld.system.world_size()"},
      {"up to less than all", loop("range(pld.world_size() - 1)"), "2: device=r loop bound must be"},
      {"a sum", loop("range(2)", "r + 1"), "2: device= expression must be ConstInt or the induction var of pl.range"},
      {"a parameter", loop("range(2)", "k"), "2: device= Var is not the induction variable of any enclosing pl.range"},
      {"a negative literal", loop("range(2)", "-3"), "2: device= ConstInt must be non-negative, got -3"},
      {"bounds with names", "n = 2\nm = n\nw = pld.world_size()\nfor r in pl.range(m):\n    self.step(a, device=r)\n"
                            "for q in pl.range(w):\n    self.step(b, device=q)\nself.flag(s, device=0)\nreturn 0",
       "[0, 1]: a_buf; []: b_buf; [0]: s_buf"},
      {"a bound that is set again behind the loop",
       "n = 2\nfor r in pl.range(n):\n    self.step(a, device=r)\nn = 5\n" + rest, "[0, 1]: a_buf" + others},
      {"a loop without rounds says nothing, whichever device", loop("range(0)") + "\n",
       "-5: 'a_buf' is not consumed by any chip_orch dispatch"},
      {"nor does a literal inside one",
       "for z in pl.range(2, 2):\n    self.step(a, device=1)\nself.step(a, device=4)\n" + rest, "[4]: a_buf" + others},
      {"the loop that binds decides",
       "for i in pl.range(2):\n    for r in pl.range(4):\n        self.step(a, device=i)\n" + rest, "[0, 1]: a_buf" + others},
      {"a copy of the loop variable",
       "for r in pl.range(2):\n    d = r\n    self.step(a, device=d)\n" + rest,
       "3: device= Var is not the induction variable"},
      {"a carried value",
       "for i, (d,) in pl.range(2, init_values=(k,)):\n    self.step(a, device=d)\n    e = pl.yield_(i)\n" + rest,
       "2: got an unsupported expression at test.py:"},
      {"a while loop binds nothing", "while go:\n    self.step(a, device=7)\n" + rest, "[7]: a_buf" + others},
  };
  for (rule const& r : rules) check(r, windows, windows_lines);
}

TEST_CASE("devices and bounds that are computed are accepted on demand") {
  std::string const body = windows + "n = 2 + k * 0\nfor r in pl.range(2):\n    e = r\n    self.step(a, device=e)\n"
                                     "    self.step(b, device=r * 2 + 1)\nd = 5\nself.flag(s, device=d)\nreturn 0";
  CHECK(materialize(body).good == false);
  mpmd::materialize_comm_domain_scopes wide;
  wide.widen_devices = true;
  auto const found = host_programs::run(around(body), {wide});
  CHECK(found.domains() == "[0, 1]: a_buf; [1, 3]: b_buf; [5]: s_buf");
  // In a loop without rounds, a device has no values: that is no evidence, and no fault.
  std::string const never = "for r in pl.range(2, 2):\n    self.step(a, device=r + 1)\n    e = r * k\n    self.step(a, device=e)\n";
  CHECK(host_programs::run(around(windows + never + "self.pair(a, s, device=3)\nself.step(b, device=3)\nreturn 0"), {wide})
            .domains() == "[3]: a_buf b_buf s_buf");
  auto const unused = host_programs::run(around(windows + never + "self.step(b, device=3)\nself.flag(s, device=3)\nreturn 0"),
                                         {wide});
  CHECK(unused.first_error() == "1: MaterializeCommDomainScopes: pld.tensor.alloc_window_buffer 'a_buf' is not consumed by any "
                                "chip_orch dispatch");
}

TEST_CASE("variables that are set again") {
  rule const rules[] = {
      {"a name used for views of one allocation after another is two variables",
       "c = pld.window(a_buf, [4], dtype=pl.FP32)\nself.step(c, device=0)\nc = pld.window(b_buf, [4], dtype=pl.FP32)\n"
       "self.step(c, device=1)\nself.flag(s, device=0)\nreturn c",
       "[0]: a_buf s_buf; [1]: b_buf"},
      {"views of one allocation are one",
       "c = pld.window(a_buf, [4], dtype=pl.FP32)\nself.step(c, device=0)\nc = pld.window(a_buf, [4], dtype=pl.FP32)\n"
       "self.step(c, device=1)\nself.pair(b, s, device=0)\nreturn c",
       "[0, 1]: a_buf; [0]: b_buf s_buf"},
      {"a view of either of two allocations is called by its name",
       "q = a_buf\nif go:\n    q = b_buf\nw = pld.window(q, [16], dtype=pl.FP32)\nself.step(w, device=0)\n"
       "self.pair(b, s, device=0)\nreturn 0",
       "4: variable 'w' is a window over several allocations"},
      {"branches that leave views of two allocations in one variable are refused",
       "if go:\n    c = pld.window(a_buf, [4], dtype=pl.FP32)\nelse:\n    c = pld.window(b_buf, [4], dtype=pl.FP32)\n"
       "self.step(c, device=0)\nself.flag(s, device=0)\nreturn 0",
       "2: variable 'c' is a window over several allocations"},
      {"the result of a branch touches both",
       "if go:\n    c: pld.DistributedTensor[[16], pl.FP32] = pl.yield_(a)\nelse:\n"
       "    c: pld.DistributedTensor[[16], pl.FP32] = pl.yield_(b)\nself.step(c, device=3)\nself.flag(s, device=3)\nreturn 0",
       "[3]: a_buf b_buf s_buf"},
      {"a loop that swaps two windows touches both",
       "for i, (c, d) in pl.range(4, init_values=(a, b)):\n    self.step(c, device=1)\n    c2, d2 = pl.yield_(d, c)\n"
       "self.step(d2, device=2)\nself.flag(s, device=2)\nreturn 0",
       "[1, 2]: a_buf b_buf; [2]: s_buf"},
      {"a view that a dispatch sets again is that view still",
       "a = self.step(a, device=1)\na = self.step(a, device=3)\nself.step(b, device=0)\nself.flag(s, device=0)\nreturn a",
       "[1, 3]: a_buf; [0]: b_buf s_buf"},
      {"so it is in loops, and for collectives",
       "for r in pl.range(2):\n    a = self.step(a, device=r)\na = pld.tensor.allreduce(a, s)\nself.step(a, device=2)\n"
       "self.step(b, device=9)\nreturn a",
       "[0, 1, 2]: a_buf s_buf; [9]: b_buf"},
      {"a call without device leaves it what it was",
       "a = self.step(a)\nself.step(a, device=2)\nself.step(b, device=2)\nself.flag(s, device=2)\nreturn a",
       "[2]: a_buf b_buf s_buf"},
      {"windows that change places",
       "self.step(a, device=0)\nself.step(b, device=0)\na, b = b, a\nself.step(a, device=3)\nself.flag(s, device=0)\nreturn 0",
       "[0]: a_buf s_buf; [0, 3]: b_buf"},
      {"elements of a tuple, through another name of it",
       "t = [a, b]\nu = t\nc = u[1]\nself.step(c, device=4)\nself.step(a, device=0)\nself.flag(s, device=0)\nreturn 0",
       "[0]: a_buf s_buf; [4]: b_buf"},
      {"what a loop carries refers to the window",
       "for i, (c,) in pl.range(4, init_values=(a,)):\n    e = pld.tensor.allreduce(c, s)\n    c2 = pl.yield_(e)\n"
       "self.step(c2, device=6)\nself.step(b, device=6)\nreturn c2",
       "[6]: a_buf b_buf s_buf"},
  };
  for (rule const& r : rules) check(r, windows, windows_lines);
}

TEST_CASE("collectives: signals share the devices of their data") {
  std::string const rest = "self.step(b, device=9)\nreturn 0";
  rule const rules[] = {
      {"allreduce", "self.step(a, device=1)\npld.tensor.allreduce(a, s)\n" + rest, "[1]: a_buf s_buf; [9]: b_buf"},
      {"before the dispatch", "pld.tensor.allreduce(a, s)\nself.step(a, device=1)\n" + rest, "[1]: a_buf s_buf; [9]: b_buf"},
      {"reduce_scatter", "self.step(a, device=1)\npld.tensor.reduce_scatter(a, s)\n" + rest, "[1]: a_buf s_buf; [9]: b_buf"},
      {"broadcast, and its result", "c = pld.tensor.broadcast(a, s, root=0)\nself.step(c, device=1)\n" + rest,
       "[1]: a_buf s_buf; [9]: b_buf"},
      {"allgather takes its target", "self.step(a, device=1)\npld.tensor.allgather(b, a, s)\n" + rest,
       "[1]: a_buf s_buf; [9]: b_buf"},
      {"all_to_all takes its target", "self.step(a, device=1)\npld.tensor.all_to_all(b, a, s)\n" + rest,
       "[1]: a_buf s_buf; [9]: b_buf"},
      {"a barrier gives nothing", "self.pair(a, s, device=1)\npld.tensor.barrier(s)\n" + rest,
       "[1]: a_buf s_buf; [9]: b_buf"},
      {"a signal keeps its own devices too", "self.step(a, device=1)\nself.flag(s, device=3)\npld.tensor.allreduce(a, s)\n" + rest,
       "[1]: a_buf; [9]: b_buf; [1, 3]: s_buf"},
      {"one operand", "self.step(a, device=1)\npl._dump.call(\"pld.tensor.allreduce\", [a], pl._dump.Unknown)\n" + rest,
       "2: pld.tensor.allreduce expects exactly two args"},
      {"an operand that is no variable", "t = [a, a]\nself.step(a, device=0)\npld.tensor.allreduce(t[0], s)\n" + rest,
       "3: pld.tensor.allreduce data/target must be a window view Var"},
      {"an operand that is no window", "self.step(a, device=0)\npld.tensor.allreduce(x, s)\n" + rest,
       "2: pld.tensor.allreduce data/target must be produced by pld.tensor.window"},
      {"data that nothing touches", "pld.tensor.allreduce(a, s)\n" + rest,
       "1: collective data/target buffer has no inferred comm-domain coverage to share with its signal buffer"},
      {"a barrier that nothing touches", "pld.tensor.barrier(s)\n" + rest,
       "1: pld.tensor.barrier signal buffer has no inferred comm-domain coverage"},
      {"all_to_all_v in a loop",
       "for i in pl.range(2):\n    if go:\n        pld.tensor.all_to_all_v(a, b, s, s, s)\n" + rest,
       "3: pld.tensor.all_to_all_v is not supported inside a for/while loop in a HOST orchestrator"},
  };
  for (rule const& r : rules) check(r, windows, windows_lines);
}

TEST_CASE("allocations: names, sizes, and those that nothing uses") {
  rule const rules[] = {
      {"never viewed", "d = pld.alloc_window_buffer(64)\nreturn 0",
       "1: pld.tensor.alloc_window_buffer 'd' has no pld.tensor.window materialisation (dead allocation)"},
      {"viewed by nothing that has a name", "d = pld.alloc_window_buffer(64)\nself.step(pld.window(d, [16], dtype=pl.FP32), device=0)\nreturn 0",
       "1: 'd' has no pld.tensor.window materialisation"},
      {"viewed without a name beside a view that has one",
       "d = pld.alloc_window_buffer(64)\nw = pld.window(d, [16], dtype=pl.FP32)\nself.step(w, device=0)\n"
       "self.step(pld.window(d, [16], dtype=pl.FP32), device=3)\nreturn 0",
       "4: pld.tensor.window of 'd' must be assigned to a variable"},
      {"viewed and never dispatched", "d = pld.alloc_window_buffer(64)\nw = pld.window(d, [16], dtype=pl.FP32)\nreturn 0",
       "1: pld.tensor.alloc_window_buffer 'd' is not consumed by any chip_orch dispatch"},
      {"two sizes", "d: pl.Ptr = pl._dump.call(\"pld.tensor.alloc_window_buffer\", [1, 2], pl.Ptr, kwargs={\"name\": \"d\"})\nreturn 0",
       "1: pld.tensor.alloc_window_buffer expects exactly one arg (size)"},
      {"no name", "d: pl.Ptr = pl._dump.call(\"pld.tensor.alloc_window_buffer\", [1], pl.Ptr)\nreturn 0",
       "1: missing 'name' kwarg"},
      {"part of an expression",
       "d = pl._dump.call(\"pld.tensor.window\", [pl._dump.call(\"pld.tensor.alloc_window_buffer\", [64], pl.Ptr, "
       "kwargs={\"name\": \"n\"}), [16]], pld.DistributedTensor[[16], pl.FP32])\nself.step(d, device=0)\nreturn 0",
       "1: pld.tensor.alloc_window_buffer 'n' must appear as the RHS of a simple assignment"},
      {"one name twice in a domain",
       "d: pl.Ptr = pl._dump.alloc_window_buffer(64, name=\"t\")\ne: pl.Ptr = pl._dump.alloc_window_buffer(64, name=\"t\")\n"
       "v = pld.window(d, [16], dtype=pl.FP32)\nw = pld.window(e, [16], dtype=pl.FP32)\nself.step(v, device=0)\n"
       "self.step(w, device=0)\nreturn 0",
       "2: duplicate allocation name 't' within the same comm domain"},
      {"a view that is no distributed tensor",
       "d = pld.alloc_window_buffer(64)\nw: pl.Tensor[[16], pl.FP32] = pl._dump.call(\"pld.tensor.window\", [d, [16]], "
       "pl.Tensor[[16], pl.FP32], kwargs={\"dtype\": pl.FP32})\nself.step(w, device=0)\nreturn 0",
       "2: pld.tensor.window result Var should have DistributedTensorType"},
      {"a window over a foreign pointer is left alone",
       "d = pld.alloc_window_buffer(64)\nw = pld.window(d, [16], dtype=pl.FP32)\nf = pld.window(p, [16], dtype=pl.FP32)\n"
       "self.step(w, device=0)\nself.step(f, device=1)\nreturn 0",
       "[0]: d"},
      {"in loops and branches, and with sizes of names",
       "n = 16\nfor i in pl.range(2):\n    d = pld.alloc_window_buffer(n * 4)\n    w = pld.window(d, [16], dtype=pl.FP32)\n"
       "    self.step(w, device=i)\nif go:\n    e = pld.alloc_window_buffer(64)\n    v = pld.window(e, [16], dtype=pl.FP32)\n"
       "    self.step(v, device=3)\nreturn 0",
       "[0, 1]: d; [3]: e"},
      {"a pass over scopes that stand already changes nothing",
       "with pl._dump.comm_domain(name=\"kept\", devices=[3], slots=[pl._dump.window_buffer(\"w\", base=\"d\", size=64)]):\n"
       "    d: pl.Ptr = pl._dump.alloc_window_buffer(64, name=\"d\")\n"
       "    w: pld.DistributedTensor[[16], pl.FP32, pl._dump.window_ref(\"w\")] = pld.window(d, [16], dtype=pl.FP32)\n"
       "    self.step(w, device=1)\nreturn 0",
       "[3]: d"},
  };
  for (rule const& r : rules) check(r, "", 0);
}

TEST_CASE("all that is unused is named in one report") {
  auto const found = materialize("one = pld.alloc_window_buffer(64)\ntwo = pld.alloc_window_buffer(64)\n"
                                 "v = pld.window(one, [16], dtype=pl.FP32)\nself.step(v)\nreturn 0");
  REQUIRE(found.errors.size() == 1);
  std::string notes;
  for (auto const& n : found.errors[0].notes) notes += n.message + "\n";
  CHECK(notes.find("has no device=") != std::string::npos);
  CHECK(notes.find("'two' has no pld.tensor.window materialisation") != std::string::npos);
}

TEST_CASE("types of views and of their calls refer to the slot, those of parameters and dispatches do not") {
  auto const found = materialize(windows + "self.step(a, device=0)\nc = self.step(a, device=0)\nself.pair(b, s, device=0)\n"
                                           "t = [a, a]\nu = a\na = pld.tensor.allreduce(a, s)\nreturn c");
  REQUIRE(found.good);
  std::string const type = "pld.DistributedTensor[[16], pl.FP32, pl._dump.window_ref(\"a_buf_window\")]";
  CHECK(found.has("a: " + type + " = pl._dump.call(\"pld.tensor.window\", [a_buf, [16]], " + type));
  CHECK(found.has("a: " + type + " = pl._dump.call(\"pld.tensor.allreduce\", [a, s], " + type));
  CHECK(found.has("c: pld.DistributedTensor[[16], pl.FP32] = pl._dump.call(self.step, [a], pld.DistributedTensor[[16], "
                  "pl.FP32], attrs={\"device\": pl.const(0, pl.INDEX)})"));
  CHECK(found.has("t: pl.Tuple[" + type + ", " + type + "] = [a, a]"));
  CHECK(found.has("u: " + type + " = a"));
  CHECK(found.has("def step(self, w: pld.DistributedTensor[[16], pl.FP32]):"));
}

TEST_CASE("functions are processed by name, and an error in any leaves all as they were") {
  std::string const two = around("d = pld.alloc_window_buffer(64)\nw = pld.window(d, [16], dtype=pl.FP32)\n"
                                 "self.step(w, device=0)\nreturn 0") +
                          R"(
    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def another(self):
        e = pld.alloc_window_buffer(64)
        return 0
)";
  auto const found = host_programs::run(two, {mpmd::materialize_comm_domain_scopes{}});
  CHECK_FALSE(found.good);
  CHECK(found.first_error().find("'e' has no pld.tensor.window") != std::string::npos);
}

TEST_CASE("what counts for more or for less than it says is warned of") {
  auto const late = materialize(windows + "for r in pl.range(1, pld.world_size()):\n    self.step(a, device=r)\n"
                                          "self.step(b, device=0)\nself.flag(s, device=0)\nreturn 0");
  CHECK(late.domains() == "[]: a_buf; [0]: b_buf s_buf");
  REQUIRE(late.warnings.size() == 1);
  CHECK(late.warnings[0].message.find("starts at 1, and its windows are on all devices") != std::string::npos);
  auto const nested = materialize(windows + "self.step(a, device=0)\nself.step([b, a][1], device=3)\n"
                                            "self.step(pld.tensor.broadcast(b, s, root=0), device=3)\nself.step(b, device=0)\n"
                                            "return 0");
  CHECK(nested.domains() == "[0]: a_buf b_buf s_buf");
  REQUIRE(nested.warnings.size() == 2);
  CHECK(nested.warnings[0].message.find("a window over 'a_buf' that no variable holds") != std::string::npos);
  CHECK(nested.warnings[1].message.find("a window over 'b_buf' that no variable holds") != std::string::npos);
}

TEST_CASE("windows of one collective in two domains are warned of") {
  auto const found = materialize(windows + "self.step(a, device=0)\nself.flag(s, device=3)\nself.step(b, device=0)\n"
                                           "pld.tensor.allreduce(a, s)\nreturn 0");
  REQUIRE(found.warnings.size() == 1);
  CHECK(found.warnings[0].message.find("different communication domains") != std::string::npos);
}

TEST_CASE("L2: allocations with different tags are in different domains, though on the same devices") {
  auto body = [](std::string_view first, std::string_view second) {
    return "t = pld.alloc_window_buffer(64" + std::string(first) + ")\ny = pld.alloc_window_buffer(64" + std::string(second) +
           ")\nv = pld.window(t, [16], dtype=pl.FP32)\nw = pld.window(y, [16], dtype=pl.FP32)\n"
           "for r in pl.range(2):\n    self.step(v, device=r)\n    self.step(w, device=r)\nreturn 0";
  };
  CHECK(materialize(body("", "")).domains() == "[0, 1]: t y");
  CHECK(materialize(body(", domain=\"tp\"", ", domain=\"ep\"")).domains() == "[0, 1]: t; [0, 1]: y");
  CHECK(materialize(body(", domain=\"tp\"", "")).domains() == "[0, 1]: t; [0, 1]: y");
  auto const one = materialize(body(", domain=\"tp\"", ", domain=\"tp\""));
  CHECK(one.domains() == "[0, 1]: t y");
  CHECK(one.has("pl._dump.alloc_window_buffer(64, name='t', domain='tp')"));
}

TEST_CASE("L2: a signal that is made has the tag of its data") {
  auto const found = host_programs::run(
      around("t = pld.alloc_window_buffer(64, domain=\"tp\")\ny = pld.alloc_window_buffer(64)\n"
             "v = pld.window(t, [16], dtype=pl.FP32)\nw = pld.window(y, [16], dtype=pl.FP32)\n"
             "for r in pl.range(2):\n    self.step(v, device=r)\n    self.step(w, device=r)\n"
             "pld.tensor.allreduce(v)\npld.tensor.allreduce(w)\nreturn 0"),
      mpmd::comm_domain_pipeline<mpmd::ir::program>());
  CHECK(found.good);
  CHECK(found.warnings.empty());
  CHECK(found.domains() == "[0, 1]: __allreduce_signal_buf_0 t; [0, 1]: __allreduce_signal_buf_1 y");
}

TEST_CASE("L22: a buffer that a literal gives no bytes is warned of") {
  auto warnings = [](std::string_view size) {
    auto const found = materialize("n = 0\nd = pld.alloc_window_buffer(" + std::string(size) +
                                   ")\nw = pld.window(d, [16], dtype=pl.FP32)\nself.step(w, device=0)\nreturn 0");
    CHECK(found.good);
    return found.warnings.empty() ? std::string{} : found.warnings[0].id + ": " + found.warnings[0].message;
  };
  CHECK(warnings("0") == "window.size: 'd' is allocated with 0 bytes, which no device can do");
  CHECK(warnings("n") == "window.size: 'd' is allocated with 0 bytes, which no device can do");
  CHECK(warnings("-4") == "window.size: 'd' is allocated with -4 bytes, which no device can do");
  CHECK(warnings("1") == "");
  CHECK(warnings("k") == "");
}

TEST_CASE("the verifier finds scopes that no pass makes") {
  auto scope = [](std::string const& name, std::string const& devices, std::string const& slots, std::string const& body) {
    return "with pl._dump.comm_domain(name=\"" + name + "\", devices=" + devices + ", slots=[" + slots + "]):\n    " + body + "\n";
  };
  std::string const slot = "pl._dump.window_buffer(\"w\", base=\"d\", size=64)";
  std::string const alloc = "d: pl.Ptr = pl._dump.alloc_window_buffer(64, name=\"d\")";
  auto errors = [](std::string const& body) {
    std::string all;
    for (auto const& e : host_programs::run(around(body + "return 0"), {mpmd::verify_comm_domain_scopes{}}).errors)
      all += e.message + "\n";
    return all;
  };
  CHECK(errors(scope("c", "[0, 1]", slot, alloc)) == "");
  CHECK(errors(scope("c", "[0]", "", "pass")).find("CommDomainScopeStmt 'c' has no slots — every comm-domain scope must "
                                                   "carry at least one WindowBuffer") != std::string::npos);
  CHECK(errors(scope("c", "[0]", slot, alloc) + scope("e", "[1]", slot, "pass")) ==
        "WindowBuffer 'd' appears in multiple CommDomainScopeStmts ('c' and 'e')\n");
  CHECK(errors(scope("c", "[0]", slot, "pass")).find("no pld.tensor.alloc_window_buffer of the function sets") !=
        std::string::npos);
  std::string const view =
      "w: pld.DistributedTensor[[16], pl.FP32, pl._dump.window_ref(\"w\")] = pld.window(d, [16], dtype=pl.FP32)\n";
  CHECK(errors(scope("c", "[0]", slot, alloc)).empty());
  CHECK(errors(scope("c", "[0]", slot, alloc) + view).find("no CommDomainScopeStmt around it") != std::string::npos);
}

TEST_CASE("the verifier wants devices in ascending order, each once and none negative") {
  namespace ir = mpmd::ir;
  auto const context = std::make_shared<ir::context>();
  mpmd::diagnostics diags;
  auto p = mpmd::text::read_python(
      context, "test.py",
      around("with pl._dump.comm_domain(name=\"c\", devices=[0], slots=[pl._dump.window_buffer(\"w\", base=\"d\", "
             "size=64)]):\n    d: pl.Ptr = pl._dump.alloc_window_buffer(64, name=\"d\")\nreturn 0"),
      diags);
  REQUIRE(p);
  ir::op scope;
  ir::walk(*p, p->root(), [&](ir::op o) {
    if (p->is(o, ir::opcode::host_comm_domain)) scope = o;
  });
  REQUIRE(scope);
  // The first and the last device of each run.
  auto errors = [&](std::vector<std::int64_t> runs) {
    p->set_attr(scope, "device_runs", context->get(ir::dense_array_attr{context->integer(64), std::move(runs)}));
    mpmd::diagnostics found;
    bool const good = mpmd::verify_comm_domain_scopes{}(*p, found);
    CHECK(good == (found.errors() == 0));
    return found.errors();
  };
  CHECK(errors({}) == 0);
  CHECK(errors({0, 1, 5, 5}) == 0);
  CHECK(errors({1, 1, 0, 0}) == 1);
  CHECK(errors({1, 1, 1, 1}) == 1);
  CHECK(errors({1, 0}) == 1);
  CHECK(errors({-1, 1}) == 1);
}

TEST_CASE("assignments between types that differ break the rule of symmetry") {
  std::string const slot = "with pl._dump.comm_domain(name=\"c\", devices=[0], slots=[pl._dump.window_buffer(\"w\", "
                           "base=\"d\", size=64)]):\n    d: pl.Ptr = pl._dump.alloc_window_buffer(64, name=\"d\")\n    ";
  std::string const bare = "pld.DistributedTensor[[16], pl.FP32]";
  std::string const windowed = "pld.DistributedTensor[[16], pl.FP32, pl._dump.window_ref(\"w\")]";
  auto view = [&](std::string const& variable, std::string const& call) {
    return around(slot + "v: " + variable + " = pl._dump.call(\"pld.tensor.window\", [d, [16]], " + call +
                  ", kwargs={\"dtype\": pl.FP32})\nreturn 0");
  };
  CHECK(asymmetries(view(windowed, windowed)) == "");
  CHECK(asymmetries(view(bare, windowed)) ==
        "AssignTypeSymmetry: in function 'host', variable 'v' has another type than what it is set to: window_buffer "
        "presence mismatch\n");
  CHECK(asymmetries(view("pld.DistributedTensor[[8], pl.FP32]", bare)).find("type mismatch") != std::string::npos);
}

}  // namespace comm_domain_scopes_test
