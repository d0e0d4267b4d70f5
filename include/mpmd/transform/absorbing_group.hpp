#pragma once
/// A fragment and what it absorbs, one fragment after another, before they become one at once.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

#include <mpmd/transform/fragment_group.hpp>
#include <mpmd/transform/merged_operand_order.hpp>
#include <mpmd/transform/move_transfers_to_producer.hpp>

namespace mpmd {

/// A root and the inferred fragments around it that it has absorbed so far. next() names the one to absorb now and
/// absorb() takes it in: what they see, and what build() makes in the end, is as if each were merged by merge_fragments()
/// where the root stands, though until then the fragments stay where they were. Which is next:
///
/// * the first, in the order of operands, that makes an operand and that nothing uses before the root. Transfers of its
///   results do not count if they are used behind the root: absorb() moves them there;
/// * else the first, in the order of results and their uses, all of whose operands are there before the root. Of
///   transfers that it takes, what they transfer has to be: absorb() moves them there.
///
/// A fragment with something in its way is looked at again when that has been absorbed or moved, and not before: each of
/// its operands, or uses of its results, is passed once. O(log n) for each operand of what is absorbed and each use of its
/// results; of a neighbour that is not, what comes before the first that is in the way.
template <mutable_mpmd_program P>
class absorbing_group {
 public:
  using traits = ir_traits<P>;
  using op = op_t<P>;
  using value = value_t<P>;

  absorbing_group(P& p, op function, op root)
      : p_(p), function_(function), root_(root), info_(traits::fragment_of(p, root)), number_(tree_.add(root)) {
    operands_.add_behind(p_, root, is_outside());
    note_reasons(root);
    join(root, 0);
  }

  /// Users named it, or no other fragment uses it, or it uses none.
  bool is_root() const { return !info_.is_inferred() || used_by_fragments_ == 0 || uses_of_fragments_ == 0; }

  /// The fragment to absorb now; none if there is none.
  op next() {
    while (!producers_.empty()) {
      op const first = producers_.begin()->second;
      if (can_join(first)) return first;
      drop(first);
    }
    while (!consumers_.empty()) {
      auto const& [at, users] = *consumers_.begin();
      // Each merge turns the uses of the results of both around.
      bool const turned = is_turned(at.member);
      op const first = turned ? users.rbegin()->second : users.begin()->second;
      if (can_join(first)) return first;
      drop(first);
    }
    return {};
  }

  /// Absorbs what next() named. Returns the fragments around the two that are new as neighbours of the group, or all if
  /// it was the root alone: those that it uses and that use it, of the one in front first.
  std::vector<op> absorb(op o) {
    bool const in_front = candidates_.at(o).in_front;
    std::vector<op> around;
    std::unordered_set<op> seen;
    bool const alone = merges_ == 0;
    if (alone && !in_front) add_neighbours(root_, o, around, seen);
    add_neighbours(o, o, around, seen);
    if (alone && in_front) add_neighbours(root_, o, around, seen);

    drop(o);
    ++merges_;
    std::vector<op> moved;
    number const leaf = tree_.add(o);
    if (in_front) {
      delay_transfers(o);
      auto const replaced = replaced_in_group(o);
      operands_.add_in_front(p_, o, replaced, is_outside());
      join(o, --front_);
      number_ = tree_.merge(leaf, number_, replaced);
    } else {
      moved = hasten_transfers(o);
      auto const replaced = replaced_in(o);
      if (replaced)
        operands_.add_around(p_, o, *replaced, is_outside());
      else
        operands_.add_behind(p_, o, is_outside());
      join(o, ++back_);
      number_ = tree_.merge(number_, leaf, replaced);
    }
    if (auto const stage = traits::fragment_of(p_, o).stage; !info_.stage) info_.stage = stage;
    note_reasons(o);
    wake(o);
    for (op const t : moved) wake(t);
    return around;
  }

  /// Makes one fragment of all in the place of the root, with its notes.
  op build() {
    op const made = tree_.build_like(p_, number_, root_, info_, [&](op of) { return !is_turned(of); });
    bool const says_why = info_.is_inferred() && !reasons_.empty();
    traits::set_note(p_, made, inferred_by_note, says_why ? note(std::move(reasons_)) : note());
    return made;
  }

 private:
  using number = typename fragment_merge_tree<P>::number;
  using rank = typename merged_operand_order<P>::rank;

  struct member {
    rank at = 0;  // among members, as their bodies will stand
    std::size_t joined = 0;
    std::size_t results = 0;
    std::size_t used = 0;  // of the results, by others than members
  };
  // A result of a member, in the order of the results of the group.
  struct result_place {
    rank at;
    std::size_t index;
    op member;
    friend bool operator<(result_place const& a, result_place const& b) {
      return a.at != b.at ? a.at < b.at : a.index < b.index;
    }
  };
  // What has to stand elsewhere for a fragment to be absorbed.
  struct tie {
    op to;
    bool through_transfer;
  };
  struct candidate {
    bool in_front = false;
    bool fits = false;  // inferred, at the top level and on the mesh
    std::optional<std::int64_t> stage = {};
    bool ready = false;
    bool waits = false;  // for what is in the way
    bool looked_at = false;
    rank at = std::numeric_limits<rank>::max();             // in front: of the first operand that it makes
    std::vector<std::pair<result_place, std::size_t>> uses = {};  // behind: result and number of the use
    bool listed = false;
    std::vector<tie> ties = {};
    std::size_t passed = 0;
  };

  bool is_member(op o) const { return members_.contains(o); }
  auto is_outside() const {
    return [this](value v) {
      op const by = mpmd::defining_op(p_, v);
      return !by || !is_member(by);
    };
  }
  bool is_turned(op o) const { return (merges_ - members_.at(o).joined) % 2 != 0; }
  bool is_top_transfer(op o) const {
    return traits::role_of(p_, o) == role::transfer && traits::parent_op(p_, o) == function_;
  }
  bool is_top_fragment(op o) const { return is_fragment(p_, o) && traits::parent_op(p_, o) == function_; }

  void note_reasons(op o) {
    if (!info_.is_inferred()) return;
    note const held = traits::note_of(p_, o, inferred_by_note);
    if (auto const* names = std::get_if<std::vector<std::string>>(&held))
      for (auto const& n : *names)
        if (known_reasons_.insert(n).second) reasons_.push_back(n);
  }

  void add_neighbours(op of, op absorbed, std::vector<op>& around, std::unordered_set<op>& seen) const {
    auto add = [&](op o) {
      if (!(o == absorbed) && !is_member(o) && seen.insert(o).second) around.push_back(o);
    };
    for (value const v : traits::operands(p_, of))
      if (op const by = mpmd::defining_op(p_, v); by && is_top_fragment(by)) add(by);
    for (value const r : traits::results(p_, of))
      for (auto const& u : traits::uses(p_, r))
        if (is_fragment(p_, u.user)) add(u.user);
  }

  // --- What takes part --------------------------------------------------------------------------------------------

  void join(op o, rank at) {
    member& m = members_.emplace(o, member{.at = at, .joined = merges_ == 0 ? 0 : merges_ - 1}).first->second;
    for (value const v : traits::operands(p_, o)) {
      op const by = mpmd::defining_op(p_, v);
      if (!by) continue;
      if (auto const made_by = members_.find(by); made_by != members_.end()) {
        --used_by_fragments_;
        --uses_;
        if (--uses_of_result_.at(v) == 0) --made_by->second.used, --used_results_;
      } else if (is_top_fragment(by)) {
        ++uses_of_fragments_;
        if (candidate* const c = candidate_for(by, true)) {
          rank const first = std::min(c->at, operands_.rank_of(v));
          if (c->ready && first < c->at) producers_.erase(c->at), producers_.emplace(first, by);
          c->at = first;
          look_at(by, *c);
        }
      }
    }
    for (value const r : traits::results(p_, o)) {
      result_place const place{at, m.results++, o};
      std::size_t outside = 0, nth = 0;
      for (auto const& u : traits::uses(p_, r)) {
        std::size_t const i = nth++;
        if (is_member(u.user)) {
          --uses_of_fragments_;
          continue;
        }
        ++outside;
        if (!is_fragment(p_, u.user)) continue;
        ++used_by_fragments_;
        if (candidate* const c = candidate_for(u.user, false)) {
          c->uses.emplace_back(place, i);
          if (c->ready) consumers_[place].emplace(i, u.user);
          look_at(u.user, *c);
        }
      }
      uses_of_result_.emplace(r, outside);
      uses_ += outside;
      if (outside != 0) ++m.used, ++used_results_;
      operands_.forget(r);
    }
    if (!last_ || members_.at(last_).at < at) last_ = o;
  }

  // A neighbour that may be absorbed some time, or null.
  candidate* candidate_for(op o, bool in_front) {
    auto const [at, is_new] = candidates_.try_emplace(o);
    candidate& c = at->second;
    if (is_new) {
      auto const info = traits::fragment_of(p_, o);
      c.in_front = in_front;
      c.stage = info.stage;
      c.fits = info.is_inferred() && info.mesh == info_.mesh && traits::parent_op(p_, o) == function_;
    }
    return c.fits ? &c : nullptr;
  }
  bool can_join(op o) const {
    auto const& stage = candidates_.at(o).stage;
    return !barred_.contains(o) && (!stage || !info_.stage || *stage == *info_.stage);
  }
  void drop(op o) {
    candidate& c = candidates_.at(o);
    c.fits = c.ready = false;
    if (c.in_front) producers_.erase(c.at);
    for (auto const& [place, i] : c.uses) {
      auto const at = consumers_.find(place);
      if (at == consumers_.end()) continue;
      at->second.erase(i);
      if (at->second.empty()) consumers_.erase(at);
    }
  }

  // --- What is in the way -----------------------------------------------------------------------------------------

  // Stops when `each(tie)` is false; whether it was always true.
  template <class Each>
  bool for_each_tie(op o, bool in_front, Each each) const {
    if (in_front) {
      for (value const r : traits::results(p_, o))
        for (auto const& u : traits::uses(p_, r)) {
          op const user = ancestor_in(p_, function_, u.user);
          if (!user) continue;
          if (!is_top_transfer(user)) {
            if (!each(tie{user, false})) return false;
            continue;
          }
          for (auto const& later : traits::uses(p_, result_of(p_, user)))
            if (op const by = ancestor_in(p_, function_, later.user); by && !each(tie{by, true})) return false;
        }
      return true;
    }
    for (value const v : traits::operands(p_, o)) {
      op by = mpmd::defining_op(p_, v);
      if (!by) continue;
      bool const transferred = is_top_transfer(by);
      if (transferred) by = mpmd::defining_op(p_, operand_of(p_, by));
      if (by && !each(tie{by, transferred})) return false;
    }
    return true;
  }
  // A member stands where the root does: what it makes is there, and what it takes is taken there, but not through a
  // transfer, which would be both behind and in front of the root.
  bool is_in_the_way(tie const& t, bool in_front) const {
    if (is_member(t.to)) return t.through_transfer;
    return traits::comes_before(p_, t.to, root_) == in_front;
  }
  // What has been passed is not in the way later on, unless it bars the fragment for good.
  void look_at(op o, candidate& c) {
    if (c.ready || c.waits) return;
    tie found{};
    auto const pass = [&](tie const& t) { return !is_in_the_way(t, c.in_front) || (found = t, false); };
    if (!c.looked_at) {
      c.looked_at = true;
      for_each_tie(o, c.in_front, pass);
    } else {
      if (!c.listed) for_each_tie(o, c.in_front, [&](tie const& t) { return c.ties.push_back(t), true; });
      c.listed = true;
      while (c.passed < c.ties.size() && pass(c.ties[c.passed])) ++c.passed;
    }
    if (found.to) {
      c.waits = true;
      waiting_[found.to].push_back(o);
      return;
    }
    c.ready = true;
    if (c.in_front) producers_.emplace(c.at, o);
    for (auto const& [place, i] : c.uses) consumers_[place].emplace(i, o);
  }
  void wake(op moved) {
    auto const at = waiting_.find(moved);
    if (at == waiting_.end()) return;
    std::vector<op> const all = std::move(at->second);
    waiting_.erase(at);
    for (op const o : all) {
      candidate& c = candidates_.at(o);
      c.waits = false;
      if (c.fits) look_at(o, c);
    }
  }

  // Transfers of what it makes go right in front of their first use, behind the root. What takes them cannot be absorbed.
  void delay_transfers(op o) {
    for (value const r : results_of(p_, o))
      for (auto const& u : uses_of(p_, r)) {
        if (!is_top_transfer(u.user)) continue;
        op first{};
        for (auto const& later : traits::uses(p_, result_of(p_, u.user))) {
          op const user = ancestor_in(p_, function_, later.user);
          if (!user) continue;
          if (!first || traits::comes_before(p_, user, first)) first = user;
          barred_.insert(user);
          if (is_top_transfer(user))
            for (auto const& last : traits::uses(p_, result_of(p_, user))) barred_.insert(last.user);
        }
        if (first)
          traits::move(p_, u.user, insertion_point<P>::before(first));
        else
          traits::erase(p_, u.user);
      }
  }
  // Transfers of what it takes go right behind what they transfer. What makes that cannot be absorbed.
  std::vector<op> hasten_transfers(op o) {
    std::vector<op> moved;
    std::unordered_set<op> known;
    for (value const v : operands_of(p_, o)) {
      op const transfer = mpmd::defining_op(p_, v);
      if (!transfer || !is_top_transfer(transfer) || !known.insert(transfer).second) continue;
      moved.push_back(transfer);
      move_transfers_to_producer::move_to_producer(p_, function_, transfer);
      op const by = mpmd::defining_op(p_, operand_of(p_, transfer));
      if (!by) continue;
      barred_.insert(by);
      if (!is_top_transfer(by)) continue;
      if (op const first = mpmd::defining_op(p_, operand_of(p_, by))) barred_.insert(first);
    }
    return moved;
  }

  // The one result of `o`, if it has one operand and nothing but the group uses the result, and that once.
  std::optional<value> replaced_in_group(op o) const {
    if (std::ranges::distance(traits::arguments(p_, o)) != 1 || std::ranges::distance(traits::results(p_, o)) != 1)
      return std::nullopt;
    value const result = result_of(p_, o);
    std::size_t as_operand = 0, as_control = 0;
    for (auto const& u : traits::uses(p_, result)) {
      if (!is_member(u.user)) return std::nullopt;
      bool const is_seen = u.index < static_cast<std::size_t>(std::ranges::distance(traits::arguments(p_, u.user)));
      ++(is_seen ? as_operand : as_control);
    }
    if (members_.size() > 1) as_operand = as_operand != 0, as_control = as_control != 0;  // takes each value once
    return as_operand + as_control == 1 ? std::optional(result) : std::nullopt;
  }
  // The one result of the group, if it has one operand and nothing but `o` uses the result, and that once.
  std::optional<value> replaced_in(op o) const {
    bool const alone = members_.size() == 1;
    auto const count = alone ? std::ranges::distance(traits::arguments(p_, root_)) : static_cast<std::ptrdiff_t>(operands_.seen());
    member const& last = members_.at(last_);  // all its results stay
    if (count != 1 || uses_ != 1 || used_results_ - last.used + last.results != 1) return std::nullopt;
    for (value const v : traits::operands(p_, o))
      if (op const by = mpmd::defining_op(p_, v); by && is_member(by)) return v;
    return std::nullopt;
  }

  P& p_;
  op function_, root_;
  fragment_info info_;  // of the group
  fragment_merge_tree<P> tree_;
  number number_;
  std::vector<std::string> reasons_;
  std::unordered_set<std::string> known_reasons_;

  std::unordered_map<op, member> members_;
  op last_ = {};  // of the bodies
  std::size_t merges_ = 0;
  rank front_ = 0, back_ = 0;
  std::unordered_map<value, std::size_t> uses_of_result_;  // by others, as are all these
  std::size_t uses_ = 0, used_results_ = 0;
  std::size_t used_by_fragments_ = 0, uses_of_fragments_ = 0;

  merged_operand_order<P> operands_;
  std::unordered_map<op, candidate> candidates_;
  std::unordered_set<op> barred_;
  std::unordered_map<op, std::vector<op>> waiting_;               // by what is in the way
  std::map<rank, op> producers_;                                  // that are ready
  std::map<result_place, std::map<std::size_t, op>> consumers_;  // that are ready, by the number of the use
};

}  // namespace mpmd
