#pragma once
/// -mpmd-merge-forward-with-backward: a forward fragment and the backward fragment right behind it become one.

#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>

#include <mpmd/support/diagnostics.hpp>
#include <mpmd/transform/fragment_merger.hpp>

namespace mpmd {

/// A named fragment of computations that were never transposed is merged with the first fragment that uses it, if that
/// one is of computations transposed once, belongs to the same stage and microbatch as far as both say, and is the very
/// next fragment on the mesh. In a schedule of one forward, one backward that is the last stage alone.
struct merge_forward_with_backward {
  static constexpr std::string_view name = "mpmd-merge-forward-with-backward";
  static constexpr std::string_view summary = "Merge forward fragments with backward fragments right behind them";
  static constexpr auto options = std::tuple{};

  template <mutable_mpmd_program P>
  bool operator()(P& p, diagnostics&) const {
    using traits = ir_traits<P>;
    for (op_t<P> const f : distributed_functions(p)) {
      // Merging goes from last to first, so what follows a fragment that is still whole does not change.
      std::unordered_map<op_t<P>, op_t<P>> next;
      std::unordered_map<std::string, op_t<P>> last;
      for (op_t<P> const o : body_of(p, f)) {
        if (!is_fragment(p, o)) continue;
        auto const [at, first] = last.emplace(traits::fragment_of(p, o).mesh, o);
        if (!first) next[at->second] = o;
        at->second = o;
      }
      auto const allowed = [&](fragment_facts<P> const& a, fragment_facts<P> const& b) {
        if (a.transposes != 0 || b.transposes != 1) return false;
        auto const following = next.find(a.single);
        if (following == next.end() || !(following->second == b.single)) return false;
        return !a.call_counter || !b.call_counter || *a.call_counter == *b.call_counter;
      };
      fragment_merger(p, f, merge_candidate::closest_consumer, allowed).run();
    }
    return true;
  }
};

}  // namespace mpmd
