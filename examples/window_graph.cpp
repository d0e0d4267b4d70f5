// Which devices share which buffer, on a graph that is none of the library's: a Boost adjacency list whose vertices are
// allocations, views, collectives and dispatches, and whose edges lead from what is given to what takes it.

#include <boost/graph/adjacency_list.hpp>

#include <cstddef>
#include <iostream>
#include <ranges>
#include <string>
#include <string_view>
#include <vector>

#include <mpmd/analysis/window_messages.hpp>
#include <mpmd/analysis/window_trace.hpp>
#include <mpmd/analysis/window_why.hpp>

struct task {
  std::string name;
  mpmd::window_role role = mpmd::window_role::other;
  int first_device = 0, last_device = 0;  // of a dispatch
  bool everywhere = false;                // a dispatch on all devices
};
using task_graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS, task>;

// A vertex, or none.
struct vertex {
  std::size_t number = 0;  // counts from 1
  explicit operator bool() const { return number != 0; }
  friend bool operator==(vertex, vertex) = default;
};

template <>
struct mpmd::ir_traits<task_graph> {
  using op = vertex;
  using value = vertex;
  static task const& at(task_graph const& g, vertex v) { return g[v.number - 1]; }

  static auto ops(task_graph const& g) {
    return std::views::iota(std::size_t{1}, num_vertices(g) + 1) |
           std::views::transform([](std::size_t n) { return vertex{n}; });
  }
  static std::vector<vertex> operands(task_graph const& g, vertex v) {
    std::vector<vertex> all;
    auto const [first, last] = in_edges(v.number - 1, g);
    for (auto e = first; e != last; ++e) all.push_back({source(*e, g) + 1});
    return all;
  }
  static auto results(task_graph const&, vertex v) { return std::views::single(v); }
  static std::size_t index(task_graph const&, vertex v) { return v.number - 1; }
  static std::size_t index_bound(task_graph const& g) { return num_vertices(g); }

  static window_role window_role_of(task_graph const& g, vertex v) { return at(g, v).role; }
  static collective_kind collective_of(task_graph const&, vertex) { return collective_kind::allreduce; }
  static std::string_view allocation_name(task_graph const& g, vertex v) { return at(g, v).name; }
  static device_form<vertex> device_of(task_graph const& g, vertex v) {
    using kind = device_form<vertex>::kind;
    task const& t = at(g, v);
    return {t.everywhere ? kind::every : kind::numbers, t.first_device, t.last_device, {}};
  }
};
static_assert(mpmd::window_program<task_graph>);

int main() {
  using mpmd::window_role;
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
  add({"backward", window_role::dispatch, 0, 3}, {w, d});
  auto const sum = add({"allreduce", window_role::collective}, {d, s});
  add({"update", window_role::dispatch, 0, 3}, {w, sum});
  add({"serve", window_role::dispatch, 7, 7}, {c});
  add({"broadcast weights", window_role::dispatch, 0, 0, true}, {c});

  auto const trace = mpmd::trace_windows(g);
  auto const& all = trace.functions.front();  // a graph has no functions: it is one
  for (auto const& domain : all.domains) {
    std::cout << mpmd::to_text(domain.devices) << ":";
    for (auto const a : domain.allocations) std::cout << ' ' << trace.graph.allocations[a].name;
    std::cout << '\n';
  }

  std::cout << "the signal is on device 2 because of:\n";
  mpmd::window_explainer explain(trace);
  auto const chain = explain.why(2, 2);
  for (auto const n : chain.nodes) std::cout << "  " << g[trace.graph.nodes[n].v.number - 1].name << '\n';
  std::cout << "  " << g[trace.graph.dispatches[chain.dispatch].o.number - 1].name << '\n';
}
