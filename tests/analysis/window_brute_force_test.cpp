// Domains of generated programs against those found by running them: all loops unrolled, all branches taken both ways, for
// one to eight devices.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <mpmd/analysis/window_trace.hpp>

#include "analysis/window_program.hpp"

namespace window_brute_force_test {

namespace {

using mpmd::collective_kind;
using mpmd::integer_op;
using mpmd::window_role;
using window_model::program;
using window_model::statement;
using window_model::variable;

// Runs a program once. `decide` answers each branch.
class run {
 public:
  run(program const& p, std::int64_t devices, std::vector<bool> const& decisions)
      : p_(p), world_(devices), decisions_(decisions) {
    body(p[p.functions[0]].bodies[0]);
  }
  std::size_t asked() const { return asked_; }
  std::map<std::string, std::set<std::int64_t>> touched;       // by allocation
  std::set<std::pair<std::string, std::string>> covers;         // data and receiver
  std::set<std::string> everywhere;                             // touched by a loop over all devices

 private:
  struct content {
    std::int64_t number = 0;
    std::string buffer = {};
    bool window = false;
    bool over_all = false;  // a loop over all devices counts with it
  };
  content& at(variable v) { return values_[v.id]; }

  // What was yielded last.
  void body(std::vector<statement> const& statements) {
    for (statement const s : statements) visit(p_[s]);
  }
  void visit(window_model::content const& c) {
    switch (c.role) {
      case window_role::allocation: at(c.sets[0]) = {0, c.name, false, false}; return;
      case window_role::view:
        at(c.sets[0]) = at(c.reads[0]);
        at(c.sets[0]).window = true;
        return;
      case window_role::alias: at(c.sets[0]) = at(c.reads[0]); return;
      case window_role::dispatch: {
        content const device = c.device.form == mpmd::device_form<variable>::kind::numbers
                                   ? content{c.device.first, {}, false, false}
                                   : at(c.device.expression);
        for (variable const v : c.reads) {
          if (!at(v).window) continue;
          touched[at(v).buffer].insert(device.number);
          if (device.over_all) everywhere.insert(at(v).buffer);
        }
        return;
      }
      case window_role::collective: {
        auto const& facts = mpmd::facts_of(c.collective);
        for (auto const& r : facts.receivers)
          if (r.operand != 0xFF && facts.data != 0xFF)
            covers.emplace(at(c.reads[facts.data]).buffer, at(c.reads[r.operand]).buffer);
        at(c.sets[0]) = at(c.reads[facts.result]);
        return;
      }
      case window_role::branch: {
        bool const taken = asked_ < decisions_.size() && decisions_[asked_];
        ++asked_;
        if (taken) body(c.bodies[0]);
        else if (c.bodies.size() > 1) body(c.bodies[1]);
        for (std::size_t i = 0; i < c.sets.size(); ++i) at(c.sets[i]) = yielded_[i];
        return;
      }
      case window_role::loop: {
        std::vector<content> carried;
        for (variable const v : c.loop.initial) carried.push_back(at(v));
        std::int64_t const start = at(c.loop.start).number, stop = at(c.loop.stop).number;
        for (std::int64_t r = start; r < stop; ++r) {
          at(c.loop.induction) = {r, {}, false, at(c.loop.stop).over_all};
          for (std::size_t i = 0; i < carried.size(); ++i) at(c.loop.carried[i]) = carried[i];
          body(c.bodies[0]);
          if (!carried.empty()) carried = yielded_;
        }
        for (std::size_t i = 0; i < carried.size(); ++i) at(c.sets[i]) = carried[i];
        return;
      }
      case window_role::yield:
        yielded_.clear();
        for (variable const v : c.reads) yielded_.push_back(at(v));
        return;
      default:
        if (c.integer.computes == integer_op::kind::constant) at(c.sets[0]) = {c.integer.number, {}, false, false};
        if (c.integer.computes == integer_op::kind::world_size) at(c.sets[0]) = {world_, {}, false, true};
        return;
    }
  }

  program const& p_;
  std::int64_t world_;
  std::vector<bool> const& decisions_;
  std::size_t asked_ = 0;
  std::map<int, content> values_;
  std::vector<content> yielded_;
};

// What all runs of a program touch. False when there are too many ways through it.
struct touched_by_all {
  std::map<std::string, std::set<std::int64_t>> touched;
  std::set<std::string> everywhere;
  bool complete = true;

  explicit touched_by_all(program const& p) {
    for (std::int64_t devices = 1; devices <= 8 && complete; ++devices) add(p, devices);
    cover();
  }

 private:
  std::set<std::pair<std::string, std::string>> covers;

  void add(program const& p, std::int64_t devices) {
    std::vector<bool> decisions;
    for (int runs = 0;; ++runs) {
      run const once(p, devices, decisions);
      for (auto const& [buffer, on] : once.touched) touched[buffer].insert(on.begin(), on.end());
      everywhere.insert(once.everywhere.begin(), once.everywhere.end());
      covers.insert(once.covers.begin(), once.covers.end());
      decisions.resize(once.asked(), false);
      while (!decisions.empty() && decisions.back()) decisions.pop_back();
      if (decisions.empty()) break;
      decisions.back() = true;
      if (runs == 64) {
        complete = false;
        return;
      }
    }
  }
  void cover() {
    for (bool grew = true; grew;) {
      grew = false;
      for (auto const& [data, receiver] : covers) {
        if (!touched.contains(data)) continue;
        auto const before = touched[receiver].size() + everywhere.size();
        auto const from = touched[data];
        touched[receiver].insert(from.begin(), from.end());
        if (everywhere.contains(data)) everywhere.insert(receiver);
        grew |= touched[receiver].size() + everywhere.size() != before;
      }
    }
  }
};

// A random program. Loops nest and carry windows, branches merge.
class generator {
 public:
  // With `changing`, variables are set again, and loops carry them. Which round finds what in them is more than a set
  // says, so then no device counts with the rounds of a loop, and what is found may be more than what runs.
  generator(unsigned seed, bool changing) : random_(seed), changing_(changing) {
    auto const buffers = 2 + pick(3);
    for (std::size_t i = 0; i < buffers; ++i) {
      pointers_.push_back(p.allocate("b" + std::to_string(i)));
      windows_.push_back(p.view(pointers_.back()));
      signals_.push_back(windows_.back());
    }
    statements(5 + pick(8), 0, false);
  }
  program p;

 private:
  std::size_t pick(std::size_t n) { return random_() % n; }
  // Over one buffer always: of two operands that go together, one round one way and the next another, only all ways for
  // each are kept.
  variable signal() { return signals_[pick(signals_.size())]; }
  variable window() { return windows_[pick(windows_.size())]; }

  void statements(std::size_t count, int depth, bool never) {
    for (std::size_t i = 0; i < count; ++i) one(depth, never);
  }
  void one(int depth, bool never) {
    switch (pick(depth < 3 ? 14 : 9)) {
      case 0: windows_.push_back(p.view(pointers_[pick(pointers_.size())])); return;
      case 1: windows_.push_back(p.copy(window())); return;
      case 2:
        if (changing_) p.assign(window(), window());
        return;
      case 3:
        if (changing_) p.view_into(window(), pointers_[pick(pointers_.size())]);
        return;
      case 4:
      case 5: p.dispatch({window(), window()}, static_cast<std::int64_t>(pick(6))); return;
      case 6:
        if (!devices_.empty() && !changing_) p.dispatch_at({window()}, devices_[pick(devices_.size())]);
        return;
      case 7:
        // What never runs covers no signal here, but does for the analysis: more than enough.
        if (!never && !changing_) windows_.push_back(p.collective(collective_kind::allreduce, {window(), signal()}));
        return;
      case 8:
        if (!never && !changing_) p.collective(collective_kind::allgather, {window(), window(), signal()});
        return;
      case 9:
      case 10: return loop(depth, never);
      case 11: return branch(depth, never);
      case 12:
        if (changing_) carrying(depth, never);
        return;
      default: return merging(depth, never);
    }
  }
  // Variables of a body are not used behind it, where they might not be set.
  template <class F>
  void inside(F f) {
    auto const windows = windows_, pointers = pointers_, devices = devices_;
    f();
    windows_ = windows;
    pointers_ = pointers;
    devices_ = devices;
  }
  void loop(int depth, bool never) {
    bool const over_all = pick(4) == 0, none = pick(8) == 0;
    variable const stop = over_all ? p.world_size() : p.number(none ? 1 : 7);
    p.loop(p.number(none || !over_all ? 1 : 0), stop, p.number(1), {}, [&](variable r, auto const&) {
      inside([&] {
        devices_.push_back(r);
        statements(1 + pick(4), depth + 1, never || (none && !over_all));
      });
    });
  }
  void branch(int depth, bool never) {
    if (++branches_ > 2) return;
    auto add = [&] { inside([&] { statements(1 + pick(3), depth + 1, never); }); };
    if (pick(2) == 0)
      p.branch(0, add);
    else
      p.branch(0, add, add);
  }
  void carrying(int depth, bool never) {
    auto const results =
        p.loop(p.number(0), p.number(6), p.number(1), {window(), window()}, [&](variable, std::vector<variable> const& c) {
          inside([&] {
            windows_.insert(windows_.end(), c.begin(), c.end());
            statements(pick(3), depth + 1, never);
            p.yield({window(), pick(2) == 0 ? c[0] : window()});
          });
        });
    windows_.insert(windows_.end(), results.begin(), results.end());
  }
  void merging(int depth, bool never) {
    if (++branches_ > 2) return;
    auto add = [&] {
      inside([&] {
        statements(pick(2), depth + 1, never);
        p.yield({window()});
      });
    };
    windows_.push_back(p.branch(1, add, add)[0]);
  }

  std::mt19937 random_;
  bool changing_;
  std::vector<variable> pointers_, windows_, signals_, devices_;
  int branches_ = 0;
};

}  // namespace

TEST_CASE("domains are those that running a program in every way touches") {
  int compared = 0, equal = 0, of_all = 0;
  for (unsigned seed = 0; seed < 2000; ++seed) {
    CAPTURE(seed);
    bool const changing = seed % 2 == 1;
    generator const made(seed, changing);
    auto const trace = mpmd::trace_windows(made.p);
    touched_by_all const ran(made.p);
    if (!ran.complete) continue;
    for (std::uint32_t a = 0; a < trace.graph.allocations.size(); ++a) {
      std::string const name(trace.graph.allocations[a].name);
      CAPTURE(name);
      auto const at = ran.touched.find(name);
      auto const on = at == ran.touched.end() ? std::set<std::int64_t>{} : at->second;
      if (!ran.everywhere.contains(name) && changing && trace.devices(a).is_all()) continue;
      REQUIRE(trace.devices(a).is_all() == ran.everywhere.contains(name));
      if (trace.devices(a).is_all()) {
        ++of_all;
        continue;
      }
      auto const found = trace.devices(a).members();
      std::vector<std::int64_t> const expected(on.begin(), on.end());
      // All that is touched, and in programs without change nothing else.
      REQUIRE(std::includes(found.begin(), found.end(), expected.begin(), expected.end()));
      if (!changing) REQUIRE(found == expected);
      ++compared;
      equal += found == expected;
    }
  }
  CHECK(compared > 3000);
  CHECK(of_all > 50);
  CHECK(equal > compared * 9 / 10);
}

}  // namespace window_brute_force_test
