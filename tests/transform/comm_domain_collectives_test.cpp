// Signals that are made for allreduces, and collectives as launches on the devices of their domain.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include <mpmd/pipeline/comm_domain_passes.hpp>

#include "transform/host_programs.hpp"

namespace comm_domain_collectives_test {

namespace {

using host_programs::around;
using host_programs::result;

std::string const windows = R"(a_buf = pld.alloc_window_buffer(64)
b_buf = pld.alloc_window_buffer(64)
s_buf = pld.alloc_window_buffer(32)
a = pld.window(a_buf, [16], dtype=pl.FP32)
b = pld.window(b_buf, [16], dtype=pl.FP32)
s = pld.window(s_buf, [8, 1], dtype=pl.INT32)
)";
std::string const everywhere = "for r in pl.range(pld.world_size()):\n    self.step(a, device=r)\n    self.step(b, device=r)\n";
std::string const on_two = "for r in pl.range(2):\n    self.step(a, device=r)\n    self.step(b, device=r)\n";

result synthesize(std::string const& body) {
  return host_programs::run(around(windows + body), {mpmd::synthesize_allreduce_signals{}});
}
result lower(std::string const& body) {
  return host_programs::run(around(windows + body),
                            {mpmd::materialize_comm_domain_scopes{}, mpmd::lower_host_tensor_collectives{}});
}
std::size_t count(std::string const& text, std::string const& part) {
  std::size_t n = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

}  // namespace

TEST_CASE("an allreduce without signal gets one, allocated before all else") {
  auto const r = synthesize("a = pld.tensor.allreduce(a, op=pld.ReduceOp.Sum)\nreturn a");
  CHECK(r.has("        __allreduce_signal_world_size_0: pl.Scalar[pl.INT64] = pld.system.world_size()\n"
              "        __allreduce_signal_buf_0: pl.Ptr = pl._dump.alloc_window_buffer(__allreduce_signal_world_size_0 * "
              "pl.const(1, pl.INT64) * pl.const(4, pl.INT64), name='__allreduce_signal_buf_0')\n"
              "        __allreduce_signal_0: pld.DistributedTensor[[__allreduce_signal_world_size_0, 1], pl.INT32] = "
              "pld.tensor.window(__allreduce_signal_buf_0, [__allreduce_signal_world_size_0, pl.const(1, pl.INT64)], "
              "dtype=pl.INT32)\n"
              "        a_buf: pl.Ptr ="));
  CHECK(r.has("pld.tensor.allreduce(a, __allreduce_signal_0, op="));
}

TEST_CASE("allreduces over one buffer share a signal as wide as the widest, others do not") {
  auto const shared = synthesize("v = pld.window(a_buf, [4], dtype=pl.FP32)\npld.tensor.allreduce(a)\n"
                                 "c = pld.tensor.allreduce(v, core_num=4)\nd = c\nfor i, (e,) in pl.range(2, "
                                 "init_values=(d,)):\n    f = pld.tensor.allreduce(e, core_num=2)\n    g = pl.yield_(f)\nreturn 0");
  CHECK(count(shared.text, "name='__allreduce_signal_buf_") == 1);
  CHECK(shared.has("__allreduce_signal_0: pld.DistributedTensor[[__allreduce_signal_world_size_0, 4], pl.INT32]"));
  CHECK(count(shared.text, "__allreduce_signal_0") == 4);
  // Whatever a collective returns is over the same buffer.
  auto const results = synthesize("c = pld.tensor.broadcast(a, s, root=0)\npld.tensor.allreduce(c)\npld.tensor.allreduce(a)\nreturn 0");
  CHECK(count(results.text, "name='__allreduce_signal_buf_") == 1);
  auto const apart = synthesize("pld.tensor.allreduce(b)\npld.tensor.allreduce(a)\npld.tensor.allreduce(b)\nreturn 0");
  CHECK(count(apart.text, "name='__allreduce_signal_buf_") == 2);
  CHECK(apart.has("pld.tensor.allreduce(b, __allreduce_signal_0)"));
  CHECK(apart.has("pld.tensor.allreduce(a, __allreduce_signal_1)"));
}

TEST_CASE("a returned allreduce becomes a statement, with or without a signal of its own") {
  auto const implicit = synthesize("return pld.tensor.allreduce(a), pld.tensor.allreduce(b, s)");
  CHECK(implicit.has("__allreduce_result_1: pld.DistributedTensor[[16], pl.FP32] = pld.tensor.allreduce(a, "
                     "__allreduce_signal_0)"));
  CHECK(implicit.has("__allreduce_result_2: pld.DistributedTensor[[16], pl.FP32] = pld.tensor.allreduce(b, s)"));
  CHECK(implicit.has("return __allreduce_result_1, __allreduce_result_2"));
}

TEST_CASE("names of signals avoid all names of the program, and are counted through it") {
  auto const r = synthesize("__allreduce_signal_0 = 1\n__allreduce_signal_buf_1 = 2\npld.tensor.allreduce(a)\n"
                            "return pld.tensor.allreduce(b)");
  CHECK(r.has("name='__allreduce_signal_buf_2'"));
  CHECK(r.has("name='__allreduce_signal_buf_3'"));
  CHECK(r.has("__allreduce_result_4"));
}

TEST_CASE("explicit signals, chip functions and functions without allreduce are left alone") {
  std::string const body = "c = pld.tensor.allreduce(a, s)\npld.tensor.allreduce(c, s)\nreturn 0";
  CHECK(synthesize(body).text == host_programs::run(around(windows + body), {}).text);
}

TEST_CASE("an allreduce elsewhere, or with other operands, is refused") {
  CHECK(synthesize("self.step(pld.tensor.allreduce(a, s), device=0)\nreturn 0").first_error() ==
        "7: pld.tensor.allreduce must be a direct assignment, expression statement, or return value before allreduce "
        "signal synthesis.");
  CHECK(synthesize("t = [pld.tensor.allreduce(a), b]\nreturn 0").first_error().find("must be a direct assignment") !=
        std::string::npos);
  CHECK(synthesize("pl._dump.call(\"pld.tensor.allreduce\", [a, s, b], pl._dump.Unknown)\nreturn 0").first_error() ==
        "7: pld.tensor.allreduce expects target[, signal], got 3 positional arguments");
  CHECK(synthesize("pld.tensor.allreduce(a, core_num=0)\nreturn 0").first_error().find("core_num must be positive") !=
        std::string::npos);
}

TEST_CASE("a collective is launched on each listed device, or by a loop over all") {
  auto const listed = lower(on_two + "pld.tensor.allreduce(a, s, op=pld.ReduceOp.Max, core_num=1)\nreturn 0");
  std::string const arguments = "(a, s, op=1, dtype=pl.FP32, core_num=1, attrs={\"op\": 1, \"dtype\": pl.FP32, "
                                "\"core_num\": 1, \"device\": ";
  std::string const access = ", \"arg_directions\": [pl.adir.inout, pl.adir.inout]})\n";
  CHECK(listed.has("pl.builtin.tensor.allreduce" + arguments + "pl.const(0, pl.INT64)" + access +
                   "            pl.builtin.tensor.allreduce" + arguments + "pl.const(1, pl.INT64)" + access));
  auto const all = lower(everywhere + "pld.tensor.barrier(s)\npld.tensor.broadcast(a, s, root=3)\nreturn 0");
  CHECK(all.has("in pl.range(pl.const(0, pl.INT64), pld.system.world_size(), pl.const(1, pl.INT64)):\n"
                "                pl.builtin.tensor.barrier(s, attrs={\"device\": r_1, \"arg_directions\": [pl.adir.inout]})"));
  CHECK(all.has("pl.builtin.tensor.broadcast(a, s, root=3, dtype=pl.FP32, attrs={\"root\": 3, \"dtype\": pl.FP32, "
                "\"device\": r_2"));
  CHECK_FALSE(all.has("pld.tensor.broadcast"));
}

TEST_CASE("each kind has its launch, and says which operands it writes") {
  std::string const input = "[pl.adir.input, pl.adir.inout, pl.adir.inout]";
  struct {
    std::string call, launched, access;
  } const cases[] = {
      {"pld.tensor.reduce_scatter(a, s)", "pl.builtin.tensor.reduce_scatter(a, s, op=0, dtype=pl.FP32", "[pl.adir.inout, pl.adir.inout]"},
      {"pld.tensor.broadcast(a, s)", "pl.builtin.tensor.broadcast(a, s, root=0, dtype=pl.FP32", "[pl.adir.inout, pl.adir.inout]"},
      {"pld.tensor.allgather(b, a, s)", "pl.builtin.tensor.allgather(b, a, s, dtype=pl.FP32", input},
      {"pld.tensor.all_to_all(b, a, s)", "pl.builtin.tensor.all_to_all(b, a, s, dtype=pl.FP32", input},
      {"pld.tensor.barrier(s)", "pl.builtin.tensor.barrier(s, ", "[pl.adir.inout]"},
      {"c_buf = pld.alloc_window_buffer(32)\nd_buf = pld.alloc_window_buffer(32)\n"
       "c = pld.window(c_buf, [8, 1], dtype=pl.INT32)\nd = pld.window(d_buf, [8, 1], dtype=pl.INT32)\n"
       "for q in pl.range(2):\n    self.flag(c, device=q)\npld.tensor.all_to_all_v(b, a, s, c, d)",
       "pl.builtin.tensor.all_to_all_v(b, a, s, c, d, dtype=pl.FP32",
       "[pl.adir.input, pl.adir.inout, pl.adir.inout, pl.adir.input, pl.adir.inout]"},
  };
  for (auto const& c : cases) {
    CAPTURE(c.call);
    auto const r = lower(on_two + "for q in pl.range(2):\n    self.flag(s, device=q)\n" + c.call + "\nreturn 0");
    CHECK(r.first_error() == "");
    CHECK(count(r.text, c.launched) == 2);
    CHECK(count(r.text, "\"arg_directions\": " + c.access) == 2);
  }
}

TEST_CASE("what is assigned the result of a collective is the operand it wrote") {
  auto const r = lower(on_two + "c = pld.tensor.allreduce(a, s)\nd = pld.tensor.all_to_all(b, c, s)\nreturn d");
  std::string const type = "pld.DistributedTensor[[16], pl.FP32, pl._dump.window_ref(\"a_buf_window\")]";
  CHECK(r.has("c: " + type + " = a\n"));
  CHECK(r.has("pl.builtin.tensor.all_to_all(b, c, s"));
  CHECK(r.has("d: " + type + " = c\n"));
  CHECK(r.has("return d\n"));
}

TEST_CASE("the scope that holds all operands is chosen, wherever it is") {
  auto const r = lower("for r in pl.range(2):\n    self.step(a, device=r)\nself.step(b, device=7)\n"
                       "pld.tensor.allreduce(a, s)\nreturn 0");
  CHECK(r.domains() == "[0, 1]: a_buf s_buf; [7]: b_buf");
  CHECK(count(r.text, "pl.builtin.tensor.allreduce(a, s") == 2);
}

TEST_CASE("collectives that cannot be launched are refused") {
  auto with_signal = [](std::string const& shape, std::string const& call) {
    return lower(on_two + "t_buf = pld.alloc_window_buffer(64)\nt = pld.window(t_buf, " + shape +
                 ", dtype=pl.INT32)\nself.flag(s, device=0)\n" + call + "\nreturn 0");
  };
  struct {
    result r;
    std::string message;
  } const cases[] = {
      {with_signal("[1]", "pld.tensor.allreduce(a, t)"), "signal shape[0] must be at least the participating device count"},
      {with_signal("[2, 2, 1]", "pld.tensor.allreduce(a, t)"), "signal must be of rank 1 or 2"},
      {with_signal("[2]", "pld.tensor.allreduce(a, t, core_num=2)"), "signal of rank 1 has one lane"},
      {with_signal("[2, 2]", "pld.tensor.allreduce(a, t, core_num=4)"), "signal shape[1] must be at least core_num (4)"},
      {with_signal("[2, k]", "pld.tensor.allreduce(a, t)"), "signal shape[1] must be a constant"},
      {with_signal("[2, 2]", "pld.tensor.broadcast(a, t, root=0)"), "signal shape[1] must be 1"},
      {with_signal("[2, 1]", "pld.tensor.broadcast(a, t, root=2)"), "root 2 is out of range"},
      {with_signal("[2, 1]", "pl._dump.call(\"pld.tensor.broadcast\", [a, t], pld.DistributedTensor[[16], pl.FP32], "
                             "kwargs={\"root\": -1})"),
       "root -1 is out of range: devices of a domain are counted from 0"},
      {with_signal("[2, 1]", "pld.tensor.allreduce(a, t, mode=\"tree\")"), "mode must be 'mesh' or 'ring'"},
      {with_signal("[2, 2]", "pld.tensor.allreduce(a, t, mode=\"ring\")"), "needs a signal [3, 2]"},
      {with_signal("[3, 2]", "pld.tensor.allreduce(a, t, mode=\"ring\", core_num=2)"), "supports core_num=1 only"},
      {lower(on_two + "v = pld.window(a_buf, [2], dtype=pl.INT32)\nself.flag(s, device=0)\npld.tensor.allreduce(a, v)\nreturn 0"),
       "pld.tensor.allreduce data and signal must be different window allocations"},
      {lower(on_two + "v = pld.window(a_buf, [4], dtype=pl.FP32)\npld.tensor.allgather(v, a, s)\nreturn 0"),
       "pld.tensor.allgather input and target must be different window allocations"},
      {lower(on_two + "pld.tensor.allgather(x, a, s)\nreturn 0"),
       "pld.tensor.allgather input must be a window-bound DistributedTensor"},
      {lower(on_two + "self.flag(s, device=3)\npld.tensor.allreduce(a, s)\nreturn 0"),
       "window buffers must resolve to the same comm-domain scope"},
      {host_programs::run(around(windows + "pld.tensor.allreduce(a, s)\nreturn 0"), {mpmd::lower_host_tensor_collectives{}}),
       "must appear inside a CommDomainScopeStmt"},
      {lower(on_two + "for i, (c, d) in pl.range(2, init_values=(a, b)):\n    pld.tensor.allreduce(c, s)\n"
                      "    c2, d2 = pl.yield_(d, c)\nreturn 0"),
       "data may be a window of several allocations"},
  };
  for (auto const& c : cases) {
    CAPTURE(c.message);
    CHECK_FALSE(c.r.good);
    CHECK(c.r.first_error().find(c.message) != std::string::npos);
  }
}

TEST_CASE("ring allreduces need a signal of their own shape, and have a launch of their own") {
  auto const r = lower(on_two + "t_buf = pld.alloc_window_buffer(24)\nt = pld.window(t_buf, [3, 2], dtype=pl.INT32)\n"
                                "self.flag(s, device=0)\npld.tensor.allreduce(a, t, mode=\"ring\")\nreturn 0");
  CHECK(r.first_error() == "");
  CHECK(count(r.text, "pl.builtin.tensor.allreduce_ring(a, t, op=0, dtype=pl.FP32, attrs={\"op\": 0") == 2);
}

TEST_CASE("the pipeline goes from authoring text to launches, and its result goes through it unchanged") {
  auto const pipeline = mpmd::comm_domain_pipeline<mpmd::ir::program>();
  auto const r = host_programs::run(around(windows + everywhere + "self.flag(s, device=0)\n"
                                                                  "a = pld.tensor.allreduce(a)\nreturn a"),
                                    pipeline);
  CHECK(r.first_error() == "");
  CHECK(r.domains() == "[]: __allreduce_signal_buf_0 a_buf b_buf; [0]: s_buf");
  CHECK(r.has("pl.builtin.tensor.allreduce(a, __allreduce_signal_0"));
  CHECK(host_programs::run(r.text, pipeline).text == r.text);
}

}  // namespace comm_domain_collectives_test
