#!/usr/bin/env bash
# Each library exports exactly the functions that its public headers declare: nothing internal, and
# nothing declared that is not there. libenuf_mpi has those of libenuf and its own.
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
if [ "$SHARED" != ON ]; then
    echo "skipped: a static library hides nothing"
    exit 77
fi
status=0
check() { # library, then the headers that it stands behind
    local library=$1 exported declared difference
    shift
    exported=$(nm -D --defined-only "$PREFIX/$LIBDIR/$library" | awk '{print $3}' | sort)
    # shellcheck disable=SC2086 # a list of flags
    declared=$(for header in "$@"; do
        echo "#include <enuf/$(basename "$header")>"
    done | "$CC" -I"$PREFIX/include" ${MPI_FLAGS-} -E -P -x c - | tr -d '\n' | tr ';' '\n' |
        sed -n 's/.*visibility("default").*[ *]\(enuf_[a-z0-9_]*\)(.*/\1/p' | sort)
    echo "$library: $(wc -l <<<"$declared") declared, $(wc -l <<<"$exported") exported"
    if ! difference=$(diff <(echo "$declared") <(echo "$exported")); then
        printf 'FAILED: < declared only, > exported only\n%s\n' "$difference"
        status=1
    fi
}
shopt -s extglob
check libenuf.so "$PREFIX"/include/enuf/!(ewald_mpi).h
[ ! -e "$PREFIX/include/enuf/ewald_mpi.h" ] || check libenuf_mpi.so "$PREFIX"/include/enuf/*.h
exit $status
