/*
 * cuda.h - the CUDA backend's workspace and its stages.
 *
 * Every stage works on device pointers, is enqueued on the workspace's stream and returns without
 * waiting: no synchronisation, no allocation, no planning after reserve, so that a caller can
 * capture a step in a CUDA graph. Errors of the data go into the record on the device
 * (enuf_cuda_record). The host reads it when it waits for results, or in check. backend_cuda.c
 * makes the plan's device current before any of these is called; steps_cuda.c and stages_cuda.c
 * copy arrays from and to the host.
 *
 * Read by C and by CUDA files. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_NUFFT_CUDA_H
#define ENUF_NUFFT_CUDA_H

#include <cuda_runtime_api.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#include "device.h"
#include "staged_copy.h"
#include "plan/target.h"
#include "cuda/sort/tiles.h"

/* Sums of one reduce, and its largest number of blocks. */
enum { ENUF_REDUCE_MOMENTS = 7, ENUF_REDUCE_BLOCKS = 1024 };

/* Counters that hand out shares of work: one for each part of a kernel, of each of eight vectors.
 */
enum { ENUF_CUDA_TICKETS = 16 };

/** Errors of the data, on the device. check reads and clears it. */
typedef struct enuf_cuda_record {
    unsigned long long bad_point; /* lowest caller's index of a coordinate that is not finite:
                                     atomicMin; ENUF_CUDA_NONE if none */
    unsigned long long outside;   /* lowest caller's index of a point outside the brick */
    unsigned long long bad_index; /* lowest place in mode_index of an index without a mode */
    int bad_strength;             /* 1: a strength is not finite */
    int overflow;                 /* 1: the strengths' sum is above the bound */
    int bad_value;                /* 1: a value or a gradient is not finite */
    double bound, strength_sum;   /* of an overflow */
} enuf_cuda_record;

#define ENUF_CUDA_NONE (~0ULL)

/** A sort's counters, and the points in use. On the device. A sort with a bad point leaves the last
 * good points unchanged, but start[n_tiles] is 0 until enuf_cuda_sort_restore(): enqueued work may
 * have another number of strengths. */
typedef struct enuf_cuda_sort_state {
    uint32_t counted; /* blocks that have counted their points; 0 between sorts */
    uint32_t ticket;  /* blocks of the scan that have begun; 0 between sorts */
    uint32_t bad;     /* 1: a point of the sort under way is bad; 0 between sorts */
    uint32_t refused; /* 1: a point of the last sort was bad */
    int64_t n, set;   /* of the last sort without bad points: points, plan->sets */
    uint64_t total;   /* start[n_tiles] of that sort */
    uint32_t places;  /* sorts without bad points: which of two arrays of places is that one's */
} enuf_cuda_sort_state;

/** The window as kernels read it: weight of cell p is sum_k coefficients[k * width + p] t^k. */
typedef struct enuf_cuda_window {
    int width, n_coefficients;
    void *coefficients; /* device, [n_coefficients][width], in the plan's precision */
    int piece_bits;     /* 2^piece_bits pieces of a cell in the table */
    void *table; /* device, [pieces][2][width]: values where a piece begins, and their changes
                    to its end; NULL: there is none */
} enuf_cuda_window;

/** One axis of the modes; device pointers, passed to kernels by value. See enuf_mode_axis. */
typedef struct enuf_cuda_axis {
    int64_t n, n_frequency, n_inverse;
    enuf_mode_places places;
    const double *number, *inverse, *inverse_of;
    const float *number_float, *inverse_float; /* of plans that avoid double, else NULL */
} enuf_cuda_axis;

/** Up to `most` points of a tile: the work of a block. */
typedef struct enuf_cuda_subproblem {
    uint64_t first; /* record */
    uint32_t tile, count;
} enuf_cuda_subproblem;

/* A start holds the place of a record in its low bits, that of a sub-problem in its high bits. */
enum { ENUF_CUDA_POINT_BITS = 36 };

/** The slice of indexed points that has records. On the device. */
typedef struct enuf_cuda_slice {
    uint64_t total;               /* points and sub-problems in it, packed as in starts */
    uint64_t first;               /* place of its first point among all */
    uint32_t first_tile, n_tiles; /* tiles of its points: at least one */
} enuf_cuda_slice;

/** What the plan's level keeps of the sorted points: levels/level.h. Device memory; NULL: not kept.
 */
typedef struct enuf_cuda_kept {
    void *weights; /* WEIGHTS: [capacity][dim][width], in the order of the records */
    /* MATRIX, levels/matrix.h: rows of points, lines without x in cells */
    void *values;    /* [capacity][lines][width] */
    uint32_t *line;  /* [capacity][lines] first cells of the window's lines */
    uint32_t *first; /* [capacity] the window's first cell along x */
    uint32_t *index; /* [capacity] the caller's */
    /* ... and of cells */
    void *entry;           /* [capacity lines width] */
    uint32_t *entry_point; /* [capacity lines width] rows of points */
    void *strengths;       /* [capacity][batch] of a call, in the order of the rows of points */
    void *sorting;         /* room for the sort that makes the matrix */
} enuf_cuda_kept;

/**
 * Points as set_points leaves them: records (point.cuh) sorted by tiles, x or z fastest, of the
 * window's first cell, within a tile by bins, which are layers of cells along the last axis; and
 * tiles cut into sub-problems. All arrays are on the device. So is the number of sub-problems:
 * start[n_tiles].
 *
 * Indexed: the caller's indices in that order. Records are made from the caller's coordinates for
 * one slice of the points at a time (slice.h).
 */
typedef struct enuf_cuda_points {
    int64_t n, capacity;
    int tile[3], tiles[3];  /* cells of a tile, tiles of the grid, along an axis */
    int z_first;            /* 1: tiles along z follow each other, in 3D; else those along x */
    uint32_t n_tiles, bins; /* bins of a tile */
    int cells_of_bin;       /* layers of a bin */
    void *records;          /* [capacity]; indexed: [slice_points] */
    uint32_t *order;        /* the caller's index of each sorted point: indexed [capacity]; in 1D
                               and 2D like taken, up to [most_taken] */
    uint32_t *rank;         /* place in its bin, in the order taken: [capacity]; with buckets
                               [most_taken]; indexed: NULL */
    void *taken;            /* records in the order of the last sort, [capacity], or by buckets,
                               some more; NULL, for very many points: there is no memory */
    uint32_t *taken_bin;    /* their bins; NULL like taken, and in 1D and 2D without buckets */
    uint32_t *bucket;       /* of sort_buckets.cu; NULL: points are too few, or no memory */
    uint32_t *bucket_place; /* 1D and 2D: [2][capacity]; NULL like bucket */
    uint32_t *count;        /* [n_tiles][bins], 0 between sorts */
    uint32_t *bin_start;    /* [n_tiles][bins] */
    uint64_t *start;        /* [n_tiles + 1] */
    enuf_cuda_subproblem *list; /* [start[n_tiles] >> ENUF_CUDA_POINT_BITS] */
    uint32_t *tile_at;   /* [capacity/32 + 2] tile of every 32nd record (indexed: of the slice) */
    uint64_t *published; /* of the scan, sort_scan.cu; 0 between sorts */
    enuf_cuda_sort_state *state;
    uint32_t most; /* points of a sub-problem */
    enuf_cuda_kept kept;

    int indexed;
    enuf_coordinates coordinates; /* arguments of set_points, on the device */
    int64_t slice_points;         /* most points of a slice */
    enuf_cuda_slice *slice;       /* the slice that is in records */
    uint64_t *slice_start; /* [n_tiles + 1] start of the slice's tiles, from its first record */
    enuf_cuda_subproblem *slice_list; /* [slice_list_length] sub-problems of the slice */
    int64_t slice_list_length;
} enuf_cuda_points;

/** cuFFT's plans: in place; real strengths: R2C and C2R, else one plan for both directions. */
typedef struct enuf_cuda_fft {
    int forward, backward; /* cufftHandle; 0: none */
    int made_forward, made_backward;
    void *work;
} enuf_cuda_fft;

/** Of plans that filter small grids in three launches, small_filter.cu; else NULL. */
typedef struct enuf_cuda_small {
    void *twiddle[3]; /* [cells of the axis] complex */
    void *columns;    /* [batch][z][modes of y][modes of x] complex */
} enuf_cuda_small;

enum { ENUF_CUDA_ALLOCATIONS = 128 };

/** Blocks of so many threads and bytes of shared memory that a multiprocessor holds of a kernel;
 * occupancy.cuh. */
typedef struct enuf_cuda_occupancy {
    const void *kernel; /* NULL: none */
    size_t bytes;
    int threads;
    int blocks;
} enuf_cuda_occupancy;
enum { ENUF_CUDA_OCCUPANCIES = 8 };

/* Host coordinates of up to this stride are copied whole, wider ones packed first. */
enum { ENUF_CUDA_COPIED_STRIDE = 4 };

typedef struct enuf_cuda {
    int device;
    int multiprocessors;
    int shared_bytes_per_block;  /* most that a kernel may use */
    int fp64_slow;               /* 1: double is slow, fp64_rate.h */
    int avoids_fp64;             /* 1: a float plan where double is slow */
    cudaStream_t stream;         /* the caller's */
    enuf_cuda_record *record;    /* device */
    enuf_cuda_record *host_copy; /* host copy, page-locked */
    enuf_cuda_points points;
    enuf_cuda_window window;
    enuf_cuda_axis axis[3];

    /* The fine grid, [batch][z][y][row]: real strengths have rows of 2 (n_x/2 + 1) numbers, for the
     * transform in place; complex ones of 2 n_x. */
    int64_t row, plane, batch_cells; /* in numbers */
    void *grid;
    int64_t *fixed; /* deterministic: the integer grid; shares its memory with grid in double */
    double *fixed_scale; /* deterministic, device: integer = nearest(value * scale); behind it the
                            largest strength */
    void *spectrum;      /* [batch][modes] complex */
    enuf_cuda_fft fft;
    enuf_cuda_small small;
    void *weighted;             /* device memory: strengths times the weights of their points, or
                                   the values of terms */
    int64_t *row_start;         /* level MATRIX: [cells + 1] first entries of the rows of cells */
    int64_t *row_sums;          /* level MATRIX: [ENUF_CUDA_ROW_SUMS], while it is made */
    double *partial;            /* partial sums of reduce and of the strengths */
    int64_t n_partial;          /* doubles in it */
    unsigned int *arrived;      /* blocks that have written their partial sums; 0 between kernels */
    unsigned int *shares_taken; /* [ENUF_CUDA_TICKETS + 1] of spreading; 0 between kernels */
    void *extent;               /* type 3: enuf_cuda_extent, from the first points on */

    /* Forces a strategy in tests and benchmarks: 0 leaves the choice to the selectors. */
    int64_t most_taken; /* more points are sorted by way of buckets; tests lower it */

    /* Host memory only: copies of its arrays on the device during a call. */
    void *copied_points;      /* of set_points, spread, interpolate */
    void *copied_coordinates; /* coordinates of the present indexed points; grows when needed */
    int64_t copied_coordinates_bytes;
    void *copied_modes; /* of transforms, multipliers, weights, whole spectra */
    void *copied_cells; /* of stages on the caller's arrays, named modes; grows when needed */
    int64_t copied_cells_bytes;
    double *copied_sums;    /* of one reduce: ENUF_REDUCE_MOMENTS */
    int64_t reported_point; /* bad point that set_points has reported: check reports it again; -1:
                               none */
    void *host_grid;        /* copy of the fine grid for the caller */
    int host_grid_lent;     /* 1: the caller may have changed the copy */
    double *packed;         /* packed coordinates, if their stride is too wide to copy them whole */
    int64_t packed_room;    /* numbers in it */
    enuf_staging staging;

    /* Kernels of few bytes that have been asked how many blocks a multiprocessor holds. */
    enuf_cuda_occupancy occupancies[ENUF_CUDA_OCCUPANCIES];

    struct {
        void *at;
        int64_t bytes;
    } allocation[ENUF_CUDA_ALLOCATIONS];
    int64_t bytes;      /* of all allocations */
    int64_t to_release; /* bytes that a reserve will release; memory_limit does not count them */
} enuf_cuda;

static inline enuf_cuda *enuf_cuda_of(const enuf_nufft *plan)
{
    return (enuf_cuda *)plan->workspace;
}

/** 1 if the caller's arrays are on the host. */
static inline int enuf_cuda_on_host(const enuf_nufft *plan)
{
    return plan->options.memory == ENUF_HOST;
}

/** Bytes of a number in the plan's precision. */
static inline size_t enuf_cuda_number(const enuf_nufft *plan)
{
    return plan->options.precision == ENUF_FLOAT ? sizeof(float) : sizeof(double);
}

/** Bytes of a point's record, point.cuh. */
static inline size_t enuf_cuda_record_bytes(const enuf_nufft *plan)
{
    return plan->options.precision == ENUF_FLOAT ? 16 : 32;
}

/** Bytes of the fine grid that is spread onto, all batches: numbers, or integers. */
static inline int64_t enuf_cuda_grid_bytes(const enuf_nufft *plan)
{
    size_t cell = plan->options.deterministic ? sizeof(int64_t) : enuf_cuda_number(plan);
    return enuf_cuda_of(plan)->batch_cells * plan->options.batch * (int64_t)cell;
}

/* ---- sort.cu, sort_arrays.c ---- */

/** Tiles, and the arrays that depend on the fine grid only. */
enuf_status enuf_cuda_sort_create(enuf_nufft *plan);

/** Makes the same tiles with new arrays for max_points in *fresh. */
enuf_status enuf_cuda_sort_allocate(enuf_nufft *plan, int64_t max_points, enuf_cuda_points *fresh);

/** Frees the arrays that sort_allocate makes. */
void enuf_cuda_sort_release(enuf_nufft *plan, enuf_cuda_points *points);

/** From here on, enqueued or recorded work finds no points. */
enuf_status enuf_cuda_sort_forget(const enuf_nufft *plan);

/** Folds and sorts; coordinates on the device (any stride, float or double). A point that is not
 * finite goes into record->bad_point, and the earlier points stay: enuf_cuda_sort_state. In both
 * cases it sets points.n, .most and .coordinates. */
enuf_status enuf_cuda_sort(enuf_nufft *plan, const enuf_coordinates *coordinates);

/** Waits; 1 if the last sort has met a bad point. */
enuf_status enuf_cuda_sort_refused(const enuf_nufft *plan, int *refused);

/** Waits; then the plan has the last good points again, or none if they are lost. */
enuf_status enuf_cuda_sort_restore(enuf_nufft *plan);

/* ---- spread.c, spread_*.cu, interpolate*.cu; the points of one slice (slice.h) a call. vectors:
 * of the batch; the job names the first, the others follow it, their grids batch_cells apart ----
 */

/** Zeroes the cells of all batches: enuf_cuda_grid_bytes(). clear_grid.cu */
enuf_status enuf_cuda_clear_grid(const enuf_nufft *plan, void *cells);

/** Adds to cells; the caller zeroes them first if it wants. On an axis that does not wrap, a point
 * outside the target goes into record->outside and adds nothing. */
enuf_status enuf_cuda_spread(enuf_nufft *plan, const enuf_spread_job *job, int vectors);

/** The same for one vector in 64-bit integers, each term nearest(value * *fixed_scale): bitwise
 * independent of the order of points. */
enuf_status enuf_cuda_spread_fixed(enuf_nufft *plan, const enuf_spread_job *job);

enuf_status enuf_cuda_interpolate(enuf_nufft *plan, const enuf_interpolate_job *job, int vectors);

/* ---- strengths.cu ---- */

/** Number of doubles of partial sums for enuf_cuda_look_at_strengths(). */
int64_t enuf_cuda_strengths_partial(const enuf_nufft *plan);

/** Checks strengths [batch][n]: a strength that is not finite goes into the record. Deterministic:
 * sets *fixed_scale, or overflow of the record. */
enuf_status enuf_cuda_look_at_strengths(enuf_nufft *plan, const void *strengths);

/** The same for one batch and a brick of the caller's: strengths times factors [n], NULL: 1. Sets
 * no *fixed_scale. */
enuf_status enuf_cuda_look_at_brick_strengths(enuf_nufft *plan, const void *strengths,
                                              const void *factors);

/** The integer grid to numbers of the plan's precision. */
enuf_status enuf_cuda_from_fixed(enuf_nufft *plan);

/* ---- weigh_points.cu ---- */

/** Numbers [batch][n][per], real or complex as strengths are, times the weights of the points, from
 * one array to another or in place. A product that is not finite sets *bad (on the device) to 1;
 * bad may be NULL. */
enuf_status enuf_cuda_weigh_points(enuf_nufft *plan, int per, const void *from, void *to, int *bad);

/** Terms of a sum: adds values [batch][n], times the weights of the points, to one vector. */
enuf_status enuf_cuda_add_terms(enuf_nufft *plan, const void *from, void *to);

/* ---- deconvolve.cu ---- */

/** A grid that is not finite sets record->bad_strength: its zeroth frequency is not finite
 * either. */
enuf_status enuf_cuda_deconvolve(enuf_nufft *plan, void *modes);
enuf_status enuf_cuda_amplify(enuf_nufft *plan, const void *modes, enuf_multiplier kind,
                              const void *multiplier);
/** deconvolve into the spectrum, and amplify it by a real multiplier, in one pass. */
enuf_status enuf_cuda_filter(enuf_nufft *plan, const void *multiplier);
enuf_status enuf_cuda_get_spectrum(enuf_nufft *plan, int64_t n, const int64_t *index, void *packed);
enuf_status enuf_cuda_put_spectrum(enuf_nufft *plan, int64_t n, const int64_t *index,
                                   const void *packed);

/* ---- reduce.cu ---- */

/** Number of doubles of partial sums for reduce. */
int64_t enuf_cuda_reduce_partial(const enuf_nufft *plan);

/** One weight [modes] on one batch of the spectrum: sums [1 or 7]. */
enuf_status enuf_cuda_reduce(enuf_nufft *plan, int batch, const void *weight, int moments,
                             double *sums);

/* ---- stages.cu: on a brick or a box of the caller's ---- */

/** Zeroes the cells of a brick, and nothing between its rows. */
enuf_status enuf_cuda_zero_brick(enuf_nufft *plan, const enuf_target *target, void *cells);

enuf_status enuf_cuda_stage_deconvolve(enuf_nufft *plan, const enuf_spectral_box *box,
                                       void *spectrum);
enuf_status enuf_cuda_stage_multiply(enuf_nufft *plan, const enuf_spectral_box *box,
                                     enuf_multiplier kind, const void *multiplier, void *spectrum);
enuf_status enuf_cuda_stage_reduce(enuf_nufft *plan, const enuf_spectral_box *box,
                                   const void *weight, int moments, const void *spectrum,
                                   double *sums);

/* ---- small_filter.cu ---- */

/** Decides whether the plan's filter takes three launches, and makes its arrays. */
enuf_status enuf_cuda_small_make(enuf_nufft *plan);

/** Fills the factors of the axes. */
enuf_status enuf_cuda_small_fill(enuf_nufft *plan);

/** Transform, enuf_cuda_filter() and transform back of the grid. Only if small.columns is set. */
enuf_status enuf_cuda_small_filter(enuf_nufft *plan, const void *multiplier);

/* ---- fft_cufft.c ---- */

/** Plans, and one work area for both. */
enuf_status enuf_cuda_fft_create(enuf_nufft *plan);
enuf_status enuf_cuda_transform(enuf_nufft *plan, int backward);
void enuf_cuda_fft_destroy(enuf_nufft *plan);

#ifdef __cplusplus
}
#endif
#endif
