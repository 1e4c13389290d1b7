/*
 * window_aliasing.c - the aliases of a window and of its slope, on one axis.
 *
 * All follow from sums over the nodes that share a place within a fine cell, of which each cell of
 * the window has one. Source: docs/theory.md, "Error of a transform".
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "window.h"

#include <math.h>
#include <string.h>

enum { NEAR = 4 }; /* periods looked at one by one: the quadrature resolves no more */
enum { PLACES = ENUF_WINDOW_NODES_PER_CELL };

/* The largest rounding of a transform at an alias: measured on prolate windows of widths 20 to 32,
 * whose own aliases lie far below. */
static const double ROUNDING = 3.5e-16;

/* The bound below which the quadrature cannot distinguish a slope from 0. */
static double unresolved_by(const enuf_window_form *form)
{
    return 8e-17 * form->width;
}

/* Sums of weight cos(theta x) and weight sin(theta x), x > 0, over the nodes of each place. */
typedef struct place_sums {
    double c[PLACES], s[PLACES];
} place_sums;

static void sum_places(const enuf_window_form *form, double theta, place_sums *sums)
{
    const double turn_c = cos(theta), turn_s = sin(theta); /* from cell to cell */
    double c[PLACES], s[PLACES];
    for (int j = 0; j < PLACES; j++) {
        c[j] = cos(theta * form->node[j]);
        s[j] = sin(theta * form->node[j]);
    }
    memset(sums, 0, sizeof *sums);
    for (int first = 0; first < form->n_nodes; first += PLACES)
        for (int j = 0; j < PLACES; j++) {
            const double weight = form->weight[first + j], next = c[j] * turn_c - s[j] * turn_s;
            sums->c[j] += weight * c[j];
            sums->s[j] += weight * s[j];
            s[j] = s[j] * turn_c + c[j] * turn_s;
            c[j] = next;
        }
}

static double total(const place_sums *sums)
{
    double sum = 0;
    for (int j = 0; j < PLACES; j++) sum += sums->c[j];
    return sum;
}

double enuf_window_transform(const enuf_window_form *form, double theta)
{
    place_sums sums;
    sum_places(form, theta, &sums);
    return total(&sums);
}

/* Transforms at theta + 2 pi n, n = -NEAR ... NEAR, by rotation from n = 0. */
static void transform_at_aliases(const enuf_window_form *form, const place_sums *sums,
                                 double w[2 * NEAR + 1])
{
    memset(w, 0, (2 * NEAR + 1) * sizeof *w);
    for (int j = 0; j < PLACES; j++) {
        double c = 1, s = 0;
        w[NEAR] += sums->c[j];
        for (int n = 1; n <= NEAR; n++) {
            const double next = c * form->turn_cos[j] - s * form->turn_sin[j];
            s = s * form->turn_cos[j] + c * form->turn_sin[j];
            c = next;
            w[NEAR + n] += c * sums->c[j] - s * sums->s[j];
            w[NEAR - n] += c * sums->c[j] + s * sums->s[j];
        }
    }
}

/*
 * A point of unit strength at place t of its cell (-1 to 1) has in this mode the transform T(t) =
 * sum over the cells of phi exp(i theta x), which is w0 without aliases. Its share of the energy is
 * e(t) = |T|^2/2 w0^2, and its self-force is the slope de/du, u = t/2. Inside the cell, where the
 * window's slope is taken, e is smooth and even. With e = sum e_l P_l and P_l' = sum (2k+1) P_k
 * over k = l-1, l-3, ..., the slope has the coefficient 2 sqrt(2k+1) sum_{l>k} e_l on sqrt(2k+1)
 * P_k.
 */
static void own_slope(const enuf_window_form *form, const place_sums *sums, double w0,
                      double own[ENUF_OWN_SLOPES])
{
    enum { DEGREES = 2 * ENUF_OWN_SLOPES + 4 }; /* beyond, coefficients of what is even are none */
    double energy[DEGREES + 1] = {0};
    for (int j = 0; j < PLACES / 2; j++) { /* the other half is equal by symmetry */
        const int mirror = PLACES - 1 - j;
        const double t = form->place[j], weight = form->place_weight[j];
        const double re = (sums->c[j] + sums->c[mirror]) / weight;
        const double im = (sums->s[j] - sums->s[mirror]) / weight;
        const double e = ((re - w0) * (re + w0) + im * im) / (2 * w0 * w0);
        double now = t, before = 1; /* P_1, P_0 */
        for (int l = 2; l <= DEGREES; l++) {
            const double next = ((2 * l - 1) * t * now - (l - 1) * before) / l;
            before = now;
            now = next;
            if (l % 2 == 0) energy[l] += (2 * l + 1) * weight * e * now;
        }
    }
    double above = 0;
    for (int l = DEGREES; l >= 2; l -= 2) {
        above += energy[l];
        const int k = l - 1, r = (l - 2) / 2;
        if (r >= ENUF_OWN_SLOPES) continue;
        const double below = 1 * unresolved_by(form) / w0;
        own[r] = 2 * sqrt(2 * k + 1) * copysign(fmax(fabs(above) - below, 0), above);
    }
}

static enuf_aliasing_at aliasing_of(const enuf_window_form *form, double theta,
                                    const place_sums *sums)
{
    /* Beyond NEAR periods only the jump at the edge contributes to the transform, w -> 2 edge
     * sin(theta P/2)/theta; beyond the last of these periods kappa w falls as 1/theta, like the
     * jump of the slope. Values below the rounding of the quadrature are no aliasing. */
    double w[2 * NEAR + 1], last = 0, unit = unresolved_by(form);
    int unresolved = 0;
    transform_at_aliases(form, sums, w);
    double w0 = w[NEAR], jump = 2 * form->edge * sin(0.5 * theta * form->width);
    enuf_aliasing_at at = {.gradient_bias = -jump / w0, .noise = form->square / (w0 * w0)};
    for (int n = -NEAR; n <= NEAR; n++) {
        if (n == 0) continue;
        double far = theta + 2 * M_PI * n;
        double slope = far * w[NEAR + n] - 2 * form->edge * sin(0.5 * far * form->width);
        double slope_square = fmax(slope * slope - unit * unit * far * far, 0);
        unresolved |= slope_square == 0;
        const double square = fmax(w[NEAR + n] * w[NEAR + n] - ROUNDING * ROUNDING, 0);
        at.alias += square;
        at.alias_most += sqrt(square);
        at.gradient_alias += slope_square;
        if (n == -NEAR || n == NEAR) last += slope_square;
    }
    /* 3.54 = sum over n > 4 of (4/n)^2; 0.01121 = 2 sum over n > 4 of 1/(2 pi n)^2 */
    double slopes = at.gradient_alias + 3.54 * last;
    if (unresolved) slopes = fmax(slopes, form->edge_slope);
    const double rest = jump * jump * 0.01121 + form->missed;
    at.alias = (at.alias + rest) / (w0 * w0);
    at.alias_most = (at.alias_most + sqrt(rest)) / w0;
    at.gradient_alias = (slopes + form->missed_slope) / (w0 * w0);
    return at;
}

enuf_aliasing_at enuf_window_aliasing_at(const enuf_window_form *form, double theta)
{
    place_sums sums;
    sum_places(form, theta, &sums);
    return aliasing_of(form, theta, &sums);
}

/* The form of a window, kept from the last call of this thread: errors of one window are predicted
 * for each axis and each cell, and most of the time would be spent on the form. */
static enuf_status form_of(enuf_window window, int width, double shape,
                           const enuf_window_form **form)
{
    static _Thread_local struct {
        int is_made, width;
        enuf_window window;
        double shape;
        enuf_window_form form;
    } last;
    *form = &last.form;
    if (last.is_made && last.window == window && last.width == width && last.shape == shape)
        return ENUF_SUCCESS;
    last.is_made = 0;
    ENUF_TRY(enuf_window_form_make(window, width, shape, 2, &last.form));
    last.window = window;
    last.width = width;
    last.shape = shape;
    last.is_made = 1;
    return ENUF_SUCCESS;
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
    const enuf_window_form *form;
    ENUF_TRY(form_of(window, width, shape, &form));
    for (int64_t k = 0; k < n; k++) {
        place_sums sums;
        sum_places(form, 2 * M_PI * (double)m[k] / (double)grid, &sums);
        const enuf_aliasing_at at =
            aliasing_of(form, 2 * M_PI * (double)m[k] / (double)grid, &sums);
        if (out->alias) out->alias[k] = at.alias;
        if (out->gradient_alias) out->gradient_alias[k] = at.gradient_alias;
        if (out->gradient_bias) out->gradient_bias[k] = at.gradient_bias;
        if (out->noise) out->noise[k] = at.noise;
        if (out->own_slope)
            own_slope(form, &sums, total(&sums), &out->own_slope[ENUF_OWN_SLOPES * k]);
    }
    return ENUF_SUCCESS;
}
