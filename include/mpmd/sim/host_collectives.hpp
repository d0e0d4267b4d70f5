#pragma once
/// What collectives do to the windows of a domain's ranks.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <mpmd/graph/window_program.hpp>
#include <mpmd/sim/host_faults.hpp>
#include <mpmd/sim/host_memory.hpp>
#include <mpmd/sim/host_tasks.hpp>

namespace mpmd::sim {

/// Runs one collective, all ranks of whose domain have come to it.
///
/// With R ranks, each window of n elements: allreduce leaves the reduction of all data in all of them, broadcast what the
/// root has; reduce_scatter in block i of rank i, the blocks being of n / R elements, rounded up. allgather puts the input
/// of rank j behind those before it in each target; all_to_all block i of the input of rank j where block j of the target
/// of rank i is; all_to_all_v does that with blocks as long as send_counts say, one behind the other, and leaves in
/// recv_counts how long those received are.
class host_collective {
 public:
  /// The jobs of all ranks, in the order of the domain.
  host_collective(host_memory& memory, host_faults& faults, std::span<host_job* const> parts)
      : memory_(memory), faults_(faults), parts_(parts), kind_(static_cast<collective_kind>(parts[0]->kind)) {}

  bool run() {
    for (std::size_t i = 0; i < parts_[0]->arguments.size(); ++i)
      if (!check_room(i)) return false;
    if (!check_signal()) return false;
    switch (kind_) {
      case collective_kind::barrier: break;
      case collective_kind::allreduce: reduce(false); break;
      case collective_kind::reduce_scatter: reduce(true); break;
      case collective_kind::broadcast: return broadcast();
      case collective_kind::allgather: return allgather();
      case collective_kind::all_to_all: all_to_all(); break;
      case collective_kind::all_to_all_v: return all_to_all_v();
    }
    return !faults_.any();
  }

 private:
  host_value const& window(std::size_t place, std::size_t operand) const { return parts_[place]->arguments[operand]; }
  std::string called() const { return std::string(facts_of(kind_).name); }
  bool fail(std::size_t place, std::size_t operand, std::string_view id, std::string message) {
    return faults_.report(parts_[place]->o, id, called() + " " + std::move(message), window(place, operand));
  }
  double load(std::size_t place, std::size_t operand, std::uint64_t e) const {
    host_value const& w = window(place, operand);
    return memory_.load(w.buffer, place, e * w.element_bytes);
  }
  void store(std::size_t place, std::size_t operand, std::uint64_t e, double number) {
    host_value const& w = window(place, operand);
    if (!memory_.store(w.buffer, place, e * w.element_bytes, number, parts_[place]->o))
      fail(place, operand, "sim.memory", "leaves more numbers in windows than the limit");
  }
  // Zeros everywhere: nothing moves.
  bool untouched(std::size_t operand) const {
    for (std::size_t i = 0; i < parts_.size(); ++i)
      for (auto const& cells : memory_.buffers[window(i, operand).buffer].contents)
        if (!cells.empty()) return false;
    return true;
  }

  bool check_room(std::size_t operand) {
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      host_value const& w = window(i, operand);
      if (!w.is_window()) continue;
      std::uint64_t const has = memory_.buffers[w.buffer].bytes;
      if (w.elements > has / std::max<std::uint32_t>(w.element_bytes, 1))
        return fail(i, operand, "sim.range",
                    "uses a window of " + std::to_string(w.elements) + " elements of " + std::to_string(w.element_bytes) +
                        " bytes over " + faults_.named(w) + ", which has " + std::to_string(has) + " bytes");
    }
    return true;
  }
  std::size_t operand_called(std::string_view name) const {
    auto const& names = facts_of(kind_).operand_names;
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
  }
  bool check_signal() {
    std::size_t const s = operand_called("signal");
    if (s >= parts_[0]->arguments.size()) return true;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      host_value const& w = window(i, s);
      if (w.elements < parts_.size())
        return fail(i, s, "sim.signal", "over " + std::to_string(parts_.size()) + " ranks has a signal of " +
                                            std::to_string(w.elements) + " cells: one for each rank is needed");
      host_buffer const& b = memory_.buffers[w.buffer];
      if (b.contents.empty() || b.contents[i].empty()) continue;
      for (std::uint64_t e = 0; e < w.elements; ++e) {
        if (load(i, s, e) == 0.0) continue;
        diagnostic d = faults_.made(parts_[i]->o, "sim.signal",
                                    called() + " finds cell " + std::to_string(e) + " of signal " + faults_.named(w) +
                                        " on rank " + std::to_string(i_rank(w, i)) + " set: a stale signal");
        auto const by = b.notified.find({i, e * w.element_bytes});
        d.notes.push_back({faults_.at(by == b.notified.end() ? b.written_by[i] : by->second),
                           "it was left by this, and nothing has cleared it since"});
        faults_.explain(d, w);
        return faults_.report(std::move(d));
      }
    }
    return true;
  }
  rank i_rank(host_value const& w, std::size_t place) const {
    return memory_.domains[memory_.buffers[w.buffer].domain].ranks[place];
  }

  static double reduced(std::int64_t how, double a, double b) {
    switch (how) {
      case 1: return std::max(a, b);
      case 2: return std::min(a, b);
      case 3: return a * b;
      default: return a + b;
    }
  }
  void reduce(bool scatter) {
    if (untouched(0)) return;
    std::uint64_t const n = window(0, 0).elements, block = (n + parts_.size() - 1) / parts_.size();
    for (std::uint64_t e = 0; e < n; ++e) {
      double all = load(0, 0, e);
      for (std::size_t i = 1; i < parts_.size(); ++i) all = reduced(parts_[0]->detail, all, load(i, 0, e));
      for (std::size_t i = 0; i < parts_.size(); ++i)
        if (!scatter || e / block == i) store(i, 0, e, all);
    }
  }
  bool broadcast() {
    std::int64_t const root = parts_[0]->detail;
    if (root < 0 || static_cast<std::size_t>(root) >= parts_.size())
      return fail(0, 0, "sim.range", "has root " + std::to_string(root) + ", and its domain " +
                                         std::to_string(parts_.size()) + " ranks");
    auto const from = static_cast<std::size_t>(root);
    for (std::uint64_t e = 0; !untouched(0) && e < window(from, 0).elements; ++e)
      for (std::size_t i = 0; i < parts_.size(); ++i)
        if (i != from) store(i, 0, e, load(from, 0, e));
    return !faults_.any();
  }
  bool allgather() {
    std::uint64_t const n = window(0, 0).elements;
    for (std::size_t i = 0; i < parts_.size(); ++i)
      if (window(i, 1).elements / parts_.size() < n)
        return fail(i, 1, "sim.range", "gathers " + std::to_string(n) + " elements of each of " +
                                           std::to_string(parts_.size()) + " ranks in a target of " +
                                           std::to_string(window(i, 1).elements));
    if (untouched(0) && untouched(1)) return true;
    for (std::size_t j = 0; j < parts_.size(); ++j)
      for (std::uint64_t e = 0; e < n; ++e) {
        double const number = load(j, 0, e);
        for (std::size_t i = 0; i < parts_.size(); ++i) store(i, 1, j * n + e, number);
      }
    return !faults_.any();
  }
  void all_to_all() {
    if (untouched(0) && untouched(1)) return;
    std::uint64_t const n = std::min(window(0, 0).elements, window(0, 1).elements),
                        block = (n + parts_.size() - 1) / parts_.size();
    for (std::size_t i = 0; i < parts_.size(); ++i)
      for (std::size_t j = 0; j < parts_.size(); ++j)
        for (std::uint64_t e = 0; e < block && i * block + e < n && j * block + e < n; ++e)
          store(i, 1, j * block + e, load(j, 0, i * block + e));
  }
  bool all_to_all_v() {
    enum operand : std::size_t { input, target, signal, send_counts, recv_counts };
    std::size_t const ranks = parts_.size();
    for (std::size_t i = 0; i < ranks; ++i)
      for (std::size_t const o : {send_counts, recv_counts})
        if (window(i, o).elements < ranks)
          return fail(i, o, "sim.range", "over " + std::to_string(ranks) + " ranks has " +
                                             std::to_string(window(i, o).elements) + " counts: one for each is needed");
    if (untouched(send_counts)) return true;
    std::vector<std::uint64_t> read(ranks, 0), written(ranks, 0);  // how far each rank's input and target are
    for (std::size_t j = 0; j < ranks; ++j)
      for (std::size_t i = 0; i < ranks; ++i) {
        double const asked = load(j, send_counts, i);
        if (asked < 0 || asked > static_cast<double>(window(j, input).elements - read[j]) ||
            asked > static_cast<double>(window(i, target).elements - written[i]))
          return fail(j, send_counts, "sim.range", "is to send more elements than its input has, or its target has room "
                                                   "for");
        auto const n = static_cast<std::uint64_t>(asked);
        for (std::uint64_t e = 0; e < n; ++e) store(i, target, written[i] + e, load(j, input, read[j] + e));
        store(i, recv_counts, j, static_cast<double>(n));
        read[j] += n;
        written[i] += n;
      }
    return !faults_.any();
  }

  host_memory& memory_;
  host_faults& faults_;
  std::span<host_job* const> parts_;
  collective_kind kind_;
};

}  // namespace mpmd::sim
