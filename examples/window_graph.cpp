// Which devices share which buffer, on a graph that is none of the library's: a Boost adjacency list whose vertices are
// allocations, views, collectives and dispatches, and whose edges lead from what is given to what takes it.

#include <boost/graph/adjacency_list.hpp>
#include <boost/property_map/property_map.hpp>

#include <cstddef>
#include <iostream>
#include <string>
#include <vector>

#include <mpmd/adapters/boost_program.hpp>
#include <mpmd/analysis/window_messages.hpp>
#include <mpmd/analysis/window_trace.hpp>
#include <mpmd/analysis/window_why.hpp>

struct task {
  std::string name;
  mpmd::window_role role = mpmd::window_role::other;
  mpmd::boost_devices devices = {};  // of a dispatch
};
using task_graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS, task>;

int main() {
  using mpmd::window_role;
  auto devices = [](int first, int last) { return mpmd::boost_devices{mpmd::boost_devices::kind::numbers, first, last, {}}; };
  mpmd::boost_devices const everywhere{mpmd::boost_devices::kind::every, 0, 0, {}};
  task_graph g;
  auto add = [&g](task t, std::vector<std::size_t> given) {
    auto const v = add_vertex(std::move(t), g);
    for (auto const from : given) add_edge(from, v, g);
    return v;
  };
  auto const weights = add({"weights", window_role::allocation}, {});
  auto const gradients = add({"gradients", window_role::allocation}, {});
  auto const signal = add({"signal", window_role::allocation}, {});
  auto const cache = add({"cache", window_role::allocation}, {});
  auto const w = add({"view of weights", window_role::view}, {weights});
  auto const d = add({"view of gradients", window_role::view}, {gradients});
  auto const s = add({"view of signal", window_role::view}, {signal});
  auto const c = add({"view of cache", window_role::view}, {cache});
  add({"backward", window_role::dispatch, devices(0, 3)}, {w, d});
  auto const sum = add({"allreduce", window_role::collective}, {d, s});
  add({"update", window_role::dispatch, devices(0, 3)}, {w, sum});
  add({"serve", window_role::dispatch, devices(7, 7)}, {c});
  add({"broadcast weights", window_role::dispatch, everywhere}, {c});

  // All collectives here are sums; the rest is in the vertices.
  auto const sums = boost::make_static_property_map<task_graph::vertex_descriptor>(mpmd::collective_kind::allreduce);
  mpmd::boost_program const program(
      g, mpmd::boost_windows{get(&task::role, g), get(&task::devices, g), sums, get(&task::name, g)});
  auto const trace = mpmd::trace_windows(program);
  auto const& all = trace.functions.front();  // a graph has no functions: it is one
  if (all.wrong) {                            // and then there are no domains
    std::cout << mpmd::describe(trace, all).message << '\n';
    return 1;
  }
  for (auto const& domain : all.domains) {
    std::cout << mpmd::to_text(domain.devices) << ":";
    for (auto const a : domain.allocations) std::cout << ' ' << trace.graph.allocations[a].name;
    std::cout << '\n';
  }

  std::cout << "the signal is on device 2 because of:\n";
  mpmd::window_explainer explain(trace);
  auto const chain = explain.why(2, 2);
  for (auto const n : chain.nodes) std::cout << "  " << g[program.vertex_of(trace.graph.nodes[n].v)].name << '\n';
  std::cout << "  " << g[program.vertex_of(trace.graph.dispatches[chain.dispatch].o)].name << '\n';
}
