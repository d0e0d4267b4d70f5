#pragma once
/// Graphs of Boost.Graph as programs: what a vertex means, and on which mesh or devices it is, comes from property maps, so
/// that use sets, src sets and the tracing of windows run on them.
///
///     struct op { mpmd::role means; std::string mesh; };
///     using graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS, op>;
///     mpmd::boost_program const p(g, mpmd::boost_meshes{get(&op::means, g), get(&op::mesh, g)});
///     auto const needed = mpmd::use_sets(p);
///     needed.meshes(p.op(v));

#include <boost/graph/graph_traits.hpp>
#include <boost/property_map/property_map.hpp>

#include <algorithm>
#include <cassert>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <queue>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <mpmd/adapters/boost_graph.hpp>
#include <mpmd/dataflow/node_numbering.hpp>
#include <mpmd/graph/flow_graph.hpp>
#include <mpmd/graph/mpmd_program.hpp>
#include <mpmd/graph/window_program.hpp>

namespace mpmd {

/// Stands where a property map could be and none is.
struct no_map {};

/// What a program of mesh inference is told of a vertex, each a readable property map from vertices. Strings are returned
/// by reference or as views, and stay where they are while the program is looked at.
template <class Role, class Mesh, class Label = no_map, class Reduction = no_map>
struct boost_meshes {
  Role role;                 ///< mpmd::role
  Mesh mesh;                 ///< the mesh that the value of the vertex is on, empty for none
  Label label = {};          ///< what answers call an assign or unassign
  Reduction reduction = {};  ///< mpmd::reduction_kind
};

/// What the tracing of windows is told of a vertex, in the same way.
template <class Role, class Device, class Collective = no_map, class Name = no_map, class Domain = no_map>
struct boost_windows {
  Role role;                   ///< mpmd::window_role
  Device device;               ///< mpmd::boost_devices: where a dispatch runs; no expression, as a graph has no loops
  Collective collective = {};  ///< mpmd::collective_kind
  Name name = {};              ///< what messages call the value of a vertex
  Domain domain = {};          ///< keeps an allocation apart from those of other domains
};

/// A vertex as op, and as the one value that it makes.
struct boost_op {
  std::uint32_t number = 0;  ///< counts from 1 in program order; 0 is none
  constexpr explicit operator bool() const { return number != 0; }
  friend constexpr bool operator==(boost_op, boost_op) = default;
};
using boost_devices = device_form<boost_op>;

/// A Boost graph of at most 2^32 - 2 vertices as a program. An edge leads from a definition to its use; parallel edges are
/// several operands. `Maps` is a boost_meshes or boost_windows. Graph and maps must outlive the program and not change.
///
/// The operands of a vertex come in the order of its in-edges or, where the graph has none, in that of the vertices they
/// are made by; `Position`, a property map from edges to numbers, gives them another. The program runs through the
/// vertices as the graph lists them, if that puts definitions first, and else in the topological order that departs
/// least from it; vertices that only a circle leads to come last.
///
/// Made in O(vertices + edges); O(edges log edges) where positions are given or vertices have to be put in order.
template <class G, class Maps, class Position = no_map>
  requires(detail::boost_out_edges<G> && flow_graph<G>)
class boost_program {
  using traits = boost::graph_traits<G>;

 public:
  using vertex = typename traits::vertex_descriptor;

  boost_program(G const& g, Maps maps, Position position = {}) : maps_(std::move(maps)), numbering_(g) {
    for (auto&& v : nodes(g)) listed_.push_back(v);
    assert(listed_.size() < 0xFFFFFFFFu);
    for (std::uint32_t i = 0; i < listed_.size(); ++i) {
      std::size_t const n = numbering_.number(listed_[i]);
      if (n >= place_.size()) place_.resize(n + 1, 0);
      place_[n] = i;
    }
    list_operands(g, position);
    put_in_order();
    for (std::uint32_t i = 0; i < listed_.size(); ++i) ops_.push_back({i + 1});
  }

  Maps const& maps() const { return maps_; }
  vertex vertex_of(boost_op o) const { return listed_[o.number - 1]; }
  boost_op op(vertex v) const { return {place_[numbering_.find(v)] + 1}; }
  std::span<boost_op const> ops() const { return ops_; }
  std::span<boost_op const> operands(boost_op o) const {
    return std::span(operands_).subspan(first_[o.number - 1], first_[o.number] - first_[o.number - 1]);
  }
  /// What a map says of an op.
  template <class Map>
  decltype(auto) at(Map const& map, boost_op o) const {
    using boost::get;
    return get(map, vertex_of(o));
  }
  template <class Map>
  std::string_view text(Map const& map, boost_op o) const {
    using found = decltype(at(map, o));
    static_assert(std::is_reference_v<found> || std::is_pointer_v<found> || std::same_as<found, std::string_view>,
                  "mpmd::boost_program: a property map must return strings by reference or as views");
    return at(map, o);
  }

 private:
  // Places in the order of the list, until put_in_order makes handles of them.
  template <class Edge>
  void add(Edge const& e, G const& g, std::vector<std::pair<std::uint32_t, Edge>>& edges) const {
    edges.emplace_back(place_[numbering_.find(target(e, g))], e);
  }
  void list_operands(G const& g, Position const& position) {
    using edge = typename traits::edge_descriptor;
    std::vector<std::pair<std::uint32_t, edge>> edges;  // with the place of the user
    for (auto const& v : listed_) {
      if constexpr (detail::boost_in_edges<G>)
        for (auto [e, end] = in_edges(v, g); e != end; ++e) add(*e, g, edges);
      else
        for (auto [e, end] = out_edges(v, g); e != end; ++e) add(*e, g, edges);
    }
    std::vector<std::uint32_t> order(edges.size());
    std::iota(order.begin(), order.end(), 0u);
    if constexpr (!std::same_as<Position, no_map>) {
      using boost::get;
      std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        auto const &at = get(position, edges[a].second), &other = get(position, edges[b].second);
        return at < other || (!(other < at) && a < b);
      });
    }
    first_.assign(listed_.size() + 1, 0);
    for (auto const& [user, e] : edges) ++first_[user + 1];
    for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
    std::vector<std::uint32_t> next = first_;
    operands_.resize(edges.size());
    for (std::uint32_t const i : order) {
      auto const& [user, e] = edges[i];
      operands_[next[user]++] = {place_[numbering_.find(source(e, g))]};
    }
  }
  bool in_order() const {
    for (std::uint32_t i = 0; i < listed_.size(); ++i)
      for (std::uint32_t k = first_[i]; k < first_[i + 1]; ++k)
        if (operands_[k].number >= i) return false;
    return true;
  }
  void put_in_order() {
    if (!in_order()) rearrange(topological_order());
    for (boost_op& o : operands_) ++o.number;
  }
  // Places in the new order.
  std::vector<std::uint32_t> topological_order() const {
    auto const count = static_cast<std::uint32_t>(listed_.size());
    std::vector<std::uint32_t> first_user(count + 1, 0), users(operands_.size()), missing(count), order;
    for (boost_op const o : operands_) ++first_user[o.number + 1];
    for (std::size_t i = 1; i < first_user.size(); ++i) first_user[i] += first_user[i - 1];
    std::vector<std::uint32_t> next = first_user;
    std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> ready;
    for (std::uint32_t i = 0; i < count; ++i) {
      missing[i] = first_[i + 1] - first_[i];
      if (missing[i] == 0) ready.push(i);
      for (std::uint32_t k = first_[i]; k < first_[i + 1]; ++k) users[next[operands_[k].number]++] = i;
    }
    while (!ready.empty()) {
      std::uint32_t const i = ready.top();
      ready.pop();
      order.push_back(i);
      for (std::uint32_t k = first_user[i]; k < first_user[i + 1]; ++k)
        if (--missing[users[k]] == 0) ready.push(users[k]);
    }
    for (std::uint32_t i = 0; i < count; ++i)
      if (missing[i] != 0) order.push_back(i);
    return order;
  }
  void rearrange(std::vector<std::uint32_t> const& order) {
    std::vector<std::uint32_t> now(order.size()), first{0};
    std::vector<vertex> listed;
    std::vector<boost_op> operands;
    for (std::uint32_t i = 0; i < order.size(); ++i) now[order[i]] = i;
    for (std::uint32_t const old : order) {
      listed.push_back(listed_[old]);
      for (std::uint32_t k = first_[old]; k < first_[old + 1]; ++k) operands.push_back({now[operands_[k].number]});
      first.push_back(static_cast<std::uint32_t>(operands.size()));
    }
    for (std::uint32_t i = 0; i < listed.size(); ++i) place_[numbering_.number(listed[i])] = i;
    listed_ = std::move(listed);
    operands_ = std::move(operands);
    first_ = std::move(first);
  }

  Maps maps_;
  node_numbering<G> numbering_;
  std::vector<vertex> listed_;        // in program order
  std::vector<std::uint32_t> place_;  // of vertices in it, by their numbers
  std::vector<boost_op> ops_;
  std::vector<boost_op> operands_;
  std::vector<std::uint32_t> first_;  // where the operands of each op begin, and where the last ones end
};

namespace detail {

/// The members of ir_traits that programs of both kinds have.
template <class P>
struct boost_program_traits {
  using op = boost_op;
  using value = boost_op;
  static std::span<op const> ops(P const& p) { return p.ops(); }
  static std::span<value const> operands(P const& p, op o) { return p.operands(o); }
  static std::span<value const> results(P const& p, op o) { return p.ops().subspan(o.number - 1, 1); }
  static std::size_t index(P const&, value v) { return v.number - std::size_t{1}; }
  static std::size_t index_bound(P const& p) { return p.ops().size(); }
};
template <class Map>
concept boost_map_is_there = !std::same_as<Map, no_map>;

}  // namespace detail

template <class G, class Role, class Mesh, class Label, class Reduction, class Position>
struct ir_traits<boost_program<G, boost_meshes<Role, Mesh, Label, Reduction>, Position>>
    : detail::boost_program_traits<boost_program<G, boost_meshes<Role, Mesh, Label, Reduction>, Position>> {
  using program = boost_program<G, boost_meshes<Role, Mesh, Label, Reduction>, Position>;
  static mpmd::role role_of(program const& p, boost_op o) { return p.at(p.maps().role, o); }
  static std::string_view mesh_of(program const& p, boost_op v) { return p.text(p.maps().mesh, v); }
  static std::string_view label_of(program const& p, boost_op o)
    requires detail::boost_map_is_there<Label>
  {
    return p.text(p.maps().label, o);
  }
  static reduction_op<boost_op> reduction_of(program const& p, boost_op o)
    requires detail::boost_map_is_there<Reduction>
  {
    return {p.at(p.maps().reduction, o), {}};
  }
};

template <class G, class Role, class Device, class Collective, class Name, class Domain, class Position>
struct ir_traits<boost_program<G, boost_windows<Role, Device, Collective, Name, Domain>, Position>>
    : detail::boost_program_traits<boost_program<G, boost_windows<Role, Device, Collective, Name, Domain>, Position>> {
  using program = boost_program<G, boost_windows<Role, Device, Collective, Name, Domain>, Position>;
  static window_role window_role_of(program const& p, boost_op o) { return p.at(p.maps().role, o); }
  static boost_devices device_of(program const& p, boost_op o) { return p.at(p.maps().device, o); }
  static collective_kind collective_of(program const& p, boost_op o)
    requires detail::boost_map_is_there<Collective>
  {
    return p.at(p.maps().collective, o);
  }
  static std::string_view allocation_name(program const& p, boost_op o)
    requires detail::boost_map_is_there<Name>
  {
    return p.text(p.maps().name, o);
  }
  static std::string_view value_name(program const& p, boost_op v)
    requires detail::boost_map_is_there<Name>
  {
    return p.text(p.maps().name, v);
  }
  static std::string_view allocation_domain(program const& p, boost_op o)
    requires detail::boost_map_is_there<Domain>
  {
    return p.text(p.maps().domain, o);
  }
};

}  // namespace mpmd
