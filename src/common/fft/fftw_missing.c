/* fftw_missing.c - takes the place of fftw.c in a build without FFTW. SPDX-License-Identifier:
 * BSD-3-Clause */
#include "fft_library.h"

static int usable(const char **detail)
{
    *detail = "this enuf was built without FFTW: -DENUF_FFTW=ON builds with it";
    return 0;
}

const enuf_fft_library enuf_fft_library_fftw = {.title = "FFTW", .usable = usable};
