#pragma once
/// -mpmd-generate-sdy-meshes-from-topology: shardings speak of the meshes of the topology.

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <mpmd/graph/sharded_program.hpp>
#include <mpmd/support/diagnostics.hpp>

namespace mpmd {

namespace detail {

/// Which mesh of a topology the axes of a sharding belong to.
class axis_owners {
 public:
  explicit axis_owners(std::vector<device_mesh> const& topology) {
    for (auto const& m : topology) {
      names_.insert(m.name);
      for (auto const& [label, size] : m.axes) owners_[label].push_back(m.name);
    }
  }

  /// The one mesh that has all these axes; or nothing, and why.
  std::pair<std::string, std::string> owner(std::vector<std::string> const& axes) const {
    std::string_view found;
    for (auto const& axis : axes) {
      auto const [mesh, why] = owner(axis);
      if (mesh.empty()) return {{}, why};
      if (!found.empty() && found != mesh)
        return {{},
                "Mesh name mismatch: " + std::string(found) + " vs " + std::string(mesh) +
                    ". A sharding can use the axes of one mesh only, here they belong to two"};
      found = mesh;
    }
    return {std::string(found), {}};
  }

 private:
  std::pair<std::string_view, std::string> owner(std::string const& axis) const {
    auto const known = owners_.find(axis);
    if (known != owners_.end() && known->second.size() == 1) return {known->second[0], {}};
    // Several meshes have it: the axis says itself which one is meant, as m_x does.
    std::string_view meant;
    if (known != owners_.end())
      for (std::string_view const mesh : known->second)
        if (axis.starts_with(std::string(mesh) + '_') && mesh.size() > meant.size()) meant = mesh;
    if (!meant.empty()) return {meant, {}};
    if (known != owners_.end())
      return {{},
              "axis '" + axis + "' belongs to " + std::to_string(known->second.size()) +
                  " meshes of the topology, '" + std::string(known->second[0]) + "' and '" +
                  std::string(known->second[1]) + "' among them: call it <mesh>_<axis>"};
    auto const cut = axis.find('_');
    if (cut == std::string::npos || cut + 1 == axis.size())
      return {{}, "Axis name does not contain '_': no mesh of the topology has an axis '" + axis + "'"};
    std::string const prefix = axis.substr(0, cut);
    if (!names_.contains(prefix))
      return {{}, "Invalid mesh name: " + prefix + ". No mesh of the topology has an axis '" + axis + "'"};
    return {{}, "mesh '" + prefix + "' of the topology has no axis '" + axis + "'"};
  }

  std::unordered_map<std::string_view, std::vector<std::string_view>> owners_;
  std::unordered_set<std::string_view> names_;
};

}  // namespace detail

/// Declares the meshes of the topology, which is that of the first function that has one, and gives every
/// sharding the one of them that has its axes: all axes it mentions have to belong to one mesh. A sharding
/// without axes goes to `empty_mesh`, unless its mesh has no axes either; if that had to be made it is
/// declared and added to the topologies of all functions. Other declared meshes go, except those without
/// axes. A second run changes nothing.
///
/// Errors, behind which the program is as it was: no topology; axes of no mesh, of two, or of one of several;
/// an `empty_mesh` with axes; a mesh without axes that is called as one of the topology. Linear.
struct generate_sdy_meshes_from_topology {
  static constexpr std::string_view name = "mpmd-generate-sdy-meshes-from-topology";
  static constexpr std::string_view summary = "Make shardings refer to the meshes of the topology";
  static constexpr auto options = std::tuple{};

  template <sharded_mpmd_program P>
  bool operator()(P& p, diagnostics& diags) const {
    using traits = ir_traits<P>;
    std::vector<op_t<P>> placed;  // functions with a topology
    for (op_t<P> const f : functions(p))
      if (takes_part(p, f)) placed.push_back(f);
    if (placed.empty()) {
      diags.error({}, "topology.missing", "no function has a topology to take meshes from");
      return false;
    }
    bool good = true;
    auto fail = [&](source_location where, std::string message) {
      diags.error(std::move(where), "sharding.mesh", std::move(message));
      good = false;
    };
    source_location const at_function = traits::source_of(p, traits::location_of(p, placed[0]));
    std::vector<device_mesh> topology = traits::topology_of(p, placed[0]);
    std::vector<device_mesh> const declared = traits::declared_meshes(p);
    detail::axis_owners const owners(topology);

    std::unordered_set<std::string_view> known;
    for (auto const& m : declared) known.insert(m.name);

    bool needs_empty = false;
    std::unordered_set<std::string> said;
    auto target = [&](sharding_use const& s) -> std::string {
      if (s.axes.empty()) {
        if (!s.mesh.name.empty() && !known.contains(s.mesh.name)) return {};  // for the verifier
        if (s.mesh.is_empty() || s.mesh.is_maximal()) return {};
        needs_empty = true;
        return std::string(empty_mesh_name);
      }
      auto const [mesh, why] = owners.owner(s.axes);
      if (mesh.empty() && said.insert(why).second) fail(s.where, why);
      return mesh;
    };
    traits::retarget_shardings(p, [&](sharding_use const& s) {
      target(s);
      return std::string{};
    });

    for (auto const& m : declared) {
      auto const same = find(topology, m.name);
      if (m.name == empty_mesh_name && needs_empty && !m.is_empty())
        fail(at_function, "Mesh named 'empty_mesh' already exists but is not empty.");
      else if (same != nullptr && *same != m && (m.is_empty() || m.is_maximal()))
        fail(at_function, "Invalid mesh name: " + m.name +
                              ". It is the name of a mesh of the topology and of a declared "
                              "mesh without axes");
    }
    auto const* own_empty = find(topology, empty_mesh_name);
    if (needs_empty && own_empty != nullptr && !own_empty->is_empty())
      fail(at_function, "Mesh named 'empty_mesh' already exists but is not empty.");
    if (!good) return false;

    traits::retarget_shardings(p, target);
    if (needs_empty && own_empty == nullptr && !known.contains(empty_mesh_name)) {
      device_mesh const made{std::string(empty_mesh_name)};
      for (op_t<P> const f : placed)
        if (find(traits::topology_of(p, f), empty_mesh_name) == nullptr) traits::add_to_topology(p, f, made);
      topology.insert(topology.begin(), made);
    }
    std::vector<device_mesh> missing;
    for (auto const& m : topology) {
      auto const* old = find(declared, m.name);
      if (old == nullptr || *old != m) missing.push_back(m);
    }
    std::vector<std::string> gone;
    for (auto const& m : declared) {
      auto const* same = find(topology, m.name);
      if (!m.is_empty() && !m.is_maximal() && (same == nullptr || *same != m)) gone.push_back(m.name);
    }
    traits::undeclare_meshes(p, gone);
    traits::declare_meshes(p, missing);
    return true;
  }

 private:
  static device_mesh const* find(std::vector<device_mesh> const& in, std::string_view label) {
    auto const at = std::find_if(in.begin(), in.end(), [&](device_mesh const& m) { return m.name == label; });
    return at == in.end() ? nullptr : &*at;
  }
};

}  // namespace mpmd
