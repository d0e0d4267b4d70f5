#pragma once
/// Why a value can or must be on a mesh, as notes of a diagnostic: each names the annotation that is the cause, found as
/// a witness (analysis/why.hpp).

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <mpmd/analysis/sets_with_origins.hpp>
#include <mpmd/analysis/why.hpp>
#include <mpmd/graph/mutable_program.hpp>
#include <mpmd/support/diagnostics.hpp>
#include <mpmd/transform/edit.hpp>
#include <mpmd/transform/placement_spelling.hpp>
#include <mpmd/transform/placement_trace.hpp>

namespace mpmd {

/// Finds the notes. The first question is linear in the program, and each costs what the witness finder says, so only
/// the first conflicts of a pass are explained: see budget_left().
template <mutable_mpmd_program P>
class placement_notes {
  using traits = ir_traits<P>;
  using function = typename program_map<P>::function;
  using notes = std::vector<diagnostic::note>;

 public:
  placement_notes(P const& p, stored_sets<P> const& sets, placement_trace<P> const& trace)
      : program_(p), sets_(sets), trace_(trace) {}

  /// Whether one more conflict is to be explained.
  bool budget_left() {
    constexpr std::size_t most = 64;
    return explained_++ < most;
  }

  /// What puts `v`, of which the notes speak as `called`, on the meshes where it can be.
  void sources(notes& to, value_t<P> v, std::string const& called) {
    std::size_t shown = 0;
    for (auto const& e : sets_.src_of_operand(v).entries()) {
      if (shown++ == few) break;
      std::string const mesh(sets_.names().meshes[e.mesh]);
      auto const chain = find().src_why->why(sets_.origin(v), mesh);
      if (!chain.empty()) source(to, chain.back(), called + " can be on mesh \"" + mesh + "\": ", mesh);
    }
  }
  /// What needs `v` on a mesh: a value, or the result of an assign.
  void needs(notes& to, value_t<P> v, std::string const& mesh, std::string const& called = "it") {
    auto const chain = find().use_why->why(v, mesh);
    if (!chain.empty()) return needed(to, chain, mesh, called);
    if (auto const passed = find().use_why->why_passed(v, mesh); !passed.empty()) handed_round(to, passed, mesh, called);
  }
  /// What needs a result of a function on a mesh.
  void needs_result(notes& to, function const& f, std::uint32_t i, std::string const& mesh, std::string const& called) {
    needed(to, find().use_why->why_at(f.result(i), mesh), mesh, called);
  }
  /// What keeps a value away from a mesh.
  void keeps_away(notes& to, value_t<P> v, std::string const& mesh) {
    auto const chain = find().src_why->why_not(sets_.origin(v), mesh);
    if (chain.empty()) return;
    source(to, chain.back(), "it cannot be on mesh \"" + mesh + "\": ", {});
    // What stands between fails for the same reason, and has no error of its own.
    std::size_t told = 0;
    for (std::size_t i = chain.size() - 1; i-- > 1 && told < few;)
      if (chain[i].kind == step_kind::op) {
        add(to, traits::location_of(program_, chain[i].o), "it is made of that by this op, which has to be there too");
        ++told;
      }
  }

  void add(notes& to, location_t<P> at, std::string text) const {
    to.push_back({traits::source_of(program_, at), std::move(text)});
  }
  /// The same of something that stands there, with the user's own place of it if there is one.
  void add_cause(notes& to, location_t<P> at, std::string text) const {
    if (!frames_beyond_source(program_, at).empty()) text.append(", at ").append(spell_location(program_, at));
    add(to, at, std::move(text));
  }

  /// The op from which a value has its empty src set: the first whose inputs can be somewhere, but nowhere together.
  op_t<P> root_of_conflict(value_t<P> v) const {
    constexpr std::size_t most = 4096;
    for (std::size_t i = 0; i < most; ++i) {
      op_t<P> const d = mpmd::defining_op(program_, sets_.origin(v));
      if (!d || traits::role_of(program_, d) != role::compute) return {};
      bool further = false;
      for (value_t<P> const from : trace_.inputs(d))
        if (sets_.src_of_operand(from).empty()) {
          v = from;
          further = true;
          break;
        }
      if (!further) return d;
    }
    return {};
  }

 private:
  static constexpr std::size_t few = 3;

  /// The sets as they stand in the program, completed by what the analyses find where none stands.
  struct facts {
    explicit facts(P const& p)
        : map(std::make_shared<program_map<P> const>(p)),
          uses(use_sets<P, sets_with_origins>(map, std::make_shared<mesh_names>(), {.from_annotations = true})),
          srcs(src_sets(uses, {.from_annotations = true})) {
      for_each_set(
          *map, set_kind::use, [this](mesh_annotation const& a) { return uses.policy.read_use(*uses.names, a); },
          [this](program_step<P> const& s, interned_element set) { uses.at(s.number) = set; });
      for_each_set(
          *map, set_kind::src, [this](mesh_annotation const& a) { return srcs.policy.read_src(*srcs.names, a); },
          [this](program_step<P> const& s, interned_element set) { srcs.at(s.number) = set; });
      use_why = std::make_unique<explainer<P, sets_with_origins, true>>(uses);
      src_why = std::make_unique<explainer<P, sets_with_origins, false>>(srcs);
    }
    facts(facts const&) = delete;
    facts& operator=(facts const&) = delete;

    std::shared_ptr<program_map<P> const> map;
    use_set_facts<P, sets_with_origins> uses;
    src_set_result<P, sets_with_origins> srcs;
    std::unique_ptr<explainer<P, sets_with_origins, true>> use_why;
    std::unique_ptr<explainer<P, sets_with_origins, false>> src_why;
  };
  facts& find() {
    if (!facts_) facts_ = std::make_unique<facts>(program_);
    return *facts_;
  }

  void needed(notes& to, std::vector<program_step<P>> const& chain, std::string const& mesh, std::string const& called) {
    if (chain.empty() || !chain.back().o) return;
    op_t<P> const assign = chain.back().o;
    std::string const barrier(barrier_behind(assign, chain.back().v));
    add_cause(to, traits::location_of(program_, assign),
              called + " is needed on mesh \"" + mesh + "\" because of this " +
                  (barrier.empty() ? "assign" + labelled(assign) : barrier));
  }
  /// The call that passes a value to an argument for which no assign needs a mesh, and what it was given one by.
  void handed_round(notes& to, std::vector<program_step<P>> const& chain, std::string const& mesh,
                    std::string const& called) {
    value_t<P> const argument = chain.back().v;
    std::uint32_t i = 0;
    auto const* f = trace_.function_of(argument, i);
    if (f == nullptr) return;
    std::string const taken = "arg" + std::to_string(i);
    for (op_t<P> const call : trace_.calls_of(*f)) {
      auto const passed = operand_at(program_, call, i);
      if (!passed || sets_.map().number(*passed) != chain[chain.size() - 2].number) continue;
      add_cause(to, traits::location_of(program_, call),
                called + " is needed on mesh \"" + mesh + "\" because this call passes it on as " + taken + " of @" +
                    std::string(traits::function_name(program_, f->o)) + ", for which no assign says a mesh");
      break;
    }
    auto const from = find().src_why->why(argument, mesh);
    if (!from.empty()) source(to, from.back(), taken + " can be on mesh \"" + mesh + "\": ", mesh);
  }
  /// What an assign was made for that stands where the broadcast or reduction behind it does; empty for any other.
  std::string_view barrier_behind(op_t<P> assign, value_t<P> placed) const {
    source_location const at = traits::source_of(program_, traits::location_of(program_, assign));
    for (auto const& u : traits::uses(program_, placed)) {
      if (traits::role_of(program_, u.user) != role::unassign) continue;
      for (auto&& taken : traits::results(program_, u.user))
        for (auto const& by : traits::uses(program_, taken)) {
          if (at.line == 0 || at != traits::source_of(program_, traits::location_of(program_, by.user))) continue;
          role const r = traits::role_of(program_, by.user);
          if (r == role::broadcast || r == role::reduce) return r == role::broadcast ? "broadcast" : "reduction";
        }
    }
    return {};
  }
  std::string labelled(op_t<P> o) const {
    std::string const label(label_of(program_, o));
    return label.empty() ? label : " (\"" + label + "\")";
  }
  /// One cause of a src set: an unassign, a reduction, or an argument. `mesh` is the one it offers, empty if it keeps
  /// from one.
  void source(notes& to, program_step<P> const& cause, std::string text, std::string const& mesh) {
    if (cause.kind == step_kind::barrier) return reduction(to, cause.o, std::move(text));
    if (cause.kind != step_kind::source) {
      std::uint32_t i = 0;
      auto const* f = trace_.function_of(cause.v, i);
      if (f == nullptr) return;
      text += "it comes from argument " + std::to_string(i) + " of @" + std::string(traits::function_name(program_, f->o));
      if (mesh.empty()) text += ", which can be on {" + sets_.meshes_text(sets_.src(cause.v)) + "}";
      auto at = traits::source_of(program_, traits::location_of_value(program_, cause.v));
      if (at.line == 0) at = traits::source_of(program_, traits::location_of(program_, f->o));
      to.push_back({std::move(at), std::move(text)});
      // An argument is where its uses want it.
      if (!mesh.empty() && f->entry) needed(to, find().use_why->why(cause.v, mesh), mesh, "it");
      return;
    }
    for (auto&& placed : traits::operands(program_, cause.o)) {
      std::string const own(traits::mesh_of(program_, placed));
      if (!mesh.empty() && own != mesh) {
        for (auto const& u : traits::uses(program_, placed)) {
          if (traits::role_of(program_, u.user) != role::transfer) continue;
          for (auto&& moved : traits::results(program_, u.user))
            if (traits::mesh_of(program_, moved) == mesh)
              return add_cause(to, traits::location_of(program_, u.user),
                               text + "this transfer takes the same tensor there");
        }
        return add_cause(to, traits::location_of(program_, cause.o),
                         text + "argument unassigned here" + labelled(cause.o));
      }
      text += (mesh.empty() ? "it comes off mesh \"" + own + "\" here" : std::string("it comes off that mesh here"));
      add_cause(to, traits::location_of(program_, cause.o),
                text + labelled(cause.o) + spell_maker(program_, static_cast<value_t<P>>(placed)));
      if (op_t<P> const by = trace_.assign_below(cause.o))
        add_cause(to, traits::location_of(program_, by), "it was put on mesh \"" + own + "\" by this assign" + labelled(by));
      return;
    }
  }
  /// A reduction that was inferred, and, once, what puts a part of it on each of its meshes.
  void reduction(notes& to, op_t<P> o, std::string text) {
    mesh_origins const& set = sets_.src(sets_.map().first_result(o));
    std::string const what =
        "this reduction combines values of {" + sets_.meshes_text(set) + "}, and can be delivered on those meshes only";
    source_location const at = traits::source_of(program_, traits::location_of(program_, o));
    bool const known = std::ranges::any_of(to, [&](diagnostic::note const& n) {
      return n.where == at && n.message.find(what) != std::string::npos;
    });
    add_cause(to, traits::location_of(program_, o), text + what);
    std::size_t shown = 0;
    for (auto const& e : set.entries()) {
      if (known || shown++ == few) break;
      std::string const mesh(sets_.names().meshes[e.mesh]);
      if (auto const from = part_on(o, mesh)) source(to, *from, "its part on mesh \"" + mesh + "\": ", mesh);
    }
  }
  /// What puts a part of a reduction on a mesh, through reductions that are parts of it.
  std::optional<program_step<P>> part_on(op_t<P> o, std::string const& mesh) {
    constexpr std::size_t most = 64;
    for (std::size_t depth = 0; o && depth < most; ++depth) {
      op_t<P> deeper = {};
      for (auto&& v : traits::operands(program_, o)) {
        auto const chain = find().src_why->why(sets_.origin(trace_.before_barrier(v)), mesh);
        if (chain.empty()) continue;
        if (chain.back().kind != step_kind::barrier) return chain.back();
        deeper = chain.back().o;
        break;
      }
      o = deeper;
    }
    return std::nullopt;
  }

  P const& program_;
  stored_sets<P> const& sets_;
  placement_trace<P> const& trace_;
  std::unique_ptr<facts> facts_;
  std::size_t explained_ = 0;
};

}  // namespace mpmd
