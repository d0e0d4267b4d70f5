#pragma once
/// Runs the host functions of a program: statements on the host, tasks and collectives on the ranks of a mesh.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <mpmd/ir/host_ops.hpp>
#include <mpmd/ir/host_window_types.hpp>
#include <mpmd/ir/program.hpp>
#include <mpmd/sim/host_arithmetic.hpp>
#include <mpmd/sim/host_calls.hpp>
#include <mpmd/sim/host_values.hpp>

namespace mpmd::sim {

/// Runs one function once; simulate_host() is how to use it. Expressions stand in front of the ops that use them, so each
/// block is run op by op; bodies stand on a stack of its own.
class host_machine : host_calls {
 public:
  host_machine(ir::program const& p, diagnostics& diags, host_options const& options, task_registry const& tasks,
               host_simulation& into)
      : host_calls(p, diags, options, tasks, into) {}

  bool run(ir::op function) {
    begin(function);
    frames_.push_back({.owner = function, .what = frame::kind::function, .next = p_.first_op(host::body_of(p_, function))});
    while (!frames_.empty())
      if (!step()) return false;
    return mesh_.idle(function) && end();
  }

 private:
  struct frame {
    enum class kind : std::uint8_t { function, branch, loop, repeat, test, scope, domain };
    ir::op owner = {};
    kind what = kind::scope;
    ir::op next = {};
    std::int64_t current = 0, stop = 0, by = 0;  // of a loop that counts; of others the rounds begun
    std::vector<host_value> yielded = {};        // of a loop: what it carries now
    std::uint32_t domain = 0;
  };

  bool step() {
    ir::op const o = frames_.back().next;
    if (!charge(o ? o : frames_.back().owner)) return false;
    if (!o) return finish_body();
    frames_.back().next = p_.next_op(o);
    return execute(o);
  }

  bool execute(ir::op o) {
    using enum ir::opcode;
    switch (static_cast<ir::opcode>(p_.kind(o).id)) {
      case host_const:
        if (auto const* i = p_.attr_if<ir::integer_attr>(o, "value")) at(p_.result(o, 0)) = host_value::integer(i->value);
        return true;
      case host_binary:
        at(p_.result(o, 0)) = compute(host::text_of(p_, o, "kind"), at(p_.operand(o, 0)), at(p_.operand(o, 1)));
        return true;
      case host_unary: at(p_.result(o, 0)) = compute(host::text_of(p_, o, "kind"), at(p_.operand(o, 0))); return true;
      case host_call: return call(o);
      case host_tuple: return tuple(o);
      case host_get: {
        host_value const base = at(p_.operand(o, 0));
        auto const which = ir::host::window_members::element_of(p_, o);
        at(p_.result(o, 0)) = base.held && which && *which < base.held->size() ? (*base.held)[*which] : host_value{};
        return true;
      }
      case host_param: return parameter(p_.result(o, 0));
      case host_assign: return assign(o);
      case host_eval: return no_allocation_is_lost(o, p_.operand(o, 0));
      case host_if: {
        bool const taken = choose(o, p_.operand(o, 0), 2) != 0;
        return enter(o, frame::kind::branch, taken ? 0 : 1);
      }
      case host_for: return open_loop(o);
      case host_while: {
        auto const parts = host::parts_of_while(p_, o);
        frame f{.owner = o, .what = frame::kind::test};
        for (ir::value const v : parts.initial) f.yielded.push_back(at(v));
        return test(std::move(f));
      }
      case host_condition: return tested(o);
      case host_scope: return enter(o, frame::kind::scope, 0);
      case host_comm_domain: return open_domain_scope(o);
      case host_yield: return yield(o);
      case host_return: return leave_until(o, [](frame const&) { return false; });
      case host_break:
      case host_continue: return leave(o);
      default: return true;  // declarations, and values that nothing is known of
    }
  }

  // A parameter keeps its value: the seed's choice for numbers, and for booleans either.
  bool parameter(ir::value v) {
    auto const of = host::dtype_name(p_.context(), p_.type_of(v));
    auto const* d = host::find_dtype(of);
    if (d == nullptr || d->is_float || p_.is_unused(v)) return true;
    constexpr std::int64_t most = 4;
    at(v) = host_value::integer(of == "BOOL" ? answer(2) : 1 + answer(most));
    return true;
  }
  // Shapes are tuples too, and nothing takes them apart.
  bool tuple(ir::op o) {
    auto const uses = p_.uses(p_.result(o, 0));
    if (uses.begin() == uses.end() || p_.is((*uses.begin()).user, ir::opcode::host_call)) return true;
    std::vector<host_value> held;
    for (ir::value const v : ir::host::window_members::tuple_elements(p_, p_.result(o, 0))) held.push_back(at(v));
    at(p_.result(o, 0)) = {.what = host_value::kind::tuple,
                           .held = std::make_shared<std::vector<host_value> const>(std::move(held))};
    return true;
  }

  bool assign(ir::op o) {
    ir::value const to = p_.operand(o, 0), from = p_.operand(o, 1);
    host_value const v = at(from);
    if (ir::op const made = host::call_of(p_, from);
        made && host::called_op(p_, made) == "pld.tensor.alloc_window_buffer" && !place(v.buffer, to, o))
      return false;
    // What a call of unknown outcome returns says nothing else than the type of the variable: the window it was, it is.
    else if (made && v.what == host_value::kind::unknown && at(to).is_window() && host::window_of(p_, to))
      return true;
    at(to) = v;
    return true;
  }

  // --- Bodies --------------------------------------------------------------------------------------------------

  bool enter(frame f, std::size_t region) {
    ir::block const body = host::body_of(p_, f.owner, region);
    f.next = body ? p_.first_op(body) : ir::op{};
    frames_.push_back(std::move(f));
    return true;
  }
  bool enter(ir::op o, typename frame::kind what, std::size_t region) {
    return enter(frame{.owner = o, .what = what}, region);
  }
  void bind(std::span<ir::value const> to, std::vector<host_value> const& values) {
    for (std::size_t i = 0; i < to.size() && i < values.size(); ++i) at(to[i]) = values[i];
  }

  bool open_loop(ir::op o) {
    auto const parts = host::parts_of_for(p_, o);
    constexpr std::int64_t most = 4;  // rounds of a loop whose bound is not known
    frame f{.owner = o, .what = frame::kind::loop};
    f.current = choose(o, parts.start, most);
    f.stop = choose(o, parts.stop, most);
    f.by = at(parts.step).is_integer() ? at(parts.step).number : 1;
    if (f.by == 0) return faults_.report(o, "sim.malformed", "a loop has step 0");
    for (ir::value const v : parts.initial) f.yielded.push_back(at(v));
    return next_round(std::move(f));
  }
  // The next round of a loop that counts, or what is behind it.
  bool next_round(frame f) {
    auto const parts = host::parts_of_for(p_, f.owner);
    if (f.by > 0 ? f.current >= f.stop : f.current <= f.stop) {
      bind(parts.results, f.yielded);
      return true;
    }
    at(parts.variable) = host_value::integer(f.current);
    bind(parts.carried, f.yielded);
    if (__builtin_add_overflow(f.current, f.by, &f.current)) f.current = f.stop;
    return enter(std::move(f), 0);
  }
  bool tested(ir::op o) {
    if (frames_.back().what != frame::kind::test || p_.operand_count(o) != 1)
      return faults_.report(o, "sim.malformed", "a condition stands where no loop asks for one");
    frame f = std::move(frames_.back());
    frames_.pop_back();
    auto const parts = host::parts_of_while(p_, f.owner);
    bool again = choose(o, p_.operand(o, 0), 2) != 0;
    // How often it goes on for what nothing in it changes, the program does not say.
    if (again && f.current++ > 0 && is_steady(f.owner)) again = answer(2) != 0;
    if (!again) {
      bind(parts.results, f.yielded);
      return true;
    }
    bind(parts.carried, f.yielded);
    f.what = frame::kind::repeat;
    return enter(std::move(f), 1);
  }
  /// Whether the condition of a loop reads variables, and the loop sets none of them. Found once for each loop, in the
  /// number of their mentions times the depth.
  bool is_steady(ir::op loop) {
    auto const [known, is_new] = steady_.try_emplace(loop.id, false);
    if (!is_new) return known->second;
    auto const is_inside = [&](ir::op o) {
      while (o && o != loop) o = p_.parent_op(o);
      return o == loop;
    };
    bool reads = false;
    for (ir::op const o : ir::ops(p_, host::body_of(p_, loop, 0)))
      for (ir::value const v : p_.operands(o)) {
        if (!host::is_variable(p_, v)) continue;
        reads = true;
        for (ir::use const u : p_.uses(v))
          if (ir::host::window_types::sets(p_, u.user, u.index) && is_inside(u.user)) return false;
      }
    return known->second = reads;
  }
  // The condition of a loop is computed of what it carries.
  bool test(frame f) {
    f.what = frame::kind::test;
    bind(host::parts_of_while(p_, f.owner).carried, f.yielded);
    return enter(std::move(f), 0);
  }

  bool open_domain_scope(ir::op o) {
    auto const made = open_domain(o);
    return made && enter(frame{.owner = o, .what = frame::kind::domain, .domain = *made}, 0);
  }

  // What is yielded belongs to the nearest loop or branch that takes values.
  bool yield(ir::op o) {
    for (auto f = frames_.rbegin(); f != frames_.rend(); ++f) {
      if (f->what == frame::kind::scope || f->what == frame::kind::domain) continue;
      f->yielded.clear();
      for (ir::value const v : p_.operands(o)) f->yielded.push_back(at(v));
      return true;
    }
    return true;
  }

  bool finish_body() {
    frame f = std::move(frames_.back());
    frames_.pop_back();
    switch (f.what) {
      case frame::kind::branch: bind(p_.operands(f.owner).subspan(1), f.yielded); return true;
      case frame::kind::loop: return next_round(std::move(f));
      case frame::kind::repeat: return test(std::move(f));
      case frame::kind::test: return faults_.report(f.owner, "sim.malformed", "a loop computes no condition");
      case frame::kind::domain: return close_domain(f.domain, f.owner);
      default: return true;
    }
  }
  // Leaves bodies until one is to be kept.
  template <class Keep>
  bool leave_until(ir::op o, Keep keep) {
    while (!frames_.empty() && !keep(frames_.back())) {
      if (frames_.back().what == frame::kind::domain && !close_domain(frames_.back().domain, o)) return false;
      frames_.pop_back();
    }
    return true;
  }
  bool leave(ir::op o) {
    auto const is_loop = [](frame const& f) { return f.what == frame::kind::loop || f.what == frame::kind::repeat; };
    if (!leave_until(o, is_loop)) return false;
    if (frames_.empty()) return faults_.report(o, "sim.malformed", "it stands in no loop");
    if (p_.is(o, ir::opcode::host_continue)) {
      frames_.back().next = {};
      return true;
    }
    frame f = std::move(frames_.back());
    frames_.pop_back();
    bind(f.what == frame::kind::loop ? host::parts_of_for(p_, f.owner).results
                                     : host::parts_of_while(p_, f.owner).results,
         f.yielded);
    return true;
  }

  std::vector<frame> frames_;
  std::unordered_map<std::uint32_t, bool> steady_;  // by loop; asked for what is known alone
};

}  // namespace mpmd::sim
