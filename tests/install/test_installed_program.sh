#!/usr/bin/env bash
# The installed program runs from another folder, and loads no libenuf but the installed one.
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
cd /
"$PREFIX/bin/enuf" info
"$PREFIX/bin/enuf" info | grep -qF "$VERSION"
if ldd "$PREFIX/bin/enuf" | grep libenuf | grep -vF "$(realpath "$PREFIX")"; then
    echo "FAILED: the program loads a libenuf that is not in $PREFIX"
    exit 1
fi
