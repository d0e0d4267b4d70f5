// MLIR takes ops that are not registered as they come; passes do not.

// expected-error@+1 {{attribute 'topology' must be a topology}}
func.func @topology() attributes {topology = #mpmd.topology<"m1">} { return }

// -----

func.func @no_operand() attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>>} {
  // expected-error@+1 {{'mpmd.assign' op expected 1 operands, but found 0}}
  %0 = "mpmd.assign"() : () -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
  return
}

// -----

func.func @other_tensor(%x: tensor<8xf32>) attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>>} {
  // expected-error@+1 {{the global type 'tensor<4xf32>' must be the tensor type 'tensor<8xf32>'}}
  %0 = "mpmd.assign"(%x) : (tensor<8xf32>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
  return
}

// -----

func.func @unknown_mesh(%x: tensor<4xf32>) attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>>} {
  // expected-error@+1 {{Topology doesn't have a mesh with name: m2}}
  %0 = "mpmd.assign"(%x) : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
  return
}

// -----

func.func @unreadable_type(%x: tensor<4xf32>) attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>>} {
  // expected-error@+1 {{operands and results must be mesh tensors}}
  %0 = "mpmd.assign"(%x) : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m1">
  return
}

// -----

func.func @no_body(%x: !mpmd.mesh_tensor<"m1", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>>} {
  // expected-error@+1 {{'mpmd.fragment' op requires one region}}
  %0 = "mpmd.fragment"(%x) <{mesh_name = "m1", origin = []}> : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
  return
}

// -----

func.func @no_return(%x: !mpmd.mesh_tensor<"m1", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>>} {
  // expected-error@+1 {{'mpmd.fragment' op expects a block that ends in mpmd.return}}
  %0 = "mpmd.fragment"(%x) <{mesh_name = "m1", origin = []}> ({
  ^bb0(%a: tensor<4xf32>):
    %b = "stablehlo.add"(%a, %a) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  }) : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
  return
}

// -----

func.func @other_arguments(%x: !mpmd.mesh_tensor<"m1", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>>} {
  // expected-error@+1 {{Number of block arguments and operands must match: 0 vs 1}}
  "mpmd.fragment"(%x) <{mesh_name = "m1", origin = []}> ({
    "mpmd.return"() : () -> ()
  }) : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> ()
  return
}

// -----

func.func @no_origin(%x: tensor<4xf32>) attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>>} {
  // expected-error@+1 {{'mpmd.named_computation' op requires attribute 'origin'}}
  "mpmd.named_computation"(%x) ({
  ^bb0(%a: tensor<4xf32>):
    "mpmd.return"() : () -> ()
  }) : (tensor<4xf32>) -> ()
  return
}

// -----

func.func @endless_loop() attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>>} {
  // expected-error@+1 {{'mpmd.for' op requires attribute 'iterations', a positive 32-bit unsigned integer}}
  "mpmd.for"() <{iterations = 0 : ui32}> ({
  ^bb0(%i: tensor<ui32>):
    "mpmd.return"() : () -> ()
  }) : () -> ()
  return
}

// -----

func.func @calls_nothing() attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>>} {
  // expected-error@+1 {{Mpmd CallOp callee @f does not refer to a function}}
  "mpmd.call"() <{callee = @f}> : () -> ()
  return
}

// -----

func.func private @calls_itself() attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>>} {
  // expected-error@+1 {{can only be used directly by the entrypoint function}}
  "mpmd.call"() <{callee = @calls_itself}> : () -> ()
  return
}

// -----

func.func @mixed_reduce(%x: tensor<4xf32>, %y: tensor<8xf32>) attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>>} {
  // expected-error@+1 {{requires the same type for all operands and results}}
  %0 = "mpmd.reduce"(%x, %y) <{reduction = #mpmd.reduction<add>}> : (tensor<4xf32>, tensor<8xf32>) -> tensor<4xf32>
  return
}
