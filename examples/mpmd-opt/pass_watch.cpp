#include "pass_watch.hpp"

#include <algorithm>
#include <iomanip>
#include <sstream>

#include <mpmd/ir/structural_hash.hpp>
#include <mpmd/ir/walk.hpp>

namespace tool {

pass_watch::counts pass_watch::count(mpmd::ir::program const& p) const {
  counts found;
  mpmd::ir::walk(p, p.root(), [&](mpmd::ir::op o) {
    ++found.ops;
    if (p.is(o, mpmd::ir::opcode::mpmd_fragment)) ++found.fragments;
    if (p.is(o, mpmd::ir::opcode::mpmd_transfer)) ++found.transfers;
    if (p.is(o, mpmd::ir::opcode::mpmd_call)) ++found.calls;
  });
  return found;
}

void pass_watch::before_all(mpmd::ir::program const& p) {
  place_ = 0;
  if (asked_.print_after_change || asked_.statistics) hash_ = mpmd::ir::structural_hash(p);
  if (asked_.statistics) counts_ = count(p);
  last_ = clock::now();
}

void pass_watch::behind(std::string_view pass, mpmd::ir::program const& p) {
  double const seconds = std::chrono::duration<double>(clock::now() - last_).count();
  if (place_ == rows_.size()) rows_.push_back({std::string(pass)});
  row& r = rows_[place_++];
  r.seconds += seconds;
  ++r.runs;
  bool changed = true;
  if (asked_.print_after_change || asked_.statistics) {
    std::uint64_t const hash = mpmd::ir::structural_hash(p);
    changed = hash != hash_;
    hash_ = hash;
    r.changed += changed ? 1 : 0;
  }
  if (asked_.statistics) {
    counts const now = count(p);
    auto grown = [](std::size_t from, std::size_t to) { return static_cast<std::int64_t>(to) - static_cast<std::int64_t>(from); };
    r.ops += grown(counts_.ops, now.ops);
    r.fragments += grown(counts_.fragments, now.fragments);
    r.transfers += grown(counts_.transfers, now.transfers);
    r.calls += grown(counts_.calls, now.calls);
    counts_ = now;
  }
  if (asked_.print_after_all || (asked_.print_after_change && changed)) {
    out_ << "// -----// IR Dump After " << pass << " //----- //\n";
    print(in_, out_, p, how_);
    out_ << '\n';
  }
}

void pass_watch::report() {
  if (asked_.timing) report_timing();
  if (asked_.statistics) report_statistics();
}

void pass_watch::report_timing() const {
  double const total = std::chrono::duration<double>(clock::now() - started_).count();
  double rest = total;
  out_ << "===" << std::string(73, '-') << "===\n  ... Execution time report ...\n===" << std::string(73, '-')
       << "===\n  Total Execution Time: " << std::fixed << std::setprecision(4) << total << " seconds\n\n"
       << "  ----Wall Time----  ----Name----\n";
  auto line = [&](double seconds, std::string_view name) {
    std::ostringstream share;
    share << std::fixed << std::setprecision(1) << '(' << (total > 0 ? 100 * seconds / total : 0) << "%)";
    out_ << std::setw(10) << seconds << ' ' << std::setw(8) << share.str() << "  " << name << '\n';
  };
  for (row const& r : rows_) {
    line(r.seconds, r.pass);
    rest -= r.seconds;
  }
  line(std::max(rest, 0.0), "Rest");
  line(total, "Total");
}

void pass_watch::report_statistics() const {
  out_ << "===" << std::string(73, '-') << "===\n  ... Pass statistics report ...\n===" << std::string(73, '-')
       << "===\n";
  for (row const& r : rows_) {
    out_ << r.pass << '\n';
    auto line = [&](char sign, std::int64_t number, std::string_view what) {
      if (sign != 0 && number == 0) return;
      std::ostringstream text;
      if (sign != 0 && number > 0) text << '+';
      text << number;
      out_ << "  (S) " << std::setw(8) << text.str() << ' ' << what << '\n';
    };
    line(0, static_cast<std::int64_t>(r.changed), "times of " + std::to_string(r.runs) + " that it changed the program");
    line('+', r.ops, "ops");
    line('+', r.fragments, "fragments");
    line('+', r.transfers, "transfers");
    line('+', r.calls, "calls");
  }
}

}  // namespace tool
