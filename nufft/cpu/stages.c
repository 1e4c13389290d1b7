/* stages.c - the stages on a box of the caller's spectrum. SPDX-License-Identifier: BSD-3-Clause */
#include "cpu.h"
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

void ENUF_STAGE(enuf_cpu_stage_deconvolve)(enuf_nufft *plan, const enuf_spectral_box *box,
                                           void *spectrum)
{
    real *values = spectrum;
    int64_t count = box_count(plan, box);
#pragma omp parallel for num_threads(plan->threads)
    for (int64_t i = 0; i < count; i++) {
        real scale = (real)place_at(plan, box, i).inverse;
        /* 0 also where a caller left a NaN */
        values[2 * i] = scale != 0 ? values[2 * i] * scale : 0;
        values[2 * i + 1] = scale != 0 ? values[2 * i + 1] * scale : 0;
    }
}

void ENUF_STAGE(enuf_cpu_stage_multiply)(enuf_nufft *plan, const enuf_spectral_box *box,
                                         enuf_multiplier kind, const void *multiplier,
                                         void *spectrum)
{
    const real *factor = multiplier;
    real *values = spectrum;
    int64_t count = box_count(plan, box);
#pragma omp parallel for num_threads(plan->threads)
    for (int64_t i = 0; i < count; i++) {
        real re = values[2 * i], im = values[2 * i + 1];
        real a = kind == ENUF_REAL ? factor[i] : factor[2 * i];
        real b = kind == ENUF_REAL ? 0 : factor[2 * i + 1];
        values[2 * i] = re * a - im * b;
        values[2 * i + 1] = re * b + im * a;
    }
}

enuf_status ENUF_STAGE(enuf_cpu_stage_reduce)(enuf_nufft *plan, const enuf_spectral_box *box, int n,
                                              const void *weights, int moments,
                                              const void *spectrum, double *sums)
{
    enum { BLOCK = 4096, TERMS = 7 };
    static const int first[6] = {0, 1, 2, 0, 0, 1}, second[6] = {0, 1, 2, 1, 2, 2};
    const real *values = spectrum;
    int per = moments ? TERMS : 1;
    int64_t count = box_count(plan, box), blocks = (count + BLOCK - 1) / BLOCK;
    double *partial;
    ENUF_TRY(enuf_allocate(&partial, blocks * n * TERMS, sizeof *partial, "partial sums"));
#pragma omp parallel for num_threads(plan->threads)
    for (int64_t b = 0; b < blocks; b++) {
        double *sum = partial + b * n * TERMS;
        memset(sum, 0, (size_t)(n * TERMS) * sizeof *sum);
        for (int64_t i = b * BLOCK; i < count && i < (b + 1) * BLOCK; i++) {
            place p = place_at(plan, box, i);
            if (p.inverse == 0) continue;
            double re = values[2 * i], im = values[2 * i + 1];
            for (int w = 0; w < n; w++) {
                double term = (re * re + im * im) * p.weight;
                term *= (double)((const real *)weights)[w * count + i];
                sum[w * TERMS] += term;
                for (int k = 0; k < 6; k++)
                    sum[w * TERMS + 1 + k] += term * p.mode[first[k]] * p.mode[second[k]];
            }
        }
    }
    memset(sums, 0, (size_t)(n * per) * sizeof *sums);
    for (int64_t b = 0; b < blocks; b++) /* in order: independent of the number of threads */
        for (int w = 0; w < n; w++)
            for (int k = 0; k < per; k++) sums[w * per + k] += partial[(b * n + w) * TERMS + k];
    enuf_release(&partial);
    return ENUF_SUCCESS;
}
