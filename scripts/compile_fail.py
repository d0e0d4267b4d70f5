#!/usr/bin/env python3
"""Check that a file is refused by the compiler with the error that a user should see.

    compile_fail.py --compiler CXX --include DIR FILE
    compile_fail.py --compiler CXX --include DIR --self-test

The file states what it expects, one text a line:

    // expect: TEXT          with any compiler
    // expect-g++: TEXT      with GCC only
    // expect-clang: TEXT    with Clang only

The check passes when the compile fails and every text for this compiler stands in the first ten lines
of what the compiler says. A file that mentions MPMD_CONTROL must also compile when that macro is defined:
so the fault shown is the only one.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile

FIRST_LINES = 10
EXPECT = re.compile(r"^\s*//\s*expect(-g\+\+|-clang)?:\s*(.*?)\s*$")


def compiler_kind(compiler):
    said = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=True).stdout
    return "-clang" if "clang" in said else "-g++"


def compile_file(compiler, include, path, flags=()):
    command = [compiler, "-std=c++20", "-fsyntax-only", "-I", include, *flags, path]
    result = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"})
    return result.returncode, result.stderr


def check(compiler, kind, include, path):
    """Returns the list of what is wrong with the file: empty when it passes."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    expected = [m.group(2) for m in map(EXPECT.match, text.splitlines()) if m and m.group(1) in (None, kind)]
    if not expected:
        return ["the file expects nothing of this compiler"]
    if not all(expected):
        return ["an expected text is empty"]
    status, said = compile_file(compiler, include, path)
    first = "\n".join(said.splitlines()[:FIRST_LINES])
    if status == 0:
        return ["it compiles, but should not"]
    problems = [f"not in the first {FIRST_LINES} lines: {text}" for text in expected if text not in first]
    if problems:
        problems.append("the compiler said:\n" + "\n".join(said.splitlines()[: 3 * FIRST_LINES]))
    if "MPMD_CONTROL" in text:
        status, said = compile_file(compiler, include, path, ["-DMPMD_CONTROL"])
        if status != 0:
            problems.append("with MPMD_CONTROL it should compile:\n" + said[:4000])
    return problems


SELF_TESTS = [  # name, text of the file, whether the check passes
    ("refused as expected", "// expect: need an apple\nstatic_assert(false, \"need an apple\");\n", True),
    ("compiles", "// expect: need an apple\nint x;\n", False),
    ("another error", "// expect: need an apple\nint x = y;\n", False),
    ("one of two texts", "// expect: an apple\n// expect: a pear\nstatic_assert(false, \"an apple\");\n", False),
    ("too late", "// expect: need an apple\n" + "int x = y;\n" * 10 +
     "static_assert(false, \"need an apple\");\n", False),
    ("expects nothing", "static_assert(false, \"need an apple\");\n", False),
    ("control compiles", "// expect: need an apple\n#ifndef MPMD_CONTROL\n"
     "static_assert(false, \"need an apple\");\n#endif\n", True),
    ("control fails", "// expect: need an apple\n#ifdef MPMD_CONTROL\nint x = y;\n#endif\n"
     "static_assert(false, \"need an apple\");\n", False),
    ("only this compiler's texts", "// expect-g++: apple\n// expect-clang: apple\n"
     "static_assert(false, \"apple\");\n", True),
]


def self_test(compiler, kind, include):
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "case.cpp")
        for name, text, passes in SELF_TESTS:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            if (not check(compiler, kind, include, path)) != passes:
                print(f"self-test: the case '{name}' is judged wrongly")
                failed += 1
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--include", required=True)
    parser.add_argument("--self-test", action="store_true")
    parser.add_argument("file", nargs="?")
    args = parser.parse_args()
    kind = compiler_kind(args.compiler)
    if args.self_test:
        return 1 if self_test(args.compiler, kind, args.include) else 0
    if not args.file:
        parser.error("which file?")
    problems = check(args.compiler, kind, args.include, args.file)
    for problem in problems:
        print(f"{args.file}: {problem}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
