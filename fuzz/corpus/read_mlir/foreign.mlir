module @m attributes {a.b = 1 : i32} {
  util.global private @"x y" {noinline} = dense<1.0> : tensor<4xf32>
  func.func private @g(%arg0: index loc("a"), %arg1: i1) -> (f32 {x.y}, memref<4xf32, 1>)
  func.func @h(%n: index, %c: i1) -> index {
    cf.cond_br %c, ^bb1(%n : index), ^bb2
  ^bb1(%b: index):
    %i = arith.addi %b, %n : index
    return %i : index
  ^bb2:
    %r = scf.for %k = %n to %n step %n iter_args(%z = %n) -> (index) {
      scf.yield %z : index
    }
    "t.u"(%r)[^bb1] <{p = array<i64: 1, 2>}> ({ ^bb0(%q: f32): "t.v"() : () -> () }, {}) {d} : (index) -> () loc(#l)
  }
}
#l = loc(callsite("f.py":1:2 at fused<"m">["n"(unknown)]))
{-# dialect_resources: { builtin: { k: "0x08000000" } } #-}
