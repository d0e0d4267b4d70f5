#pragma once
/// The attributes of the sdy and mpmd dialects: in full, and as they stand inside other attributes, types and
/// ops.

#include <string>

#include <mpmd/ir/context.hpp>
#include <mpmd/text/mlir/detail/printing.hpp>
#include <mpmd/text/mlir/detail/words.hpp>

namespace mpmd::text::mlir {

namespace detail {

struct dialect_printer {
  std::string& out;
  ir::context const& in;

  void integer(std::int64_t value) const { out += std::to_string(value); }
  void nested(ir::attribute of) const { print_stripped(out, in, of); }

  void axis(ir::axis_ref const& a) const {
    print_label(out, a.axis);
    if (!a.is_sub_axis()) return;
    out += ":(";
    integer(a.pre_size);
    out += ')';
    integer(a.size);
  }
  void axes(std::vector<ir::axis_ref> const& list) const {
    print_list(out, "{", list, "}", [this](auto const& a) { axis(a); });
  }
  void dim(ir::dim_sharding const& d) const {
    print_list(out, "{", d.axes, "", [this](auto const& a) { axis(a); });
    if (d.open) out += d.axes.empty() ? "?" : ", ?";
    out += '}';
    if (!d.priority) return;
    out += 'p';
    integer(*d.priority);
  }
  void mesh_and_origins(ir::mesh_with_origins const& m) const {
    print_label(out, m.mesh);
    if (!m.origins.empty())
      print_list(out, "[", m.origins, "]", [this](auto const& label) { print_label(out, label); });
  }

  void stripped(ir::mesh_attr const& a) const {
    print_list(out, "<[", a.axes, "]", [this](auto const& axis) {
      print_label(out, axis.label);
      out += '=';
      integer(axis.size);
    });
    if (!a.device_ids.empty())
      print_list(out, ", device_ids=[", a.device_ids, "]", [this](auto id) { integer(id); });
    out += '>';
  }
  void stripped(ir::sharding_attr const& a) const {
    out += '<';
    if (auto const* name = in.get_if<ir::symbol_ref_attr>(a.mesh)) {
      print_symbol(out, name->root);
    } else {
      out += "mesh";
      nested(a.mesh);
    }
    print_list(out, ", [", a.dims, "]", [this](auto const& d) { dim(d); });
    if (!a.replicated.empty()) {
      out += ", replicated=";
      axes(a.replicated);
    }
    if (!a.unreduced.empty()) {
      out += ", unreduced=";
      if (a.reduction != ir::unreduced_kind::sum)
        out += unreduced_names[static_cast<std::size_t>(a.reduction)];
      axes(a.unreduced);
    }
    out += '>';
  }
  void stripped(ir::sharding_per_value_attr const& a) const {
    print_list(out, "[", a.shardings, "]", [this](auto s) { nested(s); });
  }
  void stripped(ir::named_mesh_attr const& a) const {
    out += '<';
    print_label(out, a.label);
    out += " : ";
    nested(a.mesh);
    out += '>';
  }
  void stripped(ir::topology_attr const& a) const {
    print_list(out, "<", a.meshes, ">", [this](auto mesh) { nested(mesh); });
  }
  /// A count of 0 is not written. Negative ones make no sense but are read, so they are written too.
  void stripped(ir::user_origin_attr const& a) const {
    print_label(out, a.label);
    if (a.transpose_count == 0) return;
    out += '(';
    integer(a.transpose_count);
    out += ')';
  }
  void stripped(ir::origin_attr const& a) const { print_label(out, a.label); }
  void stripped(ir::mesh_with_origins_attr const& a) const { mesh_and_origins(a.held); }
  void stripped(ir::meshes_with_origins_attr const& a) const {
    print_list(out, "<", a.meshes, ">", [this](auto const& m) { mesh_and_origins(m); });
  }
  void stripped(ir::reduction_attr const& a) const {
    out += '<';
    out += reduction_names[static_cast<std::size_t>(a.kind)];
    out += '>';
  }

  template <class T>
  void full(std::string_view before, T const& a, std::string_view after = {}) const {
    out += before;
    stripped(a);
    out += after;
  }
  void full(ir::mesh_attr const& a) const { full("#sdy.mesh", a); }
  void full(ir::sharding_attr const& a) const { full("#sdy.sharding", a); }
  void full(ir::sharding_per_value_attr const& a) const { full("#sdy.sharding_per_value<", a, ">"); }
  void full(ir::named_mesh_attr const& a) const { full("#mpmd.named_mesh", a); }
  void full(ir::topology_attr const& a) const { full("#mpmd.topology", a); }
  void full(ir::user_origin_attr const& a) const { full("#mpmd.user_origin<", a, ">"); }
  void full(ir::origin_attr const& a) const { full("#mpmd<origin", a, ">"); }
  void full(ir::mesh_with_origins_attr const& a) const { full("#mpmd<mesh_with_origins", a, ">"); }
  void full(ir::meshes_with_origins_attr const& a) const { full("#mpmd.meshes_with_origins", a); }
  void full(ir::reduction_attr const& a) const { full("#mpmd.reduction", a); }
};

}  // namespace detail

inline void print_stripped(std::string& out, ir::context const& in, ir::attribute of) {
  if (auto const* a = in.get_if<ir::array_attr>(of))
    return detail::print_list(out, "[", a->elements, "]",
                              [&](ir::attribute e) { print_stripped(out, in, e); });
  std::visit(
      [&](auto const& a) {
        if constexpr (requires { detail::dialect_printer{out, in}.stripped(a); })
          detail::dialect_printer{out, in}.stripped(a);
        else
          print(out, in, of, false);
      },
      in[of]);
}

}  // namespace mpmd::text::mlir

#include <mpmd/text/mlir/printer.hpp>
