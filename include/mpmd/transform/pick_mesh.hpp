#pragma once
/// Which mesh a pass takes where it has a choice.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <mpmd/analysis/stored_sets.hpp>
#include <mpmd/graph/mutable_program.hpp>
#include <mpmd/transform/mesh_order.hpp>

namespace mpmd {

/// The mesh of the topology of a function that stands first in mesh order, `empty_mesh` excepted: where everything goes
/// that could be anywhere. Empty if the function may use no mesh. O(meshes).
template <mutable_mpmd_program P>
std::string first_mesh(P const& p, op_t<P> f) {
  std::string first;
  for (std::string& mesh : ir_traits<P>::meshes_of(p, f))
    if (mesh != empty_mesh_name && (first.empty() || mesh_order{}(mesh, first))) first = std::move(mesh);
  return first;
}

/// The same for one function after the other: what was found is kept for the next where the host can tell that both
/// have one topology.
template <mutable_mpmd_program P>
class first_meshes {
 public:
  explicit first_meshes(P const& p) : program_(&p) {}

  /// Empty if the function may use no mesh. O(meshes) for a topology that was not asked for just before.
  std::string const& of(op_t<P> f) {
    bool known = false;
    if constexpr (requires(P const& p) { ir_traits<P>::has_same_topology(p, f, f); })
      known = asked_ && ir_traits<P>::has_same_topology(*program_, last_, f);
    if (known) return first_;
    asked_ = true;
    last_ = f;
    return first_ = first_mesh(*program_, f);
  }

 private:
  P const* program_;
  bool asked_ = false;
  op_t<P> last_ = {};
  std::string first_;
};

/// One mesh of a set, one of the `preferred` meshes if there are any among them; of several the first in mesh order,
/// where those with the label for low priority come last. Empty when the set is empty or unspecified. Near-linear in
/// the sets.
///
/// (Shardy's mpmd dialect takes the name that is least byte by byte, which puts m10 before m2.)
inline std::string pick_mesh(mesh_names const& names, mesh_origins const& set, mesh_origins const& preferred = {}) {
  if (!set.specified()) return {};
  std::vector<std::uint32_t> wanted;
  for (auto const& e : preferred.entries()) wanted.push_back(e.mesh);
  auto const mesh = set.pick([&](std::uint32_t m) { return names.meshes[m]; }, names.labels.find(low_priority_label),
                             wanted, mesh_order{});
  return mesh ? std::string(names.meshes[*mesh]) : std::string();
}

}  // namespace mpmd
