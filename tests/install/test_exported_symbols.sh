#!/usr/bin/env bash
# The library exports exactly the functions that its public headers declare: nothing internal, and
# nothing declared that is not there. SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
if [ "$SHARED" != ON ]; then
    echo "skipped: a static library hides nothing"
    exit 77
fi
exported=$(nm -D --defined-only "$PREFIX/$LIBDIR/libenuf.so" | awk '{print $3}' | sort)
declared=$(for header in "$PREFIX"/include/enuf/*.h; do
    echo "#include <enuf/$(basename "$header")>"
done | "$CC" -I"$PREFIX/include" -E -P -x c - | tr -d '\n' | tr ';' '\n' |
    sed -n 's/.*visibility("default").*[ *]\(enuf_[a-z0-9_]*\)(.*/\1/p' | sort)
echo "$(wc -l <<<"$declared") declared, $(wc -l <<<"$exported") exported"
if ! difference=$(diff <(echo "$declared") <(echo "$exported")); then
    printf 'FAILED: < declared only, > exported only\n%s\n' "$difference"
    exit 1
fi
