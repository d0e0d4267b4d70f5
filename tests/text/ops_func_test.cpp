#include "mlir_programs.hpp"

namespace ops_func_test {

namespace ir = mpmd::ir;
using namespace mpmd::text::testing;
using lines = std::vector<std::string>;

TEST_CASE("a function has its signature and its dictionaries as inherent attributes") {
  ir::program const p = good(R"(
    func.func private @f(%a: i32 {t.x = 1 : i8} loc("a"), %b: f32) -> (i32, f32 {t.y}) attributes {t.z, "topology" = 2 : i8} {
      return %a, %b : i32, f32
    }
  )");
  auto& cx = p.context();
  ir::op const f = find(p, "func.func");
  auto const i32 = cx.integer(32), f32 = cx.floating("f32");
  auto const none = cx.empty_dictionary();
  CHECK(p.properties(f) ==
        cx.dictionary({
            {cx.intern("sym_name"), cx.string("f")},
            {cx.intern("sym_visibility"), cx.string("private")},
            {cx.intern("function_type"), cx.get(ir::type_attr{cx.get(ir::function_type{{i32, f32}, {i32, f32}})})},
            {cx.intern("arg_attrs"),
             cx.get(ir::array_attr{{cx.dictionary({{cx.intern("t.x"), cx.integer_value(1, 8)}}), none}})},
            {cx.intern("res_attrs"), cx.get(ir::array_attr{{none, cx.dictionary({{cx.intern("t.y"), cx.unit()}})}})},
        }));
  CHECK(p.attributes(f) ==
        cx.dictionary({{cx.intern("t.z"), cx.unit()}, {cx.intern("topology"), cx.integer_value(2, 8)}}));
  ir::block const entry = p.first_block(p.regions(f)[0]);
  REQUIRE(p.arguments(entry).size() == 2);
  CHECK(p.argument_where(p.argument(entry, 0)).given == cx.get(ir::name_loc{"a"}));
  CHECK(p.kind_text(p.first_op(entry)) == "func.return");
  check_round_trip(p);
}

TEST_CASE("functions print as MLIR prints them") {
  CHECK(printed("func.func @f() {\n return\n}") == "module {\n  func.func @f() {\n    return\n  }\n}\n");
  CHECK(printed("func.func nested @\"a b\"(%x: i1) -> i1 { func.return %x : i1 }") ==
        "module {\n  func.func nested @\"a b\"(%arg0: i1) -> i1 {\n    return %arg0 : i1\n  }\n}\n");
  CHECK(printed("func.func public @f(%x: i1) -> (i1 {t.a}) attributes {t.c, t.b = 1} { return {t.d} %x : i1 }") ==
        "module {\n  func.func public @f(%arg0: i1) -> (i1 {t.a}) attributes {t.b = 1 : i64, t.c} {\n"
        "    return {t.d} %arg0 : i1\n  }\n}\n");
  CHECK(printed("func.func @f(%x: i1 {t.a = 1 : i8}, %y: i8) -> (i1, i8) { return %x, %y : i1, i8 }") ==
        "module {\n  func.func @f(%arg0: i1 {t.a = 1 : i8}, %arg1: i8) -> (i1, i8) {\n"
        "    return %arg0, %arg1 : i1, i8\n  }\n}\n");
}

TEST_CASE("a declaration has types alone") {
  CHECK(printed("func.func private @f(i1 {t.a}, i8) -> (i1, i8 {t.b = 1 : i8})\nfunc.func private @g() -> (() -> ())\n"
                "func.func private @h(%x: i1) -> ()") ==
        "module {\n  func.func private @f(i1 {t.a}, i8) -> (i1, i8 {t.b = 1 : i8})\n"
        "  func.func private @g() -> (() -> ())\n  func.func private @h(i1)\n}\n");
  ir::program const p = good("func.func private @f(i1)");
  CHECK(!p.first_block(p.regions(find(p, "func.func"))[0]));
}

TEST_CASE("calls and returns may leave their dialect out directly in a function, and print so") {
  std::string_view const text = R"(module {
  func.func @f(%arg0: i1) -> i1 {
    %0 = call @g(%arg0) {t.a = 1 : i8} : (i1) -> i1
    "t.in"() ({
      %1 = func.call @g(%0) : (i1) -> i1
    }) : () -> ()
    return %0 : i1
  }
  func.func private @g(i1) -> i1
}
)";
  CHECK(printed(text) == text);
  // An op in the generic form leaves the rule of the function around it in force.
  check_same(text, R"(
    func.func @f(%a: i1) -> i1 {
      %r = func.call @g(%a) {t.a = 1 : i8} : (i1) -> i1
      "t.in"() ({ %s = call @g(%r) : (i1) -> i1 }) : () -> ()
      func.return %r : i1
    }
    func.func private @g(i1) -> i1
  )");
  CHECK(errors("return") == lines{"1:1: custom op 'return' is unknown (tried 'builtin.return' as well)"});
  CHECK(errors("func.func @f() {\n  module {}\n}\n") ==
        lines{"2:3: custom op 'module' is unknown (tried 'func.module' as well)"});
}

TEST_CASE("a function says what is wrong with it") {
  CHECK(errors("func.func @f") == lines{"1:13: expected '('"});
  CHECK(errors("func.func f() {}") ==
        lines{"1:11: custom op 'func.func' expected valid '@'-identifier for symbol name"});
  CHECK(errors("func.func private @f(i1, %a: i1)") ==
        lines{"1:26: custom op 'func.func' expected type instead of SSA identifier"});
  CHECK(errors("func.func private @f(%a: i1, i1)") == lines{"1:30: custom op 'func.func' expected SSA identifier"});
  CHECK(errors("func.func @f(i1) {\n  return\n}\n") == lines{"1:14: custom op 'func.func' expected SSA identifier"});
  CHECK(errors("func.func @f() {}") == lines{"1:17: custom op 'func.func' expected non-empty function body"});
  CHECK(errors("func.func private @f() attributes {sym_name = \"g\"}") ==
        lines{"1:24: custom op 'func.func' 'sym_name' is an inferred attribute and should not be specified in the "
              "explicit attribute dictionary"});
  CHECK(errors("func.func private @f() attributes t") == lines{"1:34: expected '{' in attribute dictionary"});
  CHECK(errors("func.func @f(%a: i1) {\n  return %a, %a : i1\n}\n") ==
        lines{"2:10: custom op 'func.return' 2 operands present, but expected 1"});
  CHECK(errors("func.func @f(%a: i1) {\n  return %a\n}\n") == lines{"2:12: expected ':'"});
  CHECK(errors("func.func @f(%a: i1) {\n  call @g(%a) : (i1, i1) -> ()\n  return\n}\n") ==
        lines{"2:11: custom op 'func.call' 1 operands present, but expected 2"});
}

TEST_CASE("modules print with their name and attributes") {
  CHECK(printed("") == "module {\n}\n");
  CHECK(printed("module @a attributes {t.b = 1 : i8, t.a} {\n}") == "module @a attributes {t.a, t.b = 1 : i8} {\n}\n");
  CHECK(printed("module { module @in { module { } } }") ==
        "module {\n  module @in {\n    module {\n    }\n  }\n}\n");
  CHECK(printed("func.func @f() { builtin.module { } return }") ==
        "module {\n  func.func @f() {\n    builtin.module {\n    }\n    return\n  }\n}\n");
}

}  // namespace ops_func_test
