/*
 * type3_factors.c - phases and window of the points and targets of type 3, and products with them.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "cpu.h"
#include "parallel.h"
#include "direct/polynomials.h"
#include "plan/turns.h"
#include "real.h"

#include <math.h>
#include <string.h>

/* Points at a time: they stay in the first cache, and the compiler makes vectors of them. */
enum { CHUNK = 64 };

typedef struct factors_loop {
    const enuf_type3_factors *spec;
    int64_t n;
    const double *packed;
    real *factors;
} factors_loop;

/* Adds an axis to the turns, and to the binary logarithm of 1/w, of n points. */
static void add_axis(const enuf_type3_factors *spec, int d, const double *x, int n, double *turns,
                     double *logarithm)
{
    double t[CHUNK], sum[CHUNK] = {0};
    for (int i = 0; i < n; i++) turns[i] += enuf_turns_of_product(spec->wave[d], x[i]);
    if (spec->n_terms == 0) return;
    for (int i = 0; i < n; i++) {
        const double at = (x[i] - spec->centre[d]) * spec->scale[d];
        t[i] = 2 * at * at - 1;
    }
    for (int k = spec->n_terms - 1; k >= 0; k--)
        for (int i = 0; i < n; i++) sum[i] = sum[i] * t[i] + spec->terms[k];
    for (int i = 0; i < n; i++) logarithm[i] += sum[i];
}

/* 2^a; a lies within the exponents of a double. */
static inline double power_of_two(double a)
{
    static const double terms[] = {ENUF_POWER_TERMS_F64};
    const double whole = rint(a), rest = a - whole;
    const uint64_t bits = (uint64_t)((int32_t)whole + 1023) << 52;
    double scale, sum = 0;
    for (int k = (int)(sizeof terms / sizeof *terms) - 1; k >= 0; k--) sum = sum * rest + terms[k];
    memcpy(&scale, &bits, sizeof scale);
    return scale * sum;
}

/* size exp(2 pi i turns). */
static inline void turned(double size, double turns, real *factor)
{
    static const double sines[] = {ENUF_SIN_TERMS_F64}, cosines[] = {ENUF_COS_TERMS_F64};
    const double halves = 2 * turns, whole = rint(halves), y = halves - whole, y2 = y * y;
    const double odd = whole - 2 * rint(0.5 * whole), signed_size = size * (1 - 2 * odd * odd);
    double s = 0, c = 0;
    for (int k = (int)(sizeof sines / sizeof *sines) - 1; k >= 0; k--) s = s * y2 + sines[k];
    for (int k = (int)(sizeof cosines / sizeof *cosines) - 1; k >= 0; k--) c = c * y2 + cosines[k];
    factor[0] = (real)(signed_size * c);
    factor[1] = (real)(signed_size * s * y);
}

static void make_factors(void *context, int64_t j, int64_t end, int thread)
{
    const factors_loop *loop = context;
    const enuf_type3_factors *spec = loop->spec;
    (void)thread;
    for (; j < end; j += CHUNK) {
        const int n = end - j < CHUNK ? (int)(end - j) : CHUNK;
        double turns[CHUNK], size[CHUNK] = {0};
        real *factors = loop->factors + 2 * j;
        for (int i = 0; i < n; i++) turns[i] = spec->turns;
        for (int d = 0; d < spec->dim; d++)
            add_axis(spec, d, loop->packed + d * loop->n + j, n, turns, size);
        for (int i = 0; i < n; i++) size[i] = power_of_two(size[i]);
        for (int i = 0; i < n; i++) turned(size[i], turns[i], factors + 2 * i);
    }
}

void ENUF_SUFFIXED(enuf_cpu_type3_factors)(const enuf_nufft *plan, int64_t n, const double *packed,
                                           const enuf_type3_factors *spec, void *factors)
{
    factors_loop loop = {spec, n, packed, factors};
    enuf_parallel_for(plan->threads, n, 0, make_factors, &loop);
}

/* A vector's numbers begin ... end - 1 times factors (NULL: 1), times weights (NULL: 1). */
static void multiply_vector(const enuf_type3_product *p, int64_t b, int64_t begin, int64_t end)
{
    const int from_parts = p->from_real ? 1 : 2, to_parts = p->to_real ? 1 : 2;
    const real sign = p->conjugate ? -1 : 1, *factors = p->factors;
    const real *from = (const real *)p->from + b * p->n * from_parts;
    real *to = (real *)p->to + b * p->n * to_parts;
    const real *weights = p->weights;
    if (weights) weights += b * p->n * (p->complex_weights ? 2 : 1);
    for (int64_t j = begin; j < end; j++) {
        real c = factors ? factors[2 * j] : 1, s = factors ? sign * factors[2 * j + 1] : 0;
        if (weights) {
            const real re = p->complex_weights ? weights[2 * j] : weights[j];
            const real im = p->complex_weights ? sign * weights[2 * j + 1] : 0, before = c;
            c = c * re - s * im;
            s = s * re + before * im;
        }
        const real re = from[from_parts * j], im = p->from_real ? 0 : from[2 * j + 1];
        to[to_parts * j] = re * c - im * s;
        if (!p->to_real) to[2 * j + 1] = re * s + im * c;
    }
}

/* All vectors of a chunk, whose factors stay in a cache. */
static void multiply(void *context, int64_t begin, int64_t end, int thread)
{
    enum { CACHED = 1024 };
    const enuf_type3_product *product = context;
    (void)thread;
    for (; begin < end; begin += CACHED)
        for (int b = 0; b < product->vectors; b++)
            multiply_vector(product, b, begin, begin + CACHED < end ? begin + CACHED : end);
}

void ENUF_SUFFIXED(enuf_cpu_type3_multiply)(const enuf_nufft *plan,
                                            const enuf_type3_product *product)
{
    enuf_parallel_for(plan->threads, product->n, 0, multiply, (void *)(uintptr_t)product);
}
