#pragma once
/// -mpmd-scheduling-units-verifier: warns when a mesh does not have one unit of each direction per microbatch.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>

#include <mpmd/support/diagnostics.hpp>
#include <mpmd/transform/fragment_merger.hpp>

namespace mpmd {

/// A scheduling unit is a named fragment with a call counter whose computations have all been transposed equally often:
/// never, then it is a forward unit, or once, then it is a backward unit. Meshes whose name ends in `/cpu`, and
/// `empty_mesh`, have none.
struct scheduling_units_verifier {
  static constexpr std::string_view name = "mpmd-scheduling-units-verifier";
  static constexpr std::string_view summary = "Warn about meshes without one unit per direction and microbatch";
  static constexpr auto options = std::tuple{};

  template <mutable_mpmd_program P>
  bool operator()(P& p, diagnostics& diags) const {
    using traits = ir_traits<P>;
    for (op_t<P> const f : distributed_functions(p)) {
      struct units {
        std::size_t count[2] = {0, 0};
      };
      std::map<std::string, units> found;
      std::size_t microbatches = 0;
      bool from_zero = false;
      for (op_t<P> const o : body_of(p, f)) {
        if (!is_fragment(p, o)) continue;
        auto const counter = call_counter_of(p, o);
        if (!counter) continue;
        microbatches = std::max<std::size_t>(microbatches, *counter);
        from_zero = from_zero || *counter == 0;
        auto const info = traits::fragment_of(p, o);
        auto const transposed = single_transpose_count(info);
        if (transposed && (*transposed == 0 || *transposed == 1))
          ++found[info.mesh].count[static_cast<std::size_t>(*transposed)];
      }
      microbatches += from_zero ? 1 : 0;
      auto const at = source_of(p, f);
      if (microbatches == 0) {
        diags.warning(at, "scheduling-units.none", "Number of microbatches is zero. Make sure that the program uses "
                                                   "call counters: no fragment of this function has one");
        continue;
      }
      for (std::string const& mesh : traits::meshes_of(p, f)) {
        if (mesh.ends_with("/cpu") || mesh == empty_mesh_name) continue;
        units const u = found[mesh];
        for (std::size_t direction : {0u, 1u})
          if (u.count[direction] != microbatches)
            diags.warning(at, "scheduling-units.count",
                          std::string("Number of ") + (direction == 0 ? "forward" : "backward") +
                              " scheduling units in mesh " + mesh + " does not match expected number for " +
                              std::to_string(microbatches) + " microbatches. Got " +
                              std::to_string(u.count[direction]) + ".");
      }
    }
    return true;
  }
};

}  // namespace mpmd
