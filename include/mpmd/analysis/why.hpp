#pragma once
/// Why is a mesh in a set, or not in it? Answers are shortest chains of steps, from the value asked about to the
/// annotation that caused the fact.

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <mpmd/analysis/src_sets.hpp>
#include <mpmd/analysis/use_sets.hpp>
#include <mpmd/dataflow/witness.hpp>
#include <mpmd/graph/csr_graph.hpp>

namespace mpmd {

/// Explains the facts of one analysis; meant for many questions. Calls are crossed in both directions. Making it is
/// linear in the program; a question costs the edges into the steps it reaches. The facts must outlive it.
template <mpmd_program P, class Policy, bool Use>
class explainer {
 public:
  using chain = std::vector<program_step<P>>;

  explicit explainer(set_facts<P, Policy, Use> const& facts) : facts_(facts), steps_(facts.map->bound()) {
    call_edges<P> const calls(*facts.map);
    set_flow<P, Use> const graph{facts.map.get(), nullptr, &calls};
    // The steps by number, and the edges into each as one flat graph, so that a chain can be followed either way.
    using traits = ir_traits<set_flow<P, Use>>;
    std::vector<program_step<P>> const nodes = traits::nodes(graph);
    ends_.assign(steps_.size() + 1, 0);
    for (auto const& n : nodes) {
      steps_[n.number] = n;
      traits::for_each_predecessor(graph, n, [&](program_step<P> const&) { ++ends_[n.number + 1]; });
    }
    for (std::size_t i = 1; i < ends_.size(); ++i) ends_[i] += ends_[i - 1];
    from_.resize(ends_.back());
    for (auto const& n : nodes) {
      auto at = ends_[n.number];
      traits::for_each_predecessor(graph, n, [&](program_step<P> const& m) { from_[at++] = m.number; });
    }
    finder_.emplace(csr_graph<>(ends_, from_));
  }
  explainer(explainer const&) = delete;
  explainer& operator=(explainer const&) = delete;

  /// How the mesh came into the set of `v`: for use sets the chain ends at the assign that needs it, for src sets at the
  /// unassign or argument that offers it, or at an inferred reduction that has a part there. Empty when the mesh is not in
  /// the set.
  chain why(value_t<P> v, std::string_view mesh) { return why_at(facts_.map->owner(v), mesh); }
  chain why_at(fact_number n, std::string_view mesh) {
    return find_mesh(n, mesh, [this](program_step<P> const& s) { return is_cause(s); });
  }
  /// The same for a mesh that no assign needs: the chain ends at the nearest argument that `v` is passed on as, and that is
  /// needed there.
  chain why_passed(value_t<P> v, std::string_view mesh)
    requires Use
  {
    fact_number const start = facts_.map->owner(v);
    return find_mesh(start, mesh, [start](program_step<P> const& s) {
      return s.kind == step_kind::argument && s.number != start;
    });
  }

  /// What keeps the mesh out of a src set: the chain ends at the unassign, argument or inferred reduction that is
  /// elsewhere. Empty when the mesh is in the set, or the set is unspecified.
  chain why_not(value_t<P> v, std::string_view mesh) { return why_not_at(facts_.map->owner(v), mesh); }
  chain why_not_at(fact_number n, std::string_view mesh)
    requires(!Use)
  {
    auto const m = facts_.names->meshes.find(mesh);
    auto lacks = [this, m](fact_number at) {
      auto const& set = facts_.at(at);
      return Policy::is_specified(set) && (m == name_table::missing || !facts_.policy.src_contains(set, m));
    };
    return find(n, lacks, [this](program_step<P> const& s) { return is_cause(s); });
  }

 private:
  template <class IsEnd>
  chain find_mesh(fact_number start, std::string_view mesh, IsEnd is_end) {
    auto const m = facts_.names->meshes.find(mesh);
    if (m == name_table::missing) return {};
    auto has = [this, m](fact_number at) {
      if constexpr (Use)
        return facts_.policy.use_contains(facts_.at(at), m);
      else
        return facts_.policy.src_contains(facts_.at(at), m);
    };
    return find(start, has, is_end);
  }
  template <class Carries, class IsEnd>
  chain find(fact_number start, Carries carries, IsEnd is_end) {
    chain found;
    for (std::uint32_t const n : finder_->find(start, carries, [&](fact_number at) { return is_end(steps_[at]); }))
      found.push_back(steps_[n]);
    return found;
  }
  bool is_cause(program_step<P> const& s) const {
    if (Use) return s.kind == step_kind::assign;
    P const& p = facts_.map->program();
    if (s.kind == step_kind::source) return s.o && ir_traits<P>::role_of(p, s.o) == role::unassign;
    // A reduction says nothing of itself; one that was inferred has kept the set that the op had.
    if (s.kind == step_kind::barrier) return true;
    // An argument that calls lead into is not the cause, they are.
    return s.kind == step_kind::argument && ends_[s.number] == ends_[s.number + 1];
  }

  set_facts<P, Policy, Use> const& facts_;
  std::vector<program_step<P>> steps_;
  std::vector<std::uint32_t> ends_;
  std::vector<std::uint32_t> from_;
  std::optional<witness_finder<Use ? backward : forward, csr_graph<>>> finder_;
};

template <class P, class Policy, bool Use>
explainer(set_facts<P, Policy, Use> const&) -> explainer<P, Policy, Use>;
template <class P, class Policy>
explainer(src_set_result<P, Policy> const&) -> explainer<P, Policy, false>;

}  // namespace mpmd
