/* fftw_wisdom.h - the file of FFTW's wisdom (options.fft_wisdom). SPDX-License-Identifier:
 * BSD-3-Clause */
#ifndef ENUF_FFTW_WISDOM_H
#define ENUF_FFTW_WISDOM_H

#include "error.h"

/** A function of FFTW that has the same type in both precisions. */
#define ENUF_FFTW(single, name) ((single) ? fftwf_##name : fftw_##name)

/** Adds the wisdom of a file to the planner's; the caller has the planner's lock. A file that does
 * not exist is no error. */
enuf_status enuf_fftw_read_wisdom(int single, const char *path);

/** Writes the planner's wisdom; the caller does not have the lock. */
enuf_status enuf_fftw_write_wisdom(int single, const char *path);

#endif
