#!/bin/sh
# Runs a test in the environment with the wheel that `make check` and `make python` make: run.sh FILE. Skipped by name
# where there is none. ENUF_PYTHON names another interpreter; with it, PYTHONPATH may name the sources.
# SPDX-License-Identifier: BSD-3-Clause
environment=$SOURCE/build/python/venv
python=${ENUF_PYTHON:-$environment/bin/python}
if [ -z "${ENUF_PYTHON-}" ] && [ ! -e "$environment/installed" ]; then
    echo "skipped: no wheel is installed in $environment: \`make python\` makes it, and says what it lacks"
    exit 77
fi
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$SCRATCH" && cd "$SCRATCH" || exit 1 # not in the sources, which Python would import
PYTHONPATH=$here:$SOURCE/tests/support${PYTHONPATH:+:$PYTHONPATH} exec "$python" -B "$here/$1"
