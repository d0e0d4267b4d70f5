// What the ops of mpmd do in a simulation, where values live, and what stops a run.

#include "support.hpp"

namespace meshes_test {

using namespace mpmd;
using namespace mpmd::sim;
using namespace mpmd::sim::testing;

namespace {

constexpr std::string_view prelude = R"(
!t = tensor<2xi32>
!m1 = !mpmd.mesh_tensor<"m1", tensor<2xi32>>
!m2 = !mpmd.mesh_tensor<"m2", tensor<2xi32>>
!h1 = !mpmd.mesh_tensor<"m1", tensor<2xi32>, memory_kind="pinned_host">
#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>
)";

std::string with_types(std::string_view text) { return std::string(prelude) + std::string(text); }

tensor pair(std::int64_t a, std::int64_t b) { return numbers({2}, {a, b}, i32); }

/// Reads without verifying: for programs that a broken pass might make.
outcome run_unverified(std::string_view text, std::vector<tensor> const& inputs,
                       memories memory = memories::one_per_mesh) {
  diagnostics none;
  auto const p = text::read_mlir(std::make_shared<ir::context>(), "test.mlir", with_types(text), none);
  REQUIRE(p);
  return run(*p, inputs, memory);
}

constexpr std::string_view two_stages = R"(
func.func @main(%a: !m1, %b: !m2) -> !m2 attributes {topology = #topology} {
  %f = mpmd.fragment<mesh="m1", origin=["f"]> (%a) (%p: !t) {
    %s = stablehlo.add %p, %p : !t
    mpmd.return %s : !t
  } : (!m1) -> !m1
  %t = mpmd.transfer %f : (!m1) -> !m2
  %g = mpmd.fragment<mesh="m2", origin=["g"]> (%t, %b) (%p: !t, %q: !t) {
    %s = stablehlo.multiply %p, %q : !t
    mpmd.return %s : !t
  } : (!m2, !m2) -> !m2
  return %g : !m2
})";

}  // namespace

TEST_CASE("fragments compute on their mesh, and transfers are counted with their bytes") {
  auto const o = run(with_types(two_stages), {pair(1, 2), pair(10, 100)});
  REQUIRE(o.made);
  CHECK(o.text() == "20 400");
  CHECK(o.made->result_memories == std::vector<std::string>{"m2"});
  // Two elements of 32 bits, once.
  CHECK(o.made->transfers == std::map<std::pair<std::string, std::string>, traffic>{{{"m1", "m2"}, {1, 8}}});
  CHECK(o.made->ops == 8);
}

TEST_CASE("another memory kind is another memory of the mesh, and a change of sharding moves nothing") {
  auto const o = run(with_types(R"(
func.func @main(%a: !m1) -> !m1 attributes {topology = #topology} {
  %h = mpmd.transfer %a : (!m1) -> !h1
  %d = mpmd.transfer %h : (!h1) -> !m1
  %s = mpmd.transfer %d : (!m1) -> !mpmd.mesh_tensor<"m1", tensor<2xi32>, sharding=<@mesh, [{"x"}]>>
  %r = mpmd.transfer %s : (!mpmd.mesh_tensor<"m1", tensor<2xi32>, sharding=<@mesh, [{"x"}]>>) -> !m1
  return %r : !m1
})"),
                     {pair(1, 2)});
  REQUIRE(o.made);
  CHECK(o.text() == "1 2");
  CHECK(o.made->transfers == std::map<std::pair<std::string, std::string>, traffic>{
                                 {{"m1", "m1#pinned_host"}, {1, 8}}, {{"m1#pinned_host", "m1"}, {1, 8}}});
}

TEST_CASE("the ops of a program that is not placed yet") {
  auto const o = run(with_types(R"(
func.func @main(%a: !t, %b: !t) -> (!t, !t, !t, !t, !t) attributes {topology = #topology} {
  %n = mpmd.named_tensor %a name="w" : !t
  %c = mpmd.named_computation<"f"(1)> (%n, %b) (%p: !t, %q: !t) {
    %s = stablehlo.subtract %p, %q : !t
    mpmd.return %s : !t
  } : (!t, !t) -> !t
  %u = mpmd.broadcast %c : !t
  %sum = mpmd.reduce<add> %a, %b, %u : (!t, !t, !t) -> !t
  %most = mpmd.reduce<max> %a, %b, %u : (!t, !t, !t) -> !t
  %same = mpmd.reduce<none> %u : (!t) -> !t
  %x = mpmd.assign {origin = "f"} %a : (!t) -> !m1
  %y = mpmd.unassign {origin = "f"} %x : (!m1) -> !t
  %call = mpmd.call @inc(%b) : (!t) -> !t
  return %sum, %most, %same, %y, %call : !t, !t, !t, !t, !t
}
func.func private @inc(%a: !t) -> !t attributes {topology = #topology} {
  %one = stablehlo.constant dense<1> : !t
  %r = stablehlo.add %a, %one : !t
  return %r : !t
})"),
                     {pair(5, -1), pair(3, 4)});
  // c = 2, -5; sums 5 + 3 + 2 and -1 + 4 - 5; the greatest 5 and 4.
  CHECK(o.text() == "10 -2 | 5 4 | 2 -5 | 5 -1 | 4 5");
}

TEST_CASE("a loop runs its body for each index, with what it carries and what it captures") {
  // acc(i + 1) = acc(i) * 2 + index + captured, four times, from 1: 1 -> 2+0+10=12 -> 24+1+10=35 ->
  // 70+2+10=82
  // -> 164+3+10=177.
  std::string const body = R"(
func.func @main(%a: tensor<ui32>, %k: tensor<ui32>) -> tensor<ui32> attributes {topology = #topology} {
  %r = mpmd.for (%a) {iterations = 4 : ui32, unroll_factor = 2 : ui32} (%acc: tensor<ui32>, %index: tensor<ui32>) {
    %d = stablehlo.add %acc, %acc : tensor<ui32>
    %e = stablehlo.add %d, %index : tensor<ui32>
    %f = stablehlo.add %e, %k : tensor<ui32>
    mpmd.return %f : tensor<ui32>
  } : tensor<ui32>
  return %r : tensor<ui32>
})";
  element_format const u32{element_format::kind::unsigned_integer, 32};
  CHECK(run(with_types(body), {numbers({}, {1}, u32), numbers({}, {10}, u32)}).text() == "177");
}

TEST_CASE("transfers in a function that is called in a loop count each time they run") {
  auto const o = run(with_types(R"(
func.func @main(%a: !m1) -> !m1 attributes {topology = #topology} {
  %r = mpmd.for (%a) {iterations = 3 : ui32} (%x: !m1, %index: tensor<ui32>) {
    %y = mpmd.call @there_and_back(%x) : (!m1) -> !m1
    mpmd.return %y : !m1
  } : !m1
  return %r : !m1
}
func.func private @there_and_back(%a: !m1) -> !m1 attributes {topology = #topology} {
  %t = mpmd.transfer %a : (!m1) -> !m2
  %f = mpmd.fragment<mesh="m2", origin=["f"]> (%t) (%p: !t) {
    %s = stablehlo.add %p, %p : !t
    mpmd.return %s : !t
  } : (!m2) -> !m2
  %b = mpmd.transfer %f : (!m2) -> !m1
  return %b : !m1
})"),
                     {pair(1, 5)});
  REQUIRE(o.made);
  CHECK(o.text() == "8 40");
  CHECK(o.made->transfers == std::map<std::pair<std::string, std::string>, traffic>{{{"m1", "m2"}, {3, 24}},
                                                                                    {{"m2", "m1"}, {3, 24}}});
}

TEST_CASE("while, case and if choose by what they are given") {
  std::string const text = with_types(R"(
func.func @main(%i: tensor<i32>, %a: !t) -> (!t, tensor<i32>, !t) {
  %r = "stablehlo.case"(%i) ({
    %s = stablehlo.add %a, %a : !t
    stablehlo.return %s : !t
  }, {
    stablehlo.return %a : !t
  }) : (tensor<i32>) -> !t
  %limit = stablehlo.constant dense<100> : tensor<i32>
  %w:2 = stablehlo.while(%n = %i, %v = %a) : tensor<i32>, !t cond {
    %c = stablehlo.compare LT, %n, %limit, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %m = stablehlo.constant dense<7> : tensor<i32>
    %p = stablehlo.multiply %n, %m : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %q = stablehlo.add %p, %one : tensor<i32>
    %u = stablehlo.add %v, %a : !t
    stablehlo.return %q, %u : tensor<i32>, !t
  }
  return %r, %w#0, %w#1 : !t, tensor<i32>, !t
})");
  tensor const a = pair(3, 4);
  // From 0: 0, 1, 8, 57, 400: four rounds. From 1: 1, 8, 57, 400: three. From 200: none.
  CHECK(run(text, {numbers({}, {0}, i32), a}).text() == "6 8 | 400 | 15 20");
  CHECK(run(text, {numbers({}, {1}, i32), a}).text() == "3 4 | 400 | 12 16");
  // An index that names no branch takes the last one.
  CHECK(run(text, {numbers({}, {200}, i32), a}).text() == "3 4 | 200 | 3 4");
  std::string const choice = with_types(R"(
func.func @main(%i: tensor<i1>, %a: !t, %b: !t) -> !t {
  %r = "stablehlo.if"(%i) ({
    stablehlo.return %a : !t
  }, {
    stablehlo.return %b : !t
  }) : (tensor<i1>) -> !t
  return %r : !t
})");
  element_format const boolean{element_format::kind::boolean, 1};
  CHECK(run(choice, {numbers({}, {1}, boolean), a, pair(1, 1)}).text() == "3 4");
  CHECK(run(choice, {numbers({}, {0}, boolean), a, pair(1, 1)}).text() == "1 1");
}

TEST_CASE("a value is read only where it lives, whatever the types claim") {
  struct wrong {
    std::string_view text, message, note;
  };
  std::vector<wrong> const all{
      // A fragment that takes its operand from the other mesh.
      {R"(func.func @main(%a: !m1) -> !m2 attributes {topology = #topology} {
  %g = mpmd.fragment<mesh="m2", origin=["g"]> (%a) (%p: !t) {
    mpmd.return %p : !t
  } : (!m1) -> !m2
  return %g : !m2
})",
       "'mpmd.fragment' on mesh 'm2' reads a value that lives elsewhere",
       "the value, an argument, lives on mesh 'm1'"},
      // An op outside of any fragment.
      {R"(func.func @main(%a: !m1) -> !m1 attributes {topology = #topology} {
  %t = mpmd.transfer %a : (!m1) -> !m2
  %g = stablehlo.add %t, %a : (!m2, !m1) -> !t
  return %a : !m1
})",
       "'stablehlo.add' reads a value of a mesh outside of any fragment",
       "the value, a result of 'mpmd.transfer', lives on mesh 'm2'"},
      // A call that hands its callee what lives elsewhere.
      {R"(func.func @main(%a: !m1) -> !m2 attributes {topology = #topology} {
  %g = mpmd.call @f(%a) : (!m1) -> !m2
  return %g : !m2
}
func.func private @f(%a: !m2) -> !m2 attributes {topology = #topology} {
  return %a : !m2
})",
       "'mpmd.call' passes a value on to mesh 'm2'", "the value, an argument, lives on mesh 'm1'"},
      // A loop that returns to another mesh than it started on.
      {R"(func.func @main(%a: !m1) -> !m1 attributes {topology = #topology} {
  %r = mpmd.for (%a) {iterations = 2 : ui32} (%x: !m1, %index: tensor<ui32>) {
    %t = mpmd.transfer %x : (!m1) -> !m2
    mpmd.return %t : !m2
  } : !m1
  return %r : !m1
})",
       "'mpmd.for' passes a value on to mesh 'm1'", "the value, an argument, lives on mesh 'm2'"},
      // A fragment that writes to the other mesh.
      {R"(func.func @main(%a: !m1) -> !m2 attributes {topology = #topology} {
  %g = mpmd.fragment<mesh="m1", origin=["g"]> (%a) (%p: !t) {
    mpmd.return %p : !t
  } : (!m1) -> !m2
  return %g : !m2
})",
       "'mpmd.fragment' on mesh 'm1' writes a result that lives on mesh 'm2'", ""},
      // An assignment of what has a mesh, and of what has none.
      {R"(func.func @main(%a: !m1) -> !m2 attributes {topology = #topology} {
  %g = mpmd.assign %a : (!m1) -> !m2
  return %g : !m2
})",
       "'mpmd.assign' takes a value that lives on a mesh already",
       "the value, an argument, lives on mesh 'm1'"},
      {R"(func.func @main(%a: !t) -> !t attributes {topology = #topology} {
  %g = "mpmd.unassign"(%a) : (!t) -> !t
  return %g : !t
})",
       "'mpmd.unassign' takes a value that lives on no mesh", "the value, an argument, lives on no mesh"},
  };
  for (auto const& w : all) {
    CAPTURE(w.text);
    auto const o = run_unverified(w.text, {pair(1, 2)});
    CHECK(o.text() == "sim.placement: " + std::string(w.message));
    REQUIRE(o.said.size() == 1);
    REQUIRE(o.said[0].notes.size() == (w.note.empty() ? 0 : 1));
    if (!w.note.empty()) CHECK(o.said[0].notes[0].message == w.note);
    // With one memory all of them run.
    CHECK(run_unverified(w.text, {pair(1, 2)}, memories::one).made.has_value());
  }
}

TEST_CASE("effects are recorded in their order") {
  auto const o = run(with_types(R"(
func.func @main(%a: !t, %b: !t) -> !t {
  %x = stablehlo.custom_call @print(%a) {has_side_effect = true} : (!t) -> !t
  %y = stablehlo.custom_call @pure(%a) {has_side_effect = false} : (!t) -> !t
  %z = func.call @twice(%b) : (!t) -> !t
  return %z : !t
}
func.func private @twice(%a: !t) -> !t {
  %x = stablehlo.custom_call @print(%a) {has_side_effect = true} : (!t) -> !t
  %y = stablehlo.custom_call @print(%a) {has_side_effect = true} : (!t) -> !t
  return %y : !t
})"),
                     {pair(1, 2), pair(3, 4)});
  REQUIRE(o.made);
  REQUIRE(o.made->effects.size() == 3);
  CHECK(o.made->effects[0].what == "stablehlo.custom_call @print");
  CHECK(o.made->effects[0] != o.made->effects[1]);
  CHECK(o.made->effects[1] == o.made->effects[2]);
}

TEST_CASE("tokens pass through fragments on any mesh") {
  auto const o = run(with_types(R"(
func.func @main(%a: !m1) -> !stablehlo.token attributes {topology = #topology} {
  %k = stablehlo.create_token : !stablehlo.token
  %f:2 = mpmd.fragment<mesh="m1", origin=["f"]> (%a, %k) (%p: !t, %q: !stablehlo.token) {
    mpmd.return %p, %q : !t, !stablehlo.token
  } : (!m1, !stablehlo.token) -> (!m1, !stablehlo.token)
  return %f#1 : !stablehlo.token
})"),
                     {pair(1, 2)});
  CHECK(o.made.has_value());
}

TEST_CASE("what is too large, too long or endless is refused with a reason") {
  std::string const endless = R"(
func.func @main(%i: tensor<i32>) -> tensor<i32> {
  %r = stablehlo.while(%n = %i) : tensor<i32> cond {
    %c = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    stablehlo.return %n : tensor<i32>
  }
  return %r : tensor<i32>
})";
  auto const scalar = numbers({}, {0}, i32);
  CHECK(
      run(endless, {scalar}, memories::one, {.steps = 10000}).text() ==
      "sim.budget: the simulation stops here after 10000 steps: the program takes too long, or does not end");
  std::string const recursive = R"(
func.func @main(%i: tensor<i32>) -> tensor<i32> {
  %r = func.call @main(%i) : (tensor<i32>) -> tensor<i32>
  return %r : tensor<i32>
})";
  CHECK(run(recursive, {scalar}, memories::one, {.steps = 10000}).text().starts_with("sim.budget: "));
  CHECK(run(recursive, {scalar}, memories::one, {.bytes = 100000}).text() ==
        "sim.memory: too large to simulate: all values together take more than 100000 bytes here");
  std::string const large = R"(
func.func @main(%i: tensor<i32>) -> tensor<1000x1000xi32> {
  %r = stablehlo.broadcast_in_dim %i, dims = [] : (tensor<i32>) -> tensor<1000x1000xi32>
  return %r : tensor<1000x1000xi32>
})";
  CHECK(run(large, {scalar}, memories::one, {.elements = 999999}).text() ==
        "sim.too-large: too large to simulate: a result of 'stablehlo.broadcast_in_dim' has 1000000 "
        "elements; the "
        "limit is 999999");
  CHECK(run(large, {scalar}, memories::one, {.elements = 1000000}).made.has_value());
  // A size that does not fit into 64 bits.
  CHECK(run(R"(
func.func @main(%i: tensor<i32>) -> tensor<4611686018427387904x4611686018427387904xi32> {
  %r = stablehlo.broadcast_in_dim %i, dims = [] : (tensor<i32>) -> tensor<4611686018427387904x4611686018427387904xi32>
  return %r : tensor<4611686018427387904x4611686018427387904xi32>
})",
            {scalar})
            .text()
            .starts_with("sim.too-large: "));
  std::string const dot = R"(
func.func @main(%a: tensor<300x300xf32>) -> tensor<300x300xf32> {
  %r = stablehlo.dot %a, %a : (tensor<300x300xf32>, tensor<300x300xf32>) -> tensor<300x300xf32>
  return %r : tensor<300x300xf32>
})";
  CHECK(
      run(dot, {numbers({300, 300}, std::vector<std::int64_t>(90000, 1))}, memories::one, {.steps = 1000000})
          .text()
          .starts_with("sim.budget: "));
}

TEST_CASE("values that nothing needs any more take no memory") {
  std::string chain = "func.func @main(%v0: tensor<1000xi32>) -> tensor<1000xi32> {\n";
  for (int i = 0; i < 100; ++i)
    chain +=
        "%v" + std::to_string(i + 1) + " = stablehlo.negate %v" + std::to_string(i) + " : tensor<1000xi32>\n";
  chain += "return %v100 : tensor<1000xi32>\n}";
  // Each takes 8000 bytes; two of them live at a time, a third comes as a copy of the input.
  auto const input = numbers({1000}, std::vector<std::int64_t>(1000, 3), i32);
  CHECK(run(chain, {input}, memories::one, {.bytes = 40000}).made.has_value());
  CHECK(run(chain, {input}, memories::one, {.bytes = 8000}).text().starts_with("sim.memory: "));
}

TEST_CASE("neither long programs, nor deep ones, nor deep calls need the call stack") {
  // 10^5 loops, each in the body of the one before.
  constexpr int depth = 100000;
  std::string text = "func.func @main(%v0: tensor<i32>) -> tensor<i32> {\n";
  std::string tail;
  for (int i = 0; i < depth; ++i)
    text += "%r" + std::to_string(i) + " = mpmd.for (%v" + std::to_string(i) +
            ") {iterations = 1 : ui32} (%v" + std::to_string(i + 1) + ": tensor<i32>, %i" +
            std::to_string(i) + ": tensor<ui32>) {\n";
  text +=
      "%s = stablehlo.add %v0, %v" + std::to_string(depth) + " : tensor<i32>\nmpmd.return %s : tensor<i32>\n";
  for (int i = depth; i-- > 0;) {
    text += "} : tensor<i32>\n";
    text += (i == 0 ? "return %r" : "mpmd.return %r") + std::to_string(i) + " : tensor<i32>\n";
  }
  CHECK(run(text + "}", {numbers({}, {21}, i32)}).text() == "42");
}

}  // namespace meshes_test
