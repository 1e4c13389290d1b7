/*
 * test_apply.c - enuf_ewald_apply() multiplies by the matrix A of E = 1/2 q A q. Of the charges
 * that are set it gives the potentials of compute(), and of others the slopes that
 * enuf_ewald_differentiate() gives, to rounding, alone and up to 11 at a time; A is symmetric.
 * Cells of every shape, both splittings, net charges, boundary dielectric, slab, exclusions, mixed
 * arithmetic, deterministic; cell, charges and exclusions that change. Bounds: 5e-14 of the RMS
 * potential in double, whose transforms have other orders of sums; 3e-6 in mixed arithmetic. On a
 * GPU the slopes have another polynomial of the pairs than potentials: 0.1 A, because each is
 * within 0.02 A of the pair function. SPDX-License-Identifier: BSD-3-Clause
 */
#include "systems.h"
#include "enuf/ewald_derivatives.h"
#include "random_system.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VECTORS = 11 };

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

static double rms(int64_t n, const double *a, const double *b)
{
    double sum = 0;
    for (int64_t k = 0; k < n; k++) {
        const double x = a[k] - (b ? b[k] : 0);
        sum += x * x;
    }
    return sqrt(sum / (double)n);
}

static double dot(int64_t n, const double *a, const double *b)
{
    double sum = 0;
    for (int64_t k = 0; k < n; k++) sum += a[k] * b[k];
    return sum;
}

/* The potentials of the charges that are set. */
static void as_compute(enuf_ewald *ewald, const charge_system *s, double bound)
{
    enuf_ewald_result r = make_result(s->n);
    double *found = numbers(s->n);
    CHECK_STATUS(enuf_ewald_apply(ewald, 1, s->q, found), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_compute(ewald, s->x, 3, ENUF_WANT_ENERGY | ENUF_WANT_POTENTIAL, &r),
                 ENUF_SUCCESS);
    CHECK_BELOW(rms(s->n, found, r.potential) / rms(s->n, r.potential, NULL), bound,
                "A q - potentials of compute()");
    CHECK_BELOW((0.5 * dot(s->n, s->q, found) - r.energy) / fabs(r.energy), bound * 10,
                "1/2 q A q - energy");
    free(found);
    free_result(&r);
}

/* Slopes by charges. */
static void as_slopes(enuf_ewald *ewald, const charge_system *s, const double *charges,
                      const double *found, double bound)
{
    double *potential = numbers(s->n), worst = 0;
    for (int v = 0; v < VECTORS; v++) {
        const enuf_ewald_direction d = {.struct_size = sizeof d, .charges = charges + v * s->n};
        enuf_ewald_slopes slopes = {.struct_size = sizeof slopes, .potential = potential};
        CHECK_STATUS(enuf_ewald_differentiate(ewald, s->x, 3, &d, ENUF_WANT_POTENTIAL, &slopes),
                     ENUF_SUCCESS);
        worst = fmax(worst, rms(s->n, found + v * s->n, potential) / rms(s->n, potential, NULL));
    }
    CHECK_BELOW(worst, bound, "A w - slopes along w, 11 at a time");
    free(potential);
}

static void check(const char *name, const enuf_ewald_options *options, const charge_system *s,
                  const enuf_exclusions *exclusions)
{
    const double bound = options->arithmetic == ENUF_ARITHMETIC_MIXED ? 3e-6 : 5e-14;
    double *charges = numbers(VECTORS * s->n), *found = numbers(VECTORS * s->n);
    enuf_ewald *ewald = make_ewald(options, s, exclusions);
    printf("%s\n", name);
    random_numbers(71, VECTORS * s->n, -2, 2, charges);
    CHECK_STATUS(enuf_ewald_hold(ewald, s->x, 3), ENUF_SUCCESS);
    as_compute(ewald, s, bound);
    CHECK_STATUS(enuf_ewald_apply(ewald, VECTORS, charges, found), ENUF_SUCCESS);
    const double other_pairs = options->backend == ENUF_BACKEND_CUDA ? 0.1 * options->accuracy : 0;
    as_slopes(ewald, s, charges, found, bound + other_pairs);
    for (int v = 1; v < 7; v++) { /* 1, 2, 4 and 8 lanes */
        double *some = numbers(v * s->n);
        CHECK_STATUS(enuf_ewald_apply(ewald, v, charges, some), ENUF_SUCCESS);
        CHECK_BELOW(rms(v * s->n, some, found) / rms(v * s->n, found, NULL), bound,
                    "fewer vectors at a time");
        free(some);
    }
    CHECK_BELOW((dot(s->n, charges, found + 3 * s->n) - dot(s->n, charges + 3 * s->n, found)) /
                    ((double)s->n * rms(s->n, charges, NULL) * rms(s->n, found, NULL)),
                bound, "<a, A b> - <b, A a>");
    /* another set of charges and another cell: what depends on them is made anew */
    charge_system other = copy_system(s);
    for (int64_t i = 0; i < s->n; i++) other.q[i] = -other.q[i] * (i % 2 ? 1 : 1 + 1e-3);
    if (options->surroundings > 0)
        for (int64_t i = 0; i < s->n; i++) other.q[i] = -s->q[i];
    for (int k = 0; k < 9; k++) other.cell[k] *= 1.02;
    CHECK_STATUS(enuf_ewald_set_cell(ewald, other.cell), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_set_charges(ewald, s->n, other.q, NULL), ENUF_SUCCESS);
    as_compute(ewald, &other, bound);
    enuf_ewald_destroy(&ewald);
    free_system(&other);
    free(charges);
    free(found);
}

static void threads(void)
{
    charge_system s = make_ions(72, 500, CELL_TRICLINIC, 1);
    enuf_ewald_options options = options_for(1e-6, ENUF_SPLIT_AUTO);
    double *charges = numbers(5 * s.n), *one = numbers(5 * s.n), *many = numbers(5 * s.n);
    random_numbers(73, 5 * s.n, -20, 20, charges);
    options.deterministic = 1;
    for (int t = 1; t <= 3; t += 2) {
        options.threads = t;
        enuf_ewald *ewald = make_ewald(&options, &s, NULL);
        CHECK_STATUS(enuf_ewald_hold(ewald, s.x, 3), ENUF_SUCCESS);
        CHECK_STATUS(enuf_ewald_apply(ewald, 5, charges, t == 1 ? one : many), ENUF_SUCCESS);
        enuf_ewald_destroy(&ewald);
    }
    CHECK(memcmp(one, many, (size_t)(5 * s.n) * sizeof *one) == 0);
    free(charges);
    free(one);
    free(many);
    free_system(&s);
}

static void refusals(void)
{
    charge_system s = make_ions(74, 20, CELL_CUBIC, 0);
    enuf_ewald_options options = options_for(1e-5, ENUF_SPLIT_AUTO);
    double *w = numbers(40), *phi = numbers(40);
    enuf_ewald *ewald;
    REFUSED(enuf_ewald_hold(NULL, s.x, 3), ENUF_BAD_ARGUMENT, "enuf_ewald_hold: ewald is NULL");
    REFUSED(enuf_ewald_apply(NULL, 1, w, phi), ENUF_BAD_ARGUMENT,
            "enuf_ewald_apply: ewald is NULL");
    CHECK_STATUS(enuf_ewald_create(&options, &ewald), ENUF_SUCCESS);
    REFUSED(enuf_ewald_hold(ewald, s.x, 3), ENUF_NO_POINTS_SET, "enuf_ewald_set_cell()");
    CHECK_STATUS(enuf_ewald_set_cell(ewald, s.cell), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_set_charges(ewald, 20, w, NULL), ENUF_SUCCESS);
    REFUSED(enuf_ewald_hold(ewald, s.x, 3), ENUF_BAD_ARGUMENT, "all charges are 0");
    CHECK_STATUS(enuf_ewald_set_charges(ewald, 20, s.q, NULL), ENUF_SUCCESS);
    REFUSED(enuf_ewald_hold(ewald, NULL, 3), ENUF_BAD_ARGUMENT, "positions is NULL");
    REFUSED(enuf_ewald_hold(ewald, s.x, 1), ENUF_BAD_ARGUMENT, "stride is 1");
    REFUSED(enuf_ewald_apply(ewald, 1, w, phi), ENUF_NO_POINTS_SET, "enuf_ewald_hold()");
    CHECK_STATUS(enuf_ewald_hold(ewald, s.x, 3), ENUF_SUCCESS);
    REFUSED(enuf_ewald_apply(ewald, -1, w, phi), ENUF_BAD_ARGUMENT, "vectors is -1");
    REFUSED(enuf_ewald_apply(ewald, 1, NULL, phi), ENUF_BAD_ARGUMENT, "charges is NULL");
    REFUSED(enuf_ewald_apply(ewald, 1, w, NULL), ENUF_BAD_ARGUMENT, "potentials is NULL");
    w[27] = NAN;
    REFUSED(enuf_ewald_apply(ewald, 2, w, phi), ENUF_NOT_FINITE, "charge 7 of vector 1 is nan");
    w[27] = 1;
    CHECK_STATUS(enuf_ewald_apply(ewald, 0, NULL, NULL), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_apply(ewald, 2, w, phi), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_set_charges(ewald, 18, s.q, NULL), ENUF_SUCCESS);
    REFUSED(enuf_ewald_apply(ewald, 1, w, phi), ENUF_NO_POINTS_SET, "positions of 20 atoms");
    double same[54];
    memcpy(same, s.x, sizeof same);
    memcpy(same + 9, same + 6, 3 * sizeof *same);
    REFUSED(enuf_ewald_hold(ewald, same, 3), ENUF_BAD_ARGUMENT,
            "atoms 2 and 3 are at the same place");
    REFUSED(enuf_ewald_apply(ewald, 1, w, phi), ENUF_NO_POINTS_SET, "no positions are held");
    enuf_ewald_destroy(&ewald);
    free(w);
    free(phi);
    free_system(&s);
}

int main(void)
{
    for (int shape = 0; shape < CELL_SHAPE_COUNT; shape++) {
        charge_system s = make_ions(75, 60, (cell_shape)shape, shape % 2 ? 1.5 : 0);
        enuf_ewald_options options =
            options_for(1e-6, shape % 2 ? ENUF_SPLIT_PROLATE : ENUF_SPLIT_GAUSSIAN);
        options.coulomb = 2.5;
        if (shape == CELL_CUBIC) options.surroundings = 1;
        options.deterministic = shape == CELL_LEFT_HANDED;
        check(cell_shape_name((cell_shape)shape), &options, &s, NULL);
        free_system(&s);
    }
    for (int charged = 0; charged < 2; charged++) {
        charge_system s = make_ions(76, 40, CELL_CUBIC, charged ? 2 : 0);
        enuf_ewald_options options = options_for(1e-5, ENUF_SPLIT_AUTO);
        options.slab = 3;
        check(charged ? "slab with a net charge" : "slab", &options, &s, NULL);
        free_system(&s);
    }
    charge_system s = make_ions(77, 3000, CELL_TRICLINIC, 0);
    enuf_ewald_options options = options_for(1e-4, ENUF_SPLIT_PROLATE);
    options.arithmetic = ENUF_ARITHMETIC_MIXED;
    check("3000 ions, mixed", &options, &s, NULL);
    free_system(&s);
    int64_t pairs[6 * 16];
    double weights[48];
    for (int k = 0; k < 48; k++) weights[k] = k % 2 ? 0 : 0.5;
    charge_system water = make_water(78, 16, pairs);
    const enuf_exclusions exclusions = {48, pairs, weights};
    options = options_for(1e-7, ENUF_SPLIT_AUTO);
    check("water with exclusions", &options, &water, &exclusions);
    free_system(&water);
    threads();
    refusals();
    return check_result();
}
