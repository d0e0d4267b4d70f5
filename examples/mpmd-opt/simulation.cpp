#include "simulation.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <mpmd/ir/traits.hpp>
#include <mpmd/ir/walk.hpp>
#include <mpmd/sim/compare.hpp>
#include <mpmd/sim/host_compare.hpp>
#include <mpmd/sim/simulate_host.hpp>
#include <mpmd/text/mlir.hpp>
#include <mpmd/transform/materialize_comm_domain_scopes.hpp>
#include <mpmd/transform/synthesize_allreduce_signals.hpp>

#include "explain_windows.hpp"

namespace tool {
namespace {

// A copy, whose ops say that they stand where those of the original do.
std::optional<mpmd::ir::program> copy_of(mpmd::ir::program const& p, mpmd::diagnostics& diags) {
  auto copy =
      mpmd::text::read_mlir(p.shared_context(), "<copy>", mpmd::text::to_mlir(p, {.generic = true}), diags);
  if (!copy) return std::nullopt;
  std::vector<mpmd::ir::location> places;
  mpmd::ir::walk(p, p.root(), [&](mpmd::ir::op o) { places.push_back(p.where(o)); });
  std::size_t next = 0;
  mpmd::ir::walk(*copy, copy->root(), [&](mpmd::ir::op o) {
    if (next < places.size()) copy->set_where(o, places[next++]);
  });
  return copy;
}

}  // namespace

struct simulation_check::state {
  mpmd::sim::observation_options options;
  std::uint32_t ranks;
  mpmd::diagnostics& diags;
  std::optional<mpmd::sim::behaviour> seen = std::nullopt;           // of the program as it was last
  std::optional<mpmd::sim::host_simulation> seen_host = std::nullopt;  // of a host program

  // A host program runs with domains: those it has, or those that are found for a copy of it.
  std::optional<mpmd::sim::host_simulation> run_host(mpmd::ir::program const& p) {
    auto copy = copy_of(p, diags);
    if (!copy || !mpmd::synthesize_allreduce_signals{}(*copy, diags) ||
        !mpmd::materialize_comm_domain_scopes{}(*copy, diags))
      return std::nullopt;
    constexpr std::int64_t least = 4, most = 65536;
    if (ranks == 0) ranks = static_cast<std::uint32_t>(std::clamp(mpmd::sim::ranks_needed(*copy), least, most));
    mpmd::sim::host_options asked;
    asked.ranks = ranks;
    asked.seed = options.seed;
    return mpmd::sim::simulate_host(*copy, diags, asked);
  }
};

simulation_check::simulation_check(std::uint64_t seed, std::uint32_t ranks, mpmd::diagnostics& diags)
    : state_(new state{{.seed = seed}, ranks, diags}) {}
simulation_check::~simulation_check() = default;

bool simulation_check::before_all(mpmd::ir::program const& p) {
  if (is_host_program(p))
    state_->seen_host = state_->run_host(p);
  else
    state_->seen = mpmd::sim::observe(p, state_->diags, state_->options, mpmd::sim::memories::one);
  if (state_->seen || state_->seen_host) return true;
  state_->diags.error({}, "verify-by-simulation", "the program cannot be simulated, so its passes are not verified");
  return false;
}

bool simulation_check::behind(std::string_view pass, mpmd::ir::program const& p) {
  bool same = false;
  if (state_->seen_host) {
    auto now = state_->run_host(p);
    same = now && mpmd::sim::same_runs(*state_->seen_host, *now, state_->diags);
    if (same) state_->seen_host = std::move(now);
  } else {
    auto now = mpmd::sim::observe(p, state_->diags, state_->options, mpmd::sim::memories::one_per_mesh);
    same = now && mpmd::sim::same_behaviour(*state_->seen, *now, state_->diags);
    if (same) state_->seen = std::move(now);
  }
  if (!same)
    state_->diags.error({}, "verify-by-simulation",
                        "the program does not do what it did before pass '" + std::string(pass) + "'");
  return same;
}

bool simulate_ranks(mpmd::ir::program const& p, std::uint32_t ranks, std::uint64_t seed, mpmd::diagnostics& diags,
                    std::ostream& out) {
  if (!is_host_program(p)) {
    diags.error({}, "command-line", "-simulate-ranks runs host programs, and this is none");
    return false;
  }
  mpmd::sim::host_options options;
  options.ranks = ranks;
  options.seed = seed;
  auto const ran = mpmd::sim::simulate_host(p, diags, options);
  if (!ran) return false;
  for (auto const& f : ran->functions) {
    out << "host function " << f.name << " on " << ranks << (ranks == 1 ? " rank\n" : " ranks\n");
    for (auto const& a : f.allocations)
      out << "  window " << a.name << ": " << a.bytes << " bytes on " << mpmd::sim::ranks_text(a.on) << " (" << a.domain
          << "), touched by " << mpmd::sim::ranks_text(a.touched) << '\n';
    constexpr std::size_t most_ranks = 64, most_events = 16;
    for (std::size_t r = 0; r < f.ranks.size() && r < most_ranks; ++r) {
      out << "  rank " << r << ':';
      for (std::size_t i = 0; i < f.ranks[r].size() && i < most_events; ++i)
        out << (i == 0 ? " " : ", ") << mpmd::sim::to_text(*ran, f.ranks[r][i]);
      if (f.ranks[r].size() > most_events) out << ", ... (" << f.ranks[r].size() << " in all)";
      out << (f.ranks[r].empty() ? " nothing\n" : "\n");
    }
    if (f.ranks.size() > most_ranks) out << "  ...\n";
  }
  return true;
}

}  // namespace tool
