/*
 * deconvolve.c - between the transform of the fine grid and the modes: division by the window's
 * transform, both ways, and the spectrum that stays in the plan.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "cpu.h"
#include "parallel.h"
#include "real.h"

#include <string.h>

/* First number of the row (y, z) of frequencies of a batch; a row has axis[0].n_frequency of them.
 */
static inline real *frequency_row(const enuf_nufft *plan, int64_t batch, int64_t y, int64_t z)
{
    const enuf_cpu *cpu = plan->workspace;
    return (real *)cpu->grid + batch * cpu->batch_cells + z * cpu->plane + y * cpu->row;
}

typedef struct deconvolve_loop {
    const enuf_nufft *plan;
    real *out;
} deconvolve_loop;

static void deconvolve_rows(void *context, int64_t r, int64_t end, int thread)
{
    const deconvolve_loop *loop = context;
    const enuf_nufft *plan = loop->plan;
    const enuf_mode_axis *ax = &plan->axis[0], *ay = &plan->axis[1], *az = &plan->axis[2];
    (void)thread;
    /* the forward real-to-complex transform has sign -1; the other sign is its conjugate */
    real imaginary = plan->real && plan->options.sign == 1 ? -1 : 1;
    int64_t rows = ay->n * az->n;
    for (; r < end; r++) {
        int64_t y = r % rows % ay->n, z = r % rows / ay->n;
        const real *from = frequency_row(plan, r / rows, ay->frequency[y], az->frequency[z]);
        double factor = ay->inverse[y] * az->inverse[z];
        real *to = loop->out + 2 * r * ax->n;
        for (int64_t x = 0; x < ax->n; x++) {
            real scale = (real)(factor * ax->inverse[x]);
            to[2 * x] = from[2 * ax->frequency[x]] * scale;
            to[2 * x + 1] = from[2 * ax->frequency[x] + 1] * scale * imaginary;
        }
    }
}

void ENUF_STAGE(enuf_cpu_deconvolve)(enuf_nufft *plan, void *modes)
{
    const enuf_cpu *cpu = plan->workspace;
    deconvolve_loop loop = {plan, modes ? modes : cpu->spectrum};
    const int64_t rows = plan->axis[1].n * plan->axis[2].n;
    enuf_parallel_for(plan->threads, rows * plan->options.batch, 0, deconvolve_rows, &loop);
}

/* One mode of the source times the multiplier at its place. */
static inline void multiplied(const real *modes, int64_t at, enuf_multiplier kind,
                              const real *multiplier, int64_t m, real out[2])
{
    real re = modes[2 * at], im = modes[2 * at + 1];
    if (!multiplier) {
        out[0] = re;
        out[1] = im;
    } else if (kind == ENUF_REAL) {
        out[0] = re * multiplier[m];
        out[1] = im * multiplier[m];
    } else {
        out[0] = re * multiplier[2 * m] - im * multiplier[2 * m + 1];
        out[1] = re * multiplier[2 * m + 1] + im * multiplier[2 * m];
    }
}

typedef struct amplify_loop {
    const enuf_nufft *plan;
    const real *source, *multiplier;
    enuf_multiplier kind;
} amplify_loop;

static void amplify_rows(void *context, int64_t r, int64_t end, int thread)
{
    const amplify_loop *loop = context;
    const enuf_nufft *plan = loop->plan;
    const enuf_mode_axis *ax = &plan->axis[0], *ay = &plan->axis[1], *az = &plan->axis[2];
    const real *source = loop->source, *multiplier = loop->multiplier;
    const enuf_multiplier kind = loop->kind;
    (void)thread;
    int64_t rows = ay->n_frequency * az->n_frequency;
    /* the complex-to-real transform has sign +1 */
    real imaginary = plan->real && plan->type2_sign == -1 ? -1 : 1;
    for (; r < end; r++) {
        int64_t batch = r / rows, fy = r % rows % ay->n_frequency, fz = r % rows / ay->n_frequency;
        int64_t y = ay->stored[fy], z = az->stored[fz];
        real *to = frequency_row(plan, batch, fy, fz);
        memset(to, 0, (size_t)(2 * ax->n_frequency) * sizeof(real));
        if (y < 0 || z < 0) continue;
        double factor = ay->inverse[y] * az->inverse[z];
        int64_t m0 = (z * ay->n + y) * ax->n, base = batch * plan->n_modes + m0;
        for (int64_t x = 0; x < ax->n; x++) {
            real value[2], scale = (real)(factor * ax->inverse[x]);
            if (scale == 0) continue; /* unpaired: any value there is ignored, a NaN too */
            multiplied(source, base + x, kind, multiplier, m0 + x, value);
            if (plan->real && x == 0) {
                /* the Hermitian part: (c(m) + conj c(-m))/2 */
                int64_t opposite = (az->opposite[z] * ay->n + ay->opposite[y]) * ax->n;
                real other[2];
                multiplied(source, batch * plan->n_modes + opposite, kind, multiplier, opposite,
                           other);
                value[0] = (value[0] + other[0]) / 2;
                value[1] = (value[1] - other[1]) / 2;
            }
            to[2 * ax->frequency[x]] = value[0] * scale;
            to[2 * ax->frequency[x] + 1] = value[1] * scale * imaginary;
        }
    }
}

void ENUF_STAGE(enuf_cpu_amplify)(enuf_nufft *plan, const void *modes, enuf_multiplier kind,
                                  const void *multiplier)
{
    const enuf_cpu *cpu = plan->workspace;
    amplify_loop loop = {plan, modes ? modes : cpu->spectrum, multiplier, kind};
    const int64_t rows = plan->axis[1].n_frequency * plan->axis[2].n_frequency;
    enuf_parallel_for(plan->threads, rows * plan->options.batch, 0, amplify_rows, &loop);
}

void ENUF_STAGE(enuf_cpu_get_spectrum)(enuf_nufft *plan, int64_t n, const int64_t *index,
                                       void *packed)
{
    const enuf_cpu *cpu = plan->workspace;
    const real *spectrum = cpu->spectrum;
    real *out = packed;
    if (!index) n = plan->n_modes;
    for (int64_t b = 0; b < plan->options.batch; b++)
        for (int64_t k = 0; k < n; k++) {
            int64_t m = b * plan->n_modes + (index ? index[k] : k);
            out[2 * (b * n + k)] = spectrum[2 * m];
            out[2 * (b * n + k) + 1] = spectrum[2 * m + 1];
        }
}

/* 0 at the unpaired modes of real strengths, which take no part. */
static inline int takes_part(const enuf_nufft *plan, int64_t m)
{
    int64_t nx = plan->axis[0].n, ny = plan->axis[1].n;
    return plan->axis[1].inverse[m / nx % ny] != 0 && plan->axis[2].inverse[m / nx / ny] != 0;
}

void ENUF_STAGE(enuf_cpu_put_spectrum)(enuf_nufft *plan, int64_t n, const int64_t *index,
                                       const void *packed)
{
    const enuf_cpu *cpu = plan->workspace;
    real *spectrum = cpu->spectrum;
    const real *in = packed;
    if (!index) n = plan->n_modes;
    memset(spectrum, 0, (size_t)(2 * plan->n_modes * plan->options.batch) * sizeof(real));
    for (int64_t b = 0; b < plan->options.batch; b++)
        for (int64_t k = 0; k < n; k++) {
            int64_t mode = index ? index[k] : k, m = b * plan->n_modes + mode;
            if (!takes_part(plan, mode)) continue;
            spectrum[2 * m] = in[2 * (b * n + k)];
            spectrum[2 * m + 1] = in[2 * (b * n + k) + 1];
        }
}
