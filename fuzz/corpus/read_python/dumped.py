# pypto.program: Saved
import pypto.language as pl
import pypto.language.distributed as pld

N = pl.dynamic("N")

@pl.program
class Saved:
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def step(self, w: pld.DistributedTensor[[64], pl.FP32, pl.TensorView(valid_shape=[3], stride=[1], layout=pl.TensorLayout.NZ, pad=pl.PadValue.zero)]):
        return w
    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def host(self, n: pl.Scalar[pl.INDEX], v: pld.DistributedTensor[[N], pl.FP32, pl._dump.window_ref("buf_window")], u: pl._dump.Unknown, y: pl.Array[4, pl.INT32]) -> tuple[pl.Scalar[pl.INT64], pl.Ptr]:
        with pl._dump.comm_domain(name="comm_d0", devices=[0, 1], slots=[pl._dump.window_buffer("buf_window", base="buf", size=size, load_from_host=True, store_to_host=False), pl._dump.window_buffer(7, "buf", 16)], attrs={"saved": size, "level": -1, "limit": pl.const(-1, pl.INDEX), "dirs": [pl.adir.input, pl.adir.no_dep], "vars": [n, n], "pairs": [(n, 1)], "ratio": 0.5}), pl._dump.comm_domain(name="in\"ner\n", devices=[], slots=[]):
            size: pl.Scalar[pl.INDEX] = n * 4
            buf: pl.Ptr = pl._dump.alloc_window_buffer(size, name='it\'s')
            w: pld.DistributedTensor[[64], pl.FP32, pl._dump.window_ref("buf_window")] = pl._dump.call("pld.tensor.window", [buf, [64]], pld.DistributedTensor[[64], pl.FP32, pl._dump.window_ref("buf_window")], kwargs={"dtype": pl.FP32})
            old: pld.DistributedTensor[[4], pl.FP32, pl._dump.window_ref(7)] = pld.window(buf, [4], dtype=pl.FP32)
            hint: pld.DistributedTensor[[4], pl.FP32, "window_buffer=buf"] = pl._dump.call("pld.tensor.window", [buf, [4]], pld.DistributedTensor[[4], pl.FP32], kwargs={"dtype": pl.FP32})
            for r in pl.range(pld.system.world_size()):
                pl._dump.call(self.step, [w], pld.DistributedTensor[[64], pl.FP32], attrs={"device": r, "dump_vars": [w]})
        f1 = n & n | n ^ n << n >> n
        f2 = (n ** n) ** -n - -n // n % n
        f3 = pl.min(n, pl.cast(~n, pl.INT32)) * pl.const(2, pl.INT8) / pl.const(256, pl.INDEX)
        f4 = pl._dump.float64("7ff0000000000000") + 1e-7
        f5 = pl._dump.logical_xor(n < 3, n != 4)
        return pl.const(0, pl.INT64), buf
