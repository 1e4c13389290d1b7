/* correlated_systems.c - see correlated_systems.h. SPDX-License-Identifier: BSD-3-Clause */
#include "correlated_systems.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A pseudo-random number in (0, 1) (Knuth's MMIX generator), the same on every machine. */
static double random_number(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return ((double)(*state >> 11) + 0.5) * 0x1p-53;
}

static double gaussian_number(uint64_t *state)
{
    return sqrt(-2 * log(random_number(state))) * cos(6.283185307179586 * random_number(state));
}

static int make(int64_t n, ionic_system *s)
{
    s->n = n;
    s->positions = malloc((size_t)n * 3 * sizeof *s->positions);
    s->charges = malloc((size_t)n * sizeof *s->charges);
    s->excluded = malloc((size_t)n * 2 * sizeof *s->excluded);
    return s->positions && s->charges && s->excluded;
}

/* The examples' own extended XYZ: element, position, charge, then perhaps more. */
static int read_ions(FILE *file, ionic_system *s)
{
    long long n;
    char line[1024], *cell;
    if (!fgets(line, sizeof line, file) || sscanf(line, "%lld", &n) != 1 || n < 1) return 0;
    if (!make(n, s) || !fgets(line, sizeof line, file)) return 0;
    cell = strstr(line, "Lattice=\"");
    if (!cell) return 0;
    cell += strlen("Lattice=\"");
    for (int k = 0; k < 9; k++) s->cell[k] = strtod(cell, &cell);
    for (int64_t i = 0; i < n; i++) {
        double *x = &s->positions[3 * i];
        if (!fgets(line, sizeof line, file) ||
            sscanf(line, "%*s %lf %lf %lf %lf", &x[0], &x[1], &x[2], &s->charges[i]) != 4)
            return 0;
    }
    return 1;
}

static int read_file(const char *folder, const char *name, ionic_system *s)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    if (!file) return 0;
    const int complete = read_ions(file, s);
    fclose(file);
    if (!complete) errno = EINVAL;
    return complete;
}

/* Molecules of three atoms in a row: none interacts with the next one of its own, nor that with the
 * first. */
static void exclude_molecules(ionic_system *s)
{
    for (int64_t i = 0; i < s->n; i++) {
        s->excluded[2 * i] = i;
        s->excluded[2 * i + 1] = i % 3 == 2 ? i - 2 : i + 1;
    }
    s->n_excluded = s->n;
}

/* The matrix of a turn by `angle` around the axis (Rodrigues' formula). */
static void turn_matrix(const double axis[3], double angle, double turn[9])
{
    const double c = cos(angle), s = sin(angle);
    const double cross[9] = {0, -axis[2], axis[1], axis[2], 0, -axis[0], -axis[1], axis[0], 0};
    for (int k = 0; k < 9; k++)
        turn[k] = (k % 4 == 0 ? c : 0) + s * cross[k] + (1 - c) * axis[k / 3] * axis[k % 3];
}

/*
 * 2 x 2 x 2 copies of a box of water. Copies alone would have modes at even indices only, and so
 * the errors of the small box; so every molecule is turned about its oxygen, by up to 0.5 rad, and
 * moved by up to 0.25 Angstrom in each direction, on its own. Hydrogen bonds and long waves stay
 * much as they were; of the copies little is left at the short waves that aliases come from.
 */
static int copy_eightfold(ionic_system *small, ionic_system *s)
{
    uint64_t state = 3;
    if (!make(8 * small->n, s)) return 0;
    for (int k = 0; k < 9; k++) s->cell[k] = 2 * small->cell[k];
    for (int64_t molecule = 0; molecule < s->n / 3; molecule++) {
        const int64_t copy = 3 * molecule / small->n, first = 3 * molecule % small->n;
        double axis[3], shift[3], turn[9], length = 0;
        for (int d = 0; d < 3; d++) {
            axis[d] = gaussian_number(&state);
            length += axis[d] * axis[d];
            shift[d] = 0.5 * random_number(&state) - 0.25;
            for (int e = 0; e < 3; e++)
                shift[d] += (double)(copy >> e & 1) * small->cell[3 * e + d];
        }
        for (int d = 0; d < 3; d++) axis[d] /= sqrt(length);
        turn_matrix(axis, random_number(&state) - 0.5, turn);
        const double *oxygen = &small->positions[3 * first];
        for (int64_t atom = 0; atom < 3; atom++)
            for (int d = 0; d < 3; d++) {
                double *x = &s->positions[3 * (3 * molecule + atom) + d];
                *x = oxygen[d] + shift[d];
                for (int e = 0; e < 3; e++)
                    *x += turn[3 * d + e] * (oxygen[3 * atom + e] - oxygen[e]);
            }
        for (int64_t atom = 0; atom < 3; atom++)
            s->charges[3 * molecule + atom] = small->charges[first + atom];
    }
    return 1;
}

static int build_water_box(const char *folder, ionic_system *s)
{
    ionic_system small = {0};
    const int built = read_file(folder, "spce_nist1.xyz", &small) && copy_eightfold(&small, s);
    ionic_system_free(&small);
    return built;
}

/* n x n x n cells of a crystal with `sites` ions each, displaced by `rms` in each direction. */
static int build_crystal(int n, const double unit[9], int sites, const double (*basis)[4],
                         double rms, ionic_system *s)
{
    uint64_t state = 4;
    if (!make((int64_t)sites * n * n * n, s)) return 0;
    for (int k = 0; k < 9; k++) s->cell[k] = n * unit[k];
    for (int64_t i = 0; i < s->n; i++) {
        const int64_t c = i / sites;
        const double *site = basis[i % sites];
        const double at[3] = {(double)(c % n) + site[0], (double)(c / n % n) + site[1],
                              (double)(c / n / n) + site[2]};
        s->charges[i] = site[3];
        for (int d = 0; d < 3; d++)
            s->positions[3 * i + d] = at[0] * unit[d] + at[1] * unit[3 + d] + at[2] * unit[6 + d] +
                                      rms * gaussian_number(&state);
    }
    return 1;
}

/* Rock salt; 0.15 Angstrom is what X-ray diffraction finds of both ions at 300 K. */
static int build_rock_salt(ionic_system *s)
{
    static const double cube[9] = {5.64, 0, 0, 0, 5.64, 0, 0, 0, 5.64};
    static const double basis[8][4] = {{0, 0, 0, 1},   {0, .5, .5, 1},  {.5, 0, .5, 1},
                                       {.5, .5, 0, 1}, {.5, 0, 0, -1},  {0, .5, 0, -1},
                                       {0, 0, .5, -1}, {.5, .5, .5, -1}};
    return build_crystal(4, cube, 8, basis, 0.15, s);
}

/* Fluorite in its primitive cell, whose edges enclose 60 degrees. */
static int build_fluorite(ionic_system *s)
{
    static const double rhombohedron[9] = {0, 2.73, 2.73, 2.73, 0, 2.73, 2.73, 2.73, 0};
    static const double basis[3][4] = {{0, 0, 0, 2}, {.25, .25, .25, -1}, {.75, .75, .75, -1}};
    return build_crystal(6, rhombohedron, 3, basis, 0.1, s);
}

/* Every fiftieth anion is taken out. */
static void remove_anions(ionic_system *s)
{
    int64_t kept = 0, anions = 0;
    for (int64_t i = 0; i < s->n; i++) {
        if (s->charges[i] < 0 && anions++ % 50 == 0) continue;
        memcpy(&s->positions[3 * kept], &s->positions[3 * i], 3 * sizeof *s->positions);
        s->charges[kept++] = s->charges[i];
    }
    s->n = kept;
}

/* The same melt and the same lattice of images, in a cell with edges a, b + a, c + b - a. */
static void tilt(ionic_system *s)
{
    double *a = s->cell, *b = a + 3, *c = a + 6;
    for (int d = 0; d < 3; d++) {
        c[d] += b[d] - a[d];
        b[d] += a[d];
    }
}

static int build(correlated_system which, const char *folder, ionic_system *s)
{
    switch (which) {
    case SYSTEM_WATER:
        return read_file(folder, "spce_nist1.xyz", s);
    case SYSTEM_WATER_BOX:
        return build_water_box(folder, s);
    case SYSTEM_CRYSTAL:
        return build_rock_salt(s);
    case SYSTEM_PRIMITIVE:
        return build_fluorite(s);
    case SYSTEM_LIQUID_WATER:
        return read_file(folder, "spce_liquid.xyz", s);
    default:
        return read_file(folder, "molten_nacl.xyz", s);
    }
}

int ionic_system_is_water(correlated_system which)
{
    return which == SYSTEM_WATER || which == SYSTEM_WATER_BOX || which == SYSTEM_LIQUID_WATER;
}

int ionic_system_build(correlated_system which, const char *folder, ionic_system *s)
{
    static const char *const names[SYSTEM_COUNT][2] = {
#define ENUF_X(NAME, name, description) {#name, description},
        CORRELATED_SYSTEMS(ENUF_X)
#undef ENUF_X
    };
    *s = (ionic_system){.name = names[which][0], .description = names[which][1]};
    if (!build(which, folder, s)) {
        ionic_system_free(s);
        return 0;
    }
    if (ionic_system_is_water(which)) exclude_molecules(s);
    if (which == SYSTEM_CHARGED) remove_anions(s);
    if (which == SYSTEM_TILTED) tilt(s);
    return 1;
}

void ionic_system_free(ionic_system *s)
{
    free(s->positions);
    free(s->charges);
    free(s->excluded);
    *s = (ionic_system){0};
}
