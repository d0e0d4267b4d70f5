#pragma once
// What the command line asks for.

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include <mpmd/ir/traits.hpp>
#include <mpmd/pipeline/pass.hpp>
#include <mpmd/support/diagnostics.hpp>

#include "languages.hpp"
#include "pass_watch.hpp"
#include "summary.hpp"

namespace tool {

using program = mpmd::ir::program;

struct command_line {
  std::string input = "-";
  std::string output = "-";
  std::optional<tool::language> language;  // stated; otherwise the file's name decides
  mpmd::pipeline<program> passes;  // in the order given
  std::vector<std::string> why;    // values whose sets are explained
  shown show = shown::program;
  watch_options watch;
  bool split_input = false;
  bool verify_diagnostics = false;
  bool verify_each = true;
  bool verify_round_trip = false;
  bool verify_by_simulation = false;
  std::uint64_t simulation_seed = 1;
  std::uint32_t simulate_ranks = 0;  // 0: not asked for
  bool errors_only = false;
  bool generic = false;
  bool debug_info = false;
  bool help = false;
  std::vector<mpmd::diagnostic> option_errors;  // of passes; with verify_diagnostics they may have been expected
  std::string complaint;  // of the option that was read last, while reading
};

// nullopt after reporting what is wrong; with -verify-diagnostics, options of passes may be.
std::optional<command_line> parse_command_line(std::vector<std::string> const& arguments, mpmd::diagnostics& diags);

void print_help(std::ostream& out);

}  // namespace tool
