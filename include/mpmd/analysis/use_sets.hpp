#pragma once
/// Use sets: on which meshes must a value exist?
///
/// Backward, union (mesh inference of Shardy's mpmd dialect). An assign needs its operand on its mesh; an ordinary op
/// is needed wherever one of its results is; a barrier (reduce, broadcast), an unassign and everything on a mesh stop
/// the flow.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include <mpmd/analysis/set_facts.hpp>
#include <mpmd/dataflow/solver.hpp>

namespace mpmd {
namespace detail {

/// To which arguments of callees each value is passed, the last call first.
template <mpmd_program P>
class call_uses {
 public:
  /// Looks at the ops only if there is a function that can be called.
  explicit call_uses(program_map<P> const& map) {
    if (!has_calls<P> || std::all_of(map.functions().begin(), map.functions().end(), [](auto const& f) { return f.entry; }))
      return;
    P const& p = map.program();
    for (std::size_t i = map.functions().size(); i-- > 0;)
      walk_steps<true>(map, map.functions()[i], [&](program_step<P> const& s) {
        if (s.kind != step_kind::call) return;
        auto const* f = map.callee(s.o);
        if (f == nullptr) return;
        any_ = true;
        std::vector<value_t<P>> operands;
        for (auto&& v : ir_traits<P>::operands(p, s.o)) operands.push_back(v);
        std::vector<value_t<P>> arguments;
        for (auto&& a : mpmd::arguments(p, f->o)) arguments.push_back(a);
        for (std::size_t k = std::min(operands.size(), arguments.size()); k-- > 0;)
          uses_.emplace_back(map.number(operands[k]), map.number(arguments[k]));
      });
    std::vector<std::size_t> order(uses_.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) {
      return uses_[a].first != uses_[b].first ? uses_[a].first < uses_[b].first : a < b;
    });
    std::vector<std::pair<fact_number, fact_number>> sorted;
    for (std::size_t const i : order) sorted.push_back(uses_[i]);
    uses_ = std::move(sorted);
  }
  /// Whether there is a call at all, be it one without operands.
  bool any() const { return any_; }
  template <class F>
  void for_each_argument(fact_number operand, F f) const {
    auto at = std::lower_bound(uses_.begin(), uses_.end(), std::pair{operand, fact_number{0}},
                               [](auto const& a, auto const& b) { return a.first < b.first; });
    for (; at != uses_.end() && at->first == operand; ++at) f(at->second);
  }

 private:
  std::vector<std::pair<fact_number, fact_number>> uses_;
  bool any_ = false;
};

/// One run of the analysis: what its visits share.
template <mpmd_program P, class Policy>
class use_set_run {
 public:
  using element = typename Policy::use_element;
  using function = typename program_map<P>::function;

  use_set_run(use_set_facts<P, Policy>& out, set_options const& options)
      : out_(out), map_(*out.map), options_(options), calls_(map_), state_(map_.functions().size()) {}

  void run() {
    if (options_.from_annotations)
      for_each_set(
          map_, set_kind::use, [this](mesh_annotation const& a) { return out_.policy.read_use(*out_.names, a); },
          [this](program_step<P> const& s, element const& set) { static_cast<void>(join(s.number, set)); });
    solve_entries();
    // Each round adds a mesh or label to the operand of a call, so rounds are finite; mostly there is none.
    while (options_.settle && grow_operands() == change::yes) {
      for (callee_state& s : state_) s.solved = false;
      solve_entries();
    }
  }

 private:
  struct callee_state {
    bool active = false;
    bool solved = false;
  };

  element const& fact(fact_number n) const { return std::as_const(out_).at(n); }
  change join(fact_number into, element const& from) { return out_.policy.use_lattice().join(out_.at(into), from); }

  void solve_entries() {
    for (function const& f : map_.functions())
      if (f.entry) solve_function(f);
  }

  /// Gives operands of calls what the arguments of the callees need by now; whether any needs more than it did.
  change grow_operands() {
    change grew = change::no;
    if (!calls_.any()) return grew;
    P const& p = map_.program();
    for (function const& f : map_.functions()) {
      if (!state_[map_.index_of(f)].solved) continue;
      walk_steps<true>(map_, f, [&](program_step<P> const& s) {
        if (s.kind == step_kind::call) grew |= join_operands(p, s.o, map_.callee(s.o));
      });
    }
    return grew;
  }
  change join_operands(P const& p, op_t<P> call, function const* callee) {
    change grew = change::no;
    if (callee == nullptr) return grew;
    std::vector<fact_number> operands, arguments;
    for (auto&& v : ir_traits<P>::operands(p, call)) operands.push_back(map_.number(v));
    for (auto&& a : mpmd::arguments(p, callee->o)) arguments.push_back(map_.number(a));
    for (std::size_t i = std::min(operands.size(), arguments.size()); i-- > 0;)
      grew |= join(operands[i], fact(arguments[i]));
    return grew;
  }

  void solve_function(function const& f) {
    auto& state = state_[map_.index_of(f)];
    state.active = true;
    ++depth_;
    use_flow<P> const graph{&map_, &f};
    bool const simple = !calls_.any();
    auto transfer = [this, simple](use_flow<P> const&, program_step<P> const& s, element& at) {
      if (simple && s.kind != step_kind::assign) [[likely]] return;
      visit(s, at);
    };
    static_cast<void>(solve_into<backward>(out_.facts, graph, out_.policy.use_lattice(), transfer));
    --depth_;
    state.active = false;
    state.solved = true;
  }

  void visit(program_step<P> const& s, element& at) {
    switch (s.kind) {
      case step_kind::assign:
        at = out_.policy.use_of(out_.names->meshes.intern(ir_traits<P>::mesh_of(map_.program(), s.v)),
                                Policy::keeps_labels ? out_.names->label(label_of(map_.program(), s.o))
                                                     : mesh_names::no_label);
        break;
      case step_kind::call: visit_call(s.o); break;
      default: calls_.for_each_argument(s.number, [&](fact_number a) { static_cast<void>(join(s.number, fact(a))); });
    }
  }

  /// The needs for the call's results are known by now. What they mean for its operands is found by solving the callee
  /// again whenever more of its results is needed than before. Calls that were visited earlier, later ones in the
  /// program, are not revisited; the callee's own sets show the union over all calls.
  void visit_call(op_t<P> call) {
    function const* f = map_.callee(call);
    if (f == nullptr) return;
    callee_state const& state = state_[map_.index_of(*f)];
    if (state.active || depth_ >= options_.max_call_depth) {
      ++out_.cut_calls;
      return;
    }
    P const& p = map_.program();
    std::vector<fact_number> arguments;
    for (auto&& a : mpmd::arguments(p, f->o)) arguments.push_back(map_.number(a));
    // A call whose result feeds another call of the same function is needed more as the callee's arguments grow, so
    // it is repeated until nothing grows. Each round adds a mesh or label to a set, so rounds are finite.
    for (bool chained = true; chained;) {
      chained = false;
      change grew = changed_if(!state.solved);
      std::uint32_t i = 0;
      for (auto&& r : ir_traits<P>::results(p, call)) {
        if (i == f->result_count) break;
        fact_number const n = map_.number(r);
        calls_.for_each_argument(n, [&](fact_number a) {
          chained |= std::find(arguments.begin(), arguments.end(), a) != arguments.end();
          static_cast<void>(join(n, fact(a)));
        });
        grew |= join(f->result(i++), fact(n));
      }
      if (grew == change::no) break;
      solve_function(*f);
    }
    static_cast<void>(join_operands(p, call, f));
  }

  use_set_facts<P, Policy>& out_;
  program_map<P> const& map_;
  set_options const& options_;
  call_uses<P> calls_;
  std::vector<callee_state> state_;
  std::uint32_t depth_ = 0;
};

}  // namespace detail

/// The use sets of a mapped program, with names that others share.
template <mpmd_program P, class Policy = plain_sets>
use_set_facts<P, Policy> use_sets(std::shared_ptr<program_map<P> const> map, std::shared_ptr<mesh_names> names,
                                  set_options const& options = {}, Policy policy = {}) {
  auto const bottom = policy.use_lattice().bottom();
  use_set_facts<P, Policy> out(std::move(map), std::move(names), std::move(policy), bottom);
  detail::use_set_run<P, Policy>(out, options).run();
  return out;
}

/// The use set of every value of a program: of its entry functions, and of the functions these call. Linear in the
/// program, times the number of times that a callee's needs grow.
///
/// Reads nothing but the concept's members, changes nothing, reports nothing. Functions nobody calls have empty sets.
template <class Policy = plain_sets, class P>
auto use_sets(P const& p, set_options const& options = {}, Policy policy = {}) {
  if constexpr (detail::check_mpmd_program<P>::passed)
    return use_sets(std::make_shared<program_map<P> const>(p), std::make_shared<mesh_names>(), options,
                    std::move(policy));
}

/// The use sets that an earlier pass left on the ops, as they stand there.
template <mpmd_program P, class Policy = plain_sets>
use_set_facts<P, Policy> stored_use_sets(std::shared_ptr<program_map<P> const> map,
                                         std::shared_ptr<mesh_names> names, Policy policy = {}) {
  auto const bottom = policy.use_lattice().bottom();
  use_set_facts<P, Policy> out(std::move(map), std::move(names), std::move(policy), bottom);
  for_each_set(
      *out.map, set_kind::use, [&out](mesh_annotation const& a) { return out.policy.read_use(*out.names, a); },
      [&out](program_step<P> const& s, typename Policy::use_element const& set) { out.at(s.number) = set; });
  return out;
}

}  // namespace mpmd
