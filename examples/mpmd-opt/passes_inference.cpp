#include <mpmd/pipeline/inference_passes.hpp>

#include "passes.hpp"

namespace tool {

registered_passes inference_passes() { return mpmd::inference_passes<mpmd::ir::program>(); }

}  // namespace tool
