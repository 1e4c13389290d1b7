/*
 * backend.h - the functions of a NUFFT backend: a table that nufft/cpu, nufft/cuda and nufft/stub
 * fill.
 *
 * create.c, set_points.c, execute.c check arguments and call these in order; nothing else knows of
 * a backend. Arrays are in the plan's precision and memory. An empty slot is ENUF_UNSUPPORTED.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_NUFFT_BACKEND_H
#define ENUF_NUFFT_BACKEND_H

#include "enuf/nufft_stages.h"
#include "isa.h"

struct enuf_encoding_passes;
struct enuf_gram_engine;

/** Runs of the points of one vector, checked. Arrays are in the plan's memory. */
typedef struct enuf_runs {
    int64_t count, n;     /* runs, points */
    const int64_t *first; /* [count + 1] first point of each run; the last entry: all points */
    const double *start;  /* [count][dim] */
    const double *step;   /* [count][dim] */
} enuf_runs;

/** Coordinates as the caller has them. */
typedef struct enuf_coordinates {
    int64_t n;
    const void *axis[3]; /* coordinate d of point j at [j * stride]; NULL past dim */
    int64_t stride;
    enuf_precision precision;
    const enuf_runs *runs; /* not NULL, of a GPU and in host memory: these are the points, and there
                              are no arrays */
} enuf_coordinates;

enum { ENUF_TYPE3_TERMS = 28 };

/** Factors exp(i phase) / (transform of a window) of points or targets x. */
typedef struct enuf_type3_factors {
    int dim;
    double wave[3], turns; /* phase = wave . x + 2 pi turns */
    double centre[3], scale[3];
    /* minus the binary logarithm of the window's transform along an axis is the polynomial
     * sum_k terms[k] t^k, t = 2 ((x - centre) scale)^2 - 1 */
    int n_terms; /* 0: no window */
    double terms[ENUF_TYPE3_TERMS];
} enuf_type3_factors;

/** to = from * factors * weights, element by element of each vector. */
typedef struct enuf_type3_product {
    int64_t n; /* of a vector */
    int vectors;
    const void *factors; /* [n] complex; NULL: 1 */
    const void *weights; /* [vectors][n] real or complex; NULL: 1 */
    int complex_weights;
    int conjugate;          /* 1: takes the conjugate of factors and weights */
    const void *from;       /* [vectors][n] */
    void *to;               /* may be `from`, if both are complex or both real */
    int from_real, to_real; /* 1: real numbers; of a result the real part */
} enuf_type3_product;

/** Passes over the points and targets of type 3. Arrays are in the memory that the backend works
 * in. */
typedef struct enuf_type3_passes {
    enuf_status (*allocate)(enuf_nufft *plan, void *pointer, int64_t count, size_t size,
                            const char *what);
    void (*release)(enuf_nufft *plan, void *pointer);
    /* the caller's coordinates to packed [dim][n] (NULL, of arrays that the backend reads itself:
     * only looked at), their extent, and the index of the first that is not finite, or -1; waits */
    enuf_status (*pack)(enuf_nufft *plan, const enuf_coordinates *from, double *packed,
                        double low[3], double high[3], int64_t *bad);
    /* every step-th of n packed coordinates to the host, [dim][count]; waits */
    enuf_status (*sample)(enuf_nufft *plan, int64_t n, const double *packed, int64_t step,
                          int64_t count, double *samples);
    enuf_status (*make_factors)(enuf_nufft *plan, int64_t n, const double *packed,
                                const enuf_type3_factors *spec, void *factors);
    enuf_status (*multiply)(enuf_nufft *plan, const enuf_type3_product *product);
    /* the whole batch of a plan with no_grid, between points [batch][n] and cells [batch][grid]
     * that wrap, rows without padding */
    enuf_status (*spread)(enuf_nufft *spreading, const void *strengths, void *cells);
    enuf_status (*interpolate)(enuf_nufft *spreading, const void *cells, void *values);
    /* an array of the caller's where the passes read it: itself, or a copy in `room` */
    enuf_status (*take)(enuf_nufft *plan, const char *name, const void *array, int64_t bytes,
                        void *room, const void **taken);
    /* where the passes write an array of the caller's: itself, or `room` */
    enuf_status (*place)(enuf_nufft *plan, const char *name, void *array, void *room,
                         void **placed);
    /* brings a placed array to the caller */
    enuf_status (*give)(enuf_nufft *plan, void *array, int64_t bytes, const void *placed);
} enuf_type3_passes;

typedef struct enuf_nufft_backend {
    const char *name;
    enuf_backend kind;
    /* 1 if usable here; *reason names the device or what is missing */
    int (*usable)(const char **reason);
    /* the device, driver and FFT library that times depend on; NULL: processor, kernels and FFT of
     * the options */
    enuf_status (*machine)(const enuf_nufft_options *options, char *name, size_t size);
    /* called when the sizes of the plan's axes are known, before the axes are made, so that a lack
     * of memory is reported before any work */
    enuf_status (*create)(enuf_nufft *plan);
    enuf_status (*take_axes)(enuf_nufft *plan); /* called with the axes made; NULL: not needed */
    void (*destroy)(enuf_nufft *plan);
    int64_t (*bytes)(const enuf_nufft *plan);
    enuf_status (*reserve)(enuf_nufft *plan, int64_t max_points);
    /* replaces the numbers of the plan's weights of points or modes by a copy of `count` numbers,
     * of 0 by NULL; a failure leaves them as they were */
    enuf_status (*keep_weights)(enuf_nufft *plan, const void *from, int64_t count, void **numbers);
    /* room for sums over terms of the points that are set; NULL: none is needed */
    enuf_status (*make_terms)(enuf_nufft *plan);
    /* makes room for the points; after a failure the earlier points are still set */
    enuf_status (*set_points)(enuf_nufft *plan, const enuf_coordinates *coordinates);
    /* an array of the caller's to the host, waits; NULL: it is there */
    enuf_status (*read_runs)(enuf_nufft *plan, const char *name, const void *array, int64_t bytes,
                             void *to);
    /* device memory: looks at runs whose count, start and step are given, and finds `first` and n;
     * n is -1 if a length or a number is bad, which are those of all vectors of the batch. Waits
     * for n; in the capture of a graph it is that of the last call */
    enuf_status (*count_runs)(enuf_nufft *plan, const int64_t *lengths, enuf_runs *runs);
    /* coordinates of runs to [dim][n] in the plan's precision, on a GPU in its memory:
     * fma(i, step, start) in double, then rounded */
    enuf_status (*fill_runs)(enuf_nufft *plan, const enuf_runs *runs, void *numbers);
    /* all batches, grid overwritten; bad strengths leave the grid as it was */
    enuf_status (*spread)(enuf_nufft *plan, const void *strengths);
    enuf_status (*grid)(enuf_nufft *plan, void **cells, int64_t *count, enuf_cell_type *type);
    enuf_status (*forward_fft)(enuf_nufft *plan);
    enuf_status (*deconvolve)(enuf_nufft *plan, void *modes); /* NULL: into the spectrum */
    enuf_status (*get_spectrum)(enuf_nufft *plan, int64_t n, const int64_t *index, void *packed);
    enuf_status (*put_spectrum)(enuf_nufft *plan, int64_t n, const int64_t *index,
                                const void *packed);
    enuf_status (*reduce)(enuf_nufft *plan, int n, const void *weights, int moments, double *sums);
    /* modes (NULL: the spectrum) times multiplier (NULL: 1) over the window's transform, to the
     * grid */
    enuf_status (*amplify)(enuf_nufft *plan, const void *modes, enuf_multiplier kind,
                           const void *multiplier);
    /* forward_fft, deconvolve into the spectrum, amplify by a real multiplier, backward_fft at
     * once; NULL: one after the other */
    enuf_status (*filter)(enuf_nufft *plan, const void *multiplier);
    enuf_status (*backward_fft)(enuf_nufft *plan);
    enuf_status (*interpolate)(enuf_nufft *plan, void *values, void *gradients);
    enuf_status (*check)(enuf_nufft *plan, int64_t *first_bad);
    const uint64_t *(*first_bad)(const enuf_nufft *plan); /* on the device; NULL: no device */
    const enuf_type3_passes *type3;
    const struct enuf_direct_engine *direct;     /* sums without an FFT: direct/engine.h */
    const struct enuf_encoding_passes *encoding; /* encoding/passes.h */
    const struct enuf_gram_engine *gram;         /* gram/object.h; NULL: no Gram operator */
    /* stages on the caller's arrays, see enuf/nufft_stages.h */
    enuf_status (*stage_spread)(enuf_nufft *plan, const void *strengths, const void *factors,
                                const enuf_brick *brick, void *cells, int add);
    enuf_status (*stage_interpolate)(enuf_nufft *plan, const enuf_brick *brick, const void *cells,
                                     const void *factors, void *values, void *gradients, int add);
    enuf_status (*stage_deconvolve)(enuf_nufft *plan, const enuf_spectral_box *box, void *spectrum);
    enuf_status (*stage_multiply)(enuf_nufft *plan, const enuf_spectral_box *box,
                                  enuf_multiplier kind, const void *multiplier, void *spectrum);
    enuf_status (*stage_reduce)(enuf_nufft *plan, const enuf_spectral_box *box, int n,
                                const void *weights, int moments, const void *spectrum,
                                double *sums);
} enuf_nufft_backend;

ENUF_DECLARE_TABLES(enuf_nufft_backend, enuf_nufft_backend_cpu)
extern const enuf_nufft_backend enuf_nufft_backend_cuda;

/** The table of a usable backend; AUTO: the CPU's. `isa` matters to the CPU alone. Errors:
 * ENUF_NO_BACKEND, and those of enuf_isa_find(). */
enuf_status enuf_nufft_backend_find(enuf_backend backend, enuf_isa isa,
                                    const enuf_nufft_backend **found);

#endif
