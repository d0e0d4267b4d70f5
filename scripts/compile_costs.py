#!/usr/bin/env python3
"""Measure what headers cost those who include them.

    compile_costs.py [--compiler CXX]... [--runs N] [--output FILE]
        Measures each public header, the umbrella headers and some instantiated analyses, and writes the tables of
        docs/compile_costs.md, to the standard output or a file. Takes minutes. Default compilers: g++, clang++-19.
    compile_costs.py --check [--compiler CXX] [--slack FACTOR]
        Only the targets below; exit status 1 if one is missed by more than the slack (default 1.0: not at all).

A cost is user CPU time of -fsyntax-only, the minimum of several runs (default 5) for what takes less than two seconds;
an instantiated analysis is compiled to an object without optimisation, and what its headers alone cost is subtracted.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
INCLUDE = os.path.join(ROOT, "include")

STANDARD = "<vector>, <span>, <ranges>, <concepts>"
BOOST = "<boost/graph/adjacency_list.hpp>"
BASELINES = {
    STANDARD: "#include <vector>\n#include <span>\n#include <ranges>\n#include <concepts>\n",
    BOOST: "#include <boost/graph/adjacency_list.hpp>\n",
}
TARGETS = [  # header, baseline, at most so many times
    ("mpmd/dataflow/solver.hpp", STANDARD, 1.6),
    ("mpmd/mpmd.hpp", BOOST, 1.3),
]

# A program to instantiate analyses with: a model of mpmd_program which other code knows nothing of.
PROGRAM = """
struct costed { std::vector<unsigned> all; std::string_view mesh; };
template <>
struct mpmd::ir_traits<costed> {
  using op = unsigned;
  using value = unsigned;
  static std::span<op const> ops(costed const& p) { return p.all; }
  static std::span<value const> operands(costed const& p, op) { return p.all; }
  static std::span<value const> results(costed const& p, op) { return p.all; }
  static role role_of(costed const&, op) { return role::compute; }
  static std::string_view mesh_of(costed const& p, value) { return p.mesh; }
};
"""
WINDOWS = """
struct windows { std::vector<unsigned> all; };
template <>
struct mpmd::ir_traits<windows> {
  using op = unsigned;
  using value = unsigned;
  static std::span<op const> ops(windows const& p) { return p.all; }
  static std::span<value const> operands(windows const& p, op) { return p.all; }
  static std::span<value const> results(windows const& p, op) { return p.all; }
  static window_role window_role_of(windows const&, op) { return window_role::other; }
  static device_form<value> device_of(windows const&, op) { return {}; }
  static collective_kind collective_of(windows const&, op) { return {}; }
};
"""
THOUSAND = """
constexpr std::size_t count = 1000;
constexpr auto names = [] {
  std::array<std::array<char, 5>, count> all{};
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t n = i, k = 4; k-- > 0; n /= 10) all[i][k] = static_cast<char>('0' + n % 10);
  return all;
}();
constexpr auto ops = [] {
  std::array<mpmd::static_op<2>, count> all{};
  auto name = [](std::size_t i) { return names[i].data(); };
  for (std::size_t i = 0; i < 100; ++i) all[i] = mpmd::static_ops::argument(name(i));
  for (std::size_t i = 100; i < 900; ++i) all[i] = mpmd::static_ops::compute(name(i), {name(i - 1), name(i % 100)});
  for (std::size_t i = 900; i < count; ++i)
    all[i] = mpmd::static_ops::assign(name(i), name(i - 100), i % 2 == 0 ? "m1" : "m2");
  return all;
}();
constexpr auto program = mpmd::make_static_program(mpmd::static_meshes("m1", "m2"), ops);
"""
INSTANCES = [  # what, includes, definitions, uses
    ("`solve` on a flat graph", "mpmd/dataflow/solver.hpp mpmd/graph/csr_graph.hpp mpmd/lattice/mesh_set.hpp", "",
     "auto f(mpmd::csr_graph<> const& g) {\n"
     "  return mpmd::solve<mpmd::backward>(g, mpmd::mesh_sets<>{8}, [](auto const&, auto, auto&) {});\n}\n"),
    ("`use_sets`", "mpmd/analysis/use_sets.hpp", PROGRAM, "auto f(costed const& p) { return mpmd::use_sets(p); }\n"),
    ("`src_sets` with `use_sets`", "mpmd/analysis/src_sets.hpp", PROGRAM,
     "auto f(costed const& p) { return mpmd::src_sets(p); }\n"),
    ("`use_sets` with labels", "mpmd/analysis/use_sets.hpp mpmd/analysis/sets_with_origins.hpp", PROGRAM,
     "auto f(costed const& p) { return mpmd::use_sets<mpmd::sets_with_origins>(p); }\n"),
    ("`explainer` with `use_sets`", "mpmd/analysis/why.hpp mpmd/analysis/use_sets.hpp", PROGRAM,
     "auto f(costed const& p) {\n  auto const sets = mpmd::use_sets(p);\n  mpmd::explainer why(sets);\n"
     "  return why.why(1, \"m\").size();\n}\n"),
    ("`trace_windows`", "mpmd/analysis/window_trace.hpp", WINDOWS,
     "auto f(windows const& p) { return mpmd::trace_windows(p); }\n"),
    ("the use sets of a static program of 1,000 ops", "mpmd/analysis/static_sets.hpp", "",
     THOUSAND + "static_assert(mpmd::needed_on<program>(\"0000\").size() == 2);\n"),
    ("all sets of a static program of 1,000 ops, checked", "mpmd/analysis/static_sets.hpp", "",
     THOUSAND + "static_assert(mpmd::check_placed<program>());\n"),
]


def user_seconds(compiler, text, folder, flags=("-fsyntax-only",)):
    path = os.path.join(folder, "cost.cpp")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    before = os.times().children_user
    done = subprocess.run([compiler, "-std=c++20", "-I", INCLUDE, *flags, path], capture_output=True, text=True,
                          check=False, cwd=folder)
    if done.returncode != 0:
        sys.exit(f"{compiler} refuses:\n{text}\n{done.stderr[:4000]}")
    return os.times().children_user - before


def costs(compiler, texts, folder, runs, flags=("-fsyntax-only",)):
    """The least time of each text; every run takes all of them in turn, so that a busy moment hits all alike."""
    least = {}
    for _ in range(runs):
        for name, text in texts.items():
            if least.get(name, 0) > 2:
                continue
            least[name] = min(least.get(name, 1e9), user_seconds(compiler, text, folder, flags))
    return least


def include(*headers):
    return "".join(f"#include <{header}>\n" for header in headers)


def check(compiler, runs, slack, folder):
    texts = dict(BASELINES)
    texts.update({header: include(header) for header, _, _ in TARGETS})
    found = costs(compiler, texts, folder, runs)
    status = 0
    for header, baseline, most in TARGETS:
        ratio = found[header] / found[baseline]
        print(f"{compiler}: <{header}> costs {ratio:.2f} times {baseline}; the target is {most}")
        if ratio > most * slack:
            status = 1
    return status


def public_headers():
    found = []
    for folder, _, names in os.walk(os.path.join(INCLUDE, "mpmd")):
        for name in names:
            header = os.path.relpath(os.path.join(folder, name), INCLUDE).replace(os.sep, "/")
            # Adapters to MLIR need MLIR; details and definitions are included by others.
            if not re.search(r"^mpmd/adapters/mlir|/detail/|/definitions\.hpp$", header):
                found.append(header)
    return sorted(found, key=lambda h: (h.count("/") > 1, h))


def report(compilers, runs, folder, out):
    headers = public_headers()
    base, cost, instance = {}, {}, {}
    for compiler in compilers:
        base[compiler] = costs(compiler, BASELINES, folder, max(runs, 5))
        cost[compiler] = costs(compiler, {h: include(h) for h in headers}, folder, runs)
        alone = costs(compiler, {name: include(*used.split()) + defined for name, used, defined, _ in INSTANCES},
                      folder, runs, ("-c", "-O0", "-o", os.devnull))
        whole = costs(compiler, {name: include(*used.split()) + defined + uses for name, used, defined, uses in INSTANCES},
                      folder, runs, ("-c", "-O0", "-o", os.devnull))
        instance[compiler] = {name: whole[name] - alone[name] for name in whole}

    def row(*cells):
        print("| " + " | ".join(cells) + " |", file=out)

    def rule(count):
        print("|" + "---|" * count, file=out)

    print("Baselines, in seconds:\n", file=out)
    row("", *compilers)
    rule(1 + len(compilers))
    for name in BASELINES:
        row(f"**A** `{name}`" if name == STANDARD else f"**B** `{name}`", *(f"{base[c][name]:.2f}" for c in compilers))
    print("\nHeaders, as multiples of the baselines:\n", file=out)
    row("header", *(f"{c}, {b}" for c in compilers for b in "AB"))
    rule(1 + 2 * len(compilers))
    for h in headers:
        row(f"`{h}`", *(f"{cost[c][h] / base[c][b]:.2f}" for c in compilers for b in BASELINES))
    print("\nInstantiated once, beyond the headers:\n", file=out)
    row("what", *(f"{c}, {b}" for c in compilers for b in "AB"), *(f"{c}, s" for c in compilers))
    rule(1 + 3 * len(compilers))
    for name, _, _, _ in INSTANCES:
        row(name, *(f"{instance[c][name] / base[c][b]:.2f}" for c in compilers for b in BASELINES),
            *(f"{instance[c][name]:.2f}" for c in compilers))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compiler", action="append")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--slack", type=float, default=1.0)
    parser.add_argument("--output")
    args = parser.parse_args()
    compilers = args.compiler or [c for c in ("g++", "clang++-19") if shutil.which(c)]
    with tempfile.TemporaryDirectory() as folder:
        if args.check:
            return max(check(c, args.runs, args.slack, folder) for c in compilers)
        if args.output:
            with open(args.output, "w", encoding="utf-8") as out:
                report(compilers, args.runs, folder, out)
        else:
            report(compilers, args.runs, folder, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
