/*
 * enuf/direct.h - sums without an FFT: exact, O(samples * pixels), on the CPU and on the GPU.
 *
 *   forward   values[j] = sum_k image[k]  B(j,k) exp(sign i p(j,k) - R_k t_j)    pixels  -> samples
 *   adjoint   image[k]  = sum_j values[j] B(j,k) exp(-sign i p(j,k) - R_k t_j)   samples -> pixels
 *
 *   p(j,k) = 2 pi k_j . r_k + w_k t_j
 *   B(j,k) = 1, or with voxels prod_d sinc(k_jd v_d + G_kd t_j), sinc(x) = sin(pi x) / (pi x)
 *
 * Sample j has a place k_j and a time t_j. Pixel k has a place r_k and, of the field map, w_k in
 * rad/s, of the decay R_k in 1/s, of the gradients G_k: the change of the field across the voxel,
 * in Hz. k . r is in turns: k in cycles for each unit of r. B is the mean over a voxel of edges v_d
 * in which the field is linear. Samples and pixels lie anywhere.
 *
 *     enuf_direct_options options;
 *     enuf_direct_options_init(&options);
 *     options.dim = 2;
 *     enuf_direct *sums;
 *     if (enuf_direct_create(&options, &sums) != ENUF_SUCCESS) die(enuf_last_error());
 *     enuf_direct_set_samples(sums, n, kx, ky, NULL, 1, times);
 *     enuf_direct_set_pixel_grid(sums, (int64_t[3]){128, 128}, NULL, NULL);
 *     enuf_direct_set_field(sums, 128 * 128, omega, NULL, NULL, NULL);
 *     enuf_direct_forward(sums, image, values, NULL);
 *     enuf_direct_destroy(&sums);
 *
 * An object may be used by one thread at a time; different objects by different threads.
 *
 * The sums of nufft.h and the sum at any sources and targets stand at the end, in one call each.
 *
 * Source of the signal and of B without gradients: Sutton, Noll, Fessler, IEEE Trans. Med. Imaging
 * 22 (2003) 178, section II. docs/theory.md derives B with gradients.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_DIRECT_H
#define ENUF_DIRECT_H

#include "enuf/nufft.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Options of direct sums. Fill with enuf_direct_options_init(), then change what differs. */
typedef struct enuf_direct_options {
    size_t struct_size; /* sizeof(enuf_direct_options), set by _init */

    /* the sums */
    int dim;                  /* of samples and pixels: 1, 2, 3 [1] */
    enuf_precision precision; /* of image, values, gradients [ENUF_DOUBLE] */
    int sign;                 /* of the exponent of forward, -1 or +1 [-1] */
    int batch;                /* images, and their values, in one call [1] */

    /* where and how */
    enuf_backend backend; /* [ENUF_BACKEND_AUTO] */
    enuf_isa isa;         /* instruction set of the cpu backend's kernels [ENUF_ISA_AUTO] */
    enuf_memory memory;   /* where every array argument lives [ENUF_HOST] */
    int device;           /* GPU ordinal; -1: the stream's, or the current one [-1] */
    void *stream;         /* cudaStream_t [NULL] */
    int threads;          /* as in enuf_nufft_options [0] */
} enuf_direct_options;

/** Fills `options` with the defaults in brackets above. */
ENUF_API void enuf_direct_options_init(enuf_direct_options *options);

typedef struct enuf_direct enuf_direct;

/**
 * Makes an object for direct sums.
 *
 * Errors: ENUF_BAD_ARGUMENT; ENUF_BAD_MEMORY for device memory with the cpu backend;
 * ENUF_NO_BACKEND; ENUF_OUT_OF_MEMORY. *sums is NULL after an error.
 */
ENUF_API enuf_status enuf_direct_create(const enuf_direct_options *options, enuf_direct **sums);

/** Frees the object and sets *sums to NULL; a NULL object is legal. */
ENUF_API void enuf_direct_destroy(enuf_direct **sums);

/**
 * Sets the samples. The object copies them.
 *
 * x, y, z  a coordinate of k_j is at [j * stride], in double in both precisions; y and z are NULL
 * if dim is smaller times    [n] t_j in s, negative ones are legal; NULL: no times, and then no
 * field map, decay or gradients
 *
 * Errors: ENUF_NOT_FINITE names the first bad sample and the array; ENUF_BAD_ARGUMENT, also if a
 * field is set and times is NULL; ENUF_OUT_OF_MEMORY. After an error the object keeps the earlier
 * samples. In device memory enuf_direct_check() reports samples that are not finite.
 */
ENUF_API enuf_status enuf_direct_set_samples(enuf_direct *sums, int64_t n, const double *x,
                                             const double *y, const double *z, int64_t stride,
                                             const double *times);

/**
 * Sets the pixels at any places. The object copies them. What set_field has set is removed.
 *
 * x, y, z  a coordinate of r_k is at [k * stride], as in set_samples
 *
 * Errors: as set_samples.
 */
ENUF_API enuf_status enuf_direct_set_pixels(enuf_direct *sums, int64_t n, const double *x,
                                            const double *y, const double *z, int64_t stride);

/**
 * Sets the pixels on a grid: r_kd = first[d] + i_d spacing[d], i_d = 0 ... counts[d] - 1, k = i_1 +
 * counts[0] (i_2 + counts[1] i_3). Without field, decay and gradients the phase separates, and the
 * sums take a few times less work than at the same pixels given one by one.
 *
 * counts   [dim], 0 or more
 * spacing  [dim]; NULL: 1 / counts[d], a field of view of 1, so that k is in cycles per field of
 * view first    [dim], place of the first pixel; NULL: -(counts[d] / 2) spacing[d], rounded down,
 * so that pixels lie as modes in the order ENUF_CENTRED
 *
 * These three arrays are on the host in any case.
 *
 * Errors: ENUF_BAD_ARGUMENT; ENUF_NOT_FINITE; ENUF_OUT_OF_MEMORY. After an error the object keeps
 * the earlier pixels.
 */
ENUF_API enuf_status enuf_direct_set_pixel_grid(enuf_direct *sums, const int64_t *counts,
                                                const double *spacing, const double *first);

/**
 * Sets what pixels do besides their place. Set the pixels first; other pixels need it again. The
 * object copies the maps, which are in double in both precisions. Each of the pointers may be NULL;
 * a call replaces everything that an earlier one has set.
 *
 * n         pixels of each map; has to be the number that is set
 * omega     [n] field map w_k in rad/s
 * decay     [n] R_k in 1/s
 * gradient  [dim] arrays [n]: G_kd in Hz, the change of the field across the voxel along axis d.
 * They need a voxel. The array of pointers is on the host. voxel     [dim] edges v_d > 0 of a
 * voxel, in the unit of r, on the host. Without gradient B is prod_d sinc(k_jd v_d).
 *
 * Errors: ENUF_NO_POINTS_SET; ENUF_BAD_ARGUMENT: another number of pixels, a map without times, a
 * gradient without a voxel, a voxel that is not positive; ENUF_NOT_FINITE names the first bad pixel
 * and the map; ENUF_OUT_OF_MEMORY. After an error the object keeps what was set. In device memory
 * enuf_direct_check() reports maps that are not finite.
 */
ENUF_API enuf_status enuf_direct_set_field(enuf_direct *sums, int64_t n, const double *omega,
                                           const double *decay, const double *const *gradient,
                                           const double *voxel);

/**
 * values[j] = sum_k image[k] B(j,k) exp(sign i p(j,k) - R_k t_j), and its gradient d/dk_j.
 *
 * image      [batch][pixels] complex, in the options' precision
 * values     [batch][samples] complex, may be NULL
 * gradients  [batch][samples][dim] complex, for each unit of k, may be NULL
 *
 * Accuracy: the phase is reduced in turns exactly, before it is rounded. The relative l2 error is
 * about 1e-15 in double and 3e-7 in float, at any number of turns up to 1e6 and 1e3.
 *
 * Errors: ENUF_NO_POINTS_SET if samples or pixels are not set; ENUF_NOT_FINITE names the first bad
 * pixel of the image (values do not change), or says that a value is not finite, for example
 * because of exp(-R t) at a negative t. In device memory the call is asynchronous on the stream,
 * and enuf_direct_check() reports this.
 */
ENUF_API enuf_status enuf_direct_forward(enuf_direct *sums, const void *image, void *values,
                                         void *gradients);

/** image[k] = sum_j values[j] B(j,k) exp(-sign i p(j,k) - R_k t_j): the adjoint of the values of
 * forward. Arrays and errors as in forward. */
ENUF_API enuf_status enuf_direct_adjoint(enuf_direct *sums, const void *values, void *image);

/**
 * Waits for all earlier calls, returns the first error of their data and clears it: see
 * enuf_nufft_check(). After an error of samples, of pixels or of maps the object has none of them.
 *
 * first_bad  index of the bad sample or pixel; -1: none. May be NULL.
 */
ENUF_API enuf_status enuf_direct_check(enuf_direct *sums, int64_t *first_bad);

/* ---- The sums of nufft.h, and the sum at any sources and targets, in one call on the CPU ---- */

/**
 * Type 1 and type 2, summed directly in double. options->precision is the precision of the arrays.
 * These options count: dim, modes, precision, strengths, sign, type2_sign, batch, mode_order,
 * period, threads. T and origin are those of enuf_nufft_set_frame() (NULL: s = x / period).
 */
ENUF_API enuf_status enuf_direct_type1(const enuf_nufft_options *options, const double T[9],
                                       const double origin[3], int64_t n, const double *x,
                                       const double *y, const double *z, int64_t stride,
                                       const void *strengths, void *modes);
ENUF_API enuf_status enuf_direct_type2(const enuf_nufft_options *options, const double T[9],
                                       const double origin[3], int64_t n, const double *x,
                                       const double *y, const double *z, int64_t stride,
                                       const void *modes, void *values, void *gradients);

/**
 * The direct sum at any sources and targets:
 * values[t] = sum_s strengths[s] exp(sign 2 pi i targets[t] . sources[s]).
 *
 * sources [n_sources][dim], targets [n_targets][dim] double; strengths [n_sources], values
 * [n_targets] complex double; gradients [n_targets][dim] complex, d/d(target), may be NULL.
 */
ENUF_API enuf_status enuf_direct_sum(int dim, int sign, int threads, int64_t n_sources,
                                     const double *sources, const double *strengths,
                                     int64_t n_targets, const double *targets, double *values,
                                     double *gradients);

#ifdef __cplusplus
}
#endif
#endif
