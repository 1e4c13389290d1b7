/*
 * test_prolate_function.c - the prolate function fulfils its definitions: the eigenvalue equation
 * of the Fourier integral, its differential equation, and the relations among its integrals, each
 * to about 3e-15 for bandwidths c from 1e-3 to 300. It agrees with tables made independently. c
 * outside 0 < c <= 300 is refused.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "chebyshev.h"
#include "prolate_function.h"

#include <math.h>
#include <stdio.h>

enum { NODES = 400 };

/* The bounds of 3e-15 hold the rounding of this quadrature, which exceeds that of the functions. */
static double node[NODES], weight[NODES];

static const double bandwidths[] = {1e-3, 0.1, 1, 4, 9.54, 16.9, 30, 60, 100, 180, 300};
enum { BANDWIDTHS = sizeof bandwidths / sizeof bandwidths[0] };

static enuf_prolate make(double c)
{
    enuf_prolate psi;
    CHECK(enuf_prolate_make(c, &psi) == ENUF_SUCCESS);
    return psi;
}

/* int_{-1}^1 exp(i c x t) psi(x) dx = lambda psi(t), lambda = 2 c_0/psi(0); int psi^2 = 1. */
static void eigenfunction_of_the_fourier_integral(void)
{
    for (int b = 0; b < BANDWIDTHS; b++) {
        double c = bandwidths[b], value[NODES], norm = 0, worst = 0;
        enuf_prolate psi = make(c);
        for (int i = 0; i < NODES; i++) {
            value[i] = enuf_prolate_value(&psi, node[i], NULL);
            norm += weight[i] * value[i] * value[i];
        }
        double lambda = 2 * psi.half_integral / psi.at_0;
        for (int step = 0; step <= 20; step++) {
            double t = step / 20.0, sum = 0;
            for (int i = 0; i < NODES; i++) sum += weight[i] * cos(c * node[i] * t) * value[i];
            worst = fmax(worst, fabs(sum / lambda - enuf_prolate_value(&psi, t, NULL)));
        }
        printf("c = %g\n", c);
        CHECK_CLOSE(norm, 1, 3e-15, "norm");
        CHECK_BELOW(worst / psi.at_0, 3e-15, "integral equation, over psi(0)");
    }
}

/* (1 - x^2) psi' = -int_0^x (chi - c^2 y^2) psi dy. At x = 1 it gives chi; the test is every other
 * x.
 */
static void solution_of_the_differential_equation(void)
{
    for (int b = 0; b < BANDWIDTHS; b++) {
        enuf_prolate psi = make(bandwidths[b]);
        double c2 = psi.c * psi.c, worst = 0;
        double chi = c2 * psi.second_moment;
        for (double x = 0.1; x < 1; x += 0.1) {
            double sum = 0, slope;
            for (int i = 0; i < NODES; i++) {
                double y = x / 2 * (1 + node[i]);
                sum += weight[i] * x / 2 * (chi - c2 * y * y) * enuf_prolate_value(&psi, y, NULL);
            }
            enuf_prolate_value(&psi, x, &slope);
            worst = fmax(worst, fabs((1 - x * x) * slope + sum));
        }
        printf("c = %g\n", psi.c);
        /* chi is about c, so its rounding is multiplied by c */
        CHECK_BELOW(worst / psi.at_0, 1e-15 * (1 + psi.c), "flux, over psi(0)");
    }
}

static void integrals_belong_to_the_values(void)
{
    for (int b = 0; b < BANDWIDTHS; b++) {
        enuf_prolate psi = make(bandwidths[b]);
        long double first = 0, moment = 0;
        double worst = 0, worst_slope = 0;
        for (int i = 0; i < NODES; i++) {
            double x = (1 + node[i]) / 2, value = enuf_prolate_value(&psi, x, NULL);
            first += weight[i] / 2 * value;
            moment += weight[i] / 2 * value * x * x;
        }
        for (double x = 0.05; x < 1.01; x += 0.05) {
            double sum = 0, slopes = 0, slope;
            for (int i = 0; i < NODES; i++) {
                sum += weight[i] * x / 2 * enuf_prolate_value(&psi, x / 2 * (1 + node[i]), &slope);
                slopes += weight[i] * x / 2 * slope;
            }
            worst = fmax(worst, fabs(enuf_prolate_integral(&psi, x) - sum));
            double rise = enuf_prolate_value(&psi, x, NULL) - psi.at_0;
            worst_slope = fmax(worst_slope, fabs(rise - slopes));
        }
        printf("c = %g\n", psi.c);
        CHECK_CLOSE((double)first, psi.half_integral, 2e-15, "c_0");
        CHECK_CLOSE((double)(moment / first), psi.second_moment, 3e-15, "second moment");
        CHECK_CLOSE(enuf_prolate_integral(&psi, 1), psi.half_integral, 2e-16, "integral to 1");
        CHECK_BELOW(worst / psi.half_integral, 3e-15, "integrals, over c_0");
        CHECK_BELOW(worst_slope / psi.at_0, 3e-15, "integrals of the slope, over psi(0)");
    }
}

/*
 * mean = I/x and bend = (I - x psi)/x^3 fulfil mean(x) = mean(0) - int_0^x y bend(y) dy, because
 * d(I/x)/dx = -x bend. At the seam of series and quotient (c x^2 = 1/4) bend does not step.
 */
static void mean_and_bend_belong_together(void)
{
    for (int b = 0; b < BANDWIDTHS; b++) {
        enuf_prolate psi = make(bandwidths[b]);
        double worst = 0, seam = sqrt(0.25 / psi.c);
        for (double x = 0x1p-10; x <= 1; x *= 2) {
            double sum = 0;
            for (int i = 0; i < NODES; i++) {
                double y = x / 2 * (1 + node[i]);
                sum += weight[i] * x / 2 * y * enuf_prolate_bend(&psi, y);
            }
            worst = fmax(worst, fabs(psi.at_0 - sum - enuf_prolate_mean(&psi, x)));
        }
        printf("c = %g\n", psi.c);
        CHECK_BELOW(worst / psi.at_0, 3e-15, "mean by integral of bend, over psi(0)");
        CHECK_CLOSE(enuf_prolate_mean(&psi, 1), psi.half_integral, 2e-16, "mean over [0, 1]");
        CHECK_CLOSE(enuf_prolate_mean(&psi, 1e-9), psi.at_0, 1e-15, "mean near 0");
        CHECK_CLOSE(enuf_prolate_bend(&psi, 1e-9), enuf_prolate_bend(&psi, 0), 1e-14,
                    "bend near 0");
        if (seam < 1) {
            double below = enuf_prolate_bend(&psi, seam * (1 - 1e-15));
            double above = enuf_prolate_bend(&psi, seam * (1 + 1e-15));
            CHECK_CLOSE(above, below, 4e-15, "bend at the seam");
        }
    }
}

/*
 * Values from elsewhere: the same Legendre expansion with 60 digits (mpmath); roots c of psi(1) =
 * eps as LAMMPS, GROMACS and OpenMM use them; the asymptotic form of psi(1).
 */
static void known_values(void)
{
    static const struct {
        double c, at_0, half_integral;
    } known[] = {
        {2, 0.837887293961224, 0.696802985752864}, {4, 1.02749461688178, 0.642560760178566},
        {6, 1.15348680242183, 0.590167971093194},  {10, 1.32193706072663, 0.523926912300023},
        {14, 1.44254680211404, 0.483198784368542}, {20, 1.58065555306003, 0.442978024552604},
        {30, 1.75224095566509, 0.400952696146271}, {50, 1.99354483167633, 0.353346621385751},
    };
    for (int i = 0; i < 8; i++) {
        enuf_prolate psi = make(known[i].c);
        CHECK_CLOSE(psi.at_0, known[i].at_0, 6e-15, "psi(0), 15 digits given");
        CHECK_CLOSE(psi.half_integral, known[i].half_integral, 6e-15, "c_0, 15 digits given");
    }
    static const double root[] = {9.539, 12.024, 14.471, 16.894, 19.299, 21.691};
    static const double height[] = {2.464, 2.767, 3.035, 3.279};
    static const double moment[] = {.09634, .07786, .06545, .05652};
    for (int i = 0; i < 6; i++) {
        enuf_prolate psi = make(root[i]);
        CHECK_CLOSE(psi.at_1, pow(10, -3 - i), 6e-4, "psi(1) at a root given to 4 digits");
        if (i >= 4) continue;
        CHECK_CLOSE(psi.at_0 / psi.half_integral, height[i], 3e-4, "psi(0)/c_0, 4 digits given");
        CHECK_CLOSE(psi.second_moment, moment[i], 2e-4, "second moment, 4 digits given");
    }
    for (double c = 2; c < 300; c *= 1.3) {
        enuf_prolate psi = make(c);
        double tail = 2 * pow(acos(-1), 0.25) * pow(c, 0.75) * exp(-c);
        CHECK(fabs(psi.at_1 - tail) < 0.6 / c * tail + 5e-16 * psi.at_0);
    }
}

static void bandwidths_out_of_range_are_refused(void)
{
    enuf_prolate psi = make(3);
    static const double bad[] = {0, -1, 300.1, NAN, INFINITY};
    for (int i = 0; i < 5; i++) {
        CHECK_STATUS(enuf_prolate_make(bad[i], &psi), ENUF_BAD_ARGUMENT);
        CHECK_TEXT("0 < c <= 300");
        CHECK(psi.c == 3);
    }
}

int main(void)
{
    enuf_gauss_legendre(NODES, node, weight);
    eigenfunction_of_the_fourier_integral();
    solution_of_the_differential_equation();
    integrals_belong_to_the_values();
    mean_and_bend_belong_together();
    known_values();
    bandwidths_out_of_range_are_refused();
    return check_result();
}
