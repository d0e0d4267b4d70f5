#pragma once
/// -mpmd-infer-mesh-rewrite-using-analysis: puts every op that stands on no mesh into fragments, and gives
/// functions that are called, and loops, signatures on meshes.

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <vector>

#include <mpmd/support/diagnostics.hpp>
#include <mpmd/support/option.hpp>
#include <mpmd/transform/detail/function_rewriter.hpp>

namespace mpmd {

/// What decides is which assigns use an op: it goes where they are. An op that only one fragment uses moves
/// into it; one that several use is copied into them if they are at most `max_clones`, if it has no operands,
/// or if it is cheap (pure, one operand at most, one result); else it gets a fragment of its own on each
/// mesh. Sets that earlier passes left are read for results of functions that are called and for what loops
/// carry.
///
/// Reports, and leaves as it is, what the passes before should have given a mesh and did not; false then.
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
    std::vector<op_t<P>> callees, entries;
    for (auto&& f : mpmd::functions(p))
      if (takes_part(p, f)) (is_entry(p, f) ? entries : callees).push_back(f);
    detail::function_rewriter<P> rewriter(p, diags, max_clones);
    for (op_t<P> const f : callees) rewriter.rewrite_callee(f);
    for (op_t<P> const f : entries) rewriter.rewrite_entry(f);
    return !rewriter.failed();
  }
};

}  // namespace mpmd
