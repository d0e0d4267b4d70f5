import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def host(self, c: pl.Scalar[pl.BOOL]):
        a = pld.alloc_window_buffer([4, 4], dtype=pl.FP32, domain='tp')
        b = pl._dump.alloc_window_buffer(64, name='b', domain="ep")
        for r, (q,) in pl.parallel(0, pld.world_size(), 1, init_values=(a,)):
            if c:
                continue
            o = pl.yield_(q)
        return o
