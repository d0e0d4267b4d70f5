#pragma once
/// -mpmd-infer-mesh-convert-reduce-ops: makes ops that combine values of several meshes into mpmd.reduce.

#include <cstddef>
#include <iterator>
#include <ranges>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <mpmd/analysis/stored_sets.hpp>
#include <mpmd/graph/mutable_program.hpp>
#include <mpmd/support/diagnostics.hpp>
#include <mpmd/support/option.hpp>
#include <mpmd/transform/edit.hpp>
#include <mpmd/transform/walk_ops.hpp>

namespace mpmd {

/// Converts the ops that an analysis noted to be cross-mesh reductions: all of them with the option, else those whose
/// value an `mpmd.reduce<none>` asks for, directly or through ops of one operand. A tree of ops of one kind becomes one
/// reduction; so does a concatenation with the reduction over it, by a reshape of each part. A reduction of the same
/// kind that has other users as well is kept, and its operands are taken if few come of it. The sets on the op are
/// kept, its other notes are not.
///
/// The initial value of a reduction over a concatenation is dropped where it is a constant that is known to be the
/// neutral element of the kind. Any other constant becomes one more operand, but for maxima and minima, where it is
/// dropped with a warning, as importers do that users know. With an initial value that is no constant the op is left,
/// with a warning.
///
/// Works on every function, those without meshes included. Near-linear.
struct convert_reduce_ops {
  bool infer_cross_mesh_reductions = false;

  static constexpr std::string_view name = "mpmd-infer-mesh-convert-reduce-ops";
  static constexpr std::string_view summary = "Make ops that combine values of several meshes into mpmd.reduce";
  static constexpr auto options =
      std::tuple{option{"infer-cross-mesh-reductions", &convert_reduce_ops::infer_cross_mesh_reductions,
                        "Convert all of them, not only those that an mpmd.reduce<none> asks for"}};

  template <mutable_mpmd_program P>
  bool operator()(P& p, diagnostics& diags) const {
    if constexpr (requires(op_t<P> o) { ir_traits<P>::reduction_annotation(p, o); }) {
      converter<P> convert(p, diags);
      for (op_t<P> const f : listed(mpmd::functions(p))) convert.in_function(f, infer_cross_mesh_reductions);
    }
    return true;
  }

 private:
  template <class Range>
  static auto listed(Range&& all) {
    std::vector<std::ranges::range_value_t<Range>> list;
    for (auto&& each : all) list.push_back(each);
    return list;
  }

  template <mutable_mpmd_program P>
  class converter {
    using traits = ir_traits<P>;
    using op = op_t<P>;
    using value = value_t<P>;
    using point = insertion_point<P>;

   public:
    converter(P& p, diagnostics& diags) : p_(p), diags_(diags), sets_(p) {}

    void in_function(op f, bool all) {
      std::vector<op> found;
      walk_ops(p_, f, [&](op o) {
        found.push_back(o);
        return traits::role_of(p_, o) == role::loop;
      });
      if (!all)
        for (op const o : found)
          if (traits::role_of(p_, o) == role::reduce && traits::reduction_kind_of(p_, o) == reduction_kind::none)
            mark_below(o);
      std::vector<op> chosen;
      for (op const o : found) {
        if (traits::role_of(p_, o) != role::compute || !(all || marked_.contains(o))) continue;
        reduction_kind const noted = traits::reduction_annotation(p_, o);
        if (noted == reduction_kind::none) continue;
        chosen.push_back(o);
        if (binary_kind(o) == noted) kinds_.emplace(o, noted);
      }
      for (op const o : chosen) {
        if (erased_.contains(o)) continue;
        auto const k = kinds_.find(o);
        if (k == kinds_.end())
          convert_concatenated(o);
        else if (!is_absorbed(o, k->second))
          convert_tree(o, k->second);
      }
    }

   private:
    /// How many operands are taken from reductions that stay: beyond, they would multiply along a chain of such.
    static constexpr std::size_t most_shared = 64;

    reduction_kind binary_kind(op o) const {
      auto const r = reduction_of(p_, o);
      return r.paired ? reduction_kind::none : r.kind;
    }
    /// Marks what a `reduce<none>` asks to be converted.
    void mark_below(op asking) {
      value v = operand_of(p_, asking);
      op d = mpmd::defining_op(p_, v);
      while (d && traits::role_of(p_, d) == role::compute && is_leaf(p_, d) && has_one(traits::operands(p_, d)) &&
             has_one(traits::results(p_, d))) {
        if (!passed_.insert(d).second) return;
        d = mpmd::defining_op(p_, operand_of(p_, d));
      }
      if (!d || traits::role_of(p_, d) != role::compute) return;
      reduction_kind const kind = binary_kind(d);
      if (kind == reduction_kind::none) {
        if (concatenation_below(d)) marked_.insert(d);
        return;
      }
      std::vector<op> open{d};
      while (!open.empty()) {
        op const o = open.back();
        open.pop_back();
        if (!marked_.insert(o).second) continue;
        for (auto&& from : traits::operands(p_, o))
          if (op const next = mpmd::defining_op(p_, from);
              next && traits::role_of(p_, next) == role::compute && binary_kind(next) == kind)
            open.push_back(next);
      }
    }
    template <class Range>
    static bool has_one(Range&& all) {
      auto at = std::ranges::begin(all);
      return at != std::ranges::end(all) && ++at == std::ranges::end(all);
    }
    /// The concatenation that a reduction reduces, if the two are a pair.
    op concatenation_below(op reduction) const {
      op const d = mpmd::defining_op(p_, operand_of(p_, reduction));
      return d && traits::role_of(p_, d) == role::compute && reduction_of(p_, d).paired == reduction ? d : op{};
    }

    /// Whether an op becomes part of the reduction that its only user becomes.
    bool is_absorbed(op o, reduction_kind kind) const {
      auto&& uses = traits::uses(p_, result_of(p_, o));
      auto at = std::ranges::begin(uses);
      if (at == std::ranges::end(uses)) return false;
      op const user = (*at).user;
      if (++at != std::ranges::end(uses)) return false;
      auto const k = kinds_.find(user);
      return k != kinds_.end() && k->second == kind;
    }

    void convert_tree(op root, reduction_kind kind) {
      std::vector<value> operands;
      std::vector<op> gone{root};  // users before what they use
      std::vector<value> open;
      auto push = [&](op o) {
        std::vector<value> const from = operands_of(p_, o);
        open.insert(open.end(), from.rbegin(), from.rend());
      };
      push(root);
      while (!open.empty()) {
        value const v = open.back();
        open.pop_back();
        op const d = mpmd::defining_op(p_, v);
        if (auto const k = d ? kinds_.find(d) : kinds_.end(); k != kinds_.end() && is_absorbed(d, kind)) {
          gone.push_back(d);
          push(d);
        } else if (d && traits::role_of(p_, d) == role::reduce && traits::reduction_kind_of(p_, d) == kind) {
          std::vector<value> const inner = operands_of(p_, d);
          if (has_one(traits::uses(p_, v)) || operands.size() + inner.size() <= most_shared) {
            operands.insert(operands.end(), inner.begin(), inner.end());
            gone.push_back(d);
          } else {
            operands.push_back(v);
          }
        } else {
          operands.push_back(v);
        }
      }
      replace(root, kind, operands);
      std::unordered_set<op> seen;
      for (op const o : gone)
        if (seen.insert(o).second && has_unused_results(p_, o)) erase(o);
    }

    void convert_concatenated(op reduction) {
      op const parts = concatenation_below(reduction);
      if (!parts) return;
      reduction_kind const kind = reduction_of(p_, parts).kind;
      if (kind != traits::reduction_annotation(p_, reduction)) return;
      std::vector<value> const reduced = operands_of(p_, reduction);
      for (std::size_t i = 1; i < reduced.size(); ++i)
        if (op const init = mpmd::defining_op(p_, reduced[i]); !init || !traits::is_constant(p_, init)) {
          diags_.warning(traits::source_of(p_, traits::location_of(p_, reduction)), "reduction.initial-value",
                         "this op is not made a cross-mesh reduction, because its initial value is no constant");
          return;
        }
      auto const type = traits::type_of(p_, result_of(p_, reduction));
      std::vector<value> operands;
      for (value const v : operands_of(p_, parts)) operands.push_back(with_type(v, type, tensor_op::none, reduction));
      for (std::size_t i = 1; i < reduced.size(); ++i) {
        if (is_neutral(reduced[i], kind)) continue;
        if (kind == reduction_kind::max || kind == reduction_kind::min)
          diags_.warning(traits::source_of(p_, traits::location_of(p_, reduction)), "reduction.initial-value",
                         "the initial value of this reduction is dropped, though it is not known to be the neutral "
                         "element: the result may change");
        else
          operands.push_back(with_type(reduced[i], type, tensor_op::broadcast, reduction));
      }
      replace(reduction, kind, operands);
      erase(reduction);
      erase(parts);
    }
    bool is_neutral(value constant, reduction_kind kind) const {
      if constexpr (requires(op o) { traits::is_neutral(p_, o, kind); })
        return traits::is_neutral(p_, mpmd::defining_op(p_, constant), kind);
      else
        return false;
    }
    /// A value in another shape, before an op, where the value can be.
    value with_type(value v, type_t<P> type, tensor_op how, op before) {
      op const made = traits::create(p_,
                                     {.what = role::compute,
                                      .operands = {v},
                                      .results = {type},
                                      .where = traits::location_of_value(p_, v),
                                      .tensor = how},
                                     point::before(before));
      traits::set_op_annotation(p_, made, set_kind::src, src_of(v));
      return result_of(p_, made);
    }
    void erase(op o) {
      kinds_.erase(o);
      erased_.insert(o);
      traits::erase(p_, o);
    }

    /// Puts a reduction in the place of an op, which stays for the caller to erase.
    void replace(op o, reduction_kind kind, std::vector<value> const& operands) {
      value const old = result_of(p_, o);
      op const made = traits::create(p_,
                                     {.what = role::reduce,
                                      .operands = operands,
                                      .results = {traits::type_of(p_, old)},
                                      .where = traits::location_of(p_, o),
                                      .reduction = kind},
                                     point::before(o));
      for (set_kind const k : {set_kind::use, set_kind::src})
        if (auto const set = traits::op_annotation(p_, o, k)) traits::set_op_annotation(p_, made, k, set);
      replace_uses(p_, old, result_of(p_, made));
    }
    /// Where an operand can be: as it stands there now, for an argument as it stood at first.
    mesh_annotation src_of(value v) {
      v = sets_.origin(v);
      if (op const d = mpmd::defining_op(p_, v))
        return traits::role_of(p_, d) == role::assign ? mesh_annotation{} : traits::op_annotation(p_, d, set_kind::src);
      return sets_.annotation(sets_.src(v));
    }

    P& p_;
    diagnostics& diags_;
    stored_sets<P> sets_;
    std::unordered_set<op> passed_;                 // ops of one operand through which a mark has passed
    std::unordered_set<op> marked_;
    std::unordered_set<op> erased_;                 // of those that were there at first
    std::unordered_map<op, reduction_kind> kinds_;  // of the ops of two operands that are converted
  };
};

}  // namespace mpmd
