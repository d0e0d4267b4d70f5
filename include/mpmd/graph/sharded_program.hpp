#pragma once
/// Programs that say how tensors are laid out over the axes of meshes, with meshes that bear names of their
/// own beside those of a topology.

#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <mpmd/graph/topology_program.hpp>

namespace mpmd {

/// A mesh by name: its axes, and its devices where they are stated.
struct device_mesh {
  std::string name = {};
  std::vector<std::pair<std::string, std::int64_t>> axes = {};
  std::vector<std::int64_t> devices = {};
  bool is_empty() const { return axes.empty() && devices.empty(); }
  /// One device, on which everything is whole.
  bool is_maximal() const { return axes.empty() && devices.size() == 1; }
  friend bool operator==(device_mesh const&, device_mesh const&) = default;
};

/// A sharding as it stands in a program. `axes`: those that split a dimension, that are said to be
/// replicated, and that are unreduced, each as often as it is mentioned.
struct sharding_use {
  device_mesh const&
      mesh;  ///< without a name where it is written out, and only its name where that means nothing
  std::vector<std::string> const& axes;
  source_location const& where;
};

namespace detail {
struct keep_mesh {
  std::string operator()(sharding_use const&) const { return {}; }
};
}  // namespace detail

/// Members of `ir_traits<P>` beside those of topology_mpmd_program:
///
///     topology_of(p, f) -> vector<device_mesh>    the meshes of a function that takes part, in order
///     add_to_topology(p, f, mesh)                 as the last one
///     declared_meshes(p) -> vector<device_mesh>   the meshes of the whole program, in order
///     declare_meshes(p, meshes)                   more of them, before all others, in this order
///     undeclare_meshes(p, names)
///     retarget_shardings(p, to)                   calls `to(sharding_use)`, which gives the name of another
///     mesh or
///                                                 nothing to keep the one it has, for every sharding of
///                                                 arguments, results and ops; not for those inside types
template <class P>
concept sharded_mpmd_program =
    topology_mpmd_program<P> &&
    requires(P& p, P const& c, op_t<P> f, device_mesh const& m, std::span<device_mesh const> meshes,
             std::span<std::string const> names) {
      { ir_traits<P>::topology_of(c, f) } -> std::same_as<std::vector<device_mesh>>;
      ir_traits<P>::add_to_topology(p, f, m);
      { ir_traits<P>::declared_meshes(c) } -> std::same_as<std::vector<device_mesh>>;
      ir_traits<P>::declare_meshes(p, meshes);
      ir_traits<P>::undeclare_meshes(p, names);
      ir_traits<P>::retarget_shardings(p, detail::keep_mesh{});
    };

}  // namespace mpmd
