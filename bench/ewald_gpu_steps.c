/* ewald_gpu_steps.c - see ewald_gpu_steps.h. SPDX-License-Identifier: BSD-3-Clause */
#include "ewald_gpu_steps.h"

#include <cuda_runtime_api.h>
#include <math.h>

#define TRY(call)                                                                                  \
    do {                                                                                           \
        enuf_status status = (call);                                                               \
        if (status != ENUF_SUCCESS) return status;                                                 \
    } while (0)

typedef struct step_run {
    enuf_nufft *plan;
    const double *x;
    int64_t n;
    void *strengths, *gradients, *multiplier;
    cudaEvent_t start, end;
} step_run;

static enuf_status run_step(const step_run *r, int step)
{
    switch (step) {
    case BENCH_SORT:
        return enuf_nufft_set_points(r->plan, r->n, r->x, r->x + 1, r->x + 2, 3);
    case BENCH_SPREAD:
        return enuf_nufft_spread(r->plan, r->strengths);
    case BENCH_FORWARD: /* includes the spreading, whose time is subtracted in the end */
        return enuf_nufft_forward(r->plan, r->strengths);
    default:
        return enuf_nufft_backward(r->plan, ENUF_REAL, r->multiplier, NULL, r->gradients);
    }
}

static enuf_status time_step(const step_run *r, int step, int calls, double *microseconds)
{
    float milliseconds, best = HUGE_VALF;
    for (int k = 0; k < 3; k++) {
        cudaError_t error = cudaEventRecord(r->start, NULL);
        for (int call = 0; call < calls; call++) TRY(run_step(r, step));
        if (error == cudaSuccess) error = cudaEventRecord(r->end, NULL);
        if (error == cudaSuccess) error = cudaEventSynchronize(r->end);
        if (error == cudaSuccess) error = cudaEventElapsedTime(&milliseconds, r->start, r->end);
        if (error != cudaSuccess) return ENUF_INTERNAL;
        best = fminf(best, milliseconds / (float)calls);
    }
    *microseconds = 1e3 * (double)best;
    return ENUF_SUCCESS;
}

static enuf_nufft_options plan_options(const enuf_ewald_report *report)
{
    enuf_nufft_options o;
    enuf_nufft_options_init(&o);
    o.dim = 3;
    o.precision = report->arithmetic == ENUF_ARITHMETIC_DOUBLE ? ENUF_DOUBLE : ENUF_FLOAT;
    o.strengths = ENUF_REAL_STRENGTHS;
    o.tolerance = 0;
    o.gradients = 1;
    o.window = report->window;
    o.width = report->width;
    o.shape = report->shape;
    o.backend = ENUF_BACKEND_CUDA;
    o.memory = ENUF_DEVICE;
    for (int d = 0; d < 3; d++) {
        o.modes[d] = report->modes[d];
        o.fine_grid[d] = report->grid[d];
    }
    return o;
}

static cudaError_t make_array(void **array, int64_t count, size_t number)
{
    cudaError_t error = cudaMalloc(array, (size_t)count * number);
    /* bytes 0x3c are small numbers; zeros might be faster */
    return error == cudaSuccess ? cudaMemset(*array, 0x3c, (size_t)count * number) : error;
}

static enuf_status time_all(step_run *r, const enuf_ewald_report *report, double edge, int calls,
                            double microseconds[])
{
    const double frame[9] = {1 / edge, 0, 0, 0, 1 / edge, 0, 0, 0, 1 / edge};
    const enuf_nufft_options o = plan_options(report);
    const size_t number = o.precision == ENUF_FLOAT ? sizeof(float) : sizeof(double);
    const int64_t modes = (o.modes[0] + 1) / 2 * o.modes[1] * o.modes[2];
    if (make_array(&r->strengths, r->n, number) != cudaSuccess ||
        make_array(&r->gradients, 3 * r->n, number) != cudaSuccess ||
        make_array(&r->multiplier, modes, number) != cudaSuccess)
        return ENUF_OUT_OF_MEMORY;
    if (cudaEventCreate(&r->start) != cudaSuccess || cudaEventCreate(&r->end) != cudaSuccess)
        return ENUF_INTERNAL;
    TRY(enuf_nufft_create(&o, &r->plan));
    TRY(enuf_nufft_set_frame(r->plan, frame, NULL));
    for (int step = 0; step < BENCH_STEPS; step++) TRY(run_step(r, step));
    for (int step = 0; step < BENCH_STEPS; step++)
        TRY(time_step(r, step, calls, &microseconds[step]));
    microseconds[BENCH_FORWARD] -= microseconds[BENCH_SPREAD];
    return ENUF_SUCCESS;
}

enuf_status bench_time_steps(const enuf_ewald_report *report, int64_t n, double edge,
                             const double *device_x, int calls, double microseconds[])
{
    step_run r = {.x = device_x, .n = n};
    enuf_status status = time_all(&r, report, edge, calls, microseconds);
    enuf_nufft_destroy(&r.plan);
    cudaFree(r.strengths);
    cudaFree(r.gradients);
    cudaFree(r.multiplier);
    if (r.start) cudaEventDestroy(r.start);
    if (r.end) cudaEventDestroy(r.end);
    return status;
}
