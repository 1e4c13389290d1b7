/*
 * test_enqueued.c - evaluations whose sums go to device memory (of a stand-in, stand_in_device.h):
 * they wait for nothing. enuf_ewald_check() reports charges that are refused, charges that the
 * parameters did not serve, and bad positions, once; then the object goes on. Energies are those of
 * a new object, to its accuracy. SPDX-License-Identifier: BSD-3-Clause
 */
#include "stand_in_device.h"

#include <math.h>
#include <string.h>

static void forget_calls(void)
{
    memset(&stand_in_calls, 0, sizeof stand_in_calls);
}

static enuf_status enqueue(enuf_ewald *ewald, const charge_system *s, enuf_ewald_totals *totals)
{
    enuf_ewald_result result = make_result(s->n);
    result.totals = totals;
    const enuf_status status = enuf_ewald_compute(ewald, s->x, 3, WANT_SUMS, &result);
    CHECK(result.energy == 0);
    free_result(&result);
    return status;
}

static void check_energy(const enuf_ewald_totals *totals, const enuf_ewald_options *options,
                         const charge_system *s)
{
    enuf_ewald_result expected = evaluate(options, s, NULL, WANT_SUMS);
    CHECK_CLOSE(totals->energy, expected.energy, 1e-4, "energy of a new object, accuracy");
    free_result(&expected);
}

/* Evaluations whose sums go to device memory wait for nothing; the check reports what is wrong. */
static void enqueued_evaluations(void)
{
    charge_system s = make_ions(30, 200, CELL_CUBIC, 0), other = copy_system(&s);
    enuf_ewald_options options = options_for(0, ENUF_SPLIT_GAUSSIAN);
    options.force_error = 1e-5;
    enuf_ewald_totals totals = {0};
    enuf_ewald *ewald = stand_in_make(&options, &s);
    CHECK_STATUS(enuf_ewald_check(ewald), ENUF_SUCCESS);
    CHECK_STATUS(stand_in_set(ewald, s.n, s.q), ENUF_SUCCESS);
    CHECK_STATUS(enqueue(ewald, &s, &totals), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_check(ewald), ENUF_SUCCESS);
    check_energy(&totals, &options, &s);
    forget_calls();
    CHECK_STATUS(stand_in_set(ewald, s.n, s.q), ENUF_SUCCESS);
    for (int k = 0; k < 3; k++) CHECK_STATUS(enqueue(ewald, &s, &totals), ENUF_SUCCESS);
    CHECK(stand_in_calls.waits == 0);
    CHECK_STATUS(enuf_ewald_check(ewald), ENUF_SUCCESS);
    CHECK(stand_in_calls.waits == 1 && stand_in_calls.starts == 3);
    CHECK_STATUS(enuf_ewald_check(ewald), ENUF_SUCCESS);
    CHECK(stand_in_calls.waits == 1);

    /* charges that need other parameters */
    for (int64_t i = 0; i < s.n; i++) other.q[i] *= 5;
    CHECK_STATUS(stand_in_set(ewald, s.n, other.q), ENUF_SUCCESS);
    CHECK_STATUS(enqueue(ewald, &s, &totals), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_check(ewald), ENUF_UNREACHABLE_ACCURACY);
    CHECK_TEXT("the parameters of 1 of the 1 evaluations");
    CHECK_STATUS(enqueue(ewald, &s, &totals), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_check(ewald), ENUF_SUCCESS);
    check_energy(&totals, &options, &other);

    /* they are judged when the next charges are set, or by a report and the next evaluation */
    for (int64_t i = 0; i < s.n; i++) other.q[i] *= 5;
    CHECK_STATUS(stand_in_set(ewald, s.n, other.q), ENUF_SUCCESS);
    CHECK_STATUS(enqueue(ewald, &s, &totals), ENUF_SUCCESS);
    CHECK_STATUS(stand_in_set(ewald, s.n, other.q), ENUF_SUCCESS);
    CHECK_STATUS(enqueue(ewald, &s, &totals), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_check(ewald), ENUF_UNREACHABLE_ACCURACY);
    CHECK_TEXT("the parameters of 1 of the 2 evaluations");
    enuf_ewald_report report = {.struct_size = sizeof report};
    for (int64_t i = 0; i < s.n; i++) other.q[i] *= 5;
    CHECK_STATUS(stand_in_set(ewald, s.n, other.q), ENUF_SUCCESS);
    CHECK_STATUS(enqueue(ewald, &s, &totals), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_get_report(ewald, &report), ENUF_SUCCESS);
    CHECK_STATUS(enqueue(ewald, &s, &totals), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_check(ewald), ENUF_UNREACHABLE_ACCURACY);
    CHECK_TEXT("the parameters of 1 of the 2 evaluations");

    /* refused charges */
    other.q[11] = NAN;
    CHECK_STATUS(stand_in_set(ewald, s.n, other.q), ENUF_SUCCESS);
    CHECK_STATUS(enqueue(ewald, &s, &totals), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_check(ewald), ENUF_NOT_FINITE);
    CHECK_TEXT("enuf_ewald_check: charges[11] is nan");
    CHECK_STATUS(enqueue(ewald, &s, &totals), ENUF_NO_POINTS_SET);
    CHECK_STATUS(stand_in_set(ewald, s.n, s.q), ENUF_SUCCESS);
    CHECK_STATUS(enqueue(ewald, &s, &totals), ENUF_SUCCESS);
    CHECK_STATUS(stand_in_set(ewald, s.n, other.q), ENUF_SUCCESS);
    CHECK_STATUS(enqueue(ewald, &s, &totals), ENUF_SUCCESS);
    CHECK_STATUS(stand_in_set(ewald, s.n, s.q), ENUF_SUCCESS);
    CHECK_STATUS(enqueue(ewald, &s, &totals), ENUF_SUCCESS);
    check_energy(&totals, &options, &s);
    CHECK(enuf_ewald_check(ewald) != ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_check(ewald), ENUF_SUCCESS);

    /* bad positions; arguments */
    other.x[5] = NAN;
    CHECK_STATUS(enqueue(ewald, &other, &totals), ENUF_SUCCESS);
    CHECK_STATUS(enqueue(ewald, &s, &totals), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_check(ewald), ENUF_NOT_FINITE);
    CHECK_TEXT("error of the data");
    enuf_ewald_result result = make_result(s.n);
    result.totals = &totals;
    CHECK_STATUS(enuf_ewald_begin(ewald, s.x, 3, WANT_SUMS, &result), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("enuf_ewald_compute() enqueues");
    stand_in_destroy(&ewald);
    enuf_ewald *host = make_ewald(&options, &s, NULL);
    CHECK_STATUS(enuf_ewald_compute(host, s.x, 3, WANT_SUMS, &result), ENUF_BAD_MEMORY);
    CHECK_TEXT("result->totals");
    CHECK_STATUS(enuf_ewald_check(host), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_check(NULL), ENUF_BAD_ARGUMENT);
    enuf_ewald_destroy(&host);
    free_result(&result);
    free_system(&other);
    free_system(&s);
}

int main(void)
{
    enqueued_evaluations();
    return check_result();
}
