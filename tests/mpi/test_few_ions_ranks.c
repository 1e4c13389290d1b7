/*
 * test_few_ions_ranks.c - two and six ions in a thin cell on many ranks, tuned with their
 * positions. A rank has one ion or none. Both splittings, accuracies A of 1e-6 and 1e-9, an
 * exclusion, vacuum, a net charge, an atom without charge.
 *
 * Parameters, predictions and the measured error of the virial are those of one process. Virial and
 * energy err by at most 20 A of the energy's scale, against exact sums.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "shared_system.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Sums over ranks round differently. Cutoff and kmax follow from the logarithm of measured errors:
 * at 1e-9 they differ by a millionth, and the virial by some 1e-13 of its scale. */
static const double LENGTHS = 1e-6, VIRIAL = 3e-13;

static int rank;

typedef struct outcome {
    enuf_ewald_report report;
    enuf_ewald_error error;
    double virial[6], exact[6]; /* computed, exact */
    double scale;
} outcome;

static outcome run_alone(const enuf_ewald_options *options, const charge_system *s,
                         const enuf_exclusions *exclusions)
{
    outcome one = {.report = {.struct_size = sizeof one.report},
                   .error = {.struct_size = sizeof one.error}};
    if (rank == 0) {
        enuf_ewald *ewald = make_alone(options, s, exclusions);
        enuf_ewald_result exact = evaluate_exactly(options, s, exclusions);
        CHECK_STATUS(enuf_ewald_tune(ewald, s->x, 3), ENUF_SUCCESS);
        CHECK_STATUS(enuf_ewald_get_report(ewald, &one.report), ENUF_SUCCESS);
        CHECK_STATUS(enuf_ewald_measure_error(ewald, s->x, 3, 0, 1, &one.error), ENUF_SUCCESS);
        memcpy(one.exact, exact.virial, sizeof one.exact);
        for (int64_t i = 0; i < s->n; i++) one.scale += 0.5 * fabs(s->q[i] * exact.potential[i]);
        free_result(&exact);
        enuf_ewald_destroy(&ewald);
    }
    MPI_Bcast(&one, (int)sizeof one, MPI_BYTE, 0, MPI_COMM_WORLD);
    return one;
}

static void check(const outcome *one, const outcome *many, double accuracy, int64_t n)
{
    double delivered = 0;
    for (int c = 0; c < 6; c++)
        delivered = fmax(delivered, fabs(many->virial[c] - one->exact[c]) / one->scale);
    const double room = LENGTHS + VIRIAL * one->scale / one->error.virial;
    CHECK(!isnan(many->error.virial));
    if (rank != 0) return;
    const enuf_ewald_report *a = &one->report, *b = &many->report;
    printf("%lld atoms, %s, A %.0e, cutoff %g\n", (long long)n, enuf_split_name(b->split), accuracy,
           b->cutoff);
    CHECK(memcmp(a->grid, b->grid, sizeof a->grid) == 0 && a->width == b->width);
    CHECK_CLOSE(b->cutoff, a->cutoff, LENGTHS, "  cutoff, of one process");
    CHECK_CLOSE(b->kmax, a->kmax, LENGTHS, "  kmax, of one process");
    CHECK_CLOSE(b->predicted, a->predicted, room, "  predicted, of one process");
    CHECK_CLOSE(many->error.virial, one->error.virial, room, "  virial's error measured");
    CHECK_CLOSE(many->error.virial / one->scale, delivered, room, "  virial's error delivered");
    CHECK_BELOW(delivered, 20 * accuracy, "  virial, 20 A");
    CHECK_BELOW(many->error.energy / one->scale, 20 * accuracy, "  energy, 20 A");
}

static void check_system(const enuf_ewald_options *options, const charge_system *s,
                         const enuf_exclusions *exclusions)
{
    const outcome one = run_alone(options, s, exclusions);
    dealt_system dealt = deal_out(s, DEAL_IN_BLOCKS, MPI_COMM_WORLD);
    enuf_ewald *ewald = make_shared(options, s);
    enuf_ewald_report report = {.struct_size = sizeof report};
    enuf_ewald_result result = {.struct_size = sizeof result};
    outcome many = {.error = {.struct_size = sizeof many.error}};
    if (ewald && set_shared(ewald, &dealt, exclusions)) {
        CHECK_STATUS(enuf_ewald_tune(ewald, dealt.x, 3), ENUF_SUCCESS);
        CHECK_STATUS(enuf_ewald_get_report(ewald, &report), ENUF_SUCCESS);
        CHECK_STATUS(enuf_ewald_compute(ewald, dealt.x, 3, ENUF_WANT_VIRIAL, &result),
                     ENUF_SUCCESS);
        CHECK_STATUS(enuf_ewald_measure_error(ewald, dealt.x, 3, 0, 1, &many.error), ENUF_SUCCESS);
        many.report = report;
        memcpy(many.virial, result.virial, sizeof many.virial);
        check(&one, &many, options->accuracy, s->n);
    }
    enuf_ewald_destroy(&ewald);
    free_dealt(&dealt);
}

int main(int argc, char **argv)
{
    begin_mpi(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int64_t sizes[] = {2, 6};
    for (int k = 0; k < 2; k++) {
        charge_system s = make_ions(502, sizes[k], CELL_THIN, (double)(sizes[k] % 2));
        const int64_t pair[2] = {0, sizes[k] - 1};
        const enuf_exclusions exclusions = {1, pair, NULL};
        for (int split = ENUF_SPLIT_GAUSSIAN; split <= ENUF_SPLIT_PROLATE; split++)
            for (double accuracy = 1e-6; accuracy > 5e-10; accuracy *= 1e-3) {
                enuf_ewald_options options = shared_options(accuracy, (enuf_split)split);
                options.threads = 1;
                check_system(&options, &s, NULL);
            }
        enuf_ewald_options options = shared_options(1e-6, ENUF_SPLIT_GAUSSIAN);
        options.threads = 1;
        options.coulomb = 332.06371;
        if (sizes[k] == 6) {
            check_system(&options, &s, &exclusions);
            options.surroundings = 1;
            check_system(&options, &s, &exclusions);
            options.surroundings = 0;
            s.q[3] = 0; /* gives a net charge, and an atom without charge */
            check_system(&options, &s, NULL);
        }
        free_system(&s);
    }
    return finish_ranks();
}
