#pragma once
/// What the values of a program hold while it is walked through, and the nodes that stand for it.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include <mpmd/analysis/window_graph.hpp>
#include <mpmd/analysis/window_walk.hpp>

namespace mpmd::detail {

template <window_program P>
class window_values {
 protected:
  using graph = window_graph<P>;
  using op = op_t<P>;
  using value = value_t<P>;
  using kind = window_node_kind;
  static constexpr window_node none = graph::none;

  explicit window_values(P const& p) : p_(p), number_(p) {}

  // What is known of a value at the point the walk has reached.
  // There is one for every value of a program, so it is small.
  struct state {
    window_node now = none;
    std::uint32_t loop : 28 = 0;     // 1 + the place in loops_ of the loop that counts with it and is open
    std::uint32_t set : 1 = 0;       // whether an op of the function sets it
    std::uint32_t again : 1 = 0;     // whether several do
    std::uint32_t anything : 1 = 0;  // whether it is read before it is set: then read_early_ has all that it is set to
    std::uint32_t carried : 1 = 0;   // whether a loop carries it
  };
  state& at(value const& v) {
    std::uint32_t const n = number_(v);
    if (n >= states_.size()) states_.resize(std::max<std::size_t>(number_.bound(), std::size_t{n} + 1));
    return states_[n];
  }
  integer_fact const& integer(window_node n) const { return integers_[integer_at_[n]]; }
  void set_integer(window_node n, integer_fact const& known) {
    integer_at_[n] = known == integer_fact{} ? 0 : static_cast<std::uint32_t>(integers_.size());
    if (integer_at_[n] != 0) integers_.push_back(known);
  }

  /// At least twice the room when there is too little, so that many calls cost no more than what is added.
  template <class T>
  static void make_room(std::vector<T>& list, std::size_t more) {
    if (list.capacity() - list.size() < more) list.reserve(std::max(list.size() + more, list.capacity() * 2));
  }
  void make_room_for_nodes(std::size_t more) {
    make_room(g_.nodes, more);
    make_room(integer_at_, more);
    make_room(g_.definitions, more);
    make_room(edges_, more);
  }
  window_node add_node(kind k, op o, value v) {
    g_.nodes.push_back({k, o, v});
    integer_at_.push_back(0);
    return static_cast<window_node>(g_.nodes.size() - 1);
  }
  void add_source(window_node n, window_node from) {
    if (from != none && n != from) edges_.emplace_back(n, from);
  }

  /// What a value holds here.
  window_node use(value const& v) {
    state& s = at(v);
    if (s.now != none) return s.now;
    window_node const n = add_node(s.again ? kind::merge : kind::opaque, op{}, v);
    if (s.again) {
      s.anything = 1;
      read_early_.emplace(number_(v), n);
    } else if (auto const number = mpmd::literal_of(p_, v)) {
      set_integer(n, integer_fact::literal(*number));
    }
    return s.now = n;
  }
  /// From here on `v` holds this.
  void set(value const& v, window_node n) {
    state& s = at(v);
    g_.definitions.emplace_back(v, n);
    if (s.anything) add_source(read_early_.at(number_(v)), n);
    s.now = n;
  }
  /// A node for what `o` sets `v` to. A value that only one op sets may have been read before.
  window_node define(kind k, op o, value const& v) {
    state const& s = at(v);
    window_node n = s.now;
    if (!s.again && n != none && g_.nodes[n].kind == kind::opaque && !g_.nodes[n].o) {
      g_.nodes[n] = {k, o, v};
    } else {
      n = add_node(k, o, v);
    }
    set(v, n);
    return n;
  }
  window_node define(kind k, op o, value const& v, integer_fact const& known) {
    window_node const n = define(k, o, v);
    set_integer(n, known);
    return n;
  }

  /// The sources of each node as one array.
  void list_sources() {
    g_.offsets.assign(g_.nodes.size() + 1, 0);
    for (auto const& [n, from] : edges_) ++g_.offsets[n + 1];
    for (std::size_t i = 1; i < g_.offsets.size(); ++i) g_.offsets[i] += g_.offsets[i - 1];
    g_.sources.resize(edges_.size());
    auto place = g_.offsets;
    for (auto const& [n, from] : edges_) g_.sources[place[n]++] = from;
  }

  P const& p_;
  value_numbers<P> number_;
  graph g_;
  std::vector<state> states_;           // by number
  std::unordered_map<std::uint32_t, window_node> read_early_;  // by number; never walked through
  // What is known of integers: most nodes are none.
  std::vector<std::uint32_t> integer_at_;         // by node, in the next; 0: nothing is known
  std::vector<integer_fact> integers_ = {{}};
  std::vector<std::pair<window_node, window_node>> edges_;  // what a node may hold
};

}  // namespace mpmd::detail
