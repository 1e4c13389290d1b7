/*
 * test_invariance.c - results do not depend on how a crystal is described: translation, images of
 * atoms, rotation, other cells of the lattice, a 2 x 1 x 3 supercell, order of atoms. 120 random
 * ions in a cubic cell and in a charged triclinic cell, both splittings, A = 1e-11. Bounds: 2 A for
 * forces, 20 A for energy and virial, 400 A for potentials. SPDX-License-Identifier: BSD-3-Clause
 */
#include "systems.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double ACCURACY = 1e-11;

/* The matrix R of a rotation x' = R x. */
typedef struct rotation {
    double r[9];
} rotation;

static const rotation identity = {{1, 0, 0, 0, 1, 0, 0, 0, 1}};

static void turn(const rotation *by, const double x[3], double turned[3])
{
    for (int a = 0; a < 3; a++)
        turned[a] = by->r[3 * a] * x[0] + by->r[3 * a + 1] * x[1] + by->r[3 * a + 2] * x[2];
}

static void turn_system(const rotation *by, charge_system *s)
{
    double turned[3];
    for (int64_t i = 0; i < s->n + 3; i++) {
        double *x = i < s->n ? &s->x[3 * i] : &s->cell[3 * (i - s->n)];
        turn(by, x, turned);
        memcpy(x, turned, sizeof turned);
    }
}

/* The virial of the turned system, R W R^T. */
static void turn_virial(const rotation *by, const double w[6], double turned[6])
{
    static const int at[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
    for (int a = 0; a < 3; a++)
        for (int b = a; b < 3; b++) {
            double sum = 0;
            for (int c = 0; c < 3; c++)
                for (int d = 0; d < 3; d++)
                    sum += by->r[3 * a + c] * by->r[3 * b + d] * w[at[c][d]];
            turned[at[a][b]] = sum;
        }
}

/* Compares `s` with `other`, which has `times` copies of it, turned. Atom i of s is atom first[i]
 * of other; NULL: atom i. */
static void compare(const char *name, const charge_system *s, const charge_system *other, int times,
                    const int64_t *first, const rotation *by, enuf_split split)
{
    enuf_ewald_options options = options_for(ACCURACY, split);
    enuf_ewald_result a = evaluate(&options, s, NULL, WANT_SUMS | ENUF_WANT_POTENTIAL);
    enuf_ewald_result b = evaluate(&options, other, NULL, WANT_SUMS | ENUF_WANT_POTENTIAL);
    double scale = 0, virial[6], difference = 0, potential = 0;
    for (int64_t i = 0; i < s->n; i++) {
        int64_t j = first ? first[i] : i;
        double turned[3];
        turn(by, &a.forces[3 * i], turned);
        for (int d = 0; d < 3; d++) difference += pow(turned[d] - b.forces[3 * j + d], 2);
        scale += 0.5 * fabs(s->q[i] * a.potential[i]);
        potential = fmax(potential, fabs(a.potential[i] - b.potential[j]));
    }
    turn_virial(by, a.virial, virial);
    for (int c = 0; c < 6; c++) virial[c] -= b.virial[c] / times;
    printf("%s, %s\n", name, enuf_split_name(split));
    CHECK_BELOW(sqrt(difference / (double)s->n) / reference_force(s), 2 * ACCURACY,
                "RMS force difference / F_ref, A each");
    CHECK_BELOW((a.energy - b.energy / times) / scale, 20 * ACCURACY, "energy difference, 20 A");
    for (int c = 0; c < 6; c++)
        CHECK_BELOW(virial[c] / scale, 20 * ACCURACY, "virial difference, 20 A");
    CHECK_BELOW(potential * (double)s->n / scale, 400 * ACCURACY, "potential difference, 400 A");
    free_result(&a);
    free_result(&b);
}

static void move_and_turn(const charge_system *s, enuf_split split)
{
    charge_system t = copy_system(s);
    for (int64_t i = 0; i < s->n; i++)
        for (int d = 0; d < 3; d++) {
            t.x[3 * i + d] += d == 0 ? 0.37 : d == 1 ? -11.9 : 100.1;
            for (int e = 0; e < 3; e++)
                t.x[3 * i + d] += (double)((i * (e + 2)) % 5 - 2) * s->cell[3 * e + d];
        }
    compare("moved, each atom into another image", s, &t, 1, NULL, &identity, split);
    free_system(&t);

    const rotation quarter = {{0, -1, 0, 1, 0, 0, 0, 0, 1}};
    t = copy_system(s);
    turn_system(&quarter, &t);
    compare("turned by 90 degrees", s, &t, 1, NULL, &quarter, split);
    free_system(&t);

    const double c = cos(0.7), n = sin(0.7), e = cos(2.1), f = sin(2.1);
    const rotation any = {{c, -n * e, n * f, n, c * e, -c * f, 0, f, e}};
    t = copy_system(s);
    turn_system(&any, &t);
    compare("turned by any angles", s, &t, 1, NULL, &any, split);
    free_system(&t);
}

static void other_cells_of_the_lattice(const charge_system *s, enuf_split split)
{
    /* unimodular combinations of the rows; the last one changes the handedness */
    static const double again[3][9] = {
        {1, 0, 0, 1, 1, 0, 0, 0, 1}, {1, 0, 0, 2, 1, 0, -1, 3, 1}, {0, 1, 0, 1, 0, 0, 1, 1, 1}};
    for (int k = 0; k < 3; k++) {
        charge_system t = copy_system(s);
        for (int r = 0; r < 3; r++)
            for (int d = 0; d < 3; d++) {
                t.cell[3 * r + d] = 0;
                for (int e = 0; e < 3; e++)
                    t.cell[3 * r + d] += again[k][3 * r + e] * s->cell[3 * e + d];
            }
        compare("another cell of the lattice", s, &t, 1, NULL, &identity, split);
        free_system(&t);
    }
}

static void supercell(const charge_system *s, enuf_split split)
{
    const int copies[3] = {2, 1, 3}, times = 6;
    charge_system t = {.n = times * s->n};
    t.x = malloc((size_t)(3 * t.n) * sizeof *t.x);
    t.q = malloc((size_t)t.n * sizeof *t.q);
    if (!t.x || !t.q) abort();
    for (int64_t i = 0; i < t.n; i++) {
        int64_t k = i / s->n, j = i % s->n;
        const double at[3] = {(double)(k % 2), 0, (double)(k / 2)};
        t.q[i] = s->q[j];
        for (int d = 0; d < 3; d++)
            t.x[3 * i + d] = s->x[3 * j + d] + at[0] * s->cell[d] + at[2] * s->cell[6 + d];
    }
    for (int k = 0; k < 9; k++) t.cell[k] = copies[k / 3] * s->cell[k];
    compare("supercell 2 x 1 x 3", s, &t, times, NULL, &identity, split);
    free_system(&t);
}

static void reorder(const charge_system *s, enuf_split split)
{
    charge_system t = copy_system(s);
    int64_t *first = malloc((size_t)s->n * sizeof *first);
    if (!first) abort();
    for (int64_t i = 0; i < s->n; i++) {
        first[i] = (7 * i + 3) % s->n; /* 7 does not divide n */
        t.q[first[i]] = s->q[i];
        memcpy(&t.x[3 * first[i]], &s->x[3 * i], 3 * sizeof *t.x);
    }
    compare("atoms in another order", s, &t, 1, first, &identity, split);
    free(first);
    free_system(&t);
}

int main(void)
{
    for (int split = ENUF_SPLIT_GAUSSIAN; split <= ENUF_SPLIT_PROLATE; split++) {
        charge_system cubic = make_ions(31, 120, CELL_CUBIC, 0);
        charge_system tilted = make_ions(32, 120, CELL_TRICLINIC, 1);
        move_and_turn(&cubic, (enuf_split)split);
        move_and_turn(&tilted, (enuf_split)split);
        other_cells_of_the_lattice(&cubic, (enuf_split)split);
        other_cells_of_the_lattice(&tilted, (enuf_split)split);
        supercell(&tilted, (enuf_split)split);
        reorder(&tilted, (enuf_split)split);
        free_system(&cubic);
        free_system(&tilted);
    }
    return check_result();
}
