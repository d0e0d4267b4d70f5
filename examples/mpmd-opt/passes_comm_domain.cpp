#include <mpmd/pipeline/comm_domain_passes.hpp>

#include "passes.hpp"

namespace tool {

registered_passes comm_domain_passes() { return mpmd::comm_domain_passes<mpmd::ir::program>(); }

}  // namespace tool
