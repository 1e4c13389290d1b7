/*
 * direct_sum.c - sources and targets anywhere: values[t] = sum_s strengths[s] exp(sign 2 pi i t.s).
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "accumulate.h"
#include "error.h"
#include "parallel.h"
#include "phases.h"
#include "problem.h"

#include <math.h>

typedef struct sum_of_sources {
    int dim;
    int sign;
    int64_t n;
    const double *sources;   /* [n][dim] */
    const double *strengths; /* [n] complex */
} sum_of_sources;

/* totals[0]: the value; totals[1 + d]: sum s_d strengths[s] exp(...). Each [re, im]. */
static void sum_at(const sum_of_sources *sum, const double *target, int totals_wanted,
                   enuf_carried totals[4][2])
{
    int dim = sum->dim;
    double t[3];
    for (int d = 0; d < dim; ++d) t[d] = sum->sign * target[d];
    for (int64_t begin = 0; begin < sum->n; begin += ENUF_RUN) {
        int64_t end = begin + ENUF_RUN < sum->n ? begin + ENUF_RUN : sum->n;
        double run[4][2] = {{0.0}};
        for (int64_t j = begin; j < end; ++j) {
            const double *s = sum->sources + j * dim;
            const double *q = sum->strengths + 2 * j;
            double c;
            double i;
            enuf_unit_phase_of_product(dim, t, s, &c, &i);
            double re = q[0] * c - q[1] * i;
            double im = q[0] * i + q[1] * c;
            run[0][0] += re;
            run[0][1] += im;
            for (int d = 1; d < totals_wanted; ++d) {
                run[d][0] += s[d - 1] * re;
                run[d][1] += s[d - 1] * im;
            }
        }
        for (int d = 0; d < totals_wanted; ++d) {
            enuf_carry(&totals[d][0], run[d][0]);
            enuf_carry(&totals[d][1], run[d][1]);
        }
    }
}

static enuf_status check_finite(const char *what, int64_t n, int components, const double *array)
{
    for (int64_t j = 0; j < n * components; ++j)
        if (!isfinite(array[j]))
            return enuf_fail(ENUF_NOT_FINITE, "enuf_direct_sum: %s %lld is NaN or infinite", what,
                             (long long)(j / components));
    return ENUF_SUCCESS;
}

static enuf_status check(const sum_of_sources *sum, int threads, int64_t n_targets,
                         const double *targets, const double *values)
{
    if (sum->dim < 1 || sum->dim > 3)
        return enuf_fail(ENUF_BAD_ARGUMENT, "enuf_direct_sum: dim is %d, has to be 1, 2 or 3",
                         sum->dim);
    if (sum->sign != 1 && sum->sign != -1)
        return enuf_fail(ENUF_BAD_ARGUMENT, "enuf_direct_sum: sign is %d, has to be -1 or 1",
                         sum->sign);
    if (threads < 0 || threads > ENUF_MAX_THREADS)
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "enuf_direct_sum: threads is %d, has to be 1 to %d, or 0 for OpenMP's "
                         "number",
                         threads, ENUF_MAX_THREADS);
    if (sum->n < 0 || n_targets < 0)
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "enuf_direct_sum: %lld sources, %lld targets: have to be 0 or more",
                         (long long)sum->n, (long long)n_targets);
    if (sum->n > 0 && !sum->sources)
        return enuf_fail(ENUF_BAD_ARGUMENT, "enuf_direct_sum: sources is NULL");
    if (sum->n > 0 && !sum->strengths)
        return enuf_fail(ENUF_BAD_ARGUMENT, "enuf_direct_sum: strengths is NULL");
    if (n_targets > 0 && !targets)
        return enuf_fail(ENUF_BAD_ARGUMENT, "enuf_direct_sum: targets is NULL");
    if (n_targets > 0 && !values)
        return enuf_fail(ENUF_BAD_ARGUMENT, "enuf_direct_sum: values is NULL");
    ENUF_TRY(check_finite("source", sum->n, sum->dim, sum->sources));
    ENUF_TRY(check_finite("strength", sum->n, 2, sum->strengths));
    return check_finite("target", n_targets, sum->dim, targets);
}

typedef struct target_loop {
    const sum_of_sources *sum;
    const double *targets;
    double *values, *gradients;
} target_loop;

static void sum_at_targets(void *context, int64_t t, int64_t end, int thread)
{
    static const double TWO_PI = 6.28318530717958647693;
    const target_loop *loop = context;
    const sum_of_sources *sum = loop->sum;
    const int dim = sum->dim, sign = sum->sign;
    (void)thread;
    for (; t < end; ++t) {
        enuf_carried totals[4][2] = {{{0.0, 0.0}}};
        sum_at(sum, loop->targets + t * dim, loop->gradients ? 1 + dim : 1, totals);
        loop->values[2 * t] = enuf_carried_value(totals[0][0]);
        loop->values[2 * t + 1] = enuf_carried_value(totals[0][1]);
        for (int d = 0; loop->gradients && d < dim; ++d) {
            double *gradient = loop->gradients + 2 * (t * dim + d);
            gradient[0] = -sign * TWO_PI * enuf_carried_value(totals[1 + d][1]);
            gradient[1] = sign * TWO_PI * enuf_carried_value(totals[1 + d][0]);
        }
    }
}

enuf_status enuf_direct_sum(int dim, int sign, int threads, int64_t n_sources,
                            const double *sources, const double *strengths, int64_t n_targets,
                            const double *targets, double *values, double *gradients)
{
    const sum_of_sources sum = {dim, sign, n_sources, sources, strengths};
    ENUF_TRY(check(&sum, threads, n_targets, targets, values));
    target_loop loop = {&sum, targets, values, gradients};
    enuf_parallel_for(enuf_thread_count(threads), n_targets, 1, sum_at_targets, &loop);
    return ENUF_SUCCESS;
}
