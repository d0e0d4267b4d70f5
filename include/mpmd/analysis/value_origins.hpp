#pragma once
/// Where values come from, behind calls and loops.

#include <cstdint>
#include <ranges>
#include <unordered_map>
#include <vector>

#include <mpmd/analysis/program_walk.hpp>

namespace mpmd {

/// For each result of a call what the callee returns there, for each result of a loop what its body yields, through any
/// number of both. Built once, linear in the program; a look-up is expected O(1). It stays good while the program is
/// edited, as long as values keep their numbers.
template <mpmd_program P>
class value_origins {
 public:
  explicit value_origins(program_map<P> const& map) : map_(&map) {
    P const& p = map.program();
    std::vector<fact_number> order;
    auto leads_to = [&](program_step<P> const& s, op_t<P> end) {
      if (!end) return;
      auto&& returned = ir_traits<P>::operands(p, end);
      auto const at = std::ranges::next(std::ranges::begin(returned), s.index, std::ranges::end(returned));
      if (at == std::ranges::end(returned)) return;
      origins_.emplace(s.number, *at);
      order.push_back(s.number);
    };
    for (auto const& f : map.functions())
      walk_steps<false>(map, f, [&](program_step<P> const& s) {
        if (s.kind == step_kind::call) calls_ = true;
        if (s.kind == step_kind::loop_result)
          leads_to(s, s.o);
        else if (s.kind == step_kind::call_result)
          if (auto const* to = map.callee(s.o)) leads_to(s, to->terminator);
      });
    // Every chain is walked once; what it went through then points at its end. A chain that comes back to itself has
    // none.
    std::vector<fact_number> path;
    for (fact_number const start : order) {
      path.clear();
      auto link = origins_.find(start);
      if (link == origins_.end()) continue;
      value_t<P> end = {};
      for (; link != origins_.end() && path.size() <= origins_.size(); link = origins_.find(map.number(end))) {
        path.push_back(link->first);
        end = link->second;
      }
      for (fact_number const n : path) {
        if (link != origins_.end())
          origins_.erase(n);
        else
          origins_[n] = end;
      }
    }
  }

  /// What the callee returns for a call's result, and the body yields for a loop's. Calls that only lead to each other
  /// return nothing: the value itself.
  value_t<P> operator[](value_t<P> v) const {
    auto const there = origins_.empty() ? origins_.end() : origins_.find(map_->number(v));
    return there == origins_.end() ? v : there->second;
  }
  bool any_calls() const { return calls_; }
  /// Calls `f(number, origin)` for the results that come from elsewhere, in no particular order.
  template <class F>
  void for_each(F f) const {
    for (auto const& [number, origin] : origins_) f(number, origin);
  }

 private:
  program_map<P> const* map_;
  std::unordered_map<fact_number, value_t<P>> origins_;
  bool calls_ = false;
};

}  // namespace mpmd
