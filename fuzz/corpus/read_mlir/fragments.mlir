!t = !mpmd.mesh_tensor<"m1", tensor<8x4xf32>, sharding=<@mesh, [{"x"}, {?}]>>
#top = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: !t, %w: tensor<8x4xf32> {mpmd.use_set = #mpmd.meshes_with_origins<"m1"["e"], "m2">}) -> !t attributes {topology = #top} {
  %f:2 = mpmd.fragment<mesh="m1", origin=["enc"(1)], stage=2, in_shardings=[<@mesh, [{"x"}, {}]>]> (%a) {call_counter = 0 : ui32} (%p: tensor<8x4xf32>) {
    %c = stablehlo.constant dense<[[1.0, 2.0, 3.0, 0x7FC00000]]> : tensor<1x4xf32>
    %s = stablehlo.add %p, %p {x = [1, 2.5, "q\"", @s::@t, unit]} : tensor<8x4xf32>
    mpmd.return %s, %p : tensor<8x4xf32>, tensor<8x4xf32>
  } : (!t) -> (!t, !t)
  %u = mpmd.unassign {origin = "enc"} %f#1 : (!t) -> tensor<8x4xf32>
  %r = mpmd.reduce<add> %u, %w : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
  %l = mpmd.for (%r) {iterations = 2 : ui32} (%acc: tensor<8x4xf32>, %index: tensor<ui32>) {
    mpmd.return %acc : tensor<8x4xf32>
  } : tensor<8x4xf32>
  %x = mpmd.assign %l : (tensor<8x4xf32>) -> !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>
  return %f#0 : !t
}
