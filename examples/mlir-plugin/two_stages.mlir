// Two named stages stand on their meshes; what is between them and around them was placed by nobody.
func.func @main(%x: tensor<4x8xf32>, %w: tensor<4x8xf32>) -> tensor<4x8xf32>
    attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
  %x1 = "mpmd.assign"(%x) : (tensor<4x8xf32>) -> !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>
  %f1 = "mpmd.fragment"(%x1) <{mesh_name = "m1", origin = [#mpmd.user_origin<"encode">]}> ({
  ^bb0(%a: tensor<4x8xf32>):
    %b = "stablehlo.add"(%a, %a) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    "mpmd.return"(%b) : (tensor<4x8xf32>) -> ()
  }) : (!mpmd.mesh_tensor<"m1", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>
  %y = "mpmd.unassign"(%f1) : (!mpmd.mesh_tensor<"m1", tensor<4x8xf32>>) -> tensor<4x8xf32>
  %z = "stablehlo.multiply"(%y, %w) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %z2 = "mpmd.assign"(%z) : (tensor<4x8xf32>) -> !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>
  %f2 = "mpmd.fragment"(%z2) <{mesh_name = "m2", origin = [#mpmd.user_origin<"decode">]}> ({
  ^bb0(%a: tensor<4x8xf32>):
    %b = "stablehlo.add"(%a, %a) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    "mpmd.return"(%b) : (tensor<4x8xf32>) -> ()
  }) : (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>
  %out = "mpmd.unassign"(%f2) : (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>>) -> tensor<4x8xf32>
  return %out : tensor<4x8xf32>
}
