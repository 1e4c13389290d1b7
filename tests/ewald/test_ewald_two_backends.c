/*
 * test_ewald_two_backends.c - CPU and GPU give the same results with the same parameters: energy,
 * parts and virial to 1e-12 of 1/2 sum |q phi| in double and 1e-5 in mixed arithmetic; forces,
 * fields, potentials and shares of atoms to ten times that, of their RMS. The two sum in different
 * orders. 300 random ions in cells of every shape; a boundary dielectric; a slab; atoms without
 * charge; water with exclusions. SPDX-License-Identifier: BSD-3-Clause
 */
#include "systems.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double rms(int64_t n, const double *a)
{
    double sum = 0;
    for (int64_t k = 0; k < n; k++) sum += a[k] * a[k];
    return n > 0 ? sqrt(sum / (double)n) : 0;
}

static void close_arrays(int64_t n, const double *a, const double *b, double scale, double bound,
                         const char *name)
{
    CHECK_BELOW(largest_difference(n, a, b) / (scale > 0 ? scale : rms(n, b)), bound, name);
}

/* The chosen parameters as explicit options. */
static enuf_ewald_options explicit_options(enuf_ewald_options options,
                                           const enuf_ewald_report *report)
{
    options.split = report->split;
    options.alpha = report->alpha;
    options.c = report->c;
    options.cutoff = report->cutoff;
    options.kmax = report->kmax;
    options.window = report->window;
    options.width = report->width;
    options.shape = report->shape;
    for (int d = 0; d < 3; d++) options.grid[d] = report->grid[d];
    return options;
}

static void agree(const char *name, enuf_ewald_options options, const charge_system *s,
                  const enuf_exclusions *exclusions)
{
    const double bound = options.arithmetic == ENUF_ARITHMETIC_DOUBLE ? 1e-12 : 1e-5;
    enuf_ewald_result cpu = make_result(s->n), gpu = make_result(s->n);
    options.backend = ENUF_BACKEND_CPU;
    enuf_ewald *on_cpu = make_ewald(&options, s, exclusions);
    CHECK_STATUS(enuf_ewald_compute(on_cpu, s->x, 3, WANT_ALL, &cpu), ENUF_SUCCESS);
    enuf_ewald_report report = {.struct_size = sizeof report};
    CHECK_STATUS(enuf_ewald_get_report(on_cpu, &report), ENUF_SUCCESS);
    enuf_ewald_options same = explicit_options(options, &report);
    same.backend = ENUF_BACKEND_CUDA;
    enuf_ewald *on_gpu = make_ewald(&same, s, exclusions);
    if (!on_gpu) return;
    CHECK_STATUS(enuf_ewald_set_cell(on_gpu, report.basis), ENUF_SUCCESS); /* of the grid */
    CHECK_STATUS(enuf_ewald_compute(on_gpu, s->x, 3, WANT_ALL, &gpu), ENUF_SUCCESS);

    printf("%s, %s, %s, %s\n", name, enuf_arithmetic_name(options.arithmetic),
           enuf_split_name(report.split),
           options.deterministic ? "deterministic" : "not deterministic");
    double scale = 0;
    for (int64_t i = 0; i < s->n; i++) scale += 0.5 * fabs(s->q[i] * cpu.potential[i]);
    CHECK_BELOW(fabs(gpu.energy - cpu.energy) / scale, bound, "energy");
    CHECK_BELOW(largest_difference(6, gpu.virial, cpu.virial) / scale, bound, "virial");
    const double parts[6][2] = {
        {gpu.parts.real, cpu.parts.real},       {gpu.parts.reciprocal, cpu.parts.reciprocal},
        {gpu.parts.self, cpu.parts.self},       {gpu.parts.background, cpu.parts.background},
        {gpu.parts.surface, cpu.parts.surface}, {gpu.parts.excluded, cpu.parts.excluded}};
    for (int k = 0; k < 6; k++)
        CHECK_BELOW(fabs(parts[k][0] - parts[k][1]) / scale, bound, "part of the energy");
    close_arrays(3 * s->n, gpu.forces, cpu.forces, 0, 10 * bound, "forces / RMS");
    close_arrays(3 * s->n, gpu.field, cpu.field, 0, 10 * bound, "fields / RMS");
    close_arrays(s->n, gpu.potential, cpu.potential, 0, 10 * bound, "potentials / RMS");
    close_arrays(s->n, gpu.atom_energy, cpu.atom_energy, 0, 10 * bound, "energies of atoms / RMS");
    close_arrays(6 * s->n, gpu.atom_virial, cpu.atom_virial, 0, 10 * bound,
                 "virials of atoms / RMS");
    enuf_ewald_destroy(&on_cpu);
    enuf_ewald_destroy(&on_gpu);
    free_result(&cpu);
    free_result(&gpu);
}

static void agree_in_all_systems(enuf_arithmetic arithmetic, enuf_split split, int deterministic)
{
    /* at this accuracy the errors of the pair tables are below the bounds */
    enuf_ewald_options options =
        options_for(arithmetic == ENUF_ARITHMETIC_DOUBLE ? 1e-12 : 1e-4, split);
    options.arithmetic = arithmetic;
    options.deterministic = deterministic;
    for (int shape = 0; shape < CELL_SHAPE_COUNT; shape++) {
        charge_system s = make_ions(301 + (uint64_t)shape, 300, (cell_shape)shape, 1);
        agree(cell_shape_name((cell_shape)shape), options, &s, NULL);
        free_system(&s);
    }
    charge_system ions = make_ions(311, 240, CELL_CUBIC, 0);
    enuf_ewald_options bounded = options;
    bounded.surroundings = 3;
    agree("sphere", bounded, &ions, NULL);
    bounded.surroundings = 0;
    bounded.slab = 3;
    agree("slab", bounded, &ions, NULL);
    for (int64_t i = 0; i < ions.n; i += 3) ions.q[i] = 0;
    bounded.slab = 0;
    bounded.keep_net_force = 1;
    bounded.coulomb = 332.06371;
    agree("atoms without charge", bounded, &ions, NULL);
    free_system(&ions);
    int64_t *pairs = calloc(6 * 60, sizeof *pairs);
    charge_system water = make_water(313, 60, pairs);
    const enuf_exclusions exclusions = {.n = 3 * 60, .pairs = pairs};
    agree("water", options, &water, &exclusions);
    free_system(&water);
    free(pairs);
}

int main(void)
{
    const char *reason = "";
    if (!enuf_backend_usable(ENUF_BACKEND_CUDA, &reason)) {
        printf("skipped: %s\n", reason);
        return 77;
    }
    agree_in_all_systems(ENUF_ARITHMETIC_DOUBLE, ENUF_SPLIT_PROLATE, 0);
    agree_in_all_systems(ENUF_ARITHMETIC_DOUBLE, ENUF_SPLIT_GAUSSIAN, 0);
    agree_in_all_systems(ENUF_ARITHMETIC_MIXED, ENUF_SPLIT_PROLATE, 0);
    agree_in_all_systems(ENUF_ARITHMETIC_MIXED, ENUF_SPLIT_GAUSSIAN, 0);
    agree_in_all_systems(ENUF_ARITHMETIC_DOUBLE, ENUF_SPLIT_PROLATE, 1);
    return check_result();
}
