#pragma once
/// -mpmd-merge-user-fragments-into-scheduling-units: computations that run as one become one fragment.

#include <string>
#include <string_view>
#include <tuple>
#include <unordered_set>

#include <mpmd/support/diagnostics.hpp>
#include <mpmd/transform/fragment_merger.hpp>

namespace mpmd {

/// Two named fragments become one when the second is the first to use the other, both are on one mesh and, as far as
/// they say, of one stage and microbatch, and all their computations have been transposed equally often. A fragment of
/// computations that have not belongs neither to the forward nor to the backward part: it stays by itself, and where
/// nothing else would keep it apart from another it is an error. False then, and the program may be edited in part.
struct merge_user_fragments_into_scheduling_units {
  static constexpr std::string_view name = "mpmd-merge-user-fragments-into-scheduling-units";
  static constexpr std::string_view summary =
      "Merge fragments that users named into units that a scheduler can move";
  static constexpr auto options = std::tuple{};

  template <mutable_mpmd_program P>
  bool operator()(P& p, diagnostics& diags) const {
    std::unordered_set<op_t<P>> mixed;
    auto const allowed = [&](fragment_facts<P> const& a, fragment_facts<P> const& b) {
      if (a.inferred || b.inferred || (a.call_counter && b.call_counter && *a.call_counter != *b.call_counter)) return false;
      if (a.transposes && b.transposes) return *a.transposes == *b.transposes;
      // What has been merged is of one count.
      op_t<P> const of = (a.transposes ? b : a).single;
      if (mixed.insert(of).second)
        report(p, of, a.transposes ? "consumer" : "producer", (a.transposes ? a : b).single, diags);
      return false;
    };
    for (op_t<P> const f : distributed_functions(p))
      fragment_merger(p, f, merge_candidate::closest_consumer, allowed).run();
    return mixed.empty();
  }

 private:
  template <mutable_mpmd_program P>
  static void report(P const& p, op_t<P> o, std::string_view side, op_t<P> other, diagnostics& diags) {
    std::string names;
    for (auto const& u : ir_traits<P>::fragment_of(p, o).origins)
      names.append(names.empty() ? "'" : ", '").append(u.name + "' (" + std::to_string(u.transpose_count) + ")");
    diagnostic d{severity::error, "scheduling-units.transpose-count", source_of(p, o),
                 "Expected one and only one transpose count for a user-defined " + std::string(side) +
                     " op. The computations of this fragment have been transposed differently often: " + names};
    if (other) d.notes.push_back({source_of(p, other), "it would be merged with this fragment"});
    d.notes.push_back({source_of(p, o), "a scheduling unit is a forward or a backward computation; keep computations of "
                                        "both kinds in different fragments"});
    diags.emit(d);
  }
};

}  // namespace mpmd
