#pragma once
// Host programs for the tests of the Python syntax.

#include <doctest/doctest.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <mpmd/ir/equality.hpp>
#include <mpmd/ir/host_ops.hpp>
#include <mpmd/ir/verify.hpp>
#include <mpmd/ir/walk.hpp>
#include <mpmd/text/mlir.hpp>
#include <mpmd/text/python.hpp>

namespace mpmd::text::python_testing {

inline constexpr std::string_view imports =
    "import pypto.language as pl\nimport pypto.language.distributed as pld\n";

/// A program with a chip function `step`, an in-core function `kern`, and a host function with these parameters and
/// statements; the first of these stands on line 13.
inline std::string host_program(std::string_view statements, std::string_view parameters = "") {
  std::string text(imports);
  text +=
      "@pl.program\n"
      "class P:\n"
      "    @pl.function(type=pl.FunctionType.InCore)\n"
      "    def kern(w: pld.DistributedTensor[[16], pl.FP32]):\n"
      "        return w\n"
      "    @pl.function(type=pl.FunctionType.Orchestration)\n"
      "    def step(self, w: pld.DistributedTensor[[16], pl.FP32]):\n"
      "        return w\n"
      "    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)\n";
  text.append("    def host(self").append(parameters.empty() ? "" : ", ").append(parameters).append("):\n");
  while (!statements.empty()) {
    auto const stop = statements.find('\n');
    auto const line = statements.substr(0, stop);
    text.append(line.empty() ? "" : "        ").append(line).append("\n");
    statements = stop == std::string_view::npos ? std::string_view{} : statements.substr(stop + 1);
  }
  return text;
}

/// The ops of one kind, in order.
inline std::vector<ir::op> ops_of(ir::program const& p, ir::opcode code) {
  std::vector<ir::op> found;
  ir::walk(p, p.root(), [&](ir::op o) {
    if (p.is(o, code)) found.push_back(o);
  });
  return found;
}

struct read_result {
  std::optional<ir::program> program;
  std::vector<diagnostic> found;
};

inline read_result read(std::string text) {
  read_result r;
  diagnostics diags([&r](diagnostic const& d) { r.found.push_back(d); });
  r.program = read_python(std::make_shared<ir::context>(), "test.py", std::move(text), diags);
  return r;
}

/// Reads a text that has no faults.
inline ir::program valid(std::string const& text) {
  auto r = read(text);
  for (auto const& d : r.found)
    if (d.level == severity::error) MESSAGE(d.where.line << ":" << d.where.column << ": " << d.message);
  REQUIRE(r.program.has_value());
  diagnostics diags;
  CHECK(ir::verify(*r.program, diags));
  return std::move(*r.program);
}

/// Printed and read again in another context it is an equal program, which prints as the same text; and it survives
/// MLIR's syntax.
inline void check_round_trip(ir::program const& p) {
  std::string const printed = to_python(p);
  CAPTURE(printed);
  ir::program const again = valid(printed);
  CHECK(ir::structural_equal(p, again));
  CHECK(ir::structural_hash(p) == ir::structural_hash(again));
  CHECK(to_python(again) == printed);
  diagnostics diags;
  auto const generic = read_mlir(std::make_shared<ir::context>(), "test.mlir", to_mlir(p, {.generic = true}), diags);
  REQUIRE(generic.has_value());
  CHECK(ir::structural_equal(p, *generic));
  CHECK(to_python(*generic) == printed);
}

/// The lines of a printed program that stand in its host function, without their indentation.
inline std::vector<std::string> printed_statements(ir::program const& p) {
  std::string const text = to_python(p);
  std::vector<std::string> lines;
  bool inside = false;
  for (std::size_t at = 0; at < text.size();) {
    auto const stop = text.find('\n', at);
    std::string_view line = std::string_view(text).substr(at, stop - at);
    at = stop == std::string::npos ? text.size() : stop + 1;
    std::size_t const start = line.find_first_not_of(' ');
    if (inside && start < 8) break;
    if (inside) lines.emplace_back(line.substr(8));
    inside |= line.starts_with("    def host(");
  }
  return lines;
}
inline std::string printed_body(ir::program const& p) {
  std::string all;
  for (auto const& l : printed_statements(p)) all += l + "\n";
  return all;
}

}  // namespace mpmd::text::python_testing
