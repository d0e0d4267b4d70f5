// expect: pass_over
// expect: Pass::summary
// The concept by itself names the member.
#include <mpmd/pipeline/pass.hpp>

#include <string_view>
#include <tuple>

struct toy {};

struct nothing {
  static constexpr std::string_view name = "nothing";
#ifdef MPMD_CONTROL
  static constexpr std::string_view summary = "Do nothing";
#endif
  static constexpr auto options = std::tuple{};
  bool operator()(toy&, mpmd::diagnostics&) const { return true; }
};

static_assert(mpmd::pass_over<nothing, toy>);
