#!/usr/bin/env bash
# Installs the build into a scratch tree and moves the tree. No installed file of CMake or pkg-config names a folder
# of the build. SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
rm -rf "$SCRATCH/first" "$PREFIX"
"$CMAKE" --install "$BUILD" --prefix "$SCRATCH/first" >/dev/null
mv "$SCRATCH/first" "$PREFIX"
find "$PREFIX" -type f -o -type l | sort

if grep -rlF -e "$BUILD/" -e "$SCRATCH/first" "$PREFIX/$LIBDIR/cmake" "$PREFIX/$LIBDIR/pkgconfig"; then
    echo "FAILED: the files above name a folder of the build"
    exit 1
fi
