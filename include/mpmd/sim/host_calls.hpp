#pragma once
/// The calls of a host function while it runs: allocations and views, dispatches, collectives, and their launches.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <mpmd/ir/host_ops.hpp>
#include <mpmd/ir/host_windows.hpp>
#include <mpmd/sim/host_faults.hpp>
#include <mpmd/sim/host_memory.hpp>
#include <mpmd/sim/host_mesh.hpp>
#include <mpmd/sim/host_tasks.hpp>
#include <mpmd/sim/host_values.hpp>

namespace mpmd::sim {

namespace host = ir::host;

/// The state of a function that runs, and what calls do to it.
class host_calls {
 protected:
  host_calls(ir::program const& p, diagnostics& diags, host_options const& options, task_registry const& tasks,
             host_simulation& into)
      : p_(p), options_(options), tasks_(tasks), into_(into), memory_(options.cells), faults_(p, memory_, diags),
        mesh_(memory_, faults_, options.ranks), seeded_(options.seed) {}

  host_value& at(ir::value v) { return values_[v.id]; }

  void begin(ir::op function) {
    values_.assign(p_.value_capacity(), {});
    calls_.assign(p_.op_capacity(), {});
    into_.functions.push_back({std::string(host::function_name(p_, function)), {}, {}});
    made().ranks.resize(mesh_.ranks());
    for (ir::op const f : host::functions(p_))
      if (host::is_chip_orchestrator(p_, f)) chips_.emplace(host::function_name(p_, f));
  }
  // Notes who has touched what.
  bool end() {
    for (std::size_t i = 0; i < touched_.size(); ++i)
      for (rank r = 0; r < mesh_.ranks(); ++r)
        if (touched_[i][r]) made().allocations[i].touched.push_back(r);
    return !faults_.any();
  }

  bool charge(ir::op o) {
    if (++into_.steps <= options_.steps) return true;
    return faults_.report(o, "sim.budget",
                          "the program takes more steps than " + std::to_string(options_.steps) +
                              ": it may not end, or the limit must be raised");
  }
  std::int64_t answer(std::int64_t answers) { return options_.choose ? options_.choose(answers) : seeded_(answers); }
  // A number, or where it is not known an answer of the seed.
  std::int64_t choose(ir::op, ir::value v, std::int64_t answers) {
    return at(v).is_integer() ? at(v).number : answer(answers);
  }

  bool call(ir::op o) {
    known_call& known = calls_[o.id];
    if (known.form == call_form::unread) known = classify(o);
    switch (known.form) {
      case call_form::dispatch: return dispatch(o);
      case call_form::world_size: at(p_.result(o, 0)) = host_value::integer(mesh_.ranks()); return true;
      case call_form::allocation: return allocate(o);
      case call_form::view: return view(o);
      case call_form::collective: return collective(o, known.kind);
      case call_form::launch: return launch(o, known.kind);
      default: return true;
    }
  }

  // --- Domains and buffers ---------------------------------------------------------------------------------------

  std::optional<std::uint32_t> open_domain(ir::op o) {
    host_domain d{std::string(host::domain_name(p_, o)), {}, o};
    for (std::int64_t const device : host::devices(p_, o)) {
      if (!check_rank(o, device, "domain '" + d.name + "' has")) return std::nullopt;
      d.ranks.push_back(static_cast<rank>(device));
    }
    std::sort(d.ranks.begin(), d.ranks.end());
    d.ranks.erase(std::unique(d.ranks.begin(), d.ranks.end()), d.ranks.end());
    for (rank r = 0; host::devices(p_, o).empty() && r < mesh_.ranks(); ++r) d.ranks.push_back(r);
    auto const number = static_cast<std::uint32_t>(memory_.domains.size());
    for (ir::value const w : host::slots(p_, o))
      if (ir::op const declared = p_.defining_op(w); declared && p_.operand_count(declared) != 0)
        slots_.push_back({p_.operand(declared, 0), number});
    memory_.domains.push_back(std::move(d));
    return number;
  }
  bool close_domain(std::uint32_t domain, ir::op where) {
    if (!mesh_.idle(where)) return false;
    std::erase_if(slots_, [&](slot const& s) { return s.domain == domain; });
    std::vector<std::uint32_t> its;
    std::erase_if(placed_, [&](std::uint32_t i) {
      bool const mine = memory_.buffers[i].domain == domain;
      if (mine) its.push_back(i);
      return mine;
    });
    for (std::uint32_t const i : its) {
      host_buffer const& b = memory_.buffers[i];
      if (b.notified.empty()) continue;
      auto const& [where_set, by] = *b.notified.begin();
      host_value of{host_value::kind::pointer, 0, i};
      return faults_.report(by, "sim.signal",
                            "a cell of signal '" + b.name + "' on rank " +
                                std::to_string(memory_.domains[domain].ranks[where_set.first]) +
                                " is set here and never waited for: a stale signal when the domain ends",
                            of);
    }
    memory_.release(domain, its);
    return true;
  }

  bool allocate(ir::op o) {
    auto const arguments = host::arguments(p_, o);
    host_buffer b;
    auto const* name = p_.context().get_if<ir::string_attr>(host::find_entry(p_, o, ir::attribute_key::kwargs, ir::attribute_key::own_name).data);
    if (name != nullptr) b.name = name->text;
    b.allocated = o;
    if (arguments.size() == 1 && at(arguments[0]).is_integer()) {
      std::int64_t const bytes = at(arguments[0]).number;
      if (bytes <= 0)
        return faults_.report(o, "sim.memory",
                              "'" + b.name + "' is allocated with " + std::to_string(bytes) + " bytes: it needs some");
      b.bytes = static_cast<std::uint64_t>(bytes);
    } else {
      b.grows = true;
    }
    auto const [place, added] =
        summaries_.try_emplace(o.id, static_cast<std::uint32_t>(made().allocations.size()));
    if (added) {
      made().allocations.push_back({b.name, {}, 0, {}, {}});
      touched_.emplace_back(mesh_.ranks(), false);
    }
    b.summary = place->second;
    at(p_.result(o, 0)) = {host_value::kind::pointer, 0, static_cast<std::uint32_t>(memory_.buffers.size())};
    memory_.buffers.push_back(std::move(b));
    return true;
  }
  // The domain whose slot is over this variable has the buffer.
  bool place(std::uint32_t buffer, ir::value base, ir::op) {
    host_buffer& b = memory_.buffers[buffer];
    for (auto s = slots_.rbegin(); s != slots_.rend(); ++s)
      if (s->base == base) {
        b.domain = s->domain;
        placed_.push_back(buffer);
        auto& known = made().allocations[b.summary];
        host_domain const& d = memory_.domains[s->domain];
        known.domain = d.name;
        known.bytes = b.bytes;
        known.on = d.ranks;
        return true;
      }
    return homeless(buffer);
  }
  bool homeless(std::uint32_t buffer) {
    host_buffer const& b = memory_.buffers[buffer];
    return faults_.report(b.allocated, "sim.domain",
                          "'" + b.name + "' is allocated outside of any communication domain, so on no rank: "
                                         "-materialize-comm-domain-scopes makes domains");
  }
  bool no_allocation_is_lost(ir::op, ir::value v) {
    ir::op const made = host::call_of(p_, v);
    if (!made || host::called_op(p_, made) != "pld.tensor.alloc_window_buffer") return true;
    return homeless(at(v).buffer);
  }

  bool view(ir::op o) {
    auto const arguments = host::arguments(p_, o);
    if (arguments.empty() || at(arguments[0]).what != host_value::kind::pointer) return true;
    std::uint32_t const buffer = at(arguments[0]).buffer;
    host_buffer& b = memory_.buffers[buffer];
    if (b.domain == host_buffer::nowhere) return homeless(buffer);
    host_value w{host_value::kind::window, 0, buffer, o, 1, 1};
    if (auto const t = host::tensor_of(p_.context(), p_.type_of(p_.result(o, 0))))
      if (auto const* d = host::find_dtype(t->dtype)) w.element_bytes = std::max(1u, d->bits / 8);
    ir::op const shape = arguments.size() > 1 ? p_.defining_op(arguments[1]) : ir::op{};
    if (shape && p_.is(shape, ir::opcode::host_tuple))
      for (ir::value const extent : p_.operands(shape)) {
        std::int64_t const n = at(extent).is_integer() ? at(extent).number : 1;
        if (n < 0) return faults_.report(o, "sim.range", "a window has extent " + std::to_string(n));
        if (__builtin_mul_overflow(w.elements, static_cast<std::uint64_t>(n), &w.elements) ||
            w.elements > std::numeric_limits<std::uint64_t>::max() / w.element_bytes)
          return faults_.report(o, "sim.range", "a window has more elements than memory can have");
      }
    if (b.grows) b.bytes = std::max(b.bytes, w.elements * w.element_bytes);
    at(p_.result(o, 0)) = w;
    return true;
  }

  // --- Tasks and collectives -------------------------------------------------------------------------------------

  bool check_rank(ir::op o, std::int64_t device, std::string const& what) {
    if (device >= 0 && device < static_cast<std::int64_t>(mesh_.ranks())) return true;
    return faults_.report(o, "sim.rank", what + " device " + std::to_string(device) + ", and there are " +
                                             std::to_string(mesh_.ranks()) + " ranks");
  }
  // Windows that are arguments as such; of what is computed from one nothing is known.
  std::vector<host_value> arguments_of(ir::op o) {
    std::vector<host_value> all;
    for (ir::value const v : host::arguments(p_, o)) all.push_back(at(v));
    return all;
  }
  std::optional<rank> device_of(ir::op o, std::string_view called) {
    host::entry const e = host::find_entry(p_, o, ir::attribute_key::attrs, ir::attribute_key::device);
    host_value device = e.expression ? at(e.expression) : host_value{};
    if (auto const* i = p_.context().get_if<ir::integer_attr>(e.data)) device = host_value::integer(i->value);
    if (!device.is_integer()) {
      faults_.report(o, "sim.rank", std::string(called) + " is sent to a device that is not known");
      return std::nullopt;
    }
    if (!check_rank(o, device.number, std::string(called) + " is sent to")) return std::nullopt;
    return static_cast<rank>(device.number);
  }
  bool dispatch(ir::op o) {
    if (!host::find_entry(p_, o, ir::attribute_key::attrs, ir::attribute_key::device)) return true;  // it is on no device in particular
    std::string_view const called = host::called_function(p_, o);
    auto const to = device_of(o, called);
    if (!to) return false;
    host_job job;
    job.o = o;
    job.what = number_of(called);
    job.arguments = arguments_of(o);
    return send(*to, std::move(job), tasks_.find(called));
  }

  // Nothing if it is not as it must be.
  std::optional<host_job> collective_job(ir::op o, collective_kind kind) {
    auto const& facts = facts_of(kind);
    host_job job;
    job.o = o;
    job.what = number_of(facts.name);
    job.collective = true;
    job.kind = static_cast<std::uint8_t>(kind);
    job.arguments = arguments_of(o);
    if (job.arguments.size() < facts.operands) {
      faults_.report(o, "sim.malformed", std::string(facts.name) + " takes " + std::to_string(facts.operands) +
                                             " windows, and is given " + std::to_string(job.arguments.size()));
      return std::nullopt;
    }
    job.arguments.resize(facts.operands);
    for (std::size_t i = 0; i < facts.operands; ++i)
      if (!job.arguments[i].is_window()) {
        faults_.report(o, "sim.window",
                       "the " + std::string(facts.operand_names[i]) + " of " + std::string(facts.name) + " is no window");
        return std::nullopt;
      }
    if (kind == collective_kind::broadcast) job.detail = integer_argument(o, "root");
    if (kind == collective_kind::allreduce || kind == collective_kind::reduce_scatter)
      job.detail = integer_argument(o, "op");
    return job;
  }
  std::int64_t integer_argument(ir::op o, std::string_view key) {
    host::entry const e = host::find_entry(p_, o, "kwargs", key);
    if (e.expression) return at(e.expression).number;
    auto const* i = p_.context().get_if<ir::integer_attr>(e.data);
    return i ? i->value : 0;
  }
  // On all ranks of the domain.
  bool collective(ir::op o, collective_kind kind) {
    auto const& facts = facts_of(kind);
    auto job = collective_job(o, kind);
    if (!job) return false;
    host_value const result = job->arguments[facts.result];
    host_buffer const& b = memory_.buffers[result.buffer];
    if (b.domain == host_buffer::nowhere) return homeless(result.buffer);
    for (rank const r : std::vector<rank>(memory_.domains[b.domain].ranks))
      if (!send(r, *job, nullptr)) return false;
    at(p_.result(o, 0)) = result;
    return true;
  }
  // On one rank: the others have launches of their own.
  bool launch(ir::op o, collective_kind kind) {
    auto const to = device_of(o, facts_of(kind).name);
    if (!to) return false;
    auto job = collective_job(o, kind);
    return job && send(*to, std::move(*job), nullptr);
  }

  bool send(rank to, host_job job, host_task const* task) {
    if (!charge(job.o)) return false;
    host_simulation::event e{job.what, {}};
    // Signals say nothing of what is done, and passes add them.
    auto const& names = facts_of(static_cast<collective_kind>(job.kind)).operand_names;
    for (std::size_t i = 0; i < job.arguments.size(); ++i) {
      host_value const& w = job.arguments[i];
      if (!w.is_window()) continue;
      host_buffer const& b = memory_.buffers[w.buffer];
      touched_[b.summary][to] = true;
      if (!job.collective || names[i] != "signal") e.windows.push_back(number_of(b.name));
    }
    made().ranks[to].push_back(std::move(e));
    return mesh_.send(to, std::move(job), task);
  }

  host_simulation::function& made() { return into_.functions.back(); }
  std::uint32_t number_of(std::string_view name) {
    auto const at = names_.find(name);
    if (at != names_.end()) return at->second;
    auto const n = static_cast<std::uint32_t>(into_.names.size());
    into_.names.emplace_back(name);
    names_.emplace(std::string(name), n);
    return n;
  }

  // What a call is, read once.
  enum class call_form : std::uint8_t { unread, foreign, dispatch, world_size, allocation, view, collective, launch };
  struct known_call {
    call_form form = call_form::unread;
    collective_kind kind = {};
  };
  known_call classify(ir::op o) const {
    std::string_view const called = host::called_op(p_, o);
    if (called.empty())
      return {chips_.contains(host::called_function(p_, o)) ? call_form::dispatch : call_form::foreign};
    if (called == "pld.system.world_size") return {call_form::world_size};
    if (called == "pld.tensor.alloc_window_buffer") return {call_form::allocation};
    if (called == "pld.tensor.window") return {call_form::view};
    if (auto const kind = host::collective_named(called)) return {call_form::collective, *kind};
    constexpr std::string_view launches = "builtin.tensor.";
    if (!called.starts_with(launches)) return {call_form::foreign};
    std::string_view name = called.substr(launches.size());
    if (name == "allreduce_ring") name = "allreduce";
    auto const kind = host::collective_named("pld.tensor." + std::string(name));
    return kind ? known_call{call_form::launch, *kind} : known_call{call_form::foreign};
  }

  struct slot {
    ir::value base;
    std::uint32_t domain;
  };

  ir::program const& p_;
  host_options const& options_;
  task_registry const& tasks_;
  host_simulation& into_;
  host_memory memory_;
  host_faults faults_;
  host_mesh mesh_;
  seeded_choices seeded_;
  std::vector<host_value> values_;                    // by value
  std::vector<known_call> calls_;                     // by op
  std::vector<slot> slots_;                           // of the domains that are open
  std::vector<std::uint32_t> placed_;                 // buffers of the domains that are open
  std::map<std::uint32_t, std::uint32_t> summaries_;  // by allocating op
  std::vector<std::vector<bool>> touched_;            // by allocation and rank
  std::set<std::string, std::less<>> chips_;
  std::map<std::string, std::uint32_t, std::less<>> names_;
};

}  // namespace mpmd::sim
