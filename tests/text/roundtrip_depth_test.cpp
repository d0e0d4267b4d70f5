#include "mlir_programs.hpp"
#include "testing/small_stack.hpp"

namespace roundtrip_depth_test {

namespace ir = mpmd::ir;
using namespace mpmd::text::testing;
using mpmd::testing::with_small_stack;

namespace {

constexpr int depth = 100'000;

std::string nested(std::string_view open, std::string_view close) {
  std::string text;
  for (int i = 0; i < depth; ++i) text += open;
  for (int i = 0; i < depth; ++i) text += close;
  return text;
}

}  // namespace

TEST_CASE("regions of the generic form nest as deeply as they like") {
  bool same = false;
  std::size_t debug_size = 0;
  with_small_stack([&] {
    mpmd::diagnostics quiet;
    auto context = std::make_shared<ir::context>();
    std::string const text = nested("%0 = \"t.a\"() ({\n", "}) : () -> i1\n");
    // Inner names shadow nothing: the name outside is defined only behind the region.
    auto const p = mpmd::text::read_mlir(context, "deep", text, quiet);
    if (!p) return;
    std::string const first = mpmd::text::to_mlir(*p);
    auto const again = mpmd::text::read_mlir(context, "again", first, quiet);
    same = again && mpmd::text::to_mlir(*again) == first && ir::structural_equal(*p, *again);
    debug_size = mpmd::text::to_mlir(*p, {.generic = true, .debug_info = true}).size();
  });
  CHECK(same);
  CHECK(debug_size > depth);
}

TEST_CASE("regions of pretty forms nest as deeply as they like") {
  bool same = false;
  with_small_stack([&] {
    mpmd::diagnostics quiet;
    auto context = std::make_shared<ir::context>();
    std::string const text =
        nested("mpmd.named_computation<\"n\"> () () {\n", "  mpmd.return\n} : () -> ()\n");
    auto const p = mpmd::text::read_mlir(context, "deep", text, quiet);
    if (!p) return;
    std::string const first = mpmd::text::to_mlir(*p);
    auto const again = mpmd::text::read_mlir(context, "again", first, quiet);
    same = again && mpmd::text::to_mlir(*again) == first;
  });
  CHECK(same);
}

TEST_CASE("errors at any depth are found without recursion") {
  std::size_t found = 0, unclosed = 0;
  with_small_stack([&] {
    mpmd::diagnostics one, two;
    auto context = std::make_shared<ir::context>();
    mpmd::text::read_mlir(context, "deep", nested("\"t.a\"() ({\n", "sdy.x\n}) : () -> ()\n"), one);
    mpmd::text::read_mlir(context, "open", nested("\"t.a\"() ({\n", ""), two);
    found = one.errors();
    unclosed = two.errors();
  });
  CHECK(found == mpmd::text::error_limit);
  CHECK(unclosed == 1);
}

TEST_CASE("a chain of a hundred thousand ops reads and prints back") {
  std::string text = "module {\n  func.func @f(%arg0: tensor<8xf32>) -> tensor<8xf32> {\n";
  std::string last = "%arg0";
  for (int i = 0; i < 100'000; ++i) {
    std::string const next = '%' + std::to_string(i);
    text += "    " + next + " = mpmd.broadcast " + last + " : tensor<8xf32>\n";
    last = next;
  }
  text += "    return " + last + " : tensor<8xf32>\n  }\n}\n";
  CHECK((printed(text) == text));
}

TEST_CASE("as many uses as one likes wait for one name") {
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += "\"t.use\"(%x#" + std::to_string(i) + ") : (i1) -> ()\n";
  text += "%x:20000 = \"t.x\"() : () -> (i1";
  for (int i = 1; i < 20'000; ++i) text += ", i1";
  ir::program const p = good(text + ")\n");
  ir::op const x = p.last_op(p.body());
  std::uint32_t i = 0;
  bool right = true;
  for (ir::op o = p.first_op(p.body()); o != x; o = p.next_op(o))
    right &= p.operand(o, 0) == p.result(x, i++);
  CHECK(right);
  CHECK(i == 20'000);
}

}  // namespace roundtrip_depth_test
