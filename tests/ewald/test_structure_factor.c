/*
 * test_structure_factor.c - the charge structure factor s(k), and the errors predicted with it.
 * Random dipoles of length d have s(k) = 1 - sin(kd)/(kd), random charges 1: s(k) computed from
 * positions agrees on average to 3 %, in cells of every shape. With parameters for which the pairs,
 * the truncation or the mesh dominate the error, the prediction with s(k) of the positions agrees
 * with the error measured against exact sums, within a factor of 1.2 to 2, for 3000 charges.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "object/ewald_object.h"
#include "random_system.h"
#include "systems.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double length = 1.0, density = 0.1; /* of a dipole, of charges */

static charge_system make_dipoles(uint64_t seed, int64_t n_dipoles, cell_shape shape)
{
    const int64_t n = 2 * n_dipoles;
    charge_system s = {.n = n,
                       .x = malloc((size_t)(3 * n) * sizeof(double)),
                       .q = malloc((size_t)n * sizeof(double))};
    double *u = malloc((size_t)(5 * n_dipoles) * sizeof *u);
    make_cell(shape, (double)n / density, s.cell);
    random_numbers(seed, 5 * n_dipoles, 0, 1, u);
    for (int64_t i = 0; i < n_dipoles; i++) {
        const double z = 2 * u[5 * i + 3] - 1, turn = 2 * acos(-1.0) * u[5 * i + 4];
        const double along[3] = {sqrt(1 - z * z) * cos(turn), sqrt(1 - z * z) * sin(turn), z};
        for (int end = 0; end < 2; end++) {
            s.q[2 * i + end] = end ? 1.5 : -1.5;
            for (int d = 0; d < 3; d++) {
                double *x = &s.x[3 * (2 * i + end) + d];
                *x = (end - 0.5) * length * along[d];
                for (int e = 0; e < 3; e++) *x += u[5 * i + e] * s.cell[3 * e + d];
            }
        }
    }
    free(u);
    return s;
}

static enuf_structure_factor structure_factor_of(const charge_system *s, double k)
{
    enuf_structure_factor structure = {0};
    enuf_cell_geometry cell;
    enuf_ewald_options options;
    int64_t modes[3];
    enuf_ewald_options_init(&options);
    CHECK_STATUS(enuf_cell_geometry_make(s->cell, &cell), ENUF_SUCCESS);
    enuf_structure_factor_modes(&cell, k, 0, modes);
    double *factors = malloc((size_t)((modes[0] + 1) * modes[1] * modes[2]) * sizeof *factors);
    double sum_q2 = 0;
    for (int64_t i = 0; i < s->n; i++) sum_q2 += s->q[i] * s->q[i];
    CHECK_STATUS(enuf_charge_density_modes(&cell, modes, &options, s->n, s->x, 3, s->q, factors),
                 ENUF_SUCCESS);
    enuf_structure_factor_of(&cell, modes, sum_q2, factors, &structure);
    free(factors);
    return structure;
}

/* ---- The charge structure factor ---- */

static double of_dipoles(double k)
{
    return 1 - sin(k * length) / (k * length);
}

static double of_random(double k)
{
    (void)k;
    return 1;
}

/* The modes of one stretch of k scatter; the mean over all stretches is close to the formula. */
static void check_structure_factor(const charge_system *s, double (*formula)(double k),
                                   const char *what)
{
    const double k = 6;
    const enuf_structure_factor found = structure_factor_of(s, k);
    double mean = 0, worst = 0;
    for (int i = 0; i < found.n; i++) {
        const double ratio = found.s[i] / formula(found.k[i]);
        mean += ratio / found.n;
        worst = fmax(worst, fabs(ratio - 1));
        CHECK(i == 0 || found.k[i] > found.k[i - 1]);
    }
    printf("%s: %d stretches up to k = %.3f\n", what, found.n, found.k[found.n - 1]);
    CHECK(found.n > 20 && found.n <= ENUF_STRUCTURE_FACTOR_STEPS);
    CHECK_CLOSE(mean, 1, 0.03, "  structure factor over formula, mean");
    CHECK_BELOW(worst, 0.8, "  largest relative error of a stretch");
    CHECK_CLOSE(found.beyond, formula(0.95 * k), 0.1, "  beyond");
    CHECK(enuf_structure_factor_at(&found, 100) == found.beyond);
    CHECK_CLOSE(enuf_structure_factor_at(&found, 3), formula(3), 0.3, "  at k = 3");
}

static void structure_factors(void)
{
    for (int shape = 0; shape < CELL_SHAPE_COUNT; shape++) {
        printf("%s\n", cell_shape_name((cell_shape)shape));
        charge_system dipoles = make_dipoles(1, 4000, (cell_shape)shape);
        check_structure_factor(&dipoles, of_dipoles, "dipoles");
        /* the same number of charges at random places */
        random_numbers(2, 3 * dipoles.n, 0, 100, dipoles.x);
        check_structure_factor(&dipoles, of_random, "random charges");
        free_system(&dipoles);
    }
    /* an unknown structure factor is 1, and one of 0 counts as 0.01 */
    enuf_structure_factor unknown = {.n = 0}, zero = {.n = 1, .k = {1}, .s = {0}, .beyond = 1};
    CHECK(enuf_structure_factor_at(&unknown, 0.1) == 1);
    CHECK_CLOSE(enuf_structure_factor_at(&zero, 0.1), 0.01, 1e-12, "smallest structure factor");
}

/* The number of modes is limited, by a constant or by memory_limit, to those of smaller k. */
static void many_modes(void)
{
    enuf_cell_geometry cell;
    double rows[9];
    int64_t modes[3];
    make_cell(CELL_THIN, 1e6, rows);
    CHECK_STATUS(enuf_cell_geometry_make(rows, &cell), ENUF_SUCCESS);
    for (int limited = 0; limited < 2; limited++) {
        const double most = limited ? 2e4 : 1 << 21; /* of 200 bytes each */
        enuf_structure_factor_modes(&cell, 50, limited ? 4000000 : 0, modes);
        const double count = (double)modes[0] * (double)modes[1] * (double)modes[2];
        printf("%.0f modes, limit about %.0f\n", count, most);
        CHECK(count > 0.5 * most && count < 1.2 * most);
    }
}

/* ---- The errors ---- */

typedef struct error_case {
    const char *what;
    enuf_split split;
    double cutoff, a, kmax; /* a: alpha r_c, or c */
    int width;
    double factor;      /* fine grid over modes */
    double under, over; /* bounds of measured/predicted and predicted/measured error */
    double least;       /* the error is smaller than for uncorrelated charges by at least this */
} error_case;

static void check_errors(const charge_system *s, const enuf_ewald_result *exact,
                         const error_case *c)
{
    enuf_ewald_options options = options_for(1e-3, c->split);
    options.backend = ENUF_BACKEND_CPU;
    options.cutoff = c->cutoff;
    *(c->split == ENUF_SPLIT_GAUSSIAN ? &options.alpha : &options.c) =
        c->split == ENUF_SPLIT_GAUSSIAN ? c->a / c->cutoff : c->a;
    options.kmax = c->kmax;
    options.width = c->width;
    for (int d = 0; d < 3; d++)
        options.grid[d] = 4 * (int64_t)ceil(c->factor * (2 * c->kmax + 1) / 4);
    enuf_ewald *ewald = make_ewald(&options, s, NULL);
    enuf_ewald_result r = make_result(s->n);
    enuf_choice_request request = {0};
    CHECK_STATUS(enuf_ewald_compute(ewald, s->x, 3, ENUF_WANT_FORCES, &r), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_request(ewald, &request), ENUF_SUCCESS);
    const double measured = rms_difference(s->n, r.forces, exact->forces) / reference_force(s);
    enuf_parameters p = ewald->method.parameters;
    const double uncorrelated = p.predicted;
    const enuf_structure_factor structure = structure_factor_of(s, 2 * p.k_c);
    request.structure_factor = &structure;
    CHECK_STATUS(enuf_predict_error(&request, &p), ENUF_SUCCESS);
    printf("%s: uncorrelated %.2e, predicted %.2e (pairs %.1e, truncation %.1e, mesh %.1e, "
           "self-force %.1e), measured %.2e\n",
           c->what, uncorrelated, p.predicted, p.real, p.truncation, p.mesh, p.own, measured);
    CHECK_BELOW(measured / p.predicted, c->under, "  measured over predicted");
    CHECK_BELOW(p.predicted / measured, c->over, "  predicted over measured");
    CHECK_BELOW(c->least, uncorrelated / measured, "  least ratio, uncorrelated over measured");
    enuf_ewald_destroy(&ewald);
    free_result(&r);
}

static void errors(void)
{
    /* The fields of a charge's partner in its dipole add up over the modes, which the structure
     * factor does not contain. So the prolate splitting has a larger truncation error than
     * predicted, and the self-force is smaller. */
    static const error_case cases[] = {
        {"pairs", ENUF_SPLIT_GAUSSIAN, 8, 2.2, 10, 10, 1.5, 1.2, 1.2, 1.3},
        {"truncation, Gaussian", ENUF_SPLIT_GAUSSIAN, 9, 3.2, 6, 12, 2, 1.2, 1.2, 1.5},
        {"truncation, prolate", ENUF_SPLIT_PROLATE, 9, 10, 7, 12, 2, 1.4, 1.2, 1.2},
        {"mesh, Gaussian", ENUF_SPLIT_GAUSSIAN, 12, 3.6, 12, 4, 1.2, 1.2, 2, 5},
        {"mesh, prolate", ENUF_SPLIT_PROLATE, 12, 12, 12, 4, 1.2, 1.2, 2, 5},
    };
    enuf_ewald_options options = options_for(1e-6, ENUF_SPLIT_AUTO);
    charge_system s = make_dipoles(5, 1500, CELL_CUBIC);
    enuf_ewald_result exact = evaluate_exactly(&options, &s, NULL);
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) check_errors(&s, &exact, &cases[k]);
    free_result(&exact);
    free_system(&s);
}

int main(void)
{
    structure_factors();
    many_modes();
    errors();
    return check_result();
}
