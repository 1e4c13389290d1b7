/*
 * object.h - a Gram operator: the spectrum of its circulant, and what a backend needs to apply it.
 *
 * Frequency 2 k + p of a circulant of length 2 l, p = 0 or 1, is frequency k of a transform of
 * length l of the numbers times exp(-i pi p m / l). So an axis has two parts p, d axes have 2^d.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_GRAM_OBJECT_H
#define ENUF_GRAM_OBJECT_H

#include "enuf/gram.h"
#include "fft/fft_lines.h"
#include "plan/plan.h"

typedef struct enuf_gram_axis {
    int64_t n, length; /* modes, and l */
    /* The first `low` modes have the first places of a line of l numbers, the others the last ones:
     * m and m + l are one place. */
    int64_t low;
    void *ramp; /* [n] complex exp(-i pi m / l), in the options' precision */
} enuf_gram_axis;

struct enuf_gram {
    enuf_nufft_options options;
    enuf_nufft *base; /* a plan of a single cell: it holds the backend and its threads */
    int64_t n_modes;  /* of a vector */
    enuf_gram_axis axis[3];
    /* of the cpu backend */
    enuf_fft_lines *passes;
    /* [l_3][2][l_2][2][l_1] of each part of the last axis, first axis fastest, each l after the
     * part p of its axis: real, in the options' precision, over the number of frequencies */
    void *spectrum;
    void *work;    /* [l of the last axis][modes of the axes before] complex */
    char *scratch; /* [threads][scratch_step] bytes */
    int64_t scratch_step;
    int64_t n_spectrum, n_work; /* numbers */
    void *engine_data;          /* of the backend's own */
    int points_set;
    double error;
};

/** T as a type 1 with real strengths gives it: [2 n_3][2 n_2][n_1] complex, m = -n ... n - 1, m_1
 * from 0 on. */
typedef struct enuf_gram_kernel {
    const double *numbers; /* in the memory of the options */
    int64_t n;
} enuf_gram_kernel;

/** The functions of a backend. */
typedef struct enuf_gram_engine {
    /* makes the arrays of an object with its axes and ramps */
    enuf_status (*make)(enuf_gram *gram);
    /* frees them; also after a failure of make */
    void (*destroy)(enuf_gram *gram);
    /* of what make has made, without the base plan */
    int64_t (*bytes)(const enuf_gram *gram);
    /* fills the spectrum */
    enuf_status (*fill)(enuf_gram *gram, const enuf_gram_kernel *kernel);
    /* one vector */
    enuf_status (*apply)(enuf_gram *gram, const void *in, void *out);

    /* Device memory; NULL without it. */
    /* waits, and reports results that are not finite */
    enuf_status (*check)(enuf_gram *gram);
    enuf_status (*allocate)(enuf_gram *gram, double **array, int64_t n, const char *what);
    enuf_status (*release)(enuf_gram *gram, double **array);
    /* weights, NULL: 1, as doubles; complete for any stream */
    enuf_status (*read_weights)(enuf_gram *gram, int64_t n, const void *weights, double *strengths);
} enuf_gram_engine;

/** Numbers of a slab: the modes of all axes but the last. */
static inline int64_t enuf_gram_slab(const enuf_gram *gram)
{
    const int last = gram->options.dim - 1;
    int64_t slab = 1;
    for (int d = 0; d < last; d++) slab *= gram->axis[d].n;
    return slab;
}

#endif
