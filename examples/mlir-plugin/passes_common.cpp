#include <mpmd/pipeline/common_passes.hpp>

#include "passes.hpp"

namespace plugin {

registered_passes common_passes() { return mpmd::common_passes<mlir::ModuleOp>(); }

}  // namespace plugin
