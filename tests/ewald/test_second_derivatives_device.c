/*
 * test_second_derivatives_device.c - enuf_ewald_differentiate() on a GPU gives the slopes of a CPU
 * with the same parameters: in double at A = 1e-12 to 1e-11 of the l2 norm (virial and dE/dcell to
 * 1e-10 of the size of energies, because the CPU has a table of the transform's second derivative),
 * at A = 1e-6, where the pair functions of a GPU are shorter polynomials, and in mixed arithmetic
 * at A = 1e-4 to A. 300 ions in cells of every shape with a net charge, some in other cells;
 * a cell smaller than the cutoff; a boundary dielectric; slabs; atoms without charge; water with
 * exclusions; directions of positions, charges and cell, alone and together. Arrays in the memory
 * of the GPU and of the host have the same slopes; deterministic ones have the same bits in every
 * call, and so have evaluations after them. A shift of all ions changes nothing. Charges that are
 * set anew in the memory of the GPU are those of a strain's slopes too. Errors name the number.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "device_systems.h"
#include "enuf/ewald_derivatives.h"
#include "random_system.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALL = ENUF_WANT_ENERGY | ENUF_WANT_FORCES | ENUF_WANT_POTENTIAL | ENUF_WANT_VIRIAL };

static double *numbers(int64_t n)
{
    double *x = calloc((size_t)n, sizeof *x);
    if (!x) abort();
    return x;
}

/* u, w, g = h e; which of them count. */
typedef struct motion {
    double *u, *w, g[9];
    int moves, recharges, deforms;
} motion;

static motion make_motion(const charge_system *s, int is_slab)
{
    motion m = {numbers(3 * s->n), numbers(s->n), {0}, 1, 1, 1};
    double e[9];
    random_numbers(91, 3 * s->n, -1, 1, m.u);
    random_numbers(92, s->n, -1, 1, m.w);
    random_numbers(93, 9, -0.1, 0.1, e);
    if (is_slab) e[2] = e[5] = e[6] = e[7] = 0;
    for (int k = 0; k < 9; k++)
        for (int d = 0; d < 3; d++) m.g[k] += s->cell[3 * (k / 3) + d] * e[3 * d + k % 3];
    return m;
}

static void free_motion(motion *m)
{
    free(m->u);
    free(m->w);
}

static enuf_ewald_direction direction_of(const motion *m)
{
    return (enuf_ewald_direction){.struct_size = sizeof(enuf_ewald_direction),
                                  .positions = m->moves ? m->u : NULL,
                                  .charges = m->recharges ? m->w : NULL,
                                  .cell = m->deforms ? m->g : NULL};
}

/* Slopes on the host: energy, virial, dE/dcell, forces, potentials. */
enum { ENERGY = 0, VIRIAL = 1, CELL = 7, FORCES = 16 };

static void take_totals(const enuf_ewald_slopes *slopes, double *all)
{
    all[ENERGY] = slopes->energy;
    memcpy(all + VIRIAL, slopes->virial, sizeof slopes->virial);
    memcpy(all + CELL, slopes->cell, sizeof slopes->cell);
}

static double *slopes_on_host(enuf_ewald *ewald, const charge_system *s, const motion *m)
{
    double *all = numbers(FORCES + 4 * s->n);
    enuf_ewald_slopes slopes = {
        .struct_size = sizeof slopes, .forces = all + FORCES, .potential = all + FORCES + 3 * s->n};
    const enuf_ewald_direction direction = direction_of(m);
    CHECK_STATUS(enuf_ewald_differentiate(ewald, s->x, 3, &direction, ALL, &slopes), ENUF_SUCCESS);
    take_totals(&slopes, all);
    return all;
}

/* The same by arrays of the GPU, positions with stride 4. */
static double *slopes_on_device(enuf_ewald *ewald, const charge_system *s, const motion *m)
{
    const int64_t n = s->n;
    double *all = numbers(FORCES + 4 * n), *x = numbers(4 * n);
    for (int64_t i = 0; i < n; i++) memcpy(x + 4 * i, s->x + 3 * i, 3 * sizeof *x);
    double *at = device_copy(4 * n, x), *u = device_copy(3 * n, m->u), *w = device_copy(n, m->w),
           *results = device_copy(4 * n, all);
    enuf_ewald_direction direction = direction_of(m);
    if (m->moves) direction.positions = u;
    if (m->recharges) direction.charges = w;
    enuf_ewald_slopes slopes = {
        .struct_size = sizeof slopes, .forces = results, .potential = results + 3 * n};
    CHECK_STATUS(enuf_ewald_differentiate(ewald, at, 4, &direction, ALL, &slopes), ENUF_SUCCESS);
    take_totals(&slopes, all);
    CHECK_CUDA(
        cudaMemcpy(all + FORCES, results, (size_t)(4 * n) * sizeof *x, cudaMemcpyDeviceToHost));
    double *arrays[4] = {at, u, w, results};
    for (int k = 0; k < 4; k++) CHECK_CUDA(cudaFree(arrays[k]));
    free(x);
    return all;
}

static void compare(int64_t n, const double *found, const double *wanted, double size, double bound)
{
    const int64_t potentials = FORCES + 3 * n;
    CHECK_BELOW(device_norm(3 * n, found + FORCES, wanted + FORCES) /
                    device_norm(3 * n, wanted + FORCES, NULL),
                bound, "slopes of forces, relative");
    CHECK_BELOW(device_norm(n, found + potentials, wanted + potentials) /
                    device_norm(n, wanted + potentials, NULL),
                bound, "slopes of potentials, relative");
    CHECK_BELOW((found[ENERGY] - wanted[ENERGY]) / size, bound, "slope of the energy");
    CHECK_BELOW(largest_difference(6, found + VIRIAL, wanted + VIRIAL) / size, 10 * bound,
                "slope of the virial");
    CHECK_BELOW(device_norm(9, found + CELL, wanted + CELL) /
                    (size + device_norm(9, wanted + CELL, NULL)),
                10 * bound, "slope of dE/dcell");
}

static double size_of(enuf_ewald *ewald, const charge_system *s, const motion *m)
{
    enuf_ewald_result r = make_result(s->n);
    double size = 0;
    CHECK_STATUS(enuf_ewald_compute(ewald, s->x, 3, WANT_ALL, &r), ENUF_SUCCESS);
    for (int64_t i = 0; i < s->n; i++) {
        size += 0.5 * fabs(s->q[i] * r.potential[i]) + fabs(m->w[i] * r.potential[i]);
        for (int d = 0; d < 3; d++) size += fabs(r.forces[3 * i + d] * m->u[3 * i + d]);
    }
    free_result(&r);
    return size;
}

static void agree(const char *name, enuf_ewald_options options, const charge_system *given,
                  const enuf_exclusions *exclusions)
{
    const double bound = fmax(options.accuracy, 1e-11);
    device_trio t;
    if (!device_trio_make(options, given, exclusions, &t)) return;
    const charge_system *s = &t.system;
    motion m = make_motion(s, t.options.slab > 0);
    const double size = size_of(t.on_cpu, s, &m);
    for (int parts = 1; parts < 8; parts++) {
        m.moves = parts & 1;
        m.recharges = (parts & 2) != 0;
        m.deforms = (parts & 4) != 0;
        printf("%s, %s, %s%s: positions %d, charges %d, cell %d\n", name,
               enuf_arithmetic_name(options.arithmetic), enuf_split_name(options.split),
               options.deterministic ? ", deterministic" : "", m.moves, m.recharges, m.deforms);
        double *wanted = slopes_on_host(t.on_cpu, s, &m), *host = slopes_on_host(t.on_gpu, s, &m),
               *device = slopes_on_device(t.in_memory, s, &m);
        compare(s->n, host, wanted, size, bound);
        compare(s->n, device, wanted, size, bound);
        if (options.deterministic)
            CHECK(memcmp(host, device, (size_t)(FORCES + 4 * s->n) * sizeof *host) == 0);
        free(wanted);
        free(host);
        free(device);
    }
    free_motion(&m);
    device_trio_free(&t);
}

/* Slopes in every call, and evaluations before and after them, have the same bits. */
static void bits(void)
{
    charge_system s = make_ions(821, 3000, CELL_TRICLINIC, 0);
    enuf_ewald_options options = options_for(1e-6, ENUF_SPLIT_AUTO);
    options.backend = ENUF_BACKEND_CUDA;
    options.deterministic = 1;
    enuf_ewald *ewald = make_ewald(&options, &s, NULL);
    motion m = make_motion(&s, 0);
    enuf_ewald_result before = make_result(s.n), after = make_result(s.n);
    for (int k = 0; k < 3; k++) /* the third is a recording */
        CHECK_STATUS(enuf_ewald_compute(ewald, s.x, 3, WANT_ALL, &before), ENUF_SUCCESS);
    double *first = slopes_on_host(ewald, &s, &m);
    CHECK_STATUS(enuf_ewald_compute(ewald, s.x, 3, WANT_ALL, &after), ENUF_SUCCESS);
    CHECK(memcmp(before.forces, after.forces, (size_t)(3 * s.n) * sizeof(double)) == 0);
    CHECK(memcmp(before.potential, after.potential, (size_t)s.n * sizeof(double)) == 0);
    CHECK(before.energy == after.energy);
    for (int k = 0; k < 5; k++) {
        double *again = slopes_on_host(ewald, &s, &m);
        CHECK(memcmp(first, again, (size_t)(FORCES + 4 * s.n) * sizeof *first) == 0);
        free(again);
    }
    free(first);
    free_motion(&m);
    free_result(&before);
    free_result(&after);
    enuf_ewald_destroy(&ewald);
    free_system(&s);
}

/* In float too, a whole shift of all ions, far larger than their displacements, changes nothing. */
static void shift(void)
{
    const double accuracy = 1e-5, far = 1e5;
    charge_system s = make_ions(824, 2000, CELL_TRICLINIC, 0);
    enuf_ewald_options options = options_for(accuracy, ENUF_SPLIT_AUTO);
    options.backend = ENUF_BACKEND_CUDA;
    options.arithmetic = ENUF_ARITHMETIC_MIXED;
    enuf_ewald *ewald = make_ewald(&options, &s, NULL);
    motion m = make_motion(&s, 0);
    m.recharges = m.deforms = 0;
    double *here = slopes_on_host(ewald, &s, &m);
    for (int64_t k = 0; k < 3 * s.n; k++) m.u[k] += far;
    double *there = slopes_on_host(ewald, &s, &m);
    CHECK_BELOW(device_norm(3 * s.n, here + FORCES, there + FORCES) /
                    device_norm(3 * s.n, here + FORCES, NULL),
                accuracy, "slopes of forces, shifted, relative");
    free(here);
    free(there);
    free_motion(&m);
    enuf_ewald_destroy(&ewald);
    free_system(&s);
}

/* Another number of atoms between evaluations that are recorded. */
static void other_numbers(void)
{
    charge_system few = make_ions(822, 200, CELL_CUBIC, 0),
                  many = make_ions(823, 400, CELL_CUBIC, 0);
    enuf_ewald_options options = options_for(1e-6, ENUF_SPLIT_AUTO);
    options.backend = ENUF_BACKEND_CUDA;
    options.deterministic = 1;
    options.cutoff = 5;
    enuf_ewald *ewald = make_ewald(&options, &few, NULL);
    motion m = make_motion(&many, 0);
    enuf_ewald_result before = make_result(few.n), after = make_result(few.n);
    for (int k = 0; k < 3; k++)
        CHECK_STATUS(enuf_ewald_compute(ewald, few.x, 3, WANT_ALL, &before), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_set_cell(ewald, many.cell), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_set_charges(ewald, many.n, many.q, NULL), ENUF_SUCCESS);
    free(slopes_on_host(ewald, &many, &m));
    CHECK_STATUS(enuf_ewald_set_cell(ewald, few.cell), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_set_charges(ewald, few.n, few.q, NULL), ENUF_SUCCESS);
    for (int k = 0; k < 3; k++)
        CHECK_STATUS(enuf_ewald_compute(ewald, few.x, 3, WANT_ALL, &after), ENUF_SUCCESS);
    CHECK_BELOW(rms_difference(few.n, before.forces, after.forces) /
                    rms_difference(few.n, before.forces, NULL),
                1e-5, "forces before and after");
    free_motion(&m);
    free_result(&before);
    free_result(&after);
    enuf_ewald_destroy(&ewald);
    free_system(&few);
    free_system(&many);
}

/* Slopes along a strain by parameters that the object chooses, with charges of the GPU set anew. */
static void new_charges(void)
{
    charge_system s = make_ions(825, 300, CELL_TRICLINIC, 0), other = copy_system(&s);
    enuf_ewald_options options = options_for(1e-6, ENUF_SPLIT_AUTO);
    options.backend = ENUF_BACKEND_CUDA;
    options.memory = ENUF_DEVICE;
    motion m = make_motion(&s, 0);
    m.recharges = 0;
    for (int64_t i = 0; i < s.n; i++) other.q[i] = s.q[s.n - 1 - i];
    double *q = device_copy(s.n, other.q);
    enuf_ewald *ewald = make_ewald(&options, &s, NULL), *anew = make_ewald(&options, &other, NULL);
    free(slopes_on_device(ewald, &s, &m));
    CHECK_STATUS(enuf_ewald_set_charges(ewald, s.n, q, NULL), ENUF_SUCCESS);
    double *found = slopes_on_device(ewald, &s, &m), *wanted = slopes_on_device(anew, &s, &m);
    CHECK_BELOW(device_norm(CELL, found, wanted) / device_norm(CELL, wanted, NULL), 1e-10,
                "new charges: slopes of energy and virial");
    CHECK_BELOW(device_norm(3 * s.n, found + FORCES, wanted + FORCES) /
                    device_norm(3 * s.n, wanted + FORCES, NULL),
                1e-10, "new charges: slopes of forces");
    CHECK_CUDA(cudaFree(q));
    free(found);
    free(wanted);
    free_motion(&m);
    enuf_ewald_destroy(&ewald);
    enuf_ewald_destroy(&anew);
    free_system(&s);
    free_system(&other);
}

static void errors(void)
{
    enum { N = 50 };
    charge_system s = make_ions(831, N, CELL_CUBIC, 0);
    enuf_ewald_options options = options_for(1e-5, ENUF_SPLIT_AUTO);
    options.backend = ENUF_BACKEND_CUDA;
    options.memory = ENUF_DEVICE;
    enuf_ewald *ewald = make_ewald(&options, &s, NULL);
    motion m = make_motion(&s, 0);
    m.u[7] = m.u[100] = NAN;
    m.w[19] = INFINITY;
    double room[4 * N], found[4 * N];
    random_numbers(832, 4 * N, -1, 1, room);
    double *x = device_copy(3 * N, s.x), *results = device_copy(4 * N, room);
    double *bad_u = device_copy(3 * N, m.u), *bad_w = device_copy(N, m.w);
    s.x[4] = NAN;
    double *bad_x = device_copy(3 * N, s.x);
    enuf_ewald_direction d = {.struct_size = sizeof d, .positions = bad_u, .charges = bad_w};
    enuf_ewald_slopes slopes = {
        .struct_size = sizeof slopes, .energy = 7, .forces = results, .potential = results + 3 * N};
    CHECK_STATUS(enuf_ewald_differentiate(ewald, x, 3, &d, ALL, &slopes), ENUF_NOT_FINITE);
    CHECK_TEXT("direction->positions[7] is nan");
    d.positions = NULL;
    CHECK_STATUS(enuf_ewald_differentiate(ewald, x, 3, &d, ALL, &slopes), ENUF_NOT_FINITE);
    CHECK_TEXT("direction->charges[19] is inf");
    d.charges = s.q;
    CHECK_STATUS(enuf_ewald_differentiate(ewald, x, 3, &d, ALL, &slopes), ENUF_BAD_MEMORY);
    CHECK_TEXT("direction->charges lives in host memory");
    d.charges = x;
    CHECK_STATUS(enuf_ewald_differentiate(ewald, bad_x, 3, &d, ALL, &slopes), ENUF_NOT_FINITE);
    CHECK_TEXT("position of atom 1 is");
    CHECK_STATUS(enuf_ewald_differentiate(ewald, s.x, 3, &d, ALL, &slopes), ENUF_BAD_MEMORY);
    CHECK_TEXT("positions lives in host memory");
    slopes.forces = s.x;
    CHECK_STATUS(enuf_ewald_differentiate(ewald, x, 3, &d, ALL, &slopes), ENUF_BAD_MEMORY);
    CHECK_TEXT("slopes->forces lives in host memory");
    CHECK(slopes.energy == 7);
    CHECK_CUDA(cudaMemcpy(found, results, sizeof found, cudaMemcpyDeviceToHost));
    CHECK(memcmp(found, room, sizeof found) == 0);
    slopes.forces = results;
    CHECK_STATUS(enuf_ewald_differentiate(ewald, x, 3, &d, ALL, &slopes), ENUF_SUCCESS);
    CHECK(slopes.energy != 7);
    double *arrays[5] = {x, results, bad_u, bad_w, bad_x};
    for (int k = 0; k < 5; k++) CHECK_CUDA(cudaFree(arrays[k]));
    free_motion(&m);
    enuf_ewald_destroy(&ewald);
    free_system(&s);
}

int main(int argc, char **argv)
{
    device_systems_arguments(argc, argv);
    const int missing = device_is_missing();
    if (missing) return missing;
    in_all_device_parts(1e-12, 801, agree);
    in_all_device_parts(1e-6, 841, agree);
    if (device_part_is_wanted(DEVICE_PARTS)) {
        bits();
        shift();
        other_numbers();
        new_charges();
        errors();
    }
    return check_result();
}
