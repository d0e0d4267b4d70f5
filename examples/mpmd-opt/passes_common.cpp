#include <mpmd/ir/traits.hpp>
#include <mpmd/pipeline/common_passes.hpp>

#include "passes.hpp"

namespace tool {

registered_passes common_passes() { return mpmd::common_passes<mpmd::ir::program>(); }

}  // namespace tool
