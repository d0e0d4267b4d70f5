#pragma once
/// -mpmd-infer-mesh-assign-using-input-output-constraints: puts an input and an output that must be on one mesh there,
/// before anything else is placed.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <mpmd/analysis/stored_sets.hpp>
#include <mpmd/graph/mutable_program.hpp>
#include <mpmd/support/diagnostics.hpp>
#include <mpmd/support/option.hpp>
#include <mpmd/transform/edit.hpp>
#include <mpmd/transform/io_locations.hpp>
#include <mpmd/transform/pick_mesh.hpp>
#include <mpmd/transform/placeable_functions.hpp>
#include <mpmd/transform/placement.hpp>

namespace mpmd {

inline constexpr std::string_view constrained_input_label = "io_constraint_in";
inline constexpr std::string_view constrained_output_label = "io_constraint_out";

/// In every entry function, for each pair in order: takes the mesh of the output if it has one, else one on which the
/// output is used and the input too, else one where the output can be and the input is used; of several the first in
/// mesh order. The output is assigned to it and the input unassigned from it, where they have no mesh yet. Where there
/// is no such mesh nothing is done, and a later pass has to transfer: with verbose logging a remark says so.
///
/// Reads the sets, and adds none. Reports a pair that a function has no input or output for, and what
/// entries_may_be_placed() finds, before it changes anything; false then. Linear in the program, plus what picking from
/// the sets costs.
struct assign_using_input_output_constraints {
  std::vector<io_constraint> constraints = {};
  bool verbose_logging = false;

  static constexpr std::string_view name = "mpmd-infer-mesh-assign-using-input-output-constraints";
  static constexpr std::string_view summary = "Put inputs and outputs that must be on one mesh on one";
  static constexpr auto options =
      std::tuple{option{"constraints", &assign_using_input_output_constraints::constraints,
                        "Pairs of an input and an output that must be on one mesh"},
                 option{"verbose-logging", &assign_using_input_output_constraints::verbose_logging,
                        "Remark on each pair for which there is no mesh"}};

  template <mutable_mpmd_program P>
  bool operator()(P& p, diagnostics& diags) const {
    using traits = ir_traits<P>;
    if (constraints.empty()) return true;
    if (!entries_may_be_placed(p, diags)) return false;
    stored_sets<P> const sets(p);
    bool good = true;
    for (auto const& f : sets.map().functions()) good &= !f.entry || fits(p, f, diags);
    if (!good) return false;
    for (auto const& f : sets.map().functions()) {
      if (!f.entry) continue;
      std::vector<value_t<P>> inputs;
      for (auto&& a : mpmd::arguments(p, f.o)) inputs.push_back(a);
      for (io_constraint const& c : constraints) {
        value_t<P> const in = inputs[static_cast<std::size_t>(c.input)];
        value_t<P> const out = *operand_at(p, f.terminator, static_cast<std::size_t>(c.output));
        if (!is_placeable(p, in) || !is_placeable(p, out)) continue;
        std::string const mesh = common_mesh(p, sets, in, out);
        if (mesh.empty()) {
          if (verbose_logging) remark(p, f.o, c, diags);
          continue;
        }
        place(p, f, in, c.output, out, mesh);
      }
      traits::update_signature(p, f.o);
    }
    return true;
  }

 private:
  template <mutable_mpmd_program P>
  using function = typename program_map<P>::function;

  template <mutable_mpmd_program P>
  static bool is_placed(P const& p, value_t<P> v) {
    return !ir_traits<P>::mesh_of(p, v).empty();
  }
  template <mutable_mpmd_program P>
  static bool is_placeable(P const& p, value_t<P> v) {
    return is_placed(p, v) || ir_traits<P>::is_tensor(p, ir_traits<P>::type_of(p, v));
  }

  template <mutable_mpmd_program P>
  bool fits(P const& p, function<P> const& f, diagnostics& diags) const {
    bool good = true;
    auto check = [&](std::int64_t i, std::uint32_t count, std::string_view what) {
      if (i >= 0 && i < std::int64_t{count}) return;
      diags.error(ir_traits<P>::source_of(p, ir_traits<P>::location_of(p, f.o)), "placement.constraint",
                  "there is no " + std::string(what) + ' ' + std::to_string(i) + " to constrain: function @" +
                      std::string(ir_traits<P>::function_name(p, f.o)) + " has " + std::to_string(count) + ' ' +
                      std::string(what) + (count == 1 ? "" : "s"));
      good = false;
    };
    for (io_constraint const& c : constraints) {
      check(c.input, f.argument_count, "input");
      check(c.output, f.result_count, "output");
    }
    return good;
  }

  /// The mesh for both, empty if there is none.
  template <mutable_mpmd_program P>
  static std::string common_mesh(P const& p, stored_sets<P> const& sets, value_t<P> in, value_t<P> out) {
    std::string const in_mesh(ir_traits<P>::mesh_of(p, in)), out_mesh(ir_traits<P>::mesh_of(p, out));
    if (!out_mesh.empty()) return in_mesh.empty() || in_mesh == out_mesh ? out_mesh : std::string();
    // What an op is used for is noted on the op; on arguments and calls it is not noted for what returns them.
    op_t<P> const d = mpmd::defining_op(p, out);
    mesh_origins const used_out = d ? sets.use(out) : mesh_origins{};
    mesh_origins const& can_out = sets.src_of_operand(out);
    auto pick = [&](mesh_origins const& from) { return pick_mesh(sets.names(), from); };
    if (!in_mesh.empty()) {
      // One mesh, which the sets may not even name.
      auto const m = sets.names().meshes.find(in_mesh);
      if (m != name_table::missing && used_out.contains(m)) return in_mesh;
      return admits(can_out, m) ? in_mesh : std::string();
    }
    mesh_origins const& used_in = sets.use(in);
    if (used_in.entries().empty()) return pick(used_out.entries().empty() ? can_out : used_out);
    mesh_origins both = used_in;
    if (!used_out.entries().empty()) {
      both.intersect(used_out);
      if (!both.empty()) return pick(both);
      both = used_in;
    }
    both.intersect(can_out);
    return pick(both);
  }
  static bool admits(mesh_origins const& src, std::uint32_t mesh) {
    return !src.specified() || src.has_wildcard() || (mesh != name_table::missing && src.contains(mesh));
  }

  template <mutable_mpmd_program P>
  static void place(P& p, function<P> const& f, value_t<P> in, std::int64_t output, value_t<P> out,
                    std::string const& mesh) {
    using traits = ir_traits<P>;
    using point = insertion_point<P>;
    if (!is_placed(p, out)) {
      auto const i = static_cast<std::size_t>(output);
      op_t<P> const assign = traits::create(p,
                                            {.what = role::assign,
                                             .operands = {out},
                                             .results = {traits::mesh_type(p, traits::type_of(p, out), mesh, {})},
                                             .where = result_location(p, f.o, i, out),
                                             .label = std::string(constrained_output_label)},
                                            point::before(f.terminator));
      traits::set_operand(p, f.terminator, i, result_of(p, assign));
    }
    if (is_placed(p, in)) return;
    auto const type = traits::type_of(p, in);
    traits::set_type(p, in, traits::mesh_type(p, type, mesh, {}));
    op_t<P> const unassign = traits::create(p,
                                            {.what = role::unassign,
                                             .operands = {in},
                                             .results = {type},
                                             .where = traits::location_of_value(p, in),
                                             .label = std::string(constrained_input_label)},
                                            point::start(f.o));
    replace_uses_if(p, in, result_of(p, unassign), [&](auto const& u) { return !(u.user == unassign); });
  }

  template <mutable_mpmd_program P>
  static void remark(P const& p, op_t<P> f, io_constraint const& c, diagnostics& diags) {
    diags.emit({severity::remark, "placement.constraint", ir_traits<P>::source_of(p, ir_traits<P>::location_of(p, f)),
                "input " + std::to_string(c.input) + " and output " + std::to_string(c.output) +
                    " can share no mesh without a transfer",
                {}});
  }
};

}  // namespace mpmd
