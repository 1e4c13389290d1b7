#!/usr/bin/env bash
# The installed completion of zsh offers commands, options, their values, file names and structures. Lines are typed
# into a zsh on a pseudo-terminal. SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
if ! command -v zsh >/dev/null || ! zsh -f -c 'zmodload zsh/zpty' 2>/dev/null; then
    echo "skipped: no zsh with zsh/zpty here"
    exit 77
fi
folder=$SCRATCH/files_to_complete_zsh
rm -rf "$folder"
mkdir -p "$folder"
touch "$folder/nacl.xyz"
cd "$folder"
LC_ALL=C FUNCTIONS=$PREFIX/$DATADIR/zsh/site-functions zsh -f <<'ZSH'
zmodload zsh/zpty
zpty shell 'PS1= TERM=dumb zsh -f -i'
# compadd prints the words instead of offering them
zpty -w shell 'fpath=($FUNCTIONS $fpath); autoload -U compinit; compinit -u -d ./dump
compadd() {
    if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then builtin compadd "$@"; return; fi
    local -a found
    builtin compadd -O found "$@"
    local word
    for word in $found; do print -r -- "<$word>"; done
}
zle -C offer complete-word offering
offering() { print BEGIN; _main_complete; print END; compstate[insert]=; compstate[list]= }
bindkey "^X" offer; bindkey "^U" kill-whole-line; print READY'
zpty -r -m shell out '*READY*READY*'
integer status_=0
offers() {
    zpty -w -n shell "$2"$'\x18'
    zpty -r -m shell out '*END*'
    zpty -w -n shell $'\x15'
    local -aU got
    got=(${(f)"$(print -r -- $out | tr -d '\r' | grep -o '<[^<>]*>')"})
    got=(${(o)${got#<}%>})
    if [[ "$got" == "$1" ]]; then
        print -r -- "ok: $2 -> $got"
    else
        print -r -- "FAILED: $2"$'\n'"  offers   $got"$'\n'"  expected $1"
        status_=1
    fi
}
offers madelung 'enuf mad'
offers 'auto gaussian prolate' 'enuf energy --split '
offers gaussian 'enuf energy --split=g'
offers 'bonds molecule none' 'enuf energy --exclude '
offers 'cif extxyz gro lammps-data lammps-dump pdb poscar' 'enuf energy --format '
offers nacl.xyz 'enuf energy --forces na'
offers nacl.xyz 'enuf energy na'
offers 'nacl nacl.xyz' 'enuf madelung na'
zpty -d shell
exit $status_
ZSH
