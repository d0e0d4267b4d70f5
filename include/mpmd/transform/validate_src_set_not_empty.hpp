#pragma once
/// -mpmd-infer-mesh-validate-src-set-not-empty: checks that every op and argument can be on some mesh.

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <vector>

#include <mpmd/analysis/stored_sets.hpp>
#include <mpmd/graph/mutable_program.hpp>
#include <mpmd/support/diagnostics.hpp>
#include <mpmd/support/option.hpp>
#include <mpmd/transform/placement_report.hpp>

namespace mpmd {

/// Reports each op whose operands share no mesh, each op that would have to be a cross-mesh reduction but was not made
/// one, and each argument on whose mesh the calls disagree; of what follows from one conflict only the first. Reads the
/// src sets, and changes nothing. False when there was a conflict; the errors say where the operands come from and what
/// can be done. Linear in the program, and in what is said of each error.
struct validate_src_set_not_empty {
  std::int64_t error_limit = 5;

  static constexpr std::string_view name = "mpmd-infer-mesh-validate-src-set-not-empty";
  static constexpr std::string_view summary = "Check that every op can be on some mesh";
  static constexpr auto options = std::tuple{option{"error-limit", &validate_src_set_not_empty::error_limit,
                                                    "How many errors are reported, or -1 for all"}};

  option_fault find_fault() const { return error_counter::find_fault(error_limit); }

  template <mutable_mpmd_program P>
  bool operator()(P& p, diagnostics& diags) const {
    error_counter errors(error_limit);
    if (!options_are_sound(*this, diags)) return false;
    stored_sets<P> sets(p);
    placement_report<P> report(p, sets);
    for (auto const& f : sets.map().functions()) {
      walk_steps<false>(sets.map(), f, [&](program_step<P> const& s) {
        if ((s.kind != step_kind::op && s.kind != step_kind::sink) || errors.reached()) return;
        mesh_origins const& set = sets.on(s.o, set_kind::src);
        bool const reduction = !set.empty() && is_reduction(p, s.o);
        if (!set.empty() && !(reduction && set.specified())) return;
        if (follows_another(p, sets, report, s.o, reduction)) return;
        report.conflicting_operands(s.o, reduction, diags);
        errors.count();
      });
      std::uint32_t i = 0;
      for (auto&& a : mpmd::arguments(p, f.o)) {
        value_t<P> const argument = a;
        if (errors.reached()) break;
        if (sets.src(argument).empty() && !from_conflict(p, sets, report.calls_of(f), i)) {
          report.conflicting_callers(f, argument, i, diags);
          errors.count();
        }
        ++i;
      }
    }
    if (!errors.any()) report_circles(p, sets, report, errors, diags);
    return !errors.any();
  }

 private:
  template <mutable_mpmd_program P>
  static bool is_reduction(P const& p, op_t<P> o) {
    if constexpr (requires { ir_traits<P>::reduction_annotation(p, o); })
      return ir_traits<P>::reduction_annotation(p, o) != reduction_kind::none;
    else
      return false;
  }
  /// Whether the conflict at an op is that of one of its inputs; of a chain of reductions the first is reported.
  template <mutable_mpmd_program P>
  static bool follows_another(P const& p, stored_sets<P> const& sets, placement_report<P>& report, op_t<P> o,
                              bool reduction) {
    auto const inputs = report.trace().inputs(o);
    return std::any_of(inputs.begin(), inputs.end(), [&](value_t<P> v) {
      op_t<P> const d = mpmd::defining_op(p, v);
      return reduction ? d && is_reduction(p, d) : sets.src_of_operand(v).empty();
    });
  }
  /// Calls that feed one another hand an argument's conflict back to the argument: each end of the circle follows from
  /// the other, and none has been reported. What the other calls hand in tells where it began.
  template <mutable_mpmd_program P>
  static void report_circles(P const& p, stored_sets<P> const& sets, placement_report<P>& report, error_counter& errors,
                             diagnostics& diags) {
    for (auto const& f : sets.map().functions()) {
      std::uint32_t i = 0;
      for (auto&& a : mpmd::arguments(p, f.o)) {
        value_t<P> const argument = a;
        if (errors.reached()) return;
        std::uint32_t const at = i++;
        if (!sets.src(argument).empty()) continue;
        mesh_origins all;  // unspecified
        for (op_t<P> const call : report.calls_of(f))
          if (auto const v = operand_at(p, call, at); v && !sets.src_of_operand(*v).empty())
            all.intersect(sets.src_of_operand(*v));
        if (!all.empty()) continue;
        report.conflicting_callers(f, argument, at, diags);
        errors.count();
      }
    }
  }
  template <mutable_mpmd_program P>
  static bool from_conflict(P const& p, stored_sets<P> const& sets, std::vector<op_t<P>> const& calls, std::uint32_t i) {
    return std::any_of(calls.begin(), calls.end(), [&](op_t<P> call) {
      auto const v = operand_at(p, call, i);
      return v && sets.src_of_operand(*v).empty();
    });
  }
};

}  // namespace mpmd
