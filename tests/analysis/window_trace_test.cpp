// Which devices share which window, on a small host program of the tests' own (window_program.hpp).
#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

#include <mpmd/analysis/window_trace.hpp>
#include <mpmd/graph/window_archetypes.hpp>

#include "analysis/window_program.hpp"

namespace window_trace_test {

namespace {

using mpmd::collective_kind;
using mpmd::device_set;
using mpmd::integer_op;
using mpmd::window_fault;
using window_model::program;
using window_model::variable;

static_assert(mpmd::window_program<program>);

// "a b: 0-1 3; c: all", or "fault N at NAME".
std::string domains(program const& p, std::size_t function = 0, mpmd::window_options options = {}) {
  auto const trace = mpmd::trace_windows(p, options);
  auto const& f = trace.functions[function];
  if (f.wrong) return "fault " + std::to_string(static_cast<int>(f.wrong.fault));
  std::string text;
  for (auto const& d : f.domains) {
    text += text.empty() ? "" : "; ";
    for (auto const a : d.allocations) text.append(trace.graph.allocations[a].name).append(" ");
    text.back() = ':';
    if (d.devices.is_all()) {
      text += " all";
      continue;
    }
    for (auto const& i : d.devices.intervals()) {
      text.append(" ").append(std::to_string(i.first));
      if (i.last != i.first) text.append("-").append(std::to_string(i.last));
    }
  }
  return text;
}
std::string fault(window_fault f) { return "fault " + std::to_string(static_cast<int>(f)); }

}  // namespace

TEST_CASE("windows are traced on the archetypes of their concept") {
  mpmd::archetypes::straight_windows const straight;
  mpmd::archetypes::function_windows const functions;
  CHECK(mpmd::trace_windows(straight).functions.size() == 1);  // the one function that no op names
  CHECK(mpmd::trace_windows(functions).functions.empty());
}

TEST_CASE("all views and all aliases of an allocation bring their devices to it") {
  program p;
  auto const buffer = p.allocate("buf");
  auto const pointer = p.copy(buffer);
  auto const one = p.view(buffer), two = p.view(pointer);
  auto const alias = p.copy(p.copy(one));
  p.dispatch({alias}, 7);
  p.dispatch({two}, 1);
  p.dispatch({one, one}, 2);
  CHECK(domains(p) == "buf: 1-2 7");
}

TEST_CASE("what is computed from a window is no window, and a pointer is none") {
  program p;
  auto const buffer = p.allocate("buf");
  auto const v = p.view(buffer);
  p.dispatch({p.opaque({v})}, 5);
  p.dispatch({buffer}, 6);
  p.dispatch_anywhere({v});
  CHECK(domains(p) == fault(window_fault::unused_allocation));
  p.dispatch({v}, 4);
  CHECK(domains(p) == "buf: 4");
}

TEST_CASE("equal sets share a domain however they are written, overlapping ones do not") {
  program p;
  auto const a = p.window("a"), b = p.window("b"), c = p.window("c"), d = p.window("d");
  p.range(0, 2, [&](variable r) { p.dispatch_at({a}, r); });
  p.dispatch({b}, 1);
  p.dispatch({b}, 0);
  p.range(1, 3, [&](variable r) { p.dispatch_at({c}, r); });
  p.loop(p.number(0), p.world_size(), p.number(1), {}, [&](variable r, auto const&) { p.dispatch_at({d}, r); });
  p.dispatch({d}, 9);
  CHECK(domains(p) == "a b: 0-1; c: 1-2; d: all");
}

TEST_CASE("a device is a literal or the variable of a loop with literal or world-size bounds") {
  enum class stop { literal, named, world, named_world, shifted_world, unknown };
  struct {
    std::int64_t start, stop_at, step;
    stop form;
    std::string expected;
  } const cases[] = {
      {0, 4, 1, stop::literal, "b: 0-3"},
      {1, 3, 1, stop::named, "b: 1-2"},
      {0, 0, 1, stop::world, "b: all"},
      {3, 0, 1, stop::named_world, "b: all"},
      {0, 0, 2, stop::world, fault(window_fault::loop_stride)},
      {-1, 0, 1, stop::world, fault(window_fault::loop_range)},
      {0, 0, 1, stop::shifted_world, fault(window_fault::loop_bound)},
      {0, 0, 1, stop::unknown, fault(window_fault::loop_bound)},
      {0, 4, 2, stop::literal, fault(window_fault::loop_stride)},
      {0, 4, -1, stop::literal, fault(window_fault::loop_stride)},
      {-1, 4, 1, stop::literal, fault(window_fault::loop_range)},
      {5, 4, 1, stop::literal, fault(window_fault::loop_range)},
      {2, 2, 1, stop::literal, fault(window_fault::unused_allocation)},
  };
  for (auto const& c : cases) {
    CAPTURE(c.start);
    CAPTURE(c.stop_at);
    CAPTURE(c.step);
    program p;
    auto const w = p.window("b");
    variable end = p.number(c.stop_at);
    if (c.form == stop::named) end = p.copy(end);
    if (c.form == stop::world) end = p.world_size();
    if (c.form == stop::named_world) end = p.copy(p.copy(p.world_size()));
    if (c.form == stop::shifted_world)
      end = p.compute({integer_op::kind::subtract}, {p.world_size(), p.number(1)});
    if (c.form == stop::unknown) end = p.opaque();
    p.loop(p.number(c.start), end, p.number(c.step), {}, [&](variable r, auto const&) { p.dispatch_at({w}, r); });
    CHECK(domains(p) == c.expected);
  }
  program p;
  auto const w = p.window("b");
  auto const unknown = p.opaque();
  p.loop(unknown, p.number(4), p.number(1), {}, [&](variable r, auto const&) { p.dispatch_at({w}, r); });
  CHECK(domains(p) == fault(window_fault::loop_start));
  program q;
  auto const v = q.window("b");
  auto const step = q.opaque();
  q.loop(q.number(0), q.number(4), step, {}, [&](variable r, auto const&) { q.dispatch_at({v}, r); });
  CHECK(domains(q) == fault(window_fault::loop_step));
}

TEST_CASE("other expressions are no devices, unless asked to be") {
  auto build = [](int form) {
    program p;
    auto const w = p.window("b");
    auto const k = p.opaque(), named = p.copy(p.number(6));
    p.loop(p.number(0), p.number(3), p.number(1), {k}, [&](variable r, std::vector<variable> const& carried) {
      if (form == 0) p.dispatch_at({w}, p.copy(r));
      if (form == 1) p.dispatch_at({w}, p.compute({integer_op::kind::multiply}, {r, p.number(2)}));
      if (form == 2) p.dispatch_at({w}, k);
      if (form == 3) p.dispatch_at({w}, carried[0]);
      if (form == 4) p.dispatch_at({w}, named);
      if (form == 5) p.dispatch_at({w}, p.compute({integer_op::kind::negate}, {p.number(1)}));
      if (form == 6) p.dispatch_at({w}, p.number(-1));
      p.yield({r});
    });
    return p;
  };
  std::string const no_variable = fault(window_fault::no_induction_variable);
  std::string const unsupported = fault(window_fault::unsupported_device);
  std::string const strict[] = {no_variable, unsupported, no_variable, unsupported, no_variable, unsupported,
                                fault(window_fault::negative_device)};
  std::string const wide[] = {"b: 0-2", "b: 0 2 4", no_variable, unsupported, "b: 6",
                              fault(window_fault::negative_device), fault(window_fault::negative_device)};
  for (int form = 0; form < 7; ++form) {
    CAPTURE(form);
    CHECK(domains(build(form)) == strict[form]);
    CHECK(domains(build(form), 0, {.widen = true}) == wide[form]);
  }
}

TEST_CASE("a variable of a loop that is over, or that is set again, is no induction variable") {
  program p;
  auto const w = p.window("b");
  variable after;
  p.range(0, 2, [&](variable r) { after = r; });
  p.dispatch_at({w}, after);
  CHECK(domains(p) == fault(window_fault::no_induction_variable));
  program q;
  auto const v = q.window("b");
  q.range(0, 2, [&](variable r) {
    q.assign(r, q.number(5));
    q.dispatch_at({v}, r);
  });
  CHECK(domains(q) == fault(window_fault::no_induction_variable));
}

TEST_CASE("the loop that binds the device decides, and what never runs counts for nothing") {
  program p;
  auto const w = p.window("b");
  p.range(0, 2, [&](variable i) {
    p.range(0, 4, [&](variable) { p.dispatch_at({w}, i); });
    p.range(3, 3, [&](variable) { p.dispatch({w}, 9); });
  });
  p.range(0, 0, [&](variable r) {
    p.range(0, 8, [&](variable) { p.dispatch_at({w}, r); });
  });
  CHECK(domains(p) == "b: 0-1");
}

TEST_CASE("a variable that is set again holds at each dispatch what reaches it") {
  program p;
  auto const a = p.allocate("a"), b = p.allocate("b");
  auto const w = p.view(a);
  p.dispatch({w}, 0);
  p.view_into(w, b);
  p.dispatch({w}, 1);
  CHECK(domains(p) == "a: 0; b: 1");
}

TEST_CASE("branches merge: a dispatch behind them touches what either left") {
  program p;
  auto const a = p.allocate("a"), b = p.allocate("b"), c = p.allocate("c");
  auto const w = p.view(a), v = p.view(c);
  p.branch(0, [&] { p.view_into(w, b); });
  p.dispatch({w}, 3);
  p.dispatch({v}, 4);
  auto const merged = p.branch(1, [&] { p.yield({w}); }, [&] { p.yield({v}); });
  p.dispatch({merged[0]}, 5);
  CHECK(domains(p) == "a b: 3 5; c: 4-5");
}

TEST_CASE("loops carry windows: first and later rounds, ping and pong") {
  program p;
  auto const a = p.window("a"), b = p.window("b"), c = p.window("c");
  auto const last = p.repeat({a, b}, [&](std::vector<variable> const& carried) {
    p.dispatch({carried[0]}, 1);
    p.yield({carried[1], carried[0]});
  });
  p.dispatch({c}, 3);
  p.dispatch({last[1]}, 2);
  CHECK(domains(p) == "a b: 1-2; c: 3");
}

TEST_CASE("what a variable holds where a loop is left early, it may hold behind it") {
  program p;
  auto const a = p.allocate("a"), b = p.allocate("b");
  auto const w = p.view(a);
  p.repeat({}, [&](auto const&) {
    p.view_into(w, b);
    p.branch(0, [&] { p.leave(); });
    p.view_into(w, a);
  });
  p.dispatch({w}, 0);
  CHECK(domains(p) == "a b: 0");
}

TEST_CASE("a view may stand before its allocation, and a use before what is set") {
  program p;
  auto const pointer = p.fresh();
  p.repeat({}, [&](auto const&) {
    p.dispatch({p.view(pointer)}, 2);
    p.add({.role = mpmd::window_role::allocation, .sets = {pointer}, .name = "late"});
  });
  CHECK(domains(p) == "late: 2");
}

TEST_CASE("results of collectives are their data or target") {
  struct {
    collective_kind kind;
    std::vector<int> operands;  // 0 the target, 1 the signal, 2 and on others
    std::string expected;
  } const cases[] = {
      {collective_kind::allreduce, {0, 1}, "target signal: 0-1; input: 7; counts: 8; received: 9"},
      {collective_kind::broadcast, {0, 1}, "target signal: 0-1; input: 7; counts: 8; received: 9"},
      {collective_kind::reduce_scatter, {0, 1}, "target signal: 0-1; input: 7; counts: 8; received: 9"},
      {collective_kind::allgather, {2, 0, 1}, "target signal: 0-1; input: 7; counts: 8; received: 9"},
      {collective_kind::all_to_all, {2, 0, 1}, "target signal: 0-1; input: 7; counts: 8; received: 9"},
      {collective_kind::all_to_all_v, {2, 0, 1, 3, 4}, "target signal: 0-1; input: 7; counts: 8; received: 0-1 9"},
      {collective_kind::barrier, {0}, "target: 0-1; input: 7; counts: 8; received: 9"},
  };
  for (auto const& c : cases) {
    CAPTURE(static_cast<int>(c.kind));
    program p;
    std::vector<variable> const w{p.window("target"), c.kind == collective_kind::barrier ? variable{} : p.window("signal"),
                                  p.window("input"), p.window("counts"), p.window("received")};
    p.dispatch({w[0]}, 0);
    p.dispatch({w[2]}, 7);
    p.dispatch({w[3]}, 8);
    p.dispatch({w[4]}, 9);
    std::vector<variable> operands;
    for (int const i : c.operands) operands.push_back(w[static_cast<std::size_t>(i)]);
    p.dispatch({p.collective(c.kind, operands)}, 1);
    CHECK(domains(p) == c.expected);
  }
}

TEST_CASE("signals take the devices of the data in whatever order collectives stand") {
  program p;
  auto const d = p.window("d"), s = p.window("s"), t = p.window("t"), u = p.window("u");
  p.collective(collective_kind::barrier, {u});
  p.collective(collective_kind::broadcast, {t, u});
  p.collective(collective_kind::broadcast, {s, t});
  p.collective(collective_kind::allreduce, {d, s});
  p.dispatch({d}, 4);
  CHECK(domains(p) == "d s t u: 4");
  p.dispatch({t}, 5);
  CHECK(domains(p) == "d s: 4; t u: 4-5");
}

TEST_CASE("a signal takes the devices of the whole buffer, through whichever view") {
  program p;
  auto const buffer = p.allocate("d");
  auto const seen = p.view(buffer), reduced = p.view(buffer), s = p.window("s");
  p.dispatch({seen}, 2);
  p.collective(collective_kind::allreduce, {p.copy(reduced), s});
  CHECK(domains(p) == "d s: 2");
}

TEST_CASE("collectives make no devices out of nothing") {
  program p;
  auto const s = p.window("s"), t = p.window("t");
  p.collective(collective_kind::broadcast, {s, t});
  p.collective(collective_kind::broadcast, {t, s});
  CHECK(domains(p) == fault(window_fault::data_without_devices));
  program q;
  q.collective(collective_kind::barrier, {q.window("s")});
  CHECK(domains(q) == fault(window_fault::signal_without_devices));
}

TEST_CASE("operands of collectives are checked: how many, where, and that they are windows") {
  program p;
  auto const d = p.window("d"), s = p.window("s"), pointer = p.allocate("x");
  auto const count = p.number(1);
  auto with = [&](auto add) {
    program q = p;
    q.dispatch({d, s, q.view(pointer)}, 0);
    add(q);
    return domains(q);
  };
  CHECK(with([&](program& q) { q.collective(collective_kind::allreduce, {d}); }) == fault(window_fault::collective_arity));
  CHECK(with([&](program& q) { q.collective(collective_kind::barrier, {d, s}); }) ==
        fault(window_fault::collective_arity));
  CHECK(with([&](program& q) { q.collective(collective_kind::allreduce, {count, s}); }) ==
        fault(window_fault::operand_is_no_variable));
  CHECK(with([&](program& q) { q.collective(collective_kind::allreduce, {d, q.opaque()}); }) ==
        fault(window_fault::operand_is_no_window));
  CHECK(with([&](program& q) { q.collective(collective_kind::allreduce, {pointer, s}); }) ==
        fault(window_fault::operand_is_no_window));
  auto const five = std::vector{d, d, s, d, s};
  CHECK(with([&](program& q) { q.branch(0, [&] { q.collective(collective_kind::all_to_all_v, five); }); }) ==
        "d s x: 0");
  CHECK(with([&](program& q) {
          q.repeat({}, [&](auto const&) { q.branch(0, [&] { q.collective(collective_kind::all_to_all_v, five); }); });
        }) == fault(window_fault::collective_in_loop));
}

TEST_CASE("faults of allocations come last and in program order, those of collecting first") {
  program p;
  p.allocate("dead");
  auto const unused = p.window("unused");
  CHECK(domains(p) == fault(window_fault::dead_allocation));
  p.dispatch_at({unused}, p.opaque());
  CHECK(domains(p) == fault(window_fault::no_induction_variable));
  p.add({.role = mpmd::window_role::allocation, .sets = {p.fresh()}});
  CHECK(domains(p) == fault(window_fault::allocation_unnamed));
  program q;
  q.dispatch({q.window("tmp"), q.window("tmp")}, 0);
  CHECK(domains(q) == fault(window_fault::duplicate_name));
  program r;
  r.dispatch({r.window("tmp")}, 0);
  r.dispatch({r.window("tmp")}, 1);
  CHECK(domains(r) == "tmp: 0; tmp: 1");
}

TEST_CASE("functions stand apart, in the order of their names") {
  program p;
  p.dispatch({p.window("m")}, 1);
  p.add_function("another");
  p.dispatch({p.window("a")}, 2);
  CHECK(domains(p, 0) == "a: 2");
  CHECK(domains(p, 1) == "m: 1");
}

TEST_CASE("ranges of a hundred million devices take no room") {
  program p;
  auto const w = p.window("w");
  p.range(0, 100'000'000, [&](variable r) { p.dispatch_at({w}, r); });
  p.dispatch({w}, 1'000'000'000);
  CHECK(domains(p) == "w: 0-99999999 1000000000");
}

TEST_CASE("a hundred thousand views, aliases and nested loops are no burden") {
  program p;
  auto const buffer = p.allocate("b");
  auto w = p.view(buffer);
  for (int i = 0; i < 100'000; ++i) w = p.copy(w);
  p.dispatch({w}, 1);
  CHECK(domains(p) == "b: 1");
}

}  // namespace window_trace_test
