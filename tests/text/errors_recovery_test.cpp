#include "mlir_programs.hpp"

namespace errors_recovery_test {

namespace ir = mpmd::ir;
using namespace mpmd::text::testing;
using lines = std::vector<std::string>;

TEST_CASE("all errors of a text are reported, in its order") {
  CHECK(errors(R"(#a = [1
func.func @f(%a: i1) -> i1 {
  %0 = sdy.one %a : i1
  %1 = "t.two"(%0, %a) : (i8, i1) -> i8
  %2 = "t.three"(%a) : (i8) -> i8
  %3 = "t.four"(%nowhere) : (i8) -> i8
  return %a : i1
}
func.func @g(i1) {
  %0 = sdy.unseen : i1
  return
}
"t.five"() : ()
"t.six"() : () -> () loc(#missing)
)") == lines{
           "1:8: expected ']'",
           "3:8: custom op 'sdy.one' is unknown",
           "5:18: use of value '%a' expects different type than prior uses: 'i8' vs 'i1'",
           "2:14: note: prior use here",
           "6:17: use of undeclared SSA value name",
           "9:14: custom op 'func.func' expected SSA identifier",
           "13:16: expected '->'",
           "14:26: operation location alias was never defined",
       });
}

TEST_CASE("what a faulty op defines is not missed later, whatever type it is used with") {
  CHECK(errors("%a:2, %b = sdy.x\n\"t.use\"(%a, %a#1, %b, %a#7) : (i1, i2, i3, i4) -> ()\n\"t.use\"(%a) : "
               "(i8) -> ()\n") == lines{"1:12: custom op 'sdy.x' is unknown"});
  // Nor what is used before.
  CHECK(errors("\"t.use\"(%a) : (i1) -> ()\n%a = sdy.x\n") == lines{"2:6: custom op 'sdy.x' is unknown"});
  CHECK(errors("\"t.f\"() ({\n^a(%x: !):\n  \"t.use\"(%x) : (i1) -> ()\n}) : () -> ()\n").size() == 1);
}

TEST_CASE("a faulty op is skipped with its regions and everything else in braces") {
  CHECK(errors(R"(sdy.x {
  %0 = "t.a"() : () -> i1
} else {
  sdy.y
  "}"
  // }
} loc("x")
"t.b"(%0) : (i1) -> ()
)") == lines{"1:1: custom op 'sdy.x' is unknown", "8:7: use of undeclared SSA value name"});
}

TEST_CASE("a faulty op ends with the region around it") {
  CHECK(errors("func.func @f() { sdy.x }\nfunc.func @g() { sdy.y }\n") ==
        lines{"1:18: custom op 'sdy.x' is unknown", "2:18: custom op 'sdy.y' is unknown"});
}

TEST_CASE("ops behind a faulty label are read, and stand in a block") {
  CHECK(errors("\"t.a\"() ({\n^,b(%x: i1):\n  \"t.b\"() : () -> ()\n  \"t.c\"(%y) : (i1) -> ()\n}) : () -> "
               "()\n") == lines{"1:11: expected block name", "4:9: use of undeclared SSA value name"});
}

TEST_CASE("an error behind the regions of an op leaves what is in them in force") {
  CHECK(
      errors(
          "%r = \"t.f\"() ({\n  sdy.x\n  \"t.y\"(%q) : (i1) -> ()\n}) oops\n\"t.use\"(%r) : (i1) -> ()\n") ==
      lines{"2:3: custom op 'sdy.x' is unknown", "3:9: use of undeclared SSA value name",
            "4:3: expected ':' followed by operation type"});
}

TEST_CASE("the lines of a long operand list are not taken for ops") {
  CHECK(errors("sdy.x(%a,\n  %b,\n  %c) : (i1)\n%d = sdy.y\n") ==
        lines{"1:1: custom op 'sdy.x' is unknown", "4:6: custom op 'sdy.y' is unknown"});
}

TEST_CASE("when nothing is found to go on with, what is missing for that reason is not reported") {
  CHECK(errors("\"t.use\"(%a) : (i1) -> () loc(#l)\nfunc.func @f() {\n  sdy.x {{\n  return\n}\n%a = "
               "\"t.a\"() : () -> i1\n"
               "#l = loc(\"l\")\n") == lines{"3:3: custom op 'sdy.x' is unknown"});
}

TEST_CASE("the number of errors reported is limited") {
  std::string text;
  for (std::size_t i = 0; i < mpmd::text::error_limit + 150; ++i) text += "sdy.x\n";
  reading const r = read(text);
  CHECK(!r.program.has_value());
  REQUIRE(r.said.size() == mpmd::text::error_limit + 1);
  CHECK(r.said[mpmd::text::error_limit - 1].where.line == mpmd::text::error_limit);
  CHECK(r.said.back().level == mpmd::severity::remark);
  // What was not read cannot be missed.
  CHECK(errors("\"t.use\"(%a) : (i1) -> ()\n" + text + "%a = \"t.a\"() : () -> i1\n").front() ==
        "2:1: custom op 'sdy.x' is unknown");
}

TEST_CASE("any text gets an answer, however it is cut") {
  std::string_view const text = R"(#a = #mpmd.topology<<"m1" : <["x"=2]>>>
!m = !mpmd.mesh_tensor<"m1", tensor<8xf32>, sharding=<@mesh, [{"x"}]>>
module @m attributes {t.a = "}{", t.b = [1, 2.5 : f32]} {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @f(%a: !m {t.c} loc("a"), %b: tensor<8xf32>) -> (!m {t.d = @x::@y}, i1) attributes {topology = #a} {
    %r:2 = mpmd.fragment<mesh="m1", origin=["e"(1)], stage=1, out_shardings=[<@mesh, [{?}]>, <@mesh, [{?}]>]> (%a) {u} (%p: tensor<8xf32>) {
      mpmd.return %p, %p : tensor<8xf32>, tensor<8xf32>
    } : (!m) -> (!m, !m)
    %l = mpmd.for (%b) {iterations = 2 : ui32} (%v: tensor<8xf32>, %i: tensor<ui32>) {
      mpmd.return %v : tensor<8xf32>
    } : tensor<8xf32>
    %g, %h = "t.g"(%r#1)[^one] <{p = dense<[1, 2]> : tensor<2xi8>}> ({
    ^bb0(%q: i1):
      "t.h"(%later) : (i32) -> ()
    }, {}) {s = loc("z")} : (!m) -> (!m, i1) loc(callsite("c" at #where))
    return %g, %h : !m, i1
  ^one:
    %later = "t.i"() : () -> i32
  }
} loc(fused["x", "y":1:2])
#where = loc("w")
{-# dialect_resources: { builtin: { r: "0x01" } } #-}
)";
  check_round_trip(good(text));
  for (std::size_t size = 0; size < text.size(); ++size) {
    CAPTURE(size);
    reading const cut = read(text.substr(0, size));
    CHECK(cut.said.size() <= mpmd::text::error_limit);
    reading const left = read(text.substr(size));
    CHECK(left.said.size() <= mpmd::text::error_limit);
    for (std::string_view const put : {"\"", "{", "}", "%", "x", "\0"}) {
      std::string changed(text);
      changed[size] = put.empty() ? '\0' : put[0];
      read(changed);
    }
  }
}

}  // namespace errors_recovery_test
