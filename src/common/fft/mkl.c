/* mkl.c - MKL by its functions with FFTW's interface. SPDX-License-Identifier: BSD-3-Clause */
#include "mkl_library.h"

/* MKL has one effort. This is FFTW_ESTIMATE: planning leaves the arrays as they are. */
static const unsigned ESTIMATE = 1U << 6;

static int usable(const char **detail)
{
    const enuf_mkl *mkl = enuf_mkl_load(detail);
    if (mkl) *detail = mkl->version;
    return mkl != NULL;
}

static enuf_status make(const enuf_fft_planning *how, enuf_fft_lines *lines)
{
    const char *reason;
    return enuf_fftw_make(&enuf_mkl_load(&reason)->of_precision[how->single], ESTIMATE, lines);
}

const enuf_fft_library enuf_fft_library_mkl = {.title = "MKL",
                                               .usable = usable,
                                               .make = make,
                                               .execute = enuf_fftw_execute,
                                               .destroy = enuf_fftw_destroy};
