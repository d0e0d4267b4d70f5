#pragma once
/// The meshes that a function may use, and what is said of one it may not.

#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include <mpmd/graph/topology_program.hpp>
#include <mpmd/support/diagnostics.hpp>
#include <mpmd/transform/placement.hpp>

namespace mpmd {

/// The meshes of the function that was entered last. They are asked for when first needed, and kept from one
/// function to the next where the host can tell that both have one topology.
template <mutable_mpmd_program P>
class known_meshes {
 public:
  explicit known_meshes(P const& p) : program_(&p) {}

  /// From now on, the meshes of this function. O(1).
  void enter(op_t<P> f) {
    bool same = false;
    if constexpr (topology_mpmd_program<P>)
      same = loaded_ && takes_part(*program_, f) && ir_traits<P>::has_same_topology(*program_, function_, f);
    function_ = f;
    loaded_ = same;
  }

  /// O(meshes) the first time.
  bool has(std::string_view mesh) {
    if (!loaded_) {
      names_ = ir_traits<P>::meshes_of(*program_, function_);
      known_ = {names_.begin(), names_.end()};
      loaded_ = true;
    }
    return known_.contains(mesh);
  }
  /// `m1#pinned_host` as mesh_and_memory_kind() has it, unless a mesh has all of it as its name.
  std::pair<std::string_view, std::string_view> split(std::string_view mesh) {
    return mesh.find('#') == std::string_view::npos || has(mesh) ? std::pair(mesh, std::string_view{})
                                                                  : mesh_and_memory_kind(mesh);
  }
  /// Whether the mesh is there; reports at `where` if not.
  bool check(std::string_view mesh, source_location where, diagnostics& diags) {
    if (has(mesh)) return true;
    if (!takes_part(*program_, function_)) {
      diags.error(std::move(where), "topology.missing",
                  "Function does not have a topology attribute: " +
                      std::string(ir_traits<P>::function_name(*program_, function_)) +
                      ". Without one, nothing can be placed on mesh '" + std::string(mesh) + "'");
      return false;
    }
    std::string message = "Topology doesn't have a mesh with name: " + std::string(mesh) + ". It has ";
    // A topology may have a thousand meshes.
    constexpr std::size_t shown = 8;
    for (std::size_t i = 0; i < names_.size() && i < shown; ++i)
      message.append(i ? ", '" : "'").append(names_[i]) += '\'';
    if (names_.size() > shown) message += " and " + std::to_string(names_.size() - shown) + " more";
    if (names_.empty()) message += "none";
    diags.error(std::move(where), "topology.mesh", std::move(message));
    return false;
  }

 private:
  P const* program_;
  op_t<P> function_ = {};
  bool loaded_ = false;
  std::vector<std::string> names_;
  std::unordered_set<std::string_view> known_;
};

}  // namespace mpmd
