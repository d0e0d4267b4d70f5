#pragma once
/// What the set analyses return: a fact for every step of a program, and what it takes to read it.

#include <cstdint>
#include <memory>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include <mpmd/analysis/set_flow.hpp>
#include <mpmd/analysis/set_policy.hpp>
#include <mpmd/dataflow/fact_map.hpp>
#include <mpmd/graph/annotated_program.hpp>
#include <mpmd/lattice/interned.hpp>

namespace mpmd {

/// How an analysis of sets goes about a program.
struct set_options {
  /// Start from the sets that an earlier pass left on the ops.
  bool from_annotations = false;
  /// Calls nest at most so deep; beyond, a call is opaque. A verified program nests them once.
  std::uint32_t max_call_depth = 64;
  /// Use sets: go on until every call is given its operands wherever its function needs them. Otherwise entry functions
  /// are walked once, so that what a call leads its function to need is unknown at the calls behind it.
  bool settle = false;
};

/// The facts of one analysis. The program must outlive them.
template <mpmd_program P, class Policy, bool Use>
struct set_facts {
  using element = std::conditional_t<Use, typename Policy::use_element, typename Policy::src_element>;

  std::shared_ptr<program_map<P> const> map;
  std::shared_ptr<mesh_names> names;
  Policy policy;
  fact_map<set_flow<P, Use>, element> facts;  ///< by step; see also at()
  std::uint32_t cut_calls = 0;                ///< calls left opaque because they recurse, or nest too deep

  set_facts(std::shared_ptr<program_map<P> const> of, std::shared_ptr<mesh_names> meshes, Policy with, element initial)
      : map(std::move(of)),
        names(std::move(meshes)),
        policy(std::move(with)),
        facts(set_flow<P, Use>{map.get()}, std::move(initial)) {}

  element const& at(fact_number n) const { return facts.at_slot(n); }
  element& at(fact_number n) { return facts.at_slot(n); }
  /// The set of a value: that of the op it is a result of, if the op has one.
  element const& operator[](value_t<P> v) const { return at(map->owner(v)); }

  /// The meshes of a value's set by name, in the set's order; none for an unspecified src set.
  std::vector<std::string_view> meshes(value_t<P> v) const {
    std::vector<std::string_view> found;
    auto add = [&](std::uint32_t m) { found.push_back(names->meshes[m]); };
    if constexpr (Use)
      policy.for_each_use((*this)[v], add);
    else
      policy.for_each_src((*this)[v], add);
    return found;
  }
  /// Whether a src set is unspecified: the value can be on any mesh.
  bool anywhere(value_t<P> v) const
    requires(!Use)
  {
    return !Policy::is_specified((*this)[v]);
  }
};

template <mpmd_program P, class Policy = plain_sets>
using use_set_facts = set_facts<P, Policy, true>;
template <mpmd_program P, class Policy = plain_sets>
using src_set_facts = set_facts<P, Policy, false>;

/// Where the set of a step is kept between passes: on an op, on an argument of a function or loop, or on a result of a
/// function that is called.
enum class annotation_place : std::uint8_t { nowhere, on_op, on_argument, on_result };

template <mpmd_program P>
annotation_place place_of(P const& p, typename program_map<P>::function const& f, program_step<P> const& s,
                          set_kind kind) {
  switch (s.kind) {
    case step_kind::op:
    case step_kind::sink:
    case step_kind::assign:
    case step_kind::barrier: return annotation_place::on_op;
    case step_kind::source:
      return ir_traits<P>::role_of(p, s.o) == role::unassign ? annotation_place::on_op : annotation_place::nowhere;
    case step_kind::argument: return f.o ? annotation_place::on_argument : annotation_place::nowhere;
    case step_kind::loop_argument: return annotation_place::on_argument;
    case step_kind::function_result:
      // What a callee's result can be is the set of the op it returns; what it is needed for stands nowhere else.
      return f.entry || kind == set_kind::src ? annotation_place::nowhere : annotation_place::on_result;
    default: return annotation_place::nowhere;
  }
}

/// Calls `f(step, set)` for each step on which an earlier pass left a set of the kind; `set` is what `read` makes of the
/// annotation. Where the program has keys of annotations, equal ones are read once.
template <mpmd_program P, class Read, class F>
void for_each_set([[maybe_unused]] program_map<P> const& map, [[maybe_unused]] set_kind kind, [[maybe_unused]] Read read,
                  [[maybe_unused]] F f) {
  if constexpr (has_annotations<P>) {
    using traits = ir_traits<P>;
    P const& p = map.program();
    std::unordered_map<std::uint64_t, std::invoke_result_t<Read&, mesh_annotation const&>> known;
    for (auto const& fn : map.functions())
      walk_steps<false>(map, fn, [&](program_step<P> const& s) {
        if (s.number == map.nowhere()) return;
        mesh_annotation a;
        op_t<P> const on = s.o ? s.o : fn.o;
        annotation_place const place = place_of(p, fn, s, kind);
        if constexpr (has_annotation_keys<P>)
          if (place == annotation_place::on_op) {
            std::uint64_t const key = traits::annotation_key(p, on, kind);
            if (key == 0) return;
            auto const [at, is_new] = known.try_emplace(key);
            if (is_new) at->second = read(traits::op_annotation(p, on, kind));
            return f(s, at->second);
          }
        switch (place) {
          case annotation_place::nowhere: return;
          case annotation_place::on_op: a = traits::op_annotation(p, on, kind); break;
          case annotation_place::on_argument: a = traits::argument_annotation(p, on, s.index, kind); break;
          case annotation_place::on_result: a = traits::result_annotation(p, fn.o, s.index, kind); break;
        }
        if (a) f(s, read(a));
      });
  }
}

/// Writes `write(set_of(step))` into the program for every step that can keep a set, an interned element; nullopt removes
/// what is there. Sinks, which nothing needs, keep the use set they have.
template <annotated_mpmd_program P, class SetOf, class Write>
void write_sets(P& p, program_map<P> const& map, set_kind kind, SetOf set_of, Write write) {
  using traits = ir_traits<P>;
  // What arguments and results keep is written a list at a time: one by one, each would cost the whole list.
  struct entries {
    op_t<P> on;
    annotation_place place;
    std::vector<mesh_annotation> all;
  };
  std::unordered_map<std::uint32_t, op_t<P>> first;  // op with a set, by the set's form
  for (auto const& fn : map.functions()) {
    std::vector<entries> lists;
    walk_steps<false>(map, fn, [&](program_step<P> const& s) {
      annotation_place const place = place_of(p, fn, s, kind);
      if (place == annotation_place::nowhere || (kind == set_kind::use && s.kind == step_kind::sink)) return;
      op_t<P> const on = s.o ? s.o : fn.o;
      interned_element const set = set_of(s);
      if (place == annotation_place::on_op) {
        if constexpr (has_annotation_keys<P>) {
          auto const [at, is_new] = first.try_emplace(set.form, on);
          if (!is_new) return traits::copy_op_annotation(p, at->second, on, kind);
        }
        return traits::set_op_annotation(p, on, kind, write(set));
      }
      if (s.index == 0 || lists.empty()) lists.push_back({place == annotation_place::on_argument ? on : fn.o, place, {}});
      lists.back().all.push_back(write(set));
    });
    for (entries const& list : lists)
      if (list.place == annotation_place::on_argument)
        traits::set_argument_annotations(p, list.on, kind, list.all);
      else
        traits::set_result_annotations(p, list.on, kind, list.all);
  }
}

}  // namespace mpmd
