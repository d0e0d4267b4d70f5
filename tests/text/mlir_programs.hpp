#pragma once
/// Short cuts for tests that read and print programs.

#include <doctest/doctest.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <mpmd/ir/equality.hpp>
#include <mpmd/text/mlir.hpp>

namespace doctest {
template <>
struct StringMaker<std::vector<std::string>> {
  static String convert(std::vector<std::string> const& lines) {
    std::string all = "\n";
    for (auto const& line : lines) all += "  " + line + '\n';
    return all.c_str();
  }
};
}  // namespace doctest

namespace mpmd::text::testing {

struct reading {
  std::optional<ir::program> program;
  std::vector<diagnostic> said;

  /// Each diagnostic as `line:column: message`, its notes behind it as `line:column: note: message`.
  std::vector<std::string> lines() const {
    std::vector<std::string> all;
    auto place = [](source_location const& at) { return std::to_string(at.line) + ':' + std::to_string(at.column) + ": "; };
    for (diagnostic const& d : said) {
      all.push_back(place(d.where) + d.message);
      for (auto const& n : d.notes) all.push_back(place(n.where) + "note: " + n.message);
    }
    return all;
  }
};

inline reading read(std::string_view text, std::shared_ptr<ir::context> context = std::make_shared<ir::context>()) {
  reading r;
  diagnostics to([&r](diagnostic const& d) { r.said.push_back(d); });
  r.program = read_mlir(std::move(context), "test.mlir", std::string(text), to);
  CHECK(r.program.has_value() == (to.errors() == 0));
  return r;
}

/// Reads a text that has no errors.
inline ir::program good(std::string_view text, std::shared_ptr<ir::context> context = std::make_shared<ir::context>()) {
  reading r = read(text, std::move(context));
  std::string all;
  for (auto const& line : r.lines()) all += line + '\n';
  REQUIRE_MESSAGE(r.program.has_value(), all);
  CHECK(all == "");
  return std::move(*r.program);
}

inline std::vector<std::string> errors(std::string_view text) {
  reading const r = read(text);
  CHECK(!r.program.has_value());
  for (diagnostic const& d : r.said) {
    CHECK(d.id == "parse");
    CHECK(d.where.file == "test.mlir");
  }
  return r.lines();
}

/// What the text looks like when it is printed back.
inline std::string printed(std::string_view text, print_options options = {}) { return to_mlir(good(text), options); }

/// Whether a program reads back as itself from its pretty, its generic and its located text.
inline void check_round_trip(ir::program const& p) {
  for (print_options const options : {print_options{}, print_options{.generic = true}, print_options{.debug_info = true},
                                      print_options{.generic = true, .debug_info = true}}) {
    std::string const text = to_mlir(p, options);
    CAPTURE(text);
    ir::program const again = good(text);
    auto const difference = ir::first_difference(p, again);
    CHECK_MESSAGE(!difference, ir::describe(*difference, p, again));
    CHECK(to_mlir(again, options) == text);
  }
}

/// Whether two texts say the same program.
inline void check_same(std::string_view a, std::string_view b) {
  CAPTURE(a);
  CAPTURE(b);
  ir::program const left = good(a), right = good(b);
  auto const difference = ir::first_difference(left, right);
  CHECK_MESSAGE(!difference, ir::describe(*difference, left, right));
}

/// The op of this kind that comes first.
inline ir::op find(ir::program const& p, std::string_view kind) {
  ir::op found;
  ir::walk(p, p.root(), [&](ir::op o) {
    if (p.kind_text(o) != kind) return ir::walk_step::advance;
    found = o;
    return ir::walk_step::interrupt;
  });
  REQUIRE(found);
  return found;
}

}  // namespace mpmd::text::testing
