// The fragments and transfers of a program as a graph, what they cost, and the cost as JSON and as a drawing.
#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <vector>

#include <mpmd/analysis/placement_cost.hpp>
#include <mpmd/analysis/placement_dot.hpp>
#include <mpmd/analysis/placement_json.hpp>
#include <mpmd/graph/program_archetypes.hpp>

#include "transform/transform_program.hpp"

namespace {

using mpmd::placement_cost;
using mpmd::placement_graph;
using kind = placement_graph::end_kind;
using end = placement_graph::end;

// tensor<2xf32> is 8 bytes. Microbatches 0 and 1 on a; what a makes goes to b twice, by c once.
constexpr auto step = R"(
    func.func @main(%x: $A, %y: $A, %z: $B) -> ($B, $C, $A) attributes $M {
      %f = mpmd.fragment<mesh="a", origin=["f0", "f1"], stage=2> (%x) {call_counter = 0 : ui32} (%p: $T) {
        %n = stablehlo.negate %p : $T
        %m = stablehlo.add %n, %n : $T
        mpmd.return %m : $T
      } : ($A) -> $A
      %f2 = mpmd.fragment<mesh="a", origin=["f0", "f1"], stage=2> (%y) {call_counter = 1 : ui32} (%p: $T) {
        %m = stablehlo.add %p, %p : $T
        mpmd.return %m : $T
      } : ($A) -> $A
      %t = mpmd.transfer %f : ($A) -> $B
      %t2 = mpmd.transfer %f2 : ($A) -> $B
      %arg = mpmd.transfer %y : ($A) -> $B
      %g = mpmd.fragment<mesh="b", origin=[]> (%t, %t2, %t, %arg) {mpmd.inferred_by = ["why", "also"]} (%p: $T, %q: $T, %r: $T, %s: $T) {
        %m = stablehlo.add %p, %q : $T
        mpmd.return %m : $T
      } : ($B, $B, $B, $B) -> $B
      %c = mpmd.transfer %t : ($B) -> $C
      return %g, %c, %f : $B, $C, $A
    })";

}  // namespace

TEST_CASE("the graph of a placement tells what each fragment and transfer comes from and goes to") {
  auto const p = testing::read(step);
  auto const graph = mpmd::graph_of_placement(p, [&](mpmd::ir::op o) { return p.kind_text(o) == "stablehlo.negate"; });
  REQUIRE(graph.functions.size() == 1);
  auto const& f = graph.functions[0];
  CHECK(f.name == "main");
  CHECK(f.meshes == std::vector<std::string>{"a", "b", "c"});
  REQUIRE(f.fragments.size() == 3);
  CHECK(f.fragments[0].stage == 2);
  CHECK(f.fragments[0].microbatch == 0);
  CHECK(f.fragments[0].ops == 2);
  CHECK(f.fragments[0].added_ops == 1);
  CHECK(f.fragments[0].operands == std::vector<end>{{kind::argument, 0}});
  CHECK(f.fragments[2].added_ops == 1);  // all in a fragment of no user
  CHECK(f.fragments[2].reasons == std::vector<std::string>{"why", "also"});
  CHECK(f.fragments[2].operands == std::vector<end>{{kind::transfer, 0}, {kind::transfer, 1}, {kind::transfer, 2}});
  REQUIRE(f.transfers.size() == 4);
  CHECK(f.transfers[0].source == end{kind::fragment, 0});
  CHECK(f.transfers[0].targets == std::vector<end>{{kind::fragment, 2}, {kind::transfer, 3}});
  CHECK(f.transfers[0].microbatch == 0);
  CHECK(f.transfers[1].microbatch == 1);
  CHECK(f.transfers[2].source == end{kind::argument, 1});
  CHECK(f.transfers[2].microbatch == std::nullopt);
  CHECK(f.transfers[3].microbatch == 0);  // of what it passes on
  CHECK(f.transfers[3].targets == std::vector<end>{{kind::result, 1}});
  CHECK(f.results[2].source == end{kind::fragment, 0});
  CHECK(f.arguments[2].bytes == 8);
}

TEST_CASE("a transfer from an argument belongs to the microbatch of all that it goes to") {
  auto const p = testing::read(R"(
    func.func @main(%x: $A, %y: $A) -> ($B, $B) attributes $M {
      %t = mpmd.transfer %x : ($A) -> $B
      %u = mpmd.transfer %y : ($A) -> $B
      %f = mpmd.fragment<mesh="b", origin=["f"]> (%t, %u) {call_counter = 3 : ui32} (%p: $T, %q: $T) {
        mpmd.return %p : $T
      } : ($B, $B) -> $B
      %g = mpmd.fragment<mesh="b", origin=["f"]> (%u) {unroll_counter = 4 : ui32} (%p: $T) {
        mpmd.return %p : $T
      } : ($B) -> $B
      return %f, %g : $B, $B
    })");
  auto const graph = mpmd::graph_of_placement(p);
  auto const& f = graph.functions.at(0);
  CHECK(f.transfers[0].microbatch == 3);
  CHECK(f.transfers[1].microbatch == std::nullopt);
  CHECK(f.fragments[1].microbatch == 4);
}

TEST_CASE("the cost of a placement counts work by mesh, bytes by route and by microbatch, and how even they are") {
  auto const p = testing::read(step);
  auto const graph = mpmd::graph_of_placement(p);
  auto const cost = mpmd::cost_of(graph.functions.at(0));
  using mesh = placement_cost::mesh;
  // a sends three values to b, b one to c.
  CHECK(cost.meshes[0] == mesh{.fragments = 2, .ops = 3, .argument_bytes = 16, .made_bytes = 16, .sent = {3, 24, 0}});
  CHECK(cost.meshes[1] == mesh{.fragments = 1, .inferred_fragments = 1, .ops = 1, .added_ops = 1, .argument_bytes = 8,
                               .made_bytes = 8, .sent = {1, 8, 0}, .received = {3, 24, 0}});
  CHECK(cost.meshes[2] == mesh{.received = {1, 8, 0}});
  CHECK(cost.routes == std::vector<placement_cost::route>{{0, 1, {3, 24, 0}}, {1, 2, {1, 8, 0}}});
  CHECK(cost.microbatches == std::vector<placement_cost::microbatch>{
                                 {0, 1, 2, {2, 16, 0}}, {1, 1, 1, {1, 8, 0}}, {std::nullopt, 1, 1, {1, 8, 0}}});
  REQUIRE(cost.computations.size() == 2);
  CHECK(cost.computations[0] == placement_cost::computation{.origins = {{"f0", 0}, {"f1", 0}}, .mesh = 0, .stage = 2,
                                                            .fragments = 2, .ops = 3, .microbatches = {0, 1}});
  CHECK(cost.computations[1].reasons == std::vector<std::string>{"why", "also"});
  // 3 of 4 ops on one of three meshes: 3 / (4/3); 16 of 24 bytes: 16 / 8.
  CHECK(cost.ops_balance == doctest::Approx(2.25));
  CHECK(cost.argument_balance == doctest::Approx(2));
  CHECK(mpmd::cost_of({}).ops_balance == std::nullopt);
}

TEST_CASE("bytes that are not known are counted apart") {
  auto const p = testing::read(R"(
    func.func @main(%x: !mpmd.mesh_tensor<"a", tensor<?xf32>>) -> !mpmd.mesh_tensor<"b", tensor<?xf32>> attributes $M {
      %t = mpmd.transfer %x : (!mpmd.mesh_tensor<"a", tensor<?xf32>>) -> !mpmd.mesh_tensor<"b", tensor<?xf32>>
      return %t : !mpmd.mesh_tensor<"b", tensor<?xf32>>
    })");
  auto const graph = mpmd::graph_of_placement(p);
  CHECK(mpmd::cost_of(graph.functions.at(0)).routes == std::vector<placement_cost::route>{{0, 1, {1, 0, 1}}});
  CHECK(mpmd::to_json(graph).find(R"("bytes":null)") != std::string::npos);
  CHECK(mpmd::to_dot(graph).find("≥ 0 B") != std::string::npos);
}

TEST_CASE("what moves within a mesh is counted apart, and kinds of memory are told") {
  auto const p = testing::read(R"(
    func.func @main(%x: $A) -> (!mpmd.mesh_tensor<"b", tensor<2xf32>, memory_kind="pinned_host">, $B) attributes $M {
      %t = mpmd.transfer %x : ($A) -> !mpmd.mesh_tensor<"b", tensor<2xf32>, memory_kind="pinned_host">
      %u = mpmd.transfer %t : (!mpmd.mesh_tensor<"b", tensor<2xf32>, memory_kind="pinned_host">) -> $B
      return %t, %u : !mpmd.mesh_tensor<"b", tensor<2xf32>, memory_kind="pinned_host">, $B
    })");
  auto const graph = mpmd::graph_of_placement(p);
  auto const cost = mpmd::cost_of(graph.functions.at(0));
  using mesh = placement_cost::mesh;
  CHECK(cost.meshes[0] == mesh{.argument_bytes = 8, .sent = {1, 8, 0}});
  CHECK(cost.meshes[1] == mesh{.received = {1, 8, 0}, .moved = {1, 8, 0}});
  CHECK(cost.routes ==
        std::vector<placement_cost::route>{{0, 1, {1, 8, 0}, "", "pinned_host"}, {1, 1, {1, 8, 0}, "pinned_host", ""}});
  auto const json = mpmd::to_json(graph);
  CHECK(json.find(R"({"from":"a","to":"b","from_memory":null,"to_memory":"pinned_host","sent":)") != std::string::npos);
  CHECK(json.find(R"({"from":"b","to":"b","from_memory":"pinned_host","to_memory":null,"bytes":8)") != std::string::npos);
  auto const drawn = mpmd::to_dot(graph);
  CHECK(drawn.find("[label=\"8 B\\n→ pinned_host\"") != std::string::npos);
  CHECK(drawn.find("[label=\"8 B\\npinned_host →\"") != std::string::npos);
}

TEST_CASE("the JSON of a placement has its keys in a fixed order, a line an item") {
  auto const p = testing::read(R"(
    func.func @"ma\"in"(%x: $A) -> $B attributes $M {
      %f = mpmd.fragment<mesh="a", origin=["f"(1)]> (%x) {call_counter = 7 : ui32} (%p: $T) {
        %n = stablehlo.negate %p : $T
        mpmd.return %n : $T
      } : ($A) -> $A
      %t = mpmd.transfer %f : ($A) -> $B
      return %t : $B
    })");
  CHECK(mpmd::to_json(mpmd::graph_of_placement(p)) == R"json({"version":1,"functions":[
{"name":"ma\"in","entry":true,"meshes":[
{"name":"a","fragments":1,"inferred_fragments":0,"ops":1,"added_ops":0,"argument_bytes":8,"made_bytes":8,"sent":{"transfers":1,"bytes":8,"unsized":0},"received":{"transfers":0,"bytes":0,"unsized":0},"moved":{"transfers":0,"bytes":0,"unsized":0}},
{"name":"b","fragments":0,"inferred_fragments":0,"ops":0,"added_ops":0,"argument_bytes":0,"made_bytes":0,"sent":{"transfers":0,"bytes":0,"unsized":0},"received":{"transfers":1,"bytes":8,"unsized":0},"moved":{"transfers":0,"bytes":0,"unsized":0}},
{"name":"c","fragments":0,"inferred_fragments":0,"ops":0,"added_ops":0,"argument_bytes":0,"made_bytes":0,"sent":{"transfers":0,"bytes":0,"unsized":0},"received":{"transfers":0,"bytes":0,"unsized":0},"moved":{"transfers":0,"bytes":0,"unsized":0}}],"balance":{"ops":3,"argument_bytes":3},"routes":[
{"from":"a","to":"b","from_memory":null,"to_memory":null,"sent":{"transfers":1,"bytes":8,"unsized":0}}],"microbatches":[
{"microbatch":7,"fragments":1,"ops":1,"sent":{"transfers":1,"bytes":8,"unsized":0}}],"computations":[
{"origins":[{"name":"f","transpose_count":1}],"inferred_by":[],"mesh":"a","stage":null,"fragments":1,"ops":1,"added_ops":0,"microbatches":[7]}],"fragments":[
{"origins":[{"name":"f","transpose_count":1}],"inferred_by":[],"mesh":"a","stage":null,"microbatch":7,"ops":1,"added_ops":0,"bytes":8,"operands":[{"argument":0}]}],"transfers":[
{"from":"a","to":"b","from_memory":null,"to_memory":null,"bytes":8,"microbatch":7,"source":{"fragment":0},"targets":[{"result":0}]}],"arguments":[
{"mesh":"a","bytes":8}],"results":[
{"mesh":"b","bytes":8,"source":{"transfer":0}}]
}]
}
)json");
}

TEST_CASE("JSON escapes what a string may not hold, and has no number for what is none") {
  mpmd::json_writer out;
  out.begin_list();
  out.value("a\"b\\c\n\x01").value("\xC3\xA4\xFF\xED\xA0\x80").value(-3).value(true).value(0.5).value(1.0 / 0.0);
  out.begin_object().key("k").null().end_object().end_list();
  CHECK(out.text() == "[\"a\\\"b\\\\c\\u000a\\u0001\",\"\xC3\xA4\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\",-3,true,0.5,null,"
                      "{\"k\":null}]");
}

TEST_CASE("a drawing has a cluster a fragment, a colour a mesh and an edge a transfer") {
  auto const p = testing::read(step);
  std::string const drawn = mpmd::to_dot(mpmd::graph_of_placement(p));
  auto has = [&](std::string const& text) { return drawn.find(text) != std::string::npos; };
  CHECK(drawn.starts_with("digraph placement {\n"));
  CHECK(has("subgraph cluster_f0_0 {\n    label=\"a · stage 2 · microbatch 0\"; fontsize=11; style=\"filled,rounded\"; fillcolor=\"0.580 0.22 0.98\""));
  CHECK(has("f0_0 [label=\"f0-1\\n2 ops\"]"));
  CHECK(has("f0_2 [label=\"inferred\\nwhy\\nalso\\n1 op, 1 added\"]"));
  CHECK(has("style=\"filled,rounded,dashed\"; fillcolor=\"0.198 0.22 0.98\""));
  CHECK(has("f0_1 -> f0_2 [label=\"8 B\""));
  // What is sent once and used twice has one edge with bytes.
  CHECK(has("f0_0 -> f0_transfer0 [label=\"8 B\""));
  CHECK(has("f0_transfer0 -> f0_2 [style=dotted"));
  CHECK(has("f0_transfer0 -> f0_results2 [label=\"8 B\""));
  CHECK(has("f0_arguments0 [shape=ellipse, style=filled, label=\"arguments on a\""));
}

TEST_CASE("a drawing is UTF-8 whatever bytes names hold") {
  mpmd::placement_graph graph;
  graph.functions.emplace_back();
  graph.functions[0].name = "f\xC3";
  graph.functions[0].meshes = {"\xC3\xA4\xFF\"\\\n\x01"};
  std::string const drawn = mpmd::to_dot(graph);
  CHECK(drawn.find("label=\"@f\xEF\xBF\xBD\"") != std::string::npos);
  CHECK(drawn.find("label=\"mesh \xC3\xA4\xEF\xBF\xBD\\\"\\\\\\n \"") != std::string::npos);
}

TEST_CASE("names that count up or down are written in short") {
  CHECK(mpmd::names_in_short({{"block0", 0}, {"block1", 0}, {"block2", 0}, {"head", 0}}) == "block0-2, head");
  CHECK(mpmd::names_in_short({{"b9", 1}, {"b8", 1}, {"b7", 0}, {"b7", 0}}) == "b9-8(1), b7, b7");
  CHECK(mpmd::names_in_short({{"b1", 0}, {"b2", 0}, {"b1", 0}, {"c2", 0}, {"x01", 0}, {"x02", 0}}) ==
        "b1-2, b1, c2, x01, x02");
  CHECK(mpmd::names_in_short({{"4294967295", 0}, {"4294967296", 0}}) == "4294967295, 4294967296");
  CHECK(mpmd::numbers_in_short({0, 1, 2, 5, 7, 8}) == "0-2, 5, 7-8");
  CHECK(mpmd::in_groups(1234567) == "1 234 567");
}

TEST_CASE("the graph asks for no more than the concept of an analysis") {
  CHECK(mpmd::graph_of_placement(mpmd::archetypes::straight_program{}).functions.size() == 1);
  CHECK(mpmd::graph_of_placement(mpmd::archetypes::mutable_program{}).functions.empty());
}

