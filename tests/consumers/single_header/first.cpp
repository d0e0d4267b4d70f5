#include <mpmd.hpp>

#include <memory>

// In the other file: it includes the header too.
std::size_t count_placed(mpmd::ir::program const& p);

int main() {
  mpmd::diagnostics diags;
  auto const program = mpmd::text::read_mlir(std::make_shared<mpmd::ir::context>(), "f.mlir", R"(
    func.func @main(%x: tensor<4xf32>) -> (!mpmd.mesh_tensor<"m1", tensor<4xf32>>)
        attributes {topology = #mpmd.topology<<"m1" : <["data"=2]>>>} {
      %h = mpmd.assign {origin = "all"} %x : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
      return %h : !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    })", diags);
  if (!program || !mpmd::ir::verify(*program, diags)) return 1;
  return count_placed(*program) == 1 ? 0 : 2;
}
