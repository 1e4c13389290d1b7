#!/usr/bin/env bash
# The .deb files of a build: each file of `make install` is in one of them, the libraries depend on each other by
# version, and the unpacked program runs. SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
for tool in dpkg-deb dpkg-shlibdeps cpack; do
    command -v "$tool" >/dev/null || { echo "skipped: no $tool here (apt-get install dpkg-dev)"; exit 77; }
done
fail() { echo "FAILED: $*"; exit 1; }
rm -rf "$SCRATCH/packages" "$SCRATCH/unpacked"
mkdir -p "$SCRATCH/packages"
(cd "$BUILD" && cpack -G DEB -B "$SCRATCH/packages") >"$SCRATCH/packages/log" 2>&1 || { cat "$SCRATCH/packages/log"; exit 1; }
for package in "$SCRATCH"/packages/*.deb; do
    echo "$(dpkg-deb -f "$package" Package): $(dpkg-deb -f "$package" Depends)"
    dpkg-deb -x "$package" "$SCRATCH/unpacked"
done

# nothing is missing, nothing is twice
(cd "$PREFIX" && find . \( -type f -o -type l \) | sort) >"$SCRATCH/packages/installed"
for package in "$SCRATCH"/packages/*.deb; do
    dpkg-deb --fsys-tarfile "$package" | tar t | grep -v '/$' | sed 's,^\./usr,.,'
done | sort >"$SCRATCH/packages/packed"
diff "$SCRATCH/packages/installed" "$SCRATCH/packages/packed" || fail "the packages hold other files than make install"

depends() { # PACKAGE: what it depends on
    dpkg-deb -f "$SCRATCH"/packages/"$1"_*.deb Depends
}
depends libenuf-dev | grep -qF "libenuf1 (= $VERSION)" || fail "libenuf-dev does not need its libenuf1"
depends enuf | grep -q 'libcjson1' || fail "the program does not need libcjson1"
"$SCRATCH/unpacked/usr/bin/enuf" info | grep -qF "$VERSION" || fail "the unpacked program does not run"
