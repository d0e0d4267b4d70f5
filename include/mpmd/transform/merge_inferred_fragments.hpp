#pragma once
/// -mpmd-merge-inferred-fragments: merges fragments that no user asked for into those behind them.

#include <string_view>
#include <tuple>

#include <mpmd/support/option.hpp>
#include <mpmd/transform/fragment_merger.hpp>

namespace mpmd {

/// A fragment without origins, or one in front of a fragment without origins, is merged with the next that uses it, or
/// with the next on its mesh. A transfer between the two does not keep them apart; a value that has to be there before
/// does. Fragments that users named are never merged with each other.
struct merge_inferred_fragments {
  bool merge_any_consumer = false;
  bool merge_sideways = false;

  static constexpr std::string_view name = "mpmd-merge-inferred-fragments";
  static constexpr std::string_view summary = "Merge fragments that no user asked for into the fragments behind them";
  static constexpr auto options =
      std::tuple{option{"merge-any-consumer", &merge_inferred_fragments::merge_any_consumer,
                        "Consider all fragments that use a fragment, not only the first"},
                 option{"merge-sideways", &merge_inferred_fragments::merge_sideways,
                        "Consider the next fragment on the same mesh, whether or not it uses the fragment"}};

  option_fault find_fault() const {
    if (!merge_any_consumer || !merge_sideways) return {};
    return {"merge-sideways",
            "merge-any-consumer and merge-sideways cannot both be set: run the pass twice, once with each"};
  }

  template <mutable_mpmd_program P>
  bool operator()(P& p, diagnostics& diags) const {
    if (!options_are_sound(*this, diags)) return false;
    auto const candidate = merge_sideways       ? merge_candidate::next_on_mesh
                           : merge_any_consumer ? merge_candidate::any_consumer
                                                : merge_candidate::closest_consumer;
    auto const allowed = [](fragment_facts<P> const& a, fragment_facts<P> const& b) {
      return (a.inferred || b.inferred) && !(a.keeps_transferred && b.drops_transferred);
    };
    for (op_t<P> const f : distributed_functions(p)) fragment_merger(p, f, candidate, allowed).run();
    return true;
  }
};

}  // namespace mpmd
