/* window.c - windows and their fits. SPDX-License-Identifier: BSD-3-Clause */
#include "window.h"
#include "names.h"
#include "window_memo.h"

#include <math.h>
#include <pthread.h>
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

ENUF_DEFINE_NAMES(enuf_window, ENUF_WINDOWS, "window")

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

static double cell_nodes[ENUF_WINDOW_NODES_PER_CELL], cell_weights[ENUF_WINDOW_NODES_PER_CELL];

static void make_cell_nodes(void)
{
    enuf_gauss_legendre(ENUF_WINDOW_NODES_PER_CELL, cell_nodes, cell_weights);
}

/* Places of the nodes in a cell, their weights and their phases. */
static void set_places(enuf_window_form *form)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_cell_nodes);
    for (int j = 0; j < ENUF_WINDOW_NODES_PER_CELL; j++) {
        form->place[j] = cell_nodes[j];
        form->place_weight[j] = cell_weights[j];
        form->turn_cos[j] = (form->width % 2 ? 1 : -1) * cos(M_PI * cell_nodes[j]);
        form->turn_sin[j] = (form->width % 2 ? 1 : -1) * sin(M_PI * cell_nodes[j]);
    }
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
    const enuf_memo_key key = {window, width, shape, 0};
    if (enuf_memo_find(ENUF_MEMO_FORM, &key, form)) return ENUF_SUCCESS;
    enuf_window_parameters parameters;
    ENUF_TRY(make_parameters(window, width, shape, &parameters));
    value_context context = {kind, &parameters};
    form->window = window;
    form->width = width;
    form->shape = shape;
    form->edge = rounded_value_at(0.5 * width, &context);
    form->missed = form->missed_slope = form->square = 0;
    form->n_nodes = 0;
    set_places(form);
    for (int p = width / 2; p < width; p++)
        for (int j = 0; j < ENUF_WINDOW_NODES_PER_CELL; j++) {
            /* the place is the same in every cell, to more digits than x has */
            long double x = p - 0.5L * width + 0.5L * (1 + (long double)form->place[j]);
            int k = form->n_nodes++;
            /* 2 (both halves) times 1/2 (dx/dt); the middle cell of an odd width counts but half */
            double weight = x > 0 ? form->place_weight[j] : 0;
            double value = (double)value_at(x, &context);
            form->node[k] = (double)x;
            form->weight[k] = weight * value;
            form->square += weight * value * value;
        }
    int rounded_edge = window == ENUF_WINDOW_PROLATE || window == ENUF_WINDOW_ES ||
                       window == ENUF_WINDOW_KAISER_BESSEL;
    form->edge_slope = rounded_edge ? slope_of_edge(form) : 0;
    enuf_memo_keep(ENUF_MEMO_FORM, &key, form);
    return ENUF_SUCCESS;
}

/*
 * Fits all cells with n coefficients each; returns the largest error. Cells on the left of the
 * middle mirror cells on the right, so that the window is even to the last bit. *missed: integral
 * of the square of the error, which has the form of the first Chebyshev term left out; a few ulps
 * are rounding. Values are in long double, because n points multiply their rounding by n^1.5 in the
 * slopes: with double, 500 random ions in a thin cell (A = 1e-13, widths 16 to 20) had force errors
 * of 1.1e-13 to 3.5e-13 of F_ref, with long double 7e-14.
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

/* A search for the number of coefficients begins there: most windows need that many. */
static int expected_coefficients(double error)
{
    return (int)fmin(fmax(3.5 - 0.7 * log10(fmax(error, 1e-17)), 3), 16);
}

/* Fits with more and more coefficients, from `first` on, until the error is small enough or
 * rounding stops it from falling; returns the error. */
static double fit_more(const value_context *context, double error, int first, int most,
                       enuf_window_fit *fit, double *missed)
{
    double best = HUGE_VAL, worst = HUGE_VAL;
    int best_n = 0;
    for (int n = first; n <= most && (best_n == 0 || n < best_n + 4); n++) {
        worst = fit_cells(context, n, fit, missed);
        if (worst < 0.7 * best) {
            best = worst;
            best_n = n;
        }
        if (worst <= error) break;
    }
    return best_n == fit->n_coefficients ? worst : fit_cells(context, best_n, fit, missed);
}

/* Fills what the fit of a form is. */
static enuf_status make_fit(const enuf_window_form *form, double error, enuf_window_fitted *made)
{
    enuf_window_fit *fit = &made->fit;
    enuf_window_parameters parameters;
    ENUF_TRY(make_parameters(form->window, form->width, form->shape, &parameters));
    value_context context = {enuf_window_kind_of(form->window), &parameters};
    fit->width = form->width;
    const int spline = form->window == ENUF_WINDOW_BSPLINE; /* of degree width - 1 already */
    const int first = spline ? form->width : expected_coefficients(error);
    double worst = fit_more(&context, error, first, spline ? first : 30, fit, &made->missed);
    /* fewer, while they do */
    int fewer = first - 1;
    if (!spline && worst <= error && fit->n_coefficients == first) {
        while (fewer >= 3 && fit_cells(&context, fewer, fit, &made->missed) <= error) fewer--;
        fit_cells(&context, fewer + 1, fit, &made->missed);
    }
    /* T_n' is n^1.5 times larger than T_n in t, and t runs twice as fast as x */
    made->missed_slope = made->missed * 4 * pow(fit->n_coefficients, 3);
    return ENUF_SUCCESS;
}

enuf_status enuf_window_fit_make(enuf_window_form *form, double error, enuf_window_fit *fit)
{
    const enuf_memo_key key = {form->window, form->width, form->shape, error};
    enuf_window_fitted made;
    if (!enuf_memo_find(ENUF_MEMO_FIT, &key, &made)) {
        ENUF_TRY(make_fit(form, error, &made));
        enuf_memo_keep(ENUF_MEMO_FIT, &key, &made);
    }
    *fit = made.fit;
    form->missed = made.missed;
    form->missed_slope = made.missed_slope;
    return ENUF_SUCCESS;
}
