// Communication domains found while compiling: worked out by hand, and compared with those that are found at run time.
#include <mpmd/analysis/static_domains.hpp>

#include <doctest/doctest.h>

#include <mpmd/analysis/window_trace.hpp>

namespace static_domains_test {

using namespace mpmd::static_window_ops;
using mpmd::collective_kind;
using mpmd::make_static_windows;
using mpmd::window_fault;

// The signal's devices are those of the data, and the second signal's those of the first, as a barrier moves no data.
constexpr auto chained = make_static_windows(
    allocation("data"), allocation("signal"), allocation("apart"), allocation("everywhere"), allocation("input"),
    view("d", "data"), view("s", "signal"), view("a", "apart"), view("e", "everywhere"), view("i", "input"),
    dispatch("left", {"d"}, devices(2, 3)), alias("d2", "d"), dispatch("right", {"d2"}, device(8)),
    collective("sum", collective_kind::allreduce, {"d", "s"}), dispatch("more", {"sum"}, devices(4, 5)),
    dispatch("apart", {"a"}, device(4)), dispatch("apart", {"a"}, devices(2, 5)), dispatch("any", {"e"}, every_device),
    dispatch("any", {"a"}, device(8)), dispatch("feed", {"i"}, device(0)),
    collective("gathered", collective_kind::allgather, {"i", "e", "s"}),
    collective("wait", collective_kind::barrier, {"s"}));

static_assert([] {
  mpmd::device_set expected(2, 5);
  expected.insert({8, 8});
  return mpmd::devices_of<chained, "data">() == expected;
}());
static_assert(mpmd::devices_of<chained, "signal">().is_all(), "what is gathered everywhere waits on it");
static_assert(mpmd::domain_count<chained>() == 3);
static_assert(mpmd::domain_of<chained>("data") == 0 && mpmd::domain_of<chained>("apart") == 0);
static_assert(mpmd::domain_of<chained>("signal") == 1 && mpmd::domain_of<chained>("everywhere") == 1);
static_assert(mpmd::domain_of<chained>("input") == 2);
static_assert(mpmd::check_windows<chained>());

constexpr auto negative = make_static_windows(allocation("a"), view("v", "a"), dispatch("t", {"v"}, device(-1)));
constexpr auto pointer = make_static_windows(allocation("a"), view("v", "a"), dispatch("t", {"v"}, device(0)),
                                             collective("c", collective_kind::allreduce, {"v", "a"}));
constexpr auto short_of_one = make_static_windows(allocation("a"), view("v", "a"), dispatch("t", {"v"}, device(0)),
                                                  collective("c", collective_kind::allreduce, {"v"}));
constexpr auto silent = make_static_windows(allocation("a"), allocation("s"), view("v", "a"), view("w", "s"),
                                            collective("c", collective_kind::allreduce, {"v", "w"}));
constexpr auto silent_signal = make_static_windows(allocation("s"), view("w", "s"),
                                                   collective("c", collective_kind::barrier, {"w"}));
constexpr auto dead = make_static_windows(allocation("a"), dispatch("t", {"a"}, device(0)));
constexpr auto unused = make_static_windows(allocation("a"), view("v", "a"));
static_assert(mpmd::static_domains<negative>.wrong.fault == window_fault::negative_device);
static_assert(mpmd::static_domains<pointer>.wrong.fault == window_fault::operand_is_no_window);
static_assert(mpmd::static_domains<short_of_one>.wrong.fault == window_fault::collective_arity);
static_assert(mpmd::static_domains<silent>.wrong.fault == window_fault::data_without_devices);
static_assert(mpmd::static_domains<silent_signal>.wrong.fault == window_fault::signal_without_devices);
static_assert(mpmd::static_domains<dead>.wrong.fault == window_fault::dead_allocation);
static_assert(mpmd::static_domains<unused>.wrong.fault == window_fault::unused_allocation);

template <auto const& Program>
void compare_with_run_time() {
  auto const trace = mpmd::trace_windows(Program);
  auto const& all = trace.functions.front();
  CHECK(all.wrong.fault == mpmd::static_domains<Program>.wrong.fault);
  CHECK(all.wrong.o == mpmd::static_domains<Program>.wrong.op);
  CHECK(all.domains.size() == mpmd::domain_count<Program>());
  auto const devices = mpmd::detail::static_window_run(Program).devices;
  for (std::uint32_t a = 0; a < trace.graph.allocations.size(); ++a) {
    auto const o = trace.graph.allocations[a].o;
    CAPTURE(Program[o].name);
    CHECK(trace.devices(a) == devices[o.number - 1]);
    if (!all.wrong) CHECK(trace.domain(a) == mpmd::static_domains<Program>.domain_of[o.number - 1]);
  }
}

TEST_CASE("the domains of a static window program are those that are found at run time") {
  compare_with_run_time<chained>();
}

TEST_CASE("the faults of a static window program are those that are found at run time") {
  compare_with_run_time<negative>();
  compare_with_run_time<pointer>();
  compare_with_run_time<short_of_one>();
  compare_with_run_time<silent>();
  compare_with_run_time<silent_signal>();
  compare_with_run_time<dead>();
  compare_with_run_time<unused>();
}

}  // namespace static_domains_test
