// Communication windows that are traced while the program compiles: which devices share which buffers. The same
// description is traced at run time, too.

#include <iostream>

#include <mpmd/analysis/static_domains.hpp>
#include <mpmd/analysis/window_messages.hpp>
#include <mpmd/analysis/window_trace.hpp>

using namespace mpmd::static_window_ops;

constexpr auto step = mpmd::make_static_windows(
    allocation("weights"), allocation("gradients"), allocation("signal"), allocation("cache"),
    view("w", "weights"), view("g", "gradients"), view("s", "signal"), view("c", "cache"),
    dispatch("backward", {"w", "g"}, devices(0, 3)),
    collective("sum", mpmd::collective_kind::allreduce, {"g", "s"}),
    dispatch("update", {"w", "sum"}, devices(0, 3)),
    dispatch("serve", {"c"}, device(7)));

static_assert(mpmd::check_windows<step>());
static_assert(mpmd::domain_count<step>() == 2);
static_assert(mpmd::domain_of<step>("signal") == mpmd::domain_of<step>("gradients"), "the devices that sum wait on it");
static_assert(mpmd::domain_of<step>("cache") != mpmd::domain_of<step>("weights"));
static_assert(mpmd::devices_of<step, "weights">() == mpmd::device_set(0, 3));

int main() {
  auto const trace = mpmd::trace_windows(step);
  for (auto const& domain : trace.functions.front().domains) {
    std::cout << mpmd::to_text(domain.devices) << ":";
    for (auto const a : domain.allocations) std::cout << ' ' << trace.graph.allocations[a].name;
    std::cout << '\n';
  }
}
