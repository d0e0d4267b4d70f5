#pragma once
/// The edits, types, locations and notes by which the library's own IR models mutable_mpmd_program. They are members of
/// ir_traits<ir::program> (ir/traits.hpp), kept here for their length.

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <mpmd/graph/mutable_program.hpp>
#include <mpmd/ir/builders.hpp>
#include <mpmd/ir/effects.hpp>
#include <mpmd/ir/functions.hpp>
#include <mpmd/ir/fuse_locations.hpp>
#include <mpmd/ir/io_attributes.hpp>
#include <mpmd/ir/locate.hpp>
#include <mpmd/ir/program.hpp>
#include <mpmd/ir/reductions.hpp>
#include <mpmd/ir/tensor_editing.hpp>
#include <mpmd/ir/type_text.hpp>

namespace mpmd::ir {

namespace detail {

inline note read_note(context const& in, attribute a) {
  if (!a) return std::monostate{};
  if (in.get_if<unit_attr>(a)) return unit_note{};
  if (auto const* s = in.get_if<string_attr>(a)) return s->text;
  if (auto const* n = in.get_if<integer_attr>(a)) {
    auto const* t = in.get_if<integer_type>(n->of);
    if (t && t->width == 32 && t->sign == signedness::is_unsigned) return static_cast<std::uint32_t>(n->value);
    if (t && t->width == 64) return n->value;
    return foreign_note{};
  }
  if (auto const* list = in.get_if<dense_array_attr>(a)) {
    auto const* t = in.get_if<integer_type>(list->element);
    if (t && t->width == 64) return list->values;
    return foreign_note{};
  }
  if (auto const* list = in.get_if<array_attr>(a)) {
    std::vector<std::string> texts;
    for (attribute const e : list->elements) {
      auto const* s = in.get_if<string_attr>(e);
      if (s == nullptr) return foreign_note{};
      texts.push_back(s->text);
    }
    return texts;
  }
  return foreign_note{};
}

struct note_writer {
  context& in;
  attribute operator()(std::monostate) const { return {}; }
  attribute operator()(unit_note) const { return in.unit(); }
  attribute operator()(std::uint32_t n) const { return in.integer_value(n, 32, signedness::is_unsigned); }
  attribute operator()(std::int64_t n) const { return in.integer_value(n); }
  attribute operator()(std::string const& s) const { return in.string(s); }
  attribute operator()(std::vector<std::string> const& texts) const {
    array_attr list;
    for (auto const& s : texts) list.elements.push_back(in.string(s));
    return in.get(std::move(list));
  }
  attribute operator()(std::vector<std::int64_t> const& values) const {
    return in.get(dense_array_attr{in.integer(64), values});
  }
  attribute operator()(foreign_note) const {
    assert(false && "a foreign note cannot be written");
    return {};
  }
};

}  // namespace detail

struct editing : tensor_editing {
  using type = ir::type;
  using location = ir::location;
  using point = insertion_point_of<op>;
  using recipe = op_recipe_of<value, ir::type, ir::location>;

  // Types.
  static type type_of(program const& p, value v) { return p.type_of(v); }
  static void set_type(program& p, value v, type t) { p.set_type(v, t); }
  static type mesh_type(program& p, type tensor, std::string_view mesh, std::string_view memory_kind) {
    mesh_tensor_type made{std::string(mesh), tensor};
    if (!memory_kind.empty()) made.memory_kind = std::string(memory_kind);
    return p.context().get(std::move(made));
  }
  static type tensor_type_of(program const& p, type t) {
    auto const* placed = p.context().get_if<mesh_tensor_type>(t);
    return placed ? placed->global : t;
  }
  static std::string_view memory_kind_of(program const& p, type t) {
    auto const* placed = p.context().get_if<mesh_tensor_type>(t);
    return placed && placed->memory_kind ? std::string_view(*placed->memory_kind) : std::string_view{};
  }
  static bool is_tensor(program const& p, type t) { return p.context().get_if<tensor_type>(t) != nullptr; }
  static bool is_token(program const& p, type t) { return p.context().get_if<token_type>(t) != nullptr; }

  // Places and texts.
  static location location_of(program const& p, op o) { return p.where(o); }
  static location location_of_value(program const& p, value v) {
    return p.is_argument(v) ? p.argument_where(v) : p.where(p.defining_op(v));
  }
  static source_location source_of(program const& p, location at) { return locate(p.context(), at); }
  static std::string location_text(program const& p, location at) { return location_name(p.context(), at); }
  static std::vector<location_frame> location_stack(program const& p, location at) {
    return location_frames(p.context(), at);
  }
  static location named_location(program& p, std::string_view key, location around) {
    return {around.text, p.context().get(name_loc{std::string(key), file_location(p.context(), around.given)})};
  }
  static location merged_location(program& p, location a, location b) {
    constexpr std::size_t most = 16;  // an op merged from thousands would else carry thousands
    if (!a.given && !b.given) return {b.text, {}};
    return {b.text, fuse_locations(p.context(), std::array{a.given, b.given}, {}, most)};
  }
  static std::string op_text(program const& p, op o) {
    std::string text = '"' + std::string(p.kind_text(o)) + "\" : (";
    for (std::uint32_t i = 0; i < p.operand_count(o); ++i)
      text.append(i ? ", " : "").append(to_text(p.context(), p.type_of(p.operand(o, i))));
    text += ") -> (";
    for (std::uint32_t i = 0; i < p.result_count(o); ++i)
      text.append(i ? ", " : "").append(to_text(p.context(), p.type_of(p.result(o, i))));
    return text + ')';
  }
  static std::string type_text(program const& p, type t) { return to_text(p.context(), t); }

  // Edits.
  static op create(program& p, recipe const& r, point at) {
    context& c = p.context();
    op_state state{.kind = kind_of(r), .operands = r.operands, .results = r.results, .where = r.where};
    switch (r.what) {
      case role::assign:
      case role::unassign:
        if (!r.label.empty()) state.properties = make_dictionary(c, {{"origin", c.string(r.label)}});
        break;
      case role::reduce: state.properties = make_dictionary(c, {{"reduction", c.get(reduction_attr{r.reduction})}}); break;
      case role::fragment: {
        state.properties = with_fragment(c, {}, r.fragment);
        region const body = p.create_region();
        block const b = p.append_block(body);
        for (type const t : r.arguments) p.add_argument(b, t);
        state.regions.push_back(body);
        break;
      }
      case role::compute: state.properties = tensor_properties(c, r); break;
      default: break;
    }
    op const made = p.create(state);
    put(p, made, at);
    return made;
  }
  static op recreate(program& p, op o, std::span<value const> operands, std::span<type const> results) {
    op_state state{.kind = p.kind(o),
                   .operands = {operands.begin(), operands.end()},
                   .results = {results.begin(), results.end()},
                   .properties = p.properties(o),
                   .attributes = p.attributes(o),
                   .where = p.where(o)};
    for (std::size_t i = 0; i < p.regions(o).size(); ++i) state.regions.push_back(p.create_region());
    op const made = p.create(state);
    for (std::size_t i = 0; i < p.regions(o).size(); ++i)
      while (block const b = p.first_block(p.regions(o)[i])) p.move_block(b, p.regions(made)[i]);
    p.insert_before(o, made);
    return made;
  }
  static void take_body(program& p, op from, op to) {
    for (std::size_t i = 0; i < p.regions(to).size(); ++i) {
      while (block const b = p.first_block(p.regions(to)[i])) p.erase_block(b);
      while (block const b = p.first_block(p.regions(from)[i])) p.move_block(b, p.regions(to)[i]);
    }
  }
  static op clone(program& p, op o, program::value_map& map, point at) {
    op const made = p.clone(o, map);
    put(p, made, at);
    return made;
  }
  static void move(program& p, op o, point at) {
    if (at.at == o) return;
    p.unlink(o);
    put(p, o, at);
  }
  static void erase(program& p, op o) { p.erase(o); }
  static void set_operand(program& p, op o, std::size_t i, value v) {
    p.set_operand(o, static_cast<std::uint32_t>(i), v);
  }
  static void set_operands(program& p, op o, std::span<value const> values) { p.set_operands(o, values); }
  static void append_operand(program& p, op o, value v) { p.append_operand(o, v); }
  static void erase_operands(program& p, op o, std::span<std::size_t const> positions) {
    std::vector<std::uint32_t> const narrow(positions.begin(), positions.end());
    p.erase_operands(o, narrow);
  }
  static value add_argument(program& p, op o, type t, location where) {
    return p.add_argument(entry_block(p, o), t, where);
  }
  static void erase_argument(program& p, op o, std::size_t i) {
    forget(p, o, io_side::arguments, i);
    p.erase_argument(entry_block(p, o), static_cast<std::uint32_t>(i));
  }
  static void erase_arguments(program& p, op o, std::span<std::size_t const> positions) {
    if (positions.empty()) return;
    if (p.attr_if<sharding_per_value_attr>(o, "in_shardings")) {
      for (std::size_t i = positions.size(); i-- > 0;) erase_argument(p, o, positions[i]);
      return;
    }
    if (auto const* held = p.attr_if<array_attr>(o, io_key(io_side::arguments))) {
      array_attr rest;
      auto gone = positions.begin();
      for (std::size_t i = 0; i < held->elements.size(); ++i)
        if (gone != positions.end() && *gone == i)
          ++gone;
        else
          rest.elements.push_back(held->elements[i]);
      store_io(p, o, io_side::arguments, std::move(rest));
    }
    std::vector<std::uint32_t> const narrow(positions.begin(), positions.end());
    p.erase_arguments(entry_block(p, o), narrow);
  }
  static void erase_results_kept(program& p, op f, std::size_t i) { forget(p, f, io_side::results, i); }
  static void update_signature(program& p, op f) {
    update_function_type(p, f);
    for (io_side const side : {io_side::arguments, io_side::results})
      if (p.attr_if<array_attr>(f, io_key(side)))
        io_attributes(p, f, side).store(p, f);  // as many as there are now
  }
  static bool is_pure(program const& p, op o) { return ir::is_pure(p, o); }
  static bool is_constant(program const& p, op o) { return p.has_trait(o, op_trait::constant_like); }
  static bool comes_before(program const& p, op a, op b) { return p.is_before(a, b); }

  // Notes.
  static note note_of(program const& p, op o, std::string_view key) {
    return detail::read_note(p.context(), p.context().lookup(p.attributes(o), key));
  }
  static note argument_note(program const& p, op o, std::size_t i, std::string_view key) {
    return detail::read_note(p.context(), io_attribute(p, o, io_side::arguments, i, key));
  }
  static note result_note(program const& p, op o, std::size_t i, std::string_view key) {
    return detail::read_note(p.context(), io_attribute(p, o, io_side::results, i, key));
  }
  static void set_note(program& p, op o, std::string_view key, note const& n) {
    p.set_attributes(o, p.context().with(p.attributes(o), key, std::visit(detail::note_writer{p.context()}, n)));
  }
  static void set_argument_note(program& p, op o, std::size_t i, std::string_view key, note const& n) {
    set_io_note(p, o, io_side::arguments, i, key, n);
  }
  static void set_result_note(program& p, op o, std::size_t i, std::string_view key, note const& n) {
    set_io_note(p, o, io_side::results, i, key, n);
  }
  static void set_argument_notes(program& p, op o, std::string_view key, std::span<note const> notes) {
    set_io_notes(p, o, io_side::arguments, key, notes);
  }
  static void set_result_notes(program& p, op o, std::string_view key, std::span<note const> notes) {
    set_io_notes(p, o, io_side::results, key, notes);
  }
  static void copy_notes(program& p, op from, op to) { p.set_attributes(to, p.attributes(from)); }
  static void add_notes(program& p, op from, op to) {
    auto const* notes = p.context().get_if<dictionary_attr>(p.attributes(from));
    if (notes == nullptr) return;
    for (auto const& [key, held] : dictionary_attr(*notes).entries) p.set_attr(to, p.context().text(key), held);
  }

  static user_origin origin_of(program const& p, op o) {
    if (auto const* origin = p.attr_if<user_origin_attr>(o, "origin")) return {origin->label, origin->transpose_count};
    auto const* label = p.attr_if<string_attr>(o, "name");
    return {label ? label->text : std::string{}, 0};
  }
  static fragment_info fragment_of(program const& p, op o) {
    context const& c = p.context();
    fragment_info info;
    if (auto const* mesh = p.attr_if<string_attr>(o, "mesh_name")) info.mesh = mesh->text;
    if (auto const* list = p.attr_if<array_attr>(o, "origin"))
      for (attribute const e : list->elements)
        if (auto const* origin = c.get_if<user_origin_attr>(e))
          info.origins.push_back({origin->label, origin->transpose_count});
    if (auto const* stage = p.attr_if<integer_attr>(o, "stage_id")) info.stage = stage->value;
    return info;
  }
  static void set_fragment(program& p, op o, fragment_info const& info) {
    p.set_properties(o, with_fragment(p.context(), p.properties(o), info));
  }
  static loop_info loop_info_of(program const& p, op o) {
    loop_info info;
    if (auto const* n = p.attr_if<integer_attr>(o, "iterations")) info.iterations = static_cast<std::uint64_t>(n->value);
    if (auto const* n = p.attr_if<integer_attr>(o, "unroll_factor"))
      info.unroll_factor = static_cast<std::uint64_t>(n->value);
    return info;
  }
  static reduction_kind reduction_kind_of(program const& p, op o) {
    auto const* r = p.attr_if<reduction_attr>(o, "reduction");
    return r ? r->kind : reduction_kind::none;
  }
  static std::vector<std::string> meshes_of(program const& p, op f) {
    std::vector<std::string> names;
    if (auto const* topology = topology_of(p, f))
      for (attribute const m : topology->meshes)
        if (auto const* named = p.context().get_if<named_mesh_attr>(m)) names.push_back(named->label);
    return names;
  }

 private:
  static name kind_of(recipe const& r) {
    auto code = [&] {
      switch (r.what) {
        case role::assign: return opcode::mpmd_assign;
        case role::unassign: return opcode::mpmd_unassign;
        case role::transfer: return opcode::mpmd_transfer;
        case role::fragment: return opcode::mpmd_fragment;
        case role::reduce: return opcode::mpmd_reduce;
        case role::broadcast: return opcode::mpmd_broadcast;
        case role::terminator: return opcode::mpmd_return;
        default: break;
      }
      assert(r.what == role::compute && "ops of this role are not made by passes");
      switch (r.tensor) {
        case tensor_op::constant: return opcode::stablehlo_constant;
        case tensor_op::concatenate: return opcode::stablehlo_concatenate;
        case tensor_op::slice: return opcode::stablehlo_slice;
        case tensor_op::broadcast: return opcode::stablehlo_broadcast_in_dim;
        case tensor_op::none: break;
      }
      return elementwise_op(r.reduction);
    };
    return {static_cast<std::uint32_t>(code())};
  }
  static attribute with_fragment(context& c, attribute properties, fragment_info const& info) {
    std::vector<user_origin_attr> origins;
    for (auto const& o : info.origins) origins.push_back({o.name, o.transpose_count});
    properties = c.with(properties, "mesh_name", c.string(info.mesh));
    properties = c.with(properties, "origin", make_origins(c, std::move(origins)));
    return c.with(properties, "stage_id", info.stage ? c.integer_value(*info.stage) : attribute{});
  }
  static void put(program& p, op o, point at) {
    switch (at.where) {
      case point::kind::before: return p.insert_before(at.at, o);
      case point::kind::after: return p.insert_after(at.at, o);
      case point::kind::start: return p.prepend(entry_block(p, at.at), o);
      case point::kind::end: return p.append(p.last_block(p.regions(at.at)[0]), o);
    }
  }
  static void forget(program& p, op o, io_side side, std::size_t i) {
    std::string_view const shardings = side == io_side::arguments ? "in_shardings" : "out_shardings";
    if (auto const* kept = p.attr_if<sharding_per_value_attr>(o, shardings); kept && i < kept->shardings.size()) {
      sharding_per_value_attr rest = *kept;
      rest.shardings.erase(rest.shardings.begin() + static_cast<std::ptrdiff_t>(i));
      p.set_attr(o, shardings, rest.shardings.empty() ? attribute{} : p.context().get(std::move(rest)));
    }
    auto const* held = p.attr_if<array_attr>(o, io_key(side));
    if (held == nullptr || i >= held->elements.size()) return;
    array_attr rest = *held;
    rest.elements.erase(rest.elements.begin() + static_cast<std::ptrdiff_t>(i));
    store_io(p, o, side, std::move(rest));
  }
  static void store_io(program& p, op o, io_side side, array_attr rest) {
    bool any = false;
    for (attribute const e : rest.elements) any = any || (e && e != p.context().empty_dictionary());
    p.set_attr(o, io_key(side), any ? p.context().get(std::move(rest)) : attribute{});
  }
  static void set_io_note(program& p, op o, io_side side, std::size_t i, std::string_view key, note const& n) {
    set_io_attribute(p, o, side, i, key, std::visit(detail::note_writer{p.context()}, n));
  }
  static void set_io_notes(program& p, op o, io_side side, std::string_view key, std::span<note const> notes) {
    io_attributes all(p, o, side);
    for (std::size_t i = 0; i < std::max(all.size(), notes.size()); ++i)
      all.set(p.context(), i, key,
              i < notes.size() ? std::visit(detail::note_writer{p.context()}, notes[i]) : attribute{});
    all.store(p, o);
  }
};

}  // namespace mpmd::ir
