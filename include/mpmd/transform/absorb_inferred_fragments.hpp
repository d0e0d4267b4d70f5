#pragma once
/// -mpmd-absorb-inferred-fragments: fragments that no user asked for are drawn into those around them.

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

#include <mpmd/support/diagnostics.hpp>
#include <mpmd/support/option.hpp>
#include <mpmd/transform/fragment_merger.hpp>
#include <mpmd/transform/move_transfers_to_producer.hpp>
#include <mpmd/transform/simplify_region_op.hpp>

namespace mpmd {

/// A fragment is a root if users named it, or no fragment uses it, or no fragment makes what it takes. A root absorbs
///
/// * an inferred fragment that makes an operand of it, if the root is the first to use that fragment: transfers of its
///   results do not count, since they can wait until they are used themselves;
/// * an inferred fragment that uses it, if the root is the last to make something which that fragment takes: transfers
///   do not count, since they can be made as soon as what they transfer is there.
///
/// The transfers in question move then. The root stays where it was and keeps its notes; who inferred an inferred root
/// is extended by who inferred what it absorbs. This goes on until nothing changes, the last root first; equal
/// constants in a fragment become one. Only functions with a topology are looked at, and those that are entered from
/// outside only when that is asked for.
///
/// An inferred fragment that is left in a function of the other kind is remarked upon, since it will run once a call.
/// Near-linear: each look at a root takes as long as it has neighbours.
struct absorb_inferred_fragments {
  bool on_entry_points = false;

  static constexpr std::string_view name = "mpmd-absorb-inferred-fragments";
  static constexpr std::string_view summary = "Draw fragments that no user asked for into the fragments around them";
  static constexpr auto options =
      std::tuple{option{"absorb-on-entry-point-function", &absorb_inferred_fragments::on_entry_points,
                        "Do so in functions that are entered from outside, too"}};

  template <mutable_mpmd_program P>
  bool operator()(P& p, diagnostics& diags) const {
    for (op_t<P> const f : functions(p)) {
      if (!takes_part(p, f) || (is_entry(p, f) && !on_entry_points)) continue;
      erase_dead_ops(p, f);
      absorber<P>(p, f).run();
      erase_dead_ops(p, f);
      ir_traits<P>::unite_constants(p, f);
      if (!is_entry(p, f)) remark(p, f, diags);
    }
    return true;
  }

 private:
  template <mutable_mpmd_program P>
  static void remark(P const& p, op_t<P> f, diagnostics& diags) {
    std::size_t left = 0;
    op_t<P> first{};
    for (op_t<P> const o : body_of(p, f))
      if (is_fragment(p, o) && ir_traits<P>::fragment_of(p, o).is_inferred() && left++ == 0) first = o;
    if (left == 0) return;
    diags.emit({severity::remark, "absorb.left", source_of(p, first),
                std::to_string(left) + (left == 1 ? " inferred fragment is" : " inferred fragments are") +
                    " left in this function, which is called; each call runs " + (left == 1 ? "it" : "them") +
                    " apart from the user's",
                {}});
  }

  template <mutable_mpmd_program P>
  class absorber {
    using traits = ir_traits<P>;
    using op = op_t<P>;

   public:
    absorber(P& p, op f) : p_(p), f_(f) {}

    void run() {
      for (bool changed = true; changed;) {
        changed = false;
        auto const all = body_of(p_, f_);
        for (op const o : all)
          if (is_fragment(p_, o)) revisit(o);
        while (!todo_.empty()) {
          op const root = todo_.back();
          todo_.pop_back();
          if (listed_.erase(root) == 0) continue;
          changed = visit(root) || changed;
        }
      }
    }

   private:
    void revisit(op o) {
      if (listed_.insert(o).second) todo_.push_back(o);
    }
    bool visit(op root) {
      if (!is_root(root)) return false;
      if (op const producer = producer_of(root)) return merge(producer, root, root);
      if (op const consumer = consumer_of(root)) return merge(root, consumer, root);
      return false;
    }
    bool is_inferred(op o) const { return traits::fragment_of(p_, o).is_inferred(); }
    bool is_root(op o) const {
      if (!is_inferred(o)) return true;
      bool used = false, uses = false;
      for (value_t<P> const v : traits::results(p_, o))
        for (auto const& u : traits::uses(p_, v)) used = used || is_fragment(p_, u.user);
      for (value_t<P> const v : traits::operands(p_, o)) uses = uses || made_by_fragment(v);
      return !used || !uses;
    }
    op made_by_fragment(value_t<P> v) const {
      op const by = mpmd::defining_op(p_, v);
      return by && is_fragment(p_, by) && traits::parent_op(p_, by) == f_ ? by : op{};
    }
    bool is_top_transfer(op o) const {
      return traits::role_of(p_, o) == role::transfer && traits::parent_op(p_, o) == f_;
    }
    bool fit(op a, op b) const {
      auto const x = traits::fragment_of(p_, a), y = traits::fragment_of(p_, b);
      return x.mesh == y.mesh && stages_agree(x, y);
    }

    /// The first op at the top level to use a value, none if there is none.
    op first_user(value_t<P> v) const {
      op first{};
      for (auto const& u : traits::uses(p_, v)) {
        op const user = ancestor_in(p_, f_, u.user);
        if (user && (!first || traits::comes_before(p_, user, first))) first = user;
      }
      return first;
    }

    /// An inferred fragment in front of a root that nothing but transfers, used behind the root alone, uses before it.
    op producer_of(op root) const {
      std::unordered_set<op> seen;
      for (value_t<P> const v : traits::operands(p_, root)) {
        op const producer = made_by_fragment(v);
        if (!producer || !seen.insert(producer).second || !is_inferred(producer) || !fit(producer, root)) continue;
        bool first = true;
        for (value_t<P> const r : traits::results(p_, producer))
          for (auto const& u : traits::uses(p_, r)) {
            if (!first) break;
            op user = ancestor_in(p_, f_, u.user);
            if (!user || user == root) continue;
            if (is_top_transfer(user)) {
              user = first_user(result_of(p_, user));
              if (user && (user == root || traits::comes_before(p_, user, root))) first = false;
              continue;
            }
            first = !traits::comes_before(p_, user, root);
          }
        if (first) return producer;
      }
      return {};
    }

    /// An inferred fragment behind a root all of whose other operands are there, or can be, before the root.
    op consumer_of(op root) const {
      std::unordered_set<op> seen;
      for (value_t<P> const r : traits::results(p_, root))
        for (auto const& u : traits::uses(p_, r)) {
          op const consumer = u.user;
          if (!seen.insert(consumer).second || !is_fragment(p_, consumer)) continue;
          if (!(traits::parent_op(p_, consumer) == f_) || !is_inferred(consumer) || !fit(root, consumer)) continue;
          bool last = true;
          for (value_t<P> const v : traits::operands(p_, consumer)) {
            op made_by = mpmd::defining_op(p_, v);
            if (!made_by || made_by == root) continue;
            if (is_top_transfer(made_by)) {
              made_by = mpmd::defining_op(p_, operand_of(p_, made_by));
              last = last && !(made_by && (made_by == root || traits::comes_before(p_, root, made_by)));
            } else {
              last = last && traits::comes_before(p_, made_by, root);
            }
          }
          if (last) return consumer;
        }
      return {};
    }

    bool merge(op producer, op consumer, op root) {
      std::unordered_set<op> around;  // may have become roots, or absorbable, by this
      std::vector<op> order;
      auto add = [&](op o) {
        if (o && !(o == producer) && !(o == consumer) && is_fragment(p_, o) && around.insert(o).second)
          order.push_back(o);
      };
      for (op const o : {producer, consumer}) {
        for (value_t<P> const v : traits::operands(p_, o)) add(made_by_fragment(v));
        for (value_t<P> const v : traits::results(p_, o))
          for (auto const& u : traits::uses(p_, v)) add(u.user);
      }
      if (root == consumer)
        delay_transfers(producer);
      else
        hasten_transfers(consumer);
      bool const inferred = is_inferred(root);
      std::vector<std::string> names;
      for (op const o : {root, root == producer ? consumer : producer}) {
        note const held = traits::note_of(p_, o, inferred_by_note);
        if (auto const* some = std::get_if<std::vector<std::string>>(&held))
          for (auto const& n : *some)
            if (std::find(names.begin(), names.end(), n) == names.end()) names.push_back(n);
      }
      if (root == producer) traits::move(p_, consumer, insertion_point<P>::after(producer));
      listed_.erase(producer);
      listed_.erase(consumer);
      op const made = merge_fragments(p_, producer, consumer, root);
      traits::set_note(p_, made, inferred_by_note, inferred && !names.empty() ? note(std::move(names)) : note());
      for (std::size_t i = order.size(); i-- > 0;) revisit(order[i]);
      revisit(made);
      return true;
    }
    /// Transfers of what a fragment makes go right in front of their first use.
    void delay_transfers(op producer) {
      for (value_t<P> const r : results_of(p_, producer))
        for (auto const& u : uses_of(p_, r)) {
          if (!is_top_transfer(u.user)) continue;
          if (op const user = first_user(result_of(p_, u.user)))
            traits::move(p_, u.user, insertion_point<P>::before(user));
          else
            traits::erase(p_, u.user);
        }
    }
    /// Transfers of what a fragment takes go right behind what they transfer.
    void hasten_transfers(op consumer) {
      std::unordered_set<op> moved;
      for (value_t<P> const v : operands_of(p_, consumer)) {
        op const transfer = mpmd::defining_op(p_, v);
        if (!transfer || !is_top_transfer(transfer) || !moved.insert(transfer).second) continue;
        move_transfers_to_producer::move_to_producer(p_, f_, transfer);
      }
    }

    P& p_;
    op f_;
    std::vector<op> todo_;  // the last is looked at next
    std::unordered_set<op> listed_;
  };
};

}  // namespace mpmd
