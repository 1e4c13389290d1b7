/*
 * test_order.c - large systems are summed in spatial order, but results, exclusions and errors are
 * those of the caller's order. 40000 random ions, some without charge, with exclusions, in a
 * charged triclinic cell. Reference: the same ions given in spatial order. Bound: 1e-12 of the
 * largest number, and equal bits with `deterministic`. Results are also added in the caller's
 * order. SPDX-License-Identifier: BSD-3-Clause
 */
#include "object/ewald_object.h"
#include "systems.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { IONS = 40000, EXCLUDED = 300 };
static const double ACCURACY = 1e-9;

typedef struct place {
    int64_t cell, atom;
} place;

static int by_cell(const void *a, const void *b)
{
    const place *p = a, *q = b;
    return (p->cell > q->cell) - (p->cell < q->cell);
}

/* The system in spatial order. Its atom k is atom order[k] of s. */
static charge_system sort_in_space(const charge_system *s, int64_t *order)
{
    charge_system ordered = copy_system(s);
    place *places = malloc((size_t)s->n * sizeof *places);
    enuf_cell_geometry geometry;
    if (!places) abort();
    double basis[9]; /* the library sorts by cells along this basis */
    enuf_cell_shortest_basis(s->cell, 3, basis);
    CHECK(enuf_cell_geometry_make(basis, &geometry) == ENUF_SUCCESS);
    for (int64_t i = 0; i < s->n; i++) {
        double f[3];
        enuf_cell_fractions(&geometry, s->x + 3 * i, f);
        places[i] = (place){0, i};
        for (int d = 0; d < 3; d++)
            places[i].cell = 12 * places[i].cell + (int64_t)(12 * (f[d] - floor(f[d])));
    }
    qsort(places, (size_t)s->n, sizeof *places, by_cell);
    for (int64_t k = 0; k < s->n; k++) {
        order[k] = places[k].atom;
        memcpy(ordered.x + 3 * k, s->x + 3 * order[k], 3 * sizeof(double));
        ordered.q[k] = s->q[order[k]];
    }
    free(places);
    return ordered;
}

/* 1 if the library sums these atoms in another order. Checks that order. */
static int is_reordered(const charge_system *s)
{
    enuf_ewald_options options = options_for(ACCURACY, ENUF_SPLIT_AUTO);
    enuf_ewald *ewald = make_ewald(&options, s, NULL);
    const enuf_evaluation evaluation = {.positions = s->x, .stride = 3};
    enuf_atoms atoms;
    CHECK(enuf_order_atoms(ewald, &evaluation, &atoms) == ENUF_SUCCESS);
    int moved = atoms.original != NULL, wrong = 0;
    for (int64_t a = 0; a < atoms.n; a++) {
        const int64_t i = enuf_callers_atom(atoms.original, a);
        for (int d = 0; d < 3; d++)
            wrong += atoms.positions[atoms.stride * a + d] != s->x[3 * i + d];
        wrong += atoms.q[a] != s->q[i];
    }
    CHECK(wrong == 0);
    enuf_ewald_destroy(&ewald);
    return moved;
}

/* Largest |a[order[k]] - b[k]| over |largest a|. */
static double difference(int64_t n, int width, const int64_t *order, const double *a,
                         const double *b)
{
    double largest = 0, most = 0;
    for (int64_t k = 0; k < n; k++)
        for (int c = 0; c < width; c++) {
            const double x = a[width * order[k] + c];
            most = fmax(most, fabs(x));
            largest = fmax(largest, fabs(x - b[width * k + c]));
        }
    return largest / most;
}

static void compare(const enuf_ewald_options *options, const charge_system *s,
                    const charge_system *ordered, const int64_t *order,
                    const enuf_exclusions *exclusions, const enuf_exclusions *of_ordered,
                    double bound)
{
    enuf_ewald_result a = evaluate(options, s, exclusions, WANT_ALL);
    enuf_ewald_result b = evaluate(options, ordered, of_ordered, WANT_ALL);
    CHECK_BELOW((a.energy - b.energy) / a.energy, bound, "energy");
    for (int c = 0; c < 6; c++)
        CHECK_BELOW((a.virial[c] - b.virial[c]) / a.energy, bound, "virial");
    CHECK_BELOW(difference(s->n, 3, order, a.forces, b.forces), bound, "forces");
    CHECK_BELOW(difference(s->n, 1, order, a.atom_energy, b.atom_energy), bound, "atom_energy");
    CHECK_BELOW(difference(s->n, 6, order, a.atom_virial, b.atom_virial), bound, "atom_virial");
    CHECK_BELOW(difference(s->n, 1, order, a.potential, b.potential), bound, "potential");
    CHECK_BELOW(difference(s->n, 3, order, a.field, b.field), bound, "field");
    free_result(&a);
    free_result(&b);
}

/* Results are added in the caller's order too. */
static void adds_in_the_callers_order(const charge_system *s)
{
    enuf_ewald_options options = options_for(1e-4, ENUF_SPLIT_AUTO);
    options.arithmetic = ENUF_ARITHMETIC_MIXED;
    enuf_ewald *ewald = make_ewald(&options, s, NULL);
    enuf_ewald_result once = make_result(s->n), twice = make_result(s->n);
    CHECK(enuf_ewald_compute(ewald, s->x, 3, ENUF_WANT_FORCES, &once) == ENUF_SUCCESS);
    twice.add = 1;
    for (int64_t k = 0; k < 3 * s->n; k++) twice.forces[k] = (double)(k % 7);
    CHECK(enuf_ewald_compute(ewald, s->x, 3, ENUF_WANT_FORCES, &twice) == ENUF_SUCCESS);
    double worst = 0;
    for (int64_t k = 0; k < 3 * s->n; k++)
        worst = fmax(worst, fabs(twice.forces[k] - (double)(k % 7) - once.forces[k]));
    CHECK_BELOW(worst, 1e-4, "forces added, less the former values and the forces, mixed");
    enuf_ewald_destroy(&ewald);
    free_result(&once);
    free_result(&twice);
}

static void errors_name_the_callers_atoms(const charge_system *s)
{
    enuf_ewald_options options = options_for(1e-4, ENUF_SPLIT_AUTO);
    charge_system bad = copy_system(s);
    enuf_ewald *ewald = make_ewald(&options, &bad, NULL);
    enuf_ewald_result result = make_result(s->n);
    memcpy(bad.x + 3 * 31111, bad.x + 3 * 777, 3 * sizeof(double));
    CHECK(enuf_ewald_compute(ewald, bad.x, 3, ENUF_WANT_FORCES, &result) == ENUF_BAD_ARGUMENT);
    CHECK_TEXT("atoms 777 and 31111 are at the same place");
    memcpy(bad.x + 3 * 31111, s->x + 3 * 31111, 3 * sizeof(double));
    bad.x[3 * 222] = 1e200;
    CHECK(enuf_ewald_compute(ewald, bad.x, 3, ENUF_WANT_FORCES, &result) == ENUF_BAD_ARGUMENT);
    CHECK_TEXT("atom 222: position");
    enuf_ewald_destroy(&ewald);
    free_result(&result);
    free_system(&bad);
}

int main(void)
{
    static int64_t order[IONS], back[IONS], pairs[2 * EXCLUDED], of_ordered[2 * EXCLUDED];
    charge_system s = make_ions(5, IONS, CELL_TRICLINIC, 3);
    for (int64_t i = 0; i < s.n; i += 1000) s.q[i] = 0;
    charge_system ordered = sort_in_space(&s, order);
    CHECK(is_reordered(&s));
    CHECK(!is_reordered(&ordered));

    for (int64_t k = 0; k < s.n; k++) back[order[k]] = k;
    for (int64_t k = 0; k < 2 * EXCLUDED; k++) {
        pairs[k] = 61 * k + 1;
        of_ordered[k] = back[pairs[k]];
    }
    const enuf_exclusions exclusions = {.n = EXCLUDED, .pairs = pairs};
    const enuf_exclusions excluded = {.n = EXCLUDED, .pairs = of_ordered};
    enuf_ewald_options options = options_for(ACCURACY, ENUF_SPLIT_AUTO);
    compare(&options, &s, &ordered, order, &exclusions, &excluded, 1e-12);
    options.deterministic = 1;
    compare(&options, &s, &ordered, order, &exclusions, &excluded, 1e-300);
    adds_in_the_callers_order(&s);
    errors_name_the_callers_atoms(&s);
    free_system(&s);
    free_system(&ordered);
    return check_result();
}
