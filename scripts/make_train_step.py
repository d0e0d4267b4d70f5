#!/usr/bin/env python3
"""Writes a pipeline-parallel training step in MLIR: BLOCKS dense layers over MESHES meshes, MICROBATCHES gradient
accumulation steps, one SGD update.

  --form named      stages are named computations, as a user writes them
  --form assigned   stages are fragments on their meshes; what lies between them belongs to no mesh yet
"""
import argparse


def tensor(*shape):
    return "tensor<" + "".join(f"{d}x" for d in shape) + "f32>"


def on(mesh, t):
    return f'!mpmd.mesh_tensor<"m{mesh}", {t}>'


def forward_body(act, weight):
    return [
        f"%h = stablehlo.dot_general %b, %a, contracting_dims = [1] x [0] : ({act}, {weight}) -> {act}",
        f"%z = stablehlo.constant dense<0.000000e+00> : {act}",
        f"%y = stablehlo.maximum %h, %z : {act}",
        f"mpmd.return %y : {act}",
    ]


def backward_body(act, weight):
    mask = act.replace("f32", "i1")
    return [
        f"%z = stablehlo.constant dense<0.000000e+00> : {act}",
        f"%m = stablehlo.compare GT, %c, %z, FLOAT : ({act}, {act}) -> {mask}",
        f"%dm = stablehlo.select %m, %e, %z : {mask}, {act}",
        f"%gw = stablehlo.dot_general %b, %dm, contracting_dims = [0] x [0] : ({act}, {act}) -> {weight}",
        f"%gx = stablehlo.dot_general %dm, %a, contracting_dims = [1] x [1] : ({act}, {weight}) -> {act}",
        f"mpmd.return %gw, %gx : {weight}, {act}",
    ]


class step:
    def __init__(self, o):
        self.o, self.act, self.weight = o, tensor(o.batch, o.width), tensor(o.width, o.width)
        self.mesh_of = [i * o.meshes // o.blocks for i in range(o.blocks)]
        self.lines, self.fresh = [], 0

    def name(self, stem):
        self.fresh += 1
        return f"%{stem}_{self.fresh}"

    def stage(self, label, count, mesh, operands, body, results):
        """One stage. operands: (value, type); returns the names of its results, plain or on the mesh."""
        named = self.o.form == "named"
        origin = f'"{label}"' + (f"({count})" if count else "")
        here = (lambda t: t) if named else (lambda t: on(mesh, t))
        head = f"mpmd.named_computation<{origin}>" if named else f'mpmd.fragment<mesh="m{mesh}", origin=[{origin}]>'
        r = self.name(("f" if count == 0 else "b") + label[5:])
        params = ", ".join(f"%{n}: {t}" for n, (_, t) in zip("abce", operands))
        types = [here(t) for _, t in operands]
        out = [here(t) for t in results]
        self.lines.append(f"{r}{':2' if len(out) == 2 else ''} = {head} ({', '.join(v for v, _ in operands)}) ({params}) {{")
        self.lines += ["  " + l for l in body]
        self.lines.append(f"}} : ({', '.join(types)}) -> {out[0] if len(out) == 1 else '(' + ', '.join(out) + ')'}")
        return [r] if len(out) == 1 else [f"{r}#0", f"{r}#1"]

    def bring(self, value, t, source, mesh, label):
        """A value as an operand of a stage on `mesh`; `source` is the mesh it is on, None for a plain one."""
        if self.o.form == "named" or source == mesh:
            return value
        r = self.name("t" if source is not None else "p")
        if source is None:
            self.lines.append(f'{r} = mpmd.assign {{origin = "{label}"}} {value} : ({t}) -> {on(mesh, t)}')
        else:
            self.lines.append(f"{r} = mpmd.transfer {value} : ({on(source, t)}) -> {on(mesh, t)}")
        return r

    def take(self, value, t, mesh, label):
        """A result of a stage as a plain value."""
        if self.o.form == "named":
            return value
        r = self.name("u")
        self.lines.append(f'{r} = mpmd.unassign {{origin = "{label}"}} {value} : ({on(mesh, t)}) -> {t}')
        return r

    def microbatch(self):
        o, n = self.o, self.o.blocks
        x, at, saved = "%x", None, []
        for i in range(n):
            label, m = f"block{i}", self.mesh_of[i]
            w = self.bring(f"%w{i}", self.weight, None, m, label)
            b = self.bring(x, self.act, at, m, label)
            (y,) = self.stage(label, 0, m, [(w, self.weight), (b, self.act)], forward_body(self.act, self.weight), [self.act])
            saved.append((w, b, y))
            x, at = y, m
        last = self.take(x, self.act, at, f"block{n - 1}")
        scale = 1.0 / (o.batch * o.width)
        self.lines += [
            f"%d = stablehlo.subtract {last}, %t : {self.act}",
            f"%sq = stablehlo.multiply %d, %d : {self.act}",
            "%zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>",
            f"%sum = stablehlo.reduce(%sq init: %zero) applies stablehlo.add across dimensions = [0, 1] : ({self.act}, tensor<f32>) -> tensor<f32>",
            f"%scale = stablehlo.constant dense<{scale:.6e}> : tensor<f32>",
            "%mean = stablehlo.multiply %sum, %scale : tensor<f32>",
            "%loss = stablehlo.add %acc, %mean : tensor<f32>",
            f"%two = stablehlo.constant dense<{2 * scale:.6e}> : {self.act}",
            f"%ct = stablehlo.multiply %d, %two : {self.act}",
        ]
        ct, at, grads = "%ct", None, [None] * n
        for i in reversed(range(n)):
            label, m = f"block{i}", self.mesh_of[i]
            e = self.bring(ct, self.act, at, m, label)
            w, b, y = saved[i]
            gw, gx = self.stage(label, 1, m, [(w, self.weight), (b, self.act), (y, self.act), (e, self.act)],
                                backward_body(self.act, self.weight), [self.weight, self.act])
            grads[i] = (self.take(gw, self.weight, m, label), m)
            ct, at = gx, m
        outs = []
        for i in range(n):
            self.lines.append(f"%n{i} = stablehlo.add %g{i}, {grads[i][0]} : {self.weight}")
            outs.append(f"%n{i}")
        types = ["tensor<f32>"] + [self.weight] * n
        self.lines.append(f"return %loss, {', '.join(outs)} : {', '.join(types)}")
        args = ["%acc: tensor<f32>"] + [f"%g{i}: {self.weight}" for i in range(n)]
        args += [f"%w{i}: {self.weight}" for i in range(n)] + [f"%x: {self.act}", f"%t: {self.act}"]
        return args, types

    def text(self):
        o, n = self.o, self.o.blocks
        meshes = ", ".join(f'<"m{m}" : <["data"=2]>>' for m in range(o.meshes))
        topology = f"attributes {{topology = #mpmd.topology<{meshes}>}}"
        args, types = self.microbatch()
        callee = self.lines
        self.lines = []
        weights = [f"%w{i}" for i in range(n)]
        sums = []
        self.lines.append("%acc = stablehlo.constant dense<0.000000e+00> : tensor<f32>")
        for i in range(n):
            self.lines.append(f"%g{i} = stablehlo.constant dense<0.000000e+00> : {self.weight}")
            sums.append(f"%g{i}")
        sums = ["%acc"] + sums
        arg_types = [a.split(": ", 1)[1] for a in args]
        for b in range(o.microbatches):
            r = f"%c{b}"
            self.lines.append(f"{r}:{n + 1} = mpmd.call @microbatch({', '.join(sums + weights + [f'%x{b}', f'%t{b}'])}) "
                              f"{{call_counter = {b} : ui32}} : ({', '.join(arg_types)}) -> ({', '.join(types)})")
            sums = [f"{r}#{i}" for i in range(n + 1)]
        self.lines.append(f"%count = stablehlo.constant dense<{float(o.microbatches):.6e}> : tensor<f32>")
        self.lines.append(f"%loss = stablehlo.divide {sums[0]}, %count : tensor<f32>")
        self.lines.append(f"%rate = stablehlo.constant dense<{1e-2 / o.microbatches:.6e}> : {self.weight}")
        for i in range(n):
            self.lines.append(f"%s{i} = stablehlo.multiply {sums[i + 1]}, %rate : {self.weight}")
            self.lines.append(f"%v{i} = stablehlo.subtract %w{i}, %s{i} : {self.weight}")
        self.lines.append(f"return %loss, {', '.join(f'%v{i}' for i in range(n))} : {', '.join(types)}")
        main_args = [f"%w{i}: {self.weight}" for i in range(n)]
        main_args += [f"%{v}{b}: {self.act}" for v in "xt" for b in range(o.microbatches)]
        out = ["module @train_step {",
               f"  func.func public @main({', '.join(main_args)}) -> ({', '.join(types)}) {topology} {{"]
        out += ["    " + l for l in self.lines] + ["  }"]
        out += [f"  func.func private @microbatch({', '.join(args)}) -> ({', '.join(types)}) {topology} {{"]
        out += ["    " + l for l in callee] + ["  }", "}"]
        return "\n".join(out) + "\n"


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--form", choices=["named", "assigned"], default="named")
    for name, value in (("blocks", 24), ("meshes", 4), ("microbatches", 4), ("batch", 16), ("width", 32)):
        ap.add_argument("--" + name, type=int, default=value)
    o = ap.parse_args()
    if o.form == "named":
        names = ", ".join(f"block{i}@m{i * o.meshes // o.blocks}" for i in range(o.blocks))
        print(f"// A training step as a user writes it: {o.blocks} blocks, {o.microbatches} microbatches.\n"
              f"// name-to-mesh-assignment: {names}")
    else:
        print(f"// A training step with its {o.blocks} blocks on {o.meshes} meshes, {o.microbatches} microbatches; what lies between the\n"
              "// blocks is on no mesh yet.")
    print(step(o).text(), end="")


if __name__ == "__main__":
    main()
