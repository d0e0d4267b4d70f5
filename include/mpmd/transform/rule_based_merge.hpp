#pragma once
/// -mpmd-rule-based-merge: merges the fragments that a user lists.

#include <algorithm>
#include <cstddef>
#include <functional>
#include <queue>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <mpmd/support/diagnostics.hpp>
#include <mpmd/support/option.hpp>
#include <mpmd/transform/fragment_merger.hpp>
#include <mpmd/transform/fragment_rules.hpp>

namespace mpmd {

/// In each function, the fragments that the sources of a rule describe become one, in program order, which says what the
/// target says. Ops then stand in an order that all of this allows, as near to what it was as may be; ops with effects
/// keep theirs. Control operands are dropped unless they are to be kept.
///
/// Errors: a fragment in two rules; two fragments that one source describes; sources on different meshes; fragments that
/// cannot become one because something between them needs both. The function is then left as it was. A warning: a rule
/// of which some function has some fragments, but not all, or none. Near-linear.
struct rule_based_merge {
  std::vector<fragment_merge_rule> rules;
  bool remove_control_dependencies = true;

  static constexpr std::string_view name = "mpmd-rule-based-merge";
  static constexpr std::string_view summary = "Merge fragments that are listed";
  static constexpr auto options =
      std::tuple{option{"rules", &rule_based_merge::rules, "Which fragments become which"},
                 option{"remove-control-dependencies", &rule_based_merge::remove_control_dependencies,
                        "Forget which fragments only wait for each other"}};

  template <mutable_mpmd_program P>
  bool operator()(P& p, diagnostics& diags) const {
    bool good = true;
    std::vector<bool> met(rules.size());
    for (op_t<P> const f : distributed_functions(p)) good = in_function(p, f, met, diags) && good;
    for (std::size_t i = 0; i < rules.size(); ++i)
      if (!met[i] && !rules[i].sources.empty())
        diags.warning({}, "rule-based-merge.unused",
                      "no function has the fragments of the rule that begins with " + to_text(rules[i].sources.front()));
    return good;
  }

 private:
  template <class P>
  struct group {
    std::vector<op_t<P>> members;
    fragment_merge_rule const* rule;
  };

  template <mutable_mpmd_program P>
  bool in_function(P& p, op_t<P> f, std::vector<bool>& met, diagnostics& diags) const {
    using traits = ir_traits<P>;
    bool good = true;
    auto fail = [&](op_t<P> at, std::string message) {
      diags.error(source_of(p, at), "rule-based-merge", std::move(message));
      good = false;
    };
    auto const all = body_of(p, f);
    std::unordered_map<op_t<P>, std::size_t> place;
    std::unordered_map<std::string, op_t<P>> described;
    std::unordered_set<std::string> twice;
    for (op_t<P> const o : all) {
      place.emplace(o, place.size());
      if (!is_fragment(p, o)) continue;
      std::string text = to_text(describe_fragment(p, o));
      if (!described.emplace(text, o).second) twice.insert(std::move(text));
    }
    std::vector<group<P>> groups;
    std::unordered_map<op_t<P>, std::size_t> group_of;
    for (std::size_t r = 0; r < rules.size(); ++r) {
      group<P> g{{}, &rules[r]};
      for (auto const& source : rules[r].sources) {
        std::string const text = to_text(source);
        auto const at = described.find(text);
        if (at == described.end()) continue;
        if (twice.contains(text)) fail(at->second, "more than one fragment is " + text);
        if (traits::fragment_of(p, at->second).mesh != rules[r].target.mesh)
          fail(at->second, "this fragment is to become part of " + to_text(rules[r].target) + ", which is on another mesh");
        g.members.push_back(at->second);
      }
      if (g.members.empty()) continue;
      met[r] = true;
      if (g.members.size() != rules[r].sources.size()) {
        diags.warning(source_of(p, f), "rule-based-merge.missing",
                      "the function has only some of the fragments that are to become " + to_text(rules[r].target) +
                          "; they are left alone");
        continue;
      }
      for (op_t<P> const o : g.members)
        if (!group_of.emplace(o, groups.size()).second) fail(o, "this fragment is named more than once by the rules");
      auto earlier = [&](op_t<P> a, op_t<P> b) { return place.at(a) < place.at(b); };
      std::sort(g.members.begin(), g.members.end(), earlier);
      groups.push_back(std::move(g));
    }
    if (!good) return false;
    if (groups.empty()) return true;

    if (remove_control_dependencies)
      for (op_t<P> const o : all) {
        auto const start = is_fragment(p, o) ? number_in(traits::note_of(p, o, control_start_note)) : std::nullopt;
        if (!start) continue;
        auto operands = operands_of(p, o);
        operands.resize(std::min(operands.size(), static_cast<std::size_t>(*start)));
        traits::set_operands(p, o, operands);
        traits::set_note(p, o, control_start_note, std::monostate{});
      }
    auto const order = sorted(p, f, all, groups, group_of);
    if (order.size() != all.size()) {
      diags.error(source_of(p, f), "rule-based-merge.cycle",
                  "Cycle detected in the program, not all fragments could be properly merged.");
      return false;
    }
    op_t<P> const end = all.back();
    for (op_t<P> const o : order)
      if (!(o == end)) traits::move(p, o, insertion_point<P>::before(end));
    for (group<P> const& g : groups) {
      for (op_t<P> const o : g.members) relabel_fragment(p, o, g.rule->target);
      op_t<P> merged = g.members.front();
      for (std::size_t i = 1; i < g.members.size(); ++i) merged = merge_fragments(p, merged, g.members[i]);
      relabel_fragment(p, merged, g.rule->target);
    }
    return true;
  }

  /// The ops of a function so that the members of a group stand side by side and each op behind what it needs; fewer
  /// when there is no such order.
  template <mutable_mpmd_program P>
  static std::vector<op_t<P>> sorted(P const& p, op_t<P> f, std::vector<op_t<P>> const& all,
                                     std::vector<group<P>> const& groups,
                                     std::unordered_map<op_t<P>, std::size_t> const& group_of) {
    using traits = ir_traits<P>;
    // Units: groups, then other ops.
    std::vector<std::vector<op_t<P>>> units;
    for (auto const& g : groups) units.push_back(g.members);
    std::unordered_map<op_t<P>, std::size_t> unit_of;
    std::vector<std::size_t> place(groups.size());
    std::vector<bool> placed(groups.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
      auto const at = group_of.find(all[i]);
      if (at == group_of.end()) {
        unit_of.emplace(all[i], units.size());
        units.push_back({all[i]});
        place.push_back(i);
      } else {
        unit_of.emplace(all[i], at->second);
        if (!placed[at->second]) place[at->second] = i;
        placed[at->second] = true;
      }
    }
    std::vector<std::vector<std::size_t>> behind(units.size());
    std::vector<std::size_t> missing(units.size());
    auto depends = [&](std::size_t user, std::size_t on) {
      if (user == on) return;
      behind[on].push_back(user);
      ++missing[user];
    };
    std::size_t const end = unit_of.at(all.back());
    std::size_t effect = units.size();
    for (op_t<P> const o : all) {
      std::size_t const mine = unit_of.at(o);
      for (value_t<P> const v : traits::results(p, o))
        for (auto const& u : traits::uses(p, v))
          if (op_t<P> const user = ancestor_in(p, f, u.user)) depends(unit_of.at(user), mine);
      if (mine != end) depends(end, mine);
      if (mine == end || traits::is_pure(p, o)) continue;
      if (effect != units.size()) depends(mine, effect);
      effect = mine;
    }
    using entry = std::pair<std::size_t, std::size_t>;  // place, unit
    std::priority_queue<entry, std::vector<entry>, std::greater<>> ready;
    for (std::size_t i = 0; i < units.size(); ++i)
      if (missing[i] == 0) ready.emplace(place[i], i);
    std::vector<op_t<P>> order;
    while (!ready.empty()) {
      std::size_t const unit = ready.top().second;
      ready.pop();
      order.insert(order.end(), units[unit].begin(), units[unit].end());
      for (std::size_t const next : behind[unit])
        if (--missing[next] == 0) ready.emplace(place[next], next);
    }
    return order;
  }
};

}  // namespace mpmd
