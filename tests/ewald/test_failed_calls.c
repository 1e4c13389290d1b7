/*
 * test_failed_calls.c - a failed call does not change the object. After each refused argument and
 * each failed allocation, the next evaluation has the bits of the one before. 30 random ions with
 * exclusions, Gaussian splitting with an error scale and prolate without.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "memory.h"
#include "systems.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct subject {
    enuf_ewald *ewald;
    charge_system s;
    enuf_exclusions exclusions;
    enuf_ewald_result before, after;
} subject;

static void check_unchanged(subject *o, const char *what)
{
    CHECK_STATUS(enuf_ewald_compute(o->ewald, o->s.x, 3, WANT_SUMS, &o->after), ENUF_SUCCESS);
    const size_t bytes = 3 * (size_t)o->s.n * sizeof(double);
    const int same = o->after.energy == o->before.energy &&
                     memcmp(o->after.virial, o->before.virial, sizeof o->before.virial) == 0 &&
                     memcmp(o->after.forces, o->before.forces, bytes) == 0;
    if (!same)
        printf("after %s: energy %.17g, before %.17g\n", what, o->after.energy, o->before.energy);
    CHECK(same);
}

#define FAILS(call)                                                                                \
    do {                                                                                           \
        CHECK((call) != ENUF_SUCCESS);                                                             \
        check_unchanged(&o, #call);                                                                \
    } while (0)

/* The same for each allocation of the call. The last call succeeds and sets what is set already. */
#define ALLOCATIONS_FAIL(call)                                                                     \
    for (int nth = 1, failed = 1; failed && nth < 1000; nth++) {                                   \
        enuf_fail_allocation(nth);                                                                 \
        const enuf_status status = (call);                                                         \
        enuf_fail_allocation(0);                                                                   \
        failed = status == ENUF_OUT_OF_MEMORY;                                                     \
        if (failed) check_unchanged(&o, #call);                                                    \
        if (!failed && nth == 1) CHECK(status != ENUF_SUCCESS);                                    \
    }

static void run(enuf_split split, int calibrated)
{
    static const int64_t pairs[4] = {0, 1, 5, 9}, twice[4] = {0, 1, 1, 0}, far[2] = {0, 5000};
    subject o = {.s = make_ions(171, 30, CELL_TRICLINIC, 0), .exclusions = {2, pairs, NULL}};
    const enuf_exclusions repeated = {2, twice, NULL}, outside = {1, far, NULL};
    enuf_ewald_options options = options_for(1e-4, split);
    options.threads = 1;
    o.before = make_result(o.s.n);
    o.after = make_result(o.s.n);
    o.ewald = make_ewald(&options, &o.s, &o.exclusions);
    if (calibrated) CHECK_STATUS(enuf_ewald_tune(o.ewald, o.s.x, 3), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_compute(o.ewald, o.s.x, 3, WANT_SUMS, &o.before), ENUF_SUCCESS);

    const double flat[9] = {1, 0, 0, 2, 0, 0, 0, 0, 1};
    double cell[9], *q = o.s.q, *x = o.s.x;
    memcpy(cell, o.s.cell, sizeof cell);
    cell[4] = NAN;
    FAILS(enuf_ewald_set_cell(o.ewald, NULL));
    FAILS(enuf_ewald_set_cell(o.ewald, flat));
    FAILS(enuf_ewald_set_cell(o.ewald, cell));

    FAILS(enuf_ewald_set_charges(o.ewald, -1, q, NULL));
    FAILS(enuf_ewald_set_charges(o.ewald, 30, NULL, NULL));
    FAILS(enuf_ewald_set_charges(o.ewald, 30, q, &outside));
    FAILS(enuf_ewald_set_charges(o.ewald, 30, q, &repeated));
    const double kept = q[7];
    q[7] = INFINITY;
    FAILS(enuf_ewald_set_charges(o.ewald, o.s.n, q, NULL));
    q[7] = 1e200;
    FAILS(enuf_ewald_set_charges(o.ewald, o.s.n, q, NULL));
    q[7] = kept;
    ALLOCATIONS_FAIL(enuf_ewald_set_charges(o.ewald, o.s.n, q, &o.exclusions));

    const double place = x[11];
    x[11] = NAN;
    CHECK_STATUS(enuf_ewald_tune(o.ewald, x, 3), ENUF_NOT_FINITE);
    CHECK_STATUS(enuf_ewald_compute(o.ewald, x, 3, WANT_SUMS, &o.after), ENUF_NOT_FINITE);
    x[11] = place;
    check_unchanged(&o, "positions of NaN");
    FAILS(enuf_ewald_tune(o.ewald, x, 1));
    FAILS(enuf_ewald_compute(o.ewald, x, 3, -1, &o.after));
    FAILS(enuf_ewald_begin(o.ewald, NULL, 3, 1, &o.after));
    FAILS(enuf_ewald_finish(o.ewald));
    ALLOCATIONS_FAIL(enuf_ewald_tune(o.ewald, x, 3));

    enuf_ewald_destroy(&o.ewald);
    free_result(&o.before);
    free_result(&o.after);
    free_system(&o.s);
}

int main(void)
{
    run(ENUF_SPLIT_GAUSSIAN, 1);
    run(ENUF_SPLIT_PROLATE, 0);
    return check_result();
}
