#pragma once
/// On which devices a dispatch runs, from its `device` and the loops around it.

#include <cstdint>
#include <optional>

#include <mpmd/analysis/integer_range.hpp>
#include <mpmd/lattice/interval_powerset.hpp>

namespace mpmd {

/// A set of devices, or all that a program is started with.
using device_set = interval_set_or_all<std::int64_t>;

/// What can be wrong with a window program. The letters are those of messages and tests.
enum class window_fault : std::uint8_t {
  none,
  allocation_arity,
  allocation_unnamed,
  allocation_unassigned,
  collective_arity,
  negative_device,
  loop_start,
  loop_step,
  loop_stride,
  loop_range,
  loop_bound,
  no_induction_variable,
  unsupported_device,
  operand_is_no_variable,
  operand_is_no_window,
  collective_in_loop,
  data_without_devices,
  signal_without_devices,
  dead_allocation,
  unused_allocation,
  view_unassigned,
  duplicate_name,
  no_window_type,
  several_allocations,
};

/// The devices of a dispatch, or why there are none.
struct dispatch_devices {
  device_set devices = {};  ///< empty: it never runs
  window_fault fault = window_fault::none;
  std::int64_t number = 0;  ///< the device or step at fault; of all devices where the loop over them starts, if known
};

/// What is known of a loop that counts.
struct counted_loop {
  integer_fact start;
  integer_fact stop;
  integer_fact step;
  loop_rounds rounds;
};

/// The devices that the induction variable of a loop stands for. Bounds must be literals, perhaps under a name, or the
/// number of devices; with `widen`, arithmetic on literals will do.
///
/// A loop up to the number of devices stands for all of them wherever it starts: which ones that are is not known before
/// the program runs, and all is never too few.
inline dispatch_devices devices_of_loop(counted_loop const& loop, bool widen) {
  auto number = [widen](integer_fact const& f) -> std::optional<std::int64_t> {
    if (f.is_literal() || (widen && f.range && f.range->is_single())) return f.range->first;
    return {};
  };
  auto const start = number(loop.start), stop = number(loop.stop), step = number(loop.step);
  if (loop.stop.is_world_size()) {
    if (!step) return {{}, window_fault::loop_step, 0};
    if (*step != 1) return {{}, window_fault::loop_stride, *step};
    if (start && *start < 0) return {{}, window_fault::loop_range, *start};
    return {device_set::all(), window_fault::none, start.value_or(0)};
  }
  if (!stop) return {{}, window_fault::loop_bound, 0};
  if (!start) return {{}, window_fault::loop_start, 0};
  if (!step) return {{}, window_fault::loop_step, 0};
  if (*step != 1) return {{}, window_fault::loop_stride, *step};
  if (*start < 0 || *stop < *start) return {{}, window_fault::loop_range, *start};
  return {*stop == *start ? device_set{} : device_set(*start, *stop - 1), window_fault::none, 0};
}

/// The devices of a number that is a literal, or with `widen` one of a known range.
inline dispatch_devices devices_of_number(integer_fact const& f) {
  integer_range const r = *f.range;
  if (r.first < 0) return {{}, window_fault::negative_device, r.first};
  if (r.step <= 1) return {device_set(r.first, r.last), window_fault::none, 0};
  constexpr std::int64_t apart_at_most = 1 << 16;  // beyond that the numbers between are taken too: never too few
  if ((r.last - r.first) / r.step > apart_at_most) return {device_set(r.first, r.last), window_fault::none, 0};
  device_set all;
  for (std::int64_t d = r.first;; d += r.step) {
    all.insert({d, d});
    if (d == r.last) break;
  }
  return {all, window_fault::none, 0};
}

}  // namespace mpmd
