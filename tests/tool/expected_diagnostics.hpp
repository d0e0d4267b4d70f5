#pragma once
// The tool on programs whose comments say what it reports.

#include <doctest/doctest.h>

#include <sys/wait.h>
#include <cstdlib>
#include <fstream>
#include <string>

#include "testing/paths.hpp"

namespace mpmd::testing {

// The exit status of the tool on a file of this name, in the folder of scratch files, which holds `text`.
inline int status_of_tool(std::string const& flags, std::string const& text, std::string const& file) {
  std::string const path = scratch_dir() + "/" + file;
  std::ofstream(path) << text;
  int const status = std::system((bin_dir() + "/mpmd-opt " + flags + " " + path + " > /dev/null 2>&1").c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// The comments make the tool content, at each line and with nothing else said, and without them it is not.
inline void check_expected_diagnostics(std::string const& flags, std::string text, std::string const& file) {
  CAPTURE(flags);
  CAPTURE(text);
  CHECK(status_of_tool("-verify-diagnostics " + flags, text, file) == 0);
  for (auto at = text.find("expected-"); at != std::string::npos; at = text.find("expected-")) text.erase(at, 9);
  CHECK(status_of_tool("-verify-diagnostics " + flags, text, file) == 1);
}

}  // namespace mpmd::testing
