#pragma once
/// Whether two runs of a host program did the same.

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include <mpmd/sim/host_values.hpp>
#include <mpmd/support/diagnostics.hpp>

namespace mpmd::sim {

/// `step(buf, other)`.
inline std::string to_text(host_simulation const& of, host_simulation::event const& e) {
  std::string text = of.names[e.what] + "(";
  for (std::size_t i = 0; i < e.windows.size(); ++i) text.append(i == 0 ? "" : ", ").append(of.names[e.windows[i]]);
  return text + ")";
}

/// Whether each rank ran the same tasks and collectives in the same order, on windows over buffers of the same names;
/// signals of collectives aside. Reports the first difference of each function as `sim.different`.
inline bool same_runs(host_simulation const& before, host_simulation const& after, diagnostics& diags) {
  bool same = true;
  auto differ = [&](host_simulation::function const& f, std::string const& what) {
    diags.error({}, "sim.different", "host function '" + f.name + "' " + what);
    same = false;
  };
  for (auto const& was : before.functions) {
    auto const is = std::find_if(after.functions.begin(), after.functions.end(),
                                 [&](auto const& f) { return f.name == was.name; });
    if (is == after.functions.end()) {
      differ(was, "is no longer there");
      continue;
    }
    auto at = [](host_simulation const& of, auto const& events, std::size_t i) {
      return i < events.size() ? to_text(of, events[i]) : std::string("nothing");
    };
    for (std::size_t r = 0; r < was.ranks.size() && r < is->ranks.size(); ++r) {
      auto const &a = was.ranks[r], &b = is->ranks[r];
      std::size_t i = 0;
      while (i < a.size() && i < b.size() && at(before, a, i) == at(after, b, i)) ++i;
      if (i == a.size() && i == b.size()) continue;
      differ(was, "runs " + at(after, b, i) + " instead of " + at(before, a, i) + " on rank " + std::to_string(r));
      break;
    }
  }
  return same;
}

}  // namespace mpmd::sim
