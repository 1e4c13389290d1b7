#!/usr/bin/env bash
# both_libraries.c links with libenuf and libenuf_mpi in either order and runs:
# test_both_libraries.sh shared|static RANKS [cuda]
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
here=$(dirname "$0")
kind=$1 ranks=$2
shift 2
export PKG_CONFIG_PATH=$PREFIX/$LIBDIR/pkgconfig
if [ "$kind" = shared ]; then
    folder=$PREFIX/$LIBDIR others=-lm
else
    folder=$STATIC
    others=$(pkg-config --static --libs enuf | sed 's/-lenuf\>//')
fi
for order in '-lenuf -lenuf_mpi' '-lenuf_mpi -lenuf'; do
    program=$SCRATCH/both_libraries_${kind}_${ranks}${1-}
    rm -f "$program"
    echo "$kind $order on $ranks ranks"
    # shellcheck disable=SC2086 # lists of flags
    "$MPICC" ${CFLAGS-} -I"$PREFIX/include" "$here/both_libraries.c" -L"$folder" $order $others \
        -Wl,-rpath,"$folder" -o "$program"
    if [ "$kind" = static ] && ldd "$program" | grep libenuf; then
        echo "FAILED: the static program loads a shared libenuf"
        exit 1
    fi
    "$here/../mpi/run_ranks.sh" "$ranks" "$program" "$@"
done
