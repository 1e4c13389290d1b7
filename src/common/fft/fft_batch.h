/* fft_batch.h - what is to be transformed, and how. SPDX-License-Identifier: BSD-3-Clause */
#ifndef ENUF_FFT_BATCH_H
#define ENUF_FFT_BATCH_H

#include "enuf/status.h"

/** Transforms are not normalized. */
typedef enum enuf_fft_kind {
    ENUF_FFT_COMPLEX,   /* n complex numbers; may be in place */
    ENUF_FFT_OF_REAL,   /* n real numbers to n/2 + 1 complex ones; sign -1 */
    ENUF_FFT_INTO_REAL, /* n/2 + 1 complex numbers to n real ones; sign +1; overwrites its input */
} enuf_fft_kind;

/** Transforms of equal lines. Distances count numbers of the array's own kind, real or complex. */
typedef struct enuf_fft_batch {
    enuf_fft_kind kind;
    int sign;                          /* of the exponent of complex transforms, -1 or +1 */
    int64_t n;                         /* numbers of a line */
    int64_t lines;                     /* 0: there is no such transform; it must not be executed */
    int64_t in_stride, out_stride;     /* from number to number; in place they are equal */
    int64_t in_distance, out_distance; /* from line to line; in place they are equal */
    /* arrays to plan with: they may be overwritten. Arrays to execute on have their alignment */
    void *in, *out;
} enuf_fft_batch;

/** `lines` complex transforms of n numbers in place, side by side: number k of all lines, then
 * number k + 1, `stride` numbers further. */
static inline enuf_fft_batch enuf_fft_across(int64_t n, int64_t stride, int64_t lines, void *at,
                                             int sign)
{
    /* no designators: kernels in C++17 include this */
    const enuf_fft_batch batch = {ENUF_FFT_COMPLEX, sign, n, lines, stride, stride, 1, 1, at, at};
    return batch;
}

/** How transforms are made. */
typedef struct enuf_fft_planning {
    enuf_fft fft;       /* as enuf_fft_choose() gives it */
    enuf_isa isa;       /* of DUCC0's kernels */
    int single;         /* 1: float */
    int threads;        /* most that execute at a time */
    int effort;         /* of FFTW, enuf_fft_effort */
    int deterministic;  /* 1: bits depend on the batches only */
    const char *wisdom; /* FFTW's file; NULL: none */
} enuf_fft_planning;

#endif
