/*
 * test_device_charges.c - charges and exclusions in the memory of the GPU. Their sums have the bits
 * of the host's, for charges of all sizes and up to 300,001 of them. Deterministic results are
 * those of host charges, bit by bit: with a net charge, uncharged atoms, exclusions, and other
 * numbers of charges. Other results agree to rounding (1e-12 in double, 2e-5 in mixed arithmetic).
 * Errors name the charge and leave the object as it was. SPDX-License-Identifier: BSD-3-Clause
 */
#include "charge_checks.h"
#include "device_object.h"
#include "memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static enuf_status set(enuf_ewald *ewald, int64_t n, const double *q, const enuf_exclusions *x)
{
    double *there = device_copy(n, q);
    const enuf_status status = enuf_ewald_set_charges(ewald, n, there, x);
    CHECK_CUDA(cudaMemset(there, 0xff, (size_t)n * sizeof *there)); /* the object has a copy */
    CHECK_CUDA(cudaFree(there));
    return status;
}

/* Energy, parts, virial and forces of device positions. */
static enuf_status compute(enuf_ewald *ewald, const charge_system *s, enuf_ewald_result *result)
{
    double *x = device_copy(3 * s->n, s->x), *forces = device_copy(3 * s->n, s->x);
    double *host = result->forces;
    result->forces = forces;
    const enuf_status status = enuf_ewald_compute(ewald, x, 3, WANT_SUMS, result);
    result->forces = host;
    CHECK_CUDA(cudaMemcpy(host, forces, 3 * (size_t)s->n * sizeof *host, cudaMemcpyDeviceToHost));
    CHECK_CUDA(cudaFree(x));
    CHECK_CUDA(cudaFree(forces));
    return status;
}

static void compare(enuf_ewald *ewald, const charge_system *s, const enuf_ewald_result *expected,
                    double rounding)
{
    enuf_ewald_result got = make_result(s->n);
    CHECK_STATUS(compute(ewald, s, &got), ENUF_SUCCESS);
    if (rounding == 0) {
        CHECK(got.energy == expected->energy);
        CHECK(memcmp(&got.parts, &expected->parts, sizeof got.parts) == 0);
        CHECK(memcmp(got.virial, expected->virial, sizeof got.virial) == 0);
        CHECK(memcmp(got.forces, expected->forces, 3 * (size_t)s->n * sizeof(double)) == 0);
    } else {
        const double size = rms_difference(s->n, expected->forces, NULL);
        CHECK_CLOSE(got.energy, expected->energy, rounding, "energy");
        CHECK_BELOW(rms_difference(s->n, got.forces, expected->forces) / size, rounding, "forces");
    }
    free_result(&got);
}

static void sums_have_the_bits_of_the_host(void)
{
    const double scale[] = {1, 1e-160, 1e-310, 1e140, 0};
    const int64_t number[] = {1, 255, 1000, 300001};
    const charge_system cell = make_ions(31, 8, CELL_CUBIC, 0);
    const enuf_ewald_options options = options_for(1e-4, ENUF_SPLIT_AUTO);
    double *q = malloc(300001 * sizeof *q);
    for (int k = 0; k < 20; k++) {
        const int64_t n = number[k % 4];
        for (int64_t i = 0; i < n; i++)
            q[i] = scale[k / 4] * (i % 2 ? -0.4238 : 0.8476 * exp(-1e-3 * (double)(i % 7000)));
        enuf_ewald *host = device_object(&options, &cell), *device = device_object(&options, &cell);
        CHECK_STATUS(enuf_ewald_set_charges(host, n, q, NULL), ENUF_SUCCESS);
        CHECK_STATUS(set(device, n, q, NULL), ENUF_SUCCESS);
        check_same_sums(&device->charges, &host->charges);
        CHECK(device->charges.on_device && !device->charges.q && !host->charges.on_device);
        enuf_ewald_destroy(&host);
        enuf_ewald_destroy(&device);
    }
    free(q);
    charge_system copy = cell;
    free_system(&copy);
}

/* 500 atoms, then 300. */
static void results_are_those_of_host_charges(enuf_arithmetic arithmetic, int deterministic,
                                              double rounding)
{
    charge_system s = make_ions(32, 500, CELL_TRICLINIC, 2);
    const int64_t pairs[] = {0, 1, 5, 3, 298, 299}, n[] = {500, 300, 0, 500};
    const double weights[] = {0, 0.5, 0};
    enuf_exclusions x = {3, pairs, weights},
                    there = {3, device_copy(6, pairs), device_copy(3, weights)};
    enuf_ewald_options options = options_for(1e-5, ENUF_SPLIT_AUTO);
    options.arithmetic = arithmetic;
    options.deterministic = deterministic;
    s.q[7] = s.q[40] = 0;
    enuf_ewald *ewald = device_object(&options, &s);
    for (int k = 0; k < 4; k++) {
        s.n = n[k];
        x.n = there.n = n[k] > 0 ? 3 : 0;
        enuf_ewald *host = device_object(&options, &s);
        enuf_ewald_result expected = make_result(s.n);
        CHECK_STATUS(enuf_ewald_set_charges(host, s.n, s.q, &x), ENUF_SUCCESS);
        CHECK_STATUS(compute(host, &s, &expected), ENUF_SUCCESS);
        /* an object keeps parameters while they serve: choose as the new object does */
        CHECK_STATUS(set(ewald, s.n, s.q, &there), ENUF_SUCCESS);
        CHECK_STATUS(enuf_ewald_tune(ewald, NULL, 0), ENUF_SUCCESS);
        compare(ewald, &s, &expected, s.n > 0 ? rounding : 0);
        CHECK_STATUS(enuf_ewald_set_charges(ewald, s.n, s.q, &x), ENUF_SUCCESS);
        compare(ewald, &s, &expected, s.n > 0 ? rounding : 0);
        enuf_ewald_destroy(&host);
        free_result(&expected);
    }
    enuf_ewald_destroy(&ewald);
    CHECK_CUDA(cudaFree((void *)there.pairs));
    CHECK_CUDA(cudaFree((void *)there.weights));
    free_system(&s);
}

static int by_size(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

/* Many exclusions, one atom excluded from all others: the lists of the device are those of the
 * host, in another order. */
static void lists_are_those_of_the_host(void)
{
    enum { N = 3000, PAIRS = 2 * N - 3 };
    charge_system s = make_ions(39, N, CELL_CUBIC, 0);
    const enuf_ewald_options options = options_for(1e-4, ENUF_SPLIT_AUTO);
    int64_t *pairs = malloc(2 * PAIRS * sizeof *pairs), *ordered[2] = {NULL, NULL};
    for (int64_t k = 0; k < N - 1; k++) pairs[2 * k] = N - 1, pairs[2 * k + 1] = k;
    for (int64_t k = 0; k < N - 2; k++)
        pairs[2 * (N - 1 + k)] = k, pairs[2 * (N - 1 + k) + 1] = k + 1;
    const enuf_exclusions x = {PAIRS, pairs, NULL},
                          there = {PAIRS, device_copy(2 * PAIRS, pairs), NULL};
    enuf_ewald *host = device_object(&options, &s), *device = device_object(&options, &s);
    CHECK_STATUS(enuf_ewald_set_charges(host, N, s.q, &x), ENUF_SUCCESS);
    CHECK_STATUS(set(device, N, s.q, &there), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_host_charges(device), ENUF_SUCCESS);
    const enuf_charge_set *sets[2] = {&host->charges, &device->charges};
    CHECK(sets[1]->n_excluded == PAIRS);
    CHECK(memcmp(sets[0]->first, sets[1]->first, (N + 1) * sizeof(int64_t)) == 0);
    for (int k = 0; k < 2; k++) {
        ordered[k] = malloc(2 * PAIRS * sizeof(int64_t));
        memcpy(ordered[k], sets[k]->partner, 2 * PAIRS * sizeof(int64_t));
        for (int64_t i = 0; i < N; i++)
            qsort(ordered[k] + sets[k]->first[i],
                  (size_t)(sets[k]->first[i + 1] - sets[k]->first[i]), sizeof(int64_t), by_size);
    }
    CHECK(memcmp(ordered[0], ordered[1], 2 * PAIRS * sizeof(int64_t)) == 0);
    for (int64_t e = 0; e < 2 * PAIRS; e++) CHECK(sets[1]->removed[e] == 1);
    for (int64_t k = 0; k < PAIRS; k++) CHECK(sets[1]->weights[k] == 0);
    for (int k = 0; k < 2; k++) free(ordered[k]);
    enuf_ewald_destroy(&host);
    enuf_ewald_destroy(&device);
    CHECK_CUDA(cudaFree((void *)there.pairs));
    free(pairs);
    free_system(&s);
}

/* All charges 0: energy 0, forces 0. */
static void uncharged(void)
{
    charge_system s = make_ions(33, 100, CELL_CUBIC, 0);
    const enuf_ewald_options options = options_for(1e-5, ENUF_SPLIT_AUTO);
    enuf_ewald *ewald = device_object(&options, &s);
    enuf_ewald_result result = make_result(s.n);
    CHECK_STATUS(set(ewald, s.n, s.q, NULL), ENUF_SUCCESS);
    CHECK_STATUS(compute(ewald, &s, &result), ENUF_SUCCESS);
    CHECK(result.energy != 0);
    memset(s.q, 0, (size_t)s.n * sizeof *s.q);
    CHECK_STATUS(set(ewald, s.n, s.q, NULL), ENUF_SUCCESS);
    CHECK_STATUS(compute(ewald, &s, &result), ENUF_SUCCESS);
    CHECK(result.energy == 0);
    CHECK(rms_difference(s.n, result.forces, NULL) == 0);
    enuf_ewald_destroy(&ewald);
    free_result(&result);
    free_system(&s);
}

static void errors_leave_the_object_as_it_was(void)
{
    charge_system s = make_ions(34, 400, CELL_CUBIC, 0), bad = copy_system(&s);
    enuf_ewald_options options = options_for(1e-4, ENUF_SPLIT_AUTO);
    options.deterministic = 1;
    options.surroundings = 1;
    enuf_ewald *ewald = device_object(&options, &s);
    enuf_ewald_result expected = make_result(s.n);
    CHECK_STATUS(set(ewald, s.n, s.q, NULL), ENUF_SUCCESS);
    CHECK_STATUS(compute(ewald, &s, &expected), ENUF_SUCCESS);
    bad.q[317] = NAN;
    bad.q[399] = -INFINITY;
    CHECK_STATUS(set(ewald, bad.n, bad.q, NULL), ENUF_NOT_FINITE);
    CHECK_TEXT("charges[317] is nan");
    bad.q[317] = 0;
    CHECK_STATUS(set(ewald, bad.n, bad.q, NULL), ENUF_NOT_FINITE);
    CHECK_TEXT("charges[399] is -inf");
    bad.q[399] = 1e200;
    CHECK_STATUS(set(ewald, bad.n, bad.q, NULL), ENUF_NOT_FINITE);
    CHECK_TEXT("the sum of their squares overflows");
    bad.q[399] = 3;
    CHECK_STATUS(set(ewald, bad.n, bad.q, NULL), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("net charge");
    const int64_t pairs[] = {3, 400};
    const enuf_exclusions x = {1, device_copy(2, pairs), NULL};
    CHECK_STATUS(set(ewald, s.n, s.q, &x), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("exclusion 0 is the pair (3, 400)");
    const int64_t twice[] = {4, 9, 7, 8, 9, 4}, self[] = {4, 9, 8, 8};
    const double nan_weight[] = {0, NAN};
    const enuf_exclusions repeated = {3, device_copy(6, twice), NULL};
    const enuf_exclusions of_itself = {2, device_copy(4, self), NULL};
    const enuf_exclusions weighted = {2, repeated.pairs, device_copy(2, nan_weight)};
    CHECK_STATUS(set(ewald, s.n, s.q, &repeated), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("the pair (4, 9) is excluded twice");
    CHECK_STATUS(set(ewald, s.n, s.q, &of_itself), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("exclusion 1 is the pair (8, 8)");
    CHECK_STATUS(set(ewald, s.n, s.q, &weighted), ENUF_NOT_FINITE);
    CHECK_TEXT("the weight of exclusion 1 is nan");
    CHECK_CUDA(cudaFree((void *)repeated.pairs));
    CHECK_CUDA(cudaFree((void *)of_itself.pairs));
    CHECK_CUDA(cudaFree((void *)weighted.weights));
    compare(ewald, &s, &expected, 0);

    /* a failed allocation keeps the charges too; twice as many need a larger array */
    double *many = calloc(2 * 400, sizeof *many);
    many[0] = 1, many[1] = -1;
    double *there = device_copy(2 * 400, many);
    enuf_fail_allocation(1);
    CHECK_STATUS(enuf_ewald_set_charges(ewald, 2 * 400, there, NULL), ENUF_OUT_OF_MEMORY);
    enuf_fail_allocation(0);
    compare(ewald, &s, &expected, 0);
    enuf_ewald_destroy(&ewald);

    options.backend = ENUF_BACKEND_CUDA;
    enuf_ewald *on_host = make_ewald(&options, &s, NULL);
    CHECK_STATUS(enuf_ewald_set_charges(on_host, s.n, there, NULL), ENUF_BAD_MEMORY);
    CHECK_TEXT("charges lives in device memory, but the option memory says host");
    enuf_ewald_destroy(&on_host);
    CHECK_CUDA(cudaFree(there));
    CHECK_CUDA(cudaFree((void *)x.pairs));
    free(many);
    free_result(&expected);
    free_system(&bad);
    free_system(&s);
}

/* Calls that compare with references need the charges on the host. */
static void references(void)
{
    charge_system s = make_ions(35, 400, CELL_CUBIC, 0);
    const enuf_ewald_options options = options_for(1e-5, ENUF_SPLIT_AUTO);
    enuf_ewald *ewald = device_object(&options, &s);
    enuf_ewald_error error = {.struct_size = sizeof error};
    double *x = device_copy(3 * s.n, s.x);
    CHECK_STATUS(set(ewald, s.n, s.q, NULL), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_tune(ewald, x, 3), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_measure_error(ewald, x, 3, 0, 1, &error), ENUF_SUCCESS);
    CHECK_BELOW(error.accuracy, 1e-5, "measured error after tuning, A");
    CHECK_CUDA(cudaFree(x));
    enuf_ewald_destroy(&ewald);
    free_system(&s);
}

int main(void)
{
    const char *reason = "";
    if (!enuf_backend_usable(ENUF_BACKEND_CUDA, &reason)) return check_skip(reason);
    sums_have_the_bits_of_the_host();
    results_are_those_of_host_charges(ENUF_ARITHMETIC_DOUBLE, 1, 0);
    results_are_those_of_host_charges(ENUF_ARITHMETIC_DOUBLE, 0, 1e-12);
    results_are_those_of_host_charges(ENUF_ARITHMETIC_MIXED, 0, 2e-5);
    lists_are_those_of_the_host();
    uncharged();
    errors_leave_the_object_as_it_was();
    references();
    return check_result();
}
