#include "mlir_programs.hpp"

namespace ops_sdy_test {

namespace ir = mpmd::ir;
using namespace mpmd::text::testing;
using lines = std::vector<std::string>;

namespace {

/// The op prints as `pretty` inside a function of one tensor, and `generic` says the same.
void check_forms(std::string_view pretty, std::string_view generic) {
  std::string const before = "module {\n  func.func @f(%arg0: tensor<8xf32>) {\n";
  std::string const after = "    return\n  }\n}\n";
  std::string const text = before + std::string(pretty) + after;
  CHECK(printed(text) == text);
  check_same(text, before + std::string(generic) + after);
  check_round_trip(good(text));
}

}  // namespace

TEST_CASE("sdy.mesh") {
  std::string_view const text = "module {\n  sdy.mesh @mesh = <[\"x\"=2, \"y\"=4]>\n"
                                "  sdy.mesh @one = <[], device_ids=[3]> {stablehlo.mesh = {}}\n}\n";
  CHECK(printed(text) == text);
  check_same(text, R"("sdy.mesh"() {sym_name = "mesh", mesh = #sdy.mesh<["x"=2, "y"=4]>} : () -> ()
                      "sdy.mesh"() <{sym_name = "one", mesh = #sdy.mesh<[], device_ids=[3]>}> {stablehlo.mesh = {}} : () -> ())");
  check_round_trip(good(text));
}

TEST_CASE("ops of one operand and a sharding") {
  check_forms("    %0 = sdy.sharding_constraint %arg0 <@mesh, [{\"x\"}]> {a} : tensor<8xf32>\n",
              "%0 = \"sdy.sharding_constraint\"(%arg0) <{sharding = #sdy.sharding<@mesh, [{\"x\"}]>}> {a} : "
              "(tensor<8xf32>) -> tensor<8xf32>\n");
  check_forms("    %0 = sdy.reshard %arg0 <@mesh, [{?}]> : tensor<8xf32>\n",
              "%0 = \"sdy.reshard\"(%arg0) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : "
              "(tensor<8xf32>) -> tensor<8xf32>\n");
  check_forms("    %0 = sdy.data_flow_edge %arg0 : tensor<8xf32>\n",
              "%0 = \"sdy.data_flow_edge\"(%arg0) : (tensor<8xf32>) -> tensor<8xf32>\n");
  check_forms("    %0 = sdy.data_flow_edge %arg0 sharding=<@mesh, [{?}]> {a} : tensor<8xf32>\n",
              "%0 = \"sdy.data_flow_edge\"(%arg0) {a, sharding = #sdy.sharding<@mesh, [{?}]>} : "
              "(tensor<8xf32>) -> tensor<8xf32>\n");
}

TEST_CASE("sdy.sharding_group and sdy.propagation_barrier") {
  check_forms("    sdy.sharding_group %arg0 group_id=3 {a} : tensor<8xf32>\n",
              "\"sdy.sharding_group\"(%arg0) <{group_id = 3 : i64}> {a} : (tensor<8xf32>) -> ()\n");
  std::int64_t value = 0;
  for (std::string const direction : {"NONE", "FORWARD", "BACKWARD", "BOTH"}) {
    check_forms("    %0 = sdy.propagation_barrier %arg0 allowed_direction=" + direction + " : tensor<8xf32>\n",
                "%0 = \"sdy.propagation_barrier\"(%arg0) <{allowed_direction = " + std::to_string(value++) +
                    " : i32}> : (tensor<8xf32>) -> tensor<8xf32>\n");
  }
  CHECK(errors("%a = \"t.a\"() : () -> i1\n%b = sdy.propagation_barrier %a allowed_direction=UP : i1") ==
        lines{"2:51: custom op 'sdy.propagation_barrier' expected one of NONE, FORWARD, BACKWARD, BOTH as direction"});
}

TEST_CASE("sdy.manual_computation") {
  check_forms(R"(    %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x", "y"} (%arg1: tensor<4xf32>) {
      sdy.return %arg1 : tensor<4xf32>
    } {a} : (tensor<8xf32>) -> tensor<8xf32>
)",
              R"(%0 = "sdy.manual_computation"(%arg0) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>,
        out_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>, manual_axes = #sdy<manual_axes{"x","y"}>}> ({
        ^bb0(%p: tensor<4xf32>):
          sdy.return %p : tensor<4xf32>
        }) {a} : (tensor<8xf32>) -> tensor<8xf32>
)");
  check_forms(R"(    sdy.manual_computation() in_shardings=[] out_shardings=[] manual_axes={} () {
      sdy.return
    } : () -> ()
)",
              R"("sdy.manual_computation"() <{in_shardings = #sdy.sharding_per_value<[]>,
        out_shardings = #sdy.sharding_per_value<[]>, manual_axes = #sdy<manual_axes{}>}> ({
          sdy.return
        }) : () -> ()
)");
}

TEST_CASE("sdy.named_computation and sdy.constant") {
  for (std::string const shardings : {"", " in_shardings=[<@mesh, [{?}]>]", " out_shardings=[<@mesh, [{?}]>]",
                                      " in_shardings=[<@mesh, [{?}]>] out_shardings=[<@mesh, [{\"x\"}]>]"}) {
    std::string const text = "module {\n  func.func @f(%arg0: tensor<8xf32>) {\n    %0 = sdy.named_computation<\"n\">(%arg0)" +
                             shardings + " (%arg1: tensor<8xf32>) {\n      sdy.return %arg1 : tensor<8xf32>\n    } : "
                                         "(tensor<8xf32>) -> tensor<8xf32>\n    return\n  }\n}\n";
    CHECK(printed(text) == text);
    check_round_trip(good(text));
  }
  check_forms("    %0 = sdy.constant {a} dense<2> : tensor<3xi32>\n",
              "%0 = \"sdy.constant\"() <{value = dense<2> : tensor<3xi32>}> {a} : () -> tensor<3xi32>\n");
  CHECK(errors("%a = sdy.constant 1 : i32") ==
        lines{"1:19: custom op 'sdy.constant' expected the elements of a tensor"});
}

}  // namespace ops_sdy_test
