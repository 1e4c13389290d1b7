/*
 * fft_fftw.c - the FFT of the fine grid by FFTW, in place.
 *
 * In 3D it goes axis by axis, and only frequencies of modes go on to the next axis: with upsampling
 * 2 there are 1 + 1/2 + 1/4 passes instead of 3. x and y are done plane by plane, while the plane
 * is in the cache. Other frequencies are undefined afterwards, and must be zero before the inverse.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "cpu.h"
#include "fftw_planner.h"
#include "parallel.h"
#include "real.h"
#include "replacement.h"

#include <fftw3.h>
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
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

/* 1D and 2D: one plan. Returns 0 where FFTW makes none. */
static int plan_whole(const enuf_nufft *plan, int sign, int backward, unsigned flags,
                      enuf_fft_passes *p)
{
    const enuf_cpu *cpu = plan->workspace;
    const int64_t *grid = plan->method.grid;
    const int dim = plan->options.dim;
    const dimension x = {grid[0], 1, 1}, y = {grid[1], cpu->row / 2, cpu->row / 2};
    const dimension forward = {grid[1], cpu->row, cpu->row / 2},
                    back = {grid[1], cpu->row / 2, cpu->row};
    const dimension complex[2] = {dim == 2 ? y : x, x}; /* slowest first */
    const dimension real_in[2] = {dim == 2 ? forward : x, x},
                    real_out[2] = {dim == 2 ? back : x, x};
    FFTW(complex) *c = cpu->grid;
    if (!plan->real)
        p->rows = FFTW(plan_guru64_dft)(dim, complex, 0, NULL, c, c, sign, flags);
    else if (backward)
        p->rows = FFTW(plan_guru64_dft_c2r)(dim, real_out, 0, NULL, c, cpu->grid, flags);
    else
        p->rows = FFTW(plan_guru64_dft_r2c)(dim, real_in, 0, NULL, cpu->grid, c, flags);
    return p->rows != NULL;
}

static int plan_passes(const enuf_nufft *plan, int sign, int backward, unsigned flags,
                       enuf_fft_passes *p)
{
    const enuf_cpu *cpu = plan->workspace;
    const int64_t *grid = plan->method.grid, row = cpu->row / 2, plane = cpu->plane / 2;
    const dimension x = {grid[0], 1, 1}, y = {grid[1], row, row}, z = {grid[2], plane, plane};
    const dimension forward = {grid[1], cpu->row, row}, back = {grid[1], row, cpu->row};
    FFTW(complex) *c = cpu->grid;
    if (!plan->real)
        p->rows = FFTW(plan_guru64_dft)(1, &x, 1, &y, c, c, sign, flags);
    else if (backward)
        p->rows = FFTW(plan_guru64_dft_c2r)(1, &x, 1, &back, c, cpu->grid, flags);
    else
        p->rows = FFTW(plan_guru64_dft_r2c)(1, &x, 1, &forward, cpu->grid, c, flags);
    int made = p->rows != NULL;
    kept_frequencies kept = kept_on_axis(plan, 0);
    for (int k = 0; k < 2; k++) {
        if (kept.count[k] == 0) continue;
        FFTW(complex) *at = c + kept.first[k];
        const dimension each = {kept.count[k], 1, 1};
        p->columns[k] = FFTW(plan_guru64_dft)(1, &y, 1, &each, at, at, sign, flags);
        p->lines[k] = FFTW(plan_guru64_dft)(1, &z, 1, &each, at, at, sign, flags);
        made = made && p->columns[k] && p->lines[k];
    }
    return made;
}

static int make_plans(const enuf_nufft *plan, unsigned flags, enuf_fft *fft)
{
    /* real-to-complex has sign -1, its inverse +1; deconvolve.c sees to the others */
    int type1 = plan->real || plan->options.sign == -1 ? FFTW_FORWARD : FFTW_BACKWARD;
    int type2 = !plan->real && plan->type2_sign == -1 ? FFTW_FORWARD : FFTW_BACKWARD;
    if (plan->options.dim < 3)
        return plan_whole(plan, type1, 0, flags, &fft->forward) &&
               plan_whole(plan, type2, 1, flags, &fft->backward);
    return plan_passes(plan, type1, 0, flags, &fft->forward) &&
           plan_passes(plan, type2, 1, flags, &fft->backward);
}

static enuf_status read_wisdom(const char *path)
{
    FILE *file = fopen(path, "r");
    if (!file) return ENUF_SUCCESS; /* the first run has no file; writing it reports an error */
    int read = FFTW(import_wisdom_from_file)(file);
    fclose(file);
    if (!read)
        return enuf_fail(ENUF_BAD_FILE, "fft_wisdom %s holds no wisdom of this FFTW and precision",
                         path);
    return ENUF_SUCCESS;
}

static enuf_status write_file(const char *path, const char *text)
{
    enuf_replacement file, *const files[] = {&file};
    ENUF_TRY(enuf_replacement_name(path, &file));
    ENUF_TRY(enuf_replacement_open(&file));
    fputs(text, file.stream);
    return enuf_replacement_commit(1, files);
}

/* The old file stays until the new one is complete, because other processes may read it. No planner
 * waits for the disk; of several writers the last one writes the wisdom of all. */
static enuf_status write_wisdom(const char *path)
{
    static pthread_mutex_t writers = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&writers);
    enuf_fftw_lock();
    char *text = FFTW(export_wisdom_to_string)();
    enuf_fftw_unlock();
    enuf_status status = text ? write_file(path, text)
                              : enuf_fail(ENUF_OUT_OF_MEMORY, "no memory for the wisdom's text");
    free(text);
    pthread_mutex_unlock(&writers);
    return status == ENUF_SUCCESS ? status : enuf_fail_in(status, "fft_wisdom");
}

/* OMP_STACKSIZE leaves no room for FFTW's buffers (it counts in kilobytes where it has no suffix).
 */
static int stacks_are_small(void)
{
    const double least = 256 * 1024;
    const char *text = getenv("OMP_STACKSIZE");
    if (!text) return 0;
    char *end;
    const double size = strtod(text, &end);
    while (*end == ' ') end++;
    const char suffix = *end | 0x20; /* in lower case */
    const double unit = suffix == 'b'   ? 1
                        : suffix == 'm' ? 0x1p20
                        : suffix == 'g' ? 0x1p30
                                        : 0x1p10;
    return end != text && size * unit < least;
}

/* FFTW's own threads, of 1D and 2D, are as many of OpenMP's as OpenMP would take. It works alone
 * where their stacks are small, and in a child of fork(), which has none of them and would wait for
 * ever. Gives the number that was set before. */
static int set_openmp_threads(const enuf_nufft *plan)
{
    const int before = omp_get_max_threads();
    omp_set_num_threads(enuf_forks() > 0 || stacks_are_small() ? 1 : plan->threads);
    return before;
}

enuf_status ENUF_STAGE(enuf_cpu_fft_create)(enuf_nufft *plan)
{
    enuf_cpu *cpu = plan->workspace;
    const enuf_nufft_options *o = &plan->options;
    static const unsigned efforts[] = {FFTW_ESTIMATE, FFTW_MEASURE, FFTW_PATIENT};
    unsigned flags = o->deterministic ? FFTW_ESTIMATE : efforts[o->fft_effort];
    int wisdom = o->fft_wisdom && !o->deterministic;
    int made = 0;
    enuf_status status = ENUF_SUCCESS;

    enuf_fftw_lock();
    FFTW(init_threads)();
    const int openmp_before = set_openmp_threads(plan); /* plans are tried out */
    /* the process may be a host with its own FFTW plans: leave its settings as they were */
    int threads_before = FFTW(planner_nthreads)();
    char *wisdom_before = NULL;
    if (o->deterministic) {
        /* an ESTIMATE plan made after somebody's measured one differs in most bits */
        wisdom_before = FFTW(export_wisdom_to_string)();
        FFTW(forget_wisdom)();
    }
    /* bits differ with FFTW's threads; passes have threads of their own */
    FFTW(plan_with_nthreads)(o->deterministic || o->dim == 3 ? 1 : plan->threads);
    if (wisdom) status = read_wisdom(o->fft_wisdom);
    if (status == ENUF_SUCCESS) made = make_plans(plan, flags, &cpu->fft);
    FFTW(plan_with_nthreads)(threads_before);
    omp_set_num_threads(openmp_before);
    if (wisdom_before) {
        FFTW(import_wisdom_from_string)(wisdom_before);
        free(wisdom_before);
    }
    enuf_fftw_unlock();

    if (made && wisdom && flags != FFTW_ESTIMATE) status = write_wisdom(o->fft_wisdom);
    if (status == ENUF_SUCCESS && !made)
        status = enuf_fail(ENUF_INTERNAL, "FFTW made no plan for a grid of %lldx%lldx%lld",
                           (long long)plan->method.grid[0], (long long)plan->method.grid[1],
                           (long long)plan->method.grid[2]);
    return status;
}

/* The x rows of a plane, or the whole transform. */
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

/* y columns or z lines of the kept frequencies of x. */
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
    int backward;
} pass_loop;

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

void ENUF_STAGE(enuf_cpu_fft)(enuf_nufft *plan, int backward)
{
    enuf_cpu *cpu = plan->workspace;
    const enuf_fft_passes *p = backward ? &cpu->fft.backward : &cpu->fft.forward;
    const kept_frequencies y = kept_on_axis(plan, 1);
    const int64_t n_lines = y.count[0] + y.count[1];
    for (int64_t b = 0; b < plan->options.batch; b++) {
        real *cells = (real *)cpu->grid + b * cpu->batch_cells;
        if (plan->options.dim < 3) {
            const int threads = set_openmp_threads(plan);
            rows(plan, backward, p, cells);
            omp_set_num_threads(threads);
            continue;
        }
        pass_loop pass = {plan, p, cells, backward};
        if (backward) enuf_parallel_for(plan->threads, n_lines, 0, lines, &pass);
        enuf_parallel_for(plan->threads, plan->method.grid[2], 0, planes, &pass);
        if (!backward) enuf_parallel_for(plan->threads, n_lines, 0, lines, &pass);
    }
}

static void destroy_passes(enuf_fft_passes *p)
{
    if (p->rows) FFTW(destroy_plan)(p->rows);
    for (int k = 0; k < 2; k++) {
        if (p->columns[k]) FFTW(destroy_plan)(p->columns[k]);
        if (p->lines[k]) FFTW(destroy_plan)(p->lines[k]);
    }
    *p = (enuf_fft_passes){0};
}

void ENUF_STAGE(enuf_cpu_fft_destroy)(enuf_fft *fft)
{
    enuf_fftw_lock();
    destroy_passes(&fft->forward);
    destroy_passes(&fft->backward);
    enuf_fftw_unlock();
}
