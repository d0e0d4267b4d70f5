#pragma once
/// -verify-comm-domain-scopes: checks that the scopes of a host program are as materialize_comm_domain_scopes makes them.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <mpmd/analysis/window_messages.hpp>
#include <mpmd/analysis/window_walk.hpp>
#include <mpmd/graph/mutable_window_program.hpp>
#include <mpmd/support/diagnostics.hpp>

namespace mpmd {

/// Reports every violation, and changes nothing: a scope without slots; a window in two slots; devices that are negative,
/// repeated or out of order; two scopes of one name in a function; a window whose buffer is not allocated in the function;
/// a variable whose type refers to a window that no slot around its assignment holds.
struct verify_comm_domain_scopes {
  static constexpr std::string_view name = "verify-comm-domain-scopes";
  static constexpr std::string_view summary = "Check the scopes of communication domains and what refers to their slots";
  static constexpr auto options = std::tuple{};

  template <mutable_window_program P>
  bool operator()(P& p, diagnostics& diags) const {
    std::size_t const before = diags.errors();
    std::unordered_map<std::size_t, std::string> slot_of;  // by window: the first scope that has it
    for (op_t<P> const& f : window_functions(p)) check_function(p, f, slot_of, diags);
    return diags.errors() == before;
  }

 private:
  template <class P>
  static void check_function(P const& p, op_t<P> f, std::unordered_map<std::size_t, std::string>& slot_of,
                             diagnostics& diags) {
    using traits = ir_traits<P>;
    using kind = typename window_step<op_t<P>>::kind;
    std::unordered_set<std::string> names;  // sets are asked for membership alone
    std::unordered_set<std::size_t> allocated, open;
    detail::value_numbers<P> number(p);
    std::vector<std::pair<op_t<P>, std::size_t>> bases;  // scope, variable
    for (auto const& s : window_steps(p, f)) {
      bool const scope = (s.what == kind::open || s.what == kind::close) && traits::is_scope(p, s.o);
      if (scope && s.what == kind::open) {
        check_scope<P>(p, s.o, names, slot_of, diags);
        for (auto&& w : traits::scope_windows(p, s.o)) {
          open.insert(traits::window_number(p, w));
          bases.emplace_back(s.o, number(traits::window_base(p, w)));
        }
      } else if (scope) {
        for (auto&& w : traits::scope_windows(p, s.o)) open.erase(traits::window_number(p, w));
      } else if (s.what == kind::op) {
        if (s.role == window_role::allocation)
          for (auto&& v : window_results(p, s.o)) allocated.insert(number(v));
        if (s.role == window_role::alias) note_alias<P>(p, s.o, number, allocated);
        for (auto&& v : window_results(p, s.o))
          if (auto const w = traits::window_of(p, v); w && !open.contains(traits::window_number(p, w)))
            diags.error(window_place(p, s.o), "scopes.foreign-window",
                        "the type of '" + std::string(value_name(p, v)) +
                            "' refers to a window that no CommDomainScopeStmt around it has in a slot");
      }
    }
    for (auto const& [scope, base] : bases)
      if (!allocated.contains(base))
        diags.error(window_place(p, scope), "scopes.no-allocation",
                    "CommDomainScopeStmt '" + std::string(traits::scope_name(p, scope)) +
                        "' has a slot over a pointer that no pld.tensor.alloc_window_buffer of the function sets");
  }
  template <class P>
  static void note_alias(P const& p, op_t<P> o, detail::value_numbers<P>& number,
                         std::unordered_set<std::size_t>& allocated) {
    bool from_allocation = false;
    for (auto&& v : window_operands(p, o)) from_allocation |= allocated.contains(number(v));
    if (!from_allocation) return;
    for (auto&& v : window_results(p, o)) allocated.insert(number(v));
  }
  template <class P>
  static void check_scope(P const& p, op_t<P> o, std::unordered_set<std::string>& names,
                          std::unordered_map<std::size_t, std::string>& slot_of, diagnostics& diags) {
    using traits = ir_traits<P>;
    std::string const called(traits::scope_name(p, o));
    auto error = [&](std::string_view id, std::string message) { diags.error(window_place(p, o), id, std::move(message)); };
    if (!names.insert(called).second) error("scopes.name", "a second CommDomainScopeStmt '" + called + "' in one function");
    std::size_t slots = 0;
    for (auto&& w : traits::scope_windows(p, o)) {
      ++slots;
      if (!w) {
        error("scopes.null-slot", "CommDomainScopeStmt '" + called + "' has a null slot");
        continue;
      }
      auto const [first, added] = slot_of.try_emplace(traits::window_number(p, w), called);
      if (!added)
        error("scopes.repeated-window", "WindowBuffer '" + std::string(value_name(p, traits::window_base(p, w))) +
                                            "' appears in multiple CommDomainScopeStmts ('" + first->second + "' and '" +
                                            called + "')");
    }
    if (slots == 0)
      error("scopes.no-slots", "CommDomainScopeStmt '" + called +
                                   "' has no slots — every comm-domain scope must carry at least one WindowBuffer");
    std::int64_t last = -1;
    for (device_run const& d : traits::scope_devices(p, o)) {
      if (d.first < 0 || d.first <= last || d.last < d.first) {
        error("scopes.devices", "CommDomainScopeStmt '" + called +
                                    "' must list its devices in ascending order, each once and none negative");
        break;
      }
      last = d.last;
    }
  }
};

}  // namespace mpmd
