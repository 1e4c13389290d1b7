#!/usr/bin/env bash
# Every source names its licence within its first 60 lines: GPL-2.0 for the plugin, whose classes derive from classes of
# LAMMPS, BSD for all others.
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
cd "$SOURCE"
status=0 files=0
while IFS= read -r file; do
    files=$((files + 1))
    case $file in lammps_plugin/*) licence=GPL-2.0-only ;; *) licence=BSD-3-Clause ;; esac
    if ! head -n 60 "$file" | tr '\n' ' ' | grep -qE "SPDX-License-Identifier:[ *#]+$licence"; then
        echo "FAILED: $file has no line 'SPDX-License-Identifier: $licence'"
        status=1
    fi
done < <(find src nufft ewald lammps_plugin python tests examples bench scripts \( -name '*.[ch]' -o -name '*.[ch]pp' -o -name '*.cu' -o -name '*.cuh' -o -name '*.sh' -o -name '*.py' \))
echo "$files files"
[ "$files" -gt 20 ] && exit $status
