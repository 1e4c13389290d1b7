#!/usr/bin/env bash
# Every function that a public header or a header of the readers declares has a step in tests/api that lets its
# allocations fail, and no step names a function that is not declared. Arguments: the programs with the steps.
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
cd "$SOURCE"
headers=(src/common/include/enuf/*.h nufft/include/enuf/*.h ewald/include/enuf/*.h)
# a build without the program enuf has no readers, and four programs with steps instead of five
[ $# -lt 5 ] || headers+=(src/io/*.h)

declared=$(for header in "${headers[@]}"; do echo "#include \"$header\""; done |
    "$CC" -I. -Isrc/common/include -Inufft/include -Iewald/include -Isrc/io -E -P -x c - |
    tr '\n' ' ' | tr ';' '\n' | sed 's/__attribute__ *(([^()]*\(([^()]*)\)*[^()]*))//g' |
    grep -vE '^[^(]*\{|^[^(]*\(\*' | sed -nE 's/^[^(]*[ *](enuf_[a-z0-9_]+) *\(.*/\1/p' | sort -u)
tested=$(for program in "$@"; do "$program" --list; done | sort -u)

echo "$(wc -l <<<"$declared") functions declared, $(wc -l <<<"$tested") tested"
if ! difference=$(diff <(echo "$declared") <(echo "$tested")); then
    printf 'FAILED: < declared, but no step of tests/api calls it; > called, but not declared\n%s\n' \
        "$difference"
    exit 1
fi
