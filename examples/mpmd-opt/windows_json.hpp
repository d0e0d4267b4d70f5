#pragma once
// --summary of host programs beside the table of explain_windows.hpp.

#include <ostream>

#include <mpmd/ir/program.hpp>

namespace tool {

// Gives each allreduce that users wrote without a signal one, so that domains are shown which the pipeline would make.
// Where that cannot be done the program stays as it is, and the summary tells of the fault.
void make_signals(mpmd::ir::program& p);

// The domains of each host function for other programs to read: those that stand there, or those that would be made.
void print_windows_as_json(mpmd::ir::program const& p, std::ostream& out);

}  // namespace tool
