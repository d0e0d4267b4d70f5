#pragma once
/// Why a value can or must be on a mesh, as notes of a diagnostic: each names the annotation that is the cause, found as
/// a witness (analysis/why.hpp).

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <mpmd/analysis/sets_with_origins.hpp>
#include <mpmd/analysis/why.hpp>
#include <mpmd/graph/mutable_program.hpp>
#include <mpmd/transform/placement_trace.hpp>

namespace mpmd {

/// Finds the notes. The first question is linear in the program, and each costs what the witness finder says, so only
/// the first conflicts of a pass are explained: see budget_left().
template <mutable_mpmd_program P>
class placement_notes {
  using traits = ir_traits<P>;
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
  void needs(notes& to, value_t<P> v, std::string const& mesh) {
    auto const chain = find().use_why->why(v, mesh);
    if (!chain.empty() && chain.back().o)
      add(to, traits::location_of(program_, chain.back().o),
          "it is needed on mesh \"" + mesh + "\" because of this assign" + labelled(chain.back().o));
  }
  /// What keeps a value away from a mesh.
  void keeps_away(notes& to, value_t<P> v, std::string const& mesh) {
    auto const chain = find().src_why->why_not(sets_.origin(v), mesh);
    if (!chain.empty()) source(to, chain.back(), "it cannot be on mesh \"" + mesh + "\": ", {});
  }

  void add(notes& to, location_t<P> at, std::string text) const {
    to.push_back({traits::source_of(program_, at), std::move(text)});
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

  std::string labelled(op_t<P> o) const {
    std::string const label(label_of(program_, o));
    return label.empty() ? label : " (\"" + label + "\")";
  }
  /// One cause of a src set: an unassign, or an argument. `mesh` is the one it offers, empty if it keeps from one.
  void source(notes& to, program_step<P> const& cause, std::string text, std::string const& mesh) {
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
      if (!mesh.empty() && f->entry) needs(to, cause.v, mesh);
      return;
    }
    for (auto&& placed : traits::operands(program_, cause.o)) {
      std::string const own(traits::mesh_of(program_, placed));
      if (!mesh.empty() && own != mesh) {
        for (auto const& u : traits::uses(program_, placed)) {
          if (traits::role_of(program_, u.user) != role::transfer) continue;
          for (auto&& moved : traits::results(program_, u.user))
            if (traits::mesh_of(program_, moved) == mesh)
              return add(to, traits::location_of(program_, u.user), text + "this transfer takes the same tensor there");
        }
        return add(to, traits::location_of(program_, cause.o), text + "argument unassigned here" + labelled(cause.o));
      }
      text += (mesh.empty() ? "it comes off mesh \"" + own + "\" here" : std::string("it comes off that mesh here"));
      return add(to, traits::location_of(program_, cause.o),
                 text + labelled(cause.o) + spell_maker(program_, static_cast<value_t<P>>(placed)));
    }
  }

  P const& program_;
  stored_sets<P> const& sets_;
  placement_trace<P> const& trace_;
  std::unique_ptr<facts> facts_;
  std::size_t explained_ = 0;
};

}  // namespace mpmd
