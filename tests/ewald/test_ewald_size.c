/*
 * test_ewald_size.c - large systems have correct sums. `ions`: a cell of 1250 random ions is
 * repeated to 1e7 ions. `cells`: the same cell on a fine grid of more than 2^31 cells. Reference:
 * exact sums of one cell. Bounds: A = 1e-4 for forces, energy and virial; the virial may also lack
 * the modes left out. SPDX-License-Identifier: BSD-3-Clause
 */
#include "systems.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { UNIT = 1250 }; /* ions of the cell */

static const double ACCURACY = 1e-4;

/* The cell repeated `times` along each of its vectors. */
static charge_system repeated(const charge_system *unit, int times)
{
    const int64_t copies = (int64_t)times * times * times;
    charge_system s = {.n = copies * unit->n};
    s.x = malloc((size_t)(3 * s.n) * sizeof *s.x);
    s.q = malloc((size_t)s.n * sizeof *s.q);
    if (!s.x || !s.q) exit(check_skip("no memory for the ions"));
    for (int k = 0; k < 9; k++) s.cell[k] = times * unit->cell[k];
    for (int64_t c = 0; c < copies; c++) {
        const double at[3] = {(double)(c % times), (double)(c / times % times),
                              (double)(c / times / times)};
        memcpy(s.q + c * unit->n, unit->q, (size_t)unit->n * sizeof *s.q);
        for (int64_t i = 0; i < unit->n; i++)
            for (int d = 0; d < 3; d++)
                s.x[3 * (c * unit->n + i) + d] = unit->x[3 * i + d] + at[0] * unit->cell[d] +
                                                 at[1] * unit->cell[3 + d] +
                                                 at[2] * unit->cell[6 + d];
    }
    return s;
}

static void check(const enuf_ewald_options *options, const charge_system *s,
                  const charge_system *unit)
{
    const enuf_ewald_result exact = evaluate_exactly(options, unit, NULL);
    const double copies = (double)(s->n / unit->n);
    enuf_ewald_result result = {.struct_size = sizeof result};
    enuf_ewald_report report = {.struct_size = sizeof report};
    double square = 0, virial = 0;
    result.forces = malloc((size_t)(3 * s->n) * sizeof *result.forces);
    enuf_ewald *ewald = make_ewald(options, s, NULL);
    if (!result.forces || !ewald) exit(check_skip("no memory for the forces"));
    const enuf_status status = enuf_ewald_compute(ewald, s->x, 3, WANT_SUMS, &result);
    if (status == ENUF_OUT_OF_MEMORY) exit(check_skip(enuf_last_error()));
    if (!CHECK_STATUS(status, ENUF_SUCCESS)) return;
    CHECK_STATUS(enuf_ewald_get_report(ewald, &report), ENUF_SUCCESS);
    printf("%lld ions, cutoff %.3g, grid %lldx%lldx%lld, %.3g GB\n", (long long)s->n, report.cutoff,
           (long long)report.grid[0], (long long)report.grid[1], (long long)report.grid[2],
           (double)report.bytes / 1e9);
    for (int64_t k = 0; k < 3 * s->n; k++) {
        const double error = result.forces[k] - exact.forces[k % (3 * unit->n)];
        square += error * error;
    }
    for (int k = 0; k < 6; k++)
        virial = fmax(virial, fabs(result.virial[k] / copies - exact.virial[k]));
    CHECK_BELOW(sqrt(square / (double)s->n) / reference_force(unit), ACCURACY, "forces, as A");
    CHECK_CLOSE(result.energy / copies, exact.energy, ACCURACY, "energy of a cell");
    /* The modes left out are missing in the virial. virial_bias estimates that for uncorrelated
     * charges; a salt lacks twice as much. */
    CHECK_BELOW(virial, ACCURACY * fabs(exact.energy) + 2 * report.virial_bias / copies,
                "virial of a cell");
    if (options->grid[0] > 0)
        CHECK((double)report.grid[0] * (double)report.grid[1] * (double)report.grid[2] > 0x1p31);
    enuf_ewald_destroy(&ewald);
    free(result.forces);
}

/* Available memory of the machine, which other processes may take too. */
static double gigabytes_free(void)
{
    char line[256];
    double kilobytes = 0;
    FILE *file = fopen("/proc/meminfo", "r");
    while (file && kilobytes == 0 && fgets(line, sizeof line, file))
        if (sscanf(line, "MemAvailable: %lf", &kilobytes) != 1) kilobytes = 0;
    if (file) fclose(file);
    return kilobytes / 1e6;
}

int main(int argc, char **argv)
{
    const int many_cells = argc > 1 && strcmp(argv[1], "cells") == 0;
    enuf_ewald_options options = options_for(ACCURACY, ENUF_SPLIT_AUTO);
    charge_system unit = make_ions(5, UNIT, CELL_TRICLINIC, 0);
    options.evaluations = 1;
    if (gigabytes_free() < 14) return check_skip("less than 14 GB of memory are free");
    if (many_cells) {
        options.arithmetic = ENUF_ARITHMETIC_MIXED;
        options.cutoff = 9;
        options.grid[0] = options.grid[1] = 1296;
        options.grid[2] = 1280;
        check(&options, &unit, &unit);
    } else {
        charge_system s = repeated(&unit, 20);
        check(&options, &s, &unit);
        free_system(&s);
    }
    free_system(&unit);
    return check_result();
}
