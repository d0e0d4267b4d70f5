#pragma once
/// The machine that runs a program op by op. Regions and calls stand on a stack of its own.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <mpmd/ir/effects.hpp>
#include <mpmd/ir/functions.hpp>
#include <mpmd/ir/program.hpp>
#include <mpmd/sim/memory.hpp>
#include <mpmd/sim/runtime.hpp>
#include <mpmd/sim/stablehlo_eval.hpp>
#include <mpmd/support/diagnostics.hpp>

namespace mpmd::sim {

/// Runs one function once; simulate() is how to use it.
class machine {
 public:
  machine(ir::program const& p, diagnostics& diags, simulation_limits limits, memories memory)
      : p_(p), state_(p, diags, limits, memory), symbols_(p) {}
  machine(machine const&) = delete;
  machine& operator=(machine const&) = delete;

  std::optional<simulation> run(ir::op function, std::span<tensor const> inputs) {
    std::vector<held> arguments;
    auto const parameters = ir::parameters(p_, function);
    if (ir::is_declaration(p_, function)) {
      state_.fail(function, "malformed", "the function has no body");
      return std::nullopt;
    }
    if (parameters.size() != inputs.size()) {
      state_.fail(function, "malformed",
                  "the function takes " + std::to_string(parameters.size()) + " arguments, not " +
                      std::to_string(inputs.size()));
      return std::nullopt;
    }
    for (std::size_t i = 0; i < inputs.size(); ++i)
      arguments.push_back({state_.keep(inputs[i]), state_.types[p_.type_of(parameters[i])].home});
    if (!enter(function, function, std::move(arguments))) return std::nullopt;
    while (!frames_.empty())
      if (!step()) return std::nullopt;
    return std::move(made_);
  }

 private:
  static constexpr std::uint64_t op_cost = 64;  // in steps of an element

  // A block that runs. For a function `owner` is the op that called it.
  struct frame {
    ir::op owner = {};
    ir::block body = {};
    ir::op next = {};
    bool of_function = false;
    bool testing = false;            // of a while: runs the condition
    std::uint64_t trip = 0;          // of an mpmd.for
    std::vector<held> carried = {};  // of a while
  };

  // --- Regions and calls ---------------------------------------------------------------------------------------

  bool enter(ir::op caller, ir::op function, std::vector<held> arguments) {
    if (ir::is_declaration(p_, function)) return state_.malformed(caller, "what it calls has no body");
    std::uint32_t const slots = state_.plan.slot_count(function);
    if (!state_.budget.charge(slots)) return state_.out_of_steps(caller);
    state_.in_use += slots * sizeof(held);
    if (state_.in_use > state_.limits.bytes) return state_.out_of_memory(caller);
    state_.activations.push_back({std::vector<held>(slots)});
    ir::block const body = ir::entry_block(p_, function);
    frames_.push_back({.owner = caller, .body = body, .next = p_.first_op(body), .of_function = true});
    return state_.bind_all(caller, p_.arguments(body), arguments);
  }
  bool call(ir::op o, std::vector<held> arguments) {
    ir::op const callee = symbols_.resolve(o, "callee");
    if (!callee || !ir::is_function(p_, callee)) return state_.malformed(o, "there is no such function");
    if (p_.is(o, ir::opcode::mpmd_fragment_call)) {
      if (!check_fragment(o, arguments)) return false;
      state_.forget_homes(arguments);
    }
    return enter(o, callee, std::move(arguments));
  }
  // Runs region i of an op.
  bool run_region(ir::op o, std::uint32_t i, std::vector<held> const& arguments, frame what) {
    auto const regions = p_.regions(o);
    ir::block const body = i < regions.size() ? p_.first_block(regions[i]) : ir::block{};
    if (!body || p_.next_block(body)) return state_.malformed(o, "its regions must have one block each");
    what.owner = o;
    what.body = body;
    what.next = p_.first_op(body);
    frames_.push_back(std::move(what));
    return state_.bind_all(o, p_.arguments(body), arguments);
  }
  bool run_region(ir::op o, std::uint32_t i, std::vector<held> const& arguments) {
    return run_region(o, i, arguments, frame{});
  }

  // The operands of a fragment are in the memory of its mesh.
  bool check_fragment(ir::op o, std::vector<held> const& values) {
    auto const* mesh = p_.attr_if<ir::string_attr>(o, "mesh_name");
    if (mesh == nullptr) return state_.malformed(o, "it has no mesh");
    for (std::uint32_t i = 0; state_.checked && i < values.size(); ++i) {
      if (values[i].data->value.format.what == element_format::kind::token) continue;
      if (values[i].home == unplaced || state_.types.mesh(values[i].home) != mesh->text)
        return state_.misplaced(o, "on mesh '" + mesh->text + "' reads a value that lives elsewhere",
                                p_.operand(o, i), values[i]);
    }
    return true;
  }
  // What an op puts into the memories that the types of its results name; a fragment reaches only its mesh.
  bool place_results(ir::op o, std::vector<held>& values) {
    auto const* mesh =
        p_.is(o, ir::opcode::mpmd_assign) ? nullptr : p_.attr_if<ir::string_attr>(o, "mesh_name");
    for (std::uint32_t i = 0; i < values.size() && i < p_.result_count(o); ++i) {
      memory_id const to = values[i].home = state_.types[p_.type_of(p_.result(o, i))].home;
      if (!state_.checked || mesh == nullptr ||
          values[i].data->value.format.what == element_format::kind::token)
        continue;
      if (to == unplaced || state_.types.mesh(to) != mesh->text)
        return state_.fail(o, "placement",
                           state_.quoted(o) + " on mesh '" + mesh->text + "' writes a result that lives on " +
                               state_.where(to));
    }
    return true;
  }

  std::vector<held> with_index(ir::op loop, std::vector<held> values, std::uint64_t trip) {
    auto const arguments = p_.arguments(p_.first_block(p_.regions(loop)[0]));
    if (arguments.empty()) return values;
    auto const& facts = state_.types[p_.type_of(arguments.back())];
    if (facts.form)
      values.push_back({state_.keep({{}, facts.form->format, {wrap(facts.form->format, trip)}}), facts.home});
    return values;
  }

  // The end of a block.
  bool finish(ir::op end) {
    std::vector<held> values;
    if (!state_.read(end, values)) return false;
    frame f = std::move(frames_.back());
    frames_.pop_back();
    if (f.of_function) {
      state_.in_use -= state_.activations.back().slots.size() * sizeof(held);
      state_.activations.pop_back();
      if (state_.activations.empty()) return deliver(values);
      if (p_.is(f.owner, ir::opcode::mpmd_fragment_call) && !place_results(f.owner, values)) return false;
      return state_.complete(f.owner, values);
    }
    state_.release(end);
    switch (static_cast<ir::opcode>(p_.kind(f.owner).id)) {
      case ir::opcode::mpmd_fragment:
        if (!place_results(f.owner, values)) return false;
        break;
      case ir::opcode::mpmd_for: {
        auto const* iterations = p_.attr_if<ir::integer_attr>(f.owner, "iterations");
        if (iterations == nullptr || f.trip + 1 >= static_cast<std::uint64_t>(iterations->value)) break;
        std::uint64_t const trip = f.trip + 1;
        return run_region(f.owner, 0, with_index(f.owner, std::move(values), trip), {.trip = trip});
      }
      case ir::opcode::stablehlo_while:
        if (!f.testing) return run_region(f.owner, 0, values, {.testing = true, .carried = values});
        if (values.size() != 1 || !values[0].data->value.shape.empty())
          return state_.malformed(f.owner, "its condition must be one scalar");
        if (values[0].data->value.elements[0] != 0) return run_region(f.owner, 1, f.carried, {.carried = {}});
        values = std::move(f.carried);
        break;
      default: break;
    }
    return state_.complete(f.owner, values);
  }
  bool deliver(std::vector<held> const& values) {
    for (held const& h : values) {
      made_.results.push_back(h.data->value);
      made_.result_memories.push_back(state_.types.name(h.home));
    }
    return true;
  }

  // --- Ops -----------------------------------------------------------------------------------------------------

  bool step() {
    ir::op const o = frames_.back().next;
    if (!o) return state_.malformed(frames_.back().owner, "a block in it does not end with a return");
    frames_.back().next = p_.next_op(o);
    ++made_.ops;
    if (!state_.budget.charge(op_cost)) return state_.out_of_steps(o);
    if (state_.in_use > state_.limits.bytes) return state_.out_of_memory(o);
    for (ir::value const v : p_.results(o))
      if (!state_.check_type(o, v)) return false;
    if (p_.has_trait(o, ir::op_trait::terminator)) return finish(o);
    std::vector<held> values;
    return state_.read(o, values) && execute(o, std::move(values));
  }
  bool execute(ir::op o, std::vector<held> values) {
    using enum ir::opcode;
    switch (static_cast<ir::opcode>(p_.kind(o).id)) {
      case func_call:
      case mpmd_call:
      case mpmd_fragment_call: return call(o, std::move(values));
      case mpmd_named_computation:
      case sdy_named_computation: return run_region(o, 0, values);
      case mpmd_fragment:
        if (!check_fragment(o, values)) return false;
        state_.forget_homes(values);
        return run_region(o, 0, values);
      case mpmd_for: {
        auto const* iterations = p_.attr_if<ir::integer_attr>(o, "iterations");
        if (iterations == nullptr || iterations->value <= 0 || p_.regions(o).empty() ||
            !p_.first_block(p_.regions(o)[0]))
          return state_.malformed(o, "it must run a body at least once");
        return run_region(o, 0, with_index(o, std::move(values), 0));
      }
      case stablehlo_while: return run_region(o, 0, values, {.testing = true, .carried = values});
      case stablehlo_if:
      case stablehlo_case: return branch(o, values);
      case mpmd_assign: return assign(o, values);
      case mpmd_unassign:
        if (values.size() != 1) return state_.malformed(o, "it takes one operand");
        if (state_.checked && values[0].home == unplaced)
          return state_.misplaced(o, "takes a value that lives on no mesh", p_.operand(o, 0), values[0]);
        state_.forget_homes(values);
        return state_.complete(o, values);
      case mpmd_transfer: return transfer(o, values);
      case mpmd_named_tensor:
      case mpmd_broadcast:
      case sdy_sharding_constraint:
      case sdy_reshard:
      case sdy_data_flow_edge:
      case sdy_propagation_barrier: return state_.complete(o, values);
      case sdy_sharding_group: return state_.complete(o, {});
      case mpmd_reduce: return reduce(o, values);
      default: return compute(o, values);
    }
  }

  bool branch(ir::op o, std::vector<held> const& values) {
    auto const regions = static_cast<std::uint32_t>(p_.regions(o).size());
    if (values.size() != 1 || !values[0].data->value.shape.empty() || regions == 0)
      return state_.malformed(o, "it needs one scalar to choose by");
    if (!state_.readable(o, values)) return false;
    tensor const& which = values[0].data->value;
    std::uint64_t const asked = which.elements[0];
    if (p_.is(o, ir::opcode::stablehlo_if)) return run_region(o, asked != 0 ? 0 : 1, {});
    return run_region(o, asked < regions ? static_cast<std::uint32_t>(asked) : regions - 1, {});
  }
  bool assign(ir::op o, std::vector<held>& values) {
    if (values.size() != 1) return state_.malformed(o, "it takes one operand");
    if (state_.checked && values[0].home != unplaced)
      return state_.misplaced(o, "takes a value that lives on a mesh already", p_.operand(o, 0), values[0]);
    return place_results(o, values) && state_.complete(o, values);
  }
  bool transfer(ir::op o, std::vector<held>& values) {
    if (values.size() != 1 || p_.result_count(o) != 1) return state_.malformed(o, "it takes one value");
    memory_id const from = state_.types[p_.type_of(p_.operand(o, 0))].home,
                    to = state_.types[p_.type_of(p_.result(o, 0))].home;
    if (state_.checked && (values[0].home != from || from == unplaced || to == unplaced))
      return state_.misplaced(o, "moves a value from " + state_.where(from) + " to " + state_.where(to),
                              p_.operand(o, 0), values[0]);
    if (from != to) {
      auto& pair = made_.transfers[{state_.types.name(from), state_.types.name(to)}];
      ++pair.transfers;
      pair.bytes += values[0].data->value.bytes();
    }
    values[0].home = to;
    return state_.complete(o, values);
  }

  bool reduce(ir::op o, std::vector<held> const& values) {
    auto const* held_kind = p_.attr_if<ir::reduction_attr>(o, "reduction");
    auto const kind = held_kind ? held_kind->kind : reduction_kind::none;
    if (values.empty() || (kind == reduction_kind::none && values.size() != 1))
      return state_.malformed(o, "its reduction does not fit its operands");
    if (!state_.readable(o, values)) return false;
    tensor made = values[0].data->value;
    auto const run = find_binary(reducer(kind));
    for (std::size_t i = 1; i < values.size(); ++i) {
      tensor const& next = values[i].data->value;
      if (!same_form(next, made)) return state_.malformed(o, "its operands have different types");
      for (std::size_t e = 0; e < made.elements.size(); ++e) {
        auto const combined = run(made.format, made.elements[e], next.elements[e]);
        if (!combined) return state_.malformed(o, "its elements cannot be reduced");
        made.elements[e] = *combined;
      }
    }
    return state_.complete(o, {{state_.keep(std::move(made)), unplaced}});
  }
  static std::string_view reducer(reduction_kind kind) {
    switch (kind) {
      case reduction_kind::none: break;
      case reduction_kind::add: return "stablehlo.add";
      case reduction_kind::max: return "stablehlo.maximum";
      case reduction_kind::min: return "stablehlo.minimum";
      case reduction_kind::mul: return "stablehlo.multiply";
      case reduction_kind::or_: return "stablehlo.or";
      case reduction_kind::and_: return "stablehlo.and";
    }
    return {};
  }

  bool compute(ir::op o, std::vector<held> const& values) {
    if (!state_.readable(o, values)) return false;
    evaluation e{p_, o, {}, {}, state_.budget};
    for (held const& h : values) e.inputs.push_back(&h.data->value);
    for (ir::value const v : p_.results(o)) {
      auto const& facts = state_.types[p_.type_of(v)];
      e.outputs.push_back(
          {facts.form->shape, facts.form->format, std::vector<std::uint64_t>(facts.elements)});
    }
    bool const good = evaluate(e, [&](ir::value v) -> tensor const* {
      held const* h = state_.find(v);
      return h == nullptr || (state_.checked && h->home != unplaced) ? nullptr : &h->data->value;
    });
    if (!good && e.error.empty())
      return state_.fail(o, "unknown-op", "the simulation does not know the op " + state_.quoted(o));
    if (e.out_of_steps) return state_.out_of_steps(o);
    if (!good) return state_.malformed(o, e.error);
    if (has_effect(o)) log(o, e.inputs);
    std::vector<held> results;
    for (tensor& t : e.outputs) results.push_back({state_.keep(std::move(t)), unplaced});
    return state_.complete(o, results);
  }
  // A custom call has an effect if it says so; most that say nothing are functions of their operands.
  bool has_effect(ir::op o) const {
    if (!p_.is(o, ir::opcode::stablehlo_custom_call))
      return ir::effects_of(p_, o) == ir::own_effects::unknown;
    auto const* stated = p_.attr_if<ir::integer_attr>(o, "has_side_effect");
    return stated != nullptr && stated->value != 0;
  }
  void log(ir::op o, std::vector<tensor const*> const& inputs) {
    std::string what(p_.kind_text(o));
    if (auto const* target = p_.attr_if<ir::string_attr>(o, "call_target_name")) what += " @" + target->text;
    std::uint64_t h = p_.context().hash_of(p_.properties(o));
    for (tensor const* in : inputs) h = exact::mix(h, digest(*in));
    made_.effects.push_back({std::move(what), h});
  }

  ir::program const& p_;
  runtime state_;
  ir::symbol_tables symbols_;
  std::vector<frame> frames_;
  simulation made_;
};

}  // namespace mpmd::sim
