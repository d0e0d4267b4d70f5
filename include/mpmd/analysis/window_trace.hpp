#pragma once
/// Which devices share which communication window.
///
/// A dispatch runs a task on some devices; these devices must have the buffers of all windows that the task is given. So
/// device sets flow backward, from dispatches through assignments, merges and views to allocations, and from the data of
/// a collective to the signal that its devices wait on. Allocations with the same devices form a domain.

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <mpmd/analysis/detail/window_graph_builder.hpp>
#include <mpmd/analysis/window_graph.hpp>
#include <mpmd/dataflow/solver.hpp>
#include <mpmd/lattice/flat.hpp>
#include <mpmd/lattice/interval_powerset.hpp>
#include <mpmd/support/index_table.hpp>

namespace mpmd {

/// Allocations that the same devices share, and that have the same tag if any, in program order.
struct window_domain {
  device_set devices;
  std::vector<std::uint32_t> allocations;
};

/// The first thing that is wrong with a function, in the order in which the steps of the analysis find faults.
template <class Op>
struct window_problem {
  window_fault fault = window_fault::none;
  Op o = {};
  std::int64_t number = 0;
  std::uint32_t index = 0;    ///< of the allocation, view or collective
  std::uint32_t operand = 0;  ///< of the collective

  explicit operator bool() const { return fault != window_fault::none; }
};

/// All that is found out about the windows of a program.
template <window_program P>
class window_trace {
 public:
  using graph_type = window_graph<P>;
  using problem = window_problem<op_t<P>>;
  static constexpr std::uint32_t none = 0xFFFFFFFFu;
  /// Of a value that may be a window over one of several allocations.
  static constexpr std::uint32_t several = none - 1;

  struct function {
    op_t<P> o;
    bool materialised = false;
    std::uint32_t first_allocation = 0, end_of_allocations = 0;
    std::vector<window_domain> domains;  ///< in the order of their first allocations; empty when there is a problem
    problem wrong;
  };

  window_trace(P const& p, window_options options) : p_(&p), graph(make_window_graph(p, options)) {
    find_origins();
    find_devices();
    for (std::uint32_t f = 0; f < graph.functions.size(); ++f) finish(f);
  }

  P const& program() const { return *p_; }

  /// The devices that an allocation must be on.
  device_set const& devices(std::uint32_t allocation) const { return facts_[graph.allocations[allocation].n]; }
  /// The place of an allocation's domain among those of its function, or none.
  std::uint32_t domain(std::uint32_t allocation) const { return domain_of_[allocation]; }
  /// The allocation that a node points to or is a window over: none, `several`, or its number.
  std::uint32_t origin(window_node n) const {
    auto const& found = origins_[n];
    return found.is_bottom() ? none : found.is_top() ? several : found.value() / 2;
  }
  /// Whether a node is a window and no mere pointer.
  bool is_window(window_node n) const {
    auto const& found = origins_[n];
    return found.is_top() || (found.has_value() && found.value() % 2 == 1);
  }

  /// The flow of device sets as a graph: nodes of `graph`, and behind them nodes for all that is known of the devices of a
  /// collective's data.
  csr_graph<> device_flow() const { return csr_graph<>(flow_offsets_, flow_into_); }
  /// The devices at a node of it.
  device_set const& devices_at(window_node n) const { return facts_[n]; }
  /// The node of `graph` that a node of device_flow() belongs to.
  window_node of_program(window_node n) const {
    return n < graph.nodes.size() ? n : shared_[n - graph.nodes.size()];
  }
  /// All devices that touch the buffers of a collective's operand, if it is one that gives them on.
  device_set const& shared_devices(window_node n) const { return facts_[shared_at_[n]]; }

 private:
  P const* p_;

 public:
  graph_type graph;
  std::vector<function> functions;

 private:
  using origin_lattice = flat<std::uint32_t>;

  void find_origins() {
    std::vector<std::uint32_t> allocation_at(graph.nodes.size(), none);
    for (std::uint32_t i = 0; i < graph.allocations.size(); ++i) allocation_at[graph.allocations[i].n] = i;
    auto const flow = graph.flow();
    auto found = solve<forward>(flow, origin_lattice{},
                                [&](csr_graph<> const&, window_node n, origin_lattice::element& fact) {
                                  if (allocation_at[n] != none)
                                    fact = allocation_at[n] * 2;
                                  else if (graph.nodes[n].kind == window_node_kind::view && fact.has_value())
                                    fact = fact.value() | 1u;
                                });
    assert(found.converged());
    origins_.reserve(graph.nodes.size());
    for (window_node n = 0; n < graph.nodes.size(); ++n) origins_.push_back(found.facts[n]);
  }

  /// Whether a collective is as it must be for devices to flow through it.
  bool well_formed(typename graph_type::collective const& c) const {
    collective_facts const& facts = facts_of(c.kind);
    if (c.operand_count < facts.operands || c.operand_count > facts.most_operands) return false;
    if (c.in_loop && !facts.in_loops) return false;
    auto good = [&](std::uint8_t i) {
      return i == collective_facts::no_operand || (c.variables[i] && is_window(c.operands[i]));
    };
    return good(facts.data) && good(facts.receivers[0].operand) && good(facts.receivers[1].operand);
  }

  void find_devices() {
    auto const n = static_cast<window_node>(graph.nodes.size());
    // Which nodes need the devices of the whole buffer: the data of collectives, and what it comes from.
    shared_at_.assign(n, none);
    auto share = [&](window_node at) {
      if (shared_at_[at] != none) return;
      shared_at_[at] = static_cast<window_node>(n + shared_.size());
      shared_.push_back(at);
    };
    for (auto const& c : graph.collectives) {
      if (!well_formed(c)) continue;
      collective_facts const& facts = facts_of(c.kind);
      share(c.operands[facts.data == collective_facts::no_operand ? facts.receivers[0].operand : facts.data]);
    }
    for (std::size_t i = 0; i < shared_.size(); ++i)
      for (auto e = graph.offsets[shared_[i]]; e < graph.offsets[shared_[i] + 1]; ++e) share(graph.sources[e]);
    // Device sets flow to what a node holds, from an allocation on to its node for the whole buffer, from there up again
    // to the data of collectives, and from these to the receivers.
    std::vector<std::pair<window_node, window_node>> more;  // from, to
    for (auto const at : shared_) {
      if (graph.nodes[at].kind == window_node_kind::allocation) more.emplace_back(at, shared_at_[at]);
      for (auto e = graph.offsets[at]; e < graph.offsets[at + 1]; ++e)
        more.emplace_back(shared_at_[graph.sources[e]], shared_at_[at]);
    }
    for (auto const& c : graph.collectives) {
      collective_facts const& facts = facts_of(c.kind);
      if (!well_formed(c) || facts.data == collective_facts::no_operand) continue;
      for (auto const& r : facts.receivers)
        if (r.operand != collective_facts::no_operand)
          more.emplace_back(shared_at_[c.operands[facts.data]], c.operands[r.operand]);
    }
    std::size_t const all = n + shared_.size();
    flow_offsets_.assign(all + 1, 0);
    for (window_node i = 0; i < n; ++i) flow_offsets_[i + 1] = graph.offsets[i + 1] - graph.offsets[i];
    for (auto const& [from, to] : more) ++flow_offsets_[from + 1];
    for (std::size_t i = 1; i <= all; ++i) flow_offsets_[i] += flow_offsets_[i - 1];
    flow_into_.resize(flow_offsets_.back());
    auto place = flow_offsets_;
    for (window_node i = 0; i < n; ++i)
      for (auto e = graph.offsets[i]; e < graph.offsets[i + 1]; ++e) flow_into_[place[i]++] = graph.sources[e];
    for (auto const& [from, to] : more) flow_into_[place[from]++] = to;

    auto const flow = device_flow();
    fact_map<csr_graph<>, device_set> facts(flow, {});
    // What dispatches give, joined where it starts.
    for (auto const& d : graph.dispatches)
      for (auto i = d.first_argument; i < d.end_of_arguments; ++i)
        if (is_window(graph.arguments[i])) facts[graph.arguments[i]].unite(d.on.devices);
    auto const outcome = solve_into<backward>(facts, flow, interval_powerset<>{},
                                              [](csr_graph<> const&, window_node, device_set&) {});
    assert(outcome.converged());
    static_cast<void>(outcome);
    facts_.reserve(all);
    for (window_node i = 0; i < all; ++i) facts_.push_back(std::move(facts[i]));
  }

  void finish(std::uint32_t at) {
    auto const& found = graph.functions[at];
    static constexpr typename graph_type::function nothing{};
    auto const& before = at == 0 ? nothing : graph.functions[at - 1];
    function f{found.o, found.materialised, before.allocations, found.allocations, {}, {}};
    domain_of_.resize(found.allocations, none);
    f.wrong = found.fault != window_fault::none ? problem{found.fault, found.faulty, 0, found.faulty_allocation, 0}
                                                : first_site_problem(before.sites, found.sites);
    if (!f.wrong) f.wrong = first_receiver_problem(before.collectives, found.collectives);
    if (!f.wrong) f.wrong = first_allocation_problem(before, found);
    for (auto i = before.views; !f.wrong && i < found.views; ++i)
      if (auto const& v = graph.views[i]; !v.bound && origin(v.n) < several)
        f.wrong = {window_fault::view_unassigned, v.o, 0, origin(v.n), 0};
    if (!f.wrong) cluster(f);
    for (auto i = before.views; !f.wrong && i < found.views; ++i)
      if (auto const& v = graph.views[i]; v.bound && origin(v.n) != none && !mpmd::is_window_type(*p_, v.v))
        f.wrong = {window_fault::no_window_type, v.o, 0, i, 0};
    if (f.wrong) f.domains.clear();
    functions.push_back(std::move(f));
  }
  problem first_site_problem(std::uint32_t from, std::uint32_t to) const {
    for (; from < to; ++from) {
      problem const found = site_problem(graph.sites[from]);
      if (!found) continue;
      // Calls come before their arguments.
      auto const around = calls_around(found.o);
      problem outermost = found;
      for (++from; from < to && !around.empty(); ++from)
        if (problem const other = site_problem(graph.sites[from]);
            other && std::binary_search(around.begin(), around.end(), number_of_result(other.o)))
          outermost = other;
      return outermost;
    }
    return {};
  }
  problem site_problem(typename graph_type::site const& site) const {
    if (!site.is_dispatch) return collective_problem(site.index);
    auto const& d = graph.dispatches[site.index];
    return d.on.fault == window_fault::none ? problem{} : problem{d.on.fault, d.o, d.on.number, site.index, 0};
  }
  std::uint32_t number_of_result(op_t<P> const& o) const {
    for (auto&& v : mpmd::window_results(*p_, o)) return detail::value_numbers<P>(*p_)(v);
    return none;
  }
  /// What is called with the result of `o`, with the result of that, and so on: the numbers of their results, sorted. For
  /// hosts that tell.
  std::vector<std::uint32_t> calls_around(op_t<P> const& o) const {
    std::vector<std::uint32_t> around;
    if constexpr (requires { ir_traits<P>::user_of(*p_, o); })
      for (auto user = ir_traits<P>::user_of(*p_, o); user; user = ir_traits<P>::user_of(*p_, *user))
        if (auto const n = number_of_result(*user); n != none) around.push_back(n);
    std::sort(around.begin(), around.end());
    return around;
  }
  problem collective_problem(std::uint32_t i) const {
    auto const& c = graph.collectives[i];
    collective_facts const& facts = facts_of(c.kind);
    if (c.operand_count < facts.operands || c.operand_count > facts.most_operands)
      return {window_fault::collective_arity, c.o, c.operand_count, i, 0};
    if (c.in_loop && !facts.in_loops) return {window_fault::collective_in_loop, c.o, 0, i, 0};
    for (std::uint8_t const operand : {facts.data, facts.receivers[0].operand, facts.receivers[1].operand}) {
      if (operand == collective_facts::no_operand) continue;
      if (!c.variables[operand]) return {window_fault::operand_is_no_variable, c.o, 0, i, operand};
      if (!is_window(c.operands[operand])) return {window_fault::operand_is_no_window, c.o, 0, i, operand};
    }
    return {};
  }
  problem first_receiver_problem(std::uint32_t from, std::uint32_t to) const {
    for (; from < to; ++from) {
      auto const& c = graph.collectives[from];
      collective_facts const& facts = facts_of(c.kind);
      bool const has_data = facts.data != collective_facts::no_operand;
      std::uint8_t const operand = has_data ? facts.data : facts.receivers[0].operand;
      if (shared_devices(c.operands[operand]).empty())
        return {has_data ? window_fault::data_without_devices : window_fault::signal_without_devices, c.o, 0, from,
                operand};
    }
    return {};
  }
  problem first_allocation_problem(typename graph_type::function const& before,
                                   typename graph_type::function const& found) const {
    std::vector<bool> viewed(found.allocations - before.allocations, false);
    std::vector<window_node> open;
    std::vector<bool> seen;
    for (auto i = before.views; i < found.views; ++i) {
      auto const& v = graph.views[i];
      if (!v.bound) continue;
      if (auto const a = origin(v.n); a < several) {
        viewed[a - before.allocations] = true;
      } else if (a == several) {
        open.push_back(v.n);
      }
    }
    if (!open.empty()) seen.resize(graph.nodes.size(), false);
    while (!open.empty()) {
      window_node const n = open.back();
      open.pop_back();
      if (seen[n]) continue;
      seen[n] = true;
      if (auto const a = origin(n); a < several) viewed[a - before.allocations] = true;
      else
        for (auto e = graph.offsets[n]; e < graph.offsets[n + 1]; ++e) open.push_back(graph.sources[e]);
    }
    for (auto i = before.allocations; i < found.allocations; ++i) {
      if (!viewed[i - before.allocations])
        return {window_fault::dead_allocation, graph.allocations[i].o, 0, i, 0};
      if (devices(i).empty()) return {window_fault::unused_allocation, graph.allocations[i].o, 0, i, 0};
    }
    return {};
  }
  void cluster(function& f) {
    std::size_t const count = f.end_of_allocations - f.first_allocation;
    index_table places(count), names(count);
    std::vector<std::uint32_t> firsts;  // of each domain its first allocation
    for (auto i = f.first_allocation; i < f.end_of_allocations; ++i) {
      std::string_view const tag = graph.allocations[i].domain, name = graph.allocations[i].name;
      auto const fresh = static_cast<std::uint32_t>(firsts.size());
      std::uint32_t const place = places.find_or_add(hash_of(devices(i), tag), fresh, [&](std::uint32_t d) {
        return graph.allocations[firsts[d]].domain == tag && devices(firsts[d]) == devices(i);
      });
      if (place == fresh) firsts.push_back(i);
      domain_of_[i] = place;
      if (!name.empty() && names.find_or_add(std::hash<std::string_view>{}(name) + place, i, [&](std::uint32_t other) {
            return domain_of_[other] == place && graph.allocations[other].name == name;
          }) != i) {
        f.wrong = {window_fault::duplicate_name, graph.allocations[i].o, 0, i, 0};
        return;
      }
    }
    f.domains.resize(firsts.size());
    for (std::uint32_t d = 0; d < firsts.size(); ++d) f.domains[d].devices = devices(firsts[d]);
    for (auto i = f.first_allocation; i < f.end_of_allocations; ++i) f.domains[domain_of_[i]].allocations.push_back(i);
  }
  static std::uint64_t hash_of(device_set const& devices, std::string_view tag) {
    std::uint64_t h = tag.empty() ? 0 : std::hash<std::string_view>{}(tag);
    if (devices.is_all()) return h + 1;
    for (auto const& i : devices.intervals()) {
      h = (h ^ static_cast<std::uint64_t>(i.first)) * 0x9E3779B97F4A7C15u + static_cast<std::uint64_t>(i.last);
      h ^= h >> 29;
    }
    return h;
  }

  std::vector<origin_lattice::element> origins_;
  std::vector<device_set> facts_;
  std::vector<window_node> shared_at_;
  std::vector<window_node> shared_;
  std::vector<std::uint32_t> flow_offsets_;
  std::vector<window_node> flow_into_;
  std::vector<std::uint32_t> domain_of_;
};

/// Traces the windows of a program, function by function in the order of their names. Everything is found whatever the
/// order of its statements, for collectives that cover each other's signals too. Faults do not stop it: each function has
/// its first one.
///
/// Steps: one walk that makes a graph of what values hold (window_graph), one forward solve for the allocation behind
/// each value, one backward solve for devices, one sort into domains: near-linear. A device set takes room for its
/// intervals only. The program must outlive the result.
template <window_program P>
window_trace<P> trace_windows(P const& p, window_options options = {}) {
  return window_trace<P>(p, options);
}

}  // namespace mpmd
