#!/usr/bin/env bash
# `make` after `make demo` as root, and `make install` twice, as root or as a user, work or say what to do. A stand-in
# takes the place of cmake, so that only the Makefile is tested.
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
folder=$(mktemp -d /tmp/enuf-makefile-XXXXXX)
trap 'chmod -R u+w "$folder"; rm -rf "$folder"' EXIT
mkdir -p "$folder/bin" "$folder/scripts"
cp "$SOURCE/Makefile" "$folder"
printf '#!/bin/sh\n' | tee "$folder/scripts/install_dependencies.sh" >/dev/null
cat >"$folder/bin/cmake" <<'STAND_IN'
#!/bin/sh
case $1 in
--preset) mkdir -p "build/$2" && touch "build/$2/Makefile" ;;
--build) echo built >>"$2/log" ;;
--install) echo installed >"$2/install_manifest.txt" || exit 1 ;;
esac
STAND_IN
chmod +x "$folder/bin/cmake" "$folder/scripts/install_dependencies.sh"
cd "$folder"

# Root may write every file, so a user without rights has to run make.
as_user=()
if [ "$(id -u)" -eq 0 ]; then
    command -v setpriv >/dev/null || { echo 'setpriv is not here'; exit 77; }
    chown -R 65534:65534 "$folder"
    as_user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
fi
run() { "${as_user[@]}" env PATH="$folder/bin:$PATH" make "$@" >out 2>&1; }
failed=0
expect() { # name of the expectation, command...
    local what=$1
    shift
    if "$@"; then echo "holds: $what"; else
        echo "FAILED: $what"
        cat out
        failed=1
    fi
}
touch out && chmod 666 out

expect 'a first build' run
expect 'a build without warnings prints nothing' test "$(wc -l <out)" -eq 0
expect 'a second build' run
expect 'a first install' run install PREFIX=/nowhere
# `sudo make install` leaves a manifest of root in the user's folder
chmod 444 build/release/install_manifest.txt
[ "$(id -u)" -ne 0 ] || chown 0:0 build/release/install_manifest.txt
expect 'a second install' run install PREFIX=/nowhere
# `sudo make demo` leaves an object file of root
touch build/release/root.o && chmod 444 build/release/root.o
[ "$(id -u)" -ne 0 ] || chown 0:0 build/release/root.o
if run; then
    echo 'FAILED: a build among files of root'
    failed=1
fi
expect 'it says what to do' grep -q 'build/release/root.o belongs to .*sudo chown -R .* build' out
expect 'in one line' test "$(grep -c '^enuf: ' out)" -eq 1
rm -f build/release/root.o
expect 'it builds once the file is gone' run
if [ "$(id -u)" -eq 0 ] && command -v runuser >/dev/null; then
    rm -f build/release/log
    PATH="$folder/bin:$PATH" make install PREFIX=/nowhere >out 2>&1 || failed=1
    expect 'root installs without owning anything' \
        test -z "$(find build -user 0 -print -quit)"
fi
exit $failed
