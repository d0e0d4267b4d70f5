#pragma once
/// -mpmd-map-input-output-to-mesh: inputs and outputs of entry functions stand on the meshes that the user
/// gives them.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include <mpmd/support/diagnostics.hpp>
#include <mpmd/support/option.hpp>
#include <mpmd/transform/edit.hpp>
#include <mpmd/transform/io_locations.hpp>
#include <mpmd/transform/known_meshes.hpp>
#include <mpmd/transform/placement.hpp>
#include <mpmd/transform/placeable_functions.hpp>
#include <mpmd/transform/walk_ops.hpp>

namespace mpmd {

/// In every analysed function that is entered from outside: an input in the map becomes a mesh tensor, fully
/// replicated, in the memory that its mesh is given with, and is unassigned at the start of the body; an
/// output in the map is assigned just before the return. The labels are user_in and user_out; all in
/// ascending order of indices. An assign of an output stands where the result's jax.result_info says it comes
/// from. At last a memory kind noted for an input or output goes where its type states one; a warning says so
/// when the two differ.
///
/// Errors, behind which the function is left as it is: an index that the function does not have, a mesh that
/// its topology does not have, an input or output that is no tensor or stands on a mesh already. Where anything is to be
/// placed, what entries_may_be_placed() finds is an error before anything changes. Linear.
struct map_input_output_to_mesh {
  index_to_mesh_map input_assignment;
  index_to_mesh_map output_assignment;

  static constexpr std::string_view name = "mpmd-map-input-output-to-mesh";
  static constexpr std::string_view summary = "Place inputs and outputs of entry functions on meshes";
  static constexpr auto options =
      std::tuple{option{"input-assignment", &map_input_output_to_mesh::input_assignment,
                        "The mesh of each input, by number"},
                 option{"output-assignment", &map_input_output_to_mesh::output_assignment,
                        "The mesh of each output, by number"}};

  template <mutable_mpmd_program P>
  bool operator()(P& p, diagnostics& diags) const {
    bool const places = !input_assignment.empty() || !output_assignment.empty();  // else it settles memory kinds only
    if (places && !entries_may_be_placed(p, diags)) return false;
    bool good = true;
    known_meshes<P> meshes(p);
    for (op_t<P> const f : functions(p))
      if (takes_part(p, f) && is_entry(p, f)) good &= in_function(p, f, meshes, diags);
    return good;
  }

 private:
  template <mutable_mpmd_program P>
  bool in_function(P& p, op_t<P> f, known_meshes<P>& meshes, diagnostics& diags) const {
    using traits = ir_traits<P>;
    std::vector<value_t<P>> inputs;
    for (auto&& a : mpmd::arguments(p, f)) inputs.push_back(a);
    op_t<P> const end = terminator_of(p, f);
    if (!end) return true;  // a declaration
    std::vector<value_t<P>> const outputs = operands_of(p, end);

    meshes.enter(f);
    bool good = check(p, f, input_assignment, inputs, meshes, "Input", diags);
    good &= check(p, f, output_assignment, outputs, meshes, "Output", diags);
    if (!good) return false;

    auto place = [&](value_t<P> v, std::string const& to) {
      auto const [mesh, kind] = meshes.split(to);
      return traits::mesh_type(p, traits::type_of(p, v), mesh, kind);
    };
    auto at = insertion_point<P>::start(f);
    for (auto const& [i, to] : input_assignment) {
      value_t<P> const v = inputs[static_cast<std::size_t>(i)];
      type_t<P> const tensor = traits::type_of(p, v);
      auto const users = uses_of(p, v);
      traits::set_type(p, v, place(v, to));
      op_t<P> const off = traits::create(p,
                                         {.what = role::unassign,
                                          .operands = {v},
                                          .results = {tensor},
                                          .where = traits::location_of_value(p, v),
                                          .label = "user_in"},
                                         at);
      at = insertion_point<P>::after(off);
      for (auto const& u : users) traits::set_operand(p, u.user, u.index, result_of(p, off));
    }
    std::vector<value_t<P>> const returned = operands_of(p, end);  // some may be unassigned inputs by now
    for (auto const& [i, to] : output_assignment) {
      auto const number = static_cast<std::size_t>(i);
      value_t<P> const v = returned[number];
      op_t<P> const on = traits::create(p,
                                        {.what = role::assign,
                                         .operands = {v},
                                         .results = {place(v, to)},
                                         .where = result_location(p, f, number, v),
                                         .label = "user_out"},
                                        insertion_point<P>::before(end));
      traits::set_operand(p, end, number, result_of(p, on));
    }
    traits::update_signature(p, f);
    settle_memory_kinds(p, f, inputs, operands_of(p, end), diags);
    return true;
  }

  template <mutable_mpmd_program P>
  static bool check(P const& p, op_t<P> f, index_to_mesh_map const& map,
                    std::vector<value_t<P>> const& values, known_meshes<P>& meshes, std::string const& what,
                    diagnostics& diags) {
    using traits = ir_traits<P>;
    bool good = true;
    auto fail = [&](location_t<P> where, std::string message) {
      diags.error(traits::source_of(p, where), "io-mesh", std::move(message));
      good = false;
    };
    std::string const of = " of function '" + std::string(traits::function_name(p, f)) + "'";
    for (auto const& [i, to] : map) {
      std::string const which = what + ' ' + std::to_string(i) + of;
      if (i < 0) {
        fail(traits::location_of(p, f), what + " index must be non-negative. It is " + std::to_string(i));
      } else if (static_cast<std::uint64_t>(i) >= values.size()) {
        fail(traits::location_of(p, f),
             (what == "Input" ? "Input index out of bounds. "
                              : "Output index must be less than the number of results. ") +
                 which + " is assigned to mesh '" + to + "', but there are " + std::to_string(values.size()));
      } else if (value_t<P> const v = values[static_cast<std::size_t>(i)];
                 !traits::is_tensor(p, traits::type_of(p, v))) {
        fail(traits::location_of_value(p, v), which + " cannot be placed on mesh '" + to + "': its type is " +
                                                  traits::type_text(p, traits::type_of(p, v)) +
                                                  ", which is no tensor without a mesh");
      } else {
        good &= meshes.check(meshes.split(to).first,
                             traits::source_of(p, traits::location_of_value(p, v)), diags);
      }
    }
    return good;
  }

  template <mutable_mpmd_program P>
  static void settle_memory_kinds(P& p, op_t<P> f, std::vector<value_t<P>> const& inputs,
                                  std::vector<value_t<P>> const& outputs, diagnostics& diags) {
    using traits = ir_traits<P>;
    constexpr std::string_view key = "mhlo.memory_kind";
    auto settled = [&](value_t<P> v, note const& stated, std::string_view what, std::size_t i) {
      std::string_view const kind = traits::memory_kind_of(p, traits::type_of(p, v));
      if (std::holds_alternative<std::monostate>(stated) || kind.empty()) return false;
      auto const* text = std::get_if<std::string>(&stated);
      if (text == nullptr || *text != kind)
        diags.warning(traits::source_of(p, traits::location_of_value(p, v)), "io-mesh.memory-kind",
                      "Memory kind attribute " + (text ? '"' + *text + '"' : std::string("of another form")) +
                          " on function " + std::string(what) + ' ' + std::to_string(i) +
                          " does not match the memory kind \"" + std::string(kind) +
                          "\" in its type. The type counts");
      return true;
    };
    auto settle = [&](std::vector<value_t<P>> const& values, std::string_view what, auto read, auto write) {
      std::vector<note> kept;
      bool changed = false;
      for (std::size_t i = 0; i < values.size(); ++i) {
        kept.push_back(read(i));
        if (!settled(values[i], kept.back(), what, i)) continue;
        kept.back() = std::monostate{};
        changed = true;
      }
      if (changed) write(kept);
    };
    settle(
        inputs, "argument", [&](std::size_t i) { return traits::argument_note(p, f, i, key); },
        [&](std::vector<note> const& kept) { traits::set_argument_notes(p, f, key, kept); });
    settle(
        outputs, "result", [&](std::size_t i) { return traits::result_note(p, f, i, key); },
        [&](std::vector<note> const& kept) { traits::set_result_notes(p, f, key, kept); });
  }
};

}  // namespace mpmd
