#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

/// The graph of the propagation benchmarks, in plain arrays from which each model is built.
namespace mpmd::bench {

inline constexpr std::uint8_t no_mesh = 0xff;
inline constexpr unsigned mesh_count = 32;

/// Op i uses the ops `operands[offsets[i]]` up to `operands[offsets[i + 1]]`, all of them before it, and is
/// assigned to the mesh `assigned[i]` or to none.
struct propagation_graph {
  std::vector<std::uint32_t> offsets;
  std::vector<std::uint32_t> operands;
  std::vector<std::uint8_t> assigned;

  std::size_t size() const { return assigned.size(); }
};

/// `ops` ops, each of which uses two drawn from the thousand before it (the first uses none); one in a
/// hundred, by chance, is assigned to one of 32 meshes. The same graph on every machine.
inline propagation_graph make_propagation_graph(std::uint32_t ops) {
  std::mt19937 random(1);
  const auto below = [&](std::uint32_t bound) { return static_cast<std::uint32_t>(random() % bound); };
  propagation_graph g;
  g.offsets.reserve(ops + std::size_t{1});
  g.operands.reserve(2 * std::size_t{ops});
  g.assigned.reserve(ops);
  g.offsets.push_back(0);
  for (std::uint32_t i = 0; i < ops; ++i) {
    const auto window = i < 1000 ? i : 1000;
    for (int operand = 0; operand < 2 && window > 0; ++operand) g.operands.push_back(i - 1 - below(window));
    g.offsets.push_back(static_cast<std::uint32_t>(g.operands.size()));
    g.assigned.push_back(below(100) == 0 ? static_cast<std::uint8_t>(below(mesh_count)) : no_mesh);
  }
  return g;
}

}  // namespace mpmd::bench
