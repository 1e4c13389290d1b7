/* device_systems.c - see device_systems.h. SPDX-License-Identifier: BSD-3-Clause */
#include "device_systems.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int device_trio_make(enuf_ewald_options options, const charge_system *given,
                     const enuf_exclusions *exclusions, device_trio *trio)
{
    charge_system *s = &trio->system;
    enuf_ewald_report report = {.struct_size = sizeof report};
    *s = copy_system(given);
    enuf_ewald_result first = make_result(s->n);
    options.backend = ENUF_BACKEND_CPU;
    enuf_ewald *chooser = make_ewald(&options, s, exclusions);
    CHECK_STATUS(enuf_ewald_compute(chooser, s->x, 3, WANT_SUMS, &first), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_get_report(chooser, &report), ENUF_SUCCESS);
    enuf_ewald_destroy(&chooser);
    free_result(&first);
    memcpy(s->cell, report.basis, sizeof s->cell); /* of the grid */
    options = explicit_options(options, &report);
    trio->on_cpu = make_ewald(&options, s, exclusions);
    options.backend = ENUF_BACKEND_CUDA;
    trio->on_gpu = make_ewald(&options, s, exclusions);
    options.memory = ENUF_DEVICE;
    trio->in_memory = make_ewald(&options, s, exclusions);
    trio->options = options;
    return trio->on_cpu && trio->on_gpu && trio->in_memory;
}

void device_trio_free(device_trio *trio)
{
    enuf_ewald_destroy(&trio->on_cpu);
    enuf_ewald_destroy(&trio->on_gpu);
    enuf_ewald_destroy(&trio->in_memory);
    free_system(&trio->system);
}

static int64_t most_ions = 300;
static int only_part = -1;

void device_systems_arguments(int argc, char **argv)
{
    if (argc > 1) most_ions = atoll(argv[1]);
    if (argc > 2) only_part = atoi(argv[2]);
    CHECK(most_ions >= 30 && most_ions <= 300);
}

int device_part_is_wanted(int part)
{
    return only_part < 0 || part == only_part;
}

/* Ions go to other cells. */
static void wander(charge_system *s)
{
    for (int64_t i = 0; i < s->n; i++)
        for (int d = 0; d < 9; d++)
            s->x[3 * i + d % 3] += (double)((i + d / 3) % 5 - 2) * s->cell[d];
}

void in_all_device_systems(enuf_ewald_options options, uint64_t seed, device_law law)
{
    for (int shape = 0; shape < CELL_SHAPE_COUNT; shape++) {
        charge_system s = make_ions(seed + (uint64_t)shape, most_ions, (cell_shape)shape, 1);
        if (shape == CELL_TRICLINIC) wander(&s);
        law(cell_shape_name((cell_shape)shape), options, &s, NULL);
        free_system(&s);
    }
    charge_system few = make_ions(seed + 10, 20, CELL_TRICLINIC, 0);
    enuf_ewald_options wide = options;
    wide.cutoff = 9; /* the cell's edge is about 6 */
    law("cell smaller than the cutoff", wide, &few, NULL);
    free_system(&few);
    charge_system ions = make_ions(seed + 11, most_ions * 4 / 5, CELL_CUBIC, 0);
    enuf_ewald_options bounded = options;
    bounded.surroundings = 3;
    law("sphere", bounded, &ions, NULL);
    bounded.surroundings = 0;
    bounded.slab = 3;
    law("slab", bounded, &ions, NULL);
    ions.q[7] += 2;
    law("slab with a net charge", bounded, &ions, NULL);
    ions.q[7] -= 2;
    for (int64_t i = 0; i < ions.n; i += 3) ions.q[i] = 0;
    bounded.slab = 0;
    bounded.keep_net_force = 1;
    bounded.coulomb = 332.06371;
    law("atoms without charge", bounded, &ions, NULL);
    free_system(&ions);
    const int64_t molecules = most_ions / 5;
    int64_t *pairs = calloc((size_t)(6 * molecules), sizeof *pairs);
    charge_system water = make_water(seed + 12, molecules, pairs);
    const enuf_exclusions exclusions = {.n = 3 * molecules, .pairs = pairs};
    law("water", options, &water, &exclusions);
    free_system(&water);
    free(pairs);
}

void in_all_device_parts(double accuracy, uint64_t seed, device_law law)
{
    static const struct {
        enuf_arithmetic arithmetic;
        enuf_split split;
        int deterministic;
    } parts[DEVICE_PARTS] = {{ENUF_ARITHMETIC_DOUBLE, ENUF_SPLIT_PROLATE, 0},
                             {ENUF_ARITHMETIC_DOUBLE, ENUF_SPLIT_GAUSSIAN, 0},
                             {ENUF_ARITHMETIC_MIXED, ENUF_SPLIT_PROLATE, 0},
                             {ENUF_ARITHMETIC_DOUBLE, ENUF_SPLIT_PROLATE, 1}};
    for (int k = 0; k < DEVICE_PARTS; k++) {
        if (!device_part_is_wanted(k)) continue;
        const int mixed = parts[k].arithmetic == ENUF_ARITHMETIC_MIXED;
        enuf_ewald_options options = options_for(mixed ? 1e-4 : accuracy, parts[k].split);
        options.arithmetic = parts[k].arithmetic;
        options.deterministic = parts[k].deterministic;
        in_all_device_systems(options, seed, law);
    }
}

int device_is_missing(void)
{
    const char *reason = "";
    if (enuf_backend_usable(ENUF_BACKEND_CUDA, &reason)) return 0;
    printf("skipped: %s\n", reason);
    return 77;
}

double device_norm(int64_t n, const double *a, const double *b)
{
    double sum = 0;
    for (int64_t k = 0; k < n; k++) {
        const double x = a[k] - (b ? b[k] : 0);
        sum += x * x;
    }
    return sqrt(sum);
}
