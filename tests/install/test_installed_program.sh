#!/usr/bin/env bash
# The installed program runs from anywhere, and whatever of enuf it loads is the installed one.
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
cd /
"$PREFIX/bin/enuf" info
"$PREFIX/bin/enuf" info | grep -qF "$VERSION"
if ldd "$PREFIX/bin/enuf" | grep libenuf | grep -vF "$(realpath "$PREFIX")"; then
    echo "FAILED: taken from elsewhere than $PREFIX"
    exit 1
fi
