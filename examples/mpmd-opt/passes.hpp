#pragma once
// The passes that the tool knows: those of the library, and those which act on the library's own IR alone.

#include <vector>

#include <mpmd/ir/traits.hpp>
#include <mpmd/pipeline/pass.hpp>

namespace tool {

std::vector<mpmd::registered_pass<mpmd::ir::program>> passes();

}  // namespace tool
