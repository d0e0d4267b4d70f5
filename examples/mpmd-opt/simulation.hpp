#pragma once
// `-verify-by-simulation`: a program does behind each pass what it did before.

#include <cstdint>
#include <memory>
#include <string_view>

#include <mpmd/ir/program.hpp>
#include <mpmd/support/diagnostics.hpp>

namespace tool {

class simulation_check {
 public:
  simulation_check(std::uint64_t seed, mpmd::diagnostics& diags);
  ~simulation_check();
  simulation_check(simulation_check const&) = delete;
  simulation_check& operator=(simulation_check const&) = delete;

  // Runs the program as it is read, with one memory. False after saying why it cannot be run.
  bool before_all(mpmd::ir::program const& p);
  // Runs it again behind a pass, with one memory a mesh. False after saying how it differs.
  bool behind(std::string_view pass, mpmd::ir::program const& p);

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace tool
