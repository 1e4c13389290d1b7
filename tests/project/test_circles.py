#!/usr/bin/env python3
"""No circle of files or of rooms (folders): if A calls or includes B, then no calls or includes lead from B back to A.

Calls are read from the symbols of the object files. The table of a backend is data that the backend fills: the
file that finds the table by name makes no arrow to the backend.
A header and the source of its name count as one file too. In ewald/mpi rooms make no circle by includes either.
SPDX-License-Identifier: BSD-3-Clause
"""
import collections
import os
import re
import subprocess
import sys

SOURCE, BUILD = os.environ["SOURCE"], os.environ["BUILD"]
ROOTS = ("src", "nufft", "ewald")


def circles(arrows):
    """Strongly connected parts of more than one node (Tarjan 1972)."""
    number, low, stack, found = {}, {}, [], []

    def visit(node):
        number[node] = low[node] = len(number)
        stack.append(node)
        for other in arrows.get(node, ()):
            if other not in number:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], number[other])
        if low[node] == number[node]:
            part = set()
            while node not in part:
                part.add(stack.pop())
            if len(part) > 1:
                found.append(part)

    for node in list(arrows):
        if node not in number:
            visit(node)
    return found


def source_of(path):
    """The source of an object file: nufft/cpu/sort.c for .../nufft/CMakeFiles/NAME.dir/cpu/sort.c.o. None if it is not
    in ROOTS."""
    match = re.match(r"(.*?)/?CMakeFiles/[^/]*\.dir/(.*)\.o$", os.path.relpath(path, BUILD))
    name = os.path.normpath(os.path.join(match[1], match[2])) if match else ""
    return name if name.split("/")[0] in ROOTS and os.path.exists(os.path.join(SOURCE, name)) else None


def calls():
    defined, needed = {}, collections.defaultdict(set)
    for folder, _, names in os.walk(BUILD):
        for name in names:
            source = name.endswith(".o") and source_of(os.path.join(folder, name))
            if not source:
                continue
            listed = subprocess.run(["nm", os.path.join(folder, name)], capture_output=True, text=True, check=True)
            for line in listed.stdout.splitlines():
                *_, kind, symbol = line.split()
                if kind in "TDRBC" and "_backend_" not in symbol:
                    defined[symbol] = source
                elif kind == "U":
                    needed[source].add(symbol)
    arrows = collections.defaultdict(set)
    for source, symbols in needed.items():
        arrows[source] |= {defined[s] for s in symbols if s in defined and defined[s] != source}
    return arrows


def includes():
    arrows = collections.defaultdict(set)
    roots = [os.path.join(SOURCE, r) for r in ("ewald", "nufft", "src/common", "src/common/cuda", "src/io", "src/cli")]
    for root in ROOTS:
        for folder, _, names in os.walk(os.path.join(SOURCE, root)):
            for name in names:
                if not re.search(r"\.(c|h|cu|cuh|cpp|hpp)$", name):
                    continue
                path = os.path.join(folder, name)
                with open(path, encoding="utf-8") as file:
                    wanted = re.findall(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', file.read(), re.M)
                near = [r for r in roots if os.path.commonpath([r, path]) == r] or roots
                for include in wanted:
                    for where in [folder, *near, *roots]:
                        target = os.path.normpath(os.path.join(where, include))
                        if os.path.exists(target):
                            arrows[os.path.relpath(path, SOURCE)].add(os.path.relpath(target, SOURCE))
                            break
    return arrows


def of_rooms(arrows):
    rooms = collections.defaultdict(set)
    for source, targets in arrows.items():
        room = os.path.dirname(source)
        rooms[room] |= {os.path.dirname(t) for t in targets} - {room}
    return rooms


def without_endings(*graphs):
    """Arrows between files, where a header and the source of its name are one file."""
    arrows = collections.defaultdict(set)
    for graph in graphs:
        for source, targets in graph.items():
            stem = os.path.splitext(source)[0]
            arrows[stem] |= {os.path.splitext(t)[0] for t in targets} - {stem}
    return arrows


def together(*graphs):
    arrows = collections.defaultdict(set)
    for graph in graphs:
        for source, targets in graph.items():
            arrows[source] |= targets
    return arrows


def check(what, arrows):
    edges = sum(len(t) for t in arrows.values())
    found = circles(arrows)
    print(f"{what}: {len(arrows)} with {edges} arrows, {len(found)} circles")
    for circle in found:
        print("FAILED: a circle of", ", ".join(sorted(circle)))
        for node in sorted(circle):
            for other in sorted(arrows[node] & circle):
                print("   ", node, "->", other)
    return not found and edges > 0


def rooms_below(rooms, tops):
    return {r: {t for t in targets if t.startswith(tops)} for r, targets in rooms.items() if r.startswith(tops)}


called, included = calls(), includes()
good = check("files that call", called)
good &= check("files that include", included)
good &= check("files that call or include, without endings", without_endings(called, included))
good &= check("rooms that call", rooms_below(of_rooms(called), ROOTS))
good &= check("rooms of ewald/mpi that call or include", rooms_below(of_rooms(together(called, included)), "ewald/mpi"))
sys.exit(0 if good else 1)
