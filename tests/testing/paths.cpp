#include "testing/paths.hpp"

namespace mpmd::testing {

std::string source_dir() { return MPMD_TEST_SOURCE_DIR; }
std::string bin_dir() { return MPMD_TEST_BIN_DIR; }
std::string scratch_dir() { return MPMD_TEST_SCRATCH_DIR; }

}  // namespace mpmd::testing
