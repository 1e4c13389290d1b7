#!/usr/bin/env bash
# `make docs` with stand-ins for python3, doxygen and mkdocs. Without a network it names what it could not make. With
# one, every link of the pages that mkdocs gets leads to a page or a file beside them.
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
tree=$SCRATCH/docs_site
rm -rf "$tree"
mkdir -p "$tree/bin" "$tree/ewald/mpi" "$tree/nufft" "$tree/src/common" "$tree/lammps_plugin" "$tree/scripts"
cp -r "$SOURCE/docs" "$SOURCE"/*.md "$SOURCE/LICENSE" "$SOURCE/mkdocs.yml" "$tree"
cp "$SOURCE"/lammps_plugin/{LICENSE,README.md} "$tree/lammps_plugin"
cp "$SOURCE/scripts/docs.sh" "$tree/scripts"
for folder in src/common nufft ewald ewald/mpi; do cp -r "$SOURCE/$folder/include" "$tree/$folder"; done
status=0
expect() { # what, command...
    local what=$1
    shift
    if "$@"; then echo "ok: $what"; else
        echo "FAILED: $what"
        cat "$tree/out"
        status=1
    fi
}
stand_in() { # file, body of a shell script
    printf '#!/bin/sh\n%s\n' "$2" >"$1"
    chmod +x "$1"
}
run() { PATH=$tree/bin:$PATH "$tree/scripts/docs.sh" >"$tree/out" 2>&1; }

stand_in "$tree/bin/python3" 'exit 1'
stand_in "$tree/bin/doxygen" 'echo "$*" >doxygen_called'
if run; then
    echo 'FAILED: no network, and it succeeds'
    status=1
fi
expect 'no network: says that there is no site, and where the pages are' \
    grep -q 'no site: .*could not be installed.*The pages are docs/\*\.md' "$tree/out"

# python3 -m venv FOLDER makes one whose pip and mkdocs do nothing
# shellcheck disable=SC2016 # for the stand-in
stand_in "$tree/bin/python3" 'mkdir -p "$3/bin" && for name in pip mkdocs; do
    printf "#!/bin/sh\n" >"$3/bin/$name"; chmod +x "$3/bin/$name"; done'
expect 'with all its tools it succeeds' run
expect 'doxygen is given its settings' grep -qx docs/Doxyfile "$tree/doxygen_called"
expect 'it ends with the place of the site' grep -qx build/docs/site/index.html "$tree/out"

pages=$tree/build/docs/pages
links=0
for page in "$pages"/*.md; do
    while IFS= read -r link; do
        links=$((links + 1))
        [ -e "$pages/$link" ] || {
            echo "FAILED: $(basename "$page") links to $link, which scripts/docs.sh does not gather"
            status=1
        }
    done < <(grep -oE '\]\([^)# ]+' "$page" | sed 's/^](//' | grep -v '^[a-z]*:')
done
echo "$links links"
[ "$links" -gt 40 ]
exit $status
