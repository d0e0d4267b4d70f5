#pragma once
/// What a running simulation holds: values in their memories, budgets, and the errors it reports.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <mpmd/ir/locate.hpp>
#include <mpmd/ir/program.hpp>
#include <mpmd/sim/evaluation.hpp>
#include <mpmd/sim/memory.hpp>
#include <mpmd/sim/plan.hpp>
#include <mpmd/support/diagnostics.hpp>

namespace mpmd::sim {

/// The state of a machine but for what it runs next. Functions that return bool are false after reporting
/// what is wrong.
struct runtime {
  struct activation {
    std::vector<held> slots;
  };

  ir::program const& p;
  diagnostics& diags;
  simulation_limits limits;
  bool checked;  ///< values are read only where they live
  type_table types;
  program_plan plan;
  work_budget budget;
  std::uint64_t in_use = 0;                  ///< bytes; outlives what is stored
  std::vector<activation> activations = {};  ///< the values of the functions that run

  runtime(ir::program const& of, diagnostics& to, simulation_limits limit, memories memory)
      : p(of),
        diags(to),
        limits(limit),
        checked(memory == memories::one_per_mesh),
        types(of.context()),
        plan(of),
        budget{limit.steps} {}
  runtime(runtime const&) = delete;
  runtime& operator=(runtime const&) = delete;

  // --- Errors --------------------------------------------------------------------------------------------------

  bool fail(ir::op at, std::string_view id, std::string message, std::vector<diagnostic::note> notes = {}) {
    diags.emit(
        {severity::error, "sim." + std::string(id), ir::locate(p, at), std::move(message), std::move(notes)});
    return false;
  }
  std::string quoted(ir::op o) const { return "'" + std::string(p.kind_text(o)) + "'"; }
  std::string where(memory_id m) const {
    return m == unplaced ? std::string("no mesh") : "mesh '" + types.name(m) + "'";
  }
  bool malformed(ir::op o, std::string_view what) {
    return fail(o, "malformed", quoted(o) + " cannot be simulated: " + std::string(what));
  }
  bool misplaced(ir::op o, std::string what, ir::value v, held const& h) {
    std::string made =
        p.is_argument(v) ? "an argument" : "a result of '" + std::string(p.kind_text(p.defining_op(v))) + "'";
    return fail(o, "placement", quoted(o) + " " + std::move(what),
                {{ir::locate(p, v), "the value, " + made + ", lives on " + where(h.home)}});
  }

  // --- Values --------------------------------------------------------------------------------------------------

  std::shared_ptr<stored const> keep(tensor t) {
    return std::make_shared<stored const>(std::move(t), &in_use);
  }

  /// Null if the function that runs has no such value, or not now.
  held* find(ir::value v) {
    auto& slots = activations.back().slots;
    std::uint32_t const s = plan.slot(v);
    return s < slots.size() && slots[s].data ? &slots[s] : nullptr;
  }
  bool read(ir::op o, std::vector<held>& to) {
    for (ir::value const v : p.operands(o)) {
      held const* h = find(v);
      if (h == nullptr) return malformed(o, "it uses a value that does not exist here");
      to.push_back(*h);
    }
    return true;
  }
  /// Gives a value its contents, which must have the form and live in the memory that the type says.
  bool bind(ir::op at, ir::value v, held h) {
    auto const& expected = types[p.type_of(v)];
    tensor const& t = h.data->value;
    if (!expected.form || expected.form->shape != t.shape || expected.form->format != t.format)
      return malformed(at, "a value arrives that has another type than it should");
    if (checked && h.home != expected.home)
      return misplaced(at, "passes a value on to " + where(expected.home), v, h);
    if (!checked) h.home = expected.home;
    auto& slots = activations.back().slots;
    if (plan.slot(v) >= slots.size()) return malformed(at, "it passes values on to another function's");
    slots[plan.slot(v)] = std::move(h);
    return true;
  }
  bool bind_all(ir::op at, std::span<ir::value const> to, std::vector<held> const& from) {
    if (to.size() != from.size()) return malformed(at, "the number of values it passes on is wrong");
    for (std::size_t i = 0; i < to.size(); ++i)
      if (!bind(at, to[i], from[i])) return false;
    return true;
  }
  /// Ends an op: its results exist, and what nothing needs any more goes.
  bool complete(ir::op o, std::vector<held> const& results) {
    if (p.result_count(o) != results.size()) return malformed(o, "the number of its results is wrong");
    for (std::uint32_t i = 0; i < results.size(); ++i)
      if (!bind(o, p.result(o, i), results[i])) return false;
    release(o);
    return true;
  }
  void release(ir::op o) {
    for (std::uint32_t const s : plan.released_by(o)) activations.back().slots[s] = {};
  }
  static void forget_homes(std::vector<held>& values) {
    for (held& h : values) h.home = unplaced;
  }

  /// Charges for a result, which must be of a type that is simulated and not too large.
  bool check_type(ir::op o, ir::value v) {
    auto const& facts = types[p.type_of(v)];
    if (!facts.form) return malformed(o, "a value in it has a type that is not simulated");
    if (facts.elements > limits.elements)
      return fail(o, "too-large",
                  "too large to simulate: a result of " + quoted(o) + " has " +
                      std::to_string(facts.elements) + " elements; the limit is " +
                      std::to_string(limits.elements));
    return budget.charge(facts.elements) || out_of_steps(o);
  }

  /// Ops outside fragments compute on values that live on no mesh.
  bool readable(ir::op o, std::vector<held> const& values) {
    for (std::uint32_t i = 0; checked && i < values.size(); ++i)
      if (values[i].home != unplaced)
        return misplaced(o, "reads a value of a mesh outside of any fragment", p.operand(o, i), values[i]);
    return true;
  }
  bool out_of_steps(ir::op o) {
    return fail(o, "budget",
                "the simulation stops here after " + std::to_string(limits.steps) +
                    " steps: the program takes too long, or does not end");
  }
  bool out_of_memory(ir::op o) {
    return fail(o, "memory",
                "too large to simulate: all values together take more than " + std::to_string(limits.bytes) +
                    " bytes here");
  }
};

}  // namespace mpmd::sim
