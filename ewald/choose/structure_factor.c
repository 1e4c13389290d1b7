/* structure_factor.c - see structure_factor.h. SPDX-License-Identifier: BSD-3-Clause */
#include "structure_factor.h"

#include <math.h>
#include <string.h>

static const double two_pi = 6.283185307179586476925;

/* The least s(k) that is used: order is never trusted to make an error less than a tenth of that of
 * uncorrelated charges. */
static const double FLOOR = 0.01;

double enuf_structure_factor_at(const enuf_structure_factor *structure, double k)
{
    if (structure->n == 0) return 1;
    if (k >= structure->k[structure->n - 1]) return fmax(structure->beyond, FLOOR);
    int lo = 0, hi = structure->n - 1;
    while (hi - lo > 1) {
        const int middle = (lo + hi) / 2;
        if (structure->k[middle] <= k)
            lo = middle;
        else
            hi = middle;
    }
    const double width = structure->k[hi] - structure->k[lo];
    const double at = width > 0 ? fmax((k - structure->k[lo]) / width, 0) : 0;
    return fmax(structure->s[lo] + at * (structure->s[hi] - structure->s[lo]), FLOOR);
}

/* ---- Means ---- */

enum { STEPS = 48 };

/* In both means below, the weight of a wave number is 1/(1 + t^2) dt for some t. With t =
 * tan(angle), equal steps of the angle have equal weights. */
static double angle(int step)
{
    return (step + 0.5) / STEPS * two_pi / 4;
}

/*
 * The force of a pair beyond the cutoff falls within l = 1/(2 alpha^2 r_c) of it. The transform of
 * a shell so thin is (4 pi r_c^2 f l) cos(k r_c + phase)/(k r_c sqrt(1 + k^2 l^2)) for k r_c >> 1,
 * and there are k^2 dk modes: t = k l.
 */
double enuf_pair_error_factor(const enuf_structure_factor *structure,
                              const enuf_splitting *splitting)
{
    if (structure->n == 0 || splitting->kind == ENUF_SPLIT_PROLATE) return 1;
    const double reach = 2 * splitting->alpha * splitting->alpha * splitting->cutoff;
    double sum = 0;
    for (int i = 0; i < STEPS; i++)
        sum += enuf_structure_factor_at(structure, reach * tan(angle(i)));
    return sqrt(sum / STEPS);
}

/* chi_hat^2 falls as exp(-(k^2 - k_c^2)/2 alpha^2). */
static double beyond_gaussian(const enuf_structure_factor *structure, double alpha, double k_c)
{
    const double last = sqrt(k_c * k_c + 16 * alpha * alpha), h = (last - k_c) / STEPS;
    double sum = 0, weights = 0;
    for (int i = 0; i < STEPS; i++) {
        const double k = k_c + (i + 0.5) * h;
        const double weight = exp((k_c * k_c - k * k) / (2 * alpha * alpha));
        sum += weight * enuf_structure_factor_at(structure, k);
        weights += weight;
    }
    return sum / weights;
}

/* Beyond its band, at k = k_c u, the prolate transform goes as J_0(c t)/sqrt(u), t^2 = u^2 - 1
 * (WKB in arcosh u, regular at 1), and J_0^2 as 1/c t: dk/u t = dt/(1 + t^2) up to a factor. */
static double beyond_prolate(const enuf_structure_factor *structure, double k_c)
{
    double sum = 0;
    for (int i = 0; i < STEPS; i++) sum += enuf_structure_factor_at(structure, k_c / cos(angle(i)));
    return sum / STEPS;
}

double enuf_truncation_error_factor(const enuf_structure_factor *structure,
                                    const enuf_splitting *splitting, double k_c)
{
    if (structure->n == 0) return 1;
    if (splitting->kind == ENUF_SPLIT_GAUSSIAN)
        return sqrt(beyond_gaussian(structure, splitting->alpha, k_c));
    /* inside the band the modes left out fall off as steeply as the Gaussian's */
    if (k_c < 0.999 * enuf_splitting_band(splitting))
        return sqrt(enuf_structure_factor_at(structure, k_c));
    return sqrt(beyond_prolate(structure, k_c));
}

/* ---- From positions ---- */

/* Modes that are computed at most; of a sphere with more, those of the largest k are left out. */
static const double MOST_MODES = 1 << 21;

/* Bytes of memory for each mode: its factor and its share of the fine grid, with room to spare. */
static const double BYTES_OF_MODE = 200;

/* Tolerance of S(k): s(k) is a mean over many modes, which scatter by themselves, and a value below
 * 1e-4 is of no interest. */
static const double TOLERANCE = 1e-4;

void enuf_structure_factor_modes(const enuf_cell_geometry *cell, double k, int64_t memory_limit,
                                 int64_t modes[3])
{
    double most = MOST_MODES;
    if (memory_limit > 0) most = fmin(most, (double)memory_limit / BYTES_OF_MODE);
    /* one turn is enough for compact cells; an axis with a single mode cannot have fewer, so that
     * the other axes need more turns */
    for (int turn = 0; turn < 20; turn++) {
        double count = 1;
        enuf_modes_of_sphere(cell, k, modes);
        for (int d = 0; d < 3; d++) count *= (double)modes[d];
        if (count <= most) return;
        k *= cbrt(most / count);
    }
}

enuf_status enuf_charge_density_modes(const enuf_cell_geometry *cell, const int64_t modes[3],
                                      const enuf_ewald_options *options, int64_t n, const double *x,
                                      int64_t stride, const double *q, double *factors)
{
    enuf_nufft *plan = NULL;
    enuf_nufft_options of_plan;
    enuf_nufft_options_init(&of_plan);
    of_plan.dim = 3;
    memcpy(of_plan.modes, modes, sizeof of_plan.modes);
    of_plan.strengths = ENUF_REAL_STRENGTHS;
    of_plan.tolerance = TOLERANCE;
    of_plan.backend = ENUF_BACKEND_CPU;
    of_plan.threads = options->threads;
    of_plan.isa = options->isa;
    of_plan.fft = options->fft;
    of_plan.memory_limit = options->memory_limit;
    enuf_status status = enuf_nufft_create(&of_plan, &plan);
    if (status == ENUF_SUCCESS) status = enuf_nufft_set_frame(plan, cell->frame, NULL);
    if (status == ENUF_SUCCESS) status = enuf_nufft_set_points(plan, n, x, x + 1, x + 2, stride);
    if (status == ENUF_SUCCESS) status = enuf_nufft_type1(plan, q, factors);
    enuf_nufft_destroy(&plan);
    return status;
}

/* Sums over the modes of a stretch of k. */
typedef struct stretch {
    double modes, k, s;
} stretch;

/* Stretches of fewer modes are joined with the next: |S|^2 of a mode scatters by its own mean. */
static const double FEWEST = 12;

enum { FINE = 512 };

/* s(k) keeps so many binary digits: on other ranks S(k) is added in another order, and the choice
 * that follows from s(k) must be the same. */
enum { DIGITS = 12 };

static double rounded(double s)
{
    int exponent;
    const double fraction = frexp(s, &exponent);
    return ldexp(round(ldexp(fraction, DIGITS)), exponent - DIGITS);
}

/* Adds the modes of the sphere |k| < k_most, the largest that the array holds whole. */
static void sum_stretches(const enuf_cell_geometry *cell, const int64_t modes[3], double k_most,
                          const double *factors, stretch fine[FINE])
{
    const int64_t row = (modes[0] + 1) / 2;
    for (int64_t z = 0; z < modes[2]; z++)
        for (int64_t y = 0; y < modes[1]; y++)
            for (int64_t x = 0; x < row; x++) {
                const double m[3] = {(double)x, (double)(y - modes[1] / 2),
                                     (double)(z - modes[2] / 2)};
                double k[3];
                enuf_cell_wavevector(cell, m, k);
                const double size = sqrt(k[0] * k[0] + k[1] * k[1] + k[2] * k[2]);
                if (size == 0 || size >= k_most) continue;
                const double *factor = factors + 2 * ((z * modes[1] + y) * row + x);
                stretch *of = &fine[(int)fmin(FINE * size / k_most, FINE - 1)];
                const double twice = x == 0 ? 1 : 2; /* the array holds -k beside k where x = 0 */
                of->modes += twice;
                of->k += twice * size;
                of->s += twice * (factor[0] * factor[0] + factor[1] * factor[1]);
            }
}

void enuf_structure_factor_of(const enuf_cell_geometry *cell, const int64_t modes[3], double sum_q2,
                              const double *factors, enuf_structure_factor *structure)
{
    stretch fine[FINE] = {{0, 0, 0}}, now = {0, 0, 0}, last = {0, 0, 0};
    double k_most = HUGE_VAL;
    for (int d = 0; d < 3; d++)
        k_most = fmin(k_most, two_pi * (0.5 * (double)modes[d] + 0.5) / cell->length[d]);
    sum_stretches(cell, modes, k_most, factors, fine);
    memset(structure, 0, sizeof *structure);
    for (int i = 0; i < FINE; i++) {
        now.modes += fine[i].modes;
        now.k += fine[i].k;
        now.s += fine[i].s;
        if (i >= FINE - FINE / 10) {
            last.modes += fine[i].modes;
            last.s += fine[i].s;
        }
        /* a stretch ends when it has enough modes and an equal share of the range of k */
        if (now.modes < 2 * FEWEST ||
            (i + 1) * ENUF_STRUCTURE_FACTOR_STEPS < structure->n * FINE + FINE ||
            structure->n == ENUF_STRUCTURE_FACTOR_STEPS)
            continue;
        structure->k[structure->n] = now.k / now.modes;
        structure->s[structure->n++] = rounded(now.s / (now.modes * sum_q2));
        now = (stretch){0, 0, 0};
    }
    structure->beyond = last.modes > 0 ? rounded(last.s / (last.modes * sum_q2)) : 1;
}
