#!/usr/bin/env python3
"""Compare the benchmarks of bench_propagation: time, and instructions.

    measure_propagation.py BENCH_PROPAGATION [--ops N] [--floor NAME] [NAME...]

For each NAME (default: use_set_flat) prints how many times the floor's (default: raw_sweep) time and
instructions it takes on the graph of N ops (default 10^6).

Time: the median CPU time of seven repetitions, all kernels interleaved in one run. Instructions: what
callgrind counts for three runs of a kernel less what it counts for one, so that building the graph does
not count; without valgrind they are left out.
"""
import argparse
import json
import re
import shutil
import subprocess
import sys


def times(program, names, ops):
    command = [program, "--benchmark_format=json", "--benchmark_repetitions=7", "--benchmark_min_time=0.2",
               "--benchmark_enable_random_interleaving=true",
               f"--benchmark_filter=^({'|'.join(names)})/{ops}$"]
    said = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    found = {run["run_name"].split("/")[0]: run["cpu_time"] for run in said["benchmarks"]
             if run.get("aggregate_name") == "median"}
    missing = [name for name in names if name not in found]
    if missing:
        sys.exit(f"no benchmark of {ops} ops is called {', '.join(missing)}")
    return found


def instructions(program, name, ops):
    def count(repetitions):
        command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
                   program, "--repeat", name, str(ops), str(repetitions)]
        said = subprocess.run(command, check=True, capture_output=True, text=True).stderr
        return int(re.search(r"Collected : (\d+)", said).group(1))

    return (count(3) - count(1)) / 2


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--ops", type=int, default=10**6)
    parser.add_argument("--floor", default="raw_sweep")
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()
    names = [args.floor] + (args.names or ["use_set_flat"])

    time = times(args.program, names, args.ops)
    count = {}
    if shutil.which("valgrind"):
        count = {name: instructions(args.program, name, args.ops) for name in names}
    else:
        print("valgrind is not there: no instructions")

    print(f"{'':24}{'ns/op':>8}{'ratio':>8}{'instr/op':>10}{'ratio':>8}")
    for name in names:
        line = f"{name:24}{1000 * time[name] / args.ops:8.2f}{time[name] / time[args.floor]:8.2f}"
        if count:
            line += f"{count[name] / args.ops:10.2f}{count[name] / count[args.floor]:8.2f}"
        print(line)


if __name__ == "__main__":
    main()
