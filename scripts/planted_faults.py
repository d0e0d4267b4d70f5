#!/usr/bin/env python3
"""Plant faults into passes, one at a time, and check that the generated programs catch each of them.

    planted_faults.py --compiler CXX [--only NAME] [--jobs N]

The headers of the passes stay as they are: a copy of one, with the fault in it, comes before it on the include path of
tests/planted_faults/caught.cpp, which runs generated programs through the passes. That program must succeed without a
fault and fail with each. A fault that crashes or hangs is not one that a test has caught, and fails the check too.
"""
import argparse
import concurrent.futures
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = ROOT / "tests/planted_faults/caught.cpp"

# What is wrong: the header under include/mpmd/transform, the text that stands there once, and what takes its place.
FAULTS = {
    "a transfer is dropped": (
        "transfer_routes.hpp", "stops.push_back(send(at, t, first));", "stops.push_back(at);"),
    "a transfer starts at the wrong copy": (
        "lower_reduce.hpp", "brought.push_back(transferred(v, type));",
        "brought.push_back(transferred(parts.front(), type));"),
    "a sum leaves out the last mesh": (
        "lower_reduce.hpp", "for (value_t<P> const v : parts) brought",
        "if (parts.size() > 1) parts.pop_back();\n    for (value_t<P> const v : parts) brought"),
    "a fragment takes its operands on another mesh": (
        "wrap_in_fragment.hpp", "traits::mesh_type(p, t, mesh, {}) : t; };",
        'traits::mesh_type(p, t, mesh == "m1" ? "m2" : "m1", {}) : t; };'),
    "operands are swapped": (
        "fragment_absorber.hpp", "traits::set_operand(program_, o, i, inside.at(operands[i]));",
        "traits::set_operand(program_, o, i, inside.at(operands[operands.size() - 1 - i]));"),
    "a clone is forgotten": (
        "fragment_absorber.hpp", "    if (copy) {", "    if (copy && consumed.empty()) {"),
    "results of a fragment are mixed up": (
        "map_named_ops_to_mpmd_ops.hpp", "value_t<P> outside = placed[i];",
        "value_t<P> outside = placed[traits::type_of(p, placed[i]) == traits::type_of(p, placed[0]) ? 0 : i];"),
    "a loop does not carry what it computed": (
        "unroll_for_loops.hpp", "carried[i++] = at == map.end() ? v : at->second;",
        "if (turn == 0) carried[i] = at == map.end() ? v : at->second; ++i;"),
    "an op with effects counts as dead": (
        "simplify_region_op.hpp", "has_unused_results(p, o) && ir_traits<P>::is_pure(p, o)", "has_unused_results(p, o)"),
    "a computation gives what it was given instead of another operand": (
        "simplify_region_op.hpp", "redirect(results[i], operands[passed->second]);",
        "redirect(results[i], operands.front());"),
    "a tree of sums loses an operand": (
        "convert_reduce_ops.hpp", "      replace(root, kind, operands);",
        "      if (operands.size() > 2) operands.pop_back();\n      replace(root, kind, operands);"),
    "a reduction becomes one of another kind": (
        "convert_reduce_ops.hpp", ".reduction = kind},", ".reduction = reduction_kind::max},"),
    "a call hands on the first operand for all copies": (
        "detail/call_rewriter.hpp", "bring(old_operands[i], static_cast<std::size_t>(to));",
        "bring(old_operands.front(), static_cast<std::size_t>(to));"),
    "a reused transfer stays behind its user": (
        "detail/assign_folder.hpp", "if (at && !traits::comes_before(program_, transfer, at)) rewriter_.move",
        "if (false) rewriter_.move"),
    "an argument that is passed on is taken for another one": (
        "erase_unused_callee_block_arguments.hpp", "replace_uses(p, results[i], operands[from->second]);",
        "replace_uses(p, results[i], operands.front());"),
}


def caught(compiler, fault):
    """How the program ends: None if it does not compile, else its status and what it says."""
    with tempfile.TemporaryDirectory() as scratch:
        include = pathlib.Path(scratch)
        if fault:
            header, before, after = FAULTS[fault]
            text = (ROOT / "include/mpmd/transform" / header).read_text(encoding="utf-8")
            if text.count(before) != 1:
                return None, f"what the fault changes stands {text.count(before)} times in {header}: {before}"
            copy = include / "mpmd/transform" / header
            copy.parent.mkdir(parents=True)
            copy.write_text(text.replace(before, after), encoding="utf-8")
        program = include / "caught"
        command = [compiler, "-std=c++20", "-O0", "-w", "-I", include, "-I", ROOT / "include", "-I", ROOT / "tests",
                   PROGRAM, "-o", program]
        built = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"})
        if built.returncode != 0:
            return None, built.stderr[:2000]
        try:
            ran = subprocess.run([program], capture_output=True, text=True, timeout=300)
        except subprocess.TimeoutExpired:
            return None, "it does not end"
        return ran.returncode, ran.stdout[:300] + ran.stderr[:300]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--only", help="this fault alone")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    args = parser.parse_args()
    names = [args.only] if args.only else ["", *FAULTS]
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for name, (status, said) in zip(names, pool.map(lambda name: caught(args.compiler, name), names)):
            good = status == (1 if name else 0)
            failed += not good
            print(f"{'caught' if good and name else 'passed' if good else 'FAILED'}: {name or 'no fault'}")
            if not good or args.only:
                print(f"  status {status}: {said}")
    print(f"{len(names) - failed} of {len(names)} as they should be")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
