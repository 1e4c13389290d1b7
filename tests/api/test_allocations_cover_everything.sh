#!/usr/bin/env bash
# The functions whose failing allocations are tested are those that the headers declare: all public
# ones, and all of the readers. Arguments: the programs that test them.
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
cd "$SOURCE"
headers=(src/common/include/enuf/*.h nufft/include/enuf/*.h ewald/include/enuf/*.h)
# without the command line there is a program less, and no readers
[ $# -lt 3 ] || headers+=(src/io/*.h)

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
