#!/usr/bin/env bash
# Makes the wheel of a build, and a fresh Python environment with it for the tests: scripts/python_package.sh BUILD.
# The wheel is in BUILD/python, the environment in BUILD's neighbour python/venv. Where there is no network or no
# python3-venv that is said, and the tests are skipped. SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
build=$1
mkdir -p "$(dirname "$build")/python"
folder=$(cd "$(dirname "$build")/python" && pwd)
environment=$folder/venv
packages=('numpy>=1.23,<3' 'ase>=3.22,<4' 'jax>=0.4.31,<1')

skip() {
    rm -f "$environment/installed"
    echo "enuf: skipped: $*"
    exit 0
}

targets=$(cmake --build "$build" --target help)
grep -q '^\.\.\. wheel$' <<<"$targets" ||
    skip "this build makes no wheel: it needs a shared library, Python 3 and a C++ compiler"
if [ ! -e "$environment/packages" ]; then
    echo "enuf: installing ${packages[*]} from PyPI into $environment"
    rm -rf "$environment"
    { python3 -m venv "$environment" &&
        "$environment/bin/pip" install --quiet --disable-pip-version-check "${packages[@]}" &&
        touch "$environment/packages"; } ||
        skip "no environment: ${packages[*]} could not be installed (no network, or no python3-venv)"
fi
# the header by which the wheel's library serves JAX
include=$("$environment/bin/python" -c 'import jax; print(jax.ffi.include_dir())' 2>/dev/null || true)
jaxlib=$("$environment/bin/python" -c 'import jaxlib; print(jaxlib.__version__)' 2>/dev/null || true)
cmake -DENUF_JAX_INCLUDE="$include" -DENUF_JAXLIB="$jaxlib" "$build" >"$folder/configure.log"
cmake --build "$build" -j "${JOBS:-2}" --target wheel >"$folder/wheel.log" 2>&1 || {
    ! grep -q 'DOWNLOAD' "$folder/wheel.log" ||
        skip "no wheel: the sources of DUCC0 could not be had from PyPI (no network)"
    cat "$folder/wheel.log" >&2
    exit 1
}
wheel=$(echo "$build"/python/enuf-*.whl)
echo "$wheel"
"$environment/bin/pip" install --quiet --disable-pip-version-check --no-index --no-deps --force-reinstall "$wheel"
touch "$environment/installed"
