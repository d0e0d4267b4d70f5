// A graph that is analysed while the program compiles: a value that would be needed on a wrong mesh stops the build.

#include <mpmd/dataflow/solver.hpp>
#include <mpmd/graph/static_graph.hpp>
#include <mpmd/lattice/mesh_set.hpp>

#include <cstdint>
#include <iostream>

// Two stages share their weights: w feeds h and y. Edges lead from a value to what uses it.
enum value : std::uint32_t { w, x, h, sent, y, values };
constexpr auto graph = mpmd::make_static_graph<values>({{w, h}, {x, h}, {h, sent}, {sent, y}, {w, y}});

enum mesh : std::uint32_t { first, second, meshes };
using sets = mpmd::mesh_sets<meshes>;

// h is assigned to the first mesh and y to the second; a transfer needs its operand where the operand is.
constexpr auto placed = [](auto const&, std::uint32_t v, sets::element& needed) {
  if (v == h) needed = {first};
  if (v == y) needed = {second};
  if (v == sent) needed = {};
};
constexpr auto needed_on(value v) { return mpmd::solve<mpmd::backward>(graph, sets{}, placed)[v]; }

static_assert(needed_on(x) == sets::element{first});
static_assert(needed_on(w) == sets::element{first, second}, "the weights are needed by both stages");

int main() {
  for (auto const v : {w, x, h, y}) std::cout << "wxhsy"[v] << " is needed on " << needed_on(v).size() << " mesh(es)\n";
}
