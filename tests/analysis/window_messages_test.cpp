// What is said about faulty windows, why a device is there, and what is known of integers.
#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <mpmd/analysis/integer_range.hpp>
#include <mpmd/analysis/window_messages.hpp>
#include <mpmd/analysis/window_trace.hpp>
#include <mpmd/analysis/window_why.hpp>

#include "analysis/window_program.hpp"

namespace window_messages_test {

namespace {

using mpmd::collective_kind;
using mpmd::integer_fact;
using mpmd::integer_op;
using mpmd::integer_range;
using window_model::program;
using window_model::variable;

mpmd::diagnostic problem(program const& p) {
  auto const trace = mpmd::trace_windows(p);
  return mpmd::describe(trace, trace.functions[0]);
}
bool has_note(mpmd::diagnostic const& d, std::string const& text) {
  for (auto const& n : d.notes)
    if (n.message.find(text) != std::string::npos) return true;
  return false;
}
std::string text(std::optional<integer_range> const& r) {
  if (!r) return "unknown";
  return std::to_string(r->first) + ".." + std::to_string(r->last) + "/" + std::to_string(r->step);
}

}  // namespace

TEST_CASE("each fault has its sentence and says what to write instead") {
  auto with = [](auto fill) {
    program p;
    auto const a = p.window("data"), s = p.window("signal");
    fill(p, a, s);
    return p;
  };
  auto on = [](program& p, variable w, std::int64_t start, std::int64_t stop, std::int64_t step) {
    p.loop(p.number(start), p.number(stop), p.number(step), {}, [&](variable r, auto const&) { p.dispatch_at({w}, r); });
  };
  struct {
    program p;
    std::string message;
  } const cases[] = {
      {with([](program& p, variable a, variable) { p.dispatch_at({a}, p.number(-1)); }),
       "MaterializeCommDomainScopes: device= ConstInt must be non-negative, got -1"},
      {with([&](program& p, variable a, variable) { on(p, a, 0, 4, 2); }),
       "MaterializeCommDomainScopes: device=r over a non-unit-step loop is not supported (step=2)"},
      {with([&](program& p, variable a, variable) { on(p, a, -2, 4, 1); }),
       "MaterializeCommDomainScopes: device=r loop range must be [0, N) with N>=0"},
      {with([](program& p, variable a, variable) { p.dispatch_at({a}, p.opaque()); }),
       "MaterializeCommDomainScopes: device= Var is not the induction variable of any enclosing pl.range loop"},
      {with([](program& p, variable a, variable) { p.collective(collective_kind::allreduce, {a}); }),
       "MaterializeCommDomainScopes: pld.tensor.allreduce expects exactly two args"},
      {with([](program& p, variable, variable) { p.collective(collective_kind::barrier, {}); }),
       "MaterializeCommDomainScopes: pld.tensor.barrier expects exactly one arg"},
      {with([](program& p, variable a, variable s) { p.collective(collective_kind::allgather, {a, s}); }),
       "MaterializeCommDomainScopes: pld.tensor.allgather expects exactly 3 args"},
      {with([](program& p, variable a, variable s) { p.collective(collective_kind::all_to_all_v, {a, s}); }),
       "MaterializeCommDomainScopes: pld.tensor.all_to_all_v expects exactly 5 args"},
      {with([](program& p, variable a, variable) { p.collective(collective_kind::allreduce, {p.number(1), a}); }),
       "MaterializeCommDomainScopes: pld.tensor.allreduce data/target must be a window view Var"},
      {with([](program& p, variable a, variable) { p.collective(collective_kind::allreduce, {a, p.opaque()}); }),
       "MaterializeCommDomainScopes: pld.tensor.allreduce signal must be produced by pld.tensor.window"},
      {with([](program& p, variable a, variable s) { p.collective(collective_kind::all_to_all, {s, p.opaque(), a}); }),
       "MaterializeCommDomainScopes: pld.tensor.all_to_all target must be produced by pld.tensor.window"},
      {with([](program& p, variable a, variable s) {
         p.collective(collective_kind::all_to_all_v, {a, a, s, a, p.opaque()});
       }),
       "MaterializeCommDomainScopes: pld.tensor.all_to_all_v recv_counts must be produced by pld.tensor.window"},
      {with([](program& p, variable a, variable s) { p.collective(collective_kind::allreduce, {a, s}); }),
       "MaterializeCommDomainScopes: collective data/target buffer has no inferred comm-domain coverage to share with "
       "its signal buffer"},
      {with([](program& p, variable, variable s) { p.collective(collective_kind::barrier, {s}); }),
       "MaterializeCommDomainScopes: pld.tensor.barrier signal buffer has no inferred comm-domain coverage"},
      {with([](program& p, variable, variable) { p.allocate("later"); }),
       "MaterializeCommDomainScopes: pld.tensor.alloc_window_buffer 'data' is not consumed by any chip_orch dispatch"},
      {with([](program& p, variable a, variable s) {
         p.dispatch({a, s}, 0);
         p.allocate("gone");
       }),
       "MaterializeCommDomainScopes: pld.tensor.alloc_window_buffer 'gone' has no pld.tensor.window materialisation (dead "
       "allocation)"},
      {with([](program& p, variable a, variable s) { p.dispatch({a, s, p.window("data")}, 0); }),
       "MaterializeCommDomainScopes: duplicate allocation name 'data' within the same comm domain"},
  };
  for (auto const& c : cases) {
    CAPTURE(c.message);
    auto const found = problem(c.p);
    CHECK(found.message == c.message);
    CHECK(found.level == mpmd::severity::error);
    CHECK_FALSE(found.notes.empty());
  }
}

TEST_CASE("a collective in a loop is refused in words of its own") {
  program p;
  auto const w = p.window("b");
  p.dispatch({w}, 0);
  p.repeat({}, [&](auto const&) { p.collective(collective_kind::all_to_all_v, {w, w, w, w, w}); });
  CHECK(problem(p).message.starts_with(
      "pld.tensor.all_to_all_v is not supported inside a for/while loop in a HOST orchestrator"));
}

TEST_CASE("what nothing uses is explained: dispatches that do not count, and the others of its kind") {
  program p;
  auto const pointer = p.allocate("one");
  auto const w = p.view(pointer);
  p.dispatch_anywhere({w});
  p.range(0, 0, [&](variable r) { p.dispatch_at({w}, r); });
  p.dispatch({pointer}, 1);
  p.allocate("two");
  auto const d = problem(p);
  CHECK(d.message.find("'one' is not consumed") != std::string::npos);
  CHECK(has_note(d, "has no device="));
  CHECK(has_note(d, "never runs"));
  CHECK(has_note(d, "the pointer, not a window"));
  CHECK(has_note(d, "'two' has no pld.tensor.window materialisation"));
}

TEST_CASE("windows of one collective in different domains are warned of") {
  program p;
  auto const a = p.window("a"), s = p.window("s");
  p.dispatch({a}, 0);
  p.dispatch({s}, 3);
  p.collective(collective_kind::allreduce, {a, s});
  auto const trace = mpmd::trace_windows(p);
  std::vector<mpmd::diagnostic> seen;
  mpmd::diagnostics diags([&](mpmd::diagnostic const& d) { seen.push_back(d); });
  mpmd::warn_of_split_collectives(trace, trace.functions[0], diags);
  REQUIRE(seen.size() == 1);
  CHECK(seen[0].level == mpmd::severity::warning);
  CHECK(has_note(seen[0], "'a' is on {0}"));
  CHECK(has_note(seen[0], "'s' is on {0, 3}"));
}

TEST_CASE("why a device is there: from the allocation through views and collectives to a dispatch") {
  program p;
  auto const d = p.window("d"), s = p.window("s");
  p.dispatch({p.copy(d)}, 4);
  p.range(8, 11, [&](variable r) { p.dispatch_at({d}, r); });
  p.collective(collective_kind::allreduce, {d, s});
  auto const trace = mpmd::trace_windows(p);
  mpmd::window_explainer explain(trace);
  // d's own: allocation, view, copy, dispatch.
  auto const own = explain.why(0, 4);
  CHECK(own.nodes.size() == 3);
  CHECK(own.dispatch == 0);
  // The signal's: allocation and view, then view and allocation of the data, and on as above.
  auto const inherited = explain.why(1, 4);
  CHECK(inherited.nodes.size() == 6);
  CHECK(inherited.nodes[0] == trace.graph.allocations[1].n);
  CHECK(inherited.dispatch == 0);
  CHECK(explain.why(1, 9).dispatch == 1);
  CHECK(explain.why(1, 5).nodes.empty());
  CHECK(explain.why_all(0).size() == 2);
}

TEST_CASE("sets of devices are written short") {
  CHECK(mpmd::to_text(mpmd::device_set::all()) == "all devices");
  CHECK(mpmd::to_text(mpmd::device_set(2, 2)) == "{2}");
  mpmd::device_set some(0, 1);
  some.insert({5, 9});
  CHECK(mpmd::to_text(some) == "{0, 1, 5, ..., 9}");
}

TEST_CASE("arithmetic on ranges knows all values, and exactly those where one operand is a number") {
  using kind = integer_op::kind;
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max(), least = std::numeric_limits<std::int64_t>::min();
  integer_range const to_three{0, 3, 1}, even{0, 6, 2}, two{2, 2, 0}, minus_two{-2, -2, 0}, zero{0, 0, 0};
  struct {
    kind computes;
    integer_range a, b;
    std::string expected;
  } const cases[] = {
      {kind::add, to_three, two, "2..5/1"},
      {kind::add, even, even, "0..12/2"},
      {kind::add, {most, most, 0}, two, "unknown"},
      {kind::subtract, two, to_three, "-1..2/1"},
      {kind::multiply, to_three, two, "0..6/2"},
      {kind::multiply, minus_two, to_three, "-6..0/2"},
      {kind::multiply, to_three, to_three, "0..9/1"},
      {kind::multiply, {least, least, 0}, minus_two, "unknown"},
      {kind::negate, to_three, {}, "-3..0/1"},
      {kind::floor_divide, {-3, -3, 0}, two, "-2..-2/0"},
      {kind::floor_divide, even, two, "0..3/1"},
      {kind::floor_divide, even, zero, "unknown"},
      {kind::floor_divide, {least, least, 0}, {-1, -1, 0}, "unknown"},
      {kind::floor_modulo, to_three, two, "0..1/1"},
      {kind::floor_modulo, {-3, -3, 0}, two, "1..1/0"},
      {kind::floor_modulo, to_three, {8, 8, 0}, "0..3/1"},
      {kind::floor_modulo, to_three, minus_two, "unknown"},
      {kind::minimum, to_three, two, "0..2/1"},
      {kind::maximum, to_three, two, "2..3/1"},
  };
  for (auto const& c : cases) {
    CAPTURE(static_cast<int>(c.computes));
    CAPTURE(c.expected);
    CHECK(text(mpmd::combine(c.computes, c.a, c.b)) == c.expected);
  }
}

TEST_CASE("a loop makes no round, or has known values, or is unknown") {
  auto rounds = [](std::int64_t start, std::int64_t stop, std::int64_t step) {
    return mpmd::rounds_of(integer_fact::literal(start), integer_fact::literal(stop), integer_fact::literal(step));
  };
  CHECK(text(rounds(0, 4, 1).values) == "0..3/1");
  CHECK(text(rounds(1, 8, 3).values) == "1..7/3");
  CHECK(text(rounds(5, 6, 9).values) == "5..5/0");
  CHECK(rounds(0, 0, 1).never);
  CHECK(rounds(3, 1, 2).never);
  CHECK(rounds(1, 3, -1).never);
  CHECK_FALSE(rounds(3, 1, -1).never);
  CHECK_FALSE(rounds(0, 4, 0).never);
  CHECK_FALSE(mpmd::rounds_of(integer_fact::literal(0), integer_fact::devices(), integer_fact::literal(1)).never);
}

}  // namespace window_messages_test
