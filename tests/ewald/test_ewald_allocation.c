/*
 * test_ewald_allocation.c - each allocation in a call of the interface fails once. The call returns
 * ENUF_OUT_OF_MEMORY. Then the object computes the results of an object without failures: the same
 * bits with `deterministic`, else to 1e-12. 30 random ions with exclusions in double, 31 in mixed
 * arithmetic. SPDX-License-Identifier: BSD-3-Clause
 */
#include "memory.h"
#include "systems.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef enuf_status (*step)(enuf_ewald **ewald, const charge_system *s, enuf_ewald_result *r);

/* Without `deterministic` sums differ in their last digits, on a GPU from run to run. */
static int deterministic;
static const double ROUNDING = 1e-12;

static const int64_t pairs[4] = {0, 1, 5, 9};
static const enuf_exclusions exclusions = {2, pairs, NULL};

static enuf_status create(enuf_ewald **ewald, const charge_system *s, enuf_ewald_result *r)
{
    enuf_ewald_options options = options_for(1e-4, ENUF_SPLIT_PROLATE);
    options.arithmetic = s->n % 2 ? ENUF_ARITHMETIC_MIXED : ENUF_ARITHMETIC_DOUBLE;
    options.deterministic = deterministic;
    options.threads = 1;
    options.fft_wisdom = NULL;
    (void)r;
    return enuf_ewald_create(&options, ewald);
}

static enuf_status set_cell(enuf_ewald **ewald, const charge_system *s, enuf_ewald_result *r)
{
    (void)r;
    return enuf_ewald_set_cell(*ewald, s->cell);
}

static enuf_status set_charges(enuf_ewald **ewald, const charge_system *s, enuf_ewald_result *r)
{
    (void)r;
    return enuf_ewald_set_charges(*ewald, s->n, s->q, &exclusions);
}

static enuf_status tune(enuf_ewald **ewald, const charge_system *s, enuf_ewald_result *r)
{
    (void)r;
    return enuf_ewald_tune(*ewald, s->x, 3);
}

static enuf_status compute(enuf_ewald **ewald, const charge_system *s, enuf_ewald_result *r)
{
    /* if verification lacks memory, compute() goes on without it: so it is called before */
    ENUF_TRY(enuf_ewald_verify(*ewald, s->x, 3));
    ENUF_TRY(enuf_ewald_compute(*ewald, s->x, 3, WANT_SUMS, r)); /* visits each pair once */
    return enuf_ewald_compute(*ewald, s->x, 3, WANT_ALL, r);
}

static enuf_status begin_finish(enuf_ewald **ewald, const charge_system *s, enuf_ewald_result *r)
{
    ENUF_TRY(enuf_ewald_begin(*ewald, s->x, 3, WANT_ALL, r));
    return enuf_ewald_finish(*ewald);
}

static enuf_status other_cell(enuf_ewald **ewald, const charge_system *s, enuf_ewald_result *r)
{
    double cell[9];
    for (int k = 0; k < 9; k++) cell[k] = 1.1 * s->cell[k];
    ENUF_TRY(enuf_ewald_set_cell(*ewald, cell));
    return enuf_ewald_compute(*ewald, s->x, 3, WANT_ALL, r);
}

static enuf_status first_cell(enuf_ewald **ewald, const charge_system *s, enuf_ewald_result *r)
{
    ENUF_TRY(enuf_ewald_set_cell(*ewald, s->cell));
    return enuf_ewald_compute(*ewald, s->x, 3, WANT_ALL, r);
}

static enuf_status measure(enuf_ewald **ewald, const charge_system *s, enuf_ewald_result *r)
{
    enuf_ewald_error error = {.struct_size = sizeof error};
    (void)r;
    return enuf_ewald_measure_error(*ewald, s->x, 3, 5, 1, &error);
}

static const struct {
    const char *name;
    step run;
    int allocates;
} steps[] = {{"create", create, 1},
             {"set_cell", set_cell, 0},
             {"set_charges", set_charges, 1},
             {"tune", tune, 1},
             {"compute", compute, 1},
             {"begin, finish", begin_finish, 0},
             {"another cell", other_cell, 0},
             {"the first cell", first_cell, 0},
             {"other charges", set_charges, 1},
             {"measure_error", measure, 1}};

static void run(int64_t n)
{
    charge_system s = make_ions(161, n, CELL_TRICLINIC, 0);
    enuf_ewald *failing = NULL, *healthy = NULL;
    enuf_ewald_result a = make_result(n), b = make_result(n);
    for (size_t k = 0; k < sizeof steps / sizeof steps[0]; k++) {
        int failures = 0;
        enuf_status status = ENUF_OUT_OF_MEMORY;
        while (status == ENUF_OUT_OF_MEMORY && failures < 1000) {
            enuf_fail_allocation(failures + 1);
            status = steps[k].run(&failing, &s, &a);
            enuf_fail_allocation(0);
            failures += status == ENUF_OUT_OF_MEMORY;
        }
        printf("%s: %d allocations failed\n", steps[k].name, failures);
        CHECK_STATUS(status, ENUF_SUCCESS);
        CHECK(failures >= steps[k].allocates && failures < 1000);
        CHECK_STATUS(steps[k].run(&healthy, &s, &b), ENUF_SUCCESS);
        if (deterministic) {
            CHECK(a.energy == b.energy);
            CHECK(memcmp(a.forces, b.forces, 3 * (size_t)n * sizeof(double)) == 0);
        } else {
            const double size = rms_difference(n, b.forces, NULL);
            CHECK(fabs(a.energy - b.energy) <= ROUNDING * fabs(b.energy));
            CHECK(rms_difference(n, a.forces, b.forces) <= ROUNDING * size);
        }
        if (!failing || !healthy) break;
    }
    CHECK(a.energy != 0);
    enuf_ewald_destroy(&failing);
    enuf_ewald_destroy(&healthy);
    free_result(&a);
    free_result(&b);
    free_system(&s);
}

int main(void)
{
    for (deterministic = 1; deterministic >= 0; deterministic--) {
        run(30);
        if (deterministic) run(31); /* without it float rounds by more than ROUNDING */
    }
    return check_result();
}
