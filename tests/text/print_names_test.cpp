#include "mlir_programs.hpp"

#include <sstream>

namespace print_names_test {

namespace ir = mpmd::ir;
using namespace mpmd::text::testing;

TEST_CASE("a region numbers its own values first, and the regions in it go on from there") {
  // The two bodies of the op, being siblings, use the same numbers; the function after it starts again.
  CHECK(printed(R"(
    func.func @f(%x: i1) -> i1 {
      %a:2 = "t.a"(%x) ({
        %b = "t.b"(%x) : (i1) -> i1
        "t.c"() ({
          %c = "t.c"(%b) : (i1) -> i1
        }) : () -> ()
      }, {
      ^bb0(%u: i1, %v: i1):
        %d = "t.b"(%u) : (i1) -> i1
      }) : (i1) -> (i1, i1)
      %e = "t.d"() : () -> i1
      return %a#1 : i1
    }
    func.func @g(%x: i1) -> i1 {
      %a = "t.a"(%x) : (i1) -> i1
      return %a : i1
    }
  )") == R"(module {
  func.func @f(%arg0: i1) -> i1 {
    %0:2 = "t.a"(%arg0) ({
      %2 = "t.b"(%arg0) : (i1) -> i1
      "t.c"() ({
        %3 = "t.c"(%2) : (i1) -> i1
      }) : () -> ()
    }, {
    ^bb0(%arg1: i1, %arg2: i1):
      %2 = "t.b"(%arg1) : (i1) -> i1
    }) : (i1) -> (i1, i1)
    %1 = "t.d"() : () -> i1
    return %0#1 : i1
  }
  func.func @g(%arg0: i1) -> i1 {
    %0 = "t.a"(%arg0) : (i1) -> i1
    return %0 : i1
  }
}
)");
}

TEST_CASE("in the generic form no number is used twice, and the last region comes first") {
  CHECK(printed(R"(
    func.func @f(%x: i1) {
      %a = "t.a"() : () -> i1
      return
    }
    func.func @g(%x: i1) {
      %a = "t.a"() : () -> i1
      return
    }
  )", {.generic = true}) == R"("builtin.module"() ({
  "func.func"() <{function_type = (i1) -> (), sym_name = "f"}> ({
  ^bb0(%arg1: i1):
    %1 = "t.a"() : () -> i1
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (i1) -> (), sym_name = "g"}> ({
  ^bb0(%arg0: i1):
    %0 = "t.a"() : () -> i1
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
)");
}

TEST_CASE("the index of a loop has a name, which gets a number where it is taken") {
  std::string_view const text = R"(module {
  func.func @f(%arg0: i1) -> i1 {
    %0 = mpmd.for (%arg0) {iterations = 2 : ui32} (%arg1: i1, %index: tensor<ui32>) {
      %2 = mpmd.for (%arg1) {iterations = 2 : ui32} (%arg2: i1, %index_0: tensor<ui32>) {
        "t.use"(%index, %index_0) : (tensor<ui32>, tensor<ui32>) -> ()
        mpmd.return %arg2 : i1
      } : i1
      mpmd.return %2 : i1
    } : i1
    %1 = mpmd.for (%0) {iterations = 2 : ui32} (%arg1: i1, %index: tensor<ui32>) {
      mpmd.return %arg1 : i1
    } : i1
    return %1 : i1
  }
}
)";
  CHECK(printed(text) == text);
}

TEST_CASE("blocks are named by their place and say where control comes from") {
  CHECK(printed(R"("t.f"() ({
      %a = "t.a"() : () -> i1
      "t.br"(%a)[^y, ^x] : (i1) -> ()
    ^x:
      "t.br"()[^y] : () -> ()
    ^y(%b: i1):
      "t.br"()[^x, ^y] : () -> ()
    ^z:
      "t.end"() : () -> ()
    }) : () -> ())") == R"(module {
  "t.f"() ({
    %0 = "t.a"() : () -> i1
    "t.br"(%0)[^bb2, ^bb1] : (i1) -> ()
  ^bb1:  // 2 preds: ^bb0, ^bb2
    "t.br"()[^bb2] : () -> ()
  ^bb2(%1: i1):  // 3 preds: ^bb0, ^bb1, ^bb2
    "t.br"()[^bb1, ^bb2] : () -> ()
  ^bb3:  // no predecessors
    "t.end"() : () -> ()
  }) : () -> ()
}
)");
  CHECK(printed("\"t.f\"() ({ \"t.br\"()[^a] : () -> () ^a: \"t.end\"() : () -> () }) : () -> ()") ==
        "module {\n  \"t.f\"() ({\n    \"t.br\"()[^bb1] : () -> ()\n  ^bb1:  // pred: ^bb0\n    \"t.end\"() : () -> ()\n"
        "  }) : () -> ()\n}\n");
}

TEST_CASE("the entry block has a label when it has arguments or nothing else, and a program that loops back to it too") {
  CHECK(printed("\"t.f\"() ({^a:}, {}, {^a(%x: i1):}, {\"t.x\"() : () -> ()}) : () -> ()") ==
        "module {\n  \"t.f\"() ({\n  ^bb0:\n  }, {\n  }, {\n  ^bb0(%arg0: i1):\n  }, {\n    \"t.x\"() : () -> ()\n"
        "  }) : () -> ()\n}\n");
  check_round_trip(good("\"t.f\"() ({^a: \"t.br\"()[^b] : () -> () ^b: \"t.br\"()[^a] : () -> ()}) : () -> ()"));
}

TEST_CASE("one op prints under the names of the whole program") {
  ir::program const p = good(R"(func.func @f(%x: i1) -> i1 {
    %a = "t.a"(%x) : (i1) -> i1
    %b = "t.b"(%a) ({ %c = "t.c"(%a) : (i1) -> i1 }) : (i1) -> i1
    return %b : i1
  })");
  std::ostringstream out;
  mpmd::text::print_mlir(out, p, find(p, "t.b"));
  CHECK(out.str() == "%1 = \"t.b\"(%0) ({\n  %2 = \"t.c\"(%0) : (i1) -> i1\n}) : (i1) -> i1");
  std::ostringstream call;
  mpmd::text::print_mlir(call, p, find(p, "func.return"), {.generic = true});
  CHECK(call.str() == "\"func.return\"(%1) : (i1) -> ()");
  // An op that has been taken out of the program is named by itself; what it uses from the program has no name then.
  ir::program q = good("%a = \"t.a\"() ({ %b = \"t.b\"() : () -> i1 \"t.c\"(%b) : (i1) -> () }) : () -> i1");
  ir::op const taken = find(q, "t.a");
  q.unlink(taken);
  std::ostringstream loose;
  mpmd::text::print_mlir(loose, q, q.last_op(q.first_block(q.regions(taken)[0])));
  CHECK(loose.str() == "\"t.c\"(%1) : (i1) -> ()");
}

}  // namespace print_names_test
