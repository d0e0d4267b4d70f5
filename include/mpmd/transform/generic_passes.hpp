#pragma once
/// -cse and -canonicalize: what every compiler has, under the names that MLIR gives it.

#include <string_view>
#include <tuple>

#include <mpmd/graph/host_passes.hpp>
#include <mpmd/support/option.hpp>
#include <mpmd/transform/edit.hpp>

namespace mpmd {

/// Equal computations, named ones included, become one.
struct eliminate_common_subexpressions {
  static constexpr std::string_view name = "cse";
  static constexpr std::string_view summary = "Compute what is computed several times once";
  static constexpr auto options = std::tuple{};
  template <mutable_mpmd_program P>
    requires has_host_passes<P>
  bool operator()(P& p, diagnostics&) const {
    host_passes<P>::eliminate_common_subexpressions(p);
    return true;
  }
};

/// Folds ops into their simplest form and erases what is unused.
struct canonicalize {
  bool simplify_regions = true;
  static constexpr std::string_view name = "canonicalize";
  static constexpr std::string_view summary = "Fold ops into their simplest form and erase what is unused";
  static constexpr auto options = std::tuple{option{"region-simplify", &canonicalize::simplify_regions,
                                                    "Erase blocks that are never reached"}};
  template <mutable_mpmd_program P>
    requires has_host_passes<P>
  bool operator()(P& p, diagnostics&) const {
    host_passes<P>::canonicalize(p, simplify_regions);
    return true;
  }
};

}  // namespace mpmd
