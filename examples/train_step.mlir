// A training step with its 24 blocks on 4 meshes, 4 microbatches; what lies between the
// blocks is on no mesh yet.
module @train_step {
  func.func public @main(%w0: tensor<32x32xf32>, %w1: tensor<32x32xf32>, %w2: tensor<32x32xf32>, %w3: tensor<32x32xf32>, %w4: tensor<32x32xf32>, %w5: tensor<32x32xf32>, %w6: tensor<32x32xf32>, %w7: tensor<32x32xf32>, %w8: tensor<32x32xf32>, %w9: tensor<32x32xf32>, %w10: tensor<32x32xf32>, %w11: tensor<32x32xf32>, %w12: tensor<32x32xf32>, %w13: tensor<32x32xf32>, %w14: tensor<32x32xf32>, %w15: tensor<32x32xf32>, %w16: tensor<32x32xf32>, %w17: tensor<32x32xf32>, %w18: tensor<32x32xf32>, %w19: tensor<32x32xf32>, %w20: tensor<32x32xf32>, %w21: tensor<32x32xf32>, %w22: tensor<32x32xf32>, %w23: tensor<32x32xf32>, %x0: tensor<16x32xf32>, %x1: tensor<16x32xf32>, %x2: tensor<16x32xf32>, %x3: tensor<16x32xf32>, %t0: tensor<16x32xf32>, %t1: tensor<16x32xf32>, %t2: tensor<16x32xf32>, %t3: tensor<16x32xf32>) -> (tensor<f32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) attributes {topology = #mpmd.topology<<"m0" : <["data"=2]>>, <"m1" : <["data"=2]>>, <"m2" : <["data"=2]>>, <"m3" : <["data"=2]>>>} {
    %acc = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %g0 = stablehlo.constant dense<0.000000e+00> : tensor<32x32xf32>
    %g1 = stablehlo.constant dense<0.000000e+00> : tensor<32x32xf32>
    %g2 = stablehlo.constant dense<0.000000e+00> : tensor<32x32xf32>
    %g3 = stablehlo.constant dense<0.000000e+00> : tensor<32x32xf32>
    %g4 = stablehlo.constant dense<0.000000e+00> : tensor<32x32xf32>
    %g5 = stablehlo.constant dense<0.000000e+00> : tensor<32x32xf32>
    %g6 = stablehlo.constant dense<0.000000e+00> : tensor<32x32xf32>
    %g7 = stablehlo.constant dense<0.000000e+00> : tensor<32x32xf32>
    %g8 = stablehlo.constant dense<0.000000e+00> : tensor<32x32xf32>
    %g9 = stablehlo.constant dense<0.000000e+00> : tensor<32x32xf32>
    %g10 = stablehlo.constant dense<0.000000e+00> : tensor<32x32xf32>
    %g11 = stablehlo.constant dense<0.000000e+00> : tensor<32x32xf32>
    %g12 = stablehlo.constant dense<0.000000e+00> : tensor<32x32xf32>
    %g13 = stablehlo.constant dense<0.000000e+00> : tensor<32x32xf32>
    %g14 = stablehlo.constant dense<0.000000e+00> : tensor<32x32xf32>
    %g15 = stablehlo.constant dense<0.000000e+00> : tensor<32x32xf32>
    %g16 = stablehlo.constant dense<0.000000e+00> : tensor<32x32xf32>
    %g17 = stablehlo.constant dense<0.000000e+00> : tensor<32x32xf32>
    %g18 = stablehlo.constant dense<0.000000e+00> : tensor<32x32xf32>
    %g19 = stablehlo.constant dense<0.000000e+00> : tensor<32x32xf32>
    %g20 = stablehlo.constant dense<0.000000e+00> : tensor<32x32xf32>
    %g21 = stablehlo.constant dense<0.000000e+00> : tensor<32x32xf32>
    %g22 = stablehlo.constant dense<0.000000e+00> : tensor<32x32xf32>
    %g23 = stablehlo.constant dense<0.000000e+00> : tensor<32x32xf32>
    %c0:25 = mpmd.call @microbatch(%acc, %g0, %g1, %g2, %g3, %g4, %g5, %g6, %g7, %g8, %g9, %g10, %g11, %g12, %g13, %g14, %g15, %g16, %g17, %g18, %g19, %g20, %g21, %g22, %g23, %w0, %w1, %w2, %w3, %w4, %w5, %w6, %w7, %w8, %w9, %w10, %w11, %w12, %w13, %w14, %w15, %w16, %w17, %w18, %w19, %w20, %w21, %w22, %w23, %x0, %t0) {call_counter = 0 : ui32} : (tensor<f32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<16x32xf32>, tensor<16x32xf32>) -> (tensor<f32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>)
    %c1:25 = mpmd.call @microbatch(%c0#0, %c0#1, %c0#2, %c0#3, %c0#4, %c0#5, %c0#6, %c0#7, %c0#8, %c0#9, %c0#10, %c0#11, %c0#12, %c0#13, %c0#14, %c0#15, %c0#16, %c0#17, %c0#18, %c0#19, %c0#20, %c0#21, %c0#22, %c0#23, %c0#24, %w0, %w1, %w2, %w3, %w4, %w5, %w6, %w7, %w8, %w9, %w10, %w11, %w12, %w13, %w14, %w15, %w16, %w17, %w18, %w19, %w20, %w21, %w22, %w23, %x1, %t1) {call_counter = 1 : ui32} : (tensor<f32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<16x32xf32>, tensor<16x32xf32>) -> (tensor<f32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>)
    %c2:25 = mpmd.call @microbatch(%c1#0, %c1#1, %c1#2, %c1#3, %c1#4, %c1#5, %c1#6, %c1#7, %c1#8, %c1#9, %c1#10, %c1#11, %c1#12, %c1#13, %c1#14, %c1#15, %c1#16, %c1#17, %c1#18, %c1#19, %c1#20, %c1#21, %c1#22, %c1#23, %c1#24, %w0, %w1, %w2, %w3, %w4, %w5, %w6, %w7, %w8, %w9, %w10, %w11, %w12, %w13, %w14, %w15, %w16, %w17, %w18, %w19, %w20, %w21, %w22, %w23, %x2, %t2) {call_counter = 2 : ui32} : (tensor<f32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<16x32xf32>, tensor<16x32xf32>) -> (tensor<f32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>)
    %c3:25 = mpmd.call @microbatch(%c2#0, %c2#1, %c2#2, %c2#3, %c2#4, %c2#5, %c2#6, %c2#7, %c2#8, %c2#9, %c2#10, %c2#11, %c2#12, %c2#13, %c2#14, %c2#15, %c2#16, %c2#17, %c2#18, %c2#19, %c2#20, %c2#21, %c2#22, %c2#23, %c2#24, %w0, %w1, %w2, %w3, %w4, %w5, %w6, %w7, %w8, %w9, %w10, %w11, %w12, %w13, %w14, %w15, %w16, %w17, %w18, %w19, %w20, %w21, %w22, %w23, %x3, %t3) {call_counter = 3 : ui32} : (tensor<f32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<16x32xf32>, tensor<16x32xf32>) -> (tensor<f32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>)
    %count = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %loss = stablehlo.divide %c3#0, %count : tensor<f32>
    %rate = stablehlo.constant dense<2.500000e-03> : tensor<32x32xf32>
    %s0 = stablehlo.multiply %c3#1, %rate : tensor<32x32xf32>
    %v0 = stablehlo.subtract %w0, %s0 : tensor<32x32xf32>
    %s1 = stablehlo.multiply %c3#2, %rate : tensor<32x32xf32>
    %v1 = stablehlo.subtract %w1, %s1 : tensor<32x32xf32>
    %s2 = stablehlo.multiply %c3#3, %rate : tensor<32x32xf32>
    %v2 = stablehlo.subtract %w2, %s2 : tensor<32x32xf32>
    %s3 = stablehlo.multiply %c3#4, %rate : tensor<32x32xf32>
    %v3 = stablehlo.subtract %w3, %s3 : tensor<32x32xf32>
    %s4 = stablehlo.multiply %c3#5, %rate : tensor<32x32xf32>
    %v4 = stablehlo.subtract %w4, %s4 : tensor<32x32xf32>
    %s5 = stablehlo.multiply %c3#6, %rate : tensor<32x32xf32>
    %v5 = stablehlo.subtract %w5, %s5 : tensor<32x32xf32>
    %s6 = stablehlo.multiply %c3#7, %rate : tensor<32x32xf32>
    %v6 = stablehlo.subtract %w6, %s6 : tensor<32x32xf32>
    %s7 = stablehlo.multiply %c3#8, %rate : tensor<32x32xf32>
    %v7 = stablehlo.subtract %w7, %s7 : tensor<32x32xf32>
    %s8 = stablehlo.multiply %c3#9, %rate : tensor<32x32xf32>
    %v8 = stablehlo.subtract %w8, %s8 : tensor<32x32xf32>
    %s9 = stablehlo.multiply %c3#10, %rate : tensor<32x32xf32>
    %v9 = stablehlo.subtract %w9, %s9 : tensor<32x32xf32>
    %s10 = stablehlo.multiply %c3#11, %rate : tensor<32x32xf32>
    %v10 = stablehlo.subtract %w10, %s10 : tensor<32x32xf32>
    %s11 = stablehlo.multiply %c3#12, %rate : tensor<32x32xf32>
    %v11 = stablehlo.subtract %w11, %s11 : tensor<32x32xf32>
    %s12 = stablehlo.multiply %c3#13, %rate : tensor<32x32xf32>
    %v12 = stablehlo.subtract %w12, %s12 : tensor<32x32xf32>
    %s13 = stablehlo.multiply %c3#14, %rate : tensor<32x32xf32>
    %v13 = stablehlo.subtract %w13, %s13 : tensor<32x32xf32>
    %s14 = stablehlo.multiply %c3#15, %rate : tensor<32x32xf32>
    %v14 = stablehlo.subtract %w14, %s14 : tensor<32x32xf32>
    %s15 = stablehlo.multiply %c3#16, %rate : tensor<32x32xf32>
    %v15 = stablehlo.subtract %w15, %s15 : tensor<32x32xf32>
    %s16 = stablehlo.multiply %c3#17, %rate : tensor<32x32xf32>
    %v16 = stablehlo.subtract %w16, %s16 : tensor<32x32xf32>
    %s17 = stablehlo.multiply %c3#18, %rate : tensor<32x32xf32>
    %v17 = stablehlo.subtract %w17, %s17 : tensor<32x32xf32>
    %s18 = stablehlo.multiply %c3#19, %rate : tensor<32x32xf32>
    %v18 = stablehlo.subtract %w18, %s18 : tensor<32x32xf32>
    %s19 = stablehlo.multiply %c3#20, %rate : tensor<32x32xf32>
    %v19 = stablehlo.subtract %w19, %s19 : tensor<32x32xf32>
    %s20 = stablehlo.multiply %c3#21, %rate : tensor<32x32xf32>
    %v20 = stablehlo.subtract %w20, %s20 : tensor<32x32xf32>
    %s21 = stablehlo.multiply %c3#22, %rate : tensor<32x32xf32>
    %v21 = stablehlo.subtract %w21, %s21 : tensor<32x32xf32>
    %s22 = stablehlo.multiply %c3#23, %rate : tensor<32x32xf32>
    %v22 = stablehlo.subtract %w22, %s22 : tensor<32x32xf32>
    %s23 = stablehlo.multiply %c3#24, %rate : tensor<32x32xf32>
    %v23 = stablehlo.subtract %w23, %s23 : tensor<32x32xf32>
    return %loss, %v0, %v1, %v2, %v3, %v4, %v5, %v6, %v7, %v8, %v9, %v10, %v11, %v12, %v13, %v14, %v15, %v16, %v17, %v18, %v19, %v20, %v21, %v22, %v23 : tensor<f32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>
  }
  func.func private @microbatch(%acc: tensor<f32>, %g0: tensor<32x32xf32>, %g1: tensor<32x32xf32>, %g2: tensor<32x32xf32>, %g3: tensor<32x32xf32>, %g4: tensor<32x32xf32>, %g5: tensor<32x32xf32>, %g6: tensor<32x32xf32>, %g7: tensor<32x32xf32>, %g8: tensor<32x32xf32>, %g9: tensor<32x32xf32>, %g10: tensor<32x32xf32>, %g11: tensor<32x32xf32>, %g12: tensor<32x32xf32>, %g13: tensor<32x32xf32>, %g14: tensor<32x32xf32>, %g15: tensor<32x32xf32>, %g16: tensor<32x32xf32>, %g17: tensor<32x32xf32>, %g18: tensor<32x32xf32>, %g19: tensor<32x32xf32>, %g20: tensor<32x32xf32>, %g21: tensor<32x32xf32>, %g22: tensor<32x32xf32>, %g23: tensor<32x32xf32>, %w0: tensor<32x32xf32>, %w1: tensor<32x32xf32>, %w2: tensor<32x32xf32>, %w3: tensor<32x32xf32>, %w4: tensor<32x32xf32>, %w5: tensor<32x32xf32>, %w6: tensor<32x32xf32>, %w7: tensor<32x32xf32>, %w8: tensor<32x32xf32>, %w9: tensor<32x32xf32>, %w10: tensor<32x32xf32>, %w11: tensor<32x32xf32>, %w12: tensor<32x32xf32>, %w13: tensor<32x32xf32>, %w14: tensor<32x32xf32>, %w15: tensor<32x32xf32>, %w16: tensor<32x32xf32>, %w17: tensor<32x32xf32>, %w18: tensor<32x32xf32>, %w19: tensor<32x32xf32>, %w20: tensor<32x32xf32>, %w21: tensor<32x32xf32>, %w22: tensor<32x32xf32>, %w23: tensor<32x32xf32>, %x: tensor<16x32xf32>, %t: tensor<16x32xf32>) -> (tensor<f32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) attributes {topology = #mpmd.topology<<"m0" : <["data"=2]>>, <"m1" : <["data"=2]>>, <"m2" : <["data"=2]>>, <"m3" : <["data"=2]>>>} {
    %p_1 = mpmd.assign {origin = "block0"} %w0 : (tensor<32x32xf32>) -> !mpmd.mesh_tensor<"m0", tensor<32x32xf32>>
    %p_2 = mpmd.assign {origin = "block0"} %x : (tensor<16x32xf32>) -> !mpmd.mesh_tensor<"m0", tensor<16x32xf32>>
    %f0_3 = mpmd.fragment<mesh="m0", origin=["block0"]> (%p_1, %p_2) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>) {
      %h = stablehlo.dot_general %b, %a, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %y = stablehlo.maximum %h, %z : tensor<16x32xf32>
      mpmd.return %y : tensor<16x32xf32>
    } : (!mpmd.mesh_tensor<"m0", tensor<32x32xf32>>, !mpmd.mesh_tensor<"m0", tensor<16x32xf32>>) -> !mpmd.mesh_tensor<"m0", tensor<16x32xf32>>
    %p_4 = mpmd.assign {origin = "block1"} %w1 : (tensor<32x32xf32>) -> !mpmd.mesh_tensor<"m0", tensor<32x32xf32>>
    %f1_5 = mpmd.fragment<mesh="m0", origin=["block1"]> (%p_4, %f0_3) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>) {
      %h = stablehlo.dot_general %b, %a, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %y = stablehlo.maximum %h, %z : tensor<16x32xf32>
      mpmd.return %y : tensor<16x32xf32>
    } : (!mpmd.mesh_tensor<"m0", tensor<32x32xf32>>, !mpmd.mesh_tensor<"m0", tensor<16x32xf32>>) -> !mpmd.mesh_tensor<"m0", tensor<16x32xf32>>
    %p_6 = mpmd.assign {origin = "block2"} %w2 : (tensor<32x32xf32>) -> !mpmd.mesh_tensor<"m0", tensor<32x32xf32>>
    %f2_7 = mpmd.fragment<mesh="m0", origin=["block2"]> (%p_6, %f1_5) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>) {
      %h = stablehlo.dot_general %b, %a, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %y = stablehlo.maximum %h, %z : tensor<16x32xf32>
      mpmd.return %y : tensor<16x32xf32>
    } : (!mpmd.mesh_tensor<"m0", tensor<32x32xf32>>, !mpmd.mesh_tensor<"m0", tensor<16x32xf32>>) -> !mpmd.mesh_tensor<"m0", tensor<16x32xf32>>
    %p_8 = mpmd.assign {origin = "block3"} %w3 : (tensor<32x32xf32>) -> !mpmd.mesh_tensor<"m0", tensor<32x32xf32>>
    %f3_9 = mpmd.fragment<mesh="m0", origin=["block3"]> (%p_8, %f2_7) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>) {
      %h = stablehlo.dot_general %b, %a, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %y = stablehlo.maximum %h, %z : tensor<16x32xf32>
      mpmd.return %y : tensor<16x32xf32>
    } : (!mpmd.mesh_tensor<"m0", tensor<32x32xf32>>, !mpmd.mesh_tensor<"m0", tensor<16x32xf32>>) -> !mpmd.mesh_tensor<"m0", tensor<16x32xf32>>
    %p_10 = mpmd.assign {origin = "block4"} %w4 : (tensor<32x32xf32>) -> !mpmd.mesh_tensor<"m0", tensor<32x32xf32>>
    %f4_11 = mpmd.fragment<mesh="m0", origin=["block4"]> (%p_10, %f3_9) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>) {
      %h = stablehlo.dot_general %b, %a, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %y = stablehlo.maximum %h, %z : tensor<16x32xf32>
      mpmd.return %y : tensor<16x32xf32>
    } : (!mpmd.mesh_tensor<"m0", tensor<32x32xf32>>, !mpmd.mesh_tensor<"m0", tensor<16x32xf32>>) -> !mpmd.mesh_tensor<"m0", tensor<16x32xf32>>
    %p_12 = mpmd.assign {origin = "block5"} %w5 : (tensor<32x32xf32>) -> !mpmd.mesh_tensor<"m0", tensor<32x32xf32>>
    %f5_13 = mpmd.fragment<mesh="m0", origin=["block5"]> (%p_12, %f4_11) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>) {
      %h = stablehlo.dot_general %b, %a, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %y = stablehlo.maximum %h, %z : tensor<16x32xf32>
      mpmd.return %y : tensor<16x32xf32>
    } : (!mpmd.mesh_tensor<"m0", tensor<32x32xf32>>, !mpmd.mesh_tensor<"m0", tensor<16x32xf32>>) -> !mpmd.mesh_tensor<"m0", tensor<16x32xf32>>
    %p_14 = mpmd.assign {origin = "block6"} %w6 : (tensor<32x32xf32>) -> !mpmd.mesh_tensor<"m1", tensor<32x32xf32>>
    %t_15 = mpmd.transfer %f5_13 : (!mpmd.mesh_tensor<"m0", tensor<16x32xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<16x32xf32>>
    %f6_16 = mpmd.fragment<mesh="m1", origin=["block6"]> (%p_14, %t_15) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>) {
      %h = stablehlo.dot_general %b, %a, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %y = stablehlo.maximum %h, %z : tensor<16x32xf32>
      mpmd.return %y : tensor<16x32xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<32x32xf32>>, !mpmd.mesh_tensor<"m1", tensor<16x32xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<16x32xf32>>
    %p_17 = mpmd.assign {origin = "block7"} %w7 : (tensor<32x32xf32>) -> !mpmd.mesh_tensor<"m1", tensor<32x32xf32>>
    %f7_18 = mpmd.fragment<mesh="m1", origin=["block7"]> (%p_17, %f6_16) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>) {
      %h = stablehlo.dot_general %b, %a, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %y = stablehlo.maximum %h, %z : tensor<16x32xf32>
      mpmd.return %y : tensor<16x32xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<32x32xf32>>, !mpmd.mesh_tensor<"m1", tensor<16x32xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<16x32xf32>>
    %p_19 = mpmd.assign {origin = "block8"} %w8 : (tensor<32x32xf32>) -> !mpmd.mesh_tensor<"m1", tensor<32x32xf32>>
    %f8_20 = mpmd.fragment<mesh="m1", origin=["block8"]> (%p_19, %f7_18) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>) {
      %h = stablehlo.dot_general %b, %a, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %y = stablehlo.maximum %h, %z : tensor<16x32xf32>
      mpmd.return %y : tensor<16x32xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<32x32xf32>>, !mpmd.mesh_tensor<"m1", tensor<16x32xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<16x32xf32>>
    %p_21 = mpmd.assign {origin = "block9"} %w9 : (tensor<32x32xf32>) -> !mpmd.mesh_tensor<"m1", tensor<32x32xf32>>
    %f9_22 = mpmd.fragment<mesh="m1", origin=["block9"]> (%p_21, %f8_20) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>) {
      %h = stablehlo.dot_general %b, %a, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %y = stablehlo.maximum %h, %z : tensor<16x32xf32>
      mpmd.return %y : tensor<16x32xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<32x32xf32>>, !mpmd.mesh_tensor<"m1", tensor<16x32xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<16x32xf32>>
    %p_23 = mpmd.assign {origin = "block10"} %w10 : (tensor<32x32xf32>) -> !mpmd.mesh_tensor<"m1", tensor<32x32xf32>>
    %f10_24 = mpmd.fragment<mesh="m1", origin=["block10"]> (%p_23, %f9_22) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>) {
      %h = stablehlo.dot_general %b, %a, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %y = stablehlo.maximum %h, %z : tensor<16x32xf32>
      mpmd.return %y : tensor<16x32xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<32x32xf32>>, !mpmd.mesh_tensor<"m1", tensor<16x32xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<16x32xf32>>
    %p_25 = mpmd.assign {origin = "block11"} %w11 : (tensor<32x32xf32>) -> !mpmd.mesh_tensor<"m1", tensor<32x32xf32>>
    %f11_26 = mpmd.fragment<mesh="m1", origin=["block11"]> (%p_25, %f10_24) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>) {
      %h = stablehlo.dot_general %b, %a, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %y = stablehlo.maximum %h, %z : tensor<16x32xf32>
      mpmd.return %y : tensor<16x32xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<32x32xf32>>, !mpmd.mesh_tensor<"m1", tensor<16x32xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<16x32xf32>>
    %p_27 = mpmd.assign {origin = "block12"} %w12 : (tensor<32x32xf32>) -> !mpmd.mesh_tensor<"m2", tensor<32x32xf32>>
    %t_28 = mpmd.transfer %f11_26 : (!mpmd.mesh_tensor<"m1", tensor<16x32xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<16x32xf32>>
    %f12_29 = mpmd.fragment<mesh="m2", origin=["block12"]> (%p_27, %t_28) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>) {
      %h = stablehlo.dot_general %b, %a, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %y = stablehlo.maximum %h, %z : tensor<16x32xf32>
      mpmd.return %y : tensor<16x32xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<32x32xf32>>, !mpmd.mesh_tensor<"m2", tensor<16x32xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<16x32xf32>>
    %p_30 = mpmd.assign {origin = "block13"} %w13 : (tensor<32x32xf32>) -> !mpmd.mesh_tensor<"m2", tensor<32x32xf32>>
    %f13_31 = mpmd.fragment<mesh="m2", origin=["block13"]> (%p_30, %f12_29) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>) {
      %h = stablehlo.dot_general %b, %a, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %y = stablehlo.maximum %h, %z : tensor<16x32xf32>
      mpmd.return %y : tensor<16x32xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<32x32xf32>>, !mpmd.mesh_tensor<"m2", tensor<16x32xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<16x32xf32>>
    %p_32 = mpmd.assign {origin = "block14"} %w14 : (tensor<32x32xf32>) -> !mpmd.mesh_tensor<"m2", tensor<32x32xf32>>
    %f14_33 = mpmd.fragment<mesh="m2", origin=["block14"]> (%p_32, %f13_31) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>) {
      %h = stablehlo.dot_general %b, %a, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %y = stablehlo.maximum %h, %z : tensor<16x32xf32>
      mpmd.return %y : tensor<16x32xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<32x32xf32>>, !mpmd.mesh_tensor<"m2", tensor<16x32xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<16x32xf32>>
    %p_34 = mpmd.assign {origin = "block15"} %w15 : (tensor<32x32xf32>) -> !mpmd.mesh_tensor<"m2", tensor<32x32xf32>>
    %f15_35 = mpmd.fragment<mesh="m2", origin=["block15"]> (%p_34, %f14_33) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>) {
      %h = stablehlo.dot_general %b, %a, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %y = stablehlo.maximum %h, %z : tensor<16x32xf32>
      mpmd.return %y : tensor<16x32xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<32x32xf32>>, !mpmd.mesh_tensor<"m2", tensor<16x32xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<16x32xf32>>
    %p_36 = mpmd.assign {origin = "block16"} %w16 : (tensor<32x32xf32>) -> !mpmd.mesh_tensor<"m2", tensor<32x32xf32>>
    %f16_37 = mpmd.fragment<mesh="m2", origin=["block16"]> (%p_36, %f15_35) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>) {
      %h = stablehlo.dot_general %b, %a, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %y = stablehlo.maximum %h, %z : tensor<16x32xf32>
      mpmd.return %y : tensor<16x32xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<32x32xf32>>, !mpmd.mesh_tensor<"m2", tensor<16x32xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<16x32xf32>>
    %p_38 = mpmd.assign {origin = "block17"} %w17 : (tensor<32x32xf32>) -> !mpmd.mesh_tensor<"m2", tensor<32x32xf32>>
    %f17_39 = mpmd.fragment<mesh="m2", origin=["block17"]> (%p_38, %f16_37) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>) {
      %h = stablehlo.dot_general %b, %a, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %y = stablehlo.maximum %h, %z : tensor<16x32xf32>
      mpmd.return %y : tensor<16x32xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<32x32xf32>>, !mpmd.mesh_tensor<"m2", tensor<16x32xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<16x32xf32>>
    %p_40 = mpmd.assign {origin = "block18"} %w18 : (tensor<32x32xf32>) -> !mpmd.mesh_tensor<"m3", tensor<32x32xf32>>
    %t_41 = mpmd.transfer %f17_39 : (!mpmd.mesh_tensor<"m2", tensor<16x32xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<16x32xf32>>
    %f18_42 = mpmd.fragment<mesh="m3", origin=["block18"]> (%p_40, %t_41) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>) {
      %h = stablehlo.dot_general %b, %a, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %y = stablehlo.maximum %h, %z : tensor<16x32xf32>
      mpmd.return %y : tensor<16x32xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<32x32xf32>>, !mpmd.mesh_tensor<"m3", tensor<16x32xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<16x32xf32>>
    %p_43 = mpmd.assign {origin = "block19"} %w19 : (tensor<32x32xf32>) -> !mpmd.mesh_tensor<"m3", tensor<32x32xf32>>
    %f19_44 = mpmd.fragment<mesh="m3", origin=["block19"]> (%p_43, %f18_42) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>) {
      %h = stablehlo.dot_general %b, %a, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %y = stablehlo.maximum %h, %z : tensor<16x32xf32>
      mpmd.return %y : tensor<16x32xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<32x32xf32>>, !mpmd.mesh_tensor<"m3", tensor<16x32xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<16x32xf32>>
    %p_45 = mpmd.assign {origin = "block20"} %w20 : (tensor<32x32xf32>) -> !mpmd.mesh_tensor<"m3", tensor<32x32xf32>>
    %f20_46 = mpmd.fragment<mesh="m3", origin=["block20"]> (%p_45, %f19_44) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>) {
      %h = stablehlo.dot_general %b, %a, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %y = stablehlo.maximum %h, %z : tensor<16x32xf32>
      mpmd.return %y : tensor<16x32xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<32x32xf32>>, !mpmd.mesh_tensor<"m3", tensor<16x32xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<16x32xf32>>
    %p_47 = mpmd.assign {origin = "block21"} %w21 : (tensor<32x32xf32>) -> !mpmd.mesh_tensor<"m3", tensor<32x32xf32>>
    %f21_48 = mpmd.fragment<mesh="m3", origin=["block21"]> (%p_47, %f20_46) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>) {
      %h = stablehlo.dot_general %b, %a, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %y = stablehlo.maximum %h, %z : tensor<16x32xf32>
      mpmd.return %y : tensor<16x32xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<32x32xf32>>, !mpmd.mesh_tensor<"m3", tensor<16x32xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<16x32xf32>>
    %p_49 = mpmd.assign {origin = "block22"} %w22 : (tensor<32x32xf32>) -> !mpmd.mesh_tensor<"m3", tensor<32x32xf32>>
    %f22_50 = mpmd.fragment<mesh="m3", origin=["block22"]> (%p_49, %f21_48) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>) {
      %h = stablehlo.dot_general %b, %a, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %y = stablehlo.maximum %h, %z : tensor<16x32xf32>
      mpmd.return %y : tensor<16x32xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<32x32xf32>>, !mpmd.mesh_tensor<"m3", tensor<16x32xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<16x32xf32>>
    %p_51 = mpmd.assign {origin = "block23"} %w23 : (tensor<32x32xf32>) -> !mpmd.mesh_tensor<"m3", tensor<32x32xf32>>
    %f23_52 = mpmd.fragment<mesh="m3", origin=["block23"]> (%p_51, %f22_50) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>) {
      %h = stablehlo.dot_general %b, %a, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %y = stablehlo.maximum %h, %z : tensor<16x32xf32>
      mpmd.return %y : tensor<16x32xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<32x32xf32>>, !mpmd.mesh_tensor<"m3", tensor<16x32xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<16x32xf32>>
    %u_53 = mpmd.unassign {origin = "block23"} %f23_52 : (!mpmd.mesh_tensor<"m3", tensor<16x32xf32>>) -> tensor<16x32xf32>
    %d = stablehlo.subtract %u_53, %t : tensor<16x32xf32>
    %sq = stablehlo.multiply %d, %d : tensor<16x32xf32>
    %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %sum = stablehlo.reduce(%sq init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<16x32xf32>, tensor<f32>) -> tensor<f32>
    %scale = stablehlo.constant dense<1.953125e-03> : tensor<f32>
    %mean = stablehlo.multiply %sum, %scale : tensor<f32>
    %loss = stablehlo.add %acc, %mean : tensor<f32>
    %two = stablehlo.constant dense<3.906250e-03> : tensor<16x32xf32>
    %ct = stablehlo.multiply %d, %two : tensor<16x32xf32>
    %p_54 = mpmd.assign {origin = "block23"} %ct : (tensor<16x32xf32>) -> !mpmd.mesh_tensor<"m3", tensor<16x32xf32>>
    %b23_55:2 = mpmd.fragment<mesh="m3", origin=["block23"(1)]> (%p_51, %f22_50, %f23_52, %p_54) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>, %c: tensor<16x32xf32>, %e: tensor<16x32xf32>) {
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %m = stablehlo.compare GT, %c, %z, FLOAT : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<16x32xi1>
      %dm = stablehlo.select %m, %e, %z : tensor<16x32xi1>, tensor<16x32xf32>
      %gw = stablehlo.dot_general %b, %dm, contracting_dims = [0] x [0] : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<32x32xf32>
      %gx = stablehlo.dot_general %dm, %a, contracting_dims = [1] x [1] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      mpmd.return %gw, %gx : tensor<32x32xf32>, tensor<16x32xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<32x32xf32>>, !mpmd.mesh_tensor<"m3", tensor<16x32xf32>>, !mpmd.mesh_tensor<"m3", tensor<16x32xf32>>, !mpmd.mesh_tensor<"m3", tensor<16x32xf32>>) -> (!mpmd.mesh_tensor<"m3", tensor<32x32xf32>>, !mpmd.mesh_tensor<"m3", tensor<16x32xf32>>)
    %u_56 = mpmd.unassign {origin = "block23"} %b23_55#0 : (!mpmd.mesh_tensor<"m3", tensor<32x32xf32>>) -> tensor<32x32xf32>
    %b22_57:2 = mpmd.fragment<mesh="m3", origin=["block22"(1)]> (%p_49, %f21_48, %f22_50, %b23_55#1) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>, %c: tensor<16x32xf32>, %e: tensor<16x32xf32>) {
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %m = stablehlo.compare GT, %c, %z, FLOAT : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<16x32xi1>
      %dm = stablehlo.select %m, %e, %z : tensor<16x32xi1>, tensor<16x32xf32>
      %gw = stablehlo.dot_general %b, %dm, contracting_dims = [0] x [0] : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<32x32xf32>
      %gx = stablehlo.dot_general %dm, %a, contracting_dims = [1] x [1] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      mpmd.return %gw, %gx : tensor<32x32xf32>, tensor<16x32xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<32x32xf32>>, !mpmd.mesh_tensor<"m3", tensor<16x32xf32>>, !mpmd.mesh_tensor<"m3", tensor<16x32xf32>>, !mpmd.mesh_tensor<"m3", tensor<16x32xf32>>) -> (!mpmd.mesh_tensor<"m3", tensor<32x32xf32>>, !mpmd.mesh_tensor<"m3", tensor<16x32xf32>>)
    %u_58 = mpmd.unassign {origin = "block22"} %b22_57#0 : (!mpmd.mesh_tensor<"m3", tensor<32x32xf32>>) -> tensor<32x32xf32>
    %b21_59:2 = mpmd.fragment<mesh="m3", origin=["block21"(1)]> (%p_47, %f20_46, %f21_48, %b22_57#1) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>, %c: tensor<16x32xf32>, %e: tensor<16x32xf32>) {
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %m = stablehlo.compare GT, %c, %z, FLOAT : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<16x32xi1>
      %dm = stablehlo.select %m, %e, %z : tensor<16x32xi1>, tensor<16x32xf32>
      %gw = stablehlo.dot_general %b, %dm, contracting_dims = [0] x [0] : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<32x32xf32>
      %gx = stablehlo.dot_general %dm, %a, contracting_dims = [1] x [1] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      mpmd.return %gw, %gx : tensor<32x32xf32>, tensor<16x32xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<32x32xf32>>, !mpmd.mesh_tensor<"m3", tensor<16x32xf32>>, !mpmd.mesh_tensor<"m3", tensor<16x32xf32>>, !mpmd.mesh_tensor<"m3", tensor<16x32xf32>>) -> (!mpmd.mesh_tensor<"m3", tensor<32x32xf32>>, !mpmd.mesh_tensor<"m3", tensor<16x32xf32>>)
    %u_60 = mpmd.unassign {origin = "block21"} %b21_59#0 : (!mpmd.mesh_tensor<"m3", tensor<32x32xf32>>) -> tensor<32x32xf32>
    %b20_61:2 = mpmd.fragment<mesh="m3", origin=["block20"(1)]> (%p_45, %f19_44, %f20_46, %b21_59#1) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>, %c: tensor<16x32xf32>, %e: tensor<16x32xf32>) {
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %m = stablehlo.compare GT, %c, %z, FLOAT : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<16x32xi1>
      %dm = stablehlo.select %m, %e, %z : tensor<16x32xi1>, tensor<16x32xf32>
      %gw = stablehlo.dot_general %b, %dm, contracting_dims = [0] x [0] : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<32x32xf32>
      %gx = stablehlo.dot_general %dm, %a, contracting_dims = [1] x [1] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      mpmd.return %gw, %gx : tensor<32x32xf32>, tensor<16x32xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<32x32xf32>>, !mpmd.mesh_tensor<"m3", tensor<16x32xf32>>, !mpmd.mesh_tensor<"m3", tensor<16x32xf32>>, !mpmd.mesh_tensor<"m3", tensor<16x32xf32>>) -> (!mpmd.mesh_tensor<"m3", tensor<32x32xf32>>, !mpmd.mesh_tensor<"m3", tensor<16x32xf32>>)
    %u_62 = mpmd.unassign {origin = "block20"} %b20_61#0 : (!mpmd.mesh_tensor<"m3", tensor<32x32xf32>>) -> tensor<32x32xf32>
    %b19_63:2 = mpmd.fragment<mesh="m3", origin=["block19"(1)]> (%p_43, %f18_42, %f19_44, %b20_61#1) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>, %c: tensor<16x32xf32>, %e: tensor<16x32xf32>) {
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %m = stablehlo.compare GT, %c, %z, FLOAT : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<16x32xi1>
      %dm = stablehlo.select %m, %e, %z : tensor<16x32xi1>, tensor<16x32xf32>
      %gw = stablehlo.dot_general %b, %dm, contracting_dims = [0] x [0] : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<32x32xf32>
      %gx = stablehlo.dot_general %dm, %a, contracting_dims = [1] x [1] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      mpmd.return %gw, %gx : tensor<32x32xf32>, tensor<16x32xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<32x32xf32>>, !mpmd.mesh_tensor<"m3", tensor<16x32xf32>>, !mpmd.mesh_tensor<"m3", tensor<16x32xf32>>, !mpmd.mesh_tensor<"m3", tensor<16x32xf32>>) -> (!mpmd.mesh_tensor<"m3", tensor<32x32xf32>>, !mpmd.mesh_tensor<"m3", tensor<16x32xf32>>)
    %u_64 = mpmd.unassign {origin = "block19"} %b19_63#0 : (!mpmd.mesh_tensor<"m3", tensor<32x32xf32>>) -> tensor<32x32xf32>
    %b18_65:2 = mpmd.fragment<mesh="m3", origin=["block18"(1)]> (%p_40, %t_41, %f18_42, %b19_63#1) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>, %c: tensor<16x32xf32>, %e: tensor<16x32xf32>) {
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %m = stablehlo.compare GT, %c, %z, FLOAT : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<16x32xi1>
      %dm = stablehlo.select %m, %e, %z : tensor<16x32xi1>, tensor<16x32xf32>
      %gw = stablehlo.dot_general %b, %dm, contracting_dims = [0] x [0] : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<32x32xf32>
      %gx = stablehlo.dot_general %dm, %a, contracting_dims = [1] x [1] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      mpmd.return %gw, %gx : tensor<32x32xf32>, tensor<16x32xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<32x32xf32>>, !mpmd.mesh_tensor<"m3", tensor<16x32xf32>>, !mpmd.mesh_tensor<"m3", tensor<16x32xf32>>, !mpmd.mesh_tensor<"m3", tensor<16x32xf32>>) -> (!mpmd.mesh_tensor<"m3", tensor<32x32xf32>>, !mpmd.mesh_tensor<"m3", tensor<16x32xf32>>)
    %u_66 = mpmd.unassign {origin = "block18"} %b18_65#0 : (!mpmd.mesh_tensor<"m3", tensor<32x32xf32>>) -> tensor<32x32xf32>
    %t_67 = mpmd.transfer %b18_65#1 : (!mpmd.mesh_tensor<"m3", tensor<16x32xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<16x32xf32>>
    %b17_68:2 = mpmd.fragment<mesh="m2", origin=["block17"(1)]> (%p_38, %f16_37, %f17_39, %t_67) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>, %c: tensor<16x32xf32>, %e: tensor<16x32xf32>) {
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %m = stablehlo.compare GT, %c, %z, FLOAT : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<16x32xi1>
      %dm = stablehlo.select %m, %e, %z : tensor<16x32xi1>, tensor<16x32xf32>
      %gw = stablehlo.dot_general %b, %dm, contracting_dims = [0] x [0] : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<32x32xf32>
      %gx = stablehlo.dot_general %dm, %a, contracting_dims = [1] x [1] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      mpmd.return %gw, %gx : tensor<32x32xf32>, tensor<16x32xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<32x32xf32>>, !mpmd.mesh_tensor<"m2", tensor<16x32xf32>>, !mpmd.mesh_tensor<"m2", tensor<16x32xf32>>, !mpmd.mesh_tensor<"m2", tensor<16x32xf32>>) -> (!mpmd.mesh_tensor<"m2", tensor<32x32xf32>>, !mpmd.mesh_tensor<"m2", tensor<16x32xf32>>)
    %u_69 = mpmd.unassign {origin = "block17"} %b17_68#0 : (!mpmd.mesh_tensor<"m2", tensor<32x32xf32>>) -> tensor<32x32xf32>
    %b16_70:2 = mpmd.fragment<mesh="m2", origin=["block16"(1)]> (%p_36, %f15_35, %f16_37, %b17_68#1) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>, %c: tensor<16x32xf32>, %e: tensor<16x32xf32>) {
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %m = stablehlo.compare GT, %c, %z, FLOAT : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<16x32xi1>
      %dm = stablehlo.select %m, %e, %z : tensor<16x32xi1>, tensor<16x32xf32>
      %gw = stablehlo.dot_general %b, %dm, contracting_dims = [0] x [0] : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<32x32xf32>
      %gx = stablehlo.dot_general %dm, %a, contracting_dims = [1] x [1] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      mpmd.return %gw, %gx : tensor<32x32xf32>, tensor<16x32xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<32x32xf32>>, !mpmd.mesh_tensor<"m2", tensor<16x32xf32>>, !mpmd.mesh_tensor<"m2", tensor<16x32xf32>>, !mpmd.mesh_tensor<"m2", tensor<16x32xf32>>) -> (!mpmd.mesh_tensor<"m2", tensor<32x32xf32>>, !mpmd.mesh_tensor<"m2", tensor<16x32xf32>>)
    %u_71 = mpmd.unassign {origin = "block16"} %b16_70#0 : (!mpmd.mesh_tensor<"m2", tensor<32x32xf32>>) -> tensor<32x32xf32>
    %b15_72:2 = mpmd.fragment<mesh="m2", origin=["block15"(1)]> (%p_34, %f14_33, %f15_35, %b16_70#1) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>, %c: tensor<16x32xf32>, %e: tensor<16x32xf32>) {
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %m = stablehlo.compare GT, %c, %z, FLOAT : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<16x32xi1>
      %dm = stablehlo.select %m, %e, %z : tensor<16x32xi1>, tensor<16x32xf32>
      %gw = stablehlo.dot_general %b, %dm, contracting_dims = [0] x [0] : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<32x32xf32>
      %gx = stablehlo.dot_general %dm, %a, contracting_dims = [1] x [1] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      mpmd.return %gw, %gx : tensor<32x32xf32>, tensor<16x32xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<32x32xf32>>, !mpmd.mesh_tensor<"m2", tensor<16x32xf32>>, !mpmd.mesh_tensor<"m2", tensor<16x32xf32>>, !mpmd.mesh_tensor<"m2", tensor<16x32xf32>>) -> (!mpmd.mesh_tensor<"m2", tensor<32x32xf32>>, !mpmd.mesh_tensor<"m2", tensor<16x32xf32>>)
    %u_73 = mpmd.unassign {origin = "block15"} %b15_72#0 : (!mpmd.mesh_tensor<"m2", tensor<32x32xf32>>) -> tensor<32x32xf32>
    %b14_74:2 = mpmd.fragment<mesh="m2", origin=["block14"(1)]> (%p_32, %f13_31, %f14_33, %b15_72#1) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>, %c: tensor<16x32xf32>, %e: tensor<16x32xf32>) {
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %m = stablehlo.compare GT, %c, %z, FLOAT : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<16x32xi1>
      %dm = stablehlo.select %m, %e, %z : tensor<16x32xi1>, tensor<16x32xf32>
      %gw = stablehlo.dot_general %b, %dm, contracting_dims = [0] x [0] : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<32x32xf32>
      %gx = stablehlo.dot_general %dm, %a, contracting_dims = [1] x [1] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      mpmd.return %gw, %gx : tensor<32x32xf32>, tensor<16x32xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<32x32xf32>>, !mpmd.mesh_tensor<"m2", tensor<16x32xf32>>, !mpmd.mesh_tensor<"m2", tensor<16x32xf32>>, !mpmd.mesh_tensor<"m2", tensor<16x32xf32>>) -> (!mpmd.mesh_tensor<"m2", tensor<32x32xf32>>, !mpmd.mesh_tensor<"m2", tensor<16x32xf32>>)
    %u_75 = mpmd.unassign {origin = "block14"} %b14_74#0 : (!mpmd.mesh_tensor<"m2", tensor<32x32xf32>>) -> tensor<32x32xf32>
    %b13_76:2 = mpmd.fragment<mesh="m2", origin=["block13"(1)]> (%p_30, %f12_29, %f13_31, %b14_74#1) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>, %c: tensor<16x32xf32>, %e: tensor<16x32xf32>) {
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %m = stablehlo.compare GT, %c, %z, FLOAT : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<16x32xi1>
      %dm = stablehlo.select %m, %e, %z : tensor<16x32xi1>, tensor<16x32xf32>
      %gw = stablehlo.dot_general %b, %dm, contracting_dims = [0] x [0] : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<32x32xf32>
      %gx = stablehlo.dot_general %dm, %a, contracting_dims = [1] x [1] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      mpmd.return %gw, %gx : tensor<32x32xf32>, tensor<16x32xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<32x32xf32>>, !mpmd.mesh_tensor<"m2", tensor<16x32xf32>>, !mpmd.mesh_tensor<"m2", tensor<16x32xf32>>, !mpmd.mesh_tensor<"m2", tensor<16x32xf32>>) -> (!mpmd.mesh_tensor<"m2", tensor<32x32xf32>>, !mpmd.mesh_tensor<"m2", tensor<16x32xf32>>)
    %u_77 = mpmd.unassign {origin = "block13"} %b13_76#0 : (!mpmd.mesh_tensor<"m2", tensor<32x32xf32>>) -> tensor<32x32xf32>
    %b12_78:2 = mpmd.fragment<mesh="m2", origin=["block12"(1)]> (%p_27, %t_28, %f12_29, %b13_76#1) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>, %c: tensor<16x32xf32>, %e: tensor<16x32xf32>) {
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %m = stablehlo.compare GT, %c, %z, FLOAT : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<16x32xi1>
      %dm = stablehlo.select %m, %e, %z : tensor<16x32xi1>, tensor<16x32xf32>
      %gw = stablehlo.dot_general %b, %dm, contracting_dims = [0] x [0] : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<32x32xf32>
      %gx = stablehlo.dot_general %dm, %a, contracting_dims = [1] x [1] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      mpmd.return %gw, %gx : tensor<32x32xf32>, tensor<16x32xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<32x32xf32>>, !mpmd.mesh_tensor<"m2", tensor<16x32xf32>>, !mpmd.mesh_tensor<"m2", tensor<16x32xf32>>, !mpmd.mesh_tensor<"m2", tensor<16x32xf32>>) -> (!mpmd.mesh_tensor<"m2", tensor<32x32xf32>>, !mpmd.mesh_tensor<"m2", tensor<16x32xf32>>)
    %u_79 = mpmd.unassign {origin = "block12"} %b12_78#0 : (!mpmd.mesh_tensor<"m2", tensor<32x32xf32>>) -> tensor<32x32xf32>
    %t_80 = mpmd.transfer %b12_78#1 : (!mpmd.mesh_tensor<"m2", tensor<16x32xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<16x32xf32>>
    %b11_81:2 = mpmd.fragment<mesh="m1", origin=["block11"(1)]> (%p_25, %f10_24, %f11_26, %t_80) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>, %c: tensor<16x32xf32>, %e: tensor<16x32xf32>) {
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %m = stablehlo.compare GT, %c, %z, FLOAT : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<16x32xi1>
      %dm = stablehlo.select %m, %e, %z : tensor<16x32xi1>, tensor<16x32xf32>
      %gw = stablehlo.dot_general %b, %dm, contracting_dims = [0] x [0] : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<32x32xf32>
      %gx = stablehlo.dot_general %dm, %a, contracting_dims = [1] x [1] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      mpmd.return %gw, %gx : tensor<32x32xf32>, tensor<16x32xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<32x32xf32>>, !mpmd.mesh_tensor<"m1", tensor<16x32xf32>>, !mpmd.mesh_tensor<"m1", tensor<16x32xf32>>, !mpmd.mesh_tensor<"m1", tensor<16x32xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<32x32xf32>>, !mpmd.mesh_tensor<"m1", tensor<16x32xf32>>)
    %u_82 = mpmd.unassign {origin = "block11"} %b11_81#0 : (!mpmd.mesh_tensor<"m1", tensor<32x32xf32>>) -> tensor<32x32xf32>
    %b10_83:2 = mpmd.fragment<mesh="m1", origin=["block10"(1)]> (%p_23, %f9_22, %f10_24, %b11_81#1) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>, %c: tensor<16x32xf32>, %e: tensor<16x32xf32>) {
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %m = stablehlo.compare GT, %c, %z, FLOAT : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<16x32xi1>
      %dm = stablehlo.select %m, %e, %z : tensor<16x32xi1>, tensor<16x32xf32>
      %gw = stablehlo.dot_general %b, %dm, contracting_dims = [0] x [0] : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<32x32xf32>
      %gx = stablehlo.dot_general %dm, %a, contracting_dims = [1] x [1] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      mpmd.return %gw, %gx : tensor<32x32xf32>, tensor<16x32xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<32x32xf32>>, !mpmd.mesh_tensor<"m1", tensor<16x32xf32>>, !mpmd.mesh_tensor<"m1", tensor<16x32xf32>>, !mpmd.mesh_tensor<"m1", tensor<16x32xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<32x32xf32>>, !mpmd.mesh_tensor<"m1", tensor<16x32xf32>>)
    %u_84 = mpmd.unassign {origin = "block10"} %b10_83#0 : (!mpmd.mesh_tensor<"m1", tensor<32x32xf32>>) -> tensor<32x32xf32>
    %b9_85:2 = mpmd.fragment<mesh="m1", origin=["block9"(1)]> (%p_21, %f8_20, %f9_22, %b10_83#1) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>, %c: tensor<16x32xf32>, %e: tensor<16x32xf32>) {
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %m = stablehlo.compare GT, %c, %z, FLOAT : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<16x32xi1>
      %dm = stablehlo.select %m, %e, %z : tensor<16x32xi1>, tensor<16x32xf32>
      %gw = stablehlo.dot_general %b, %dm, contracting_dims = [0] x [0] : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<32x32xf32>
      %gx = stablehlo.dot_general %dm, %a, contracting_dims = [1] x [1] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      mpmd.return %gw, %gx : tensor<32x32xf32>, tensor<16x32xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<32x32xf32>>, !mpmd.mesh_tensor<"m1", tensor<16x32xf32>>, !mpmd.mesh_tensor<"m1", tensor<16x32xf32>>, !mpmd.mesh_tensor<"m1", tensor<16x32xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<32x32xf32>>, !mpmd.mesh_tensor<"m1", tensor<16x32xf32>>)
    %u_86 = mpmd.unassign {origin = "block9"} %b9_85#0 : (!mpmd.mesh_tensor<"m1", tensor<32x32xf32>>) -> tensor<32x32xf32>
    %b8_87:2 = mpmd.fragment<mesh="m1", origin=["block8"(1)]> (%p_19, %f7_18, %f8_20, %b9_85#1) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>, %c: tensor<16x32xf32>, %e: tensor<16x32xf32>) {
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %m = stablehlo.compare GT, %c, %z, FLOAT : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<16x32xi1>
      %dm = stablehlo.select %m, %e, %z : tensor<16x32xi1>, tensor<16x32xf32>
      %gw = stablehlo.dot_general %b, %dm, contracting_dims = [0] x [0] : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<32x32xf32>
      %gx = stablehlo.dot_general %dm, %a, contracting_dims = [1] x [1] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      mpmd.return %gw, %gx : tensor<32x32xf32>, tensor<16x32xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<32x32xf32>>, !mpmd.mesh_tensor<"m1", tensor<16x32xf32>>, !mpmd.mesh_tensor<"m1", tensor<16x32xf32>>, !mpmd.mesh_tensor<"m1", tensor<16x32xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<32x32xf32>>, !mpmd.mesh_tensor<"m1", tensor<16x32xf32>>)
    %u_88 = mpmd.unassign {origin = "block8"} %b8_87#0 : (!mpmd.mesh_tensor<"m1", tensor<32x32xf32>>) -> tensor<32x32xf32>
    %b7_89:2 = mpmd.fragment<mesh="m1", origin=["block7"(1)]> (%p_17, %f6_16, %f7_18, %b8_87#1) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>, %c: tensor<16x32xf32>, %e: tensor<16x32xf32>) {
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %m = stablehlo.compare GT, %c, %z, FLOAT : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<16x32xi1>
      %dm = stablehlo.select %m, %e, %z : tensor<16x32xi1>, tensor<16x32xf32>
      %gw = stablehlo.dot_general %b, %dm, contracting_dims = [0] x [0] : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<32x32xf32>
      %gx = stablehlo.dot_general %dm, %a, contracting_dims = [1] x [1] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      mpmd.return %gw, %gx : tensor<32x32xf32>, tensor<16x32xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<32x32xf32>>, !mpmd.mesh_tensor<"m1", tensor<16x32xf32>>, !mpmd.mesh_tensor<"m1", tensor<16x32xf32>>, !mpmd.mesh_tensor<"m1", tensor<16x32xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<32x32xf32>>, !mpmd.mesh_tensor<"m1", tensor<16x32xf32>>)
    %u_90 = mpmd.unassign {origin = "block7"} %b7_89#0 : (!mpmd.mesh_tensor<"m1", tensor<32x32xf32>>) -> tensor<32x32xf32>
    %b6_91:2 = mpmd.fragment<mesh="m1", origin=["block6"(1)]> (%p_14, %t_15, %f6_16, %b7_89#1) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>, %c: tensor<16x32xf32>, %e: tensor<16x32xf32>) {
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %m = stablehlo.compare GT, %c, %z, FLOAT : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<16x32xi1>
      %dm = stablehlo.select %m, %e, %z : tensor<16x32xi1>, tensor<16x32xf32>
      %gw = stablehlo.dot_general %b, %dm, contracting_dims = [0] x [0] : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<32x32xf32>
      %gx = stablehlo.dot_general %dm, %a, contracting_dims = [1] x [1] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      mpmd.return %gw, %gx : tensor<32x32xf32>, tensor<16x32xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<32x32xf32>>, !mpmd.mesh_tensor<"m1", tensor<16x32xf32>>, !mpmd.mesh_tensor<"m1", tensor<16x32xf32>>, !mpmd.mesh_tensor<"m1", tensor<16x32xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<32x32xf32>>, !mpmd.mesh_tensor<"m1", tensor<16x32xf32>>)
    %u_92 = mpmd.unassign {origin = "block6"} %b6_91#0 : (!mpmd.mesh_tensor<"m1", tensor<32x32xf32>>) -> tensor<32x32xf32>
    %t_93 = mpmd.transfer %b6_91#1 : (!mpmd.mesh_tensor<"m1", tensor<16x32xf32>>) -> !mpmd.mesh_tensor<"m0", tensor<16x32xf32>>
    %b5_94:2 = mpmd.fragment<mesh="m0", origin=["block5"(1)]> (%p_12, %f4_11, %f5_13, %t_93) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>, %c: tensor<16x32xf32>, %e: tensor<16x32xf32>) {
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %m = stablehlo.compare GT, %c, %z, FLOAT : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<16x32xi1>
      %dm = stablehlo.select %m, %e, %z : tensor<16x32xi1>, tensor<16x32xf32>
      %gw = stablehlo.dot_general %b, %dm, contracting_dims = [0] x [0] : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<32x32xf32>
      %gx = stablehlo.dot_general %dm, %a, contracting_dims = [1] x [1] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      mpmd.return %gw, %gx : tensor<32x32xf32>, tensor<16x32xf32>
    } : (!mpmd.mesh_tensor<"m0", tensor<32x32xf32>>, !mpmd.mesh_tensor<"m0", tensor<16x32xf32>>, !mpmd.mesh_tensor<"m0", tensor<16x32xf32>>, !mpmd.mesh_tensor<"m0", tensor<16x32xf32>>) -> (!mpmd.mesh_tensor<"m0", tensor<32x32xf32>>, !mpmd.mesh_tensor<"m0", tensor<16x32xf32>>)
    %u_95 = mpmd.unassign {origin = "block5"} %b5_94#0 : (!mpmd.mesh_tensor<"m0", tensor<32x32xf32>>) -> tensor<32x32xf32>
    %b4_96:2 = mpmd.fragment<mesh="m0", origin=["block4"(1)]> (%p_10, %f3_9, %f4_11, %b5_94#1) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>, %c: tensor<16x32xf32>, %e: tensor<16x32xf32>) {
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %m = stablehlo.compare GT, %c, %z, FLOAT : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<16x32xi1>
      %dm = stablehlo.select %m, %e, %z : tensor<16x32xi1>, tensor<16x32xf32>
      %gw = stablehlo.dot_general %b, %dm, contracting_dims = [0] x [0] : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<32x32xf32>
      %gx = stablehlo.dot_general %dm, %a, contracting_dims = [1] x [1] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      mpmd.return %gw, %gx : tensor<32x32xf32>, tensor<16x32xf32>
    } : (!mpmd.mesh_tensor<"m0", tensor<32x32xf32>>, !mpmd.mesh_tensor<"m0", tensor<16x32xf32>>, !mpmd.mesh_tensor<"m0", tensor<16x32xf32>>, !mpmd.mesh_tensor<"m0", tensor<16x32xf32>>) -> (!mpmd.mesh_tensor<"m0", tensor<32x32xf32>>, !mpmd.mesh_tensor<"m0", tensor<16x32xf32>>)
    %u_97 = mpmd.unassign {origin = "block4"} %b4_96#0 : (!mpmd.mesh_tensor<"m0", tensor<32x32xf32>>) -> tensor<32x32xf32>
    %b3_98:2 = mpmd.fragment<mesh="m0", origin=["block3"(1)]> (%p_8, %f2_7, %f3_9, %b4_96#1) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>, %c: tensor<16x32xf32>, %e: tensor<16x32xf32>) {
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %m = stablehlo.compare GT, %c, %z, FLOAT : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<16x32xi1>
      %dm = stablehlo.select %m, %e, %z : tensor<16x32xi1>, tensor<16x32xf32>
      %gw = stablehlo.dot_general %b, %dm, contracting_dims = [0] x [0] : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<32x32xf32>
      %gx = stablehlo.dot_general %dm, %a, contracting_dims = [1] x [1] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      mpmd.return %gw, %gx : tensor<32x32xf32>, tensor<16x32xf32>
    } : (!mpmd.mesh_tensor<"m0", tensor<32x32xf32>>, !mpmd.mesh_tensor<"m0", tensor<16x32xf32>>, !mpmd.mesh_tensor<"m0", tensor<16x32xf32>>, !mpmd.mesh_tensor<"m0", tensor<16x32xf32>>) -> (!mpmd.mesh_tensor<"m0", tensor<32x32xf32>>, !mpmd.mesh_tensor<"m0", tensor<16x32xf32>>)
    %u_99 = mpmd.unassign {origin = "block3"} %b3_98#0 : (!mpmd.mesh_tensor<"m0", tensor<32x32xf32>>) -> tensor<32x32xf32>
    %b2_100:2 = mpmd.fragment<mesh="m0", origin=["block2"(1)]> (%p_6, %f1_5, %f2_7, %b3_98#1) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>, %c: tensor<16x32xf32>, %e: tensor<16x32xf32>) {
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %m = stablehlo.compare GT, %c, %z, FLOAT : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<16x32xi1>
      %dm = stablehlo.select %m, %e, %z : tensor<16x32xi1>, tensor<16x32xf32>
      %gw = stablehlo.dot_general %b, %dm, contracting_dims = [0] x [0] : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<32x32xf32>
      %gx = stablehlo.dot_general %dm, %a, contracting_dims = [1] x [1] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      mpmd.return %gw, %gx : tensor<32x32xf32>, tensor<16x32xf32>
    } : (!mpmd.mesh_tensor<"m0", tensor<32x32xf32>>, !mpmd.mesh_tensor<"m0", tensor<16x32xf32>>, !mpmd.mesh_tensor<"m0", tensor<16x32xf32>>, !mpmd.mesh_tensor<"m0", tensor<16x32xf32>>) -> (!mpmd.mesh_tensor<"m0", tensor<32x32xf32>>, !mpmd.mesh_tensor<"m0", tensor<16x32xf32>>)
    %u_101 = mpmd.unassign {origin = "block2"} %b2_100#0 : (!mpmd.mesh_tensor<"m0", tensor<32x32xf32>>) -> tensor<32x32xf32>
    %b1_102:2 = mpmd.fragment<mesh="m0", origin=["block1"(1)]> (%p_4, %f0_3, %f1_5, %b2_100#1) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>, %c: tensor<16x32xf32>, %e: tensor<16x32xf32>) {
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %m = stablehlo.compare GT, %c, %z, FLOAT : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<16x32xi1>
      %dm = stablehlo.select %m, %e, %z : tensor<16x32xi1>, tensor<16x32xf32>
      %gw = stablehlo.dot_general %b, %dm, contracting_dims = [0] x [0] : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<32x32xf32>
      %gx = stablehlo.dot_general %dm, %a, contracting_dims = [1] x [1] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      mpmd.return %gw, %gx : tensor<32x32xf32>, tensor<16x32xf32>
    } : (!mpmd.mesh_tensor<"m0", tensor<32x32xf32>>, !mpmd.mesh_tensor<"m0", tensor<16x32xf32>>, !mpmd.mesh_tensor<"m0", tensor<16x32xf32>>, !mpmd.mesh_tensor<"m0", tensor<16x32xf32>>) -> (!mpmd.mesh_tensor<"m0", tensor<32x32xf32>>, !mpmd.mesh_tensor<"m0", tensor<16x32xf32>>)
    %u_103 = mpmd.unassign {origin = "block1"} %b1_102#0 : (!mpmd.mesh_tensor<"m0", tensor<32x32xf32>>) -> tensor<32x32xf32>
    %b0_104:2 = mpmd.fragment<mesh="m0", origin=["block0"(1)]> (%p_1, %p_2, %f0_3, %b1_102#1) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>, %c: tensor<16x32xf32>, %e: tensor<16x32xf32>) {
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %m = stablehlo.compare GT, %c, %z, FLOAT : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<16x32xi1>
      %dm = stablehlo.select %m, %e, %z : tensor<16x32xi1>, tensor<16x32xf32>
      %gw = stablehlo.dot_general %b, %dm, contracting_dims = [0] x [0] : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<32x32xf32>
      %gx = stablehlo.dot_general %dm, %a, contracting_dims = [1] x [1] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      mpmd.return %gw, %gx : tensor<32x32xf32>, tensor<16x32xf32>
    } : (!mpmd.mesh_tensor<"m0", tensor<32x32xf32>>, !mpmd.mesh_tensor<"m0", tensor<16x32xf32>>, !mpmd.mesh_tensor<"m0", tensor<16x32xf32>>, !mpmd.mesh_tensor<"m0", tensor<16x32xf32>>) -> (!mpmd.mesh_tensor<"m0", tensor<32x32xf32>>, !mpmd.mesh_tensor<"m0", tensor<16x32xf32>>)
    %u_105 = mpmd.unassign {origin = "block0"} %b0_104#0 : (!mpmd.mesh_tensor<"m0", tensor<32x32xf32>>) -> tensor<32x32xf32>
    %n0 = stablehlo.add %g0, %u_105 : tensor<32x32xf32>
    %n1 = stablehlo.add %g1, %u_103 : tensor<32x32xf32>
    %n2 = stablehlo.add %g2, %u_101 : tensor<32x32xf32>
    %n3 = stablehlo.add %g3, %u_99 : tensor<32x32xf32>
    %n4 = stablehlo.add %g4, %u_97 : tensor<32x32xf32>
    %n5 = stablehlo.add %g5, %u_95 : tensor<32x32xf32>
    %n6 = stablehlo.add %g6, %u_92 : tensor<32x32xf32>
    %n7 = stablehlo.add %g7, %u_90 : tensor<32x32xf32>
    %n8 = stablehlo.add %g8, %u_88 : tensor<32x32xf32>
    %n9 = stablehlo.add %g9, %u_86 : tensor<32x32xf32>
    %n10 = stablehlo.add %g10, %u_84 : tensor<32x32xf32>
    %n11 = stablehlo.add %g11, %u_82 : tensor<32x32xf32>
    %n12 = stablehlo.add %g12, %u_79 : tensor<32x32xf32>
    %n13 = stablehlo.add %g13, %u_77 : tensor<32x32xf32>
    %n14 = stablehlo.add %g14, %u_75 : tensor<32x32xf32>
    %n15 = stablehlo.add %g15, %u_73 : tensor<32x32xf32>
    %n16 = stablehlo.add %g16, %u_71 : tensor<32x32xf32>
    %n17 = stablehlo.add %g17, %u_69 : tensor<32x32xf32>
    %n18 = stablehlo.add %g18, %u_66 : tensor<32x32xf32>
    %n19 = stablehlo.add %g19, %u_64 : tensor<32x32xf32>
    %n20 = stablehlo.add %g20, %u_62 : tensor<32x32xf32>
    %n21 = stablehlo.add %g21, %u_60 : tensor<32x32xf32>
    %n22 = stablehlo.add %g22, %u_58 : tensor<32x32xf32>
    %n23 = stablehlo.add %g23, %u_56 : tensor<32x32xf32>
    return %loss, %n0, %n1, %n2, %n3, %n4, %n5, %n6, %n7, %n8, %n9, %n10, %n11, %n12, %n13, %n14, %n15, %n16, %n17, %n18, %n19, %n20, %n21, %n22, %n23 : tensor<f32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>
  }
}
