/*
 * energy_of_ions.c - energy, forces and virial of ions without order in a triclinic cell, and the
 * error they really have. Lengths in Angstrom, energies in kcal/mol. Usage: energy_of_ions
 * [FOLDER], which gets ion_forces.csv. SPDX-License-Identifier: BSD-3-Clause
 */
#include <enuf/ewald.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { IONS = 600 };

static void check(enuf_status status)
{
    if (status == ENUF_SUCCESS) return;
    fprintf(stderr, "energy_of_ions: %s\n", enuf_last_error());
    exit(1);
}

/* A pseudo-random number in [0, 1) (Knuth's MMIX generator), the same on every machine. */
static double random_number(void)
{
    static uint64_t state = 1;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(state >> 11) * 0x1p-53;
}

/* Distance of two points to the nearest image, from fractions of the cell; the tilt is mild. */
static double distance(const double cell[9], const double s[3], const double t[3])
{
    double x[3] = {0, 0, 0};
    for (int d = 0; d < 3; d++)
        for (int k = 0; k < 3; k++) x[k] += (s[d] - t[d] - round(s[d] - t[d])) * cell[3 * d + k];
    return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

/* Ions anywhere, but not closer to each other than 1.3 Angstrom. */
static void place(const double cell[9], double *positions)
{
    static double s[IONS][3];
    for (int i = 0; i < IONS;) {
        int free = 1;
        for (int d = 0; d < 3; d++) s[i][d] = random_number();
        for (int j = 0; j < i && free; j++) free = distance(cell, s[i], s[j]) > 1.3;
        if (!free) continue;
        for (int k = 0; k < 3; k++)
            positions[3 * i + k] =
                s[i][0] * cell[k] + s[i][1] * cell[3 + k] + s[i][2] * cell[6 + k];
        i++;
    }
}

int main(int n_words, char **words)
{
    const double cell[9] = {30, 0, 0, 6, 28, 0, -4, 5, 29}; /* rows a, b, c */
    static double positions[3 * IONS], charges[IONS], forces[3 * IONS];
    place(cell, positions);
    for (int i = 0; i < IONS; i++) charges[i] = i % 2 ? -1 : 1;

    enuf_ewald *ewald;
    enuf_ewald_options options;
    enuf_ewald_options_init(&options);
    options.accuracy = 1e-7;
    options.coulomb = 332.06371; /* of kcal/mol, Angstrom and elementary charges */
    check(enuf_ewald_create(&options, &ewald));
    check(enuf_ewald_set_cell(ewald, cell));
    check(enuf_ewald_set_charges(ewald, IONS, charges, NULL));
    check(enuf_ewald_tune(ewald, positions, 3));

    enuf_ewald_result result = {.struct_size = sizeof result, .forces = forces};
    check(enuf_ewald_compute(ewald, positions, 3,
                             ENUF_WANT_ENERGY | ENUF_WANT_FORCES | ENUF_WANT_VIRIAL, &result));
    printf("energy    %18.9f kcal/mol\n  real    %18.9f\n  modes   %18.9f\n  self    %18.9f\n",
           result.energy, result.parts.real, result.parts.reciprocal, result.parts.self);
    printf("virial    xx %.6f  yy %.6f  zz %.6f  xy %.6f  xz %.6f  yz %.6f\n", result.virial[0],
           result.virial[1], result.virial[2], result.virial[3], result.virial[4],
           result.virial[5]);
    printf("force on the first ion  (%.9f, %.9f, %.9f) kcal/mol/Angstrom\n", forces[0], forces[1],
           forces[2]);

    /* the trace of the virial of point charges is their energy */
    const double trace = result.virial[0] + result.virial[1] + result.virial[2];
    enuf_ewald_report report = {.struct_size = sizeof report};
    enuf_ewald_error error = {.struct_size = sizeof error};
    check(enuf_ewald_measure_error(ewald, positions, 3, 100, 1, &error));
    check(enuf_ewald_get_report(ewald, &report));
    printf("\n%s splitting, cutoff %.3f, grid %lld x %lld x %lld, %s window of width %d\n",
           enuf_split_name(report.split), report.cutoff, (long long)report.grid[0],
           (long long)report.grid[1], (long long)report.grid[2], enuf_window_name(report.window),
           report.width);
    printf("accuracy: requested %.1e, predicted %.1e, measured on %lld ions %.1e\n",
           report.requested, report.predicted, (long long)error.sample, error.accuracy);
    enuf_ewald_destroy(&ewald);

    char path[4096];
    snprintf(path, sizeof path, "%s/ion_forces.csv", n_words > 1 ? words[1] : ".");
    FILE *csv = fopen(path, "w");
    if (!csv) return perror(path), 1;
    fputs("charge,x,y,z,fx,fy,fz\n", csv);
    for (int i = 0; i < IONS; i++) {
        const double *x = &positions[3 * i], *f = &forces[3 * i];
        fprintf(csv, "%g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n", charges[i], x[0], x[1], x[2], f[0],
                f[1], f[2]);
    }
    if (fclose(csv) != 0) return perror(path), 1;
    return !(error.accuracy <= options.accuracy && fabs(trace / result.energy - 1) < 1e-4);
}
