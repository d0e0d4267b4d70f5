#!/usr/bin/env python3
"""Check that every test a table of rules names is there.

    check_rule_table.py [DOCUMENT]...     default: docs/host_rules.md
    check_rule_table.py --self-test

A row of such a table ends in a cell that names tests: letters in bold, which the document explains in lines like
"**S** `tests/transform/x_test.cpp`", each followed by the names of tests in quotes. A test is a TEST_CASE, a SUBCASE or a
string in the file, spelled as it is there.
"""
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FILE = re.compile(r"\*\*(\w+)\*\* `(tests/[^`]+)`")
CELL = re.compile(r'\*\*(\w+)\*\*|"([^"]+)"')


def source(path):
    with open(path, encoding="utf-8") as file:
        # Literals that are written in pieces are one.
        return re.sub(r'"\s*\n\s*"', "", file.read())


def problems(text, read):
    files, found, rows = {}, [], 0
    for letter, path in FILE.findall(text):
        files[letter] = path
    for number, line in enumerate(text.splitlines(), 1):
        cells = [c.strip() for c in line.strip().strip("|").split(" | ")]
        if not line.startswith("| ") or len(cells) < 2 or set(cells[-1]) <= set("-| ") or cells[-1] == "test":
            continue
        rows += 1
        letter, tests = None, 0
        for new, name in CELL.findall(cells[-1]):
            if new:
                letter = new
                if letter not in files:
                    found.append(f"line {number}: no file is called {letter}")
                continue
            tests += 1
            if letter not in files:
                found.append(f'line {number}: "{name}" is in no file')
            elif f'"{name}"' not in read(files[letter]):
                found.append(f'line {number}: {files[letter]} has no test "{name}"')
        if tests == 0:
            found.append(f"line {number}: names no test")
    if rows == 0:
        found.append("there is no table")
    return found


def self_test():
    sources = {"tests/a_test.cpp": 'TEST_CASE("it works") {}'}
    head = "**A** `tests/a_test.cpp`\n\n| rule | test |\n|---|---|\n"
    assert problems(head + '| r | **A** "it works" |\n', sources.get) == []
    assert problems(head + '| r | **A** "it fails" |\n', sources.get) == ['line 5: tests/a_test.cpp has no test "it fails"']
    assert problems(head + '| r | **B** "it works" |\n', sources.get) != []
    assert problems(head + "| r | none |\n", sources.get) == ["line 5: names no test"]
    assert problems("no table", sources.get) == ["there is no table"]


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    cache = {}

    def read(path):
        if path not in cache:
            whole = os.path.join(ROOT, path)
            cache[path] = source(whole) if os.path.exists(whole) else ""
        return cache[path]

    failed = False
    for document in sys.argv[1:] or ["docs/host_rules.md"]:
        with open(os.path.join(ROOT, document), encoding="utf-8") as file:
            for problem in problems(file.read(), read):
                print(f"{document}: {problem}")
                failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
