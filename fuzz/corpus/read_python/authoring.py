import pypto.language as pl
import pypto.language.distributed as pld

M = pl.dynamic("M")
LANES = 4

@pl.program
class Train:
    """A host program as a user writes it."""
    @pl.function(type=pl.FunctionType.InCore)
    def kern(a: pl.Tensor[[M, 8], pl.FP16], b: pl.Out[pl.Tensor[[4], pl.INT8]]):
        return a

    @pl.function(type=pl.FunctionType.Orchestration)
    def step(self, x, w: pld.DistributedTensor[[16], pl.FP32]) -> pld.DistributedTensor[[16], pl.FP32]:
        self.kern(x, x)
        return w

    @pl.function(level=pl.Level.NODE, role=pl.Role.Orchestrator, auto_scope=False)
    def host(self, xs: pl.Tensor[[8, 16], pl.FP32], go: pl.Scalar[pl.BOOL], t: pl.Tuple[pl.Scalar[pl.INT32], pl.Ptr]):
        pl.func_attr({"pinned": True, "tag": "it's"})
        n = pld.world_size()
        buf = pld.alloc_window_buffer(n * pl.FP32.get_byte() + 16 * LANES)
        sig = pld.alloc_window_buffer([n, 1], dtype=pl.INT32)
        w = pld.window(buf, [16], dtype=pl.FP32)
        s = pld.window(sig, [n, 1], dtype=pl.INT32); k = t[0]
        for r in pl.range(n):
            self.step(xs[r], w, device=r)
        for a in pl.pipeline(0, 8, 2, stage=2, attrs={"note": [1, -2]}):
            if go and not a == 3:
                w = pld.tensor.allreduce(w, s, op=pld.ReduceOp.Max)
            elif a > 4 or go:
                continue
            else:
                break
        for i, (c, d) in pl.range(4, init_values=(w, s)):
            e = pld.tensor.allreduce(c, d)
            f, g = pl.yield_(e, d)
        for (h,) in pl.while_(init_values=(k,)):
            pl.cond(h < 10)
            h_next = pl.yield_(h + 1)
        while go:
            pld.tensor.barrier(s)
        if go:
            m = pl.yield_(f)
        else:
            m = pl.yield_(w)
        with pl.incore(split=2):
            z = pl.load(m, [0, 0])
        p, q = [n, m]
        return pl.submit(self.step, xs[1:2, ::2], m, device=0, deps=[n]), (p, q)
