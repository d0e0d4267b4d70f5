// What passes report goes through MLIR's engine, with its places and notes.
// expected-note@+1 {{operand 1 can be on mesh "m2": it comes from argument 1 of @main}}
func.func @main(%x: tensor<4x8xf32>, %w: tensor<4x8xf32>) -> tensor<4x8xf32>
    attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
  %x1 = "mpmd.assign"(%x) : (tensor<4x8xf32>) -> !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>
  %f1 = "mpmd.fragment"(%x1) <{mesh_name = "m1", origin = [#mpmd.user_origin<"encode">]}> ({
  ^bb0(%a: tensor<4x8xf32>):
    %b = "stablehlo.add"(%a, %a) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    "mpmd.return"(%b) : (tensor<4x8xf32>) -> ()
  }) : (!mpmd.mesh_tensor<"m1", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>
  // expected-note@+1 {{operand 0 can be on mesh "m1": it comes off that mesh here from "encode"}}
  %y = "mpmd.unassign"(%f1) : (!mpmd.mesh_tensor<"m1", tensor<4x8xf32>>) -> tensor<4x8xf32>
  // expected-error@+1 {{its operands are on conflicting meshes}}
  %z = "stablehlo.multiply"(%y, %w) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  // expected-note@+1 {{it is needed on mesh "m2" because of this assign}}
  %z2 = "mpmd.assign"(%z) : (tensor<4x8xf32>) -> !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>
  %f2 = "mpmd.fragment"(%z2) <{mesh_name = "m2", origin = [#mpmd.user_origin<"decode">]}> ({
  ^bb0(%a: tensor<4x8xf32>):
    %b = "stablehlo.add"(%a, %a) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    "mpmd.return"(%b) : (tensor<4x8xf32>) -> ()
  }) : (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>
  %out = "mpmd.unassign"(%f2) : (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>>) -> tensor<4x8xf32>
  return %out : tensor<4x8xf32>
}
