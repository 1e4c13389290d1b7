#!/usr/bin/env bash
# examples/mtip: from orientations wrong by up to 5 degrees it finds orientations and a density, on 1, 2 and 4 ranks
# alike. Wrong words give one line and no file.
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
. "$SUPPORT/expect.sh"
folder=$SCRATCH/mtip_program
rm -rf "$folder"
export OMP_NUM_THREADS=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
# more ranks than processors: of Open MPI 4, and of 5
export OMPI_MCA_rmaps_base_oversubscribe=1 PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
small='--half 7 --images 200 --pixels 19 --rounds 6 --starts 2 --phasing 200'
below() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a < b) }'; }

for ranks in 1 2 4; do
    run=()
    if [ "$ranks" -gt 1 ]; then
        [ -x "$MPIRUN" ] || break
        run=("$MPIRUN" -n "$ranks")
    fi
    mkdir -p "$folder/$ranks"
    # shellcheck disable=SC2086 # words of options
    expect "$ranks ranks" "${run[@]}" "$MTIP" "$folder/$ranks" $small --backend cpu >"$folder/out" 2>"$folder/err"
    expect 'quiet in a pipe' test ! -s "$folder/err"
    degrees=$(sed -n 's/^orientations: \([0-9.]*\) .*/\1/p' "$folder/out")
    correlation=$(sed -n 's/.* \([0-9.]*\) at least$/\1/p' "$folder/out")
    expect "orientations: $degrees degrees, 2.9 at the start" below "$degrees" 1.45
    expect "shell correlation: $correlation" below 0.5 "$correlation"
    [ "$ranks" -eq 1 ] && first=$degrees
    expect 'orientations as on one rank' test "$degrees" = "$first"
    # 128 bytes of header; 29^3 doubles
    expect 'density.npy has its size' test "$(stat -c %s "$folder/$ranks/density.npy")" -eq $((128 + 29 * 29 * 29 * 8))
    for picture in density slices; do
        expect "$picture.png has its signature" \
            test "$(head -c 8 "$folder/$ranks/$picture.png" | od -An -tx1 | tr -d ' ')" = 89504e470d0a1a0a
    done
done

refused() { # words of the line, argument...
    local words=$1
    shift
    local ended=0
    "$MTIP" "$@" >"$folder/out" 2>"$folder/err" || ended=$?
    expect "$*: exit status 1" test "$ended" -eq 1
    expect "$*: one line: $words" test "$(grep -c -- "$words" "$folder/err")" -eq 1 -a "$(wc -l <"$folder/err")" -eq 1
}
mkdir "$folder/empty"
refused 'no folder given'
refused 'a folder that can be written' "$folder/nowhere"
refused "use a number from 0.1 to 3.14" "$folder/empty" --q 9
refused "use a whole number" "$folder/empty" --images 2.5
refused 'its value is missing' "$folder/empty" --seed
refused 'unknown' "$folder/empty" --colour 3
refused 'take one of auto, cpu, cuda' "$folder/empty" --backend gpu
refused 'its value is missing' "$folder/empty" --backend
mkdir "$folder/cuda"
# shellcheck disable=SC2086 # words of options
if ! "$MTIP" "$folder/cuda" $small --backend cuda >/dev/null 2>&1; then
    refused '--backend cuda: .*; without one use --backend cpu' "$folder/empty" --backend cuda
fi
expect 'nothing is written' test -z "$(ls "$folder/empty")"
exit "$status"
