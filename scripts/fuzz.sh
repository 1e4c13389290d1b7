#!/bin/sh
# Runs every fuzz target of a build folder (preset fuzz) on the corpus that is kept, for so many
# seconds each. New inputs stay in BUILD/corpus; one that ends a target stays there as crash-*: put
# it into tests/fuzz/corpus/<target> and mend what it found. SPDX-License-Identifier: BSD-3-Clause
#
#   scripts/fuzz.sh BUILD SECONDS [TARGET...]
set -eu
build=$1
seconds=$2
shift 2
source=$(cd "$(dirname "$0")/.." && pwd)
[ $# -gt 0 ] || set -- $(cd "$source/tests/fuzz/corpus" && echo *)
for target; do
    if ! [ -x "$build/tests/fuzz_$target" ]; then
        echo "== $target: left out, not built (cif: where gemmi is missing)"
        continue
    fi
    mkdir -p "$build/corpus/$target"
    echo "== $target, $seconds s"
    "$build/tests/fuzz_$target" -max_total_time="$seconds" -max_len=4096 -timeout=20 \
        -malloc_limit_mb=256 -rss_limit_mb=2048 -dict="$source/tests/fuzz/$target.dict" \
        -print_final_stats=1 -verbosity=0 \
        -artifact_prefix="$build/corpus/$target/crash-" \
        "$build/corpus/$target" "$source/tests/fuzz/corpus/$target"
done
