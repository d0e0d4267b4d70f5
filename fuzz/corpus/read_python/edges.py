import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class A:
    @pl.function(type=pl.FunctionType.Orchestration)
    def step(self, w: pld.DistributedTensor[[16], pl.FP32]):
        return w
    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def host(self, n: pl.Scalar[pl.INDEX], c: pl.Scalar[pl.BOOL], v: pld.DistributedTensor[[16], pl.FP32]) -> tuple[()]:
        pl.func_attr({})
        x: pl.Array[(2, n), pl.INT32] = pl.load(n)
        self.step(v, device=[0, n], attrs={"t": (n, 4), "e": (), "o": (n,)})
        with pl._dump.comm_domain(name="d", devices=[], slots=[]):
            self.step(v, device=[0, n])
        if c:
            pl.yield_(n, n)
        else:
            r = pl.yield_(n)
            pass
        return 0
