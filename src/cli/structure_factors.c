/* structure_factors.c - vectors of a list and of the reciprocal lattice, see structure_factors.h.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "structure_factors.h"

#include "enuf/nufft.h"
#include "factor_sums.h"
#include "memory.h"
#include "reciprocal_lattice.h"

#include <math.h>
#include <string.h>

static const double two_pi = 6.28318530717958647692;

/* ---- One transform of the reciprocal lattice ---- */

/* Relative to the root of the mean of |S|^2: rounding for the sums of millions of ions. */
static const double TOLERANCE = 1e-11;

static const double MOST_MODES = 1e12;

/* Modes |m_d| <= largest[d], m_1 >= 0: S(-q) is the conjugate of S(q). */
typedef struct lattice_modes {
    int64_t largest[3];
    double *s; /* [2 largest[2] + 1][2 largest[1] + 1][largest[0] + 1] complex */
} lattice_modes;

static enuf_status transform(const cli_factor_request *request, const cli_reciprocal *lattice,
                             lattice_modes *modes)
{
    const enuf_structure *structure = request->structure;
    const double *x = structure->positions;
    enuf_nufft_options options;
    enuf_nufft *plan = NULL;
    enuf_nufft_options_init(&options);
    options.dim = 3;
    for (int d = 0; d < 3; ++d) options.modes[d] = 2 * modes->largest[d] + 1;
    options.strengths = ENUF_REAL_STRENGTHS;
    options.sign = 1;
    options.tolerance = TOLERANCE;
    options.threads = request->threads;
    options.backend = request->backend;
    enuf_status status = enuf_nufft_create(&options, &plan);
    if (status == ENUF_SUCCESS) status = enuf_nufft_set_frame(plan, lattice->star, NULL);
    if (status == ENUF_SUCCESS)
        status = enuf_nufft_set_points(plan, structure->n, x, x + 1, x + 2, 3);
    if (status == ENUF_SUCCESS) status = enuf_nufft_type1(plan, request->weights, modes->s);
    enuf_nufft_destroy(&plan);
    return status;
}

/* Computes all modes up to `largest`; release modes->s, after an error too. */
static enuf_status find_modes(const cli_factor_request *request, const cli_reciprocal *lattice,
                              const double largest[3], lattice_modes *modes)
{
    double count = 1;
    for (int d = 0; d < 3; ++d) count *= 2 * largest[d] + 1;
    if (count > MOST_MODES)
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "%.2g wave vectors of the reciprocal lattice: at most %g are possible",
                         count, MOST_MODES);
    for (int d = 0; d < 3; ++d) modes->largest[d] = (int64_t)largest[d];
    ENUF_TRY(enuf_allocate(&modes->s,
                           2 * (modes->largest[0] + 1) * (2 * modes->largest[1] + 1) *
                               (2 * modes->largest[2] + 1),
                           sizeof *modes->s, "structure factors"));
    return transform(request, lattice, modes);
}

static const double *mode_at(const lattice_modes *modes, int64_t m1, int64_t m2, int64_t m3)
{
    const int64_t *most = modes->largest;
    const int64_t row = (m3 + most[2]) * (2 * most[1] + 1) + m2 + most[1];
    return modes->s + 2 * (row * (most[0] + 1) + m1);
}

/* ---- A list ---- */

static void set_factor(const cli_factor_request *request, double re, double im,
                       cli_q_factor *factor)
{
    factor->re = re;
    factor->im = im;
    factor->s = (re * re + im * im) / request->squares;
}

static double length_of(const cli_factor_request *request, const cli_reciprocal *lattice,
                        const double *q)
{
    double vector[3];
    if (request->cartesian) return sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
    return cli_wave_vector(lattice, q, vector);
}

/* Largest |h|, |k|, |l|; 0 if one of the numbers is not whole. */
static int lies_on_lattice(const cli_factor_request *request, const cli_q_vectors *vectors,
                           double largest[3])
{
    memset(largest, 0, 3 * sizeof *largest);
    for (int64_t k = 0; k < 3 * vectors->n; ++k) {
        if (vectors->q[k] != rint(vectors->q[k])) return 0;
        largest[k % 3] = fmax(largest[k % 3], fabs(vectors->q[k]));
    }
    return !request->cartesian;
}

/* By the time of one term of a direct sum: what an ion and a mode take in a transform. */
static int transform_pays(const cli_factor_request *request, const cli_q_vectors *vectors,
                          const double largest[3])
{
    const double ION = 500, MODE = 300, n = (double)request->structure->n;
    double modes = 1;
    for (int d = 0; d < 3; ++d) modes *= 2 * largest[d] + 1;
    return n * (double)vectors->n > ION * n + MODE * modes;
}

static enuf_status take_from_transform(const cli_factor_request *request,
                                       const cli_reciprocal *lattice, const double largest[3],
                                       const cli_q_vectors *vectors, cli_q_factor *factors)
{
    lattice_modes modes = {.s = NULL};
    const enuf_status status = find_modes(request, lattice, largest, &modes);
    for (int64_t k = 0; k < vectors->n && status == ENUF_SUCCESS; ++k) {
        const double *q = vectors->q + 3 * k;
        const int sign = q[0] < 0 ? -1 : 1;
        const double *s =
            mode_at(&modes, (int64_t)fabs(q[0]), (int64_t)(sign * q[1]), (int64_t)(sign * q[2]));
        set_factor(request, s[0], sign * s[1], &factors[k]);
    }
    enuf_release(&modes.s);
    return status;
}

/* Ions and wave vectors whose products are turns, and the sums. */
typedef struct products {
    double *places, *targets, *values; /* [ions][3], [vectors][3], [vectors] complex */
    cli_factor_sums sums;
} products;

static void fill_products(const cli_factor_request *request, const cli_reciprocal *lattice,
                          const cli_q_vectors *vectors, products *p)
{
    for (int64_t i = 0; i < request->structure->n; ++i) {
        const double *x = request->structure->positions + 3 * i, *star = lattice->star;
        for (int d = 0; d < 3; ++d, star += 3)
            p->places[3 * i + d] =
                request->cartesian ? x[d] : x[0] * star[0] + x[1] * star[1] + x[2] * star[2];
    }
    for (int64_t k = 0; k < 3 * vectors->n; ++k)
        p->targets[k] = vectors->q[k] / (request->cartesian ? two_pi : 1);
}

static enuf_status sum_directly(const cli_factor_request *request, const cli_reciprocal *lattice,
                                const cli_q_vectors *vectors, products *p, cli_q_factor *factors)
{
    static const char what[] = "sums at wave vectors";
    ENUF_TRY(enuf_allocate(&p->places, 3 * request->structure->n, sizeof(double), what));
    ENUF_TRY(enuf_allocate(&p->targets, 3 * vectors->n, sizeof(double), what));
    ENUF_TRY(enuf_allocate(&p->values, 2 * vectors->n, sizeof(double), what));
    fill_products(request, lattice, vectors, p);
    ENUF_TRY(cli_factor_sums_make(request, p->places, &p->sums));
    ENUF_TRY(cli_factor_sums_at(&p->sums, vectors->n, p->targets, p->values));
    for (int64_t k = 0; k < vectors->n; ++k)
        set_factor(request, p->values[2 * k], p->values[2 * k + 1], &factors[k]);
    return ENUF_SUCCESS;
}

/* Beyond 1e15 a phase has no digits left. */
static enuf_status check_size(const cli_q_vectors *vectors)
{
    for (int64_t k = 0; k < vectors->n; ++k) {
        const double *q = vectors->q + 3 * k;
        for (int d = 0; d < 3; ++d)
            if (fabs(q[d]) > 1e15)
                return enuf_fail(ENUF_BAD_ARGUMENT,
                                 "wave vector %lld is %g, %g, %g: numbers up to 1e15 are possible",
                                 (long long)k + 1, q[0], q[1], q[2]);
    }
    return ENUF_SUCCESS;
}

enuf_status cli_factors_at(const cli_factor_request *request, const cli_q_vectors *vectors,
                           cli_q_factor *factors)
{
    cli_reciprocal lattice = {0};
    products p = {0};
    double largest[3];
    ENUF_TRY(check_size(vectors));
    if (!request->cartesian) lattice = cli_reciprocal_of(request->structure->cell);
    for (int64_t k = 0; k < vectors->n; ++k)
        factors[k].q = length_of(request, &lattice, vectors->q + 3 * k);
    if (lies_on_lattice(request, vectors, largest) && transform_pays(request, vectors, largest))
        return take_from_transform(request, &lattice, largest, vectors, factors);
    const enuf_status status = sum_directly(request, &lattice, vectors, &p, factors);
    cli_factor_sums_free(&p.sums);
    enuf_release(&p.places);
    enuf_release(&p.targets);
    enuf_release(&p.values);
    return status;
}

/* ---- Shells of the reciprocal lattice ---- */

/* Shell i ends at (i + 1)/shells of the largest |q|; rounding does not move a vector on an end. */
static int64_t shell_of(const cli_sphere *sphere, double q)
{
    const double ends = q / sphere->largest * (double)sphere->shells;
    const int64_t shell = (int64_t)ceil(ends * (1 - 1e-12)) - 1;
    return shell < 0 ? 0 : shell < sphere->shells ? shell : sphere->shells - 1;
}

static void add_modes(const cli_factor_request *request, const cli_reciprocal *lattice,
                      const lattice_modes *modes, const cli_sphere *sphere, cli_q_shell *shells)
{
    const int64_t *most = modes->largest;
    for (int64_t m3 = -most[2]; m3 <= most[2]; ++m3)
        for (int64_t m2 = -most[1]; m2 <= most[1]; ++m2)
            for (int64_t m1 = 0; m1 <= most[0]; ++m1) {
                const double hkl[3] = {(double)m1, (double)m2, (double)m3};
                double vector[3];
                const double q = cli_wave_vector(lattice, hkl, vector);
                if (q == 0 || q > sphere->largest * (1 + 1e-12)) continue;
                const double *s = mode_at(modes, m1, m2, m3);
                cli_q_shell *shell = &shells[shell_of(sphere, q)];
                const int both = m1 > 0 ? 2 : 1; /* the plane m1 = 0 has q and -q */
                shell->count += both;
                shell->q += both * q;
                shell->s += both * (s[0] * s[0] + s[1] * s[1]) / request->squares;
            }
}

enuf_status cli_factors_of_lattice(const cli_factor_request *request, const cli_sphere *sphere,
                                   cli_q_shell *shells)
{
    const cli_reciprocal lattice = cli_reciprocal_of(request->structure->cell);
    lattice_modes modes = {.s = NULL};
    double largest[3];
    memset(shells, 0, (size_t)sphere->shells * sizeof *shells);
    cli_largest_indices(&lattice, sphere->largest, largest);
    const enuf_status status = find_modes(request, &lattice, largest, &modes);
    if (status == ENUF_SUCCESS) add_modes(request, &lattice, &modes, sphere, shells);
    enuf_release(&modes.s);
    for (int64_t i = 0; i < sphere->shells; ++i) {
        if (shells[i].count == 0) continue;
        shells[i].q /= (double)shells[i].count;
        shells[i].s /= (double)shells[i].count;
    }
    return status;
}
