#!/usr/bin/env bash
# consumer.c compiles, links and runs with the flags of pkg-config. SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
here=$(dirname "$0")
export PKG_CONFIG_PATH=$PREFIX/$LIBDIR/pkgconfig
static=
[ "$SHARED" = ON ] || static=--static
# shellcheck disable=SC2046,SC2086 # lists of flags
"$CC" ${CFLAGS-} $(pkg-config --cflags enuf) "$here/consumer/consumer.c" \
    $(pkg-config $static --libs enuf) -lm -Wl,-rpath,"$PREFIX/$LIBDIR" -o "$SCRATCH/by_pkg_config"
"$SCRATCH/by_pkg_config" "$(pkg-config --modversion enuf)"
[ "$(pkg-config --modversion enuf)" = "$VERSION" ]
