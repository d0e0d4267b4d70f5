#include "simulation.hpp"

#include <optional>
#include <string>
#include <utility>

#include <mpmd/sim/compare.hpp>

namespace tool {

struct simulation_check::state {
  mpmd::sim::observation_options options;
  mpmd::diagnostics& diags;
  std::optional<mpmd::sim::behaviour> seen = std::nullopt;  // of the program as it was last
};

simulation_check::simulation_check(std::uint64_t seed, mpmd::diagnostics& diags)
    : state_(new state{{.seed = seed}, diags}) {}
simulation_check::~simulation_check() = default;

bool simulation_check::before_all(mpmd::ir::program const& p) {
  state_->seen = mpmd::sim::observe(p, state_->diags, state_->options, mpmd::sim::memories::one);
  if (!state_->seen)
    state_->diags.error({}, "verify-by-simulation",
                        "the program cannot be simulated, so its passes are not verified");
  return state_->seen.has_value();
}

bool simulation_check::behind(std::string_view pass, mpmd::ir::program const& p) {
  auto now = mpmd::sim::observe(p, state_->diags, state_->options, mpmd::sim::memories::one_per_mesh);
  if (!now || !mpmd::sim::same_behaviour(*state_->seen, *now, state_->diags)) {
    state_->diags.error({}, "verify-by-simulation",
                        "the program does not do what it did before pass '" + std::string(pass) + "'");
    return false;
  }
  state_->seen = std::move(now);
  return true;
}

}  // namespace tool
