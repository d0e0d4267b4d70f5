#pragma once
/// What the passes of mesh inference say when a value cannot be placed: the sets that conflict, where they come from,
/// and what the user can do.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include <mpmd/analysis/stored_sets.hpp>
#include <mpmd/graph/mutable_program.hpp>
#include <mpmd/support/diagnostics.hpp>
#include <mpmd/support/option.hpp>
#include <mpmd/transform/edit.hpp>
#include <mpmd/transform/placement_notes.hpp>
#include <mpmd/transform/placement_spelling.hpp>
#include <mpmd/transform/placement_trace.hpp>

namespace mpmd {

/// How many errors a pass reports before it stops: so many, or -1 for all.
class error_counter {
 public:
  explicit error_counter(std::int64_t most) : most_(most) {}

  /// What is wrong with a limit that is none, because with it a pass would check nothing.
  static option_fault find_fault(std::int64_t most) {
    if (most > 0 || most == -1) return {};
    return {"error-limit", "it must be positive, or -1 for no limit, as the check cannot be turned off; it is " +
                               std::to_string(most)};
  }
  void count() { ++found_; }
  bool reached() const { return most_ > 0 && found_ >= most_; }
  bool any() const { return found_ > 0; }

 private:
  std::int64_t most_;
  std::int64_t found_ = 0;
};

/// The name of a callee for people: functions that stand for a user's `f` are called `shardy_mpmdf`.
inline std::string callee_display_name(std::string_view symbol) {
  constexpr std::string_view prefix = "shardy_mpmd";
  if (symbol.starts_with(prefix)) symbol.remove_prefix(prefix.size());
  return std::string(symbol);
}

/// Writes the diagnostics. Making it costs nothing; the first report is linear in the program, later ones cost what
/// placement_trace and placement_notes say. The program may be edited as stored_sets allows.
template <mutable_mpmd_program P>
class placement_report {
  using traits = ir_traits<P>;
  using function = typename program_map<P>::function;

 public:
  placement_report(P const& p, stored_sets<P>& sets) : program_(p), sets_(sets) {}

  /// The calls of a function, counted when they are first asked for.
  std::vector<op_t<P>> const& calls_of(function const& f) { return calls().of(f); }
  placement_trace<P> const& trace() { return parts().trace; }

  /// The inputs of an op share no mesh. `reduction`: it could combine values of several meshes, were that allowed.
  void conflicting_operands(op_t<P> o, bool reduction, diagnostics& diags) {
    std::string_view const advice =
        reduction ? "The op can combine values of several meshes: set mpmd_infer_cross_mesh_reductions to let it become "
                    "a cross-mesh reduction, or transfer its operands to one mesh."
                  : advice_for(trace().inputs(o));
    diagnostic d = start(o, reduction ? "placement.reduction" : "placement.conflict",
                         "Mesh assignment is not possible for op as its operands are on conflicting meshes. " +
                             std::string(advice));
    auto const shown = narrowing_inputs(o);
    for (auto const& [v, called] : shown.inputs)
      d.message.append("\n").append(called).append(" can be on ").append(possible(sets_.src_of_operand(v)))
          .append(trace().sources(std::vector{v}));
    if (shown.left_out > 0) d.message.append("\nand ").append(std::to_string(shown.left_out)).append(" more operands");
    used(d, sets_.on(o, set_kind::use), trace().uses(results(o)));
    if (notes().budget_left())
      for (auto const& [v, called] : shown.inputs) notes().sources(d.notes, v, called);
    finish(d, traits::location_of(program_, o), diags);
  }

  /// The same of an op that has no results, and of which more is to be said first.
  void conflicting_inputs(op_t<P> o, std::string_view id, std::string headline, diagnostics& diags) {
    diagnostic d{severity::error, std::string(id), traits::source_of(program_, traits::location_of(program_, o)),
                 std::move(headline), {}};
    d.message.append(" ").append(advice_for(trace().inputs(o)));
    if (notes().budget_left())
      for (auto const& [v, called] : narrowing_inputs(o).inputs) notes().sources(d.notes, v, called);
    finish(d, traits::location_of(program_, o), diags);
  }

  /// The calls of a function pass values that share no mesh.
  void conflicting_callers(function const& f, value_t<P> argument, std::uint32_t i, diagnostics& diags) {
    diagnostic d = start_argument(f, i, "placement.argument-conflict", "as its caller operands are on conflicting meshes. ");
    d.message += advice_for(std::vector{argument});
    callers(d, f, argument);
    used(d, sets_.use(argument), trace().uses(std::vector{argument}));
    if (notes().budget_left()) {
      std::size_t n = 0;
      for (op_t<P> const call : calls_of(f)) {
        if (n++ == most_inputs) break;
        if (auto const v = operand_at(program_, call, i))
          notes().sources(d.notes, *v, "the operand of call " + std::to_string(n - 1));
      }
    }
    finish(d, traits::location_of(program_, f.o), diags);
  }

  /// An op or assign is needed where it cannot be.
  void needs_transfer(op_t<P> o, diagnostics& diags) {
    mesh_origins const use = sets_.on(o, set_kind::use), src = sets_.on(o, set_kind::src);
    std::string_view const advice = advice_for(trace().inputs(o));
    diagnostic d = start(o, "placement.transfer-needed",
                         "Mesh assignment is not possible for op as it is used in {" + sets_.meshes_text(use) +
                             "} but it can only be placed on {" + sets_.meshes_text(src) + "}. " + std::string(advice));
    bool const assign = traits::role_of(program_, o) == role::assign;
    d.message.append("\nit can be on ").append(possible(src)).append(trace().sources(trace().inputs(o)));
    used(d, use, assign ? trace().assigned(o) : trace().uses(results(o)));
    if (notes().budget_left())
      for (value_t<P> const v : results(o)) {
        excess(d, v, use, src);
        break;
      }
    finish(d, traits::location_of(program_, o), diags);
  }
  void needs_transfer(function const& f, value_t<P> argument, std::uint32_t i, diagnostics& diags) {
    mesh_origins const use = sets_.use(argument), src = sets_.src(argument);
    diagnostic d = start_argument(f, i, "placement.argument-transfer-needed",
                                  "as it is used in {" + sets_.meshes_text(use) + "} but it can only be placed on {" +
                                      sets_.meshes_text(src) + "}. ");
    d.message += advice_for(std::vector{argument});
    callers(d, f, argument);
    used(d, use, trace().uses(std::vector{argument}));
    if (notes().budget_left()) excess(d, argument, use, src);
    finish(d, traits::location_of(program_, f.o), diags);
  }

  /// A call passes a result to another call of the same function, `to`, which has them on different meshes.
  void chain_mismatch(function const& f, std::uint32_t result, op_t<P> to, value_t<P> argument, std::uint32_t i,
                      diagnostics& diags) {
    constexpr std::string_view advice =
        "Sets of calls that feed each other should agree: please report this. Until then, assign the result to a mesh and "
        "unassign it between the calls.";
    std::string const given = "result " + std::to_string(result), taken = "arg " + std::to_string(i);
    mesh_origins const &res = sets_.result_use(f, result), &arg = sets_.use(argument);
    diagnostic d = start(f.o, "placement.call-chain",
                         "Mesh assignment is not possible for mpmd.call \"" + display(f) + "\" as it passes " + given +
                             " to " + taken + " but they have mismatching mesh assignments: res: {" +
                             sets_.labels_text(res) + "}, arg: {" + sets_.labels_text(arg) + "}. " + std::string(advice),
                         false);
    if (notes().budget_left()) {
      for (auto const& mesh : first_to_explain(res, arg)) notes().needs_result(d.notes, f, result, mesh, given);
      notes().add_cause(d.notes, traits::location_of(program_, to), given + " is passed to " + taken + " here");
      for (auto const& mesh : first_to_explain(arg, res)) notes().needs(d.notes, argument, mesh, taken);
    }
    finish(d, traits::location_of(program_, f.o), diags);
  }

  /// A value, used at `o`, has no mesh; `v` is the value.
  void no_mesh(location_t<P> at, std::string_view id, std::string headline, value_t<P> v, diagnostics& diags) {
    diagnostic d{severity::error, std::string(id), traits::source_of(program_, at), std::move(headline), {}};
    d.message.append(" ").append(advice_for(std::vector{v}));
    if (notes().budget_left()) {
      if (op_t<P> const root = notes().root_of_conflict(v)) {
        notes().add(d.notes, traits::location_of(program_, root), "the operands of this op share no mesh");
        for (auto const& [from, called] : narrowing_inputs(root).inputs) notes().sources(d.notes, from, called);
      }
    }
    finish(d, at, diags);
  }

 private:
  static constexpr std::size_t most_inputs = 16;
  static constexpr std::size_t few = 3;  // of the meshes of a set, that notes explain
  static constexpr std::string_view transfer_advice =
      "Transfer the value to the mesh that needs it, move the computation to a mesh where it is available, or set "
      "mpmd_infer_transfers (infer-transfers of a pipeline) to have transfers added where they are needed.";
  static constexpr std::string_view reduction_advice =
      "A cross-mesh reduction can only be delivered on meshes of its parts: wrap the value in mpmd.reduce<none> to have "
      "it sent on from there, move the computation to one of those meshes, or set mpmd_infer_transfers (infer-transfers "
      "of a pipeline) to have transfers added where they are needed.";
  std::string_view advice_for(std::span<value_t<P> const> values) {
    return trace().from_confined_reduction(values) ? reduction_advice : transfer_advice;
  }
  static std::string rule() { return '\n' + std::string(51, '-') + '\n'; }

  struct lazy_parts {
    lazy_parts(P const& p, stored_sets<P> const& sets, call_sites<P> const& calls)
        : trace(p, sets, calls), notes(p, sets, trace) {}
    lazy_parts(lazy_parts const&) = delete;
    lazy_parts& operator=(lazy_parts const&) = delete;
    placement_trace<P> trace;
    placement_notes<P> notes;
  };
  lazy_parts& parts() {
    if (!parts_) parts_ = std::make_unique<lazy_parts>(program_, sets_, calls());
    return *parts_;
  }
  placement_notes<P>& notes() { return parts().notes; }
  call_sites<P> const& calls() {
    if (!calls_) calls_ = std::make_unique<call_sites<P>>(sets_.map());
    return *calls_;
  }

  std::vector<value_t<P>> results(op_t<P> o) const {
    std::vector<value_t<P>> all;
    for (auto&& v : traits::results(program_, o)) all.push_back(v);
    return all;
  }
  std::string display(function const& f) const { return callee_display_name(traits::function_name(program_, f.o)); }
  std::string possible(mesh_origins const& set) const {
    return set.specified() ? '{' + sets_.meshes_text(set) + "}:" : std::string("any mesh:");
  }

  diagnostic start(op_t<P> o, std::string_view id, std::string headline, bool show_op = true) const {
    diagnostic d{severity::error, std::string(id), traits::source_of(program_, traits::location_of(program_, o)),
                 std::move(headline), {}};
    if (show_op) d.message.append(rule()).append("op ").append(traits::op_text(program_, o));
    return d;
  }
  /// Callees are spoken of by the calls through which users know them.
  diagnostic start_argument(function const& f, std::uint32_t i, std::string_view id, std::string_view what) const {
    return start(f.o, id, "Mesh assignment is not possible for arg" + std::to_string(i) + " of " +
                              (f.entry ? "func" : "mpmd.call") + " \"" + display(f) + "\" " + std::string(what),
                 false);
  }
  void callers(diagnostic& d, function const& f, value_t<P> argument) {
    d.message += rule();
    if (!f.entry) d.message.append(std::to_string(calls_of(f).size())).append(" calls; ");
    d.message.append("it can be on ").append(possible(sets_.src(argument))).append(trace().sources(std::vector{argument}));
  }
  static void add_uses(diagnostic& d, std::string const& lines) {
    d.message.append(lines.empty() ? " nothing that is placed" : lines);
  }
  void used(diagnostic& d, mesh_origins const& use, std::string const& lines) const {
    d.message += "\nit is used ";
    d.message += use.entries().empty() ? std::string("by:") : "on {" + sets_.meshes_text(use) + "} by:";
    add_uses(d, lines);
  }
  /// A few meshes of a set: those that are not in the other, or all if they all are.
  std::vector<std::string> first_to_explain(mesh_origins const& set, mesh_origins const& other) const {
    std::vector<std::string> own, all;
    for (auto const& e : set.entries()) {
      auto& to = other.contains(e.mesh) ? all : own;
      if (to.size() < few) to.emplace_back(sets_.names().meshes[e.mesh]);
    }
    return own.empty() ? all : own;
  }
  void excess(diagnostic& d, value_t<P> v, mesh_origins const& use, mesh_origins const& src) {
    std::size_t shown = 0;
    for (auto const& e : use.entries()) {
      if (src.contains(e.mesh)) continue;
      if (shown++ == few) break;
      std::string const mesh(sets_.names().meshes[e.mesh]);
      notes().needs(d.notes, v, mesh);
      notes().keeps_away(d.notes, v, mesh);
    }
  }
  void finish(diagnostic& d, location_t<P> at, diagnostics& diags) const {
    d.message += spell_stack(program_, at);
    diags.emit(d);
  }

  struct named_inputs {
    std::vector<std::pair<value_t<P>, std::string>> inputs;
    std::size_t left_out = 0;
  };
  /// The inputs that leave an op without a mesh: those which narrow the choice, in order, or all where their sets do not
  /// say why.
  named_inputs narrowing_inputs(op_t<P> o) {
    auto const all = trace().inputs(o);
    std::size_t const operands = trace().operand_count(o);
    auto name = [&](std::size_t i) {
      return i < operands ? "operand " + std::to_string(i) : "captured value " + std::to_string(i - operands);
    };
    named_inputs found;
    mesh_origins left;
    for (std::size_t i = 0; i < all.size() && !left.empty(); ++i) {
      auto const before = left.entries().size();
      bool const first = !left.specified();
      left.intersect(sets_.src_of_operand(all[i]));
      if (left.specified() && (first || left.entries().size() != before)) found.inputs.emplace_back(all[i], name(i));
    }
    if (!left.empty()) {
      found.inputs.clear();
      std::unordered_set<value_t<P>> seen;
      for (std::size_t i = 0; i < all.size(); ++i)
        if (seen.insert(all[i]).second) found.inputs.emplace_back(all[i], name(i));
    }
    if (found.inputs.size() > most_inputs) {
      found.left_out = found.inputs.size() - most_inputs;
      found.inputs.resize(most_inputs);
    }
    return found;
  }

  P const& program_;
  stored_sets<P>& sets_;
  std::unique_ptr<call_sites<P>> calls_;
  std::unique_ptr<lazy_parts> parts_;
};

}  // namespace mpmd
