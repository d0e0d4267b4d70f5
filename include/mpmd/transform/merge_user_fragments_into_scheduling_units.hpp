#pragma once
/// -mpmd-merge-user-fragments-into-scheduling-units: computations that run as one become one fragment.

#include <string>
#include <string_view>
#include <tuple>

#include <mpmd/support/diagnostics.hpp>
#include <mpmd/transform/fragment_merger.hpp>

namespace mpmd {

/// Two named fragments become one when the second is the first to use the other, both are on one mesh and, as far as
/// they say, of one stage and microbatch, and all their computations have been transposed equally often. A fragment
/// of computations that have not is an error: it belongs neither to the forward nor to the backward part.
struct merge_user_fragments_into_scheduling_units {
  static constexpr std::string_view name = "mpmd-merge-user-fragments-into-scheduling-units";
  static constexpr std::string_view summary =
      "Merge fragments that users named into units that a scheduler can move";
  static constexpr auto options = std::tuple{};

  template <mutable_mpmd_program P>
  bool operator()(P& p, diagnostics& diags) const {
    using traits = ir_traits<P>;
    bool good = true;
    for (op_t<P> const f : distributed_functions(p))
      for (op_t<P> const o : body_of(p, f)) {
        if (!is_fragment(p, o)) continue;
        auto const info = traits::fragment_of(p, o);
        if (info.is_inferred() || single_transpose_count(info)) continue;
        std::string names;
        for (auto const& u : info.origins)
          names.append(names.empty() ? "'" : ", '").append(u.name + "' (" + std::to_string(u.transpose_count) + ")");
        diags.emit({severity::error, "scheduling-units.transpose-count", source_of(p, o),
                    "the computations of this fragment have been transposed differently often: " + names,
                    {{source_of(p, o), "a scheduling unit is a forward or a backward computation; keep computations "
                                       "of both kinds in different fragments"}}});
        good = false;
      }
    if (!good) return false;
    auto const allowed = [](fragment_facts<P> const& a, fragment_facts<P> const& b) {
      return !a.inferred && !b.inferred && a.transposes == b.transposes &&
             (!a.call_counter || !b.call_counter || *a.call_counter == *b.call_counter);
    };
    for (op_t<P> const f : distributed_functions(p))
      fragment_merger(p, f, merge_candidate::closest_consumer, allowed).run();
    return true;
  }
};

}  // namespace mpmd
