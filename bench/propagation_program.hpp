#pragma once

#include <mpmd/analysis/sets_with_origins.hpp>
#include <mpmd/analysis/src_sets.hpp>
#include <mpmd/analysis/use_sets.hpp>
#include <mpmd/ir/traits.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include "propagation_graph.hpp"

/// The graph of the propagation benchmarks as a program of the library's IR: op i has one result, and an assign
/// where the graph assigns it to a mesh.
namespace mpmd::bench {

struct propagation_program {
  ir::program program;
  std::vector<ir::value> values;  ///< by op of the graph
};

inline propagation_program make_propagation_program(const propagation_graph& g) {
  propagation_program made;
  ir::program& p = made.program;
  ir::context& c = p.context();
  const ir::type tensor = c.tensor({4}, c.floating("f32"));
  std::vector<ir::type> placed;
  for (unsigned m = 0; m < mesh_count; ++m) placed.push_back(c.mesh_tensor("m" + std::to_string(m), tensor));
  const ir::name compute{static_cast<std::uint32_t>(ir::opcode::stablehlo_add)};
  const ir::name source = c.intern("bench.source");  // an op that does not use two others
  const ir::name assign{static_cast<std::uint32_t>(ir::opcode::mpmd_assign)};
  const ir::region body = p.create_region();
  const ir::block block = p.append_block(body);
  for (std::size_t i = 0; i < g.size(); ++i) {
    ir::op_state state{.kind = g.offsets[i + 1] - g.offsets[i] == 2 ? compute : source, .results = {tensor}};
    for (auto e = g.offsets[i]; e < g.offsets[i + 1]; ++e) state.operands.push_back(made.values[g.operands[e]]);
    const ir::op o = p.create(state);
    p.append(block, o);
    made.values.push_back(p.result(o, 0));
    if (g.assigned[i] != no_mesh)
      p.append(block, p.create({.kind = assign, .operands = {p.result(o, 0)}, .results = {placed[g.assigned[i]]}}));
  }
  ir::op_state function{.kind = {static_cast<std::uint32_t>(ir::opcode::func_func)},
                        .attributes = c.dictionary({{c.intern("topology"), c.unit()}}),
                        .regions = {body}};
  p.append(p.body(), p.create(function));
  return made;
}

inline auto use_set_ir(const propagation_program& p) { return use_sets(p.program); }
inline auto src_set_ir(const propagation_program& p) { return src_sets(p.program); }
inline auto use_set_origins_ir(const propagation_program& p) { return use_sets<sets_with_origins>(p.program); }

}  // namespace mpmd::bench
