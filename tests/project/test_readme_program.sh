#!/usr/bin/env bash
# The C program of the README compiles unchanged and prints the Madelung constant of rock salt to 2e-8. The programs of
# docs/library.md compile and print the output shown there.
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
if [ ! -e "$BUILD/lib/libenuf.so" ]; then
    echo "skipped: this build has no shared library"
    exit 77
fi
program=$SCRATCH/readme_program
awk '/^```c$/ {inside = 1; next} /^```/ {inside = 0} inside' "$SOURCE/README.md" >"$program.c"
lines=$(grep -c . "$program.c")
echo "$lines lines"
[ "$lines" -ge 10 ] && [ "$lines" -le 25 ]

includes=()
for folder in src/common nufft ewald; do includes+=(-I"$SOURCE/$folder/include"); done
compile() { # program; its source is program.c
    # shellcheck disable=SC2086 # a list of flags
    "$CC" -std=c11 -Wall -Wextra -Werror ${CFLAGS-} "${includes[@]}" "$1.c" -L"$BUILD/lib" -lenuf \
        -Wl,-rpath,"$BUILD/lib" -lm -o "$1"
}

guide=$SOURCE/docs/library.md
programs=$(grep -c '^```c$' "$guide")
[ "$programs" -ge 2 ]
for k in $(seq "$programs"); do
    awk -v wanted="$k" '/^```c$/ {inside = ++n == wanted; next} /^```/ {inside = 0} inside' "$guide" >"${program}_$k.c"
    compile "${program}_$k"
    printed=$("${program}_$k")
    echo "program $k of docs/library.md prints: $printed"
    grep -qF "    $printed" "$guide"
done

compile "$program"
printed=$("$program")
echo "prints: $printed; 1.74756459463 expected, 1e-9 requested and 20 times that promised"
awk -v text="$printed" 'BEGIN {
    for (n = split(text, word, / /); n > 0; n--)
        if (word[n] ~ /^[0-9.]+$/) {
            error = word[n] / 1.747564594633182191 - 1
            exit !(error < 2e-8 && error > -2e-8)
        }
    exit 1
}'
