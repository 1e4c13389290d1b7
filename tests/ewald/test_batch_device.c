/*
 * test_batch_device.c - batches with arrays in device memory and a stream of the caller.
 *
 *   - Enqueued without waiting, with new cells in between, they give the results of the CPU: 1e-13
 *     in double, 2e-6 in mixed arithmetic; one block or several for a system.
 *   - Bits repeat.
 *   - check() reports errors of the data, once, by system and atom; the results of that system are
 *     not finite, and those of others are right.
 *   - Pointers to the wrong memory are refused. Every allocation may fail.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "batch_systems.h"
#include "memory.h"
#include "to_device.h"

#include <cuda_runtime_api.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double ROUNDING = 1e-13, FLOAT_ROUNDING = 2e-6;

/* ---- Arrays on the GPU ---- */

static void *on_device(int64_t n, const double *from)
{
    void *array = NULL;
    CHECK_CUDA(cudaMalloc(&array, (size_t)n * sizeof *from));
    CHECK_CUDA(to_device(array, from, (size_t)n * sizeof *from));
    return array;
}

static void fetch(int64_t n, const void *from, double *to)
{
    CHECK_CUDA(cudaMemcpy(to, from, (size_t)n * sizeof *to, cudaMemcpyDeviceToHost));
}

typedef struct device_batch {
    const system_batch *host;
    double *x, *q;
    batch_results results; /* on the device */
    enuf_ewald_batch *object;
} device_batch;

static device_batch make_device(const enuf_ewald_batch_options *options, const system_batch *host)
{
    batch_results zeros = make_batch_results(host);
    device_batch d = {.host = host,
                      .x = on_device(3 * host->atoms, host->x),
                      .q = on_device(host->atoms, host->q)};
    d.results.energies = on_device(host->n, zeros.energies);
    d.results.forces = on_device(3 * host->atoms, zeros.forces);
    d.results.potentials = on_device(host->atoms, zeros.potentials);
    d.results.virials = on_device(6 * host->n, zeros.virials);
    free_batch_results(&zeros);
    CHECK_STATUS(enuf_ewald_batch_create(options, &d.object), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_batch_set_systems(d.object, host->n, host->offsets, host->cells),
                 ENUF_SUCCESS);
    return d;
}

static void free_device(device_batch *d)
{
    void *const arrays[] = {d->x,
                            d->q,
                            d->results.energies,
                            d->results.forces,
                            d->results.potentials,
                            d->results.virials};
    enuf_ewald_batch_destroy(&d->object);
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) CHECK_CUDA(cudaFree(arrays[k]));
}

static enuf_status compute(const device_batch *d)
{
    const batch_results *r = &d->results;
    return enuf_ewald_batch_compute(d->object, d->x, 3, d->q, r->energies, r->forces, r->potentials,
                                    r->virials);
}

static batch_results results_of(const device_batch *d)
{
    batch_results r = make_batch_results(d->host);
    fetch(d->host->n, d->results.energies, r.energies);
    fetch(3 * d->host->atoms, d->results.forces, r.forces);
    fetch(d->host->atoms, d->results.potentials, r.potentials);
    fetch(6 * d->host->n, d->results.virials, r.virials);
    return r;
}

static enuf_ewald_batch_options device_options(cudaStream_t stream)
{
    enuf_ewald_batch_options options;
    enuf_ewald_batch_options_init(&options);
    options.backend = ENUF_BACKEND_CUDA;
    options.memory = ENUF_DEVICE;
    options.stream = stream;
    return options;
}

static batch_results on_cpu(enuf_ewald_batch_options options, const system_batch *batch)
{
    options.backend = ENUF_BACKEND_CPU;
    options.memory = ENUF_HOST;
    options.stream = NULL;
    return compute_batch(&options, batch);
}

/* ---- Results ---- */

static void agrees(const char *name, const device_batch *d, const enuf_ewald_batch_options *options,
                   double bound)
{
    batch_results found = results_of(d), right = on_cpu(*options, d->host);
    const batch_differences differences = compare_batch(options->coulomb, d->host, &found, &right);
    check_batch(name, &differences, bound);
    free_batch_results(&found);
    free_batch_results(&right);
}

/* Two calls without waiting, the second with the right cells; then the first again. */
static void without_waiting(const char *name, enuf_ewald_batch_options options, system_batch batch,
                            double bound)
{
    device_batch d = make_device(&options, &batch);
    double *larger = malloc((size_t)(9 * batch.n) * sizeof *larger);
    if (!larger) abort();
    for (int64_t k = 0; k < 9 * batch.n; k++) larger[k] = 1.25 * batch.cells[k];
    for (int turn = 0; turn < 3; turn++) {
        CHECK_STATUS(enuf_ewald_batch_set_cells(d.object, larger), ENUF_SUCCESS);
        CHECK_STATUS(compute(&d), ENUF_SUCCESS);
        CHECK_STATUS(enuf_ewald_batch_set_cells(d.object, batch.cells), ENUF_SUCCESS);
        CHECK_STATUS(compute(&d), ENUF_SUCCESS);
    }
    CHECK_STATUS(enuf_ewald_batch_check(d.object, NULL), ENUF_SUCCESS);
    agrees(name, &d, &options, bound);
    free(larger);
    free_device(&d);
    free_batch(&batch);
}

static system_batch one_system(uint64_t seed, int64_t n)
{
    charge_system system = make_ions(seed, n, CELL_TRICLINIC, 1);
    return join_systems(1, &system);
}

static void every_batch(cudaStream_t stream)
{
    enuf_ewald_batch_options options = device_options(stream);
    for (int mixed = 0; mixed < 2; mixed++) {
        const double bound = mixed ? FLOAT_ROUNDING : ROUNDING;
        options.arithmetic = mixed ? ENUF_ARITHMETIC_MIXED : ENUF_ARITHMETIC_DOUBLE;
        without_waiting("12 systems, several blocks each", options, mixed_batch(501, 12), bound);
        without_waiting("1000 systems, one block each", options, mixed_batch(502, 1000), bound);
        without_waiting("400 ions, several chunks", options, one_system(503, 400), bound);
        without_waiting("one ion", options, one_system(504, 1), bound);
    }
    options = device_options(stream);
    options.surroundings = 4.5;
    charge_system systems[2] = {make_ions(505, 30, CELL_THIN, 0),
                                make_ions(506, 50, CELL_CUBIC, 0)};
    without_waiting("boundary dielectric", options, join_systems(2, systems), ROUNDING);
    options = device_options(stream);
    options.tolerance = 1e-4;
    without_waiting("tolerance 1e-4", options, mixed_batch(507, 20), 1e-4);
}

static void bits_repeat(cudaStream_t stream)
{
    const enuf_ewald_batch_options options = device_options(stream);
    system_batch batch = mixed_batch(510, 40);
    device_batch d = make_device(&options, &batch);
    CHECK_STATUS(compute(&d), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_batch_check(d.object, NULL), ENUF_SUCCESS);
    batch_results first = results_of(&d);
    for (int turn = 0; turn < 5; turn++) {
        CHECK_STATUS(compute(&d), ENUF_SUCCESS);
        CHECK_STATUS(enuf_ewald_batch_check(d.object, NULL), ENUF_SUCCESS);
        batch_results again = results_of(&d);
        CHECK(memcmp(first.energies, again.energies, (size_t)batch.n * 8) == 0);
        CHECK(memcmp(first.forces, again.forces, (size_t)batch.atoms * 24) == 0);
        CHECK(memcmp(first.potentials, again.potentials, (size_t)batch.atoms * 8) == 0);
        CHECK(memcmp(first.virials, again.virials, (size_t)batch.n * 48) == 0);
        free_batch_results(&again);
    }
    free_batch_results(&first);
    free_device(&d);
    free_batch(&batch);
}

/* ---- Errors ---- */

static void put(double *array, int64_t at, double value)
{
    CHECK_CUDA(to_device(array + at, &value, sizeof value));
}

/* The calls return success, check() the error; system 2 alone has no results. */
static void reports(const device_batch *d, enuf_status status, const char *text)
{
    int64_t system;
    CHECK_STATUS(compute(d), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_batch_check(d->object, &system), status);
    CHECK_TEXT(text);
    CHECK(system == 2);
    batch_results r = results_of(d);
    for (int64_t s = 0; s < d->host->n; s++) CHECK(isfinite(r.energies[s]) == (s != 2));
    CHECK(!isfinite(r.virials[12]));
    free_batch_results(&r);
    CHECK_CUDA(to_device(d->x, d->host->x, (size_t)d->host->atoms * 24));
    CHECK_CUDA(to_device(d->q, d->host->q, (size_t)d->host->atoms * 8));
    CHECK_STATUS(compute(d), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_batch_check(d->object, &system), ENUF_SUCCESS);
    CHECK(system == -1);
}

static void errors_of_data(cudaStream_t stream)
{
    enuf_ewald_batch_options options = device_options(stream);
    charge_system systems[4];
    for (int s = 0; s < 4; s++) systems[s] = make_ions(520 + (uint64_t)s, 10, CELL_THIN, 0);
    system_batch batch = join_systems(4, systems);
    for (int turn = 0; turn < 2; turn++) { /* with host memory the CPU's tests see these */
        device_batch d = make_device(&options, &batch);
        put(d.x, 3 * 25 + 1, NAN);
        reports(&d, ENUF_NOT_FINITE, "system 2, atom 5: a coordinate is NaN or infinite");
        put(d.q, 27, INFINITY);
        reports(&d, ENUF_NOT_FINITE, "system 2, atom 7: charges[27] is NaN or infinite");
        for (int a = 0; a < 3; a++) put(d.x, 3 * 28 + a, batch.x[3 * 21 + a]);
        reports(&d, ENUF_BAD_ARGUMENT, "system 2: atoms 1 and 8 lie at the same place");
        put(d.x, 0, NAN);
        CHECK_STATUS(compute(&d), ENUF_SUCCESS);
        CHECK_STATUS(enuf_ewald_batch_set_systems(d.object, 1, (int64_t[]){0, 40}, batch.cells),
                     ENUF_SUCCESS);
        int64_t system;
        CHECK_STATUS(enuf_ewald_batch_check(d.object, &system), ENUF_NOT_FINITE);
        CHECK_TEXT("of a call before the last enuf_ewald_batch_set_systems()");
        CHECK(system == -1);
        free_device(&d);
        options.arithmetic = ENUF_ARITHMETIC_MIXED;
    }
    options.surroundings = 1;
    device_batch d = make_device(&options, &batch);
    put(d.q, 20, 3);
    int64_t system;
    CHECK_STATUS(compute(&d), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_batch_check(d.object, &system), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("system 2 has a net charge");
    CHECK(system == 2);
    free_device(&d);
    free_batch(&batch);
}

static void wrong_memory(cudaStream_t stream)
{
    enuf_ewald_batch_options options = device_options(stream);
    system_batch batch = mixed_batch(530, 2);
    device_batch d = make_device(&options, &batch);
    CHECK_STATUS(
        enuf_ewald_batch_compute(d.object, batch.x, 3, d.q, d.results.energies, NULL, NULL, NULL),
        ENUF_BAD_MEMORY);
    CHECK_TEXT("positions lives in host memory");
    CHECK_STATUS(enuf_ewald_batch_compute(d.object, d.x, 3, d.q, NULL, NULL, NULL, batch.x),
                 ENUF_BAD_MEMORY);
    CHECK_TEXT("virials lives in host memory");
    free_device(&d);
    options.memory = ENUF_HOST;
    d = make_device(&options, &batch);
    CHECK_STATUS(compute(&d), ENUF_BAD_MEMORY);
    free_device(&d);
    free_batch(&batch);
}

static enuf_status whole_run(const enuf_ewald_batch_options *options, const system_batch *batch,
                             batch_results *r)
{
    enuf_ewald_batch *object;
    enuf_status status = enuf_ewald_batch_create(options, &object);
    if (status == ENUF_SUCCESS)
        status = enuf_ewald_batch_set_systems(object, batch->n, batch->offsets, batch->cells);
    if (status == ENUF_SUCCESS)
        status = enuf_ewald_batch_compute(object, batch->x, 3, batch->q, r->energies, r->forces,
                                          r->potentials, r->virials);
    enuf_ewald_batch_destroy(&object);
    return status;
}

static void every_allocation_may_fail(cudaStream_t stream)
{
    enuf_ewald_batch_options options = device_options(stream);
    options.memory = ENUF_HOST;
    system_batch batch = mixed_batch(540, 3);
    batch_results r = make_batch_results(&batch);
    int failures = 0;
    for (enuf_status status = ENUF_OUT_OF_MEMORY; status != ENUF_SUCCESS && failures < 100;) {
        enuf_fail_allocation(failures + 1);
        status = whole_run(&options, &batch, &r);
        enuf_fail_allocation(0);
        CHECK(status == ENUF_OUT_OF_MEMORY || status == ENUF_SUCCESS);
        failures += status != ENUF_SUCCESS;
    }
    printf("%d allocations failed\n", failures);
    CHECK(failures > 8 && failures < 100);
    free_batch_results(&r);
    free_batch(&batch);
}

/* Systems that get no room leave the earlier ones. */
static void earlier_systems_stay(cudaStream_t stream)
{
    const enuf_ewald_batch_options options = device_options(stream);
    system_batch batch = mixed_batch(550, 3), larger = mixed_batch(551, 200);
    for (int k = 1; k < 8; k++) {
        device_batch d = make_device(&options, &batch);
        enuf_fail_allocation(k);
        const enuf_status status =
            enuf_ewald_batch_set_systems(d.object, larger.n, larger.offsets, larger.cells);
        enuf_fail_allocation(0);
        CHECK(status == ENUF_OUT_OF_MEMORY || k > 3);
        if (status == ENUF_OUT_OF_MEMORY) {
            CHECK_STATUS(compute(&d), ENUF_SUCCESS);
            CHECK_STATUS(enuf_ewald_batch_check(d.object, NULL), ENUF_SUCCESS);
            agrees("earlier systems", &d, &options, ROUNDING);
        }
        free_device(&d);
    }
    free_batch(&batch);
    free_batch(&larger);
}

int main(void)
{
    const char *reason = "";
    cudaStream_t stream;
    if (!enuf_backend_usable(ENUF_BACKEND_CUDA, &reason)) return check_skip(reason);
    printf("%s\n", reason);
    CHECK_CUDA(cudaStreamCreate(&stream));
    every_batch(stream);
    bits_repeat(stream);
    errors_of_data(stream);
    wrong_memory(stream);
    every_allocation_may_fail(stream);
    earlier_systems_stay(stream);
    CHECK_CUDA(cudaStreamDestroy(stream));
    return check_result();
}
