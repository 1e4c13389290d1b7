/*
 * fft_passes.c - the FFT of the fine grid, in place, by a library of FFTs (src/common/fft).
 *
 * It goes axis by axis, and only frequencies of modes go on to the next axis: with upsampling 2
 * there are 1 + 1/2 + 1/4 passes in 3D instead of 3. In 3D, x and y are done plane by plane, while
 * the plane is in the cache. Other frequencies are undefined afterwards, and must be zero before
 * the inverse. A long grid of 1D is folded (fft_line.c). Passes have the threads of the library.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "cpu.h"
#include "parallel.h"
#include "real.h"

/* Frequencies of the modes on an axis: from 0 on, and up to the last. */
typedef struct kept_frequencies {
    int64_t first[2], count[2];
} kept_frequencies;

static kept_frequencies kept_on_axis(const enuf_nufft *plan, int d)
{
    int64_t n = plan->axis[d].n, low = plan->real && d == 0 ? n : (n + 1) / 2;
    return (kept_frequencies){{0, plan->axis[d].n_frequency - (n - low)}, {low, n - low}};
}

typedef struct pair {
    real re, im;
} pair;

static enuf_fft_batch row_pass(const enuf_nufft *plan, int sign, int backward)
{
    const enuf_cpu *cpu = plan->workspace;
    const int64_t row = cpu->row / 2;
    enuf_fft_batch b = {.kind = ENUF_FFT_COMPLEX,
                        .sign = sign,
                        .n = plan->method.grid[0],
                        .lines = plan->options.dim == 3 ? plan->method.grid[1] : 1,
                        .in_stride = 1,
                        .out_stride = 1,
                        .in_distance = row,
                        .out_distance = row,
                        .in = cpu->grid,
                        .out = cpu->grid};
    if (!plan->real) return b;
    b.kind = backward ? ENUF_FFT_INTO_REAL : ENUF_FFT_OF_REAL;
    *(backward ? &b.out_distance : &b.in_distance) = cpu->row;
    return b;
}

static void set_passes(const enuf_nufft *plan, int sign, int backward,
                       enuf_fft_batch passes[ENUF_PASSES])
{
    const enuf_cpu *cpu = plan->workspace;
    const int64_t *grid = plan->method.grid, row = cpu->row / 2, plane = cpu->plane / 2;
    const int dim = plan->options.dim;
    const kept_frequencies kept = kept_on_axis(plan, 0);
    passes[ENUF_PASS_ROWS] = row_pass(plan, sign, backward);
    for (int k = 0; dim > 1 && k < 2; k++) {
        pair *at = (pair *)cpu->grid + kept.first[k];
        const int64_t n = kept.count[k], rest = dim == 2 ? n % ENUF_FFT_COLUMNS : 0;
        const int64_t block = dim == 3 ? n : n >= ENUF_FFT_COLUMNS ? ENUF_FFT_COLUMNS : 0;
        passes[ENUF_PASS_COLUMNS + k] = enuf_fft_across(grid[1], row, block, at, sign);
        passes[ENUF_PASS_REST + k] = enuf_fft_across(grid[1], row, rest, at + n - rest, sign);
        if (dim == 3) passes[ENUF_PASS_LINES + k] = enuf_fft_across(grid[2], plane, n, at, sign);
    }
}

enuf_status ENUF_SUFFIXED(enuf_cpu_fft_create)(enuf_nufft *plan)
{
    enuf_cpu *cpu = plan->workspace;
    const enuf_nufft_options *o = &plan->options;
    /* real-to-complex has sign -1, its inverse +1; deconvolve.c sees to the others */
    const int signs[2] = {plan->real ? -1 : o->sign, plan->real ? 1 : plan->type2_sign};
    const enuf_fft_planning how = {.fft = o->fft,
                                   .isa = o->isa,
                                   .single = sizeof(real) == sizeof(float),
                                   .threads = plan->threads,
                                   .effort = (int)o->fft_effort,
                                   .deterministic = o->deterministic,
                                   .wisdom = o->fft_wisdom};
    enuf_fft_batch passes[2][ENUF_PASSES] = {0};
    ENUF_TRY(ENUF_SUFFIXED(enuf_cpu_line_fold)(plan, &cpu->fft.fold));
    for (int backward = 0; backward < 2; backward++)
        if (cpu->fft.fold.rows > 0) ENUF_SUFFIXED(enuf_cpu_line_passes)
    (plan, &cpu->fft.fold, signs[backward], passes[backward]);
    else set_passes(plan, signs[backward], backward, passes[backward]);
    return enuf_fft_make(&how, 2 * ENUF_PASSES, passes[0], &cpu->fft.passes);
}

typedef struct pass_loop {
    const enuf_nufft *plan;
    const enuf_fft_lines *passes;
    real *cells;
    int64_t step; /* 1D, 2D: numbers from one row to the next */
    int backward;
} pass_loop;

static void execute(const pass_loop *loop, int pass, void *cells, int thread)
{
    enuf_fft_execute(loop->passes, pass + (loop->backward ? ENUF_PASSES : 0), cells, cells, thread);
}

/* In 3D y columns or z lines of the kept frequencies of x. */
static void across(const pass_loop *loop, enuf_fft_pass pass, const kept_frequencies *x,
                   real *cells, int thread)
{
    for (int k = 0; k < 2; k++)
        if (x->count[k] > 0) execute(loop, (int)pass + k, cells + 2 * x->first[k], thread);
}

/* 3D: the z lines of one y. */
static void lines(void *context, int64_t k, int64_t end, int thread)
{
    const pass_loop *pass = context;
    const enuf_cpu *cpu = pass->plan->workspace;
    const kept_frequencies x = kept_on_axis(pass->plan, 0), y = kept_on_axis(pass->plan, 1);
    for (; k < end; k++) {
        int64_t at = k < y.count[0] ? k : y.first[1] + k - y.count[0];
        across(pass, ENUF_PASS_LINES, &x, pass->cells + at * cpu->row, thread);
    }
}

/* 3D: x and y of a plane. */
static void planes(void *context, int64_t z, int64_t end, int thread)
{
    const pass_loop *pass = context;
    const enuf_cpu *cpu = pass->plan->workspace;
    const kept_frequencies x = kept_on_axis(pass->plan, 0);
    for (; z < end; z++) {
        real *plane = pass->cells + z * cpu->plane;
        if (pass->backward) across(pass, ENUF_PASS_COLUMNS, &x, plane, thread);
        execute(pass, ENUF_PASS_ROWS, plane, thread);
        if (!pass->backward) across(pass, ENUF_PASS_COLUMNS, &x, plane, thread);
    }
}

static void transform_3d(const pass_loop *pass)
{
    const int threads = pass->plan->threads;
    const kept_frequencies y = kept_on_axis(pass->plan, 1);
    const int64_t n_lines = y.count[0] + y.count[1], n_planes = pass->plan->method.grid[2];
    void *context = (void *)pass;
    if (pass->backward) enuf_parallel_for(threads, n_lines, 0, lines, context);
    enuf_parallel_for(threads, n_planes, 0, planes, context);
    if (!pass->backward) enuf_parallel_for(threads, n_lines, 0, lines, context);
}

static int64_t blocks_of(int64_t columns)
{
    return (columns + ENUF_FFT_COLUMNS - 1) / ENUF_FFT_COLUMNS;
}

/* 2D: blocks of y columns of the kept frequencies of x. */
static void column_blocks(void *context, int64_t block, int64_t end, int thread)
{
    const pass_loop *pass = context;
    const kept_frequencies x = kept_on_axis(pass->plan, 0);
    const int64_t n_low = blocks_of(x.count[0]);
    for (; block < end; block++) {
        const int k = block >= n_low;
        const int64_t from = (block - (k ? n_low : 0)) * ENUF_FFT_COLUMNS;
        const int is_rest = x.count[k] - from < ENUF_FFT_COLUMNS;
        execute(pass, (is_rest ? ENUF_PASS_REST : ENUF_PASS_COLUMNS) + k,
                pass->cells + 2 * (x.first[k] + from), thread);
    }
}

/* The x rows of 2D; in 1D a row for each batch. */
static void single_rows(void *context, int64_t r, int64_t end, int thread)
{
    const pass_loop *pass = context;
    for (; r < end; r++) execute(pass, ENUF_PASS_ROWS, pass->cells + r * pass->step, thread);
}

static void transform_2d(const pass_loop *pass)
{
    const int threads = pass->plan->threads;
    const kept_frequencies x = kept_on_axis(pass->plan, 0);
    const int64_t n_blocks = blocks_of(x.count[0]) + blocks_of(x.count[1]);
    const int64_t n_rows = pass->plan->method.grid[1];
    void *context = (void *)pass;
    if (pass->backward) enuf_parallel_for(threads, n_blocks, 1, column_blocks, context);
    enuf_parallel_for(threads, n_rows, 0, single_rows, context);
    if (!pass->backward) enuf_parallel_for(threads, n_blocks, 1, column_blocks, context);
}

void ENUF_SUFFIXED(enuf_cpu_fft)(enuf_nufft *plan, int backward)
{
    enuf_cpu *cpu = plan->workspace;
    const int dim = plan->options.dim;
    pass_loop pass = {.plan = plan,
                      .passes = cpu->fft.passes,
                      .cells = cpu->grid,
                      .step = dim == 1 ? cpu->batch_cells : cpu->row,
                      .backward = backward};
    if (dim == 1 && cpu->fft.fold.rows == 0) {
        enuf_parallel_for(plan->threads, plan->options.batch, 1, single_rows, &pass);
        return;
    }
    for (int64_t b = 0; b < plan->options.batch; b++, pass.cells += cpu->batch_cells) {
        if (dim == 3)
            transform_3d(&pass);
        else if (dim == 2)
            transform_2d(&pass);
        else
            ENUF_SUFFIXED(enuf_cpu_line_transform)(plan, backward, pass.cells);
    }
}

void ENUF_SUFFIXED(enuf_cpu_fft_destroy)(enuf_grid_fft *fft)
{
    enuf_fft_destroy(&fft->passes);
    enuf_release(&fft->fold.coarse);
    enuf_release(&fft->fold.fine);
    *fft = (enuf_grid_fft){0};
}
