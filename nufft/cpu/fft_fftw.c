/* fft_fftw.c - the FFT of the fine grid by FFTW, in place. SPDX-License-Identifier: BSD-3-Clause */
#include "cpu.h"
#include "real.h"

#include <fftw3.h>
#include <stdio.h>
#include <stdlib.h>

/* FFTW counts in int. */
static enuf_status sizes_of(const enuf_nufft *plan, int n[3])
{
    for (int d = 0; d < plan->options.dim; d++) {
        int64_t cells = plan->method.grid[d];
        if (cells > INT32_MAX)
            return enuf_fail(ENUF_OUT_OF_MEMORY,
                             "FFTW serves axes up to 2147483647 cells, not %lld", (long long)cells);
        n[plan->options.dim - 1 - d] = (int)cells;
    }
    return ENUF_SUCCESS;
}

static void make_plans(const enuf_nufft *plan, const int n[3], unsigned flags, enuf_fft *fft)
{
    const enuf_cpu *cpu = plan->workspace;
    int dim = plan->options.dim;
    FFTW(complex) *c = cpu->grid;
    if (plan->real) {
        fft->forward = FFTW(plan_dft_r2c)(dim, n, cpu->grid, c, flags);
        fft->backward = FFTW(plan_dft_c2r)(dim, n, c, cpu->grid, flags);
        return;
    }
    int type1 = plan->options.sign == -1 ? FFTW_FORWARD : FFTW_BACKWARD;
    int type2 = plan->type2_sign == -1 ? FFTW_FORWARD : FFTW_BACKWARD;
    fft->forward = FFTW(plan_dft)(dim, n, c, c, type1, flags);
    fft->backward = FFTW(plan_dft)(dim, n, c, c, type2, flags);
}

static enuf_status read_wisdom(const char *path)
{
    FILE *file = fopen(path, "r");
    if (!file)
        return ENUF_SUCCESS; /* the first run has none; what cannot be written is told then */
    int read = FFTW(import_wisdom_from_file)(file);
    fclose(file);
    if (!read)
        return enuf_fail(ENUF_BAD_FILE, "fft_wisdom %s holds no wisdom of this FFTW and precision",
                         path);
    return ENUF_SUCCESS;
}

static enuf_status write_wisdom(const char *path)
{
    if (!FFTW(export_wisdom_to_filename)(path))
        return enuf_fail(ENUF_IO, "fft_wisdom %s cannot be written", path);
    return ENUF_SUCCESS;
}

enuf_status ENUF_STAGE(enuf_cpu_fft_create)(enuf_nufft *plan)
{
    enuf_cpu *cpu = plan->workspace;
    const enuf_nufft_options *o = &plan->options;
    int n[3];
    ENUF_TRY(sizes_of(plan, n));
    static const unsigned efforts[] = {FFTW_ESTIMATE, FFTW_MEASURE, FFTW_PATIENT};
    unsigned flags = o->deterministic ? FFTW_ESTIMATE : efforts[o->fft_effort];
    int wisdom = o->fft_wisdom && !o->deterministic;
    enuf_status status = ENUF_SUCCESS;

    enuf_fftw_lock();
    FFTW(init_threads)();
    /* the process may be a host with its own FFTW plans: leave its settings as they were */
    int threads_before = FFTW(planner_nthreads)();
    char *wisdom_before = NULL;
    if (o->deterministic) {
        /* an ESTIMATE plan made after somebody's measured one differs in most bits */
        wisdom_before = FFTW(export_wisdom_to_string)();
        FFTW(forget_wisdom)();
    }
    /* bits differ with the number of threads */
    FFTW(plan_with_nthreads)(o->deterministic ? 1 : plan->threads);
    if (wisdom) status = read_wisdom(o->fft_wisdom);
    if (status == ENUF_SUCCESS) make_plans(plan, n, flags, &cpu->fft);
    if (status == ENUF_SUCCESS && wisdom && flags != FFTW_ESTIMATE)
        status = write_wisdom(o->fft_wisdom);
    FFTW(plan_with_nthreads)(threads_before);
    if (wisdom_before) {
        FFTW(import_wisdom_from_string)(wisdom_before);
        free(wisdom_before);
    }
    enuf_fftw_unlock();

    if (status == ENUF_SUCCESS && (!cpu->fft.forward || !cpu->fft.backward))
        status = enuf_fail(ENUF_INTERNAL, "FFTW made no plan for a grid of %lldx%lldx%lld",
                           (long long)plan->method.grid[0], (long long)plan->method.grid[1],
                           (long long)plan->method.grid[2]);
    return status;
}

void ENUF_STAGE(enuf_cpu_fft)(enuf_nufft *plan, int backward)
{
    enuf_cpu *cpu = plan->workspace;
    FFTW(plan) p = backward ? cpu->fft.backward : cpu->fft.forward;
    for (int64_t b = 0; b < plan->options.batch; b++) {
        real *cells = (real *)cpu->grid + b * cpu->batch_cells;
        FFTW(complex) *c = (void *)cells;
        if (!plan->real)
            FFTW(execute_dft)(p, c, c);
        else if (backward)
            FFTW(execute_dft_c2r)(p, c, cells);
        else
            FFTW(execute_dft_r2c)(p, cells, c);
    }
}

void ENUF_STAGE(enuf_cpu_fft_destroy)(enuf_fft *fft)
{
    enuf_fftw_lock();
    if (fft->forward) FFTW(destroy_plan)(fft->forward);
    if (fft->backward) FFTW(destroy_plan)(fft->backward);
    enuf_fftw_unlock();
    fft->forward = fft->backward = NULL;
}
