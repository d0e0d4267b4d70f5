#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "text/pretty_forms.hpp"

namespace foreign_form_test {

using namespace mpmd;
using namespace mpmd::text::testing;

namespace {

constexpr std::string_view args =
    "%arg0: index, %arg1: i32, %arg2: tensor<4xf32>, %arg3: f32, %arg4: i1, %arg5: memref<4xf32>";

void check_line(std::string_view line) { check_print(in_function(args, line)); }

/// The types of the results of the first op of that name.
std::vector<std::string> result_types(std::string_view line, std::string_view name) {
  ir::program const in = good(in_function(args, line));
  std::vector<std::string> types;
  for (ir::value const v : in.results(find(in, name)))
    types.push_back(text::to_mlir(in.context(), in.type_of(v)));
  return types;
}
using types = std::vector<std::string>;

ir::block body_of(ir::program const& in, ir::op o, std::size_t region = 0) {
  return in.first_block(in.regions(o)[region]);
}

}  // namespace

TEST_CASE("ops of unknown dialects print as they were written") {
  check_line("%0 = arith.constant 1 : i32");
  check_line("%0 = arith.addi %arg1, %arg1 overflow<nsw> : i32");
  check_line("%0 = arith.cmpi slt, %arg1, %arg1 : i32");
  check_line("%0 = toy.constant dense<[[1.5, 2.5], [-1.0e+3, 0x7FC00000]]> : tensor<2x2xf32>");
  check_line("%0 = tensor.extract %arg2[%arg0] : tensor<4xf32>");
  check_line("%0 = memref.load %arg5[%arg0] : memref<4xf32>");
  check_line("memref.store %arg3, %arg5[%arg0] : memref<4xf32>");
  check_line("toy.expect(%arg2, dense<1.0> : tensor<4xf32>) : tensor<4xf32>");
  check_line(
      "%0:2 = toy.pair %arg0, %arg1 {a = [1, 2], b = {c}, d = \"100%\"} : (index, i32) -> (i32, "
      "tensor<2xi32>)");
  check_line("toy.quoted \"a % b\\0A\" @\"s y m\"::@nested #toy.attr<x = 1, {y}> !toy.type<4x?xf32>");
  check_line("%0 = tensor.insert_slice %arg2 into %arg2[0] [4] [1] : tensor<4xf32> into tensor<4xf32>");
  check_line("%0 = toy.map affine_map<(d0, d1) -> (d0 + d1 * 2)> %arg0 : index");
  check_line("toy.set affine_set<(d0) : (d0 - 10 >= 0, d0 == 5)>(%arg0)");
  check_line("toy.nothing");
}

TEST_CASE("ops of unknown dialects at the top level print as they were written") {
  check_print(
      "module {\n"
      "  util.global private @\"a/b\" {noinline} = dense<0.333333343> : tensor<64xf32>\n"
      "  util.global private mutable @counter = 0 : i32\n"
      "  func.func @f() -> tensor<64xf32> {\n"
      "    %0 = util.global.address @\"a/b\" : !util.ptr<tensor<64xf32>>\n"
      "    %1 = util.global.load.indirect %0 : !util.ptr<tensor<64xf32>> -> tensor<64xf32>\n"
      "    return %1 : tensor<64xf32>\n"
      "  }\n"
      "}\n");
}

TEST_CASE("the operands of an op of an unknown dialect are real") {
  ir::program const in = good(in_function(args,
                                          "%x:2 = toy.two %arg1 : i32\n"
                                          "%y = toy.sum %x#1, %arg1, %x#0 : i32"));
  ir::op const two = find(in, "toy.two"), sum = find(in, "toy.sum");
  REQUIRE(in.operand_count(sum) == 3);
  CHECK(in.operand(sum, 0) == in.result(two, 1));
  CHECK(in.operand(sum, 1) == in.operand(two, 0));
  CHECK(in.operand(sum, 2) == in.result(two, 0));
  CHECK(text::to_mlir(in).find("%1 = toy.sum %0#1, %arg1, %0#0 : i32\n") != std::string::npos);
}

TEST_CASE("a value may be used by an op of an unknown dialect before its definition") {
  ir::program const in =
      good("module {\n  toy.use %later#1, %later#1 : i32\n  %later:2 = toy.make : i32\n}\n");
  ir::op const use = find(in, "toy.use");
  CHECK(in.operand(use, 0) == in.result(find(in, "toy.make"), 1));
  CHECK(in.operand(use, 1) == in.operand(use, 0));
  CHECK(text::to_mlir(in) == "module {\n  toy.use %0#1, %0#1 : i32\n  %0:2 = toy.make : i32\n}\n");
}

TEST_CASE("a loop of an unknown dialect binds its counter and its accumulators") {
  std::string const text = in_function(args,
                                       "%0 = scf.for %arg6 = %arg0 to %arg0 step %arg0 iter_args(%arg7 = "
                                       "%arg3, %arg8 = %arg2) -> (f32) {\n"
                                       "      %1 = arith.addf %arg7, %arg3 : f32\n"
                                       "      scf.yield %1 : f32\n"
                                       "    }");
  check_print(text);
  ir::program const in = good(text);
  ir::op const loop = find(in, "scf.for");
  REQUIRE(in.operand_count(loop) == 5);
  CHECK(in.type_of(in.operand(loop, 3)) == in.context().floating("f32"));
  ir::block const body = body_of(in, loop);
  REQUIRE(in.arguments(body).size() == 3);
  CHECK(in.type_of(in.argument(body, 0)) == in.context().get(ir::index_type{}));
  CHECK(in.type_of(in.argument(body, 1)) == in.context().floating("f32"));
  CHECK(in.type_of(in.argument(body, 2)) == in.type_of(in.operand(loop, 4)));
  CHECK(in.operand(in.first_op(body), 0) == in.argument(body, 1));
  CHECK(in.type_of(in.result(loop, 0)) == in.context().floating("f32"));
}

TEST_CASE("ops of unknown dialects may have several regions, with text between them") {
  check_line(
      "%0 = scf.if %arg4 -> (f32) {\n"
      "      scf.yield %arg3 : f32\n"
      "    } else {\n"
      "      %1 = arith.negf %arg3 : f32\n"
      "      scf.yield %1 : f32\n"
      "    }");
  check_line(
      "%0 = scf.while (%arg6 = %arg1) : (i32) -> f32 {\n"
      "      scf.condition(%arg4) %arg3 : f32\n"
      "    } do {\n"
      "    ^bb0(%arg6: f32):\n"
      "      %1 = toy.again %arg6 : i32\n"
      "      scf.yield %1 : i32\n"
      "    }");
  check_line(
      "scf.index_switch %arg0 case 2 {\n"
      "      scf.yield\n"
      "    } case 5 {\n"
      "      toy.effect\n"
      "      scf.yield\n"
      "    } default {\n"
      "    }");
  check_line(
      "toy.wrap(%arg1)({\n"
      "      toy.a %arg1 : i32\n"
      "    }, {\n"
      "      toy.b\n"
      "    }) : (i32) -> ()");
  check_line(
      "scf.parallel (%arg6, %arg7) = (%arg0, %arg0) to (%arg0, %arg0) step (%arg0, %arg0) {\n"
      "      toy.use %arg6, %arg7 : index\n"
      "      scf.reduce\n"
      "    }");
  check_line(
      "%0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = [\"parallel\"]} "
      "ins(%arg2 : tensor<4xf32>) outs(%arg2 : tensor<4xf32>) {\n"
      "    ^bb0(%arg6: f32, %arg7: f32):\n"
      "      linalg.yield %arg6 : f32\n"
      "    } -> tensor<4xf32>");
  check_line(
      "toy.execute with(%arg1 as %arg6 : i32) {\n"
      "      toy.use %arg6 : i32\n"
      "    }");
  check_print(
      "module {\n"
      "  util.func public @f(%arg0: tensor<4xf32> {iree.abi = \"x\"}, %arg1: i32) -> tensor<4xf32> "
      "attributes "
      "{inlining} {\n"
      "    util.return %arg0 : tensor<4xf32>\n"
      "  }\n"
      "}\n");
}

TEST_CASE("the arguments of mhlo.while are named once for both regions") {
  std::string const text = in_function(args,
                                       "%0:2 = mhlo.while(%arg6 = %arg1, %arg7 = %arg2) : i32, tensor<4xf32> "
                                       "cond {\n"
                                       "      mhlo.return %arg4 : i1\n"
                                       "    } do {\n"
                                       "      mhlo.return %arg6, %arg7 : i32, tensor<4xf32>\n"
                                       "    }");
  check_print(text);
  ir::program const in = good(text);
  ir::op const loop = find(in, "mhlo.while");
  REQUIRE(in.arguments(body_of(in, loop, 1)).size() == 2);
  CHECK(in.operand(in.first_op(body_of(in, loop, 1)), 1) == in.argument(body_of(in, loop, 1), 1));
  CHECK(in.type_of(in.argument(body_of(in, loop, 1), 0)) == in.context().integer(32));
}

TEST_CASE("the regions of an op of an unknown dialect are real") {
  ir::program const in = good(in_function(args,
                                          "scf.parallel (%i, %j) = (%arg0, %arg0) to (%arg0, %arg0) {\n"
                                          "  toy.use %j : index\n"
                                          "}\n"
                                          "util.scope @inner(%a: tensor<4xf32>, %b: i32) {\n"
                                          "  toy.other %b, %arg1 : i32\n"
                                          "}"));
  ir::block const loop = body_of(in, find(in, "scf.parallel"));
  REQUIRE(in.arguments(loop).size() == 2);
  CHECK(in.operand(find(in, "toy.use"), 0) == in.argument(loop, 1));
  CHECK(in.type_of(in.argument(loop, 1)) == in.context().get(ir::index_type{}));
  ir::op const scope = find(in, "util.scope"), other = find(in, "toy.other");
  CHECK(in.operand_count(scope) == 0);
  REQUIRE(in.arguments(body_of(in, scope)).size() == 2);
  CHECK(in.type_of(in.argument(body_of(in, scope), 1)) == in.context().integer(32));
  CHECK(in.operand(other, 0) == in.argument(body_of(in, scope), 1));
  CHECK(in.operand(other, 1) == in.argument(body_of(in, find(in, "func.func")), 1));
}

TEST_CASE("branches of an unknown dialect have successors") {
  std::string const text =
      "module {\n"
      "  func.func @f(%arg0: i1, %arg1: i32) {\n"
      "    cf.cond_br %arg0, ^bb1(%arg1 : i32), ^bb2\n"
      "  ^bb1(%0: i32):  // 2 preds: ^bb0, ^bb1\n"
      "    cf.br ^bb1(%0 : i32)\n"
      "  ^bb2:  // pred: ^bb0\n"
      "    cf.switch %arg1 : i32, [ default: ^bb3, 42: ^bb3 ]\n"
      "  ^bb3:  // 2 preds: ^bb2, ^bb2\n"
      "    return\n"
      "  }\n"
      "}\n";
  ir::program const in = good(text);
  ir::op const branch = find(in, "cf.cond_br");
  REQUIRE(in.successors(branch).size() == 2);
  CHECK(in.successors(branch)[0] == in.next_block(in.parent_block(branch)));
  CHECK(in.operand_count(branch) == 2);
  ir::program const again = good(text::to_mlir(in));
  CHECK(ir::structural_equal(in, again));
  CHECK(ir::structural_equal(in, good(text::to_mlir(in, {.generic = true}))));
}

TEST_CASE("the types of results are found as well as the text allows") {
  CHECK(result_types("%0 = arith.addi %arg1, %arg1 : i32", "arith.addi") == types{"i32"});
  CHECK(result_types("%0:2 = arith.mulsi_extended %arg1, %arg1 : i32", "arith.mulsi_extended") ==
        types{"i32", "i32"});
  CHECK(result_types("%0:2 = arith.addui_extended %arg1, %arg1 : i32, i1", "arith.addui_extended") ==
        types{"i32", "i1"});
  CHECK(result_types("%0 = arith.select %arg4, %arg1, %arg1 : i1, i32", "arith.select") == types{"i32"});
  CHECK(result_types("%0 = arith.extf %arg3 : f32 to f64", "arith.extf") == types{"f64"});
  CHECK(result_types("%0 = tensor.collapse_shape %arg2 [[0]] : tensor<2x2xf32> into tensor<4xf32>",
                     "tensor.collapse_shape") == types{"tensor<4xf32>"});
  CHECK(result_types("%0:2 = toy.f %arg1 : (i32) -> (f32, tensor<2xf32>)", "toy.f") ==
        types{"f32", "tensor<2xf32>"});
  CHECK(result_types("%0 = toy.g %arg1 : i32 -> f32", "toy.g") == types{"f32"});
  CHECK(result_types("%0 = llvm.getelementptr %arg1[%arg1] : (!llvm.ptr, i32) -> !llvm.ptr, i8",
                     "llvm.getelementptr") == types{"!llvm.ptr"});
  CHECK(result_types("%0 = scf.if %arg4 -> f32 {\n}", "scf.if") == types{"f32"});
  CHECK(result_types("%0 = scf.for %i = %arg1 to %arg1 step %arg1 iter_args(%a = %arg3) -> (f32) : i32 {\n}",
                     "scf.for") == types{"f32"});
  CHECK(result_types("%0:2 = toy.async %arg1 with(%arg1 as %x: i32) -> i32 {\n} => !toy.time", "toy.async") ==
        types{"i32", "!toy.time"});
  CHECK(result_types("%0 = toy.mystery %arg1", "toy.mystery") == types{"!foreign.unknown"});
  CHECK(result_types("%0:3 = toy.mystery %arg1 : i32, f32", "toy.mystery") ==
        types{"!foreign.unknown", "!foreign.unknown", "!foreign.unknown"});
  CHECK(result_types("toy.unnamed %arg1 : (i32) -> f32", "toy.unnamed") == types{});
}

TEST_CASE("a type that the text does not tell comes from the first use that states one") {
  std::string const text = in_function(args,
                                       "%0 = toy.mystery %arg1\n"
                                       "    toy.use %0\n"
                                       "    %1 = stablehlo.add %0, %0 : tensor<4xf32>\n"
                                       "    toy.use %0");
  check_print(text);
  ir::program const in = good(text);
  CHECK(text::to_mlir(in.context(), in.type_of(in.result(find(in, "toy.mystery"), 0))) ==
        "tensor<4xf32>");
  CHECK(errors_of(in_function(args,
                              "%0 = toy.mystery %arg1\n"
                              "    %1 = stablehlo.add %0, %0 : tensor<4xf32>\n"
                              "    %2 = stablehlo.add %0, %0 : tensor<5xf32>")) ==
        "5:24: use of value '%0' expects different type than prior uses: 'tensor<5xf32>' vs 'tensor<4xf32>'");
  check_print(
      "module {\n"
      "  \"toy.graph\"() ({\n"
      "    %0 = stablehlo.add %1, %1 : tensor<4xf32>\n"
      "    %1 = toy.mystery\n"
      "  }) : () -> ()\n"
      "}\n");
}

TEST_CASE("upstream ops whose written type is not that of the result are known") {
  CHECK(result_types("%0 = arith.cmpi slt, %arg1, %arg1 : i32", "arith.cmpi") == types{"i1"});
  CHECK(result_types("%0 = arith.cmpf olt, %arg2, %arg2 : tensor<4xf32>", "arith.cmpf") ==
        types{"tensor<4xi1>"});
  CHECK(result_types("%0 = arith.cmpi eq, %arg1, %arg1 : vector<[4]xi32>", "arith.cmpi") ==
        types{"vector<[4]xi1>"});
  CHECK(result_types("%0 = tensor.extract %arg2[%arg0] : tensor<4xf32>", "tensor.extract") == types{"f32"});
  CHECK(result_types("%0 = memref.load %arg5[%arg0] : memref<4xf32>", "memref.load") == types{"f32"});
  CHECK(result_types("%0 = memref.load %arg5[] : memref<ui8, 1>", "memref.load") == types{"ui8"});
  CHECK(result_types("%0 = memref.load %arg5[] : memref<?x!toy.t>", "memref.load") ==
        types{"!foreign.unknown"});
  CHECK(result_types("%0 = complex.re %arg1 : complex<f64>", "complex.re") == types{"f64"});
  CHECK(result_types("%0 = tensor.dim %arg2, %arg0 : tensor<4xf32>", "tensor.dim") == types{"index"});
  CHECK(result_types("%0 = index.add %arg0, %arg0", "index.add") == types{"index"});
  CHECK(result_types("%0 = index.casts %arg0 : index to i64", "index.casts") == types{"i64"});
  CHECK(result_types("%0 = gpu.thread_id x", "gpu.thread_id") == types{"index"});
  CHECK(result_types("%0 = arith.constant true", "arith.constant") == types{"i1"});
  CHECK(result_types("%0 = llvm.extractvalue %arg1[0] : !llvm.struct<(i32)>", "llvm.extractvalue") ==
        types{"!foreign.unknown"});
}

TEST_CASE("an op of an unknown dialect ends where the next op begins") {
  auto printed = [](std::string_view written, std::string_view expected) {
    CAPTURE(written);
    CHECK(text::to_mlir(good(in_function(args, written))) == in_function(args, expected));
  };
  printed("%a = toy.a %arg1 : i32 %b = toy.b %a : i32 toy.c : i32 \"toy.d\"() : () -> ()",
          "%0 = toy.a %arg1 : i32\n    %1 = toy.b %0 : i32\n    toy.c : i32\n    \"toy.d\"() : () -> ()");
  printed("toy.a %arg1,\n  %arg1\n  on\n    // a comment\n    @x\n  : i32,\n   f32\n toy.b",
          "toy.a %arg1, %arg1 on @x : i32, f32\n    toy.b");
  printed("toy.a {\n toy.b } toy.c", "toy.a {\n      toy.b\n    }\n    toy.c");
  printed("toy.a {\n toy.b }\n toy.c", "toy.a {\n      toy.b\n    }\n    toy.c");
  printed("toy.a {a.b} {b = 1}\n{}\n{\n}", "toy.a {a.b} {b = 1} {} {\n    }");
  printed("toy.a loc(\"here\") toy.b loc(\"there\")", "toy.a\n    toy.b");
  printed("%a, %b:2 = toy.a : i32\n%c,\n%d = toy.b : i32", "%0:3 = toy.a : i32\n    %1:2 = toy.b : i32");
}

TEST_CASE("aliases inside text that is kept are written out") {
  CHECK(text::to_mlir(good("!t = tensor<4xf32>\n#map = affine_map<(d0) -> (d0)>\n#l = loc(\"x\")\n"
                           "util.func @f(%a: !t loc(#l)) -> !t {\n"
                           "  %0 = toy.a #map, %a {m = #map} : !t\n"
                           "  toy.b [!t, #map] : tuple<!t>\n"
                           "}\n")) ==
        "module {\n"
        "  util.func @f(%arg0: tensor<4xf32>) -> tensor<4xf32> {\n"
        "    %0 = toy.a affine_map<(d0) -> (d0)>, %arg0 {m = affine_map<(d0) -> (d0)>} : tensor<4xf32>\n"
        "    toy.b [tensor<4xf32>, affine_map<(d0) -> (d0)>] : tuple<tensor<4xf32>>\n"
        "  }\n"
        "}\n");
}

TEST_CASE("the generic form of an op of an unknown dialect holds its text and signature") {
  ir::program const in = good("module {\n  %0 = toy.a \"50%\" : i32\n  toy.b(%0) {\n  toy.c\n  }\n}\n");
  std::string generic = text::to_mlir(in, {.generic = true});
  for (std::size_t at; (at = generic.find(", mpmd.seal = ")) != std::string::npos;)
    generic.erase(at, generic.find(" : i64", at) + 6 - at);
  CHECK(
      generic ==
      "\"builtin.module\"() ({\n"
      "  %0 = \"toy.a\"() <{mpmd.pretty = \" \\2250%%\\22 : i32\", mpmd.signature = () -> i32}> : () -> i32\n"
      "  \"toy.b\"(%0) <{mpmd.pretty = \"(%o) %r\", mpmd.signature = (i32) -> ()}> ({\n"
      "    \"toy.c\"() <{mpmd.pretty = \"\", mpmd.signature = () -> ()}> : () -> ()\n"
      "  }) : (i32) -> ()\n"
      "}) : () -> ()\n");
}

TEST_CASE("text that somebody has edited in the generic form is not printed as an op") {
  std::string const text = "module {\n  toy.a @x : i32\n}\n";
  std::string const generic = text::to_mlir(good(text), {.generic = true});
  CHECK(text::to_mlir(good(generic)) == text);
  auto edited = [&generic](std::string_view from, std::string_view to) {
    std::string changed = generic;
    changed.replace(changed.find(from), from.size(), to);
    std::string const printed = text::to_mlir(good(changed));
    CHECK(printed.find("\"(") != std::string::npos);
    check_same(printed, changed);
  };
  edited("@x", "@y");
  edited("@x", "toy.b");
  edited("@x", "%o");
  edited("@x", "}");
  edited("toy.a", "toy.b");
  edited("mpmd.signature", "mpmd.signatures");
  edited("mpmd.pretty", "mpmd.prettier");
}

TEST_CASE("an op of an unknown dialect that no longer fits its text prints generically") {
  std::string const text = in_function(args, "%0 = toy.a %arg1 : i32\n    toy.b %0 : i32");
  auto printed_after = [&](auto edit) {
    ir::program in = good(text);
    edit(in, find(in, "toy.a"));
    std::string const printed = text::to_mlir(in);
    CHECK(printed.find("%0 = \"toy.a\"(") != std::string::npos);
    CHECK(ir::structural_equal(good(printed), in));
    return printed;
  };
  printed_after([](ir::program& in, ir::op o) { in.set_attr(o, "note", in.context().unit()); });
  printed_after([](ir::program& in, ir::op o) { in.append_operand(o, in.operand(o, 0)); });
  std::string const retyped = printed_after(
      [](ir::program& in, ir::op o) { in.set_type(in.result(o, 0), in.context().floating("f32")); });
  CHECK(retyped.find("\"toy.b\"(%0)") != std::string::npos);
  // What does not concern the text is followed.
  ir::program in = good(text);
  ir::op const b = find(in, "toy.b");
  in.set_operand(b, 0, in.operand(find(in, "toy.a"), 0));
  CHECK(text::to_mlir(in).find("    toy.b %arg1 : i32\n") != std::string::npos);
}

TEST_CASE("text that is no op of an unknown dialect is an error") {
  auto error = [](std::string_view line) { return errors_of(in_function(args, line)); };
  CHECK(error("toy.a (%arg1") ==
        "3:11: custom op 'toy.a' expects the bracket that is opened here to be closed");
  CHECK(error("toy.a [%arg1)") == "3:17: custom op 'toy.a' has an unexpected ')'");
  CHECK(error("toy.a %arg1 )") == "3:17: custom op 'toy.a' has an unexpected ')'");
  CHECK(error("toy.a 50% : i32") == "3:13: expected SSA operand");
  CHECK(error("toy.a \x01") == "3:11: custom op 'toy.a' has an unexpected character");
  CHECK(error("toy.a %i = %arg1") == "3:11: custom op 'toy.a' names '%i' for no region");
  CHECK(error("toy.a %nowhere : i32") == "3:11: use of undeclared SSA value name");
  CHECK(error("toy.a %arg1#1 : i32") == "3:11: reference to invalid result number");
  CHECK(error("toy.a : !undefined") == "3:13: undefined symbol alias id 'undefined'");
  CHECK(error("toy.for %arg1 = %arg0 {\n}") == "3:13: region entry argument '%arg1' is already in use");
  CHECK(error("mpmd.unheard_of %arg1 : i32") == "3:5: custom op 'mpmd.unheard_of' is unknown");
  CHECK(error("sdy.unheard_of %arg1 : i32") == "3:5: custom op 'sdy.unheard_of' is unknown");
}

TEST_CASE("an op of an unknown dialect that ends early is an error at every byte") {
  std::string const text =
      "#map = affine_map<(d0) -> (d0)>\n" +
      in_function(args,
                  "%0 = scf.for %arg6 = %arg0 to %arg0 step %arg0 iter_args(%arg7 = %arg3) -> (f32) {\n"
                  "      %1:2 = toy.a #map, %arg7 {x = \"%\\22\", y = [1.0e+3]} : (f32) -> (f32, i32)\n"
                  "      scf.yield %1#0 : f32\n"
                  "    } else {\n"
                  "    ^bb0(%2: i32):\n"
                  "      cf.br ^bb0(%2 : i32)\n"
                  "    }");
  good(text);
  for (std::size_t size = text.find("scf.for"); size < text.rfind('}'); ++size) {
    CAPTURE(size);
    CHECK(is_bad(text.substr(0, size)));
  }
}

TEST_CASE("ops of unknown dialects nest as deep as the text likes") {
  constexpr int depth = 50000;
  std::string text;
  for (int i = 0; i < depth; ++i) text += "scf.for %i" + std::to_string(i) + " = %c to %c {\n";
  for (int i = 0; i < depth; ++i) text += "}\n";
  text = "%c = index.constant 0\n" + text;
  ir::program const in = good(text);
  ir::op o = find(in, "scf.for");
  int found = 0;
  for (; o; ++found) o = in.first_op(body_of(in, o));
  CHECK(found == depth);
}

TEST_CASE("reading an op of an unknown dialect takes linear time in its regions and brackets") {
  std::string many = "toy.many ";
  for (int i = 0; i < 1000; ++i) many += "{\n toy.a\n}\n";
  check_print(text::to_mlir(good(many)));
  CHECK(errors_of(many + many.substr(9)) != "");
  std::string const brackets = "toy.deep " + std::string(100000, '(') + std::string(100000, ')');
  CHECK(text::to_mlir(good(brackets)) == "module {\n  " + brackets + "\n}\n");
}

}  // namespace foreign_form_test
