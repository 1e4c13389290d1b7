/*
 * test_device_totals.c - energy, parts, virial and net force in the memory of the GPU. They are
 * those that compute() gives on the host, to rounding: without and with a net charge, exclusions, a
 * slab, a dielectric, in double, mixed and deterministic arithmetic, for all charges, none and no
 * atoms, also added, and where the GPU replays. Nobody waits. enuf_ewald_check() names the first
 * evaluation with bad data, and charges that need other parameters. Bound: 1e-12 of the largest
 * part, twenty times what roundings of sums differ by; mixed 1e-6. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#include "device_object.h"
#include "enuf/ewald_derivatives.h"

#include <math.h>
#include <string.h>

typedef struct request {
    enuf_ewald *ewald;
    const charge_system *s;
    double *x, *forces;
    enuf_ewald_totals *totals;
    cudaStream_t stream;
} request;

static request make(const enuf_ewald_options *options, const charge_system *s,
                    const enuf_exclusions *x)
{
    static const enuf_ewald_totals none;
    request r = {.s = s};
    enuf_ewald_options on_stream = *options;
    CHECK_CUDA(cudaStreamCreateWithFlags(&r.stream, cudaStreamNonBlocking));
    on_stream.stream = r.stream;
    r.ewald = device_object(&on_stream, s);
    r.x = device_copy(3 * s->n, s->x);
    r.forces = device_copy(3 * s->n, s->x);
    r.totals = device_copy((int64_t)(sizeof none / sizeof(double)), &none);
    double *q = device_copy(s->n, s->q);
    CHECK_STATUS(enuf_ewald_set_charges(r.ewald, s->n, q, x), ENUF_SUCCESS);
    CHECK_CUDA(cudaFree(q));
    return r;
}

static void destroy(request *r)
{
    enuf_ewald_destroy(&r->ewald);
    CHECK_CUDA(cudaFree(r->x));
    CHECK_CUDA(cudaFree(r->forces));
    CHECK_CUDA(cudaFree(r->totals));
    CHECK_CUDA(cudaStreamDestroy(r->stream));
}

static enuf_status enqueue(request *r, int add)
{
    enuf_ewald_result result = {
        .struct_size = sizeof result, .add = add, .forces = r->forces, .totals = r->totals};
    const enuf_status status = enuf_ewald_compute(r->ewald, r->x, 3, WANT_SUMS, &result);
    CHECK(result.energy == 0);
    return status;
}

static enuf_ewald_totals fetch(const request *r)
{
    enuf_ewald_totals totals;
    CHECK_CUDA(cudaStreamSynchronize(r->stream));
    CHECK_CUDA(cudaMemcpy(&totals, r->totals, sizeof totals, cudaMemcpyDeviceToHost));
    return totals;
}

/* All 16 numbers, against the result of the host times a factor. */
static void compare(const enuf_ewald_totals *got, const enuf_ewald_result *host, double times,
                    double rounding)
{
    const double *parts = &host->parts.real, *got_parts = &got->parts.real;
    double largest = 0;
    for (int k = 0; k < 6; k++) largest = fmax(largest, fabs(parts[k]));
    const double bound = times * rounding * largest;
    CHECK_BELOW(fabs(got->energy - times * host->energy), bound, "energy");
    for (int k = 0; k < 6; k++) CHECK_BELOW(fabs(got_parts[k] - times * parts[k]), bound, "part");
    for (int c = 0; c < 6; c++)
        CHECK_BELOW(fabs(got->virial[c] - times * host->virial[c]), bound, "virial");
    for (int d = 0; d < 3; d++)
        CHECK_BELOW(fabs(got->net_force[d] - times * host->net_force[d]), bound, "net force");
}

static void same_as_host(const enuf_ewald_options *options, const charge_system *s,
                         const enuf_exclusions *x, double rounding)
{
    request r = make(options, s, x);
    enuf_ewald_result host = {.struct_size = sizeof host, .forces = r.forces};
    CHECK_STATUS(enuf_ewald_compute(r.ewald, r.x, 3, WANT_SUMS, &host), ENUF_SUCCESS);
    for (int k = 0; k < 4; k++) { /* replays */
        CHECK_STATUS(enqueue(&r, 0), ENUF_SUCCESS);
        const enuf_ewald_totals totals = fetch(&r);
        compare(&totals, &host, 1, rounding);
    }
    CHECK_STATUS(enqueue(&r, 1), ENUF_SUCCESS);
    const enuf_ewald_totals totals = fetch(&r);
    compare(&totals, &host, 2, rounding);
    CHECK_STATUS(enuf_ewald_check(r.ewald), ENUF_SUCCESS);
    destroy(&r);
}

static void all_systems(void)
{
    charge_system neutral = make_ions(51, 400, CELL_CUBIC, 0), charged = copy_system(&neutral);
    const int64_t pairs[] = {0, 1, 2, 3, 0, 3};
    const double weights[] = {0, 0.5, 0};
    const enuf_exclusions x = {3, pairs, weights};
    charged.q[9] += 3;
    for (int k = 0; k < 3; k++) {
        enuf_ewald_options options = options_for(1e-5, ENUF_SPLIT_AUTO);
        options.arithmetic = k == 1 ? ENUF_ARITHMETIC_MIXED : ENUF_ARITHMETIC_DOUBLE;
        options.deterministic = k == 2;
        options.coulomb = 332;
        const double rounding = k == 1 ? 1e-6 : 1e-12;
        same_as_host(&options, &neutral, NULL, rounding);
        same_as_host(&options, &charged, &x, rounding);
        options.slab = 3;
        same_as_host(&options, &charged, &x, rounding);
        options.slab = 0;
        options.surroundings = 1;
        same_as_host(&options, &neutral, &x, rounding);
    }
    const enuf_ewald_options options = options_for(1e-5, ENUF_SPLIT_AUTO);
    charged.n = 0;
    same_as_host(&options, &charged, NULL, 0);
    charged.n = 400;
    memset(charged.q, 0, 400 * sizeof *charged.q);
    same_as_host(&options, &charged, NULL, 0);
    free_system(&charged);
    free_system(&neutral);
}

static void put_position(request *r, int64_t atom, const double x[3])
{
    CHECK_CUDA(
        cudaMemcpyAsync(r->x + 3 * atom, x, 3 * sizeof *x, cudaMemcpyHostToDevice, r->stream));
    CHECK_CUDA(cudaStreamSynchronize(r->stream));
}

static void errors(void)
{
    charge_system s = make_ions(52, 300, CELL_CUBIC, 0);
    const enuf_ewald_options options = options_for(1e-5, ENUF_SPLIT_AUTO);
    const double nowhere[3] = {0, NAN, 0};
    request r = make(&options, &s, NULL);
    for (int k = 0; k < 3; k++) CHECK_STATUS(enqueue(&r, 0), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_check(r.ewald), ENUF_SUCCESS);
    const enuf_ewald_totals before = fetch(&r);

    put_position(&r, 17, nowhere);
    CHECK_STATUS(enqueue(&r, 0), ENUF_SUCCESS);
    const enuf_ewald_totals after = fetch(&r);
    CHECK(memcmp(&after, &before, sizeof after) == 0);
    put_position(&r, 17, s.x + 3 * 17);
    for (int k = 0; k < 2; k++) CHECK_STATUS(enqueue(&r, 0), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_check(r.ewald), ENUF_NOT_FINITE);
    CHECK_TEXT("position of atom 17 is (0, nan, 0)");
    CHECK_TEXT("it was evaluation 1 of the 3 since the last check");
    CHECK_STATUS(enuf_ewald_check(r.ewald), ENUF_SUCCESS);

    /* a second derivative in between neither reports that error nor takes it away */
    put_position(&r, 17, nowhere);
    CHECK_STATUS(enqueue(&r, 0), ENUF_SUCCESS);
    put_position(&r, 17, s.x + 3 * 17);
    const enuf_ewald_direction direction = {.struct_size = sizeof direction, .positions = r.x};
    enuf_ewald_slopes slopes = {.struct_size = sizeof slopes};
    for (int k = 0; k < 2; k++)
        CHECK_STATUS(
            enuf_ewald_differentiate(r.ewald, r.x, 3, &direction, ENUF_WANT_ENERGY, &slopes),
            ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_check(r.ewald), ENUF_NOT_FINITE);
    CHECK_TEXT("position of atom 17 is (0, nan, 0)");
    CHECK_STATUS(enuf_ewald_check(r.ewald), ENUF_SUCCESS);

    put_position(&r, 17, s.x + 3 * 40);
    for (int k = 0; k < 2; k++) CHECK_STATUS(enqueue(&r, 0), ENUF_SUCCESS);
    CHECK(enuf_ewald_check(r.ewald) != ENUF_SUCCESS);
    CHECK_STATUS(enqueue(&r, 0), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_check(r.ewald), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("atoms 17 and 40 are at the same place, or at its images");
    put_position(&r, 17, s.x + 3 * 17);
    CHECK_STATUS(enqueue(&r, 0), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_check(r.ewald), ENUF_SUCCESS);

    enuf_ewald_totals here;
    enuf_ewald_result result = {.struct_size = sizeof result, .forces = r.forces, .totals = &here};
    CHECK_STATUS(enuf_ewald_compute(r.ewald, r.x, 3, WANT_SUMS, &result), ENUF_BAD_MEMORY);
    CHECK_TEXT("result->totals lives in host memory");
    destroy(&r);
    free_system(&s);
}

/* Charges and evaluation are enqueued while the stream is held; charges five times as large need
 * other parameters. */
static void charges(void)
{
    charge_system s = make_ions(53, 300, CELL_CUBIC, 0);
    enuf_ewald_options options = options_for(0, ENUF_SPLIT_GAUSSIAN);
    options.force_error = 1e-5;
    options.arithmetic = ENUF_ARITHMETIC_DOUBLE;
    request r = make(&options, &s, NULL);
    for (int64_t i = 0; i < s.n; i++) s.q[i] *= 5;
    double *large = device_copy(s.n, s.q);
    for (int k = 0; k < 4; k++) CHECK_STATUS(enqueue(&r, 0), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_check(r.ewald), ENUF_SUCCESS);
    gate g;
    gate_hold(&g, r.stream);
    CHECK_STATUS(enuf_ewald_set_charges(r.ewald, s.n, large, NULL), ENUF_SUCCESS);
    CHECK_STATUS(enqueue(&r, 0), ENUF_SUCCESS);
    CHECK_STATUS(enqueue(&r, 0), ENUF_SUCCESS);
    CHECK(!gate_passed(&g));
    gate_open(&g);
    CHECK_STATUS(enuf_ewald_check(r.ewald), ENUF_UNREACHABLE_ACCURACY);
    CHECK_TEXT("the parameters of 2 of the 2 evaluations");
    CHECK(!gate_was_late(&g));
    CHECK_STATUS(enqueue(&r, 0), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_check(r.ewald), ENUF_SUCCESS);
    const enuf_ewald_totals totals = fetch(&r);
    enuf_ewald_result expected = evaluate_exactly(&options, &s, NULL);
    CHECK_CLOSE(totals.energy, expected.energy, 1e-4, "energy, exact sums");
    free_result(&expected);
    CHECK_CUDA(cudaFree(large));
    destroy(&r);
    free_system(&s);
}

int main(void)
{
    const char *reason = "";
    if (!enuf_backend_usable(ENUF_BACKEND_CUDA, &reason)) return check_skip(reason);
    all_systems();
    errors();
    charges();
    return check_result();
}
