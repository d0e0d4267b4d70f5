#pragma once
/// The ranks of a simulated mesh: each runs what is sent to it in order, and waits where others must come too.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <mpmd/sim/host_collectives.hpp>
#include <mpmd/sim/host_faults.hpp>
#include <mpmd/sim/host_memory.hpp>
#include <mpmd/sim/host_tasks.hpp>

namespace mpmd::sim {

class host_mesh {
 public:
  host_mesh(host_memory& memory, host_faults& faults, rank ranks)
      : memory_(memory), faults_(faults), queues_(ranks), blocked_(ranks) {}

  rank ranks() const { return static_cast<rank>(queues_.size()); }
  /// Jobs that are done.
  std::uint64_t ran() const { return ran_; }

  /// Hands a job to a rank, and runs all that can run then. Without a task it touches its windows and is done.
  bool send(rank to, host_job job, host_task const* task) {
    if (!check(to, job)) return false;
    queues_[to].push_back({std::move(job), task});
    todo_.push_back(to);
    return settle();
  }

  /// Whether nothing is left; reports why something waits. `o` is where the host waits for it.
  bool idle(ir::op o) {
    for (rank r = 0; r < ranks(); ++r)
      if (!queues_[r].empty()) return report_waiting(r, o);
    return true;
  }

 private:
  struct entry {
    host_job job;
    host_task const* task = nullptr;
  };

  // A rank must have a part in all windows that it is given, and those of a collective in one domain.
  bool check(rank to, host_job const& job) {
    host_value const* first = nullptr;
    for (host_value const& w : job.arguments) {
      if (!w.is_window()) continue;
      host_buffer const& b = memory_.buffers[w.buffer];
      if (b.domain == host_buffer::nowhere || !memory_.domains[b.domain].place(to))
        return faults_.report(job.o, "sim.window",
                              "rank " + std::to_string(to) + " is given window " + faults_.named(w) +
                                  ", and has no part in it",
                              w);
      if (!job.collective) continue;
      if (first != nullptr && memory_.buffers[first->buffer].domain != b.domain) {
        diagnostic d = faults_.made(job.o, "sim.domain", "a collective takes windows " + faults_.named(*first) + " and " +
                                                             faults_.named(w) + ", which are in different domains");
        faults_.explain(d, *first);
        faults_.explain(d, w);
        return faults_.report(std::move(d));
      }
      first = &w;
    }
    return true;
  }

  // Runs what can run. Nothing recurses: what becomes ready goes on the list.
  bool settle() {
    while (!todo_.empty() && !faults_.any()) {
      rank const r = todo_.back();
      todo_.pop_back();
      while (!queues_[r].empty() && !faults_.any() && run_first(r)) ++ran_;
    }
    return !faults_.any();
  }
  // Whether the first job of a rank is done.
  bool run_first(rank r) {
    entry& first = queues_[r].front();
    if (first.job.collective) return meet(r);
    if (first.task == nullptr) {
      queues_[r].pop_front();
      return true;
    }
    task_context context(memory_, faults_, meetings_, first.job, r, ranks());
    bool const done = (*first.task)(context) == task_status::done;
    for (rank const other : context.passed) {
      ++queues_[other].front().job.barriers_passed;
      todo_.push_back(other);
    }
    todo_.insert(todo_.end(), context.news.begin(), context.news.end());
    if (done)
      queues_[r].pop_front();
    else
      blocked_[r] = context.why;
    return done;
  }

  static std::vector<std::int64_t> key_of(host_job const& job) {
    std::vector<std::int64_t> key{job.kind, job.detail};
    for (host_value const& w : job.arguments)
      if (w.is_window()) key.push_back(w.buffer);
    return key;
  }
  host_domain const* domain_of(host_job const& job) const {
    for (host_value const& w : job.arguments)
      if (w.is_window()) return &memory_.domains[memory_.buffers[w.buffer].domain];
    return nullptr;
  }
  // A rank has come to a collective. The last one runs it.
  bool meet(rank r) {
    host_job& job = queues_[r].front().job;
    if (std::exchange(job.arrived, true)) return false;
    host_domain const* in = domain_of(job);
    auto const key = key_of(job);
    auto& there = meetings_[key];
    there.push_back(r);
    if (there.size() < in->ranks.size()) return false;
    std::vector<host_job*> parts;
    for (rank const each : in->ranks) parts.push_back(&queues_[each].front().job);
    meetings_.erase(key);
    if (!host_collective(memory_, faults_, parts).run()) return false;
    for (rank const each : in->ranks) {
      if (each == r) continue;
      queues_[each].pop_front();
      ++ran_;
      todo_.push_back(each);
    }
    queues_[r].pop_front();
    return true;
  }

  // --- What waits for ever -----------------------------------------------------------------------------------

  bool report_waiting(rank r, ir::op at_end) {
    host_job const& job = queues_[r].front().job;
    auto const& why = blocked_[r];
    if (!job.collective && !why.barrier)
      return faults_.report(job.o, "sim.signal",
                            "rank " + std::to_string(r) + " waits for cell " + std::to_string(why.cell) + " of signal " +
                                faults_.named(why.on) + ", which nobody sets",
                            why.on);
    host_value on = why.on;
    std::string_view called = "a barrier";
    std::vector<std::int64_t> key{-1, on.buffer};
    if (job.collective) {
      key = key_of(job);
      called = facts_of(static_cast<collective_kind>(job.kind)).name;
      for (host_value const& w : job.arguments)
        if (w.is_window()) on = w;
    }
    auto there = meetings_[key];
    std::sort(there.begin(), there.end());
    host_domain const& in = memory_.domains[memory_.buffers[on.buffer].domain];
    std::vector<rank> missing;
    std::set_difference(in.ranks.begin(), in.ranks.end(), there.begin(), there.end(), std::back_inserter(missing));
    diagnostic d = faults_.made(job.o, "sim.barrier",
                                ranks_text(there) + (there.size() == 1 ? " waits in " : " wait in ") +
                                    std::string(called) + " on " + faults_.named(on) + ", which " + ranks_text(missing) +
                                    (missing.size() == 1 ? " does not reach" : " do not reach"));
    constexpr std::size_t most = 4;
    for (std::size_t i = 0; i < missing.size() && i < most; ++i) {
      auto const& queue = queues_[missing[i]];
      std::string const named = "rank " + std::to_string(missing[i]);
      if (queue.empty())
        d.notes.push_back({faults_.at(at_end), named + " has done all that it was given by here"});
      else
        d.notes.push_back({faults_.at(queue.front().job.o), named + " waits here"});
    }
    faults_.explain(d, on);
    return faults_.report(std::move(d));
  }

  host_memory& memory_;
  host_faults& faults_;
  std::vector<std::deque<entry>> queues_;
  std::vector<task_context::reason> blocked_;
  std::vector<rank> todo_;
  host_meetings meetings_;
  std::uint64_t ran_ = 0;
};

}  // namespace mpmd::sim
