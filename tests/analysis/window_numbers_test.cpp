// Windows of a host whose ops and values are plain numbers, one type for both.
#include <doctest/doctest.h>

#include <cstdint>
#include <span>
#include <vector>

#include <mpmd/analysis/window_trace.hpp>

namespace window_numbers_test {

struct line {
  mpmd::window_role means;
  std::vector<std::uint32_t> operands = {};
  std::int64_t device = 0;
};
// Line 0 is none; line n sets value n.
struct lines {
  std::vector<line> all;
  std::vector<std::uint32_t> numbers = {};
};

}  // namespace window_numbers_test

template <>
struct mpmd::ir_traits<window_numbers_test::lines> {
  using lines = window_numbers_test::lines;
  using op = std::uint32_t;
  using value = std::uint32_t;
  static std::vector<op> const& ops(lines const& p) { return p.numbers; }
  static std::vector<value> const& operands(lines const& p, op o) { return p.all[o].operands; }
  static std::span<value const> results(lines const& p, op o) { return std::span(p.numbers).subspan(o - 1, 1); }
  static window_role window_role_of(lines const& p, op o) { return p.all[o].means; }
  static device_form<value> device_of(lines const& p, op o) {
    return {device_form<value>::kind::numbers, p.all[o].device, p.all[o].device, 0};
  }
};

namespace window_numbers_test {

TEST_CASE("values of a window program may be plain numbers") {
  using mpmd::window_role;
  lines p{{{window_role::other},
           {window_role::allocation},
           {window_role::allocation},
           {window_role::view, {1}},
           {window_role::view, {2}},
           {window_role::dispatch, {3}, 4},
           {window_role::dispatch, {3, 4}, 5}}};
  for (std::uint32_t n = 1; n < p.all.size(); ++n) p.numbers.push_back(n);
  auto const trace = mpmd::trace_windows(p);
  REQUIRE(!trace.functions.front().wrong);
  CHECK(trace.devices(0) == mpmd::device_set(4, 5));
  CHECK(trace.devices(1) == mpmd::device_set(5, 5));
}

}  // namespace window_numbers_test
