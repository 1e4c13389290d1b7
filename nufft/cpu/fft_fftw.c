/*
 * fft_fftw.c - the FFT of the fine grid by FFTW, in place.
 *
 * It goes axis by axis, and only frequencies of modes go on to the next axis: with upsampling 2
 * there are 1 + 1/2 + 1/4 passes in 3D instead of 3. In 3D, x and y are done plane by plane, while
 * the plane is in the cache. Other frequencies are undefined afterwards, and must be zero before
 * the inverse. A long grid of 1D is folded (fft_line.c). FFTW uses no threads: passes have those of
 * the library.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "cpu.h"
#include "fftw_planner.h"
#include "parallel.h"
#include "real.h"

#include <fftw3.h>
#include <stdlib.h>

/* Frequencies of the modes on an axis: from 0 on, and up to the last. */
typedef struct kept_frequencies {
    int64_t first[2], count[2];
} kept_frequencies;

static kept_frequencies kept_on_axis(const enuf_nufft *plan, int d)
{
    int64_t n = plan->axis[d].n, low = plan->real && d == 0 ? n : (n + 1) / 2;
    return (kept_frequencies){{0, plan->axis[d].n_frequency - (n - low)}, {low, n - low}};
}

typedef FFTW(iodim64) dimension; /* 64-bit: strides of large grids leave the range of int */

static int plan_rows(const enuf_nufft *plan, int sign, int backward, unsigned flags,
                     enuf_fft_passes *p)
{
    const enuf_cpu *cpu = plan->workspace;
    const int64_t *grid = plan->method.grid, row = cpu->row / 2;
    const int each = plan->options.dim == 3 ? 1 : 0; /* the y of a plane, or one row */
    const dimension x = {grid[0], 1, 1}, y = {grid[1], row, row};
    const dimension forward = {grid[1], cpu->row, row}, back = {grid[1], row, cpu->row};
    FFTW(complex) *c = cpu->grid;
    if (!plan->real)
        p->rows = FFTW(plan_guru64_dft)(1, &x, each, &y, c, c, sign, flags);
    else if (backward)
        p->rows = FFTW(plan_guru64_dft_c2r)(1, &x, each, &back, c, cpu->grid, flags);
    else
        p->rows = FFTW(plan_guru64_dft_r2c)(1, &x, each, &forward, cpu->grid, c, flags);
    return p->rows != NULL;
}

/* `count` transforms along an axis, side by side in x. Returns 0 where FFTW makes none. */
static int plan_across(const dimension *axis, int64_t count, FFTW(complex) * at, int sign,
                       unsigned flags, void **made)
{
    const dimension each = {count, 1, 1};
    if (count == 0) return 1;
    *made = FFTW(plan_guru64_dft)(1, axis, 1, &each, at, at, sign, flags);
    return *made != NULL;
}

static int plan_passes(const enuf_nufft *plan, int sign, int backward, unsigned flags,
                       enuf_fft_passes *p)
{
    const enuf_cpu *cpu = plan->workspace;
    const int64_t *grid = plan->method.grid, row = cpu->row / 2, plane = cpu->plane / 2;
    const int dim = plan->options.dim;
    const dimension y = {grid[1], row, row}, z = {grid[2], plane, plane};
    const kept_frequencies kept = kept_on_axis(plan, 0);
    int made = plan_rows(plan, sign, backward, flags, p);
    for (int k = 0; dim > 1 && k < 2; k++) {
        FFTW(complex) *at = (FFTW(complex) *)cpu->grid + kept.first[k];
        const int64_t n = kept.count[k], rest = dim == 2 ? n % ENUF_FFT_COLUMNS : 0;
        const int64_t block = dim == 3 ? n : n >= ENUF_FFT_COLUMNS ? ENUF_FFT_COLUMNS : 0;
        made = made && plan_across(&y, block, at, sign, flags, &p->columns[k]) &&
               plan_across(&y, rest, at + n - rest, sign, flags, &p->rest[k]);
        if (dim == 3) made = made && plan_across(&z, n, at, sign, flags, &p->lines[k]);
    }
    return made;
}

static int make_plans(const enuf_nufft *plan, unsigned flags, enuf_fft *fft)
{
    /* real-to-complex has sign -1, its inverse +1; deconvolve.c sees to the others */
    const int type1 = plan->real || plan->options.sign == -1 ? FFTW_FORWARD : FFTW_BACKWARD;
    const int type2 = !plan->real && plan->type2_sign == -1 ? FFTW_FORWARD : FFTW_BACKWARD;
    if (fft->fold.rows > 0)
        return ENUF_SUFFIXED(enuf_cpu_line_plan)(plan, &fft->fold, type1, flags,
                                                 &fft->line_forward) &&
               ENUF_SUFFIXED(enuf_cpu_line_plan)(plan, &fft->fold, type2, flags,
                                                 &fft->line_backward);
    return plan_passes(plan, type1, 0, flags, &fft->forward) &&
           plan_passes(plan, type2, 1, flags, &fft->backward);
}

enuf_status ENUF_SUFFIXED(enuf_cpu_fft_create)(enuf_nufft *plan)
{
    enuf_cpu *cpu = plan->workspace;
    const enuf_nufft_options *o = &plan->options;
    static const unsigned efforts[] = {FFTW_ESTIMATE, FFTW_MEASURE, FFTW_PATIENT};
    unsigned flags = o->deterministic ? FFTW_ESTIMATE : efforts[o->fft_effort];
    int wisdom = o->fft_wisdom && !o->deterministic;
    int made = 0;
    enuf_status status = ENUF_SUCCESS;
    ENUF_TRY(ENUF_SUFFIXED(enuf_cpu_line_fold)(plan, &cpu->fft.fold));

    enuf_fftw_lock();
    FFTW(init_threads)();
    /* the process may be a host with its own FFTW plans: leave its settings as they were */
    int threads_before = FFTW(planner_nthreads)();
    char *wisdom_before = NULL;
    if (o->deterministic) {
        /* FFTW's wisdom of a measured plan would change an ESTIMATE plan, and most bits of results
         */
        wisdom_before = FFTW(export_wisdom_to_string)();
        FFTW(forget_wisdom)();
    }
    FFTW(plan_with_nthreads)(1);
    if (wisdom) status = ENUF_SUFFIXED(enuf_cpu_read_wisdom)(o->fft_wisdom);
    if (status == ENUF_SUCCESS) made = make_plans(plan, flags, &cpu->fft);
    FFTW(plan_with_nthreads)(threads_before);
    if (wisdom_before) {
        FFTW(import_wisdom_from_string)(wisdom_before);
        free(wisdom_before);
    }
    enuf_fftw_unlock();

    if (made && wisdom && flags != FFTW_ESTIMATE)
        status = ENUF_SUFFIXED(enuf_cpu_write_wisdom)(o->fft_wisdom);
    if (status == ENUF_SUCCESS && !made)
        status = enuf_fail(ENUF_INTERNAL, "FFTW made no plan for a grid of %lldx%lldx%lld",
                           (long long)plan->method.grid[0], (long long)plan->method.grid[1],
                           (long long)plan->method.grid[2]);
    return status;
}

/* The x rows of a plane, or one row. */
static void rows(const enuf_nufft *plan, int backward, const enuf_fft_passes *p, real *cells)
{
    FFTW(complex) *c = (void *)cells;
    if (!plan->real)
        FFTW(execute_dft)(p->rows, c, c);
    else if (backward)
        FFTW(execute_dft_c2r)(p->rows, c, cells);
    else
        FFTW(execute_dft_r2c)(p->rows, cells, c);
}

/* In 3D y columns or z lines of the kept frequencies of x. */
static void across(void *const plans[2], const kept_frequencies *x, real *cells)
{
    for (int k = 0; k < 2; k++) {
        FFTW(complex) *c = (FFTW(complex) *)(void *)cells + x->first[k];
        if (plans[k]) FFTW(execute_dft)(plans[k], c, c);
    }
}

typedef struct pass_loop {
    const enuf_nufft *plan;
    const enuf_fft_passes *p;
    real *cells;
    int64_t step; /* 1D, 2D: numbers from one row to the next */
    int backward;
} pass_loop;

/* 3D: the z lines of one y. */
static void lines(void *context, int64_t k, int64_t end, int thread)
{
    const pass_loop *pass = context;
    const enuf_cpu *cpu = pass->plan->workspace;
    const kept_frequencies x = kept_on_axis(pass->plan, 0), y = kept_on_axis(pass->plan, 1);
    (void)thread;
    for (; k < end; k++) {
        int64_t at = k < y.count[0] ? k : y.first[1] + k - y.count[0];
        across(pass->p->lines, &x, pass->cells + at * cpu->row);
    }
}

/* 3D: x and y of a plane. */
static void planes(void *context, int64_t z, int64_t end, int thread)
{
    const pass_loop *pass = context;
    const enuf_cpu *cpu = pass->plan->workspace;
    const kept_frequencies x = kept_on_axis(pass->plan, 0);
    (void)thread;
    for (; z < end; z++) {
        real *plane = pass->cells + z * cpu->plane;
        if (pass->backward) across(pass->p->columns, &x, plane);
        rows(pass->plan, pass->backward, pass->p, plane);
        if (!pass->backward) across(pass->p->columns, &x, plane);
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
    (void)thread;
    for (; block < end; block++) {
        const int k = block >= n_low;
        const int64_t from = (block - (k ? n_low : 0)) * ENUF_FFT_COLUMNS;
        const int is_rest = x.count[k] - from < ENUF_FFT_COLUMNS;
        FFTW(complex) *c = (FFTW(complex) *)(void *)pass->cells + x.first[k] + from;
        FFTW(execute_dft)(is_rest ? pass->p->rest[k] : pass->p->columns[k], c, c);
    }
}

/* The x rows of 2D; in 1D a row for each batch. */
static void single_rows(void *context, int64_t r, int64_t end, int thread)
{
    const pass_loop *pass = context;
    (void)thread;
    for (; r < end; r++) rows(pass->plan, pass->backward, pass->p, pass->cells + r * pass->step);
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
                      .p = backward ? &cpu->fft.backward : &cpu->fft.forward,
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

static void destroy_plans(int n, void **plans)
{
    for (int k = 0; k < n; k++)
        if (plans[k]) FFTW(destroy_plan)(plans[k]);
}

static void destroy_passes(enuf_fft_passes *p, enuf_fft_line *line)
{
    destroy_plans(1, &p->rows);
    destroy_plans(2, p->columns);
    destroy_plans(2, p->rest);
    destroy_plans(2, p->lines);
    destroy_plans(1, &line->row);
    destroy_plans(1, &line->columns);
    destroy_plans(1, &line->rest);
}

void ENUF_SUFFIXED(enuf_cpu_fft_destroy)(enuf_fft *fft)
{
    enuf_fftw_lock();
    destroy_passes(&fft->forward, &fft->line_forward);
    destroy_passes(&fft->backward, &fft->line_backward);
    enuf_fftw_unlock();
    enuf_release(&fft->fold.coarse);
    enuf_release(&fft->fold.fine);
    *fft = (enuf_fft){0};
}
