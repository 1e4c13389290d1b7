/*
 * test_few_ions.c - one to six random ions, alone and with an atom without charge, in cubic and
 * thin cells, A = 1e-6 and 1e-9, both splittings. Reference: exact sums. Tuned with positions,
 * forces have the accuracy A, energy and each component of the virial 20 A of 1/2 sum |q phi|.
 * Without tuning the virial has 20 A. These systems are hard: forces are small or zero by symmetry,
 * and a thin cell has few modes, to which the virial is most sensitive.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "random_system.h"
#include "systems.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check_tuned(const charge_system *s, double accuracy, enuf_split split,
                        const char *shape)
{
    const enuf_ewald_options options = options_for(accuracy, split);
    enuf_ewald_result exact = evaluate_exactly(&options, s, NULL), result = make_result(s->n);
    enuf_ewald_error measured = {.struct_size = sizeof measured};
    enuf_ewald *ewald = make_ewald(&options, s, NULL);
    enuf_ewald_report report = {.struct_size = sizeof report};
    CHECK_STATUS(enuf_ewald_tune(ewald, NULL, 3), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_get_report(ewald, &report), ENUF_SUCCESS);
    CHECK(report.calibrated == 0);
    CHECK_STATUS(enuf_ewald_tune(ewald, s->x, 3), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_get_report(ewald, &report), ENUF_SUCCESS);
    CHECK(report.calibrated == 1);
    CHECK_STATUS(enuf_ewald_compute(ewald, s->x, 3, WANT_SUMS, &result), ENUF_SUCCESS);
    double scale = 0, virial = 0;
    for (int64_t i = 0; i < s->n; i++) scale += 0.5 * fabs(s->q[i] * exact.potential[i]);
    for (int c = 0; c < 6; c++) virial = fmax(virial, fabs(result.virial[c] - exact.virial[c]));
    printf("%lld ions, %s, %s, A %.0e\n", (long long)s->n, shape, enuf_split_name(split), accuracy);
    CHECK_BELOW(rms_difference(s->n, result.forces, exact.forces) / reference_force(s), accuracy,
                "  forces, A");
    CHECK_BELOW(fabs(result.energy - exact.energy) / scale, 20 * accuracy, "  energy, 20 A");
    CHECK_BELOW(virial / scale, 20 * accuracy, "  virial, 20 A");
    CHECK_STATUS(enuf_ewald_measure_error(ewald, s->x, 3, 0, 1, &measured), ENUF_SUCCESS);
    CHECK_CLOSE(measured.virial / scale, virial / scale, 1e-3 + 1e-14 * scale / virial,
                "  error of the virial, by enuf_ewald_measure_error() and by exact sums");
    enuf_ewald_destroy(&ewald);
    free_result(&exact);
    free_result(&result);
}

/* Without tuning, the first evaluation verifies the choice at its positions, with the virial. */
static void check_untuned(const charge_system *s, double accuracy, enuf_split split,
                          const char *shape)
{
    const enuf_ewald_options options = options_for(accuracy, split);
    enuf_ewald_result exact = evaluate_exactly(&options, s, NULL);
    enuf_ewald_result result = make_result(s->n);
    enuf_ewald *ewald = make_ewald(&options, s, NULL);
    enuf_ewald_report report = {.struct_size = sizeof report};
    CHECK_STATUS(enuf_ewald_compute(ewald, s->x, 3, WANT_SUMS, &result), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_get_report(ewald, &report), ENUF_SUCCESS);
    double scale = 0, virial = 0;
    for (int64_t i = 0; i < s->n; i++) scale += 0.5 * fabs(s->q[i] * exact.potential[i]);
    for (int c = 0; c < 6; c++) virial = fmax(virial, fabs(result.virial[c] - exact.virial[c]));
    printf("%lld ions, %s, %s, A %.0e, untuned%s\n", (long long)s->n, shape, enuf_split_name(split),
           accuracy, report.calibrated ? ", chosen again" : "");
    CHECK_BELOW(virial / scale, 20 * accuracy, "  virial, 20 A");
    CHECK(report.verified <= accuracy);
    enuf_ewald_destroy(&ewald);
    free_result(&exact);
    free_result(&result);
}

/* The system with more atoms, which come first and have no charge. */
static charge_system with_neutral_sites(const charge_system *ions, int64_t sites)
{
    charge_system s = *ions;
    s.n += sites;
    s.x = malloc((size_t)s.n * 3 * sizeof *s.x);
    s.q = calloc((size_t)s.n, sizeof *s.q);
    if (!s.x || !s.q) abort();
    random_numbers(503, 3 * s.n, 0, 1, s.x);
    for (int64_t i = 0; i < ions->n; i++) {
        memcpy(s.x + 3 * (i + sites), ions->x + 3 * i, 3 * sizeof *s.x);
        s.q[i + sites] = ions->q[i];
    }
    return s;
}

/* For the virial, exact sums need all charged atoms and no others. */
static void exact_virial_needs_charged_atoms_alone(void)
{
    enum { IONS = 6, SITES = 2 };
    charge_system ions = make_ions(502, IONS, CELL_THIN, 0), s = with_neutral_sites(&ions, SITES);
    enuf_exact_options options;
    enuf_exact_options_init(&options);
    enuf_exact_result all = {0}, charged = {0}, fewer = {0};
    int64_t targets[IONS];
    for (int64_t t = 0; t < IONS; t++) targets[t] = SITES + t;
    CHECK_STATUS(enuf_exact_ewald(&options, s.cell, s.n, s.x, 3, s.q, NULL, s.n, NULL, &all),
                 ENUF_SUCCESS);
    CHECK_STATUS(
        enuf_exact_ewald(&options, s.cell, s.n, s.x, 3, s.q, NULL, IONS, targets, &charged),
        ENUF_SUCCESS);
    CHECK_STATUS(
        enuf_exact_ewald(&options, s.cell, s.n, s.x, 3, s.q, NULL, IONS - 1, targets, &fewer),
        ENUF_SUCCESS);
    for (int c = 0; c < 6; c++)
        CHECK_CLOSE(charged.virial[c], all.virial[c], 1e-12,
                    "exact virial of charged atoms, of all atoms");
    CHECK(isnan(fewer.virial[0]));
    free_system(&ions);
    free_system(&s);
}

int main(void)
{
    exact_virial_needs_charged_atoms_alone();
    const cell_shape shapes[] = {CELL_CUBIC, CELL_THIN};
    const int64_t sizes[] = {1, 2, 3, 6};
    for (int k = 0; k < 4; k++)
        for (int shape = 0; shape < 2; shape++) {
            charge_system s = make_ions(502, sizes[k], shapes[shape], (double)(sizes[k] % 2));
            for (double accuracy = 1e-6; accuracy > 5e-10; accuracy *= 1e-3)
                for (int split = ENUF_SPLIT_GAUSSIAN; split <= ENUF_SPLIT_PROLATE; split++) {
                    check_tuned(&s, accuracy, (enuf_split)split, cell_shape_name(shapes[shape]));
                    check_untuned(&s, accuracy, (enuf_split)split, cell_shape_name(shapes[shape]));
                }
            if (sizes[k] == 6) {
                charge_system more = with_neutral_sites(&s, 1);
                check_tuned(&more, 1e-6, ENUF_SPLIT_GAUSSIAN, "and a site without charge");
                check_tuned(&more, 1e-6, ENUF_SPLIT_PROLATE, "and a site without charge");
                free_system(&more);
            }
            free_system(&s);
        }
    return check_result();
}
