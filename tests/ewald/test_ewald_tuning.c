/*
 * test_ewald_tuning.c - the fastest parameters of Ewald sums, by tables of times in place of a
 * clock:
 *
 * - exhaustive takes the fastest candidate of each table. Measure takes one within 2 % of the
 *   fastest, where timings scatter upwards by 20 % and the model errs by 20 %, with less than two
 *   thirds of the timings; two slow moments do not send the model's choice away;
 * - a time limit ends the search, a memory limit leaves candidates out, options and kept fields
 *   stay, what needs too much or errs too much is refused with the need or the error;
 * - a failed tuning, by the timer or an allocation, leaves bits of results, and wisdom, as they
 *   were;
 * - after tuning by the library's clock the error against exact sums is below the accuracy.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "memory.h"
#include "sums_table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The least time in the table of the candidates that serve. */
static double least(const sums_table *t, const enuf_ewald_tuning *tuning)
{
    double best = HUGE_VAL;
    for (int i = 0; i < enuf_ewald_tuning_count(tuning); i++) {
        const enuf_ewald_timed c = candidate_at(tuning, i);
        if (c.state == ENUF_CANDIDATE_MISSES_TOLERANCE) continue;
        best = fmin(best, seconds_of(t, &c.parameters));
    }
    return best;
}

static void searches(void)
{
    charge_system s = make_ions(31, 500, CELL_CUBIC, 0);
    enuf_ewald_options options = options_of(1e-5);
    enuf_ewald *ewald = make_ewald(&options, &s, NULL);
    enuf_ewald_tuning *tuning = NULL;
    int wrong = 0, most = 0, fewest = 1 << 30, n = 0;
    double worst = 1;
    for (unsigned seed = 1; seed <= 8; seed++) {
        sums_table any = {.seed = seed}, near = {.seed = seed, .error = 0.2, .scatter = 0.2};
        enuf_ewald_tuning_request r = request_of(ENUF_TUNE_EXHAUSTIVE, &any);
        r.uncorrelated = 1; /* nothing is measured at the positions */
        CHECK_STATUS(enuf_ewald_tune_with(ewald, &r, s.x, 3, &tuning), ENUF_SUCCESS);
        enuf_ewald_timed c = chosen_of(tuning);
        enuf_ewald_report report = report_of(ewald);
        wrong += seconds_of(&any, &c.parameters) != least(&any, tuning);
        CHECK(has_parameters(&report, &c.parameters) && c.parameters.chosen);
        CHECK(c.measured_seconds == seconds_of(&any, &c.parameters));
        for (int i = 0; i < enuf_ewald_tuning_count(tuning); i++) {
            c = candidate_at(tuning, i);
            CHECK(c.state == ENUF_CANDIDATE_MISSES_TOLERANCE || c.parameters.predicted <= 1e-5);
            CHECK(c.predicted_seconds > 0 && c.bytes >= 0);
            CHECK(i == 0 || c.predicted_seconds >= candidate_at(tuning, i - 1).predicted_seconds);
            CHECK(c.timings == (c.state == ENUF_CANDIDATE_MISSES_TOLERANCE ? 0 : r.trials));
        }
        n = enuf_ewald_tuning_count(tuning);
        fewest = any.calls < fewest ? any.calls : fewest;
        enuf_ewald_tuning_destroy(&tuning);
        r = request_of(ENUF_TUNE_MEASURE, &near);
        r.uncorrelated = 1;
        CHECK_STATUS(enuf_ewald_tune_with(ewald, &r, s.x, 3, &tuning), ENUF_SUCCESS);
        c = chosen_of(tuning);
        worst = fmax(worst, seconds_of(&near, &c.parameters) / least(&near, tuning));
        most = near.calls > most ? near.calls : most;
        enuf_ewald_tuning_destroy(&tuning);
    }
    printf("%d candidates\n", n);
    CHECK(n >= 8);
    CHECK_BELOW(wrong, 0, "exhaustive: tables whose fastest candidate was not found");
    CHECK_BELOW(worst, 1.02, "measure: time over the least one");
    CHECK_BELOW((double)most / fewest, 2.0 / 3, "measure: timings over those of exhaustive");
    enuf_ewald_destroy(&ewald);
    free_system(&s);
}

/* The model's choice, which is the fastest, is timed first, in two slow moments. */
static void unlucky(void)
{
    charge_system s = make_ions(31, 500, CELL_CUBIC, 0);
    enuf_ewald_options options = options_of(1e-5);
    enuf_ewald *ewald = make_ewald(&options, &s, NULL);
    enuf_ewald_tuning *tuning = NULL;
    sums_table t = {.seed = 1, .error = 1e-9, .unlucky = 2};
    enuf_ewald_tuning_request r = request_of(ENUF_TUNE_MEASURE, &t);
    r.uncorrelated = 1;
    CHECK_STATUS(enuf_ewald_tune_with(ewald, &r, s.x, 3, &tuning), ENUF_SUCCESS);
    const enuf_ewald_timed c = chosen_of(tuning);
    CHECK(seconds_of(&t, &c.parameters) == t.first && t.first == least(&t, tuning));
    CHECK(t.unlucky < 0);
    enuf_ewald_tuning_destroy(&tuning);
    enuf_ewald_destroy(&ewald);
    free_system(&s);
}

static void limits(void)
{
    charge_system s = make_ions(32, 500, CELL_THIN, 0);
    enuf_ewald_options options = options_of(1e-5);
    enuf_ewald *ewald = make_ewald(&options, &s, NULL);
    enuf_ewald_tuning *tuning = NULL;
    sums_table t = {.seed = 5, .bytes = 100};
    enuf_ewald_tuning_request r = request_of(ENUF_TUNE_EXHAUSTIVE, &t);
    r.uncorrelated = 1;
    r.time_limit = 4.5; /* each timing takes 1 to 2 seconds of the table */
    CHECK_STATUS(enuf_ewald_tune_with(ewald, &r, s.x, 3, &tuning), ENUF_SUCCESS);
    CHECK(t.calls >= 3 && t.calls <= 5);
    int64_t cells[2] = {INT64_MAX, 0};
    int untimed = 0;
    for (int i = 0; i < enuf_ewald_tuning_count(tuning); i++) {
        const enuf_ewald_timed c = candidate_at(tuning, i);
        const int64_t n = c.parameters.grid[0] * c.parameters.grid[1] * c.parameters.grid[2];
        untimed += c.state == ENUF_CANDIDATE_NOT_TIMED;
        if (c.state == ENUF_CANDIDATE_MISSES_TOLERANCE) continue;
        cells[0] = n < cells[0] ? n : cells[0];
        cells[1] = n > cells[1] ? n : cells[1];
    }
    CHECK(untimed > 3 && cells[0] < cells[1]);
    enuf_ewald_tuning_destroy(&tuning);
    /* the table's bytes exceed the prediction, so that they decide */
    r.time_limit = 0;
    t = (sums_table){.seed = 5, .bytes = 10000};
    r.memory_limit = t.bytes * (cells[0] + cells[1]) / 2;
    CHECK_STATUS(enuf_ewald_tune_with(ewald, &r, s.x, 3, &tuning), ENUF_SUCCESS);
    const enuf_ewald_timed c = chosen_of(tuning);
    CHECK(c.bytes > 0 && c.bytes <= r.memory_limit);
    int too_large = 0;
    for (int i = 0; i < enuf_ewald_tuning_count(tuning); i++)
        too_large += candidate_at(tuning, i).state == ENUF_CANDIDATE_TOO_MUCH_MEMORY;
    CHECK(too_large > 0);
    enuf_ewald_tuning_destroy(&tuning);
    const enuf_ewald_report before = report_of(ewald);
    r.memory_limit = 1000;
    CHECK_STATUS(enuf_ewald_tune_with(ewald, &r, s.x, 3, &tuning), ENUF_OUT_OF_MEMORY);
    CHECK_TEXT("memory_limit 1000: the least need is about ");
    CHECK_TEXT(" bytes, of: ");
    CHECK(tuning == NULL);
    const enuf_ewald_report after = report_of(ewald);
    CHECK(before.cutoff == after.cutoff && before.width == after.width);
    enuf_ewald_destroy(&ewald);
    free_system(&s);
}

static void fields_stay(void)
{
    charge_system s = make_ions(33, 400, CELL_CUBIC, 0);
    enuf_ewald_options options = options_of(1e-5);
    sums_table t = {.seed = 2};
    enuf_ewald_tuning_request r = request_of(ENUF_TUNE_EXHAUSTIVE, &t);
    enuf_ewald_tuning *tuning = NULL;
    r.uncorrelated = 1;
    options.cutoff = 6;
    options.split = ENUF_SPLIT_GAUSSIAN;
    enuf_ewald *ewald = make_ewald(&options, &s, NULL);
    CHECK_STATUS(enuf_ewald_tune_with(ewald, &r, s.x, 3, &tuning), ENUF_SUCCESS);
    CHECK(enuf_ewald_tuning_count(tuning) >= 2);
    for (int i = 0; i < enuf_ewald_tuning_count(tuning); i++) {
        const enuf_ewald_timed c = candidate_at(tuning, i);
        CHECK(c.parameters.cutoff == 6 && c.parameters.split == ENUF_SPLIT_GAUSSIAN);
    }
    enuf_ewald_tuning_destroy(&tuning);
    enuf_ewald_destroy(&ewald);
    options = options_of(1e-5);
    for (int keep = 1; keep <= ENUF_KEEP_WIDTH; keep *= 2) {
        ewald = make_ewald(&options, &s, NULL);
        CHECK_STATUS(enuf_ewald_tune(ewald, NULL, 0), ENUF_SUCCESS);
        const enuf_ewald_report had = report_of(ewald);
        r.keep = keep;
        CHECK_STATUS(enuf_ewald_tune_with(ewald, &r, s.x, 3, &tuning), ENUF_SUCCESS);
        for (int i = 0; i < enuf_ewald_tuning_count(tuning); i++) {
            const enuf_ewald_candidate c = candidate_at(tuning, i).parameters;
            CHECK(keep != ENUF_KEEP_SPLIT || c.split == had.split);
            CHECK(keep != ENUF_KEEP_CUTOFF || c.cutoff == had.cutoff);
            CHECK(keep != ENUF_KEEP_GRID || memcmp(c.grid, had.grid, sizeof c.grid) == 0);
            CHECK(keep != ENUF_KEEP_WIDTH || c.width == had.width);
        }
        enuf_ewald_tuning_destroy(&tuning);
        enuf_ewald_destroy(&ewald);
    }
    /* fields that are kept are free again afterwards */
    ewald = make_ewald(&options, &s, NULL);
    r.keep = ENUF_KEEP_CUTOFF;
    CHECK_STATUS(enuf_ewald_tune_with(ewald, &r, s.x, 3, NULL), ENUF_SUCCESS);
    r.keep = 0;
    CHECK_STATUS(enuf_ewald_tune_with(ewald, &r, s.x, 3, &tuning), ENUF_SUCCESS);
    int others = 0;
    for (int i = 1; i < enuf_ewald_tuning_count(tuning); i++)
        others +=
            candidate_at(tuning, i).parameters.cutoff != candidate_at(tuning, 0).parameters.cutoff;
    CHECK(others > 0);
    enuf_ewald_tuning_destroy(&tuning);
    enuf_ewald_destroy(&ewald);
    options.grid[0] = options.grid[1] = options.grid[2] = 8;
    options.cutoff = 3;
    ewald = make_ewald(&options, &s, NULL);
    CHECK_STATUS(enuf_ewald_tune_with(ewald, &r, s.x, 3, NULL), ENUF_UNREACHABLE_ACCURACY);
    CHECK_TEXT("accuracy 1e-05: the least error is ");
    CHECK_TEXT("cutoff 3, grid 8x8x8");
    enuf_ewald_destroy(&ewald);
    free_system(&s);
}

static void failures(enuf_split split)
{
    charge_system s = make_ions(34, 30, CELL_TRICLINIC, 0);
    enuf_ewald_options options = options_of(1e-4);
    options.split = split;
    enuf_ewald *ewald = make_ewald(&options, &s, NULL);
    enuf_ewald_tuning *tuning = NULL;
    enuf_wisdom *wisdom = NULL;
    CHECK_STATUS(enuf_wisdom_create(&wisdom), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_tune(ewald, s.x, 3), ENUF_SUCCESS);
    enuf_ewald_result before = results_of(ewald, &s);
    sums_table t = {.seed = 9, .fail_at = 7, .failure = ENUF_INTERNAL};
    enuf_ewald_tuning_request r = request_of(ENUF_TUNE_EXHAUSTIVE, &t);
    r.keep = ENUF_KEEP_WIDTH;
    r.wisdom = wisdom;
    CHECK_STATUS(enuf_ewald_tune_with(ewald, &r, s.x, 3, &tuning), ENUF_INTERNAL);
    CHECK_TEXT("the request's timer failed (");
    CHECK(tuning == NULL && t.calls == 7 && enuf_wisdom_count(wisdom) == 0);
    enuf_ewald_result after = results_of(ewald, &s);
    CHECK(same_bits(&before, &after, s.n));
    free_result(&after);
    /* allocations of the tuning fail */
    int failed = 0, spoilt = 0;
    t.fail_at = 0;
    for (int nth = 1; nth < 3000; nth += 1 + nth / 8) {
        enuf_fail_allocation(nth);
        const enuf_status status = enuf_ewald_tune_with(ewald, &r, s.x, 3, &tuning);
        enuf_fail_allocation(0);
        if (status != ENUF_OUT_OF_MEMORY) {
            CHECK_STATUS(status, ENUF_SUCCESS);
            break;
        }
        CHECK(tuning == NULL && enuf_wisdom_count(wisdom) == 0);
        after = results_of(ewald, &s);
        spoilt += !same_bits(&before, &after, s.n);
        free_result(&after);
        failed++;
    }
    printf("%s: %d allocations failed\n", enuf_split_name(split), failed);
    CHECK(failed > 10 && tuning != NULL && enuf_wisdom_count(wisdom) == 1);
    CHECK_BELOW(spoilt, 0, "failed tunings that changed results");
    enuf_ewald_tuning_destroy(&tuning);
    /* a candidate without memory is left out */
    r.wisdom = NULL;
    r.keep = 0;
    t = (sums_table){.seed = 9, .fail_at = 1, .failure = ENUF_OUT_OF_MEMORY};
    CHECK_STATUS(enuf_ewald_tune_with(ewald, &r, s.x, 3, &tuning), ENUF_SUCCESS);
    int without = 0;
    for (int i = 0; i < enuf_ewald_tuning_count(tuning); i++)
        without += candidate_at(tuning, i).state == ENUF_CANDIDATE_TOO_MUCH_MEMORY;
    CHECK(without == 1);
    enuf_ewald_tuning_destroy(&tuning);
    enuf_wisdom_destroy(&wisdom);
    free_result(&before);
    enuf_ewald_destroy(&ewald);
    free_system(&s);
}

#define REFUSED(text)                                                                              \
    do {                                                                                           \
        CHECK_STATUS(enuf_ewald_tune_with(ewald, &r, s.x, 3, &tuning), ENUF_BAD_ARGUMENT);         \
        CHECK_TEXT("enuf_ewald_tune_with: " text);                                                 \
        r = good;                                                                                  \
    } while (0)

static void bad_input(void)
{
    charge_system s = make_ions(35, 30, CELL_CUBIC, 0);
    const enuf_ewald_options options = options_of(1e-4);
    const enuf_ewald_tuning_request good = request_of(ENUF_TUNE_ESTIMATE, NULL);
    enuf_ewald_tuning_request r = good;
    enuf_ewald *ewald = make_ewald(&options, &s, NULL), *empty = NULL;
    enuf_ewald_tuning *tuning = NULL;
    enuf_ewald_timed c = {.struct_size = sizeof c};
    r.struct_size = 8;
    REFUSED("request->struct_size is 8, this library's is");
    r.effort = (enuf_tune_effort)9;
    REFUSED("effort 9: use one of");
    r.keep = 16;
    REFUSED("keep 16: use a sum of ENUF_KEEP_..., 0 to 15");
    r.trials = 0;
    REFUSED("trials 0: use 1 to 1000");
    r.time_limit = NAN;
    REFUSED("time_limit nan: use 0 (none) or seconds");
    r.memory_limit = -1;
    REFUSED("memory_limit -1: use 0 (none) or bytes");
    r.dearest = 0.5;
    REFUSED("dearest 0.5: use 1 or more");
    r.effort = ENUF_TUNE_WISDOM_ONLY;
    REFUSED("effort wisdom_only without wisdom: give one");
    CHECK_STATUS(enuf_ewald_tune_with(NULL, &r, s.x, 3, NULL), ENUF_BAD_ARGUMENT);
    CHECK_STATUS(enuf_ewald_tune_with(ewald, &r, NULL, 3, NULL), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("positions is NULL");
    CHECK_STATUS(enuf_ewald_tune_with(ewald, &r, s.x, 2, NULL), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("stride is 2");
    const double kept = s.x[4];
    s.x[4] = NAN;
    CHECK_STATUS(enuf_ewald_tune_with(ewald, &r, s.x, 3, NULL), ENUF_NOT_FINITE);
    CHECK_TEXT("position of atom 1 is");
    s.x[4] = kept;
    CHECK_STATUS(enuf_ewald_create(&options, &empty), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_tune_with(empty, &r, s.x, 3, NULL), ENUF_NO_POINTS_SET);
    enuf_ewald_destroy(&empty);
    /* the defaults */
    CHECK_STATUS(enuf_ewald_tune_with(ewald, NULL, s.x, 3, &tuning), ENUF_SUCCESS);
    const enuf_ewald_timed chosen = chosen_of(tuning);
    CHECK(chosen.timings == 0 && chosen.measured_seconds == 0);
    CHECK(enuf_ewald_tuning_from_wisdom(tuning) == 0 && enuf_ewald_tuning_count(NULL) == 0);
    CHECK_STATUS(enuf_ewald_tuning_get(tuning, -1, &c), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("candidate -1 of");
    c.struct_size = 4;
    CHECK_STATUS(enuf_ewald_tuning_get(tuning, 0, &c), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("candidate->struct_size is 4");
    enuf_ewald_tuning_destroy(&tuning);
    /* an estimate is the choice of enuf_ewald_tune() */
    const enuf_ewald_report by_estimate = report_of(ewald);
    CHECK_STATUS(enuf_ewald_tune(ewald, s.x, 3), ENUF_SUCCESS);
    const enuf_ewald_report by_tune = report_of(ewald);
    CHECK(by_estimate.predicted == by_tune.predicted && by_estimate.cutoff == by_tune.cutoff &&
          by_estimate.energy_tail == by_tune.energy_tail);
    enuf_ewald_destroy(&ewald);
    /* nothing is chosen without charges */
    memset(s.q, 0, (size_t)s.n * sizeof *s.q);
    ewald = make_ewald(&options, &s, NULL);
    r = request_of(ENUF_TUNE_MEASURE, NULL);
    CHECK_STATUS(enuf_ewald_tune_with(ewald, &r, s.x, 3, &tuning), ENUF_SUCCESS);
    CHECK(tuning && enuf_ewald_tuning_count(tuning) == 0);
    enuf_ewald_tuning_destroy(&tuning);
    enuf_ewald_destroy(&ewald);
    free_system(&s);
}

static void count_lines(void *context, const char *text)
{
    int *lines = context;
    *lines += strstr(text, "timing ") == text && strstr(text, " ms") != NULL;
}

/* Times are not checked: the parameters serve, whichever they are. */
static void by_the_clock(double accuracy, enuf_split split, int uncorrelated)
{
    charge_system s = make_ions(39, 400, CELL_CUBIC, 0);
    enuf_ewald_options options = options_of(accuracy);
    enuf_ewald_tuning *tuning = NULL;
    enuf_ewald_error error = {.struct_size = sizeof error};
    int lines = 0;
    options.split = split;
    options.log = count_lines;
    options.log_context = &lines;
    enuf_ewald *ewald = make_ewald(&options, &s, NULL);
    enuf_ewald_tuning_request r = request_of(ENUF_TUNE_MEASURE, NULL);
    r.trials = 2;
    r.with_virial = uncorrelated;
    r.uncorrelated = uncorrelated;
    CHECK_STATUS(enuf_ewald_tune_with(ewald, &r, s.x, 3, &tuning), ENUF_SUCCESS);
    const enuf_ewald_timed c = chosen_of(tuning);
    CHECK(c.measured_seconds > 0 && c.bytes > 0 && c.timings == 2 && lines >= 1);
    for (int i = 0; i < enuf_ewald_tuning_count(tuning); i++) {
        const enuf_ewald_timed other = candidate_at(tuning, i);
        CHECK(other.state != ENUF_CANDIDATE_SLOWER || other.measured_seconds >= c.measured_seconds);
    }
    enuf_ewald_tuning_destroy(&tuning);
    CHECK_STATUS(enuf_ewald_measure_error(ewald, s.x, 3, 0, 1, &error), ENUF_SUCCESS);
    const enuf_ewald_report report = report_of(ewald);
    CHECK(has_parameters(&report, &c.parameters));
    CHECK_BELOW(error.accuracy, accuracy, "error after tuning, accuracy");
    enuf_ewald_destroy(&ewald);
    free_system(&s);
}

int main(void)
{
    searches();
    unlucky();
    limits();
    fields_stay();
    failures(ENUF_SPLIT_GAUSSIAN);
    failures(ENUF_SPLIT_PROLATE);
    bad_input();
    by_the_clock(1e-4, ENUF_SPLIT_AUTO, 0);
    by_the_clock(1e-6, ENUF_SPLIT_GAUSSIAN, 0);
    by_the_clock(1e-8, ENUF_SPLIT_AUTO, 0);
    by_the_clock(1e-5, ENUF_SPLIT_AUTO, 1);
    return check_result();
}
