#pragma once
// Programs for the tests of mesh inference: with the sets that earlier passes leave, and what a pass says.

#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "transform/transform_program.hpp"

namespace testing {

// USE("a"["x"], "b") and SRC(...) for the attributes in which sets stand.
inline std::string expand_sets(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    bool const use = text.starts_with("USE(");
    if (!use && !text.starts_with("SRC(")) {
      out += text.front();
      text.remove_prefix(1);
      continue;
    }
    auto const close = text.find(')');
    out.append(use ? "mpmd.use_set" : "mpmd.src_set").append(" = #mpmd.meshes_with_origins<");
    out.append(text.substr(4, close - 4)).append(">");
    text.remove_prefix(close + 1);
  }
  return out;
}

struct outcome {
  mpmd::ir::program program;
  bool good = false;
  std::vector<mpmd::diagnostic> said = {};
};

// The program behind the pass, and what the pass reported.
template <class Pass>
outcome run_on(std::string_view text, Pass const& pass, bool verified = true) {
  std::string const full = expand(expand_sets(text));
  std::ostringstream complaints;
  mpmd::diagnostics reading(complaints);
  auto p = mpmd::text::read_mlir(std::make_shared<mpmd::ir::context>(), "test.mlir", full, reading);
  REQUIRE_MESSAGE(p.has_value(), complaints.str());
  if (verified) REQUIRE_MESSAGE(mpmd::ir::verify(*p, reading), complaints.str());
  outcome result{std::move(*p)};
  mpmd::diagnostics diags([&](mpmd::diagnostic const& d) { result.said.push_back(d); });
  result.good = pass(result.program, diags);
  return result;
}

// Runs a pass that has to succeed without a word, and checks the body of function `i`.
template <class Pass>
void check_body(std::string_view text, std::string_view body, Pass const& pass, int i = 0) {
  auto const result = run_on(text, pass);
  CHECK(result.good);
  for (auto const& d : result.said) FAIL_CHECK(d.message);
  expect(result.program, expand_sets(body), i);
}

inline bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

// The first line of the printed program with a mark in it.
inline std::string line_with(mpmd::ir::program const& p, std::string_view mark) {
  std::string const printed = mpmd::text::to_mlir(p);
  auto const at = printed.find(mark);
  REQUIRE_MESSAGE(at != std::string::npos, printed);
  auto const from = printed.rfind('\n', at) + 1;
  return printed.substr(from, printed.find('\n', at) - from);
}

}  // namespace testing
