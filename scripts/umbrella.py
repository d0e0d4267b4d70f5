#!/usr/bin/env python3
"""Keep the headers that include others complete: include/mpmd/mpmd.hpp, the analyses, and include/mpmd/all.hpp.

    umbrella.py            rewrite the lists of includes in them
    umbrella.py --check    say what is missing or too much; exit status 1 if anything is
"""
import os
import re
import sys

ROOT = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "include")
# For programs of any IR; it has to stay cheap (scripts/compile_costs.py --check), so nothing of the library's own IR,
# no passes, and no reports belong to it.
ANALYSES = "mpmd/mpmd.hpp"
ANALYSIS_ROOMS = ["", "support", "lattice", "graph", "dataflow", "analysis"]
NOT_OF_ANALYSES = re.compile(r"archetypes\.hpp$|^mpmd/analysis/placement_")
EVERYTHING = "mpmd/all.hpp"
ROOMS = ["", "support", "lattice", "graph", "dataflow", "analysis", "transform", "pipeline", "ir", "text", "sim"]

# Left out: what needs a library that not every user has; what only other headers include; and what serves
# tests, which pay for it by name. Definitions come with what declares them, unless they are compiled apart.
LEFT_OUT = re.compile(r"^mpmd/adapters/|/detail/|/definitions\.hpp$|^mpmd/lattice/laws|^mpmd/graph/archetypes")


def room_of(header):
    return "/".join(header.split("/")[1:-1])


def headers():
    found = []
    for folder, _, names in os.walk(os.path.join(ROOT, "mpmd")):
        for name in names:
            header = os.path.relpath(os.path.join(folder, name), ROOT).replace(os.sep, "/")
            if header.endswith(".hpp") and header not in (ANALYSES, EVERYTHING) and not LEFT_OUT.search(header):
                found.append(header)

    def place(header):
        room = room_of(header)
        return (ROOMS.index(room) if room in ROOMS else len(ROOMS), header)

    return sorted(found, key=place)


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    everything = headers()
    analyses = [h for h in everything if room_of(h) in ANALYSIS_ROOMS and not NOT_OF_ANALYSES.search(h)]
    lists = {ANALYSES: analyses, EVERYTHING: [ANALYSES] + [h for h in everything if h not in analyses]}
    status = 0
    for umbrella, includes in lists.items():
        path = os.path.join(ROOT, umbrella)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        new = text.split("#include", 1)[0] + "".join(f"#include <{header}>\n" for header in includes)
        if sys.argv[1:] == []:
            with open(path, "w", encoding="utf-8") as file:
                file.write(new)
        elif new != text:
            status = 1
            listed, needed = (set(re.findall(r"#include <(.*)>", t)) for t in (text, new))
            for header in sorted(needed - listed):
                print(f"{umbrella}: <{header}> is missing")
            for header in sorted(listed - needed):
                print(f"{umbrella}: <{header}> should not be there")
    if status:
        print("scripts/umbrella.py without arguments writes the lists anew")
    return status


if __name__ == "__main__":
    sys.exit(main())
