import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class A:
    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def host(self):
        buf: pl.Ptr = pl._dump.call("pld.tensor.alloc_window_buffer", [16], pl.Ptr)
        b2: pl.Ptr = pl._dump.call("pld.tensor.alloc_window_buffer", [16], pl.Ptr, kwargs={"name": "x", "a b": 1})
        b3: pl.Ptr = pl._dump.call("pld.tensor.alloc_window_buffer", [16, 2], pl.Ptr, kwargs={"name": "x"})
        b4: pl.Ptr = pl._dump.call("pld.tensor.alloc_window_buffer", [16], pl.Ptr, kwargs={"name": "x", "attrs": 1}, attrs={"z": 1})
        return 0
