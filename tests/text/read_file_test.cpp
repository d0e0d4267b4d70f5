#include <doctest/doctest.h>

#include <fstream>
#include <string>
#include <vector>

#include <mpmd/text/read_file.hpp>
#include <testing/paths.hpp>

namespace read_file_test {

namespace {

std::string written(std::string const& name, std::string_view text) {
  std::string const path = mpmd::testing::scratch_dir() + "/text_read_file_" + name;
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

struct heard {
  std::vector<mpmd::diagnostic> said;
  mpmd::diagnostics to{[this](mpmd::diagnostic const& d) { said.push_back(d); }};
};

}  // namespace

TEST_CASE("a file is read as the program in it") {
  heard h;
  auto const p = mpmd::text::read_file(written("good.mlir", "func.func @f() {\r\n  return\r\n}\r\n"), h.to);
  REQUIRE(p.has_value());
  CHECK(h.said.empty());
  CHECK(mpmd::text::to_mlir(*p) == "module {\n  func.func @f() {\n    return\n  }\n}\n");
}

TEST_CASE("errors name the file as it was asked for") {
  heard h;
  std::string const path = written("bad.mlir", "\n  nonsense\r\n");
  CHECK(!mpmd::text::read_file(path, h.to).has_value());
  REQUIRE(h.said.size() == 1);
  CHECK(h.said[0].where.file == path);
  CHECK(h.said[0].where.line == 2);
  CHECK(h.said[0].where.column == 3);
  CHECK(h.said[0].where.line_text == "  nonsense");
}

TEST_CASE("files that cannot be read are an error, not a program") {
  for (std::string const& path : {mpmd::testing::scratch_dir() + "/no/such/file.mlir", mpmd::testing::scratch_dir()}) {
    heard h;
    CHECK(!mpmd::text::read_file(path, h.to).has_value());
    REQUIRE(h.said.size() == 1);
    CHECK(h.said[0].id == "file");
    CHECK(h.said[0].where.file == path);
    CHECK(h.said[0].message.starts_with("cannot "));
  }
}

TEST_CASE("the context of a file can be shared") {
  heard h;
  auto context = std::make_shared<mpmd::ir::context>();
  auto const a = mpmd::text::read_file(written("a.mlir", "\"t.a\"() {x = 1 : i8} : () -> ()"), h.to, context);
  auto const b = mpmd::text::read_file(written("b.mlir", "\"t.b\"() {x = 1 : i8} : () -> ()"), h.to, context);
  REQUIRE(a.has_value());
  REQUIRE(b.has_value());
  CHECK(a->attr(a->first_op(a->body()), "x") == b->attr(b->first_op(b->body()), "x"));
}

}  // namespace read_file_test
