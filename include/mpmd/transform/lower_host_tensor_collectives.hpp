#pragma once
/// -lower-host-tensor-collectives: replaces the collectives of host functions by one launch on each device of the
/// domain that holds their windows.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include <mpmd/analysis/window_messages.hpp>
#include <mpmd/analysis/window_trace.hpp>
#include <mpmd/analysis/window_walk.hpp>
#include <mpmd/graph/mutable_window_program.hpp>
#include <mpmd/support/diagnostics.hpp>

namespace mpmd {

/// Needs the scopes that materialize_comm_domain_scopes makes. All operands of a collective must be windows of one
/// scope, each over a buffer of its own. What can be checked before the program runs is checked: shapes of signals, roots,
/// the number of devices in a ring. The first error is reported, and then nothing changes.
struct lower_host_tensor_collectives {
  static constexpr std::string_view name = "lower-host-tensor-collectives";
  static constexpr std::string_view summary = "Launch the collectives of host functions on each device of their domain";
  static constexpr auto options = std::tuple{};

  template <mutable_window_program P>
  bool operator()(P& p, diagnostics& diags) const {
    auto const trace = trace_windows(p);
    std::vector<std::pair<op_t<P>, lowered_collective>> all;
    std::uint32_t next = 0;  // of the collectives, which the trace lists in the same order
    for (op_t<P> const& f : window_functions(p)) {
      std::vector<op_t<P>> scopes;  // those open, outermost first
      slot_table slots;
      for (auto const& s : window_steps(p, f)) {
        using kind = typename window_step<op_t<P>>::kind;
        if (s.what == kind::open && ir_traits<P>::is_scope(p, s.o)) {
          for (auto&& w : ir_traits<P>::scope_windows(p, s.o))
            slots[ir_traits<P>::window_number(p, w)] = scopes.size();
          scopes.push_back(s.o);
        }
        if (s.what == kind::close && ir_traits<P>::is_scope(p, s.o)) {
          scopes.pop_back();
          for (auto&& w : ir_traits<P>::scope_windows(p, s.o)) slots.erase(ir_traits<P>::window_number(p, w));
        }
        if (s.what != kind::op || s.role != window_role::collective) continue;
        auto const& traced = trace.graph.collectives[next++];
        call_position const position = ir_traits<P>::position_of(p, s.o);
        if (position != call_position::assigned && position != call_position::statement) {
          diags.warning(window_place(p, s.o), "collective.position",
                        "pld.tensor." + std::string(facts_of(ir_traits<P>::collective_of(p, s.o)).name) +
                            " is neither assigned nor a statement and stays as it is");
          continue;
        }
        auto made = check<P>(trace, traced, s.o, scopes, slots, diags);
        if (!made) return false;
        all.emplace_back(s.o, std::move(*made));
      }
    }
    for (auto const& [o, recipe] : all) ir_traits<P>::lower(p, o, recipe);
    return true;
  }

 private:
  using slot_table = std::unordered_map<std::size_t, std::size_t>;  // by window, the place of its scope among those open

  template <class P>
  static std::optional<lowered_collective> check(window_trace<P> const& trace,
                                                 typename window_graph<P>::collective const& traced, op_t<P> o,
                                                 std::vector<op_t<P>> const& scopes, slot_table const& slots,
                                                 diagnostics& diags) {
    using traits = ir_traits<P>;
    P const& p = trace.program();
    collective_kind const kind = traits::collective_of(p, o);
    collective_facts const& facts = facts_of(kind);
    std::string const called = "pld.tensor." + std::string(facts.name);
    auto fail = [&](std::string_view id, std::string message) -> std::optional<lowered_collective> {
      diags.error(window_place(p, o), id, std::move(message));
      return std::nullopt;
    };
    std::vector<value_t<P>> operands;
    for (auto&& v : window_operands(p, o)) operands.push_back(v);
    if (operands.size() < facts.operands || operands.size() > facts.most_operands)
      return fail("collective.arity", called + " expects exactly " + detail::arity_text(facts));
    operands.resize(facts.operands);
    if (scopes.empty())
      return fail("collective.scope", called + " must appear inside a CommDomainScopeStmt: run "
                                               "-materialize-comm-domain-scopes before");
    std::vector<window_t<P>> windows;
    for (std::size_t i = 0; i < operands.size(); ++i) windows.push_back(traits::window_of(p, operands[i]));
    auto local = [&](std::size_t i) {
      return facts.operand_names[i] == "input" || facts.operand_names[i] == "send_counts";
    };
    for (std::size_t i = 0; i < operands.size(); ++i)
      if (local(i) && !windows[i])
        return fail("collective.unbound", called + " " + std::string(facts.operand_names[i]) +
                                              " must be a window-bound DistributedTensor: a view that pld.window makes "
                                              "of an allocation of this function");
    for (auto const& w : windows)
      if (!w)
        return fail("collective.no-window", called + " window operands must have materialized WindowBuffer "
                                                     "back-references");
    for (std::size_t i = 0; i < windows.size(); ++i)
      if (trace.origin(traced.operands[i]) == window_trace<P>::several)
        return fail("collective.several", called + " " + std::string(facts.operand_names[i]) +
                                              " may be a window of several allocations, which need not be in one "
                                              "domain: call it for each of them");
    for (std::size_t i = 0; i < windows.size(); ++i)
      for (std::size_t j = i + 1; j < windows.size(); ++j)
        if (windows[i] == windows[j])
          return fail("collective.aliasing", called + " " + std::string(facts.operand_names[i]) + " and " +
                                                 std::string(facts.operand_names[j]) +
                                                 " must be different window allocations, distinct buffers: both are "
                                                 "views of one, and the collective would overwrite its own operand");
    // The scope that holds all of them; a window is in one slot of one scope.
    auto const first = slots.find(traits::window_number(p, windows[0]));
    bool const together = first != slots.end() && std::all_of(windows.begin(), windows.end(), [&](window_t<P> const& w) {
      auto const at = slots.find(traits::window_number(p, w));
      return at != slots.end() && at->second == first->second;
    });
    if (!together)
      return fail("collective.split", called + " window buffers must resolve to the same comm-domain scope: its "
                                               "operands are needed on different devices");
    op_t<P> const scope = scopes[first->second];
    lowered_collective made;
    for (device_run const& run : traits::scope_devices(p, scope))
      for (std::int64_t d = run.first; d <= run.last; ++d) made.devices.push_back(d);
    made.result = facts.result;
    if (auto problem = check_form<P>(p, o, kind, operands, made); !problem.empty())
      return fail("collective.form", called + " " + problem);
    return made;
  }

  /// Fills in the launch; says what is wrong with the operands' types and named arguments.
  template <class P>
  static std::string check_form(P const& p, op_t<P> o, collective_kind kind, std::vector<value_t<P>> const& operands,
                                lowered_collective& made) {
    using traits = ir_traits<P>;
    collective_facts const& facts = facts_of(kind);
    auto const ranks = static_cast<std::int64_t>(made.devices.size());  // 0: not known
    auto number = [&](std::string_view key, std::int64_t fallback) {
      return traits::integer_argument(p, o, std::string(key)).value_or(fallback);
    };
    std::size_t signal = 0;
    for (auto const& r : facts.receivers)
      if (r.called == "signal") signal = r.operand;
    bool ring = false;
    std::int64_t lanes = 1;
    if (kind == collective_kind::allreduce) {
      std::string const mode = traits::text_argument(p, o, "mode").value_or("mesh");
      if (mode != "mesh" && mode != "ring") return "mode must be 'mesh' or 'ring', got '" + mode + "'";
      ring = mode == "ring";
      lanes = number("core_num", 1);
      if (lanes <= 0) return "core_num must be positive, got " + std::to_string(lanes);
      if (ring && lanes != 1) return "mode 'ring' supports core_num=1 only, got " + std::to_string(lanes);
      auto const of = traits::element_type(p, operands[0]);
      if (of != "FP16" && of != "FP32")
        return "target dtype must be FP16 or FP32, got " + std::string(of);
    }
    if (traits::element_type(p, operands[signal]) != "INT32")
      return "signal dtype must be INT32, got " + std::string(traits::element_type(p, operands[signal]));
    auto const shape = traits::extents_of(p, operands[signal]);
    std::string const wrong = ring ? check_ring<P>(p, operands[0], shape, ranks)
                                   : check_signal(shape, ranks, lanes, kind == collective_kind::allreduce);
    if (!wrong.empty()) return wrong;
    if (kind == collective_kind::broadcast) {
      std::int64_t const root = number("root", 0);
      if (root < 0) return "root " + std::to_string(root) + " is out of range: devices of a domain are counted from 0";
      if (ranks != 0 && root >= ranks)
        return "root " + std::to_string(root) + " is out of range: the domain has " + std::to_string(ranks) +
               " devices, and the root is the place of one among them";
      made.kept = {{"root", 0}};
    }
    static constexpr std::string_view builtin[] = {
        "builtin.tensor.allreduce", "builtin.tensor.broadcast",  "builtin.tensor.reduce_scatter",
        "builtin.tensor.barrier",   "builtin.tensor.allgather",  "builtin.tensor.all_to_all",
        "builtin.tensor.all_to_all_v"};
    made.operation = ring ? "builtin.tensor.allreduce_ring" : builtin[static_cast<std::size_t>(kind)];
    if (kind == collective_kind::allreduce || kind == collective_kind::reduce_scatter) made.kept = {{"op", 0}};
    if (kind == collective_kind::allreduce && !ring) made.lanes = lanes;
    if (kind != collective_kind::barrier)
      made.typed_by = facts.data == collective_facts::no_operand ? 0 : facts.data;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      bool const read = facts.operand_names[i] == "input" || facts.operand_names[i] == "send_counts";
      made.access.push_back(read ? operand_access::input : operand_access::inout);
    }
    return {};
  }

  using extents = std::vector<std::optional<std::int64_t>>;

  static std::string check_signal(extents const& shape, std::int64_t ranks, std::int64_t lanes, bool may_be_wider) {
    if (shape.empty() || shape.size() > 2)
      return "signal must be of rank 1 or 2, got rank " + std::to_string(shape.size());
    if (shape.size() == 1 && lanes != 1)
      return "signal of rank 1 has one lane, but core_num=" + std::to_string(lanes) +
             " needs a signal [devices, core_num]";
    if (shape.size() == 2) {
      if (!shape[1]) return "signal shape[1] must be a constant";
      if (!may_be_wider && *shape[1] != 1) return "signal shape[1] must be 1, got " + std::to_string(*shape[1]);
      if (*shape[1] < lanes)
        return "signal shape[1] must be at least core_num (" + std::to_string(lanes) + "), got " +
               std::to_string(*shape[1]);
    }
    if (shape[0] && *shape[0] < ranks)
      return "signal shape[0] must be at least the participating device count (" + std::to_string(ranks) + "), got " +
             std::to_string(*shape[0]);
    return {};
  }
  template <class P>
  static std::string check_ring(P const& p, value_t<P> data, extents const& shape, std::int64_t ranks) {
    constexpr std::int64_t most_ranks = 16;
    if (ranks > most_ranks)
      return "mode 'ring' supports at most 16 devices, the domain has " + std::to_string(ranks);
    if (shape.size() != 2)
      return "mode 'ring' needs a signal [2 * (devices - 1) + 1, devices], got rank " + std::to_string(shape.size());
    if (ranks == 0) return {};
    std::int64_t const rounds = 2 * (ranks - 1) + 1;
    if ((shape[0] && *shape[0] != rounds) || (shape[1] && *shape[1] != ranks))
      return "mode 'ring' over " + std::to_string(ranks) + " devices needs a signal [" + std::to_string(rounds) + ", " +
             std::to_string(ranks) + "]";
    std::int64_t left = 1;  // of the number of elements, modulo the number of devices
    for (auto const& e : ir_traits<P>::extents_of(p, data)) {
      if (!e) return {};
      left = (left * (*e % ranks)) % ranks;
    }
    return left == 0 ? std::string{}
                     : "mode 'ring' needs a number of elements that the " + std::to_string(ranks) +
                           " devices can share evenly";
  }
};

}  // namespace mpmd
