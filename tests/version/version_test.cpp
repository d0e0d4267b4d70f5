#include <mpmd/version.hpp>

#include <doctest/doctest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "testing/paths.hpp"

TEST_CASE("the macros and the constants state one version") {
  CHECK(mpmd::version_major == MPMD_VERSION_MAJOR);
  CHECK(mpmd::version_minor == MPMD_VERSION_MINOR);
  CHECK(mpmd::version_patch == MPMD_VERSION_PATCH);
  CHECK(MPMD_VERSION == 10000 * MPMD_VERSION_MAJOR + 100 * MPMD_VERSION_MINOR + MPMD_VERSION_PATCH);
}

TEST_CASE("the change log has an entry for the version") {
  std::ifstream file(mpmd::testing::source_dir() + "/CHANGELOG.md");
  REQUIRE(file);
  std::stringstream text;
  text << file.rdbuf();
  const auto entry = "## " + std::to_string(mpmd::version_major) + "." + std::to_string(mpmd::version_minor) +
                     "." + std::to_string(mpmd::version_patch);
  CHECK(text.str().find(entry) != std::string::npos);
}
