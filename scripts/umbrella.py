#!/usr/bin/env python3
"""Keep include/mpmd/mpmd.hpp, the header that includes all others, complete.

    umbrella.py            rewrite the list of includes in it
    umbrella.py --check    say what is missing or too much; exit status 1 if anything is
"""
import os
import re
import sys

ROOT = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "include")
UMBRELLA = "mpmd/mpmd.hpp"
ROOMS = ["", "support", "lattice", "graph", "dataflow", "analysis", "transform", "pipeline", "ir", "text", "sim"]

# Left out: what needs a library that not every user has; what only other headers include; and what serves
# tests, which pay for it by name. Definitions come with what declares them, unless they are compiled apart.
LEFT_OUT = re.compile(r"^mpmd/adapters/|/detail/|/definitions\.hpp$|^mpmd/lattice/laws|^mpmd/graph/archetypes")


def wanted():
    found = []
    for folder, _, names in os.walk(os.path.join(ROOT, "mpmd")):
        for name in names:
            header = os.path.relpath(os.path.join(folder, name), ROOT).replace(os.sep, "/")
            if header.endswith(".hpp") and header != UMBRELLA and not LEFT_OUT.search(header):
                found.append(header)

    def place(header):
        room = "/".join(header.split("/")[1:-1])
        return (ROOMS.index(room) if room in ROOMS else len(ROOMS), header)

    return sorted(found, key=place)


def main():
    path = os.path.join(ROOT, UMBRELLA)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    head = text.split("#include", 1)[0]
    new = head + "".join(f"#include <{header}>\n" for header in wanted())
    if sys.argv[1:] == []:
        with open(path, "w", encoding="utf-8") as file:
            file.write(new)
        return 0
    if sys.argv[1:] != ["--check"]:
        sys.exit(__doc__)
    if new == text:
        return 0
    listed, needed = (set(re.findall(r"#include <(.*)>", t)) for t in (text, new))
    for header in sorted(needed - listed):
        print(f"{UMBRELLA}: <{header}> is missing")
    for header in sorted(listed - needed):
        print(f"{UMBRELLA}: <{header}> should not be there")
    print("scripts/umbrella.py without arguments writes the list anew")
    return 1


if __name__ == "__main__":
    sys.exit(main())
