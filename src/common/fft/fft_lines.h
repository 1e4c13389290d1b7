/*
 * fft_lines.h - one-dimensional FFTs of many lines, by one of the libraries of ENUF_FFTS.
 *
 * A caller makes the transforms that it needs at once and executes each by its number, on one
 * thread a call. No library starts threads of its own here: callers share their batches among the
 * threads of the library. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_FFT_LINES_H
#define ENUF_FFT_LINES_H

#include "error.h"
#include "fft_batch.h"

typedef struct enuf_fft_lines enuf_fft_lines;

/**
 * Makes the transforms batches[0 ... n - 1]. *made is NULL after an error.
 *
 * Errors: ENUF_BAD_FILE and ENUF_IO of the file of wisdom; ENUF_OUT_OF_MEMORY; ENUF_INTERNAL if the
 * library makes no plan.
 */
ENUF_PRIVATE enuf_status enuf_fft_make(const enuf_fft_planning *how, int n,
                                       const enuf_fft_batch *batches, enuf_fft_lines **made);

/** Bytes of scratch that the transforms hold; 0 of NULL. */
ENUF_PRIVATE int64_t enuf_fft_scratch_bytes(const enuf_fft_lines *made);

/** Executes transform k. `thread` differs between calls at a time. */
ENUF_PRIVATE void enuf_fft_execute(const enuf_fft_lines *made, int k, void *in, void *out,
                                   int thread);

/** ENUF_OUT_OF_MEMORY if an execution since the last call of this function has lacked memory: DUCC0
 * takes some for lines of more than 10,000 numbers. What it was to write is NaN. NULL is legal. */
ENUF_PRIVATE enuf_status enuf_fft_check(const enuf_fft_lines *made);

/** Frees and sets to NULL; NULL is legal. */
ENUF_PRIVATE void enuf_fft_destroy(enuf_fft_lines **made);

#endif
