#!/usr/bin/env bash
# Each library exports exactly the functions that its public headers declare. libenuf exports, under a private version,
# also the functions that libenuf_mpi calls; each of them is called. libenuf_mpi exports no function of libenuf.
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
status=0
fail() {
    printf 'FAILED: %s\n' "$*"
    status=1
}
declared() { # header...
    # shellcheck disable=SC2086 # a list of flags
    for header in "$@"; do
        echo "#include <enuf/$(basename "$header")>"
    done | "$CC" -I"$PREFIX/include" ${MPI_FLAGS-} -E -P -x c - | tr -d '\n' | tr ';' '\n' |
        sed -n 's/.*visibility("default").*[ *]\(enuf_[a-z0-9_]*\)(.*/\1/p' | sort
}
library() { # name
    if [ "$SHARED" = ON ]; then echo "-D $PREFIX/$LIBDIR/$1.so"; else echo "$PREFIX/$LIBDIR/$1.a"; fi
}
exported() { # name, version; a static library has none
    # shellcheck disable=SC2046 # a flag and a file
    nm -g --defined-only $(library "$1") | sed -n "s/.* [B-Z] \([^@]*\)\(@@$2.*\)\?\$/\1/p" | sort
}
equal() { # name, declared functions, exported functions
    local difference
    difference=$(diff <(echo "$2") <(echo "$3")) ||
        fail "$1: < declared only, > exported only"$'\n'"$difference"
}

shopt -s extglob
public=$(declared "$PREFIX"/include/enuf/!(ewald_mpi).h)
everything=$(exported libenuf ENUF_)
if [ "$SHARED" = ON ]; then
    private=$(exported libenuf ENUF_PRIVATE_)
    equal libenuf "$public" "$(exported libenuf "ENUF_${VERSION%.*}")"
else
    private=$(comm -13 <(echo "$public") <(echo "$everything"))
    equal libenuf "$public" "$(comm -12 <(echo "$public") <(echo "$everything"))"
fi
echo "libenuf: $(wc -l <<<"$public") public, $(wc -l <<<"$private") for libenuf_mpi"

if [ -e "$PREFIX/include/enuf/ewald_mpi.h" ]; then
    of_ranks=$(comm -13 <(echo "$public") <(declared "$PREFIX"/include/enuf/*.h))
    echo "libenuf_mpi: $(wc -l <<<"$of_ranks") public"
    equal libenuf_mpi "$of_ranks" "$(exported libenuf_mpi ENUF_)"
    # shellcheck disable=SC2046 # a flag and a file
    called=$(nm -u $(library libenuf_mpi) | sed -n 's/.* U \(enuf_[a-z0-9_]*\).*/\1/p' | sort)
    for name in $(comm -23 <(echo "$private") <(echo "$called")); do
        grep -rqw "$name" "$SOURCE/ewald/mpi/devices" || # sources that are compiled with the GPU backend only
            fail "libenuf_mpi does not call $name: take ENUF_PRIVATE from its declaration"
    done
fi
exit $status
