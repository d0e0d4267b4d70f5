// Graphs of Boost.Graph as programs of mesh inference and of window tracing.
#include <doctest/doctest.h>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/property_map/function_property_map.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <mpmd/adapters/boost_program.hpp>
#include <mpmd/analysis/src_sets.hpp>
#include <mpmd/analysis/use_sets.hpp>
#include <mpmd/analysis/why.hpp>
#include <mpmd/analysis/window_trace.hpp>

namespace boost_program_test {

using mpmd::role;

struct step {
  role means = role::compute;
  std::string mesh = {};
  std::string label = {};
  mpmd::reduction_kind combines = mpmd::reduction_kind::none;
};

// A second model to compare with: ops in a row, op 0 being none.
struct row {
  std::vector<step> steps{1};
  std::vector<std::vector<std::uint32_t>> operands{1};
  std::vector<std::uint32_t> all = {};

  std::uint32_t add(step s, std::vector<std::uint32_t> of) {
    steps.push_back(std::move(s));
    operands.push_back(std::move(of));
    all.push_back(static_cast<std::uint32_t>(steps.size() - 1));
    return all.back();
  }
};

}  // namespace boost_program_test

template <>
struct mpmd::ir_traits<boost_program_test::row> {
  using row = boost_program_test::row;
  using op = std::uint32_t;
  using value = std::uint32_t;
  static std::vector<op> const& ops(row const& p) { return p.all; }
  static std::vector<value> const& operands(row const& p, op o) { return p.operands[o]; }
  static std::span<value const> results(row const& p, op o) { return std::span(p.all).subspan(o - 1, 1); }
  static mpmd::role role_of(row const& p, op o) { return p.steps[o].means; }
  static std::string_view mesh_of(row const& p, value v) { return p.steps[v].mesh; }
  static std::string_view label_of(row const& p, op o) { return p.steps[o].label; }
  static reduction_op<op> reduction_of(row const& p, op o) { return {p.steps[o].combines, {}}; }
};

namespace boost_program_test {

using dense = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS, step>;
using outward = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, step>;
using listed = boost::adjacency_list<boost::listS, boost::listS, boost::bidirectionalS, step>;
using compressed = boost::compressed_sparse_row_graph<boost::directedS, step>;

// The ops of a row as the vertices of a graph, in the order of `place`; what is returned finds a vertex by the op.
template <class G>
std::vector<typename boost::graph_traits<G>::vertex_descriptor> build(G& g, row const& from,
                                                                      std::vector<std::uint32_t> const& place) {
  std::vector<typename boost::graph_traits<G>::vertex_descriptor> at(from.steps.size());
  if constexpr (std::same_as<G, compressed>) {
    std::vector<std::pair<std::size_t, std::size_t>> edges;
    std::vector<std::size_t> where(from.steps.size());
    for (std::size_t i = 0; i < place.size(); ++i) at[place[i]] = where[place[i]] = i;
    for (auto const o : from.all)
      for (auto const operand : from.operands[o]) edges.emplace_back(where[operand], where[o]);
    g = G(boost::edges_are_unsorted_multi_pass, edges.begin(), edges.end(), place.size());
    for (auto const o : from.all) g[at[o]] = from.steps[o];
  } else {
    for (auto const o : place) at[o] = add_vertex(from.steps[o], g);
    for (auto const o : from.all)
      for (auto const operand : from.operands[o]) add_edge(at[operand], at[o], g);
  }
  return at;
}
template <class G>
auto program_of(G const& g) {
  return mpmd::boost_program(g, mpmd::boost_meshes{get(&step::means, g), get(&step::mesh, g), get(&step::label, g),
                                                   get(&step::combines, g)});
}

TEST_CASE_TEMPLATE("use and src sets are found on a Boost graph, by property maps of its vertices", G, dense, outward,
                   listed, compressed) {
  // a -> h, assigned to m1 by "one", moved to m2, taken off; y of it and of the weights is assigned to m2.
  row p;
  auto const a = p.add({role::argument}, {}), w = p.add({role::argument}, {});
  auto const h = p.add({}, {a, w});
  auto const on1 = p.add({role::assign, "m1", "one"}, {h});
  auto const on2 = p.add({role::transfer, "m2"}, {on1});
  auto const off = p.add({role::unassign}, {on2});
  auto const y = p.add({}, {off, w});
  p.add({role::assign, "m2", "two"}, {y});
  G g;
  auto const at = build(g, p, p.all);
  auto const program = program_of(g);
  using found = std::vector<std::string_view>;

  auto const needed = mpmd::use_sets(program);
  auto const possible = mpmd::src_sets(needed);
  auto sorted = [](found all) {
    std::ranges::sort(all);
    return all;
  };
  CHECK(needed.meshes(program.op(at[a])) == found{"m1"});
  CHECK(sorted(needed.meshes(program.op(at[w]))) == found{"m1", "m2"});
  CHECK(needed.meshes(program.op(at[h])) == found{"m1"});
  CHECK(needed.meshes(program.op(at[y])) == found{"m2"});
  CHECK(possible.meshes(program.op(at[off])) == found{"m2"});
  CHECK(possible.meshes(program.op(at[y])) == found{"m2"});

  mpmd::explainer why(needed);
  auto const chain = why.why(program.op(at[a]), "m1");
  REQUIRE(!chain.empty());
  CHECK(program.text(program.maps().label, chain.back().o) == "one");
}

// Sets must not depend on how the graph is stored, nor on the order in which it lists its vertices.
TEST_CASE_TEMPLATE("sets on a Boost graph are those of another model of the program", G, dense, outward, listed,
                   compressed) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    row p;
    std::vector<std::uint32_t> plain, placed;
    for (int i = 0; i < 3; ++i) plain.push_back(p.add({role::argument}, {}));
    auto any = [&](std::vector<std::uint32_t> const& of) { return of[random() % of.size()]; };
    for (int i = 0; i < 25; ++i) {
      auto const choice = random() % 6;
      auto const mesh = "m" + std::to_string(random() % 3);
      if (choice < 3 || (choice > 3 && placed.empty())) {
        auto const first = any(plain);
        auto const second = any(plain);
        auto const combines = random() % 4 == 0 ? mpmd::reduction_kind::add : mpmd::reduction_kind::none;
        plain.push_back(p.add({role::compute, {}, {}, combines}, {first, second}));
      } else if (choice == 3) {
        placed.push_back(p.add({role::assign, mesh, "l"}, {any(plain)}));
      } else if (choice == 4) {
        placed.push_back(p.add({role::transfer, mesh}, {any(placed)}));
      } else {
        plain.push_back(p.add({role::unassign}, {any(placed)}));
      }
    }
    auto order = p.all;
    if (round % 2 == 1) std::shuffle(order.begin(), order.end(), random);
    G g;
    auto const at = build(g, p, order);
    auto const program = program_of(g);
    auto const needed = mpmd::use_sets(program);
    auto const possible = mpmd::src_sets(needed);
    auto const needed_in_row = mpmd::use_sets(p);
    auto const possible_in_row = mpmd::src_sets(needed_in_row);
    auto sorted = [](auto found) {
      std::ranges::sort(found);
      return found;
    };
    for (auto const o : p.all) {
      CAPTURE(round);
      CAPTURE(o);
      CHECK(sorted(needed.meshes(program.op(at[o]))) == sorted(needed_in_row.meshes(o)));
      CHECK(sorted(possible.meshes(program.op(at[o]))) == sorted(possible_in_row.meshes(o)));
    }
  }
}

TEST_CASE("the program runs through vertices as listed, or in the topological order that departs least from it") {
  auto order_of = [](std::size_t count, std::vector<std::pair<std::size_t, std::size_t>> const& edges) {
    dense g(count);
    for (auto const& [from, to] : edges) add_edge(from, to, g);
    auto const p = program_of(g);
    std::vector<std::size_t> order;
    for (auto const o : p.ops()) order.push_back(p.vertex_of(o));
    return order;
  };
  using numbers = std::vector<std::size_t>;
  CHECK(order_of(4, {{0, 2}, {1, 2}, {0, 3}}) == numbers{0, 1, 2, 3});
  CHECK(order_of(4, {{3, 1}, {1, 0}}) == numbers{2, 3, 1, 0});
  // 1 and 2 are a circle, and 3 is behind it.
  CHECK(order_of(5, {{1, 2}, {2, 1}, {2, 3}, {4, 0}}) == numbers{4, 0, 1, 2, 3});
  CHECK(order_of(0, {}).empty());
}

TEST_CASE("sets flow around circles of a Boost graph") {
  dense g(4);
  add_edge(0, 1, g);
  add_edge(1, 2, g);
  add_edge(2, 1, g);
  add_edge(2, 3, g);
  g[0].means = role::argument;
  g[3] = {role::assign, "m", "l"};
  auto const p = program_of(g);
  auto const needed = mpmd::use_sets(p);
  for (std::size_t v = 0; v < 3; ++v) CHECK(needed.meshes(p.op(v)) == std::vector<std::string_view>{"m"});
}

TEST_CASE("operands come in the order of in-edges, of their definitions, or of the positions that a map gives") {
  struct place {
    int position = 0;
  };
  using numbers = std::vector<std::size_t>;
  auto operands_of = [](auto const& p, std::size_t v) {
    numbers found;
    for (auto const o : p.operands(p.op(v))) found.push_back(p.vertex_of(o));
    return found;
  };
  auto maps = [](auto const& g) { return mpmd::boost_meshes{get(&step::means, g), get(&step::mesh, g)}; };

  boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS, step, place> both(3);
  boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, step, place> out(3);
  for (auto const& [from, position] : std::vector<std::pair<std::size_t, int>>{{1, 2}, {0, 0}, {1, 1}}) {
    add_edge(from, 2, place{position}, both);
    add_edge(from, 2, place{position}, out);
  }
  CHECK(operands_of(mpmd::boost_program(both, maps(both)), 2) == numbers{1, 0, 1});
  CHECK(operands_of(mpmd::boost_program(out, maps(out)), 2) == numbers{0, 1, 1});
  CHECK(operands_of(mpmd::boost_program(out, maps(out), get(&place::position, out)), 2) == numbers{0, 1, 1});
  put(get(&place::position, out), edge(0, 2, out).first, 3);
  CHECK(operands_of(mpmd::boost_program(out, maps(out), get(&place::position, out)), 2) == numbers{1, 1, 0});
}

struct task {
  std::string name;
  mpmd::window_role means = mpmd::window_role::other;
  std::int64_t device = 0;
  mpmd::collective_kind moves = mpmd::collective_kind::allreduce;
  std::string domain = {};
};

TEST_CASE_TEMPLATE("windows are traced on a Boost graph, by property maps of its vertices", Edges, boost::vecS, boost::listS) {
  using mpmd::window_role;
  using graph = boost::adjacency_list<Edges, boost::vecS, boost::bidirectionalS, task>;
  graph g;
  auto add = [&](task t, std::vector<std::size_t> const& of) {
    auto const v = add_vertex(std::move(t), g);
    for (auto const from : of) add_edge(from, v, g);
    return v;
  };
  auto const data = add({"data", window_role::allocation}, {}), signal = add({"signal", window_role::allocation}, {});
  auto const apart = add({"apart", window_role::allocation, 0, {}, "tag"}, {});
  auto const d = add({"d", window_role::view}, {data}), s = add({"s", window_role::view}, {signal});
  auto const a = add({"a", window_role::view}, {apart});
  auto const alias = add({"alias", window_role::alias}, {d});
  add({"first", window_role::dispatch, 1}, {d, a});
  add({"second", window_role::dispatch, 2}, {alias, a});
  add({"wait", window_role::collective, 0, mpmd::collective_kind::allreduce}, {alias, s});

  auto const devices = boost::make_function_property_map<std::size_t>([&](std::size_t v) {
    return mpmd::boost_devices{mpmd::boost_devices::kind::numbers, g[v].device, g[v].device, {}};
  });
  mpmd::boost_program const p(g, mpmd::boost_windows{get(&task::means, g), devices, get(&task::moves, g), get(&task::name, g),
                                                     get(&task::domain, g)});
  auto const trace = mpmd::trace_windows(p);
  auto const& all = trace.functions.front();
  REQUIRE(!all.wrong);
  // The signal shares the devices of the data; the third has the same devices and a tag of its own.
  REQUIRE(all.domains.size() == 2);
  std::vector<std::string> names;
  for (auto const& domain : all.domains) {
    CHECK(domain.devices == mpmd::device_set(1, 2));
    names.emplace_back();
    for (auto const allocation : domain.allocations) names.back() += std::string(trace.graph.allocations[allocation].name) + ' ';
  }
  CHECK(names == std::vector<std::string>{"data signal ", "apart "});
}

}  // namespace boost_program_test
