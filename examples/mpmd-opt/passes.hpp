#pragma once
// The passes that the tool knows: those of the library, one file a family so that each compiles by itself, and those
// which act on the library's own IR alone.

#include <vector>

#include <mpmd/ir/traits.hpp>
#include <mpmd/pipeline/pass.hpp>

namespace tool {

using registered_passes = std::vector<mpmd::registered_pass<mpmd::ir::program>>;

registered_passes inference_passes();
registered_passes import_passes();
registered_passes common_passes();
registered_passes comm_domain_passes();

// All of them.
registered_passes passes();

}  // namespace tool
