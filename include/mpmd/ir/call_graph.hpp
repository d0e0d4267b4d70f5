#pragma once
/// Who calls whom with `mpmd.call`, and how values flow between callers and callees.

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include <mpmd/ir/functions.hpp>
#include <mpmd/ir/program.hpp>
#include <mpmd/ir/symbols.hpp>
#include <mpmd/ir/walk.hpp>

namespace mpmd::ir {

/// The calls in a program, by callee. Only calls that stand in modules, MPMD functions and loops directly are
/// found, and only those of which some result is used. Built once, O(ops walked); it does not follow later
/// edits.
class call_graph {
 public:
  explicit call_graph(program const& in) {
    symbol_tables symbols(in);
    walk(in, in.root(), [&](op o) {
      if (in.is(o, opcode::builtin_module) || in.is(o, opcode::mpmd_for) || is_mpmd_function(in, o))
        return walk_step::advance;
      if (in.is(o, opcode::mpmd_call)) {
        bool used = false;
        for (value const r : in.results(o)) used = used || !in.is_unused(r);
        if (op const callee = used ? symbols.resolve(o, "callee") : op{}) calls_[callee].push_back(o);
      }
      return walk_step::skip;
    });
  }

  /// The calls of a function, in program order.
  std::vector<op> const& calls_of(op function) const {
    static std::vector<op> const nobody;
    auto const at = calls_.find(function);
    return at == calls_.end() ? nobody : at->second;
  }

 private:
  std::unordered_map<op, std::vector<op>> calls_;
};

/// Values that are one value seen from different places: what the sources hold, the targets hold.
struct data_flow_edge {
  std::vector<use> sources;
  std::vector<value> targets;
};

/// First one edge a returned value of the function, from that operand of its return to the same result of
/// every call; then one an argument, from that operand of every call to the argument. Nothing if there are no
/// calls. A call with too few operands or results has no part in the edges it lacks. O((arguments + results)
/// * calls).
inline std::vector<data_flow_edge> data_flow_edges(program const& in, call_graph const& graph, op function) {
  auto const& calls = graph.calls_of(function);
  std::vector<data_flow_edge> edges;
  if (calls.empty()) return edges;
  if (op const end = terminator(in, function)) {
    for (std::uint32_t i = 0; i < in.operand_count(end); ++i) {
      data_flow_edge edge{{{end, i}}, {}};
      for (op const c : calls)
        if (i < in.result_count(c)) edge.targets.push_back(in.result(c, i));
      edges.push_back(std::move(edge));
    }
  }
  auto const arguments = parameters(in, function);
  for (std::uint32_t i = 0; i < arguments.size(); ++i) {
    data_flow_edge edge{{}, {arguments[i]}};
    for (op const c : calls)
      if (i < in.operand_count(c)) edge.sources.push_back({c, i});
    edges.push_back(std::move(edge));
  }
  return edges;
}

}  // namespace mpmd::ir
