#pragma once
/// Rewriting of ops to a fixed point: a list of ops to look at, and edits that put what they touch back on
/// it.

#include <cstddef>
#include <functional>
#include <ranges>
#include <span>
#include <unordered_set>
#include <utility>
#include <vector>

#include <mpmd/transform/edit.hpp>
#include <mpmd/transform/op_marks.hpp>
#include <mpmd/transform/purity.hpp>

namespace mpmd {

/// How a rewrite edits the program. A rewrite is a callable `bool(greedy_rewriter<P>&, op)` that says whether
/// it changed anything; it edits through this object only, so that everything that may be rewritten next is
/// looked at again.
///
/// The list is a stack: seed() leaves the last op of a body on top, so that users come before what they use,
/// and what an edit touches is looked at next. Each look costs expected O(1) beside the rewrites'.
template <mutable_mpmd_program P>
class greedy_rewriter {
  using traits = ir_traits<P>;

 public:
  using op = op_t<P>;
  using value = value_t<P>;

  explicit greedy_rewriter(P& p) : program_(p) {}

  P& in() const { return program_; }
  /// Has `f(op)` called before any op is erased, for whoever keeps handles of ops.
  void on_erase(std::function<void(op)> f) { on_erase_ = std::move(f); }
  /// Dead ops for which `f(op)` holds go only when nothing is left on the list: what is looked at later may have use for
  /// them.
  void erase_late(std::function<bool(op)> f) { is_late_ = std::move(f); }

  /// Puts everything inside an op on the list, the ops of an op's body below the op itself. O(size of the
  /// op).
  void seed(op root) {
    // Last op first and outside in, then turned round.
    std::vector<op> todo{root}, order;
    for (bool at_root = true; !todo.empty(); at_root = false) {
      op const o = todo.back();
      todo.pop_back();
      if (!at_root) order.push_back(o);
      for (auto&& inner : mpmd::body(program_, o)) todo.push_back(inner);
    }
    for (std::size_t i = order.size(); i-- > 0;) revisit(order[i]);
  }
  /// Puts an op on the list, to be looked at next.
  void revisit(op o) {
    if (listed_.insert(program_, o)) list_.push_back(o);
  }
  void revisit_users(value v) {
    for (auto const& u : traits::uses(program_, v)) revisit(u.user);
  }

  op create(op_recipe<P> const& recipe, insertion_point<P> at) {
    op const made = traits::create(program_, recipe, at);
    revisit(made);
    return made;
  }
  op clone(op o, value_map<P>& map, insertion_point<P> at) {
    op const made = traits::clone(program_, o, map, at);
    revisit(made);
    return made;
  }
  void move(op o, insertion_point<P> at) { traits::move(program_, o, at); }
  void set_operand(op o, std::size_t i, value to) {
    auto&& operands = traits::operands(program_, o);
    value const from = *std::ranges::next(std::ranges::begin(operands), static_cast<std::ptrdiff_t>(i));
    if (from == to) return;
    traits::set_operand(program_, o, i, to);
    suspect(from);
    changed(o);
  }
  void replace_all_uses(value from, value to) {
    if (from == to) return;
    for (auto const& u : uses_of(program_, from)) {
      traits::set_operand(program_, u.user, u.index, to);
      changed(u.user);
    }
    suspect(from);
  }
  /// Puts other values in the place of the results of an op, and erases it.
  void replace(op o, std::vector<value> const& with) {
    std::size_t i = 0;
    for (auto const& r : results_of(program_, o)) {
      for (auto const& u : uses_of(program_, r)) {
        traits::set_operand(program_, u.user, u.index, with[i]);
        changed(u.user);
      }
      ++i;
    }
    erase(o);
  }
  /// An op with other operands and results in the place of `o`, its bodies moved over; `o` stays for its uses
  /// to be redirected and to be erased.
  op recreate(op o, std::span<value const> operands, std::span<type_t<P> const> results) {
    op const made = traits::recreate(program_, o, operands, results);
    revisit(made);
    return made;
  }
  /// An op whose results nobody uses, with all it contains. O(size of the op).
  void erase(op o) {
    std::vector<value> used;
    std::vector<op> all{o};
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (on_erase_) on_erase_(all[i]);
      listed_.erase(program_, all[i]);
      suspected_.erase(program_, all[i]);
      pure_.forget(program_, all[i]);
      for (auto&& v : traits::operands(program_, all[i])) used.push_back(v);
      for (auto&& inner : mpmd::body(program_, all[i])) all.push_back(inner);
    }
    if (all.size() > 1) {
      // What goes with it is no suspect.
      std::unordered_set<op> const gone(all.begin(), all.end());
      std::erase_if(used, [&](value const v) { return gone.contains(mpmd::defining_op(program_, v)); });
    }
    traits::erase(program_, o);
    for (value const v : used) suspect(v);
  }

  /// Whether the op could go and nothing would change. Where its results are unused, O(size of the op).
  bool is_dead(op o) {
    return may_be_erased(program_, o) && has_unused_results(program_, o) && pure_(program_, o) && is_closed(o);
  }

  /// Looks at every listed op until none is left: erases it if it is dead, else applies the first rewrite
  /// that changes anything. Ops that may have died by the way are looked at once the list is empty, so that
  /// an op with many results is not searched for uses after every one of them goes.
  template <class... Rewrites>
  void run(Rewrites const&... rewrites) {
    for (;;) {
      if (!list_.empty()) {
        op const o = list_.back();
        list_.pop_back();
        if (!listed_.erase(program_, o)) continue;  // erased since
        if (!is_dead(o))
          static_cast<void>((rewrites(*this, o) || ...));
        else if (is_late_ && is_late_(o))
          suspect(o);
        else
          erase(o);
      } else if (!suspects_.empty()) {
        std::vector<op> round;
        round.swap(suspects_);
        for (op const o : round)
          if (suspected_.erase(program_, o) && is_dead(o)) erase(o);
      } else {
        return;
      }
    }
  }

 private:
  /// Whether nothing outside an op uses what is defined in it, as in every valid program. O(size of the op).
  bool is_closed(op o) const {
    if (mpmd::is_leaf(program_, o)) return true;
    std::vector<op> all{o};
    for (std::size_t i = 0; i < all.size(); ++i)
      for (auto&& inner : mpmd::body(program_, all[i])) all.push_back(inner);
    std::unordered_set<op> const inside(all.begin(), all.end());
    auto const stays_inside = [&](value v) {
      for (auto const& u : traits::uses(program_, v))
        if (!inside.contains(u.user)) return false;
      return true;
    };
    for (op const inner : all) {
      for (auto&& v : traits::results(program_, inner))
        if (!stays_inside(v)) return false;
      for (auto&& v : mpmd::arguments(program_, inner))
        if (!stays_inside(v)) return false;
    }
    return true;
  }
  /// The operands of an op have changed. A terminator says something about the op around it.
  void changed(op o) {
    revisit(o);
    if (traits::role_of(program_, o) == role::terminator)
      if (op const around = traits::parent_op(program_, o)) revisit(around);
  }
  /// A use of a value is gone: the op that makes it may have died.
  void suspect(value v) {
    op const by = mpmd::defining_op(program_, v);
    if (by && is_unused(program_, v)) suspect(by);
  }
  void suspect(op o) {
    if (suspected_.insert(program_, o)) suspects_.push_back(o);
  }

  P& program_;
  std::function<void(op)> on_erase_;
  std::function<bool(op)> is_late_;
  std::vector<op> list_;  // the last is looked at next
  op_marks<P> listed_;
  std::vector<op> suspects_;
  op_marks<P> suspected_;
  purity<P> pure_;
};

}  // namespace mpmd
