// The passes on what functions promise: topologies, meshes of inputs and outputs, constraints between them,
// shardings.
#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

#include <mpmd/graph/program_archetypes.hpp>
#include <mpmd/transform/copy_topology_from_main.hpp>
#include <mpmd/transform/enforce_input_output_equisharding.hpp>
#include <mpmd/transform/generate_sdy_meshes_from_topology.hpp>
#include <mpmd/transform/map_input_output_to_mesh.hpp>

#include "transform_program.hpp"

namespace import_signatures_test {
namespace {

using said = std::vector<std::string>;

template <class Pass>
said run(Pass const& pass, mpmd::ir::program& p) {
  said all;
  mpmd::diagnostics diags([&](mpmd::diagnostic const& d) {
    all.push_back((d.level == mpmd::severity::warning ? "warning " : "") + std::to_string(d.where.line) +
                  ": " + d.message);
  });
  bool const good = pass(p, diags);
  CHECK(good == (diags.errors() == 0));
  return all;
}

// The whole program behind the pass, which reports nothing.
template <class Pass>
void check(Pass const& pass, std::string_view before, std::string_view after) {
  CAPTURE(std::string(before));
  auto p = testing::read(before);
  CHECK(run(pass, p) == said{});
  auto const expected = testing::read(after);
  testing::expect(p, mpmd::text::to_mlir(expected), -1);
}

// What the pass says; it leaves the program as it was.
template <class Pass>
said refusal(Pass const& pass, std::string_view text) {
  CAPTURE(std::string(text));
  auto p = testing::read(text);
  std::string const before = mpmd::text::to_mlir(p);
  auto all = run(pass, p);
  CHECK(mpmd::text::to_mlir(p) == before);
  return all;
}

std::string on(std::string_view mesh, std::string_view kind = {}) {
  std::string text = "!mpmd.mesh_tensor<\"" + std::string(mesh) + "\", $T";
  if (!kind.empty()) text += ", memory_kind=\"" + std::string(kind) + '"';
  return text + '>';
}

}  // namespace

TEST_CASE("the passes on signatures compile with the archetypes of their concepts") {
  mpmd::archetypes::mutable_program plain;
  mpmd::archetypes::sharded_program sharded;
  mpmd::diagnostics diags;
  CHECK(mpmd::map_input_output_to_mesh{}(plain, diags));
  CHECK(mpmd::enforce_input_output_equisharding{}(plain, diags));
  CHECK(mpmd::copy_topology_from_main{}(sharded, diags));
  CHECK_FALSE(mpmd::generate_sdy_meshes_from_topology{}(sharded, diags));  // no function, no topology
}

// --- copy-topology-from-main -------------------------------------------------------------------------------------

TEST_CASE("callees get the topology of their callers and become private, wherever they stand") {
  // before stands in front of main; ordinary is called by func.call, alone by nobody.
  auto program = [](std::string_view of_callee) {
    std::string const m(of_callee);
    return "func.func " + std::string(m.empty() ? "" : "private ") + "@before(%x: $T) -> $T" + m +
           " {\n  return %x : $T\n}\n" + R"(func.func @main(%x: $T) -> $T attributes $M {
  %0 = mpmd.call @before(%x) : ($T) -> $T
  %1 = mpmd.for (%0) {iterations = 2 : ui32, unroll_factor = 2 : ui32} (%acc: $T, %i: tensor<ui32>) {
    %2 = mpmd.call @near(%acc) : ($T) -> $T
    mpmd.return %2 : $T
  } : $T
  %3 = func.call @ordinary(%1) : ($T) -> $T
  return %3 : $T
}
func.func )" +
           (m.empty() ? "" : "private ") + "@near(%x: $T) -> $T" + m + R"( {
  return %x : $T
}
func.func @ordinary(%x: $T) -> $T {
  return %x : $T
}
func.func @alone(%x: $T) -> $T {
  return %x : $T
})";
  };
  check(mpmd::copy_topology_from_main{}, program(""), program(" attributes $M"));
  check(mpmd::copy_topology_from_main{}, program(" attributes $M"), program(" attributes $M"));
}

TEST_CASE("a function that gets a topology cannot call another one by mpmd.call") {
  CHECK(refusal(mpmd::copy_topology_from_main{},
                R"(func.func @main(%x: $T) -> $T attributes $M {
  %0 = mpmd.call @f(%x) : ($T) -> $T
  return %0 : $T
}
func.func private @f(%x: $T) -> $T {
  %0 = mpmd.call @g(%x) : ($T) -> $T
  return %0 : $T
}
func.func private @g(%x: $T) -> $T {
  return %x : $T
})") == said{"6: function 'f' is to run on meshes, because an entry function calls it, and cannot call 'g' by mpmd.call: make "
             "this a func.call, for -inline to put 'g' in its place"});
}

TEST_CASE("one function cannot run on two topologies") {
  CHECK(refusal(mpmd::copy_topology_from_main{},
                R"(func.func @main(%x: $T) -> $T attributes $M {
  %0 = mpmd.call @f(%x) : ($T) -> $T
  return %0 : $T
}
func.func private @f(%x: $T) -> $T attributes {topology = #mpmd.topology<<"z" : <["x"=2]>>>} {
  return %x : $T
})") == said{"2: function 'f' has another topology than its caller 'main': one function cannot run on both; "
             "call a copy "
             "of it from one of the two"});
}

// --- map-input-output-to-mesh ------------------------------------------------------------------------------------

TEST_CASE("inputs and outputs are placed, in the order of their indices") {
  mpmd::map_input_output_to_mesh pass;
  pass.input_assignment = {{2, "b"}, {0, "a#pinned_host"}, {1, "a"}};
  pass.output_assignment = {{2, "a"}, {0, "b"}, {1, "a#device"}};
  std::string const host = on("a", "pinned_host"), device = on("a", "device");
  check(pass, R"(func.func @main(%x: $T, %unused: $T, %z: $T, %plain: $T) -> ($T, $T, $T, $T) attributes $M {
  %0 = stablehlo.add %x, %x : $T
  return %0, %0, %z, %plain : $T, $T, $T, $T
}
func.func private @callee(%x: $T) -> $T attributes $M {
  return %x : $T
}
func.func @elsewhere(%x: $T) -> $T {
  return %x : $T
})",
        "func.func @main(%x: " + host + ", %unused: $A, %z: $B, %plain: $T) -> ($B, " + device +
            ", $A, $T) attributes $M {\n  %0 = mpmd.unassign {origin = \"user_in\"} %x : (" + host +
            R"() -> $T
  %1 = mpmd.unassign {origin = "user_in"} %unused : ($A) -> $T
  %2 = mpmd.unassign {origin = "user_in"} %z : ($B) -> $T
  %3 = stablehlo.add %0, %0 : $T
  %4 = mpmd.assign {origin = "user_out"} %3 : ($T) -> $B
  %5 = mpmd.assign {origin = "user_out"} %3 : ($T) -> )" +
            device + R"(
  %6 = mpmd.assign {origin = "user_out"} %2 : ($T) -> $A
  return %4, %5, %6, %plain : $B, )" +
            device + R"(, $A, $T
}
func.func private @callee(%x: $T) -> $T attributes $M {
  return %x : $T
}
func.func @elsewhere(%x: $T) -> $T {
  return %x : $T
})");
}

TEST_CASE("an output stands where the user's structure of results says it does") {
  mpmd::map_input_output_to_mesh pass;
  pass.output_assignment = {{0, "a"}, {1, "a"}};
  auto p = testing::read(R"(func.func @main(%x: $T) -> ($T {jax.result_info = "[0].w"}, $T) attributes $M {
  %y = stablehlo.negate %x : $T loc("y"("f.py":1:2))
  return %y, %x : $T, $T
})");
  CHECK(run(pass, p) == said{});
  using traits = mpmd::ir_traits<mpmd::ir::program>;
  auto const assigns = testing::find_all(p, "mpmd.assign");
  REQUIRE(assigns.size() == 2);
  // The name that it has takes the place of the name of the op.
  auto const frames = traits::location_stack(p, traits::location_of(p, assigns[0]));
  REQUIRE(frames.size() == 1);
  CHECK(frames[0].name == "[0].w");
  CHECK(frames[0].where.file == "f.py");
  CHECK(traits::location_text(p, traits::location_of(p, assigns[0])) == "\"[0].w\"");
  CHECK(traits::location_text(p, traits::location_of(p, assigns[1])).empty());
}

TEST_CASE(
    "a memory kind noted for an input or output goes where the type states one, with a warning if they "
    "differ") {
  mpmd::map_input_output_to_mesh pass;
  pass.input_assignment = {{0, "a#pinned_host"}, {1, "a#device"}, {2, "a"}};
  pass.output_assignment = {{0, "a#pinned_host"}};
  constexpr std::string_view note = "{mhlo.memory_kind = \"pinned_host\"}";
  std::string const n(note);
  auto p = testing::read("func.func @main(%x: $T " + n + ",\n %y: $T " + n + ", %z: $T " + n +
                         ", %plain: $T " + n + ") -> ($T {mhlo.memory_kind = \"device\", test.k}, $T " + n +
                         ") attributes $M {\n  return %x, %plain : $T, $T\n}");
  CHECK(
      run(pass, p) ==
      said{"warning 2: Memory kind attribute \"pinned_host\" on function argument 1 does not match the "
           "memory kind "
           "\"device\" in its type. The type counts",
           "warning 1: Memory kind attribute \"device\" on function result 0 does not match the memory kind "
           "\"pinned_host\" in its type. The type counts"});
  std::string const printed = mpmd::text::to_mlir(p);
  std::string const signature =
      printed.substr(printed.find("@main"), printed.find(" attributes") - printed.find("@main"));
  CHECK(signature == testing::expand("@main(%arg0: " + on("a", "pinned_host") +
                                     ", %arg1: " + on("a", "device") + ", %arg2: $A " + n + ", %arg3: $T " +
                                     n + ") -> (" + on("a", "pinned_host") + " {test.k}, $T " + n + ")"));
}

TEST_CASE("indices, meshes and types that do not fit are refused") {
  constexpr std::string_view text = R"(func.func @main(%x: $T,
    %t: !stablehlo.token, %z: $A) -> ($T, $A) attributes $M {
  return %x, %z : $T, $A
})";
  mpmd::map_input_output_to_mesh pass;
  pass.input_assignment = {{-1, "a"}, {0, "m9#device"}, {1, "a"}, {2, "b"}, {3, "a"}};
  pass.output_assignment = {{-2, "a"}, {1, "a"}, {2, "b"}};
  CHECK(
      refusal(pass, text) ==
      said{
          "1: Input index must be non-negative. It is -1",
          "1: Topology doesn't have a mesh with name: m9. It has 'a', 'b', 'c'",
          "2: Input 1 of function 'main' cannot be placed on mesh 'a': its type is !stablehlo.token, which "
          "is no "
          "tensor without a mesh",
          testing::expand(
              "2: Input 2 of function 'main' cannot be placed on mesh 'b': its type is $A, which is no "
              "tensor without a mesh"),
          "1: Input index out of bounds. Input 3 of function 'main' is assigned to mesh 'a', but there are 3",
          "1: Output index must be non-negative. It is -2",
          testing::expand(
              "2: Output 1 of function 'main' cannot be placed on mesh 'a': its type is $A, which is no "
              "tensor without a mesh"),
          "1: Output index must be less than the number of results. Output 2 of function 'main' is assigned "
          "to mesh "
          "'b', but there are 2"});
}

// --- enforce-input-output-equisharding ---------------------------------------------------------------------------

TEST_CASE("an output is transferred to the type of the input it is constrained to") {
  // 0:1 and 1:0 cross over; output 2 has no constraint; output 3 shares the transfer of output 1, and of
  // output 4 the sharding differs only.
  std::string const split = "!mpmd.mesh_tensor<\"b\", $T, sharding=<@mesh, [{\"x\"}]>>";
  std::string const mesh = "sdy.mesh @mesh = <[\"x\"=2]>\n";
  std::string const types = "$B, $A, $B, $A, " + split;
  check(mpmd::enforce_input_output_equisharding{{{0, 1}, {1, 0}, {0, 3}, {2, 4}, {1, 0}}},
        mesh + "func.func @main(%x: $A, %y: $B, %z: " + split +
            ") -> ($A, $B, $B, $B, $B) attributes $M {\n"
            "  return %x, %y, %y, %y, %y : $A, $B, $B, $B, $B\n}",
        mesh + "func.func @main(%x: $A, %y: $B, %z: " + split + ") -> (" + types + ") attributes $M {\n" +
            "  %1 = mpmd.transfer %y : ($B) -> $A\n"
            "  %0 = mpmd.transfer %x : ($A) -> $B\n"
            "  %2 = mpmd.transfer %y : ($B) -> " +
            split + "\n  return %0, %1, %y, %1, %2 : " + types + "\n}");
}

TEST_CASE("constraints that hold, and functions that nobody enters from outside, are left alone") {
  CHECK(refusal(mpmd::enforce_input_output_equisharding{{{0, 1}, {1, 0}}},
                R"(func.func @main(%x: $A, %y: $B) -> ($B, $A) attributes $M {
  return %y, %x : $B, $A
}
func.func private @callee(%x: $A, %y: $B) -> ($A, $B) attributes $M {
  return %x, %y : $A, $B
})") == said{});
  CHECK(refusal(mpmd::enforce_input_output_equisharding{}, R"(func.func @main(%x: $A) -> $B attributes $M {
  %0 = mpmd.transfer %x : ($A) -> $B
  return %0 : $B
})") == said{});
}

TEST_CASE("constraints that cannot hold are refused") {
  constexpr std::string_view text =
      R"(func.func @main(%x: $A, %y: $B, %t: $T, %w: !mpmd.mesh_tensor<"a", tensor<f32>>)
    -> ($A, $B, $T) attributes $M {
  return %x, %y, %t : $A, $B, $T
})";
  mpmd::enforce_input_output_equisharding const pass{
      {{0, 0}, {1, 0}, {4, 0}, {-1, 0}, {0, 3}, {2, 1}, {0, 2}, {3, 1}}};
  auto line = [](std::string_view which, std::string_view why) {
    return testing::expand("1: " + std::string(which) +
                           " of function 'main' cannot be of one type: " + std::string(why));
  };
  CHECK(refusal(pass, text) ==
        said{line("input 1 and output 0",
                  "the output is also constrained to input 0, of another type: $A and $B"),
             line("input 4 and output 0", "it has 4 inputs"),
             line("input -1 and output 0", "it has 4 inputs"),
             line("input 0 and output 3", "it has 3 outputs"),
             line("input 2 and output 1", "the input stands on no mesh, its type is $T"),
             line("input 0 and output 2", "the output stands on no mesh, its type is $T"),
             line("input 3 and output 1", "they are different tensors, tensor<f32> and $T")});
}

// --- generate-sdy-meshes-from-topology ---------------------------------------------------------------------------

namespace {
constexpr mpmd::generate_sdy_meshes_from_topology generate;
std::string const topology = R"(#mpmd.topology<<"tpu" : <["tpu_x"=2, "tpu_y"=4]>>, <"cpu" : <["cpu_z"=8]>>>)";

std::string with_arguments(std::string_view meshes, std::string_view arguments,
                           std::string_view of = topology) {
  return std::string(meshes) + "func.func @main(" + std::string(arguments) +
         ") attributes {topology = " + std::string(of) + "} {\n  return\n}\n";
}
std::string sharded(std::string_view sharding) {
  return "tensor<16xf32> {sdy.sharding = #sdy.sharding<" + std::string(sharding) + ">}";
}
}  // namespace

TEST_CASE("shardings go to the mesh of the topology that has their axes, with all that they say") {
  std::string const kept = "sdy.mesh @empty = <[]>\nsdy.mesh @maximal = <[], device_ids=[3]>\n";
  std::string const made = "sdy.mesh @tpu = <[\"tpu_x\"=2, \"tpu_y\"=4]>\nsdy.mesh @cpu = <[\"cpu_z\"=8]>\n";
  auto arguments = [](std::string const& x, std::string const& z) {
    return "%0: " + sharded("@" + x + ", [{\"tpu_y\", \"tpu_x\", ?}p1]") +
           ", %1: " + sharded("@" + z + ", [{\"cpu_z\":(2)4}]") +
           ", %2: " + sharded("@" + x + ", [{}], replicated={\"tpu_x\"}, unreduced=max{\"tpu_y\"}") +
           ", %3: " + sharded("@empty, [{?}]") + ", %4: " + sharded("@maximal, []") +
           ", %5: " + sharded("@" + x + ", [{}], replicated={\"tpu_y\"}");
  };
  check(generate,
        with_arguments(
            "sdy.mesh @mesh = <[\"tpu_x\"=8, \"tpu_y\"=8]>\n" + kept + "sdy.mesh @mesh_0 = <[\"cpu_z\"=8]>\n",
            arguments("mesh", "mesh_0")),
        with_arguments(made + kept, arguments("tpu", "cpu")));
  // A second run finds everything as it should be.
  check(generate, with_arguments(made + kept, arguments("tpu", "cpu")),
        with_arguments(made + kept, arguments("tpu", "cpu")));
  // Without any mesh those of the topology are declared.
  check(generate, with_arguments("", ""), with_arguments(made, ""));
}

TEST_CASE("a sharding without axes goes to an empty mesh, which all topologies gain when it had to be made") {
  std::string const whole =
      R"(#mpmd.topology<<"tpu" : <["tpu_x"=2, "tpu_y"=4]>>, <"cpu" : <["cpu_z"=8]>>, <"empty_mesh" : <[]>>>)";
  std::string const made =
      "sdy.mesh @empty_mesh = <[]>\nsdy.mesh @tpu = <[\"tpu_x\"=2, \"tpu_y\"=4]>\n"
      "sdy.mesh @cpu = <[\"cpu_z\"=8]>\n";
  std::string const old = "sdy.mesh @mesh = <[\"tpu_x\"=8]>\n";
  auto program = [](std::string_view meshes, std::string_view mesh, std::string_view of) {
    return with_arguments(meshes,
                          "%0: " + sharded(std::string(mesh) + ", [{?}]") +
                              ", %1: " + sharded(std::string(mesh) + ", [{}]"),
                          of) +
           "func.func private @callee() attributes {topology = " + std::string(of) + "} {\n  return\n}";
  };
  check(generate, program(old, "@mesh", topology), program(made, "@empty_mesh", whole));
  // One that is there is used, and the topology stays.
  check(generate, program(old + "sdy.mesh @empty_mesh = <[]>\n", "@mesh", topology),
        program("sdy.mesh @tpu = <[\"tpu_x\"=2, \"tpu_y\"=4]>\nsdy.mesh @cpu = <[\"cpu_z\"=8]>\nsdy.mesh "
                "@empty_mesh = <[]>\n",
                "@empty_mesh", topology));
}

TEST_CASE("shardings of results, of ops and of values in lists are found") {
  auto program = [](std::string_view meshes, std::string_view mesh) {
    std::string const m(mesh);
    return std::string(meshes) + "func.func @main(%x: tensor<16xf32>) -> (" + sharded(m + ", [{\"a_x\"}]") +
           ") attributes {topology = #mpmd.topology<<\"a\" : <[\"a_x\"=2]>>>} {\n" +
           "  %0 = stablehlo.negate %x {sdy.sharding = #sdy.sharding_per_value<[<" + m +
           ", [{\"a_x\"}]>]>} : tensor<16xf32>\n" + "  %1 = sdy.sharding_constraint %0 <" + m +
           ", [{\"a_x\"}]> : tensor<16xf32>\n" + "  return %1 : tensor<16xf32>\n}";
  };
  check(generate, program("sdy.mesh @mesh = <[\"a_x\"=2]>\n", "@mesh"),
        program("sdy.mesh @a = <[\"a_x\"=2]>\n", "@a"));
}

TEST_CASE("axes may have names of their own as long as they tell the meshes apart") {
  std::string const plain = R"(#mpmd.topology<<"a" : <["x"=2, "a_y"=2]>>, <"b" : <["b_y"=2, "a_y"=4]>>>)";
  auto program = [&](std::string_view meshes, std::string_view first, std::string_view second) {
    return with_arguments(meshes,
                          "%0: " + sharded(std::string(first) + ", [{\"x\"}]") +
                              ", %1: " + sharded(std::string(second) + ", [{\"a_y\"}]"),
                          plain);
  };
  // Both meshes have a_y, whose name says a.
  check(
      generate, program("sdy.mesh @mesh = <[\"x\"=2, \"a_y\"=2]>\n", "@mesh", "@mesh"),
      program("sdy.mesh @a = <[\"x\"=2, \"a_y\"=2]>\nsdy.mesh @b = <[\"b_y\"=2, \"a_y\"=4]>\n", "@a", "@a"));
}

TEST_CASE("axes that do not name one mesh, and meshes that would clash, are refused") {
  struct {
    std::string_view topology, meshes, sharding, said;
  } const cases[] = {
      {R"(<"a" : <["a_x"=2]>>)", "sdy.mesh @mesh = <[\"y\"=2]>\n", R"(@mesh, [{"y"}])",
       "2: Axis name does not contain '_': no mesh of the topology has an axis 'y'"},
      {R"(<"a" : <["a_x"=2]>>)", "sdy.mesh @mesh = <[\"b_x\"=2]>\n", R"(@mesh, [{"b_x"}])",
       "2: Invalid mesh name: b. No mesh of the topology has an axis 'b_x'"},
      {R"(<"a" : <["a_x"=2]>>)", "sdy.mesh @mesh = <[\"a_y\"=2]>\n", R"(@mesh, [{"a_y"}])",
       "2: mesh 'a' of the topology has no axis 'a_y'"},
      {R"(<"a" : <["a_x"=2]>>, <"b" : <["b_x"=2]>>)", "sdy.mesh @mesh = <[\"a_x\"=2, \"b_x\"=2]>\n",
       R"(@mesh, [{"a_x", "b_x"}])",
       "2: Mesh name mismatch: a vs b. A sharding can use the axes of one mesh only, here they belong to "
       "two"},
      {R"(<"a" : <["x"=2]>>, <"b" : <["x"=2]>>)", "sdy.mesh @mesh = <[\"x\"=2]>\n", R"(@mesh, [{"x"}])",
       "2: axis 'x' belongs to 2 meshes of the topology, 'a' and 'b' among them: call it <mesh>_<axis>"},
      {R"(<"a" : <["a_x"=2]>>)", "sdy.mesh @empty_mesh = <[\"x\"=2]>\n", "@empty_mesh, [{}]",
       "2: Mesh named 'empty_mesh' already exists but is not empty."},
      {R"(<"a" : <["a_x"=2]>>)", "sdy.mesh @a = <[]>\n", "@a, [{}]",
       "2: Invalid mesh name: a. It is the name of a mesh of the topology and of a declared mesh without "
       "axes"},
  };
  for (auto const& c : cases)
    CHECK(refusal(generate,
                  with_arguments(c.meshes, "%0: " + sharded(c.sharding) + ", %1: " + sharded(c.sharding),
                                 "#mpmd.topology<" + std::string(c.topology) + ">")) ==
          said{std::string(c.said)});
  CHECK(refusal(generate, "func.func @main() {\n  return\n}") ==
        said{"0: no function has a topology to take meshes from"});
}

}  // namespace import_signatures_test
