/*
 * test_truncation_error.c - the predicted truncation error where few modes are left out, for
 * spheres of modes that end just below and just above a shell. Reference: the RMS error of 60
 * configurations of 40 random ions, against sums at A = 1e-8. Bound: 10 %, because |S(k)|^2
 * scatters. Cells of every shape, both splittings. SPDX-License-Identifier: BSD-3-Clause
 */
#include "systems.h"

#include "enuf/window.h"

#include <math.h>
#include <stdio.h>

static const double TWO_PI = 6.283185307179586, DENSITY = 0.1; /* of make_ions() */
enum { IONS = 40, CONFIGURATIONS = 60 };

/* The mean square error of IONS x CONFIGURATIONS forces scatters by a few per cent, and more if few
 * modes cause it. For three independent modes, the mean of |S(k)|^2 over 60 configurations has a
 * standard deviation of 7 %, its root half of that. */
static const double TOLERANCE = 0.1;

/* Configurations in one cell, and their forces at A = 1e-8, which serve as reference. */
typedef struct ensemble {
    cell_shape shape;
    charge_system system[CONFIGURATIONS];
    enuf_ewald_result fine[CONFIGURATIONS];
} ensemble;

static ensemble make_ensemble(cell_shape shape)
{
    ensemble made = {.shape = shape};
    for (int k = 0; k < CONFIGURATIONS; k++) {
        made.system[k] = make_ions(1000 + (uint64_t)k, IONS, shape, 0);
        made.fine[k] = make_result(IONS);
    }
    /* one object serves all: cell and charges are the same */
    enuf_ewald_options options = options_for(1e-8, ENUF_SPLIT_PROLATE);
    options.threads = 1;
    enuf_ewald *ewald = make_ewald(&options, &made.system[0], NULL);
    for (int k = 0; k < CONFIGURATIONS; k++)
        CHECK_STATUS(
            enuf_ewald_compute(ewald, made.system[k].x, 3, ENUF_WANT_FORCES, &made.fine[k]),
            ENUF_SUCCESS);
    enuf_ewald_destroy(&ewald);
    return made;
}

static void free_ensemble(ensemble *e)
{
    for (int k = 0; k < CONFIGURATIONS; k++) {
        free_result(&e->fine[k]);
        free_system(&e->system[k]);
    }
}

static void compare(const ensemble *e, double cutoff, double parameter, enuf_split split,
                    double kmax)
{
    enuf_ewald_options options = options_for(1e-6, split);
    options.threads = 1;
    options.cutoff = cutoff;
    *(split == ENUF_SPLIT_GAUSSIAN ? &options.alpha : &options.c) = parameter;
    options.kmax = kmax;
    options.width = 12; /* the mesh error is negligible */
    options.shape = enuf_window_shape(ENUF_WINDOW_PROLATE, 12, 3);
    for (int d = 0; d < 3; d++) options.grid[d] = 24;
    enuf_ewald *ewald = make_ewald(&options, &e->system[0], NULL);
    enuf_ewald_result result = make_result(IONS);
    enuf_ewald_report report = {.struct_size = sizeof report};
    double sum = 0;
    for (int k = 0; k < CONFIGURATIONS; k++) {
        const charge_system *s = &e->system[k];
        CHECK_STATUS(enuf_ewald_compute(ewald, s->x, 3, ENUF_WANT_FORCES, &result), ENUF_SUCCESS);
        double error = rms_difference(IONS, result.forces, e->fine[k].forces) / reference_force(s);
        sum += error * error / CONFIGURATIONS;
    }
    CHECK_STATUS(enuf_ewald_get_report(ewald, &report), ENUF_SUCCESS);
    double predicted = hypot(report.predicted_truncation, report.predicted_real);
    enuf_ewald_destroy(&ewald);
    free_result(&result);
    char name[120];
    snprintf(name, sizeof name, "%s, %s, modes to %.2f: predicted, measured",
             cell_shape_name(e->shape), enuf_split_name(split), kmax);
    CHECK_CLOSE(predicted, sqrt(sum), TOLERANCE, name);
}

/* k_c r_c = c: the modes end at the end of the band. */
static void compare_band(const ensemble *e, double cutoff, double c)
{
    compare(e, cutoff, c, ENUF_SPLIT_PROLATE, c / cutoff / TWO_PI * cbrt(IONS / DENSITY));
}

int main(void)
{
    ensemble cubic = make_ensemble(CELL_CUBIC);
    /* the sphere ends just before its first, second, third and fourth shell, and just after */
    const double kmax[] = {0.99, 1.01, 1.40, 1.42, 1.72, 1.74, 1.98, 2.02};
    for (int k = 0; k < 8; k++)
        compare_band(&cubic, 8 / (TWO_PI * kmax[k] / cbrt(IONS / DENSITY)), 8);
    for (int k = 0; k < 8; k += 2) /* with such an alpha the pairs have a smaller error */
        compare(&cubic, 16, 0.16 * kmax[k], ENUF_SPLIT_GAUSSIAN, kmax[k]);
    free_ensemble(&cubic);

    const cell_shape shapes[] = {CELL_TRICLINIC, CELL_THIN, CELL_LEFT_HANDED};
    for (int k = 0; k < 3; k++) {
        ensemble e = make_ensemble(shapes[k]);
        compare_band(&e, 14, 10);
        compare_band(&e, 9, 12);
        free_ensemble(&e);
    }
    return check_result();
}
