#include "mlir_programs.hpp"

namespace ops_generic_test {

namespace ir = mpmd::ir;
using namespace mpmd::text::testing;

TEST_CASE("the generic form gives an op all its parts") {
  ir::program const p = good(R"(
    %a = "t.a"() : () -> i32
    %r:2, %s = "t.op"(%a, %a) <{p = 1 : i8}> ({
      "t.in"() : () -> ()
    }, {
    }) {q = "x", r} : (i32, i32) -> (i1, i8, i16) loc("here")
    "t.use"(%s, %r#1, %r) : (i16, i8, i1) -> ()
  )");
  auto& cx = p.context();
  ir::op const a = find(p, "t.a"), o = find(p, "t.op"), use = find(p, "t.use");
  CHECK(p.parent_block(o) == p.body());
  REQUIRE(p.operand_count(o) == 2);
  CHECK(p.operand(o, 0) == p.result(a, 0));
  CHECK(p.operand(o, 1) == p.result(a, 0));
  REQUIRE(p.result_count(o) == 3);
  CHECK(p.type_of(p.result(o, 0)) == cx.integer(1));
  CHECK(p.type_of(p.result(o, 1)) == cx.integer(8));
  CHECK(p.type_of(p.result(o, 2)) == cx.integer(16));
  CHECK(p.properties(o) == cx.dictionary({{cx.intern("p"), cx.integer_value(1, 8)}}));
  CHECK(p.attributes(o) == cx.dictionary({{cx.intern("q"), cx.string("x")}, {cx.intern("r"), cx.unit()}}));
  CHECK(p.where(o).given == cx.get(ir::name_loc{"here"}));
  REQUIRE(p.regions(o).size() == 2);
  CHECK(p.parent_op(find(p, "t.in")) == o);
  CHECK(!p.first_block(p.regions(o)[1]));
  REQUIRE(p.operand_count(use) == 3);
  CHECK(p.operand(use, 0) == p.result(o, 2));
  CHECK(p.operand(use, 1) == p.result(o, 1));
  CHECK(p.operand(use, 2) == p.result(o, 0));
}

TEST_CASE("blocks have labels, arguments and successors") {
  ir::program const p = good(R"("t.f"() ({
    ^entry(%x: i32, %y: i1 loc("y")):
      "t.br"(%x)[^later, ^entry2] : (i32) -> ()
    ^entry2:
      "t.end"() : () -> ()
    ^later(%z: i32):
      "t.end2"() : () -> ()
    }) : () -> ())");
  ir::op const f = find(p, "t.f");
  ir::block const entry = p.first_block(p.regions(f)[0]), second = p.next_block(entry), later = p.next_block(second);
  REQUIRE(later);
  CHECK(!p.next_block(later));
  REQUIRE(p.arguments(entry).size() == 2);
  CHECK(p.type_of(p.argument(entry, 1)) == p.context().integer(1));
  CHECK(p.argument_where(p.argument(entry, 1)).given == p.context().get(ir::name_loc{"y"}));
  CHECK(p.arguments(second).empty());
  CHECK(p.arguments(later).size() == 1);
  auto const targets = p.successors(find(p, "t.br"));
  REQUIRE(targets.size() == 2);
  CHECK(targets[0] == later);
  CHECK(targets[1] == second);
  CHECK(p.parent_block(find(p, "t.end2")) == later);
}

TEST_CASE("inherent attributes of known ops are told apart wherever they stand") {
  ir::program const p = good(R"(
    %0 = "t.v"() : () -> tensor<2xf32>
    %1 = "mpmd.named_tensor"(%0) {name = "w", other = 1 : i32} : (tensor<2xf32>) -> tensor<2xf32>
    %2 = "mpmd.named_tensor"(%0) <{name = "w"}> {other = 1 : i32} : (tensor<2xf32>) -> tensor<2xf32>
  )");
  auto& cx = p.context();
  ir::op const first = find(p, "mpmd.named_tensor"), second = p.next_op(first);
  CHECK(p.properties(first) == cx.dictionary({{cx.intern("name"), cx.string("w")}}));
  CHECK(p.attributes(first) == cx.dictionary({{cx.intern("other"), cx.integer_value(1, 32)}}));
  CHECK(p.properties(second) == p.properties(first));
  CHECK(p.attributes(second) == p.attributes(first));
  ir::program const q = good(R"(
    %0 = "t.v"() : () -> tensor<2xf32>
    %1 = "mpmd.named_tensor"(%0) <{name = "w", other = 1 : i32}> : (tensor<2xf32>) -> tensor<2xf32>
  )");
  ir::op const third = find(q, "mpmd.named_tensor");
  CHECK(q.context().get_if<ir::dictionary_attr>(q.properties(third))->entries.size() == 1);
  CHECK(q.attr_if<ir::integer_attr>(third, "other")->value == 1);
  CHECK(q.attributes(third) != q.context().empty_dictionary());
}

TEST_CASE("the two dictionaries of an unknown op stay as they are written") {
  ir::program const p = good(R"("t.x"() <{name = "w"}> {name = "v", value} : () -> ())");
  auto& cx = p.context();
  ir::op const o = find(p, "t.x");
  CHECK(p.properties(o) == cx.dictionary({{cx.intern("name"), cx.string("w")}}));
  CHECK(p.attributes(o) == cx.dictionary({{cx.intern("name"), cx.string("v")}, {cx.intern("value"), cx.unit()}}));
  check_round_trip(p);
}

TEST_CASE("an op stands where its name does, in the line and column of the text") {
  ir::program const p = good("module {\n  %0, %1 = \"t.a\"() : () -> (i1, i1)\n  func.func @f(%a: i1) {\n    return\n  }\n}\n");
  auto place = [&p](ir::op o) {
    auto const at = p.context().sources.resolve(p.where(o).text);
    return std::to_string(at.line) + ':' + std::to_string(at.column);
  };
  CHECK(place(p.root()) == "1:1");
  CHECK(place(find(p, "t.a")) == "2:12");
  CHECK(place(find(p, "func.func")) == "3:3");
  CHECK(place(find(p, "func.return")) == "4:5");
  ir::op const f = find(p, "func.func");
  auto const at = p.context().sources.resolve(p.argument_where(p.argument(p.first_block(p.regions(f)[0]), 0)).text);
  CHECK(at.line == 3);
  CHECK(at.column == 16);
  CHECK(!p.where(f).given);
}

TEST_CASE("a part of a buffer is read as a program with the lines of the whole") {
  auto context = std::make_shared<ir::context>();
  std::string const text = "\"t.a\"() : () -> ()\n// -----\n\n\"t.b\"() : () -> ()\n";
  auto const buffer = context->sources.add("split.mlir", text).first;
  mpmd::diagnostics quiet;
  auto const first = mpmd::text::read_mlir(context, buffer, quiet, 0, text.find("// -----"));
  auto const second = mpmd::text::read_mlir(context, buffer, quiet, text.find("// -----"), text.size());
  REQUIRE(first.has_value());
  REQUIRE(second.has_value());
  CHECK(first->kind_text(first->first_op(first->body())) == "t.a");
  CHECK(!first->next_op(first->first_op(first->body())));
  ir::op const b = second->first_op(second->body());
  CHECK(second->kind_text(b) == "t.b");
  CHECK(context->sources.resolve(second->where(b).text).line == 4);
}

TEST_CASE("a module alone at the top is the program, other ops are put into one") {
  ir::program const alone = good("module @m attributes {a.b = 1 : i8} { \"t.x\"() : () -> () } loc(\"l\")");
  CHECK(alone.kind_text(alone.root()) == "builtin.module");
  CHECK(alone.attr_if<ir::string_attr>(alone.root(), "sym_name")->text == "m");
  CHECK(alone.attr(alone.root(), "a.b") == alone.context().integer_value(1, 8));
  CHECK(alone.where(alone.root()).given == alone.context().get(ir::name_loc{"l"}));
  CHECK(alone.kind_text(alone.first_op(alone.body())) == "t.x");
  CHECK(alone.parent_op(alone.first_op(alone.body())) == alone.root());

  ir::program const two = good("module @a {} module @b {}");
  CHECK(!two.attr(two.root(), "sym_name"));
  REQUIRE(two.first_op(two.body()));
  CHECK(two.attr_if<ir::string_attr>(two.first_op(two.body()), "sym_name")->text == "a");
  CHECK(two.attr_if<ir::string_attr>(two.last_op(two.body()), "sym_name")->text == "b");

  ir::program const none = good("// nothing\n");
  CHECK(!none.first_op(none.body()));
  ir::program const generic = good("\"builtin.module\"() <{sym_name = \"g\"}> ({\n^bb0:\n}) : () -> ()");
  CHECK(generic.attr_if<ir::string_attr>(generic.root(), "sym_name")->text == "g");
  CHECK(!generic.first_op(generic.body()));
}

TEST_CASE("aliases may stand anywhere at the top level, and location aliases may be used before they are defined") {
  ir::program const p = good(R"(
    #a = 3 : i8
    "t.x"() {v = #a} : () -> () loc(#loc2)
    !t = tensor<2xf32>
    %0 = "t.y"() : () -> !t loc(fused[#loc1, "in"(#loc2)])
    #loc1 = loc("one")
    "t.z"() ({ ^bb0(%a: i1 loc(#loc1)): }) : () -> ()
    #loc2 = loc("two"(#loc1))
  )");
  auto& cx = p.context();
  auto const one = cx.get(ir::name_loc{"one"}), two = cx.get(ir::name_loc{"two", one});
  CHECK(p.attr(find(p, "t.x"), "v") == cx.integer_value(3, 8));
  CHECK(p.where(find(p, "t.x")).given == two);
  CHECK(p.type_of(p.result(find(p, "t.y"), 0)) == cx.tensor({2}, cx.floating("f32")));
  CHECK(p.where(find(p, "t.y")).given == cx.get(ir::fused_loc{{one, cx.get(ir::name_loc{"in", two})}}));
  auto const argument = p.argument(p.first_block(p.regions(find(p, "t.z"))[0]), 0);
  CHECK(p.argument_where(argument).given == one);
}

TEST_CASE("the sections of the file's metadata are kept as they are and printed behind the program") {
  std::string_view const metadata = "{-#\n  dialect_resources: {\n    builtin: {\n      r: \"0x04000000#-}01\"\n    }\n  }\n#-}";
  std::string const text = "\"t.x\"() : () -> ()\n" + std::string(metadata) + "\n";
  ir::program const p = good(text);
  CHECK(p.file_metadata() == metadata);
  CHECK(mpmd::text::to_mlir(p) == "module {\n  \"t.x\"() : () -> ()\n}\n\n" + std::string(metadata) + "\n");
}

}  // namespace ops_generic_test
