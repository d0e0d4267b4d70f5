#include "mlir_programs.hpp"

namespace print_locations_test {

namespace ir = mpmd::ir;
using namespace mpmd::text::testing;

TEST_CASE("locations are named in the order of the text, those that contain others behind") {
  std::string_view const text = R"(#loc1 = loc("n")
#loc2 = loc("f":1:2)
#loc5 = loc(unknown)
#loc8 = loc("g":1:2)
#loc11 = loc("arg"(#loc2))
#loc13 = loc("q"(#loc8))
module {
  "t.a"() : () -> () loc(#loc1)
  "t.b"() : () -> () loc(#loc9)
  "t.c"() : () -> () loc(#loc14)
  "t.d"() : () -> () loc(#loc10)
  "t.d"() : () -> () loc(#loc5)
  func.func @f(%arg0: i32 loc("arg"(#loc2)), %arg1: i32 loc("n")) {
    return loc(#loc7)
  } loc(#loc6)
  "t.e"() ({
  ^bb0(%arg0: i32 loc("q"(#loc8)), %arg1: i32 loc(unknown)):
    "t.f"() : () -> () loc(#loc8)
  }) : () -> () loc(#loc15)
} loc(#loc)
#loc = loc("mm")
#loc3 = loc("y")
#loc4 = loc("f":1:3)
#loc6 = loc("f")
#loc7 = loc("r")
#loc9 = loc("x"(#loc2))
#loc10 = loc(fused<"m">[#loc1, #loc4])
#loc12 = loc("x"(#loc4))
#loc14 = loc(callsite(#loc3 at #loc9))
#loc15 = loc(callsite(#loc3 at #loc12))
)";
  CHECK(printed(text, {.debug_info = true}) == text);
  CHECK(printed(R"(module {
    "t.a"() : () -> () loc("n")
    "t.b"() : () -> () loc("x"("f":1:2))
    "t.c"() : () -> () loc(callsite("y" at "x"("f":1:2)))
    "t.d"() : () -> () loc(fused<"m">["n", "f":1:3])
    "t.d"() : () -> () loc(unknown)
    func.func @f(%a: i32 loc("arg"("f":1:2)), %b: i32 loc("n")) { return loc("r") } loc("f")
    "t.e"() ({^bb0(%a: i32 loc("q"("g":1:2)), %b: i32 loc(unknown)):
      "t.f"() : () -> () loc("g":1:2)
    }) : () -> () loc(callsite("y" at "x"("f":1:3)))
  } loc("mm"))", {.debug_info = true}) == text);
}

TEST_CASE("an op that states no location has that of its text") {
  CHECK(printed("module {\n  %a:2 = \"t.a\"() ({\n    ^bb0(%x: i1):\n    }) : () -> (i1, i1)\n}\n", {.debug_info = true}) ==
        R"(#loc2 = loc("test.mlir":3:10)
module {
  %0:2 = "t.a"() ({
  ^bb0(%arg0: i1 loc("test.mlir":3:10)):
  }) : () -> (i1, i1) loc(#loc1)
} loc(#loc)
#loc = loc("test.mlir":1:1)
#loc1 = loc("test.mlir":2:10)
)");
}

TEST_CASE("an op made without a place is at an unknown one") {
  ir::program p;
  CHECK(mpmd::text::to_mlir(p, {.debug_info = true}) == "module {\n} loc(#loc)\n#loc = loc(unknown)\n");
}

TEST_CASE("locations of arguments of every block come in their turn") {
  std::string_view const text = R"(#loc2 = loc("a")
#loc3 = loc("b")
#loc5 = loc("d")
module {
  "t.f"() ({
  ^bb0(%arg0: i1 loc("a")):
  ^bb1(%0: i1 loc("b")):  // no predecessors
    "t.x"() : () -> () loc(#loc4)
  ^bb2(%1: i1 loc("d")):  // no predecessors
  }) : () -> () loc(#loc1)
} loc(#loc)
#loc = loc("m")
#loc1 = loc("f")
#loc4 = loc("x")
)";
  CHECK(printed(text, {.debug_info = true}) == text);
}

TEST_CASE("printing with locations says no more about blocks than printing without") {
  std::string_view const text = R"(module {
  "t.f"() ({
    "t.br"()[^bb1] : () -> () loc(#loc)
  ^bb1:  // pred: ^bb0
    "t.end"() : () -> () loc(#loc)
  }) : () -> () loc(#loc)
} loc(#loc)
#loc = loc("m")
)";
  CHECK(printed(text, {.debug_info = true}) == text);
}

}  // namespace print_locations_test
