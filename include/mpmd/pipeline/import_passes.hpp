#pragma once
/// The passes that bring what users wrote into the form that mesh inference takes, by name.

#include <vector>

#include <mpmd/pipeline/pass.hpp>
#include <mpmd/pipeline/placement_options.hpp>
#include <mpmd/transform/introduce_transfers.hpp>
#include <mpmd/transform/map_named_ops_to_mpmd_ops.hpp>
#include <mpmd/transform/simplify_named_computations.hpp>

namespace mpmd {

template <class P>
std::vector<registered_pass<P>> import_passes() {
  return {register_pass<P, simplify_named_computations>(), register_pass<P, map_named_ops_to_mpmd_ops>(),
          register_pass<P, introduce_transfers>()};
}

}  // namespace mpmd
