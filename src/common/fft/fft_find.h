/* fft_find.h - the library of FFTs that is used. SPDX-License-Identifier: BSD-3-Clause */
#ifndef ENUF_FFT_FIND_H
#define ENUF_FFT_FIND_H

#include "fft_library.h"

/** enuf_fft_find(); ENUF_UNSUPPORTED if there is a file of wisdom, but the library is not FFTW. */
enuf_status enuf_fft_choose(enuf_fft wanted, const char *wisdom, enuf_fft *found);

/** The table of a library that enuf_fft_choose() has found. */
const enuf_fft_library *enuf_fft_library_of(enuf_fft fft);

#endif
