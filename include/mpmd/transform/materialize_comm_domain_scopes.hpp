#pragma once
/// -materialize-comm-domain-scopes: puts a scope for each communication domain around the body of a host function, and
/// lets the types of windows refer to the buffers in its slots.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <mpmd/analysis/window_messages.hpp>
#include <mpmd/analysis/window_trace.hpp>
#include <mpmd/analysis/window_variables.hpp>
#include <mpmd/graph/mutable_window_program.hpp>
#include <mpmd/support/diagnostics.hpp>
#include <mpmd/support/option.hpp>

namespace mpmd {

/// Functions without allocations, and those that have scopes already, are left alone: a second run changes nothing. The
/// first function, by name, with a fault has it reported, and then nothing is changed anywhere.
///
/// Besides views, whatever is surely a window over one allocation gets its reference: other names for a view, what loops
/// and branches hand on, results of collectives. A variable that is a window over one allocation here and over another
/// there is made two.
struct materialize_comm_domain_scopes {
  static constexpr std::string_view name = "materialize-comm-domain-scopes";
  static constexpr std::string_view summary =
      "Find which devices share which window buffers, and put a scope for each such domain around host functions";
  bool widen_devices = false;
  static constexpr auto options =
      std::tuple{option{"widen-devices", &materialize_comm_domain_scopes::widen_devices,
                        "Accept devices and bounds computed from literals and loop variables"}};

  template <mutable_window_program P>
  bool operator()(P& p, diagnostics& diags) const {
    auto const trace = trace_windows(p, {.widen = widen_devices});
    std::vector<std::vector<window_variable<value_t<P>>>> variables(trace.functions.size());
    for (std::uint32_t f = 0; f < trace.functions.size(); ++f) {
      auto const& function = trace.functions[f];
      if (function.materialised || function.first_allocation == function.end_of_allocations) continue;
      if (function.wrong && !report(trace, function, diags)) return false;
      variables[f] = window_variables(trace, f);
      if (!check_variables(trace, function, variables[f], diags) || !check_sizes(trace, function, diags)) return false;
      warn_of_late_loops(trace, f, diags);
      warn_of_nested_windows(trace, function, diags);
      warn_of_split_collectives(trace, function, diags);
      warn_of_empty_buffers(trace, function, diags);
    }
    for (std::uint32_t f = 0; f < trace.functions.size(); ++f)
      if (!trace.functions[f].domains.empty() && !trace.functions[f].materialised)
        change(p, trace, trace.functions[f], variables[f]);
    return true;
  }

 private:
  template <class Trace>
  static bool report(Trace const& trace, typename Trace::function const& f, diagnostics& diags) {
    diags.emit(describe(trace, f));
    return false;
  }

  template <class P, class Variables>
  static bool check_variables(window_trace<P> const& trace, typename window_trace<P>::function const&,
                              Variables const& variables, diagnostics& diags) {
    auto const at_fault = [](auto const& part) { return part.origin == window_trace<P>::several && part.viewed; };
    // Part of an expression has no name; the variable that is set to it does.
    auto part = std::find_if(variables.begin(), variables.end(), [&](auto const& each) {
      return at_fault(each) && is_variable(trace.program(), each.v);
    });
    if (part == variables.end()) part = std::find_if(variables.begin(), variables.end(), at_fault);
    if (part == variables.end()) return true;
    diagnostic d{severity::error, "window.several-allocations", {}, {}, {}};
    d.message = std::string(detail::window_prefix) +
                (is_variable(trace.program(), part->v)
                     ? "variable '" + std::string(value_name(trace.program(), part->v)) + "'"
                     : std::string("this")) +
                " is a window over several allocations where its uses meet, and its type can refer to one only";
    for (window_node const n : part->definitions) {
      auto const a = trace.origin(n);
      auto const at = window_place(trace.program(), trace.graph.nodes[n].o);
      if (d.where.line == 0) d.where = at;
      if (a < window_trace<P>::several)
        d.notes.push_back({at, "here over '" + std::string(trace.graph.allocations[a].name) + "'"});
    }
    d.notes.push_back({d.where, std::string(detail::text_of(window_fault::several_allocations).advice)});
    diags.emit(d);
    return false;
  }
  // A scope lists its devices one by one.
  template <class P>
  static bool check_sizes(window_trace<P> const& trace, typename window_trace<P>::function const& f,
                          diagnostics& diags) {
    constexpr std::uint64_t most = std::uint64_t{1} << 24;
    for (auto const& d : f.domains) {
      if (d.devices.is_all() || d.devices.size() <= most) continue;
      auto const& first = trace.graph.allocations[d.allocations.front()];
      diags.error(window_place(trace.program(), first.o), "window.too-many-devices",
                  std::string(detail::window_prefix) + "'" + std::string(first.name) + "' is on " +
                      std::to_string(d.devices.size()) + " devices, more than a scope can list; loop up to " +
                      "pld.world_size() to mean all of them");
      return false;
    }
    return true;
  }

  template <class P, class Variables>
  static void change(P& p, window_trace<P> const& trace, typename window_trace<P>::function const& f,
                     Variables const& variables) {
    using traits = ir_traits<P>;
    auto const& graph = trace.graph;
    std::vector<allocated_buffer<op_t<P>, value_t<P>>> buffers;
    for (auto i = f.first_allocation; i < f.end_of_allocations; ++i)
      buffers.push_back({graph.allocations[i].o, graph.allocations[i].v});
    std::vector<window_t<P>> windows;
    for (auto const& w : traits::create_windows(p, f.o, std::span<allocated_buffer<op_t<P>, value_t<P>> const>(buffers)))
      windows.push_back(w);

    detail::value_numbers<P> number(p);
    struct names_of {
      bool fixed = false;                                // its type is not its own
      std::map<std::uint32_t, value_t<P>> by_origin = {};  // what it is called now
    };
    std::map<std::uint32_t, names_of> named;  // by variable
    for (auto const& part : variables) {
      if (part.origin >= window_trace<P>::several || !is_variable(p, part.v) || !is_window_type(p, part.v)) continue;
      // A parameter keeps its type, and what a loop carries has that of its first value. What such a variable is set to
      // later is another variable, if it can be told apart.
      auto const [at, is_new] = named.try_emplace(number(part.v));
      auto& [fixed, names] = at->second;
      if (is_new) fixed = traits::is_parameter(p, part.v) || traits::follows_types(p, part.v);
      if (fixed && std::any_of(part.definitions.begin(), part.definitions.end(), [&](window_node n) {
            return graph.nodes[n].kind == window_node_kind::opaque || graph.nodes[n].kind == window_node_kind::merge;
          }))
        continue;
      bool const first = names.empty();
      auto const [called, is_fresh] = names.try_emplace(part.origin);
      if (is_fresh) called->second = first && !fixed ? part.v : traits::split_variable(p, f.o, part.v);
      value_t<P> const now = called->second;
      if (!(now == part.v)) {
        for (auto const m : part.mentions) traits::replace_mention(p, graph.mentions[m].o, part.v, now);
        for (window_node const n : part.definitions) traits::replace_set(p, graph.nodes[n].o, part.v, now);
      }
    }
    // Types last, when every use is one of its own variable: they spread to what takes them over.
    for (auto const& part : variables) {
      auto const names = named.find(number(part.v));
      if (names == named.end()) continue;
      auto const called = names->second.by_origin.find(part.origin);
      if (called != names->second.by_origin.end() && !traits::window_of(p, called->second))
        traits::set_window(p, called->second, windows[part.origin - f.first_allocation]);
    }
    for (auto const& part : variables)
      for (window_node const n : part.definitions)
        if (graph.nodes[n].kind == window_node_kind::copy || graph.nodes[n].kind == window_node_kind::view)
          traits::match_window(p, graph.nodes[n].o);

    std::vector<scope_recipe<op_t<P>, window_t<P>>> scopes;
    for (auto const& d : f.domains) {
      scope_recipe<op_t<P>, window_t<P>> scope;
      scope.name = "comm_d" + std::to_string(scopes.size());
      if (!d.devices.is_all())
        for (auto const& run : d.devices.intervals()) scope.devices.push_back({run.first, run.last});
      for (auto const a : d.allocations) scope.windows.push_back(windows[a - f.first_allocation]);
      scope.first = graph.allocations[d.allocations.front()].o;
      scopes.push_back(std::move(scope));
    }
    traits::add_scopes(p, f.o, std::span<scope_recipe<op_t<P>, window_t<P>> const>(scopes));
  }
};

}  // namespace mpmd
