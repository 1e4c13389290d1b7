/*
 * gpu_work.c - one transform, one evaluation of Ewald forces, one product with vectors of charges
 * or one with the Hessian on the GPU between cudaProfilerStart and cudaProfilerStop, for
 * gpu_instructions.py, which counts its instructions, and for a profiler.
 *
 *   gpu_work nufft DIM TYPE POINTS MODES TOLERANCE [double]
 *   gpu_work ewald IONS ACCURACY mixed|double [energy]
 *   gpu_work apply IONS ACCURACY mixed|double VECTORS
 *   gpu_work slopes IONS ACCURACY mixed|double [virial]
 *
 * TYPE: 1, 2, or 3 for a type 2 with its gradient. Points are random in the period 1, in double;
 * modes are counted along an axis. Complex strengths in 1D and 2D, real ones in 3D; setting the
 * points counts too. Ewald: a salt (salt.h), ACCURACY is LAMMPS', cutoff 10, forces alone, or with
 * energy and virial. Apply, slopes: the relative accuracy of forces, and parameters of the object's
 * choice. Slopes: of energy, forces and potentials along positions, charges and cell, and of the
 * virial. Prints the number of points or of pairs, cells of the fine grid, and modes or ions, as
 * "items N cells N others N". SPDX-License-Identifier: BSD-3-Clause
 */
#include "arguments.h"
#include "salt.h"

#include "enuf/ewald.h"
#include "enuf/ewald_derivatives.h"
#include "enuf/nufft.h"

#include <cuda_profiler_api.h>
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char PROGRAM[] = "gpu_work";
static const double CUTOFF = 10;

static void must(enuf_status status)
{
    if (status != ENUF_SUCCESS) bench_die(PROGRAM, "%s", enuf_last_error());
}

static void *on_device(const void *from, size_t bytes)
{
    void *array;
    cudaError_t error = cudaMalloc(&array, bytes);
    if (error == cudaSuccess)
        error = from ? cudaMemcpy(array, from, bytes, cudaMemcpyHostToDevice)
                     : cudaMemset(array, 0, bytes);
    if (error != cudaSuccess) bench_die(PROGRAM, "%s", cudaGetErrorString(error));
    return array;
}

static double random_fraction(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-53;
}

static void start(void)
{
    cudaDeviceSynchronize();
    cudaProfilerStart();
}

static void stop(void)
{
    cudaDeviceSynchronize();
    cudaProfilerStop();
}

static void *random_numbers(size_t n, int is_float)
{
    uint64_t state = n;
    double *full = malloc(n * sizeof *full);
    float *single = malloc(n * sizeof *single);
    if (!full || !single) bench_die(PROGRAM, "not enough memory");
    for (size_t k = 0; k < n; k++) single[k] = (float)(full[k] = random_fraction(&state));
    void *array =
        is_float ? on_device(single, n * sizeof *single) : on_device(full, n * sizeof *full);
    free(full);
    free(single);
    return array;
}

static void transform(int argc, char **argv)
{
    if (argc < 7) bench_die(PROGRAM, "nufft DIM TYPE POINTS MODES TOLERANCE [double]");
    enuf_nufft_options o;
    enuf_nufft *plan;
    enuf_nufft_report report = {.struct_size = sizeof report};
    const int type = atoi(argv[3]), single = argc == 7;
    const int64_t n = strtoll(argv[4], NULL, 10), m = strtoll(argv[5], NULL, 10);
    enuf_nufft_options_init(&o);
    o.dim = atoi(argv[2]);
    int64_t modes = 1, cells = 1;
    for (int d = 0; d < o.dim; d++) {
        o.modes[d] = m;
        modes *= m;
    }
    o.tolerance = strtod(argv[6], NULL);
    o.precision = single ? ENUF_FLOAT : ENUF_DOUBLE;
    o.strengths = o.dim < 3 ? ENUF_COMPLEX_STRENGTHS : ENUF_REAL_STRENGTHS;
    o.gradients = type == 3;
    o.backend = ENUF_BACKEND_CUDA;
    o.memory = ENUF_DEVICE;
    must(enuf_nufft_create(&o, &plan));
    must(enuf_nufft_get_report(plan, &report));
    for (int d = 0; d < o.dim; d++) cells *= report.fine_grid[d];
    double *x[3];
    for (int d = 0; d < 3; d++) x[d] = random_numbers((size_t)(n + d), 0);
    void *strengths = random_numbers((size_t)(2 * n), single);
    void *spectrum = random_numbers((size_t)(2 * modes), single);
    void *gradients = random_numbers((size_t)(6 * n), single);
    for (int round = 0; round < 2; round++) {
        if (round == 1) start();
        must(enuf_nufft_set_points(plan, n, x[0], o.dim > 1 ? x[1] : NULL, o.dim > 2 ? x[2] : NULL,
                                   1));
        if (type == 1)
            must(enuf_nufft_type1(plan, strengths, spectrum));
        else
            must(enuf_nufft_type2(plan, spectrum, strengths, type == 3 ? gradients : NULL));
    }
    stop();
    must(enuf_nufft_check(plan, NULL));
    printf("items %lld cells %lld others %lld\n", (long long)n, (long long)cells, (long long)modes);
    enuf_nufft_destroy(&plan);
}

static void print_size(const enuf_ewald *ewald, int64_t items, int64_t ions)
{
    enuf_ewald_report report = {.struct_size = sizeof report};
    must(enuf_ewald_get_report(ewald, &report));
    printf("items %lld cells %lld others %lld\n", (long long)items,
           (long long)(report.grid[0] * report.grid[1] * report.grid[2]), (long long)ions);
}

static void evaluate(int argc, char **argv)
{
    if (argc < 5) bench_die(PROGRAM, "ewald IONS ACCURACY mixed|double [energy]");
    bench_salt salt = bench_salt_make(strtoll(argv[2], NULL, 10));
    const size_t vectors = (size_t)salt.n * 3 * sizeof(double);
    enuf_ewald_options o;
    enuf_ewald *ewald;
    enuf_ewald_options_init(&o);
    o.accuracy = 0;
    o.lammps_accuracy = strtod(argv[3], NULL);
    o.arithmetic = strcmp(argv[4], "double") == 0 ? ENUF_ARITHMETIC_DOUBLE : ENUF_ARITHMETIC_MIXED;
    o.cutoff = CUTOFF;
    o.backend = ENUF_BACKEND_CUDA;
    o.memory = ENUF_DEVICE;
    must(enuf_ewald_create(&o, &ewald));
    must(enuf_ewald_set_cell(ewald, salt.cell));
    must(enuf_ewald_set_charges(ewald, salt.n, salt.q, NULL));
    must(enuf_ewald_tune(ewald, NULL, 3));
    double *x = on_device(salt.x, vectors);
    enuf_ewald_result result = {.struct_size = sizeof result, .forces = on_device(NULL, vectors)};
    const int totals = ENUF_WANT_ENERGY | ENUF_WANT_VIRIAL, energy = argc > 5;
    /* the first evaluation has other results, so that the second is not one of a graph */
    must(enuf_ewald_compute(ewald, x, 3, ENUF_WANT_FORCES | (energy ? 0 : totals), &result));
    start();
    must(enuf_ewald_compute(ewald, x, 3, ENUF_WANT_FORCES | (energy ? totals : 0), &result));
    stop();
    print_size(ewald, bench_salt_pairs(&salt, CUTOFF), salt.n);
    enuf_ewald_destroy(&ewald);
    bench_salt_free(&salt);
}

/* An object with the salt's cell and charges, of the accuracy and arithmetic of argv. */
static enuf_ewald *object_of(const bench_salt *salt, char **argv)
{
    enuf_ewald_options o;
    enuf_ewald *ewald;
    enuf_ewald_options_init(&o);
    o.accuracy = strtod(argv[3], NULL);
    o.arithmetic = strcmp(argv[4], "double") == 0 ? ENUF_ARITHMETIC_DOUBLE : ENUF_ARITHMETIC_MIXED;
    o.backend = ENUF_BACKEND_CUDA;
    o.memory = ENUF_DEVICE;
    must(enuf_ewald_create(&o, &ewald));
    must(enuf_ewald_set_cell(ewald, salt->cell));
    must(enuf_ewald_set_charges(ewald, salt->n, salt->q, NULL));
    return ewald;
}

static void apply(int argc, char **argv)
{
    if (argc < 6) bench_die(PROGRAM, "apply IONS ACCURACY mixed|double VECTORS");
    bench_salt salt = bench_salt_make(strtoll(argv[2], NULL, 10));
    const int64_t vectors = strtoll(argv[5], NULL, 10), numbers = vectors * salt.n;
    enuf_ewald *ewald = object_of(&salt, argv);
    must(enuf_ewald_hold(ewald, on_device(salt.x, (size_t)salt.n * 3 * sizeof(double)), 3));
    const double *charges = random_numbers((size_t)numbers, 0);
    /* other results, so that neither call is one of a graph */
    for (int round = 0; round < 2; round++) {
        double *potentials = on_device(NULL, (size_t)numbers * sizeof *potentials);
        if (round == 1) start();
        must(enuf_ewald_apply(ewald, vectors, charges, potentials));
    }
    stop();
    print_size(ewald, numbers, salt.n);
    enuf_ewald_destroy(&ewald);
    bench_salt_free(&salt);
}

static void slopes(int argc, char **argv)
{
    if (argc < 5) bench_die(PROGRAM, "slopes IONS ACCURACY mixed|double [virial]");
    bench_salt salt = bench_salt_make(strtoll(argv[2], NULL, 10));
    const size_t n = (size_t)salt.n;
    enuf_ewald *ewald = object_of(&salt, argv);
    double cell[9];
    for (int k = 0; k < 9; k++) cell[k] = 0.1 * k;
    const double *x = on_device(salt.x, 3 * n * sizeof *x);
    const enuf_ewald_direction along = {.struct_size = sizeof along,
                                        .positions = random_numbers(3 * n, 0),
                                        .charges = random_numbers(n, 0),
                                        .cell = cell};
    enuf_ewald_slopes found = {.struct_size = sizeof found,
                               .forces = on_device(NULL, 3 * n * sizeof *x),
                               .potential = on_device(NULL, n * sizeof *x)};
    const int wanted = ENUF_WANT_ENERGY | ENUF_WANT_FORCES | ENUF_WANT_POTENTIAL |
                       (argc > 5 ? ENUF_WANT_VIRIAL : 0);
    for (int round = 0; round < 2; round++) {
        if (round == 1) start();
        must(enuf_ewald_differentiate(ewald, x, 3, &along, wanted, &found));
    }
    stop();
    print_size(ewald, salt.n, salt.n);
    enuf_ewald_destroy(&ewald);
    bench_salt_free(&salt);
}

int main(int argc, char **argv)
{
    const char *reason = "";
    if (!enuf_backend_usable(ENUF_BACKEND_CUDA, &reason)) {
        printf("%s: %s\n", PROGRAM, reason);
        return 77;
    }
    if (argc > 1 && strcmp(argv[1], "nufft") == 0)
        transform(argc, argv);
    else if (argc > 1 && strcmp(argv[1], "ewald") == 0)
        evaluate(argc, argv);
    else if (argc > 1 && strcmp(argv[1], "apply") == 0)
        apply(argc, argv);
    else if (argc > 1 && strcmp(argv[1], "slopes") == 0)
        slopes(argc, argv);
    else
        bench_die(PROGRAM, "nufft, ewald, apply or slopes?");
    return 0;
}
