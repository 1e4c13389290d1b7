/*
 * test_enqueued.c - evaluations whose sums go to device memory (of a stand-in, stand_in_device.h):
 * they wait for nothing. enuf_ewald_check() reports charges that are refused, charges that the
 * parameters did not serve, and bad positions, once; then the object goes on. Energies are those of
 * a new object, to its accuracy. A second derivative in between does not take an error of the mesh
 * away. SPDX-License-Identifier: BSD-3-Clause
 */
#include "enuf/ewald_derivatives.h"
#include "plan/plan.h"
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

/* A plan that has met an overflow, and says so once. */
static int overflows;

static enuf_status plan_check(enuf_nufft *plan, int64_t *first_bad)
{
    (void)plan, (void)first_bad;
    const int met = overflows > 0;
    overflows = 0;
    return met ? enuf_fail(ENUF_OVERFLOWED, "the mesh overflowed") : ENUF_SUCCESS;
}

/* The error of an evaluation that nobody has checked is not that of a second derivative; the check
 * reports it. */
static void errors_of_the_mesh(void)
{
    charge_system s = make_ions(32, 200, CELL_CUBIC, 0);
    const enuf_ewald_options options = options_for(1e-4, ENUF_SPLIT_PROLATE);
    const enuf_ewald_direction direction = {.struct_size = sizeof direction, .positions = s.x};
    enuf_ewald_slopes slopes = {.struct_size = sizeof slopes};
    enuf_ewald_totals totals = {0};
    enuf_ewald *ewald = stand_in_make(&options, &s);
    CHECK_STATUS(enuf_ewald_set_charges(ewald, s.n, s.q, NULL), ENUF_SUCCESS);
    CHECK_STATUS(enqueue(ewald, &s, &totals), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_check(ewald), ENUF_SUCCESS);
    enuf_nufft *plan = ewald->method.plan;
    const enuf_nufft_backend *own = plan->backend;
    enuf_nufft_backend overflowing = *own;
    overflowing.check = plan_check;
    plan->backend = &overflowing;
    for (int k = 0; k < 2; k++) { /* the error is reported once */
        overflows = k == 0;
        CHECK_STATUS(enqueue(ewald, &s, &totals), ENUF_SUCCESS);
        CHECK_STATUS(enuf_ewald_differentiate(ewald, s.x, 3, &direction, ENUF_WANT_ENERGY, &slopes),
                     ENUF_SUCCESS);
        CHECK(overflows == 0);
        CHECK_STATUS(enuf_ewald_check(ewald), k == 0 ? ENUF_OVERFLOWED : ENUF_SUCCESS);
        if (k == 0) CHECK_TEXT("enuf_ewald_check: the mesh overflowed");
    }
    overflows = 1; /* nothing is enqueued: the plan is not asked */
    CHECK_STATUS(enuf_ewald_differentiate(ewald, s.x, 3, &direction, ENUF_WANT_ENERGY, &slopes),
                 ENUF_SUCCESS);
    CHECK(overflows == 1);
    CHECK(ewald->method.plan == plan);
    plan->backend = own;
    stand_in_destroy(&ewald);
    free_system(&s);
}

int main(void)
{
    enqueued_evaluations();
    errors_of_the_mesh();
    return check_result();
}
