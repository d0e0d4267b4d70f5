#!/usr/bin/env python3
"""Compare the passes on the library's own IR with the same passes in MLIR's mlir-opt, through the plugin.

    compare_with_mlir.py [--tool mpmd-opt] [--plugin mpmd_mlir_plugin.so] [--generate generate_programs] [--count N]

Every case of the import corpus, every training step beside the checkout and generated programs are brought into
generic form and go through both. What comes out is read and printed by the tool, and has to agree byte for byte; where
a pass refuses a program, both have to, with the same reports at the same lines. What is not there is skipped, with a
line that says so. Prints how much was compared, and how much differs.
"""
import argparse
import importlib.util
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
REPORT = re.compile(r"^(?:[^\n]*?:(\d+):\d+: )?(error|warning|remark|note): (.*)$", re.M)
OF_MODULE = "1"  # its line in generic form: where MLIR, unlike the tool, puts reports about no op
IGNORED = {"-split-input-file", "-verify-diagnostics", "%s", "2>&1", "-allow-unregistered-dialect"}
OF_MLIR = {"inline", "cse", "canonicalize", "symbol-dce"}  # the plugin puts mpmd- in front


def passes_of(command):
    """The passes of a RUN line with their options, or None if it asks for more than passes."""
    words = shlex.split(command.split("|")[0])
    found = []
    for word in words[1:]:
        if word in IGNORED or "=" + word in IGNORED:
            continue
        name, _, options = word.lstrip("-").partition("=")
        if not word.startswith("-") or word.startswith("-mlir") or name in ("o", "x"):
            return None
        found.append((name, options))
    return found or None


def run(command, text):
    return subprocess.run(command, input=text, capture_output=True, text=True, timeout=600)


class Comparison:
    def __init__(self, args):
        self.args = args
        self.on_mlir = [args.mlir_opt, "--load-pass-plugin=" + args.plugin, "--allow-unregistered-dialect"]

    def generic(self, text):
        made = run([self.args.tool, "--mlir-print-op-generic", "-"], text)
        return made.stdout if made.returncode == 0 else None

    def ours(self, text, passes):
        return run([self.args.tool, "-", *(f"-{n}={o}" for n, o in passes)], text)

    def theirs(self, text, passes):
        named = ((f"mpmd-{n}" if n in OF_MLIR else n, o) for n, o in passes)
        pipeline = ",".join(n + ("{" + o + "}" if o else "") for n, o in named)
        return run([*self.on_mlir, f"--pass-pipeline=builtin.module({pipeline})", "--mlir-print-op-generic", "-"], text)

    def difference(self, text, passes):
        """None when both agree, '' when there is nothing to compare, else what differs."""
        generic = self.generic(text)
        if generic is None:
            return ""
        ours, theirs = self.ours(generic, passes), self.theirs(generic, passes)
        said = [[(m[1] or OF_MODULE, m[2], m[3]) for m in REPORT.finditer(r.stderr)] for r in (ours, theirs)]
        if (ours.returncode == 0) != (theirs.returncode == 0):
            return f"exit status {ours.returncode} and {theirs.returncode}\n{ours.stderr[:2000]}\n---\n{theirs.stderr[:2000]}"
        if said[0] != said[1]:
            return "reports differ:\n" + "\n".join(f"  {r}" for r in said)
        if ours.returncode != 0:
            return None
        read = run([self.args.tool, "-"], theirs.stdout)
        if read.returncode != 0:
            return "the output cannot be read: " + read.stderr[:2000]
        if read.stdout == ours.stdout:
            return None
        with tempfile.TemporaryDirectory() as folder:
            names = [os.path.join(folder, n) for n in ("ours", "mlir")]
            for name, out in zip(names, (ours.stdout, read.stdout)):
                with open(name, "w", encoding="utf-8") as file:
                    file.write(out)
            return subprocess.run(["diff", "-u", *names], capture_output=True, text=True).stdout[:4000]


def corpus(shared, path, only):
    """(name, text, passes) of every case and RUN line of the import corpus."""
    spec = importlib.util.spec_from_file_location("conformance", os.path.join(shared, "conformance", "run.py"))
    runner = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(runner)
    for name in sorted(os.listdir(path)):
        if not name.endswith(".mlir") or only not in name:
            continue
        with open(os.path.join(path, name), encoding="utf-8") as file:
            text = file.read()
        commands = runner.run_lines(text)
        cases = runner.cases_of(text, any("-split-input-file" in c for c in commands))
        for command in commands:
            passes = passes_of(command)
            for k, case in enumerate(cases):
                if passes:
                    yield f"{name}#{k}", case, passes


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    built = os.path.join(ROOT, "build", "clang", "bin")
    parser.add_argument("--tool", default=os.path.join(built, "mpmd-opt"))
    parser.add_argument("--plugin", default=os.path.join(built, "mpmd_mlir_plugin.so"))
    parser.add_argument("--mlir-opt", default="mlir-opt-19")
    parser.add_argument("--generate", default=os.path.join(built, "generate_programs"), help="the program that prints generated programs")
    parser.add_argument("--count", default="500", help="how many of them")
    parser.add_argument("--seed", default="0")
    parser.add_argument("--shared", default=os.path.join(os.path.dirname(ROOT), "shared"))
    parser.add_argument("--corpus", default="import")
    parser.add_argument("--only", default="")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()
    args.tool, args.plugin = os.path.abspath(args.tool), os.path.abspath(args.plugin)
    for needed in (args.tool, args.plugin, shutil.which(args.mlir_opt) or args.mlir_opt):
        if not os.path.exists(needed):
            print(f"skipped: there is no {needed}; MLIR 19 is needed to build the plugin and to run it")
            return 0
    compare = Comparison(args)
    bad = 0

    def report(title, work):
        nonlocal bad
        with ThreadPoolExecutor(max_workers=args.jobs) as pool:
            found = list(pool.map(lambda w: (w[0], compare.difference(w[1], w[2])), work))
        differing = [(n, d) for n, d in found if d]
        skipped = sum(d == "" for _, d in found)
        print(f"{title}: {len(found) - skipped} compared, {len(differing)} differ"
              + (f", {skipped} not read by the tool" if skipped else ""), flush=True)
        for name, what in differing if args.verbose else differing[:3]:
            print(f"-- {name}\n{what}")
        bad += len(differing)

    cases = os.path.join(args.shared, "conformance", "mpmd", args.corpus)
    if os.path.isdir(cases):
        found = list(corpus(args.shared, cases, args.only))
        report(f"cases of mpmd/{args.corpus}", found)
        texts = dict((name, text) for name, text, _ in found)
        report("the same through cse and symbol-dce",
               [(name, text, [("cse", ""), ("symbol-dce", "")]) for name, text in texts.items()])
        report("the same through canonicalize", [(name, text, [("canonicalize", "")]) for name, text in texts.items()])
    else:
        print(f"skipped: there is no {os.path.relpath(cases, ROOT)}")
    steps = os.path.join(args.shared, "inputs", "train-steps")
    if os.path.isdir(steps) and not args.only:
        work = []
        for name in sorted(os.listdir(steps)):
            with open(os.path.join(steps, name), encoding="utf-8") as file:
                text = file.read()
            names = ",".join(re.findall(r"\w+@\w+", re.search(r"name-to-mesh-assignment: (.*)", text).group(1)))
            placed = "name-to-mesh-assignment=" + names
            for passes in ([("mpmd-map-named-ops-to-mpmd-ops", "assignment=" + names), ("mpmd-introduce-transfers", ""),
                            ("mpmd-infer-mesh-populate-use-set", ""), ("mpmd-infer-mesh-populate-src-set", "")],
                           [("mpmd-map-named-ops-to-mpmd-ops", "assignment=" + names), ("mpmd-introduce-transfers", ""),
                            ("mpmd-infer-mesh-pipeline", "infer-transfers=true")],
                           [("mpmd-import-pipeline", placed + " infer-transfers=true")],
                           [("mpmd-import-pipeline", placed + " merge-after-scheduling=true")]):
                work.append((name, text, passes))
        report("training steps, four lists of passes each", work)
    elif not args.only:
        print(f"skipped: there is no {os.path.relpath(steps, ROOT)}")
    if os.path.exists(args.generate) and not args.only:
        made = run([args.generate, args.count, args.seed], "").stdout
        work = []
        for i, program in enumerate(re.split(r"^// -----$", made, flags=re.M)):
            words = re.search(r"^// passes: (.*)$", program, re.M).group(1).split()
            passes = [(n, o) for n, _, o in (w.partition("=") for w in words)]
            work.append((f"generated program {int(args.seed) + i}", program, passes))
        report("generated programs", work)
    elif not args.only:
        print(f"skipped: there is no {os.path.relpath(args.generate, ROOT)}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
