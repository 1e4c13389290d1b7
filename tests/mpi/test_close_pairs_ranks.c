/*
 * test_close_pairs_ranks.c - pairs of charges at 1/100 and 1/1000 of the mean spacing, many of them
 * with one charge on each of two ranks. 300 ions in a triclinic cell, accuracy A = 1e-12.
 *
 * The RMS error of the forces against exact sums is at most the root sum of squares of A F_ref and
 * of 4 epsilon times the RMS force; deterministic sums add the rounding of fractions. The error is
 * at most 1.5 times the larger of prediction and A. The prediction is that of one process, to 1e-3.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "lattice/cell_geometry.h"
#include "shared_system.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

enum { IONS = 300, PAIRS = IONS / 2 };

static const double accuracy = 1e-12;

/* Relative rounding of a few additions and a product, in the tested and in the exact sums. As in
 * tests/ewald/test_close_pairs.c. */
static const double own_rounding = 4 * DBL_EPSILON;

/* Pairs on the faces of the cell, which are borders of domains in directions that are cut. Every
 * second pair has its second ion in another image of the cell. */
static charge_system make_pairs(double apart)
{
    charge_system s = make_ions(6, IONS, CELL_TRICLINIC, 0);
    long double h[9], inverse[9];
    for (int k = 0; k < 9; k++) h[k] = s.cell[k];
    enuf_invert_3x3(h, inverse);
    for (int64_t p = 0; p < PAIRS; p++) {
        double *first = s.x + 6 * p, *second = first + 3;
        const int face = (int)(p % 3);
        const double z = 0.9 * cos(2.3 * (double)p), angle = 1.7 * (double)p;
        const double d[3] = {sqrt(1 - z * z) * cos(angle), sqrt(1 - z * z) * sin(angle), z};
        double fraction = 0;
        for (int e = 0; e < 3; e++) fraction += first[e] * (double)inverse[3 * e + face];
        for (int e = 0; e < 3; e++) {
            const double image = p % 2 ? s.cell[3 * ((p + 1) % 3) + e] - 2 * s.cell[e] : 0;
            first[e] -= fraction * s.cell[3 * face + e] + 0.5 * apart * d[e];
            second[e] = first[e] + apart * d[e] + image;
        }
    }
    return s;
}

/* The prediction of one process. Every rank computes it. */
static double predicted_alone(const enuf_ewald_options *options, const charge_system *s)
{
    enuf_ewald *ewald = make_alone(options, s, NULL);
    enuf_ewald_report report = {.struct_size = sizeof report};
    enuf_ewald_result result = make_result(s->n);
    CHECK_STATUS(enuf_ewald_compute(ewald, s->x, 3, ENUF_WANT_FORCES, &result), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_get_report(ewald, &report), ENUF_SUCCESS);
    free_result(&result);
    enuf_ewald_destroy(&ewald);
    return report.predicted;
}

/* Exact sums on rank 0, sent to all ranks. */
static enuf_ewald_result exact_sums(const charge_system *s)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const enuf_ewald_options options = shared_options(accuracy, ENUF_SPLIT_AUTO);
    enuf_ewald_result exact = rank == 0 ? evaluate_exactly(&options, s, NULL) : make_result(s->n);
    broadcast_result(&exact, s->n);
    return exact;
}

static void check_forces(const charge_system *s, const enuf_ewald_result *exact, double apart,
                         int deterministic)
{
    enuf_ewald_options options = shared_options(accuracy, ENUF_SPLIT_AUTO);
    options.deterministic = deterministic;
    const double alone = predicted_alone(&options, s);
    enuf_ewald *ewald = make_shared(&options, s);
    dealt_system dealt = deal_out(s, DEAL_IN_BLOCKS, MPI_COMM_WORLD);
    enuf_ewald_result here = make_result(dealt.n);
    enuf_ewald_report report = {.struct_size = sizeof report};
    double sums[2] = {0, 0}, longest2 = 0;
    if (set_shared(ewald, &dealt, NULL) &&
        CHECK_STATUS(enuf_ewald_compute(ewald, dealt.x, 3, WANT_SUMS, &here), ENUF_SUCCESS))
        for (int64_t i = 0; i < dealt.n; i++)
            for (int e = 0; e < 3; e++) {
                const double f = exact->forces[3 * dealt.atom[i] + e];
                sums[0] += pow(here.forces[3 * i + e] - f, 2);
                sums[1] += f * f;
            }
    CHECK_STATUS(enuf_ewald_get_report(ewald, &report), ENUF_SUCCESS);
    MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    const double error = sqrt(sums[0] / IONS), force = sqrt(sums[1] / IONS);
    const double f_ref = reference_force(s);
    for (const double *row = s->cell; row < s->cell + 9; row += 3)
        longest2 = fmax(longest2, row[0] * row[0] + row[1] * row[1] + row[2] * row[2]);
    const double fractions = deterministic ? 0x1p-62 * sqrt(longest2) / apart : 0;
    char text[160];
    snprintf(text, sizeof text, "pairs %g apart%s: forces of F_ref %.0e, error", apart,
             deterministic ? ", deterministic" : "", force / f_ref);
    CHECK_BELOW(error, hypot(hypot(own_rounding, fractions) * force, accuracy * f_ref), text);
    CHECK_BELOW(error / f_ref / fmax(report.predicted, accuracy), 1.5,
                "  error over prediction or accuracy");
    /* ranks compute more pairs accurately, up to a larger distance; their forces then count too */
    CHECK_CLOSE(report.predicted, alone, 1e-3, "  predicted as by one process");
    free_result(&here);
    free_dealt(&dealt);
    enuf_ewald_destroy(&ewald);
}

int main(int argc, char **argv)
{
    if (begin_ranks(&argc, &argv)) {
        const double spacing = cbrt(10.0), fractions[] = {0.01, 0.001};
        for (int k = 0; k < 2; k++) {
            charge_system s = make_pairs(fractions[k] * spacing);
            enuf_ewald_result exact = exact_sums(&s);
            for (int deterministic = 0; deterministic < 2; deterministic++)
                check_forces(&s, &exact, fractions[k] * spacing, deterministic);
            free_result(&exact);
            free_system(&s);
        }
    }
    return finish_ranks();
}
