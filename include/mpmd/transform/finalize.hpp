#pragma once
/// -mpmd-infer-mesh-finalize: the last step of mesh inference. Arguments of entry functions get their meshes,
/// assigns and unassigns become nothing or transfers, broadcasts and reduces become transfers and fragments.

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <mpmd/support/diagnostics.hpp>
#include <mpmd/support/option.hpp>
#include <mpmd/transform/detail/assign_folder.hpp>
#include <mpmd/transform/detail/call_rewriter.hpp>
#include <mpmd/transform/mesh_order.hpp>
#include <mpmd/transform/pick_mesh.hpp>
#include <mpmd/transform/placeable_functions.hpp>

namespace mpmd {

/// An argument of an entry function comes onto the first mesh, in the order of mesh_order, where it is
/// assigned. An assign of what an unassign takes off a mesh is that value if the types agree; the result of a
/// transfer that is there already; or, for such arguments, for broadcasts and between kinds of memory of one
/// mesh, a new transfer. What is unused and has no effects goes, and so do all use sets and src sets.
///
/// Reports what entries_may_be_placed() finds, before anything changes, and what stands on no mesh in the end; false if
/// there is any. Functions without a body stay as they are. O(program).
struct finalize {
  static constexpr std::string_view name = "mpmd-infer-mesh-finalize";
  static constexpr std::string_view summary =
      "Make assigns and unassigns into transfers or nothing, and check that everything stands on a mesh";

  bool infer_transfers = false;

  static constexpr auto options = std::tuple{option{"infer-transfers", &finalize::infer_transfers,
                                                    "Transfer any value to the meshes where it is needed"}};

  template <mutable_mpmd_program P>
  bool operator()(P& p, diagnostics& diags) const {
    std::vector<op_t<P>> functions;
    for (auto&& f : mpmd::functions(p))
      if (takes_part(p, f) && !is_declaration(p, f)) functions.push_back(f);
    if (!entries_may_be_placed(p, diags)) return false;
    detail::assign_folder<P> folder(p, infer_transfers);
    for (op_t<P> const f : functions) {
      if (!is_entry(p, f)) continue;
      if (!place_arguments(p, f, diags)) return false;
      for (auto&& a : mpmd::arguments(p, f)) folder.allow_transfers_of(a);
    }
    for (op_t<P> const f : functions) folder.run(f);
    bool good = true;
    for (op_t<P> const f : functions) {
      ir_traits<P>::update_signature(p, f);
      good &= clean_up_and_check(p, f, diags);
    }
    return good;
  }

 private:
  template <mutable_mpmd_program P>
  static source_location place(P const& p, op_t<P> o) {
    return ir_traits<P>::source_of(p, ir_traits<P>::location_of(p, o));
  }

  template <mutable_mpmd_program P>
  static bool place_arguments(P& p, op_t<P> f, diagnostics& diags) {
    using traits = ir_traits<P>;
    std::vector<value_t<P>> arguments;
    for (auto&& a : mpmd::arguments(p, f)) arguments.push_back(a);
    op_t<P> first = {};
    for (auto&& o : mpmd::body(p, f)) {
      first = o;
      break;
    }
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      value_t<P> const a = arguments[i];
      type_t<P> const plain = traits::type_of(p, a);
      if (!traits::is_tensor(p, plain)) continue;
      std::optional<mesh_order_key> least;
      std::string_view mesh;
      op_t<P> with_kind = {}, without_kind = {}, other_kind = {};
      std::string kind;
      bool all_assigns = true;
      for (auto const& u : traits::uses(p, a)) {
        if (traits::role_of(p, u.user) != role::assign) {
          all_assigns = false;
          break;
        }
        value_t<P> const v = result_of(p, u.user);
        mesh_order_key const key(traits::mesh_of(p, v));
        if (!least || key < *least) {
          least = key;
          mesh = traits::mesh_of(p, v);
        }
        std::string_view const k = traits::memory_kind_of(p, traits::type_of(p, v));
        if (k.empty()) {
          without_kind = u.user;
        } else if (!with_kind) {
          with_kind = u.user;
          kind = k;
        } else if (k != kind) {
          other_kind = u.user;
        }
      }
      if (!all_assigns) continue;  // the check at the end finds it
      if (with_kind && (without_kind || other_kind)) {
        report_kinds(p, f, i, with_kind, without_kind, other_kind, diags);
        return false;
      }
      std::string where(mesh);
      if (!least) where = first_mesh(p, f);
      traits::set_type(p, a, traits::mesh_type(p, plain, where, kind));
      if (!least) continue;
      op_t<P> const u =
          traits::create(p,
                         {.what = role::unassign,
                          .operands = {a},
                          .results = {plain},
                          .where = traits::location_of_value(p, a)},
                         first ? insertion_point<P>::before(first) : insertion_point<P>::end(f));
      replace_uses_if(p, a, result_of(p, u), [u](auto const& use) { return !(use.user == u); });
    }
    return true;
  }
  template <mutable_mpmd_program P>
  static void report_kinds(P const& p, op_t<P> f, std::size_t i, op_t<P> with, op_t<P> without, op_t<P> other,
                           diagnostics& diags) {
    using traits = ir_traits<P>;
    auto stated = [&](op_t<P> o) {
      std::string_view const kind = traits::memory_kind_of(p, traits::type_of(p, result_of(p, o)));
      return diagnostic::note{place(p, o), kind.empty()
                                               ? "assigned without a memory kind here"
                                               : "assigned to memory kind " + std::string(kind) + " here"};
    };
    diagnostic d{severity::error,
                 "infer-mesh.memory-kinds",
                 place(p, f),
                 "Argument " + std::to_string(i) + " has different memory kinds assigned to it.",
                 {stated(with), stated(without ? without : other)}};
    if (without)
      d.message +=
          " Found at least one user with undefined memory kind and at least one user with a memory kind.";
    d.notes.push_back(
        {place(p, f), "an argument is in one kind of memory: assign it to one kind everywhere"});
    diags.emit(d);
  }

  template <mutable_mpmd_program P>
  bool clean_up_and_check(P& p, op_t<P> f, diagnostics& diags) const {
    using traits = ir_traits<P>;
    std::size_t const before = diags.errors();
    auto check = [&](std::string_view what, std::size_t i, value_t<P> v) {
      if (!traits::mesh_of(p, v).empty()) return;
      std::string advice = "only tensors that are assigned to meshes can go into and out of functions; ";
      advice += traits::is_tensor(p, traits::type_of(p, v))
                    ? "-mpmd-infer-mesh-assign-mesh-func-leaves assigns what nobody did"
                    : "what is no tensor can be on no mesh: make it one, such as tensor<i1> for i1";
      diags.emit({severity::error,
                  "infer-mesh.signature",
                  place(p, f),
                  "function " + std::string(what) + " " + std::to_string(i) +
                      " is not a MeshTensorType, but a " +
                      std::string(traits::type_text(p, traits::type_of(p, v))),
                  {{place(p, f), std::move(advice)}}});
    };
    std::size_t i = 0;
    for (auto&& a : mpmd::arguments(p, f)) check("input", i++, a);
    op_t<P> end = {};
    for (auto&& o : mpmd::body(p, f)) end = o;
    if (end && traits::role_of(p, end) == role::terminator) {
      i = 0;
      for (auto&& v : traits::operands(p, end)) check("output", i++, v);
    }
    // Ops in program order, those inside others included; what is inside an ordinary op or a fragment is not
    // looked at for itself.
    struct step {
      op_t<P> o;
      bool checked;
    };
    std::vector<step> todo;
    auto enter = [&](op_t<P> of, bool checked) {
      std::size_t const from = todo.size();
      for (auto&& o : mpmd::body(p, of)) todo.push_back({o, checked});
      std::reverse(todo.begin() + static_cast<std::ptrdiff_t>(from), todo.end());
    };
    enter(f, true);
    while (!todo.empty()) {
      auto const [o, checked] = todo.back();
      todo.pop_back();
      role const r = traits::role_of(p, o);
      if (checked) check_op(p, o, r, diags);
      for (set_kind const k : {set_kind::use, set_kind::src})
        if (traits::op_annotation(p, o, k)) traits::set_op_annotation(p, o, k, std::nullopt);
      if (r == role::loop)
        for (set_kind const k : {set_kind::use, set_kind::src}) traits::set_argument_annotations(p, o, k, {});
      enter(o, checked && r == role::loop);
    }
    for (set_kind const k : {set_kind::use, set_kind::src}) {
      traits::set_argument_annotations(p, f, k, {});
      traits::set_result_annotations(p, f, k, {});
    }
    // Which values are copies of which concerns the rewriting of calls alone.
    traits::set_argument_notes(p, f, copies_note, {});
    traits::set_result_notes(p, f, copies_note, {});
    return diags.errors() == before;
  }
  // Where an assign that is left over has its value from, and what brings it where it is wanted.
  template <mutable_mpmd_program P>
  std::string between(P const& p, op_t<P> assign) const {
    std::string const to(ir_traits<P>::mesh_of(p, result_of(p, assign)));
    op_t<P> const d = mpmd::defining_op(p, operand_of(p, assign));
    role const by = d ? ir_traits<P>::role_of(p, d) : role::argument;
    if (by == role::named_computation || by == role::named_tensor)
      return "this value is that of a named computation or tensor, which has no mesh yet; "
             "-mpmd-map-named-ops-to-mpmd-ops gives it one";
    if (by != role::unassign)
      return "this value is on no mesh that it could be brought from to mesh " + to +
             (by == role::call ? "; a function that is called needs a topology, which -mpmd-copy-topology-from-main gives it"
                               : std::string(advice()));
    return "no transfer brings this value from mesh " +
           std::string(ir_traits<P>::mesh_of(p, operand_of(p, d))) + " to mesh " + to + std::string(advice());
  }
  std::string_view advice() const { return infer_transfers ? "" : "; infer-transfers makes one"; }
  template <mutable_mpmd_program P>
  void check_op(P const& p, op_t<P> o, role r, diagnostics& diags) const {
    std::string message, hint;
    switch (r) {
      case role::assign:
      case role::unassign:
      case role::broadcast:
        message = "assigns, unassigns or broadcasts are not allowed after mesh inference";
        hint = r == role::assign ? between(p, o)
               : r == role::unassign
                   ? "this value is used outside its mesh, and no transfer takes it there" + std::string(advice())
                   : "what is broadcast has to be taken off a mesh, and all that uses it assigned "
                     "to one";
        break;
      case role::reduce:
        message = "reduces are not allowed after mesh inference";
        hint = "all that is reduced has to be taken off a mesh, and all that uses the result assigned to one";
        break;
      case role::compute:
        message = "no more meshless ops are expected at this point";
        hint =
            "-mpmd-infer-mesh-rewrite-using-analysis puts ops into fragments where their results are "
            "assigned";
        break;
      default: return;
    }
    diags.emit(
        {severity::error, "infer-mesh.leftover", place(p, o), std::move(message), {{place(p, o), hint}}});
  }
};

}  // namespace mpmd
