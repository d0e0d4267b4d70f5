#pragma once
/// The pretty forms of the sdy ops that occur with mpmd programs (Shardy's documentation of the dialect is the source).

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include <mpmd/text/mlir/form.hpp>
#include <mpmd/text/mlir/func_forms.hpp>
#include <mpmd/text/mlir/mpmd_forms.hpp>
#include <mpmd/text/mlir/op_printer.hpp>
#include <mpmd/text/mlir/op_reader.hpp>

namespace mpmd::text::mlir {

// --- sdy.mesh ----------------------------------------------------------------------------------------------------

/// `sdy.mesh @name = <["x"=2]> {...}`.
inline step read_sdy_mesh(op_reader& p) {
  std::string name;
  if (!p.read_symbol(name) || !p.expect('=')) return step::failed;
  ir::attribute const mesh = p.syntax().parse_mesh();
  if (!mesh || !p.read_optional_attributes()) return step::failed;
  p.add_property("sym_name", p.context().string(name));
  p.add_property("mesh", mesh);
  return step::done;
}

inline bool fits_sdy_mesh(ir::program const& in, ir::op o) {
  return in.operand_count(o) == 0 && in.result_count(o) == 0 && in.regions(o).empty() &&
         in.attr_if<ir::string_attr>(o, "sym_name") && in.attr_if<ir::mesh_attr>(o, "mesh");
}

inline step print_sdy_mesh(op_printer& p, ir::op o, std::uint32_t) {
  p << "sdy.mesh ";
  p.symbol(p.program().attr_if<ir::string_attr>(o, "sym_name")->text);
  p << " = ";
  p.stripped(p.program().attr(o, "mesh"));
  p.attributes(o, {"sym_name", "mesh"});
  return step::done;
}

// --- sdy.sharding_constraint, sdy.reshard, sdy.data_flow_edge: an operand, its sharding and their type -----------------

/// `%a <@mesh, [{"x"}]> {...} : T`.
inline step read_sharded_identity(op_reader& p) {
  if (!p.read_use(p.pending().uses.emplace_back())) return step::failed;
  ir::attribute const sharding = p.syntax().parse_sharding();
  if (!sharding || !p.read_optional_attributes()) return step::failed;
  p.add_property("sharding", sharding);
  return read_identity_type(p);
}

/// `%a sharding=<@mesh, [{"x"}]> {...} : T`, where the sharding may be absent.
inline step read_data_flow_edge(op_reader& p) {
  if (!p.read_use(p.pending().uses.emplace_back())) return step::failed;
  if (p.consume_word("sharding")) {
    if (!p.expect('=')) return step::failed;
    ir::attribute const sharding = p.syntax().parse_sharding();
    if (!sharding) return step::failed;
    p.add_property("sharding", sharding);
  }
  return p.read_optional_attributes() ? read_identity_type(p) : step::failed;
}

inline bool fits_sharded_identity(ir::program const& in, ir::op o) {
  return is_identity(in, o) && in.attr_if<ir::sharding_attr>(o, "sharding");
}

inline bool fits_data_flow_edge(ir::program const& in, ir::op o) {
  return is_identity(in, o) && is_optional<ir::sharding_attr>(in, o, "sharding");
}

template <bool keyword>
step print_sharded_identity(op_printer& p, ir::op o, std::uint32_t) {
  p.name(o);
  p << ' ';
  p.use(p.program().operand(o, 0));
  if (ir::attribute const sharding = p.program().attr(o, "sharding")) {
    p << (keyword ? " sharding=" : " ");
    p.stripped(sharding);
  }
  p.attributes(o, {"sharding"});
  return print_identity_type(p, o);
}

// --- sdy.sharding_group --------------------------------------------------------------------------------------------

/// `sdy.sharding_group %a group_id=0 {...} : T`.
inline step read_sharding_group(op_reader& p) {
  std::int64_t group = 0;
  if (!p.read_use(p.pending().uses.emplace_back()) || !p.expect_word("group_id") || !p.expect('=') ||
      !p.read_integer(group) || !p.read_optional_attributes() || !p.expect(':'))
    return step::failed;
  p.add_property("group_id", p.context().integer_value(group));
  ir::type const type = p.read_type();
  return type && p.resolve_operands(type) ? step::done : step::failed;
}

inline bool is_integer(ir::program const& in, ir::op o, std::string_view name, std::uint32_t width) {
  auto const* value = in.attr_if<ir::integer_attr>(o, name);
  auto const* type = value ? in.context().get_if<ir::integer_type>(value->of) : nullptr;
  return type && *type == ir::integer_type{width};
}

inline bool fits_sharding_group(ir::program const& in, ir::op o) {
  return in.operand_count(o) == 1 && in.result_count(o) == 0 && in.regions(o).empty() &&
         is_integer(in, o, "group_id", 64);
}

inline step print_sharding_group(op_printer& p, ir::op o, std::uint32_t) {
  p << "sdy.sharding_group ";
  p.use(p.program().operand(o, 0));
  p << " group_id=";
  p.number(p.program().attr_if<ir::integer_attr>(o, "group_id")->value);
  p.attributes(o, {"group_id"});
  p << " : ";
  p.types_of(p.program().operands(o));
  return step::done;
}

// --- sdy.propagation_barrier -----------------------------------------------------------------------------------------

inline constexpr std::array<std::string_view, 4> propagation_directions{"NONE", "FORWARD", "BACKWARD", "BOTH"};

/// `sdy.propagation_barrier %a allowed_direction=NONE {...} : T`; the direction is an i32.
inline step read_propagation_barrier(op_reader& p) {
  if (!p.read_use(p.pending().uses.emplace_back()) || !p.expect_word("allowed_direction") || !p.expect('='))
    return step::failed;
  std::size_t const at = p.offset();
  std::string_view const word = p.read_word();
  std::int64_t direction = 0;
  while (direction < 4 && propagation_directions[static_cast<std::size_t>(direction)] != word) ++direction;
  if (direction == 4) return p.fail(at, "expected one of NONE, FORWARD, BACKWARD, BOTH as direction");
  if (!p.read_optional_attributes()) return step::failed;
  p.add_property("allowed_direction", p.context().integer_value(direction, 32));
  return read_identity_type(p);
}

inline bool fits_propagation_barrier(ir::program const& in, ir::op o) {
  if (!is_identity(in, o) || !is_integer(in, o, "allowed_direction", 32)) return false;
  auto const direction = in.attr_if<ir::integer_attr>(o, "allowed_direction")->value;
  return direction >= 0 && direction < 4;
}

inline step print_propagation_barrier(op_printer& p, ir::op o, std::uint32_t) {
  p << "sdy.propagation_barrier ";
  p.use(p.program().operand(o, 0));
  auto const direction = p.program().attr_if<ir::integer_attr>(o, "allowed_direction")->value;
  p << " allowed_direction=" << propagation_directions[static_cast<std::size_t>(direction)];
  p.attributes(o, {"allowed_direction"});
  return print_identity_type(p, o);
}

// --- sdy.manual_computation, sdy.named_computation -------------------------------------------------------------------

/// `in_shardings=[...]` and the like.
inline bool read_shardings(op_reader& p, std::string_view name) {
  if (!p.expect_word(name) || !p.expect('=')) return false;
  ir::attribute const list = p.syntax().parse_sharding_list();
  if (!list) return false;
  p.add_property(name, list);
  return true;
}

// The axes are an attribute of their own, which this IR keeps as text.
inline constexpr std::string_view manual_axes_before = "#sdy<manual_axes ";
inline constexpr std::string_view manual_axes_after = ">";

/// `{...} : (T) -> U` behind the region.
inline step read_attributes_and_signature_behind(op_reader& p) {
  return p.read_optional_attributes() ? read_signature_behind(p) : step::failed;
}

/// `sdy.manual_computation(%a) in_shardings=[...] out_shardings=[...] manual_axes={"x"} (%p: T) {...} {...} : (T) -> U`.
inline step read_manual_computation(op_reader& p) {
  if (p.regions_read() == 1) return read_attributes_and_signature_behind(p);
  if (!p.read_uses_in_parentheses(p.pending().uses) || !read_shardings(p, "in_shardings") ||
      !read_shardings(p, "out_shardings") || !p.expect_word("manual_axes") || !p.expect('=') || !p.expect('{'))
    return step::failed;
  std::string axes(manual_axes_before);
  axes += '{';
  if (!p.consume('}')) {
    std::string_view between = "";
    do {
      std::string axis;
      if (!p.read_string(axis)) return step::failed;
      axes += between;
      print_string(axes, axis);
      between = ", ";
    } while (p.consume(','));
    if (!p.expect('}')) return step::failed;
  }
  axes += '}';
  axes += manual_axes_after;
  p.add_property("manual_axes", p.context().get(ir::opaque_attr{std::move(axes)}));
  return p.read_arguments() ? p.region(p.pending().arguments) : step::failed;
}

inline bool fits_manual_computation(ir::program const& in, ir::op o) {
  auto const* axes = in.attr_if<ir::opaque_attr>(o, "manual_axes");
  return has_one_block(in, o) && in.attr_if<ir::sharding_per_value_attr>(o, "in_shardings") &&
         in.attr_if<ir::sharding_per_value_attr>(o, "out_shardings") && axes && !axes->of &&
         axes->text.starts_with(manual_axes_before) && axes->text.ends_with(manual_axes_after);
}

inline step print_manual_computation(op_printer& p, ir::op o, std::uint32_t regions_printed) {
  ir::program const& in = p.program();
  if (regions_printed == 1) {
    p.attributes(o, {"in_shardings", "manual_axes", "out_shardings"});
    return print_signature_behind(p, o);
  }
  p << "sdy.manual_computation(";
  p.uses(in.operands(o));
  p << ") in_shardings=";
  p.stripped(in.attr(o, "in_shardings"));
  p << " out_shardings=";
  p.stripped(in.attr(o, "out_shardings"));
  std::string_view axes = in.attr_if<ir::opaque_attr>(o, "manual_axes")->text;
  axes.remove_prefix(manual_axes_before.size());
  axes.remove_suffix(manual_axes_after.size());
  p << " manual_axes=" << axes << ' ';
  p.entry_arguments(in.regions(o)[0]);
  p << ' ';
  return p.region();
}

/// `sdy.named_computation<"f">(%a) in_shardings=[...] out_shardings=[...] (%p: T) {...} {...} : (T) -> U`.
inline step read_sdy_named_computation(op_reader& p) {
  if (p.regions_read() == 1) return read_attributes_and_signature_behind(p);
  std::string name;
  if (!p.expect('<') || !p.read_string(name) || !p.expect('>')) return step::failed;
  p.add_property("name", p.context().string(name));
  if (!p.read_uses_in_parentheses(p.pending().uses)) return step::failed;
  for (std::string_view const shardings : {"in_shardings", "out_shardings"})
    if (p.next_is_word(shardings) && !read_shardings(p, shardings)) return step::failed;
  return p.read_arguments() ? p.region(p.pending().arguments) : step::failed;
}

inline bool fits_sdy_named_computation(ir::program const& in, ir::op o) {
  return has_one_block(in, o) && in.attr_if<ir::string_attr>(o, "name") &&
         is_optional<ir::sharding_per_value_attr>(in, o, "in_shardings") &&
         is_optional<ir::sharding_per_value_attr>(in, o, "out_shardings");
}

inline step print_sdy_named_computation(op_printer& p, ir::op o, std::uint32_t regions_printed) {
  if (regions_printed == 1) {
    p.attributes(o, {"in_shardings", "name", "out_shardings"});
    return print_signature_behind(p, o);
  }
  p << "sdy.named_computation<";
  p.quoted(p.program().attr_if<ir::string_attr>(o, "name")->text);
  p << ">(";
  p.uses(p.program().operands(o));
  p << ')';
  for (std::string_view const shardings : {"in_shardings", "out_shardings"}) {
    if (ir::attribute const list = p.program().attr(o, shardings)) {
      p << ' ' << shardings << '=';
      p.stripped(list);
    }
  }
  p << ' ';
  p.entry_arguments(p.program().regions(o)[0]);
  p << ' ';
  return p.region();
}

// --- sdy.constant ----------------------------------------------------------------------------------------------------

inline ir::type type_of_elements(ir::context const& in, ir::attribute value) {
  if (auto const* dense = in.get_if<ir::dense_attr>(value)) return dense->of;
  auto const* resource = in.get_if<ir::dense_resource_attr>(value);
  return resource ? resource->of : ir::type{};
}

/// `sdy.constant {...} dense<1.0> : T`, which has the type of its value.
inline step read_sdy_constant(op_reader& p) {
  if (!p.read_optional_attributes()) return step::failed;
  std::size_t const at = p.offset();
  ir::attribute const value = p.read_attribute();
  if (!value) return step::failed;
  ir::type const type = type_of_elements(p.context(), value);
  if (!type) return p.fail(at, "expected the elements of a tensor");
  p.add_property("value", value);
  p.pending().state.results.push_back(type);
  return step::done;
}

inline bool fits_sdy_constant(ir::program const& in, ir::op o) {
  return in.operand_count(o) == 0 && in.result_count(o) == 1 && in.regions(o).empty() && in.attr(o, "value") &&
         type_of_elements(in.context(), in.attr(o, "value")) == in.type_of(in.result(o, 0));
}

inline step print_sdy_constant(op_printer& p, ir::op o, std::uint32_t) {
  p << "sdy.constant";
  p.attributes(o, {"value"});
  p << ' ';
  p.attribute(p.program().attr(o, "value"));
  return step::done;
}

inline constexpr std::array<form, 10> sdy_forms{{
    {.name = "sdy.mesh", .read = read_sdy_mesh, .print = print_sdy_mesh, .fits = fits_sdy_mesh},
    {.name = "sdy.sharding_constraint", .read = read_sharded_identity, .print = print_sharded_identity<false>,
     .fits = fits_sharded_identity},
    {.name = "sdy.reshard", .read = read_sharded_identity, .print = print_sharded_identity<false>,
     .fits = fits_sharded_identity},
    {.name = "sdy.data_flow_edge", .read = read_data_flow_edge, .print = print_sharded_identity<true>,
     .fits = fits_data_flow_edge},
    {.name = "sdy.sharding_group", .read = read_sharding_group, .print = print_sharding_group,
     .fits = fits_sharding_group},
    {.name = "sdy.propagation_barrier", .read = read_propagation_barrier, .print = print_propagation_barrier,
     .fits = fits_propagation_barrier},
    {.name = "sdy.manual_computation", .read = read_manual_computation, .print = print_manual_computation,
     .fits = fits_manual_computation},
    {.name = "sdy.return", .read = read_return, .print = print_return, .fits = fits_return},
    {.name = "sdy.constant", .read = read_sdy_constant, .print = print_sdy_constant, .fits = fits_sdy_constant},
    {.name = "sdy.named_computation", .read = read_sdy_named_computation, .print = print_sdy_named_computation,
     .fits = fits_sdy_named_computation},
}};

}  // namespace mpmd::text::mlir
