#pragma once

#include <mpmd/graph/flow_graph.hpp>

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <span>

namespace mpmd {

/// What the row of a node lists: the nodes it uses, or the nodes that use it.
enum class csr_rows { predecessors, successors };

/// What the caller knows about the order of the nodes 0, 1, 2, ...: nothing, or that no edge leads from a
/// node to itself or to one with a smaller number.
enum class csr_order { unknown, topological };

/// A graph in two arrays which it does not own ("compressed sparse rows"): the neighbours of node `n` are
/// `neighbours[offsets[n]]` up to `neighbours[offsets[n + 1]]`. Nodes are the numbers below `offsets.size() -
/// 1`; no offsets at all make the empty graph.
template <csr_rows Rows = csr_rows::predecessors>
class csr_graph {
 public:
  using node = std::uint32_t;

  constexpr csr_graph() = default;

  /// The arrays must outlive the graph and everything that is computed from it. They must be well formed;
  /// debug builds check that, in linear time.
  constexpr csr_graph(std::span<const std::uint32_t> offsets, std::span<const node> neighbours,
                      csr_order order = csr_order::unknown)
      : offsets_(offsets), neighbours_(neighbours), order_(order) {
    assert(well_formed(offsets, neighbours));
  }

  /// Whether offsets start at 0, never fall and end with the number of neighbours, and each neighbour is a
  /// node. Linear; for arrays that come from outside the program.
  static constexpr bool well_formed(std::span<const std::uint32_t> offsets,
                                    std::span<const node> neighbours) {
    if (offsets.empty()) return neighbours.empty();
    if (offsets.front() != 0 || offsets.back() != neighbours.size()) return false;
    for (std::size_t i = 1; i < offsets.size(); ++i)
      if (offsets[i - 1] > offsets[i]) return false;
    for (auto n : neighbours)
      if (n >= offsets.size() - 1) return false;
    return true;
  }

  constexpr node size() const noexcept {
    return offsets_.empty() ? 0 : static_cast<node>(offsets_.size() - 1);
  }

  /// A pair of pointers rather than a span, which would count its elements only for a loop to add them up
  /// again.
  constexpr std::ranges::subrange<const node*> row(node n) const noexcept {
    assert(n < size());
    return {neighbours_.data() + offsets_[n], neighbours_.data() + offsets_[n + 1]};
  }

  constexpr csr_order order() const noexcept { return order_; }

 private:
  std::span<const std::uint32_t> offsets_;
  std::span<const node> neighbours_;
  csr_order order_ = csr_order::unknown;
};

template <csr_rows Rows>
struct ir_traits<csr_graph<Rows>> {
  using graph = csr_graph<Rows>;
  using node = typename graph::node;
  static constexpr bool is_view = true;

  static constexpr auto nodes(const graph& g) { return std::views::iota(node{0}, g.size()); }
  static constexpr auto predecessors(const graph& g, node n)
    requires(Rows == csr_rows::predecessors)
  {
    return g.row(n);
  }
  static constexpr auto successors(const graph& g, node n)
    requires(Rows == csr_rows::successors)
  {
    return g.row(n);
  }
  static constexpr std::size_t index(const graph&, node n) { return n; }
  static constexpr std::size_t index_bound(const graph& g) { return g.size(); }
  static constexpr bool topologically_ordered(const graph& g) { return g.order() == csr_order::topological; }
};

static_assert(indexed_flow_graph<csr_graph<csr_rows::predecessors>>);
static_assert(indexed_flow_graph<csr_graph<csr_rows::successors>>);

}  // namespace mpmd
