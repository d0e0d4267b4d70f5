#pragma once
/// -mpmd-infer-mesh-populate-src-set: writes the src set of every op and argument into the program, and marks the ops
/// that would be cross-mesh reductions.

#include <memory>
#include <string_view>
#include <tuple>

#include <mpmd/analysis/sets_with_origins.hpp>
#include <mpmd/analysis/src_sets.hpp>
#include <mpmd/graph/annotated_program.hpp>
#include <mpmd/support/diagnostics.hpp>

namespace mpmd {

/// Use sets are read from the program, where populate_use_set left them. An unspecified set is not written, an empty
/// one is. Changes nothing but these annotations and reports nothing.
struct populate_src_set {
  static constexpr std::string_view name = "mpmd-infer-mesh-populate-src-set";
  static constexpr std::string_view summary =
      "Find on which meshes each op can be without a new transfer, and note it as mpmd.src_set";
  static constexpr auto options = std::tuple{};

  template <annotated_mpmd_program P>
  bool operator()(P& p, diagnostics&) const {
    auto const map = std::make_shared<program_map<P> const>(p);
    auto const uses = stored_use_sets<P, sets_with_origins>(map, std::make_shared<mesh_names>());
    auto const srcs = src_sets(uses, {.from_annotations = true});
    write_sets(
        p, *map, set_kind::src,
        [&](program_step<P> const& s) {
          if (s.kind == step_kind::op && srcs.reduction(s.number) != reduction_kind::none)
            ir_traits<P>::set_reduction_annotation(p, s.o, srcs.reduction(s.number));
          return s.kind == step_kind::sink ? srcs.sink(s.o) : srcs.at(s.number);
        },
        [&](interned_element set) { return srcs.policy.write_src(*srcs.names, set); });
    return true;
  }
};

}  // namespace mpmd
