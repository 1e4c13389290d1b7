/*
 * test_apply_device.c - enuf_ewald_apply() on a GPU gives the potentials of a CPU with the same
 * parameters: in double to 1e-11 of the l2 norm at A = 1e-11 (the pair functions are fitted to 0.02
 * A), in mixed arithmetic to 1e-4 at A = 1e-4. 300 ions in cells of every shape with a net charge,
 * some in other cells; a cell smaller than the cutoff; a boundary dielectric; slabs; atoms without
 * charge; water with exclusions; both splittings; 1, 2, 3, 8 and 9 sets at a time. Arrays in the
 * memory of the GPU and of the host have the same potentials, bit by bit if deterministic, also in
 * two runs and in place. Positions stay held while evaluations at others, recorded ones too, come
 * between. Charges, cell and exclusions that change count from the next call on. Pairs by a matrix,
 * and walked where memory has a limit, give the same. Errors name the number.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "device_systems.h"
#include "enuf/ewald_derivatives.h"
#include "random_system.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 9, STRIDE = 4 };
static const int VECTORS[] = {1, 2, 3, 8, 9};

static double *numbers(int64_t n)
{
    double *x = calloc((size_t)n, sizeof *x);
    if (!x) abort();
    return x;
}

static void read_back(int64_t n, const double *from, double *to)
{
    CHECK_CUDA(cudaMemcpy(to, from, (size_t)n * sizeof *to, cudaMemcpyDeviceToHost));
}

/* Holds positions in the memory of the GPU, and destroys them. */
static void hold_there(enuf_ewald *ewald, const charge_system *s)
{
    double *x = numbers(STRIDE * s->n);
    for (int64_t i = 0; i < s->n; i++) memcpy(x + STRIDE * i, s->x + 3 * i, 3 * sizeof *x);
    double *there = device_copy(STRIDE * s->n, x);
    CHECK_STATUS(enuf_ewald_hold(ewald, there, STRIDE), ENUF_SUCCESS);
    CHECK_CUDA(cudaMemset(there, 0xff, (size_t)(STRIDE * s->n) * sizeof *x));
    CHECK_CUDA(cudaFree(there));
    free(x);
}

/* Potentials of arrays on the host. */
static double *apply_here(enuf_ewald *ewald, int64_t n, int vectors, const double *charges)
{
    double *found = numbers(vectors * n);
    CHECK_STATUS(enuf_ewald_apply(ewald, vectors, charges, found), ENUF_SUCCESS);
    return found;
}

/* The same by arrays of the GPU; in_place: potentials take the place of the charges. */
static double *apply_there(enuf_ewald *ewald, int64_t n, int vectors, const double *charges,
                           int in_place)
{
    double *found = numbers(vectors * n);
    double *q = device_copy(vectors * n, charges),
           *results = in_place ? q : device_copy(vectors * n, found);
    CHECK_STATUS(enuf_ewald_apply(ewald, vectors, q, results), ENUF_SUCCESS);
    read_back(vectors * n, results, found);
    CHECK_CUDA(cudaFree(q));
    if (!in_place) CHECK_CUDA(cudaFree(results));
    return found;
}

static void compare(int64_t n, const double *found, const double *wanted, double bound)
{
    CHECK_BELOW(device_norm(n, found, wanted) / device_norm(n, wanted, NULL), bound, "potentials");
}

/* on_gpu has arrays of the host, in_memory of the GPU. */
static void agree_at(enuf_ewald *on_cpu, enuf_ewald *on_gpu, enuf_ewald *in_memory,
                     const charge_system *s, double bound, int deterministic)
{
    const int64_t n = s->n;
    double *charges = numbers(MOST * n);
    random_numbers(401, MOST * n, -2, 2, charges);
    for (size_t k = 0; k < sizeof VECTORS / sizeof *VECTORS; k++) {
        const int vectors = VECTORS[k];
        const int64_t all = vectors * n;
        double *wanted = apply_here(on_cpu, n, vectors, charges),
               *host = apply_here(on_gpu, n, vectors, charges),
               *device = apply_there(in_memory, n, vectors, charges, 0),
               *in_place = apply_there(in_memory, n, vectors, charges, 1);
        compare(all, host, wanted, bound);
        compare(all, device, wanted, bound);
        compare(all, in_place, wanted, bound);
        if (deterministic) {
            CHECK(memcmp(host, device, (size_t)all * sizeof *host) == 0);
            CHECK(memcmp(host, in_place, (size_t)all * sizeof *host) == 0);
        }
        free(wanted);
        free(host);
        free(device);
        free(in_place);
    }
    free(charges);
}

static void agree(const char *name, enuf_ewald_options options, const charge_system *given,
                  const enuf_exclusions *exclusions)
{
    const double bound = options.arithmetic == ENUF_ARITHMETIC_DOUBLE ? 1e-11 : 1e-4;
    printf("%s, %s, %s%s\n", name, enuf_arithmetic_name(options.arithmetic),
           enuf_split_name(options.split), options.deterministic ? ", deterministic" : "");
    device_trio t;
    if (!device_trio_make(options, given, exclusions, &t)) return;
    const charge_system *s = &t.system;
    CHECK_STATUS(enuf_ewald_hold(t.on_cpu, s->x, 3), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_hold(t.on_gpu, s->x, 3), ENUF_SUCCESS);
    hold_there(t.in_memory, s);
    agree_at(t.on_cpu, t.on_gpu, t.in_memory, s, bound, options.deterministic);
    if (exclusions) { /* fewer of them */
        const enuf_exclusions fewer = {.n = exclusions->n / 2, .pairs = exclusions->pairs};
        enuf_ewald *objects[3] = {t.on_cpu, t.on_gpu, t.in_memory};
        for (int k = 0; k < 3; k++)
            CHECK_STATUS(enuf_ewald_set_charges(objects[k], s->n, s->q, &fewer), ENUF_SUCCESS);
        agree_at(t.on_cpu, t.on_gpu, t.in_memory, s, bound, options.deterministic);
    }
    device_trio_free(&t);
}

/* Held positions stay while the object computes elsewhere; deterministic potentials have the same
 * bits then, and so have evaluations. */
static void bits(void)
{
    charge_system s = make_ions(421, 3000, CELL_TRICLINIC, 0), elsewhere = copy_system(&s);
    enuf_ewald_options options = options_for(1e-6, ENUF_SPLIT_AUTO);
    options.backend = ENUF_BACKEND_CUDA;
    options.deterministic = 1;
    enuf_ewald *ewald = make_ewald(&options, &s, NULL);
    enuf_ewald_result before = make_result(s.n), after = make_result(s.n);
    double *charges = numbers(MOST * s.n);
    random_numbers(422, MOST * s.n, -2, 2, charges);
    for (int64_t k = 0; k < 3 * s.n; k++) elsewhere.x[k] += 0.1 * sin((double)k);
    for (int k = 0; k < 3; k++) /* the third is a recording */
        CHECK_STATUS(enuf_ewald_compute(ewald, elsewhere.x, 3, WANT_ALL, &before), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_hold(ewald, s.x, 3), ENUF_SUCCESS);
    double *first = apply_here(ewald, s.n, MOST, charges);
    for (int k = 0; k < 5; k++) {
        if (k == 3) CHECK_STATUS(enuf_ewald_hold(ewald, s.x, 3), ENUF_SUCCESS);
        CHECK_STATUS(enuf_ewald_compute(ewald, elsewhere.x, 3, WANT_ALL, &after), ENUF_SUCCESS);
        CHECK(memcmp(before.forces, after.forces, (size_t)(3 * s.n) * sizeof(double)) == 0);
        CHECK(memcmp(before.potential, after.potential, (size_t)s.n * sizeof(double)) == 0);
        double *again = apply_here(ewald, s.n, MOST, charges);
        CHECK(memcmp(first, again, (size_t)(MOST * s.n) * sizeof *first) == 0);
        free(again);
    }
    free(first);
    free(charges);
    free_result(&before);
    free_result(&after);
    enuf_ewald_destroy(&ewald);
    free_system(&s);
    free_system(&elsewhere);
}

static int64_t bytes_of(const enuf_ewald *ewald)
{
    enuf_ewald_report report = {.struct_size = sizeof report};
    CHECK_STATUS(enuf_ewald_get_report(ewald, &report), ENUF_SUCCESS);
    return report.bytes;
}

/* With a limit of memory there is no matrix of the pairs: fewer bytes, the same potentials. */
static void without_matrix(enuf_arithmetic arithmetic, double accuracy, double bound)
{
    charge_system s = make_ions(441, 5000, CELL_TRICLINIC, 0);
    enuf_ewald_options options = options_for(accuracy, ENUF_SPLIT_AUTO);
    options.backend = ENUF_BACKEND_CUDA;
    options.arithmetic = arithmetic;
    enuf_ewald *free_of_limits = make_ewald(&options, &s, NULL);
    options.memory_limit = (int64_t)1 << 40;
    enuf_ewald *limited = make_ewald(&options, &s, NULL);
    double *charges = numbers(MOST * s.n);
    random_numbers(442, MOST * s.n, -2, 2, charges);
    CHECK_STATUS(enuf_ewald_hold(free_of_limits, s.x, 3), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_hold(limited, s.x, 3), ENUF_SUCCESS);
    for (size_t k = 0; k < sizeof VECTORS / sizeof *VECTORS; k++) {
        double *by_matrix = apply_here(free_of_limits, s.n, VECTORS[k], charges),
               *walked = apply_here(limited, s.n, VECTORS[k], charges);
        compare(VECTORS[k] * s.n, by_matrix, walked, bound);
        free(by_matrix);
        free(walked);
    }
    /* at least 20 neighbours of 8 bytes */
    CHECK(bytes_of(free_of_limits) > bytes_of(limited) + 160 * s.n);
    free(charges);
    enuf_ewald_destroy(&free_of_limits);
    enuf_ewald_destroy(&limited);
    free_system(&s);
}

/* The error names the charge, although a potential has taken its place; the first one. */
static void in_place_errors(enuf_ewald *ewald, int64_t n)
{
    static const struct {
        int64_t at, later;
        double value, at_later;
        const char *text;
    } bad[] = {{2, 9, INFINITY, NAN, "charge 2 of vector 0 is inf"},
               {5, 7, -INFINITY, INFINITY, "charge 5 of vector 0 is -inf"},
               {4, 4, NAN, NAN, "charge 4 of vector 0 is nan"}};
    double *charges = numbers(MOST * n);
    for (int k = 0; k < 3; k++) {
        random_numbers(433, MOST * n, -1, 1, charges);
        charges[bad[k].later] = charges[(MOST - 1) * n] = bad[k].at_later;
        charges[bad[k].at] = bad[k].value;
        double *there = device_copy(MOST * n, charges);
        CHECK_STATUS(enuf_ewald_apply(ewald, MOST, there, there), ENUF_NOT_FINITE);
        CHECK_TEXT(bad[k].text);
        CHECK_CUDA(cudaFree(there));
    }
    free(charges);
}

static void errors(void)
{
    enum { N = 50 };
    charge_system s = make_ions(431, N, CELL_CUBIC, 0);
    enuf_ewald_options options = options_for(1e-5, ENUF_SPLIT_AUTO);
    options.backend = ENUF_BACKEND_CUDA;
    options.memory = ENUF_DEVICE;
    enuf_ewald *ewald = make_ewald(&options, &s, NULL);
    double charges[MOST * N], room[MOST * N] = {0};
    random_numbers(432, MOST * N, -1, 1, charges);
    double *x = device_copy(3 * N, s.x), *q = device_copy(MOST * N, charges),
           *results = device_copy(MOST * N, room);
    charges[8 * N + 3] = charges[7 * N + 21] = NAN; /* in the first group of eight, and after it */
    double *bad = device_copy(MOST * N, charges);
    CHECK_STATUS(enuf_ewald_apply(ewald, 1, q, results), ENUF_NO_POINTS_SET);
    CHECK_STATUS(enuf_ewald_hold(ewald, s.x, 3), ENUF_BAD_MEMORY);
    CHECK_TEXT("positions lives in host memory");
    CHECK_STATUS(enuf_ewald_hold(ewald, x, 3), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_apply(ewald, 1, s.q, results), ENUF_BAD_MEMORY);
    CHECK_TEXT("charges lives in host memory");
    CHECK_STATUS(enuf_ewald_apply(ewald, 1, q, room), ENUF_BAD_MEMORY);
    CHECK_TEXT("potentials lives in host memory");
    CHECK_STATUS(enuf_ewald_apply(ewald, MOST, bad, results), ENUF_NOT_FINITE);
    CHECK_TEXT("charge 21 of vector 7 is nan");
    CHECK_STATUS(enuf_ewald_apply(ewald, 7, bad, results), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_apply(ewald, 1, bad + 8 * N, results), ENUF_NOT_FINITE);
    CHECK_TEXT("charge 3 of vector 0 is nan");
    CHECK_STATUS(enuf_ewald_apply(ewald, MOST, q, results), ENUF_SUCCESS);
    in_place_errors(ewald, N);
    s.x[4] = INFINITY;
    double *bad_x = device_copy(3 * N, s.x);
    CHECK_STATUS(enuf_ewald_hold(ewald, bad_x, 3), ENUF_NOT_FINITE);
    CHECK_TEXT("position of atom 1 is");
    CHECK_STATUS(enuf_ewald_apply(ewald, 1, q, results), ENUF_NO_POINTS_SET);
    CHECK_STATUS(enuf_ewald_hold(ewald, x, 3), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_apply(ewald, MOST, q, results), ENUF_SUCCESS);
    double *arrays[5] = {x, q, results, bad, bad_x};
    for (int k = 0; k < 5; k++) CHECK_CUDA(cudaFree(arrays[k]));
    enuf_ewald_destroy(&ewald);
    free_system(&s);
}

int main(int argc, char **argv)
{
    device_systems_arguments(argc, argv);
    const int missing = device_is_missing();
    if (missing) return missing;
    in_all_device_parts(1e-11, 401, agree);
    if (device_part_is_wanted(DEVICE_PARTS)) {
        bits();
        without_matrix(ENUF_ARITHMETIC_DOUBLE, 1e-9, 1e-13);
        without_matrix(ENUF_ARITHMETIC_MIXED, 1e-4, 1e-6);
        errors();
    }
    return check_result();
}
