/*
 * test_pending_sums.c - device charges (of a stand-in, stand_in_device.h) that are set again: their
 * sums come with the next result. It is that of an object with host charges and the same past, to
 * rounding (1e-12), also where the charges need other parameters and a second evaluation. What
 * needs the sums earlier waits for them. Errors of the charges are errors of the next result.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "charge_checks.h"
#include "stand_in_device.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void forget_calls(void)
{
    memset(&stand_in_calls, 0, sizeof stand_in_calls);
}

/* Sets charges of both objects, computes, and compares. Counts of calls are those of the device. */
static void check_step(enuf_ewald *device, enuf_ewald *host, const charge_system *s, int waits,
                       int starts)
{
    enuf_ewald_result got = make_result(s->n), expected = make_result(s->n);
    CHECK_STATUS(enuf_ewald_set_charges(host, s->n, s->q, NULL), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_compute(host, s->x, 3, WANT_ALL, &expected), ENUF_SUCCESS);
    forget_calls();
    CHECK_STATUS(stand_in_set(device, s->n, s->q), ENUF_SUCCESS);
    CHECK(stand_in_calls.waits == waits);
    CHECK_STATUS(enuf_ewald_compute(device, s->x, 3, WANT_ALL, &got), ENUF_SUCCESS);
    printf("%d waits, %d evaluations\n", stand_in_calls.waits, stand_in_calls.starts);
    CHECK(stand_in_calls.waits == 1);
    CHECK(starts == 1 ? stand_in_calls.starts == 1 : stand_in_calls.starts > 1);
    CHECK(stand_in_calls.fetches == (starts > 1));
    check_same_sums(&device->charges, &host->charges);
    CHECK(device->method.parameters.splitting.cutoff == host->method.parameters.splitting.cutoff);
    CHECK(device->method.parameters.k_c == host->method.parameters.k_c);
    CHECK_BELOW(fabs(got.energy - expected.energy), 1e-12 * fabs(expected.energy),
                "energy, rounding");
    CHECK_BELOW(largest_difference(3 * s->n, got.forces, expected.forces), 1e-12,
                "forces, rounding");
    free_result(&got);
    free_result(&expected);
}

/* Each step's parameters and results are those of an object with host charges and the same past. */
static void sums_come_with_the_result(void)
{
    charge_system s = make_ions(26, 300, CELL_CUBIC, 0);
    enuf_ewald_options options = options_for(0, ENUF_SPLIT_GAUSSIAN);
    options.force_error = 1e-5;
    enuf_ewald *host = make_ewald(&options, &s, NULL);
    enuf_ewald *device = stand_in_make(&options, &s);
    check_step(device, host, &s, 1, 2); /* the first: chosen, verified */
    reverse_atoms(&s);
    check_step(device, host, &s, 0, 1);
    for (int64_t i = 0; i < s.n; i++) s.q[i] = 1.001 * s.q[i] + 1e-3; /* a net charge */
    check_step(device, host, &s, 0, 1);
    for (int64_t i = 0; i < s.n; i++) s.q[i] *= 4; /* the error asked for is absolute */
    check_step(device, host, &s, 0, 2);
    for (int64_t i = 0; i < s.n / 2; i++) s.q[i] = 0;
    check_step(device, host, &s, 0, 2);
    for (int k = 0; k < 9; k++) s.cell[k] *= 1.0001;
    CHECK_STATUS(enuf_ewald_set_cell(host, s.cell), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_set_cell(device, s.cell), ENUF_SUCCESS);
    reverse_atoms(&s);
    check_step(device, host, &s, 0, 1);
    s.n -= 10; /* atoms without charge */
    check_step(device, host, &s, 1, 1);
    s.n += 10;
    stand_in_destroy(&device);
    enuf_ewald_destroy(&host);
    free_system(&s);
}

static void without_charges(void)
{
    charge_system s = make_ions(27, 100, CELL_CUBIC, 0), none = copy_system(&s);
    const enuf_ewald_options options = options_for(1e-4, ENUF_SPLIT_AUTO);
    enuf_ewald *ewald = stand_in_make(&options, &s);
    enuf_ewald_result result = make_result(s.n);
    memset(none.q, 0, (size_t)s.n * sizeof *none.q);
    CHECK_STATUS(stand_in_set(ewald, s.n, s.q), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_compute(ewald, s.x, 3, WANT_SUMS, &result), ENUF_SUCCESS);
    CHECK_STATUS(stand_in_set(ewald, s.n, none.q), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_compute(ewald, s.x, 3, WANT_SUMS, &result), ENUF_SUCCESS);
    CHECK(result.energy == 0 && rms_difference(s.n, result.forces, NULL) == 0);
    forget_calls();
    CHECK_STATUS(stand_in_set(ewald, s.n, s.q), ENUF_SUCCESS);
    CHECK(stand_in_calls.waits == 1);
    CHECK_STATUS(enuf_ewald_compute(ewald, s.x, 3, WANT_SUMS, &result), ENUF_SUCCESS);
    CHECK(result.energy != 0);
    stand_in_destroy(&ewald);
    free_result(&result);
    free_system(&none);
    free_system(&s);
}

/* Refused charges are an error of the next result. The object has no charges then. */
static void late_errors(void)
{
    charge_system s = make_ions(28, 60, CELL_CUBIC, 0), bad = copy_system(&s);
    enuf_ewald_options options = options_for(1e-4, ENUF_SPLIT_AUTO);
    options.surroundings = 1;
    enuf_ewald *ewald = stand_in_make(&options, &s);
    enuf_ewald_result result = make_result(s.n);
    bad.q[31] = NAN;
    for (int turn = 0; turn < 2; turn++) {
        CHECK_STATUS(stand_in_set(ewald, s.n, s.q), ENUF_SUCCESS);
        CHECK_STATUS(enuf_ewald_compute(ewald, s.x, 3, WANT_SUMS, &result), ENUF_SUCCESS);
        const double energy = result.energy;
        CHECK_STATUS(stand_in_set(ewald, s.n, bad.q), ENUF_SUCCESS);
        CHECK_STATUS(enuf_ewald_compute(ewald, s.x, 3, WANT_SUMS, &result),
                     turn ? ENUF_BAD_ARGUMENT : ENUF_NOT_FINITE);
        CHECK_TEXT(turn ? "net charge is 2" : "enuf_ewald_compute: charges[31] is nan");
        CHECK(result.energy == energy);
        CHECK_STATUS(enuf_ewald_compute(ewald, s.x, 3, WANT_SUMS, &result), ENUF_NO_POINTS_SET);
        CHECK_TEXT("no charges are set");
        bad.q[31] = s.q[31] + 2;
    }
    stand_in_destroy(&ewald);
    free_result(&result);
    free_system(&bad);
    free_system(&s);
}

/* What needs the sums waits for them: a report, results to be added in device memory, deterministic
 * results. Charges of the host, and newer ones, take the place of those whose sums are pending. */
static void calls_that_wait(void)
{
    charge_system s = make_ions(29, 100, CELL_CUBIC, 0);
    enuf_ewald_options options = options_for(1e-4, ENUF_SPLIT_AUTO);
    enuf_ewald_result result = make_result(s.n), sums = make_result(s.n);
    enuf_ewald_report report = {.struct_size = sizeof report};
    enuf_ewald *ewald = stand_in_make(&options, &s);
    CHECK_STATUS(stand_in_set(ewald, s.n, s.q), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_compute(ewald, s.x, 3, WANT_SUMS, &result), ENUF_SUCCESS);

    s.q[5] += 0.5;
    CHECK_STATUS(stand_in_set(ewald, s.n, s.q), ENUF_SUCCESS);
    forget_calls();
    CHECK_STATUS(enuf_ewald_get_report(ewald, &report), ENUF_SUCCESS);
    CHECK(stand_in_calls.waits == 1);
    CHECK_CLOSE(report.net_charge, 0.5, 1e-15, "net charge in the report");

    forget_calls();
    CHECK_STATUS(stand_in_set(ewald, s.n, s.q), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_begin(ewald, s.x, 3, WANT_SUMS, &result), ENUF_SUCCESS);
    CHECK(stand_in_calls.waits == 0);
    CHECK_STATUS(enuf_ewald_finish(ewald), ENUF_SUCCESS);
    CHECK(stand_in_calls.waits == 1);

    sums.add = 1;
    forget_calls();
    CHECK_STATUS(stand_in_set(ewald, s.n, s.q), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_begin(ewald, s.x, 3, WANT_SUMS, &sums), ENUF_SUCCESS);
    CHECK(stand_in_calls.waits == 1);
    CHECK_STATUS(enuf_ewald_finish(ewald), ENUF_SUCCESS);
    CHECK_CLOSE(sums.energy, result.energy, 1e-12, "energy added to 0, rounding");

    charge_system bad = copy_system(&s);
    bad.q[3] = NAN;
    CHECK_STATUS(stand_in_set(ewald, s.n, bad.q), ENUF_SUCCESS);
    CHECK_STATUS(stand_in_set(ewald, s.n, s.q), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_compute(ewald, s.x, 3, WANT_SUMS, &result), ENUF_SUCCESS);
    CHECK_STATUS(stand_in_set(ewald, s.n, bad.q), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_set_charges(ewald, s.n, s.q, NULL), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_compute(ewald, s.x, 3, WANT_SUMS, &result), ENUF_SUCCESS);
    CHECK_CLOSE(sums.energy, result.energy, 1e-12, "energy of the charges set last, rounding");
    stand_in_destroy(&ewald);

    options.deterministic = 1;
    ewald = stand_in_make(&options, &s);
    for (int k = 0; k < 2; k++) {
        forget_calls();
        CHECK_STATUS(stand_in_set(ewald, s.n, s.q), ENUF_SUCCESS);
        CHECK(stand_in_calls.waits == 1);
        CHECK_STATUS(enuf_ewald_compute(ewald, s.x, 3, WANT_SUMS, &result), ENUF_SUCCESS);
        CHECK(stand_in_calls.waits == 1);
    }
    stand_in_destroy(&ewald);
    free_result(&result);
    free_result(&sums);
    free_system(&bad);
    free_system(&s);
}

int main(void)
{
    sums_come_with_the_result();
    without_charges();
    late_errors();
    calls_that_wait();
    return check_result();
}
