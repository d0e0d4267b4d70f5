// First use: read a program, ask on which meshes its values must and can live, and why. Changes nothing.

#include <iostream>

#include <mpmd/all.hpp>

namespace {

constexpr auto text = R"(
func.func @main(%x: tensor<4xf32>, %w: tensor<4xf32>) -> (!mpmd.mesh_tensor<"m1", tensor<4xf32>>)
    attributes {topology = #mpmd.topology<<"m1" : <["data"=2]>>, <"m2" : <["data"=2]>>>} {
  %h = stablehlo.multiply %x, %w : tensor<4xf32>
  %h1 = mpmd.assign {origin = "encoder"} %h : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
  %y = stablehlo.add %w, %w : tensor<4xf32>
  %y2 = mpmd.assign {origin = "decoder"} %y : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
  return %h1 : !mpmd.mesh_tensor<"m1", tensor<4xf32>>
}
)";

void print_meshes(std::vector<std::string_view> const& meshes) {
  for (auto const mesh : meshes) std::cout << ' ' << mesh;
}

}  // namespace

int main() {
  mpmd::diagnostics diags(std::cerr);
  auto const program = mpmd::text::read_mlir(std::make_shared<mpmd::ir::context>(), "first_use.mlir", text, diags);
  if (!program || !mpmd::ir::verify(*program, diags)) return 1;

  auto const uses = mpmd::use_sets(*program);
  auto const srcs = mpmd::src_sets(uses);
  mpmd::explainer why(uses);

  auto const main = mpmd::functions(*program)[0];
  int i = 0;
  for (auto const argument : mpmd::arguments(*program, main)) {
    std::cout << "argument " << i++ << " must be on:";
    print_meshes(uses.meshes(argument));
    std::cout << "; can be on:";
    print_meshes(srcs.meshes(argument));
    std::cout << '\n';
    for (auto const mesh : uses.meshes(argument)) {
      std::cout << "  " << mesh << " because of";
      for (auto const& step : why.why(argument, mesh))
        if (step.o) std::cout << ' ' << program->kind_text(step.o);
      std::cout << '\n';
    }
  }
}
