#!/usr/bin/env bash
# The installed completion of fish offers commands, options, their values, file names and structures.
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
if ! command -v fish >/dev/null; then
    echo "skipped: no fish here"
    exit 77
fi
script=$PREFIX/$DATADIR/fish/vendor_completions.d/enuf.fish
folder=$SCRATCH/files_to_complete_fish
rm -rf "$folder"
mkdir -p "$folder"
touch "$folder/nacl.xyz"
cd "$folder"
export HOME=$folder XDG_CONFIG_HOME=$folder/.config XDG_DATA_HOME=$folder/.data

status=0
offers() { # EXPECTED LINE: the words that fish offers for the line, without their descriptions
    local got
    got=$(fish --no-config -c 'source $argv[1]; complete -C $argv[2]' "$script" "$2" |
        cut -f 1 | LC_ALL=C sort | tr '\n' ' ')
    if [ "$got" = "$1 " ]; then
        echo "ok: $2 -> $got"
    else
        printf 'FAILED: %s\n  offers   %s\n  expected %s\n' "$2" "$got" "$1"
        status=1
    fi
}
offers madelung 'enuf mad'
offers '--completion --help --man --version' 'enuf --'
offers 'auto gaussian prolate' 'enuf energy --split '
offers '--split=gaussian' 'enuf energy --split=g'
offers '--slab --split --surroundings' 'enuf energy --s'
offers 'bonds molecule none' 'enuf energy --exclude '
offers 'cif extxyz gro lammps-data lammps-dump pdb poscar' 'enuf energy --format '
offers nacl.xyz 'enuf energy --forces '
offers nacl.xyz 'enuf energy na'
offers 'nacl nacl.xyz' 'enuf madelung na'
offers '--quick --quiet' 'enuf bench --qu'
exit $status
