#!/usr/bin/env bash
# test_imaging_bench.sh cpu|cuda: the benchmark of images at a small size. Its rows are there, their errors are those of
# the windows, the parts of a time add up to no more than the whole. Wrong words give one line.
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
. "$SUPPORT/expect.sh"
folder=$SCRATCH/imaging_bench_$1
rm -rf "$folder"
mkdir -p "$folder"
export OMP_NUM_THREADS=1

if ! "$BENCH" --backend "$1" --sides 32 --coils 1,2 --threads 1 --seconds 0.001 --rounds 2 --csv "$folder/rows.csv" \
    >"$folder/out" 2>"$folder/err"; then
    cat "$folder/err"
    [ "$1" = cuda ] && grep -q '^imaging_bench: --backend cuda: ' "$folder/err" && exit 77
    exit 1
fi
# rows of enuf: 2 trajectories, 2 directions, 3 windows and enuf's own choice
rows=$(grep -c ',enuf,' "$folder/rows.csv")
expect "16 rows of enuf: $rows" test "$rows" -eq 16
errors() { # rows that match PATTERN have an error in (LEAST, MOST)
    awk -F, -v pattern="$1" -v least="$2" -v most="$3" '
        $0 ~ pattern && ++n && !($10 > least && $10 < most) { print "error " $10 ": " $0; bad = 1 }
        END { exit bad || n != 4 }' "$folder/rows.csv"
}
# widest Gaussian of table V, on random data; the rounding of float sums
expect 'the Gaussian errs by 1e-3 to 2e-2' errors ',enuf,2/4,gaussian,' 1e-3 2e-2
expect 'the prolate function errs by float rounding' errors ',enuf,2/4,prolate,' 0 2e-6
expect 'Kaiser-Bessel errs by float rounding' errors ',enuf,2/4,kaiser_bessel,' 0 2e-6
expect "enuf's own choice delivers as much as the Gaussian" errors ',enuf,error,prolate,' 0 2e-2
expect '2 rows of runs' test "$(grep -c ',runs,2/4,' "$folder/rows.csv")" -eq 2
expect 'runs give the error of stored samples' awk -F, '
    /,radial,.*,enuf,2\/4,gaussian,/ { of[$3] = $10 }
    /,runs,/ && ++n && !($10 < 1.01 * of[$3] && of[$3] < 1.01 * $10) { print; bad = 1 }
    END { exit bad || n != 2 }' "$folder/rows.csv"
expect '8 rows of tables' test "$(grep -c ',table,2/4,' "$folder/rows.csv")" -eq 8
expect 'a table errs by float rounding' errors ',table,2/4,kaiser_bessel,' 0 2e-6
expect 'a table of the Gaussian errs as it does' errors ',table,2/4,gaussian,' 1e-3 2e-2
if [ "$1" = cpu ]; then # samples that each call computes
    expect 'computed samples give the same error' errors ',computed,2/4,gaussian,' 1e-3 2e-2
    expect 'computed samples are set in each call' awk -F, '
        /,computed,/ && ++n && !($15 == 0 && $14 > 0) { print; bad = 1 } END { exit bad || n != 4 }' "$folder/rows.csv"
fi
expect 'parts are no more than the total, and frames take time' awk -F, '
    /,enuf,/ && ++n && !($11 > 0 && $13 > 0 && $14 > 0 && $15 > 0 && $11 + $12 + $13 < 1.001 * $14 && $16 > 0 &&
        $17 > 0 && $18 > 0 && $19 > 0) { print; bad = 1 }
    END { exit bad || !n }' "$folder/rows.csv"

refused() { # words of the line, argument...
    local words=$1 ended=0
    shift
    "$BENCH" "$@" >"$folder/out" 2>"$folder/err" || ended=$?
    expect "$*: exit status 1" test "$ended" -eq 1
    expect "$*: one line: $words" test "$(grep -c -- "$words" "$folder/err")" -eq 1 -a "$(wc -l <"$folder/err")" -eq 1
}
refused 'take one of auto, cpu, cuda' --backend gpu
refused 'name cpu or cuda' --backend auto
refused '16 to 4096' --sides 8
refused '1 is needed, and is first' --coils 8
refused 'unknown argument' --colour 1
exit "$status"
