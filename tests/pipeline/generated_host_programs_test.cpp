// Generated host programs: read, printed, traced, materialised, lowered, run; against what brute force finds.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <mpmd/ir/assign_type_symmetry.hpp>
#include <mpmd/ir/equality.hpp>
#include <mpmd/ir/structural_hash.hpp>
#include <mpmd/ir/traits.hpp>
#include <mpmd/ir/verify.hpp>
#include <mpmd/pipeline/comm_domain_passes.hpp>
#include <mpmd/sim/host_compare.hpp>
#include <mpmd/sim/simulate_host.hpp>
#include <mpmd/text/mlir.hpp>
#include <mpmd/text/python.hpp>

#include "testing/random_host_programs.hpp"
#include "testing/sanitized.hpp"

namespace generated_host_programs_test {

namespace {

namespace ir = mpmd::ir;
namespace host = mpmd::ir::host;
using mpmd::testing::brute_domains;
using mpmd::testing::random_host_function;
using mpmd::testing::random_host_program;

struct messages {
  std::vector<mpmd::diagnostic> all;
  mpmd::diagnostics diags{[this](mpmd::diagnostic const& d) { all.push_back(d); }};

  std::string first() const { return all.empty() ? std::string{} : all[0].id + ": " + all[0].message; }
};

ir::program read(std::string const& text) {
  messages said;
  auto p = mpmd::text::read_python(std::make_shared<ir::context>(), "random.py", text, said.diags);
  INFO(said.first());
  REQUIRE(p);
  REQUIRE(said.diags.errors() == 0);
  return std::move(*p);
}

// Verifier clean, and the same program from its text. Returns the text.
std::string check(ir::program const& p) {
  messages said;
  bool const valid = ir::verify(p, said.diags);
  INFO(said.first());
  REQUIRE(valid);
  std::string const text = mpmd::text::to_python(p);
  ir::program const again = read(text);
  REQUIRE(ir::structural_equal(p, again));
  REQUIRE(ir::structural_hash(p) == ir::structural_hash(again));
  REQUIRE(mpmd::text::to_python(again) == text);
  return text;
}

// The same program from MLIR's syntax.
void check_generic(ir::program const& p) {
  messages said;
  auto const generic = mpmd::text::read_mlir(std::make_shared<ir::context>(), "random.mlir",
                                             mpmd::text::to_mlir(p, {.generic = true}), said.diags);
  REQUIRE(generic);
  REQUIRE(ir::structural_equal(p, *generic));
  REQUIRE(ir::structural_hash(p) == ir::structural_hash(*generic));
}

template <class Pass>
bool run(Pass const& pass, ir::program& p, messages& said) {
  return pass(p, said.diags);
}

// The scopes of a function as brute force has them.
std::map<std::string, brute_domains::devices> scopes_of(ir::program const& p, std::string_view function) {
  std::map<std::string, brute_domains::devices> found;
  for (ir::op const f : host::functions(p)) {
    if (host::function_name(p, f) != function) continue;
    ir::walk(p, f, [&](ir::op o) {
      if (!p.is(o, ir::opcode::host_comm_domain)) return;
      brute_domains::devices d;
      d.all = host::devices(p, o).empty();
      d.numbers.insert(host::devices(p, o).begin(), host::devices(p, o).end());
      for (ir::value const w : host::slots(p, o)) found.emplace(std::string(host::hint(p, w)), d);
    });
  }
  return found;
}

mpmd::sim::host_options options_of(random_host_function const& f, std::int64_t ranks, std::uint64_t decisions) {
  mpmd::sim::host_options o;
  o.ranks = static_cast<mpmd::sim::rank>(ranks);
  // Parameters are asked for in order; those that no branch asks are not.
  std::vector<std::int64_t> answers;
  for (std::size_t d = 0; d < f.decisions; ++d)
    if ((f.asked() >> d & 1) != 0) answers.push_back(static_cast<std::int64_t>(decisions >> d & 1));
  o.choose = [answers, next = std::size_t{0}](std::int64_t) mutable {
    return next < answers.size() ? answers[next++] : std::int64_t{0};
  };
  return o;
}

// What holds of every host function with allocations behind the pass: a chain of scopes around the body, as many as there
// are domains; each allocation the base of one slot; slots and scopes in the order of allocations; views and their calls
// refer to the slot of their allocation; other functions have windows nowhere.
void check_shape(ir::program const& p) {
  for (ir::op const f : host::functions(p)) {
    if (!host::is_host_orchestrator(p, f)) {
      ir::walk(p, f, [&](ir::op o) {
        for (ir::value const v : p.results(o)) REQUIRE_FALSE(host::window_of(p, v));
      });
      continue;
    }
    std::vector<ir::value> allocated, slots;
    std::map<ir::value, ir::value> slot_of;  // by pointer
    std::vector<std::vector<std::size_t>> places;
    ir::walk(p, f, [&](ir::op o) {
      if (!p.is(o, ir::opcode::host_assign)) return;
      ir::op const call = host::call_of(p, p.operand(o, 1));
      if (call && host::called_op(p, call) == "pld.tensor.alloc_window_buffer") allocated.push_back(p.operand(o, 0));
    });
    ir::op around = f;
    std::size_t depth = 0;
    for (bool inner = true; inner; ++depth) {
      inner = false;
      std::vector<ir::op> statements;
      for (ir::op const o : ir::ops(p, host::body_of(p, around)))
        if (host::is_statement(p, o)) statements.push_back(o);
      if (statements.size() != 1 || !p.is(statements[0], ir::opcode::host_comm_domain)) break;
      around = statements[0];
      inner = true;
      REQUIRE(host::domain_name(p, around) == "comm_d" + std::to_string(depth));
      auto& in_order = places.emplace_back();
      for (ir::value const w : host::slots(p, around)) {
        ir::value const base = p.operand(p.defining_op(w), 0);
        REQUIRE(slot_of.emplace(base, w).second);
        auto const at = std::find(allocated.begin(), allocated.end(), base);
        REQUIRE(at != allocated.end());
        in_order.push_back(static_cast<std::size_t>(at - allocated.begin()));
      }
      REQUIRE(std::is_sorted(in_order.begin(), in_order.end()));
    }
    REQUIRE(slot_of.size() == allocated.size());
    REQUIRE(std::is_sorted(places.begin(), places.end()));
    std::size_t domains = 0;
    ir::walk(p, f, [&](ir::op o) {
      domains += p.is(o, ir::opcode::host_comm_domain);
      if (!p.is(o, ir::opcode::host_assign)) return;
      ir::op const call = host::call_of(p, p.operand(o, 1));
      if (!call || host::called_op(p, call) != "pld.tensor.window") return;
      ir::value const w = host::window_of(p, p.operand(o, 0));
      REQUIRE(w);
      REQUIRE(w == host::window_of(p, p.operand(o, 1)));
      if (auto const at = slot_of.find(host::arguments(p, call)[0]); at != slot_of.end()) REQUIRE(w == at->second);
    });
    REQUIRE(domains == places.size());
  }
}

// Runs a program in every way, with as many ranks as it needs and with 8.
template <class F>
bool each_run(random_host_function const& f, ir::program const& p, messages& said, F inspect) {
  for (std::int64_t const ranks : std::set<std::int64_t>{f.ranks_needed, 8})
    for (std::uint64_t const d : f.ways()) {
      auto const ran = mpmd::sim::simulate_host(p, said.diags, options_of(f, ranks, d));
      if (!ran) return false;
      inspect(ranks, d, *ran);
    }
  return true;
}

// Each buffer is on all ranks that touch it, and those that brute force sees touch it are among these.
void compare_touched(random_host_function const& f, std::int64_t ranks, std::uint64_t decisions,
                     mpmd::sim::host_simulation const& ran) {
  auto const expected = mpmd::testing::host_runner(f, ranks, decisions).found;
  for (auto const& a : ran.functions[0].allocations) {
    CAPTURE(a.name);
    REQUIRE(std::includes(a.on.begin(), a.on.end(), a.touched.begin(), a.touched.end()));
    auto const at = expected.dispatched.find(a.name);
    if (at == expected.dispatched.end()) continue;
    for (std::int64_t const d : at->second)
      REQUIRE(std::binary_search(a.touched.begin(), a.touched.end(), static_cast<mpmd::sim::rank>(d)));
  }
}

// A domain that has lost a device does not pass a run: `text` is the materialised program.
void check_that_a_wrong_domain_is_caught(random_host_function const& f, std::string const& text, std::size_t& caught) {
  std::string_view const list = "devices=[";
  for (auto at = text.find(list); at != std::string::npos; at = text.find(list, at + 1)) {
    auto const first = at + list.size();
    auto const comma = text.find_first_of(",]", first);
    if (text[comma] == ']') continue;  // one device, or all
    std::string const cut = text.substr(0, first) + text.substr(comma + 2);
    messages said;
    bool const good = each_run(f, read(cut), said, [](auto...) {});
    CAPTURE(cut);
    REQUIRE_FALSE(good);
    REQUIRE((said.all[0].id == "sim.window" || said.all[0].id == "sim.domain"));
    ++caught;
  }
}

void check_good(random_host_program const& made, std::uint64_t seed, std::size_t& caught) {
  ir::program p = read(made.text);
  check(p);
  messages said;
  auto again = [&](auto const& pass, std::string const& text) {
    messages silent;
    REQUIRE(run(pass, p, silent));
    REQUIRE(mpmd::text::to_python(p) == text);
  };
  REQUIRE(run(mpmd::synthesize_allreduce_signals{}, p, said));
  std::string const with_signals = check(p);
  again(mpmd::synthesize_allreduce_signals{}, with_signals);
  bool const materialised = run(mpmd::materialize_comm_domain_scopes{}, p, said);
  INFO(said.first());
  REQUIRE(materialised);
  REQUIRE(said.all.empty());
  std::string const scoped = check(p);
  check_shape(p);
  check_generic(p);
  again(mpmd::materialize_comm_domain_scopes{}, scoped);
  REQUIRE(host::verify_assign_type_symmetry(p, said.diags));
  REQUIRE(run(mpmd::verify_comm_domain_scopes{}, p, said));
  REQUIRE(said.all.empty());
  for (auto const& f : made.functions) {
    CAPTURE(f.name);
    auto const found = scopes_of(p, f.name);
    brute_domains const expected(f);
    for (auto const& buffer : f.buffers) {
      CAPTURE(buffer);
      REQUIRE(found.contains(buffer));
      REQUIRE(found.at(buffer) == expected.of.at(buffer));
    }
  }
  std::vector<mpmd::sim::host_simulation> runs;
  bool const one = made.functions.size() == 1;
  auto const& f = made.functions[0];
  if (one) {
    bool const ran = each_run(f, p, said, [&](std::int64_t ranks, std::uint64_t d, auto const& r) {
      compare_touched(f, ranks, d, r);
      runs.push_back(r);
    });
    INFO(said.first());
    REQUIRE(ran);
  }
  bool const lowered = run(mpmd::lower_host_tensor_collectives{}, p, said);
  INFO(said.first());
  REQUIRE(lowered);
  std::string const launches = check(p);
  again(mpmd::lower_host_tensor_collectives{}, launches);
  if (one) {
    std::size_t next = 0;
    REQUIRE(each_run(f, p, said, [&](std::int64_t, std::uint64_t, auto const& r) {
      REQUIRE(mpmd::sim::same_runs(runs[next++], r, said.diags));
    }));
    if (seed % 4 == 0) check_that_a_wrong_domain_is_caught(f, scoped, caught);
  } else {
    mpmd::sim::host_options options;
    options.ranks = static_cast<mpmd::sim::rank>(made.ranks_needed());
    REQUIRE(mpmd::sim::simulate_host(p, said.diags, options));
  }
  REQUIRE(said.all.empty());
}

using devices_by_buffer = std::map<std::string, brute_domains::devices>;

// Puts scopes around a function that the pass refuses: buffers on these devices, and the others on none.
void force_scopes(ir::program& p, std::string_view function, devices_by_buffer const& on) {
  using traits = mpmd::ir_traits<ir::program>;
  ir::op in;
  for (ir::op const f : host::functions(p))
    if (host::function_name(p, f) == function) in = f;
  REQUIRE(in);
  std::vector<mpmd::allocated_buffer<ir::op, ir::value>> buffers;
  std::vector<brute_domains::devices> domains;
  std::vector<std::size_t> domain_of;
  std::vector<ir::op> firsts;  // of each domain its first allocation
  ir::walk(p, in, [&](ir::op o) {
    if (!p.is(o, ir::opcode::host_assign)) return;
    ir::op const call = host::call_of(p, p.operand(o, 1));
    if (!call || host::called_op(p, call) != "pld.tensor.alloc_window_buffer") return;
    auto const at = on.find(std::string(host::hint(p, p.operand(o, 0))));
    if (at == on.end()) return;
    buffers.push_back({call, p.operand(o, 0)});
    auto const known = std::find(domains.begin(), domains.end(), at->second);
    domain_of.push_back(static_cast<std::size_t>(known - domains.begin()));
    if (known != domains.end()) return;
    domains.push_back(at->second);
    firsts.push_back(call);
  });
  if (buffers.empty()) return;
  auto const windows =
      traits::create_windows(p, in, std::span<mpmd::allocated_buffer<ir::op, ir::value> const>(buffers));
  std::vector<mpmd::scope_recipe<ir::op, ir::value>> scopes(domains.size());
  for (std::size_t i = 0; i < domains.size(); ++i) {
    scopes[i].name = "forced" + std::to_string(i);
    scopes[i].first = firsts[i];
    for (std::int64_t const d : domains[i].numbers) scopes[i].devices.push_back({d, d});
  }
  for (std::size_t i = 0; i < windows.size(); ++i) scopes[domain_of[i]].windows.push_back(windows[i]);
  traits::add_scopes(p, in, std::span<mpmd::scope_recipe<ir::op, ir::value> const>(scopes));
}

// A program that is refused, run with its windows where the same program without the fault has them. Some run fails, but
// for faults in how a program says what it does:
//   * an allreduce inside another expression has no signal and no statement that one could be made for: it is refused for
//     where it stands, and there is nothing to run;
//   * a loop over every other device, and a device that is computed, name devices like any others. Runs fail where these
//     have no part in the window, and only there.
void check_that_runs_show_the_fault(random_host_program const& made) {
  ir::program mended = read(made.mended), p = read(made.text);
  messages said;
  bool const good = run(mpmd::synthesize_allreduce_signals{}, mended, said) &&
                    run(mpmd::materialize_comm_domain_scopes{}, mended, said);
  CAPTURE(made.mended);
  INFO(said.first());
  REQUIRE(good);
  auto const at = std::find_if(made.functions.begin(), made.functions.end(), [](auto const& f) { return !f.fault.empty(); });
  random_host_function const& f = *at;
  if (f.fault == "must be a direct assignment") return;
  messages silent;
  REQUIRE(run(mpmd::synthesize_allreduce_signals{}, p, silent));
  devices_by_buffer of_faulty;
  for (auto const& each : made.functions) {
    auto const on = scopes_of(mended, each.name);
    if (&each == &f) of_faulty = on;
    force_scopes(p, each.name, on);
  }
  constexpr std::int64_t ranks = 8;
  auto fails = [&](std::int64_t parameter) {
    mpmd::sim::host_options options;
    options.ranks = static_cast<mpmd::sim::rank>(ranks);
    // Branches go the first way or the second, all alike; what is asked with more answers is the parameter of the fault.
    options.choose = [parameter](std::int64_t answers) { return answers == 2 ? 0 : parameter; };
    messages found;
    bool const ran = mpmd::sim::simulate_host(p, found.diags, options).has_value();
    REQUIRE(ran == found.all.empty());
    return !ran;
  };
  auto named = [&](std::set<std::int64_t> const& devices) {  // whether the window is on all of them
    auto const& on = of_faulty.at(f.faulty_buffer);
    return on.all || std::includes(on.numbers.begin(), on.numbers.end(), devices.begin(), devices.end());
  };
  if (f.fault.starts_with("non-unit-step"))
    CHECK(fails(0) == !named({0, 2}));
  else if (f.fault.starts_with("device= expression"))
    CHECK(fails(0) == !named({1, 2}));
  else
    CHECK(fails(ranks + 1));
}

void check_faulty(random_host_program const& made) {
  ir::program p = read(made.text);
  std::string const text = check(p);
  std::string fault;
  for (auto const& f : made.functions) fault += f.fault;
  CAPTURE(fault);
  messages said;
  bool const good = run(mpmd::synthesize_allreduce_signals{}, p, said) && run(mpmd::materialize_comm_domain_scopes{}, p, said);
  CHECK_FALSE(good);
  REQUIRE(said.all.size() == 1);
  INFO(said.first());
  CHECK(said.all[0].message.find(fault) != std::string::npos);
  CHECK(said.all[0].where.line > 0);
  // As it stands its windows are on no rank.
  mpmd::sim::host_options options;
  options.ranks = 8;
  CHECK_FALSE(mpmd::sim::simulate_host(p, said.diags, options));
  check_that_runs_show_the_fault(made);
}

}  // namespace

TEST_CASE("two thousand host programs are what brute force says, through every pass and as text") {
  std::size_t faulty = 0, caught = 0;
  constexpr std::uint64_t programs = mpmd::testing::sanitized ? 100 : 2000;
  for (std::uint64_t seed = 0; seed < programs; ++seed) {
    CAPTURE(seed);
    auto const made = mpmd::testing::make_host_program(seed);
    CAPTURE(made.text);
    if (made.faulty()) {
      ++faulty;
      check_faulty(made);
    } else {
      check_good(made, seed, caught);
    }
  }
  CHECK(faulty > programs / 10);
  CHECK(caught > programs / 10);
}

TEST_CASE("the draws are the same with every compiler") {
  std::uint64_t hash = 14695981039346656037u;
  for (std::uint64_t seed = 0; seed < 50; ++seed)
    for (char const c : mpmd::testing::make_host_program(seed).text)
      hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  CHECK(hash == 18187029919595059596u);
}

}  // namespace generated_host_programs_test
