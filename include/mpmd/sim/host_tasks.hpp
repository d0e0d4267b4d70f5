#pragma once
/// Chip functions as C++ functions, by name, and what such a function can do.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <mpmd/sim/host_faults.hpp>
#include <mpmd/sim/host_memory.hpp>

namespace mpmd::sim {

enum class task_status : std::uint8_t {
  done,
  waiting,  ///< for a signal or for other ranks; the function is called again, from its start, when there is news
};

/// What waits or runs on a rank, one after the other.
struct host_job {
  ir::op o = {};
  std::uint32_t what = 0;          ///< in `names` of the run
  bool collective = false;
  std::uint8_t kind = 0;           ///< of a collective
  std::int64_t detail = 0;         ///< its root or its reduction
  std::uint32_t barriers_passed = 0;
  bool arrived = false;            ///< at its collective
  std::vector<host_value> arguments = {};
};

/// Ranks that have come to a meeting, by what they meet for.
using host_meetings = std::map<std::vector<std::int64_t>, std::vector<rank>>;

/// What a task sees: its rank, its arguments, the windows among them on its own and on other ranks of their domain. What it
/// may not do is reported, reads as 0 and ends the run.
class task_context {
 public:
  /// Why a task waits.
  struct reason {
    bool barrier = false;
    host_value on = {};
    std::uint64_t cell = 0;
  };

  task_context(host_memory& memory, host_faults& faults, host_meetings& meetings, host_job& job, rank self, rank ranks)
      : memory_(memory), faults_(faults), meetings_(meetings), job_(job), self_(self), ranks_(ranks) {}

  sim::rank rank() const { return self_; }
  sim::rank ranks() const { return ranks_; }
  std::size_t arguments() const { return job_.arguments.size(); }
  host_value const& argument(std::size_t i) const {
    static host_value const unknown{};
    return i < job_.arguments.size() ? job_.arguments[i] : unknown;
  }
  /// How many elements a window has; 0 for what is none.
  std::uint64_t elements(std::size_t i) const { return argument(i).elements; }

  double read(std::size_t i, std::uint64_t element) { return read(i, element, self_); }
  double read(std::size_t i, std::uint64_t element, sim::rank on) {
    auto const place = reach(i, element, on);
    if (!place) return 0;
    auto const& w = argument(i);
    return memory_.load(w.buffer, *place, element * w.element_bytes);
  }
  void write(std::size_t i, std::uint64_t element, double number) { write(i, element, number, self_); }
  void write(std::size_t i, std::uint64_t element, double number, sim::rank on) {
    auto const place = reach(i, element, on);
    if (!place) return;
    auto const& w = argument(i);
    if (!memory_.store(w.buffer, *place, element * w.element_bytes, number, job_.o))
      faults_.report(job_.o, "sim.memory", "windows hold more numbers than the limit", w);
  }

  /// Sets a cell of a signal on some rank to 1. It must have been waited for since it was set last.
  void notify(std::size_t i, std::uint64_t cell, sim::rank on) {
    auto const place = reach(i, cell, on);
    if (!place) return;
    auto const& w = argument(i);
    std::uint64_t const at = cell * w.element_bytes;
    auto const [was, fresh] = memory_.buffers[w.buffer].notified.try_emplace({*place, at}, job_.o);
    if (!fresh) {
      diagnostic d = faults_.made(job_.o, "sim.signal",
                                  "rank " + std::to_string(self_) + " sets cell " + std::to_string(cell) + " of signal " +
                                      faults_.named(w) + " on rank " + std::to_string(on) +
                                      ", which is still set: a stale signal");
      d.notes.push_back({faults_.at(was->second), "it was set here, and nothing has waited for it since"});
      faults_.explain(d, w);
      faults_.report(std::move(d));
      return;
    }
    write(i, cell, 1, on);
    news.push_back(on);
  }
  /// Whether a cell of a signal on this rank was set; then it is no longer. If not, the task must return `waiting`.
  bool wait(std::size_t i, std::uint64_t cell) {
    auto const place = reach(i, cell, self_);
    if (!place) return true;
    auto const& w = argument(i);
    std::uint64_t const at = cell * w.element_bytes;
    if (memory_.buffers[w.buffer].notified.erase({*place, at}) == 0) {
      why = {false, w, cell};
      return false;
    }
    memory_.store(w.buffer, *place, at, 0, job_.o);
    return true;
  }
  /// Whether all ranks of a window's domain have come here. If not, the task must return `waiting`.
  bool barrier(std::size_t i) {
    auto const& w = argument(i);
    if (!reach(i, 0, self_)) return true;
    if (barriers_++ < job_.barriers_passed) return true;
    std::vector<std::int64_t> const key{-1, w.buffer};
    auto& there = meetings_[key];
    if (std::find(there.begin(), there.end(), self_) == there.end()) there.push_back(self_);
    if (there.size() < memory_.domains[memory_.buffers[w.buffer].domain].ranks.size()) {
      why = {true, w, 0};
      return false;
    }
    for (auto const r : there)
      if (r != self_) passed.push_back(r);
    meetings_.erase(key);
    ++job_.barriers_passed;
    return true;
  }

  reason why = {};
  std::vector<sim::rank> news;    ///< ranks that may have waited for what the task did
  std::vector<sim::rank> passed;  ///< ranks that the task has let through a barrier

 private:
  // The place of a rank in the domain of a window, if the element is there.
  std::optional<std::size_t> reach(std::size_t i, std::uint64_t element, sim::rank on) {
    auto const& w = argument(i);
    if (!w.is_window()) {
      faults_.report(job_.o, "sim.window", "argument " + std::to_string(i) + " is no window, but the task uses it as one");
      return std::nullopt;
    }
    host_buffer const& b = memory_.buffers[w.buffer];
    auto const place = b.domain == host_buffer::nowhere ? std::nullopt : memory_.domains[b.domain].place(on);
    if (!place) {
      faults_.report(job_.o, "sim.window",
                     "rank " + std::to_string(self_) + " reaches for window " + faults_.named(w) + " on rank " +
                         std::to_string(on) + ", which has no part in it",
                     w);
      return std::nullopt;
    }
    if (element >= w.elements || w.element_bytes > b.bytes || element * w.element_bytes > b.bytes - w.element_bytes) {
      faults_.report(job_.o, "sim.range",
                     "rank " + std::to_string(self_) + " reaches for element " + std::to_string(element) +
                         " of a window with " + std::to_string(w.elements) + ", in a buffer of " +
                         std::to_string(b.bytes) + " bytes",
                     w);
      return std::nullopt;
    }
    return place;
  }

  host_memory& memory_;
  host_faults& faults_;
  host_meetings& meetings_;
  host_job& job_;
  sim::rank self_;
  sim::rank ranks_;
  std::uint32_t barriers_ = 0;
};

using host_task = std::function<task_status(task_context&)>;

/// Chip functions by name. What is not here is recorded: it touches the windows it is given, and does nothing to them.
class task_registry {
 public:
  void add(std::string name, host_task task) { tasks_.insert_or_assign(std::move(name), std::move(task)); }
  host_task const* find(std::string_view name) const {
    auto const at = tasks_.find(name);
    return at == tasks_.end() ? nullptr : &at->second;
  }

 private:
  std::map<std::string, host_task, std::less<>> tasks_;
};

}  // namespace mpmd::sim
