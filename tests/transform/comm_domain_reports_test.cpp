// Programs after reports from public trackers, each with the outcome that is right.
#include <doctest/doctest.h>

#include <string>

#include <mpmd/pipeline/comm_domain_passes.hpp>

#include "transform/host_programs.hpp"

namespace comm_domain_reports_test {

namespace {

host_programs::result scopes(std::string const& body) {
  return host_programs::run(host_programs::around(body), {mpmd::synthesize_allreduce_signals{},
                                                          mpmd::materialize_comm_domain_scopes{},
                                                          mpmd::verify_comm_domain_scopes{}});
}
// The loop of most reports: two views in each round, dispatched to its device.
std::string dispatches(std::string const& range, std::string const& data, std::string const& signal) {
  return "for r in pl.range(" + range + "):\n    d = pld.window(" + data + ", [16], dtype=pl.FP32)\n    s = pld.window(" +
         signal + ", [8, 1], dtype=pl.INT32)\n    self.pair(d, s, device=r)\n";
}
std::string const two = "buf = pld.alloc_window_buffer(64)\nsig = pld.alloc_window_buffer(32)\n";

}  // namespace

TEST_CASE("groups that overlap on a device are domains of their own, though their views have one name") {
  CHECK(scopes("a = pld.alloc_window_buffer(64)\nsa = pld.alloc_window_buffer(32)\nb = pld.alloc_window_buffer(64)\n"
               "sb = pld.alloc_window_buffer(32)\n" +
               dispatches("2", "a", "sa") + dispatches("1, 3", "b", "sb") + "return 0")
            .domains() == "[0, 1]: a sa; [1, 2]: b sb");
}

TEST_CASE("an allreduce in a loop is one of all devices, with a signal of its own or with one that is made") {
  std::string const start = "buf = pld.alloc_window_buffer(64)\nsig = pld.alloc_window_buffer(32)\n"
                            "d = pld.window(buf, [16], dtype=pl.FP32)\ns = pld.window(sig, [8, 1], dtype=pl.INT32)\n"
                            "for it in pl.range(4):\n    for r in pl.range(pld.world_size()):\n        self.step(d, device=r)\n";
  CHECK(scopes(start + "    d = pld.tensor.allreduce(d, s)\nreturn 0").domains() == "[]: buf sig");
  CHECK(scopes(start + "    d = pld.tensor.allreduce(d)\nself.flag(s, device=0)\nreturn 0").domains() ==
        "[]: __allreduce_signal_buf_0 buf; [0]: sig");
}

TEST_CASE("data and signal over one buffer are refused when lowered, also under another name") {
  for (std::string const signal : {"s", "e"}) {
    auto const r = host_programs::run(
        host_programs::around("buf = pld.alloc_window_buffer(4096)\nd = pld.window(buf, [16], dtype=pl.FP32)\n"
                              "for r in pl.range(pld.world_size()):\n    self.step(d, device=r)\n"
                              "s = pld.window(buf, [64, 1], dtype=pl.INT32)\ne = s\nd = pld.tensor.allreduce(d, " +
                              signal + ")\nreturn 0"),
        mpmd::comm_domain_pipeline<mpmd::ir::program>());
    CHECK(r.domains() == "[]: buf");
    CHECK(r.first_error().find("data and signal must be different window allocations") != std::string::npos);
  }
}

TEST_CASE("branches that leave views of two buffers in one variable: never one of the two alone") {
  auto const r = scopes("a = pld.alloc_window_buffer(64)\nb = pld.alloc_window_buffer(64)\nfor r in pl.range(2):\n    if go:\n"
                        "        d = pld.window(a, [16], dtype=pl.FP32)\n    else:\n"
                        "        d = pld.window(b, [16], dtype=pl.FP32)\n    self.step(d, device=r)\nreturn 0");
  CHECK(r.first_error().find("'d' is a window over several allocations") != std::string::npos);
  CHECK(r.errors[0].notes.size() == 3);  // over a, over b, what to write
}

TEST_CASE("a bound that was hoisted is still the number of devices") {
  CHECK(scopes(two + "t = pld.world_size()\n" + dispatches("t", "buf", "sig") + "return 0").domains() == "[]: buf sig");
}

TEST_CASE("a device is a number or the variable of a loop over them, and each other form has its error") {
  auto of = [](std::string_view loop, std::string_view device) {
    auto const r = scopes(two + std::string(loop) + "\n    d = pld.window(buf, [16], dtype=pl.FP32)\n"
                          "    s = pld.window(sig, [8, 1], dtype=pl.INT32)\n    self.pair(d, s, device=" +
                          std::string(device) + ")\nreturn 0");
    return r.good ? r.domains() : r.first_error();
  };
  CHECK(of("for r in pl.range(pld.world_size()):", "r") == "[]: buf sig");
  CHECK(of("for r in pl.range(pld.world_size()):", "3") == "[3]: buf sig");
  CHECK(of("for r in pl.range(pld.world_size()):", "r + 1").find("device= expression must be ConstInt") != std::string::npos);
  CHECK(of("for r in pl.range(pld.world_size()):", "k").find("device= Var is not the induction variable") != std::string::npos);
  CHECK(of("for r in pl.range(0, 8, 2):", "r").find("non-unit-step loop is not supported (step=2)") != std::string::npos);
  CHECK(of("for r in pl.range(k):", "r").find("loop bound must be ConstInt or pld.system.world_size()") != std::string::npos);
}

TEST_CASE("a dead allocation and an unused one are both named") {
  auto const r = scopes("dead = pld.alloc_window_buffer(64)\nview = pld.alloc_window_buffer(64)\n"
                        "v = pld.window(view, [16], dtype=pl.FP32)\nreturn 0");
  REQUIRE(r.errors.size() == 1);
  CHECK(r.errors[0].message.find("'dead' has no pld.tensor.window materialisation (dead allocation)") != std::string::npos);
  CHECK(r.errors[0].notes[0].message.find("'view' is not consumed by any chip_orch dispatch") != std::string::npos);
}

TEST_CASE("two views of one buffer, each for a device: one domain of both, and both views in its one slot") {
  auto const r = scopes(two + "d0 = pld.window(buf, [16], dtype=pl.FP32)\ns0 = pld.window(sig, [8, 1], dtype=pl.INT32)\n"
                              "self.pair(d0, s0, device=0)\nd1 = pld.window(buf, [16], dtype=pl.FP32)\n"
                              "s1 = pld.window(sig, [8, 1], dtype=pl.INT32)\nself.pair(d1, s1, device=1)\nreturn 0");
  CHECK(r.domains() == "[0, 1]: buf sig");
  CHECK(r.has("d0: pld.DistributedTensor[[16], pl.FP32, pl._dump.window_ref(\"buf_window\")]"));
  CHECK(r.has("d1: pld.DistributedTensor[[16], pl.FP32, pl._dump.window_ref(\"buf_window\")]"));
}

TEST_CASE("what consumes the result of a broadcast consumes its buffer") {
  CHECK(scopes("buf = pld.alloc_window_buffer(64)\nsig = pld.alloc_window_buffer(pld.world_size() * 4)\n"
               "d = pld.window(buf, [16], dtype=pl.FP32)\nself.step(d, device=0)\n"
               "s = pld.window(sig, [pld.world_size()], dtype=pl.INT32)\ne = pld.tensor.broadcast(d, s, root=0)\n"
               "for r in pl.range(pld.world_size()):\n    self.step(e, device=r)\nreturn 0")
            .domains() == "[]: buf sig");
}

TEST_CASE("a loop up to all devices that starts later is one of all") {
  CHECK(scopes(two + dispatches("1, pld.world_size()", "buf", "sig") + "return 0").domains() == "[]: buf sig");
}

}  // namespace comm_domain_reports_test
