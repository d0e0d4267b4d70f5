#!/usr/bin/env python3
"""Write the library as one header, for projects that copy a file rather than install a library.

    single_header.py [--of HEADER] [--output FILE]   to the standard output or a file
    single_header.py [--of HEADER] --check FILE      exit status 1 if the file is not what would be written

HEADER is mpmd/all.hpp (default), mpmd/mpmd.hpp for the analyses alone, or any other header of the library. The result
depends on the headers only, and needs nothing but the standard library. Readers and printers
cannot be compiled separately with it (MPMD_SEPARATE_TEXT).
"""
import argparse
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
INCLUDE = re.compile(r"^\s*#\s*include\s*<([^>]+)>")
DIRECTIVE = re.compile(r"^\s*#\s*(if|ifdef|ifndef|else|elif|endif)\b\s*(.*?)\s*$")
SEPARATE = "MPMD_SEPARATE_TEXT"


class single_header:
    def __init__(self):
        self.foreign = set()
        self.seen = set()
        self.lines = []

    def add(self, header):
        """Appends a header where it is first included; its own includes come before it."""
        if header in self.seen:
            return
        self.seen.add(header)
        with open(os.path.join(ROOT, "include", header), encoding="utf-8") as file:
            lines = file.read().splitlines()
        body = [f"// --- {header}"]
        keeps = []  # for each open condition: whether its lines are kept, or None for one that stays in the text
        for number, line in enumerate(lines, 1):
            directive = DIRECTIVE.match(line)
            if directive:
                kind, what = directive.groups()
                if kind in ("if", "ifdef", "ifndef"):
                    keeps.append(kind == "ifndef" if what == SEPARATE and kind != "if" else None)
                    if keeps[-1] is not None:
                        continue
                elif not keeps:
                    sys.exit(f"{header}:{number}: #{kind} without #if")
                elif keeps[-1] is not None:
                    if kind == "endif":
                        keeps.pop()
                    else:
                        keeps[-1] = not keeps[-1]
                    continue
                elif kind == "endif":
                    keeps.pop()
            if False in keeps:
                continue
            included = INCLUDE.match(line)
            if not included:
                if line.strip() != "#pragma once":
                    body.append(line)
                continue
            if None in keeps:
                sys.exit(f"{header}:{number}: an include under a condition that depends on who includes it")
            if included.group(1).startswith("mpmd/"):
                self.flush(body)
                self.add(included.group(1))
            else:
                self.foreign.add(included.group(1))
        self.flush(body)

    def flush(self, body):
        text = "\n".join(body).strip("\n")
        if text and not text.startswith("// --- ") or "\n" in text:
            self.lines.append(text + "\n")
        body[:] = []

    def text(self, of):
        self.add(of)
        with open(os.path.join(ROOT, "include/mpmd/version.hpp"), encoding="utf-8") as file:
            version = ".".join(re.findall(r"#define MPMD_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", file.read()))
        head = [
            "#pragma once",
            f"// mpmd {version}: <{of}> and all that it includes, by scripts/single_header.py. Licence: Apache-2.0.",
            f"#ifdef {SEPARATE}",
            "#error one header for all cannot be compiled apart: use the headers of the library",
            "#endif",
            "",
        ]
        head += [f"#include <{header}>" for header in sorted(self.foreign)]
        return "\n".join(head) + "\n\n" + re.sub(r"\n{3,}", "\n\n", "\n".join(self.lines))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--of", default="mpmd/all.hpp")
    parser.add_argument("--output")
    parser.add_argument("--check")
    args = parser.parse_args()
    text = single_header().text(args.of)
    if args.check:
        with open(args.check, encoding="utf-8") as file:
            if file.read() == text:
                return 0
        print(f"{args.check} is not what the headers give: write it anew")
        return 1
    if args.output:
        with open(args.output, "w", encoding="utf-8") as file:
            file.write(text)
    else:
        sys.stdout.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
