#!/usr/bin/env bash
# A program finds the installed MPI library by find_package(enuf COMPONENTS mpi), and by pkg-config with mpicc, and
# runs on one rank. If enuf was built without MPI, the component is not found. SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
here=$(dirname "$0")
if [ ! -e "$PREFIX/include/enuf/ewald_mpi.h" ]; then
    if "$CMAKE" -S "$here/mpi_consumer" -B "$SCRATCH/mpi_consumer" -DCMAKE_PREFIX_PATH="$PREFIX" \
        -DCMAKE_C_COMPILER="$CC" >/dev/null 2>&1; then
        echo "FAILED: find_package(enuf COMPONENTS mpi) succeeds, but enuf was built without MPI"
        exit 1
    fi
    echo "skipped: built without MPI"
    exit 77
fi
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
rm -rf "$SCRATCH/mpi_consumer"
"$CMAKE" -S "$here/mpi_consumer" -B "$SCRATCH/mpi_consumer" -DCMAKE_PREFIX_PATH="$PREFIX" \
    -DCMAKE_C_COMPILER="$CC" >/dev/null
"$CMAKE" --build "$SCRATCH/mpi_consumer" >/dev/null
"$SCRATCH/mpi_consumer/mpi_consumer"

export PKG_CONFIG_PATH=$PREFIX/$LIBDIR/pkgconfig
static=
[ "$SHARED" = ON ] || static=--static
# shellcheck disable=SC2046,SC2086 # lists of flags
"$MPICC" ${CFLAGS-} $(pkg-config --cflags enuf-mpi) "$here/mpi_consumer/mpi_consumer.c" \
    $(pkg-config $static --libs enuf-mpi) -lm -Wl,-rpath,"$PREFIX/$LIBDIR" -o "$SCRATCH/mpi_by_pkg_config"
"$SCRATCH/mpi_by_pkg_config"
