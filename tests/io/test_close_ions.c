/*
 * test_close_ions.c - enuf_close_ions() finds a pair of ions below a distance if and only if there
 * is one: 400 systems of 12 random ions in a tilted cell, against all pairs and their 27 nearest
 * images.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "close_ions.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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

/* Each ion is also moved by whole cells, which must not matter. */
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
    close_ions_are_found();
    return check_result();
}
