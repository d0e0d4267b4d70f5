#pragma once
/// Communication domains of a static_window_program, found while the program compiles: what trace_windows() finds at
/// run time, through the same solver.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include <mpmd/analysis/window_devices.hpp>
#include <mpmd/dataflow/solver.hpp>
#include <mpmd/graph/csr_graph.hpp>
#include <mpmd/graph/static_windows.hpp>
#include <mpmd/lattice/flat.hpp>
#include <mpmd/lattice/interval_powerset.hpp>
#include <mpmd/support/fixed_string.hpp>
#include <mpmd/support/verdict.hpp>

namespace mpmd {

/// What is wrong with a static window program: the fault and the op; none if nothing is.
struct static_window_problem {
  window_fault fault = window_fault::none;
  static_handle op = {};
  constexpr explicit operator bool() const { return fault != window_fault::none; }
};

namespace detail {

/// The steps of window_trace, for a straight list of ops each of which sets its own value.
template <class P>
class static_window_run {
  static constexpr auto n = static_cast<std::uint32_t>(P::op_count);

 public:
  std::vector<device_set> devices;             ///< by op
  std::vector<std::uint32_t> domain_of;        ///< by op, of allocations
  std::vector<std::uint32_t> representatives;  ///< by domain: the first allocation of it
  static_window_problem wrong;

  constexpr explicit static_window_run(P const& p) : p_(p) {
    find_origins();
    find_devices();
    wrong = find_problem();
    domain_of.assign(n, n);
    for (std::uint32_t i = 0; i < n && !wrong; ++i)
      if (p_.entries()[i].means == window_role::allocation) add_to_domain(i);
  }

 private:
  using origin_lattice = flat<std::uint32_t>;

  constexpr auto const& at(std::uint32_t i) const { return p_.entries()[i]; }
  constexpr std::uint32_t operand(std::uint32_t i, std::size_t k) const {
    return p_.operands(at(i).self)[k].number - 1;
  }
  /// The op whose memory is that of op `i`; `n` for one with memory of its own, or none.
  constexpr std::uint32_t source(std::uint32_t i) const {
    std::size_t which = 0;
    switch (at(i).means) {
      case window_role::view:
      case window_role::alias:
        break;
      case window_role::collective:
        which = facts_of(at(i).moves).result;
        break;
      default:
        return n;
    }
    return which < at(i).operand_count ? operand(i, which) : n;
  }
  constexpr bool is_window(std::uint32_t i) const { return origins_[i].has_value() && origins_[i].value() % 2 == 1; }
  /// Calls `f(operand)` for the operands of a collective that must be windows, data first.
  template <class F>
  constexpr void for_each_window(std::uint32_t i, F f) const {
    collective_facts const& facts = facts_of(at(i).moves);
    for (std::uint8_t const k : {facts.data, facts.receivers[0].operand, facts.receivers[1].operand})
      if (k != collective_facts::no_operand && k < at(i).operand_count) f(operand(i, k));
  }
  constexpr bool has_its_operands(std::uint32_t i) const {
    collective_facts const& facts = facts_of(at(i).moves);
    return at(i).operand_count >= facts.operands && at(i).operand_count <= facts.most_operands;
  }
  constexpr bool well_formed(std::uint32_t i) const {
    bool good = has_its_operands(i);
    for_each_window(i, [&](std::uint32_t v) { good = good && is_window(v); });
    return good;
  }
  constexpr std::uint32_t data_of(std::uint32_t i) const {
    collective_facts const& facts = facts_of(at(i).moves);
    return operand(i, facts.data == collective_facts::no_operand ? facts.receivers[0].operand : facts.data);
  }

  /// The rows of a graph from its edges, which are pairs of a row and what stands in it.
  struct rows {
    std::vector<std::uint32_t> offsets;
    std::vector<std::uint32_t> neighbours;

    constexpr rows(std::uint32_t nodes, std::vector<std::pair<std::uint32_t, std::uint32_t>> const& edges)
        : offsets(nodes + std::size_t{1}, 0), neighbours(edges.size(), 0) {
      for (auto const& e : edges) ++offsets[e.first + 1];
      for (std::size_t i = 1; i < offsets.size(); ++i) offsets[i] += offsets[i - 1];
      auto place = offsets;
      for (auto const& e : edges) neighbours[place[e.first]++] = e.second;
    }
  };

  constexpr void find_origins() {
    for (std::uint32_t i = 0; i < n; ++i)
      if (source(i) != n) edges_.emplace_back(i, source(i));
    rows const made(n, edges_);
    csr_graph<> const flow(made.offsets, made.neighbours, csr_order::topological);
    auto const found = solve<forward>(flow, origin_lattice{},
                                      [this](csr_graph<> const&, std::uint32_t i, origin_lattice::element& fact) {
                                        if (at(i).means == window_role::allocation)
                                          fact = i * 2;
                                        else if (at(i).means == window_role::view && fact.has_value())
                                          fact = fact.value() | 1u;
                                      });
    for (std::uint32_t i = 0; i < n; ++i) origins_.push_back(found[i]);
  }

  /// Behind the nodes of ops stand as many for all that is known of the devices of a buffer that a collective moves.
  constexpr void find_devices() {
    std::array<bool, P::op_count> shared = {};
    for (std::uint32_t i = 0; i < n; ++i)
      if (at(i).means == window_role::collective && well_formed(i)) shared[data_of(i)] = true;
    for (std::uint32_t i = n; i-- > 0;)
      if (shared[i] && source(i) != n) shared[source(i)] = true;
    for (std::uint32_t i = 0; i < n; ++i) {
      if (shared[i] && at(i).means == window_role::allocation) edges_.emplace_back(i, i + n);
      if (shared[i] && source(i) != n) edges_.emplace_back(source(i) + n, i + n);
      if (at(i).means != window_role::collective || !well_formed(i)) continue;
      collective_facts const& facts = facts_of(at(i).moves);
      if (facts.data == collective_facts::no_operand) continue;
      for (auto const& r : facts.receivers)
        if (r.operand != collective_facts::no_operand) edges_.emplace_back(data_of(i) + n, operand(i, r.operand));
    }
    rows const made(2 * n, edges_);
    csr_graph<> const flow(made.offsets, made.neighbours);
    device_set const nothing;  // no temporary: GCC 12 destroys some of those twice in constant expressions
    fact_map<csr_graph<>, device_set> facts(flow, nothing);
    for (std::uint32_t i = 0; i < n; ++i) {
      if (at(i).means != window_role::dispatch || at(i).on.first < 0) continue;
      device_set on(at(i).on.first, at(i).on.last);
      if (at(i).on.every) on = device_set::all();
      for (static_handle const v : p_.operands(at(i).self))
        if (is_window(v.number - 1)) static_cast<void>(facts[v.number - 1].unite(on));
    }
    static_cast<void>(solve_into<backward>(facts, flow, interval_powerset<>{},
                                           [](csr_graph<> const&, std::uint32_t, device_set&) {}));
    for (std::uint32_t i = 0; i < 2 * n; ++i) devices.push_back(facts[i]);
  }

  constexpr static_window_problem find_problem() const {
    for (std::uint32_t i = 0; i < n; ++i) {
      if (at(i).means == window_role::dispatch && at(i).on.first < 0)
        return {window_fault::negative_device, at(i).self};
      if (at(i).means != window_role::collective) continue;
      if (!has_its_operands(i)) return {window_fault::collective_arity, at(i).self};
      if (!well_formed(i)) return {window_fault::operand_is_no_window, at(i).self};
    }
    for (std::uint32_t i = 0; i < n; ++i)
      if (at(i).means == window_role::collective && devices[data_of(i) + n].empty())
        return {facts_of(at(i).moves).data == collective_facts::no_operand ? window_fault::signal_without_devices
                                                                           : window_fault::data_without_devices,
                at(i).self};
    std::array<bool, P::op_count> viewed = {};
    for (std::uint32_t i = 0; i < n; ++i)
      if (at(i).means == window_role::view && origins_[i].has_value()) viewed[origins_[i].value() / 2] = true;
    for (std::uint32_t i = 0; i < n; ++i) {
      if (at(i).means != window_role::allocation) continue;
      if (!viewed[i]) return {window_fault::dead_allocation, at(i).self};
      if (devices[i].empty()) return {window_fault::unused_allocation, at(i).self};
    }
    return {};
  }

  constexpr void add_to_domain(std::uint32_t i) {
    auto const same = [&](std::uint32_t of) { return devices[of] == devices[i]; };
    auto const found = std::find_if(representatives.begin(), representatives.end(), same);
    domain_of[i] = static_cast<std::uint32_t>(found - representatives.begin());
    if (found == representatives.end()) representatives.push_back(i);
  }

  P const& p_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges_;
  std::vector<origin_lattice::element> origins_;
};

/// What has been found, in arrays that a constant may hold.
template <std::size_t Ops>
struct static_domain_facts {
  static_window_problem wrong;
  std::size_t count = 0;
  std::array<std::uint32_t, Ops> domain_of = {};
};

template <class P>
constexpr auto find_static_domains(P const& p) {
  static_window_run<P> const run(p);
  static_domain_facts<P::op_count> found{run.wrong, run.representatives.size(), {}};
  for (std::size_t i = 0; i < P::op_count; ++i) found.domain_of[i] = run.domain_of[i];
  return found;
}

/// Its name and arguments are the message.
template <window_fault Fault, fixed_string Op>
struct window_program_is_wrong {
  static_assert(sizeof(Op) == 0,
                "mpmd: a window program has a fault: it stands in the name of this type, and behind it the op");
};

template <class Name>
constexpr void static_program_has_no_allocation(Name name) {
  if (name != nullptr) stop_the_build();
}
template <auto const& Program>
consteval static_handle static_allocation(char const* name) {
  static_handle const found = Program.find(name);
  if (!found || Program[found].means != window_role::allocation) static_program_has_no_allocation(name);
  return found;
}

}  // namespace detail

/// The domains of a static window program, which is named as a template argument: found once, when it is first asked
/// for.
template <auto const& Program>
inline constexpr auto static_domains = detail::find_static_domains(Program);

/// How many domains there are; 0 for a program with a fault.
template <auto const& Program>
consteval std::size_t domain_count() {
  return static_domains<Program>.count;
}
/// The domain of an allocation: they are numbered from 0, in the order of their first allocations.
template <auto const& Program>
consteval std::uint32_t domain_of(char const* allocation) {
  return static_domains<Program>.domain_of[detail::static_allocation<Program>(allocation).number - 1];
}
/// The devices that an allocation must be on: `devices_of<step, "weights">()`. In a constant expression they are there
/// to be compared, and cannot be kept.
template <auto const& Program, fixed_string Allocation>
constexpr device_set devices_of() {
  constexpr static_handle of = detail::static_allocation<Program>(Allocation.text);
  return detail::static_window_run(Program).devices[of.number - 1];
}

namespace detail {
template <auto const& Program>
consteval bool stop_where_windows_are_wrong() {
  constexpr static_window_problem wrong = static_domains<Program>.wrong;
  if constexpr (wrong) {
    constexpr std::string_view name = Program[wrong.op].name;
    return sizeof(detail::window_program_is_wrong<wrong.fault, fixed_string<name.size()>(name)>) == 0;
  }
  return true;
}
}  // namespace detail

/// Stops the build where the program has a fault, with a message that names the fault and the op:
/// `static_assert(mpmd::check_windows<step>);`
template <auto const& Program>
inline constexpr verdict check_windows{detail::stop_where_windows_are_wrong<Program>()};

}  // namespace mpmd
