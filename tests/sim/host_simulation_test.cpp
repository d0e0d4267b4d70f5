// Host programs on a simulated mesh: what collectives and tasks leave in windows, and the faults that running finds.
#include <doctest/doctest.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <mpmd/pipeline/comm_domain_passes.hpp>
#include <mpmd/sim/host_compare.hpp>
#include <mpmd/sim/simulate_host.hpp>

#include "testing/small_stack.hpp"
#include "transform/host_programs.hpp"

namespace host_simulation_test {

namespace {

using mpmd::sim::task_context;
using mpmd::sim::task_status;
using rank_list = std::vector<mpmd::sim::rank>;

struct outcome {
  std::optional<mpmd::sim::host_simulation> ran;
  std::vector<mpmd::diagnostic> said;

  std::string error() const { return said.empty() ? std::string{} : said[0].id + ": " + said[0].message; }
  // Notes of the first error with the lines of the text that they point to.
  std::string chain() const {
    std::string all;
    if (said.empty()) return all;
    for (auto const& n : said[0].notes) all += std::to_string(n.where.line) + ": " + n.message + "\n";
    return all;
  }
  mpmd::sim::host_simulation::allocation const& window(std::string_view name) const {
    REQUIRE(ran);
    for (auto const& a : ran->functions[0].allocations)
      if (a.name == name) return a;
    FAIL("no such window");
    return ran->functions[0].allocations[0];
  }
  std::string rank(std::size_t r) const {
    std::string all;
    for (auto const& e : ran->functions[0].ranks[r]) all += mpmd::sim::to_text(*ran, e) + " ";
    return all;
  }
};

mpmd::ir::program read(std::string const& source) {
  mpmd::diagnostics diags([](mpmd::diagnostic const& d) { MESSAGE(d.message); });
  auto p = mpmd::text::read_python(std::make_shared<mpmd::ir::context>(), "test.py", source, diags);
  REQUIRE(p);
  return std::move(*p);
}
outcome simulate(std::string const& source, mpmd::sim::host_options options, mpmd::sim::task_registry const& tasks = {}) {
  outcome o;
  mpmd::diagnostics diags([&o](mpmd::diagnostic const& d) { o.said.push_back(d); });
  o.ran = mpmd::sim::simulate_host(read(source), diags, options, tasks);
  CHECK(o.ran.has_value() == o.said.empty());
  CHECK(o.said.size() <= 1);
  return o;
}
outcome simulate(std::string const& source, mpmd::sim::rank ranks, mpmd::sim::task_registry const& tasks = {}) {
  mpmd::sim::host_options options;
  options.ranks = ranks;
  return simulate(source, options, tasks);
}
// The text of a program behind the passes, up to the named one.
std::string behind(std::string_view body, bool lowered = false) {
  auto const made = host_programs::run(
      host_programs::around(body),
      lowered ? mpmd::comm_domain_pipeline<mpmd::ir::program>()
              : mpmd::pipeline<mpmd::ir::program>{mpmd::synthesize_allreduce_signals{}, mpmd::materialize_comm_domain_scopes{}});
  REQUIRE(made.good);
  return made.text;
}
std::string replaced(std::string text, std::string_view what, std::string_view with) {
  auto const at = text.find(what);
  REQUIRE(at != std::string::npos);
  return text.replace(at, what.size(), with);
}
std::string line_of(std::string const& text, std::string_view what) {
  std::size_t line = 1;
  for (std::size_t i = 0; i < text.find(what); ++i) line += text[i] == '\n' ? 1u : 0u;
  return std::to_string(line);
}

// A task that fills its first window with numbers of its rank and each element.
mpmd::sim::host_task filling(std::function<double(unsigned, unsigned)> number) {
  return [number](task_context& c) {
    for (unsigned e = 0; e < c.elements(0); ++e) c.write(0, e, number(c.rank(), e));
    return task_status::done;
  };
}
// A task that notes what is in its first window.
mpmd::sim::host_task noting(std::vector<std::vector<double>>& into) {
  return [&into](task_context& c) {
    if (into.size() <= c.rank()) into.resize(c.rank() + 1u);
    into[c.rank()].clear();
    for (unsigned e = 0; e < c.elements(0); ++e) into[c.rank()].push_back(c.read(0, e));
    return task_status::done;
  };
}

constexpr auto data_and_signal = R"(buf = pld.alloc_window_buffer(24)
sig = pld.alloc_window_buffer(32)
v = pld.window(buf, [6], dtype=pl.FP32)
s = pld.window(sig, [8, 1], dtype=pl.INT32)
)";

}  // namespace

TEST_CASE("windows are on the ranks of their domain, and tasks that are not registered touch what they are given") {
  auto const o = simulate(behind("a = pld.alloc_window_buffer(64)\nb = pld.alloc_window_buffer(32)\n"
                                 "v = pld.window(a, [16], dtype=pl.FP32)\nw = pld.window(b, [8], dtype=pl.FP32)\n"
                                 "for r in pl.range(1, 3):\n    self.step(v, device=r)\n"
                                 "for r in pl.range(pld.world_size()):\n    self.step(w, device=r)\n"),
                          4);
  CHECK(o.window("a").on == rank_list{1, 2});
  CHECK(o.window("a").touched == rank_list{1, 2});
  CHECK(o.window("a").bytes == 64);
  CHECK(o.window("b").on == rank_list{0, 1, 2, 3});
  CHECK(o.window("b").touched == rank_list{0, 1, 2, 3});
  CHECK(o.rank(0) == "step(b) ");
  CHECK(o.rank(1) == "step(a) step(b) ");
}

TEST_CASE("an allreduce leaves its reduction on all ranks, a broadcast what the root has") {
  std::string const fill = std::string(data_and_signal) + "for r in pl.range(2, 5):\n    self.step(v, device=r)\n";
  std::string const note = "for r in pl.range(2, 5):\n    self.graph(v)\n    self.pair(v, s, device=r)\n";
  auto run = [&](std::string_view collective) {
    std::vector<std::vector<double>> seen;
    mpmd::sim::task_registry tasks;
    tasks.add("step", filling([](unsigned r, unsigned e) { return 10.0 * r + e; }));
    tasks.add("pair", noting(seen));
    for (bool const lowered : {false, true}) {
      auto const o = simulate(behind(fill + std::string(collective) + note, lowered), 6, tasks);
      CHECK(o.error() == "");
      REQUIRE(seen.size() == 5);
      CHECK(seen[2] == seen[3]);
      CHECK(seen[2] == seen[4]);
    }
    return seen[2];
  };
  CHECK(run("pld.tensor.allreduce(v, s)\n") == std::vector<double>{90, 93, 96, 99, 102, 105});
  CHECK(run("pld.tensor.allreduce(v, s, op=1)\n") == std::vector<double>{40, 41, 42, 43, 44, 45});
  CHECK(run("pld.tensor.allreduce(v, s, op=2)\n") == std::vector<double>{20, 21, 22, 23, 24, 25});
  CHECK(run("pld.tensor.allreduce(v)\n") == std::vector<double>{90, 93, 96, 99, 102, 105});
  CHECK(run("pld.tensor.broadcast(v, s, root=1)\n") == std::vector<double>{30, 31, 32, 33, 34, 35});
}

TEST_CASE("reduce_scatter leaves each rank the reduction of its block") {
  std::vector<std::vector<double>> seen;
  mpmd::sim::task_registry tasks;
  tasks.add("step", filling([](unsigned r, unsigned e) { return 10.0 * r + e; }));
  tasks.add("pair", noting(seen));
  auto const o = simulate(behind(std::string(data_and_signal) +
                                 "for r in pl.range(3):\n    self.step(v, device=r)\npld.tensor.reduce_scatter(v, s)\n"
                                 "for r in pl.range(3):\n    self.pair(v, s, device=r)\n"),
                          3, tasks);
  CHECK(o.error() == "");
  CHECK(seen == std::vector<std::vector<double>>{{30, 33, 2, 3, 4, 5}, {10, 11, 36, 39, 14, 15}, {20, 21, 22, 23, 42, 45}});
}

TEST_CASE("allgather and both all_to_alls move blocks between ranks") {
  std::string const start = "a = pld.alloc_window_buffer(16)\nb = pld.alloc_window_buffer(32)\n"
                            "c = pld.alloc_window_buffer(8)\nd = pld.alloc_window_buffer(8)\n"
                            "sig = pld.alloc_window_buffer(8)\n"
                            "i = pld.window(a, [4], dtype=pl.FP32)\nt = pld.window(b, [8], dtype=pl.FP32)\n"
                            "n = pld.window(c, [2], dtype=pl.INT32)\nm = pld.window(d, [2], dtype=pl.INT32)\n"
                            "s = pld.window(sig, [2, 1], dtype=pl.INT32)\n"
                            "for r in pl.range(2):\n    self.step(i, device=r)\n    self.flag(n, device=r)\n"
                            "    self.probe(t, device=r)\n    self.probe(m, device=r)\n";
  auto run = [&](std::string_view collective, std::string_view noted) {
    std::vector<std::vector<double>> seen;
    mpmd::sim::task_registry tasks;
    tasks.add("step", filling([](unsigned r, unsigned e) { return 10.0 * r + e + 1; }));
    tasks.add("flag", filling([](unsigned r, unsigned e) { return e == r ? 1.0 : 2.0; }));
    tasks.add("pair", noting(seen));
    auto const o = simulate(behind(start + std::string(collective) + "for r in pl.range(2):\n    self.pair(" +
                                   std::string(noted) + ", s, device=r)\n"),
                            2, tasks);
    CHECK(o.error() == "");
    return seen;
  };
  using table = std::vector<std::vector<double>>;
  CHECK(run("pld.tensor.allgather(i, t, s)\n", "t") == table{{1, 2, 3, 4, 11, 12, 13, 14}, {1, 2, 3, 4, 11, 12, 13, 14}});
  CHECK(run("pld.tensor.all_to_all(i, t, s)\n", "t") == table{{1, 2, 11, 12, 0, 0, 0, 0}, {3, 4, 13, 14, 0, 0, 0, 0}});
  // Rank 0 sends one element to itself and two to rank 1; rank 1 two to rank 0 and one to itself.
  std::string_view const by_counts = "pld.tensor.all_to_all_v(i, t, s, n, m)\n";
  CHECK(run(by_counts, "t") == table{{1, 11, 12, 0, 0, 0, 0, 0}, {2, 3, 13, 0, 0, 0, 0, 0}});
  CHECK(run(by_counts, "m") == table{{1, 2}, {2, 1}});
}

TEST_CASE("a rank that touches a window it has no part in is told of with dispatch, view, allocation and domain") {
  std::string const text = replaced(behind("buf = pld.alloc_window_buffer(64)\nv = pld.window(buf, [16], dtype=pl.FP32)\nw = v\n"
                                           "for r in pl.range(3):\n    self.step(w, device=r)\n"),
                                    "devices=[0, 1, 2]", "devices=[0, 1]");
  auto const o = simulate(text, 3);
  CHECK(o.error() == "sim.window: rank 2 is given window 'buf', and has no part in it");
  CHECK(o.said[0].where.line == std::stoul(line_of(text, "pl._dump.call(self.step")));
  CHECK(o.chain() == line_of(text, "pl._dump.call(\"pld.tensor.window") + ": through this view\n" +
                         line_of(text, "pl._dump.alloc_window_buffer") +
                         ": of the buffer that is allocated here, in domain 'comm_d0' on ranks 0, 1\n");
}

TEST_CASE("a window goes through tuples, and stays what a variable is that a task sets again") {
  std::string const views = "a = pld.alloc_window_buffer(64)\nb = pld.alloc_window_buffer(64)\n"
                            "v = pld.window(a, [16], dtype=pl.FP32)\nw = pld.window(b, [16], dtype=pl.FP32)\n"
                            "self.step(v, device=0)\nself.step(w, device=0)\n";
  auto const swapped = behind(views + "v, w = w, v\nself.step(v, device=1)\n");
  auto const o = simulate(swapped, 2);
  CHECK(o.error() == "");
  CHECK(o.rank(1) == "step(b) ");
  CHECK(simulate(replaced(swapped, "devices=[0, 1]", "devices=[0]"), 2).error() ==
        "sim.window: rank 1 is given window 'b', and has no part in it");
  auto const again = behind(views + "v = self.step(v, device=0)\nv = self.step(v, device=1)\n");
  CHECK(simulate(again, 2).rank(1) == "step(a) ");
  CHECK(simulate(replaced(again, "devices=[0, 1]", "devices=[0]"), 2).error() ==
        "sim.window: rank 1 is given window 'a', and has no part in it");
}

TEST_CASE("a barrier that not all ranks of the domain reach") {
  constexpr auto body = "sig = pld.alloc_window_buffer(32)\ns = pld.window(sig, [8, 1], dtype=pl.INT32)\n"
                        "for r in pl.range(3):\n    self.flag(s, device=r)\npld.tensor.barrier(s)\n";
  std::string const text = behind(body, true);
  CHECK(simulate(text, 3).error() == "");
  // One of the three launches is gone.
  auto const last = text.find("            pl.builtin.tensor.barrier", text.find("pl.const(1, pl.INT64)"));
  REQUIRE(last != std::string::npos);
  std::string const cut = text.substr(0, last) + text.substr(text.find('\n', last) + 1);
  auto const o = simulate(cut, 3);
  CHECK(o.error() == "sim.barrier: ranks 0, 1 wait in barrier on 'sig', which rank 2 does not reach");
  CHECK(o.chain().find("rank 2 has done all that it was given by here\n") != std::string::npos);
  CHECK(o.chain().find("through this view\n") != std::string::npos);

  // Two collectives that ranks come to in different orders.
  std::string const two = behind(std::string(data_and_signal) +
                                     "other = pld.alloc_window_buffer(32)\nt = pld.window(other, [8, 1], dtype=pl.INT32)\n"
                                     "for r in pl.range(2):\n    self.pair(v, s, device=r)\n    self.flag(t, device=r)\n"
                                     "pld.tensor.barrier(t)\npld.tensor.barrier(s)\n",
                                 true);
  CHECK(simulate(two, 2).error() == "");
  std::string swapped = replaced(two, "barrier(t, attrs={\"device\": pl.const(1", "barrier(X, attrs={\"device\": pl.const(1");
  swapped = replaced(swapped, "barrier(s, attrs={\"device\": pl.const(1", "barrier(t, attrs={\"device\": pl.const(1");
  swapped = replaced(swapped, "barrier(X", "barrier(s");
  auto const crossed = simulate(swapped, 2);
  CHECK(crossed.error() == "sim.barrier: rank 0 waits in barrier on 'other', which rank 1 does not reach");
  CHECK(crossed.chain().find("rank 1 waits here\n") != std::string::npos);
}

TEST_CASE("tasks meet in barriers, and one that does not come is missed") {
  std::string const text = behind("sig = pld.alloc_window_buffer(32)\ns = pld.window(sig, [8, 1], dtype=pl.INT32)\n"
                                  "for r in pl.range(3):\n    self.flag(s, device=r)\n");
  std::vector<int> passed(3, 0);
  mpmd::sim::rank stays_away = 9;
  mpmd::sim::task_registry tasks;
  tasks.add("flag", [&](task_context& c) {
    if (c.rank() == stays_away) return task_status::done;
    if (!c.barrier(0)) return task_status::waiting;
    if (!c.barrier(0)) return task_status::waiting;
    ++passed[c.rank()];
    return task_status::done;
  });
  CHECK(simulate(text, 3, tasks).error() == "");
  CHECK(passed == std::vector<int>{1, 1, 1});
  stays_away = 1;
  CHECK(simulate(text, 3, tasks).error() == "sim.barrier: ranks 0, 2 wait in a barrier on 'sig', which rank 1 does not reach");
}

TEST_CASE("signals: set, waited for, stale") {
  std::string const text = behind("sig = pld.alloc_window_buffer(32)\ns = pld.window(sig, [8, 1], dtype=pl.INT32)\n"
                                  "for r in pl.range(2):\n    self.flag(s, device=r)\n");
  auto run = [&](mpmd::sim::host_task task) {
    mpmd::sim::task_registry tasks;
    tasks.add("flag", std::move(task));
    return simulate(text, 2, tasks);
  };
  // Rank 0 comes first and waits for rank 1.
  CHECK(run([](task_context& c) {
          if (c.rank() == 1) c.notify(0, 3, 0);
          return c.rank() == 1 || c.wait(0, 3) ? task_status::done : task_status::waiting;
        }).error() == "");
  CHECK(run([](task_context& c) {
          return c.rank() == 1 || c.wait(0, 3) ? task_status::done : task_status::waiting;
        }).error() == "sim.signal: rank 0 waits for cell 3 of signal 'sig', which nobody sets");
  auto const twice = run([](task_context& c) {
    c.notify(0, 3, 0);
    return task_status::done;
  });
  CHECK(twice.error() == "sim.signal: rank 1 sets cell 3 of signal 'sig' on rank 0, which is still set: a stale signal");
  CHECK(twice.chain().find("it was set here, and nothing has waited for it since\n") != std::string::npos);
  CHECK(run([](task_context& c) {
          if (c.rank() == 1) c.notify(0, 3, 0);
          return task_status::done;
        }).error() ==
        "sim.signal: a cell of signal 'sig' on rank 0 is set here and never waited for: a stale signal when the domain ends");
}

TEST_CASE("a collective that finds its signal set was given a stale one") {
  std::string const text = behind(std::string(data_and_signal) +
                                  "for r in pl.range(2):\n    self.step(v, device=r)\nself.flag(s, device=1)\n"
                                  "pld.tensor.allreduce(v, s)\n");
  mpmd::sim::task_registry tasks;
  tasks.add("flag", [](task_context& c) {
    c.write(0, 5, 7);
    return task_status::done;
  });
  CHECK(simulate(text, 2).error() == "");
  auto const o = simulate(text, 2, tasks);
  CHECK(o.error() == "sim.signal: allreduce finds cell 5 of signal 'sig' on rank 1 set: a stale signal");
  CHECK(o.chain().starts_with(line_of(text, "pl._dump.call(self.flag") +
                              ": it was left by this, and nothing has cleared it since\n"));
  auto const many = simulate(behind(std::string(data_and_signal) +
                                    "for r in pl.range(pld.world_size()):\n    self.step(v, device=r)\npld.tensor.allreduce(v, s)\n"),
                             9);
  CHECK(many.error() == "sim.signal: allreduce over 9 ranks has a signal of 8 cells: one for each rank is needed");
}

TEST_CASE("tasks reach for other ranks of the domain, and no further than windows go") {
  std::string const text = behind("buf = pld.alloc_window_buffer(64)\nv = pld.window(buf, [16], dtype=pl.FP32)\n"
                                  "for r in pl.range(1, 3):\n    self.step(v, device=r)\n");
  auto run = [&](mpmd::sim::host_task task) {
    mpmd::sim::task_registry tasks;
    tasks.add("step", std::move(task));
    return simulate(text, 4, tasks).error();
  };
  double seen = 0;
  CHECK(run([&](task_context& c) {
          if (c.rank() == 1) c.write(0, 2, 5, 2);
          if (c.rank() == 2) seen = c.read(0, 2);
          CHECK(c.ranks() == 4);
          CHECK(c.arguments() == 1);
          return task_status::done;
        }) == "");
  CHECK(seen == 5);
  CHECK(run([](task_context& c) {
          c.read(0, 0, 3);
          return task_status::done;
        }) == "sim.window: rank 1 reaches for window 'buf' on rank 3, which has no part in it");
  CHECK(run([](task_context& c) {
          c.write(0, 16, 1);
          return task_status::done;
        }) == "sim.range: rank 1 reaches for element 16 of a window with 16, in a buffer of 64 bytes");
  CHECK(run([](task_context& c) {
          c.read(1, 0);
          return task_status::done;
        }) == "sim.window: argument 1 is no window, but the task uses it as one");
}

TEST_CASE("allocations outside of domains, devices that are not there, buffers that are too small") {
  auto const raw = host_programs::around("buf = pld.alloc_window_buffer(64)\nv = pld.window(buf, [16], dtype=pl.FP32)\n"
                                         "self.step(v, device=0)\n");
  CHECK(simulate(raw, 2).error() == "sim.domain: 'buf' is allocated outside of any communication domain, so on no rank: "
                                    "-materialize-comm-domain-scopes makes domains");
  std::string const five = behind("buf = pld.alloc_window_buffer(64)\nv = pld.window(buf, [16], dtype=pl.FP32)\n"
                                  "self.step(v, device=5)\n");
  CHECK(simulate(five, 4).error() == "sim.rank: domain 'comm_d0' has device 5, and there are 4 ranks");
  CHECK(mpmd::sim::ranks_needed(read(five)) == 6);
  CHECK(simulate(host_programs::around("self.step(x, device=k)\n"), 1).error().starts_with("sim.rank: step is sent to device "));
  CHECK(simulate(behind("buf = pld.alloc_window_buffer(60)\nv = pld.window(buf, [16], dtype=pl.FP32)\n"
                        "self.step(v, device=0)\npld.tensor.allreduce(v)\n"),
                 1)
            .error() == "sim.range: allreduce uses a window of 16 elements of 4 bytes over 'buf', which has 60 bytes");
  CHECK(simulate(behind("n = k - k\nbuf = pld.alloc_window_buffer(n)\nv = pld.window(buf, [16], dtype=pl.FP32)\n"
                        "self.step(v, device=0)\n"),
                 1)
            .error() == "sim.memory: 'buf' is allocated with 0 bytes: it needs some");
}

TEST_CASE("a collective with windows of two domains is refused where it is run") {
  std::string text = behind(std::string(data_and_signal) +
                            "for r in pl.range(2):\n    self.step(v, device=r)\nfor r in pl.range(3):\n"
                            "    self.flag(s, device=r)\npld.tensor.allreduce(v, s)\n");
  auto const o = simulate(text, 3);
  CHECK(o.error() == "sim.domain: a collective takes windows 'buf' and 'sig', which are in different domains");
  CHECK(o.chain().find("in domain 'comm_d0' on ranks 0, 1\n") != std::string::npos);
  CHECK(o.chain().find("in domain 'comm_d1' on ranks 0 to 2\n") != std::string::npos);
}

TEST_CASE("loops, branches and arithmetic run as in Python; what is not known is chosen") {
  auto run = [](std::string_view loops, std::vector<std::int64_t> const& answers = {}) {
    std::size_t next = 0;
    mpmd::sim::host_options options;
    options.ranks = 16;
    options.choose = [&](std::int64_t) { return next < answers.size() ? answers[next++] : 0; };
    auto const o = simulate(host_programs::around(loops), options);
    CHECK(o.error() == "");
    std::string all;
    for (std::size_t r = 0; o.ran && r < 16; ++r)
      for (auto const& e : o.ran->functions[0].ranks[r]) {
        CHECK(o.ran->names[e.what] == "step");
        all += std::to_string(r) + " ";
      }
    return all;
  };
  CHECK(run("for r in pl.range(1, 9, 3):\n    self.step(x, device=r)\n") == "1 4 7 ");
  CHECK(run("for r in pl.range(6, 1, -2):\n    self.step(x, device=r)\n") == "2 4 6 ");
  CHECK(run("for r in pl.range(4, 4):\n    self.step(x, device=r)\n") == "");
  CHECK(run("for r in pl.range(5):\n    if r % 2 == 1:\n        continue\n    self.step(x, device=r)\n") == "0 2 4 ");
  CHECK(run("for r in pl.range(9):\n    if r == 2:\n        break\n    self.step(x, device=r)\n") == "0 1 ");
  CHECK(run("for i, (a, b) in pl.range(4, init_values=(0, 1)):\n    self.step(x, device=a)\n    a_2, b_2 = pl.yield_(b, a + b)\n"
            "self.step(x, device=b_2)\n") == "0 1 1 2 5 ");
  CHECK(run("n = pld.world_size() // 5 - 1\nfor r in pl.range(n):\n    for q in pl.range(r + 1):\n"
            "        self.step(x, device=r * 4 + q)\n") == "0 4 5 ");
  CHECK(run("i = 1\nwhile i < 9:\n    self.step(x, device=i)\n    i = i * 2\n") == "1 2 4 8 ");
  CHECK(run("if go:\n    self.step(x, device=1)\nelse:\n    self.step(x, device=2)\n", {1}) == "1 ");
  CHECK(run("if go:\n    self.step(x, device=1)\nelse:\n    self.step(x, device=2)\n", {0}) == "2 ");
  // What a dispatch answers is not known.
  CHECK(run("for r in pl.range(3):\n    if x[r] > 0.5:\n        self.step(x, device=r)\n", {0, 1, 1}) == "1 2 ");
  // A loop for as long as a parameter holds, which nothing changes: as many rounds as are chosen, the first one surely.
  std::string const steady = "while go:\n    self.step(x, device=3)\nself.step(x, device=5)\n";
  CHECK(run(steady, {1, 1, 1, 0}) == "3 3 3 5 ");
  CHECK(run(steady, {1, 0}) == "3 5 ");
  CHECK(run(steady, {0}) == "5 ");
  CHECK(run("c = go\nn = 2\nwhile c and n < 3:\n    self.step(x, device=3)\n", {1, 1, 0}) == "3 3 ");
  // What the loop changes decides alone, also from further in.
  CHECK(run("i = 0\nn = 2\nwhile i < n:\n    if go:\n        i = i + 1\n    self.step(x, device=3)\n", {1}) == "3 3 ");
  CHECK(run("for (i,) in pl.while_(init_values=(0,)):\n    pl.cond(i < 3)\n    self.step(x, device=i)\n    i_2 = pl.yield_(i + 1)\n") ==
        "0 1 2 ");
  // A parameter is the same wherever it is asked for.
  CHECK(run("if go:\n    self.step(x, device=1)\nif not go:\n    self.step(x, device=2)\n", {1, 0}) == "1 ");
}

TEST_CASE("what does not end is stopped, and deep nesting takes no stack") {
  mpmd::sim::host_options options;
  options.steps = 1000;
  auto const o = simulate(host_programs::around("while True:\n    self.step(x, device=0)\n"), options);
  CHECK(o.error() == "sim.budget: the program takes more steps than 1000: it may not end, or the limit must be raised");
  std::string deep;
  constexpr int depth = 1500;
  for (int i = 0; i < depth; ++i) deep += std::string(static_cast<std::size_t>(i), ' ') + (i % 2 ? "if True:\n" : "for i in pl.range(1):\n");
  deep += std::string(static_cast<std::size_t>(depth), ' ') + "self.step(x, device=0)\n";
  auto const p = read(host_programs::around(deep));
  mpmd::testing::with_small_stack([&] {
    mpmd::diagnostics diags;
    auto const ran = mpmd::sim::simulate_host(p, diags);
    REQUIRE(ran);
    CHECK(ran->functions[0].ranks[0].size() == 1);
  });
}

TEST_CASE("two runs are compared event by event") {
  auto run = [](std::string_view body) {
    auto o = simulate(behind(body), 2);
    REQUIRE(o.ran);
    return std::move(*o.ran);
  };
  std::string const start = "buf = pld.alloc_window_buffer(64)\nv = pld.window(buf, [16], dtype=pl.FP32)\n"
                            "for r in pl.range(2):\n    self.step(v, device=r)\n";
  std::vector<std::string> said;
  mpmd::diagnostics diags([&](mpmd::diagnostic const& d) { said.push_back(d.message); });
  auto const first = run(start);
  CHECK(mpmd::sim::same_runs(first, run(start), diags));
  CHECK_FALSE(mpmd::sim::same_runs(first, run(start + "self.probe(v, device=1)\n"), diags));
  REQUIRE(said.size() == 1);
  CHECK(said[0] == "host function 'host' runs probe(buf) instead of nothing on rank 1");
}

}  // namespace host_simulation_test
