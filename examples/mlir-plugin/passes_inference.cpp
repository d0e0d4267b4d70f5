#include <mpmd/pipeline/inference_passes.hpp>

#include "passes.hpp"

namespace plugin {

registered_passes inference_passes() { return mpmd::inference_passes<mlir::ModuleOp>(); }

}  // namespace plugin
