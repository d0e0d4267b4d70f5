#pragma once
/// Src sets: on which meshes can a value exist without a new transfer?
///
/// Forward, intersection (mesh inference of Shardy's mpmd dialect). A value taken off a mesh can be on that mesh, and
/// wherever the same tensor is transferred; an argument of an entry function wherever it is used; an ordinary op where
/// all its operands can be. Unspecified means anywhere; an empty set means nowhere.
///
/// Where operands share no mesh but the op is an associative combination, it is a cross-mesh reduction: its set is the
/// union, and the op is reported in `reductions`. Whether it may become one is for a pass to decide.

#include <cstdint>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include <mpmd/analysis/set_facts.hpp>
#include <mpmd/analysis/use_sets.hpp>
#include <mpmd/analysis/value_origins.hpp>
#include <mpmd/dataflow/solver.hpp>

namespace mpmd {

/// Why an argument or an unassigned argument may be on a mesh, and why a transferred tensor may.
inline constexpr std::string_view inferred_in_label = "inferred_in";
inline constexpr std::string_view transfer_label = "transfer";

/// What src_sets() returns.
template <mpmd_program P, class Policy = plain_sets>
struct src_set_result : src_set_facts<P, Policy> {
  using src_set_facts<P, Policy>::src_set_facts;
  /// By fact: the kind of cross-mesh reduction seen in the op, `none` for most; empty if there is none at all.
  std::vector<reduction_kind> reductions;

  reduction_kind reduction(fact_number n) const {
    return n < reductions.size() ? reductions[n] : reduction_kind::none;
  }
  /// The set of an op without results: the intersection over its operands.
  typename Policy::src_element sink(op_t<P> o) const {
    auto all = Policy::unspecified();
    for (auto&& v : ir_traits<P>::operands(this->map->program(), o))
      static_cast<void>(this->policy.src_lattice().join(all, this->at(this->map->number(v))));
    return all;
  }
};

namespace detail {

template <mpmd_program P, class Policy>
class src_set_run {
 public:
  using element = typename Policy::src_element;
  using function = typename program_map<P>::function;

  src_set_run(src_set_result<P, Policy>& out, use_set_facts<P, Policy> const& uses, set_options const& options)
      : out_(out), uses_(uses), map_(*out.map), options_(options), active_(map_.functions().size()) {}

  void run() {
    if (options_.from_annotations) {
      for_each_set(
          map_, set_kind::src, [this](mesh_annotation const& a) { return out_.policy.read_src(*out_.names, a); },
          [this](program_step<P> const& s, element const& set) { static_cast<void>(join(s.number, set)); });
      read_reductions();
    }
    value_origins<P> const from(map_);
    if (from.any_calls()) {
      origins_.resize(map_.bound());
      std::iota(origins_.begin(), origins_.end(), fact_number{0});
      from.for_each([&](fact_number n, value_t<P> v) { origins_[n] = number_seen(n, v); });
    }
    for (function const& f : map_.functions())
      if (f.entry) solve_function(f);
    if (from.any_calls()) settle(from);
  }

 private:
  element const& fact(fact_number n) const { return std::as_const(out_).at(n); }
  bool is_assigned(value_t<P> v) const {
    op_t<P> const d = mpmd::defining_op(map_.program(), v);
    return d && ir_traits<P>::role_of(map_.program(), d) == role::assign;
  }
  /// Whose fact users of result `n`, which comes from `v`, are led to. A value on a mesh says nothing about where its
  /// users can be; the result itself keeps no fact while the program is walked.
  fact_number number_seen(fact_number n, value_t<P> v) const { return is_assigned(v) ? n : map_.number(v); }
  /// What a user of the value sees.
  element seen(value_t<P> v) const {
    if (is_assigned(v)) return Policy::unspecified();
    fact_number const n = map_.number(v);
    return fact(origins_.empty() ? n : origins_[n]);
  }
  /// Gives results of calls, loops and functions what is known of where they come from now that all is.
  void settle(value_origins<P> const& from) {
    from.for_each([this](fact_number n, value_t<P>) {
      if (origins_[n] != n) out_.at(n) = element(fact(origins_[n]));
    });
    for (function const& f : map_.functions()) {
      if (!f.terminator) continue;
      std::uint32_t i = 0;
      for (auto&& v : ir_traits<P>::operands(map_.program(), f.terminator)) out_.at(f.result(i++)) = seen(v);
    }
  }
  change join(fact_number into, element const& from) { return out_.policy.src_lattice().join(out_.at(into), from); }

  void solve_function(function const& f) {
    active_[map_.index_of(f)] = true;
    ++depth_;
    src_flow<P> const graph{&map_, &f, nullptr, origins_.empty() ? nullptr : &origins_};
    auto transfer = [this, &f](src_flow<P> const&, program_step<P> const& s, element& at) {
      if (s.kind == step_kind::op && !Policy::is_specified(at)) [[likely]] return;
      visit(f, s, at);
    };
    static_cast<void>(solve_into<forward>(out_.facts, graph, out_.policy.src_lattice(), transfer));
    --depth_;
    active_[map_.index_of(f)] = false;
  }

  void visit(function const& f, program_step<P> const& s, element& at) {
    switch (s.kind) {
      case step_kind::argument:
        if (f.entry) from_uses(at, s);
        break;
      case step_kind::source:
        if (ir_traits<P>::role_of(map_.program(), s.o) == role::unassign) unassigned(f, s, at);
        break;
      case step_kind::op: try_reduction(s, at); break;
      case step_kind::call: visit_call(s.o); break;
      default: break;
    }
  }

  /// An argument of an entry function can be brought to every mesh that needs it.
  void from_uses(element& at, program_step<P> const& s) {
    element wanted = Policy::unspecified();
    std::uint32_t const why = out_.names->label(inferred_in_label);
    std::vector<std::uint32_t> meshes;
    uses_.policy.for_each_use(uses_.at(s.number), [&](std::uint32_t mesh) { meshes.push_back(mesh); });
    if (!meshes.empty()) out_.policy.add(wanted, meshes, why);
    if (Policy::is_specified(wanted)) at = wanted;
  }

  void unassigned(function const& f, program_step<P> const& s, element& at) {
    using traits = ir_traits<P>;
    P const& p = map_.program();
    at = Policy::unspecified();
    auto&& operands = traits::operands(p, s.o);
    if (std::ranges::begin(operands) == std::ranges::end(operands)) return;
    value_t<P> const placed = *std::ranges::begin(operands);
    out_.policy.add(at, {mesh(placed)}, out_.names->label(label_of(p, s.o)));
    if constexpr (has_uses<P>) {
      std::vector<std::uint32_t> meshes;
      for (auto const& u : traits::uses(p, placed))
        if (traits::role_of(p, u.user) == role::transfer)
          for (auto&& moved : traits::results(p, u.user)) meshes.push_back(mesh(moved));
      if (!meshes.empty()) out_.policy.add(at, std::move(meshes), out_.names->label(transfer_label));
      if (f.entry && !mpmd::defining_op(p, placed)) {
        // An argument that comes on a mesh moves as freely as one that does not.
        meshes.clear();
        for (auto const& u : traits::uses(p, s.v))
          uses_.policy.for_each_use(needed_by(u.user, u.index), [&](std::uint32_t m) { meshes.push_back(m); });
        if (!meshes.empty()) out_.policy.add(at, std::move(meshes), out_.names->label(inferred_in_label));
      }
    }
  }
  std::uint32_t mesh(value_t<P> v) { return out_.names->meshes.intern(ir_traits<P>::mesh_of(map_.program(), v)); }

  /// What one use of a value needs.
  typename Policy::use_element needed_by(op_t<P> user, std::size_t index) const {
    using traits = ir_traits<P>;
    P const& p = map_.program();
    auto const nothing = uses_.policy.use_lattice().bottom();
    auto argument = [&](op_t<P> of) {
      std::size_t i = 0;
      for (auto&& a : mpmd::arguments(p, of))
        if (i++ == index) return uses_.at(map_.number(a));
      return nothing;
    };
    for (op_t<P> o = user; o;) {
      switch (traits::role_of(p, o)) {
        case role::reduce:
        case role::broadcast:
        case role::unassign: return nothing;
        case role::call: {
          auto const* g = map_.callee(o);
          return g == nullptr ? nothing : argument(g->o);
        }
        case role::loop:
          if (o == user) return argument(o);
          break;
        case role::compute:
        case role::assign:
          // Inside the region of an ordinary op only that op's own set counts.
          for (auto&& r : traits::results(p, o)) {
            auto const& own = uses_.at(map_.number(r));
            if (own != nothing) return own;
            break;
          }
          break;
        default: break;
      }
      if constexpr (requires { traits::parent_op(p, o); })
        o = traits::parent_op(p, o);
      else
        break;
    }
    return nothing;
  }

  /// Called with the intersection over the operands.
  void try_reduction(program_step<P> const& s, element& at) {
    auto const r = reduction_of(map_.program(), s.o);
    if (r.kind == reduction_kind::none) return;
    element all = Policy::unspecified();
    bool chained = false;
    for (auto&& v : ir_traits<P>::operands(map_.program(), s.o)) {
      element const from = seen(v);
      // A conflict further up is not covered up by a reduction down here.
      if (out_.policy.is_empty(from)) return;
      out_.policy.unite(all, from);
      chained |= out_.reduction(map_.owner(v)) == r.kind;
    }
    if (!out_.policy.is_empty(at) && !chained) return;
    mark(s.number, r.kind);
    if (r.paired) mark(map_.number(map_.first_result(r.paired)), r.kind);
    at = all;
  }
  void mark(fact_number n, reduction_kind kind) {
    if (out_.reductions.empty()) out_.reductions.assign(map_.bound(), reduction_kind::none);
    out_.reductions[n] = kind;
  }
  void read_reductions() {
    if constexpr (requires(P const& p, op_t<P> o) { ir_traits<P>::reduction_annotation(p, o); })
      for (function const& f : map_.functions())
        walk_steps<false>(map_, f, [this](program_step<P> const& s) {
          if (s.kind != step_kind::op) return;
          auto const k = ir_traits<P>::reduction_annotation(map_.program(), s.o);
          if (k != reduction_kind::none) mark(s.number, k);
        });
  }

  /// Several calls meet in the callee by intersection, in program order. What uses a call's result is led to what the
  /// callee returns, as it is known by then; what stands before a later call that narrows the callee's arguments is not
  /// revised, as the callee then shows the conflict.
  void visit_call(op_t<P> call) {
    function const* f = map_.callee(call);
    if (f == nullptr) return;
    if (active_[map_.index_of(*f)] || depth_ >= options_.max_call_depth) {
      ++out_.cut_calls;
      return;
    }
    P const& p = map_.program();
    std::vector<value_t<P>> operands;
    for (auto&& v : ir_traits<P>::operands(p, call)) operands.push_back(v);
    std::size_t i = 0;
    for (auto&& a : mpmd::arguments(p, f->o)) {
      if (i == operands.size()) break;
      // In the order of the meshes, and of the reasons, of the last call.
      fact_number const n = map_.number(a);
      element given = seen(operands[i++]);
      static_cast<void>(out_.policy.src_lattice().join(given, fact(n)));
      out_.at(n) = std::move(given);
    }
    solve_function(*f);
  }

  src_set_result<P, Policy>& out_;
  use_set_facts<P, Policy> const& uses_;
  program_map<P> const& map_;
  set_options const& options_;
  std::vector<bool> active_;
  std::vector<fact_number> origins_;  // by number; empty for a program without calls
  std::uint32_t depth_ = 0;
};

}  // namespace detail

/// The src set of every value of a program, given its use sets. One forward sweep: linear in the program, times the
/// calls of each function. Shares numbers and names with the use sets.
template <mpmd_program P, class Policy>
src_set_result<P, Policy> src_sets(use_set_facts<P, Policy> const& uses, set_options const& options = {}) {
  src_set_result<P, Policy> out(uses.map, uses.names, uses.policy, Policy::unspecified());
  detail::src_set_run<P, Policy>(out, uses, options).run();
  return out;
}

/// The same for a program whose use sets nobody has asked for yet.
template <class Policy = plain_sets, class P>
auto src_sets(P const& p, set_options const& options = {}, Policy policy = {}) {
  if constexpr (detail::check_mpmd_program<P>::passed) return src_sets(use_sets(p, options, std::move(policy)), options);
}

}  // namespace mpmd
