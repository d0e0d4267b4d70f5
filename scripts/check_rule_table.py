#!/usr/bin/env python3
"""Check that every test a table of rules names is there.

    check_rule_table.py [DOCUMENT] [KIND=COUNT]...     default: docs/host_rules.md
    check_rule_table.py --self-test

With KIND=COUNT, as in "import=25", the document holds one table and no more, and the first cells of its rows name the
items "import 1" to "import 25", each at least once, and no other numbers.

A row of such a table ends in a cell that names tests: letters in bold, which the document explains in lines like
"**S** `tests/transform/x_test.cpp`", each followed by the names of tests in quotes. A test is a TEST_CASE, a SUBCASE or a
string in the file, spelled as it is there. A row for which there can be no test says "none: " and why.
"""
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ITEM = re.compile(r"\b([a-z]+) (\d+)\b")
FILE = re.compile(r"\*\*(\w+)\*\* `(tests/[^`]+)`")
CELL = re.compile(r'\*\*(\w+)\*\*|"([^"]+)"')


def source(path):
    with open(path, encoding="utf-8") as file:
        # Literals that are written in pieces are one.
        return re.sub(r'"\s*\n\s*"', "", file.read())


def uncovered(text, counts):
    """What is wrong with the items in the first cells of the one table."""
    tables = len(re.findall(r"^\|-", text, re.M))
    found = [] if tables == 1 else [f"there are {tables} tables"]
    firsts = [line.strip("| ").split(" | ")[0] for line in text.splitlines() if line.startswith("| ")]
    named = {(kind, int(number)) for first in firsts for kind, number in ITEM.findall(first)}
    wanted = {(kind, number) for kind, count in counts.items() for number in range(1, count + 1)}
    found += [f"no row is about {kind} {number}" for kind, number in sorted(wanted - named)]
    return found + [f"a row is about {kind} {number}, which there is not" for kind, number in sorted(named - wanted)]


def problems(text, read):
    files, found, rows = {}, [], 0
    for letter, path in FILE.findall(text):
        files[letter] = path
    for number, line in enumerate(text.splitlines(), 1):
        cells = [c.strip() for c in line.strip().strip("|").split(" | ")]
        if not line.startswith("| ") or len(cells) < 2 or set(cells[-1]) <= set("-| ") or cells[-1] in ("test", "tests"):
            continue
        rows += 1
        if cells[-1].startswith("none: "):
            continue
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
    assert problems(head + "| r | none: there is nothing to test |\n", sources.get) == []
    assert problems("no table", sources.get) == ["there is no table"]
    table = "| item | test |\n|---|---|\n| a 1, b 2 | x |\n| a 2 | x |\n"
    assert uncovered(table, {"a": 2, "b": 2}) == ["no row is about b 1"]
    assert uncovered(table, {"a": 1, "b": 0}) == ["a row is about a 2, which there is not", "a row is about b 2, which there is not"]
    assert uncovered(table + "\n" + table, {"a": 2})[0] == "there are 2 tables"


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    cache = {}

    def read(path):
        if path not in cache:
            whole = os.path.join(ROOT, path)
            cache[path] = source(whole) if os.path.exists(whole) else ""
        return cache[path]

    counts = {kind: int(count) for kind, count in (a.split("=") for a in sys.argv[2:])}
    document = sys.argv[1] if len(sys.argv) > 1 else "docs/host_rules.md"
    with open(os.path.join(ROOT, document), encoding="utf-8") as file:
        text = file.read()
    found = problems(text, read) + (uncovered(text, counts) if counts else [])
    for problem in found:
        print(f"{document}: {problem}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
