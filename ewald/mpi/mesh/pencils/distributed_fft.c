/*
 * distributed_fft.c - the transform of x and y, plane by plane while a plane is in the cache, and
 * the transpositions after them. Only frequencies of modes are sent and transformed along the next
 * axis.
 *
 * FFTW transforms single axes here. Its transforms over MPI are not used: they make slabs only,
 * send all frequencies, and depend on the MPI that they were compiled for. This file is compiled
 * once for each precision.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "distributed_grid.h"
#include "distributed_real.h"
#include "fftw_planner.h"
#include "memory.h"
#include "parallel.h"

#include <fftw3.h>
#include <string.h>

/* Rounds complex numbers up to an odd number of cache lines. */
static int64_t odd_lines(int64_t numbers)
{
    int64_t line = 64 / (int64_t)sizeof(pair), lines = (numbers + line - 1) / line;
    return (lines + 1 - lines % 2) * line;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* 1: one block of y; the x modes stay on their rank. */
static int is_slab(const enuf_distributed *d)
{
    return d->layout.cells[ENUF_AXIS_Y].parts == 1;
}

static pair *scratch_of_thread(const enuf_distributed *d, int thread)
{
    return (pair *)(void *)((char *)d->fft.scratch + thread * d->fft.scratch_bytes);
}

static real *plane_of_brick(const enuf_distributed *d, int64_t z)
{
    return (real *)d->brick.cells + d->brick.first + z * d->brick.plane;
}

/* Returns 0 if FFTW fails to make a plan. */
static int make_plans(enuf_distributed *d, unsigned flags)
{
    enuf_distributed_fft *f = &d->fft;
    const int n_x = (int)d->layout.grid[0], n_y = (int)d->layout.grid[1];
    const int n_z = (int)d->layout.grid[2];
    const int rows = (int)d->share.n[ENUF_AXIS_Y], columns = (int)d->share.n_x;
    const int x_row = (int)f->x_row, y_row = (int)f->y_row, brick_row = (int)d->brick.row;
    const int block = enuf_line_block(IS_SINGLE);
    real *cells = plane_of_brick(d, 0);
    FFTW(complex) *c = f->scratch;
    f->x_forward =
        FFTW(plan_many_dft_r2c)(1, &n_x, rows, cells, NULL, 1, brick_row, c, NULL, 1, x_row, flags);
    f->x_backward =
        FFTW(plan_many_dft_c2r)(1, &n_x, rows, c, NULL, 1, x_row, cells, NULL, 1, brick_row, flags);
    if (!f->x_forward || !f->x_backward) return 0;
    if (columns == 0) return 1;
    f->y_forward = FFTW(plan_many_dft)(1, &n_y, columns, c, NULL, y_row, 1, c, NULL, y_row, 1,
                                       FFTW_FORWARD, flags);
    f->y_backward = FFTW(plan_many_dft)(1, &n_y, columns, c, NULL, y_row, 1, c, NULL, y_row, 1,
                                        FFTW_BACKWARD, flags);
    f->z_forward = FFTW(plan_many_dft)(1, &n_z, block, c, NULL, block, 1, c, NULL, block, 1,
                                       FFTW_FORWARD, flags);
    f->z_backward = FFTW(plan_many_dft)(1, &n_z, block, c, NULL, block, 1, c, NULL, block, 1,
                                        FFTW_BACKWARD, flags);
    return f->y_forward && f->y_backward && f->z_forward && f->z_backward;
}

/* FFTW counts in int: larger sizes are errors. */
static enuf_status check_sizes(const enuf_distributed *d)
{
    for (int a = 0; a < 3; a++)
        if (d->layout.grid[a] > INT32_MAX / 4)
            return enuf_fail(ENUF_OUT_OF_MEMORY, "FFTW serves axes up to %d cells, not %lld",
                             INT32_MAX / 4, (long long)d->layout.grid[a]);
    return ENUF_SUCCESS;
}

enuf_status ENUF_SUFFIXED(enuf_distributed_fft_create)(enuf_distributed *d)
{
    static const unsigned efforts[] = {FFTW_ESTIMATE, FFTW_MEASURE, FFTW_PATIENT};
    enuf_distributed_fft *f = &d->fft;
    if (!d->share.holds) return ENUF_SUCCESS;
    ENUF_TRY(check_sizes(d));
    f->x_row = odd_lines(d->layout.grid[0] / 2 + 1);
    f->y_row = is_slab(d) ? f->x_row : odd_lines(d->share.n_x);
    int64_t numbers = larger(f->x_row * d->share.n[ENUF_AXIS_Y], f->y_row * d->layout.grid[1]);
    numbers = larger(numbers, enuf_line_block(IS_SINGLE) * d->layout.grid[2]);
    f->scratch_bytes = odd_lines(numbers) * (int64_t)sizeof(pair);
    ENUF_TRY(enuf_allocate(&f->scratch, d->threads, (size_t)f->scratch_bytes,
                           "planes of the transform"));
    int before = 0, made;
    enuf_fftw_lock();
    /* the process may have FFTW plans of its own: restore its settings at the end */
    FFTW(init_threads)();
    before = FFTW(planner_nthreads)();
    FFTW(plan_with_nthreads)(1);
    made = make_plans(d, efforts[d->request.ewald->options.fft_effort]);
    FFTW(plan_with_nthreads)(before);
    enuf_fftw_unlock();
    if (made) return ENUF_SUCCESS;
    return enuf_fail(ENUF_INTERNAL, "FFTW made no plans for the axes of a grid of %lldx%lldx%lld",
                     (long long)d->layout.grid[0], (long long)d->layout.grid[1],
                     (long long)d->layout.grid[2]);
}

void ENUF_SUFFIXED(enuf_distributed_fft_destroy)(enuf_distributed *d)
{
    enuf_distributed_fft *f = &d->fft;
    void **plans[] = {&f->x_forward,  &f->x_backward, &f->y_forward,
                      &f->y_backward, &f->z_forward,  &f->z_backward};
    enuf_fftw_lock();
    for (int k = 0; k < 6; k++) {
        if (*plans[k]) FFTW(destroy_plan)(*plans[k]);
        *plans[k] = NULL;
    }
    enuf_fftw_unlock();
    enuf_release(&f->scratch);
}

/* OUT: from scratch to the buffer; IN: from the buffer to scratch. */
typedef enum direction { OUT, IN } direction;

static void move(direction way, int64_t n, pair *scratch, pair *buffer)
{
    memcpy(way == OUT ? buffer : scratch, way == OUT ? scratch : buffer,
           (size_t)n * sizeof *buffer);
}

/* Between scratch [y of this rank][all x] and the buffer [block of y][z][y of this rank][its x]. */
static void move_x(const enuf_distributed *d, direction way, int64_t z, pair *scratch, pair *buffer)
{
    const int64_t rows = d->share.n[ENUF_AXIS_Y], planes = d->share.n[ENUF_AXIS_Z];
    for (int k = 0; k < d->layout.modes_x.parts; k++) {
        const int64_t first = enuf_block_start(d->layout.modes_x, k);
        const int64_t n = enuf_block_size(d->layout.modes_x, k);
        pair *block = buffer + first * rows * planes + z * rows * n;
        for (int64_t y = 0; y < rows; y++)
            move(way, n, scratch + y * d->fft.x_row + first, block + y * n);
    }
}

/* Between scratch [all y][x of this rank] and the buffer [block of y][z][its y][x of this rank]. */
static void move_rows(const enuf_distributed *d, direction way, int64_t z, pair *scratch,
                      pair *buffer)
{
    const int64_t n = d->share.n_x, planes = d->share.n[ENUF_AXIS_Z];
    const enuf_blocks cells = d->layout.cells[ENUF_AXIS_Y];
    for (int k = 0; k < cells.parts; k++) {
        const int64_t first = enuf_block_start(cells, k), rows = enuf_block_size(cells, k);
        pair *block = buffer + (first * planes + z * rows) * n;
        for (int64_t y = 0; y < rows; y++)
            move(way, n, scratch + (first + y) * d->fft.y_row, block + y * n);
    }
}

/* Between scratch [all y frequencies][x of this rank] and the buffer [block of z][z][its y modes][x
 * of this rank]. */
static void move_y(const enuf_distributed *d, direction way, int64_t z, pair *scratch, pair *buffer)
{
    const int64_t n = d->share.n_x, planes = d->share.n[ENUF_AXIS_Z];
    for (int k = 0; k < d->layout.modes_y.parts; k++) {
        const int64_t first = enuf_block_start(d->layout.modes_y, k);
        const int64_t rows = enuf_block_size(d->layout.modes_y, k);
        pair *block = buffer + (first * planes + z * rows) * n;
        for (int64_t y = 0; y < rows; y++) {
            int64_t f = enuf_frequency_of(first + y, d->layout.modes[1], d->layout.grid[1]);
            move(way, n, scratch + f * d->fft.y_row, block + y * n);
        }
    }
}

static void y_columns(const enuf_distributed *d, int backward, pair *scratch)
{
    FFTW(complex) *c = (void *)scratch;
    void *plan = backward ? d->fft.y_backward : d->fft.y_forward;
    if (plan) FFTW(execute_dft)(plan, c, c);
}

/* Sets frequencies of y that are not modes to 0. */
static void clear_y(const enuf_distributed *d, pair *scratch)
{
    for (int64_t f = d->layout.modes[1] / 2 + 1; f < d->layout.grid[1] - d->layout.modes[1] / 2;
         f++)
        memset(scratch + f * d->fft.y_row, 0, (size_t)d->share.n_x * sizeof *scratch);
}

static void clear_x(const enuf_distributed *d, pair *scratch)
{
    const int64_t kept = d->layout.modes_x.total, all = d->layout.grid[0] / 2 + 1;
    for (int64_t y = 0; y < d->share.n[ENUF_AXIS_Y]; y++)
        memset(scratch + y * d->fft.x_row + kept, 0, (size_t)(all - kept) * sizeof *scratch);
}

/* A loop over planes of this rank's brick, from one array to another. */
typedef struct plane_loop {
    const enuf_distributed *d;
    pair *from, *to;
} plane_loop;

static void rows_forward(void *context, int64_t z, int64_t end, int thread)
{
    const plane_loop *loop = context;
    const enuf_distributed *d = loop->d;
    pair *scratch = scratch_of_thread(d, thread);
    for (; z < end; z++) {
        FFTW(execute_dft_r2c)(d->fft.x_forward, plane_of_brick(d, z), (void *)scratch);
        if (is_slab(d)) {
            y_columns(d, 0, scratch);
            move_y(d, OUT, z, scratch, loop->to);
        } else {
            move_x(d, OUT, z, scratch, loop->to);
        }
    }
}

static void columns_forward(void *context, int64_t z, int64_t end, int thread)
{
    const plane_loop *loop = context;
    const enuf_distributed *d = loop->d;
    pair *scratch = scratch_of_thread(d, thread);
    for (; z < end; z++) {
        move_rows(d, IN, z, scratch, loop->from);
        y_columns(d, 0, scratch);
        move_y(d, OUT, z, scratch, loop->to);
    }
}

void *ENUF_SUFFIXED(enuf_distributed_forward)(enuf_distributed *d)
{
    enuf_ranks *ranks = d->request.ranks;
    const int64_t planes = d->share.n[ENUF_AXIS_Z];
    pair *from = d->buffer[1], *to = d->buffer[0];
    plane_loop loop = {d, from, to};
    enuf_parallel_for(d->threads, planes, 0, rows_forward, &loop);
    if (!is_slab(d)) {
        enuf_exchange_forth(ranks, &d->to_columns, sizeof(pair), to, from);
        enuf_parallel_for(d->threads, planes, 0, columns_forward, &loop);
    }
    /* data received in the order of ranks are the lines [z][y][x] */
    if (d->layout.cells[ENUF_AXIS_Z].parts == 1) return to;
    enuf_exchange_forth(ranks, &d->to_lines, sizeof(pair), to, from);
    return from;
}

static void columns_backward(void *context, int64_t z, int64_t end, int thread)
{
    const plane_loop *loop = context;
    const enuf_distributed *d = loop->d;
    pair *scratch = scratch_of_thread(d, thread);
    for (; z < end; z++) {
        move_y(d, IN, z, scratch, loop->from);
        clear_y(d, scratch);
        y_columns(d, 1, scratch);
        move_rows(d, OUT, z, scratch, loop->to);
    }
}

static void rows_backward(void *context, int64_t z, int64_t end, int thread)
{
    const plane_loop *loop = context;
    const enuf_distributed *d = loop->d;
    pair *scratch = scratch_of_thread(d, thread);
    for (; z < end; z++) {
        if (is_slab(d)) {
            move_y(d, IN, z, scratch, loop->from);
            clear_y(d, scratch);
            y_columns(d, 1, scratch);
        } else {
            move_x(d, IN, z, scratch, loop->from);
        }
        clear_x(d, scratch);
        FFTW(execute_dft_c2r)(d->fft.x_backward, (void *)scratch, plane_of_brick(d, z));
    }
}

void ENUF_SUFFIXED(enuf_distributed_backward)(enuf_distributed *d)
{
    enuf_ranks *ranks = d->request.ranks;
    const int64_t planes = d->share.n[ENUF_AXIS_Z];
    /* the lines are in the buffer that the forward transform used last */
    int lines = d->layout.cells[ENUF_AXIS_Z].parts == 1 ? 0 : 1;
    pair *to = d->buffer[0], *other = d->buffer[1];
    if (lines == 1) enuf_exchange_back(ranks, &d->to_lines, sizeof(pair), other, to);
    plane_loop loop = {d, to, other};
    if (!is_slab(d)) {
        enuf_parallel_for(d->threads, planes, 0, columns_backward, &loop);
        enuf_exchange_back(ranks, &d->to_columns, sizeof(pair), other, to);
    }
    enuf_parallel_for(d->threads, planes, 0, rows_backward, &loop);
}
