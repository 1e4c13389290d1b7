/*
 * test_cell_changes.c - cell and charges of an object change. In a cell that changes step by step,
 * as at constant pressure, forces have the requested accuracy A at every step (1e-5 and 1e-9,
 * against exact sums), and parameters stay while the edges change by 0.5 %. Another system in the
 * same object has A = 1e-9 too. Charges in another order give the bits of a fresh object. A refused
 * cell or charge changes no bit. 50 to 300 random ions. SPDX-License-Identifier: BSD-3-Clause
 */
#include "systems.h"

#include "object/ewald_object.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void stretch(charge_system *s, double factor, int d)
{
    for (int64_t i = 0; i < s->n; i++) s->x[3 * i + d] *= factor;
    for (int r = 0; r < 3; r++) s->cell[3 * r + d] *= factor;
}

static void barostat(enuf_split split, double accuracy)
{
    charge_system s = make_ions(101, 200, CELL_TRICLINIC, 0);
    enuf_ewald_options options = options_for(accuracy, split);
    enuf_ewald *ewald = make_ewald(&options, &s, NULL);
    enuf_ewald_result r = make_result(s.n);
    int kept = 0;
    double cutoff = 0;
    const int steps = 24;
    for (int step = 0; step < steps; step++) {
        /* an edge shrinks and grows by 0.5 %, then grows by 4 % a step */
        stretch(&s, step < 12 ? (step % 2 ? 1.005 : 1 / 1.005) : 1.04, step % 3);
        enuf_ewald_report report = {.struct_size = sizeof report};
        CHECK_STATUS(enuf_ewald_set_cell(ewald, s.cell), ENUF_SUCCESS);
        CHECK_STATUS(enuf_ewald_compute(ewald, s.x, 3, WANT_SUMS, &r), ENUF_SUCCESS);
        CHECK_STATUS(enuf_ewald_get_report(ewald, &report), ENUF_SUCCESS);
        kept += report.cutoff == cutoff;
        cutoff = report.cutoff;
        enuf_ewald_result exact = evaluate_exactly(&options, &s, NULL);
        CHECK_BELOW(rms_difference(s.n, r.forces, exact.forces) / reference_force(&s), accuracy,
                    "RMS force error / F_ref, A");
        CHECK_BELOW(report.predicted, accuracy, "predicted, A");
        free_result(&exact);
    }
    printf("%s: cutoff kept at %d of %d steps\n", enuf_split_name(split), kept, steps);
    CHECK(kept >= 11); /* at least in the steps of 0.5 % */
    enuf_ewald_destroy(&ewald);
    free_result(&r);
    free_system(&s);
}

/* Setting the same cell again changes no bit. */
static void same_cell(void)
{
    charge_system s = make_ions(102, 100, CELL_LEFT_HANDED, 0);
    enuf_ewald_options options = options_for(1e-6, ENUF_SPLIT_AUTO);
    options.deterministic = 1; /* else GPUs, and threads of a mesh, add in any order */
    enuf_ewald *ewald = make_ewald(&options, &s, NULL);
    enuf_ewald_result a = make_result(s.n), b = make_result(s.n);
    CHECK_STATUS(enuf_ewald_compute(ewald, s.x, 3, WANT_SUMS, &a), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_set_cell(ewald, s.cell), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_compute(ewald, s.x, 3, WANT_SUMS, &b), ENUF_SUCCESS);
    CHECK(memcmp(a.forces, b.forces, 3 * (size_t)s.n * sizeof(double)) == 0);
    CHECK(a.energy == b.energy);

    /* a flat cell is refused, and the object goes on with its former cell */
    const double flat[9] = {1, 0, 0, 0, 1, 0, 1, 1, 0};
    CHECK_STATUS(enuf_ewald_set_cell(ewald, flat), ENUF_BAD_ARGUMENT);
    s.q[3] = NAN;
    CHECK_STATUS(enuf_ewald_set_charges(ewald, s.n, s.q, NULL), ENUF_NOT_FINITE);
    CHECK_STATUS(enuf_ewald_compute(ewald, s.x, 3, WANT_SUMS, &b), ENUF_SUCCESS);
    CHECK(a.energy == b.energy);
    enuf_ewald_destroy(&ewald);
    free_result(&a);
    free_result(&b);
    free_system(&s);
}

/* Other charges, another number of them, a density lower by a factor of 30: the object chooses
 * parameters again. */
static void another_system(void)
{
    const double accuracy = 1e-9;
    enuf_ewald_options options = options_for(accuracy, ENUF_SPLIT_AUTO);
    charge_system first = make_ions(103, 50, CELL_CUBIC, 0);
    enuf_ewald *ewald = make_ewald(&options, &first, NULL);
    for (int k = 0; k < 4; k++) {
        charge_system s = make_ions(104 + k, k % 2 ? 60 : 300, (cell_shape)(k % 3), k);
        for (int d = 0; d < 3 && k == 3; d++) stretch(&s, cbrt(30), d);
        for (int64_t i = 0; i < s.n; i++) s.q[i] *= 1 + k;
        enuf_ewald_result r = make_result(s.n), exact = evaluate_exactly(&options, &s, NULL);
        CHECK_STATUS(enuf_ewald_set_charges(ewald, s.n, s.q, NULL), ENUF_SUCCESS);
        CHECK_STATUS(enuf_ewald_set_cell(ewald, s.cell), ENUF_SUCCESS);
        CHECK_STATUS(enuf_ewald_compute(ewald, s.x, 3, WANT_SUMS, &r), ENUF_SUCCESS);
        CHECK_BELOW(rms_difference(s.n, r.forces, exact.forces) / reference_force(&s), accuracy,
                    "RMS force error / F_ref of another system, A");
        free_result(&r);
        free_result(&exact);
        free_system(&s);
    }
    enuf_ewald_destroy(&ewald);
    free_system(&first);
}

/* Charges in another order: the method stays, and gives the bits of a fresh object. */
static void another_order(void)
{
    charge_system s = make_ions(106, 100, CELL_TRICLINIC, 0);
    enuf_ewald_options options = options_for(1e-6, ENUF_SPLIT_AUTO);
    /* several threads, and any GPU, add in any order */
    options.threads = 1;
    options.deterministic = options.backend == ENUF_BACKEND_CUDA;
    enuf_ewald *ewald = make_ewald(&options, &s, NULL);
    enuf_ewald_result r = make_result(s.n);
    CHECK_STATUS(enuf_ewald_compute(ewald, s.x, 3, WANT_SUMS, &r), ENUF_SUCCESS);
    const int64_t before = ewald->method_changes;
    for (int64_t i = 0; i + 1 < s.n; i += 2) {
        const double q = s.q[i];
        s.q[i] = s.q[i + 1];
        s.q[i + 1] = q;
    }
    CHECK_STATUS(enuf_ewald_set_charges(ewald, s.n, s.q, NULL), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_compute(ewald, s.x, 3, WANT_SUMS, &r), ENUF_SUCCESS);
    CHECK(ewald->method_changes == before);
    enuf_ewald_result fresh = evaluate(&options, &s, NULL, WANT_SUMS);
    CHECK(memcmp(r.forces, fresh.forces, 3 * (size_t)s.n * sizeof(double)) == 0);
    CHECK(r.energy == fresh.energy);
    free_result(&fresh);
    /* other charges: the method is chosen again */
    for (int64_t i = 0; i < s.n; i++) s.q[i] *= i < s.n / 2 ? 1.5 : 1;
    CHECK_STATUS(enuf_ewald_set_charges(ewald, s.n, s.q, NULL), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_compute(ewald, s.x, 3, WANT_SUMS, &r), ENUF_SUCCESS);
    CHECK(ewald->method_changes > before);
    enuf_ewald_destroy(&ewald);
    free_result(&r);
    free_system(&s);
}

int main(void)
{
    another_order();
    barostat(ENUF_SPLIT_GAUSSIAN, 1e-5);
    barostat(ENUF_SPLIT_PROLATE, 1e-9);
    same_cell();
    another_system();
    return check_result();
}
