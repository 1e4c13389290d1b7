/*
 * test_second_derivative_calls.c - enuf_ewald_differentiate() refuses invalid arguments with a text
 * that names them, and leaves the slopes as they were; slopes have the same bits with any number of
 * threads; after charges and exclusions were set anew they are those of a new object; many ions in
 * random order and mixed arithmetic give the slopes of compute(), and what is not wanted does not
 * change. SPDX-License-Identifier: BSD-3-Clause
 */
#include "systems.h"
#include "enuf/ewald_derivatives.h"
#include "random_system.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALL = ENUF_WANT_ENERGY | ENUF_WANT_FORCES | ENUF_WANT_POTENTIAL | ENUF_WANT_VIRIAL };

#define REFUSED(call, status, text)                                                                \
    do {                                                                                           \
        CHECK_STATUS(call, status);                                                                \
        CHECK_TEXT(text);                                                                          \
    } while (0)

static double *numbers(int64_t n)
{
    double *x = calloc((size_t)n, sizeof *x);
    if (!x) abort();
    return x;
}

static enuf_ewald_slopes make_slopes(int64_t n)
{
    return (enuf_ewald_slopes){.struct_size = sizeof(enuf_ewald_slopes),
                               .energy = 7,
                               .forces = numbers(3 * n),
                               .potential = numbers(n)};
}

static void free_slopes(enuf_ewald_slopes *slopes)
{
    free(slopes->forces);
    free(slopes->potential);
}

static void refusals(void)
{
    charge_system s = make_ions(61, 20, CELL_TRICLINIC, 0);
    enuf_ewald_options options = options_for(1e-5, ENUF_SPLIT_AUTO);
    double *u = numbers(60), *w = numbers(20), g[9] = {0};
    enuf_ewald_direction d = {.struct_size = sizeof d, .positions = u, .charges = w, .cell = g};
    enuf_ewald_slopes slopes = make_slopes(20);
    enuf_ewald *ewald;
    CHECK_STATUS(enuf_ewald_create(&options, &ewald), ENUF_SUCCESS);
#define DIFFERENTIATE(x, stride, direction, wanted, slopes)                                        \
    enuf_ewald_differentiate(ewald, x, stride, direction, wanted, slopes)
    REFUSED(DIFFERENTIATE(s.x, 3, &d, ALL, &slopes), ENUF_NO_POINTS_SET, "enuf_ewald_set_cell()");
    CHECK_STATUS(enuf_ewald_set_cell(ewald, s.cell), ENUF_SUCCESS);
    REFUSED(DIFFERENTIATE(s.x, 3, &d, ALL, &slopes), ENUF_NO_POINTS_SET,
            "enuf_ewald_set_charges()");
    CHECK_STATUS(enuf_ewald_set_charges(ewald, s.n, w, NULL), ENUF_SUCCESS);
    CHECK_STATUS(DIFFERENTIATE(s.x, 3, &d, ALL, &slopes), ENUF_SUCCESS);
    CHECK(slopes.energy == 0);
    slopes.energy = 7;
    w[3] = 1;
    REFUSED(DIFFERENTIATE(s.x, 3, &d, ALL, &slopes), ENUF_BAD_ARGUMENT, "all charges are 0");
    CHECK_STATUS(enuf_ewald_set_charges(ewald, s.n, s.q, NULL), ENUF_SUCCESS);
    REFUSED(enuf_ewald_differentiate(NULL, s.x, 3, &d, ALL, &slopes), ENUF_BAD_ARGUMENT,
            "enuf_ewald_differentiate: ewald is NULL");
    REFUSED(DIFFERENTIATE(NULL, 3, &d, ALL, &slopes), ENUF_BAD_ARGUMENT, "positions is NULL");
    REFUSED(DIFFERENTIATE(s.x, 2, &d, ALL, &slopes), ENUF_BAD_ARGUMENT, "stride is 2");
    REFUSED(DIFFERENTIATE(s.x, 3, NULL, ALL, &slopes), ENUF_BAD_ARGUMENT, "direction is NULL");
    REFUSED(DIFFERENTIATE(s.x, 3, &d, ALL, NULL), ENUF_BAD_ARGUMENT, "slopes is NULL");
    REFUSED(DIFFERENTIATE(s.x, 3, &d, ENUF_WANT_FIELD, &slopes), ENUF_BAD_ARGUMENT, "wanted is 64");
    d.struct_size = 1;
    REFUSED(DIFFERENTIATE(s.x, 3, &d, ALL, &slopes), ENUF_BAD_ARGUMENT, "direction->struct_size");
    d.struct_size = sizeof d;
    slopes.struct_size = 1;
    REFUSED(DIFFERENTIATE(s.x, 3, &d, ALL, &slopes), ENUF_BAD_ARGUMENT, "slopes->struct_size");
    slopes.struct_size = sizeof slopes;
    double *const forces = slopes.forces, *const potential = slopes.potential;
    slopes.forces = NULL;
    REFUSED(DIFFERENTIATE(s.x, 3, &d, ALL, &slopes), ENUF_BAD_ARGUMENT, "slopes->forces is NULL");
    slopes.forces = forces;
    slopes.potential = NULL;
    REFUSED(DIFFERENTIATE(s.x, 3, &d, ALL, &slopes), ENUF_BAD_ARGUMENT,
            "slopes->potential is NULL");
    slopes.potential = potential;
    u[7] = NAN;
    REFUSED(DIFFERENTIATE(s.x, 3, &d, ALL, &slopes), ENUF_NOT_FINITE,
            "direction->positions[7] is nan");
    u[7] = 0;
    w[19] = INFINITY;
    REFUSED(DIFFERENTIATE(s.x, 3, &d, ALL, &slopes), ENUF_NOT_FINITE,
            "direction->charges[19] is inf");
    w[19] = 0;
    g[2] = NAN;
    REFUSED(DIFFERENTIATE(s.x, 3, &d, ALL, &slopes), ENUF_NOT_FINITE, "direction->cell[2] is nan");
    g[2] = 0;
    const double x = s.x[4];
    s.x[4] = INFINITY;
    REFUSED(DIFFERENTIATE(s.x, 3, &d, ALL, &slopes), ENUF_NOT_FINITE, "position of atom 1");
    s.x[4] = x;
    double same[60];
    memcpy(same, s.x, sizeof same);
    memcpy(same + 9, same + 6, 3 * sizeof *same);
    REFUSED(DIFFERENTIATE(same, 3, &d, ALL, &slopes), ENUF_BAD_ARGUMENT,
            "atoms 2 and 3 are at the same place");
    CHECK(slopes.energy == 7);
    CHECK_STATUS(DIFFERENTIATE(s.x, 3, &d, ALL, &slopes), ENUF_SUCCESS);
    CHECK(slopes.energy != 7);
    enuf_ewald_destroy(&ewald);
    free(u);
    free(w);
    free_slopes(&slopes);
    free_system(&s);
}

/* The modes left out, measured at positions, have no second derivative by the cell: along it slopes
 * are those without them, at a finer accuracy, or refused where parameters are given. */
static void modes_left_out(void)
{
    charge_system s = make_ions(62, 300, CELL_CUBIC, 0);
    enuf_ewald_options options = options_for(1e-5, ENUF_SPLIT_GAUSSIAN);
    const double g[9] = {1};
    enuf_ewald_direction d = {.struct_size = sizeof d, .cell = g};
    enuf_ewald_slopes slopes = make_slopes(s.n), without = make_slopes(s.n);
    enuf_ewald_report report = {.struct_size = sizeof report};
    enuf_ewald *ewald = make_ewald(&options, &s, NULL);
    CHECK_STATUS(DIFFERENTIATE(s.x, 3, &d, ALL, &without), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_tune(ewald, s.x, 3), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_get_report(ewald, &report), ENUF_SUCCESS);
    CHECK(report.energy_tail != 0);
    CHECK_STATUS(DIFFERENTIATE(s.x, 3, &d, ALL, &slopes), ENUF_SUCCESS);
    CHECK_CLOSE(slopes.energy, without.energy, 1e-9, "slope along g of a tuned object");
    CHECK_CLOSE(slopes.virial[0], without.virial[0], 1e-9, "slope of its virial");
    enuf_ewald_destroy(&ewald);
    options.alpha = report.alpha;
    ewald = make_ewald(&options, &s, NULL);
    CHECK_STATUS(enuf_ewald_tune(ewald, s.x, 3), ENUF_SUCCESS);
    REFUSED(DIFFERENTIATE(s.x, 3, &d, ALL, &slopes), ENUF_UNSUPPORTED, "options.truncated");
    d = (enuf_ewald_direction){.struct_size = sizeof d, .charges = s.q};
    CHECK_STATUS(DIFFERENTIATE(s.x, 3, &d, ALL, &slopes), ENUF_SUCCESS);
    enuf_ewald_result r = make_result(s.n);
    /* on a GPU evaluations and slopes have pair functions of their own */
    const double bound = tested_backend() == ENUF_BACKEND_CUDA ? options.accuracy : 1e-12;
    CHECK_STATUS(enuf_ewald_compute(ewald, s.x, 3, WANT_ALL, &r), ENUF_SUCCESS);
    CHECK_CLOSE(slopes.energy, 2 * r.energy, bound, "slope along q: twice the energy");
    for (int c = 0; c < 6; c++)
        CHECK_BELOW((slopes.virial[c] - 2 * r.virial[c]) / r.energy, bound, "twice the virial");
    enuf_ewald_destroy(&ewald);
    free_result(&r);
    free_slopes(&slopes);
    free_slopes(&without);
    free_system(&s);
}

/* Slopes along u, w, g of ions in random order. */
static enuf_ewald_slopes slopes_of(const enuf_ewald_options *options, const charge_system *s,
                                   const enuf_ewald_direction *d)
{
    enuf_ewald_slopes slopes = make_slopes(s->n);
    enuf_ewald *ewald = make_ewald(options, s, NULL);
    CHECK_STATUS(DIFFERENTIATE(s->x, 3, d, ALL, &slopes), ENUF_SUCCESS);
    enuf_ewald_destroy(&ewald);
    return slopes;
}

static void bits(void)
{
    charge_system s = make_ions(63, 700, CELL_TRICLINIC, 0.5);
    double *u = numbers(3 * s.n), *w = numbers(s.n), g[9];
    random_numbers(64, 3 * s.n, -1, 1, u);
    random_numbers(65, s.n, -30, 30, w); /* sums beyond those of the charges */
    random_numbers(66, 9, -1, 1, g);
    const enuf_ewald_direction d = {
        .struct_size = sizeof d, .positions = u, .charges = w, .cell = g};
    for (int deterministic = 0; deterministic < 2; deterministic++) {
        enuf_ewald_options options = options_for(1e-6, ENUF_SPLIT_PROLATE);
        options.deterministic = deterministic;
        options.threads = 1;
        enuf_ewald_slopes one = slopes_of(&options, &s, &d);
        for (int threads = 2; threads <= 4; threads += 2) {
            options.threads = threads;
            enuf_ewald_slopes many = slopes_of(&options, &s, &d);
            /* without `deterministic` the mesh adds its tiles in any order */
            const double most = deterministic ? 0 : 1e-12;
            CHECK_BELOW(rms_difference(s.n, one.forces, many.forces) /
                            rms_difference(s.n, one.forces, NULL),
                        most, "threads: forces");
            CHECK_BELOW(largest_difference(9, one.cell, many.cell) / fabs(one.cell[0]), most,
                        "threads: dE/dcell");
            CHECK_BELOW((one.energy - many.energy) / one.energy, most, "threads: energy");
            free_slopes(&many);
        }
        free_slopes(&one);
    }
    free(u);
    free(w);
    free_system(&s);
}

/* Slopes along a strain have an object of their own, which gets charges and exclusions too, and
 * leaves out less where larger charges need it. */
static void new_charges(double force_error, double scale)
{
    enum { PAIRS = 20 };
    charge_system s = make_ions(70, 200, CELL_TRICLINIC, 0), other = copy_system(&s);
    int64_t pairs[2 * PAIRS];
    for (int64_t k = 0; k < 2 * PAIRS; k++) pairs[k] = k;
    const enuf_exclusions exclusions = {PAIRS, pairs, NULL};
    const double g[9] = {1, 0.2, 0, 0, -0.5, 0.1, 0, 0, 0.3};
    const enuf_ewald_direction d = {.struct_size = sizeof d, .positions = s.x, .cell = g};
    enuf_ewald_options options = options_for(force_error > 0 ? 0 : 1e-6, ENUF_SPLIT_AUTO);
    options.force_error = force_error;
    enuf_ewald_slopes slopes = make_slopes(s.n), wanted = make_slopes(s.n);
    for (int64_t i = 0; i < s.n; i++) other.q[i] = scale * s.q[s.n - 1 - i];
    enuf_ewald *ewald = make_ewald(&options, &s, NULL);
    CHECK_STATUS(DIFFERENTIATE(s.x, 3, &d, ALL, &slopes), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_set_charges(ewald, s.n, other.q, &exclusions), ENUF_SUCCESS);
    CHECK_STATUS(DIFFERENTIATE(s.x, 3, &d, ALL, &slopes), ENUF_SUCCESS);
    enuf_ewald_destroy(&ewald);
    ewald = make_ewald(&options, &other, &exclusions);
    CHECK_STATUS(DIFFERENTIATE(s.x, 3, &d, ALL, &wanted), ENUF_SUCCESS);
    CHECK_CLOSE(slopes.energy, wanted.energy, 1e-10, "new charges: slope of the energy");
    CHECK_BELOW(largest_difference(6, slopes.virial, wanted.virial) / fabs(wanted.energy), 1e-10,
                "new charges: slope of the virial");
    CHECK_BELOW(rms_difference(s.n, slopes.forces, wanted.forces) /
                    rms_difference(s.n, wanted.forces, NULL),
                1e-10, "new charges: slopes of forces");
    enuf_ewald_destroy(&ewald);
    free_slopes(&slopes);
    free_slopes(&wanted);
    free_system(&s);
    free_system(&other);
}

/* Evaluations before and after slopes and held positions have the same bits. */
static void leaves_evaluations(int deterministic)
{
    charge_system s = make_ions(64, 400, CELL_TRICLINIC, 0);
    enuf_ewald_options options = options_for(1e-6, ENUF_SPLIT_AUTO);
    enuf_ewald_result before = make_result(s.n), after = make_result(s.n);
    const enuf_ewald_direction d = {
        .struct_size = sizeof d, .positions = s.x, .charges = s.q, .cell = s.cell};
    enuf_ewald_slopes slopes = make_slopes(s.n);
    options.deterministic = deterministic;
    options.threads = 1;
    enuf_ewald *ewald = make_ewald(&options, &s, NULL);
    CHECK_STATUS(enuf_ewald_compute(ewald, s.x, 3, WANT_ALL, &before), ENUF_SUCCESS);
    CHECK_STATUS(DIFFERENTIATE(s.x, 3, &d, ALL, &slopes), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_hold(ewald, s.x, 3), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_apply(ewald, 1, s.q, slopes.potential), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_compute(ewald, s.x, 3, WANT_ALL, &after), ENUF_SUCCESS);
    CHECK(memcmp(before.forces, after.forces, (size_t)(3 * s.n) * sizeof(double)) == 0);
    CHECK(memcmp(before.potential, after.potential, (size_t)s.n * sizeof(double)) == 0);
    CHECK(memcmp(before.virial, after.virial, sizeof before.virial) == 0);
    CHECK(before.energy == after.energy);
    enuf_ewald_destroy(&ewald);
    free_result(&before);
    free_result(&after);
    free_slopes(&slopes);
    free_system(&s);
}

/* 32,000 ions: the atoms are put into spatial order. Against differences of compute(). */
static void many(enuf_arithmetic arithmetic)
{
    const double h = arithmetic == ENUF_ARITHMETIC_MIXED ? 0.03 : 3e-3, accuracy = 1e-5;
    charge_system s = make_ions(67, 32000, CELL_TRICLINIC, 0);
    double *u = numbers(3 * s.n), *w = numbers(s.n), *force_slopes = numbers(3 * s.n),
           *potential_slopes = numbers(s.n);
    random_numbers(68, 3 * s.n, -1, 1, u);
    random_numbers(69, s.n, -1, 1, w);
    enuf_ewald_options options = options_for(accuracy, ENUF_SPLIT_PROLATE);
    options.arithmetic = arithmetic;
    enuf_ewald *ewald = make_ewald(&options, &s, NULL);
    enuf_ewald_slopes slopes = make_slopes(s.n);
    const enuf_ewald_direction d = {.struct_size = sizeof d, .positions = u, .charges = w};
    CHECK_STATUS(DIFFERENTIATE(s.x, 3, &d, ENUF_WANT_FORCES | ENUF_WANT_POTENTIAL, &slopes),
                 ENUF_SUCCESS);
    CHECK(slopes.energy == 7); /* not wanted */
    const double weights[5] = {1, -8, 0, 8, -1};
    for (int step = 0; step < 5; step++) {
        const double t = (step - 2) * h;
        enuf_ewald_result r = make_result(s.n);
        charge_system at = copy_system(&s);
        for (int64_t k = 0; k < 3 * s.n; k++) at.x[k] += t * u[k];
        for (int64_t k = 0; k < s.n; k++) at.q[k] += t * w[k];
        CHECK_STATUS(enuf_ewald_set_charges(ewald, at.n, at.q, NULL), ENUF_SUCCESS);
        CHECK_STATUS(enuf_ewald_compute(ewald, at.x, 3, ENUF_WANT_FORCES | ENUF_WANT_POTENTIAL, &r),
                     ENUF_SUCCESS);
        for (int64_t k = 0; k < 3 * s.n; k++)
            force_slopes[k] += weights[step] / (12 * h) * r.forces[k];
        for (int64_t k = 0; k < s.n; k++)
            potential_slopes[k] += weights[step] / (12 * h) * r.potential[k];
        free_result(&r);
        free_system(&at);
    }
    printf("%s\n", enuf_arithmetic_name(arithmetic));
    CHECK_BELOW(rms_difference(s.n, slopes.forces, force_slopes) /
                    rms_difference(s.n, force_slopes, NULL),
                20 * accuracy, "slopes of forces of 32000 ions, relative");
    CHECK_BELOW(largest_difference(s.n, slopes.potential, potential_slopes), 20 * accuracy,
                "slopes of potentials, absolute, of about 1");
    enuf_ewald_destroy(&ewald);
    free(u);
    free(w);
    free(force_slopes);
    free(potential_slopes);
    free_slopes(&slopes);
    free_system(&s);
}

int main(void)
{
    const int on_gpu = tested_backend() == ENUF_BACKEND_CUDA;
    refusals();
    modes_left_out();
    bits();
    new_charges(0, 1);
    new_charges(1e-6, 100);
    /* a GPU without `deterministic` adds in any order */
    for (int deterministic = on_gpu; deterministic < 2; deterministic++)
        leaves_evaluations(deterministic);
    many(ENUF_ARITHMETIC_DOUBLE);
    many(ENUF_ARITHMETIC_MIXED);
    return check_result();
}
