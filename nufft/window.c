/* window.c - fitting windows, their Fourier transform, their aliasing. SPDX-License-Identifier:
 * BSD-3-Clause */
#include "window.h"
#include "names.h"

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

static const char *const names[] = {
#define ENUF_X(NAME, name, help) #name,
    ENUF_WINDOWS(ENUF_X)
#undef ENUF_X
};

const char *enuf_window_name(enuf_window window)
{
    return enuf_name_at(names, ENUF_COUNT(names), (int)window);
}

enuf_status enuf_window_parse(const char *name, enuf_window *window)
{
    int value = 0;
    if (!window) return enuf_fail(ENUF_BAD_ARGUMENT, "enuf_window_parse: window is NULL");
    ENUF_TRY(enuf_name_parse("window", names, ENUF_COUNT(names), name, &value));
    *window = (enuf_window)value;
    return ENUF_SUCCESS;
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

static long double value_at(long double x, const void *context)
{
    const value_context *c = context;
    long double z = 2 * x / c->parameters->width;
    return c->kind->value(c->parameters, fminl(fmaxl(z, -1), 1));
}

static double rounded_value_at(double x, const void *context)
{
    return (double)value_at(x, context);
}

static enuf_status make_parameters(enuf_window window, int width, double shape,
                                   enuf_window_parameters *parameters)
{
    parameters->width = width;
    parameters->shape = shape;
    return window == ENUF_WINDOW_PROLATE ? enuf_prolate_make(shape, &parameters->psi)
                                         : ENUF_SUCCESS;
}

/*
 * Sum over all aliases of the transform of the slope, squared, as far as it comes from the edge.
 * Near it the windows that are best at their width look like edge I0(shape sqrt(2 y)), y = 1 - |z|,
 * whose transform is a jump's with its phase turned by shape^2/(theta P); the jump itself has no
 * slope.
 */
static double slope_of_edge(const enuf_window_form *form)
{
    enum { FAR = 200 };
    double turn = form->shape * form->shape / (2 * M_PI * form->width), sum = 0;
    for (int n = 1; n < FAR; n++) sum += 1 - cos(turn / n);
    sum += 0.5 * turn * turn / FAR; /* the rest: 1 - cos p -> p^2/2 */
    return 2 * 4 * form->edge * form->edge * sum;
}

enuf_status enuf_window_form_make(enuf_window window, int width, double shape, double upsampling,
                                  enuf_window_form *form)
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
    enuf_window_parameters parameters;
    ENUF_TRY(make_parameters(window, width, shape, &parameters));
    value_context context = {kind, &parameters};
    form->window = window;
    form->width = width;
    form->shape = shape;
    form->edge = rounded_value_at(0.5 * width, &context);
    form->missed = form->missed_slope = form->square = 0;
    form->n_nodes = 0;
    double t[ENUF_WINDOW_NODES_PER_CELL], w[ENUF_WINDOW_NODES_PER_CELL];
    enuf_gauss_legendre(ENUF_WINDOW_NODES_PER_CELL, t, w);
    for (int p = 0; p < width; p++)
        for (int j = 0; j < ENUF_WINDOW_NODES_PER_CELL; j++) {
            double x = p - 0.5 * width + 0.5 * (1 + t[j]);
            if (x <= 0) continue;
            int k = form->n_nodes++;
            double value = rounded_value_at(x, &context);
            form->node[k] = x;
            form->weight[k] = w[j] * value; /* 2 (both halves) times 1/2 (dx/dt) */
            form->square += w[j] * value * value;
            form->turn_cos[k] = cos(2 * M_PI * x);
            form->turn_sin[k] = sin(2 * M_PI * x);
        }
    int rounded_edge = window == ENUF_WINDOW_PROLATE || window == ENUF_WINDOW_ES ||
                       window == ENUF_WINDOW_KAISER_BESSEL;
    form->edge_slope = rounded_edge ? slope_of_edge(form) : 0;
    return ENUF_SUCCESS;
}

/*
 * Fits all cells with n coefficients each; returns the largest error. The cells left of the middle
 * mirror those right of it, so that the window is even to the last bit. *missed: integral of the
 * square of the error, which looks like the first Chebyshev term left out; a few ulps are rounding.
 */
static double fit_cells(const value_context *context, int n, enuf_window_fit *fit, double *missed)
{
    double worst = 0, half = 0.5 * fit->width;
    *missed = 0;
    for (int p = fit->width / 2; p < fit->width; p++) {
        double monomials[ENUF_MAX_COEFFICIENTS];
        enuf_fit_polynomial_long(value_at, context, p - half, p + 1 - half, n, monomials);
        double error =
            enuf_fit_error(rounded_value_at, context, p - half, p + 1 - half, n, monomials);
        double term = fmax(error - 4e-16, 0);
        worst = fmax(worst, error);
        *missed += (2 * p + 1 == fit->width ? 0.5 : 1.0) * term * term; /* of both halves */
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

enuf_status enuf_window_fit_make(enuf_window_form *form, double error, enuf_window_fit *fit)
{
    enuf_window_parameters parameters;
    ENUF_TRY(make_parameters(form->window, form->width, form->shape, &parameters));
    value_context context = {enuf_window_kind_of(form->window), &parameters};
    fit->width = form->width;
    /* more coefficients until the error is small enough or rounding stops it from falling */
    double best = HUGE_VAL;
    int spline = form->window == ENUF_WINDOW_BSPLINE; /* a polynomial of degree width - 1 already */
    int best_n = 0, first = spline ? form->width : 3, most = spline ? form->width : 30;
    for (int n = first; n <= most && (best_n == 0 || n < best_n + 4); n++) {
        double worst = fit_cells(&context, n, fit, &form->missed);
        if (worst < 0.7 * best) {
            best = worst;
            best_n = n;
        }
        if (worst <= error) break;
    }
    if (best_n != fit->n_coefficients) fit_cells(&context, best_n, fit, &form->missed);
    /* T_n' is n^1.5 times larger than T_n in t, and t runs twice as fast as x */
    form->missed_slope = form->missed * 4 * pow(fit->n_coefficients, 3);
    return ENUF_SUCCESS;
}

double enuf_window_transform(const enuf_window_form *form, double theta)
{
    double sum = 0;
    for (int j = 0; j < form->n_nodes; j++) sum += form->weight[j] * cos(theta * form->node[j]);
    return sum;
}

void enuf_window_inverse_transform(const enuf_window_form *form, int64_t grid, int64_t n,
                                   double *inverse)
{
    /* cosines of RUN modes by the addition theorem from two exact ones: two roundings each */
    enum { RUN = 16 };
    double step = 2 * M_PI / (double)grid;
    double turn_cos[ENUF_WINDOW_NODES][RUN], turn_sin[ENUF_WINDOW_NODES][RUN];
    for (int j = 0; j < form->n_nodes; j++)
        for (int r = 0; r < RUN; r++) {
            turn_cos[j][r] = cos(step * r * form->node[j]);
            turn_sin[j][r] = sin(step * r * form->node[j]);
        }
#pragma omp parallel for schedule(static) if (n > 4096)
    for (int64_t first = 0; first < n; first += RUN) {
        double sum[RUN] = {0};
        for (int j = 0; j < form->n_nodes; j++) {
            double c = form->weight[j] * cos(step * (double)first * form->node[j]);
            double s = form->weight[j] * sin(step * (double)first * form->node[j]);
            for (int r = 0; r < RUN; r++) sum[r] += c * turn_cos[j][r] - s * turn_sin[j][r];
        }
        for (int r = 0; r < RUN && first + r < n; r++) inverse[first + r] = 1 / sum[r];
    }
}

enum { NEAR = 4 }; /* periods looked at one by one: the quadrature resolves no more */

/* Transforms at theta + 2 pi n, n = -NEAR ... NEAR, by rotation from n = 0. */
static void transform_at_aliases(const enuf_window_form *form, double theta, double w[2 * NEAR + 1])
{
    memset(w, 0, (2 * NEAR + 1) * sizeof *w);
    for (int j = 0; j < form->n_nodes; j++) {
        double c0 = cos(theta * form->node[j]), s0 = sin(theta * form->node[j]);
        double tc = form->turn_cos[j], ts = form->turn_sin[j], weight = form->weight[j];
        double c = c0, s = s0, back_c = c0, back_s = s0;
        w[NEAR] += weight * c0;
        for (int n = 1; n <= NEAR; n++) {
            double next = c * tc - s * ts;
            s = s * tc + c * ts;
            c = next;
            double back_next = back_c * tc + back_s * ts;
            back_s = back_s * tc - back_c * ts;
            back_c = back_next;
            w[NEAR + n] += weight * c;
            w[NEAR - n] += weight * back_c;
        }
    }
}

enuf_aliasing_at enuf_window_aliasing_at(const enuf_window_form *form, double theta)
{
    /* Beyond NEAR periods only the jump at the edge is left of the transform, w -> 2 edge
     * sin(theta P/2)/theta; kappa w falls like the jump of the slope, 1/theta, on from the last
     * period looked at. What lies below the rounding of the quadrature is no aliasing. */
    double w[2 * NEAR + 1], last = 0, unit = 8e-17 * form->width;
    int unresolved = 0;
    transform_at_aliases(form, theta, w);
    double w0 = w[NEAR], jump = 2 * form->edge * sin(0.5 * theta * form->width);
    enuf_aliasing_at at = {.gradient_bias = -jump / w0, .noise = form->square / (w0 * w0)};
    for (int n = -NEAR; n <= NEAR; n++) {
        if (n == 0) continue;
        double far = theta + 2 * M_PI * n;
        double slope = far * w[NEAR + n] - 2 * form->edge * sin(0.5 * far * form->width);
        double slope_square = fmax(slope * slope - unit * unit * far * far, 0);
        unresolved |= slope_square == 0;
        at.alias += fmax(w[NEAR + n] * w[NEAR + n] - unit * unit, 0);
        at.gradient_alias += slope_square;
        if (n == -NEAR || n == NEAR) last += slope_square;
    }
    /* 3.54 = sum over n > 4 of (4/n)^2; 0.01121 = 2 sum over n > 4 of 1/(2 pi n)^2 */
    double slopes = at.gradient_alias + 3.54 * last;
    if (unresolved) slopes = fmax(slopes, form->edge_slope);
    at.alias = (at.alias + jump * jump * 0.01121 + form->missed) / (w0 * w0);
    at.gradient_alias = (slopes + form->missed_slope) / (w0 * w0);
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
    enuf_window_form form;
    ENUF_TRY(enuf_window_form_make(window, width, shape, 2, &form));
    for (int64_t k = 0; k < n; k++) {
        enuf_aliasing_at at =
            enuf_window_aliasing_at(&form, 2 * M_PI * (double)m[k] / (double)grid);
        if (out->alias) out->alias[k] = at.alias;
        if (out->gradient_alias) out->gradient_alias[k] = at.gradient_alias;
        if (out->gradient_bias) out->gradient_bias[k] = at.gradient_bias;
        if (out->noise) out->noise[k] = at.noise;
    }
    return ENUF_SUCCESS;
}
