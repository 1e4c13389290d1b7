#!/usr/bin/env bash
# All C, C++ and CUDA sources are formatted as clang-format 14 does it; other versions differ in places.
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
formatter=
for candidate in clang-format-14 clang-format; do
    if "$candidate" --version 2>/dev/null | grep -q 'version 14\.'; then formatter=$candidate; fi
done
if [ -z "$formatter" ]; then
    echo "skipped: no clang-format 14 here"
    exit 77
fi
cd "$SOURCE"
find src nufft ewald lammps_plugin python tests examples bench \( -name '*.[ch]' -o -name '*.[ch]pp' -o -name '*.cu' -o -name '*.cuh' \) -print0 |
    xargs -0 "$formatter" --dry-run -Werror
