/// Where the verifier points in a text.
#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <vector>

#include <mpmd/ir/verify.hpp>
#include <mpmd/text/mlir.hpp>

namespace verify_text_test {

namespace {

std::vector<mpmd::diagnostic> faults(std::string text) {
  std::vector<mpmd::diagnostic> found;
  mpmd::diagnostics out([&](mpmd::diagnostic const& d) { found.push_back(d); });
  auto const p =
      mpmd::text::read_mlir(std::make_shared<mpmd::ir::context>(), "in.mlir", std::move(text), out);
  REQUIRE(p);
  mpmd::ir::verify(*p, out);
  return found;
}

std::string place(mpmd::source_location const& at) {
  return at.file + ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
}

}  // namespace

TEST_CASE("an error stands at the op, with its line") {
  auto const found = faults(R"(!m = !mpmd.mesh_tensor<"m1", tensor<6x2xf32>>
!s = !mpmd.mesh_tensor<"m1", tensor<6x2xf32>, sharding=<@mesh, [{"x"}, {}]>>
func.func @f(%a: !m) -> !s attributes {topology = #mpmd.topology<<"m1": <["x"=4]>>>} {
  %moved = mpmd.transfer %a : (!m) -> !s
  return %moved : !s
}
)");
  REQUIRE(found.size() == 1);
  CHECK(found[0].message == "'mpmd.transfer' op dim 0 with size 6 is not divisible by its sharded size 4");
  CHECK(found[0].where.line == 4);
  CHECK(found[0].where.file == "in.mlir");
  CHECK(found[0].where.line_text == "  %moved = mpmd.transfer %a : (!m) -> !s");
}

TEST_CASE("a note stands at the op it speaks of") {
  auto const found = faults(R"(module {
  func.func private @twice()
  func.func private @once()
  func.func private @twice()
}
)");
  REQUIRE(found.size() == 1);
  CHECK(found[0].message == "redefinition of symbol named 'twice'");
  CHECK(place(found[0].where) == "in.mlir:4:3");
  REQUIRE(found[0].notes.size() == 1);
  CHECK(place(found[0].notes[0].where) == "in.mlir:2:3");
}

TEST_CASE("each faulty function has its error") {
  auto const found = faults(R"(
func.func @f(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = mpmd.reduce<none> %a, %a : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func @g(%a: tensor<2xf32>) -> tensor<2xf32> {
  return %a : tensor<2xf32>
}
func.func @h(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = mpmd.call @f(%a) {call_counter = 1 : i32} : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
)");
  REQUIRE(found.size() == 2);
  CHECK(found[0].where.line == 3);
  CHECK(found[1].where.line == 10);
  CHECK(found[1].message == "call_counter must be an uint32, got 'i32'");
}

TEST_CASE("a value used before its definition is found, and the note says where it is defined") {
  auto const found = faults(R"(func.func @f(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = mpmd.broadcast %1 : tensor<2xf32>
  %1 = mpmd.broadcast %a : tensor<2xf32>
  return %0 : tensor<2xf32>
}
)");
  REQUIRE(found.size() == 1);
  CHECK(found[0].message == "operand #0 does not dominate this use");
  CHECK(found[0].where.line == 2);
  REQUIRE(found[0].notes.size() == 1);
  CHECK(found[0].notes[0].where.line == 3);
}

}  // namespace verify_text_test
