// Boost.Graph and this library on each other's graphs.
#include <doctest/doctest.h>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/dominator_tree.hpp>
#include <boost/graph/graph_concepts.hpp>
#include <boost/graph/graphviz.hpp>
#include <boost/graph/strong_components.hpp>
#include <boost/graph/topological_sort.hpp>

#include <array>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <mpmd/adapters/boost_graph.hpp>
#include <mpmd/analysis/set_flow.hpp>
#include <mpmd/dataflow/solver.hpp>
#include <mpmd/graph/csr_graph.hpp>
#include <mpmd/graph/static_graph.hpp>
#include <mpmd/ir/traits.hpp>
#include <mpmd/lattice/mesh_set.hpp>
#include <mpmd/text/mlir.hpp>

namespace boost_graph_test {
namespace {

using dense = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS>;
using outward = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;
using listed = boost::adjacency_list<boost::listS, boost::listS, boost::bidirectionalS>;
using compressed = boost::compressed_sparse_row_graph<boost::directedS>;

static_assert(mpmd::indexed_flow_graph<dense> && mpmd::indexed_flow_graph<outward>);
static_assert(mpmd::flow_graph<listed> && !mpmd::indexed_flow_graph<listed>);
static_assert(mpmd::indexed_flow_graph<compressed>);
// An edge of an undirected graph would lead both ways.
static_assert(!mpmd::flow_graph<boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS>>);

// 0 and 1 are used by 2, which 3 and 4 use; 4 uses 1 as well.
constexpr std::array<std::pair<unsigned, unsigned>, 5> uses{{{0, 2}, {1, 2}, {2, 3}, {2, 4}, {1, 4}}};

// 3 is needed on mesh 0, and 4 on mesh 1.
template <class G, class Number>
std::vector<mpmd::mesh_set<8>> needed(G const& g, Number number) {
  auto const found = mpmd::solve<mpmd::backward>(g, mpmd::mesh_sets<8>{}, [&](G const&, auto v, mpmd::mesh_set<8>& at) {
    if (number(v) == 3) at.insert(0);
    if (number(v) == 4) at.insert(1);
  });
  std::vector<mpmd::mesh_set<8>> sets(5);
  for (auto v : mpmd::nodes(g)) sets[number(v)] = found[v];
  return sets;
}
std::vector<mpmd::mesh_set<8>> const expected{{0, 1}, {0, 1}, {0, 1}, {0}, {1}};

using diamond = mpmd::static_graph<4, 4>;
diamond const square = mpmd::make_static_graph<4>({{0, 1}, {0, 2}, {1, 3}, {2, 3}});

}  // namespace

TEST_CASE("the solver runs on an adjacency list, with in-edges or without") {
  dense both(5);
  outward out(5);
  for (auto const& [from, to] : uses) {
    add_edge(from, to, both);
    add_edge(from, to, out);
  }
  auto number = [](std::size_t v) { return v; };
  CHECK(needed(both, number) == expected);
  CHECK(needed(out, number) == expected);
}

TEST_CASE("the solver runs on a compressed sparse row graph") {
  compressed const g(boost::edges_are_unsorted, uses.begin(), uses.end(), 5);
  CHECK(needed(g, [](std::size_t v) { return v; }) == expected);
}

TEST_CASE("vertices without an index are found by their hash, or by an index map from outside") {
  listed g;
  std::vector<listed::vertex_descriptor> at;
  std::map<listed::vertex_descriptor, std::size_t> index;
  for (std::size_t i = 0; i < 5; ++i) {
    at.push_back(add_vertex(g));
    index[at.back()] = i;
  }
  for (auto const& [from, to] : uses) add_edge(at[from], at[to], g);
  auto number = [&](listed::vertex_descriptor v) { return index.at(v); };
  CHECK(needed(g, number) == expected);
  mpmd::boost_flow const numbered(g, boost::make_assoc_property_map(index));
  static_assert(mpmd::indexed_flow_graph<std::remove_const_t<decltype(numbered)>>);
  CHECK(needed(numbered, number) == expected);
}

TEST_CASE("order stops where it will: sets are those of flat graphs, each vertex is visited once where there is no cycle") {
  constexpr std::uint32_t size = 120;
  std::mt19937 random(5);
  for (unsigned against = 0; against < 4; ++against)  // so many edges against the order, somewhere
    for (unsigned round = 0; round < 20; ++round) {
      std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
      for (std::uint32_t n = 1; n < size; ++n) edges.emplace_back(static_cast<std::uint32_t>(random() % n), n);
      for (unsigned i = 0; i < against; ++i) {
        auto const to = static_cast<std::uint32_t>(random() % size);
        edges.emplace_back(to + static_cast<std::uint32_t>(random() % (size - to)), to);
      }
      std::vector<std::uint32_t> offsets(size + 1, 0), from(edges.size());
      for (auto const& e : edges) ++offsets[e.second + 1];
      for (std::uint32_t n = 0; n < size; ++n) offsets[n + 1] += offsets[n];
      auto next = offsets;
      for (auto const& e : edges) from[next[e.second]++] = e.first;
      mpmd::csr_graph<> const flat(offsets, from);
      auto const check = [&]<mpmd::direction D>(auto const& g) {
        auto const found = [&](auto const& graph, std::size_t& visits) {
          return mpmd::solve<D>(graph, mpmd::mesh_sets<64>{64}, [&](auto const&, auto v, mpmd::mesh_set<64>& at) {
            ++visits;
            if (v % 2 == 0) at.insert(static_cast<unsigned>(v / 2));
          });
        };
        std::size_t visits = 0, other = 0;
        auto const expected_sets = found(flat, other);
        auto const sets = found(g, visits);
        if (against == 0) CHECK_EQ(visits, size);
        bool equal = true;
        for (std::uint32_t n = 0; n < size; ++n) equal = equal && sets[n] == expected_sets[n];
        CHECK(equal);
      };
      dense const both(edges.begin(), edges.end(), size);
      outward const out(edges.begin(), edges.end(), size);
      check.operator()<mpmd::forward>(both);
      check.operator()<mpmd::backward>(both);
      check.operator()<mpmd::forward>(out);
      check.operator()<mpmd::backward>(out);
      if (against == 0) {
        mpmd::boost_flow const known(both, get(boost::vertex_index, both), mpmd::csr_order::topological);
        check.operator()<mpmd::forward>(known);
        check.operator()<mpmd::backward>(known);
      }
    }
  // Against the order but without a cycle: one visit each, too.
  std::vector<std::pair<unsigned, unsigned>> const turned{{0, 1}, {2, 1}, {3, 2}, {1, 5}, {4, 5}};
  for (int both_ends = 0; both_ends < 2; ++both_ends) {
    std::size_t visits = 0;
    auto const count = [&](auto const&, auto v, mpmd::mesh_set<8>& at) {
      ++visits;
      at.insert(static_cast<unsigned>(v));
    };
    mpmd::mesh_set<8> const all{0, 1, 2, 3, 4, 5};
    if (both_ends != 0) {
      dense const g(turned.begin(), turned.end(), 6);
      auto const up = mpmd::solve<mpmd::forward>(g, mpmd::mesh_sets<8>{}, count);
      CHECK(up[5] == all);
      auto const down = mpmd::solve<mpmd::backward>(g, mpmd::mesh_sets<8>{}, count);
      CHECK(down[3] == mpmd::mesh_set<8>{1, 2, 3, 5});
    } else {
      outward const g(turned.begin(), turned.end(), 6);
      auto const up = mpmd::solve<mpmd::forward>(g, mpmd::mesh_sets<8>{}, count);
      CHECK(up[5] == all);
      auto const down = mpmd::solve<mpmd::backward>(g, mpmd::mesh_sets<8>{}, count);
      CHECK(down[3] == mpmd::mesh_set<8>{1, 2, 3, 5});
    }
    CHECK_EQ(visits, 12);
  }
}

TEST_CASE("a flow graph as Boost sees it models the concepts of Boost") {
  using view = mpmd::boost_view<diamond>;
  BOOST_CONCEPT_ASSERT((boost::VertexListGraphConcept<view>));
  BOOST_CONCEPT_ASSERT((boost::EdgeListGraphConcept<view>));
  BOOST_CONCEPT_ASSERT((boost::IncidenceGraphConcept<view>));
  BOOST_CONCEPT_ASSERT((boost::BidirectionalGraphConcept<view>));
  view const g(square);
  CHECK(num_vertices(g) == 4);
  CHECK(num_edges(g) == 4);
  CHECK(out_degree(0, g) == 2);
  CHECK(in_degree(3, g) == 2);
  CHECK(degree(1, g) == 2);
  auto const [first, last] = in_edges(3, g);
  CHECK(source(*first, g) == 1);
  CHECK(source(*std::next(first), g) == 2);
  CHECK(std::next(first, 2) == last);
}

TEST_CASE("Boost sorts a flow graph, finds its components and its dominators, and draws it") {
  mpmd::boost_view const g(square);
  std::vector<std::size_t> order;
  boost::topological_sort(g, std::back_inserter(order));
  CHECK(order == std::vector<std::size_t>{3, 1, 2, 0});

  mpmd::boost_view const ring(mpmd::make_static_graph<4>({{0, 1}, {1, 2}, {2, 1}, {2, 3}}));
  std::vector<int> component(4);
  int const components = boost::strong_components(
      ring, boost::make_iterator_property_map(component.begin(), get(boost::vertex_index, ring)));
  CHECK(components == 3);
  CHECK(component[1] == component[2]);

  std::vector<std::size_t> dominator(4, 99);
  boost::lengauer_tarjan_dominator_tree(
      g, 0, boost::make_iterator_property_map(dominator.begin(), get(boost::vertex_index, g)));
  CHECK(dominator == std::vector<std::size_t>{99, 0, 0, 0});

  std::ostringstream drawn;
  boost::write_graphviz(drawn, g);
  CHECK(drawn.str().find("0->1") != std::string::npos);
}

TEST_CASE("Boost sorts the ops of a program along the edges of its use sets") {
  mpmd::diagnostics quiet;
  auto const p = mpmd::text::read_mlir(std::make_shared<mpmd::ir::context>(), "t", R"(
    func.func @main(%w: tensor<f32>) -> tensor<f32> attributes {topology = #mpmd.topology<<"m1" : <["x"=1]>>>} {
      %a = stablehlo.negate %w : tensor<f32>
      %b = stablehlo.add %a, %w : tensor<f32>
      return %b : tensor<f32>
    })", quiet);
  REQUIRE(p);
  mpmd::program_map<mpmd::ir::program> const map(*p);
  mpmd::use_flow<mpmd::ir::program> const flow{&map, &map.functions()[0]};
  mpmd::boost_view const g(flow);
  std::vector<std::size_t> order;
  boost::topological_sort(g, std::back_inserter(order));
  // Users first: the returned result, then %b, %a, %w.
  std::vector<std::string> kinds;
  for (auto const v : order) {
    auto const& s = g.node(v);
    kinds.emplace_back(s.kind == mpmd::step_kind::argument ? "argument"
                       : s.o && s.kind == mpmd::step_kind::op ? std::string(p->kind_text(s.o))
                                                             : "result");
  }
  CHECK(kinds == std::vector<std::string>{"result", "stablehlo.add", "stablehlo.negate", "argument"});
}

}  // namespace boost_graph_test
