#pragma once
/// What passes share that merge fragments with fragments behind them.

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include <mpmd/graph/mutable_program.hpp>
#include <mpmd/transform/fragment_group.hpp>
#include <mpmd/transform/fragments.hpp>
#include <mpmd/transform/merge_fragments.hpp>

namespace mpmd {

/// Which fragment one may be merged with.
enum class merge_candidate {
  closest_consumer,  ///< the first that uses it, or none
  any_consumer,      ///< the first that uses it and is allowed
  next_on_mesh,      ///< the first behind it on its mesh
};

/// The fragments at the top level of one function, from last to first: each is merged with one behind it until no
/// candidate is left. `allowed(producer, consumer)` says by the facts of both whether two may become one.
///
/// The new fragment stands where the later one was if nothing uses the earlier one before that, else where the earlier
/// one was if all that the later one needs is there; else they are left alone. A fragment that nobody uses, and that has
/// no effects, goes.
///
/// What is merged with what is found out first, on places and users alone; then each group becomes one fragment at once.
/// O(n log^2 n) for n ops, operands and uses at the top level, and beside that the users looked at in vain by
/// any_consumer, and the operands of a group each time that it is to move up to its producer.
template <mutable_mpmd_program P, class Allowed>
class fragment_merger {
 public:
  using traits = ir_traits<P>;

  fragment_merger(P& p, op_t<P> function, merge_candidate candidate, Allowed allowed)
      : p_(p), function_(function), candidate_(candidate), allowed_(std::move(allowed)) {}

  void run() {
    std::vector<place> fragments;
    for (op_t<P> const o : body_of(p_, function_)) {
      place const at = ops_.size();
      place_.emplace(o, at);
      ops_.push_back(o);
      leaf_at_.push_back(tree::none);
      if (!is_fragment(p_, o)) continue;
      fragments.push_back(at);
      leaf_at_.back() = static_cast<number>(groups_.size());
      add_leaf(o, at);
    }
    for (std::size_t i = fragments.size(); i-- > 0;) {
      number at = leaf_at_[fragments[i]];
      op_t<P> const o = ops_[fragments[i]];
      if (has_unused_results(p_, o) && traits::is_pure(p_, o)) {
        on_mesh_[groups_[at].facts.mesh].erase(fragments[i]);
        leaf_at_[fragments[i]] = tree::none;
        place_.erase(o);  // before another op can get its handle
        traits::erase(p_, o);
        continue;
      }
      find_users(at);
      while (auto const merged = merge_once(at)) at = *merged;
    }
    // Handles of what is erased may come back for what is made, but what is looked at from here on are the trees.
    for (number n = 0; n < groups_.size(); ++n)
      if (groups_[n].into == n && !tree_.is_leaf(n)) tree_.build(p_, n, groups_[n].facts, ops_[groups_[n].at]);
  }

 private:
  using tree = fragment_merge_tree<P>;
  using number = typename tree::number;
  using place = std::size_t;  // of an op at the top level, rising

  // A fragment, or several that are to become one, under its number in the tree.
  struct group {
    fragment_facts<P> facts;
    place at;
    number into;             // itself, or one that it was merged into
    std::set<place> users = {};  // where ops stood that use it; what was merged since is elsewhere now
  };

  void add_leaf(op_t<P> o, place at) {
    auto const info = traits::fragment_of(p_, o);
    auto const mesh = mesh_numbers_.emplace(info.mesh, static_cast<std::uint32_t>(on_mesh_.size())).first->second;
    if (mesh == on_mesh_.size()) on_mesh_.emplace_back();
    on_mesh_[mesh].insert(at);
    auto const noted = [&](std::string_view name) {
      return !std::holds_alternative<std::monostate>(traits::note_of(p_, o, name));
    };
    number const n = tree_.add(o);
    groups_.push_back({.facts = {.single = o,
                                 .mesh = mesh,
                                 .stage = info.stage,
                                 .inferred = info.is_inferred(),
                                 .transposes = single_transpose_count(info),
                                 .call_counter = call_counter_of(p_, o),
                                 .keeps_transferred = noted("split_keep_transferred"),
                                 .drops_transferred = noted("split_drop_transferred")},
                       .at = at,
                       .into = n});
  }
  number group_of(number n) {
    number root = n;
    while (groups_[root].into != root) root = groups_[root].into;
    while (groups_[n].into != root) n = std::exchange(groups_[n].into, root);
    return root;
  }
  // The group of the fragment that stood there; none for another op.
  number group_at(place at) { return leaf_at_[at] == tree::none ? tree::none : group_of(leaf_at_[at]); }
  // Where that op is now.
  place now(place at) {
    number const g = group_at(at);
    return g == tree::none ? at : groups_[g].at;
  }

  void find_users(number leaf) {
    for (value_t<P> const v : traits::results(p_, tree_.fragment(leaf)))
      for (auto const& u : traits::uses(p_, v))
        if (op_t<P> const user = ancestor_in(p_, function_, u.user)) groups_[leaf].users.insert(now(place_.at(user)));
  }
  // The first place from `from` on where a user of the group is. Only merges behind what used to be there make it stand
  // elsewhere, further back.
  std::optional<place> next_user(number g, place from) {
    auto& users = groups_[g].users;
    for (auto at = users.lower_bound(from); at != users.end();) {
      place const is = now(*at);
      if (is == *at && group_at(is) != g) return is;
      if (is != groups_[g].at) users.insert(is);
      at = users.erase(at);
    }
    return std::nullopt;
  }

  std::optional<number> merge_once(number producer) {
    number const consumer = find(producer);
    if (consumer == tree::none) return std::nullopt;
    place at = groups_[consumer].at;
    if (auto const first = next_user(producer, 0); first && *first < at) {
      if (!may_move_up(producer, consumer)) return std::nullopt;
      at = groups_[producer].at;
    }
    auto const replaced = result_to_replace(producer, consumer);
    number const made = tree_.merge(producer, consumer, replaced);
    auto& on_mesh = on_mesh_[groups_[producer].facts.mesh];
    on_mesh.erase(groups_[producer].at);
    on_mesh.erase(groups_[consumer].at);
    on_mesh.insert(at);
    group merged{.facts = merged_facts(groups_[producer].facts, groups_[consumer].facts), .at = at, .into = made};
    merged.users = std::move(groups_[producer].users);
    if (merged.users.size() < groups_[consumer].users.size()) merged.users.swap(groups_[consumer].users);
    merged.users.insert(groups_[consumer].users.begin(), groups_[consumer].users.end());
    merged.users.insert(groups_[producer].users.begin(), groups_[producer].users.end());
    groups_[producer].users.clear();
    groups_[consumer].users.clear();
    groups_[producer].into = groups_[consumer].into = made;
    groups_.push_back(std::move(merged));
    return made;
  }

  number find(number producer) {
    fragment_facts<P> const& a = groups_[producer].facts;
    auto const may_merge = [&](number other) {
      fragment_facts<P> const& b = groups_[other].facts;
      return a.mesh == b.mesh && (!a.stage || !b.stage || *a.stage == *b.stage) && allowed_(a, b);
    };
    if (candidate_ == merge_candidate::next_on_mesh) {
      auto const& peers = on_mesh_[a.mesh];
      auto const next = peers.upper_bound(groups_[producer].at);
      if (next == peers.end()) return tree::none;
      number const other = group_at(*next);
      return may_merge(other) ? other : tree::none;
    }
    for (auto at = next_user(producer, 0); at; at = next_user(producer, *at + 1)) {
      number const user = group_at(*at);
      if (user == tree::none) continue;
      if (may_merge(user)) return user;
      if (candidate_ == merge_candidate::closest_consumer) return tree::none;
    }
    return tree::none;
  }

  // Whether all that the consumer needs stands in front of the producer. What hands it values then has a user there.
  bool may_move_up(number producer, number consumer) {
    std::vector<number> makers;
    bool may = true;
    place const to = groups_[producer].at;
    tree_.for_each_leaf(consumer, [&](number leaf) {
      for (value_t<P> const v : traits::operands(p_, tree_.fragment(leaf))) {
        op_t<P> const made_by = defining_op(p_, v);
        if (!made_by) continue;
        place const at = place_.at(made_by);
        number const g = group_at(at);
        if (g == producer || g == consumer) continue;
        if (to < now(at)) return may = false;
        if (g != tree::none) makers.push_back(g);
      }
      return true;
    });
    if (may)
      for (number const g : makers) groups_[g].users.insert(to);
    return may;
  }

  // The one result of a producer with one operand, if nothing but the consumer uses it, and that once.
  std::optional<value_t<P>> result_to_replace(number producer, number consumer) {
    if (auto const first = next_user(producer, 0);
        !first || *first != groups_[consumer].at || next_user(producer, *first + 1))
      return std::nullopt;
    auto const is_in = [&](op_t<P> o, number g) {
      auto const at = place_.find(o);
      return at != place_.end() && group_at(at->second) == g;
    };
    std::optional<value_t<P>> operand, result;
    bool one = true;
    number last = tree::none;
    tree_.for_each_leaf(producer, [&](number leaf) { return last = leaf, true; });
    tree_.for_each_leaf(producer, [&](number leaf) {
      op_t<P> const o = tree_.fragment(leaf);
      std::size_t seen = 0;
      auto const count = static_cast<std::size_t>(std::ranges::distance(traits::arguments(p_, o)));
      one = one && (count < 2 || !tree_.is_leaf(producer));  // only a group takes each value once
      for (value_t<P> const v : traits::operands(p_, o)) {
        if (seen++ == count) break;
        op_t<P> const made_by = defining_op(p_, v);
        if (made_by && is_in(made_by, producer)) continue;
        one = one && (!operand || *operand == v);
        operand = v;
      }
      for (value_t<P> const v : traits::results(p_, o)) {
        bool const stays = leaf == last || std::ranges::any_of(traits::uses(p_, v), [&](auto const& u) {
                             return !is_in(u.user, producer);
                           });
        one = one && !(stays && result);
        if (stays) result = v;
      }
      return one;
    });
    if (!one || !operand || !result) return std::nullopt;
    // A group takes a value once, as an operand or to be run behind what makes it.
    std::size_t as_operand = 0, as_control = 0;
    for (auto const& u : traits::uses(p_, *result)) {
      if (is_in(u.user, producer)) continue;
      if (!is_in(u.user, consumer)) return std::nullopt;
      auto const count = static_cast<std::size_t>(std::ranges::distance(traits::arguments(p_, u.user)));
      ++(u.index < count ? as_operand : as_control);
    }
    bool const grouped = !tree_.is_leaf(consumer);
    if (grouped) as_operand = as_operand != 0, as_control = as_control != 0;
    return as_operand + as_control == 1 ? result : std::nullopt;
  }

  P& p_;
  op_t<P> function_;
  merge_candidate candidate_;
  Allowed allowed_;
  tree tree_;
  std::vector<group> groups_;  // by the numbers of the tree
  std::vector<op_t<P>> ops_;   // by place
  std::vector<number> leaf_at_;
  std::unordered_map<op_t<P>, place> place_;
  std::map<std::string, std::uint32_t> mesh_numbers_;
  std::vector<std::set<place>> on_mesh_;
};

}  // namespace mpmd
