#!/usr/bin/env bash
# The installed completion of bash offers commands, options, their values, file names and structures.
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
completions=$PREFIX/$DATADIR/bash-completion/completions
folder=$SCRATCH/files_to_complete
rm -rf "$folder"
mkdir -p "$folder/nested"
touch "$folder/nacl.xyz" "$folder/two words.data"
cd "$folder"
# shellcheck source=/dev/null
source "$completions/enuf"
complete -p enuf | grep -F -- '-F _enuf enuf'

status=0
offers() { # EXPECTED WORD...: what is offered for the last word, sorted; words as bash splits them at = and blanks
    local expected=$1
    shift
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
    _enuf || status=1 # within a condition, so that set -e does not end the function early
    local got
    got=$(printf '%s\n' "${COMPREPLY[@]}" | LC_ALL=C sort | tr '\n' ' ')
    if [ "$got" = "$expected " ]; then
        echo "ok: $* -> $got"
    else
        printf 'FAILED: %s\n  offers   %s\n  expected %s\n' "$*" "$got" "$expected"
        status=1
    fi
}
files='nacl.xyz nested two words.data'
offers madelung enuf mad
offers '--completion --help --man --version' enuf --
offers 'bash fish zsh' enuf --completion ''
offers "$files" enuf energy ''
offers 'two words.data' enuf energy tw
offers '--slab --split --surroundings' enuf energy --s
offers 'auto gaussian prolate' enuf energy --split ''
offers gaussian enuf energy --split ga
offers 'auto gaussian prolate' enuf energy --split =
offers prolate enuf energy f.xyz --split = p
offers 'bonds molecule none' enuf energy --exclude ''
offers 'cif extxyz gro lammps-data lammps-dump pdb poscar' enuf energy --format ''
offers "$files" enuf energy --forces ''
offers nacl.xyz enuf energy --forces = na
offers '' enuf energy --accuracy ''
offers "$files" enuf energy --virial ''
offers 'nacl nacl.xyz' enuf madelung na
offers 'fluorite' enuf madelung --json fl
offers '--sweep-alpha' enuf madelung --json --sw
offers '--help --json' enuf info ''
offers '--quick --quiet' enuf bench --qu
offers '' enuf frobnicate ''
exit $status
