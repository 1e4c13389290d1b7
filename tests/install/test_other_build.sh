#!/usr/bin/env bash
# The loader refuses to load libenuf_mpi with a libenuf of another build: one of the same version whose private header
# has one more field. A libenuf of the same headers is accepted. SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
folder=$SCRATCH/other_build
rm -rf "$folder"
mkdir -p "$folder"
cp "$SOURCE/ewald/object/ewald_object.h" "$folder/ewald_object.h"
echo 'int one_more_field;' >>"$folder/ewald_object.h"
program=$folder/program
cat >"$program.c" <<'C'
#include <enuf/ewald_mpi.h>
int main(void) { enuf_ewald *ewald; return !enuf_ewald_create_mpi(MPI_COMM_WORLD, 0, &ewald); } /* no MPI */
C
"$MPICC" ${CFLAGS-} -I"$PREFIX/include" "$program.c" -L"$PREFIX/$LIBDIR" -lenuf_mpi -lenuf \
    -Wl,-rpath,"$PREFIX/$LIBDIR" -o "$program"
"$program"

# the loader's message about a libenuf that has only the symbol versions made from these headers
answer_to() { # HEADERS
    "$CMAKE" -DMAP="$folder/map" -DVERSION="$VERSION" -DPRIVATE="$1" \
        -DPUBLIC="$SOURCE/src/common/include/enuf/status.h" \
        -P "$SOURCE/cmake/write_version_script.cmake"
    echo 'int enuf_nothing;' | "$CC" -x c -shared -fPIC - -Wl,-soname,"$SONAME" \
        -Wl,--version-script="$folder/map" -o "$folder/$SONAME"
    LD_LIBRARY_PATH=$folder "$program" 2>&1 || true
}
same=$(answer_to "$HEADERS")
other=$(answer_to "${HEADERS/$SOURCE\/ewald\/object\/ewald_object.h/$folder/ewald_object.h}")
printf 'same headers:  %s\nother headers: %s\n' "$same" "$other"
if grep -qF "not found (required by" <<<"$same"; then
    echo "FAILED: a libenuf of the same headers is refused by its version"
    exit 1
fi
grep -qE "version .ENUF_PRIVATE_${VERSION}_[0-9a-f]{8}' not found \(required by .*libenuf_mpi" <<<"$other" ||
    { echo "FAILED: a libenuf of other headers is not refused by its version"; exit 1; }
