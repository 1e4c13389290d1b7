#!/usr/bin/env python3
"""Counts the instructions that kernels execute on a GPU, by ncu (Nsight Compute) from their machine code, and models
their time on a card whose double is slow.

    gpu_instructions.py GPU_WORK ARGUMENT... [--fp64 slow|full] [--most-fp64 N] [--kernels] [--csv FILE]

GPU_WORK is bench/gpu_work with its arguments. A count is of instructions of warps, times 32: what a multiprocessor has
to issue, for lanes that are switched off too. It is divided by points (nufft) or pairs within the cutoff (ewald).

fp64: arithmetic, comparisons, products of matrices and conversions in double. A product of matrices counts as the
multiply-adds that it holds. fp32: arithmetic in float. With --most-fp64 the program fails above so many instructions
in double for a point or pair. Exit status 77: there is no GPU, no ncu, or it may not count.

The model: a kernel takes the longest of its times by fp32 rate, fp64 rate, issue of all instructions, and bytes of
memory. SPDX-License-Identifier: BSD-3-Clause
"""
import argparse
import csv
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
FP64 = re.compile(r"^(DFMA|DADD|DMUL|DSETP|DMNMX|DSET)\b|^MUFU\.\w*64H?|^(F2F|F2I|I2F|FRND)\S*\.(F|S|U)64"
                  r"|^(F2I|I2F)\S*\.F64|^F2F\S*F64|^FRND\S*F64")
# multiply-adds of a lane in a product of matrices, of 16 x 8 x 8, 16 x 8 x 4 and 8 x 8 x 4
DMMA = {"16x8x16": 64, "16x8x8": 32, "16x8x4": 16, "8x8x4": 8, "": 8, "1688": 32, "884": 8, "1684": 16}
FP32 = re.compile(r"^(FFMA|FADD|FMUL|FSETP|FMNMX|FSEL|FSET|MUFU|FCHK)")
MEMORY, ALL = "dram__bytes.sum", "smsp__inst_executed.sum"

# GeForce RTX 4090: 128 multiprocessors, boost 2.52 GHz, 82.6 TFLOP/s in float, 1.29 in double, 1008 GB/s (NVIDIA Ada
# GPU Architecture, whitepaper, 2022). A multiprocessor issues 4 instructions of warps a clock: 128 of lanes.
CARD = {"name": "RTX 4090", "fp32": 41.3e12, "fp64": 0.645e12, "issue": 41.3e12, "bytes": 1008e9}


def amount(opcode):
    """(instructions in double, in float) that an instruction counts as."""
    if opcode.startswith("DMMA"):
        shape = re.search(r"DMMA\.(\w+)", opcode)
        return DMMA.get(shape.group(1) if shape else "", 32), 0
    if FP64.search(opcode):
        return 1, 0
    return 0, 1 if FP32.search(opcode) else 0


def run(command, environment):
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    if done.returncode == SKIPPED:
        print(done.stdout.strip())
        sys.exit(SKIPPED)
    if "ERR_NVGPUCTRPERM" in done.stdout + done.stderr:
        print("ncu may not count here: the driver keeps its counters for administrators (ERR_NVGPUCTRPERM)")
        sys.exit(SKIPPED)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: status {done.returncode}\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
    return done.stdout


def column(header, *words):
    for k, name in enumerate(header):
        if all(word in name.lower() for word in words):
            return k
    return None


def number(text):
    try:
        return float(text.replace(",", ""))
    except ValueError:
        return 0.0


def source_counts(text):
    """[kernel, {opcode: warps' instructions}] of each launch, from the page `source`."""
    launches, header, counts = [], None, None
    for row in csv.reader(io.StringIO(text)):
        if row and row[0] == "Kernel Name":
            counts = {}
            launches.append([row[1], counts])
            header = None
            continue
        if counts is None or not row:
            continue
        executed = column(row, "instructions executed") if header is None else None
        if header is None and executed is not None:
            header = (column(row, "source"), executed)
            continue
        if header is None or len(row) <= max(header):
            continue
        words = [w for w in row[header[0]].replace(";", " ").split() if not w.startswith("@")]
        if words:
            counts[words[0]] = counts.get(words[0], 0) + number(row[header[1]])
    return launches


def launches_of(text):
    """(kernel, instructions of warps, bytes) of each launch, from the page `raw`: names, units, rows."""
    places, launches = None, []
    for row in csv.reader(io.StringIO(text)):
        if places is None:
            if "Kernel Name" in row and MEMORY in row:
                places = [row.index(name) for name in ("Kernel Name", ALL, MEMORY)]
        elif len(row) > max(places) and row[places[0]]:
            launches.append((row[places[0]], number(row[places[1]]), number(row[places[2]])))
    return launches


def opcodes_of(launches, pages):
    """The opcodes of each launch. A page may come more than once for a launch."""
    at = 0
    for name, executed, size in launches:
        while at < len(pages) and short(pages[at][0]) != short(name):
            at += 1
        counted = sum(pages[at][1].values()) if at < len(pages) else 0
        if abs(counted - executed) > 0.2 * executed:  # shares of work differ from pass to pass
            sys.exit(f"{name}: {executed:.0f} instructions, but its page has {counted:.0f}")
        yield name, pages[at][1], size
        at += 1


def short(kernel):
    kernel = re.sub(r"\(.*", "", re.sub(r"^void ", "", kernel))
    return re.sub(r"<.*", "", kernel).split("::")[-1] or kernel


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", nargs="+")
    parser.add_argument("--fp64", choices=["slow", "full"])
    parser.add_argument("--most-fp64", type=float)
    parser.add_argument("--kernels", action="store_true", help="a row for each kernel")
    parser.add_argument("--csv", help="appends a row for the work")
    options = parser.parse_args()
    ncu = shutil.which("ncu")
    environment = dict(os.environ)
    if options.fp64:
        environment["ENUF_FP64"] = options.fp64
    if not ncu:
        print("there is no ncu (Nsight Compute) on PATH")
        sys.exit(SKIPPED)
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "report")
        metrics = f"{ALL},{MEMORY}"
        out = run([ncu, "-f", "-o", report, "--profile-from-start", "off", "--clock-control", "none", "--section",
                   "SourceCounters", "--metrics", metrics] + options.work, environment)
        page = [ncu, "-i", report + ".ncu-rep", "--csv", "--page"]
        pages = source_counts(run(page + ["source", "--print-source", "sass"], environment))
        launches = launches_of(run(page + ["raw", "--metrics", metrics, "--print-units", "base"], environment))
    found = re.search(r"items (\d+) cells (\d+) others (\d+)", out)
    if not found or not launches:
        sys.exit(f"no kernels were counted:\n{out[-2000:]}")
    items = int(found.group(1))
    kernels = {}
    for name, counts, size in opcodes_of(launches, pages):
        sums = kernels.setdefault(short(name), [0.0, 0.0, 0.0, 0.0, 0])
        for opcode, executed in counts.items():
            in_double, in_float = amount(opcode)
            sums[0] += 32 * executed * in_double
            sums[1] += 32 * executed * in_float
            sums[2] += 32 * executed
        sums[3] += size
        sums[4] += 1
    total = [sum(k[i] for k in kernels.values()) for i in range(5)]
    print(f"{' '.join(options.work[1:])}, ENUF_FP64={options.fp64 or ''}: {items} items; of an item")
    print(f"  {'kernel':32} {'fp64':>9} {'fp32':>9} {'all':>9} {'bytes':>8} {'model us':>9}")
    whole = 0.0
    for name, k in sorted(kernels.items(), key=lambda pair: -pair[1][2]):
        seconds = max(k[0] / CARD["fp64"], k[1] / CARD["fp32"], k[2] / CARD["issue"], k[3] / CARD["bytes"])
        whole += seconds
        if options.kernels:
            print(f"  {name[:32]:32} {k[0] / items:9.3f} {k[1] / items:9.2f} {k[2] / items:9.2f} {k[3] / items:8.2f} "
                  f"{1e6 * seconds:9.1f}")
    print(f"  {'all':32} {total[0] / items:9.3f} {total[1] / items:9.2f} {total[2] / items:9.2f} "
          f"{total[3] / items:8.2f} {1e6 * whole:9.1f}")
    if options.csv:
        new = not os.path.exists(options.csv)
        with open(options.csv, "a", newline="") as file:
            writer = csv.writer(file)
            if new:
                writer.writerow(["work", "path", "items", "fp64 of an item", "fp32", "instructions", "bytes",
                                 f"model us, {CARD['name']}"])
            writer.writerow([" ".join(options.work[1:]), options.fp64 or "device", items, f"{total[0] / items:.3f}",
                             f"{total[1] / items:.2f}", f"{total[2] / items:.2f}", f"{total[3] / items:.2f}",
                             f"{1e6 * whole:.1f}"])
    if options.most_fp64 is not None and total[0] / items > options.most_fp64:
        sys.exit(f"{total[0] / items:.3f} instructions in double for an item, more than {options.most_fp64}")


if __name__ == "__main__":
    main()
