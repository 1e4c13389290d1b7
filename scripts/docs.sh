#!/usr/bin/env bash
# The site of the documents in build/docs/site: pages by mkdocs-material from PyPI, in a Python
# environment of its own, and the public headers by doxygen. Says what it could not make.
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
cd "$(dirname "$0")/.."
folder=build/docs
pages=$folder/pages
packages=('mkdocs-material==9.8.1')

say() { echo "enuf: $*" >&2; }

if [ ! -e "$folder/venv/installed" ]; then
    say "installing ${packages[*]} from PyPI into $folder/venv"
    mkdir -p "$folder"
    { python3 -m venv "$folder/venv" &&
        "$folder/venv/bin/pip" install --quiet --disable-pip-version-check "${packages[@]}" &&
        touch "$folder/venv/installed"; } || {
        say "no site: ${packages[*]} could not be installed (no network, or no python3-venv)." \
            "The pages are docs/*.md"
        exit 1
    }
fi

# One folder of pages: links out of docs/ lead to the page that the file becomes, or to a copy.
rm -rf "$pages" "$folder/site"
mkdir -p "$pages/files"
cp docs/*.md docs/*.png docs/*.svg "$pages"
cp README.md "$pages/index.md"
cp CONTRIBUTING.md "$pages/contributing.md"
cp CHANGELOG.md "$pages/changelog.md"
cp LICENSE "$pages/files/LICENSE.txt"
cp lammps_plugin/LICENSE "$pages/files/LICENSE-plugin.txt"
cp lammps_plugin/README.md "$pages/files/lammps_plugin.md.txt"
headers=(src/common/include/enuf/*.h nufft/include/enuf/*.h ewald/include/enuf/*.h ewald/mpi/include/enuf/*.h)
for header in "${headers[@]}"; do cp "$header" "$pages/files/$(basename "$header").txt"; done
sed -i -E \
    -e 's#\]\((\.\./)?README\.md#](index.md#g' \
    -e 's#\]\((\.\./)?CONTRIBUTING\.md#](contributing.md#g' \
    -e 's#\]\((\.\./)?CHANGELOG\.md#](changelog.md#g' \
    -e 's#\]\((\.\./)?lammps_plugin/LICENSE\)#](files/LICENSE-plugin.txt)#g' \
    -e 's#\]\((\.\./)?lammps_plugin/README\.md\)#](files/lammps_plugin.md.txt)#g' \
    -e 's#\]\((\.\./)?LICENSE\)#](files/LICENSE.txt)#g' \
    -e 's#\]\((\.\./)?[a-z/]*include/enuf/([a-z0-9_]+\.h)\)#](files/\2.txt)#g' \
    -e 's#\]\(docs/#](#g' "$pages"/*.md

{
    echo '# Headers'
    echo
    if command -v doxygen >/dev/null; then
        echo 'Every function, type and option: [pages of the headers](api/files.html).'
        mkdir -p "$pages/api" # doxygen fills the site's folder of this name after mkdocs
        echo >"$pages/api/files.html"
    else
        echo 'This site was made without doxygen. These are the headers themselves:'
    fi
    echo
    for header in "${headers[@]}"; do
        echo "- [enuf/$(basename "$header")](files/$(basename "$header").txt)"
    done
} >"$pages/headers.md"

NO_MKDOCS_2_WARNING=1 "$folder/venv/bin/mkdocs" build --quiet --config-file mkdocs.yml
if command -v doxygen >/dev/null; then
    doxygen docs/Doxyfile
else
    say 'no pages of the headers: doxygen is not here (apt-get install doxygen)'
fi
echo "$folder/site/index.html"
