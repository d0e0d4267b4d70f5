#include "mlir_programs.hpp"

namespace ops_names_test {

namespace ir = mpmd::ir;
using namespace mpmd::text::testing;
using lines = std::vector<std::string>;

TEST_CASE("a name may be used before its definition, in any block and around any region") {
  ir::program const p = good(R"(
    "t.early"(%x#1, %y) : (i8, i16) -> ()
    "t.in"() ({
      "t.inner"(%y, %x) : (i16, i1) -> ()
    }) : () -> ()
    %x:2 = "t.x"() : () -> (i1, i8)
    %y = "t.y"() : () -> i16
  )");
  ir::op const x = find(p, "t.x"), y = find(p, "t.y"), early = find(p, "t.early"), inner = find(p, "t.inner");
  CHECK(p.operand(early, 0) == p.result(x, 1));
  CHECK(p.operand(early, 1) == p.result(y, 0));
  CHECK(p.operand(inner, 0) == p.result(y, 0));
  CHECK(p.operand(inner, 1) == p.result(x, 0));
  CHECK(p.has_one_use(p.result(x, 0)));
}

TEST_CASE("a use of a later block's argument is settled when the block comes") {
  ir::program const p = good(R"("t.f"() ({
      "t.br"()[^b] : () -> ()
    ^a:
      "t.use"(%z) : (i32) -> ()
    ^b(%z: i32):
      "t.br"()[^a] : () -> ()
    }) : () -> ())");
  ir::op const use = find(p, "t.use");
  CHECK(p.is_argument(p.operand(use, 0)));
  CHECK(p.argument_block(p.operand(use, 0)) == p.next_block(p.parent_block(use)));
}

TEST_CASE("the uses of a value stand in one order, whether they come before or behind its definition") {
  // The most recent use comes first; those from before the definition are moved over one by one, which turns them round.
  ir::program const p = good(R"(
    "t.a"(%x) : (i1) -> ()
    "t.b"(%x) : (i1) -> ()
    %x = "t.x"() : () -> i1
    "t.c"(%x) : (i1) -> ()
  )");
  lines order;
  for (ir::use const u : p.uses(p.result(find(p, "t.x"), 0))) order.emplace_back(p.kind_text(u.user));
  CHECK(order == lines{"t.c", "t.a", "t.b"});
}

TEST_CASE("names of a closed region may be used again, and results are not visible in their own op") {
  ir::program const p = good(R"(
    %0 = "t.a"() ({ %0 = "t.b"() : () -> i1 }) : () -> i8
    "t.c"() ({ %1 = "t.d"() : () -> i1 }, { %1 = "t.e"() : () -> i1 }) : () -> ()
    %1 = "t.f"() : () -> i1
  )");
  CHECK(p.type_of(p.result(find(p, "t.a"), 0)) == p.context().integer(8));
}

TEST_CASE("a name that is visible cannot be defined again, not even in a function") {
  CHECK(errors("%a = \"t.a\"() : () -> i1\n%a = \"t.a\"() : () -> i1\n") ==
        lines{"2:1: redefinition of SSA value '%a'", "1:1: note: previously defined here"});
  CHECK(errors("%a = \"t.a\"() : () -> i1\nfunc.func @f() {\n  %a = \"t.a\"() : () -> i1\n  return\n}\n") ==
        lines{"3:3: redefinition of SSA value '%a'", "1:1: note: previously defined here"});
  CHECK(errors("%a = \"t.a\"() : () -> i1\nfunc.func @f(%a: i1) {\n  return\n}\n") ==
        lines{"2:14: region entry argument '%a' is already in use", "1:1: note: previously referenced here"});
  CHECK(errors("func.func @f(%a: i1, %a: i1) {\n  return\n}\n") ==
        lines{"1:22: region entry argument '%a' is already in use", "1:14: note: previously referenced here"});
  CHECK(errors("\"t.a\"() ({\n^bb0(%x: i1, %x: i1):\n}) : () -> ()\n") ==
        lines{"2:14: redefinition of SSA value '%x'", "2:6: note: previously defined here"});
}

TEST_CASE("a use has to have the type of its value") {
  CHECK(errors("%a = \"t.a\"() : () -> i1\n\"t.b\"(%a) : (i8) -> ()\n") ==
        lines{"2:7: use of value '%a' expects different type than prior uses: 'i8' vs 'i1'",
              "1:1: note: prior use here"});
  CHECK(errors("\"t.b\"(%a) : (i8) -> ()\n\"t.b\"(%a) : (i1) -> ()\n%a = \"t.a\"() : () -> i8\n") ==
        lines{"2:7: use of value '%a' expects different type than prior uses: 'i1' vs 'i8'",
              "1:7: note: prior use here"});
  CHECK(errors("\"t.b\"(%a) : (i8) -> ()\n%a = \"t.a\"() : () -> i1\n") ==
        lines{"2:1: definition of SSA value '%a#0' has type 'i1'",
              "1:7: note: previously used here with type 'i8'"});
}

TEST_CASE("every use without a definition is reported, once a result") {
  CHECK(errors("\"t.a\"(%q, %q#1, %r) : (i1, i1, i1) -> ()\n\"t.a\"(%q, %s) : (i1, i1) -> ()\n") ==
        lines{"1:7: use of undeclared SSA value name", "1:11: use of undeclared SSA value name",
              "1:17: use of undeclared SSA value name", "2:11: use of undeclared SSA value name"});
}

TEST_CASE("result numbers and counts are checked") {
  CHECK(errors("%a = \"t.a\"() : () -> i1\n\"t.b\"(%a#1) : (i1) -> ()\n") ==
        lines{"2:7: reference to invalid result number"});
  CHECK(errors("\"t.b\"(%a#1) : (i1) -> ()\n%a = \"t.a\"() : () -> i1\n") ==
        lines{"1:7: reference to invalid result number"});
  CHECK(errors("\"t.b\"(%a#99999999999) : (i1) -> ()\n") == lines{"1:7: invalid SSA value result number"});
  CHECK(errors("%a, %b = \"t.a\"() : () -> i1\n") ==
        lines{"1:1: operation defines 1 results but was provided 2 to bind"});
  CHECK(errors("%a:2 = \"t.a\"() : () -> (i1, i1, i1)\n") ==
        lines{"1:1: operation defines 3 results but was provided 2 to bind"});
  CHECK(errors("%a = \"t.a\"() : () -> ()\n") == lines{"1:1: cannot name an operation with no results"});
  CHECK(errors("%a:0 = \"t.a\"() : () -> ()\n") ==
        lines{"1:4: expected named operation to have at least 1 result"});
  CHECK(errors("\"t.a\"(%a, %a) : (i1) -> ()\n%a = \"t.b\"() : () -> i1\n") ==
        lines{"1:17: expected 2 operand types but had 1"});
  CHECK(errors("\"t.a\"(%a) : (i1, i1) -> ()\n%a = \"t.b\"() : () -> i1\n") ==
        lines{"1:13: expected 1 operand type but had 2"});
}

TEST_CASE("results without a name are allowed") {
  ir::program const p = good("\"t.a\"() : () -> (i1, i8)\n");
  CHECK(p.result_count(find(p, "t.a")) == 2);
}

}  // namespace ops_names_test
