/*
 * test_window_aliasing.c - enuf_window_aliasing() predicts the errors that a plan makes in 1D. All
 * windows, widths 2 to 9. A single point of unit strength has in mode m the transform
 *
 *     sum_n w(theta + 2 pi n)/w(theta) exp(-2 pi i (m + n M) s)
 *
 * Measured are, with averages over the point's place within a fine cell:
 *
 *   - aliasing: the squared error of a mode, summed over modes to 2 %;
 *   - aliasing of the gradient of one mode, to 20 %, and its bias, to 0.1 of the aliasing;
 *   - own slope: the gradient that the point meets in its own transform, to 1e-5 (semicircle
 *     window: 0.1) of its size.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "conformance.h"

#include "enuf/window.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double TWO_PI = 6.28318530717958647693;

enum { GRID = 48, MODES = 33, PLACES = 257 }; /* PLACES sample the harmonics n of a cell */

/* sum_r own[r] sqrt(4r+3) P_{2r+1}(t) */
static double slope_at(const double own[ENUF_OWN_SLOPES], double t)
{
    double before = 1.0, now = t, sum = 0.0;
    for (int l = 1; l < 2 * ENUF_OWN_SLOPES; ++l) {
        if (l % 2 == 1) sum += own[l / 2] * sqrt(2.0 * l + 1.0) * now;
        const double next = ((2 * l + 1) * t * now - l * before) / (l + 1);
        before = now;
        now = next;
    }
    return sum;
}

/* The own slope of each mode together with its opposite, for a point at several places in its
 * cell. */
static void own_slope_is_that_of_one_point(enuf_nufft *plan, enuf_window window, int width,
                                           const double places[PLACES],
                                           double own_slope[MODES][ENUF_OWN_SLOPES])
{
    enum { EVERY = 8, TERMS = MODES * (PLACES / EVERY) };
    double modes[2 * MODES], pair[2 * MODES], error = 0.0, square = 0.0;
    for (int j = EVERY / 2; j < PLACES; j += EVERY) {
        const double one[2] = {1.0, 0.0};
        const double u = places[j] * GRID + 0.5 * (width % 2), t = 2.0 * (u - floor(u)) - 1.0;
        double gradient[2];
        CHECK_STATUS(enuf_nufft_set_points(plan, 1, &places[j], NULL, NULL, 1), ENUF_SUCCESS);
        CHECK_STATUS(enuf_nufft_type1(plan, one, modes), ENUF_SUCCESS);
        for (int k = 0; k < MODES; ++k) {
            for (int i = 0; i < 2 * MODES; ++i)
                pair[i] = i / 2 == k || i / 2 == MODES - 1 - k ? modes[i] : 0.0;
            CHECK_STATUS(enuf_nufft_type2(plan, pair, NULL, gradient), ENUF_SUCCESS);
            const double of_one = k == MODES - 1 - k ? 1.0 : 2.0; /* m = 0 is its own opposite */
            const double slope = slope_at(own_slope[k], t);
            error += pow(gradient[0] / GRID / of_one - slope, 2);
            square += slope * slope;
        }
    }
    /* the window ES has an infinite slope at its edge, which polynomials follow slowly; 1e-13 is
     * rounding */
    const double missed = window == ENUF_WINDOW_ES ? 0.1 : 1e-5;
    CHECK_BELOW(sqrt(error / TERMS), missed * sqrt(square / TERMS) + 1e-13,
                "  slope of a point's own transform, off by");
}

static void law_of(enuf_window window, int width)
{
    enuf_nufft_options options = conformance_options(1, MODES, 0, 0);
    options.tolerance = 0.0;
    options.window = window;
    options.width = width;
    options.fine_grid[0] = GRID;
    options.shape = enuf_window_shape(window, width, 1.5);
    double alias[MODES], slope_alias[MODES], bias[MODES], noise[MODES];
    double own_slope[MODES][ENUF_OWN_SLOPES];
    const enuf_aliasing out = {alias, slope_alias, bias, noise, own_slope[0]};
    int64_t m[MODES];
    for (int k = 0; k < MODES; ++k) m[k] = k - MODES / 2;
    if (!CHECK_STATUS(enuf_window_aliasing(window, width, options.shape, GRID, MODES, m, &out),
                      ENUF_SUCCESS))
        return;
    enuf_nufft *plan;
    if (!CHECK_STATUS(enuf_nufft_create(&options, &plan), ENUF_SUCCESS)) return;
    double measured[MODES] = {0.0}, slope_measured[MODES] = {0.0}, bias_measured[MODES] = {0.0};
    double places[PLACES], modes[2 * MODES], gradients[2 * PLACES];
    for (int j = 0; j < PLACES; ++j) places[j] = (j + 0.25) / PLACES / GRID;
    for (int j = 0; j < PLACES; ++j) {
        const double one[2] = {1.0, 0.0};
        CHECK_STATUS(enuf_nufft_set_points(plan, 1, &places[j], NULL, NULL, 1), ENUF_SUCCESS);
        CHECK_STATUS(enuf_nufft_type1(plan, one, modes), ENUF_SUCCESS);
        for (int k = 0; k < MODES; ++k) {
            double angle = TWO_PI * (double)m[k] * places[j];
            measured[k] +=
                (pow(modes[2 * k] - cos(angle), 2) + pow(modes[2 * k + 1] + sin(angle), 2)) /
                PLACES;
        }
    }
    CHECK_STATUS(enuf_nufft_set_points(plan, PLACES, places, NULL, NULL, 1), ENUF_SUCCESS);
    for (int k = 0; k < MODES; ++k) {
        double re = 0.0, im = 0.0, square = 0.0;
        for (int i = 0; i < 2 * MODES; ++i) modes[i] = i == 2 * k ? 1.0 : 0.0;
        CHECK_STATUS(enuf_nufft_type2(plan, modes, NULL, gradients), ENUF_SUCCESS);
        for (int j = 0; j < PLACES; ++j) {
            double angle = TWO_PI * (double)m[k] * places[j];
            double c = cos(angle), s = sin(angle);
            double a = gradients[2 * j] / GRID, b = gradients[2 * j + 1] / GRID;
            /* gradient = i kappa exp(i angle) + aliases; kappa per cell */
            re += (b * c - a * s) / PLACES; /* Re of -i g exp(-i angle) */
            im += -(a * c + b * s) / PLACES;
            square += (a * a + b * b) / PLACES;
        }
        bias_measured[k] = re - TWO_PI * (double)m[k] / GRID;
        slope_measured[k] = square - re * re - im * im;
    }
    double sums[6] = {0.0}, least = 1.0, most = 1.0, slope_least = 1.0, slope_most = 1.0;
    double worst_bias = 0.0, mean = 0.0;
    for (int k = 0; k < MODES; ++k) mean += slope_measured[k] / MODES;
    for (int k = 0; k < MODES; ++k) {
        sums[0] += alias[k];
        sums[1] += measured[k];
        sums[2] += slope_alias[k];
        sums[3] += slope_measured[k];
        if (alias[k] > 1e-24) { /* else rounding */
            least = fmin(least, alias[k] / measured[k]);
            most = fmax(most, alias[k] / measured[k]);
        }
        /* where the jump of the slope cancels, the aliasing is nearly zero and its prediction only
         * an estimate */
        if (slope_alias[k] > 1e-22 && slope_measured[k] > 0.1 * mean) {
            slope_least = fmin(slope_least, slope_alias[k] / slope_measured[k]);
            slope_most = fmax(slope_most, slope_alias[k] / slope_measured[k]);
        }
        worst_bias = fmax(worst_bias, fabs(bias_measured[k] - bias[k]));
        CHECK(noise[k] > 0.0);
    }
    printf("%s, width %d: mode by mode predicted/measured %.2f to %.2f, gradient %.2f to %.2f\n",
           enuf_window_name(window), width, least, most, slope_least, slope_most);
    CHECK_CLOSE(sums[0], sums[1], 0.02, "  aliasing, sum over the modes");
    CHECK_CLOSE(sums[2], sums[3], 0.2, "  aliasing of the gradient, sum over the modes");
    CHECK(least > 0.7 && most < 1.5 && slope_least > 0.5 && slope_most < 1.5);
    CHECK_BELOW(worst_bias / sqrt(sums[3] / MODES), 0.1,
                "  bias of the gradient, error over the aliasing");
    own_slope_is_that_of_one_point(plan, window, width, places, own_slope);
    enuf_nufft_destroy(&plan);
}

static void errors(void)
{
    const enuf_aliasing out = {NULL, NULL, NULL, NULL, NULL};
    const int64_t m[1] = {0};
    CHECK_STATUS(enuf_window_aliasing(ENUF_WINDOW_PROLATE, 6, 10.0, 20, 1, m, &out), ENUF_SUCCESS);
    CHECK_STATUS(enuf_window_aliasing((enuf_window)9, 6, 10.0, 20, 1, m, &out), ENUF_BAD_ARGUMENT);
    CHECK_STATUS(enuf_window_aliasing(ENUF_WINDOW_PROLATE, 1, 10.0, 20, 1, m, &out),
                 ENUF_BAD_ARGUMENT);
    CHECK_TEXT("width");
    CHECK_STATUS(enuf_window_aliasing(ENUF_WINDOW_PROLATE, 6, -1.0, 20, 1, m, &out),
                 ENUF_BAD_ARGUMENT);
    CHECK_TEXT("shape");
    CHECK_STATUS(enuf_window_aliasing(ENUF_WINDOW_PROLATE, 6, 10.0, 0, 1, m, &out),
                 ENUF_BAD_ARGUMENT);
    CHECK_TEXT("grid");
    CHECK_STATUS(enuf_window_aliasing(ENUF_WINDOW_PROLATE, 6, 10.0, 20, 1, NULL, &out),
                 ENUF_BAD_ARGUMENT);
    CHECK_STATUS(enuf_window_aliasing(ENUF_WINDOW_PROLATE, 6, 10.0, 20, 1, m, NULL),
                 ENUF_BAD_ARGUMENT);
}

static void law(void)
{
    for (int w = ENUF_WINDOW_PROLATE; w <= ENUF_WINDOW_SINC_POWER; ++w)
        for (int width = 2; width <= 9; ++width) law_of((enuf_window)w, width);
    errors();
}

int main(int argc, char **argv)
{
    return conformance_main(argc, argv, law);
}
