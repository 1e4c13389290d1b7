/* type3_choose.c - the grid and the windows of type 3. SPDX-License-Identifier: BSD-3-Clause */
#include "type3_choose.h"
#include "type3_error.h"

#include <float.h>
#include <math.h>

/* Of the spreading. A wide passband amplifies the error of the type 2: 1.25 at width 15 by 491
 * along an axis, 2 by 3.4. */
static const double UPSAMPLING[] = {1.25, 1.5, 2};
enum { N_UPSAMPLING = 3 };

/* Shares of the tolerance: aliases of the spreading, at most, and its rounding; and of the square
 * of the tolerance that the whole error may reach when the type 2 gets what the aliases leave. */
static const double ALIAS_SHARE = 0.8, ROUNDING_SHARE = 0.1, WHOLE = 0.95;

static const double NO_MEMORY = 1e15; /* bytes or cells that no machine has */

/* A grid and a window under trial. */
typedef struct trial {
    enuf_type3_method method;
    enuf_squares mean; /* of the spreading, over the targets */
    double cost;       /* nanoseconds of a core */
} trial;

/* Cells along each axis: kappa >= upsampling S/pi of them for a unit, and a window's room on both
 * sides. An even number has its zero mode in the middle. */
static enuf_status set_cells(const enuf_type3_request *r, enuf_type3_method *m)
{
    const enuf_nufft_options *o = r->options;
    double product = 1;
    for (int d = 0; d < 3; d++) {
        m->cells[d] = 1;
        m->kappa[d] = 1;
        if (d >= o->dim) continue;
        const double X = r->points->half[d], S = r->targets->half[d];
        const double inner = fmax(ceil(2 * m->upsampling * S * X / M_PI), 2);
        product *= inner + m->window.width + 3;
        if (!(product <= NO_MEMORY))
            return enuf_fail(
                ENUF_OUT_OF_MEMORY,
                "enuf_nufft_set_targets: points within %.3g and targets within %.3g on "
                "axis %d take more than 1e15 cells: no memory holds that: sum fewer at "
                "a time, nearer to each other",
                2 * X, 2 * S, d);
        const int64_t cells = (int64_t)inner + m->window.width + 2;
        m->cells[d] = cells + cells % 2;
        const double room = (double)(m->cells[d] - m->window.width - 2);
        if (X > 0)
            m->kappa[d] = room / (2 * X);
        else if (S > 0)
            m->kappa[d] = m->upsampling * S / M_PI;
    }
    return ENUF_SUCCESS;
}

/* The spreading and its errors with a width; *serves: few enough aliases at the targets. */
static enuf_status try_width(const enuf_type3_request *r, int width, trial *t, int *serves)
{
    const double share = ALIAS_SHARE * r->options->tolerance;
    enuf_type3_method *m = &t->method;
    *serves = 0;
    if (enuf_window_form_make(r->options->window, width, 0, m->upsampling, &m->window) !=
        ENUF_SUCCESS)
        return ENUF_SUCCESS;
    ENUF_TRY(set_cells(r, m));
    t->mean = enuf_type3_spreading_error(r, m);
    *serves = t->mean.alias <= share * share;
    return ENUF_SUCCESS;
}

/* The narrowest window with few enough aliases at the targets (*found 1), and its cells. */
static enuf_status choose_window(const enuf_type3_request *r, trial *t, int *found)
{
    const int expected =
        enuf_expected_width(ALIAS_SHARE * r->options->tolerance, t->method.upsampling);
    int width = expected, serves = 1;
    *found = 0;
    for (; width <= ENUF_MAX_WIDTH && !*found; width++) ENUF_TRY(try_width(r, width, t, found));
    if (!*found || width > expected + 1) return ENUF_SUCCESS;
    for (width = expected - 1; width >= 2 && serves; width--) {
        trial narrower = *t;
        ENUF_TRY(try_width(r, width, &narrower, &serves));
        if (serves) *t = narrower;
    }
    return ENUF_SUCCESS;
}

/* Options of the type 2 whose modes are the cells. */
static enuf_nufft_options of_transform(const enuf_nufft_options *o, int64_t n_targets,
                                       const enuf_type3_method *m)
{
    enuf_nufft_options inner = *o;
    double modes = 1;
    for (int d = 0; d < 3; d++) {
        inner.modes[d] = m->cells[d];
        modes *= (double)m->cells[d];
    }
    inner.strengths = ENUF_COMPLEX_STRENGTHS;
    inner.batch = 1;
    inner.tolerance = m->tolerance;
    inner.density = fmax((double)n_targets, 1) / modes;
    return inner;
}

static double spreading_cost(const enuf_type3_request *r, const enuf_type3_method *m)
{
    const enuf_nufft_options o = of_transform(r->options, r->n_points, m);
    enuf_method spreading = {.window.width = m->window.width};
    for (int d = 0; d < 3; d++) spreading.grid[d] = m->cells[d];
    return enuf_spreading_cost(&o, &spreading);
}

/* Tolerance of a plan that may be off from the whole by a factor. */
static double plan_tolerance(const enuf_nufft_options *o, double tolerance)
{
    const double least = o->precision == ENUF_FLOAT ? 1e-6 : 1e-14; /* options.c */
    return fmax(fmin(tolerance, 0.1), least);
}

/* The cheapest type 2 of a tolerance (*met 1): fills the trial, with the error of the whole. */
static enuf_status try_transform(const enuf_type3_request *r, double tolerance, trial *t, int *met)
{
    const enuf_nufft_options *o = r->options;
    enuf_type3_method *m = &t->method;
    m->tolerance = plan_tolerance(o, tolerance);
    const enuf_nufft_options options = of_transform(o, r->n_targets, m);
    ENUF_TRY(enuf_choose_grid(&options, &m->transform, met));
    if (!*met) return ENUF_SUCCESS;
    m->error = enuf_type3_error(r, m, &t->mean);
    double cells = 1, grid = 1;
    for (int d = 0; d < 3; d++) {
        cells *= (double)m->cells[d];
        grid *= (double)m->transform.grid[d];
    }
    m->bytes = (o->precision == ENUF_FLOAT ? 8 : 16) * (2 * cells + grid);
    t->cost = spreading_cost(r, m) + enuf_method_cost(&options, &m->transform);
    return ENUF_SUCCESS;
}

/* 1 if windows reach most cells, the outermost too, so that the type 2 has its whole error. */
static int windows_reach_all(const enuf_type3_request *r, const enuf_type3_method *m)
{
    for (int d = 0; d < r->options->dim; d++)
        if (m->cells[d] < 4 * m->window.width) return 1;
    return 0;
}

/* The type 2 by some tries: the points reach few of its modes, so that their error is more or less
 * than its tolerance. *serves: the whole meets the tolerance. */
static enuf_status choose_transform(const enuf_type3_request *r, trial *t, int *serves)
{
    enum { TRIES = 3 };
    static const double NEAR = 1.6; /* error left over that is not worth a try */
    const double whole = r->options->tolerance * r->options->tolerance;
    const double allowed = sqrt(WHOLE * whole - t->mean.alias);
    double tolerance = allowed / sqrt(t->mean.noise);
    trial best = *t;
    *serves = 0;
    for (int turn = 0; turn < TRIES; turn++) {
        int met;
        ENUF_TRY(try_transform(r, tolerance, t, &met));
        if (!met) break;
        const double error = t->method.error * t->method.error;
        const double left = allowed / sqrt(fmax(error - t->mean.alias, 1e-6 * whole));
        if (error <= whole && (!*serves || t->cost < best.cost)) {
            best = *t;
            *serves = 1;
        }
        if (left >= 1 && (left < NEAR || windows_reach_all(r, &t->method))) break;
        tolerance = 0.9 * left * t->method.tolerance;
        if (plan_tolerance(r->options, tolerance) == t->method.tolerance) break;
    }
    *t = best;
    return ENUF_SUCCESS;
}

/* 1 if this upsampling serves the tolerance; fills the trial. */
static enuf_status try_upsampling(const enuf_type3_request *r, trial *t, int *serves)
{
    const enuf_nufft_options *o = r->options;
    int found;
    *serves = 0;
    ENUF_TRY(choose_window(r, t, &found));
    const double amplified = sqrt(t->mean.noise);
    if (!found || enuf_type3_rounding(o) * amplified > ROUNDING_SHARE * o->tolerance)
        return ENUF_SUCCESS;
    t->method.spreading_tolerance = plan_tolerance(o, o->tolerance / amplified);
    return choose_transform(r, t, serves);
}

/* A cost that an upsampling will hardly stay below, without a look at any window. */
static enuf_status expected_cost(const enuf_type3_request *r, trial *t)
{
    enuf_type3_method *m = &t->method;
    m->window.width = enuf_expected_width(ALIAS_SHARE * r->options->tolerance, m->upsampling);
    ENUF_TRY(set_cells(r, m));
    m->tolerance = plan_tolerance(r->options, r->options->tolerance);
    const enuf_nufft_options options = of_transform(r->options, r->n_targets, m);
    t->cost = spreading_cost(r, m) + enuf_expected_cost(&options);
    return ENUF_SUCCESS;
}

/* The cheapest that serves (*chosen 1); those first that are expected to be. */
static enuf_status choose(const enuf_type3_request *r, enuf_type3_method *method, int *chosen)
{
    double expected[N_UPSAMPLING], least = HUGE_VAL;
    for (int k = 0; k < N_UPSAMPLING; k++) {
        trial t = {.method.upsampling = UPSAMPLING[k]};
        ENUF_TRY(expected_cost(r, &t));
        expected[k] = t.cost;
    }
    *chosen = 0;
    for (int turn = 0; turn < N_UPSAMPLING; turn++) {
        int next = 0, serves;
        for (int k = 1; k < N_UPSAMPLING; k++)
            if (expected[k] < expected[next]) next = k;
        if (expected[next] >= least) break;
        expected[next] = HUGE_VAL;
        trial t = {.method.upsampling = UPSAMPLING[next]};
        ENUF_TRY(try_upsampling(r, &t, &serves));
        if (!serves || !(t.cost < least)) continue;
        *method = t.method;
        least = t.cost;
        *chosen = 1;
    }
    return ENUF_SUCCESS;
}

enuf_status enuf_type3_choose(const enuf_nufft_options *options, int64_t n_points,
                              const enuf_type3_extent *points, int64_t n_targets,
                              const enuf_type3_extent *targets, enuf_type3_method *method)
{
    enuf_nufft_options o = *options;
    const enuf_type3_request r = {&o, n_points, n_targets, points, targets};
    int chosen;
    ENUF_TRY(choose(&r, method, &chosen));
    if (chosen) return ENUF_SUCCESS;
    while (!chosen && o.tolerance < 0.05) {
        o.tolerance *= 2;
        ENUF_TRY(choose(&r, method, &chosen));
    }
    return enuf_fail(ENUF_UNREACHABLE_ACCURACY,
                     "enuf_nufft_set_targets: tolerance %.2g: %s precision and the %s window reach "
                     "%.2g for these points and targets; ask for that",
                     options->tolerance, o.precision == ENUF_FLOAT ? "float" : "double",
                     enuf_window_name(o.window), o.tolerance);
}
