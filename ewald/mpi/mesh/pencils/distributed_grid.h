/*
 * distributed_grid.h - the distributed grid: declarations that the files distributed_*.c share.
 *
 * Steps of an evaluation: 1. Points go to the ranks that hold their cells (distributed_points.c).
 * 2. These ranks spread them onto their bricks. 3. Halos are added to the cells
 * (distributed_halo.c). Where the points of each rank lie together, 1 to 3 are: every rank spreads
 * its own points onto a brick of its own, and its rows are added to the cells of the ranks that
 * hold them (home_brick.c, home_rows.c). 4. x rows and y columns are transformed plane by plane; a
 * transposition follows each (distributed_fft.c). 5. z lines are transformed, summed, multiplied
 * and transformed back (distributed_lines.c). 6. The same steps in reverse lead to values at the
 * points. Ranks send frequencies of modes only. Source of the scheme: docs/theory.md, section 8.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_DISTRIBUTED_GRID_H
#define ENUF_DISTRIBUTED_GRID_H

#include "distributed_halo.h"
#include "distributed_layout.h"
#include "distributed_points.h"
#include "home_brick.h"
#include "part_plan.h"
#include "fft/fft_lines.h"
#include "mpi/mesh/reciprocal.h"

/**
 * This rank's cells with halos: [z][y][x] real numbers, x rows padded. No window reaches the ends.
 */
typedef struct enuf_distributed_brick {
    enuf_part part;
    int64_t first; /* number of the first own cell */
    void *cells;
} enuf_distributed_brick;

/** The transforms: x rows of a plane between brick and scratch, y columns of a plane in scratch, a
 * block of z lines in scratch. */
typedef enum enuf_pencil_pass {
    ENUF_X_FORWARD,
    ENUF_X_BACKWARD,
    ENUF_Y_FORWARD,
    ENUF_Y_BACKWARD,
    ENUF_Z_FORWARD,
    ENUF_Z_BACKWARD,
    ENUF_PENCIL_PASSES
} enuf_pencil_pass;

/** The transforms, and scratch for each thread. */
typedef struct enuf_distributed_fft {
    enuf_fft_lines *passes; /* [ENUF_PENCIL_PASSES] */
    int64_t x_row, y_row;   /* complex numbers from row to row of scratch */
    int64_t scratch_bytes;  /* of one thread */
    void *scratch;          /* [threads] */
} enuf_distributed_fft;

typedef struct enuf_distributed {
    enuf_mesh_request request;
    enuf_layout layout;
    enuf_share share;
    int single; /* mesh in float */
    int threads;
    enuf_parameters made_for;
    enuf_nufft *plan;         /* of the brick; NULL on a rank without cells */
    const double *inverse[3]; /* [modes/2 + 1] 1/w(m) of each axis */
    double *own_inverse[3];   /* NULL for an axis that shares the array of an earlier axis */
    enuf_distributed_brick brick;
    enuf_halo halo[2];
    enuf_exchange to_columns; /* x modes, among the blocks of y, in complex numbers */
    enuf_exchange to_lines;   /* y modes, among the blocks of z, in complex numbers */
    int64_t columns;          /* n_x n_y of this rank: lines that it holds */
    /* sent and received data, in turn; between transforms: halos */
    void *buffer[2];
    int64_t buffer_bytes;
    enuf_distributed_fft fft;
    /* [2][modes_z][columns] weights of influence.c over w^2(m), z modes as in an FFT */
    void *weights;
    double *partial; /* [blocks of lines][ENUF_LINE_SUMS] */
    void *kept;      /* spectrum of the lines, to which several multipliers are applied */
    enuf_home home;
    enuf_point_transfer transfer; /* where home bricks are not in use */
    enuf_array strengths, values, gradients, came_back;
} enuf_distributed;

/** energy, then moments xx, yy, zz, xy, xz, yz of weight 1. */
enum { ENUF_LINE_SUMS = 7 };

/** Lines that are transformed together: 256 bytes of each z plane. */
static inline int enuf_line_block(int single)
{
    return single ? 32 : 16;
}

/** Index into the frequencies of an FFT of mode number k of n, counted 0, 1, ..., -2, -1. */
static inline int64_t enuf_frequency_of(int64_t k, int64_t n, int64_t grid)
{
    return k <= n / 2 ? k : grid - (n - k);
}

/* distributed_brick.c */
enuf_status enuf_distributed_brick_create(enuf_distributed *d);
/** Local: spreads the points of this rank's cells; overwrites the whole brick. */
enuf_status enuf_distributed_spread(enuf_distributed *d);
/** Local: values and gradients at the points of this rank's cells. */
enuf_status enuf_distributed_interpolate(enuf_distributed *d, int with_values, int with_gradients);

/* distributed_influence.c */
/** 1/w of each axis. */
enuf_status enuf_distributed_window(enuf_distributed *d);
void enuf_distributed_weigh(enuf_distributed *d);

/** Work on the lines between the two transforms. */
typedef struct enuf_line_job {
    int forward;   /* 1: transform first; 0: the lines are a spectrum already */
    int sums;      /* 1: energy, 2: and moments, into d->partial */
    int keep;      /* 1: copy the spectrum to d->kept */
    int from_kept; /* 1: read the spectrum from d->kept */
    int backward;  /* 1: multiply and transform back, into the lines */
    int component; /* multiplier: -1: weight 0; 0 ... 5: that component of the virial */
} enuf_line_job;

#define ENUF_DISTRIBUTED_FUNCTIONS(SUFFIX)                                                         \
    enuf_status enuf_distributed_fft_create_##SUFFIX(enuf_distributed *d);                         \
    void enuf_distributed_fft_destroy_##SUFFIX(enuf_distributed *d);                               \
    void *enuf_distributed_forward_##SUFFIX(enuf_distributed *d);                                  \
    void enuf_distributed_backward_##SUFFIX(enuf_distributed *d);                                  \
    void enuf_distributed_lines_##SUFFIX(enuf_distributed *d, void *lines,                         \
                                         const enuf_line_job *job);

ENUF_DISTRIBUTED_FUNCTIONS(f64)
ENUF_DISTRIBUTED_FUNCTIONS(f32)

#endif
