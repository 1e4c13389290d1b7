/* tuning_clock.c - see tuning_clock.h. SPDX-License-Identifier: BSD-3-Clause */
#include "tuning_clock.h"

#include "stopwatch.h"

#include <math.h>

enum { GPU_CALLS = 8 };

double tuning_now(const tuning_case *c)
{
    const int one = c->options.threads == 1 && c->options.backend == ENUF_BACKEND_CPU;
    return one ? bench_thread_seconds() : bench_seconds();
}

/* The part of a call's seconds that a stage takes: stages are measured in wall time. */
static double of_stage(enuf_nufft *plan, enuf_nufft_stage stage, double seconds)
{
    double all[ENUF_STAGE_COUNT], sum = 0;
    tuning_check(enuf_nufft_elapsed(plan, ENUF_STAGE_COUNT, all));
    for (int k = 0; k < ENUF_STAGE_COUNT; k++) sum += all[k];
    return seconds * all[stage] / sum;
}

typedef enum timed_call { SET_POINTS, TYPE1, TYPE2 } timed_call;

/* Seconds of a call, with the wait for a GPU. */
static double call(const tuning_case *c, enuf_nufft *plan, timed_call what)
{
    const int cuda = c->options.backend == ENUF_BACKEND_CUDA, calls = cuda ? GPU_CALLS : 1;
    const double *x = c->points, start = tuning_now(c);
    for (int k = 0; k < calls; k++) {
        if (what == SET_POINTS)
            tuning_check(enuf_nufft_set_points(plan, c->n, x, x + 1, x + 2, 3));
        else if (what == TYPE1)
            tuning_check(enuf_nufft_type1(plan, c->strengths, c->out));
        else
            tuning_check(enuf_nufft_type2(plan, c->in, c->values, NULL));
    }
    if (cuda) tuning_check(enuf_nufft_check(plan, NULL));
    return (tuning_now(c) - start) / calls;
}

tuning_parts tuning_call(const tuning_case *c, enuf_nufft *plan)
{
    const int stages = c->options.backend == ENUF_BACKEND_CPU;
    tuning_parts t = {.set = call(c, plan, SET_POINTS)};
    if (stages) of_stage(plan, ENUF_STAGE_SORT, 0); /* those so far do not count */
    t.type1 = call(c, plan, TYPE1);
    if (stages) t.spread = of_stage(plan, ENUF_STAGE_SPREAD, t.type1);
    t.type2 = call(c, plan, TYPE2);
    if (stages) t.interpolate = of_stage(plan, ENUF_STAGE_INTERPOLATE, t.type2);
    return t;
}

tuning_parts tuning_least(tuning_parts a, tuning_parts b)
{
    return (tuning_parts){.set = fmin(a.set, b.set),
                          .type1 = fmin(a.type1, b.type1),
                          .type2 = fmin(a.type2, b.type2),
                          .spread = fmin(a.spread, b.spread),
                          .interpolate = fmin(a.interpolate, b.interpolate)};
}

double tuning_round(tuning_parts p, double repeats)
{
    return p.set + repeats * (p.type1 + p.type2);
}

enuf_status tuning_timer(void *context, const enuf_nufft_options *options, double *seconds,
                         int64_t *bytes)
{
    const tuning_timing *t = context;
    enuf_nufft_report report = {.struct_size = sizeof report};
    enuf_nufft *plan;
    enuf_status status = enuf_nufft_create(options, &plan);
    if (status != ENUF_SUCCESS) return status;
    status = enuf_nufft_reserve(plan, t->problem->n);
    if (status == ENUF_SUCCESS) {
        tuning_call(t->problem, plan); /* touches all memory */
        *seconds = tuning_round(tuning_call(t->problem, plan), t->repeats);
        status = enuf_nufft_get_report(plan, &report);
        *bytes = report.bytes;
    }
    enuf_nufft_destroy(&plan);
    return status;
}
