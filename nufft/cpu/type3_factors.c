/*
 * type3_factors.c - phases and window of the points and targets of type 3, and products with them.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "cpu.h"
#include "parallel.h"
#include "plan/turns.h"
#include "real.h"

#include <math.h>

typedef struct factors_loop {
    const enuf_type3_factors *spec;
    int64_t n;
    const double *packed;
    real *factors;
} factors_loop;

static void make_factors(void *context, int64_t j, int64_t end, int thread)
{
    const factors_loop *loop = context;
    const enuf_type3_factors *spec = loop->spec;
    (void)thread;
    for (; j < end; j++) {
        double turns = spec->turns, logarithm = 0;
        for (int d = 0; d < spec->dim; d++) {
            const double x = loop->packed[d * loop->n + j];
            const double at = (x - spec->centre[d]) * spec->scale[d], t = 2 * at * at - 1;
            double sum = 0;
            turns += enuf_turns_of_product(spec->wave[d], x);
            for (int k = spec->n_terms - 1; k >= 0; k--) sum = sum * t + spec->terms[d][k];
            logarithm += sum;
        }
        const double angle = 2 * M_PI * (turns - rint(turns)), size = exp(logarithm);
        loop->factors[2 * j] = (real)(size * cos(angle));
        loop->factors[2 * j + 1] = (real)(size * sin(angle));
    }
}

void ENUF_SUFFIXED(enuf_cpu_type3_factors)(const enuf_nufft *plan, int64_t n, const double *packed,
                                           const enuf_type3_factors *spec, void *factors)
{
    factors_loop loop = {spec, n, packed, factors};
    enuf_parallel_for(plan->threads, n, 0, make_factors, &loop);
}

static void multiply(void *context, int64_t j, int64_t end, int thread)
{
    const enuf_type3_product *product = context;
    const real *factors = product->factors, *from = product->from;
    const real sign = product->conjugate ? -1 : 1;
    real *to = product->to;
    (void)thread;
    for (; j < end; j++) {
        const real re = product->from_real ? from[j] : from[2 * j];
        const real im = product->from_real ? 0 : from[2 * j + 1];
        const real c = factors[2 * j], s = sign * factors[2 * j + 1];
        if (product->to_real) {
            to[j] = re * c - im * s;
        } else {
            to[2 * j] = re * c - im * s;
            to[2 * j + 1] = re * s + im * c;
        }
    }
}

void ENUF_SUFFIXED(enuf_cpu_type3_multiply)(const enuf_nufft *plan,
                                            const enuf_type3_product *product)
{
    enuf_parallel_for(plan->threads, product->n, 0, multiply, (void *)(uintptr_t)product);
}
