#pragma once
/// -mpmd-call-inline: the body of a function takes the place of each call of it.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include <mpmd/support/diagnostics.hpp>
#include <mpmd/transform/calls_by_callee.hpp>
#include <mpmd/transform/fragments.hpp>

namespace mpmd {

/// Fragments and calls of fragments that come in with a body note all that the call noted: its call counter above all.
/// Calls of other kinds stay, and so do the functions that were called. Calls in called functions are inlined first.
///
/// Errors, behind which nothing is inlined: a callee that is not there, has no body, has several blocks or calls itself by
/// any way; more ops than `most_added_ops`. Linear in the program that results.
struct call_inline {
  static constexpr std::string_view name = "mpmd-call-inline";
  static constexpr std::string_view summary = "Put the bodies of called functions in the place of calls";
  static constexpr auto options = std::tuple{};

  template <mutable_mpmd_program P>
  bool operator()(P& p, diagnostics& diags) const {
    using traits = ir_traits<P>;
    calls_by_callee<P> const sites(p);
    std::unordered_map<op_t<P>, std::vector<op_t<P>>> inside;  // the calls in each function
    std::unordered_map<op_t<P>, std::size_t> sizes;            // of functions, at last with what is inlined
    std::vector<op_t<P>> order;                                // callees before callers
    std::size_t added = 0;
    bool good = true;
    for (op_t<P> const f : functions(p))
      walk_ops(p, f, [&](op_t<P> o) {
        ++sizes[f];
        if (traits::role_of(p, o) == role::call) inside[f].push_back(o);
      });
    enum class state : std::uint8_t { fresh, open, done };
    std::unordered_map<op_t<P>, state> states;
    for (op_t<P> const root : functions(p)) {
      if (states[root] != state::fresh) continue;
      std::vector<std::pair<op_t<P>, std::size_t>> path{{root, 0}};
      states[root] = state::open;
      while (!path.empty()) {
        auto& [f, next] = path.back();
        auto const& calls = inside[f];
        if (next == calls.size()) {
          for (op_t<P> const call : calls) {
            std::size_t const size = sizes[sites.function(traits::callee_name(p, call))];
            if (good && size > most_added_ops - added) {
              fail(p, call, "more than " + std::to_string(most_added_ops) + " ops would come in by calls", diags);
              good = false;
            }
            if (!good) break;
            added += size;
            sizes[f] += size;
          }
          order.push_back(f);
          states[f] = state::done;
          path.pop_back();
          continue;
        }
        op_t<P> const call = calls[next++];
        op_t<P> const callee = sites.function(traits::callee_name(p, call));
        if (!can_inline(p, call, callee, diags)) {
          good = false;
        } else if (states[callee] == state::open) {
          fail(p, call, "it calls itself, directly or through other functions", diags);
          good = false;
        } else if (states[callee] == state::fresh) {
          states[callee] = state::open;
          path.emplace_back(callee, 0);
        }
      }
    }
    if (!good) return false;
    for (op_t<P> const f : order)
      for (op_t<P> const call : inside[f]) inline_one(p, call, sites.function(traits::callee_name(p, call)));
    return true;
  }

 private:
  template <mutable_mpmd_program P>
  static void fail(P const& p, op_t<P> call, std::string const& why, diagnostics& diags) {
    diags.error(source_of(p, call), "call-inline",
                "Failed to inline " + std::string(ir_traits<P>::callee_name(p, call)) + ": " + why);
  }
  template <mutable_mpmd_program P>
  static bool can_inline(P const& p, op_t<P> call, op_t<P> callee, diagnostics& diags) {
    using traits = ir_traits<P>;
    if (!callee) return fail(p, call, "there is no function of that name", diags), false;
    std::size_t ends = 0;
    for (auto&& o : mpmd::body(p, callee)) ends += traits::role_of(p, o) == role::terminator ? 1 : 0;
    if (ends == 0) return fail(p, call, "the function has no body", diags), false;
    if (ends > 1) return fail(p, call, "the function has more than one block", diags), false;
    return true;
  }

  template <mutable_mpmd_program P>
  static void inline_one(P& p, op_t<P> call, op_t<P> callee) {
    using traits = ir_traits<P>;
    value_map<P> map;
    std::vector<value_t<P>> const operands = operands_of(p, call);
    std::size_t i = 0;
    for (auto&& a : mpmd::arguments(p, callee)) {
      if (i == operands.size()) break;  // what is left out is not used
      map[a] = operands[i++];
    }
    op_t<P> const end = terminator_of(p, callee);
    auto const here = insertion_point<P>::before(call);
    for (op_t<P> const o : body_of(p, callee)) {
      if (o == end) continue;
      op_t<P> const copy = traits::clone(p, o, map, here);
      if (traits::role_of(p, copy) == role::fragment) traits::add_notes(p, call, copy);
      if (traits::role_of(p, copy) == role::loop)
        walk_ops(p, copy, [&](op_t<P> inner) {
          bool const placed = traits::role_of(p, inner) == role::fragment;
          if (placed) traits::add_notes(p, call, inner);
          return !placed;
        });
    }
    i = 0;
    std::vector<value_t<P>> const returned = operands_of(p, end);
    for (value_t<P> const v : results_of(p, call)) {
      auto const at = map.find(returned[i]);
      replace_uses(p, v, at == map.end() ? returned[i] : at->second);
      ++i;
    }
    traits::erase(p, call);
  }
};

}  // namespace mpmd
