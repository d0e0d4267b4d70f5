#include <mpmd/pipeline/import_passes.hpp>

#include "passes.hpp"

namespace plugin {

registered_passes import_passes() { return mpmd::import_passes<mlir::ModuleOp>(); }

}  // namespace plugin
