/* invariant_sum.c - see invariant_sum.h. SPDX-License-Identifier: BSD-3-Clause */
#include "invariant_sum.h"
#include "parallel.h"

#include <math.h>
#include <stddef.h>

typedef struct sum_loop {
    enuf_vector_term term;
    const void *context;
    _Atomic double largest[3];
    _Atomic int bad[3];
    double scale[3], rest[3];
    _Atomic int64_t sum[3];
} sum_loop;

static void find_largest(void *context, int64_t begin, int64_t end, int thread)
{
    sum_loop *loop = context;
    double largest[3] = {0, 0, 0};
    int bad[3] = {0, 0, 0};
    (void)thread;
    for (int64_t i = begin; i < end; i++) {
        double t[3];
        loop->term(i, loop->context, t);
        for (int d = 0; d < 3; d++) {
            const double size = fabs(t[d]);
            bad[d] |= !isfinite(t[d]);
            if (size > largest[d]) largest[d] = size;
        }
    }
    for (int d = 0; d < 3; d++) {
        enuf_raise(&loop->largest[d], largest[d]);
        if (bad[d]) loop->bad[d] = 1;
    }
}

static void add_integers(void *context, int64_t begin, int64_t end, int thread)
{
    sum_loop *loop = context;
    const double *scale = loop->scale, *rest = loop->rest;
    int64_t sum[3] = {0, 0, 0};
    (void)thread;
    for (int64_t i = begin; i < end; i++) {
        double t[3];
        loop->term(i, loop->context, t);
        for (int d = 0; d < 3; d++)
            if (scale[d] > 0) sum[d] += llrint(t[d] * scale[d] * rest[d]);
    }
    for (int d = 0; d < 3; d++) atomic_fetch_add(&loop->sum[d], sum[d]);
}

void enuf_invariant_vector_sum(const enuf_reduction *reduction, int64_t n, enuf_vector_term term,
                               const void *context, int threads, double sums[3])
{
    sum_loop loop = {.term = term, .context = context};
    enuf_parallel_for(threads, n, 0, find_largest, &loop);
    double largest[3], *scale = loop.scale, *rest = loop.rest;
    int bad[3];
    for (int d = 0; d < 3; d++) {
        largest[d] = loop.largest[d];
        bad[d] = loop.bad[d];
    }
    if (reduction) {
        /* NaN is no maximum: what is not finite goes as infinity */
        for (int d = 0; d < 3; d++)
            if (bad[d]) largest[d] = INFINITY;
        reduction->largest(reduction->context, 3, largest);
    }
    const int64_t n_terms = reduction ? reduction->n : n;
    for (int d = 0; d < 3; d++) {
        if (bad[d] || largest[d] == 0 || !isfinite((double)n_terms * largest[d])) continue;
        const int unit = enuf_invariant_unit(n_terms, largest[d]);
        /* a power of two in two factors, each in range, rounds no more than one */
        scale[d] = ldexp(1, -unit / 2);
        rest[d] = ldexp(1, -unit - -unit / 2);
    }
    enuf_parallel_for(threads, n, 0, add_integers, &loop);
    int64_t sum[3];
    for (int d = 0; d < 3; d++) sum[d] = loop.sum[d];
    if (reduction) reduction->add(reduction->context, 3, sum);
    for (int d = 0; d < 3; d++)
        sums[d] = bad[d] ? NAN : enuf_invariant_value(n_terms, largest[d], sum[d]);
}

typedef struct one_term {
    enuf_term term;
    const void *context;
} one_term;

static void alone(int64_t i, const void *context, double terms[3])
{
    const one_term *one = context;
    terms[0] = one->term(i, one->context);
    terms[1] = terms[2] = 0;
}

double enuf_invariant_sum(const enuf_reduction *reduction, int64_t n, enuf_term term,
                          const void *context, int threads)
{
    const one_term one = {term, context};
    double sums[3];
    enuf_invariant_vector_sum(reduction, n, alone, &one, threads, sums);
    return sums[0];
}
