#pragma once
/// The passes that bring what users wrote into the form that mesh inference takes, by name.

#include <vector>

#include <mpmd/pipeline/pass.hpp>

namespace mpmd {

template <class P>
std::vector<registered_pass<P>> import_passes() {
  return {};
}

}  // namespace mpmd
