/*
 * ducc0_kernels.h - the FFT of DUCC0, compiled once for each instruction set.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_DUCC0_KERNELS_H
#define ENUF_DUCC0_KERNELS_H

#include "fft_batch.h"
#include "isa.h"

typedef struct enuf_ducc0_kernels {
    /* a plan, and the bytes of scratch that its execution takes; NULL: not enough memory */
    void *(*make)(const enuf_fft_batch *batch, int single, int64_t *scratch_bytes);
    /* `scratch` begins at a cache line. 0: no memory for a line's own scratch; numbers are NaN */
    int (*execute)(const void *plan, const void *in, void *out, void *scratch);
    void (*destroy)(void *plan);
} enuf_ducc0_kernels;

ENUF_DECLARE_TABLES(enuf_ducc0_kernels, enuf_ducc0_kernels)

#endif
