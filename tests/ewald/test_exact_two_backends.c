/*
 * test_exact_two_backends.c - exact sums on CPU and GPU agree to 1e-13: forces in F_ref, potentials
 * in their RMS, energy and virial in 1/2 sum |q phi|, and, with one alpha, every part of the
 * energy. Cells of every shape, a slab, boundary dielectrics, a net charge, exclusions, far images,
 * atoms without charge, close pairs, single ions, several batches of atoms, few targets, truncated
 * sums, needles. The GPU repeats its bits. Objects of both splittings on the GPU measure against
 * the same forces and energies as those on the CPU. SPDX-License-Identifier: BSD-3-Clause
 */
#include "object/ewald_object.h"
#include "memory.h"
#include "systems.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Both round at 1e-16 of terms that are a few times F_ref; the sum of the errors grows as the root
 * of the number of terms, 1e4 here. */
static const double BOUND = 1e-13;

typedef struct exact_answer {
    enuf_exact_result result;
    enuf_status status;
} exact_answer;

/* targets NULL: all atoms. */
static exact_answer sums_on(enuf_backend backend, enuf_exact_options options,
                            const charge_system *s, const enuf_exclusions *exclusions,
                            int64_t n_targets, const int64_t *targets)
{
    exact_answer a = {.status = ENUF_SUCCESS};
    const size_t n = (size_t)(targets ? n_targets : s->n);
    a.result.forces = calloc(3 * n, sizeof(double));
    a.result.potential = calloc(n, sizeof(double));
    options.backend = backend;
    a.status = enuf_exact_ewald(&options, s->cell, s->n, s->x, 3, s->q, exclusions, n_targets,
                                targets, &a.result);
    return a;
}

static void free_answer(exact_answer *a)
{
    free(a->result.forces);
    free(a->result.potential);
}

static void parts_agree(const enuf_ewald_parts *gpu, const enuf_ewald_parts *cpu, double scale)
{
    const double parts[6][2] = {{gpu->real, cpu->real},       {gpu->reciprocal, cpu->reciprocal},
                                {gpu->self, cpu->self},       {gpu->background, cpu->background},
                                {gpu->surface, cpu->surface}, {gpu->excluded, cpu->excluded}};
    for (int k = 0; k < 6; k++)
        CHECK_BELOW((parts[k][0] - parts[k][1]) / scale, BOUND, "part of the energy");
}

/* Forces of `force`, if it is given, else of F_ref. */
static void agree_with(const char *name, const enuf_exact_options *options, const charge_system *s,
                       const enuf_exclusions *exclusions, int64_t n_targets, const int64_t *targets,
                       double force)
{
    const int64_t n = targets ? n_targets : s->n;
    exact_answer cpu = sums_on(ENUF_BACKEND_CPU, *options, s, exclusions, n_targets, targets);
    exact_answer gpu = sums_on(ENUF_BACKEND_CUDA, *options, s, exclusions, n_targets, targets);
    printf("%s: %lld charges, %lld targets\n", name, (long long)s->n, (long long)n);
    CHECK(cpu.status == ENUF_SUCCESS && gpu.status == ENUF_SUCCESS);
    double scale = 0, rms = 0;
    for (int64_t t = 0; t < n; t++) {
        const double phi = cpu.result.potential[t];
        scale += 0.5 * fabs(s->q[targets ? targets[t] : t] * phi);
        rms += phi * phi / (double)n;
    }
    if (force == 0) force = options->coulomb * reference_force(s);
    CHECK_BELOW(largest_difference(3 * n, gpu.result.forces, cpu.result.forces) / force, BOUND,
                "forces");
    CHECK_BELOW(largest_difference(n, gpu.result.potential, cpu.result.potential) / sqrt(rms),
                BOUND, "potentials");
    CHECK_BELOW((gpu.result.energy - cpu.result.energy) / scale, BOUND, "energy");
    if (isnan(cpu.result.virial[0]))
        CHECK(isnan(gpu.result.virial[0]));
    else
        CHECK_BELOW(largest_difference(6, gpu.result.virial, cpu.result.virial) / scale, BOUND,
                    "virial");
    if (options->alpha > 0) parts_agree(&gpu.result.parts, &cpu.result.parts, scale);
    free_answer(&cpu);
    free_answer(&gpu);
}

/* With the alpha that each backend chooses, and with one alpha. */
static void agree(const char *name, enuf_exact_options options, const charge_system *s,
                  const enuf_exclusions *exclusions)
{
    const double *h = s->cell;
    const double volume =
        fabs(h[0] * (h[4] * h[8] - h[5] * h[7]) - h[1] * (h[3] * h[8] - h[5] * h[6]) +
             h[2] * (h[3] * h[7] - h[4] * h[6]));
    agree_with(name, &options, s, exclusions, 0, NULL, 0);
    options.alpha = 1.2 * cbrt((double)s->n / volume);
    agree_with(name, &options, s, exclusions, 0, NULL, 0);
}

static enuf_exact_options defaults(void)
{
    enuf_exact_options options;
    enuf_exact_options_init(&options);
    return options;
}

/* ---- Systems ---- */

static void every_shape_and_boundary(void)
{
    enuf_exact_options options = defaults();
    options.coulomb = 332.06371;
    for (int shape = 0; shape < CELL_SHAPE_COUNT; shape++) {
        charge_system s = make_ions(211, 200, shape, shape % 2);
        agree(cell_shape_name(shape), options, &s, NULL);
        free_system(&s);
    }
    charge_system s = make_ions(212, 100, CELL_TRICLINIC, 0);
    for (int i = 0; i < 2; i++) {
        options.surroundings = i == 0 ? 1 : 4.5;
        agree("boundary dielectric", options, &s, NULL);
    }
    options.surroundings = 0;
    free_system(&s);
    for (int net = 0; net < 2; net++) {
        s = make_ions(213, 100, CELL_THIN, net);
        options.slab = 3;
        agree("slab", options, &s, NULL);
        free_system(&s);
    }
}

static void exclusions(void)
{
    enum { MOLECULES = 30 };
    int64_t pairs[6 * MOLECULES];
    double weights[3 * MOLECULES];
    charge_system s = make_water(214, MOLECULES, pairs);
    for (int k = 0; k < 3 * MOLECULES; k++) weights[k] = 0.25 * (k % 4);
    const enuf_exclusions whole = {.n = 3 * MOLECULES, .pairs = pairs},
                          weighted = {.n = 3 * MOLECULES, .pairs = pairs, .weights = weights};
    agree("water, excluded pairs", defaults(), &s, &whole);
    agree("water, weighted pairs", defaults(), &s, &weighted);
    free_system(&s);
}

/* Round numbers: moving ions by whole cells rounds nothing. */
static charge_system make_round_ions(uint64_t seed, int64_t n)
{
    charge_system s = make_ions(seed, n, CELL_TRICLINIC, 0);
    for (int i = 0; i < 9; i++) s.cell[i] = round(s.cell[i] * 64) / 64;
    for (int64_t i = 0; i < 3 * s.n; i++) s.x[i] = round(s.x[i] * 0x1p30) / 0x1p30;
    return s;
}

/* Moved by whole cells; then without some charges. */
static void far_images_and_bare_atoms(void)
{
    charge_system s = make_round_ions(215, 100);
    for (int64_t i = 0; i < s.n; i++)
        for (int d = 0; d < 3; d++)
            s.x[3 * i + d] += (double)(i % 7 - 3) * 1024 * s.cell[i % 3 * 3 + d];
    agree("far images", defaults(), &s, NULL);
    for (int64_t i = 0; i < s.n; i += 5) s.q[i] = 0;
    agree("atoms without charge", defaults(), &s, NULL);
    free_system(&s);
}

/* The low digits of the positions decide the force of a close pair in a long cell. */
static void close_pairs(void)
{
    charge_system s = make_ions(216, 100, CELL_THIN, 0);
    const double apart = 1e-6;
    for (int d = 0; d < 3; d++) s.x[3 + d] = s.x[d] + (d == 1 ? apart : 0);
    const enuf_exact_options options = defaults();
    agree_with("ions 1e-6 apart", &options, &s, NULL, 0, NULL, 1 / (apart * apart));
    free_system(&s);
}

static void few_ions(void)
{
    for (int64_t n = 1; n <= 3; n++) {
        charge_system s = make_ions(217, n, CELL_TRICLINIC, (double)(n % 2));
        agree("few ions", defaults(), &s, NULL);
        free_system(&s);
    }
    charge_system needle = make_ions(218, 12, CELL_CUBIC, 0);
    for (int d = 0; d < 3; d++) { /* 40 times as long along each axis in turn */
        for (int i = 0; i < 9; i++) needle.cell[i] *= i == 4 * d ? 40 : 1;
        agree("needle", defaults(), &needle, NULL);
        for (int i = 0; i < 9; i++) needle.cell[i] /= i == 4 * d ? 40 : 1;
    }
    free_system(&needle);
}

/* More atoms than a chunk, and targets that several warps share or none. */
static void many_atoms(int64_t n)
{
    charge_system s = make_ions(219, n, CELL_TRICLINIC, 1);
    enuf_exact_options options = defaults();
    int64_t targets[50];
    for (int64_t t = 0; t < 50; t++) targets[t] = (t * 7919 + 3) % s.n;
    agree_with("many atoms, few targets", &options, &s, NULL, 50, targets, 0);
    agree_with("one target", &options, &s, NULL, 1, targets, 0);
    agree_with("many atoms, all of them targets", &options, &s, NULL, 0, NULL, 0);
    free_system(&s);
}

static void truncated_sums(void)
{
    charge_system s = make_ions(220, 60, CELL_TRICLINIC, 0);
    enuf_exact_options options = defaults();
    options.alpha = 0.4;
    for (options.cutoff = 2; options.cutoff < 40; options.cutoff *= 2.5)
        for (options.kmax = 0.5; options.kmax < 9; options.kmax += 2.7)
            agree_with("truncated sums", &options, &s, NULL, 0, NULL, 0);
    free_system(&s);
}

static void bits_repeat(void)
{
    charge_system s = make_ions(221, 300, CELL_TRICLINIC, 0);
    exact_answer a = sums_on(ENUF_BACKEND_CUDA, defaults(), &s, NULL, 0, NULL);
    exact_answer b = sums_on(ENUF_BACKEND_CUDA, defaults(), &s, NULL, 0, NULL);
    CHECK(memcmp(a.result.forces, b.result.forces, (size_t)s.n * 3 * sizeof(double)) == 0);
    CHECK(memcmp(a.result.potential, b.result.potential, (size_t)s.n * sizeof(double)) == 0);
    CHECK(memcmp(a.result.virial, b.result.virial, sizeof a.result.virial) == 0);
    free_answer(&a);
    free_answer(&b);
    free_system(&s);
}

static void refusals(void)
{
    charge_system s = make_round_ions(222, 20);
    for (int whole = 0; whole <= 3; whole += 3) {
        for (int d = 0; d < 3; d++)
            s.x[3 * 17 + d] = s.x[3 * 4 + d] + whole * (s.cell[d] - s.cell[6 + d]);
        exact_answer a = sums_on(ENUF_BACKEND_CUDA, defaults(), &s, NULL, 0, NULL);
        CHECK_STATUS(a.status, ENUF_BAD_ARGUMENT);
        CHECK_TEXT("atoms 4 and 17 lie at the same place");
        free_answer(&a);
    }
    free_system(&s);
    enuf_exact_options options = defaults();
    options.device = 1000;
    s = make_ions(222, 20, CELL_CUBIC, 0);
    exact_answer a = sums_on(ENUF_BACKEND_CUDA, options, &s, NULL, 0, NULL);
    CHECK_STATUS(a.status, ENUF_BAD_ARGUMENT);
    CHECK_TEXT("enuf_exact_ewald: device 1000");
    free_answer(&a);
    free_system(&s);
}

/* On the host and on the device. */
static void every_allocation_may_fail(void)
{
    charge_system s = make_ions(224, 20, CELL_TRICLINIC, 0);
    int failures = 0;
    for (enuf_status status = ENUF_OUT_OF_MEMORY; status != ENUF_SUCCESS && failures < 200;) {
        enuf_fail_allocation(failures + 1);
        exact_answer a = sums_on(ENUF_BACKEND_CUDA, defaults(), &s, NULL, 0, NULL);
        enuf_fail_allocation(0);
        status = a.status;
        CHECK(status == ENUF_OUT_OF_MEMORY || status == ENUF_SUCCESS);
        failures += status != ENUF_SUCCESS;
        free_answer(&a);
    }
    printf("%d allocations failed\n", failures);
    CHECK(failures > 30 && failures < 200);
    free_system(&s);
}

/* ---- Objects ---- */

static void objects_measure_alike(enuf_split split)
{
    charge_system s = make_ions(223, 400, CELL_TRICLINIC, 1);
    for (int64_t sample = 0; sample <= 60; sample += 60) {
        enuf_ewald_error found[2];
        for (int k = 0; k < 2; k++) {
            enuf_ewald_options options = options_for(1e-5, split);
            options.backend = k == 0 ? ENUF_BACKEND_CPU : ENUF_BACKEND_CUDA;
            options.arithmetic = ENUF_ARITHMETIC_DOUBLE;
            enuf_ewald *ewald = make_ewald(&options, &s, NULL);
            /* an object stays on its device, and its exact sums too */
            CHECK(ewald->options.device >= 0 || k == 0);
            found[k] = (enuf_ewald_error){.struct_size = sizeof found[k]};
            CHECK_STATUS(enuf_ewald_measure_error(ewald, s.x, 3, sample, 5, &found[k]),
                         ENUF_SUCCESS);
            enuf_ewald_destroy(&ewald);
        }
        printf("%s, sample of %lld\n", enuf_split_name(split), (long long)sample);
        CHECK_CLOSE(found[1].rms_of_forces, found[0].rms_of_forces, BOUND, "RMS exact force");
        CHECK_CLOSE(found[1].energy_scale, found[0].energy_scale, BOUND, "exact energies");
        CHECK_BELOW(found[1].accuracy, 1e-5, "error found on the GPU, A");
    }
    free_system(&s);
}

/* n atoms for the case of many: fewer for slow checkers. */
int main(int argc, char **argv)
{
    const char *reason = "";
    if (!enuf_backend_usable(ENUF_BACKEND_CUDA, &reason)) return check_skip(reason);
    every_shape_and_boundary();
    exclusions();
    far_images_and_bare_atoms();
    close_pairs();
    few_ions();
    many_atoms(argc > 1 ? atoll(argv[1]) : 50000);
    truncated_sums();
    bits_repeat();
    refusals();
    every_allocation_may_fail();
    objects_measure_alike(ENUF_SPLIT_GAUSSIAN);
    objects_measure_alike(ENUF_SPLIT_PROLATE);
    return check_result();
}
