// Programs are compared by what they do.

#include "support.hpp"

namespace compare_test {

using namespace mpmd;
using namespace mpmd::sim;
using namespace mpmd::sim::testing;

namespace {

/// What the comparison says: empty if nothing, else the ids and messages.
std::string compared(std::string_view before, std::string_view after,
                     observation_options const& options = {}) {
  std::string all;
  diagnostics to([&all](diagnostic const& d) { all += (all.empty() ? "" : "; ") + d.id + ": " + d.message; });
  bool const same = compare_by_simulation(good(before), good(after), to, options);
  CHECK(same == all.empty());
  return all;
}

std::string in_main(std::string_view body, std::string_view extra = {}) {
  return std::string("#topology = #mpmd.topology<<\"m1\" : <[\"x\"=2]>>, <\"m2\" : <[\"x\"=2]>>>\n") +
         "func.func @main(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) -> tensor<2x3xf32> attributes {topology "
         "= #topology} {\n" +
         std::string(body) + "\n}\n" + std::string(extra);
}

}  // namespace

TEST_CASE("sums may be reassociated and commuted, and differences may not be swapped") {
  std::string const sum = in_main(R"(
    %t = stablehlo.constant dense<0.1> : tensor<2x3xf32>
    %x = stablehlo.add %a, %b : tensor<2x3xf32>
    %y = stablehlo.add %x, %t : tensor<2x3xf32>
    return %y : tensor<2x3xf32>)");
  std::string const reordered = in_main(R"(
    %t = stablehlo.constant dense<0.1> : tensor<2x3xf32>
    %x = stablehlo.add %t, %b : tensor<2x3xf32>
    %y = mpmd.reduce<add> %x, %a : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    return %y : tensor<2x3xf32>)");
  CHECK(compared(sum, reordered) == "");
  auto difference = [](std::string_view operands) {
    return in_main("%x = stablehlo.subtract " + std::string(operands) +
                   " : tensor<2x3xf32>\nreturn %x : tensor<2x3xf32>");
  };
  CHECK(compared(difference("%a, %b"), difference("%a, %b")) == "");
  CHECK(compared(difference("%a, %b"), difference("%b, %a"))
            .starts_with("sim.different: function '@main' computes "));
}

TEST_CASE("a difference names function, result, element, seed and run") {
  // Only the last element is touched.
  std::string const plain = in_main("return %a : tensor<2x3xf32>");
  std::string const touched = in_main(R"(
    %o = stablehlo.constant dense<[[0.0, 0.0, 0.0], [0.0, 0.0, 1.0]]> : tensor<2x3xf32>
    %x = stablehlo.add %a, %o : tensor<2x3xf32>
    return %x : tensor<2x3xf32>)");
  auto const said = compared(plain, touched, {.seed = 5});
  CHECK_MESSAGE(said.find("as element [1, 2] of result 0 (seed 5, run 0)") != std::string::npos, said);
}

TEST_CASE("a program keeps its meaning when its values get meshes") {
  std::string const plain = in_main(R"(
    %x = mpmd.named_computation<"f"> (%a) (%p: tensor<2x3xf32>) {
      %s = stablehlo.exponential %p : tensor<2x3xf32>
      mpmd.return %s : tensor<2x3xf32>
    } : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %y = stablehlo.subtract %x, %b : tensor<2x3xf32>
    return %y : tensor<2x3xf32>)");
  auto placed = [](std::string_view sent, std::string_view arguments) {
    return std::string(R"(
!m1 = !mpmd.mesh_tensor<"m1", tensor<2x3xf32>>
!m2 = !mpmd.mesh_tensor<"m2", tensor<2x3xf32>>
func.func @main(%a: !m1, %b: !m2) -> !m2 attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
  %f = mpmd.fragment<mesh="m1", origin=["f"]> (%a) (%p: tensor<2x3xf32>) {
    %s = stablehlo.exponential %p : tensor<2x3xf32>
    mpmd.return %s : tensor<2x3xf32>
  } : (!m1) -> !m1
  %t = mpmd.transfer )") +
           std::string(sent) + R"( : (!m1) -> !m2
  %g = mpmd.fragment<mesh="m2", origin=[]> )" +
           std::string(arguments) + R"( (%p: tensor<2x3xf32>, %q: tensor<2x3xf32>) {
    %s = stablehlo.subtract %p, %q : tensor<2x3xf32>
    mpmd.return %s : tensor<2x3xf32>
  } : (!m2, !m2) -> !m2
  return %g : !m2
})";
  };
  CHECK(compared(plain, placed("%f", "(%t, %b)")) == "");
  // Faults as a pass might make them: the wrong value is sent, operands are swapped.
  CHECK(compared(plain, placed("%a", "(%t, %b)")).starts_with("sim.different: "));
  CHECK(compared(plain, placed("%f", "(%b, %t)")).starts_with("sim.different: "));
}

TEST_CASE("entry functions, their arguments and their results must stay") {
  std::string const plain = in_main("return %a : tensor<2x3xf32>");
  CHECK(compared(plain, R"(func.func @other(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
    return %a : tensor<2x3xf32>
  })") == "sim.different: function '@main' is no longer there to be called");
  CHECK(compared(plain, R"(func.func @main(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
    return %a : tensor<2x3xf32>
  })") == "sim.different: function '@main' takes other arguments than before");
  CHECK(
      compared(
          plain,
          R"(func.func @main(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
    return %a, %a : tensor<2x3xf32>, tensor<2x3xf32>
  })") == "sim.different: function '@main' returns 2 results, not 1 (seed 1, run 0)");
  // Private functions may change, and new ones may come.
  CHECK(
      compared(in_main("return %a : tensor<2x3xf32>", "func.func private @f(%a: tensor<2xf32>) {\nreturn\n}"),
               in_main("return %a : tensor<2x3xf32>", "func.func private @g() {\nreturn\n}")) == "");
}

TEST_CASE("effects may be repeated on another mesh, but not lost or invented") {
  std::string const effect =
      "%e = stablehlo.custom_call @print(%a) {has_side_effect = true} : (tensor<2x3xf32>) -> "
      "tensor<2x3xf32>\n";
  std::string const again =
      "%f = stablehlo.custom_call @print(%a) {has_side_effect = true} : (tensor<2x3xf32>) -> "
      "tensor<2x3xf32>\n";
  std::string const end = "return %b : tensor<2x3xf32>";
  CHECK(compared(in_main(effect + end), in_main(effect + again + end)) == "");
  CHECK(compared(in_main(effect + end), in_main(end)) ==
        "sim.different: function '@main' has no longer 'stablehlo.custom_call @print' with the same operands "
        "(seed 1, "
        "run 0)");
  CHECK(compared(in_main(end), in_main(effect + end)) ==
        "sim.different: function '@main' has a new effect: 'stablehlo.custom_call @print' with the same "
        "operands (seed "
        "1, run 0)");
}

TEST_CASE("what cannot be run is not taken for equal") {
  std::string const unknown =
      in_main("%x = \"my.op\"(%a) : (tensor<2x3xf32>) -> tensor<2x3xf32>\nreturn %x : tensor<2x3xf32>");
  CHECK(compared(unknown, unknown) == "sim.unknown-op: the simulation does not know the op 'my.op'");
  std::string const large = "func.func @f(%a: tensor<4000000xf32>) {\nreturn\n}";
  CHECK(compared(large, large) ==
        "sim.too-large: too large to simulate: argument 0 of function '@f' has 4000000 elements; the limit "
        "is 1048576");
}

TEST_CASE("inputs depend on the seed, the function and the argument, and on nothing else") {
  std::string const plain = in_main("return %a : tensor<2x3xf32>");
  auto observed = [&](std::uint64_t seed) {
    diagnostics none;
    auto const seen = observe(good(plain), none, {.seed = seed}, memories::one);
    REQUIRE(seen);
    REQUIRE(seen->functions.size() == 1);
    REQUIRE(seen->functions[0].runs.size() == 2);
    return std::pair(seen->functions[0].runs[0].results[0], seen->functions[0].runs[1].results[0]);
  };
  CHECK(observed(1) == observed(1));
  CHECK(observed(1).first != observed(1).second);
  CHECK(observed(1).first != observed(2).first);
}

TEST_CASE("a training step computes the gradient that is worked out by hand") {
  // One stage y = relu(x w) with w = 2, x = 3: y = 6. Loss y^2, its gradient 12; of w: 12 * 3 = 36, of x: 12
  // * 2.
  auto const o = run(R"(
func.func @main(%w: tensor<1x1xf32>, %x: tensor<1x1xf32>) -> (tensor<f32>, tensor<1x1xf32>, tensor<1x1xf32>)
    attributes {topology = #mpmd.topology<<"m0" : <["x"=2]>>>} {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %f:2 = mpmd.named_computation<"stage"> (%w, %x) (%a: tensor<1x1xf32>, %b: tensor<1x1xf32>) {
    %z = stablehlo.constant dense<0.0> : tensor<1x1xf32>
    %h = stablehlo.dot_general %b, %a, contracting_dims = [1] x [0] : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %y = stablehlo.maximum %h, %z : tensor<1x1xf32>
    mpmd.return %y, %h : tensor<1x1xf32>, tensor<1x1xf32>
  } : (tensor<1x1xf32>, tensor<1x1xf32>) -> (tensor<1x1xf32>, tensor<1x1xf32>)
  %sq = stablehlo.multiply %f#0, %f#0 : tensor<1x1xf32>
  %loss = stablehlo.reduce(%sq init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1xf32>, tensor<f32>) -> tensor<f32>
  %two = stablehlo.constant dense<2.0> : tensor<1x1xf32>
  %ct = stablehlo.multiply %f#0, %two : tensor<1x1xf32>
  %g:2 = mpmd.named_computation<"stage"(1)> (%w, %x, %f#1, %ct) (%a: tensor<1x1xf32>, %b: tensor<1x1xf32>, %h: tensor<1x1xf32>, %c: tensor<1x1xf32>) {
    %z = stablehlo.constant dense<0.0> : tensor<1x1xf32>
    %m = stablehlo.compare GT, %h, %z, FLOAT : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xi1>
    %d = stablehlo.select %m, %c, %z : tensor<1x1xi1>, tensor<1x1xf32>
    %gw = stablehlo.dot_general %b, %d, contracting_dims = [0] x [0] : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %gx = stablehlo.dot_general %d, %a, contracting_dims = [1] x [1] : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    mpmd.return %gw, %gx : tensor<1x1xf32>, tensor<1x1xf32>
  } : (tensor<1x1xf32>, tensor<1x1xf32>, tensor<1x1xf32>, tensor<1x1xf32>) -> (tensor<1x1xf32>, tensor<1x1xf32>)
  return %loss, %g#0, %g#1 : tensor<f32>, tensor<1x1xf32>, tensor<1x1xf32>
})",
                     {numbers({1, 1}, {2}), numbers({1, 1}, {3})});
  CHECK(o.text() == "36 | 36 | 24");
}

}  // namespace compare_test
