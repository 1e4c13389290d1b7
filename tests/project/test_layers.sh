#!/usr/bin/env bash
# Layers: a file includes headers of its own folder, and of folders below it that the table at the end allows.
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
cd "$SOURCE"
status=0

# layer FOLDER ALLOWED...: files of FOLDER include only headers of FOLDER and of the folders ALLOWED
layer() {
    local folder=$1 seen=0 allowed file name
    shift
    allowed=$({ find "$folder" "$@" \( -name '*.h' -o -name '*.hpp' -o -name '*.cuh' \) -printf '%f\n'; find "$@" -path '*/enuf/*.h' -printf 'enuf/%f\n'
        find "$folder" -path '*/enuf/*.h' -printf 'enuf/%f\n'; printf "version.h\nkernel_sets.h\n"; } | sort -u)
    while IFS=: read -r file name; do
        seen=$((seen + 1))
        name=$(sed -E 's/.*"([^"]*)".*/\1/; s|.*\.\./||' <<<"$name")
        if ! grep -qxF -e "$name" -e "$(basename "$name")" <<<"$allowed"; then
            echo "FAILED: $file includes $name, which belongs to none of: $folder $*"
            status=1
        fi
    done < <(find "$folder" \( -name '*.[ch]' -o -name '*.[ch]pp' -o -name '*.cu' -o -name '*.cuh' \) -exec grep -HE '^ *# *include *"' {} +)
    echo "$folder: $seen includes, of its own and of: ${*:-nothing}"
    [ "$seen" -gt 0 ]
}
layer src/common
layer nufft src/common
layer ewald nufft/include src/common
layer src/io src/common
# includes of LAMMPS' headers are in <> and not checked here; the plugin uses public headers of enuf only
layer lammps_plugin ewald/include ewald/mpi/include nufft/include src/common/include
layer python ewald/include nufft/include src/common
layer src/cli src/io ewald/include ewald/mpi/include nufft/include src/common
exit $status
