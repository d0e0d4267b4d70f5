#pragma once

#include <mpmd/ir/context.hpp>
#include <mpmd/support/diagnostics.hpp>
#include <mpmd/text/mlir/printer.hpp>
#include <mpmd/text/mlir/reader.hpp>

#include <string>
#include <utility>
#include <vector>

namespace mpmd::testing {

/// What came of reading a text that holds alias definitions, if any, and one attribute (or type).
struct reading {
  ir::attribute value;
  std::vector<std::string> errors;  // "line:column: message"
  bool whole = false;               // nothing is left behind the attribute
};

inline reading read_attribute(ir::context& in, std::string text) {
  reading made;
  diagnostics diags([&made](diagnostic const& d) {
    made.errors.push_back(std::to_string(d.where.line) + ':' + std::to_string(d.where.column) + ": " +
                          d.message);
  });
  auto const [buffer, added] = in.sources.add("test.mlir", std::move(text));
  if (!added) return made;
  text::mlir::reader r(in, diags, buffer);
  while (r.at_alias_definition())
    if (!r.parse_alias_definition()) return made;
  made.value = r.parse_attribute();
  made.whole = r.in.at_end();
  return made;
}

/// The text printed for what was read; or the first error, or what else went wrong.
inline std::string reprinted(std::string text) {
  ir::context in;
  auto const read = read_attribute(in, std::move(text));
  if (!read.errors.empty()) return read.errors[0];
  if (!read.value) return "no attribute and no error";
  if (!read.whole) return "text left over";
  return text::mlir::to_string(in, read.value);
}

/// All errors found in a text that must not be read without one.
inline std::vector<std::string> errors_of(std::string text) {
  ir::context in;
  auto read = read_attribute(in, std::move(text));
  if (read.value && read.errors.empty()) return {"no error"};
  if (read.value) read.errors.push_back("a value in spite of errors");
  return read.errors;
}
inline std::string error_of(std::string text) {
  auto const errors = errors_of(std::move(text));
  if (errors.empty()) return "null without an error";
  return errors.size() == 1 ? errors[0] : errors[0] + " and " + std::to_string(errors.size() - 1) + " more";
}

/// The same handle for both texts, read into one context.
inline bool same(std::string first, std::string second) {
  ir::context in;
  auto const a = read_attribute(in, std::move(first)), b = read_attribute(in, std::move(second));
  return a.value && a.whole && b.whole && a.value == b.value;
}

}  // namespace mpmd::testing
