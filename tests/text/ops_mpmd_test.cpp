#include "mlir_programs.hpp"

namespace ops_mpmd_test {

namespace ir = mpmd::ir;
using namespace mpmd::text::testing;
using lines = std::vector<std::string>;

namespace {

constexpr std::string_view prelude = R"(
!t = tensor<8xf32>
!m1 = !mpmd.mesh_tensor<"m1", tensor<8xf32>>
!m2 = !mpmd.mesh_tensor<"m2", tensor<8xf32>>
%0 = "t.t"() : () -> !t
%1 = "t.m"() : () -> !m1
)";

/// What comes behind the ops of the prelude, without the indentation of the module.
std::string body_of(std::string_view ops) {
  std::string text = printed(std::string(prelude) + std::string(ops));
  std::string_view const last = "\"t.m\"() : () -> !mpmd.mesh_tensor<\"m1\", tensor<8xf32>>\n";
  std::size_t const from = text.find(last);
  REQUIRE(from != std::string::npos);
  text = text.substr(from + last.size());
  REQUIRE(text.ends_with("}\n"));
  text.resize(text.size() - 2);
  std::string shifted;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t const stop = text.find('\n', i) + 1;
    CHECK(text.substr(i, 2) == "  ");
    shifted += text.substr(i + 2, stop - i - 2);
    i = stop;
  }
  return shifted;
}

/// The op prints as `pretty`, and `generic` says the same.
void check_forms(std::string_view pretty, std::string_view generic) {
  CHECK(body_of(pretty) == std::string(pretty) + '\n');
  check_same(std::string(prelude) + std::string(pretty), std::string(prelude) + std::string(generic));
  check_round_trip(good(std::string(prelude) + std::string(pretty)));
}

lines errors_of(std::string_view op) { return errors("%0 = \"t.t\"() : () -> tensor<8xf32>\n" + std::string(op)); }

}  // namespace

TEST_CASE("mpmd.named_computation") {
  check_forms(
      R"(%2 = mpmd.named_computation<"enc"(1)> (%0) {a.b = 1 : i8} (%arg0: tensor<8xf32>) {
  mpmd.return %arg0 : tensor<8xf32>
} : (tensor<8xf32>) -> tensor<8xf32>)",
      R"(%r = "mpmd.named_computation"(%0) <{origin = #mpmd.user_origin<"enc"(1)>}> ({
        ^bb0(%p: !t):
          "mpmd.return"(%p) : (!t) -> ()
        }) {a.b = 1 : i8} : (!t) -> !t)");
  // Without operands a return prints the blank before them, and the two lists are empty.
  CHECK(body_of("mpmd.named_computation<\"f\"(0)>() () { mpmd.return } : () -> ()") ==
        "mpmd.named_computation<\"f\"> () () {\n  mpmd.return \n} : () -> ()\n");
}

TEST_CASE("mpmd.named_tensor") {
  check_forms(R"(%2 = mpmd.named_tensor %0 name="w" {a = 1 : i8} : tensor<8xf32>)",
              R"(%2 = "mpmd.named_tensor"(%0) {a = 1 : i8, name = "w"} : (!t) -> !t)");
  CHECK(body_of("%n = mpmd.named_tensor %0 name = \"w\" : !t") == "%2 = mpmd.named_tensor %0 name=\"w\" : tensor<8xf32>\n");
}

TEST_CASE("mpmd.fragment") {
  check_forms(
      R"(%2:2 = mpmd.fragment<mesh="m1", origin=["enc", "dec"(1)], stage=3, in_shardings=[<@mesh, [{"x"}]>], out_shardings=[<@mesh, [{?}]>, <@mesh, [{}]>]> (%1) {call_counter = 0 : ui32, remat} (%arg0: tensor<8xf32>) {
  mpmd.return %arg0, %arg0 : tensor<8xf32>, tensor<8xf32>
} : (!mpmd.mesh_tensor<"m1", tensor<8xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<8xf32>>, !mpmd.mesh_tensor<"m1", tensor<8xf32>>))",
      R"(%2:2 = "mpmd.fragment"(%1) <{mesh_name = "m1", origin = [#mpmd.user_origin<"enc">, #mpmd.user_origin<"dec"(1)>],
          stage_id = 3 : i64, in_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>,
          out_shardings = #sdy.sharding_per_value<[<@mesh, [{?}]>, <@mesh, [{}]>]>}> ({
        ^bb0(%p: !t):
          mpmd.return %p, %p : !t, !t
        }) {call_counter = 0 : ui32, remat} : (!m1) -> (!m1, !m1))");
  // Each of the optional parts may be absent, and a comma may be left over.
  for (std::string_view const parts :
       {"", ", stage=-1", ", in_shardings=[]", ", out_shardings=[]", ", stage=0, out_shardings=[]",
        ", in_shardings=[], out_shardings=[]"}) {
    std::string const before = "mpmd.fragment<mesh=\"m1\", origin=[]" + std::string(parts);
    std::string const after = "> () () {\n  mpmd.return \n} : () -> ()\n";
    CHECK(body_of(before + after) == before + after);
    CHECK(body_of(before + "," + after) == before + after);
  }
}

TEST_CASE("mpmd.fragment_call and mpmd.call") {
  check_forms(
      R"(%2 = mpmd.fragment_call<mesh="m1", origin=["enc"(1), "dec"]> @f(%1) {remat} : (!mpmd.mesh_tensor<"m1", tensor<8xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<8xf32>>)",
      R"(%2 = "mpmd.fragment_call"(%1) <{callee = @f, mesh_name = "m1", origin = [#mpmd.user_origin<"enc"(1)>, #mpmd.user_origin<"dec">]}>
         {remat} : (!m1) -> !m1)");
  check_forms(
      R"(%2:2 = mpmd.call @"f g"(%0, %0) {call_counter = 0 : ui32} : (tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>))",
      R"(%2:2 = "mpmd.call"(%0, %0) <{callee = @"f g"}> {call_counter = 0 : ui32} : (!t, !t) -> (!t, !t))");
}

TEST_CASE("mpmd.transfer, mpmd.assign and mpmd.unassign") {
  check_forms(
      R"(%2 = mpmd.transfer {concat_transfer} %1 : (!mpmd.mesh_tensor<"m1", tensor<8xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<8xf32>>)",
      R"(%2 = "mpmd.transfer"(%1) {concat_transfer} : (!m1) -> !m2)");
  check_forms(
      R"(%2 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m1"["enc"]>, origin = "enc"} %0 : (tensor<8xf32>) -> !mpmd.mesh_tensor<"m1", tensor<8xf32>>)",
      R"(%2 = "mpmd.assign"(%0) <{origin = "enc"}> {mpmd.use_set = #mpmd.meshes_with_origins<"m1"["enc"]>} : (!t) -> !m1)");
  check_forms(R"(%2 = mpmd.unassign %1 : (!mpmd.mesh_tensor<"m1", tensor<8xf32>>) -> tensor<8xf32>)",
              R"(%2 = "mpmd.unassign"(%1) : (!m1) -> !t)");
}

TEST_CASE("mpmd.for") {
  check_forms(R"(%2 = mpmd.for (%0) {iterations = 4 : ui32, unroll_factor = 2 : ui32} (%arg0: tensor<8xf32>, %index: tensor<ui32>) {
  mpmd.return %arg0 : tensor<8xf32>
} : tensor<8xf32>)",
              R"(%2 = "mpmd.for"(%0) <{iterations = 4 : ui32, unroll_factor = 2 : ui32}> ({
                ^bb0(%a: !t, %i: tensor<ui32>):
                  mpmd.return %a : !t
                }) : (!t) -> !t)");
}

TEST_CASE("a loop without operands has no pretty form to read, so it prints generically") {
  std::string_view const text = R"("mpmd.for"() <{iterations = 4 : ui32}> ({
^bb0(%index: tensor<ui32>):
  mpmd.return 
}) : () -> ()
)";
  CHECK(body_of(text) == text);
}

TEST_CASE("mpmd.broadcast and mpmd.reduce") {
  check_forms(R"(%2 = mpmd.broadcast {a} %0 : tensor<8xf32>)", R"(%2 = "mpmd.broadcast"(%0) {a} : (!t) -> !t)");
  check_forms(R"(%2 = mpmd.reduce<add> {a} %0, %0 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>)",
              R"(%2 = "mpmd.reduce"(%0, %0) <{reduction = #mpmd.reduction<add>}> {a} : (!t, !t) -> !t)");
  // The kind is always printed; where the generic form leaves it out it is none.
  check_forms(R"(%2 = mpmd.reduce<none> %0 : (tensor<8xf32>) -> tensor<8xf32>)",
              R"(%2 = "mpmd.reduce"(%0) : (!t) -> !t)");
}

TEST_CASE("what the pretty form cannot say is printed generically") {
  for (std::string_view const text : {
           "%2 = \"mpmd.broadcast\"(%0) : (tensor<8xf32>) -> i1\n",
           "%2 = \"mpmd.named_tensor\"(%0) : (tensor<8xf32>) -> tensor<8xf32>\n",
           "\"mpmd.call\"() <{callee = \"f\"}> : () -> ()\n",
           "\"mpmd.fragment\"() <{mesh_name = \"m1\", origin = []}> ({\n}) : () -> ()\n",
           "\"mpmd.fragment\"() <{mesh_name = \"m1\", origin = [1]}> ({\n  mpmd.return \n}) : () -> ()\n",
           "\"mpmd.transfer\"() : () -> ()\n",
           "\"mpmd.reduce\"() <{reduction = 1 : i64}> : () -> ()\n",
           "\"func.func\"() <{sym_name = \"f\"}> ({\n}) : () -> ()\n",
           "\"func.return\"() ({\n}) : () -> ()\n",
           "\"t.f\"() ({\n  \"mpmd.return\"()[^bb1] : () -> ()\n^bb1:  // pred: ^bb0\n  mpmd.return \n}) : () -> ()\n",
       }) {
    CHECK(body_of(text) == text);
  }
}

TEST_CASE("malformed mpmd ops say what was expected") {
  CHECK(errors_of("mpmd.transfer %0, %0 : (tensor<8xf32>) -> tensor<8xf32>") == lines{"2:17: expected ':'"});
  CHECK(errors_of("mpmd.reduce<sum> %0 : (tensor<8xf32>) -> tensor<8xf32>").size() == 1);
  CHECK(errors_of("mpmd.named_tensor %0 nam=\"w\" : tensor<8xf32>") == lines{"2:21: expected 'name'"});
  CHECK(errors_of("mpmd.fragment<origin=[]> () () {\n} : () -> ()") == lines{"2:15: expected 'mesh'"});
  CHECK(errors_of("mpmd.fragment<mesh=\"m\", origin=[], out_shardings=[], in_shardings=[]> () () {\n} : () -> ()") ==
        lines{"2:53: expected '>'"});
  CHECK(errors_of("mpmd.for (%0) {iterations = 1 : ui32} (%a: tensor<8xf32>) {\n  mpmd.return %a : tensor<8xf32>\n}") ==
        lines{"4:2: expected ':'"});
  CHECK(errors_of("mpmd.call f(%0) : () -> ()") ==
        lines{"2:11: custom op 'mpmd.call' expected valid '@'-identifier for symbol name"});
  CHECK(errors_of("mpmd.named_computation<\"f\"> (%0) (%a: tensor<8xf32>) {\n  mpmd.return %a : tensor<8xf32>\n"
                  "} : () -> tensor<8xf32>") ==
        lines{"4:2: custom op 'mpmd.named_computation' 1 operands present, but expected 0"});
}

}  // namespace ops_mpmd_test
