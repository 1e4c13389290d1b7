/*
 * enuf/nufft.h - non-uniform fast Fourier transforms (NUFFT), type 1 and type 2, in 1D, 2D, 3D.
 *
 *   type 1   modes[m]  = sum_j strengths[j] exp(sign 2 pi i m . s_j)       points -> modes
 *   type 2   values[j] = sum_m modes[m]     exp(-sign 2 pi i m . s_j)      modes  -> points
 *
 * s = x / period, or s = T (x - origin) after enuf_nufft_set_frame(). Nothing is normalised. Points
 * may lie anywhere; they are folded. docs/conventions.md has signs, mode order and half spaces in
 * full.
 *
 *     enuf_nufft_options options;
 *     enuf_nufft_options_init(&options);
 *     options.dim = 1;
 *     options.modes[0] = 64;
 *     options.tolerance = 1e-9;
 *     enuf_nufft *plan;
 *     if (enuf_nufft_create(&options, &plan) != ENUF_SUCCESS) die(enuf_last_error());
 *     enuf_nufft_set_points(plan, n, x, NULL, NULL, 1);
 *     enuf_nufft_type1(plan, strengths, modes);
 *     enuf_nufft_destroy(&plan);
 *
 * A plan may be used by one thread at a time; different plans by different threads.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_NUFFT_H
#define ENUF_NUFFT_H

#include "enuf/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* X(NAME, name, help); algorithm and sources in docs/theory.md */
#define ENUF_WINDOWS(X)                                                                            \
    X(PROLATE, prolate, "prolate spheroidal wave function (default)")                              \
    X(ES, es, "exponential of semicircle")                                                         \
    X(KAISER_BESSEL, kaiser_bessel, "Kaiser-Bessel, I0 of a semicircle")                           \
    X(GAUSSIAN, gaussian, "truncated Gaussian")                                                    \
    X(BSPLINE, bspline, "cardinal B-spline")                                                       \
    X(SINC_POWER, sinc_power, "power of sinc")

typedef enum enuf_window {
#define ENUF_X(NAME, name, help) ENUF_WINDOW_##NAME,
    ENUF_WINDOWS(ENUF_X)
#undef ENUF_X
} enuf_window;

typedef enum enuf_strengths { ENUF_COMPLEX_STRENGTHS = 0, ENUF_REAL_STRENGTHS = 1 } enuf_strengths;

/* Centred: m = -n/2 ... n/2-1 ascending. FFT: 0 ... then the negative ones, as FFTs deliver them.
 */
typedef enum enuf_mode_order { ENUF_CENTRED = 0, ENUF_FFT_ORDER = 1 } enuf_mode_order;

/* FFTW's planning effort. Ignored (always ESTIMATE, wisdom set aside) when deterministic. */
typedef enum enuf_fft_effort {
    ENUF_FFT_ESTIMATE = 0,
    ENUF_FFT_MEASURE = 1,
    ENUF_FFT_PATIENT = 2
} enuf_fft_effort;

typedef enum enuf_cell_type {
    ENUF_CELL_DOUBLE = 0,
    ENUF_CELL_FLOAT = 1,
    ENUF_CELL_INT64 = 2 /* deterministic: fixed point */
} enuf_cell_type;

typedef enum enuf_multiplier { ENUF_REAL = 0, ENUF_COMPLEX = 1 } enuf_multiplier;

/**
 * What a plan on a GPU keeps of its points. Packed: what its kernels read, in their order, 20 bytes
 * a point in float, 36 in double, up to 1.7e7 points twice that; the caller's coordinates are not
 * kept. Indexed: 4 bytes a point, and 100 MB at most for a part of the points, which is made of the
 * caller's coordinates whenever points are spread or interpolated: the arrays given to set_points
 * have to stay as they are until points are set again. If not, results are wrong, and
 * enuf_nufft_check() tells what is no longer finite. (Arrays on the host are copied to the GPU, and
 * the copy is kept.) Results are those of packed points up to the order of sums, deterministic ones
 * bit by bit. Auto: packed, or where memory_limit or the GPU has no room for that, indexed, so keep
 * the arrays as for indexed; the report tells which. Arrays on the host: packed.
 */
typedef enum enuf_point_storage {
    ENUF_POINTS_PACKED = 0,
    ENUF_POINTS_INDEXED = 1,
    ENUF_POINTS_AUTO = 2
} enuf_point_storage;

enum { ENUF_MAX_WIDTH = 32 };
enum { ENUF_MAX_THREADS = 4096 }; /* that may be asked for; see options.threads */

/** Options of a plan. Fill with enuf_nufft_options_init(), then change what differs. */
typedef struct enuf_nufft_options {
    size_t struct_size; /* sizeof(enuf_nufft_options), set by _init */

    /* the problem */
    int dim;          /* 1, 2, 3 [1] */
    int64_t modes[3]; /* n_1, n_2, n_3 along x, y, z: to be set, 0 is legal; those past dim are
                         ignored [-1, which is refused] */
    enuf_precision precision;   /* of strengths, modes, values [ENUF_DOUBLE] */
    enuf_strengths strengths;   /* [ENUF_COMPLEX_STRENGTHS] */
    int sign;                   /* of the exponent of type 1, -1 or +1 [-1] */
    int type2_sign;             /* of type 2 and backward; 0: -sign [0] */
    int batch;                  /* transforms done at once on the same points [1] */
    enuf_mode_order mode_order; /* [ENUF_CENTRED] */
    double period;              /* of the coordinates, > 0 [1] */
    double tolerance; /* relative l2 error, 1e-1...1e-14 (double), 1e-1...1e-6 (float) [1e-6];
                         0: window, width and grid are all given */
    int gradients;    /* 1: size the window so that gradients meet the tolerance too [0] */

    /* the method; 0 leaves the choice to the tolerance */
    enuf_window window;   /* [ENUF_WINDOW_PROLATE] */
    int width;            /* cells, 2...ENUF_MAX_WIDTH [0] */
    double shape;         /* the window's shape parameter, see enuf_window_shape() [0] */
    double upsampling;    /* fine grid / modes, >= 1 [0] */
    int64_t fine_grid[3]; /* cells, each >= modes + 1 (1 for 0 modes) [0] */
    double density;       /* hint: points per mode expected, used to weigh grid against width [1] */

    /* where and how */
    enuf_backend backend;       /* [ENUF_BACKEND_AUTO] */
    enuf_memory memory;         /* where every array argument lives [ENUF_HOST] */
    int device;                 /* GPU ordinal; -1: the caller's current one [-1] */
    void *stream;               /* cudaStream_t [NULL] */
    int threads;                /* to ENUF_MAX_THREADS, of which four a processor (and 16 always)
                                   are started; 0: as many as OpenMP would take, without
                                   OMP_NUM_THREADS at most a quota of processor time [0] */
    int deterministic;          /* bitwise the same result at any number of threads and order [0] */
    double strength_bound;      /* deterministic: a bound of sum |strength| over all ranks, of each
                                   batch; 0: n max|strength| of the call [0] */
    enuf_fft_effort fft_effort; /* [ENUF_FFT_ESTIMATE] */
    const char *fft_wisdom; /* FFTW wisdom file, read at creation and written back after measuring;
                               NULL: none [NULL] */
    int64_t memory_limit;   /* bytes the plan may hold, checked first; 0: no limit [0] */
    int no_grid;            /* 1: only the stages of nufft_stages.h, on the caller's grid [0] */
    enuf_point_storage point_storage; /* of the GPU; the cpu backend packs [ENUF_POINTS_PACKED] */
} enuf_nufft_options;

/** Fills `options` with the defaults in brackets above. */
ENUF_API void enuf_nufft_options_init(enuf_nufft_options *options);

/** What a plan chose, and the error it predicts. */
typedef struct enuf_nufft_report {
    size_t struct_size; /* sizeof(enuf_nufft_report), to be set before the call */
    enuf_backend backend;
    enuf_window window;
    int width;
    double shape;
    double upsampling; /* smallest fine_grid / modes over the axes */
    int64_t fine_grid[3];
    double error;                     /* predicted relative l2 error, truncation plus rounding; with
                                         points set, that of sums over so many. Deterministic: of
                                         strengths of one size, and a strength_bound that is their
                                         sum; x times that bound makes x times the rounding */
    double gradient_error;            /* the same of gradients */
    int64_t bytes;                    /* held by the plan now */
    enuf_point_storage point_storage; /* of the points there is room for; none yet: as asked */
} enuf_nufft_report;

typedef struct enuf_nufft enuf_nufft;

/**
 * Makes a plan: chooses window, width and fine grid, allocates the grid, plans the FFTs.
 *
 * Errors: ENUF_BAD_ARGUMENT; ENUF_UNREACHABLE_ACCURACY where a tolerance is below what the given
 * upsampling, window or width reaches (the text says what does); ENUF_OUT_OF_MEMORY;
 * ENUF_NO_BACKEND. *plan is NULL after an error.
 */
ENUF_API enuf_status enuf_nufft_create(const enuf_nufft_options *options, enuf_nufft **plan);

/** Frees the plan and sets *plan to NULL; a NULL plan is legal. */
ENUF_API void enuf_nufft_destroy(enuf_nufft **plan);

/**
 * FFTW's planner is one per process and serves one thread at a time. A host that plans with FFTW in
 * other threads gives its lock: lock(context) and unlock(context) are then called around every use
 * of the planner by this library, when plans are created and destroyed. The host takes the same
 * lock around its own planning, and does not hold it when it calls the library. NULL, NULL: the
 * library's plans alone are kept apart, as they always are. To be called while no plan is being
 * created or destroyed. Error: ENUF_BAD_ARGUMENT where one is given without the other.
 */
ENUF_API enuf_status enuf_nufft_set_planner_lock(void (*lock)(void *), void (*unlock)(void *),
                                                 void *context);

/** What the plan uses: enuf_nufft_report report = {.struct_size = sizeof report}. */
ENUF_API enuf_status enuf_nufft_get_report(const enuf_nufft *plan, enuf_nufft_report *report);

/**
 * Allocates for up to max_points points: no allocation happens after it up to that number (on a GPU
 * this is promised for arrays in device memory; those of the host need room on the device, which
 * some calls make when they first meet it). Where it makes more room than there was, points set
 * earlier have to be set again.
 */
ENUF_API enuf_status enuf_nufft_reserve(enuf_nufft *plan, int64_t max_points);

/**
 * Sets s = T (x - origin) for the points that follow; values and gradients are then in the frame of
 * x. T [3][3] row-major (for dim < 3 the leading dim x dim block counts); NULL: s = x / period.
 * origin [3], NULL: zeros. Free of cost; points set earlier have to be set again.
 */
ENUF_API enuf_status enuf_nufft_set_frame(enuf_nufft *plan, const double T[9],
                                          const double origin[3]);

/**
 * Sets the points, sorts them. The arrays are not kept, unless options.point_storage says so.
 *
 * x, y, z  coordinate d of point j at [j * stride]; y, z NULL where dim leaves them out. Strided
 *          [n][3] positions: (p, p + 1, p + 2, 3).
 * Errors: ENUF_NOT_FINITE names the first bad point. After any error the points set before stay. In
 * device memory enuf_nufft_check() tells bad points: until then there are none on the device.
 */
ENUF_API enuf_status enuf_nufft_set_points(enuf_nufft *plan, int64_t n, const double *x,
                                           const double *y, const double *z, int64_t stride);

/** The same from float coordinates, for callers that have no more; folded in double all the same.
 */
ENUF_API enuf_status enuf_nufft_set_points_f32(enuf_nufft *plan, int64_t n, const float *x,
                                               const float *y, const float *z, int64_t stride);

/**
 * Type 1: modes[m] = sum_j strengths[j] exp(sign 2 pi i m . s_j).
 *
 * strengths  [batch][n] real or complex (interleaved), in the plan's precision
 * Errors: ENUF_NOT_FINITE where a strength is not, or where they are so large that sums over the
 * grid would not be. In device memory enuf_nufft_check() tells it.
 * modes      [batch][n_3][n_2][n_1 or h_1] complex, h_1 = (n_1+1)/2 for real strengths
 * Source: Barnett, Magland, af Klinteberg, SIAM J. Sci. Comput. 41 (2019) C479, sections 2-3.
 */
ENUF_API enuf_status enuf_nufft_type1(enuf_nufft *plan, const void *strengths, void *modes);

/**
 * Type 2: values[j] = sum_m modes[m] exp(-sign 2 pi i m . s_j), and its gradient d/dx.
 *
 * modes      as in type 1; real strengths: values = Re sum_stored w(m) modes[m] exp(...), w = 1 in
 *            the plane m_1 = 0 and 2 elsewhere, the exact adjoint of type 1
 * values     [batch][n], may be NULL
 * gradients  [batch][n][dim], per unit of x (not of s), may be NULL
 * Errors: ENUF_NOT_FINITE where a result is not, as of modes that are not; what was computed stands
 * in the arrays. So in backward and filter. In device memory enuf_nufft_check() tells it.
 */
ENUF_API enuf_status enuf_nufft_type2(enuf_nufft *plan, const void *modes, void *values,
                                      void *gradients);

/* ---- The steps of a convolution: spread, transform, reduce, backward. The spectrum stays in the
 * plan, so that reduce and backward may be called several times on it. ---- */

/** Spreads strengths [batch][n] onto the plan's fine grid (overwritten). */
ENUF_API enuf_status enuf_nufft_spread(enuf_nufft *plan, const void *strengths);

/**
 * The fine grid after spread, before transform: to be summed over ranks.
 *
 * cells  first number; count numbers of all batches, two to a complex cell, padding included (the
 *        padding is zero)
 * type   ENUF_CELL_INT64 when deterministic
 * Host memory with a GPU: a copy of the grid, which enuf_nufft_transform() takes back.
 */
ENUF_API enuf_status enuf_nufft_grid(enuf_nufft *plan, void **cells, int64_t *count,
                                     enuf_cell_type *type);

/** Transforms the fine grid into the plan's spectrum, deconvolved: S(m) as type 1 gives it. */
ENUF_API enuf_status enuf_nufft_transform(enuf_nufft *plan);

/** spread, then transform. */
ENUF_API enuf_status enuf_nufft_forward(enuf_nufft *plan, const void *strengths);

/**
 * Copies the spectrum out, or in. n entries: modes mode_index[k] (flat index in one batch's modes)
 * of every batch, packed [batch][n] complex; mode_index NULL: all modes (n is ignored).
 * In: modes not named become zero. In device memory mode_index stands there too; an index that is
 * no mode is passed over and told by enuf_nufft_check().
 */
ENUF_API enuf_status enuf_nufft_get_spectrum(enuf_nufft *plan, int64_t n, const int64_t *mode_index,
                                             void *packed);
ENUF_API enuf_status enuf_nufft_put_spectrum(enuf_nufft *plan, int64_t n, const int64_t *mode_index,
                                             const void *packed);

/**
 * Sums over the spectrum, accumulated in double.
 *
 * weights  [n][modes] real, in the plan's precision
 * moments  0 or 1
 * sums     [batch][n][1 or 7] double: sum w weight |S|^2, then with moments
 *          sum w weight |S|^2 m_a m_b for ab = xx, yy, zz, xy, xz, yz
 */
ENUF_API enuf_status enuf_nufft_reduce(enuf_nufft *plan, int n, const void *weights, int moments,
                                       double *sums);

/**
 * Type 2 of multiplier * spectrum, without touching the spectrum: repeatable.
 *
 * multiplier  [modes], real (ENUF_REAL, even in m) or complex, in the plan's precision
 * values, gradients  as in type 2
 */
ENUF_API enuf_status enuf_nufft_backward(enuf_nufft *plan, enuf_multiplier kind,
                                         const void *multiplier, void *values, void *gradients);

/**
 * transform, then backward with a real multiplier: the fine grid after spread to the points. Saves
 * a GPU a pass over the modes. The spectrum is there afterwards, as transform leaves it.
 *
 * multiplier  [modes] real, even in m, in the plan's precision
 * values, gradients  as in type 2
 */
ENUF_API enuf_status enuf_nufft_filter(enuf_nufft *plan, const void *multiplier, void *values,
                                       void *gradients);

/**
 * Waits for everything asked so far and tells the first error of the data; clears it. In device
 * memory, where calls return before their data are looked at, what stood in grid and spectrum is
 * gone after such an error, and the points are those of the last set_points without bad ones
 * (indexed: none, as coordinates set before may have been freed). first_bad  index in the caller's
 * order of the first bad point, -1 if none. May be NULL.
 */
ENUF_API enuf_status enuf_nufft_check(enuf_nufft *plan, int64_t *first_bad);

/**
 * Device memory: where the index of the first bad point stands on the device, UINT64_MAX if there
 * is none, for kernels of the caller's behind set_points on the same stream; until
 * enuf_nufft_check() clears it. The place stays the same as long as the plan lives.
 */
ENUF_API enuf_status enuf_nufft_first_bad(enuf_nufft *plan, const uint64_t **first_bad);

/* X(NAME, name): stages whose wall time a plan adds up */
#define ENUF_NUFFT_STAGES(X)                                                                       \
    X(SORT, sort)                                                                                  \
    X(SPREAD, spread)                                                                              \
    X(FFT, fft)                                                                                    \
    X(DECONVOLVE, deconvolve)                                                                      \
    X(INTERPOLATE, interpolate)                                                                    \
    X(REDUCE, reduce)

typedef enum enuf_nufft_stage {
#define ENUF_X(NAME, name) ENUF_STAGE_##NAME,
    ENUF_NUFFT_STAGES(ENUF_X)
#undef ENUF_X
        ENUF_STAGE_COUNT
} enuf_nufft_stage;

/**
 * Seconds spent in each of the first n stages since creation or the last call: seconds [n], n =
 * ENUF_STAGE_COUNT; further ones are 0. In device memory stages only enqueue, and these are the
 * host's seconds: time the stream by events.
 */
ENUF_API enuf_status enuf_nufft_elapsed(enuf_nufft *plan, int n, double seconds[]);

/* ---- Windows ---- */

/** Name of a window ("kaiser_bessel"), or NULL; window of a name (ENUF_BAD_ARGUMENT lists them). */
ENUF_API const char *enuf_window_name(enuf_window window);
ENUF_API enuf_status enuf_window_parse(const char *name, enuf_window *window);

/** The shape parameter that suits transforms of equally important modes (docs/theory.md). */
ENUF_API double enuf_window_shape(enuf_window window, int width, double upsampling);

/** Legendre functions in enuf_aliasing.own_slope; their coefficients fall faster than any power. */
#define ENUF_OWN_SLOPES 8

/** The error a window makes on one axis, mode by mode: see enuf_window_aliasing(). */
typedef struct enuf_aliasing {
    double *alias; /* sum_{n != 0} w^2(theta + 2 pi n) / w^2(theta), theta = 2 pi m / grid */
    double *gradient_alias; /* sum_{n != 0} kappa^2 w^2 (theta + 2 pi n) / w^2(theta), per cell^2 */
    double *gradient_bias;  /* kappa(theta) - theta, per cell: edge jump of the window */
    double *noise; /* integral w(x)^2 dx / w^2(theta): amplification of white rounding noise */
    /* [n][ENUF_OWN_SLOPES] slope per cell that a point of unit strength meets in what it spread
     * itself, of this mode (m and -m alike): coefficients on sqrt(4r+3) P_{2r+1}(t), t = -1 ... 1
     * its place between two points of the grid (even width) or between two middles (odd) */
    double *own_slope;
} enuf_aliasing;

/**
 * The aliasing of a window, exact up to its own rounding (1e-16 of the window): for each mode index
 * m[k] of an axis with `grid` fine cells. Any of the five outputs may be NULL; each has n entries.
 * w is the Fourier transform of the window as the plan evaluates it; kappa that of its piecewise
 * derivative over w; shape 0 is that of upsampling 2. Source: docs/theory.md, "Error of a
 * transform".
 */
ENUF_API enuf_status enuf_window_aliasing(enuf_window window, int width, double shape, int64_t grid,
                                          int64_t n, const int64_t *m, const enuf_aliasing *out);

/** Smallest even size >= least that FFTs are fast at: no prime factor above 5. Past 2^62 there may
 * be none: INT64_MAX. */
ENUF_API int64_t enuf_fft_size(int64_t least);

/* ---- Direct sums: the ground truth, O(points * modes), threaded ---- */

/**
 * Type 1 and type 2 summed directly in double, whatever options->precision says of the arrays.
 * Of the options count: dim, modes, precision, strengths, sign, type2_sign, batch, mode_order,
 * period, threads. T, origin as in enuf_nufft_set_frame (NULL: s = x / period).
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
 * The engine below: values[t] = sum_s strengths[s] exp(sign 2 pi i targets[t] . sources[s]),
 * sources and targets anywhere.
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
