#pragma once
/// The passes that simplify and merge what is placed, by name.

#include <vector>

#include <mpmd/pipeline/pass.hpp>

namespace mpmd {

template <class P>
std::vector<registered_pass<P>> common_passes() {
  return {};
}

}  // namespace mpmd
