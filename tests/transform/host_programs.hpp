#pragma once
// Host programs for tests, written as the body of a host function, and what passes make of them.

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <mpmd/ir/equality.hpp>
#include <mpmd/ir/structural_hash.hpp>
#include <mpmd/ir/traits.hpp>
#include <mpmd/ir/verify.hpp>
#include <mpmd/pipeline/pass.hpp>
#include <mpmd/text/python.hpp>

namespace host_programs {

// The functions around a body: chip orchestrators, and kinds of function that no dispatch runs.
inline constexpr std::string_view before = R"(import pypto.language as pl
import pypto.language.distributed as pld

@pl.program
class Test:
    @pl.function(type=pl.FunctionType.Orchestration)
    def step(self, w: pld.DistributedTensor[[16], pl.FP32]):
        return w

    @pl.function(type=pl.FunctionType.Orchestration)
    def pair(self, a: pld.DistributedTensor[[16], pl.FP32], s: pld.DistributedTensor[[8, 1], pl.INT32]):
        return a

    @pl.function(type=pl.FunctionType.Orchestration)
    def flag(self, s: pld.DistributedTensor[[8, 1], pl.INT32]):
        return s

    @pl.function(type=pl.FunctionType.Orchestration)
    def probe(self, w: pld.DistributedTensor[[16], pl.FP32]) -> pl.Scalar[pl.BOOL]:
        return True

    @pl.function(type=pl.FunctionType.Graph)
    def graph(self, w: pld.DistributedTensor[[16], pl.FP32]):
        return w

    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def host(self, go: pl.Scalar[pl.BOOL], k: pl.Scalar[pl.INDEX], p: pl.Ptr, x: pl.Tensor[[16], pl.FP32]):
)";

inline std::string around(std::string_view body) {
  std::string text(before);
  for (std::size_t at = 0; at < body.size();) {
    std::size_t stop = body.find('\n', at);
    if (stop == std::string_view::npos) stop = body.size();
    text.append("        ").append(body.substr(at, stop - at)).append("\n");
    at = stop + 1;
  }
  return text;
}
inline std::size_t lines_before() {
  std::size_t n = 0;
  for (char const c : before) n += c == '\n' ? 1u : 0u;
  return n;
}

struct result {
  bool good = false;
  std::string text;                     // the program, printed
  std::vector<mpmd::diagnostic> errors;
  std::vector<mpmd::diagnostic> warnings;

  // `2: message`, the line being that of the body.
  std::string first_error() const {
    if (errors.empty()) return {};
    auto const line = errors[0].where.line;
    return std::to_string(line > lines_before() ? line - lines_before() : 0) + ": " + errors[0].message;
  }
  // `[0, 1]: a b; []: c`: devices and the bases of slots of each scope, outermost first.
  std::string domains() const {
    std::string all;
    for (auto at = text.find("pl._dump.comm_domain("); at != std::string::npos;
         at = text.find("pl._dump.comm_domain(", at + 1)) {
      std::string const line = text.substr(at, text.find('\n', at) - at);
      auto const list = line.find("devices=") + 8;
      if (!all.empty()) all += "; ";
      all += line.substr(list, line.find(']', list) + 1 - list) + ":";
      for (auto b = line.find("base=\""); b != std::string::npos; b = line.find("base=\"", b + 1))
        all += " " + line.substr(b + 6, line.find('"', b + 6) - b - 6);
    }
    return all;
  }
  bool has(std::string_view part) const { return text.find(part) != std::string::npos; }
};

// Reads, runs, checks that the program is valid and survives its text, and prints.
inline result run(std::string const& source, mpmd::pipeline<mpmd::ir::program> const& passes) {
  result r;
  mpmd::diagnostics diags([&r](mpmd::diagnostic const& d) {
    (d.level == mpmd::severity::error ? r.errors : r.warnings).push_back(d);
  });
  auto const context = std::make_shared<mpmd::ir::context>();
  auto p = mpmd::text::read_python(context, "test.py", source, diags);
  REQUIRE(p);
  std::string const unchanged = mpmd::text::to_python(*p);
  r.good = mpmd::run(passes, *p, diags);
  r.text = mpmd::text::to_python(*p);
  if (!r.good) {
    CHECK_FALSE(r.errors.empty());
    if (passes.size() == 1) CHECK(r.text == unchanged);  // a pass that fails changes nothing
    return r;
  }
  CHECK(r.errors.empty());
  CHECK(mpmd::ir::verify(*p, diags));
  auto const again = mpmd::text::read_python(context, "printed.py", r.text, diags);
  REQUIRE(again);
  CHECK(mpmd::ir::structural_equal(*p, *again));
  CHECK(mpmd::ir::structural_hash(*p) == mpmd::ir::structural_hash(*again));
  CHECK(mpmd::text::to_python(*again) == r.text);
  return r;
}

}  // namespace host_programs
