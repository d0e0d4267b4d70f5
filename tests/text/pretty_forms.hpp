#pragma once
/// Short cuts for tests of pretty forms.

#include <string>
#include <string_view>

#include "text/mlir_programs.hpp"

namespace mpmd::text::testing {

/// A function with some ops, each line of which is indented by four blanks.
inline std::string in_function(std::string_view arguments, std::string_view body) {
  std::string text = "module {\n  func.func @f(";
  text += arguments;
  text += ") {\n    ";
  text += body;
  text += "\n    return\n  }\n}\n";
  return text;
}

/// Checks that a text is printed as it stands, and that every form of it reads back as the same program.
inline void check_print(std::string_view text) {
  CAPTURE(text);
  ir::program const read = good(text);
  CHECK(to_mlir(read) == text);
  check_round_trip(read);
  ir::program const again = good(to_mlir(read, {.generic = true}));
  CHECK(to_mlir(again) == text);
  CHECK(ir::structural_hash(read) == ir::structural_hash(again));
}

/// The errors of a text without their notes, one a line: `line:column: message`.
inline std::string errors_of(std::string_view text) {
  std::string found;
  for (diagnostic const& d : read(text).said) {
    if (!found.empty()) found += '\n';
    found += std::to_string(d.where.line) + ':' + std::to_string(d.where.column) + ": " + d.message;
  }
  return found;
}

/// Whether a text has errors.
inline bool is_bad(std::string_view text) {
  diagnostics quiet;
  return !read_mlir(std::make_shared<ir::context>(), "test.mlir", std::string(text), quiet).has_value();
}

}  // namespace mpmd::text::testing
