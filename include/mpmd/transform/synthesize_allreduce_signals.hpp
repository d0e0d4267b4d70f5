#pragma once
/// -synthesize-allreduce-signals: gives each allreduce of a host function that has no signal one of its own making, and
/// makes each a statement.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_set>
#include <utility>
#include <vector>

#include <mpmd/analysis/window_messages.hpp>
#include <mpmd/analysis/window_trace.hpp>
#include <mpmd/graph/mutable_window_program.hpp>
#include <mpmd/support/diagnostics.hpp>

namespace mpmd {

/// All allreduces over one buffer share a signal: lowered, they leave its cells as they found them. Those over different
/// buffers do not, or devices that have nothing to do with each other would come to share a domain. Signals are allocated
/// at the top of the function, in the order in which their buffers are first reduced, with as many lanes as the widest of
/// their reductions, and with the tags of their buffers. An allreduce in a return gets a statement of its own.
///
/// An allreduce anywhere else, or with a number of operands other than one and two, is an error, and nothing changes.
struct synthesize_allreduce_signals {
  static constexpr std::string_view name = "synthesize-allreduce-signals";
  static constexpr std::string_view summary = "Allocate a signal for each buffer that is reduced without one";
  static constexpr auto options = std::tuple{};

  template <mutable_window_program P>
  bool operator()(P& p, diagnostics& diags) const {
    auto const trace = trace_windows(p);
    std::vector<plan<P>> plans;
    std::uint32_t next = 0;
    for (auto const& f : trace.graph.functions) {
      plan<P> made{f.o, {}, {}, {}, {}};
      bool const good = add(trace, next, f.collectives, made, diags);
      next = f.collectives;
      if (!good) return false;
      if (!made.implicit.empty() || !made.returned.empty()) plans.push_back(std::move(made));
    }
    if (plans.empty()) return true;
    std::unordered_set<std::string> used;  // asked for membership alone
    for (auto&& n : ir_traits<P>::used_names(p)) used.emplace(n);
    std::size_t number = 0;
    for (plan<P> const& each : plans) change(p, each, used, number);
    return true;
  }

 private:
  template <class P>
  struct plan {
    op_t<P> function;
    std::vector<std::pair<op_t<P>, std::size_t>> implicit;  // allreduces and their groups
    std::vector<op_t<P>> returned;
    std::vector<std::int64_t> lanes;  // by group
    std::vector<std::string> tags;    // by group
  };

  /// What an allreduce reduces: where its data comes from when loops make their first round.
  template <class P>
  static window_node lineage(window_trace<P> const& trace, window_node n) {
    auto const& graph = trace.graph;
    if (auto const a = trace.origin(n); a < window_trace<P>::several) return graph.allocations[a].n;
    std::unordered_set<window_node> seen;
    while (graph.offsets[n] < graph.offsets[n + 1] && seen.insert(n).second) n = graph.sources[graph.offsets[n]];
    return n;
  }

  template <class P>
  static bool add(window_trace<P> const& trace, std::uint32_t from, std::uint32_t to, plan<P>& into,
                  diagnostics& diags) {
    P const& p = trace.program();
    std::map<window_node, std::size_t> groups;
    auto fail = [&](op_t<P> o, std::string_view id, std::string message) {
      diags.error(window_place(p, o), id, std::move(message));
      return false;
    };
    for (auto i = from; i < to; ++i) {
      auto const& c = trace.graph.collectives[i];
      if (c.kind != collective_kind::allreduce) continue;
      call_position const position = ir_traits<P>::position_of(p, c.o);
      if (position == call_position::nested)
        return fail(c.o, "signals.position",
                    "pld.tensor.allreduce must be a direct assignment, expression statement, or return value before "
                    "allreduce signal synthesis.");
      if (c.operand_count != 1 && c.operand_count != 2)
        return fail(c.o, "signals.arity",
                    "pld.tensor.allreduce expects target[, signal], got " + std::to_string(c.operand_count) +
                        " positional arguments");
      if (position == call_position::returned) into.returned.push_back(c.o);
      if (c.operand_count != 1) continue;
      std::int64_t const lanes = ir_traits<P>::integer_argument(p, c.o, "core_num").value_or(1);
      if (lanes <= 0)
        return fail(into.function, "signals.core-num",
                    "pld.tensor.allreduce core_num must be positive, got " + std::to_string(lanes));
      // Data that is no variable has no name to share a signal by.
      auto const place = c.variables[0] ? groups.try_emplace(lineage(trace, c.operands[0]), into.lanes.size())
                                        : std::pair{groups.end(), true};
      std::size_t const group = place.second ? into.lanes.size() : place.first->second;
      if (place.second) {
        into.lanes.push_back(0);
        auto const a = trace.origin(c.operands[0]);
        into.tags.emplace_back(a < window_trace<P>::several ? trace.graph.allocations[a].domain : std::string_view{});
      }
      into.lanes[group] = std::max(into.lanes[group], lanes);
      into.implicit.emplace_back(c.o, group);
    }
    return true;
  }

  template <class P>
  static void change(P& p, plan<P> const& what, std::unordered_set<std::string>& used, std::size_t& number) {
    using traits = ir_traits<P>;
    std::vector<signal_recipe> recipes;
    for (std::size_t i = 0; i < what.lanes.size(); ++i) {
      signal_recipe r{{}, {}, {}, what.lanes[i], what.tags[i]};
      do {
        std::string const suffix = std::to_string(number++);
        r.world_size_name = "__allreduce_signal_world_size_" + suffix;
        r.buffer_name = "__allreduce_signal_buf_" + suffix;
        r.view_name = "__allreduce_signal_" + suffix;
      } while (used.contains(r.world_size_name) || used.contains(r.buffer_name) || used.contains(r.view_name));
      for (auto const& n : {r.world_size_name, r.buffer_name, r.view_name}) used.insert(n);
      recipes.push_back(std::move(r));
    }
    std::vector<value_t<P>> signals;
    for (auto&& v : traits::add_signals(p, what.function, std::span<signal_recipe const>(recipes))) signals.push_back(v);
    for (auto const& [o, group] : what.implicit) traits::add_operand(p, o, signals[group]);
    for (auto const& o : what.returned) {
      std::string called;
      do called = "__allreduce_result_" + std::to_string(number++);
      while (!used.insert(called).second);
      traits::name_result(p, o, called);
    }
  }
};

}  // namespace mpmd
