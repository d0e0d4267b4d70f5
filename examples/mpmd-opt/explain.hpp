#pragma once
// --why: the sets of a value, and for each mesh in them the chain of ops that put it there.

#include <ostream>
#include <string_view>

#include <mpmd/ir/traits.hpp>
#include <mpmd/support/diagnostics.hpp>
#include <mpmd/text/mlir/written_names.hpp>

namespace tool {

// `asked` is `%name`, as the value is called in the input, or `@function:%name`. False after reporting that there is no
// such value.
bool explain(mpmd::ir::program const& p, mpmd::text::mlir::written_names const& names, std::string_view asked,
             mpmd::diagnostics& diags, std::ostream& out);

}  // namespace tool
