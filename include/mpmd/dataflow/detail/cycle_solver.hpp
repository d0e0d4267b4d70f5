#pragma once

#include <mpmd/dataflow/detail/flow_order.hpp>
#include <mpmd/dataflow/detail/rank_set.hpp>
#include <mpmd/lattice/lattice.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace mpmd::detail {

/// Solves one strongly connected component at a time; its arrays serve all of them.
///
/// The nodes are ranked in reverse post-order of the flow. A sweep visits those whose input grew, upwards
/// through the ranks until none is left above, then downwards, and so on: upward sweeps suit loops, whose
/// nodes depend on earlier ones, and the downward ones spare a chain of retreating edges a sweep for each.
/// The solution is the least one, since facts start at bottom and a node's input, kept apart from its fact,
/// only gathers what flowed in.
template <direction D, flow_graph G, join_semilattice L>
class cycle_solver {
 public:
  using element = element_t<L>;

  constexpr cycle_solver(const flat_flow<G>& flat, const placement& places, const components& parts,
                         const L& lattice, fact_map<G, element>& facts)
      : flat_(flat), places_(places), parts_(parts), lattice_(lattice), facts_(facts) {}

  /// Whether the component became stable. `visit(position, fact)` is the transfer function.
  template <class Visit>
  constexpr bool solve(std::span<const std::uint32_t> members, std::size_t max_visits, Visit visit) {
    prepare(members);
    gather_inputs();
    element fact = lattice_.bottom();
    bool up = true;
    for (std::size_t rank = 0; rank != rank_set::none;) {
      const auto i = by_rank_[rank];
      auto& node = states_[i];
      if (node.visits == max_visits) {
        last_ = i;
        return false;
      }
      ++node.visits;
      unstable_.erase(rank);
      fact = node.input;
      visit(members_[i], fact);
      if (lattice_.join(fact_of(i), fact) == change::yes) push(i);
      rank = up ? unstable_.next(rank) : unstable_.previous(rank);
      if (rank == rank_set::none) {
        up = !up;
        rank = up ? unstable_.next(0) : unstable_.previous(members_.size() - 1);
      }
    }
    return true;
  }

  /// After a failure: the positions of a cycle whose nodes made each other's facts grow, in the order of the
  /// flow. All members if the budget was so small that growth had not gone round.
  constexpr std::vector<std::uint32_t> growing_cycle() const {
    std::vector<std::uint32_t> found;
    // Who made a node's input grow has grown itself, so the way back runs into a cycle.
    std::vector<bool> seen(members_.size(), false);
    auto i = last_;
    for (; !seen[i]; i = states_[i].grown_by) {
      seen[i] = true;
      if (states_[i].grown_by == no_position) {
        for (auto member : by_rank_) found.push_back(members_[member]);
        return found;
      }
    }
    auto at = i;
    do {
      found.push_back(members_[at]);
      at = states_[at].grown_by;
    } while (at != i);
    return {found.rbegin(), found.rend()};
  }

 private:
  constexpr element& fact_of(std::uint32_t i) { return facts_.at_slot(places_.slot(members_[i])); }
  constexpr bool inside(std::uint32_t position) const {
    return position < flat_.size() && parts_.component[position] == parts_.component[members_[0]];
  }

  constexpr void prepare(std::span<const std::uint32_t> members) {
    const auto count = static_cast<std::uint32_t>(members.size());
    members_ = members;
    local_.resize(flat_.size(), 0);
    for (std::uint32_t i = 0; i < count; ++i) local_[members[i]] = i;
    list_targets(count);
    rank_nodes(count);
    unstable_.fill(count);
  }

  /// The edges inside the component, each as the node to which it takes a fact.
  constexpr void list_targets(std::uint32_t count) {
    first_target_.assign(count + std::size_t{1}, 0);
    for_each_edge_inside([&](std::uint32_t from, std::uint32_t) { ++first_target_[from]; });
    for (std::uint32_t i = 1; i <= count; ++i) first_target_[i] += first_target_[i - 1];
    targets_.resize(first_target_[count], 0);
    for_each_edge_inside([&](std::uint32_t from, std::uint32_t to) { targets_[--first_target_[from]] = to; });
  }

  template <class Each>
  constexpr void for_each_edge_inside(Each each) const {
    for (std::uint32_t i = 0; i < members_.size(); ++i)
      for (auto other : flat_.row(members_[i])) {
        if (!inside(other)) continue;
        if constexpr (pulls<D, G>)
          each(local_[other], i);
        else
          each(i, local_[other]);
      }
  }

  /// Reverse post-order from the node which comes first in the natural order of the flow, most often the
  /// entry.
  constexpr void rank_nodes(std::uint32_t count) {
    std::uint32_t entry = 0;
    for (std::uint32_t i = 1; i < count; ++i)
      if ((members_[i] < members_[entry]) == (D == direction::forward)) entry = i;
    rank_.assign(count, count);
    by_rank_.resize(count, 0);
    auto rank = count;
    path_.assign(1, {entry, first_target_[entry]});
    rank_[entry] = 0;
    while (!path_.empty()) {
      auto& [i, next] = path_.back();
      if (next < first_target_[i + 1]) {
        const auto target = targets_[next++];
        if (rank_[target] != count) continue;
        rank_[target] = 0;
        path_.push_back({target, first_target_[target]});
      } else {
        rank_[i] = --rank;
        by_rank_[rank] = i;
        path_.pop_back();
      }
    }
    assert(rank == 0);
  }

  /// What the facts held before, and what flows in from outside; the facts start again at bottom.
  constexpr void gather_inputs() {
    states_.clear();
    for (std::uint32_t i = 0; i < members_.size(); ++i)
      states_.push_back({std::exchange(fact_of(i), lattice_.bottom()), 0, no_position});
    if constexpr (pulls<D, G>)
      for (std::uint32_t i = 0; i < members_.size(); ++i)
        for (auto other : flat_.row(members_[i]))
          if (!inside(other))
            static_cast<void>(lattice_.join(states_[i].input, facts_.at_slot(places_.slot(other))));
  }

  constexpr void push(std::uint32_t i) {
    for (auto e = first_target_[i]; e < first_target_[i + 1]; ++e) {
      const auto target = targets_[e];
      if (lattice_.join(states_[target].input, fact_of(i)) == change::no) continue;
      states_[target].grown_by = i;
      unstable_.insert(rank_[target]);
    }
  }

  struct state {
    element input;
    std::size_t visits;
    std::uint32_t grown_by;  // whose fact made the input grow last
  };
  struct path_entry {
    std::uint32_t node;
    std::size_t next;
  };

  const flat_flow<G>& flat_;
  const placement& places_;
  const components& parts_;
  const L& lattice_;
  fact_map<G, element>& facts_;

  // All but `local_` are by a node's place in `members_`.
  std::span<const std::uint32_t> members_;  // positions
  std::vector<std::uint32_t> local_;        // the place, by position
  std::vector<std::size_t> first_target_;
  std::vector<std::uint32_t> targets_;
  std::vector<path_entry> path_;
  std::vector<std::uint32_t> rank_;
  std::vector<std::uint32_t> by_rank_;
  std::vector<state> states_;
  rank_set unstable_;
  std::uint32_t last_ = 0;
};

}  // namespace mpmd::detail
