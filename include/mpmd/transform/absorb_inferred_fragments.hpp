#pragma once
/// -mpmd-absorb-inferred-fragments: fragments that no user asked for are drawn into those around them.

#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_set>
#include <vector>

#include <mpmd/support/diagnostics.hpp>
#include <mpmd/support/option.hpp>
#include <mpmd/transform/absorbing_group.hpp>
#include <mpmd/transform/simplify_region_op.hpp>
#include <mpmd/transform/unite_constants.hpp>

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
/// constants in a fragment become one, where the program is a structured_program. Only functions with a topology are looked at, and those that are entered from
/// outside only when that is asked for.
///
/// An inferred fragment that is left in a function of the other kind is remarked upon, since it will run once a call.
/// A root becomes one with all that it absorbs at once. Near-linear: each look at a root takes as long as it has
/// operands and uses of results, and log n for each operand and use of what it absorbs.
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
      if constexpr (structured_program<P>) unite_constants(p, f);
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
      absorbing_group<P> group(p_, f_, root);
      bool changed = false;
      while (group.is_root()) {
        op const next = group.next();
        if (!next) break;
        auto const around = group.absorb(next);  // may have become roots, or absorbable, by this
        listed_.erase(next);
        for (std::size_t i = around.size(); i-- > 0;) revisit(around[i]);
        changed = true;
      }
      if (changed) group.build();
      return changed;
    }

    P& p_;
    op f_;
    std::vector<op> todo_;  // the last is looked at next
    std::unordered_set<op> listed_;
  };
};

}  // namespace mpmd
