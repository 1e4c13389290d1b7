#!/usr/bin/env bash
# The manual page and the completions in src/cli/generated are those that scripts/write_pages.sh writes for this
# program, and they have every option of every command.
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
rm -rf "$SCRATCH/pages"
"$SOURCE/scripts/write_pages.sh" "$ENUF" "$SCRATCH/pages"
wc -l "$SCRATCH"/pages/*
if ! diff -ru "$SOURCE/src/cli/generated" "$SCRATCH/pages"; then
    echo "FAILED: commands or options have changed; \`make pages\` writes these files anew"
    exit 1
fi
page=$(sed 's/\\-/-/g' "$SCRATCH/pages/enuf.1")
for command in $("$ENUF" --help | sed -n '/^Commands/,/^$/s/^  \([a-z-]*\) .*/\1/p'); do
    options=$("$ENUF" "$command" --help | sed -n 's/^  --\([a-z-]*\) .*/\1/p')
    for option in $options; do
        if ! { grep -qF -e "--$option" <<<"$page" &&
            grep -q -e "--${option}[ ']" "$SCRATCH/pages/enuf.bash" &&
            grep -q -e "--${option}[=[]" "$SCRATCH/pages/_enuf" &&
            grep -q -e "from $command' -l $option " "$SCRATCH/pages/enuf.fish"; }; then
            echo "FAILED: --$option of $command is missing in a page"
            exit 1
        fi
    done
    echo "$command: $(wc -w <<<"$options") options in all four"
done
if "$ENUF" --completion tcsh 2>"$SCRATCH/refused"; then
    echo "FAILED: an unknown shell is accepted"
    exit 1
fi
grep -F 'choose one of bash, zsh, fish' "$SCRATCH/refused"
