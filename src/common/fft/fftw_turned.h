/* fftw_turned.h - long lines side by side, copied for FFTW. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_FFTW_TURNED_H
#define ENUF_FFTW_TURNED_H

#include "fftw_interface.h"

/** 1 if the lines of a batch are copied one behind the other to be transformed. */
int enuf_fftw_is_turned(const enuf_fft_lines *lines, const enuf_fft_batch *batch);

/** Bytes of scratch that this takes. */
int64_t enuf_fftw_turned_bytes(const enuf_fft_lines *lines, const enuf_fft_batch *batch);

/** The batch to plan: lines in scratch. */
enuf_fft_batch enuf_fftw_turned(const enuf_fft_batch *batch, void *scratch);

void enuf_fftw_execute_turned(const enuf_fftw_functions *f, const enuf_fft_lines *lines,
                              const enuf_fft_line *line, void *in, void *out, int thread);

#endif
