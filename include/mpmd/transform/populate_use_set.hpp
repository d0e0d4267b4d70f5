#pragma once
/// -mpmd-infer-mesh-populate-use-set: writes the use set of every op, argument and callee result into the program.

#include <cstddef>
#include <string_view>
#include <tuple>

#include <mpmd/analysis/sets_with_origins.hpp>
#include <mpmd/analysis/use_sets.hpp>
#include <mpmd/graph/annotated_program.hpp>
#include <mpmd/support/diagnostics.hpp>
#include <mpmd/support/option.hpp>

namespace mpmd {

/// Sets that stand in the program already are kept and extended. An empty set is not written. Changes nothing but
/// these annotations and reports nothing.
///
/// The reference walks each entry function once: an operand of a call does not learn what earlier calls of the same
/// function make its argument needed for. That is enough to look for conflicts, but not to place the operand: `settle`
/// goes on until nothing grows.
struct populate_use_set {
  bool settle = false;

  static constexpr std::string_view name = "mpmd-infer-mesh-populate-use-set";
  static constexpr std::string_view summary = "Find on which meshes each op is needed, and note it as mpmd.use_set";
  static constexpr auto options =
      std::tuple{option{"settle", &populate_use_set::settle, "Find the sets again until no operand of a call lacks a mesh"}};

  template <annotated_mpmd_program P>
  bool operator()(P& p, diagnostics&) const {
    auto const uses = use_sets<sets_with_origins>(p, {.from_annotations = true, .settle = settle});
    write_sets(
        p, *uses.map, set_kind::use, [&](program_step<P> const& s) { return uses.at(s.number); },
        [&](interned_element set) { return uses.policy.write_use(*uses.names, set); });
    return true;
  }
};

}  // namespace mpmd
