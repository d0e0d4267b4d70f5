#include "passes.hpp"


#include <mpmd/pipeline/passes.hpp>

namespace tool {
std::vector<mpmd::registered_pass<mpmd::ir::program>> passes() {
  return mpmd::all_passes<mpmd::ir::program>();
}

}  // namespace tool
