/*
 * test_correlated_systems.c - the systems of examples/correlated_systems.c have the properties of
 * the liquids and crystals that they are named after. Their charge structure factor at long waves
 * is below 0.1. The melt has the radial distribution known from X-ray diffraction, and no Bragg
 * peaks. Water molecules are rigid, and the box of water is not made of copies. The tilted cell has
 * the exact energy of the melt. SPDX-License-Identifier: BSD-3-Clause
 */
#include "correlated_systems.h"
#include "check.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* Inverse H^-1 of the cell H, for fractions s = x H^-1. */
static void invert(const double h[9], double inverse[9])
{
    const double determinant = h[0] * (h[4] * h[8] - h[5] * h[7]) -
                               h[1] * (h[3] * h[8] - h[5] * h[6]) +
                               h[2] * (h[3] * h[7] - h[4] * h[6]);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const int a = (j + 1) % 3, b = (j + 2) % 3, c = (i + 1) % 3, d = (i + 2) % 3;
            inverse[3 * i + j] =
                (h[3 * a + c] * h[3 * b + d] - h[3 * a + d] * h[3 * b + c]) / determinant;
        }
}

/* |sum_i q_i exp(-i k.x_i)|^2 / sum q_i^2 of mode m. */
static double structure_factor(const ionic_system *s, const int m[3])
{
    double inverse[9], k[3], re = 0, im = 0, squares = 0;
    invert(s->cell, inverse);
    for (int d = 0; d < 3; d++)
        k[d] = 2 * pi *
               (inverse[3 * d] * m[0] + inverse[3 * d + 1] * m[1] + inverse[3 * d + 2] * m[2]);
    for (int64_t i = 0; i < s->n; i++) {
        const double *x = &s->positions[3 * i], q = s->charges[i];
        const double phase = k[0] * x[0] + k[1] * x[1] + k[2] * x[2];
        re += q * cos(phase);
        im += q * sin(phase);
        squares += q * q;
    }
    return (re * re + im * im) / squares;
}

/* Mean of the structure factor over the modes |m_d| <= 1 except 0. */
static double mean_at_long_waves(const ionic_system *s)
{
    double sum = 0;
    for (int k = 0; k < 27; k++) {
        const int m[3] = {k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1};
        if (k != 13) sum += structure_factor(s, m) / 26;
    }
    return sum;
}

/* Distance of nearest images, in a box with edges along the axes. */
static double distance(const ionic_system *s, int64_t i, int64_t j)
{
    double square = 0;
    for (int d = 0; d < 3; d++) {
        double r = s->positions[3 * i + d] - s->positions[3 * j + d];
        r -= s->cell[4 * d] * round(r / s->cell[4 * d]);
        square += r * r;
    }
    return sqrt(square);
}

static void charges_screen_each_other(const ionic_system *s)
{
    double net = 0;
    for (int64_t i = 0; i < s->n; i++) net += s->charges[i];
    printf("%s: %s\n", s->name, s->description);
    CHECK_BELOW(net - (strcmp(s->name, "charged") == 0 ? 10 : 0), 1e-9,
                "net charge, less the 10 of the charged system");
    /* Stillinger-Lovett: S(k) falls as k^2; uncorrelated charges have 1 */
    CHECK_BELOW(mean_at_long_waves(s), 0.1, "charge structure factor at long waves");
}

enum { BINS = 40 };
static const double bin_width = 0.2; /* Angstrom */

/* The pair distribution of unlike and of like ions. */
static void pair_distribution(const ionic_system *s, double g[2][BINS])
{
    const double volume = s->cell[0] * s->cell[4] * s->cell[8], half = 0.5 * (double)s->n;
    memset(g, 0, 2 * sizeof g[0]);
    for (int64_t i = 0; i < s->n; i++)
        for (int64_t j = 0; j < i; j++) {
            const double bin = distance(s, i, j) / bin_width;
            if (bin < BINS) g[s->charges[i] * s->charges[j] > 0][(int)bin] += 1;
        }
    for (int b = 0; b < BINS; b++) {
        const double shell = 4 * pi / 3 * pow(bin_width, 3) * (3. * b * b + 3 * b + 1) / volume;
        g[0][b] /= half * half * shell;
        g[1][b] /= half * (half - 1) * shell;
    }
}

static int highest(const double g[BINS])
{
    int top = 0;
    for (int b = 0; b < BINS; b++) top = g[b] > g[top] ? b : top;
    return top;
}

/* X-ray diffraction: first neighbours at 2.7 Angstrom, the second at 1.4 to 1.5 times that
 * (Urakawa, Igawa, Shimomura, Ohno, Am. Mineral. 84 (1999) 341). */
static void the_melt_is_a_liquid(const ionic_system *s)
{
    double g[2][BINS], ordered = 0;
    pair_distribution(s, g);
    const int near = highest(g[0]), next = highest(g[1]);
    printf("  g(r): Na-Cl %.2f Angstrom, %.2f high; like ions %.2f, %.2f\n",
           bin_width * (near + 0.5), g[0][near], bin_width * (next + 0.5), g[1][next]);
    CHECK_CLOSE(bin_width * (near + 0.5), 2.7, 0.06, "  first neighbours, Angstrom");
    CHECK_CLOSE((next + 0.5) / (near + 0.5), 1.45, 0.1, "  second over first");
    CHECK(g[0][near] > 3 && g[1][next] > 1.4 && g[1][near] < 0.5);
    /* the lattice it was melted from had 10 spacings along each edge, and S = n at these modes */
    for (int k = 0; k < 4; k++) {
        const int m[3] = {k & 1 ? -5 : 5, k & 2 ? -5 : 5, 5};
        ordered = fmax(ordered, structure_factor(s, m) / (double)s->n);
    }
    CHECK_BELOW(ordered, 0.1, "  Bragg peaks of the lattice that melted, over a crystal's");
}

static double exact_energy(const ionic_system *s)
{
    enuf_exact_options options;
    enuf_exact_result result = {0};
    enuf_exact_options_init(&options);
    CHECK_STATUS(enuf_exact_ewald(&options, s->cell, s->n, s->positions, 3, s->charges, NULL, s->n,
                                  NULL, &result),
                 ENUF_SUCCESS);
    return result.energy;
}

static void water_is_rigid(const ionic_system *s)
{
    double worst = 0;
    for (int64_t i = 0; i < s->n; i += 3)
        for (int64_t h = 1; h < 3; h++) worst = fmax(worst, fabs(distance(s, i, i + h) - 1));
    CHECK_BELOW(worst, 1e-5, "  O-H distance less 1 Angstrom, as the file has it");
    CHECK(s->n_excluded == s->n);
}

/* A box of 2^3 copies has structure factors only at modes whose indices are all even. Means over
 * the 4^3 modes from (first, first, first) on: `even` of those modes, `odd` of all others. */
static void compare_modes(const ionic_system *s, int first, double *odd, double *even)
{
    *odd = *even = 0;
    for (int k = 0; k < 64; k++) {
        const int m[3] = {first + k % 4, first + k / 4 % 4, first + k / 16};
        const int copied = m[0] % 2 == 0 && m[1] % 2 == 0 && m[2] % 2 == 0;
        *(copied ? even : odd) += structure_factor(s, m) / (copied ? 8 : 56);
    }
    printf("  structure factor at waves of %.2f Angstrom: odd modes %.3f, even modes %.3f\n",
           s->cell[0] / (first + 1.5) / sqrt(3), *odd, *even);
}

static void the_box_is_no_supercell(const ionic_system *s)
{
    double odd, even;
    compare_modes(s, 7, &odd, &even);
    compare_modes(s, 14, &odd, &even);
    compare_modes(s, 28, &odd, &even);
    CHECK(odd > 0.5 && odd > even / 4);
}

int main(void)
{
    double melt = 0;
    for (int k = 0; k < SYSTEM_COUNT; k++) {
        ionic_system s;
        if (!CHECK(ionic_system_build((correlated_system)k, ENUF_EXAMPLE_DATA, &s))) continue;
        charges_screen_each_other(&s);
        if (ionic_system_is_water((correlated_system)k)) water_is_rigid(&s);
        if (k == SYSTEM_WATER_BOX) the_box_is_no_supercell(&s);
        if (k == SYSTEM_MELT) the_melt_is_a_liquid(&s);
        if (k == SYSTEM_MELT) melt = exact_energy(&s);
        if (k == SYSTEM_TILTED)
            CHECK_CLOSE(exact_energy(&s), melt, 1e-12, "  energy, that of the melt");
        ionic_system_free(&s);
    }
    /* a missing folder is an error */
    ionic_system none;
    CHECK(!ionic_system_build(SYSTEM_MELT, "no such folder", &none) && errno == ENOENT);
    return check_result();
}
