/*
 * mode_tail_measure.c - |S|^2 of all modes up to a wave number. The modes m_d >= 0 are cut into
 * slices across the axis d that has most of them, and each slice is one transform of type 1:
 * charges multiplied by exp(-2 pi i m s_d) have the modes around m_d = m in the place of those
 * around 0.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "enuf/nufft.h"
#include "memory.h"
#include "choose/mode_tail.h"
#include "lattice/tensor.h"
#include "parallel.h"
#include "choose/parameters.h"

#include <math.h>
#include <string.h>

static const double two_pi = 6.283185307179586476925;

/* The factor exp(-k^2/4 alpha^2) of the last shell, over that at k_c, is exp(-REACH), 5e-5: charges
 * with a twentieth of |S|^2 near k_c only (water), or with all of it in distant peaks (a crystal),
 * miss some thousandths. Modes beyond the last shell are assumed to have the |S|^2 of the outermost
 * shells.
 */
static const double REACH = 10;

/* Modes of a slice of several planes, and the bytes that each of them takes at most: structure
 * factor, fine grid. A plane has M^(2/3) of M modes at most. */
static const double MOST_MODES = 1 << 20, BYTES_OF_MODE = 200;

/* Tolerance of S, relative to all charges. */
static const double TOLERANCE = 1e-4;

/* |S|^2 beyond the last shell is the mean over the outermost quarter of the shells outside of k_c,
 * and over FEWEST modes at least. */
static const double FEWEST = 24;

/* Sums over the modes of a shell; s4 over half of them, one of k and -k. */
typedef struct shell_sums {
    double modes, s, s4, k2, k4, tensor[6];
} shell_sums;

/* Rows of modes form so many parts, each with its own sums: the order of additions does not depend
 * on the number of threads. */
enum { PARTS = 64 };

typedef struct search {
    const enuf_tail_request *request;
    double k_last;
    int inner; /* shells inside the sphere |k| <= k_c */
    double width;
    shell_sums (*part)[ENUF_MODE_SHELLS]; /* [PARTS] */
    shell_sums shell[ENUF_MODE_SHELLS];
} search;

/* A shell ends at k_c: each mode is either summed or left out. */
static void divide(search *s)
{
    const double k_c = s->request->k_c, alpha = s->request->splitting->alpha;
    const double reach = k_c * k_c + REACH * 4 * alpha * alpha;
    s->inner = (int)fmax(floor(ENUF_MODE_SHELLS * k_c * k_c / reach), 1);
    s->width = k_c * k_c / s->inner;
    s->k_last = sqrt(ENUF_MODE_SHELLS * s->width);
}

static void add_mode(const search *s, const double k[3], double twice, double s2,
                     shell_sums shells[ENUF_MODE_SHELLS])
{
    const double k2 = k[0] * k[0] + k[1] * k[1] + k[2] * k[2];
    if (k2 == 0 || k2 >= s->k_last * s->k_last) return;
    const int in = enuf_in_sphere(k2, s->request->k_c), at = (int)(k2 / s->width);
    const int which = in ? (at < s->inner ? at : s->inner - 1) : (at < s->inner ? s->inner : at);
    shell_sums *shell = &shells[which < ENUF_MODE_SHELLS ? which : ENUF_MODE_SHELLS - 1];
    const double off = k2 - which * s->width, weight = twice * s2;
    shell->modes += twice;
    shell->s += weight;
    shell->s4 += 0.5 * weight * s2;
    shell->k2 += weight * off;
    shell->k4 += weight * off * off;
    for (int c = 0; c < 6; c++) {
        static const int row[6] = ENUF_TENSOR_ROWS, column[6] = ENUF_TENSOR_COLUMNS;
        shell->tensor[c] += weight * k[row[c]] * k[column[c]];
    }
}

/* ---- Slices ---- */

/* Slices m_axis = first ... first + modes[axis] - 1, one after the other. */
typedef struct slices {
    int axis;
    int64_t modes[3];
    int64_t last; /* m_axis of the sphere */
    enuf_nufft *plan;
    double *turned, *factors;
} slices;

/* As many modes in each as memory allows. */
static void cut(const search *s, slices *of)
{
    const enuf_tail_request *r = s->request;
    const double most = r->memory_limit > 0
                            ? fmin(MOST_MODES, (double)r->memory_limit / BYTES_OF_MODE)
                            : MOST_MODES;
    int64_t *modes = of->modes;
    enuf_modes_of_sphere(r->cell, s->k_last, modes);
    of->axis = 2;
    for (int d = 1; d >= 0; d--)
        if (modes[d] > modes[of->axis]) of->axis = d;
    const double plane = (double)modes[(of->axis + 1) % 3] * (double)modes[(of->axis + 2) % 3];
    of->last = modes[of->axis] / 2;
    const int64_t room = (int64_t)fmax(most / plane, 1);
    const int64_t count = of->last / room + 1;
    modes[of->axis] = of->last / count + 1;
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
    options.isa = r->isa;
    options.fft = r->fft;
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
    const double *frame; /* row of the axis: s = frame . x */
    double middle;
    double *turned;
} turn_loop;

static void turn(void *context, int64_t i, int64_t end, int thread)
{
    const turn_loop *loop = context;
    const enuf_tail_request *r = loop->request;
    const double *frame = loop->frame;
    (void)thread;
    for (; i < end; i++) {
        const double *x = &r->positions[i * r->stride];
        const double s = frame[0] * x[0] + frame[1] * x[1] + frame[2] * x[2];
        const double angle = -two_pi * loop->middle * (s - floor(s));
        loop->turned[2 * i] = r->q[i] * cos(angle);
        loop->turned[2 * i + 1] = r->q[i] * sin(angle);
    }
}

/* Phases that move the middle of the slice to m_axis = 0. */
static enuf_status transform(const enuf_tail_request *r, const slices *of, int64_t first)
{
    turn_loop loop = {r, &r->cell->frame[3 * of->axis], (double)(first + of->modes[of->axis] / 2),
                      of->turned};
    enuf_parallel_for(r->threads, r->n, 0, turn, &loop);
    return enuf_nufft_type1(of->plan, of->turned, of->factors);
}

typedef struct mode_loop {
    const search *search;
    const slices *of;
    int64_t first;
} mode_loop;

/* A row of modes along x; `at`: its place among those of the slice. */
static void add_row(const mode_loop *loop, int64_t at, shell_sums shells[ENUF_MODE_SHELLS])
{
    const slices *of = loop->of;
    const enuf_tail_request *r = loop->search->request;
    const double *f = of->factors + 2 * at * of->modes[0];
    int64_t begin[3]; /* the row's first mode */
    for (int d = 0; d < 3; d++) begin[d] = d == of->axis ? loop->first : -(of->modes[d] / 2);
    begin[1] += at % of->modes[1];
    begin[2] += at / of->modes[1];
    for (int64_t x = 0; x < of->modes[0]; x++, f += 2) {
        const int64_t along = begin[of->axis] + (of->axis == 0 ? x : 0);
        if (along > of->last) break;
        const double m[3] = {(double)(begin[0] + x), (double)begin[1], (double)begin[2]};
        double k[3];
        enuf_cell_wavevector(r->cell, m, k);
        /* the plane m_axis = 0 holds k and -k */
        add_mode(loop->search, k, along > 0 ? 2 : 1, (f[0] * f[0] + f[1] * f[1]) / r->sum_q2,
                 shells);
    }
}

static void add_parts(void *context, int64_t part, int64_t end, int thread)
{
    const mode_loop *loop = context;
    const int64_t rows = loop->of->modes[1] * loop->of->modes[2];
    (void)thread;
    for (; part < end; part++)
        for (int64_t at = rows * part / PARTS; at < rows * (part + 1) / PARTS; at++)
            add_row(loop, at, loop->search->part[part]);
}

static void add_slice(search *s, const slices *of, int64_t first)
{
    mode_loop loop = {s, of, first};
    enuf_parallel_for(s->request->threads, PARTS, 1, add_parts, &loop);
}

static void add_up_parts(search *s)
{
    for (int p = 0; p < PARTS; p++)
        for (int k = 0; k < ENUF_MODE_SHELLS; k++) {
            const shell_sums *from = &s->part[p][k];
            shell_sums *to = &s->shell[k];
            to->modes += from->modes;
            to->s += from->s;
            to->s4 += from->s4;
            to->k2 += from->k2;
            to->k4 += from->k4;
            for (int c = 0; c < 6; c++) to->tensor[c] += from->tensor[c];
        }
}

static enuf_status sum_slices(search *s, slices *of)
{
    const enuf_tail_request *r = s->request;
    const int64_t count = of->modes[0] * of->modes[1] * of->modes[2];
    enuf_status status =
        enuf_allocate(&s->part, PARTS, sizeof *s->part, "sums over structure factors");
    if (status == ENUF_SUCCESS) {
        memset(s->part, 0, PARTS * sizeof *s->part);
        status = open_slices(r, of);
    }
    for (int64_t first = 0; first <= of->last; first += of->modes[of->axis]) {
        if (status == ENUF_SUCCESS) status = transform(r, of, first);
        if (r->reduce) status = r->reduce(r->context, status, 2 * count, of->factors);
        ENUF_TRY(status);
        add_slice(s, of, first);
    }
    add_up_parts(s);
    return ENUF_SUCCESS;
}

/* ---- From sums to shells ---- */

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

/* The standard deviation of |S|^2 of a mode is its mean; k and -k have the same |S|^2. */
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
    enuf_release(&s.part);
    if (status == ENUF_SUCCESS) summarize(&s, shells);
    return status;
}
