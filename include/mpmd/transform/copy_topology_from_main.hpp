#pragma once
/// -mpmd-copy-topology-from-main: what is called from a function with a topology has that topology too.

#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include <mpmd/graph/topology_program.hpp>
#include <mpmd/support/diagnostics.hpp>
#include <mpmd/transform/walk_ops.hpp>

namespace mpmd {

/// Every function that a function with a topology calls (by an mpmd call) gets that topology and is no longer
/// entered from outside; so do the functions which it calls itself, wherever they stand. Errors: a callee
/// that does not exist, and one that has another topology, from the program or from another caller; it keeps
/// the one it has. Linear.
struct copy_topology_from_main {
  static constexpr std::string_view name = "mpmd-copy-topology-from-main";
  static constexpr std::string_view summary =
      "Give callees the topology of their callers and make them private";
  static constexpr auto options = std::tuple{};

  template <topology_mpmd_program P>
  bool operator()(P& p, diagnostics& diags) const {
    using traits = ir_traits<P>;
    std::unordered_map<std::string, op_t<P>> by_name;
    std::vector<op_t<P>> todo;  // functions with a topology
    for (op_t<P> const f : functions(p)) {
      by_name.emplace(std::string(traits::function_name(p, f)), f);
      if (takes_part(p, f)) todo.push_back(f);
    }
    bool good = true;
    auto fail = [&](op_t<P> call, std::string message) {
      diags.error(traits::source_of(p, traits::location_of(p, call)), "call.topology", std::move(message));
      good = false;
    };
    for (std::size_t i = 0; i < todo.size(); ++i) {
      op_t<P> const f = todo[i];
      std::vector<op_t<P>> calls;
      walk_ops(p, f, [&](op_t<P> o) {
        if (traits::role_of(p, o) == role::call) calls.push_back(o);
      });
      for (op_t<P> const call : calls) {
        std::string const callee(traits::callee_name(p, call));
        auto const found = by_name.find(callee);
        if (found == by_name.end()) {
          fail(call, "there is no function '" + callee + "' to call");
          continue;
        }
        op_t<P> const g = found->second;
        if (!takes_part(p, g)) {
          traits::copy_topology(p, f, g);
          todo.push_back(g);
        } else if (!traits::has_same_topology(p, f, g)) {
          fail(call, "function '" + callee + "' has another topology than its caller '" +
                         std::string(traits::function_name(p, f)) +
                         "': one function cannot run on both; call a copy of it from one of the two");
          continue;
        }
        traits::close_entry(p, g);
      }
    }
    return good;
  }
};

}  // namespace mpmd
