#pragma once
// Programs for the tests of analyses: MLIR text in, sets of named values out.

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <string_view>

#include <mpmd/analysis/sets_with_origins.hpp>
#include <mpmd/analysis/src_sets.hpp>
#include <mpmd/analysis/use_sets.hpp>
#include <mpmd/transform/populate_src_set.hpp>
#include <mpmd/transform/populate_use_set.hpp>

#include "testing/mlir_program.hpp"

namespace testing {

// The program behind the populate passes, printed.
inline std::string with_use_sets(std::string_view text) {
  auto p = read(text);
  mpmd::diagnostics diags;
  REQUIRE(mpmd::populate_use_set{}(p, diags));
  return mpmd::text::to_mlir(p);
}
inline std::string with_sets(std::string_view text) {
  auto p = read(text);
  mpmd::diagnostics diags;
  REQUIRE(mpmd::populate_use_set{}(p, diags));
  REQUIRE(mpmd::populate_src_set{}(p, diags));
  return mpmd::text::to_mlir(p);
}
inline std::string with_src_sets(std::string_view text) {
  auto p = read(text);
  mpmd::diagnostics diags;
  REQUIRE(mpmd::populate_src_set{}(p, diags));
  return mpmd::text::to_mlir(p);
}

// The part of the line that holds `mark` which is the set of the kind ("use" or "src"): `<"a"["enc"], "b">`; empty when
// the line has none. The line is the first to contain the mark.
inline std::string set_at(std::string const& printed, std::string_view mark, std::string_view kind) {
  auto const at = printed.find(mark);
  INFO("looking for ", std::string(mark), " in\n", printed);
  REQUIRE(at != std::string::npos);
  auto const begin = printed.rfind('\n', at) + 1;
  std::string_view const line = std::string_view(printed).substr(begin, printed.find('\n', at) - begin);
  std::string const key = "mpmd." + std::string(kind) + "_set = #mpmd.meshes_with_origins";
  auto const from = line.find(key);
  if (from == std::string_view::npos) return {};
  auto const open = from + key.size();
  return std::string(line.substr(open, line.find('>', open) + 1 - open));
}

// The same for argument or result `index` of the first function whose header has `mark`.
inline std::string signature_set(std::string const& printed, std::string_view mark, std::string_view argument,
                                 std::string_view kind) {
  auto const at = printed.find(mark);
  REQUIRE(at != std::string::npos);
  std::string_view header = std::string_view(printed).substr(at, printed.find('\n', at) - at);
  auto const from = header.find(argument);
  REQUIRE(from != std::string_view::npos);
  header = header.substr(from + argument.size());
  // Up to the next argument, or the results.
  header = header.substr(0, std::min(header.find(", %"), header.find(") ->")));
  std::string const key = "mpmd." + std::string(kind) + "_set = #mpmd.meshes_with_origins";
  auto const found = header.find(key);
  if (found == std::string_view::npos) return {};
  auto const open = found + key.size();
  return std::string(header.substr(open, header.find('>', open) + 1 - open));
}

}  // namespace testing
