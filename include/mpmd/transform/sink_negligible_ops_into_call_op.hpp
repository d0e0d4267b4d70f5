#pragma once
/// -mpmd-sink-negligible-ops-into-call-op: constants that every call of a function hands in move into it.

#include <cstddef>
#include <iterator>
#include <ranges>
#include <string_view>
#include <tuple>
#include <unordered_set>
#include <vector>

#include <mpmd/support/diagnostics.hpp>
#include <mpmd/transform/calls_by_callee.hpp>
#include <mpmd/transform/fragments.hpp>
#include <mpmd/transform/simplify_region_op.hpp>

namespace mpmd {

/// Where all calls of a function with a topology, none of them an ordinary one, hand in one value, made by an op without
/// operands, with one result and without effects, the function gets that op at its start in the place of the argument; ops
/// that nobody uses behind it go from the callers. O(program + arguments * calls).
struct sink_negligible_ops_into_call_op {
  static constexpr std::string_view name = "mpmd-sink-negligible-ops-into-call-op";
  static constexpr std::string_view summary = "Move constants that all calls of a function hand in into it";
  static constexpr auto options = std::tuple{};

  template <mutable_mpmd_program P>
  bool operator()(P& p, diagnostics&) const {
    using traits = ir_traits<P>;
    calls_by_callee<P> const calls(p);
    std::vector<op_t<P>> callers;  // that may have dead ops now
    std::unordered_set<op_t<P>> known;
    for (op_t<P> const f : functions(p)) {
      auto const& sites = calls.of(f);
      if (sites.empty() || !takes_part(p, f) || is_entry(p, f) || !calls.ordinary(f).empty()) continue;
      std::vector<value_t<P>> arguments;
      for (auto&& a : mpmd::arguments(p, f)) arguments.push_back(a);
      if (arguments.empty()) continue;  // a function without a body, too
      std::vector<std::size_t> sunk;
      op_t<P> const first = body_of(p, f).front();
      for (std::size_t i = 0; i < arguments.size(); ++i) {
        op_t<P> const made_by = common_producer(p, sites, i);
        if (!made_by) continue;
        value_map<P> map;
        op_t<P> const copy = traits::clone(p, made_by, map, insertion_point<P>::before(first));
        replace_uses(p, arguments[i], result_of(p, copy));
        sunk.push_back(i);
      }
      if (sunk.empty()) continue;
      traits::erase_arguments(p, f, sunk);
      traits::update_signature(p, f);
      for (op_t<P> const call : sites) {
        drop_operands(p, call, sunk);
        op_t<P> const caller = function_around(p, call);
        if (known.insert(caller).second) callers.push_back(caller);
      }
    }
    for (op_t<P> const f : callers) erase_dead_ops(p, f);
    return true;
  }

 private:
  template <mutable_mpmd_program P>
  static op_t<P> common_producer(P const& p, std::vector<op_t<P>> const& sites, std::size_t i) {
    using traits = ir_traits<P>;
    value_t<P> common{};
    for (op_t<P> const call : sites) {
      auto&& operands = traits::operands(p, call);
      if (static_cast<std::size_t>(std::ranges::distance(operands)) <= i) return {};
      value_t<P> const v = *std::ranges::next(std::ranges::begin(operands), static_cast<std::ptrdiff_t>(i));
      if (common == value_t<P>{}) common = v;
      if (!(v == common)) return {};
    }
    op_t<P> const made_by = mpmd::defining_op(p, common);
    if (!made_by || traits::role_of(p, made_by) != role::compute) return {};
    bool const from_nothing = operands_of(p, made_by).empty() && results_of(p, made_by).size() == 1;
    return from_nothing && traits::is_pure(p, made_by) ? made_by : op_t<P>{};
  }
};

}  // namespace mpmd
