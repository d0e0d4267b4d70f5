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
/// entered from outside, wherever it stands. Errors: a callee that does not exist; one that has another topology,
/// from the program or from another caller; and a call in a function that is to get its topology here, because mpmd calls
/// stand in entry functions only. Nothing changes then. Linear.
struct copy_topology_from_main {
  static constexpr std::string_view name = "mpmd-copy-topology-from-main";
  static constexpr std::string_view summary =
      "Give callees the topology of their callers and make them private";
  static constexpr auto options = std::tuple{};

  template <topology_mpmd_program P>
  bool operator()(P& p, diagnostics& diags) const {
    using traits = ir_traits<P>;
    std::unordered_map<std::string, op_t<P>> by_name;
    std::vector<op_t<P>> todo;  // functions with a topology; behind `given` of them those that are to get one
    for (op_t<P> const f : functions(p)) {
      by_name.emplace(std::string(traits::function_name(p, f)), f);
      if (takes_part(p, f)) todo.push_back(f);
    }
    std::size_t const given = todo.size();
    std::unordered_map<op_t<P>, op_t<P>> source;  // of the topology that a function gets
    std::vector<op_t<P>> called;
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
      std::string const caller(traits::function_name(p, f));
      for (op_t<P> const call : calls) {
        std::string const callee(traits::callee_name(p, call));
        auto const found = by_name.find(callee);
        if (found == by_name.end()) {
          fail(call, "there is no function '" + callee + "' to call");
          continue;
        }
        if (i >= given) {
          fail(call, "function '" + caller + "' is to run on meshes, because an entry function calls it, and cannot call '" +
                         callee + "' by mpmd.call: make this a func.call, for -inline to put '" + callee + "' in its place");
          continue;
        }
        op_t<P> const g = found->second;
        bool const fresh = !takes_part(p, g) && source.emplace(g, f).second;
        if (fresh) {
          todo.push_back(g);
        } else if (auto const from = source.find(g);
                   !traits::has_same_topology(p, f, from == source.end() ? g : from->second)) {
          fail(call, "function '" + callee + "' has another topology than its caller '" + caller +
                         "': one function cannot run on both; call a copy of it from one of the two");
          continue;
        }
        called.push_back(g);
      }
    }
    if (!good) return false;
    for (std::size_t i = given; i < todo.size(); ++i) traits::copy_topology(p, source.at(todo[i]), todo[i]);
    for (op_t<P> const g : called) traits::close_entry(p, g);
    return true;
  }
};

}  // namespace mpmd
