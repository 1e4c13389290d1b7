# expect WHAT COMMAND...: prints whether the command succeeds; the test ends with `exit $status`. Read by tests in
# bash. SPDX-License-Identifier: BSD-3-Clause
status=0
expect() {
    local what=$1
    shift
    if "$@"; then echo "ok: $what"; else
        echo "FAILED: $what"
        status=1
    fi
}
