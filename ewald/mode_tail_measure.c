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

/* Sums over the modes of a shell; s4 over half of them, one of k and -k. */
typedef struct shell_sums {
    double modes, s, s4, k2, k4, tensor[6];
} shell_sums;

typedef struct search {
    const enuf_tail_request *request;
    double k_last;
    int inner; /* shells inside the sphere |k| <= k_c */
    double width;
    shell_sums shell[ENUF_MODE_SHELLS];
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
    const double off = k2 - which * s->width, weight = twice * s2;
    shell->modes += twice;
    shell->s += weight;
    shell->s4 += 0.5 * weight * s2;
    shell->k2 += weight * off;
    shell->k4 += weight * off * off;
    for (int c = 0; c < 6; c++) {
        static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
        shell->tensor[c] += weight * k[row[c]] * k[column[c]];
    }
}

/* ---- Slices ---- */

/* Slices m_3 = first ... first + modes[2] - 1, one after the other. */
typedef struct slices {
    int64_t modes[3];
    int64_t last; /* m_3 of the sphere */
    enuf_nufft *plan;
    double *turned, *factors;
} slices;

/* As many modes in each as there is room for. */
static void cut(const search *s, slices *of)
{
    const enuf_tail_request *r = s->request;
    const double most = r->memory_limit > 0
                            ? fmin(MOST_MODES, (double)r->memory_limit / BYTES_OF_MODE)
                            : MOST_MODES;
    enuf_modes_of_sphere(r->cell, s->k_last, of->modes);
    of->last = of->modes[2] / 2;
    const int64_t room = (int64_t)fmax(most / ((double)of->modes[0] * (double)of->modes[1]), 1);
    const int64_t count = of->last / room + 1;
    of->modes[2] = of->last / count + 1;
}

static enuf_status open_slices(const enuf_tail_request *r, slices *of)
{
    static const double nowhere[3];
    const double *x = r->n > 0 ? r->positions : nowhere;
    enuf_nufft_options options;
    enuf_nufft_options_init(&options);
    options.dim = 3;
    memcpy(options.modes, of->modes, sizeof options.modes);
    options.tolerance = TOLERANCE;
    options.backend = ENUF_BACKEND_CPU;
    options.threads = r->threads;
    options.memory_limit = r->memory_limit;
    const int64_t count = of->modes[0] * of->modes[1] * of->modes[2];
    ENUF_TRY(enuf_allocate(&of->turned, 2 * r->n, sizeof(double), "charges of a slice"));
    ENUF_TRY(enuf_allocate(&of->factors, 2 * count, sizeof(double), "structure factors"));
    ENUF_TRY(enuf_nufft_create(&options, &of->plan));
    ENUF_TRY(enuf_nufft_set_frame(of->plan, r->cell->frame, NULL));
    return enuf_nufft_set_points(of->plan, r->n, x, x + 1, x + 2, r->stride);
}

static void close_slices(slices *of)
{
    enuf_nufft_destroy(&of->plan);
    enuf_release(&of->turned);
    enuf_release(&of->factors);
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

/* The middle of the slice is turned to where m_3 = 0 stands. */
static enuf_status transform(const enuf_tail_request *r, const slices *of, int64_t first)
{
    turn_loop loop = {r, (double)(first + of->modes[2] / 2), of->turned};
    enuf_parallel_for(r->threads, r->n, 0, turn, &loop);
    return enuf_nufft_type1(of->plan, of->turned, of->factors);
}

static void add_slice(search *s, const slices *of, int64_t first)
{
    const enuf_tail_request *r = s->request;
    const double *f = of->factors;
    for (int64_t z = first; z < first + of->modes[2] && z <= of->last; z++)
        for (int64_t y = 0; y < of->modes[1]; y++)
            for (int64_t x = 0; x < of->modes[0]; x++, f += 2) {
                const double m[3] = {(double)(x - of->modes[0] / 2), (double)(y - of->modes[1] / 2),
                                     (double)z};
                double k[3];
                enuf_cell_wavevector(r->cell, m, k);
                /* the plane m_3 = 0 holds k and -k */
                add_mode(s, k, z > 0 ? 2 : 1, (f[0] * f[0] + f[1] * f[1]) / r->sum_q2);
            }
}

static enuf_status sum_slices(search *s, slices *of)
{
    const enuf_tail_request *r = s->request;
    const int64_t count = of->modes[0] * of->modes[1] * of->modes[2];
    enuf_status status = open_slices(r, of);
    for (int64_t first = 0; first <= of->last; first += of->modes[2]) {
        if (status == ENUF_SUCCESS) status = transform(r, of, first);
        if (r->add_up) status = r->add_up(r->context, status, 2 * count, of->factors);
        ENUF_TRY(status);
        add_slice(s, of, first);
    }
    return ENUF_SUCCESS;
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

/* |S|^2 of a mode has its own mean for its deviation, and that of -k is the same. */
static void find_scatter(const search *s, enuf_mode_shells *shells)
{
    const double alpha = s->request->splitting->alpha;
    double energy = 0, pressure = 0, energy2 = 0, pressure2 = 0;
    for (int k = s->inner; k < ENUF_MODE_SHELLS; k++) {
        if (!(shells->sum[k] > 0)) continue;
        const double x = shells->k2[k] / (4 * alpha * alpha);
        const double factor = exp(-x) / shells->k2[k], slope = factor * (1 - 2 * x);
        energy += factor * shells->sum[k];
        pressure += slope * shells->sum[k];
        energy2 += 2 * factor * factor * s->shell[k].s4;
        pressure2 += 2 * slope * slope * s->shell[k].s4;
    }
    if (energy > 0) shells->scatter_energy = sqrt(energy2) / energy;
    if (pressure != 0) shells->scatter_pressure = sqrt(pressure2) / fabs(pressure);
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
    find_scatter(s, shells);
}

enuf_status enuf_mode_shells_measure(const enuf_tail_request *request, enuf_mode_shells *shells)
{
    search s = {.request = request};
    slices of = {.plan = NULL};
    divide(&s);
    cut(&s, &of);
    const enuf_status status = sum_slices(&s, &of);
    close_slices(&of);
    if (status == ENUF_SUCCESS) summarize(&s, shells);
    return status;
}
