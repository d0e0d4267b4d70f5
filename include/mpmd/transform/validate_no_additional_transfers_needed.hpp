#pragma once
/// -mpmd-infer-mesh-validate-no-additional-transfers-needed: checks that everything can be where it is needed.

#include <cstdint>
#include <set>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <mpmd/analysis/stored_sets.hpp>
#include <mpmd/graph/mutable_program.hpp>
#include <mpmd/support/diagnostics.hpp>
#include <mpmd/support/option.hpp>
#include <mpmd/transform/placement_report.hpp>

namespace mpmd {

/// Reports each op, assign and argument whose use set is not within its src set, users before what they use, and of
/// what one cause brings about only the first; further each call that passes a result to another call of the same
/// function where the two sets differ. Reads the sets, and changes nothing. False when there was an error; each says
/// what needs the value, what keeps it away, and what can be done. Near-linear in the program, and linear in what is
/// said of each error.
struct validate_no_additional_transfers_needed {
  std::int64_t error_limit = 5;

  static constexpr std::string_view name = "mpmd-infer-mesh-validate-no-additional-transfers-needed";
  static constexpr std::string_view summary = "Check that every op can be where it is needed without new transfers";
  static constexpr auto options =
      std::tuple{option{"error-limit", &validate_no_additional_transfers_needed::error_limit,
                        "How many errors are reported, or -1 for all"}};

  option_fault find_fault() const { return error_counter::find_fault(error_limit); }

  template <mutable_mpmd_program P>
  bool operator()(P& p, diagnostics& diags) const {
    error_counter errors(error_limit);
    if (!options_are_sound(*this, diags)) return false;
    checker<P> check(p, errors, diags);
    for (bool const entry : {false, true})
      for (auto const& f : check.sets.map().functions())
        if (f.entry == entry) check.in_function(f);
    return !check.failed;
  }

 private:
  template <mutable_mpmd_program P>
  struct checker {
    using traits = ir_traits<P>;
    using function = typename program_map<P>::function;

    checker(P const& p, error_counter& found, diagnostics& to)
        : program(p), sets(p), report(p, sets), errors(found), diags(to) {}

    P const& program;
    stored_sets<P> sets;
    placement_report<P> report;
    error_counter& errors;
    diagnostics& diags;
    bool failed = false;
    std::unordered_set<op_t<P>> bad_ops;
    std::unordered_set<value_t<P>> bad_arguments;
    std::unordered_map<op_t<P>, std::vector<value_t<P>>> arguments_of;  // of functions that call chains lead into
    std::set<std::tuple<std::size_t, std::uint32_t, std::uint32_t>> mismatches;

    void in_function(function const& f) {
      walk_steps<true>(sets.map(), f, [&](program_step<P> const& s) {
        if (errors.reached()) return;
        if (s.kind == step_kind::call)
          in_call(s.o);
        else if (s.kind == step_kind::op || s.kind == step_kind::sink || s.kind == step_kind::assign)
          in_op(s.o);
      });
      std::uint32_t i = 0;
      for (auto&& a : mpmd::arguments(program, f.o)) {
        if (errors.reached()) return;
        in_argument(f, a, i++);
      }
    }
    void in_op(op_t<P> o) {
      if (within(sets.on(o, set_kind::use), sets.on(o, set_kind::src))) return;
      failed = true;
      bool known = false;
      for (auto&& r : traits::results(program, o)) known = known || used_by_bad(r);
      bad_ops.insert(o);
      if (known) return;
      errors.count();
      report.needs_transfer(o, diags);
    }
    void in_argument(function const& f, value_t<P> v, std::uint32_t i) {
      if (within(sets.use(v), sets.src(v))) return;
      failed = true;
      bad_arguments.insert(v);
      if (used_by_bad(v)) return;
      errors.count();
      report.needs_transfer(f, v, i, diags);
    }
    /// Whether a use of the value has failed, which then is the cause.
    bool used_by_bad(value_t<P> v) {
      if (bad_ops.empty() && bad_arguments.empty()) return false;
      for (auto const& u : traits::uses(program, v)) {
        op_t<P> user = u.user;
        if (auto const* to = traits::role_of(program, user) == role::call ? sets.map().callee(user) : nullptr) {
          auto const& arguments = arguments_in(to->o);
          if (u.index < arguments.size() && bad_arguments.contains(arguments[u.index])) return true;
          continue;
        }
        // What is used inside the region of an ordinary op is used by that op.
        for (op_t<P> o = user; o && traits::role_of(program, o) != role::other; o = traits::parent_op(program, o))
          if (bad_ops.contains(o)) return true;
      }
      return false;
    }
    void in_call(op_t<P> call) {
      auto const* f = sets.map().callee(call);
      if (f == nullptr) return;
      std::uint32_t result = 0;
      for (auto&& r : traits::results(program, call)) {
        for (auto const& u : traits::uses(program, r)) {
          if (traits::role_of(program, u.user) != role::call || sets.map().callee(u.user) != f) continue;
          auto const& arguments = arguments_in(f->o);
          auto const i = static_cast<std::uint32_t>(u.index);
          if (result >= f->result_count || i >= arguments.size() || errors.reached()) continue;
          if (sets.result_use(*f, result).same_meshes(sets.use(arguments[i]))) continue;
          failed = true;
          if (!mismatches.emplace(sets.map().index_of(*f), result, i).second) continue;
          errors.count();
          report.chain_mismatch(*f, result, u.user, arguments[i], i, diags);
        }
        ++result;
      }
    }
    std::vector<value_t<P>> const& arguments_in(op_t<P> f) {
      auto const [at, fresh] = arguments_of.try_emplace(f);
      if (fresh)
        for (auto&& a : mpmd::arguments(program, f)) at->second.push_back(a);
      return at->second;
    }
    static bool within(mesh_origins const& use, mesh_origins const& src) {
      constexpr std::size_t few = 8;
      if (!src.specified() || src.has_wildcard()) return true;
      if (use.entries().size() > src.entries().size()) return false;
      if (use.entries().size() <= few) {
        for (auto const& e : use.entries())
          if (!src.contains(e.mesh)) return false;
        return true;
      }
      mesh_origins both = use;
      both.intersect(src);
      return both.entries().size() == use.entries().size();
    }
  };
};

}  // namespace mpmd
