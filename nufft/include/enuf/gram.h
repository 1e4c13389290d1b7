/*
 * enuf/gram.h - the Gram operator of a transform, G = A^H W A, without its points: A is type 2 of
 * enuf/nufft.h, W are weights of the points.
 *
 *   out[m] = sum_m' T(m - m') in[m'],   T(m) = sum_j W_j exp(-type2_sign 2 pi i m . s_j)
 *
 * T is found once, by one type 1 of twice as many modes. Then G is a convolution: T is a part of a
 * circulant of twice the length l >= n along each axis. Its even and its odd frequencies are
 * transforms of length l of the modes and of the modes times a ramp, so that no array is padded to
 * 2 l. G takes the same time for any number of points. Reconstructions that iterate on G need the
 * points only once.
 *
 *     enuf_nufft_options options;
 *     enuf_nufft_options_init(&options);
 *     options.dim = 2;
 *     options.modes[0] = options.modes[1] = 128;
 *     enuf_gram *gram;
 *     if (enuf_gram_create(&options, &gram) != ENUF_SUCCESS) die(enuf_last_error());
 *     enuf_gram_set_points(gram, n, x, y, NULL, 1, weights);
 *     enuf_gram_apply(gram, modes, image);
 *     enuf_gram_destroy(&gram);
 *
 * enuf_nufft_gram() is the same of a plan that also has types 1 and 2.
 *
 * Runs on both backends, in host and device memory. An object may be used by one thread at a time;
 * different objects by different threads.
 *
 * Sources: Wajer, Pruessmann, Proc. ISMRM 9 (2001) 767; Fessler et al., IEEE Trans. Signal Process.
 * 53 (2005) 3393; docs/theory.md, section 4.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_GRAM_H
#define ENUF_GRAM_H

#include "enuf/nufft.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct enuf_gram enuf_gram;

/** What an object has chosen. */
typedef struct enuf_gram_report {
    size_t struct_size; /* sizeof(enuf_gram_report), to be set before the call */
    enuf_backend backend;
    int64_t length[3]; /* l of the transforms along each axis; 1 past dim */
    double error;      /* predicted relative l2 error of T; 0 before the points are set */
    int64_t bytes;     /* that the object holds */
} enuf_gram_report;

/**
 * Makes an object from the options of the plan that has the transform. These count: dim, modes,
 * precision, sign, type2_sign, batch, mode_order, period, tolerance, backend, isa, threads,
 * deterministic, fft, fft_effort, memory, device, stream, memory_limit; fine_grid: the circulant's
 * size 2 l of an axis, an even number of at least 2 modes. With 0 the cheapest l >= modes without a
 * prime factor above 7 is taken. A plan that holds real strengths has no Gram operator here.
 *
 * Errors: ENUF_BAD_ARGUMENT; ENUF_UNSUPPORTED for real strengths, type 3 and several point sets;
 * ENUF_BAD_MEMORY for device memory of the cpu backend; ENUF_OUT_OF_MEMORY; ENUF_NO_BACKEND. *gram
 * is NULL after an error.
 */
ENUF_API enuf_status enuf_gram_create(const enuf_nufft_options *options, enuf_gram **gram);

/** Frees the object and sets *gram to NULL; a NULL object is legal. */
ENUF_API void enuf_gram_destroy(enuf_gram **gram);

/**
 * Finds T of points and weights. The object keeps neither.
 *
 * x, y, z  as in enuf_nufft_set_points()
 * weights  [n] real W_j in the options' precision; NULL: 1. G is Hermitian for all real weights
 *
 * For a time the call holds a plan of type 1 with 2 modes along each axis, in double. In device
 * memory it waits for the GPU.
 *
 * Errors: ENUF_BAD_ARGUMENT; ENUF_NOT_FINITE names the first bad point or weight;
 * ENUF_UNREACHABLE_ACCURACY; ENUF_OUT_OF_MEMORY. After an error of an argument the object keeps
 * the earlier T; after others it may have none.
 */
ENUF_API enuf_status enuf_gram_set_points(enuf_gram *gram, int64_t n, const double *x,
                                          const double *y, const double *z, int64_t stride,
                                          const void *weights);

/** The same from float coordinates. */
ENUF_API enuf_status enuf_gram_set_points_f32(enuf_gram *gram, int64_t n, const float *x,
                                              const float *y, const float *z, int64_t stride,
                                              const void *weights);

/**
 * out = G in.
 *
 * in, out  [batch][modes] complex, in the order of the plan's modes; two arrays
 *
 * Errors: ENUF_NO_POINTS_SET; ENUF_BAD_ARGUMENT; ENUF_NOT_FINITE if a result is not finite, for
 * example because a mode is not. In device memory the call enqueues its work, which a CUDA graph
 * may record, and enuf_gram_check() reports this.
 */
ENUF_API enuf_status enuf_gram_apply(enuf_gram *gram, const void *in, void *out);

/** Device memory: waits, and reports results that were not finite since the last check, as
 * ENUF_NOT_FINITE. Host memory: success. */
ENUF_API enuf_status enuf_gram_check(enuf_gram *gram);

/** Reports the method: enuf_gram_report report = {.struct_size = sizeof report}. */
ENUF_API enuf_status enuf_gram_get_report(const enuf_gram *gram, enuf_gram_report *report);

/* ---- Of a plan ---- */

/**
 * out = A^H W A in: A is the plan's type 2 with its weights of modes, W are its weights of points
 * (enuf_nufft_set_point_weights(); none: 1).
 *
 * in, out  [batch][modes] as modes of type 2; two arrays
 *
 * At ENUF_LEVEL_GRAM the call applies a spectrum of the points, as enuf_gram_apply() does, one for
 * each set of weights. The first call after the points or their weights were set makes it, for a
 * time with a plan of type 1 with 2 modes along each axis. The plan keeps a copy of the coordinates
 * for that. In device memory this call waits for the GPU, and so does enuf_nufft_set_points() of
 * the level.
 *
 * Complex weights of points, and weights of modes, go the way of the other levels: type 2, weights,
 * and the adjoint of type 2. The plan then holds the values at the points, from the first call on.
 * memory_limit holds for all of this.
 *
 * Real strengths: A^H is the adjoint of type 2, as enuf_nufft_type2_adjoint() has it. A plan of
 * ENUF_LEVEL_GRAM has complex strengths.
 *
 * Errors: ENUF_NO_POINTS_SET; ENUF_BAD_ARGUMENT, also for type 3; ENUF_OUT_OF_MEMORY;
 * ENUF_UNREACHABLE_ACCURACY; ENUF_NOT_FINITE if a result is not finite, for example because a mode
 * is not. In device memory enuf_nufft_check() reports this; a bad point or weight is an error of
 * the call that makes the spectrum.
 */
ENUF_API enuf_status enuf_nufft_gram(enuf_nufft *plan, const void *in, void *out);

#ifdef __cplusplus
}
#endif
#endif
