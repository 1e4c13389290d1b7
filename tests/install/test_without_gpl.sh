#!/usr/bin/env bash
# A build with DUCC0 in place of FFTW: neither library nor program names a function of FFTW or loads its library. The
# program computes with DUCC0, and gets the energy of the build that is tested. Every header of DUCC0 that the build
# reads is under the BSD licence. If ENUF_DUCC0 names no folder, DUCC0 comes from PyPI; the test is skipped where that
# fails. SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
build=$SCRATCH/without_gpl
rm -rf "$build"
if ! output=$("$CMAKE" -S "$SOURCE" -B "$build" -DCMAKE_C_COMPILER="$CC" -DENUF_FFTW=OFF -DENUF_TESTS=OFF \
    -DENUF_DUCC0="${DUCC0:-fetch}" -DENUF_CUDA=OFF -DENUF_MPI=OFF -DENUF_EXAMPLES=OFF 2>&1); then
    echo "$output"
    [ -z "$DUCC0" ] && grep -q 'DOWNLOAD' <<<"$output" && exit 77
    exit 1
fi
"$CMAKE" --build "$build" -j2 --target enuf enuf_cli >/dev/null
status=0
for file in "$build"/lib/libenuf.so "$build"/enuf; do
    if { nm -D "$file"; nm "$file"; ldd "$file"; } | grep -i '[ /]\(lib\)\?fftwf\?[_3]'; then
        echo "FAILED: $file names FFTW as above"
        status=1
    fi
done

fft=$("$build/enuf" info --json | sed -n 's/.*"fft":[[:space:]]*"\(.*\)".*/\1/p')
echo "FFTs by $fft"
[ "$fft" = ducc0 ] || { echo "FAILED: not by ducc0"; status=1; }
energy() { # program
    "$1" energy "$SOURCE/examples/data/molten_nacl.xyz" --json |
        sed -n 's/.*"energy":[[:space:]]*\([-0-9.]*\).*/\1/p'
}
here=$(energy "$build/enuf") there=$(energy "$BUILD/enuf")
echo "energy $here eV, of the build that is tested $there eV, bound 1e-12 of it"
awk -v a="$here" -v b="$there" 'BEGIN { exit !(b < 0 && (a - b)^2 <= (1e-12 * b)^2) }' ||
    { echo "FAILED: the energies differ"; status=1; }

headers=$(find "$build/src/common/fft" -name 'ducc0_kernels.cpp.o.d' -exec cat {} + | tr -s ' \\' '\n' |
    grep '/src/ducc0/' | sort -u)
echo "$(wc -l <<<"$headers") headers of DUCC0"
for header in $headers; do
    grep -q 'SPDX-License-Identifier: BSD-3-Clause' "$header" || { echo "FAILED: $header is not under BSD"; status=1; }
done
[ "$(wc -l <<<"$headers")" -gt 5 ] && exit $status
