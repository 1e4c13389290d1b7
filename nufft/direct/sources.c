/*
 * sources.c - sources and targets anywhere: values[t] = sum_s strengths[s] exp(sign 2 pi i t.s).
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "accumulate.h"
#include "kernels.h"
#include "parallel.h"
#include "phases.h"

/* totals[0]: the value; totals[1 + d]: sum s_d strengths[s] exp(...). Each [re, im]. */
static void sum_at(const enuf_sum_of_sources *sum, const double *target, int totals_wanted,
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

static void sum_at_targets(void *context, int64_t t, int64_t end, int thread)
{
    static const double TWO_PI = 6.28318530717958647693;
    const enuf_sum_of_sources *sum = context;
    const int dim = sum->dim, sign = sum->sign;
    (void)thread;
    for (; t < end; ++t) {
        enuf_carried totals[4][2] = {{{0.0, 0.0}}};
        sum_at(sum, sum->targets + t * dim, sum->gradients ? 1 + dim : 1, totals);
        sum->values[2 * t] = enuf_carried_value(totals[0][0]);
        sum->values[2 * t + 1] = enuf_carried_value(totals[0][1]);
        for (int d = 0; sum->gradients && d < dim; ++d) {
            double *gradient = sum->gradients + 2 * (t * dim + d);
            gradient[0] = -sign * TWO_PI * enuf_carried_value(totals[1 + d][1]);
            gradient[1] = sign * TWO_PI * enuf_carried_value(totals[1 + d][0]);
        }
    }
}

void enuf_direct_sum_sources(const enuf_sum_of_sources *sum)
{
    enuf_parallel_for(sum->threads, sum->n_targets, 1, sum_at_targets, (void *)sum);
}
