/*
 * enuf/nufft.h - non-uniform fast Fourier transforms (NUFFT), type 1 and type 2, in 1D, 2D, 3D.
 *
 *   type 1   modes[m]  = sum_j strengths[j] exp(sign 2 pi i m . s_j)       points -> modes
 *   type 2   values[j] = sum_m modes[m]     exp(-sign 2 pi i m . s_j)      modes  -> points
 *
 * s = x / period, or s = T (x - origin) after enuf_nufft_set_frame(). Nothing is normalised. Points
 * may lie anywhere; the plan folds them into one period. docs/conventions.md defines signs, mode
 * order and half spaces.
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
 * enuf/nufft_stages.h has single stages on the caller's grid, enuf/window.h the error of a window,
 * enuf/direct.h the same sums without an FFT.
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

/** Name of a window ("kaiser_bessel"), or NULL; window of a name (ENUF_BAD_ARGUMENT lists them). */
ENUF_API const char *enuf_window_name(enuf_window window);
ENUF_API enuf_status enuf_window_parse(const char *name, enuf_window *window);

typedef enum enuf_strengths { ENUF_COMPLEX_STRENGTHS = 0, ENUF_REAL_STRENGTHS = 1 } enuf_strengths;

/* Centred: m = -n/2 ... n/2-1 ascending. FFT: 0, 1, ..., then the negative modes. */
typedef enum enuf_mode_order { ENUF_CENTRED = 0, ENUF_FFT_ORDER = 1 } enuf_mode_order;

/* FFTW's planning effort, which other libraries do not have. Ignored (always ESTIMATE, wisdom set
 * aside) when deterministic. */
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
 * How a plan on a GPU stores its points. Results agree up to the order of sums; deterministic
 * results agree bit by bit.
 *
 * PACKED   is fastest. A point takes 40 bytes in float and 72 in double. More than 1.7e7 points, in
 *          2D 8.4e6, take 37 and 69, in 1D and 2D 45 and 77, and up to 150 or 220 MB besides; or
 *          half of the first figures where memory does not suffice, or with a memory_limit: sorting
 *          then takes longer. The plan does not read the caller's coordinates again.
 * INDEXED  needs less memory: 4 bytes a point, and at most 100 MB. The plan reads the coordinates
 *          again in each transform. So the caller must keep device arrays unchanged until the next
 *          set_points; the plan copies host arrays. Changed coordinates give wrong results;
 *          enuf_nufft_check() reports only coordinates and results that are not finite.
 * AUTO     is PACKED where memory_limit and the GPU have room, else INDEXED; the report names it.
 *          Keep device arrays as for INDEXED. Host arrays are packed.
 */
typedef enum enuf_point_storage {
    ENUF_POINTS_PACKED = 0,
    ENUF_POINTS_INDEXED = 1,
    ENUF_POINTS_AUTO = 2
} enuf_point_storage;

/**
 * X(NAME, name, help): what a plan keeps of its points. The more it keeps, the longer set_points
 * takes, and the more bytes a point. Results agree up to rounding; deterministic ones of a level
 * have the same bits for any number of threads and any order of points. A GPU has no NONE, packs
 * points of WEIGHTS and MATRIX, without padding (V = W), and takes 16 bytes a point to sort MATRIX.
 * W = width, V = numbers of a row of W padded to vectors, S = bytes of a number, d = dim; on a CPU:
 * SORTED   8 (d + 1) bytes a point, 8 more in 1D
 * NONE     the same bytes, without the time of sorting. Serves points that are used once, or whose
 *          neighbours are near each other in the caller's order, as on a trajectory
 * WEIGHTS  S d V more. Type 2 with gradients evaluates the window, as SORTED does
 * MATRIX   both directions of the interpolation matrix: W^(d-1) (S V + 4) + W^d (S + 4) + 8 more,
 *          room for the strengths of a batch, and 8 bytes a cell of the grid. Each call reads the
 *          matrix once for a whole batch. Gradients and stages go the way of SORTED
 * GRAM     a copy of the coordinates, 8 d more; from the first enuf_nufft_gram() of enuf/gram.h on
 *          the spectrum of A^H W A too. All other calls go the way of SORTED
 */
#define ENUF_LEVELS(X)                                                                             \
    X(SORTED, sorted, "points are sorted (default)")                                               \
    X(NONE, none, "points are taken in the caller's order")                                        \
    X(WEIGHTS, weights, "sorted; the window's values of each point are kept")                      \
    X(MATRIX, matrix, "sorted; the interpolation matrix and its transpose are kept")               \
    X(GRAM, gram, "sorted; the spectrum of the Gram operator is kept, without points")

typedef enum enuf_level {
#define ENUF_X(NAME, name, help) ENUF_LEVEL_##NAME,
    ENUF_LEVELS(ENUF_X)
#undef ENUF_X
} enuf_level;

/** Name of a level ("weights"), or NULL; level of a name (ENUF_BAD_ARGUMENT lists them). */
ENUF_API const char *enuf_level_name(enuf_level level);
ENUF_API enuf_status enuf_level_parse(const char *name, enuf_level *level);

/**
 * X(NAME, name, help): ways of a GPU between points and cells. Results agree up to rounding;
 * deterministic sums of strengths have the same bits by any way. AUTO goes by the window, the
 * precision and the points a cell. Spreading has WINDOWS and TILES, in 3D SLIDE too; interpolation
 * WINDOWS, TILES and GATHER, in 3D POINTS too. Where a way cannot serve, WINDOWS does: wide
 * windows, grids that are tiny, parts of a grid. Calls that read what a level keeps have their own.
 */
#define ENUF_STRATEGIES(X)                                                                         \
    X(AUTO, auto, "the fastest as measured (default)")                                             \
    X(WINDOWS, windows, "a warp a point, cells in device memory: any window and grid")             \
    X(TILES, tiles, "a block a tile of cells, in shared memory or registers")                      \
    X(SLIDE, slide, "3D, spreading: a warp holds layers of a tile and slides along z")             \
    X(POINTS, points, "3D, interpolation: a thread a point, a tile in shared memory")              \
    X(GATHER, gather, "interpolation: some lanes a point, cells through the first cache")

typedef enum enuf_strategy {
#define ENUF_X(NAME, name, help) ENUF_STRATEGY_##NAME,
    ENUF_STRATEGIES(ENUF_X)
#undef ENUF_X
} enuf_strategy;

/** Name of a strategy ("tiles"), or NULL; strategy of a name (ENUF_BAD_ARGUMENT lists them). */
ENUF_API const char *enuf_strategy_name(enuf_strategy strategy);
ENUF_API enuf_status enuf_strategy_parse(const char *name, enuf_strategy *strategy);

enum { ENUF_MAX_WIDTH = 32, ENUF_MAX_SHAPE = 150 };
enum { ENUF_MAX_THREADS = 4096 }; /* largest options.threads */

/** Options of a plan. Fill with enuf_nufft_options_init(), then change what differs. */
typedef struct enuf_nufft_options {
    size_t struct_size; /* sizeof(enuf_nufft_options), set by _init */

    /* the problem */
    int dim;          /* 1, 2, 3 [1] */
    int64_t modes[3]; /* n_1, n_2, n_3 along x, y, z; must be set; 0 is legal; axes past dim are
                         ignored [-1, which create() refuses] */
    enuf_precision precision;   /* of strengths, modes, values [ENUF_DOUBLE] */
    enuf_strengths strengths;   /* [ENUF_COMPLEX_STRENGTHS] */
    int sign;                   /* of the exponent of type 1, -1 or +1 [-1] */
    int type2_sign;             /* of type 2 and backward; 0: -sign [0] */
    int batch;                  /* transforms of the same points in one call [1] */
    enuf_mode_order mode_order; /* [ENUF_CENTRED] */
    double period;              /* of the coordinates, > 0 [1] */
    double tolerance; /* relative l2 error, 1e-1...1e-14 (double), 1e-1...1e-6 (float) [1e-6];
                         0: the caller gives window, width and grid */
    int gradients;    /* 1: size the window so that gradients meet the tolerance too [0] */
    int point_sets;   /* 1, or batch: each vector of the batch has a point set of its own; see
                         enuf_nufft_set_points() [1] */
    int type3;        /* 1: sums at targets, see enuf_nufft_type3(); modes and period do not count
                         [0] */

    /* the method; 0 leaves the choice to the tolerance */
    enuf_window window;   /* [ENUF_WINDOW_PROLATE] */
    int width;            /* cells, 2...ENUF_MAX_WIDTH [0] */
    double shape;         /* of the window, 0...ENUF_MAX_SHAPE, see enuf/window.h [0] */
    double upsampling;    /* fine grid / modes, >= 1 [0] */
    int64_t fine_grid[3]; /* cells, each >= modes + 1 (1 for 0 modes) [0] */
    double density;       /* hint: points per mode expected, used to weigh grid against width [1] */

    /* where and how */
    enuf_backend backend;       /* [ENUF_BACKEND_AUTO] */
    enuf_isa isa;               /* instruction set of the cpu backend's kernels [ENUF_ISA_AUTO] */
    enuf_memory memory;         /* where every array argument lives [ENUF_HOST] */
    int device;                 /* GPU ordinal; -1: the stream's, or the current one [-1] */
    void *stream;               /* cudaStream_t [NULL] */
    int threads;                /* up to ENUF_MAX_THREADS; the plan starts at most 4 per processor,
                                   or 16 if that is more; 0: the number that OpenMP would use,
                                   limited by a quota of processor time unless OMP_NUM_THREADS is
                                   set [0] */
    int deterministic;          /* 1: same bits for any number of threads and any order of points
                                   [0] */
    double strength_bound;      /* deterministic: an upper bound of sum |strength| over all ranks,
                                   for each batch; 0: n max|strength| of the call [0] */
    enuf_fft_effort fft_effort; /* [ENUF_FFT_ESTIMATE] */
    const char *fft_wisdom; /* FFTW wisdom file, read at creation and written back after measuring;
                               an error with another library of FFTs; NULL: none [NULL] */
    int64_t memory_limit;   /* bytes that the plan may hold; checked before each allocation; 0: no
                               limit [0] */
    int no_grid;            /* 1: only the stages of nufft_stages.h, on the caller's grid [0] */
    enuf_point_storage point_storage; /* on a GPU; the cpu backend packs [ENUF_POINTS_PACKED] */
    enuf_fft fft;                     /* library of the cpu backend's FFTs [ENUF_FFT_AUTO] */
    enuf_level level;                 /* of types 1 and 2; MATRIX needs a grid of the plan's own,
                                         up to 2^32 numbers; GRAM complex strengths and a grid of
                                         the plan's own [ENUF_LEVEL_SORTED] */
    enuf_strategy spreading, interpolation; /* of a GPU; the cpu backend and type 3 have AUTO alone
                                               [ENUF_STRATEGY_AUTO] */
    int window_table; /* 1: values of the window are read from a table, on the straight line between
                         two of them, as fine as the tolerance needs: it has up to 2^16 places a
                         cell; on a GPU in 3D by ENUF_STRATEGY_WINDOWS. 0: polynomials, which
                         gradients take with a table too. Type 3 has polynomials alone [0] */
} enuf_nufft_options;

/** Fills `options` with the defaults in brackets above. */
ENUF_API void enuf_nufft_options_init(enuf_nufft_options *options);

/** For fine_grid: the smallest even size >= least without a prime factor above 5. FFTs are fast at
 * it. INT64_MAX if there is none, which can happen past 2^62. */
ENUF_API int64_t enuf_fft_size(int64_t least);

/** The method that a plan uses, and its predicted error. */
typedef struct enuf_nufft_report {
    size_t struct_size; /* sizeof(enuf_nufft_report), to be set before the call */
    enuf_backend backend;
    enuf_window window;
    int width;
    double shape;
    double upsampling; /* smallest fine_grid / modes over the axes */
    int64_t fine_grid[3];
    double error;          /* predicted relative l2 error: truncation plus rounding. With points
                              set, rounding is that of sums over these points. Deterministic: for
                              strengths of equal size and strength_bound = their sum; rounding
                              grows in proportion to strength_bound */
    double gradient_error; /* the same for gradients */
    int64_t bytes;         /* that the plan holds now */
    enuf_point_storage point_storage; /* in use; before the first points: as requested */
} enuf_nufft_report;

typedef struct enuf_nufft enuf_nufft;

/**
 * Makes a plan: chooses window, width and fine grid, allocates the grid, plans the FFTs.
 *
 * Errors: ENUF_BAD_ARGUMENT; ENUF_UNREACHABLE_ACCURACY if the given upsampling, window or width
 * cannot reach the tolerance (the text names values that can); ENUF_OUT_OF_MEMORY; ENUF_NO_BACKEND.
 * *plan is NULL after an error.
 */
ENUF_API enuf_status enuf_nufft_create(const enuf_nufft_options *options, enuf_nufft **plan);

/** Frees the plan and sets *plan to NULL; a NULL plan is legal. */
ENUF_API void enuf_nufft_destroy(enuf_nufft **plan);

/**
 * Sets the lock of FFTW's planner, for a host that itself plans with FFTW in other threads. Other
 * libraries of FFTs need none.
 *
 * A process has one FFTW planner, and it serves one thread at a time. The library calls
 * lock(context) and unlock(context) around each use of the planner, when plans are created and
 * destroyed. The host takes the same lock around its own planning, and must not hold it while it
 * calls the library. NULL, NULL removes the lock; the library always locks its own plans against
 * each other. Call this while no plan is being created or destroyed.
 *
 * Error: ENUF_BAD_ARGUMENT if one function is NULL and the other is not.
 */
ENUF_API enuf_status enuf_nufft_set_planner_lock(void (*lock)(void *), void (*unlock)(void *),
                                                 void *context);

/** Reports the method: enuf_nufft_report report = {.struct_size = sizeof report}. */
ENUF_API enuf_status enuf_nufft_get_report(const enuf_nufft *plan, enuf_nufft_report *report);

/**
 * Allocates memory for up to max_points points. Later calls with at most so many points allocate
 * nothing. (On a GPU this holds for arrays in device memory. For host arrays some calls allocate a
 * copy on the device at their first use.) If the call allocates, set the points again.
 */
ENUF_API enuf_status enuf_nufft_reserve(enuf_nufft *plan, int64_t max_points);

/**
 * Sets s = T (x - origin) for points that are set later; gradients are in the frame of x. T [3][3]
 * is row-major; for dim < 3 the leading dim x dim block counts; NULL: s = x / period. origin [3];
 * NULL: zeros. Costs nothing. Set the points again after it.
 */
ENUF_API enuf_status enuf_nufft_set_frame(enuf_nufft *plan, const double T[9],
                                          const double origin[3]);

/**
 * Sets and sorts the points. The plan reads the arrays later only if options.point_storage says so.
 *
 * x, y, z  a coordinate of point j is at [j * stride]; y and z are NULL if dim is smaller. For
 *          positions [n][3]: (p, p + 1, p + 2, 3).
 *
 * options.point_sets = batch: coordinates are [batch][n], that of point j of vector b at
 * [(b n + j) * stride]. Such a plan serves type 1, type 2, their adjoints and weights; it has no
 * single steps and no stages, each vector may hold its share of memory_limit, and after an error it
 * has no points. Error texts name the vector.
 *
 * Errors: ENUF_NOT_FINITE names the first bad point. After an error the plan keeps the earlier
 * points. In device memory enuf_nufft_check() reports bad points; until then the plan has no points
 * on the device.
 */
ENUF_API enuf_status enuf_nufft_set_points(enuf_nufft *plan, int64_t n, const double *x,
                                           const double *y, const double *z, int64_t stride);

/** The same from float coordinates. They are folded in double, or in 64-bit integers. */
ENUF_API enuf_status enuf_nufft_set_points_f32(enuf_nufft *plan, int64_t n, const float *x,
                                               const float *y, const float *z, int64_t stride);

/**
 * Sets and sorts points given as runs: lines of samples at even distances, such as the readouts of
 * a scanner. Sample i of run r is the point start[r] + i step[r], i = 0 ... lengths[r] - 1. The
 * points follow each other run by run, and so do strengths and values.
 *
 * lengths      [runs] samples of each run, 0 or more
 * start, step  [runs][dim] coordinates of the first sample, and of the way from each sample to the
 *              next, in the units of the points of enuf_nufft_set_points()
 *
 * A coordinate is fma(i, step, start) in double, rounded once to the plan's precision. The plan
 * then is that which enuf_nufft_set_points(), or in float enuf_nufft_set_points_f32(), makes of
 * these coordinates. A GPU gets the runs alone, and fills the coordinates in.
 *
 * The arrays live where options.memory says. In host memory the plan does not read them after the
 * call, and coordinates on the host exist during the call. In device memory enqueued work reads
 * them, and the call waits for the number of points alone. There the plan keeps its room: a call
 * with no more runs and points than before allocates nothing. All of it counts in memory_limit.
 * Level GRAM in host memory fills the coordinates on the host.
 *
 * A CUDA graph captures the call after one without a graph that has set as many runs. Its number of
 * points is that of the call before. If the lengths have another sum at a replay, or a start or a
 * step is not finite, points are bad, as those of enuf_nufft_set_points().
 *
 * options.point_sets = batch: start and step are [batch][runs][dim]; all vectors have the same
 * lengths.
 *
 * Errors: ENUF_BAD_ARGUMENT names an array that is NULL, or the first negative length;
 * ENUF_NOT_FINITE names run and axis of a start or a step that is not finite, those of empty runs
 * aside; ENUF_BAD_MEMORY: an array lives elsewhere; ENUF_UNSUPPORTED: a plan of type 3; then as
 * enuf_nufft_set_points(). After an error the plan keeps the earlier points, as there.
 */
ENUF_API enuf_status enuf_nufft_set_runs(enuf_nufft *plan, int64_t runs, const int64_t *lengths,
                                         const double *start, const double *step);

/**
 * Type 1: modes[m] = sum_j strengths[j] exp(sign 2 pi i m . s_j).
 *
 * strengths  [batch][n] real or complex (interleaved), in the plan's precision
 * modes      [batch][n_3][n_2][n_1 or h_1] complex, h_1 = (n_1+1)/2 for real strengths
 *
 * Errors: ENUF_NOT_FINITE if a strength is not finite, or if sums over the grid would overflow. In
 * device memory enuf_nufft_check() reports this.
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
 *
 * Errors: ENUF_NOT_FINITE if a result is not finite, for example because a mode is not; the arrays
 * hold what was computed. The same holds for backward and filter. In device memory
 * enuf_nufft_check() reports it.
 */
ENUF_API enuf_status enuf_nufft_type2(enuf_nufft *plan, const void *modes, void *values,
                                      void *gradients);

/**
 * Gives the points weights w, and the modes weights v. The plan copies them; they hold for all
 * transforms that follow:
 *
 *   type 1   modes[m]  = v_m sum_j w_j strengths[j] exp(sign 2 pi i m . s_j)
 *   type 2   values[j] = w_j sum_m v_m modes[m]     exp(-sign 2 pi i m . s_j); gradients too
 *
 * Strengths are multiplied as they are read, values as they are written, modes as they are
 * deconvolved. So spread, transform, filter, backward use them too, the stages of nufft_stages.h do
 * not. strength_bound is a bound of sum |w strength|.
 *
 * kind     ENUF_REAL, or ENUF_COMPLEX (interleaved); real strengths have real weights of points
 * sets     1: the same weights for all vectors of a batch; options.batch: a set for each
 * weights  [sets][n] of points, [sets][modes] of modes, in the plan's precision and memory; NULL
 *          removes them
 *
 * Points are set first. After another number of points transforms refuse to run until the weights
 * are set again. An error leaves the weights as they were.
 *
 * In a plan of type 3 the modes are the targets: v are weights of the targets, which are set first.
 *
 * Errors: ENUF_BAD_ARGUMENT; ENUF_NO_POINTS_SET; ENUF_OUT_OF_MEMORY; ENUF_NOT_FINITE names the
 * first bad weight (in device memory results are then not finite).
 */
ENUF_API enuf_status enuf_nufft_set_point_weights(enuf_nufft *plan, enuf_multiplier kind, int sets,
                                                  const void *weights);
ENUF_API enuf_status enuf_nufft_set_mode_weights(enuf_nufft *plan, enuf_multiplier kind, int sets,
                                                 const void *weights);

/**
 * The adjoint of type 1, whatever type2_sign is: with the opposite sign in the exponent and the
 * conjugate of all weights. For real strengths it is the adjoint under Re sum w(m) conj(a) b.
 *
 * modes, values  as in type 2
 */
ENUF_API enuf_status enuf_nufft_type1_adjoint(enuf_nufft *plan, const void *modes, void *values);

/** The adjoint of type 2 (of its values): values [batch][n] are read as strengths are in type 1,
 * modes are written. */
ENUF_API enuf_status enuf_nufft_type2_adjoint(enuf_nufft *plan, const void *values, void *modes);

/* ---- Type 3: points and targets anywhere. options.type3 = 1 ---- */

/**
 * Sets the targets of a plan of type 3, and chooses its grid. The points are set before; other
 * points need their targets set again.
 *
 * s, t, u  a coordinate of target k is at [k * stride]; t and u are NULL if dim is smaller
 *
 * The grid has about (4/pi) S X cells along an axis, S and X half of the extents of targets and
 * points, times the upsampling of its FFT. This call and set_points wait for their data.
 * Plans and arrays inside stay for the next targets if both numbers are the same: then a call takes
 * a fraction of the first one's time. With a memory_limit nothing stays.
 *
 * Errors: ENUF_NOT_FINITE names the first bad target; ENUF_UNREACHABLE_ACCURACY names what these
 * points and targets allow; ENUF_OUT_OF_MEMORY names the grid and the bytes that it needs. After an
 * error the plan has no targets.
 */
ENUF_API enuf_status enuf_nufft_set_targets(enuf_nufft *plan, int64_t n, const double *s,
                                            const double *t, const double *u, int64_t stride);

/** The same from float coordinates. */
ENUF_API enuf_status enuf_nufft_set_targets_f32(enuf_nufft *plan, int64_t n, const float *s,
                                                const float *t, const float *u, int64_t stride);

/**
 * Type 3: values[k] = sum_j strengths[j] exp(sign i s_k . x_j), s . x in radians.
 *
 * strengths  [batch][points] real or complex
 * values     [batch][targets] complex, for real strengths too
 *
 * With weights w of the points and v of the targets (enuf_nufft_set_point_weights(),
 * enuf_nufft_set_mode_weights(): weights [sets][targets]) values[k] = v_k sum_j w_j strengths[j]
 * exp(sign i s_k . x_j). One set for all vectors costs a transform nothing. The adjoint takes the
 * conjugate of all weights.
 *
 * The whole batch is summed at once. With a memory_limit it goes in as few parts of equal size as
 * fit; vectors of two parts are summed twice.
 *
 * There are no gradients, no frame, no deterministic sums; tolerance chooses width and grid. The
 * report gives the width and the upsampling of the spreading, the fine grid of the FFT, and the
 * error predicted for these points and targets, from samples of both; before the targets are set,
 * the tolerance.
 *
 * Errors: ENUF_NO_POINTS_SET; ENUF_NOT_FINITE if a strength or a value is not finite. In device
 * memory enuf_nufft_check() reports this.
 * Source: Barnett, Magland, af Klinteberg, SIAM J. Sci. Comput. 41 (2019) C479, section 3.3.
 */
ENUF_API enuf_status enuf_nufft_type3(enuf_nufft *plan, const void *strengths, void *values);

/**
 * The adjoint of type 3: strengths[j] = sum_k values[k] exp(-sign i s_k . x_j), with the conjugate
 * of all weights; for real strengths its real part.
 */
ENUF_API enuf_status enuf_nufft_type3_adjoint(enuf_nufft *plan, const void *values,
                                              void *strengths);

/* ---- The steps of a convolution: spread, transform, reduce, backward. The plan keeps the
 * spectrum, so reduce and backward may be called several times. ---- */

/** Spreads strengths [batch][n] onto the plan's fine grid (overwritten). */
ENUF_API enuf_status enuf_nufft_spread(enuf_nufft *plan, const void *strengths);

/**
 * The fine grid between spread and transform, for a sum over ranks.
 *
 * cells  the first number
 * count  numbers of all batches; a complex cell has two; padding counts, and is zero
 * type   ENUF_CELL_INT64 when deterministic
 *
 * With a GPU and host memory this is a copy of the grid; enuf_nufft_transform() copies it back.
 */
ENUF_API enuf_status enuf_nufft_grid(enuf_nufft *plan, void **cells, int64_t *count,
                                     enuf_cell_type *type);

/** Transforms the fine grid into the plan's spectrum and deconvolves it: S(m) of type 1. */
ENUF_API enuf_status enuf_nufft_transform(enuf_nufft *plan);

/** spread, then transform. */
ENUF_API enuf_status enuf_nufft_forward(enuf_nufft *plan, const void *strengths);

/**
 * Copies the spectrum out (get) or in (put).
 *
 * mode_index  [n] flat indices in the modes of one batch; NULL: all modes, n is ignored. It lives
 *             where options.memory says.
 * packed      [batch][n] complex
 *
 * put sets all other modes to zero. In device memory an index out of range is skipped;
 * enuf_nufft_check() reports it.
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
 * Type 2 of multiplier * spectrum. The spectrum does not change, so the call can be repeated.
 *
 * multiplier  [modes], real (ENUF_REAL, even in m) or complex, in the plan's precision
 * values, gradients  as in type 2
 */
ENUF_API enuf_status enuf_nufft_backward(enuf_nufft *plan, enuf_multiplier kind,
                                         const void *multiplier, void *values, void *gradients);

/**
 * transform, then backward with a real multiplier. On a GPU this saves one pass over the modes. The
 * plan holds the spectrum afterwards, as after transform.
 *
 * multiplier  [modes] real, even in m, in the plan's precision
 * values, gradients  as in type 2
 */
ENUF_API enuf_status enuf_nufft_filter(enuf_nufft *plan, const void *multiplier, void *values,
                                       void *gradients);

/**
 * Waits for all earlier calls on the plan, returns the first error of their data and clears it.
 *
 * In device memory calls return before they have read their data. After such an error grid and
 * spectrum are lost, and the plan has the points of the last set_points without bad points
 * (INDEXED: no points, because the caller may have freed the earlier coordinates).
 *
 * first_bad  index of the first bad point in the caller's order; -1: none. May be NULL.
 */
ENUF_API enuf_status enuf_nufft_check(enuf_nufft *plan, int64_t *first_bad);

/**
 * Device memory: gives the address, on the device, of the index of the first bad point (UINT64_MAX:
 * none). The caller's kernels can read it after set_points on the same stream. enuf_nufft_check()
 * clears the index. The address does not change while the plan exists.
 */
ENUF_API enuf_status enuf_nufft_first_bad(enuf_nufft *plan, const uint64_t **first_bad);

/* X(NAME, name): stages of a transform; a plan measures their wall time */
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
 * Seconds that each stage took since creation or the last call: seconds [n], with n =
 * ENUF_STAGE_COUNT; further entries become 0. In device memory stages only enqueue work, and these
 * are seconds of the host; use events to time the stream.
 */
ENUF_API enuf_status enuf_nufft_elapsed(enuf_nufft *plan, int n, double seconds[]);

#ifdef __cplusplus
}
#endif
#endif
