/*
 * mode_tail_measure.c - |S|^2 of all modes up to a wave number, by transforms of type 1 of slices
 * of the modes, m_3 >= 0: charges turned by exp(-2 pi i m s_3) have the modes around m_3 = m where
 * others have those around 0. SPDX-License-Identifier: BSD-3-Clause
 */
#include "enuf/nufft.h"
#include "memory.h"
#include "mode_tail.h"
#include "parallel.h"
#include "parameters.h"

#include <math.h>
#include <string.h>

static const double two_pi = 6.283185307179586476925;

/* The factor exp(-k^2/4 alpha^2) of the last shell, over that at k_c, is exp(-REACH), 5e-5: charges
 * that have a twentieth of |S|^2 near k_c only, as water, or all of it in peaks far apart, as a
 * crystal, miss some thousandths. What is beyond is taken to have the |S|^2 of the outermost
 * shells.
 */
static const double REACH = 10;

/* Modes of a slice, and the bytes that each of them takes at most: structure factor, fine grid. */
static const double MOST_MODES = 1 << 20, BYTES_OF_MODE = 200;

/* Of S, relative to all charges. */
static const double TOLERANCE = 1e-4;

/* |S|^2 beyond the last shell is the mean over the outermost quarter of those left out, and over so
 * many modes at least. */
static const double FEWEST = 24;

/* Sums over the modes of a shell. */
typedef struct shell_sums {
    double modes, s, k2, k4, tensor[6];
} shell_sums;

typedef struct search {
    const enuf_tail_request *request;
    double k_last;
    int inner; /* shells inside the sphere |k| <= k_c */
    double width;
    shell_sums shell[ENUF_MODE_SHELLS];
    /* beyond k_c: energy and pressure, and the sums of their terms' squares over the half space */
    double energy, pressure, energy2, pressure2;
} search;

/* A shell ends at k_c, so that what is left out is told from what is not mode by mode. */
static void divide(search *s)
{
    const double k_c = s->request->k_c, alpha = s->request->splitting->alpha;
    const double reach = k_c * k_c + REACH * 4 * alpha * alpha;
    s->inner = (int)fmax(floor(ENUF_MODE_SHELLS * k_c * k_c / reach), 1);
    s->width = k_c * k_c / s->inner;
    s->k_last = sqrt(ENUF_MODE_SHELLS * s->width);
}

static void add_mode(search *s, const double k[3], double twice, double s2)
{
    const double k2 = k[0] * k[0] + k[1] * k[1] + k[2] * k[2];
    if (k2 == 0 || k2 >= s->k_last * s->k_last) return;
    const int in = enuf_in_sphere(k2, s->request->k_c), at = (int)(k2 / s->width);
    const int which = in ? (at < s->inner ? at : s->inner - 1) : (at < s->inner ? s->inner : at);
    shell_sums *shell = &s->shell[which < ENUF_MODE_SHELLS ? which : ENUF_MODE_SHELLS - 1];
    const double off = k2 - which * s->width;
    shell->modes += twice;
    shell->s += twice * s2;
    shell->k2 += twice * s2 * off;
    shell->k4 += twice * s2 * off * off;
    shell->tensor[0] += twice * s2 * k[0] * k[0];
    shell->tensor[1] += twice * s2 * k[1] * k[1];
    shell->tensor[2] += twice * s2 * k[2] * k[2];
    shell->tensor[3] += twice * s2 * k[0] * k[1];
    shell->tensor[4] += twice * s2 * k[0] * k[2];
    shell->tensor[5] += twice * s2 * k[1] * k[2];
    if (in) return;
    const double alpha = s->request->splitting->alpha, x = k2 / (4 * alpha * alpha);
    const double energy = exp(-x) / k2 * s2, pressure = energy * (1 - 2 * x);
    s->energy += twice * energy;
    s->pressure += twice * pressure;
    s->energy2 += 2 * twice * energy * energy;
    s->pressure2 += 2 * twice * pressure * pressure;
}

/* ---- Slices ---- */

typedef struct slice {
    int64_t first, modes[3]; /* m_3 = first ... first + modes[2] - 1 */
} slice;

/* From m_3 = first on, as many as there is room for. */
static slice cut(const enuf_tail_request *r, const int64_t modes[3], int64_t first)
{
    const double most = r->memory_limit > 0
                            ? fmin(MOST_MODES, (double)r->memory_limit / BYTES_OF_MODE)
                            : MOST_MODES;
    const int64_t room = (int64_t)fmax(most / ((double)modes[0] * (double)modes[1]), 1);
    const int64_t left = modes[2] / 2 + 1 - first;
    return (slice){first, {modes[0], modes[1], room < left ? room : left}};
}

typedef struct turn_loop {
    const enuf_tail_request *request;
    double middle;
    double *turned;
} turn_loop;

static void turn(void *context, int64_t i, int64_t end, int thread)
{
    const turn_loop *loop = context;
    const enuf_tail_request *r = loop->request;
    const double *frame = &r->cell->frame[6];
    (void)thread;
    for (; i < end; i++) {
        const double *x = &r->positions[i * r->stride];
        const double s = frame[0] * x[0] + frame[1] * x[1] + frame[2] * x[2];
        const double angle = -two_pi * loop->middle * (s - floor(s));
        loop->turned[2 * i] = r->q[i] * cos(angle);
        loop->turned[2 * i + 1] = r->q[i] * sin(angle);
    }
}

static enuf_status transform(const enuf_tail_request *r, const slice *of, const double *turned,
                             double *factors)
{
    enuf_nufft *plan = NULL;
    enuf_nufft_options options;
    enuf_nufft_options_init(&options);
    options.dim = 3;
    memcpy(options.modes, of->modes, sizeof options.modes);
    options.tolerance = TOLERANCE;
    options.backend = ENUF_BACKEND_CPU;
    options.threads = r->threads;
    options.memory_limit = r->memory_limit;
    const double *x = r->positions;
    enuf_status status = enuf_nufft_create(&options, &plan);
    if (status == ENUF_SUCCESS) status = enuf_nufft_set_frame(plan, r->cell->frame, NULL);
    if (status == ENUF_SUCCESS)
        status = enuf_nufft_set_points(plan, r->n, x, x + 1, x + 2, r->stride);
    if (status == ENUF_SUCCESS) status = enuf_nufft_type1(plan, turned, factors);
    enuf_nufft_destroy(&plan);
    return status;
}

static enuf_status find_factors(const enuf_tail_request *r, const slice *of, double *factors)
{
    double *turned = NULL;
    enuf_status status = enuf_allocate(&turned, 2 * r->n, sizeof *turned, "charges of a slice");
    if (status == ENUF_SUCCESS) {
        /* so that the middle of the slice stands where m_3 = 0 does */
        turn_loop loop = {r, (double)(of->first + of->modes[2] / 2), turned};
        enuf_parallel_for(r->threads, r->n, 0, turn, &loop);
        status = transform(r, of, turned, factors);
    }
    enuf_release(&turned);
    return status;
}

static void add_slice(search *s, const slice *of, const double *factors)
{
    const enuf_tail_request *r = s->request;
    for (int64_t z = 0; z < of->modes[2]; z++)
        for (int64_t y = 0; y < of->modes[1]; y++)
            for (int64_t x = 0; x < of->modes[0]; x++) {
                const double m[3] = {(double)(x - of->modes[0] / 2), (double)(y - of->modes[1] / 2),
                                     (double)(of->first + z)};
                const double *f = factors + 2 * ((z * of->modes[1] + y) * of->modes[0] + x);
                double k[3];
                enuf_cell_wavevector(r->cell, m, k);
                /* the plane m_3 = 0 holds k and -k */
                add_mode(s, k, m[2] > 0 ? 2 : 1, (f[0] * f[0] + f[1] * f[1]) / r->sum_q2);
            }
}

static enuf_status sum_slice(search *s, const slice *of)
{
    const enuf_tail_request *r = s->request;
    const int64_t count = of->modes[0] * of->modes[1] * of->modes[2];
    double *factors = NULL;
    enuf_status status =
        enuf_allocate(&factors, 2 * count, sizeof *factors, "structure factors of the charges");
    if (status == ENUF_SUCCESS) status = find_factors(r, of, factors);
    if (r->add_up) status = r->add_up(r->context, status, 2 * count, factors);
    if (status == ENUF_SUCCESS) add_slice(s, of, factors);
    enuf_release(&factors);
    return status;
}

/* ---- What they tell ---- */

static double mean_beyond(const search *s)
{
    const int outermost = ENUF_MODE_SHELLS - (ENUF_MODE_SHELLS - s->inner) / 4;
    double modes = 0, sum = 0;
    for (int k = ENUF_MODE_SHELLS - 1; k >= 0 && (k >= outermost || modes < FEWEST); k--) {
        modes += s->shell[k].modes;
        sum += s->shell[k].s;
    }
    return modes > 0 ? sum / modes : 1;
}

static void summarize(const search *s, enuf_mode_shells *shells)
{
    *shells =
        (enuf_mode_shells){.n = ENUF_MODE_SHELLS, .width = s->width, .beyond = mean_beyond(s)};
    memcpy(shells->cell, s->request->cell->cell, sizeof shells->cell);
    for (int k = 0; k < ENUF_MODE_SHELLS; k++) {
        const shell_sums *from = &s->shell[k];
        if (!(from->s > 0)) continue;
        const double mean = from->k2 / from->s;
        shells->sum[k] = from->s;
        shells->k2[k] = k * s->width + mean;
        shells->spread[k] = sqrt(fmax(from->k4 / from->s - mean * mean, 0));
        for (int c = 0; c < 6; c++) shells->tensor[k][c] = from->tensor[c] / from->s;
    }
    if (s->energy > 0) shells->scatter_energy = sqrt(s->energy2) / s->energy;
    if (s->pressure != 0) shells->scatter_pressure = sqrt(s->pressure2) / fabs(s->pressure);
}

enuf_status enuf_mode_shells_measure(const enuf_tail_request *request, enuf_mode_shells *shells)
{
    search s = {.request = request};
    int64_t modes[3];
    divide(&s);
    enuf_modes_of_sphere(request->cell, s.k_last, modes);
    for (int64_t first = 0; first <= modes[2] / 2;) {
        const slice of = cut(request, modes, first);
        ENUF_TRY(sum_slice(&s, &of));
        first += of.modes[2];
    }
    summarize(&s, shells);
    return ENUF_SUCCESS;
}
