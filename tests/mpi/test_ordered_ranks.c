/*
 * test_ordered_ranks.c - ordered ions on many ranks, with parameters chosen without positions. At
 * the first evaluation all ranks verify the error, find what one process finds and choose the same
 * parameters (lengths to 1e-4; with a distributed grid, the same grid). The error of the forces
 * against exact sums is at most the accuracy.
 *
 * Walls of opposite charge and shaken caesium chloride, both splittings, both decompositions.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "ordered_systems.h"
#include "shared_system.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int rank;

/* At the accuracy 1e-9, rounding of some 1e-14 changes the error found and the lengths chosen by
 * it. */
static const double ROUNDING = 1e-4;

static double relative_difference(double a, double b)
{
    return fabs(a / b - 1);
}

static enuf_ewald_report report_of_one_process(const enuf_ewald_options *options,
                                               const charge_system *s)
{
    enuf_ewald_report one = {.struct_size = sizeof one};
    if (rank == 0) {
        enuf_ewald *alone = make_alone(options, s, NULL);
        enuf_ewald_result r = make_result(s->n);
        CHECK_STATUS(enuf_ewald_compute(alone, s->x, 3, ENUF_WANT_FORCES, &r), ENUF_SUCCESS);
        CHECK_STATUS(enuf_ewald_get_report(alone, &one), ENUF_SUCCESS);
        enuf_ewald_destroy(&alone);
        free_result(&r);
    }
    MPI_Bcast(&one, (int)sizeof one, MPI_BYTE, 0, MPI_COMM_WORLD);
    return one;
}

/* RMS error over the atoms of all ranks. */
static double error_of(const dealt_system *dealt, const double *forces, const double *exact)
{
    double sums[2] = {0, (double)dealt->n};
    for (int64_t i = 0; i < dealt->n; i++)
        for (int d = 0; d < 3; d++) {
            const double difference = forces[3 * i + d] - exact[3 * dealt->atom[i] + d];
            sums[0] += difference * difference;
        }
    MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return sqrt(sums[0] / sums[1]);
}

static void check_accuracy(ion_order order, double amount, int edge, enuf_split split,
                           double accuracy, deal how, enuf_decomposition decomposition)
{
    charge_system s = make_ordered_ions(order, 77, edge, CELL_TRICLINIC, amount);
    enuf_ewald_options options = shared_options(accuracy, split);
    options.decomposition = decomposition;
    options.threads = 1;
    const enuf_ewald_report one = report_of_one_process(&options, &s);
    enuf_ewald_result exact = evaluate_exactly(&options, &s, NULL), r = make_result(s.n);
    dealt_system dealt = deal_out(&s, how, MPI_COMM_WORLD);
    enuf_ewald *ewald = make_shared(&options, &s);
    enuf_ewald_report many = {.struct_size = sizeof many};
    if (ewald && set_shared(ewald, &dealt, NULL)) {
        CHECK_STATUS(enuf_ewald_compute(ewald, dealt.x, 3, ENUF_WANT_FORCES, &r), ENUF_SUCCESS);
        CHECK_STATUS(enuf_ewald_get_report(ewald, &many), ENUF_SUCCESS);
        const enuf_ewald_report *m = &many;
        const double error = error_of(&dealt, r.forces, exact.forces) / reference_force(&s);
        CHECK(error <= accuracy);
        /* walls lie on boundaries of cells, where a distributed grid may round to the other side */
        const int same = decomposition == ENUF_DECOMPOSITION_REPLICATED;
        CHECK(memcmp(m->grid, one.grid, sizeof one.grid) == 0 && m->width == one.width);
        CHECK(!same || (relative_difference(m->cutoff, one.cutoff) < ROUNDING &&
                        relative_difference(m->kmax, one.kmax) < ROUNDING));
        CHECK(!same || (m->calibrated == one.calibrated &&
                        relative_difference(m->verified, one.verified) < ROUNDING));
        if (rank == 0) {
            printf("%s, %g, %s, %s: ", ion_order_name(order), amount, enuf_split_name(split),
                   deal_name(how));
            CHECK_BELOW(error, accuracy, "error of the first evaluation, A");
            if (same)
                CHECK_BELOW(relative_difference(m->verified, one.verified), ROUNDING,
                            "  verified error, of that of one process");
        }
        /* later calls find nothing new and keep the parameters */
        const double kmax = m->kmax;
        CHECK_STATUS(enuf_ewald_compute(ewald, dealt.x, 3, ENUF_WANT_FORCES, &r), ENUF_SUCCESS);
        CHECK_STATUS(enuf_ewald_verify(ewald, dealt.x, 3), ENUF_SUCCESS);
        CHECK_STATUS(enuf_ewald_get_report(ewald, &many), ENUF_SUCCESS);
        CHECK(many.kmax == kmax && many.verified <= accuracy);
    }
    enuf_ewald_destroy(&ewald);
    free_dealt(&dealt);
    free_result(&exact);
    free_result(&r);
    free_system(&s);
}

/* measure_error() measures the method in use, as on one process. It chooses nothing. */
static void measure_does_not_choose(void)
{
    const double accuracy = 1e-6;
    charge_system s = make_ordered_ions(ORDER_WALLS, 77, 6, CELL_TRICLINIC, 0.5);
    enuf_ewald_options options = shared_options(accuracy, ENUF_SPLIT_PROLATE);
    enuf_ewald_error one = {.struct_size = sizeof one}, many = one;
    options.decomposition = ENUF_DECOMPOSITION_REPLICATED;
    options.threads = 1;
    if (rank == 0) {
        enuf_ewald *alone = make_alone(&options, &s, NULL);
        CHECK_STATUS(enuf_ewald_measure_error(alone, s.x, 3, 0, 1, &one), ENUF_SUCCESS);
        enuf_ewald_destroy(&alone);
    }
    MPI_Bcast(&one, (int)sizeof one, MPI_BYTE, 0, MPI_COMM_WORLD);
    dealt_system dealt = deal_out(&s, DEAL_IN_TURN, MPI_COMM_WORLD);
    enuf_ewald *ewald = make_shared(&options, &s);
    if (ewald && set_shared(ewald, &dealt, NULL)) {
        CHECK_STATUS(enuf_ewald_measure_error(ewald, dealt.x, 3, 0, 1, &many), ENUF_SUCCESS);
        CHECK(one.accuracy > accuracy); /* a verification would have corrected it */
        CHECK_CLOSE(many.accuracy, one.accuracy, 1e-6, "error measured on ranks, in one process");
    }
    enuf_ewald_destroy(&ewald);
    free_dealt(&dealt);
    free_system(&s);
}

int main(int argc, char **argv)
{
    if (!begin_ranks(&argc, &argv)) return finish_ranks();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    check_accuracy(ORDER_WALLS, 0.5, 6, ENUF_SPLIT_PROLATE, 1e-6, DEAL_IN_BLOCKS,
                   ENUF_DECOMPOSITION_REPLICATED); /* 200 ions: verified by exact sums */
    check_accuracy(ORDER_WALLS, 0.5, 6, ENUF_SPLIT_PROLATE, 1e-6, DEAL_IN_BLOCKS,
                   ENUF_DECOMPOSITION_AUTO);
    check_accuracy(ORDER_WALLS, 0.35, 8, ENUF_SPLIT_PROLATE, 1e-9, DEAL_IN_TURN,
                   ENUF_DECOMPOSITION_REPLICATED);
    check_accuracy(ORDER_WALLS, 0.5, 8, ENUF_SPLIT_GAUSSIAN, 1e-6, DEAL_ALL_ON_LAST,
                   ENUF_DECOMPOSITION_DISTRIBUTED);
    check_accuracy(ORDER_CAESIUM_CHLORIDE, 0.05, 6, ENUF_SPLIT_PROLATE, 1e-6, DEAL_IN_BLOCKS,
                   ENUF_DECOMPOSITION_REPLICATED);
    measure_does_not_choose();
    return finish_ranks();
}
