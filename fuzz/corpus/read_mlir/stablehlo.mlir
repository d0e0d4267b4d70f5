func.func @f(%a: tensor<2x3xf32>, %b: tensor<3x2xf32>, %i: tensor<i32>) -> tensor<2xf32> {
  %d = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], precision = [DEFAULT, HIGHEST] : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %r = stablehlo.reduce(%d init: %z) applies stablehlo.add across dimensions = [1] : (tensor<2x2xf32>, tensor<f32>) -> tensor<2xf32>
  %w:2 = stablehlo.while(%x = %i, %y = %r) : tensor<i32>, tensor<2xf32>
   cond {
    %p = stablehlo.compare LT, %x, %i, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    stablehlo.return %x, %y : tensor<i32>, tensor<2xf32>
  }
  %s = stablehlo.slice %d [0:1, 0:2:1] : (tensor<2x2xf32>) -> tensor<1x2xf32>
  %k = stablehlo.custom_call @t(%s) {has_side_effect = true} : (tensor<1x2xf32>) -> tensor<2xf32>
  return %w#1 : tensor<2xf32>
}
