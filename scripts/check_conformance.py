#!/usr/bin/env python3
"""Run the conformance corpora that lie beside the checkout against the built tool.

    check_conformance.py [--tool PATH] [--list FILE]

The list says which folders are run and how many cases of each may fail. Where the corpora are not there,
or the tool is not built, nothing is run and the output says so.
"""
import argparse
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SUMMARY = re.compile(r"^(\d+) passed, (\d+) failed$")


def entries(path):
    with open(path, encoding="utf-8") as file:
        for line in file:
            words = line.split("#", 1)[0].split()
            if words:
                yield int(words[0]), words[1], words[2:]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", default=os.path.join(ROOT, "build", "release", "bin", "mpmd-opt"))
    parser.add_argument("--list", default=os.path.join(ROOT, "scripts", "conformance_paths.txt"))
    args = parser.parse_args()
    corpora = os.path.join(os.path.dirname(ROOT), "shared", "conformance")
    runner = os.path.join(corpora, "run.py")
    for needed in (runner, args.tool):
        if not os.path.exists(needed):
            print(f"not run: there is no {os.path.relpath(needed, ROOT)}")
            return 0
    bad = 0
    for allowed, path, more in entries(args.list):
        command = [sys.executable, runner, "--tool", args.tool, "--verbose", *more, os.path.join(corpora, path)]
        said = subprocess.run(command, capture_output=True, text=True)
        m = SUMMARY.match((said.stdout.splitlines() or [""])[-1])
        title = " ".join([path, *more])
        if not m:
            print(f"{title}: the runner gave no result\n{said.stdout}{said.stderr}")
            bad += 1
            continue
        passed, failed = int(m.group(1)), int(m.group(2))
        print(f"{title}: {passed} passed, {failed} failed, {allowed} allowed to fail")
        if failed > allowed or passed == 0:
            print(said.stdout[-20000:])
            bad += 1
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
