#!/usr/bin/env bash
# Each public header compiles alone, without a warning, as C11 and as C++17. It includes no other header of enuf than
# installed ones. SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
warnings=(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror)
compiled=0
for header in "$PREFIX"/include/enuf/*.h; do
    name=enuf/$(basename "$header")
    # enuf/ewald_mpi.h includes <mpi.h>; its C++ bindings are left out
    read -ra mpi <<<"$([ "$name" != enuf/ewald_mpi.h ] || echo "${MPI_FLAGS-} -DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX")"
    echo "#include <$name>" |
        "$CC" -std=c11 "${warnings[@]}" -Wstrict-prototypes -I"$PREFIX/include" "${mpi[@]}" -fsyntax-only -x c -
    if [ -n "$CXX" ]; then
        echo "#include <$name>" |
            "$CXX" -std=c++17 "${warnings[@]}" -Wextra-semi -I"$PREFIX/include" "${mpi[@]}" -fsyntax-only -x c++ -
    fi
    echo "$name: C11${CXX:+, C++17}"
    compiled=$((compiled + 1))
done
if [ "$compiled" -lt 7 ]; then
    echo "FAILED: $compiled headers installed, status.h, nufft.h, nufft_stages.h, window.h, direct.h, ewald.h,"
    echo "decomposition.h expected"
    exit 1
fi
