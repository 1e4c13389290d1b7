#!/usr/bin/env bash
# test_tuning_bench.sh: the benchmark of tuning at a small size. Each effort has its row, an exhaustive search times every
# candidate, the others fewer; rows of the matrix obey their laws. Wrong words give one line.
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
. "$SUPPORT/expect.sh"
folder=$SCRATCH/tuning_bench
rm -rf "$folder"
mkdir -p "$folder"
export OMP_NUM_THREADS=1
small=(--modes 16 --precision float --repeats 2 --trials 1 --turns 2)

# rows 'NAMES of columns' 'PROGRAM of awk': the program sees the cells as c["name"], and `bad` is what it found
rows() {
    awk -F, '
        /^#/ { next }
        !head { for (i = 1; i <= NF; i++) name[i] = $i; head = 1; next }
        { n++; for (i = 1; i <= NF; i++) c[name[i]] = $i; '"$2"' }
        END { exit bad || n != '"$3"' }' "$1"
}

"$BENCH" "${small[@]}" --windows one --patterns radial,random --reductions 4 --csv "$folder/efforts.csv" >"$folder/out"
# 2 trajectories, 2 tolerances, 4 efforts
expect 'efforts have times; the aliasing is that of the tolerance' rows "$folder/efforts.csv" '
    if (!(c["round_s"] > 0 && c["of_exhaustive"] > 0 && c["amplitude"] > 0 && c["amplitude"] < 10 * c["tolerance"]))
        bad = 1' 16
expect 'exhaustive times all, measure some, estimate and the plan itself none' rows "$folder/efforts.csv" '
    if (c["effort"] == "exhaustive" && !(c["timings"] > measured && c["not_timed"] == 0 && c["best_matrix"] >= 1)) bad = 1
    if (c["effort"] == "measure" && !(c["timings"] > 0 && c["not_timed"] > 0)) bad = 1
    if (c["effort"] == "measure") measured = c["timings"]
    if (c["effort"] ~ /untuned|estimate/ && c["timings"] != 0) bad = 1' 16

"$BENCH" "${small[@]}" --sweep --patterns cartesian,random --reductions 1 --tolerance 1e-2 --csv "$folder/sweep.csv" \
    >"$folder/out"
n=$(grep -vc '^#\|^trajectory' "$folder/sweep.csv")
# upsamplings 1.125, 1.25, 1.375 (24 cells, as 1.5), ... that have grids of their own
expect "a row for each level and grid: $n" test "$n" -ge 40 -a $((n % 8)) -eq 0
expect 'all entries of the matrix are in its rows' rows "$folder/sweep.csv" '
    off = c["row_mean"] * c["grid"]^3 / (c["points"] * c["width"]^3) - 1
    if (off^2 > 1e-16 || c["amplitude"] > c["tolerance"]) bad = 1' "$n"
expect 'a window of 4 cells reaches 2 of the points on every second cell, whichever cell' rows "$folder/sweep.csv" '
    if (c["trajectory"] == "cartesian" && c["grid"] == 32) {
        seen++
        if (c["width"] != 4 || c["row_mean"] != 8 || c["row_deviation"] > 1e-6) bad = 1
    }' "$n"
# The number of points in a window has the variance N p (1 - p), p = width^3 / grid^3, over drawings of the points. The
# mean over the cells of one drawing lies within a factor of 2 of it.
expect 'rows of random points scatter as a binomial number' rows "$folder/sweep.csv" '
    p = c["width"]^3 / c["grid"]^3
    scatter = c["row_deviation"]^2 / (c["points"] * p * (1 - p))
    if (c["trajectory"] == "random" && !(scatter > 0.5 && scatter < 2)) bad = 1' "$n"
expect 'the best upsampling of a level is 1, no other is less; times are there' rows "$folder/sweep.csv" '
    if (!(c["of_best"] >= 1 && c["round_s"] > 0 && c["spread_ns"] > 0 && c["interpolate_ns"] > 0)) bad = 1' "$n"

"$BENCH" "${small[@]}" --gram --patterns radial --reductions 1,4 --tolerance 1e-3 --csv "$folder/gram.csv" >"$folder/out"
expect 'the Gram operator has times and a level' rows "$folder/gram.csv" '
    ratio = c["2_transforms_ms"] / c["gram_ms"] / c["ratio"] - 1
    if (!(ratio^2 < 1e-12 && c["gram_set_ms"] > 0 && c["estimate"] ~ /^[a-z]+$/ && c["measure"] ~ /^[a-z]+$/)) bad = 1' 2

refused() { # words of the line, argument...
    local words=$1 ended=0
    shift
    "$BENCH" "$@" >"$folder/out" 2>"$folder/err" || ended=$?
    expect "$*: exit status 1" test "$ended" -eq 1
    expect "$*: one line: $words" test "$(grep -c -- "$words" "$folder/err")" -eq 1 -a "$(wc -l <"$folder/err")" -eq 1
}
refused 'is none of radial' --patterns spiral
refused '4 to 1024' --modes 2
refused 'is none of one all' --windows two
refused 'more than 0' --repeats 0
refused '1 to 100' --turns 101
refused 'is no option' --colour 1
refused 'its value is missing' --modes
exit "$status"
