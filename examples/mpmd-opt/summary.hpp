#pragma once
// --summary: the placement of a program as a table that a person reads at a glance.

#include <ostream>

#include <mpmd/analysis/placement_summary.hpp>
#include <mpmd/ir/program.hpp>

namespace tool {

mpmd::placement_summary summarize(mpmd::ir::program const& p);

// `before`: the summary of the input. What only the other has, passes have decided.
void print_summary(std::ostream& out, mpmd::placement_summary const& before, mpmd::placement_summary const& after);

}  // namespace tool
