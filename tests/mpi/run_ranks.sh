#!/usr/bin/env bash
# run_ranks.sh RANKS PROGRAM [ARGUMENT...] - runs a program on this machine, also on more ranks than it
# has cores.
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
ranks=$1
shift
run=${ENUF_MPIRUN:-mpirun}
if ! command -v "$run" >/dev/null; then
    echo "skipped: no mpirun here (apt-get install openmpi-bin)"
    exit 77
fi
if [[ $("$run" --version 2>&1) =~ Open\ MPI|OpenRTE|open-mpi ]]; then
    # Open MPI runs for root only with these two variables; waiting ranks yield their core
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    exec "$run" --oversubscribe --bind-to none --mca mpi_yield_when_idle 1 -n "$ranks" "$@"
fi
exec "$run" -n "$ranks" "$@"
