#pragma once
/// The attributes of the sdy dialect that mpmd text needs, and those of the mpmd dialect (Shardy's documentation of
/// both dialects is the source). Plain data; what is well-formed is the verifier's business.

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include <mpmd/graph/mpmd_program.hpp>
#include <mpmd/ir/handles.hpp>

namespace mpmd::ir {

/// A named axis of a mesh and its size: `"x"=2`.
struct mesh_axis {
  std::string label;
  std::int64_t size = 0;
  static constexpr auto fields = std::tuple{&mesh_axis::label, &mesh_axis::size};
  friend bool operator==(mesh_axis const&, mesh_axis const&) = default;
};

/// `#sdy.mesh<["x"=2, "y"=4], device_ids=[...]>`. An id list equal to 0..n-1 is dropped when the attribute is built.
struct mesh_attr {
  std::vector<mesh_axis> axes;
  std::vector<std::int64_t> device_ids = {};
  static constexpr auto fields = std::tuple{&mesh_attr::axes, &mesh_attr::device_ids};
  friend bool operator==(mesh_attr const&, mesh_attr const&) = default;

  bool is_maximal() const { return axes.empty() && device_ids.size() == 1; }
  bool is_empty() const { return axes.empty() && device_ids.empty(); }
};

/// `"x"`, or the sub-axis `"x":(2)4` of pre-size 2 and size 4; size 0 = the full axis.
struct axis_ref {
  std::string axis;
  std::int64_t pre_size = 0;
  std::int64_t size = 0;
  static constexpr auto fields = std::tuple{&axis_ref::axis, &axis_ref::pre_size, &axis_ref::size};
  friend bool operator==(axis_ref const&, axis_ref const&) = default;

  bool is_sub_axis() const { return size != 0; }
};

/// `{"x", ?}p1`: the axes that split one dimension, major to minor; open dimensions may take more.
struct dim_sharding {
  std::vector<axis_ref> axes;
  bool open = false;
  std::optional<std::int64_t> priority = {};
  static constexpr auto fields = std::tuple{&dim_sharding::axes, &dim_sharding::open, &dim_sharding::priority};
  friend bool operator==(dim_sharding const&, dim_sharding const&) = default;
};

enum class unreduced_kind : std::uint8_t { sum, max, min };

/// `#sdy.sharding<@mesh, [{"x"}, {?}], replicated={"a"}, unreduced=max{"b"}>`. `mesh` is a symbol_ref_attr or, for an
/// inlined mesh, a mesh_attr.
struct sharding_attr {
  attribute mesh;
  std::vector<dim_sharding> dims;
  std::vector<axis_ref> replicated = {};
  std::vector<axis_ref> unreduced = {};
  unreduced_kind reduction = unreduced_kind::sum;
  static constexpr auto fields = std::tuple{&sharding_attr::mesh, &sharding_attr::dims, &sharding_attr::replicated,
                                            &sharding_attr::unreduced, &sharding_attr::reduction};
  friend bool operator==(sharding_attr const&, sharding_attr const&) = default;

  /// No dimension is split. Open dimensions, replicated and unreduced axes do not count.
  bool is_fully_replicated() const {
    for (auto const& d : dims)
      if (!d.axes.empty()) return false;
    return true;
  }
};

/// `#sdy.sharding_per_value<[<@mesh, [{"x"}]>, ...]>`; also the `in_shardings`/`out_shardings` of an op.
struct sharding_per_value_attr {
  std::vector<attribute> shardings;
  static constexpr auto fields = std::tuple{&sharding_per_value_attr::shardings};
  friend bool operator==(sharding_per_value_attr const&, sharding_per_value_attr const&) = default;
};

/// `<"m1" : <["x"=2]>>`: an entry of a topology; `mesh` is a mesh_attr.
struct named_mesh_attr {
  std::string label;
  attribute mesh;
  static constexpr auto fields = std::tuple{&named_mesh_attr::label, &named_mesh_attr::mesh};
  friend bool operator==(named_mesh_attr const&, named_mesh_attr const&) = default;
};

/// `#mpmd.topology<<"m1" : ...>, ...>`: named_mesh_attrs, at least one.
struct topology_attr {
  std::vector<attribute> meshes;
  static constexpr auto fields = std::tuple{&topology_attr::meshes};
  friend bool operator==(topology_attr const&, topology_attr const&) = default;
};

/// `#mpmd.user_origin<"enc"(1)>`: a user's name for a computation and how often it was transposed.
struct user_origin_attr {
  std::string label;
  std::int64_t transpose_count = 0;
  static constexpr auto fields = std::tuple{&user_origin_attr::label, &user_origin_attr::transpose_count};
  friend bool operator==(user_origin_attr const&, user_origin_attr const&) = default;
};

/// `#mpmd<origin"lbl">`.
struct origin_attr {
  std::string label;
  static constexpr auto fields = std::tuple{&origin_attr::label};
  friend bool operator==(origin_attr const&, origin_attr const&) = default;
};

/// `"m1"["a", "b"]`: a mesh and the labels that say why it is there.
struct mesh_with_origins {
  std::string mesh;
  std::vector<std::string> origins = {};
  static constexpr auto fields = std::tuple{&mesh_with_origins::mesh, &mesh_with_origins::origins};
  friend bool operator==(mesh_with_origins const&, mesh_with_origins const&) = default;
};

/// `#mpmd<mesh_with_origins"m1"["a"]>`: one such pair standing alone.
struct mesh_with_origins_attr {
  mesh_with_origins held;
  static constexpr auto fields = std::tuple{&mesh_with_origins_attr::held};
  friend bool operator==(mesh_with_origins_attr const&, mesh_with_origins_attr const&) = default;
};

/// `#mpmd.meshes_with_origins<"m1"["a"], "m2">`: the printed form of a use set or src set.
struct meshes_with_origins_attr {
  std::vector<mesh_with_origins> meshes;
  static constexpr auto fields = std::tuple{&meshes_with_origins_attr::meshes};
  friend bool operator==(meshes_with_origins_attr const&, meshes_with_origins_attr const&) = default;
};

using mpmd::reduction_kind;

/// `#mpmd.reduction<add>`.
struct reduction_attr {
  reduction_kind kind = reduction_kind::none;
  static constexpr auto fields = std::tuple{&reduction_attr::kind};
  friend bool operator==(reduction_attr const&, reduction_attr const&) = default;
};

}  // namespace mpmd::ir
