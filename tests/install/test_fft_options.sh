#!/usr/bin/env bash
# A build without any FFT, and one whose ENUF_DUCC0 is no folder of DUCC0's sources, are refused with what is right.
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
status=0

refused() { # text, option...
    local text=$1 output
    shift
    rm -rf "$SCRATCH/fft_options"
    if output=$("$CMAKE" -S "$SOURCE" -B "$SCRATCH/fft_options" -DCMAKE_C_COMPILER="$CC" "$@" 2>&1); then
        echo "FAILED: cmake accepts $*"
        status=1
    elif ! tr -s ' \n' ' ' <<<"$output" | grep -F -e "$text"; then
        printf 'FAILED: cmake %s does not say: %s\n%s\n' "$*" "$text" "$output"
        status=1
    fi
}
refused '-DENUF_DUCC0=fetch takes those of DUCC0' -DENUF_FFTW=OFF
refused 'there is no /nowhere/src/ducc0/fft/fft1d_impl.h' -DENUF_DUCC0=/nowhere
exit $status
