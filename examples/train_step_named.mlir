// A training step as a user writes it: 24 blocks, 4 microbatches.
// name-to-mesh-assignment: block0@m0, block1@m0, block2@m0, block3@m0, block4@m0, block5@m0, block6@m1, block7@m1, block8@m1, block9@m1, block10@m1, block11@m1, block12@m2, block13@m2, block14@m2, block15@m2, block16@m2, block17@m2, block18@m3, block19@m3, block20@m3, block21@m3, block22@m3, block23@m3
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
    %f0_1 = mpmd.named_computation<"block0"> (%w0, %x) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>) {
      %h = stablehlo.dot_general %b, %a, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %y = stablehlo.maximum %h, %z : tensor<16x32xf32>
      mpmd.return %y : tensor<16x32xf32>
    } : (tensor<32x32xf32>, tensor<16x32xf32>) -> tensor<16x32xf32>
    %f1_2 = mpmd.named_computation<"block1"> (%w1, %f0_1) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>) {
      %h = stablehlo.dot_general %b, %a, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %y = stablehlo.maximum %h, %z : tensor<16x32xf32>
      mpmd.return %y : tensor<16x32xf32>
    } : (tensor<32x32xf32>, tensor<16x32xf32>) -> tensor<16x32xf32>
    %f2_3 = mpmd.named_computation<"block2"> (%w2, %f1_2) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>) {
      %h = stablehlo.dot_general %b, %a, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %y = stablehlo.maximum %h, %z : tensor<16x32xf32>
      mpmd.return %y : tensor<16x32xf32>
    } : (tensor<32x32xf32>, tensor<16x32xf32>) -> tensor<16x32xf32>
    %f3_4 = mpmd.named_computation<"block3"> (%w3, %f2_3) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>) {
      %h = stablehlo.dot_general %b, %a, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %y = stablehlo.maximum %h, %z : tensor<16x32xf32>
      mpmd.return %y : tensor<16x32xf32>
    } : (tensor<32x32xf32>, tensor<16x32xf32>) -> tensor<16x32xf32>
    %f4_5 = mpmd.named_computation<"block4"> (%w4, %f3_4) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>) {
      %h = stablehlo.dot_general %b, %a, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %y = stablehlo.maximum %h, %z : tensor<16x32xf32>
      mpmd.return %y : tensor<16x32xf32>
    } : (tensor<32x32xf32>, tensor<16x32xf32>) -> tensor<16x32xf32>
    %f5_6 = mpmd.named_computation<"block5"> (%w5, %f4_5) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>) {
      %h = stablehlo.dot_general %b, %a, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %y = stablehlo.maximum %h, %z : tensor<16x32xf32>
      mpmd.return %y : tensor<16x32xf32>
    } : (tensor<32x32xf32>, tensor<16x32xf32>) -> tensor<16x32xf32>
    %f6_7 = mpmd.named_computation<"block6"> (%w6, %f5_6) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>) {
      %h = stablehlo.dot_general %b, %a, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %y = stablehlo.maximum %h, %z : tensor<16x32xf32>
      mpmd.return %y : tensor<16x32xf32>
    } : (tensor<32x32xf32>, tensor<16x32xf32>) -> tensor<16x32xf32>
    %f7_8 = mpmd.named_computation<"block7"> (%w7, %f6_7) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>) {
      %h = stablehlo.dot_general %b, %a, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %y = stablehlo.maximum %h, %z : tensor<16x32xf32>
      mpmd.return %y : tensor<16x32xf32>
    } : (tensor<32x32xf32>, tensor<16x32xf32>) -> tensor<16x32xf32>
    %f8_9 = mpmd.named_computation<"block8"> (%w8, %f7_8) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>) {
      %h = stablehlo.dot_general %b, %a, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %y = stablehlo.maximum %h, %z : tensor<16x32xf32>
      mpmd.return %y : tensor<16x32xf32>
    } : (tensor<32x32xf32>, tensor<16x32xf32>) -> tensor<16x32xf32>
    %f9_10 = mpmd.named_computation<"block9"> (%w9, %f8_9) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>) {
      %h = stablehlo.dot_general %b, %a, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %y = stablehlo.maximum %h, %z : tensor<16x32xf32>
      mpmd.return %y : tensor<16x32xf32>
    } : (tensor<32x32xf32>, tensor<16x32xf32>) -> tensor<16x32xf32>
    %f10_11 = mpmd.named_computation<"block10"> (%w10, %f9_10) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>) {
      %h = stablehlo.dot_general %b, %a, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %y = stablehlo.maximum %h, %z : tensor<16x32xf32>
      mpmd.return %y : tensor<16x32xf32>
    } : (tensor<32x32xf32>, tensor<16x32xf32>) -> tensor<16x32xf32>
    %f11_12 = mpmd.named_computation<"block11"> (%w11, %f10_11) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>) {
      %h = stablehlo.dot_general %b, %a, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %y = stablehlo.maximum %h, %z : tensor<16x32xf32>
      mpmd.return %y : tensor<16x32xf32>
    } : (tensor<32x32xf32>, tensor<16x32xf32>) -> tensor<16x32xf32>
    %f12_13 = mpmd.named_computation<"block12"> (%w12, %f11_12) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>) {
      %h = stablehlo.dot_general %b, %a, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %y = stablehlo.maximum %h, %z : tensor<16x32xf32>
      mpmd.return %y : tensor<16x32xf32>
    } : (tensor<32x32xf32>, tensor<16x32xf32>) -> tensor<16x32xf32>
    %f13_14 = mpmd.named_computation<"block13"> (%w13, %f12_13) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>) {
      %h = stablehlo.dot_general %b, %a, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %y = stablehlo.maximum %h, %z : tensor<16x32xf32>
      mpmd.return %y : tensor<16x32xf32>
    } : (tensor<32x32xf32>, tensor<16x32xf32>) -> tensor<16x32xf32>
    %f14_15 = mpmd.named_computation<"block14"> (%w14, %f13_14) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>) {
      %h = stablehlo.dot_general %b, %a, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %y = stablehlo.maximum %h, %z : tensor<16x32xf32>
      mpmd.return %y : tensor<16x32xf32>
    } : (tensor<32x32xf32>, tensor<16x32xf32>) -> tensor<16x32xf32>
    %f15_16 = mpmd.named_computation<"block15"> (%w15, %f14_15) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>) {
      %h = stablehlo.dot_general %b, %a, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %y = stablehlo.maximum %h, %z : tensor<16x32xf32>
      mpmd.return %y : tensor<16x32xf32>
    } : (tensor<32x32xf32>, tensor<16x32xf32>) -> tensor<16x32xf32>
    %f16_17 = mpmd.named_computation<"block16"> (%w16, %f15_16) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>) {
      %h = stablehlo.dot_general %b, %a, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %y = stablehlo.maximum %h, %z : tensor<16x32xf32>
      mpmd.return %y : tensor<16x32xf32>
    } : (tensor<32x32xf32>, tensor<16x32xf32>) -> tensor<16x32xf32>
    %f17_18 = mpmd.named_computation<"block17"> (%w17, %f16_17) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>) {
      %h = stablehlo.dot_general %b, %a, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %y = stablehlo.maximum %h, %z : tensor<16x32xf32>
      mpmd.return %y : tensor<16x32xf32>
    } : (tensor<32x32xf32>, tensor<16x32xf32>) -> tensor<16x32xf32>
    %f18_19 = mpmd.named_computation<"block18"> (%w18, %f17_18) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>) {
      %h = stablehlo.dot_general %b, %a, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %y = stablehlo.maximum %h, %z : tensor<16x32xf32>
      mpmd.return %y : tensor<16x32xf32>
    } : (tensor<32x32xf32>, tensor<16x32xf32>) -> tensor<16x32xf32>
    %f19_20 = mpmd.named_computation<"block19"> (%w19, %f18_19) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>) {
      %h = stablehlo.dot_general %b, %a, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %y = stablehlo.maximum %h, %z : tensor<16x32xf32>
      mpmd.return %y : tensor<16x32xf32>
    } : (tensor<32x32xf32>, tensor<16x32xf32>) -> tensor<16x32xf32>
    %f20_21 = mpmd.named_computation<"block20"> (%w20, %f19_20) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>) {
      %h = stablehlo.dot_general %b, %a, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %y = stablehlo.maximum %h, %z : tensor<16x32xf32>
      mpmd.return %y : tensor<16x32xf32>
    } : (tensor<32x32xf32>, tensor<16x32xf32>) -> tensor<16x32xf32>
    %f21_22 = mpmd.named_computation<"block21"> (%w21, %f20_21) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>) {
      %h = stablehlo.dot_general %b, %a, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %y = stablehlo.maximum %h, %z : tensor<16x32xf32>
      mpmd.return %y : tensor<16x32xf32>
    } : (tensor<32x32xf32>, tensor<16x32xf32>) -> tensor<16x32xf32>
    %f22_23 = mpmd.named_computation<"block22"> (%w22, %f21_22) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>) {
      %h = stablehlo.dot_general %b, %a, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %y = stablehlo.maximum %h, %z : tensor<16x32xf32>
      mpmd.return %y : tensor<16x32xf32>
    } : (tensor<32x32xf32>, tensor<16x32xf32>) -> tensor<16x32xf32>
    %f23_24 = mpmd.named_computation<"block23"> (%w23, %f22_23) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>) {
      %h = stablehlo.dot_general %b, %a, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %y = stablehlo.maximum %h, %z : tensor<16x32xf32>
      mpmd.return %y : tensor<16x32xf32>
    } : (tensor<32x32xf32>, tensor<16x32xf32>) -> tensor<16x32xf32>
    %d = stablehlo.subtract %f23_24, %t : tensor<16x32xf32>
    %sq = stablehlo.multiply %d, %d : tensor<16x32xf32>
    %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %sum = stablehlo.reduce(%sq init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<16x32xf32>, tensor<f32>) -> tensor<f32>
    %scale = stablehlo.constant dense<1.953125e-03> : tensor<f32>
    %mean = stablehlo.multiply %sum, %scale : tensor<f32>
    %loss = stablehlo.add %acc, %mean : tensor<f32>
    %two = stablehlo.constant dense<3.906250e-03> : tensor<16x32xf32>
    %ct = stablehlo.multiply %d, %two : tensor<16x32xf32>
    %b23_25:2 = mpmd.named_computation<"block23"(1)> (%w23, %f22_23, %f23_24, %ct) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>, %c: tensor<16x32xf32>, %e: tensor<16x32xf32>) {
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %m = stablehlo.compare GT, %c, %z, FLOAT : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<16x32xi1>
      %dm = stablehlo.select %m, %e, %z : tensor<16x32xi1>, tensor<16x32xf32>
      %gw = stablehlo.dot_general %b, %dm, contracting_dims = [0] x [0] : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<32x32xf32>
      %gx = stablehlo.dot_general %dm, %a, contracting_dims = [1] x [1] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      mpmd.return %gw, %gx : tensor<32x32xf32>, tensor<16x32xf32>
    } : (tensor<32x32xf32>, tensor<16x32xf32>, tensor<16x32xf32>, tensor<16x32xf32>) -> (tensor<32x32xf32>, tensor<16x32xf32>)
    %b22_26:2 = mpmd.named_computation<"block22"(1)> (%w22, %f21_22, %f22_23, %b23_25#1) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>, %c: tensor<16x32xf32>, %e: tensor<16x32xf32>) {
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %m = stablehlo.compare GT, %c, %z, FLOAT : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<16x32xi1>
      %dm = stablehlo.select %m, %e, %z : tensor<16x32xi1>, tensor<16x32xf32>
      %gw = stablehlo.dot_general %b, %dm, contracting_dims = [0] x [0] : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<32x32xf32>
      %gx = stablehlo.dot_general %dm, %a, contracting_dims = [1] x [1] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      mpmd.return %gw, %gx : tensor<32x32xf32>, tensor<16x32xf32>
    } : (tensor<32x32xf32>, tensor<16x32xf32>, tensor<16x32xf32>, tensor<16x32xf32>) -> (tensor<32x32xf32>, tensor<16x32xf32>)
    %b21_27:2 = mpmd.named_computation<"block21"(1)> (%w21, %f20_21, %f21_22, %b22_26#1) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>, %c: tensor<16x32xf32>, %e: tensor<16x32xf32>) {
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %m = stablehlo.compare GT, %c, %z, FLOAT : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<16x32xi1>
      %dm = stablehlo.select %m, %e, %z : tensor<16x32xi1>, tensor<16x32xf32>
      %gw = stablehlo.dot_general %b, %dm, contracting_dims = [0] x [0] : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<32x32xf32>
      %gx = stablehlo.dot_general %dm, %a, contracting_dims = [1] x [1] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      mpmd.return %gw, %gx : tensor<32x32xf32>, tensor<16x32xf32>
    } : (tensor<32x32xf32>, tensor<16x32xf32>, tensor<16x32xf32>, tensor<16x32xf32>) -> (tensor<32x32xf32>, tensor<16x32xf32>)
    %b20_28:2 = mpmd.named_computation<"block20"(1)> (%w20, %f19_20, %f20_21, %b21_27#1) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>, %c: tensor<16x32xf32>, %e: tensor<16x32xf32>) {
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %m = stablehlo.compare GT, %c, %z, FLOAT : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<16x32xi1>
      %dm = stablehlo.select %m, %e, %z : tensor<16x32xi1>, tensor<16x32xf32>
      %gw = stablehlo.dot_general %b, %dm, contracting_dims = [0] x [0] : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<32x32xf32>
      %gx = stablehlo.dot_general %dm, %a, contracting_dims = [1] x [1] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      mpmd.return %gw, %gx : tensor<32x32xf32>, tensor<16x32xf32>
    } : (tensor<32x32xf32>, tensor<16x32xf32>, tensor<16x32xf32>, tensor<16x32xf32>) -> (tensor<32x32xf32>, tensor<16x32xf32>)
    %b19_29:2 = mpmd.named_computation<"block19"(1)> (%w19, %f18_19, %f19_20, %b20_28#1) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>, %c: tensor<16x32xf32>, %e: tensor<16x32xf32>) {
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %m = stablehlo.compare GT, %c, %z, FLOAT : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<16x32xi1>
      %dm = stablehlo.select %m, %e, %z : tensor<16x32xi1>, tensor<16x32xf32>
      %gw = stablehlo.dot_general %b, %dm, contracting_dims = [0] x [0] : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<32x32xf32>
      %gx = stablehlo.dot_general %dm, %a, contracting_dims = [1] x [1] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      mpmd.return %gw, %gx : tensor<32x32xf32>, tensor<16x32xf32>
    } : (tensor<32x32xf32>, tensor<16x32xf32>, tensor<16x32xf32>, tensor<16x32xf32>) -> (tensor<32x32xf32>, tensor<16x32xf32>)
    %b18_30:2 = mpmd.named_computation<"block18"(1)> (%w18, %f17_18, %f18_19, %b19_29#1) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>, %c: tensor<16x32xf32>, %e: tensor<16x32xf32>) {
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %m = stablehlo.compare GT, %c, %z, FLOAT : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<16x32xi1>
      %dm = stablehlo.select %m, %e, %z : tensor<16x32xi1>, tensor<16x32xf32>
      %gw = stablehlo.dot_general %b, %dm, contracting_dims = [0] x [0] : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<32x32xf32>
      %gx = stablehlo.dot_general %dm, %a, contracting_dims = [1] x [1] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      mpmd.return %gw, %gx : tensor<32x32xf32>, tensor<16x32xf32>
    } : (tensor<32x32xf32>, tensor<16x32xf32>, tensor<16x32xf32>, tensor<16x32xf32>) -> (tensor<32x32xf32>, tensor<16x32xf32>)
    %b17_31:2 = mpmd.named_computation<"block17"(1)> (%w17, %f16_17, %f17_18, %b18_30#1) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>, %c: tensor<16x32xf32>, %e: tensor<16x32xf32>) {
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %m = stablehlo.compare GT, %c, %z, FLOAT : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<16x32xi1>
      %dm = stablehlo.select %m, %e, %z : tensor<16x32xi1>, tensor<16x32xf32>
      %gw = stablehlo.dot_general %b, %dm, contracting_dims = [0] x [0] : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<32x32xf32>
      %gx = stablehlo.dot_general %dm, %a, contracting_dims = [1] x [1] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      mpmd.return %gw, %gx : tensor<32x32xf32>, tensor<16x32xf32>
    } : (tensor<32x32xf32>, tensor<16x32xf32>, tensor<16x32xf32>, tensor<16x32xf32>) -> (tensor<32x32xf32>, tensor<16x32xf32>)
    %b16_32:2 = mpmd.named_computation<"block16"(1)> (%w16, %f15_16, %f16_17, %b17_31#1) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>, %c: tensor<16x32xf32>, %e: tensor<16x32xf32>) {
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %m = stablehlo.compare GT, %c, %z, FLOAT : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<16x32xi1>
      %dm = stablehlo.select %m, %e, %z : tensor<16x32xi1>, tensor<16x32xf32>
      %gw = stablehlo.dot_general %b, %dm, contracting_dims = [0] x [0] : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<32x32xf32>
      %gx = stablehlo.dot_general %dm, %a, contracting_dims = [1] x [1] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      mpmd.return %gw, %gx : tensor<32x32xf32>, tensor<16x32xf32>
    } : (tensor<32x32xf32>, tensor<16x32xf32>, tensor<16x32xf32>, tensor<16x32xf32>) -> (tensor<32x32xf32>, tensor<16x32xf32>)
    %b15_33:2 = mpmd.named_computation<"block15"(1)> (%w15, %f14_15, %f15_16, %b16_32#1) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>, %c: tensor<16x32xf32>, %e: tensor<16x32xf32>) {
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %m = stablehlo.compare GT, %c, %z, FLOAT : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<16x32xi1>
      %dm = stablehlo.select %m, %e, %z : tensor<16x32xi1>, tensor<16x32xf32>
      %gw = stablehlo.dot_general %b, %dm, contracting_dims = [0] x [0] : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<32x32xf32>
      %gx = stablehlo.dot_general %dm, %a, contracting_dims = [1] x [1] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      mpmd.return %gw, %gx : tensor<32x32xf32>, tensor<16x32xf32>
    } : (tensor<32x32xf32>, tensor<16x32xf32>, tensor<16x32xf32>, tensor<16x32xf32>) -> (tensor<32x32xf32>, tensor<16x32xf32>)
    %b14_34:2 = mpmd.named_computation<"block14"(1)> (%w14, %f13_14, %f14_15, %b15_33#1) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>, %c: tensor<16x32xf32>, %e: tensor<16x32xf32>) {
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %m = stablehlo.compare GT, %c, %z, FLOAT : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<16x32xi1>
      %dm = stablehlo.select %m, %e, %z : tensor<16x32xi1>, tensor<16x32xf32>
      %gw = stablehlo.dot_general %b, %dm, contracting_dims = [0] x [0] : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<32x32xf32>
      %gx = stablehlo.dot_general %dm, %a, contracting_dims = [1] x [1] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      mpmd.return %gw, %gx : tensor<32x32xf32>, tensor<16x32xf32>
    } : (tensor<32x32xf32>, tensor<16x32xf32>, tensor<16x32xf32>, tensor<16x32xf32>) -> (tensor<32x32xf32>, tensor<16x32xf32>)
    %b13_35:2 = mpmd.named_computation<"block13"(1)> (%w13, %f12_13, %f13_14, %b14_34#1) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>, %c: tensor<16x32xf32>, %e: tensor<16x32xf32>) {
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %m = stablehlo.compare GT, %c, %z, FLOAT : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<16x32xi1>
      %dm = stablehlo.select %m, %e, %z : tensor<16x32xi1>, tensor<16x32xf32>
      %gw = stablehlo.dot_general %b, %dm, contracting_dims = [0] x [0] : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<32x32xf32>
      %gx = stablehlo.dot_general %dm, %a, contracting_dims = [1] x [1] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      mpmd.return %gw, %gx : tensor<32x32xf32>, tensor<16x32xf32>
    } : (tensor<32x32xf32>, tensor<16x32xf32>, tensor<16x32xf32>, tensor<16x32xf32>) -> (tensor<32x32xf32>, tensor<16x32xf32>)
    %b12_36:2 = mpmd.named_computation<"block12"(1)> (%w12, %f11_12, %f12_13, %b13_35#1) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>, %c: tensor<16x32xf32>, %e: tensor<16x32xf32>) {
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %m = stablehlo.compare GT, %c, %z, FLOAT : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<16x32xi1>
      %dm = stablehlo.select %m, %e, %z : tensor<16x32xi1>, tensor<16x32xf32>
      %gw = stablehlo.dot_general %b, %dm, contracting_dims = [0] x [0] : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<32x32xf32>
      %gx = stablehlo.dot_general %dm, %a, contracting_dims = [1] x [1] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      mpmd.return %gw, %gx : tensor<32x32xf32>, tensor<16x32xf32>
    } : (tensor<32x32xf32>, tensor<16x32xf32>, tensor<16x32xf32>, tensor<16x32xf32>) -> (tensor<32x32xf32>, tensor<16x32xf32>)
    %b11_37:2 = mpmd.named_computation<"block11"(1)> (%w11, %f10_11, %f11_12, %b12_36#1) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>, %c: tensor<16x32xf32>, %e: tensor<16x32xf32>) {
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %m = stablehlo.compare GT, %c, %z, FLOAT : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<16x32xi1>
      %dm = stablehlo.select %m, %e, %z : tensor<16x32xi1>, tensor<16x32xf32>
      %gw = stablehlo.dot_general %b, %dm, contracting_dims = [0] x [0] : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<32x32xf32>
      %gx = stablehlo.dot_general %dm, %a, contracting_dims = [1] x [1] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      mpmd.return %gw, %gx : tensor<32x32xf32>, tensor<16x32xf32>
    } : (tensor<32x32xf32>, tensor<16x32xf32>, tensor<16x32xf32>, tensor<16x32xf32>) -> (tensor<32x32xf32>, tensor<16x32xf32>)
    %b10_38:2 = mpmd.named_computation<"block10"(1)> (%w10, %f9_10, %f10_11, %b11_37#1) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>, %c: tensor<16x32xf32>, %e: tensor<16x32xf32>) {
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %m = stablehlo.compare GT, %c, %z, FLOAT : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<16x32xi1>
      %dm = stablehlo.select %m, %e, %z : tensor<16x32xi1>, tensor<16x32xf32>
      %gw = stablehlo.dot_general %b, %dm, contracting_dims = [0] x [0] : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<32x32xf32>
      %gx = stablehlo.dot_general %dm, %a, contracting_dims = [1] x [1] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      mpmd.return %gw, %gx : tensor<32x32xf32>, tensor<16x32xf32>
    } : (tensor<32x32xf32>, tensor<16x32xf32>, tensor<16x32xf32>, tensor<16x32xf32>) -> (tensor<32x32xf32>, tensor<16x32xf32>)
    %b9_39:2 = mpmd.named_computation<"block9"(1)> (%w9, %f8_9, %f9_10, %b10_38#1) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>, %c: tensor<16x32xf32>, %e: tensor<16x32xf32>) {
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %m = stablehlo.compare GT, %c, %z, FLOAT : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<16x32xi1>
      %dm = stablehlo.select %m, %e, %z : tensor<16x32xi1>, tensor<16x32xf32>
      %gw = stablehlo.dot_general %b, %dm, contracting_dims = [0] x [0] : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<32x32xf32>
      %gx = stablehlo.dot_general %dm, %a, contracting_dims = [1] x [1] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      mpmd.return %gw, %gx : tensor<32x32xf32>, tensor<16x32xf32>
    } : (tensor<32x32xf32>, tensor<16x32xf32>, tensor<16x32xf32>, tensor<16x32xf32>) -> (tensor<32x32xf32>, tensor<16x32xf32>)
    %b8_40:2 = mpmd.named_computation<"block8"(1)> (%w8, %f7_8, %f8_9, %b9_39#1) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>, %c: tensor<16x32xf32>, %e: tensor<16x32xf32>) {
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %m = stablehlo.compare GT, %c, %z, FLOAT : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<16x32xi1>
      %dm = stablehlo.select %m, %e, %z : tensor<16x32xi1>, tensor<16x32xf32>
      %gw = stablehlo.dot_general %b, %dm, contracting_dims = [0] x [0] : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<32x32xf32>
      %gx = stablehlo.dot_general %dm, %a, contracting_dims = [1] x [1] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      mpmd.return %gw, %gx : tensor<32x32xf32>, tensor<16x32xf32>
    } : (tensor<32x32xf32>, tensor<16x32xf32>, tensor<16x32xf32>, tensor<16x32xf32>) -> (tensor<32x32xf32>, tensor<16x32xf32>)
    %b7_41:2 = mpmd.named_computation<"block7"(1)> (%w7, %f6_7, %f7_8, %b8_40#1) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>, %c: tensor<16x32xf32>, %e: tensor<16x32xf32>) {
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %m = stablehlo.compare GT, %c, %z, FLOAT : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<16x32xi1>
      %dm = stablehlo.select %m, %e, %z : tensor<16x32xi1>, tensor<16x32xf32>
      %gw = stablehlo.dot_general %b, %dm, contracting_dims = [0] x [0] : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<32x32xf32>
      %gx = stablehlo.dot_general %dm, %a, contracting_dims = [1] x [1] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      mpmd.return %gw, %gx : tensor<32x32xf32>, tensor<16x32xf32>
    } : (tensor<32x32xf32>, tensor<16x32xf32>, tensor<16x32xf32>, tensor<16x32xf32>) -> (tensor<32x32xf32>, tensor<16x32xf32>)
    %b6_42:2 = mpmd.named_computation<"block6"(1)> (%w6, %f5_6, %f6_7, %b7_41#1) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>, %c: tensor<16x32xf32>, %e: tensor<16x32xf32>) {
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %m = stablehlo.compare GT, %c, %z, FLOAT : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<16x32xi1>
      %dm = stablehlo.select %m, %e, %z : tensor<16x32xi1>, tensor<16x32xf32>
      %gw = stablehlo.dot_general %b, %dm, contracting_dims = [0] x [0] : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<32x32xf32>
      %gx = stablehlo.dot_general %dm, %a, contracting_dims = [1] x [1] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      mpmd.return %gw, %gx : tensor<32x32xf32>, tensor<16x32xf32>
    } : (tensor<32x32xf32>, tensor<16x32xf32>, tensor<16x32xf32>, tensor<16x32xf32>) -> (tensor<32x32xf32>, tensor<16x32xf32>)
    %b5_43:2 = mpmd.named_computation<"block5"(1)> (%w5, %f4_5, %f5_6, %b6_42#1) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>, %c: tensor<16x32xf32>, %e: tensor<16x32xf32>) {
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %m = stablehlo.compare GT, %c, %z, FLOAT : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<16x32xi1>
      %dm = stablehlo.select %m, %e, %z : tensor<16x32xi1>, tensor<16x32xf32>
      %gw = stablehlo.dot_general %b, %dm, contracting_dims = [0] x [0] : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<32x32xf32>
      %gx = stablehlo.dot_general %dm, %a, contracting_dims = [1] x [1] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      mpmd.return %gw, %gx : tensor<32x32xf32>, tensor<16x32xf32>
    } : (tensor<32x32xf32>, tensor<16x32xf32>, tensor<16x32xf32>, tensor<16x32xf32>) -> (tensor<32x32xf32>, tensor<16x32xf32>)
    %b4_44:2 = mpmd.named_computation<"block4"(1)> (%w4, %f3_4, %f4_5, %b5_43#1) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>, %c: tensor<16x32xf32>, %e: tensor<16x32xf32>) {
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %m = stablehlo.compare GT, %c, %z, FLOAT : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<16x32xi1>
      %dm = stablehlo.select %m, %e, %z : tensor<16x32xi1>, tensor<16x32xf32>
      %gw = stablehlo.dot_general %b, %dm, contracting_dims = [0] x [0] : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<32x32xf32>
      %gx = stablehlo.dot_general %dm, %a, contracting_dims = [1] x [1] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      mpmd.return %gw, %gx : tensor<32x32xf32>, tensor<16x32xf32>
    } : (tensor<32x32xf32>, tensor<16x32xf32>, tensor<16x32xf32>, tensor<16x32xf32>) -> (tensor<32x32xf32>, tensor<16x32xf32>)
    %b3_45:2 = mpmd.named_computation<"block3"(1)> (%w3, %f2_3, %f3_4, %b4_44#1) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>, %c: tensor<16x32xf32>, %e: tensor<16x32xf32>) {
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %m = stablehlo.compare GT, %c, %z, FLOAT : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<16x32xi1>
      %dm = stablehlo.select %m, %e, %z : tensor<16x32xi1>, tensor<16x32xf32>
      %gw = stablehlo.dot_general %b, %dm, contracting_dims = [0] x [0] : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<32x32xf32>
      %gx = stablehlo.dot_general %dm, %a, contracting_dims = [1] x [1] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      mpmd.return %gw, %gx : tensor<32x32xf32>, tensor<16x32xf32>
    } : (tensor<32x32xf32>, tensor<16x32xf32>, tensor<16x32xf32>, tensor<16x32xf32>) -> (tensor<32x32xf32>, tensor<16x32xf32>)
    %b2_46:2 = mpmd.named_computation<"block2"(1)> (%w2, %f1_2, %f2_3, %b3_45#1) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>, %c: tensor<16x32xf32>, %e: tensor<16x32xf32>) {
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %m = stablehlo.compare GT, %c, %z, FLOAT : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<16x32xi1>
      %dm = stablehlo.select %m, %e, %z : tensor<16x32xi1>, tensor<16x32xf32>
      %gw = stablehlo.dot_general %b, %dm, contracting_dims = [0] x [0] : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<32x32xf32>
      %gx = stablehlo.dot_general %dm, %a, contracting_dims = [1] x [1] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      mpmd.return %gw, %gx : tensor<32x32xf32>, tensor<16x32xf32>
    } : (tensor<32x32xf32>, tensor<16x32xf32>, tensor<16x32xf32>, tensor<16x32xf32>) -> (tensor<32x32xf32>, tensor<16x32xf32>)
    %b1_47:2 = mpmd.named_computation<"block1"(1)> (%w1, %f0_1, %f1_2, %b2_46#1) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>, %c: tensor<16x32xf32>, %e: tensor<16x32xf32>) {
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %m = stablehlo.compare GT, %c, %z, FLOAT : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<16x32xi1>
      %dm = stablehlo.select %m, %e, %z : tensor<16x32xi1>, tensor<16x32xf32>
      %gw = stablehlo.dot_general %b, %dm, contracting_dims = [0] x [0] : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<32x32xf32>
      %gx = stablehlo.dot_general %dm, %a, contracting_dims = [1] x [1] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      mpmd.return %gw, %gx : tensor<32x32xf32>, tensor<16x32xf32>
    } : (tensor<32x32xf32>, tensor<16x32xf32>, tensor<16x32xf32>, tensor<16x32xf32>) -> (tensor<32x32xf32>, tensor<16x32xf32>)
    %b0_48:2 = mpmd.named_computation<"block0"(1)> (%w0, %x, %f0_1, %b1_47#1) (%a: tensor<32x32xf32>, %b: tensor<16x32xf32>, %c: tensor<16x32xf32>, %e: tensor<16x32xf32>) {
      %z = stablehlo.constant dense<0.000000e+00> : tensor<16x32xf32>
      %m = stablehlo.compare GT, %c, %z, FLOAT : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<16x32xi1>
      %dm = stablehlo.select %m, %e, %z : tensor<16x32xi1>, tensor<16x32xf32>
      %gw = stablehlo.dot_general %b, %dm, contracting_dims = [0] x [0] : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<32x32xf32>
      %gx = stablehlo.dot_general %dm, %a, contracting_dims = [1] x [1] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
      mpmd.return %gw, %gx : tensor<32x32xf32>, tensor<16x32xf32>
    } : (tensor<32x32xf32>, tensor<16x32xf32>, tensor<16x32xf32>, tensor<16x32xf32>) -> (tensor<32x32xf32>, tensor<16x32xf32>)
    %n0 = stablehlo.add %g0, %b0_48#0 : tensor<32x32xf32>
    %n1 = stablehlo.add %g1, %b1_47#0 : tensor<32x32xf32>
    %n2 = stablehlo.add %g2, %b2_46#0 : tensor<32x32xf32>
    %n3 = stablehlo.add %g3, %b3_45#0 : tensor<32x32xf32>
    %n4 = stablehlo.add %g4, %b4_44#0 : tensor<32x32xf32>
    %n5 = stablehlo.add %g5, %b5_43#0 : tensor<32x32xf32>
    %n6 = stablehlo.add %g6, %b6_42#0 : tensor<32x32xf32>
    %n7 = stablehlo.add %g7, %b7_41#0 : tensor<32x32xf32>
    %n8 = stablehlo.add %g8, %b8_40#0 : tensor<32x32xf32>
    %n9 = stablehlo.add %g9, %b9_39#0 : tensor<32x32xf32>
    %n10 = stablehlo.add %g10, %b10_38#0 : tensor<32x32xf32>
    %n11 = stablehlo.add %g11, %b11_37#0 : tensor<32x32xf32>
    %n12 = stablehlo.add %g12, %b12_36#0 : tensor<32x32xf32>
    %n13 = stablehlo.add %g13, %b13_35#0 : tensor<32x32xf32>
    %n14 = stablehlo.add %g14, %b14_34#0 : tensor<32x32xf32>
    %n15 = stablehlo.add %g15, %b15_33#0 : tensor<32x32xf32>
    %n16 = stablehlo.add %g16, %b16_32#0 : tensor<32x32xf32>
    %n17 = stablehlo.add %g17, %b17_31#0 : tensor<32x32xf32>
    %n18 = stablehlo.add %g18, %b18_30#0 : tensor<32x32xf32>
    %n19 = stablehlo.add %g19, %b19_29#0 : tensor<32x32xf32>
    %n20 = stablehlo.add %g20, %b20_28#0 : tensor<32x32xf32>
    %n21 = stablehlo.add %g21, %b21_27#0 : tensor<32x32xf32>
    %n22 = stablehlo.add %g22, %b22_26#0 : tensor<32x32xf32>
    %n23 = stablehlo.add %g23, %b23_25#0 : tensor<32x32xf32>
    return %loss, %n0, %n1, %n2, %n3, %n4, %n5, %n6, %n7, %n8, %n9, %n10, %n11, %n12, %n13, %n14, %n15, %n16, %n17, %n18, %n19, %n20, %n21, %n22, %n23 : tensor<f32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>
  }
}
