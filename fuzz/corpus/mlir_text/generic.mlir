%g:2, %h = "t.g"(%later, %later) <{p = dense<[1, 2]> : tensor<2xi8>}> ({
^bb0(%q: i1 loc("q")):
  "t.br"(%q)[^b, ^bb0] : (i1) -> ()
^b:
  "t.h"(%later, %later) : (i32, i32) -> ()
}, {}) {s = 1 : i8} : (i32, i32) -> (i1, i8, i16) loc(callsite("c" at #where))
%later = "t.i"() : () -> i32
"t.use"(%g#1, %h) : (i8, i16) -> ()
#where = loc("w"("f":1:2))
{-# dialect_resources: { builtin: { r: "0x01" } } #-}
