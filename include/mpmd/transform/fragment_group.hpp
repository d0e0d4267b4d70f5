#pragma once
/// Many fragments of one mesh become one, at once.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

#include <mpmd/graph/mutable_program.hpp>
#include <mpmd/transform/fragments.hpp>
#include <mpmd/transform/merge_fragments.hpp>

namespace mpmd {

/// What one fragment says, or several that are to become one say together.
template <mutable_mpmd_program P>
struct fragment_facts {
  op_t<P> single = {};     ///< the fragment, as long as it is one
  std::uint32_t mesh = 0;  ///< a number
  std::optional<std::int64_t> stage = {};
  bool inferred = true;                            ///< no user named it
  std::optional<std::int64_t> transposes = {};     ///< of all that users named in it, if that is one number
  std::optional<std::uint32_t> call_counter = {};
  bool keeps_transferred = false;  ///< the first and the second half of one that was split
  bool drops_transferred = false;
};

/// What a fragment merged from these two says, the first standing in front of the second: as merge_notes() has it.
template <mutable_mpmd_program P>
fragment_facts<P> merged_facts(fragment_facts<P> const& a, fragment_facts<P> const& b) {
  fragment_facts<P> both{.mesh = a.mesh, .stage = a.stage ? a.stage : b.stage, .inferred = a.inferred && b.inferred};
  if (a.inferred || b.inferred)
    both.transposes = a.inferred ? b.transposes : a.transposes;
  else if (a.transposes == b.transposes)
    both.transposes = a.transposes;
  if (!a.call_counter || !b.call_counter || *a.call_counter == *b.call_counter)
    both.call_counter = a.call_counter ? a.call_counter : b.call_counter;
  else if (a.inferred != b.inferred)
    both.call_counter = a.inferred ? b.call_counter : a.call_counter;
  return both;
}

/// How fragments are put together: a binary tree of merges of a producer with a consumer behind it, in which the leaves
/// are fragments of the program. What comes out is what merge_fragments() makes when it follows the tree from the leaves
/// up, without the fragments between.
template <mutable_mpmd_program P>
class fragment_merge_tree {
 public:
  using traits = ir_traits<P>;
  using number = std::uint32_t;
  static constexpr number none = std::numeric_limits<number>::max();

  number add(op_t<P> fragment) {
    nodes_.push_back({.fragment = fragment});
    return static_cast<number>(nodes_.size() - 1);
  }
  /// `replaced`: the one result of the producer, if the one operand of the producer takes its place among the operands of
  /// the consumer.
  number merge(number producer, number consumer, std::optional<value_t<P>> replaced) {
    auto const made = static_cast<number>(nodes_.size());
    if (replaced) in_place_.emplace(*replaced, producer);
    nodes_.push_back({.first = producer, .second = consumer, .in_place = replaced.has_value()});
    return made;
  }
  bool is_leaf(number n) const { return nodes_[n].first == none; }
  op_t<P> fragment(number leaf) const { return nodes_[leaf].fragment; }

  /// The leaves below a node from first to last; stops when `each(leaf)` is false.
  template <class Each>
  void for_each_leaf(number n, Each each) const {
    std::vector<number> open{n};
    while (!open.empty()) {
      number const at = open.back();
      open.pop_back();
      if (is_leaf(at)) {
        if (!each(at)) return;
        continue;
      }
      open.push_back(nodes_[at].second);
      open.push_back(nodes_[at].first);
    }
  }

  /// Makes one fragment of all below a node in front of `place`, one of them, and erases them. Linear in operands, results
  /// and ops directly in them, and in the uses of their arguments and results.
  op_t<P> build(P& p, number root, fragment_facts<P> const& facts, op_t<P> place);
  /// The same in the place of one of them and with its notes; it says `info` of itself. The uses of the results of a
  /// fragment for which `keeps(fragment)` holds keep their order; those of others are turned around, as by one merge.
  template <class Keeps>
  op_t<P> build_like(P& p, number root, op_t<P> like, fragment_info info, Keeps keeps) {
    members all = members_of(p, root);
    return put_together(p, root, all, std::move(info), like, like, keeps);
  }

 private:
  struct node {
    op_t<P> fragment = {};
    number first = none;
    number second = none;
    bool in_place = false;
  };
  struct member {
    op_t<P> fragment;
    std::vector<value_t<P>> arguments;
    std::vector<value_t<P>> inputs;
    std::vector<value_t<P>> results;
    std::vector<value_t<P>> returned = {};  // once its arguments are replaced
  };
  struct members {
    std::vector<member> list;
    std::unordered_map<number, std::size_t> of_leaf;
    std::unordered_map<value_t<P>, std::pair<std::size_t, std::size_t>> made_by;  // member and number of the result
    std::unordered_set<op_t<P>> fragments;
  };
  members members_of(P const& p, number root) const;
  detail::fragment_inputs<P> inputs_of(P const& p, number root, members const& all) const;
  template <class Keeps>
  op_t<P> put_together(P& p, number root, members& all, fragment_info info, op_t<P> place, op_t<P> like, Keeps keeps);

  std::vector<node> nodes_;
  std::unordered_map<value_t<P>, number> in_place_;  // the result that is replaced -> its producer
};

template <mutable_mpmd_program P>
auto fragment_merge_tree<P>::members_of(P const& p, number root) const -> members {
  members all;
  for_each_leaf(root, [&](number leaf) {
    op_t<P> const f = nodes_[leaf].fragment;
    std::size_t const at = all.list.size();
    all.of_leaf.emplace(leaf, at);
    all.fragments.insert(f);
    all.list.push_back({f, arguments_of(p, f), operands_of(p, f), results_of(p, f)});
    for (std::size_t i = 0; i < all.list.back().results.size(); ++i)
      all.made_by.emplace(all.list.back().results[i], std::pair(at, i));
    return true;
  });
  return all;
}

// In the order of the leaves, each once; a producer whose operand replaces its result comes where that result is used.
template <mutable_mpmd_program P>
detail::fragment_inputs<P> fragment_merge_tree<P>::inputs_of(P const& p, number root, members const& all) const {
  detail::fragment_inputs<P> inputs;
  struct step {
    number at;
    std::size_t next = 0;  // operand of a leaf
  };
  std::vector<step> open{{root}};
  std::unordered_set<number> replaced;
  while (!open.empty()) {
    step& s = open.back();
    node const& n = nodes_[s.at];
    if (n.first != none) {
      number const first = n.in_place ? n.second : n.first, second = n.in_place ? n.first : n.second;
      open.pop_back();
      open.push_back({second});
      open.push_back({first});
      continue;
    }
    member const& m = all.list[all.of_leaf.at(s.at)];
    if (s.next == m.arguments.size()) {
      open.pop_back();
      continue;
    }
    value_t<P> const v = m.inputs[s.next];
    value_t<P> const like = m.arguments[s.next++];
    if (!all.made_by.contains(v)) {
      inputs.add(p, v, like);
    } else if (auto const at = in_place_.find(v); at != in_place_.end() && replaced.insert(at->second).second) {
      open.push_back({at->second});
    }
  }
  return inputs;
}

template <mutable_mpmd_program P>
op_t<P> fragment_merge_tree<P>::build(P& p, number root, fragment_facts<P> const& facts, op_t<P> place) {
  members all = members_of(p, root);
  fragment_info info = traits::fragment_of(p, all.list.front().fragment);
  std::vector<std::string> inferred_by;
  auto const hash = [](user_origin const& o) {
    return std::hash<std::string>{}(o.name) ^ static_cast<std::size_t>(o.transpose_count);
  };
  std::unordered_set<user_origin, decltype(hash)> named(info.origins.begin(), info.origins.end(), 16, hash);
  std::unordered_set<std::string> reasons;
  for (std::size_t i = 0; i < all.list.size(); ++i) {
    op_t<P> const f = all.list[i].fragment;
    if (i > 0) {
      std::vector<user_origin> fresh;  // one that it names twice stays so
      for (auto& o : traits::fragment_of(p, f).origins)
        if (!named.contains(o)) fresh.push_back(std::move(o));
      named.insert(fresh.begin(), fresh.end());
      info.origins.insert(info.origins.end(), fresh.begin(), fresh.end());
    }
    if (!facts.inferred) continue;
    note const held = traits::note_of(p, f, inferred_by_note);
    if (auto const* names = std::get_if<std::vector<std::string>>(&held))
      for (auto const& n : *names)
        if (reasons.insert(n).second) inferred_by.push_back(n);
  }
  info.stage = facts.stage;
  op_t<P> const made = put_together(p, root, all, std::move(info), place, {}, [](op_t<P>) { return false; });
  set_notes(p, made, merged_notes{facts.call_counter, std::move(inferred_by)});
  return made;
}

template <mutable_mpmd_program P>
template <class Keeps>
op_t<P> fragment_merge_tree<P>::put_together(P& p, number root, members& all, fragment_info info, op_t<P> place,
                                             op_t<P> like, Keeps keeps) {
  member const& last = all.list.back();
  location_t<P> where = traits::location_of(p, all.list.front().fragment);
  for (std::size_t i = 1; i < all.list.size(); ++i)
    where = traits::merged_location(p, where, traits::location_of(p, all.list[i].fragment));

  // Operands.
  detail::fragment_inputs<P> const inputs = inputs_of(p, root, all);
  std::vector<value_t<P>> operands = inputs.values();
  bool controlled = false;
  std::unordered_set<value_t<P>> controls;
  for (member const& m : all.list)
    for (std::size_t i = m.arguments.size(); i < m.inputs.size(); ++i) {
      controlled = true;
      if (!all.made_by.contains(m.inputs[i]) && controls.insert(m.inputs[i]).second) operands.push_back(m.inputs[i]);
    }
  bool const has_controls = operands.size() > inputs.values().size();

  // Results: all of the last one, those of the others that something else uses.
  struct output {
    std::size_t member, result;
  };
  std::vector<output> outputs;
  std::vector<type_t<P>> types;
  auto const is_outside = [&](auto const& u) { return !all.fragments.contains(u.user); };
  for (std::size_t m = 0; m < all.list.size(); ++m)
    for (std::size_t i = 0; i < all.list[m].results.size(); ++i) {
      value_t<P> const v = all.list[m].results[i];
      auto&& uses = traits::uses(p, v);
      if (m + 1 < all.list.size() && std::ranges::none_of(uses, is_outside)) continue;
      outputs.push_back({m, i});
      types.push_back(traits::type_of(p, v));
    }

  op_t<P> const made = traits::create(p,
                                      op_recipe<P>{.what = role::fragment,
                                                   .operands = std::move(operands),
                                                   .results = std::move(types),
                                                   .where = where,
                                                   .fragment = std::move(info)},
                                      insertion_point<P>::before(place));
  inputs.add_arguments(p, made);
  if (like) {
    traits::copy_notes(p, like, made);
    traits::set_note(p, made, control_start_note, std::monostate{});
  }
  if (controlled && has_controls)
    traits::set_note(p, made, control_start_note, static_cast<std::int64_t>(inputs.values().size()));

  // Bodies.
  auto const arguments = arguments_of(p, made);
  auto const end = insertion_point<P>::end(made);
  location_t<P> const end_place = traits::location_of(p, terminator_of(p, last.fragment));
  for (member& m : all.list) {
    for (std::size_t i = 0; i < m.arguments.size(); ++i) {
      auto const maker = all.made_by.find(m.inputs[i]);
      replace_uses(p, m.arguments[i],
                   maker == all.made_by.end() ? arguments[inputs.number_of(m.inputs[i])]
                                              : all.list[maker->second.first].returned[maker->second.second]);
    }
    op_t<P> const own_end = terminator_of(p, m.fragment);
    m.returned = operands_of(p, own_end);
    for (op_t<P> const o : body_of(p, m.fragment))
      if (!(o == own_end)) traits::move(p, o, end);
  }
  std::vector<value_t<P>> returned;
  for (auto const& o : outputs) returned.push_back(all.list[o.member].returned[o.result]);
  traits::create(p, op_recipe<P>{.what = role::terminator, .operands = std::move(returned), .where = end_place}, end);

  // Users.
  auto const results = results_of(p, made);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    member const& m = all.list[outputs[i].member];
    auto uses = uses_of(p, m.results[outputs[i].result]);
    if (keeps(m.fragment)) std::ranges::reverse(uses);
    for (auto const& u : uses)
      if (is_outside(u)) traits::set_operand(p, u.user, u.index, results[i]);
  }
  for (std::size_t i = all.list.size(); i-- > 0;) traits::erase(p, all.list[i].fragment);
  return made;
}

}  // namespace mpmd
