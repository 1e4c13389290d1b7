/* mkl_library.h - Intel's oneMKL, loaded at run time. SPDX-License-Identifier: BSD-3-Clause */
#ifndef ENUF_MKL_LIBRARY_H
#define ENUF_MKL_LIBRARY_H

#include "fftw_interface.h"

typedef struct enuf_mkl {
    enuf_fftw_functions of_precision[2]; /* double, float */
    char version[200];
} enuf_mkl;

/** Loads libmkl_rt once. NULL if it cannot be loaded; *reason then says what is missing. */
const enuf_mkl *enuf_mkl_load(const char **reason);

#endif
