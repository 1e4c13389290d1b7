/*
 * test_charge_sets.c - charges set from the host or from device memory (a stand-in,
 * stand_in_device.h). Sums of device charges have the bits of the host's. Deterministic results are
 * those of host charges, bit by bit. Charges in another order choose no new parameters. Calls that
 * compare with references fetch the charges. Errors name the charge and leave the object as it was.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "charge_checks.h"
#include "memory.h"
#include "stand_in_device.h"
#include "random_system.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Charges of all sizes, of one size, denormal, and none. */
static void sums_have_the_bits_of_the_host(void)
{
    enum { N = 1000 };
    const charge_system s = make_ions(21, N, CELL_CUBIC, 0);
    const double scale[] = {1, 1e-160, 1e-310, 1e140, 0};
    const enuf_ewald_options options = options_for(1e-4, ENUF_SPLIT_AUTO);
    for (int k = 0; k < 5; k++) {
        charge_system other = copy_system(&s);
        for (int64_t i = 0; i < N; i++)
            other.q[i] *= scale[k] * (i % 3 ? 0.4238 : exp(-1e-2 * (double)i));
        enuf_ewald *host = make_ewald(&options, &other, NULL);
        enuf_ewald *device = stand_in_make(&options, &other);
        CHECK_STATUS(stand_in_set(device, N, other.q), ENUF_SUCCESS);
        check_same_sums(&device->charges, &host->charges);
        CHECK(!device->charges.q);
        stand_in_destroy(&device);
        enuf_ewald_destroy(&host);
        free_system(&other);
    }
    charge_system copy = s;
    free_system(&copy);
}

static void compare(enuf_ewald *ewald, const charge_system *s, const enuf_ewald_result *expected)
{
    enuf_ewald_result got = make_result(s->n);
    CHECK_STATUS(enuf_ewald_compute(ewald, s->x, 3, WANT_ALL, &got), ENUF_SUCCESS);
    CHECK(got.energy == expected->energy);
    CHECK(memcmp(&got.parts, &expected->parts, sizeof got.parts) == 0);
    CHECK(memcmp(got.virial, expected->virial, sizeof got.virial) == 0);
    CHECK(memcmp(got.forces, expected->forces, 3 * (size_t)s->n * sizeof(double)) == 0);
    CHECK(memcmp(got.potential, expected->potential, (size_t)s->n * sizeof(double)) == 0);
    free_result(&got);
}

/* A net charge, uncharged atoms, exclusions in device memory; 80 atoms, then 60. */
static void results_are_those_of_host_charges(void)
{
    charge_system s = make_ions(22, 80, CELL_TRICLINIC, 2);
    const int64_t pairs[] = {0, 1, 5, 3, 58, 59};
    const double weights[] = {0, 0.5, 0};
    s.q[7] = s.q[40] = 0;
    enuf_ewald_options options = options_for(1e-5, ENUF_SPLIT_AUTO);
    options.backend = ENUF_BACKEND_CPU;
    options.deterministic = 1;
    const enuf_exclusions x = {3, pairs, weights};
    enuf_ewald *ewald = stand_in_make(&options, &s);
    for (; s.n >= 60; s.n -= 20) {
        enuf_ewald_result host = evaluate(&options, &s, &x, WANT_ALL);
        const enuf_exclusions there = {3, stand_in_array(6, pairs), stand_in_array(3, weights)};
        CHECK_STATUS(enuf_ewald_set_charges(ewald, s.n, stand_in_array(s.n, s.q), &there),
                     ENUF_SUCCESS);
        compare(ewald, &s, &host);
        CHECK_STATUS(enuf_ewald_set_charges(ewald, s.n, s.q, &x), ENUF_SUCCESS);
        compare(ewald, &s, &host);
        free_result(&host);
    }
    CHECK(stand_in_calls.sums == 2);
    stand_in_destroy(&ewald);
    s.n = 80;
    free_system(&s);
}

/* The parameters are those of an earlier cell: a new choice would take others. */
static void another_order_keeps_the_parameters(int on_device)
{
    charge_system s = make_ions(23, 300, CELL_CUBIC, 1);
    const enuf_ewald_options options = options_for(1e-4, ENUF_SPLIT_GAUSSIAN);
    enuf_ewald *ewald = stand_in_make(&options, &s);
    enuf_ewald_report before = {.struct_size = sizeof before}, after = before, fresh = before;
    enuf_ewald_result result = make_result(s.n);
    CHECK_STATUS(on_device ? stand_in_set(ewald, s.n, s.q)
                           : enuf_ewald_set_charges(ewald, s.n, s.q, NULL),
                 ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_compute(ewald, s.x, 3, WANT_SUMS, &result), ENUF_SUCCESS);
    for (int k = 0; k < 9; k++) s.cell[k] *= 1.0005;
    CHECK_STATUS(enuf_ewald_set_cell(ewald, s.cell), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_compute(ewald, s.x, 3, WANT_SUMS, &result), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_get_report(ewald, &before), ENUF_SUCCESS);
    const double energy = result.energy;
    const int64_t changes = ewald->method_changes;
    reverse_atoms(&s);
    CHECK_STATUS(on_device ? stand_in_set(ewald, s.n, s.q)
                           : enuf_ewald_set_charges(ewald, s.n, s.q, NULL),
                 ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_compute(ewald, s.x, 3, WANT_SUMS, &result), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_get_report(ewald, &after), ENUF_SUCCESS);
    CHECK(ewald->method_changes == changes);
    CHECK(after.alpha == before.alpha && after.cutoff == before.cutoff &&
          after.kmax == before.kmax && after.predicted == before.predicted &&
          after.verified == before.verified);
    CHECK_CLOSE(result.energy, energy, 1e-12, "energy in another order, rounding");
    enuf_ewald *other = make_ewald(&options, &s, NULL);
    CHECK_STATUS(enuf_ewald_compute(other, s.x, 3, WANT_SUMS, &result), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_get_report(other, &fresh), ENUF_SUCCESS);
    CHECK(fresh.cutoff != before.cutoff || fresh.kmax != before.kmax);
    enuf_ewald_destroy(&other);
    stand_in_destroy(&ewald);
    free_result(&result);
    free_system(&s);
}

/* The same parameters and measured errors as with host charges and exclusions. */
static void references_fetch_the_charges(void)
{
    charge_system s = make_ions(24, 250, CELL_CUBIC, 0);
    const int64_t pairs[] = {7, 2, 100, 200};
    const double weights[] = {0.25, 0};
    const enuf_exclusions x = {2, pairs, weights};
    const enuf_exclusions there = {2, stand_in_array(4, pairs), stand_in_array(2, weights)};
    const enuf_ewald_options options = options_for(1e-5, ENUF_SPLIT_GAUSSIAN);
    enuf_ewald_error error[2] = {{.struct_size = sizeof error[0]},
                                 {.struct_size = sizeof error[0]}};
    enuf_ewald_report report[2] = {{.struct_size = sizeof report[0]},
                                   {.struct_size = sizeof report[0]}};
    enuf_ewald *host = make_ewald(&options, &s, &x);
    enuf_ewald *device = stand_in_make(&options, &s);
    CHECK_STATUS(enuf_ewald_set_charges(device, s.n, stand_in_array(s.n, s.q), &there),
                 ENUF_SUCCESS);
    CHECK(stand_in_calls.fetches == 0 && !device->charges.pairs);
    const double *positions = stand_in_array(3 * s.n, s.x);
    CHECK_STATUS(enuf_ewald_tune(host, s.x, 3), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_tune(device, positions, 3), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_verify(device, positions, 3), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_measure_tail(device, positions, 3), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_measure_error(host, s.x, 3, 0, 1, &error[0]), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_measure_error(device, positions, 3, 0, 1, &error[1]), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_get_report(host, &report[0]), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_get_report(device, &report[1]), ENUF_SUCCESS);
    CHECK(report[0].cutoff == report[1].cutoff && report[0].kmax == report[1].kmax);
    CHECK_CLOSE(error[1].accuracy, error[0].accuracy, 1e-3, "measured error, rounding of sums");
    CHECK(stand_in_calls.fetches == 1);
    CHECK(device->charges.n_excluded == 2 && device->charges.pairs[0] == 2 &&
          device->charges.pairs[1] == 7 && device->charges.weights[0] == 0.25);
    stand_in_destroy(&device);
    enuf_ewald_destroy(&host);
    free_system(&s);
}

static void errors_leave_the_object_as_it_was(void)
{
    charge_system s = make_ions(25, 50, CELL_CUBIC, 0);
    enuf_ewald_options options = options_for(1e-4, ENUF_SPLIT_AUTO);
    options.deterministic = 1;
    options.surroundings = 1;
    enuf_ewald_result expected = evaluate(&options, &s, NULL, WANT_ALL);
    enuf_ewald *ewald = stand_in_make(&options, &s);
    CHECK_STATUS(stand_in_set(ewald, s.n, s.q), ENUF_SUCCESS);
    charge_system bad = copy_system(&s);
    bad.q[17] = NAN;
    bad.q[31] = INFINITY;
    CHECK_STATUS(stand_in_set(ewald, bad.n, bad.q), ENUF_NOT_FINITE);
    CHECK_TEXT("charges[17] is nan");
    bad.q[17] = 0;
    CHECK_STATUS(stand_in_set(ewald, bad.n, bad.q), ENUF_NOT_FINITE);
    CHECK_TEXT("charges[31] is inf");
    bad.q[31] = 1e200;
    CHECK_STATUS(stand_in_set(ewald, bad.n, bad.q), ENUF_NOT_FINITE);
    CHECK_TEXT("the sum of their squares overflows");
    bad.q[31] = 3;
    CHECK_STATUS(stand_in_set(ewald, bad.n, bad.q), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("net charge");
    const int64_t pairs[] = {3, 50};
    const enuf_exclusions x = {1, stand_in_array(2, pairs), NULL}, long_list = {2451, pairs, NULL};
    CHECK_STATUS(enuf_ewald_set_charges(ewald, s.n, stand_in_array(s.n, s.q), &x),
                 ENUF_BAD_ARGUMENT);
    CHECK_TEXT("exclusion 0 is the pair (3, 50)");
    const int64_t twice[] = {4, 9, 9, 4}, self[] = {4, 9, 8, 8};
    const double nan_weight[] = {0, NAN};
    const enuf_exclusions repeated = {2, stand_in_array(4, twice), NULL};
    const enuf_exclusions of_itself = {2, stand_in_array(4, self), NULL};
    const enuf_exclusions weighted = {2, repeated.pairs, stand_in_array(2, nan_weight)};
    const double *q = stand_in_array(s.n, s.q);
    CHECK_STATUS(enuf_ewald_set_charges(ewald, s.n, q, &repeated), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("the pair (4, 9) is excluded twice");
    CHECK_STATUS(enuf_ewald_set_charges(ewald, s.n, q, &of_itself), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("exclusion 1 is the pair (8, 8)");
    CHECK_STATUS(enuf_ewald_set_charges(ewald, s.n, q, &weighted), ENUF_NOT_FINITE);
    CHECK_TEXT("the weight of exclusion 1 is nan");
    CHECK_STATUS(enuf_ewald_set_charges(ewald, s.n, s.q, &long_list), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("exclusions->n is 2451");
    compare(ewald, &s, &expected);
    stand_in_destroy(&ewald);
    free_result(&expected);
    free_system(&bad);
    free_system(&s);
}

/* Each allocation fails once; weaker charges and no exclusions would change the energy. */
static void failed_allocations(void)
{
    charge_system s = make_ions(31, 60, CELL_CUBIC, 0), weaker = copy_system(&s);
    const int64_t pairs[] = {0, 1};
    const double weights[] = {0.5};
    const enuf_exclusions x = {1, pairs, weights};
    enuf_ewald_options options = options_for(1e-4, ENUF_SPLIT_AUTO);
    options.deterministic = 1;
    enuf_ewald_result expected = evaluate(&options, &s, &x, WANT_ALL);
    enuf_ewald *ewald = stand_in_make(&options, &s);
    CHECK_STATUS(enuf_ewald_set_charges(ewald, s.n, s.q, &x), ENUF_SUCCESS);
    for (int64_t i = 0; i < s.n; i++) weaker.q[i] *= 0.5;
    const double *q = stand_in_array(s.n, weaker.q);
    const enuf_exclusions there = {1, stand_in_array(2, pairs), stand_in_array(1, weights)};
    int failures = 0;
    for (enuf_status status = ENUF_OUT_OF_MEMORY; status == ENUF_OUT_OF_MEMORY; failures++) {
        enuf_fail_allocation(failures + 1);
        status = enuf_ewald_set_charges(ewald, s.n, q, &there);
        enuf_fail_allocation(0);
        if (status == ENUF_OUT_OF_MEMORY) compare(ewald, &s, &expected);
        CHECK(status == ENUF_SUCCESS || status == ENUF_OUT_OF_MEMORY);
    }
    printf("%d allocations failed, one by one\n", failures - 1);
    CHECK(failures - 1 == 6); /* five arrays of the lists, the charges kept */
    stand_in_destroy(&ewald);
    free_result(&expected);
    free_system(&weaker);
    free_system(&s);
}

int main(void)
{
    failed_allocations();
    sums_have_the_bits_of_the_host();
    results_are_those_of_host_charges();
    another_order_keeps_the_parameters(0);
    another_order_keeps_the_parameters(1);
    references_fetch_the_charges();
    errors_leave_the_object_as_it_was();
    return check_result();
}
