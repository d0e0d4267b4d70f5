#pragma once
// `-verify-by-simulation`: a program does behind each pass what it did before. `-simulate-ranks`: what a host program does.

#include <cstdint>
#include <memory>
#include <ostream>
#include <string_view>

#include <mpmd/ir/program.hpp>
#include <mpmd/support/diagnostics.hpp>

namespace tool {

class simulation_check {
 public:
  // `ranks` are those of host programs; 0: as many as they need.
  simulation_check(std::uint64_t seed, std::uint32_t ranks, mpmd::diagnostics& diags);
  ~simulation_check();
  simulation_check(simulation_check const&) = delete;
  simulation_check& operator=(simulation_check const&) = delete;

  // Runs the program as it is read, with one memory; a host program with its domains. False after saying why it cannot be
  // run.
  bool before_all(mpmd::ir::program const& p);
  // Runs it again behind a pass, with one memory a mesh. False after saying how it differs.
  bool behind(std::string_view pass, mpmd::ir::program const& p);

 private:
  struct state;
  std::unique_ptr<state> state_;
};

// Runs a host program and lists what each rank did, and who touched which window. False after saying what is wrong.
bool simulate_ranks(mpmd::ir::program const& p, std::uint32_t ranks, std::uint64_t seed, mpmd::diagnostics& diags,
                    std::ostream& out);

}  // namespace tool
