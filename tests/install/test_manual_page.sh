#!/usr/bin/env bash
# The installed manual page is found by man, has all its sections, and mandoc and groff format it without a warning.
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
page=$PREFIX/$MANDIR/man1/enuf.1
for section in NAME SYNOPSIS DESCRIPTION COMMANDS INPUT OPTIONS FILES ENVIRONMENT 'EXIT STATUS' \
    EXAMPLES 'SEE ALSO'; do
    grep -qE "^\.SH \"?$section\"?\$" "$page" || { echo "FAILED: no section $section"; exit 1; }
done
checked=0
if command -v mandoc >/dev/null; then
    complaints=$(mandoc -T lint -W all "$page" || true)
    echo "mandoc: $(grep -c . <<<"$complaints" || true) complaints"
    [ -z "$complaints" ] || { printf 'FAILED:\n%s\n' "$complaints"; exit 1; }
    checked=1
fi
# groff's man; another implementation of man has no --warnings
if man --warnings --version >/dev/null 2>&1 && command -v groff >/dev/null; then
    found=$(MANPATH=$PREFIX/$MANDIR man -w enuf)
    echo "man finds $found"
    [ "$(realpath "$found")" = "$(realpath "$page")" ]
    complaints=$(LC_ALL=C.UTF-8 MANROFFSEQ='' MANWIDTH=80 man --warnings -E UTF-8 -l -Tutf8 -Z "$page" \
        2>&1 >/dev/null)
    [ -z "$complaints" ] || { printf 'FAILED:\n%s\n' "$complaints"; exit 1; }
    text=$(LC_ALL=C.UTF-8 MANWIDTH=80 man -l "$page" | col -b 2>/dev/null || true)
    [ -z "$text" ] || grep -qF -- '--accuracy A' <<<"$text"
    checked=1
fi
if [ $checked = 0 ]; then
    echo "skipped: neither mandoc nor groff's man is here"
    exit 77
fi
