/* stages.c - the stages on a box of the caller's spectrum. SPDX-License-Identifier: BSD-3-Clause */
#include "cpu.h"
#include "parallel.h"
#include "real.h"

#include <string.h>

/* A place in the box: flat index, mode numbers, and 1/w (0: no mode). */
typedef struct place {
    int64_t index;
    double mode[3], inverse;
    int weight; /* 2 off the plane m = 0 of the half axis, else 1 */
} place;

/* Mode number and 1/w of frequency f on axis d. */
static double on_axis(const enuf_nufft *plan, const enuf_spectral_box *box, int d, int64_t f,
                      double *mode)
{
    int64_t grid = box->global_grid[d], modes = box->modes[d];
    /* the unpaired mode -n/2 exists for complex strengths only */
    int64_t most = (modes - 1) / 2, least = plan->real ? -most : -(modes / 2);
    int64_t up = f, down = f - grid;
    if (modes > 0 && up <= most) {
        *mode = (double)up;
        return plan->axis[d].inverse_of[up];
    }
    if (modes > 0 && down >= least && d != box->half_axis) {
        *mode = (double)down;
        return plan->axis[d].inverse_of[-down];
    }
    *mode = 0;
    return 0;
}

static place place_at(const enuf_nufft *plan, const enuf_spectral_box *box, int64_t index)
{
    place p = {.index = index, .inverse = 1, .weight = 1};
    int64_t rest = index;
    for (int k = plan->options.dim - 1; k >= 0; k--) {
        int d = box->axis_order[k];
        int64_t f = box->lo[d] + rest % box->n[d];
        rest /= box->n[d];
        p.inverse *= on_axis(plan, box, d, f, &p.mode[d]);
        if (d == box->half_axis && f > 0) p.weight = 2;
    }
    return p;
}

static int64_t box_count(const enuf_nufft *plan, const enuf_spectral_box *box)
{
    int64_t count = 1;
    for (int d = 0; d < plan->options.dim; d++) count *= box->n[d];
    return count;
}

/* Work of a stage at the places of a box. */
typedef struct box_loop {
    const enuf_nufft *plan;
    const enuf_spectral_box *box;
    real *values;
    const real *factor; /* of multiply and reduce */
    enuf_multiplier kind;
    int n; /* weights of reduce */
    int64_t count;
    double *partial;
} box_loop;

static void deconvolve_places(void *context, int64_t begin, int64_t end, int thread)
{
    const box_loop *loop = context;
    real *values = loop->values;
    (void)thread;
    for (int64_t i = begin; i < end; i++) {
        real scale = (real)place_at(loop->plan, loop->box, i).inverse;
        /* 0 also where a caller left a NaN */
        values[2 * i] = scale != 0 ? values[2 * i] * scale : 0;
        values[2 * i + 1] = scale != 0 ? values[2 * i + 1] * scale : 0;
    }
}

void ENUF_SUFFIXED(enuf_cpu_stage_deconvolve)(enuf_nufft *plan, const enuf_spectral_box *box,
                                              void *spectrum)
{
    box_loop loop = {.plan = plan, .box = box, .values = spectrum};
    enuf_parallel_for(plan->threads, box_count(plan, box), 0, deconvolve_places, &loop);
}

static void multiply_places(void *context, int64_t begin, int64_t end, int thread)
{
    const box_loop *loop = context;
    const real *factor = loop->factor;
    real *values = loop->values;
    (void)thread;
    for (int64_t i = begin; i < end; i++) {
        real re = values[2 * i], im = values[2 * i + 1];
        real a = loop->kind == ENUF_REAL ? factor[i] : factor[2 * i];
        real b = loop->kind == ENUF_REAL ? 0 : factor[2 * i + 1];
        values[2 * i] = re * a - im * b;
        values[2 * i + 1] = re * b + im * a;
    }
}

void ENUF_SUFFIXED(enuf_cpu_stage_multiply)(enuf_nufft *plan, const enuf_spectral_box *box,
                                            enuf_multiplier kind, const void *multiplier,
                                            void *spectrum)
{
    box_loop loop = {.factor = multiplier, .values = spectrum, .kind = kind};
    enuf_parallel_for(plan->threads, box_count(plan, box), 0, multiply_places, &loop);
}

enum { BLOCK = 4096, TERMS = 7 };

static void sum_blocks(void *context, int64_t b, int64_t end, int thread)
{
    static const int first[6] = {0, 1, 2, 0, 0, 1}, second[6] = {0, 1, 2, 1, 2, 2};
    const box_loop *loop = context;
    const int n = loop->n;
    (void)thread;
    for (; b < end; b++) {
        double *sum = loop->partial + b * n * TERMS;
        memset(sum, 0, (size_t)(n * TERMS) * sizeof *sum);
        for (int64_t i = b * BLOCK; i < loop->count && i < (b + 1) * BLOCK; i++) {
            place p = place_at(loop->plan, loop->box, i);
            if (p.inverse == 0) continue;
            double re = loop->values[2 * i], im = loop->values[2 * i + 1];
            for (int w = 0; w < n; w++) {
                double term = (re * re + im * im) * p.weight;
                term *= (double)loop->factor[w * loop->count + i];
                sum[w * TERMS] += term;
                for (int k = 0; k < 6; k++)
                    sum[w * TERMS + 1 + k] += term * p.mode[first[k]] * p.mode[second[k]];
            }
        }
    }
}

enuf_status ENUF_SUFFIXED(enuf_cpu_stage_reduce)(enuf_nufft *plan, const enuf_spectral_box *box,
                                                 int n, const void *weights, int moments,
                                                 const void *spectrum, double *sums)
{
    int per = moments ? TERMS : 1;
    int64_t count = box_count(plan, box), blocks = (count + BLOCK - 1) / BLOCK;
    box_loop loop = {.plan = plan,
                     .box = box,
                     .values = (void *)(uintptr_t)spectrum, /* only read */
                     .factor = weights,
                     .n = n,
                     .count = count};
    ENUF_TRY(
        enuf_allocate(&loop.partial, blocks * n * TERMS, sizeof *loop.partial, "partial sums"));
    enuf_parallel_for(plan->threads, blocks, 1, sum_blocks, &loop);
    memset(sums, 0, (size_t)(n * per) * sizeof *sums);
    for (int64_t b = 0; b < blocks; b++) /* in order: independent of the number of threads */
        for (int w = 0; w < n; w++)
            for (int k = 0; k < per; k++)
                sums[w * per + k] += loop.partial[(b * n + w) * TERMS + k];
    enuf_release(&loop.partial);
    return ENUF_SUCCESS;
}
