/* window.c - fitting windows, their Fourier transform, their aliasing. SPDX-License-Identifier:
 * BSD-3-Clause */
#include "window.h"

#include <math.h>
#include <string.h>

const enuf_window_kind *enuf_window_kind_of(enuf_window window)
{
    switch (window) {
    case ENUF_WINDOW_PROLATE:
        return &enuf_window_prolate;
    case ENUF_WINDOW_ES:
        return &enuf_window_es;
    case ENUF_WINDOW_KAISER_BESSEL:
        return &enuf_window_kaiser_bessel;
    case ENUF_WINDOW_GAUSSIAN:
        return &enuf_window_gaussian;
    case ENUF_WINDOW_BSPLINE:
        return &enuf_window_bspline;
    case ENUF_WINDOW_SINC_POWER:
        return &enuf_window_sinc_power;
    }
    return NULL;
}

const char *enuf_window_name(enuf_window window)
{
    switch (window) {
#define ENUF_X(NAME, name, help)                                                                   \
    case ENUF_WINDOW_##NAME:                                                                       \
        return #name;
        ENUF_WINDOWS(ENUF_X)
#undef ENUF_X
    }
    return NULL;
}

enuf_status enuf_window_parse(const char *name, enuf_window *window)
{
    if (!name || !window)
        return enuf_fail(ENUF_BAD_ARGUMENT, "enuf_window_parse: NULL name or window");
#define ENUF_X(NAME, text, help)                                                                   \
    if (strcmp(name, #text) == 0) {                                                                \
        *window = ENUF_WINDOW_##NAME;                                                              \
        return ENUF_SUCCESS;                                                                       \
    }
    ENUF_WINDOWS(ENUF_X)
#undef ENUF_X
#define ENUF_X(NAME, text, help) " " #text
    return enuf_fail(ENUF_BAD_ARGUMENT, "unknown window '%s'; known:" ENUF_WINDOWS(ENUF_X), name);
#undef ENUF_X
}

double enuf_window_shape(enuf_window window, int width, double upsampling)
{
    const enuf_window_kind *kind = enuf_window_kind_of(window);
    return kind && width >= 2 && upsampling >= 1 ? kind->default_shape(width, upsampling) : 0;
}

/* phi as a function of x, for the fit. */
typedef struct value_context {
    const enuf_window_kind *kind;
    const enuf_window_parameters *parameters;
} value_context;

static double value_at(double x, const void *context)
{
    const value_context *c = context;
    double z = 2 * x / c->parameters->width;
    return c->kind->value(c->parameters, fmin(fmax(z, -1), 1));
}

/* Fits all cells with n coefficients each; returns the largest error. The cells left of the middle
 * mirror those right of it, so that the window is even to the last bit. */
static double fit_cells(const value_context *context, int n, enuf_window_fit *fit)
{
    double worst = 0, half = 0.5 * fit->width;
    for (int p = fit->width / 2; p < fit->width; p++) {
        double monomials[ENUF_MAX_COEFFICIENTS];
        enuf_fit_polynomial(value_at, context, p - half, p + 1 - half, n, monomials);
        double error = enuf_fit_error(value_at, context, p - half, p + 1 - half, n, monomials);
        worst = fmax(worst, error);
        for (int k = 0; k < n; k++) {
            fit->coefficients[k][p] = monomials[k];
            fit->coefficients[k][fit->width - 1 - p] = k % 2 ? -monomials[k] : monomials[k];
        }
        if (2 * p + 1 == fit->width)
            for (int k = 1; k < n; k += 2) fit->coefficients[k][p] = 0;
    }
    fit->n_coefficients = n;
    return worst;
}

static double cell_value(const enuf_window_fit *fit, int p, double t, double *slope)
{
    double value = 0, derivative = 0;
    for (int k = fit->n_coefficients - 1; k >= 0; k--) {
        derivative = derivative * t + value;
        value = value * t + fit->coefficients[k][p];
    }
    *slope = 2 * derivative; /* x runs half as far as t */
    return value;
}

/* Gauss-Legendre nodes of the fitted window at x > 0, and its squares. */
static void make_quadrature(enuf_window_fit *fit)
{
    double t[ENUF_WINDOW_NODES_PER_CELL], w[ENUF_WINDOW_NODES_PER_CELL];
    enuf_gauss_legendre(ENUF_WINDOW_NODES_PER_CELL, t, w);
    double half = 0.5 * fit->width, slope;
    fit->n_nodes = 0;
    fit->square = fit->slope_square = 0;
    for (int p = 0; p < fit->width; p++)
        for (int j = 0; j < ENUF_WINDOW_NODES_PER_CELL; j++) {
            double x = p - half + 0.5 * (1 + t[j]);
            if (x <= 0) continue;
            double value = cell_value(fit, p, t[j], &slope);
            fit->node[fit->n_nodes] = x;
            fit->weight[fit->n_nodes++] = w[j] * value; /* 2 (both halves) times 1/2 (dx/dt) */
            fit->square += w[j] * value * value;
            fit->slope_square += w[j] * slope * slope;
        }
    fit->edge = cell_value(fit, fit->width - 1, 1, &slope);
}

enuf_status enuf_window_fit_make(enuf_window window, int width, double shape, double upsampling,
                                 double fit_error, enuf_window_fit *fit)
{
    const enuf_window_kind *kind = enuf_window_kind_of(window);
    if (!kind) return enuf_fail(ENUF_BAD_ARGUMENT, "window %d does not exist", (int)window);
    if (width < 2 || width > ENUF_MAX_WIDTH)
        return enuf_fail(ENUF_BAD_ARGUMENT, "window width %d: 2 to %d cells are possible", width,
                         ENUF_MAX_WIDTH);
    if (shape == 0) shape = kind->default_shape(width, upsampling);
    if (!(shape > kind->lowest_shape && shape <= kind->highest_shape))
        return enuf_fail(ENUF_BAD_ARGUMENT, "shape %g of the %s window: it must lie in (%g, %g]",
                         shape, enuf_window_name(window), kind->lowest_shape, kind->highest_shape);
    enuf_window_parameters parameters = {.width = width, .shape = shape};
    if (window == ENUF_WINDOW_PROLATE) ENUF_TRY(enuf_prolate_make(shape, &parameters.psi));
    value_context context = {kind, &parameters};
    fit->window = window;
    fit->width = width;
    fit->shape = shape;
    /* more coefficients until the error is small enough or rounding stops it from falling */
    double best = HUGE_VAL;
    int best_n = 2, most = window == ENUF_WINDOW_BSPLINE ? width : 30;
    for (int n = 3; n <= most && n < best_n + 4; n++) {
        double error = fit_cells(&context, n, fit);
        if (error < 0.7 * best) {
            best = error;
            best_n = n;
        }
        if (error <= fit_error) break;
    }
    if (window == ENUF_WINDOW_BSPLINE) best_n = width; /* a polynomial of that degree already */
    if (best_n != fit->n_coefficients) best = fit_cells(&context, best_n, fit);
    fit->fit_error = best;
    make_quadrature(fit);
    return ENUF_SUCCESS;
}

double enuf_window_transform(const enuf_window_fit *fit, double theta)
{
    double sum = 0;
    for (int j = 0; j < fit->n_nodes; j++) sum += fit->weight[j] * cos(theta * fit->node[j]);
    return sum;
}

void enuf_window_inverse_transform(const enuf_window_fit *fit, int64_t grid, int64_t n,
                                   double *inverse)
{
    /* cosines of RUN successive modes by rotation from an exact start: rounding stays at RUN ulps
     */
    enum { RUN = 8 };
    double step = 2 * M_PI / (double)grid;
#pragma omp parallel for schedule(static) if (n > 4096)
    for (int64_t first = 0; first < n; first += RUN) {
        double sum[RUN] = {0};
        for (int j = 0; j < fit->n_nodes; j++) {
            double c1 = cos(step * fit->node[j]), s1 = sin(step * fit->node[j]);
            double c = cos(step * (double)first * fit->node[j]);
            double s = sin(step * (double)first * fit->node[j]);
            for (int r = 0; r < RUN; r++) {
                sum[r] += fit->weight[j] * c;
                double next = c * c1 - s * s1;
                s = s * c1 + c * s1;
                c = next;
            }
        }
        for (int r = 0; r < RUN && first + r < n; r++) inverse[first + r] = 1 / sum[r];
    }
}

enuf_aliasing_at enuf_window_aliasing_at(const enuf_window_fit *fit, double theta)
{
    /* Beyond NEAR periods only the jump at the edge is left of the transform, w -> 2 edge
     * sin(theta P/2)/theta; kappa w falls like the jump of the slope, 1/theta, on from the last
     * period looked at. More periods than these the quadrature does not resolve. */
    enum { NEAR = 4 };
    double w0 = enuf_window_transform(fit, theta);
    double jump = 2 * fit->edge * sin(0.5 * theta * fit->width);
    double last = 0, unit = 2e-16 * fit->width;
    enuf_aliasing_at at = {.gradient_bias = -jump / w0, .noise = fit->square / (w0 * w0)};
    for (int n = 1; n <= NEAR; n++)
        for (int side = -1; side <= 1; side += 2) {
            double far = theta + side * 2 * M_PI * n;
            double w = enuf_window_transform(fit, far);
            double slope = far * w - 2 * fit->edge * sin(0.5 * far * fit->width);
            /* what lies below the rounding of the quadrature is no aliasing */
            at.alias += fmax(w * w - unit * unit, 0);
            double steep_alias = fmax(slope * slope - unit * unit * far * far, 0);
            at.gradient_alias += steep_alias;
            if (n == NEAR) last += steep_alias;
        }
    double tail = 0; /* sum over |n| > NEAR of 1/(2 pi n)^2 */
    for (int n = NEAR + 1; n < 40; n++) tail += 2 / (4 * M_PI * M_PI * n * n);
    tail += 2 / (4 * M_PI * M_PI * 39.5);
    /* What the polynomials miss looks like their first Chebyshev term left out, T_n, on every cell;
     * it aliases onto the modes with all of its square integral. T_n' is n^1.5 times larger. */
    double missed = 0.5 * fit->width * fit->fit_error * fit->fit_error;
    /* 3.54 = sum over n > 4 of (4/n)^2 */
    double steep = 4 * pow(fit->n_coefficients, 3);
    at.alias = (at.alias + jump * jump * tail + missed) / (w0 * w0);
    at.gradient_alias = (at.gradient_alias + 3.54 * last + missed * steep) / (w0 * w0);
    return at;
}

enuf_status enuf_window_aliasing(enuf_window window, int width, double shape, int64_t grid,
                                 int64_t n, const int64_t *m, const enuf_aliasing *out)
{
    if (grid < 1 || n < 0 || (n > 0 && !m) || !out)
        return enuf_fail(
            ENUF_BAD_ARGUMENT,
            "enuf_window_aliasing: grid %lld must be positive, n %lld not negative, m and "
            "out given",
            (long long)grid, (long long)n);
    enuf_window_fit fit;
    ENUF_TRY(enuf_window_fit_make(window, width, shape, 2, 1e-16, &fit));
    for (int64_t k = 0; k < n; k++) {
        enuf_aliasing_at at = enuf_window_aliasing_at(&fit, 2 * M_PI * (double)m[k] / (double)grid);
        if (out->alias) out->alias[k] = at.alias;
        if (out->gradient_alias) out->gradient_alias[k] = at.gradient_alias;
        if (out->gradient_bias) out->gradient_bias[k] = at.gradient_bias;
        if (out->noise) out->noise[k] = at.noise;
    }
    return ENUF_SUCCESS;
}
