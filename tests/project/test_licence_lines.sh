#!/usr/bin/env bash
# Every source names its licence within the comment it begins with.
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
cd "$SOURCE"
status=0 files=0
while IFS= read -r file; do
    files=$((files + 1))
    if ! head -n 60 "$file" | tr '\n' ' ' | grep -qE 'SPDX-License-Identifier:[ *#]+BSD-3-Clause'; then
        echo "FAILED: $file has no line 'SPDX-License-Identifier: BSD-3-Clause'"
        status=1
    fi
done < <(find src nufft ewald tests examples bench scripts \( -name '*.[ch]' -o -name '*.cpp' -o -name '*.cu' -o -name '*.cuh' -o -name '*.sh' \))
echo "$files files"
[ "$files" -gt 20 ] && exit $status
