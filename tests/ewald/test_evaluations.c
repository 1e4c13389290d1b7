/*
 * test_evaluations.c - if few evaluations are expected (option `evaluations`), the choice of
 * parameters skips steps that cost more than they save. For one evaluation the measured error is
 * still at most A = 1e-4 or 1e-9 (against exact sums), and the evaluation takes at most 1.3 times
 * as long as with the full choice. The choice uses no clock, so these are times of the cost model.
 * 2 to 1000 random ions. SPDX-License-Identifier: BSD-3-Clause
 */
#include "systems.h"

#include <math.h>
#include <stdio.h>

typedef struct choice {
    enuf_ewald_report report;
    double seconds; /* of an evaluation, by the cost model */
    double measured;
} choice;

static choice choose(const charge_system *s, double accuracy, int64_t evaluations, int by_positions)
{
    enuf_ewald_options options = options_for(accuracy, ENUF_SPLIT_AUTO);
    options.evaluations = evaluations;
    enuf_ewald *ewald = make_ewald(&options, s, NULL);
    choice made = {.report = {.struct_size = sizeof made.report}};
    enuf_ewald_candidate chosen = {.struct_size = sizeof chosen};
    enuf_ewald_error error = {.struct_size = sizeof error};
    int64_t n;
    CHECK_STATUS(enuf_ewald_tune(ewald, by_positions ? s->x : NULL, 3), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_list_candidates(ewald, 1, 1, &chosen, &n), ENUF_SUCCESS);
    CHECK(n == 1 && chosen.chosen);
    made.seconds = chosen.seconds_real + chosen.seconds_reciprocal;
    CHECK_STATUS(enuf_ewald_get_report(ewald, &made.report), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_measure_error(ewald, s->x, 3, 0, 1, &error), ENUF_SUCCESS);
    made.measured = error.accuracy;
    enuf_ewald_destroy(&ewald);
    return made;
}

static int same(const choice *a, const choice *b)
{
    /* threads add in any order, so that an error measured differs by rounding */
    return a->report.cutoff == b->report.cutoff && a->report.width == b->report.width &&
           a->report.grid[0] == b->report.grid[0] &&
           fabs(a->report.kmax / b->report.kmax - 1) < 1e-12 &&
           fabs(a->report.predicted / b->report.predicted - 1) < 1e-6;
}

/* The choice for one evaluation examines fewer candidates, in coarser steps of the cutoff. */
static void one_evaluation_is_accurate(int64_t n, double accuracy)
{
    charge_system s = make_ions(7, n, CELL_TRICLINIC, 0);
    const choice many = choose(&s, accuracy, 0, 0), one = choose(&s, accuracy, 1, 0),
                 positions = choose(&s, accuracy, 1, 1);
    printf("%lld ions, A %.0e: %.2e s for many, %.2e s for one\n", (long long)n, accuracy,
           many.seconds, one.seconds);
    CHECK_BELOW(one.report.predicted, accuracy, "predicted error, choice for one evaluation, A");
    CHECK_BELOW(one.measured, accuracy, "measured error, choice for one evaluation, A");
    CHECK_BELOW(one.seconds / many.seconds, 1.3,
                "seconds of an evaluation: choice for one over choice for many");
    CHECK(same(&one, &positions)); /* one evaluation does not repay measuring the error */
    free_system(&s);
}

/* The error scale saves time in each evaluation and costs time once: 10 evaluations do not repay
 * it, 1e7 do. */
static void many_evaluations_are_calibrated(void)
{
    charge_system s = make_ions(8, 400, CELL_CUBIC, 0);
    const choice unlimited = choose(&s, 1e-5, 0, 1), plenty = choose(&s, 1e-5, 10000000, 1),
                 few = choose(&s, 1e-5, 10, 1), none = choose(&s, 1e-5, 10, 0);
    CHECK(same(&unlimited, &plenty));
    CHECK(same(&few, &none));
    CHECK(!same(&unlimited, &none));
    free_system(&s);
}

int main(void)
{
    const int64_t sizes[] = {2, 40, 300, 1000};
    for (int k = 0; k < 4; k++) {
        one_evaluation_is_accurate(sizes[k], 1e-4);
        one_evaluation_is_accurate(sizes[k], 1e-9);
    }
    many_evaluations_are_calibrated();
    enuf_ewald_options options = options_for(1e-4, ENUF_SPLIT_AUTO);
    enuf_ewald *ewald = NULL;
    options.evaluations = -1;
    CHECK_STATUS(enuf_ewald_create(&options, &ewald), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("evaluations is -1");
    return check_result();
}
