#pragma once
/// -mpmd-infer-mesh-assign-mesh-func-leaves: gives a mesh to everything that no assign forces onto one.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <mpmd/analysis/stored_sets.hpp>
#include <mpmd/analysis/use_sets.hpp>
#include <mpmd/graph/mutable_program.hpp>
#include <mpmd/support/diagnostics.hpp>
#include <mpmd/support/option.hpp>
#include <mpmd/transform/edit.hpp>
#include <mpmd/transform/io_locations.hpp>
#include <mpmd/transform/mesh_order.hpp>
#include <mpmd/transform/pick_mesh.hpp>
#include <mpmd/transform/placeable_functions.hpp>
#include <mpmd/transform/placement_report.hpp>
#include <mpmd/transform/walk_ops.hpp>
#include <mpmd/transform/wrap_in_fragment.hpp>

namespace mpmd {

/// The labels of what the pass assigns, and of what it notes on callees; and the step that it names on fragments.
inline constexpr std::string_view inferred_output_label = "inferred_out";
inline constexpr std::string_view inferred_unused_label = "inferred_unused";
inline constexpr std::string_view inferred_unused_callee_input_label = "inferred_unused_callee_in";
inline constexpr std::string_view inferred_unused_callee_output_label = "inferred_unused_callee_out";
inline constexpr std::string_view broadcast_operand_label = "broadcast";
inline constexpr std::string_view reduce_operand_label = "reduce";
inline constexpr std::string_view wrap_resultless_ops_step = "infer_mesh_wrap_resultless_ops";

/// Assigns the outputs of entry functions, what nobody uses, and the operands of broadcasts and reductions; puts ops
/// without results into fragments; gives unused arguments of entry functions a mesh, and notes one for the unused
/// arguments and results of callees, and for arguments that only lead round in circles of calls. The mesh is one where
/// the value can be, if possible one where it is used; the first of the topology, in mesh order, for what could be
/// anywhere. Then the use sets that other ops and arguments bore are removed, because they have to be found anew.
///
/// What functions_may_be_placed() reports stops the pass before anything changes. A value that can be nowhere is an error,
/// unless transfers are inferred. After the first `error_limit` of them the pass stops; false after any, and the program
/// may then be edited in part. Linear in the program, plus what picking from the sets costs.
struct assign_mesh_func_leaves {
  bool infer_transfers = false;
  std::int64_t error_limit = 5;

  static constexpr std::string_view name = "mpmd-infer-mesh-assign-mesh-func-leaves";
  static constexpr std::string_view summary = "Give a mesh to outputs, unused values and ops without results";
  static constexpr auto options =
      std::tuple{option{"infer-transfers", &assign_mesh_func_leaves::infer_transfers,
                        "A value that can be nowhere is put on a mesh, for transfers to be added later"},
                 option{"error-limit", &assign_mesh_func_leaves::error_limit,
                        "How many errors are reported, or -1 for all"}};

  option_fault find_fault() const { return error_counter::find_fault(error_limit); }

  template <mutable_mpmd_program P>
  bool operator()(P& p, diagnostics& diags) const {
    error_counter errors(error_limit);
    if (!options_are_sound(*this, diags) || !functions_may_be_placed(p, true, diags)) return false;
    placer<P> place(p, diags, errors, infer_transfers);
    for (auto const& f : place.sets.map().functions())
      if (!place.has_a_mesh(f)) return false;
    for (auto const& f : place.sets.map().functions()) {
      place.in_function(f);
      if (errors.reached()) break;
    }
    if (!errors.any()) place.idle_inputs();
    return !errors.any();
  }

 private:
  template <mutable_mpmd_program P>
  struct placer {
    using traits = ir_traits<P>;
    using op = op_t<P>;
    using value = value_t<P>;
    using point = insertion_point<P>;
    using function = typename program_map<P>::function;

    placer(P& of, diagnostics& to, error_counter& found, bool transfers)
        : p(of), diags(to), errors(found), infer_transfers(transfers), sets(of), report(of, sets), firsts(of) {}

    P& p;
    diagnostics& diags;
    error_counter& errors;
    bool infer_transfers;
    stored_sets<P> sets;
    placement_report<P> report;
    first_meshes<P> firsts;
    std::string first = {};  // the first mesh of the function

    bool has_a_mesh(function const& f) {
      if (!firsts.of(f.o).empty()) return true;
      diags.error(traits::source_of(p, traits::location_of(p, f.o)), "placement.no-mesh",
                  "function @" + std::string(traits::function_name(p, f.o)) + " has a topology without meshes");
      return false;
    }

    void in_function(function const& f) {
      first = firsts.of(f.o);
      if (f.entry) {
        unused_inputs(f);
        outputs(f);
      }
      body(f.o);
      if (f.entry) {
        traits::set_argument_annotations(p, f.o, set_kind::use, {});
        traits::update_signature(p, f.o);
      } else {
        traits::set_argument_annotations(p, f.o, set_kind::use, callee_inputs(f));
        traits::set_result_annotations(p, f.o, set_kind::use, callee_outputs(f));
      }
    }

    bool is_tensor(value v) const { return traits::is_tensor(p, traits::type_of(p, v)); }
    std::string pick(mesh_origins const& from, mesh_origins const& preferred = {}) const {
      return pick_mesh(sets.names(), from, preferred);
    }
    /// Where a value goes that can be on `src` and is used on `use`; where it can be nowhere, empty.
    std::string choose(mesh_origins const& src, mesh_origins const& use = {}) const {
      if (src.specified()) return pick(src, use);
      return use.entries().empty() ? first : pick(use);
    }
    /// The same for what an op takes. A constraint that put an input on a mesh left no set on the value taken off it.
    std::string choose_for(value v, mesh_origins const& use) const {
      mesh_origins const& src = sets.src_of_operand(v);
      op const d = mpmd::defining_op(p, v);
      bool const unassigned = !src.specified() && d && traits::role_of(p, d) == role::unassign;
      return unassigned ? std::string(traits::mesh_of(p, operands_of(p, d)[0])) : choose(src, use);
    }
    void fail(location_t<P> at, std::string_view id, std::string text, value v) {
      errors.count();
      report.no_mesh(at, id, std::move(text), v, diags);
    }
    value assign(value v, std::string const& mesh, std::string_view label, location_t<P> where, point at) {
      return result_of(p, traits::create(p,
                                         {.what = role::assign,
                                          .operands = {v},
                                          .results = {traits::mesh_type(p, traits::type_of(p, v), mesh, {})},
                                          .where = where,
                                          .label = std::string(label)},
                                         at));
    }
    void forget_uses(op o) {
      if (sets.on(o, set_kind::use).specified()) traits::set_op_annotation(p, o, set_kind::use, std::nullopt);
    }

    void unused_inputs(function const& f) {
      for (auto&& a : mpmd::arguments(p, f.o)) {
        value const v = a;
        if (is_tensor(v) && is_unused(p, v)) traits::set_type(p, v, traits::mesh_type(p, traits::type_of(p, v), first, {}));
      }
    }
    void outputs(function const& f) {
      if (!f.terminator) return;
      std::vector<value> const returned = operands_of(p, f.terminator);
      for (std::size_t i = 0; i < returned.size() && !errors.reached(); ++i) {
        value const v = returned[i];
        if (!is_tensor(v)) continue;
        std::string mesh = choose_for(v, mpmd::defining_op(p, v) ? sets.use(v) : mesh_origins{});
        if (mesh.empty()) {
          if (!infer_transfers)
            fail(traits::location_of(p, f.terminator), "placement.output",
                 "Func output " + std::to_string(i) + " has no mesh to be assigned to.", v);
          mesh = first;
        }
        value const placed =
            assign(v, mesh, inferred_output_label, result_location(p, f.o, i, v), point::before(f.terminator));
        traits::set_operand(p, f.terminator, i, placed);
      }
    }

    void body(op f) {
      std::vector<op> all;
      walk_ops(p, f, [&](op o) {
        all.push_back(o);
        return traits::role_of(p, o) == role::loop;
      });
      for (op const o : all) {
        if (errors.reached()) return;
        switch (traits::role_of(p, o)) {
          case role::compute: compute(o); break;
          case role::broadcast: barrier(o, broadcast_operand_label); break;
          case role::reduce: barrier(o, reduce_operand_label); break;
          case role::loop: traits::set_argument_annotations(p, o, set_kind::use, {}); break;
          default: break;
        }
      }
    }
    void compute(op o) {
      bool tensors = false, placed = false;
      for (auto&& r : traits::results(p, o)) {
        tensors = tensors || is_tensor(r);
        placed = placed || !traits::mesh_of(p, r).empty();
      }
      if (!tensors && !placed)
        resultless(o);
      else if (tensors && has_unused_results(p, o))
        unused(o);
      else
        forget_uses(o);
    }
    void unused(op o) {
      std::string mesh = choose(sets.on(o, set_kind::src));
      if (mesh.empty()) {
        if (!infer_transfers)
          return fail(traits::location_of(p, o), "placement.unused-op", "src_set must not be empty for this op.",
                      result_of(p, o));
        mesh = first;
      }
      forget_uses(o);
      op last = o;
      for (value const r : results_of(p, o))
        if (is_tensor(r))
          last = mpmd::defining_op(p, assign(r, mesh, inferred_unused_label, traits::location_of(p, o), point::after(last)));
    }
    /// An op that has effects is needed on every mesh where it can be.
    void resultless(op o) {
      mesh_origins const src = sets.on(o, set_kind::src);
      std::vector<std::string> meshes;
      for (auto const& e : src.entries()) meshes.emplace_back(sets.names().meshes[e.mesh]);
      if (meshes.empty() && src.specified() && !infer_transfers) {
        errors.count();
        report.conflicting_inputs(o, "placement.resultless-op", "src_set must not be empty for resultless ops.", diags);
        return;
      }
      if (meshes.empty()) meshes.push_back(first);
      std::sort(meshes.begin(), meshes.end(), mesh_order{});
      if (traits::is_pure(p, o)) meshes.resize(1);
      for (set_kind const k : {set_kind::use, set_kind::src}) traits::set_op_annotation(p, o, k, std::nullopt);
      std::vector<value> const old = results_of(p, o);
      for (std::size_t m = 0; m < meshes.size(); ++m) {
        auto const made = wrap_in_fragment(p, o, meshes[m], wrap_resultless_ops_step);
        if (m > 0) continue;
        for (std::size_t i = 0; i < old.size(); ++i) replace_uses(p, old[i], made.results[i]);
      }
      traits::erase(p, o);
    }
    void barrier(op o, std::string_view label) {
      mesh_origins const use = sets.on(o, set_kind::use);
      auto const where = traits::location_of(p, o);
      std::vector<value> const operands = operands_of(p, o);
      for (std::size_t i = 0; i < operands.size() && !errors.reached(); ++i) {
        value const v = operands[i];
        if (!is_tensor(v)) continue;
        std::string mesh = choose_for(v, use);
        if (mesh.empty()) {
          if (!infer_transfers) {
            fail(where, "placement.barrier", "src_set must not be empty for operand " + std::to_string(i) + " of this op.", v);
            continue;
          }
          mesh = choose({}, use);
        }
        value const placed = assign(v, mesh, label, where, point::before(o));
        value const taken = result_of(p, traits::create(p,
                                                        {.what = role::unassign,
                                                         .operands = {placed},
                                                         .results = {traits::type_of(p, v)},
                                                         .where = where},
                                                        point::before(o)));
        traits::set_operand(p, o, i, taken);
      }
      forget_uses(o);
    }

    /// The use sets of the arguments of a callee: of those that it does not use.
    std::vector<mesh_annotation> callee_inputs(function const& f) {
      std::vector<mesh_annotation> noted(f.argument_count);
      std::uint32_t i = 0;
      for (auto&& a : mpmd::arguments(p, f.o)) {
        std::uint32_t const at = i++;
        value const v = a;
        if (errors.reached() || !is_tensor(v) || !is_unused(p, v)) continue;
        std::string mesh = choose(sets.src(v));
        if (mesh.empty() && !infer_transfers) {
          auto where = traits::location_of_value(p, v);
          if (traits::source_of(p, where).line == 0) where = traits::location_of(p, f.o);
          fail(where, "placement.callee-input", callee_text(f) + " unused input " + std::to_string(at) + no_mesh, v);
        }
        noted[at] = {{{mesh.empty() ? first : mesh, {std::string(inferred_unused_callee_input_label)}}}};
      }
      return noted;
    }
    /// The use sets of its results: of those that no call uses, which are all if it is never called.
    std::vector<mesh_annotation> callee_outputs(function const& f) {
      std::vector<mesh_annotation> noted(f.result_count);
      if (!f.terminator) return noted;
      std::vector<bool> used(f.result_count);
      for (op const call : report.calls_of(f)) {
        std::size_t i = 0;
        for (auto&& r : traits::results(p, call)) {
          if (i < used.size() && !is_unused(p, static_cast<value>(r))) used[i] = true;
          ++i;
        }
      }
      std::vector<value> const returned = operands_of(p, f.terminator);
      for (std::size_t i = 0; i < returned.size() && !errors.reached(); ++i) {
        if (used[i] || !is_tensor(returned[i])) continue;
        std::string mesh = choose(sets.src_of_operand(returned[i]));
        if (mesh.empty() && !infer_transfers)
          fail(traits::location_of(p, f.terminator), "placement.callee-output",
               callee_text(f) + " unused output " + std::to_string(i) + no_mesh, returned[i]);
        noted[i] = {{{mesh.empty() ? first : mesh, {std::string(inferred_unused_callee_output_label)}}}};
      }
      return noted;
    }
    /// Arguments of called functions that are used, but for nothing that has a mesh: calls hand them round in circles.
    void idle_inputs() {
      auto const& functions = sets.map().functions();
      bool const none = std::all_of(functions.begin(), functions.end(),
                                    [](function const& f) { return f.entry || f.argument_count == 0; });
      if (none) return;
      auto const uses = use_sets<plain_sets>(p, {.from_annotations = true, .settle = true});
      for (function const& f : functions) {
        if (f.entry || f.argument_count == 0 || report.calls_of(f).empty()) continue;
        first = firsts.of(f.o);
        std::size_t i = 0;
        for (auto&& a : mpmd::arguments(p, f.o)) {
          std::size_t const at = i++;
          value const v = a;
          if (!is_tensor(v) || !uses.at(uses.map->number(v)).empty()) continue;
          std::string const mesh = choose(sets.src(v));
          traits::set_argument_annotation(
              p, f.o, at, set_kind::use,
              {{{mesh.empty() ? first : mesh, {std::string(inferred_unused_callee_input_label)}}}});
        }
      }
    }
    static constexpr auto no_mesh = " has no mesh to be assigned to.";
    std::string callee_text(function const& f) const {
      return "Callee @" + std::string(traits::function_name(p, f.o));
    }
  };
};

}  // namespace mpmd
