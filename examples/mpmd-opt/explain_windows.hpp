#pragma once
// --summary and --why for host programs: which devices share which window buffer, and because of what.

#include <ostream>
#include <string_view>

#include <mpmd/ir/program.hpp>
#include <mpmd/support/diagnostics.hpp>

namespace tool {

bool is_host_program(mpmd::ir::program const& p);

// Each domain of each host function with its devices, and its windows with their sizes, views and dispatches.
bool summarize_windows(mpmd::ir::program const& p, mpmd::diagnostics& diags, std::ostream& out);

// The chains from an allocation to the dispatches that put it on its devices. `asked` is what the program calls the
// allocation, or the variable that points to it or is a view of it, perhaps behind `@function:`. False after reporting
// that there is none.
bool explain_window(mpmd::ir::program const& p, std::string_view asked, mpmd::diagnostics& diags, std::ostream& out);

}  // namespace tool
