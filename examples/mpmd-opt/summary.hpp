#pragma once
// --summary and --emit=dot: the placement of a program as a table that a person reads at a glance, as JSON or as a drawing.

#include <ostream>
#include <string_view>
#include <unordered_set>

#include <mpmd/analysis/placement_summary.hpp>
#include <mpmd/ir/program.hpp>

#include "explain.hpp"

namespace tool {

enum class shown { program, table, json, dot };

// Keeps what the input says, to tell it from what the passes decide.
class placement_shower {
 public:
  explicit placement_shower(shown as) : as_(as) {}

  void before_all(mpmd::ir::program const& p);
  void behind(std::string_view pass, mpmd::ir::program const& p);
  void print(mpmd::ir::program const& p, std::ostream& out) const;

 private:
  // Ops that a user placed: those in named computations, and in fragments of users.
  void note_placed(mpmd::ir::program const& p);

  shown as_;
  mpmd::placement_summary before_;
  std::unordered_set<op_place> placed_;
};

}  // namespace tool
