// A training step as a user writes it: the microbatches run in a loop and, once more to measure the loss, behind it; the
// computations call a helper, one of them runs a while loop.
// name-to-mesh-assignment: encode@m0, decode@m1
// expected args: w0=m0, w1=m1, xs=m0, ts=m1
// expected results: loss=m1; w0=m0, w1=m1; left=m1
// microbatch without cotangents: 3
module @train_step_loop {
  func.func public @main(%w0: tensor<8x8xf32>, %w1: tensor<8x8xf32>, %xs: tensor<3x4x8xf32>, %ts: tensor<3x4x8xf32>) -> (tensor<f32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<f32>) attributes {topology = #mpmd.topology<<"m0" : <["data"=2]>>, <"m1" : <["data"=2]>>>} {
    %none = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %flat = stablehlo.constant dense<0.000000e+00> : tensor<8x8xf32>
    %r:3 = mpmd.for (%none, %flat, %flat) {iterations = 3 : ui32, unroll_factor = 3 : ui32} (%l: tensor<f32>, %g0: tensor<8x8xf32>, %g1: tensor<8x8xf32>, %i: tensor<ui32>) {
      %first = stablehlo.constant dense<0> : tensor<ui32>
      %xi = stablehlo.dynamic_slice %xs, %i, %first, %first, sizes = [1, 4, 8] : (tensor<3x4x8xf32>, tensor<ui32>, tensor<ui32>, tensor<ui32>) -> tensor<1x4x8xf32>
      %ti = stablehlo.dynamic_slice %ts, %i, %first, %first, sizes = [1, 4, 8] : (tensor<3x4x8xf32>, tensor<ui32>, tensor<ui32>, tensor<ui32>) -> tensor<1x4x8xf32>
      %x = stablehlo.reshape %xi : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
      %t = stablehlo.reshape %ti : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
      %c:3 = mpmd.call @microbatch(%l, %g0, %g1, %w0, %w1, %x, %t) : (tensor<f32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<f32>, tensor<8x8xf32>, tensor<8x8xf32>)
      mpmd.return %c#0, %c#1, %c#2 : tensor<f32>, tensor<8x8xf32>, tensor<8x8xf32>
    } : tensor<f32>, tensor<8x8xf32>, tensor<8x8xf32>
    %v0 = stablehlo.subtract %w0, %r#1 : tensor<8x8xf32>
    %v1 = stablehlo.subtract %w1, %r#2 : tensor<8x8xf32>
    %x0 = stablehlo.slice %xs [0:1, 0:4, 0:8] : (tensor<3x4x8xf32>) -> tensor<1x4x8xf32>
    %t0 = stablehlo.slice %ts [0:1, 0:4, 0:8] : (tensor<3x4x8xf32>) -> tensor<1x4x8xf32>
    %x = stablehlo.reshape %x0 : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
    %t = stablehlo.reshape %t0 : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
    %again:3 = mpmd.call @microbatch(%none, %flat, %flat, %v0, %v1, %x, %t) {call_counter = 3 : ui32} : (tensor<f32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<f32>, tensor<8x8xf32>, tensor<8x8xf32>)
    return %r#0, %v0, %v1, %again#0 : tensor<f32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<f32>
  }
  func.func private @microbatch(%l: tensor<f32>, %g0: tensor<8x8xf32>, %g1: tensor<8x8xf32>, %w0: tensor<8x8xf32>, %w1: tensor<8x8xf32>, %x: tensor<4x8xf32>, %t: tensor<4x8xf32>) -> (tensor<f32>, tensor<8x8xf32>, tensor<8x8xf32>) attributes {topology = #mpmd.topology<<"m0" : <["data"=2]>>, <"m1" : <["data"=2]>>>} {
    %h = mpmd.named_computation<"encode"> (%w0, %x) (%w: tensor<8x8xf32>, %b: tensor<4x8xf32>) {
      %m = stablehlo.dot_general %b, %w, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
      %n = func.call @halved(%m) : (tensor<4x8xf32>) -> tensor<4x8xf32>
      mpmd.return %n : tensor<4x8xf32>
    } : (tensor<8x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %y = mpmd.named_computation<"decode"> (%w1, %h) (%w: tensor<8x8xf32>, %b: tensor<4x8xf32>) {
      %m = stablehlo.dot_general %b, %w, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
      %from = stablehlo.constant dense<0> : tensor<i32>
      %loop:2 = stablehlo.while(%k = %from, %z = %m) : tensor<i32>, tensor<4x8xf32>
      cond {
        %turns = stablehlo.constant dense<3> : tensor<i32>
        %more = stablehlo.compare LT, %k, %turns, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %more : tensor<i1>
      } do {
        %one = stablehlo.constant dense<1> : tensor<i32>
        %next = stablehlo.add %k, %one : tensor<i32>
        %s = stablehlo.subtract %z, %b : tensor<4x8xf32>
        stablehlo.return %next, %s : tensor<i32>, tensor<4x8xf32>
      }
      %n = func.call @halved(%loop#1) : (tensor<4x8xf32>) -> tensor<4x8xf32>
      mpmd.return %n : tensor<4x8xf32>
    } : (tensor<8x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %d = stablehlo.subtract %y, %t : tensor<4x8xf32>
    %sq = stablehlo.multiply %d, %d : tensor<4x8xf32>
    %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %sum = stablehlo.reduce(%sq init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32>
    %loss = stablehlo.add %l, %sum : tensor<f32>
    %back:2 = mpmd.named_computation<"decode"(1)> (%w1, %h, %d) (%w: tensor<8x8xf32>, %b: tensor<4x8xf32>, %e: tensor<4x8xf32>) {
      %gw = stablehlo.dot_general %b, %e, contracting_dims = [0] x [0] : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
      %gb = stablehlo.dot_general %e, %w, contracting_dims = [1] x [1] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
      mpmd.return %gw, %gb : tensor<8x8xf32>, tensor<4x8xf32>
    } : (tensor<8x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<8x8xf32>, tensor<4x8xf32>)
    %n1 = stablehlo.add %g1, %back#0 : tensor<8x8xf32>
    %gw0 = mpmd.named_computation<"encode"(1)> (%x, %back#1) (%b: tensor<4x8xf32>, %e: tensor<4x8xf32>) {
      %gw = stablehlo.dot_general %b, %e, contracting_dims = [0] x [0] : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
      mpmd.return %gw : tensor<8x8xf32>
    } : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
    %n0 = stablehlo.add %g0, %gw0 : tensor<8x8xf32>
    return %loss, %n0, %n1 : tensor<f32>, tensor<8x8xf32>, tensor<8x8xf32>
  }
  func.func private @halved(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
    %half = stablehlo.constant dense<5.000000e-01> : tensor<4x8xf32>
    %y = stablehlo.multiply %x, %half : tensor<4x8xf32>
    return %y : tensor<4x8xf32>
  }
}
