#!/usr/bin/env bash
# A project finds the installed enuf by find_package(), builds and runs; a later version is not found.
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
here=$(dirname "$0")
rm -rf "$SCRATCH/consumer"
"$CMAKE" -S "$here/consumer" -B "$SCRATCH/consumer" -DCMAKE_PREFIX_PATH="$PREFIX" \
    -DCMAKE_C_COMPILER="$CC" -DENUF_EXPECTED="$VERSION" >/dev/null
"$CMAKE" --build "$SCRATCH/consumer" >/dev/null
"$SCRATCH/consumer/consumer" "$VERSION"

# this version does not satisfy a request for 99.0
if "$CMAKE" -S "$here/consumer" -B "$SCRATCH/consumer_of_next" -DCMAKE_PREFIX_PATH="$PREFIX" \
    -DCMAKE_C_COMPILER="$CC" -DENUF_EXPECTED=99.0 >/dev/null 2>&1; then
    echo "FAILED: find_package(enuf 99.0) accepts version $VERSION"
    exit 1
fi
