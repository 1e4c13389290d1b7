/*
 * test_close_pairs.c - the forces of pairs at 0.2 to 0.001 of the mean spacing have an error of at
 * most 4 DBL_EPSILON of their size plus, in quadrature, the requested accuracy A, also across faces
 * of the cell. All other forces have the accuracy A, from 1e-8 to 1e-13. The same holds for
 * deterministic sums and for half excluded pairs. Reference: exact sums. 300 random ions with 6 or
 * 150 pairs. Two charges at one place are refused. SPDX-License-Identifier: BSD-3-Clause
 */
#include "systems.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A force of size F is the result of few additions of doubles of its size and of one product. Each
 * has an error of at most half a rounding in each component. */
static const double pair_rounding = 4 * DBL_EPSILON;

/* The first 2 n_pairs ions become pairs in various directions. Their distances vary from `apart` to
 * 1.5 times that, because pairs at one distance would round alike. The second ion of every other
 * pair is given in another image of the cell. */
static charge_system make_pairs(cell_shape shape, int64_t n_pairs, double apart)
{
    charge_system s = make_ions(6, 300, shape, 0);
    for (int64_t p = 0; p < n_pairs; p++) {
        const double z = 0.9 * cos(2.3 * (double)p), angle = 1.7 * (double)p;
        const double distance = apart * (1 + 0.5 * fmod(0.618 * (double)p, 1));
        const double d[3] = {sqrt(1 - z * z) * cos(angle), sqrt(1 - z * z) * sin(angle), z};
        for (int e = 0; e < 3; e++) {
            const double image = p % 2 ? s.cell[3 * (p % 3) + e] - 2 * s.cell[e] : 0;
            s.x[6 * p + 3 + e] = s.x[6 * p + e] + distance * d[e] + image;
        }
    }
    return s;
}

/* Relative rounding of a pair's force. Deterministic sums on a GPU also round coordinates, to
 * integers of which a cell vector has at least 2^63. */
static double rounding(const charge_system *s, double apart, int in_fractions)
{
    double longest2 = 0;
    for (const double *row = s->cell; row < s->cell + 9; row += 3)
        longest2 = fmax(longest2, row[0] * row[0] + row[1] * row[1] + row[2] * row[2]);
    return hypot(pair_rounding, in_fractions ? 0x1p-62 * sqrt(longest2) / apart : 0);
}

static void check_accuracy(const charge_system *s, int64_t n_pairs, const enuf_ewald_result *exact,
                           double accuracy, double apart, int deterministic)
{
    enuf_ewald_options options = options_for(accuracy, ENUF_SPLIT_AUTO);
    options.deterministic = deterministic;
    /* on a GPU deterministic distances come from fractions of the cell */
    const int in_fractions = deterministic && options.backend == ENUF_BACKEND_CUDA;
    const int64_t in_pairs = 2 * n_pairs, others = s->n - in_pairs;
    const double f_ref = reference_force(s);
    char text[160];
    enuf_ewald *ewald = make_ewald(&options, s, NULL);
    enuf_ewald_report report = {.struct_size = sizeof report};
    enuf_ewald_result result = make_result(s->n);
    CHECK_STATUS(enuf_ewald_compute(ewald, s->x, 3, WANT_ALL, &result), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_get_report(ewald, &report), ENUF_SUCCESS);
    enuf_ewald_destroy(&ewald);
    enuf_ewald_result forces = evaluate(&options, s, NULL, ENUF_WANT_FORCES);
    const double force = rms_difference(in_pairs, exact->forces, NULL);
    const double allowed = hypot(rounding(s, apart, in_fractions) * force, accuracy * f_ref);

    snprintf(text, sizeof text, "%d pairs %g apart, A %.0e%s: forces / F_ref %.0e, error",
             (int)n_pairs, apart, accuracy, deterministic ? ", deterministic" : "", force / f_ref);
    CHECK_BELOW(rms_difference(in_pairs, result.forces, exact->forces), allowed, text);
    CHECK_BELOW(rms_difference(in_pairs, forces.forces, exact->forces), allowed,
                "  with only forces wanted");
    if (others > 0)
        CHECK_BELOW(
            rms_difference(others, result.forces + 3 * in_pairs, exact->forces + 3 * in_pairs) /
                f_ref / accuracy,
            1, "  other ions' forces, error over A");
    if (pair_rounding * force < 0.5 * accuracy * f_ref)
        CHECK_BELOW(rms_difference(s->n, result.forces, exact->forces) / f_ref / accuracy, 1,
                    "  all forces, error over A");

    const double measured = rms_difference(s->n, result.forces, exact->forces) / f_ref;
    /* 1.5: the roundings of a few pairs scatter */
    CHECK_BELOW(measured / fmax(report.predicted, accuracy), 1.5,
                "  all forces, error over prediction or A");
    /* on a GPU the rounding varies by six times with the degree of the polynomials */
    if (report.predicted > accuracy)
        CHECK_BELOW(fabs(log2(report.predicted / measured)),
                    options.backend == ENUF_BACKEND_CUDA ? 2 : 1, "  log2(predicted / measured)");

    /* a pair's potential and virial are of the size F r, and its error is that of F, times r */
    const double size = fmax(apart, 1);
    CHECK_BELOW(largest_difference(in_pairs, result.potential, exact->potential),
                pair_rounding * force * apart + 10 * accuracy * f_ref * size * cbrt(10.0),
                "  potentials at the pairs");
    double virial[6] = {0}, bound = 0;
    for (int c = 0; c < 6; c++)
        for (int64_t i = 0; i < s->n; i++) {
            virial[c] += result.atom_virial[6 * i + c];
            bound += pair_rounding * fabs(result.atom_virial[6 * i + c]);
        }
    /* the virial sums F_a r_b; r is rounded at the size of the cutoff, at most four spacings; 1.5
     * as above: without fused products the baseline of x86-64 needs 1.2 */
    bound += 1.5 * pair_rounding * sqrt((double)in_pairs) * force * 4 * cbrt(10.0);
    CHECK_BELOW(largest_difference(6, virial, result.virial), bound,
                "  virials of atoms add up to the virial");
    free_result(&result);
    free_result(&forces);
}

/* Half of each pair's interaction is excluded, at the image where the two ions are close. */
static void excluded(const charge_system *s, int64_t n_pairs, double apart)
{
    const double accuracy = 1e-12;
    const enuf_ewald_options options = options_for(accuracy, ENUF_SPLIT_AUTO);
    int64_t *pairs = malloc((size_t)n_pairs * 2 * sizeof *pairs);
    double *weights = malloc((size_t)n_pairs * sizeof *weights);
    for (int64_t p = 0; p < n_pairs; p++) {
        pairs[2 * p] = 2 * p;
        pairs[2 * p + 1] = 2 * p + 1;
        weights[p] = 0.5;
    }
    const enuf_exclusions exclusions = {.n = n_pairs, .pairs = pairs, .weights = weights};
    enuf_ewald_result exact = evaluate_exactly(&options, s, &exclusions);
    enuf_ewald_result result = evaluate(&options, s, &exclusions, WANT_ALL);
    const double force = 2 * rms_difference(2 * n_pairs, exact.forces, NULL);
    char text[160];
    snprintf(text, sizeof text, "%d pairs %g apart, half of each excluded: error", (int)n_pairs,
             apart);
    /* the pair and its excluded share round each */
    CHECK_BELOW(rms_difference(2 * n_pairs, result.forces, exact.forces),
                hypot(pair_rounding * force, accuracy * reference_force(s)), text);
    free_result(&exact);
    free_result(&result);
    free(pairs);
    free(weights);
}

static void close_pairs(cell_shape shape, int64_t n_pairs)
{
    const double spacing = cbrt(10.0), fractions[] = {0.2, 0.05, 0.01, 0.001};
    for (int k = 0; k < 4; k++) {
        const double apart = fractions[k] * spacing;
        charge_system s = make_pairs(shape, n_pairs, apart);
        const enuf_ewald_options options = options_for(1e-12, ENUF_SPLIT_AUTO);
        enuf_ewald_result exact = evaluate_exactly(&options, &s, NULL);
        for (double accuracy = 1e-8; accuracy > 5e-14; accuracy *= accuracy > 5e-12 ? 1e-2 : 1e-1)
            check_accuracy(&s, n_pairs, &exact, accuracy, apart, 0);
        check_accuracy(&s, n_pairs, &exact, 1e-12, apart, 1);
        excluded(&s, n_pairs, apart);
        free_result(&exact);
        free_system(&s);
    }
}

/* Two charges at one place, or at images of it, are refused for any wanted results. */
static void same_place_is_refused(void)
{
    static const int wanted[] = {ENUF_WANT_FORCES, ENUF_WANT_ENERGY, WANT_ALL};
    const enuf_ewald_options options = options_for(1e-12, ENUF_SPLIT_AUTO);
    charge_system s = make_pairs(CELL_TRICLINIC, 20, 0.01);
    for (int image = 0; image < 2; image++) {
        for (int d = 0; d < 3; d++) s.x[3 * 199 + d] = s.x[3 * 7 + d] + image * s.cell[6 + d];
        for (int k = 0; k < 3; k++) {
            enuf_ewald *ewald = make_ewald(&options, &s, NULL);
            enuf_ewald_result result = make_result(s.n);
            CHECK_STATUS(enuf_ewald_compute(ewald, s.x, 3, wanted[k], &result), ENUF_BAD_ARGUMENT);
            CHECK(strstr(enuf_last_error(), "atoms 7 and 199 are at the same place") != NULL);
            free_result(&result);
            enuf_ewald_destroy(&ewald);
        }
    }
    free_system(&s);
}

int main(void)
{
    same_place_is_refused();
    close_pairs(CELL_TRICLINIC, 6);
    close_pairs(CELL_THIN, 150);
    return check_result();
}
