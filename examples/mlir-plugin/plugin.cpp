// A plugin for mlir-opt: mesh inference and import of mpmd programs, as passes of MLIR.

#include <mlir/Tools/Plugins/PassPlugin.h>

#include <mpmd/adapters/mlir/passes.hpp>
#include <mpmd/version.hpp>

#include "passes.hpp"

#define MPMD_TEXT_(x) #x
#define MPMD_TEXT(x) MPMD_TEXT_(x)

namespace {
constexpr char version[] =
    MPMD_TEXT(MPMD_VERSION_MAJOR) "." MPMD_TEXT(MPMD_VERSION_MINOR) "." MPMD_TEXT(MPMD_VERSION_PATCH);
}

extern "C" [[gnu::visibility("default")]] mlir::PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "mpmd", version, [] {
            auto all = plugin::inference_passes();
            for (auto& p : plugin::import_passes()) all.push_back(std::move(p));
            for (auto& p : plugin::common_passes()) all.push_back(std::move(p));
            mpmd::adapters::register_with_mlir<mlir::ModuleOp, mpmd::adapters::ops_by_name>(all);
          }};
}
