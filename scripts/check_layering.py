#!/usr/bin/env python3
"""Check that the public headers include only what their room may include.

    check_layering.py INCLUDE_DIR
    check_layering.py --self-test

The rooms and their arrows are the table ARROWS below. Besides the arrows, the check holds that every
project header is included as <mpmd/...> and exists, and that costly or foreign headers stay out of the
rooms that must be cheap.
"""
import os
import re
import sys
import tempfile

# room: the rooms it may include directly. What those may include it may include too.
ARROWS = {
    "support": [],
    "lattice": ["support"],
    "graph": ["support"],  # a source location, as passes report them
    "dataflow": ["lattice", "graph"],
    "analysis": ["dataflow"],
    "transform": ["analysis"],
    "pipeline": ["transform"],
    "ir": ["support", "graph", "lattice"],
    "text": ["ir"],
    "sim": ["ir"],
    "adapters": ["pipeline", "text"],  # text: the types and attributes of a host that has them as text only
}
VERSION = "mpmd/version.hpp"  # includes nothing, and everything may include it
UMBRELLAS = ["mpmd/mpmd.hpp", "mpmd/all.hpp"]

# A prefix of a foreign header, the headers that may include it, and why no other may.
FOREIGN = [
    ("boost/graph/", "mpmd/adapters/boost_", "seconds of compile time for users of another IR"),
    ("boost/property_map/", "mpmd/adapters/boost_", "seconds of compile time for users of another IR"),
    ("range/v3/all.hpp", None, "over a second of compile time; include the one view"),
    ("mlir/", "mpmd/adapters/mlir", "only users of MLIR have it"),
    ("llvm/", "mpmd/adapters/mlir", "only users of MLIR have it"),
    ("iostream", None, "puts static constructors into every user's program"),
]

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def closure(arrows):
    allowed = {}
    for room in arrows:
        seen, todo = {room}, [room]
        while todo:
            for target in arrows[todo.pop()]:
                if target not in seen:
                    seen.add(target)
                    todo.append(target)
        allowed[room] = seen
    return allowed


def room_of(header):
    parts = header.split("/")
    return parts[1] if len(parts) > 2 else None


def includes_of(path):
    """Yields (line number, bracket, name), with comments and their contents left out."""
    in_comment = False
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if in_comment:
                if "*/" not in line:
                    continue
                line, in_comment = line.split("*/", 1)[1], False
            line = re.sub(r"/\*.*?\*/", " ", line)
            m = INCLUDE.match(line)
            if m:
                yield number, m.group(1), m.group(2)
            code = line.split("//", 1)[0]
            in_comment = "/*" in code


def headers_under(root):
    found = []
    for folder, _, names in os.walk(os.path.join(root, "mpmd")):
        for name in names:
            found.append(os.path.relpath(os.path.join(folder, name), root).replace(os.sep, "/"))
    return sorted(found)


def check(root):
    """Returns the violations, each as one line."""
    allowed = closure(ARROWS)
    headers = headers_under(root)
    problems = []
    for header in headers:
        if not header.endswith(".hpp"):
            problems.append(f"{header}: not a header")
            continue
        room = room_of(header)
        if room is not None and room not in ARROWS:
            problems.append(f"{header}: no room is called '{room}'")
            continue
        if room is None and header not in [VERSION] + UMBRELLAS:
            problems.append(f"{header}: belongs into a room")
            continue
        for line, bracket, name in includes_of(os.path.join(root, header)):
            where = f"{header}:{line}: "
            if header == VERSION:
                problems.append(where + "the version header includes nothing")
            elif bracket == '"':
                problems.append(where + f'write <mpmd/...> instead of "{name}"')
            elif not name.startswith("mpmd/"):
                for prefix, only, why in FOREIGN:
                    if name.startswith(prefix) and not (only and header.startswith(only)):
                        problems.append(where + f"<{name}> is not for this header: {why}")
            elif name not in headers:
                problems.append(where + f"<{name}> does not exist")
            elif header in UMBRELLAS:
                if name.startswith("mpmd/adapters/"):
                    problems.append(where + "adapters need libraries that not every user has")
            elif name in UMBRELLAS:
                problems.append(where + "umbrella headers are for users")
            elif name != VERSION and room_of(name) not in allowed[room]:
                problems.append(where + f"{room}/ may not include {room_of(name)}/ (<{name}>)")
    return problems


def self_test():
    """A sound tree passes, and each planted violation is found."""
    rooms = list(ARROWS)
    allowed = closure(ARROWS)

    def tree(changes):
        files = {VERSION: "#pragma once\n"}
        for room in rooms:
            files[f"mpmd/{room}/a.hpp"] = "".join(
                f"#include <mpmd/{target}/a.hpp>\n" for target in sorted(allowed[room] - {room}))
        for umbrella in UMBRELLAS:
            files[umbrella] = "".join(f"#include <{name}>\n" for name in files if "adapters" not in name)
        files.update(changes(files))
        return files

    def verdict(changes):
        with tempfile.TemporaryDirectory() as root:
            for name, text in tree(changes).items():
                path = os.path.join(root, name)
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
            return check(root)

    def add(header, text):
        return lambda files: {header: files.get(header, "") + text}

    failures = []
    if verdict(lambda files: {}):
        failures.append("a sound tree is refused: " + "; ".join(verdict(lambda files: {})))
    for text in ("// #include <mpmd/ir/a.hpp>\n", "/* \n#include <mpmd/ir/a.hpp>\n*/\n"):
        if verdict(add("mpmd/analysis/a.hpp", text)):
            failures.append("an include in a comment is taken for one")

    planted = [(f"mpmd/{room}/a.hpp", f"#include <mpmd/{target}/a.hpp>\n")
               for room in rooms for target in rooms if target not in allowed[room]]
    planted += [
        ("mpmd/analysis/a.hpp", "#  include  <mpmd/ir/a.hpp> // why\n"),
        ("mpmd/analysis/a.hpp", "/* x */ #include <mpmd/ir/a.hpp>\n"),
        ("mpmd/analysis/a.hpp", '#include "a.hpp"\n'),
        ("mpmd/analysis/a.hpp", "#include <mpmd/lattice/none.hpp>\n"),
        ("mpmd/analysis/a.hpp", "#include <mpmd/mpmd.hpp>\n"),
        ("mpmd/graph/a.hpp", "#include <boost/graph/adjacency_list.hpp>\n"),
        ("mpmd/graph/a.hpp", "#include <mlir/IR/Operation.h>\n"),
        ("mpmd/graph/a.hpp", "#include <iostream>\n"),
        ("mpmd/version.hpp", "#include <string>\n"),
        ("mpmd/mpmd.hpp", "#include <mpmd/adapters/a.hpp>\n"),
        ("mpmd/all.hpp", "#include <mpmd/adapters/a.hpp>\n"),
        ("mpmd/attic/a.hpp", ""),
        ("mpmd/loose.hpp", ""),
        ("mpmd/graph/notes.txt", ""),
    ]
    for header, text in planted:
        if not any(problem.startswith(header) for problem in verdict(add(header, text))):
            failures.append(f"not found: {text.strip() or 'a file'} in {header}")
    for failure in failures:
        print("self-test: " + failure)
    print(f"{len(planted)} planted violations, {len(failures)} failures")
    return 1 if failures else 0


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    if len(sys.argv) != 2 or not os.path.isdir(os.path.join(sys.argv[1], "mpmd")):
        sys.exit(__doc__)
    problems = check(sys.argv[1])
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
