#include "windows_json.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include <mpmd/analysis/window_messages.hpp>
#include <mpmd/analysis/window_trace.hpp>
#include <mpmd/ir/host_ops.hpp>
#include <mpmd/ir/traits.hpp>
#include <mpmd/ir/walk.hpp>
#include <mpmd/support/json.hpp>
#include <mpmd/transform/synthesize_allreduce_signals.hpp>

#include "window_uses.hpp"

namespace tool {
namespace {

namespace ir = mpmd::ir;
namespace host = mpmd::ir::host;

class windows_writer {
 public:
  explicit windows_writer(ir::program const& p)
      : p_(p), trace_(mpmd::trace_windows(p)), uses_(uses_of_windows(trace_)), standing_(p, trace_) {}

  std::string const& write() {
    to_.begin_object().key("version").value(1).key("functions").begin_list();
    for (auto const& f : trace_.functions) {
      if (f.first_allocation == f.end_of_allocations) continue;
      to_.new_line().begin_object().key("name").value(host::function_name(p_, f.o));
      to_.key("materialised").value(f.materialised);
      to_.key("fault");
      if (f.wrong && !f.materialised)  // what stands is not held to the rules of making it
        to_.value(mpmd::describe(trace_, f).message);
      else
        to_.null();
      to_.key("domains").begin_list();
      if (f.materialised)
        scopes(f);
      else
        for (std::size_t d = 0; d < f.domains.size(); ++d) {
          begin_domain("comm_d" + std::to_string(d), f.domains[d].devices);
          for (auto const a : f.domains[d].allocations) window(a);
          to_.end_list().end_object();
        }
      to_.end_list().end_object();
    }
    to_.end_list().end_object();
    return to_.text();
  }

 private:
  void scopes(host_trace::function const& f) {
    ir::walk(p_, f.o, [&](ir::op o) {
      if (!p_.is(o, ir::opcode::host_comm_domain)) return;
      begin_domain(host::domain_name(p_, o), standing_.devices_of(o));
      for (ir::value const slot : host::slots(p_, o))
        if (auto const a = standing_.allocation_of(slot); a != host_trace::none) window(a);
      to_.end_list().end_object();
    });
  }
  void begin_domain(std::string_view name, mpmd::device_set const& on) {
    to_.new_line().begin_object().key("name").value(name).key("devices");
    devices(on);
    to_.key("windows").begin_list();
  }
  // "all", or the first and the last of each run.
  void devices(mpmd::device_set const& on) {
    if (on.is_all()) {
      to_.value("all");
      return;
    }
    to_.begin_list();
    for (auto const& run : on.intervals()) to_.begin_list().value(run.first).value(run.last).end_list();
    to_.end_list();
  }
  void window(std::uint32_t a) {
    auto const& allocation = trace_.graph.allocations[a];
    to_.new_line().begin_object().key("name").value(allocation.name).key("bytes").value_or_null(allocation.bytes);
    line(allocation.o);
    to_.key("needed_on");
    devices(trace_.devices(a));
    to_.key("views").begin_list();
    for (auto const i : uses_[a].views) {
      auto const& v = trace_.graph.views[i];
      to_.begin_object().key("name").value(host::hint(p_, v.v)).key("shape").begin_list();
      for (auto const& extent : mpmd::ir_traits<ir::program>::extents_of(p_, v.v)) to_.value_or_null(extent);
      to_.end_list().key("dtype").value(mpmd::ir_traits<ir::program>::element_type(p_, v.v));
      line(v.o);
      to_.end_object();
    }
    to_.end_list().key("dispatches").begin_list();
    for (auto const i : uses_[a].dispatches) {
      auto const& d = trace_.graph.dispatches[i];
      to_.begin_object().key("callee").value(host::called_function(p_, d.o)).key("devices");
      if (d.says_devices)
        devices(d.on.devices);
      else
        to_.null();
      line(d.o);
      to_.end_object();
    }
    to_.end_list().end_object();
  }
  void line(ir::op o) { to_.key("line").value(mpmd::window_place(p_, o).line); }

  ir::program const& p_;
  host_trace trace_;
  std::vector<window_uses> uses_;
  standing_domains standing_;
  mpmd::json_writer to_;
};

}  // namespace

void make_signals(ir::program& p) {
  mpmd::diagnostics nobody([](mpmd::diagnostic const&) {});
  mpmd::synthesize_allreduce_signals{}(p, nobody);
}

void print_windows_as_json(ir::program const& p, std::ostream& out) { out << windows_writer(p).write() << '\n'; }

}  // namespace tool
