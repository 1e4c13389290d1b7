/*
 * distributed_fft.c - the transform of x and y, plane by plane while a plane is in the cache, and
 * the transpositions after them. Only frequencies of modes are sent and transformed along the next
 * axis.
 *
 * A library of FFTs transforms single axes here (src/common/fft). FFTW's transforms over MPI are
 * not used: they make slabs only, send all frequencies, and depend on the MPI that they were
 * compiled for. This file is compiled once for each precision. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#include "distributed_grid.h"
#include "distributed_real.h"
#include "memory.h"
#include "parallel.h"

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
    return (real *)d->brick.cells + d->brick.first + z * d->brick.part.plane;
}

static enuf_status make_passes(enuf_distributed *d)
{
    const enuf_ewald_options *o = &d->request.ewald->options;
    const enuf_fft_planning how = {.fft = o->fft,
                                   .isa = o->isa,
                                   .single = IS_SINGLE,
                                   .threads = d->threads,
                                   .effort = (int)o->fft_effort};
    const int64_t *grid = d->layout.grid, block = enuf_line_block(IS_SINGLE);
    const int64_t columns = d->share.n_x, lines = columns > 0 ? block : 0, y_row = d->fft.y_row;
    const enuf_fft_batch rows = {.kind = ENUF_FFT_OF_REAL,
                                 .n = grid[0],
                                 .lines = d->share.n[ENUF_AXIS_Y],
                                 .in_stride = 1,
                                 .out_stride = 1,
                                 .in_distance = d->brick.part.row,
                                 .out_distance = d->fft.x_row,
                                 .in = plane_of_brick(d, 0),
                                 .out = d->fft.scratch};
    enuf_fft_batch back = rows;
    back.kind = ENUF_FFT_INTO_REAL;
    back.in_distance = rows.out_distance;
    back.out_distance = rows.in_distance;
    back.in = rows.out;
    back.out = rows.in;
    const enuf_fft_batch passes[ENUF_PENCIL_PASSES] = {
        [ENUF_X_FORWARD] = rows,
        [ENUF_X_BACKWARD] = back,
        [ENUF_Y_FORWARD] = enuf_fft_across(grid[1], y_row, columns, d->fft.scratch, -1),
        [ENUF_Y_BACKWARD] = enuf_fft_across(grid[1], y_row, columns, d->fft.scratch, 1),
        [ENUF_Z_FORWARD] = enuf_fft_across(grid[2], block, lines, d->fft.scratch, -1),
        [ENUF_Z_BACKWARD] = enuf_fft_across(grid[2], block, lines, d->fft.scratch, 1)};
    return enuf_fft_make(&how, ENUF_PENCIL_PASSES, passes, &d->fft.passes);
}

enuf_status ENUF_SUFFIXED(enuf_distributed_fft_create)(enuf_distributed *d)
{
    enuf_distributed_fft *f = &d->fft;
    if (!d->share.holds) return ENUF_SUCCESS;
    f->x_row = odd_lines(d->layout.grid[0] / 2 + 1);
    f->y_row = is_slab(d) ? f->x_row : odd_lines(d->share.n_x);
    int64_t numbers = larger(f->x_row * d->share.n[ENUF_AXIS_Y], f->y_row * d->layout.grid[1]);
    numbers = larger(numbers, enuf_line_block(IS_SINGLE) * d->layout.grid[2]);
    f->scratch_bytes = odd_lines(numbers) * (int64_t)sizeof(pair);
    ENUF_TRY(enuf_allocate(&f->scratch, d->threads, (size_t)f->scratch_bytes,
                           "planes of the transform"));
    return make_passes(d);
}

void ENUF_SUFFIXED(enuf_distributed_fft_destroy)(enuf_distributed *d)
{
    enuf_fft_destroy(&d->fft.passes);
    enuf_release(&d->fft.scratch);
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

static void y_columns(const enuf_distributed *d, enuf_pencil_pass pass, pair *scratch, int thread)
{
    if (d->share.n_x > 0) enuf_fft_execute(d->fft.passes, pass, scratch, scratch, thread);
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
        enuf_fft_execute(d->fft.passes, ENUF_X_FORWARD, plane_of_brick(d, z), scratch, thread);
        if (is_slab(d)) {
            y_columns(d, ENUF_Y_FORWARD, scratch, thread);
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
        y_columns(d, ENUF_Y_FORWARD, scratch, thread);
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
        y_columns(d, ENUF_Y_BACKWARD, scratch, thread);
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
            y_columns(d, ENUF_Y_BACKWARD, scratch, thread);
        } else {
            move_x(d, IN, z, scratch, loop->from);
        }
        clear_x(d, scratch);
        enuf_fft_execute(d->fft.passes, ENUF_X_BACKWARD, scratch, plane_of_brick(d, z), thread);
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
