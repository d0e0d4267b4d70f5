#pragma once
// The passes of the plugin, one file a family so that each compiles by itself.

#include <vector>

#include <mpmd/adapters/mlir.hpp>
#include <mpmd/pipeline/pass.hpp>

namespace plugin {

using registered_passes = std::vector<mpmd::registered_pass<mlir::ModuleOp>>;

registered_passes inference_passes();
registered_passes import_passes();
registered_passes common_passes();

}  // namespace plugin
