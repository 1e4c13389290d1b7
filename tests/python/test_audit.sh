#!/usr/bin/env bash
# auditwheel finds that the wheels run on the systems that their names promise, and has nothing to add to them. Each is
# smaller than PyPI's limit, and holds the licence of every library in it. SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
environment=$SOURCE/build/python/audit
if [ ! -e "$environment/installed" ]; then
    echo "skipped: no auditwheel in $environment: \`make wheels\` installs it, and says what it lacks"
    exit 77
fi
[ -e "$(echo "$BUILD"/python/enuf-*.whl)" ] || {
    echo 'skipped: there is no wheel: `make wheels` makes them'
    exit 77
}
export PATH=$environment/bin:$PATH
rm -rf "$SCRATCH"
mkdir -p "$SCRATCH"
cd "$SCRATCH"
. "$SOURCE/tests/support/expect.sh"
libraries() { unzip -Z1 "$1" | grep -E '\.so[.0-9]*$' | sort; }
# no grep -q: its early end would end unzip by a signal
licensed() { # wheel, name of a text
    unzip -Z1 "$1" | grep "dist-info/licenses/$2\$" >found &&
        unzip -p "$1" '*/METADATA' | grep "^License-File: $2\$" >found
}

for wheel in "$BUILD"/python/enuf*.whl; do
    name=$(basename "$wheel")
    echo "$name"
    tag=${name##*-none-}
    tag=${tag%.whl}
    # libenuf of enuf-lammps is that of the wheel of enuf, which it names with its version
    exclude=()
    [[ $name != enuf_lammps-* ]] || exclude=(--exclude libenuf.so.1)
    mkdir -p "$name"
    if auditwheel repair --plat "$tag" --only-plat "${exclude[@]}" -w "$name" "$wheel" >"$name/log" 2>&1; then
        expect "auditwheel keeps its name" test -e "$name/$name"
        expect "auditwheel adds no library" test "$(libraries "$name/$name")" = "$(libraries "$wheel")"
    else
        cat "$name/log"
        expect "auditwheel takes it for $tag" false
    fi
    bytes=$(stat -c %s "$wheel")
    expect "$bytes bytes: less than 100 MB" test "$bytes" -lt 100000000
    expect 'LICENSE' licensed "$wheel" LICENSE
    for library in $(libraries "$wheel" | grep -vE '/(libenuf\.so\.1|enufplugin\.so)$'); do
        expect "the licence of $library" licensed "$wheel" "$(basename "$library").txt"
    done
    if { unzip -p "$wheel" '*/libenuf.so.1' '*/enufplugin.so' 2>unmatched || true; } | grep -a 'for CUDA runtime version' >found; then
        expect "the terms of CUDA's runtime" licensed "$wheel" cuda_runtime.txt
    fi
done
wheel=$(echo "$BUILD"/python/enuf-*.whl)
expect 'the licence of DUCC0' licensed "$wheel" ducc0.txt
for lammps in "$BUILD"/python/enuf_lammps-*.whl; do
    [ -e "$lammps" ] || continue
    version=$(basename "$wheel" | cut -d- -f2)
    unzip -p "$lammps" '*/METADATA' >metadata
    expect "enuf-lammps needs enuf==$version" grep -qx "Requires-Dist: enuf==$version" metadata
done
exit $status
