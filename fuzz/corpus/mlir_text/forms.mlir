#a = #mpmd.topology<<"m1" : <["x"=2]>>>
!m = !mpmd.mesh_tensor<"m1", tensor<8xf32>, sharding=<@mesh, [{"x"}]>>
module @m attributes {t.a = "}{", t.b = [1, 2.5 : f32]} {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @f(%a: !m {t.c} loc("a"), %b: tensor<8xf32>) -> (!m {t.d = @x::@y}, tensor<8xf32>) attributes {topology = #a} {
    %r:2 = mpmd.fragment<mesh="m1", origin=["e"(1)], stage=1, out_shardings=[<@mesh, [{?}]>, <@mesh, [{?}]>]> (%a) {u} (%p: tensor<8xf32>) {
      mpmd.return %p, %p : tensor<8xf32>, tensor<8xf32>
    } : (!m) -> (!m, !m)
    %l = mpmd.for (%b) {iterations = 2 : ui32} (%v: tensor<8xf32>, %i: tensor<ui32>) {
      mpmd.return %v : tensor<8xf32>
    } : tensor<8xf32>
    %n = mpmd.named_computation<"n"> (%l) (%v: tensor<8xf32>) {
      %w = mpmd.named_tensor %v name="w" : tensor<8xf32>
      mpmd.return %w : tensor<8xf32>
    } : (tensor<8xf32>) -> tensor<8xf32>
    %s = mpmd.assign {origin = "o"} %n : (tensor<8xf32>) -> !m
    %t = mpmd.transfer %s : (!m) -> !m
    %u = mpmd.unassign %t : (!m) -> tensor<8xf32>
    %x = mpmd.broadcast %u : tensor<8xf32>
    %y = mpmd.reduce<add> %x, %u : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %z = mpmd.call @g(%y) : (tensor<8xf32>) -> tensor<8xf32>
    %c = mpmd.fragment_call<mesh="m1", origin=["e"]> @g(%t) : (!m) -> !m
    return %c, %z : !m, tensor<8xf32>
  }
  func.func private @g(tensor<8xf32>) -> tensor<8xf32>
  func.func private @h(%a: tensor<8xf32>) {
    %0 = sdy.sharding_constraint %a <@mesh, [{"x"}]> : tensor<8xf32>
    %1 = sdy.data_flow_edge %0 sharding=<@mesh, [{?}]> : tensor<8xf32>
    sdy.sharding_group %1 group_id=0 : tensor<8xf32>
    %2 = sdy.propagation_barrier %1 allowed_direction=NONE : tensor<8xf32>
    %3 = sdy.manual_computation(%2) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%p: tensor<4xf32>) {
      sdy.return %p : tensor<4xf32>
    } : (tensor<8xf32>) -> tensor<8xf32>
    %4 = sdy.constant dense<1.0> : tensor<8xf32>
    %5 = call @g(%4) : (tensor<8xf32>) -> tensor<8xf32>
    return
  }
} loc(fused["x", "y":1:2])
