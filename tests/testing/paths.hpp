#pragma once

#include <string>

/// Where a test finds files. Only one source file knows the folders of this checkout, so that the others
/// compile to the same objects in every checkout.
namespace mpmd::testing {

/// The root of the checkout, without a slash at the end.
std::string source_dir();

/// The folder of the built programs; `bin_dir() + "/mpmd-opt"` is the tool.
std::string bin_dir();

/// An existing folder for files that tests write. Tests may run side by side: use names of your own in it.
std::string scratch_dir();

}  // namespace mpmd::testing
