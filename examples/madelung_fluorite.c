/*
 * madelung_fluorite.c - the Madelung constant of fluorite against the splitting parameter alpha, at
 * a fixed cutoff and a fixed set of modes. On the plateau it does not depend on alpha; to the left
 * the pairs are cut off too early, to the right the modes. Lengths are in r0 = sqrt(3) a/4, the
 * Ca-F distance. Usage: madelung_fluorite [FOLDER], which gets madelung_sweep.csv and, where
 * gnuplot is installed, madelung_sweep.png. SPDX-License-Identifier: BSD-3-Clause
 */
#include <enuf/ewald.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define CONSTANT 2.519392439924283623 /* an Ewald sum with 30 digits */

enum { CELLS = 8, IONS = 12, ROWS = 37 };

static const double cutoff = 2.5, modes = 4; /* in r0; |k| <= 2 pi 4/a */

static void check(enuf_status status)
{
    if (status == ENUF_SUCCESS) return;
    fprintf(stderr, "madelung_fluorite: %s\n", enuf_last_error());
    exit(1);
}

/* n x n x n cubic cells of Ca2+ on an fcc lattice and F- in its tetrahedral sites. */
static void build(int n, double cell[9], double *positions, double *charges)
{
    const double a = 4 / sqrt(3.);
    for (int k = 0; k < 9; k++) cell[k] = k % 4 == 0 ? n * a : 0;
    for (int i = 0; i < IONS * n * n * n; i++) {
        const int c = i / IONS, ion = i % IONS, calcium = ion < 4;
        const int corner[3] = {c % n, c / n % n, c / (n * n)};
        charges[i] = calcium ? 2 : -1;
        for (int d = 0; d < 3; d++) {
            const double site =
                calcium ? (ion && ion != d + 1 ? .5 : 0) : .25 + .5 * (ion >> d & 1);
            positions[3 * i + d] = a * (corner[d] + site);
        }
    }
}

/* By NUFFT, 8 x 8 x 8 cells. M = -E / (2 formula units): |z+ z-| = 2, four CaF2 in a cell. */
static double constant_by_enuf(double alpha)
{
    static double cell[9], positions[3 * IONS * CELLS * CELLS * CELLS],
        charges[IONS * CELLS * CELLS * CELLS];
    enuf_ewald *ewald;
    enuf_ewald_options options;
    enuf_ewald_result result = {.struct_size = sizeof result};
    build(CELLS, cell, positions, charges);
    enuf_ewald_options_init(&options);
    options.accuracy = 1e-13;
    options.split = ENUF_SPLIT_GAUSSIAN;
    options.alpha = alpha;
    options.cutoff = cutoff;
    options.kmax = modes * CELLS;
    options.width = 18; /* with this grid the window's error is at the rounding */
    for (int d = 0; d < 3; d++) options.grid[d] = 108;
    check(enuf_ewald_create(&options, &ewald));
    check(enuf_ewald_set_cell(ewald, cell));
    check(enuf_ewald_set_charges(ewald, IONS * CELLS * CELLS * CELLS, charges, NULL));
    check(enuf_ewald_compute(ewald, positions, 3, ENUF_WANT_ENERGY, &result));
    enuf_ewald_destroy(&ewald);
    return -result.energy / (8. * CELLS * CELLS * CELLS);
}

/* The same truncated sums term by term: a crystal's are the same in every supercell, so one serves.
 */
static double constant_by_exact_sums(double alpha)
{
    double cell[9], positions[3 * IONS], charges[IONS];
    enuf_exact_options options;
    enuf_exact_result result = {0};
    build(1, cell, positions, charges);
    enuf_exact_options_init(&options);
    options.alpha = alpha;
    options.cutoff = cutoff;
    options.kmax = modes;
    check(enuf_exact_ewald(&options, cell, IONS, positions, 3, charges, NULL, IONS, NULL, &result));
    return -result.energy / 8;
}

/* gnuplot is asked for, never required. */
static void draw(const char *folder)
{
    if (system("command -v gnuplot >/dev/null 2>&1") != 0) {
        puts("gnuplot is not installed: no picture");
        return;
    }
    FILE *gnuplot = popen("gnuplot", "w");
    if (!gnuplot) return;
    fprintf(gnuplot,
            "set terminal pngcairo size 900,560 font 'Sans,12'\n"
            "set output '%s/madelung_sweep.png'\nset datafile separator ','\nset grid\n"
            "set title 'Fluorite, %d ions, cutoff 2.5 r_0, modes |k| ≤ 2π·4/a'\n"
            "set xlabel 'splitting parameter α r_0'\nset ylabel 'Madelung constant M'\n"
            "set yrange [2.515:2.5225]\nset key bottom right\n"
            "plot '%s/madelung_sweep.csv' skip 1 using 1:3 with lines lw 2 title 'exact truncated "
            "sums', "
            "'' skip 1 using 1:2 with points pt 7 ps 0.8 title 'enuf', "
            "%.12g dashtype 2 title '2.519392439924'\n",
            folder, IONS * CELLS * CELLS * CELLS, folder, CONSTANT);
    if (pclose(gnuplot) != 0) puts("gnuplot failed: no picture");
}

int main(int n_words, char **words)
{
    const char *folder = n_words > 1 ? words[1] : ".";
    double worst = 0, plateau = 0, ends = INFINITY;
    char path[4096];
    snprintf(path, sizeof path, "%s/madelung_sweep.csv", folder);
    FILE *csv = fopen(path, "w");
    if (!csv) return perror(path), 1;
    fputs("alpha,enuf,exact,deviation\n", csv);
    for (int row = 0; row < ROWS; row++) {
        const double alpha = 0.4 + 0.05 * row;
        const double constant = constant_by_enuf(alpha), exact = constant_by_exact_sums(alpha);
        const double deviation = constant / CONSTANT - 1;
        fprintf(csv, "%.2f,%.17g,%.17g,%.17g\n", alpha, constant, exact, deviation);
        printf("alpha %.2f  M %.12f  exact truncated sums %.12f  deviation %9.1e\n", alpha,
               constant, exact, deviation);
        worst = fmax(worst, fabs(constant / exact - 1));
        if (row >= 16 && row <= 28) plateau = fmax(plateau, fabs(deviation));
        if (row == 0 || row == ROWS - 1) ends = fmin(ends, fabs(deviation));
    }
    if (fclose(csv) != 0) return perror(path), 1;
    draw(folder);
    printf("\nlargest deviation from the exact truncated sums  %.1e\n"
           "largest deviation from %.12f on 1.2 <= alpha <= 1.8  %.1e\n",
           worst, CONSTANT, plateau);
    return !(worst < 1e-12 && plateau < 1e-4 && ends > 10 * plateau);
}
