/*
 * test_symmetry.c - operations, groups, orbits of sites, and ions on top of each other.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "close_ions.h"
#include "orbit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int parse(const char *text, enuf_symmetry_operation *operation)
{
    return enuf_symmetry_parse((enuf_word){text, strlen(text)}, operation);
}

static void operations_are_what_they_say(void)
{
    static const struct {
        const char *text;
        double image[3]; /* of (0.1, 0.2, 0.4) */
    } good[] = {
        {"x,y,z", {.1, .2, .4}},
        {" -Y , x - y , 1/3+Z", {-.2, -.1, .4 + 1. / 3}},
        {"1/2-x,-1/4+y,z+.75", {.4, .95, 1.15}},
        {"z+0.3333, x+0.6667, y-5/6", {.4 + 1. / 3, .1 + 2. / 3, .2 + 1. / 6}},
        {"+x,y+1,z-2", {.1, .2, .4}},
    };
    static const char *const bad[] = {"",
                                      "x",
                                      "x,y",
                                      "x,y,z,x",
                                      "x,y,",
                                      "x,y,y",
                                      "x,y,x+y",
                                      "x,y,2z",
                                      "x,y,zz",
                                      "x,y,z+1/0",
                                      "x,y,z+1/5",
                                      "x,y,z+-1",
                                      "x,y,z+0.123",
                                      "x,y,z+",
                                      "x,y,z 1",
                                      "x,y,z/2",
                                      "a,b,c",
                                      "x,y,x-x+z",
                                      "0,y,z",
                                      "x,y,z+1/2/2",
                                      "x,y,z+1.2.3",
                                      "x,y,z+99999999999999999999",
                                      "x,y,z+1/99999999999999999999"};
    const double x[3] = {.1, .2, .4};
    enuf_symmetry_operation operation;
    for (size_t k = 0; k < sizeof good / sizeof *good; ++k) {
        double image[3], worst = 0.0;
        CHECK(parse(good[k].text, &operation));
        enuf_symmetry_apply(&operation, x, image);
        for (int d = 0; d < 3; ++d) worst = fmax(worst, fabs(image[d] - good[k].image[d]));
        CHECK_BELOW(worst, 4e-16, good[k].text); /* two roundings of numbers near 1 */
    }
    for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k)
        if (!CHECK(!parse(bad[k], &operation))) printf("  '%s' was read\n", bad[k]);
}

/* P 3 2 1 (No. 150) on hexagonal axes, Int. Tables A: six operations. */
static const char *const p321[] = {"x,y,z",  "-y,x-y,z",  "-x+y,-x,z",
                                   "y,x,-z", "x-y,-y,-z", "-x,-x+y,-z"};

static void groups_are_told_from_parts_of_them(void)
{
    enuf_symmetry_operation all[6], some[6];
    const double hexagonal[9] = {5, 0, 0, -2.5, 4.330127018922193, 0, 0, 0, 6};
    const double cubic[9] = {5, 0, 0, 0, 5, 0, 0, 0, 5};
    for (int o = 0; o < 6; ++o) CHECK(parse(p321[o], &all[o]));
    CHECK(enuf_symmetry_is_group(6, all));
    CHECK(enuf_symmetry_repeated(6, all) == -1);
    int groups = 0; /* 1, three of order 2, one of order 3, all */
    for (int set = 1; set < 64; ++set) {
        int n = 0;
        for (int o = 0; o < 6; ++o)
            if (set >> o & 1) some[n++] = all[o];
        groups += enuf_symmetry_is_group(n, some);
    }
    CHECK(groups == 6);
    some[0] = some[2] = all[1];
    some[1] = all[0];
    CHECK(enuf_symmetry_repeated(3, some) == 2);
    CHECK(enuf_symmetry_fits_cell(&all[1], hexagonal));
    CHECK(!enuf_symmetry_fits_cell(&all[1], cubic));
    CHECK(enuf_symmetry_fits_cell(&all[3], cubic));
}

static int orbit(double x, double y, double z, double images[][3])
{
    enuf_symmetry_operation all[6];
    const double cell[9] = {5, 0, 0, -2.5, 4.330127018922193, 0, 0, 0, 6};
    for (int o = 0; o < 6; ++o) CHECK(parse(p321[o], &all[o]));
    return enuf_orbit(6, all, cell, (double[3]){x, y, z}, images);
}

/* Wyckoff positions of P 3 2 1: 1a, 1b, 2c, 2d, 3e, 3f, 6g. */
static void special_positions_are_met_once_and_exactly(void)
{
    double images[ENUF_MOST_OPERATIONS][3];
    CHECK(orbit(0, 0, 0, images) == 1);
    CHECK(orbit(0, 0, .5, images) == 1);
    CHECK(orbit(0, 0, .2, images) == 2);
    CHECK(orbit(.2, 0, 0, images) == 3);
    CHECK(orbit(-.3, 0, .5, images) == 3);
    CHECK(orbit(.1, .25, .3, images) == 6);
    CHECK(orbit(.3333, .6667, .2, images) == 2); /* 2d */
    CHECK_BELOW(images[0][0] - 1. / 3, 1e-15, "0.3333 becomes 1/3");
    CHECK_BELOW(images[0][1] - 2. / 3, 1e-15, "0.6667 becomes 2/3");
    for (int k = 0; k < 2; ++k)
        for (int d = 0; d < 3; ++d) CHECK(images[k][d] >= 0.0 && images[k][d] <= 1.0);
    /* moving off the position: on it, on it to some operations and not to others, off it */
    int seen[7] = {0}, last = 0;
    for (int step = 0; step <= 100; ++step) {
        last = orbit(2e-4 * step, 1e-4 * step, 1e-4 * step, images);
        if (step == 0) CHECK(last == 1);
        if (CHECK(last == 0 || last == 1 || last == 2 || last == 3 || last == 6)) seen[last]++;
    }
    CHECK(last == 6 && seen[0] > 0 && seen[1] > 1);
}

static double random_fraction(void) /* Numerical Recipes, 3rd ed., 7.1 */
{
    static uint32_t state = 7;
    state = state * 1664525u + 1013904223u;
    return (state >> 8) / 16777216.0;
}

static double nearest_image(const double cell[9], const double s[3], const double t[3])
{
    double least = INFINITY;
    for (int m = 0; m < 27; ++m) {
        const double d[3] = {s[0] - t[0] + m % 3 - 1, s[1] - t[1] + m / 3 % 3 - 1,
                             s[2] - t[2] + m / 9 - 1};
        double r2 = 0.0;
        for (int k = 0; k < 3; ++k) {
            const double r = d[0] * cell[k] + d[1] * cell[3 + k] + d[2] * cell[6 + k];
            r2 += r * r;
        }
        least = fmin(least, sqrt(r2));
    }
    return least;
}

/* Random ions in a tilted cell, each moved by whole cells: found where all pairs find them. */
static void close_ions_are_found(void)
{
    enum { N = 12, TRIALS = 400 };
    const double cell[9] = {6, 0, 0, 2, 5, 0, -1, 2, 4}, least = .6;
    enuf_structure ions;
    int with = 0;
    if (!CHECK_STATUS(enuf_structure_create(N, 1, &ions), ENUF_SUCCESS)) return;
    memcpy(ions.cell, cell, sizeof cell);
    for (int trial = 0; trial < TRIALS; ++trial) {
        double fractions[N][3];
        int close = 0;
        int64_t pair[2];
        for (int i = 0; i < N; ++i) {
            double moved[3];
            for (int d = 0; d < 3; ++d) {
                fractions[i][d] = random_fraction();
                moved[d] = fractions[i][d] + floor(7.0 * random_fraction()) - 3.0;
            }
            for (int k = 0; k < 3; ++k)
                ions.positions[3 * i + k] =
                    moved[0] * cell[k] + moved[1] * cell[3 + k] + moved[2] * cell[6 + k];
            for (int j = 0; j < i; ++j)
                close |= nearest_image(cell, fractions[i], fractions[j]) < least;
        }
        CHECK_STATUS(enuf_close_ions(&ions, least, pair), ENUF_SUCCESS);
        CHECK((pair[0] >= 0) == close);
        if (pair[0] >= 0)
            CHECK(nearest_image(cell, fractions[pair[0]], fractions[pair[1]]) < least);
        with += close;
    }
    printf("close ions in %d of %d systems\n", with, TRIALS);
    CHECK(with > TRIALS / 10 && with < TRIALS * 9 / 10);
    enuf_structure_free(&ions);
}

int main(void)
{
    operations_are_what_they_say();
    groups_are_told_from_parts_of_them();
    special_positions_are_met_once_and_exactly();
    close_ions_are_found();
    return check_result();
}
