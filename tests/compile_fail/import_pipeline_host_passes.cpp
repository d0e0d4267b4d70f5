// expect: mpmd::import_pipeline: include the header that specialises mpmd::host_passes<P>
// The library's own IR has these passes; without their header the pipeline would be another one.
#include <mpmd/ir/traits.hpp>
#include <mpmd/pipeline/import_pipeline.hpp>
#ifdef MPMD_CONTROL
#include <mpmd/ir/host_passes.hpp>
#endif

auto passes = mpmd::import_pipeline<mpmd::ir::program>();
