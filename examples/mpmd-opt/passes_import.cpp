#include <mpmd/ir/traits.hpp>
#include <mpmd/pipeline/import_passes.hpp>

#include "passes.hpp"

namespace tool {

registered_passes import_passes() { return mpmd::import_passes<mpmd::ir::program>(); }

}  // namespace tool
