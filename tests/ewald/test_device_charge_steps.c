/*
 * test_device_charge_steps.c - charges in the memory of the GPU that are set again. Nobody waits
 * for their sums, which come with the next result. It is that of an object with host charges and
 * the same past, to rounding (1e-11): with charges in another order, where the GPU replays the
 * evaluation; with a net charge; where the charges need other parameters; and where none is
 * charged. Errors of the charges are errors of the next result. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#include "charge_checks.h"
#include "device_object.h"

#include <math.h>
#include <string.h>

enum { PAIRS = 40 };

/* Two objects with the same past, one with host charges and exclusions, one with those of the
 * device. */
typedef struct twins {
    charge_system s;
    int64_t pairs[2 * PAIRS];
    enuf_ewald *host, *device;
    double *x, *q, *forces, *potential; /* on the device, at one place for all steps */
    int64_t *device_pairs;
    cudaStream_t stream;
} twins;

static twins make_twins(const enuf_ewald_options *options, const charge_system *s)
{
    twins t = {.s = copy_system(s)};
    enuf_ewald_options on_stream = *options;
    CHECK_CUDA(cudaStreamCreateWithFlags(&t.stream, cudaStreamNonBlocking));
    on_stream.stream = t.stream;
    on_stream.arithmetic = ENUF_ARITHMETIC_DOUBLE;
    t.host = device_object(&on_stream, s);
    t.device = device_object(&on_stream, s);
    t.x = device_copy(3 * s->n, s->x);
    t.forces = device_copy(3 * s->n, s->x);
    t.q = device_copy(s->n, s->q);
    t.potential = device_copy(s->n, s->q);
    for (int64_t e = 0; e < 2 * PAIRS; e++) t.pairs[e] = 3 * e;
    t.device_pairs = device_copy(2 * PAIRS, t.pairs);
    return t;
}

static void free_twins(twins *t)
{
    double *arrays[] = {t->x, t->q, t->forces, t->potential};
    enuf_ewald_destroy(&t->host);
    enuf_ewald_destroy(&t->device);
    for (int k = 0; k < 4; k++) CHECK_CUDA(cudaFree(arrays[k]));
    CHECK_CUDA(cudaFree(t->device_pairs));
    CHECK_CUDA(cudaStreamDestroy(t->stream));
    free_system(&t->s);
}

static void reverse(twins *t)
{
    reverse_atoms(&t->s);
    for (int e = 0; e < 2 * PAIRS; e++) t->pairs[e] = t->s.n - 1 - t->pairs[e];
}

static enuf_status set_here(twins *t)
{
    const enuf_exclusions x = {PAIRS, t->device_pairs, NULL};
    CHECK_CUDA(cudaMemcpyAsync(t->device_pairs, t->pairs, sizeof t->pairs, cudaMemcpyHostToDevice,
                               t->stream));
    CHECK_CUDA(cudaMemcpyAsync(t->q, t->s.q, (size_t)t->s.n * sizeof(double),
                               cudaMemcpyHostToDevice, t->stream));
    return enuf_ewald_set_charges(t->device, t->s.n, t->q, &x);
}

static enuf_status compute_here(twins *t, enuf_ewald *ewald, enuf_ewald_result *result)
{
    const int wanted = WANT_SUMS | ENUF_WANT_POTENTIAL;
    const int64_t n = t->s.n;
    enuf_ewald_result there = {
        .struct_size = sizeof there, .forces = t->forces, .potential = t->potential};
    CHECK_CUDA(cudaMemcpyAsync(t->x, t->s.x, 3 * (size_t)n * sizeof(double), cudaMemcpyHostToDevice,
                               t->stream));
    const enuf_status status = enuf_ewald_compute(ewald, t->x, 3, wanted, &there);
    CHECK_CUDA(cudaMemcpy(result->forces, t->forces, 3 * (size_t)n * sizeof(double),
                          cudaMemcpyDeviceToHost));
    CHECK_CUDA(cudaMemcpy(result->potential, t->potential, (size_t)n * sizeof(double),
                          cudaMemcpyDeviceToHost));
    result->energy = there.energy;
    result->parts = there.parts;
    memcpy(result->virial, there.virial, sizeof result->virial);
    return status;
}

/* chooses: the step needs other parameters */
static void check_step(twins *t, int chooses)
{
    const int64_t n = t->s.n, choices = t->device->choices;
    enuf_ewald_result got = make_result(n), expected = make_result(n);
    const enuf_exclusions x = {PAIRS, t->pairs, NULL};
    CHECK_STATUS(enuf_ewald_set_charges(t->host, n, t->s.q, &x), ENUF_SUCCESS);
    CHECK_STATUS(compute_here(t, t->host, &expected), ENUF_SUCCESS);
    CHECK_STATUS(set_here(t), ENUF_SUCCESS);
    CHECK_STATUS(compute_here(t, t->device, &got), ENUF_SUCCESS);
    CHECK((t->device->choices > choices) == chooses);
    CHECK(!t->device->sums_pending);
    check_same_sums(&t->device->charges, &t->host->charges);
    CHECK(t->device->method.parameters.splitting.cutoff ==
          t->host->method.parameters.splitting.cutoff);
    const double size = rms_difference(n, expected.forces, NULL) + 1e-300;
    const double potential = largest_difference(n, expected.potential, got.potential);
    CHECK_BELOW(fabs(got.energy - expected.energy), 1e-11 * fabs(expected.energy), "energy");
    CHECK_BELOW(fabs(got.parts.background - expected.parts.background), 0, "background");
    CHECK_BELOW(largest_difference(6, got.virial, expected.virial), 1e-11 * fabs(expected.energy),
                "virial");
    CHECK_BELOW(rms_difference(n, got.forces, expected.forces) / size, 1e-11, "forces");
    CHECK_BELOW(potential, 1e-11 * fabs(expected.energy), "potential");
    free_result(&got);
    free_result(&expected);
}

static void sums_come_with_the_result(double slab)
{
    charge_system s = make_ions(36, 600, CELL_CUBIC, 0);
    enuf_ewald_options options = options_for(0, ENUF_SPLIT_GAUSSIAN);
    options.force_error = 1e-5;
    options.slab = slab;
    twins t = make_twins(&options, &s);
    check_step(&t, 1);
    for (int k = 0; k < 4; k++) { /* replays */
        reverse(&t);
        check_step(&t, 0);
    }
    for (int64_t i = 0; i < s.n; i++) t.s.q[i] = 1.0001 * t.s.q[i] + 1e-4; /* a net charge */
    check_step(&t, 0);
    for (int64_t i = 0; i < s.n; i++) t.s.q[i] *= 4; /* the error asked for is absolute */
    check_step(&t, 1);
    for (int64_t i = 0; i < s.n / 2; i++) t.s.q[i] = 0;
    check_step(&t, 1);
    memset(t.s.q, 0, (size_t)s.n * sizeof *t.s.q);
    check_step(&t, 0);
    memcpy(t.s.q, s.q, (size_t)s.n * sizeof *s.q);
    check_step(&t, 1);
    free_twins(&t);
    free_system(&s);
}

/* set_charges() and begin() return while the stream is held. */
static void nobody_waits(void)
{
    charge_system s = make_ions(37, 300, CELL_CUBIC, 0);
    enuf_ewald_options options = options_for(1e-5, ENUF_SPLIT_AUTO);
    twins t = make_twins(&options, &s);
    /* two sets of lists take turns, and each is recorded the second time */
    for (int k = 0; k < 6; k++) check_step(&t, k == 0);
    gate g;
    enuf_ewald_result there = {
        .struct_size = sizeof there, .forces = t.forces, .potential = t.potential};
    gate_hold(&g, t.stream);
    const enuf_exclusions x = {PAIRS, t.device_pairs, NULL};
    CHECK_STATUS(enuf_ewald_set_charges(t.device, s.n, t.q, &x), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_begin(t.device, t.x, 3, WANT_SUMS | ENUF_WANT_POTENTIAL, &there),
                 ENUF_SUCCESS);
    CHECK(!gate_passed(&g));
    gate_open(&g);
    CHECK_STATUS(enuf_ewald_finish(t.device), ENUF_SUCCESS);
    CHECK(!gate_was_late(&g));
    CHECK(there.energy != 0);
    free_twins(&t);
    free_system(&s);
}

/* Refused charges and exclusions are an error of the next result. The object has no charges then.
 */
static void late_errors(void)
{
    charge_system s = make_ions(38, 300, CELL_CUBIC, 0);
    enuf_ewald_options options = options_for(1e-4, ENUF_SPLIT_AUTO);
    twins t = make_twins(&options, &s);
    enuf_ewald_result result = make_result(s.n);
    check_step(&t, 1);
    t.s.q[211] = NAN;
    CHECK_STATUS(set_here(&t), ENUF_SUCCESS);
    CHECK_STATUS(compute_here(&t, t.device, &result), ENUF_NOT_FINITE);
    CHECK_TEXT("enuf_ewald_compute: charges[211] is nan");
    CHECK_STATUS(compute_here(&t, t.device, &result), ENUF_NO_POINTS_SET);
    t.s.q[211] = s.q[211];
    check_step(&t, 0);
    const int64_t atom = t.pairs[5];
    t.pairs[5] = s.n;
    CHECK_STATUS(set_here(&t), ENUF_SUCCESS);
    CHECK_STATUS(compute_here(&t, t.device, &result), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("exclusion 2 is the pair (12, 300)");
    t.pairs[5] = atom;
    check_step(&t, 0);
    free_result(&result);
    free_twins(&t);
    free_system(&s);
}

int main(void)
{
    const char *reason = "";
    if (!enuf_backend_usable(ENUF_BACKEND_CUDA, &reason)) return check_skip(reason);
    sums_come_with_the_result(0);
    sums_come_with_the_result(3);
    nobody_waits();
    late_errors();
    return check_result();
}
