#pragma once
/// -mpmd-infer-mesh-rewrite-using-analysis: puts every op that stands on no mesh into fragments, and gives
/// functions that are called, and loops, signatures on meshes.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <mpmd/support/diagnostics.hpp>
#include <mpmd/support/option.hpp>
#include <mpmd/transform/calls_by_callee.hpp>
#include <mpmd/transform/detail/function_rewriter.hpp>
#include <mpmd/transform/fragments.hpp>
#include <mpmd/transform/placeable_functions.hpp>

namespace mpmd {

/// What decides is which assigns use an op: it goes where they are. An op that only one fragment uses moves
/// into it; one that several use is copied into them if they are at most `max_clones`, if it has no operands,
/// or if it is cheap (pure, one operand at most, one result); else it gets a fragment of its own on each
/// mesh. Sets that earlier passes left are read for results of functions that are called and for what loops
/// carry.
///
/// Reports calls of functions without a body or of other numbers of values, and what functions_may_be_placed() finds, before
/// anything changes; and, leaving it as it is, what the passes before should have given a mesh and did not. False then.
/// O(program plus what is copied).
struct rewrite_using_analysis {
  static constexpr std::string_view name = "mpmd-infer-mesh-rewrite-using-analysis";
  static constexpr std::string_view summary = "Put ops into fragments on the meshes where they are needed";

  std::int64_t max_clones = 1;

  static constexpr auto options = std::tuple{option{
      "max-clones", &rewrite_using_analysis::max_clones,
      "An op with operands that at most so many fragments use, and nothing else, is copied into each"}};

  template <mutable_mpmd_program P>
  bool operator()(P& p, diagnostics& diags) const {
    std::vector<op_t<P>> callees, entries, declared;
    for (auto&& f : mpmd::functions(p))
      if (takes_part(p, f)) (is_declaration(p, f) ? declared : is_entry(p, f) ? entries : callees).push_back(f);
    if (!declared.empty() && !report_calls(p, declared, diags)) return false;
    if (!callees.empty() && !calls_fit(p, callees, diags)) return false;
    if (!functions_may_be_placed(p, false, diags)) return false;
    detail::function_rewriter<P> rewriter(p, diags, max_clones);
    for (op_t<P> const f : callees) rewriter.rewrite_callee(f);
    for (op_t<P> const f : entries) rewriter.rewrite_entry(f);
    return !rewriter.failed();
  }

 private:
  /// False if a call hands in or takes out another number of values than its function does.
  template <mutable_mpmd_program P>
  static bool calls_fit(P const& p, std::vector<op_t<P>> const& callees, diagnostics& diags) {
    using traits = ir_traits<P>;
    calls_by_callee<P> const calls(p);
    std::size_t const before = diags.errors();
    for (op_t<P> const f : callees) {
      std::size_t arguments = 0;
      for (auto&& a : mpmd::arguments(p, f)) static_cast<void>(a), ++arguments;
      op_t<P> const end = terminator_of(p, f);
      std::size_t const results = end ? operands_of(p, end).size() : 0;
      for (op_t<P> const call : calls.of(f)) {
        std::size_t const in = operands_of(p, call).size(), out = results_of(p, call).size();
        if (in == arguments && out == results) continue;
        diags.error(source_of(p, call), "infer-mesh.call",
                    "this call of '" + std::string(traits::function_name(p, f)) + "' has " + std::to_string(in) +
                        " operands and " + std::to_string(out) + " results, but the function takes " +
                        std::to_string(arguments) + " and returns " + std::to_string(results));
      }
    }
    return diags.errors() == before;
  }
  /// False if anything calls one of these functions without a body.
  template <mutable_mpmd_program P>
  static bool report_calls(P const& p, std::vector<op_t<P>> const& declared, diagnostics& diags) {
    calls_by_callee<P> const calls(p);
    std::size_t const before = diags.errors();
    for (op_t<P> const f : declared)
      for (op_t<P> const call : calls.of(f))
        diags.emit({severity::error,
                    "infer-mesh.no-body",
                    source_of(p, call),
                    "this calls '" + std::string(ir_traits<P>::function_name(p, f)) +
                        "', which has no body that would say on which meshes it runs",
                    {{source_of(p, f), "it is declared here; give it a body, or call it from inside a fragment"}}});
    return diags.errors() == before;
  }
};

}  // namespace mpmd
