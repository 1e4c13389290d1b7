#!/usr/bin/env bash
# test_examples_gpu.sh imaging|mtip: a program of many files finds on a GPU what it finds on the CPU.
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
. "$SUPPORT/expect.sh"
folder=$SCRATCH/$1_gpu
rm -rf "$folder"
mkdir -p "$folder/cpu" "$folder/cuda"
export OMP_NUM_THREADS=1

# distance FILE: of its arrays by both backends, relative; doubles after 128 bytes of header
distance() {
    python3 - "$folder/cpu/$1" "$folder/cuda/$1" <<'ARRAYS'
import array, math, sys
cpu, cuda = (array.array('d', open(path, 'rb').read()[128:]) for path in sys.argv[1:])
assert len(cpu) == len(cuda) and any(cpu)
print(math.dist(cpu, cuda) / math.hypot(*cpu))
ARRAYS
}
agree() { # what, file; each backend errs by some 1e-6, the tolerance of the transforms
    local far
    far=$(distance "$2")
    expect "$1: cpu and cuda differ by $far, 1e-5 at most" awk -v a="$far" 'BEGIN { exit !(a <= 1e-5) }'
}
skip_without_gpu() { # command...
    "$@" --backend cuda >"$folder/out" 2>"$folder/err" && return
    grep -q 'without one use --backend cpu' "$folder/err" || { cat "$folder/err"; exit 1; }
    echo "skipped: $(cat "$folder/err")"
    exit 77
}
command -v python3 >/dev/null || { echo 'skipped: no python3 here'; exit 77; }

case $1 in
imaging)
    for backend in cpu cuda; do
        "$IMAGING" simulate "$folder/$backend" --phantom heart --trajectory golden --side 32 --frames 2 --coils 2
    done
    skip_without_gpu "$IMAGING" reconstruct "$folder/cuda"
    for way in '--method gridding' '--method cg' '--density iterative'; do
        for backend in cpu cuda; do
            # shellcheck disable=SC2086 # words of options
            "$IMAGING" reconstruct "$folder/$backend" $way --iterations 8 --backend $backend
        done
        agree "$way" image.npy
    done
    ;;
mtip)
    small='--half 5 --images 60 --pixels 15 --rounds 2 --starts 1 --phasing 50'
    # shellcheck disable=SC2086 # words of options
    skip_without_gpu "$MTIP" "$folder/cuda" $small
    # shellcheck disable=SC2086
    "$MTIP" "$folder/cpu" $small --backend cpu
    agree 'autocorrelation' autocorrelation.npy
    if [ -x "$MPIRUN" ]; then
        export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
        export OMPI_MCA_rmaps_base_oversubscribe=1 PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
        # shellcheck disable=SC2086
        expect 'two ranks share the GPUs' "$MPIRUN" -n 2 "$MTIP" "$folder/cuda" $small --backend cuda
        agree 'autocorrelation on two ranks' autocorrelation.npy
    fi
    ;;
esac
exit $status
