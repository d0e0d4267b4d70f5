#pragma once
// What -print-ir-after-all, -print-ir-after-change, -mlir-timing and -pass-statistics show.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include <mpmd/ir/traits.hpp>
#include <mpmd/text/mlir/print_options.hpp>

#include "languages.hpp"

namespace tool {

struct watch_options {
  bool print_after_all = false;
  bool print_after_change = false;
  bool timing = false;
  bool statistics = false;
};

// Stands behind each pass of a run; passes of several parts of an input are added up by their places in the pipeline.
class pass_watch {
 public:
  pass_watch(watch_options asked, language in, mpmd::text::mlir::print_options how, std::ostream& out)
      : asked_(asked), in_(in), how_(how), out_(out) {}

  void before_all(mpmd::ir::program const& p);
  void behind(std::string_view pass, mpmd::ir::program const& p);
  // The next pass starts now: checks between passes take no pass's time.
  void next() { last_ = clock::now(); }
  // Everything the tool did beside passes, since it was started, counts as rest.
  void report();

 private:
  using clock = std::chrono::steady_clock;
  struct counts {
    std::size_t ops = 0, fragments = 0, transfers = 0, calls = 0;
  };
  struct row {
    std::string pass;
    double seconds = 0;
    std::size_t runs = 0, changed = 0;
    std::int64_t ops = 0, fragments = 0, transfers = 0, calls = 0;  // more or fewer
  };
  counts count(mpmd::ir::program const& p) const;
  void report_timing() const;
  void report_statistics() const;

  watch_options asked_;
  language in_;
  mpmd::text::mlir::print_options how_;
  std::ostream& out_;
  clock::time_point const started_ = clock::now();
  clock::time_point last_;
  std::uint64_t hash_ = 0;
  counts counts_;
  std::size_t place_ = 0;
  std::vector<row> rows_;
};

}  // namespace tool
