#pragma once
// Programs for the tests of passes: MLIR text in, printed bodies out.

#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <mpmd/ir/traits.hpp>
#include <mpmd/ir/verify.hpp>
#include <mpmd/ir/walk.hpp>
#include <mpmd/support/diagnostics.hpp>
#include <mpmd/text/mlir.hpp>

#include "testing/mlir_program.hpp"

namespace testing {

inline mpmd::ir::op function(mpmd::ir::program const& p, std::size_t i) {
  return mpmd::ir_traits<mpmd::ir::program>::functions(p).at(i);
}
inline mpmd::ir::value argument(mpmd::ir::program const& p, std::size_t i, std::size_t of_function = 0) {
  return mpmd::ir_traits<mpmd::ir::program>::arguments(p, function(p, of_function)).at(i);
}
// The ops of that kind, in program order.
inline std::vector<mpmd::ir::op> find_all(mpmd::ir::program const& p, std::string_view kind) {
  std::vector<mpmd::ir::op> found;
  mpmd::ir::walk(p, p.root(), [&](mpmd::ir::op o) {
    if (p.kind_text(o) == kind) found.push_back(o);
  });
  return found;
}
inline mpmd::ir::op find(mpmd::ir::program const& p, std::string_view kind) {
  auto const found = find_all(p, kind);
  REQUIRE_MESSAGE(!found.empty(), std::string(kind));
  return found.front();
}
// What the functions consist of.
inline std::vector<std::string> kinds(mpmd::ir::program const& p) {
  std::vector<std::string> all;
  mpmd::ir::walk(p, p.root(), [&](mpmd::ir::op o) {
    if (o != p.root() && !p.is(o, mpmd::ir::opcode::func_func)) all.emplace_back(p.kind_text(o));
  });
  return all;
}

// The lines of a text without indentation, trailing blanks and empty lines.
inline std::string lines(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    auto stop = text.find('\n', at);
    if (stop == std::string_view::npos) stop = text.size();
    std::string_view line = text.substr(at, stop - at);
    auto const from = line.find_first_not_of(' ');
    if (from != std::string_view::npos)
      out.append(line.substr(from, line.find_last_not_of(' ') + 1 - from)).append("\n");
    at = stop + 1;
  }
  return out;
}

// Checks that the program is valid, and that the body of its function `i` (all of it for -1) reads so.
inline void expect(mpmd::ir::program const& p, std::string_view body, int i = 0) {
  std::ostringstream said;
  mpmd::diagnostics diags(said);
  CHECK_MESSAGE(mpmd::ir::verify(p, diags), said.str());
  std::string const printed = mpmd::text::to_mlir(p);
  std::string_view part = printed;
  if (i >= 0) {
    std::size_t at = 0;
    for (int k = 0; k <= i; ++k) at = printed.find("func.func", at) + 1;
    at = printed.find('\n', at) + 1;
    part = std::string_view(printed).substr(at, printed.find("\n  }", at) - at);
  }
  CHECK_EQ(lines(part), lines(expand(body)));
}

}  // namespace testing
