/*
 * test_ewald_replay.c - repeated evaluations, which the GPU replays as a CUDA graph. In 60 steps
 * positions, arrays, wanted results, parts of the sum, cell and charges change, and invalid
 * positions come between. Each evaluation has the results of a fresh object with the same
 * parameters. 400 and 401 random ions. Bounds: 1e-11 in double, 2e-5 in mixed arithmetic, 1e-9 for
 * deterministic sums. SPDX-License-Identifier: BSD-3-Clause
 */
#include "systems.h"
#include "to_device.h"

#include <cuda_runtime_api.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SETS = 2, STEPS = 60 };

typedef enuf_status (*evaluation)(enuf_ewald *, const double *, int64_t, int, enuf_ewald_result *);

/* Requests of a host, one after the other, and how often each is repeated. */
static const struct {
    evaluation evaluate;
    int wanted, repeats;
} turns[] = {
    {enuf_ewald_compute, ENUF_WANT_FORCES, 4},
    {enuf_ewald_compute, WANT_SUMS, 1},
    {enuf_ewald_compute, ENUF_WANT_FORCES, 3},
    {enuf_ewald_compute, WANT_SUMS, 3},
    {enuf_ewald_real, WANT_SUMS, 3},
    {enuf_ewald_reciprocal, WANT_SUMS, 3},
    {enuf_ewald_compute, ENUF_WANT_ENERGY, 3},
    {enuf_ewald_compute, ENUF_WANT_FORCES | ENUF_WANT_POTENTIAL, 3},
};
enum { TURNS = sizeof turns / sizeof turns[0] };

typedef struct run {
    charge_system s;
    enuf_ewald_options options;
    double *x[SETS], *forces[SETS], *potential; /* on the device */
    int64_t stride;
    cudaStream_t stream;
} run;

static double *device_array(int64_t n)
{
    void *array = NULL;
    CHECK_CUDA(cudaMalloc(&array, (size_t)n * sizeof(double)));
    return array;
}

static void move_ions(run *r, int set, int step)
{
    for (int64_t k = 0; k < 3 * r->s.n; k++)
        r->s.x[k] += 1e-2 * sin((double)(k % 1009) + 7.0 * step);
    CHECK_CUDA(cudaMemcpy2DAsync(r->x[set], (size_t)r->stride * sizeof(double), r->s.x,
                                 3 * sizeof(double), 3 * sizeof(double), (size_t)r->s.n,
                                 cudaMemcpyHostToDevice, r->stream));
}

static void evaluate_into(run *r, enuf_ewald *ewald, int set, int turn, enuf_ewald_result *host)
{
    enuf_ewald_result device = *host;
    const size_t vectors = (size_t)r->s.n * 3 * sizeof(double);
    device.forces = r->forces[set];
    device.potential = r->potential;
    CHECK_CUDA(cudaMemset(r->forces[set], 0, vectors));
    CHECK_STATUS(turns[turn].evaluate(ewald, r->x[set], r->stride, turns[turn].wanted, &device),
                 ENUF_SUCCESS);
    CHECK_CUDA(cudaMemcpy(host->forces, r->forces[set], vectors, cudaMemcpyDeviceToHost));
    host->energy = device.energy;
    memcpy(host->virial, device.virial, sizeof host->virial);
}

/* Compares an evaluation with that of a fresh object with the same parameters. */
static void check_step(run *r, enuf_ewald *ewald, int set, int turn, double rounding)
{
    enuf_ewald_result got = make_result(r->s.n), expected = make_result(r->s.n);
    evaluate_into(r, ewald, set, turn, &got);
    enuf_ewald_report in_use = {.struct_size = sizeof in_use};
    CHECK_STATUS(enuf_ewald_get_report(ewald, &in_use), ENUF_SUCCESS);
    enuf_ewald_options options = r->options;
    options.split = in_use.split;
    options.cutoff = in_use.cutoff;
    options.alpha = in_use.alpha;
    options.c = in_use.c;
    options.kmax = in_use.kmax;
    options.width = in_use.width;
    options.shape = in_use.shape;
    memcpy(options.grid, in_use.grid, sizeof options.grid);
    enuf_ewald *fresh = make_ewald(&options, &r->s, NULL);
    CHECK_STATUS(enuf_ewald_set_cell(fresh, in_use.basis), ENUF_SUCCESS); /* of the grid */
    evaluate_into(r, fresh, set, turn, &expected);
    const int64_t n = r->s.n;
    const double size = rms_difference(n, expected.forces, NULL) + 1e-300;
    CHECK_BELOW(rms_difference(n, got.forces, expected.forces) / size, rounding, "forces");
    CHECK_BELOW(fabs(got.energy - expected.energy), rounding * fabs(expected.energy) + 1e-300,
                "energy");
    CHECK_BELOW(largest_difference(6, got.virial, expected.virial),
                rounding * (fabs(expected.energy) + 1e-300), "virial");
    enuf_ewald_destroy(&fresh);
    free_result(&got);
    free_result(&expected);
}

/* A position of NaN between replays is an error. It does not affect later evaluations. */
static void bad_position(run *r, enuf_ewald *ewald, int set)
{
    const double nowhere = NAN;
    double *at = r->x[set] + 17 * r->stride;
    enuf_ewald_result result = {.struct_size = sizeof result, .forces = r->forces[set]};
    CHECK_CUDA(to_device(at, &nowhere, sizeof nowhere));
    CHECK_STATUS(enuf_ewald_compute(ewald, r->x[set], r->stride, ENUF_WANT_FORCES, &result),
                 ENUF_NOT_FINITE);
    CHECK_TEXT("atom 17");
}

/* Two charges at one place between replays are an error. */
static void same_place(run *r, enuf_ewald *ewald, int set)
{
    enuf_ewald_result result = {.struct_size = sizeof result, .forces = r->forces[set]};
    move_ions(r, set, 0);
    CHECK_CUDA(cudaMemcpy(r->x[set] + 17 * r->stride, r->x[set] + 5 * r->stride, 3 * sizeof(double),
                          cudaMemcpyDeviceToDevice));
    CHECK_STATUS(enuf_ewald_compute(ewald, r->x[set], r->stride, ENUF_WANT_FORCES, &result),
                 ENUF_BAD_ARGUMENT);
    CHECK_TEXT("atoms 5 and 17");
}

static void change(run *r, enuf_ewald *ewald, int step)
{
    if (step % 20 == 13) { /* the box changes by 0.4 % */
        for (int k = 0; k < 9; k++) r->s.cell[k] *= 1.004;
        CHECK_STATUS(enuf_ewald_set_cell(ewald, r->s.cell), ENUF_SUCCESS);
    }
    if (step % 20 == 17) {
        for (int64_t i = 0; i < r->s.n; i++) r->s.q[i] = -r->s.q[i] * (i % 3 ? 1 : 0.9);
        CHECK_STATUS(enuf_ewald_set_charges(ewald, r->s.n, r->s.q, NULL), ENUF_SUCCESS);
    }
}

static void replay(int64_t n, enuf_arithmetic arithmetic, int deterministic, double rounding)
{
    run r = {.s = make_ions(77, n, CELL_TRICLINIC, 0),
             .options = options_for(1e-5, ENUF_SPLIT_PROLATE),
             .stride = n % 2 ? 5 : 3};
    CHECK_CUDA(cudaStreamCreate(&r.stream));
    r.options.backend = ENUF_BACKEND_CUDA;
    r.options.memory = ENUF_DEVICE;
    r.options.arithmetic = arithmetic;
    r.options.deterministic = deterministic;
    r.options.stream = r.stream;
    for (int k = 0; k < SETS; k++) {
        r.x[k] = device_array(n * r.stride);
        r.forces[k] = device_array(3 * n);
    }
    r.potential = device_array(n);
    enuf_ewald *ewald = make_ewald(&r.options, &r.s, NULL);
    for (int step = 0, turn = 0, repeats = 0; step < STEPS && ewald; step++) {
        const int set = step / 5 % SETS;
        change(&r, ewald, step);
        move_ions(&r, set, step);
        check_step(&r, ewald, set, turn, rounding);
        if (step % 20 == 9) bad_position(&r, ewald, set);
        if (step % 20 == 10) same_place(&r, ewald, set);
        if (++repeats < turns[turn].repeats) continue;
        turn = (turn + 1) % TURNS;
        repeats = 0;
    }
    enuf_ewald_destroy(&ewald);
    for (int k = 0; k < SETS; k++) {
        CHECK_CUDA(cudaFree(r.x[k]));
        CHECK_CUDA(cudaFree(r.forces[k]));
    }
    CHECK_CUDA(cudaFree(r.potential));
    CHECK_CUDA(cudaStreamDestroy(r.stream));
    free_system(&r.s);
}

int main(void)
{
    const char *reason;
    if (!enuf_backend_usable(ENUF_BACKEND_CUDA, &reason)) {
        printf("no GPU: %s\n", reason);
        return 77;
    }
    replay(400, ENUF_ARITHMETIC_DOUBLE, 0, 1e-11);
    replay(401, ENUF_ARITHMETIC_MIXED, 0, 2e-5);
    replay(400, ENUF_ARITHMETIC_DOUBLE, 1, 1e-9);
    return check_result();
}
