/* vectors.c - sums and products of long arrays. SPDX-License-Identifier: BSD-3-Clause */
#include "encoding_kernels.h"
#include "parallel.h"
#include "real.h"

static void multiply(void *context, int64_t i, int64_t end, int thread)
{
    const enuf_complex_product *p = context;
    const real *factors = p->factors, *from = p->from, sign = p->conjugate ? -1 : 1;
    real *to = p->to;
    (void)thread;
    for (; i < end; i++) {
        const real c = factors[2 * i], s = sign * factors[2 * i + 1];
        const real re = from[2 * i] * c - from[2 * i + 1] * s;
        const real im = from[2 * i] * s + from[2 * i + 1] * c;
        to[2 * i] = p->add ? to[2 * i] + re : re;
        to[2 * i + 1] = p->add ? to[2 * i + 1] + im : im;
    }
}

void ENUF_SUFFIXED(enuf_cpu_multiply)(const enuf_nufft *plan, const enuf_complex_product *product)
{
    enuf_parallel_for(plan->threads, product->n, 0, multiply, (void *)(uintptr_t)product);
}

typedef struct weigh_loop {
    const real *weights, *from;
    real *to;
} weigh_loop;

static void weigh(void *context, int64_t i, int64_t end, int thread)
{
    const weigh_loop *loop = context;
    (void)thread;
    for (; i < end; i++) {
        loop->to[2 * i] = loop->from[2 * i] * loop->weights[i];
        loop->to[2 * i + 1] = loop->from[2 * i + 1] * loop->weights[i];
    }
}

void ENUF_SUFFIXED(enuf_cpu_weigh)(const enuf_nufft *plan, int64_t n, const void *weights,
                                   const void *from, void *to)
{
    weigh_loop loop = {weights, from, to};
    enuf_parallel_for(plan->threads, n, 0, weigh, &loop);
}

typedef struct combine_loop {
    real a, b;
    const real *x, *y;
    real *to;
} combine_loop;

static void combine(void *context, int64_t i, int64_t end, int thread)
{
    const combine_loop *loop = context;
    (void)thread;
    for (; i < end; i++) loop->to[i] = loop->a * loop->x[i] + loop->b * loop->y[i];
}

void ENUF_SUFFIXED(enuf_cpu_combine)(const enuf_nufft *plan, int64_t n, double a, const void *x,
                                     double b, const void *y, void *to)
{
    combine_loop loop = {(real)a, (real)b, x, y, to};
    enuf_parallel_for(plan->threads, n, 0, combine, &loop);
}

/* Parts of an array are added up each by itself, so that the sum depends on no thread. */
enum { PARTS = 64 };

typedef struct dot_loop {
    int64_t n;
    const real *x, *y;
    double sum[PARTS];
} dot_loop;

static void dot(void *context, int64_t part, int64_t end, int thread)
{
    dot_loop *loop = context;
    (void)thread;
    for (; part < end; part++) {
        const int64_t last = loop->n * (part + 1) / PARTS;
        double sum = 0;
        for (int64_t i = loop->n * part / PARTS; i < last; i++)
            sum += (double)loop->x[i] * (double)loop->y[i];
        loop->sum[part] = sum;
    }
}

double ENUF_SUFFIXED(enuf_cpu_dot)(const enuf_nufft *plan, int64_t n, const void *x, const void *y)
{
    dot_loop loop = {.n = n, .x = x, .y = y};
    double sum = 0;
    enuf_parallel_for(plan->threads, PARTS, 1, dot, &loop);
    for (int part = 0; part < PARTS; part++) sum += loop.sum[part];
    return sum;
}
