#pragma once
/// The pretty forms of the mpmd dialect (Shardy's documentation of the dialect is the source).

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <mpmd/text/mlir/form.hpp>
#include <mpmd/text/mlir/func_forms.hpp>
#include <mpmd/text/mlir/op_printer.hpp>
#include <mpmd/text/mlir/op_reader.hpp>

namespace mpmd::text::mlir {

// --- Pieces ------------------------------------------------------------------------------------------------------

/// `(%a, %b) {...} (%p: T, %q: U)`, and then the region.
inline step read_region_header(op_reader& p) {
  if (!p.read_uses_in_parentheses(p.pending().uses) || !p.read_optional_attributes() || !p.read_arguments())
    return step::failed;
  return p.region(p.pending().arguments);
}

inline step print_region_header(op_printer& p, ir::op o, std::initializer_list<std::string_view> hidden) {
  p << '(';
  p.uses(p.program().operands(o));
  p << ')';
  p.attributes(o, hidden);
  p << ' ';
  p.entry_arguments(p.program().regions(o)[0]);
  p << ' ';
  return p.region();
}

/// `: (T) -> U` behind the region.
inline step read_signature_behind(op_reader& p) {
  return p.read_signature(p.text().end_of_last()) ? step::done : step::failed;
}

inline step print_signature_behind(op_printer& p, ir::op o) {
  p << " : ";
  p.function_type(o);
  return step::done;
}

/// A region op with one region of one block, whose arguments stand in its header.
inline bool has_one_block(ir::program const& in, ir::op o) {
  if (in.regions(o).size() != 1) return false;
  ir::block const entry = in.first_block(in.regions(o)[0]);
  return entry && !in.next_block(entry) && (in.first_op(entry) || !in.arguments(entry).empty());
}

inline bool is_user_origins(ir::program const& in, ir::attribute a) {
  auto const* all = in.context().get_if<ir::array_attr>(a);
  if (!all) return false;
  for (ir::attribute const e : all->elements)
    if (!in.context().get_if<ir::user_origin_attr>(e)) return false;
  return true;
}

/// Whether an attribute is absent or of the given kind.
template <class Attribute>
bool is_optional(ir::program const& in, ir::op o, std::string_view name) {
  return !in.attr(o, name) || in.attr_if<Attribute>(o, name);
}

/// `mesh="m", origin=["a"(1), "b"]`.
inline bool read_mesh_and_origin(op_reader& p) {
  std::string mesh;
  if (!p.expect_word("mesh") || !p.expect('=') || !p.read_string(mesh)) return false;
  if (!p.expect(',') || !p.expect_word("origin") || !p.expect('=')) return false;
  ir::attribute const origin = p.syntax().parse_user_origins();
  if (!origin) return false;
  p.add_property("mesh_name", p.context().string(mesh));
  p.add_property("origin", origin);
  return true;
}

inline bool fits_mesh_and_origin(ir::program const& in, ir::op o) {
  return in.attr_if<ir::string_attr>(o, "mesh_name") && is_user_origins(in, in.attr(o, "origin"));
}

inline void print_mesh_and_origin(op_printer& p, ir::op o) {
  p << "<mesh=";
  p.quoted(p.program().attr_if<ir::string_attr>(o, "mesh_name")->text);
  p << ", origin=";
  p.stripped(p.program().attr(o, "origin"));
}

/// `{...} %a : (T) -> U`; with `one`, exactly one operand.
template <bool one>
step read_operands_and_signature(op_reader& p) {
  if (!p.read_optional_attributes()) return step::failed;
  std::size_t const at = p.offset();
  if constexpr (one) {
    if (!p.read_use(p.pending().uses.emplace_back())) return step::failed;
  } else {
    if (!p.read_uses(p.pending().uses)) return step::failed;
  }
  return p.read_signature(at) ? step::done : step::failed;
}

inline void print_operands_and_signature(op_printer& p, ir::op o) {
  p << ' ';
  p.uses(p.program().operands(o));
  p << " : ";
  p.function_type(o);
}

/// One operand and one result, of one type.
inline bool is_identity(ir::program const& in, ir::op o) {
  return in.operand_count(o) == 1 && in.result_count(o) == 1 && in.regions(o).empty() &&
         in.type_of(in.operand(o, 0)) == in.type_of(in.result(o, 0));
}

/// `: T`, the type of the one operand and the one result.
inline step read_identity_type(op_reader& p) {
  if (!p.expect(':')) return step::failed;
  ir::type const type = p.read_type();
  if (!type || !p.resolve_operands(type)) return step::failed;
  p.pending().state.results.push_back(type);
  return step::done;
}

inline step print_identity_type(op_printer& p, ir::op o) {
  p << " : ";
  p.type(p.program().type_of(p.program().result(o, 0)));
  return step::done;
}

// --- mpmd.return: without operands a blank is printed in their place ---------------------------------------------

inline step print_mpmd_return(op_printer& p, ir::op o, std::uint32_t regions_printed) {
  print_return(p, o, regions_printed);
  if (p.program().operand_count(o) == 0) p << ' ';
  return step::done;
}

// --- mpmd.named_computation --------------------------------------------------------------------------------------

/// `mpmd.named_computation<"enc"(1)> (%a) {...} (%p: T) {...} : (T) -> U`.
inline step read_named_computation(op_reader& p) {
  if (p.regions_read() == 1) return read_signature_behind(p);
  if (!p.expect('<')) return step::failed;
  ir::attribute const origin = p.syntax().parse_user_origin();
  if (!origin || !p.expect('>')) return step::failed;
  p.add_property("origin", origin);
  return read_region_header(p);
}

inline bool fits_named_computation(ir::program const& in, ir::op o) {
  return has_one_block(in, o) && in.attr_if<ir::user_origin_attr>(o, "origin");
}

inline step print_named_computation(op_printer& p, ir::op o, std::uint32_t regions_printed) {
  if (regions_printed == 1) return print_signature_behind(p, o);
  p << "mpmd.named_computation<";
  p.stripped(p.program().attr(o, "origin"));
  p << "> ";
  return print_region_header(p, o, {"origin", "name"});
}

// --- mpmd.named_tensor -------------------------------------------------------------------------------------------

/// `mpmd.named_tensor %a name="w" {...} : T`.
inline step read_named_tensor(op_reader& p) {
  std::string name;
  if (!p.read_use(p.pending().uses.emplace_back()) || !p.expect_word("name") || !p.expect('=') ||
      !p.read_string(name) || !p.read_optional_attributes())
    return step::failed;
  p.add_property("name", p.context().string(name));
  return read_identity_type(p);
}

inline bool fits_named_tensor(ir::program const& in, ir::op o) {
  return is_identity(in, o) && in.attr_if<ir::string_attr>(o, "name");
}

inline step print_named_tensor(op_printer& p, ir::op o, std::uint32_t) {
  p << "mpmd.named_tensor ";
  p.use(p.program().operand(o, 0));
  p << " name=";
  p.quoted(p.program().attr_if<ir::string_attr>(o, "name")->text);
  p.attributes(o, {"name"});
  return print_identity_type(p, o);
}

// --- mpmd.fragment -----------------------------------------------------------------------------------------------

/// `mpmd.fragment<mesh="m", origin=["a"], stage=1, in_shardings=[...], out_shardings=[...]> (%a) {...} (%p: T) {...}
/// : (T) -> U`. A comma before the `>` is let pass, as the reference does.
inline step read_fragment(op_reader& p) {
  if (p.regions_read() == 1) return read_signature_behind(p);
  if (!p.expect('<') || !read_mesh_and_origin(p)) return step::failed;
  bool more = p.consume(',');
  if (more && p.consume_word("stage")) {
    std::int64_t stage = 0;
    if (!p.expect('=') || !p.read_integer(stage)) return step::failed;
    p.add_property("stage_id", p.context().integer_value(stage));
    more = p.consume(',');
  }
  for (std::string_view const shardings : {"in_shardings", "out_shardings"}) {
    if (!more || !p.consume_word(shardings)) continue;
    if (!p.expect('=')) return step::failed;
    ir::attribute const list = p.syntax().parse_sharding_list();
    if (!list) return step::failed;
    p.add_property(shardings, list);
    more = p.consume(',');
  }
  if (!p.expect('>')) return step::failed;
  return read_region_header(p);
}

inline bool fits_fragment(ir::program const& in, ir::op o) {
  if (!has_one_block(in, o) || !fits_mesh_and_origin(in, o)) return false;
  if (in.attr(o, "stage_id")) {
    auto const* stage = in.attr_if<ir::integer_attr>(o, "stage_id");
    auto const* type = stage ? in.context().get_if<ir::integer_type>(stage->of) : nullptr;
    if (!type || *type != ir::integer_type{64}) return false;
  }
  return is_optional<ir::sharding_per_value_attr>(in, o, "in_shardings") &&
         is_optional<ir::sharding_per_value_attr>(in, o, "out_shardings");
}

inline step print_fragment(op_printer& p, ir::op o, std::uint32_t regions_printed) {
  if (regions_printed == 1) return print_signature_behind(p, o);
  p << "mpmd.fragment";
  print_mesh_and_origin(p, o);
  if (auto const* stage = p.program().attr_if<ir::integer_attr>(o, "stage_id")) {
    p << ", stage=";
    p.number(stage->value);
  }
  for (std::string_view const shardings : {"in_shardings", "out_shardings"}) {
    if (ir::attribute const list = p.program().attr(o, shardings)) {
      p << ", " << shardings << '=';
      p.stripped(list);
    }
  }
  p << "> ";
  return print_region_header(p, o, {"mesh_name", "origin", "stage_id", "in_shardings", "out_shardings"});
}

// --- mpmd.fragment_call --------------------------------------------------------------------------------------------

/// `mpmd.fragment_call<mesh="m", origin=["a"]> @f(%a) {...} : (T) -> U`.
inline step read_fragment_call(op_reader& p) {
  if (!p.expect('<') || !read_mesh_and_origin(p) || !p.expect('>')) return step::failed;
  return read_call(p);
}

inline bool fits_fragment_call(ir::program const& in, ir::op o) {
  return fits_call(in, o) && fits_mesh_and_origin(in, o);
}

inline step print_fragment_call(op_printer& p, ir::op o, std::uint32_t) {
  p << "mpmd.fragment_call";
  print_mesh_and_origin(p, o);
  p << "> ";
  p.symbol(p.program().attr_if<ir::symbol_ref_attr>(o, "callee")->root);
  p << '(';
  p.uses(p.program().operands(o));
  p << ')';
  p.attributes(o, {"callee", "mesh_name", "origin"});
  return print_signature_behind(p, o);
}

// --- mpmd.transfer, mpmd.assign, mpmd.unassign: `mpmd.transfer {...} %a : (T) -> U` --------------------------------

inline bool fits_transfer(ir::program const& in, ir::op o) {
  return in.operand_count(o) == 1 && in.result_count(o) == 1 && in.regions(o).empty();
}

inline step print_transfer(op_printer& p, ir::op o, std::uint32_t) {
  p.name(o);
  p.attributes(o);
  print_operands_and_signature(p, o);
  return step::done;
}

// --- mpmd.for ----------------------------------------------------------------------------------------------------

/// `mpmd.for (%a) {iterations = 2 : ui32} (%p: T, %i: tensor<ui32>) {...} : T`.
inline step read_for(op_reader& p) {
  pending_op& op = p.pending();
  if (p.regions_read() == 0) return read_region_header(p);
  std::size_t const at = p.text().end_of_last();
  if (!p.expect(':') || !p.read_types(op.types) || !p.resolve_operands(op.uses, op.types, at)) return step::failed;
  op.state.results = op.types;
  return step::done;
}

inline bool fits_for(ir::program const& in, ir::op o) {
  // Without operands there is no type to print behind the colon.
  if (!has_one_block(in, o) || in.operand_count(o) == 0 || in.operand_count(o) != in.result_count(o)) return false;
  for (std::uint32_t i = 0; i < in.operand_count(o); ++i)
    if (in.type_of(in.operand(o, i)) != in.type_of(in.result(o, i))) return false;
  return true;
}

inline step print_for(op_printer& p, ir::op o, std::uint32_t regions_printed) {
  if (regions_printed == 0) {
    p << "mpmd.for ";
    return print_region_header(p, o, {});
  }
  p << " : ";
  p.types_of(p.program().results(o));
  return step::done;
}

inline std::string_view for_argument_name(ir::program const& in, ir::op o, std::uint32_t, std::uint32_t argument) {
  auto const count = in.arguments(in.first_block(in.regions(o)[0])).size();
  return argument + 1 == count ? "index" : "";
}

// --- mpmd.broadcast, mpmd.reduce -----------------------------------------------------------------------------------

/// `mpmd.broadcast {...} %a : T`.
inline step read_broadcast(op_reader& p) {
  if (!p.read_optional_attributes() || !p.read_use(p.pending().uses.emplace_back())) return step::failed;
  return read_identity_type(p);
}

inline step print_broadcast(op_printer& p, ir::op o, std::uint32_t) {
  p << "mpmd.broadcast";
  p.attributes(o);
  p << ' ';
  p.use(p.program().operand(o, 0));
  return print_identity_type(p, o);
}

/// `mpmd.reduce<add> {...} %a, %b : (T, T) -> T`.
inline step read_reduce(op_reader& p) {
  if (!p.expect('<')) return step::failed;
  auto const kind = p.syntax().parse_reduction_kind();
  if (!kind || !p.expect('>')) return step::failed;
  p.add_property("reduction", p.context().get(ir::reduction_attr{*kind}));
  return read_operands_and_signature<false>(p);
}

/// A kind that is left out is `none`.
inline void normalise_reduce(ir::context& names, std::vector<named_attribute>& properties) {
  ir::name const reduction = names.intern("reduction");
  for (named_attribute const& entry : properties)
    if (entry.first == reduction) return;
  properties.emplace_back(reduction, names.get(ir::reduction_attr{}));
}

inline bool fits_reduce(ir::program const& in, ir::op o) {
  return in.regions(o).empty() && in.attr_if<ir::reduction_attr>(o, "reduction");
}

inline step print_reduce(op_printer& p, ir::op o, std::uint32_t) {
  p << "mpmd.reduce";
  p.stripped(p.program().attr(o, "reduction"));
  p.attributes(o, {"reduction"});
  print_operands_and_signature(p, o);
  return step::done;
}

inline constexpr std::array<form, 12> mpmd_forms{{
    {.name = "mpmd.return", .read = read_return, .print = print_mpmd_return, .fits = fits_return},
    {.name = "mpmd.named_computation", .read = read_named_computation, .print = print_named_computation,
     .fits = fits_named_computation},
    {.name = "mpmd.named_tensor", .read = read_named_tensor, .print = print_named_tensor, .fits = fits_named_tensor},
    {.name = "mpmd.fragment", .read = read_fragment, .print = print_fragment, .fits = fits_fragment},
    {.name = "mpmd.fragment_call", .read = read_fragment_call, .print = print_fragment_call,
     .fits = fits_fragment_call},
    {.name = "mpmd.transfer", .read = read_operands_and_signature<true>, .print = print_transfer,
     .fits = fits_transfer},
    {.name = "mpmd.assign", .read = read_operands_and_signature<true>, .print = print_transfer,
     .fits = fits_transfer},
    {.name = "mpmd.unassign", .read = read_operands_and_signature<true>, .print = print_transfer,
     .fits = fits_transfer},
    {.name = "mpmd.call", .read = read_call, .print = print_call, .fits = fits_call},
    {.name = "mpmd.for", .read = read_for, .print = print_for, .fits = fits_for, .argument_name = for_argument_name},
    {.name = "mpmd.broadcast", .read = read_broadcast, .print = print_broadcast, .fits = is_identity},
    {.name = "mpmd.reduce", .read = read_reduce, .print = print_reduce, .fits = fits_reduce,
     .normalise = normalise_reduce},
}};

}  // namespace mpmd::text::mlir
