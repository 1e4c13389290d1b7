/*
 * cpu.h - the CPU backend's workspace and its stages. Functions that depend on the precision exist
 * twice, with the suffixes _f64 and _f32. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_NUFFT_CPU_H
#define ENUF_NUFFT_CPU_H

#include "fft.h"
#include "plan/target.h"

#include <pthread.h>

enum { ENUF_GRID_LOCKS = 256 };
enum {
    ENUF_ENDLESS_ADDITIONS = 1000000000
}; /* if a plan allows more, the points of a tile are not split into runs */
enum { ENUF_REDUCE_ROWS = 16, ENUF_REDUCE_MOMENTS = 7 }; /* reduce: rows of a block, its sums */

/** A sorted point is a record of dim + 1 numbers, so that sorting writes one line of the cache a
 * point: its index in the caller's order, then its position in cells, 0 <= u < grid. */
typedef union enuf_point_number {
    int64_t index;
    double u;
} enuf_point_number;

/**
 * What a level keeps of each point beside its record. A row has the window's values along x, padded
 * with zeros to row_step() numbers.
 *
 * WEIGHTS  the rows of all axes, [point][dim] in sorted order, in 1D in the caller's order.
 * MATRIX   in rows of points, sorted: values [point][lines] rows, products over the axes; of each
 *          line the place of its cell x = 0 in the grid, in numbers; the window's first cell along
 *          x, before folding. In rows of cells: entries of cell_start[cell] ... [cell + 1], in
 *          ascending order of their points.
 */
typedef struct enuf_kept {
    void *weights;
    void *values;
    uint32_t *line;
    int64_t *first;
    void *entry;           /* values of the rows of cells */
    uint32_t *entry_point; /* the sorted points that they multiply */
    void *strengths;       /* [point][batch], sorted and weighted: of one call */
} enuf_kept;

/**
 * Points sorted by bins of fine grid cells. Bins form blocks, x fastest in both. The points of a
 * block share a tile; the points of a bin share a part of it that fits the first cache.
 *
 * At level NONE all points are in one bin, whose order is the caller's: blocks are runs of it.
 *
 * In 1D set_points() only folds the points, and the first spreading sorts them: interpolation reads
 * the grid in the caller's order.
 */
typedef struct enuf_sorted_points {
    int64_t capacity;
    enuf_point_number *sorted; /* [capacity][dim + 1] */
    enuf_kept kept;            /* [capacity] of each */
    double *folded;            /* 1D: [capacity] positions in cells, in the caller's order */
    int is_sorted;
    int bin_log2[3];   /* cells of a bin along an axis */
    int block_log2[3]; /* bins of a block along an axis */
    int64_t blocks[3];
    int64_t n_blocks, bins_per_block, n_bins;
    int64_t *start;    /* [n_blocks + 1] */
    int64_t *counts;   /* [threads][n_bins] */
    int64_t first_bad; /* caller's index of a point that is not finite, -1 */
} enuf_sorted_points;

/** The window as the kernels read it: in the precision, padded to whole vectors with zeros. */
typedef struct enuf_kernel_window {
    int width, n_coefficients;
    void *coefficients; /* [n_coefficients][term_step()] */
    int pieces;         /* of a cell in the table; 0: no table */
    void *table;        /* [pieces][2][row_step()] values, and differences from the next ones */
} enuf_kernel_window;

typedef struct enuf_cpu {
    enuf_sorted_points points;
    enuf_kernel_window window;
    int64_t row, plane;  /* numbers from one x row of the grid to the next, from plane to plane */
    int64_t *cell_start; /* MATRIX: [cells of a batch, padding too, + 1] first entry of each */
    int64_t longest_row; /* entries of the cell that has most */
    int64_t batch_cells; /* numbers in one batch, a multiple of 64 bytes */
    void *grid;          /* [batch][z][y][x], padded; int64 while deterministic sums stand in it */
    int64_t *fixed;     /* deterministic: the integer grid; shares its memory with grid in double */
    double fixed_scale; /* deterministic: integer = value * scale */
    void *spectrum;     /* [batch][modes] complex */
    enuf_grid_fft fft;
    int64_t tile_numbers; /* of a tile */
    int64_t tile_room;    /* of a thread's tiles, in units of 8 bytes: one tile, or three where sums
                             over dense points are kept in two numbers (spread.c) */
    void *tiles;          /* [threads][tile_room] */
    double *partial;      /* partial sums of reduce */
    pthread_mutex_t lock[ENUF_GRID_LOCKS];
} enuf_cpu;

static inline const enuf_point_number *enuf_cpu_sorted_at(const enuf_nufft *plan, int64_t j)
{
    return ((const enuf_cpu *)plan->workspace)->points.sorted + j * (plan->options.dim + 1);
}

/** Cells of a batch with the padding, the rows of the transposed matrix. */
static inline int64_t enuf_cpu_matrix_rows(const enuf_nufft *plan)
{
    return ((const enuf_cpu *)plan->workspace)->batch_cells / (plan->real ? 1 : 2);
}

/** 1: level MATRIX spreads by rows of points, without the transposed matrix, whose lengths of rows
 * are known. Threads would meet at cells, and long sums round: rows of cells serve these. */
static inline int enuf_cpu_matrix_by_points(const enuf_nufft *plan)
{
    return plan->threads == 1 && !plan->options.deterministic &&
           (double)((const enuf_cpu *)plan->workspace)->longest_row <= plan->method.additions;
}

/** The weighting of the points in vector b. FFTW's plans have the signs of the options: the
 * opposite one of an adjoint is the conjugate of a transform of conjugates. */
static inline enuf_weighting enuf_cpu_weighting_of(const enuf_nufft *plan, int64_t b)
{
    const enuf_weights *weights = &plan->point_weights;
    const int opposite =
        plan->forward_sign != plan->options.sign || plan->backward_sign != plan->type2_sign;
    return (enuf_weighting){.numbers = enuf_weights_of(plan, weights, b),
                            .is_complex = weights->kind == ENUF_COMPLEX,
                            .conjugate_weights = plan->adjoint,
                            .conjugate = opposite && !plan->real};
}

/* fold.c */
/* Points folded at a time: they stay in the first cache, and the compiler makes vectors of them. */
enum { ENUF_FOLD_CHUNK = 256 };
/** Positions in cells of n points from the j-th on, 0 <= u < grid. Returns the place among them of
 * the first that has a coordinate that is not finite, or n. */
int enuf_cpu_fold(const enuf_nufft *plan, const enuf_coordinates *coordinates, int64_t j, int n,
                  double u[3][ENUF_FOLD_CHUNK]);
/** 1D: positions of all points, by all threads; NULL: they are only looked at. Returns the first
 * point that is not finite, or INT64_MAX. */
int64_t enuf_cpu_fold_line(const enuf_nufft *plan, const enuf_coordinates *coordinates,
                           double *folded);

/* sort.c */
enuf_status enuf_cpu_sort_create(enuf_nufft *plan);
int64_t enuf_cpu_bytes_per_point(const enuf_nufft *plan);
enuf_status enuf_cpu_sort_reserve(enuf_nufft *plan, int64_t max_points);
enuf_status enuf_cpu_set_points(enuf_nufft *plan, const enuf_coordinates *coordinates);
/** Sorts the plan's points if set_points() has not. */
void enuf_cpu_sort(enuf_nufft *plan);
void enuf_cpu_sort_free(enuf_sorted_points *points);

/* level.c */
enuf_status enuf_cpu_level_create(enuf_nufft *plan);
int64_t enuf_cpu_level_bytes_per_point(const enuf_nufft *plan);
/** Arrays for so many points; a failure leaves none. */
enuf_status enuf_cpu_level_room(const enuf_nufft *plan, int64_t points, enuf_kept *kept);
void enuf_cpu_level_free(enuf_kept *kept);
/** Fills them from n records. */
void enuf_cpu_level_fill(enuf_nufft *plan, int64_t n);

/* blocks.c */
/** Sorted points from ... to - 1, with the tile of the thread. Returns the place among the sorted
 * of a point that lies outside of the target, else -1. */
typedef int64_t (*enuf_block_work)(enuf_nufft *plan, const void *job, int64_t from, int64_t to,
                                   void *tile);
/** Every block, by all threads. Returns the least of the caller's indices of points outside, else
 * -1. */
int64_t enuf_cpu_each_block(enuf_nufft *plan, enuf_block_work work, const void *job);

/* type3_points.c */
extern const enuf_type3_passes enuf_cpu_type3;

#define ENUF_CPU_FUNCTIONS(SUFFIX)                                                                 \
    int enuf_cpu_term_step_##SUFFIX(int width);                                                    \
    int enuf_cpu_row_step_##SUFFIX(int width);                                                     \
    void enuf_cpu_keep_weights_##SUFFIX(enuf_nufft *plan, int64_t n);                              \
    void enuf_cpu_matrix_make_##SUFFIX(enuf_nufft *plan, int64_t n);                               \
    void enuf_cpu_matrix_spread_##SUFFIX(enuf_nufft *plan, const void *strengths, void *cells);    \
    enuf_status enuf_cpu_matrix_interpolate_##SUFFIX(enuf_nufft *plan, void *values);              \
    enuf_status enuf_cpu_spread_##SUFFIX(enuf_nufft *plan, const enuf_spread_job *job,             \
                                         int64_t *outside);                                        \
    enuf_status enuf_cpu_spread_fixed_##SUFFIX(enuf_nufft *plan, const enuf_spread_job *job);      \
    double enuf_cpu_largest_##SUFFIX(const enuf_nufft *plan, const void *strengths,                \
                                     const void *factors, const enuf_weighting *weighting,         \
                                     double *sum);                                                 \
    void enuf_cpu_from_fixed_##SUFFIX(enuf_nufft *plan, void *cells, const int64_t *fixed);        \
    enuf_status enuf_cpu_interpolate_##SUFFIX(enuf_nufft *plan, const enuf_interpolate_job *job);  \
    void enuf_cpu_deconvolve_##SUFFIX(enuf_nufft *plan, void *modes);                              \
    void enuf_cpu_amplify_##SUFFIX(enuf_nufft *plan, const void *modes, enuf_multiplier kind,      \
                                   const void *multiplier);                                        \
    void enuf_cpu_get_spectrum_##SUFFIX(enuf_nufft *plan, int64_t n, const int64_t *index,         \
                                        void *packed);                                             \
    void enuf_cpu_put_spectrum_##SUFFIX(enuf_nufft *plan, int64_t n, const int64_t *index,         \
                                        const void *packed);                                       \
    void enuf_cpu_type3_factors_##SUFFIX(const enuf_nufft *plan, int64_t n, const double *packed,  \
                                         const enuf_type3_factors *spec, void *factors);           \
    void enuf_cpu_type3_multiply_##SUFFIX(const enuf_nufft *plan,                                  \
                                          const enuf_type3_product *product);                      \
    void enuf_cpu_runs_fill_##SUFFIX(const enuf_nufft *plan, const enuf_runs *runs,                \
                                     void *numbers);                                               \
    void enuf_cpu_reduce_##SUFFIX(enuf_nufft *plan, int n, const void *weights, int moments,       \
                                  double *sums);                                                   \
    void enuf_cpu_stage_deconvolve_##SUFFIX(enuf_nufft *plan, const enuf_spectral_box *box,        \
                                            void *spectrum);                                       \
    void enuf_cpu_stage_multiply_##SUFFIX(enuf_nufft *plan, const enuf_spectral_box *box,          \
                                          enuf_multiplier kind, const void *multiplier,            \
                                          void *spectrum);                                         \
    enuf_status enuf_cpu_stage_reduce_##SUFFIX(enuf_nufft *plan, const enuf_spectral_box *box,     \
                                               int n, const void *weights, int moments,            \
                                               const void *spectrum, double *sums);

/** Calls the function of the plan's precision. */
#define BY_PRECISION(plan, function, ...)                                                          \
    ((plan)->options.precision == ENUF_FLOAT ? function##_f32(__VA_ARGS__)                         \
                                             : function##_f64(__VA_ARGS__))

ENUF_CPU_FUNCTIONS(f64)
ENUF_CPU_FUNCTIONS(f32)

#endif
