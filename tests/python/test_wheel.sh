#!/usr/bin/env bash
# The wheel where nothing but Python is: no compiler, no library of the build. The program is on PATH, it computes with
# DUCC0, and no file names FFTW. SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
environment=$SOURCE/build/python/venv
if [ ! -e "$environment/installed" ]; then
    echo "skipped: no wheel is installed in $environment: \`make python\` makes it, and says what it lacks"
    exit 77
fi
mkdir -p "$SCRATCH"
cd "$SCRATCH"
. "$SOURCE/tests/support/expect.sh"
alone() { env -i PATH="$environment/bin" HOME="$SCRATCH" OMP_NUM_THREADS=2 "$@"; }

package=$(alone python -c 'import enuf, os; print(os.path.dirname(enuf.__file__))')
loaded=$(alone python -c 'import enuf; print(enuf._library.lib._name)')
expect "the library is the wheel's: $loaded" test "$loaded" = "$package/lib/libenuf.so.1"
expect 'its version is that of the build' test "$(alone python -c 'import enuf; print(enuf.__version__)')" = "$VERSION"
expect 'the program is on PATH' test "$(alone enuf --version)" = "enuf $VERSION"
expect 'python -m enuf is the same' test "$(alone python -m enuf --version)" = "enuf $VERSION"
madelung=$(alone enuf madelung nacl --quiet --json | sed -n 's/.*"madelung":[[:space:]]*\([0-9.]*\).*/\1/p')
expect "the program computes: $madelung" test "${madelung:0:12}" = 1.7475645946
fft=$(alone enuf info --json | sed -n 's/.*"fft":[[:space:]]*"\(.*\)".*/\1/p')
expect "FFTs by $fft" test "$fft" = ducc0
fails() { "$@" nothing 2>/dev/null && echo 0 || echo $?; }
expect 'its exit status is passed on' test "$(fails alone enuf)" -eq "$(fails "$PROGRAM")"

for file in "$package"/lib/* "$package"/bin/*; do
    names=$({ nm -D "$file"; objdump -p "$file"; } 2>/dev/null | grep -icE '[ /]fftwf?_|libfftw' || true)
    expect "$(basename "$file") names nothing of FFTW" test "$names" -eq 0
    outside=$(LD_LIBRARY_PATH='' ldd "$file" | grep -E "not found|$BUILD|=> /(usr/)?local" || true)
    expect "$(basename "$file") needs nothing of the build" test -z "$outside"
done
wheel=$(echo "$BUILD"/python/enuf-*.whl)
expect "named for its systems: $(basename "$wheel")" \
    grep -qE "enuf-$VERSION-py3-none-manylinux_2_35_[a-z0-9_]+\.whl" <<<"$wheel"
expect 'licences are inside' alone python -c "
import sys, zipfile
names = zipfile.ZipFile('$wheel').namelist()
sys.exit(not all(any(name.endswith('licenses/' + text) for name in names) for text in ('LICENSE', 'ducc0.txt')))"
expect 'pip finds every file as recorded' alone pip check
expect 'py.typed' test -e "$package/py.typed"
exit $status
