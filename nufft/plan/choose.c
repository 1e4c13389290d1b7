/*
 * choose.c - the method that serves a tolerance: upsampling, fine grid, window, width.
 *
 * The error of a window on a grid is predicted, not looked up: on each axis the mean over the modes
 * of the aliasing (enuf_window_aliasing_at) and of the amplification of rounding. The relative l2
 * error of a transform of random data is then
 *   error^2 = prod_d (1 + alias_d) - 1 + u^2 prod_d noise_d + epsilon^2 sum_d (2 pi m_d)^2
 * with room for a draw that is larger than the mean where few modes hold most of the error.
 * Source: docs/theory.md, "Error of a transform". SPDX-License-Identifier: BSD-3-Clause
 */
#include "plan.h"
#include "windows/window_table.h"

#include <float.h>
#include <math.h>

enum { SAMPLES = 48 };

/* Rounding on the fine grid, in units of the precision's epsilon, of strengths spread in runs of
 * length `additions`. Measured with 60 random sets of points and strengths, 1D to 3D, both
 * precisions, upsampling 1.25 to 2. Interpolation has half of it. */
static const double ROUNDING = 2;
/* ... on the GPU, whose order of sums and whose transforms round more (H100,
 * tests/nufft/test_tolerance). */
static const double ROUNDING_GPU = 3.2;

/* Rounding of a cell's sum of n terms over the root of n, in the same unit, for the worst terms:
 * those of equal weight. */
static const double ADDITION = 0.22;
/* ... and its share of the tolerance: a thirtieth of the error's square. */
static const double ADDITION_SHARE = 0.18;

/* The error of one transform scatters around its mean square, the more so if few modes hold most of
 * it. Predictions leave room for this: these factors over the root of the effective number h of
 * such modes, for aliasing and for rounding, whose weights scatter more; for aliasing DRAW_FEW/h
 * more. The squares of modes of random strengths are exponentially distributed: for aliasing this
 * is the 98th percentile of the root of their mean for one or two modes, the 95th for many. */
static const double DRAW_ALIAS = 0.75, DRAW_FEW = 0.3, DRAW_ROUNDING = 2;

/* RMS rounding of a folded coordinate, in periods: a phase error that grows with the mode. */
static const double COORDINATE = 6e-18;

/* Upsampling factors to try if only the tolerance is given; the last if none reaches it. */
static const double FACTORS[] = {1.25, 1.5, 3.0, 2.0};
/* ... and factors to suggest in the error if the user's factor does not reach it. */
static const double WIDER_FACTORS[] = {1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 4.0};
/* ... and those of 3D, where a cell of width costs more than a few more windows to look at: on a
 * CPU 100^3 modes, real, tolerance 1e-6, 1.6 and width 8 take 63 ns a point in place of 76 with 1.5
 * and width 9 (type 1; EPYC, Zen 5, November 2026); on a GPU 62^3 modes, double, 1e-5, 374,418
 * samples of spokes, 1.9 and width 6 take 196 us in place of 219 with 1.5 and width 7 (type 1 and
 * type 2 in the mean; H200, November 2026). The first is for real strengths: complex ones gain in
 * type 1 what they lose in type 2. */
static const double FINE_FACTORS[] = {1.4, 1.25, 1.5, 1.6, 1.75, 1.9, 2.25, 2.5, 3.0, 2.0};
enum { N_FACTORS = 4, N_FINE = 10, N_WIDER = 7 };

int64_t enuf_fft_size(int64_t least)
{
    int64_t best = INT64_MAX;
    for (int64_t fives = 2;; fives *= 5) {
        for (int64_t threes = fives;; threes *= 3) {
            int64_t n = threes;
            while (n < least && n <= INT64_MAX / 2) n *= 2;
            if (n >= least && n < best) best = n;
            if (threes >= least || threes > INT64_MAX / 3) break;
        }
        if (fives >= least || fives > INT64_MAX / 5) return best;
    }
}

/* Means over the modes of one axis. */
typedef struct axis_means {
    double alias, noise;               /* of values */
    double alias_square, noise_square; /* of their squares */
    double square, slope_alias;        /* of theta^2; of the gradient's own aliasing and bias */
} axis_means;

static void add_mode(const enuf_window_form *window, double theta, double weight, axis_means *mean)
{
    enuf_aliasing_at at = enuf_window_aliasing_at(window, theta);
    mean->alias += weight * at.alias;
    mean->noise += weight * at.noise;
    mean->alias_square += weight * at.alias * at.alias;
    mean->noise_square += weight * at.noise * at.noise;
    mean->square += weight * theta * theta;
    mean->slope_alias += weight * (at.gradient_bias * at.gradient_bias + at.gradient_alias);
}

/* Few modes are added one by one, m and -m at once. Many modes are sampled, densely near the last
 * one, where aliases and noise grow exponentially with the mode: at t(2 - t) n/2, t the middles of
 * SAMPLES equal parts of 0 ... 1. */
static axis_means axis_means_of(const enuf_window_form *window, int64_t modes, int64_t grid)
{
    axis_means mean = {0};
    const double n = fmax((double)modes, 1), step = 2 * M_PI / (double)grid;
    if (modes <= 2 * SAMPLES)
        for (int64_t m = 0; m <= modes / 2; m++)
            add_mode(window, step * (double)m, (m == 0 || 2 * m == modes ? 1 : 2) / n, &mean);
    else
        for (int k = 0; k < SAMPLES; k++) {
            const double t = (k + 0.5) / SAMPLES;
            add_mode(window, step * t * (2 - t) * n / 2, 2 * (1 - t) / SAMPLES, &mean);
        }
    return mean;
}

/* Squares of an error, mode by mode: their mean, and the mean of their squares. */
typedef struct error_moments {
    double mean, mean_square;
} error_moments;

/* Mean with room for scatter: times the square of 1 + draw/sqrt(h) + few/h, h the number of modes
 * that hold the error. */
static double with_room(error_moments error, double modes, double draw, double few)
{
    if (error.mean <= 0) return 0;
    const double h = fmax(modes * error.mean * error.mean / error.mean_square, 1);
    const double room = 1 + draw / sqrt(h) + few / h;
    return room * room * error.mean;
}

double enuf_alias_with_room(double mean, double mean_square, double modes)
{
    return with_room((error_moments){mean, mean_square}, modes, DRAW_ALIAS, DRAW_FEW);
}

double enuf_rounding_with_room(double mean, double mean_square, double modes)
{
    return with_room((error_moments){mean, mean_square}, modes, DRAW_ROUNDING, 0);
}

/* Number of additions to a cell whose rounding stays within its share of the error. */
static double additions_allowed(const enuf_nufft_options *o, const enuf_method *method, double unit)
{
    const double target = o->tolerance > 0 ? o->tolerance : method->error;
    const double root = ADDITION_SHARE * target / (ADDITION * unit * method->amplification);
    return fmin(fmax(root * root, 48), 1e15);
}

/* Predicted errors of a window on a grid: fills error and gradient_error. */
static void predict(const enuf_nufft_options *o, enuf_method *method)
{
    const enuf_window_form *window = &method->window;
    axis_means mean[3];
    error_moments alias = {0, 0}, rounding = {1, 1};
    double log_alias = 0, phase = 0, modes = 1;
    for (int d = 0; d < o->dim; d++) {
        int same = d > 0 && o->modes[d] == o->modes[0] && method->grid[d] == method->grid[0];
        mean[d] = same ? mean[0] : axis_means_of(window, o->modes[d], method->grid[d]);
        log_alias += log1p(mean[d].alias);
        alias.mean_square += mean[d].alias_square - mean[d].alias * mean[d].alias;
        rounding.mean *= mean[d].noise;
        rounding.mean_square *= mean[d].noise_square;
        phase += mean[d].square * (double)method->grid[d] * (double)method->grid[d];
        modes *= fmax((double)o->modes[d], 1);
    }
    const double epsilon = o->precision == ENUF_FLOAT ? FLT_EPSILON : DBL_EPSILON;
    const double unit = epsilon * (o->backend == ENUF_BACKEND_CUDA ? ROUNDING_GPU : ROUNDING);
    method->amplification = sqrt(rounding.mean);
    alias.mean = expm1(log_alias);
    alias.mean_square += alias.mean * alias.mean;
    const double aliases = enuf_alias_with_room(alias.mean, alias.mean_square, modes);
    const double noise =
        unit * unit * enuf_rounding_with_room(rounding.mean, rounding.mean_square, modes);
    method->rounding = sqrt(noise);
    method->phase = COORDINATE * sqrt(phase);
    method->error = sqrt(aliases + noise + method->phase * method->phase);
    method->additions = additions_allowed(o, method, epsilon);

    /* 5/P: mean square slope of a window over its mean square, near enough for every window in use
     */
    double error = 0, scale = 0; /* squares of the gradient, per unit of s */
    const double room = alias.mean > 0 ? aliases / alias.mean : 1;
    for (int d = 0; d < o->dim; d++) {
        double cells = (double)method->grid[d] * (double)method->grid[d];
        double others = expm1(log_alias - log1p(mean[d].alias)) * room;
        double rough = noise * (mean[d].square + 5.0 / window->width);
        scale += cells * mean[d].square;
        error += cells * (room * mean[d].slope_alias + others * mean[d].square + rough);
    }
    method->gradient_error = scale > 0 ? sqrt(error / scale) : 0;
}

/*
 * Integers: terms are rounded to bound 2^-61 at most, by default n times the largest strength, at
 * random 1.7 times their mean square; all cells of a window alike, where products round by their
 * size. Atomic sums of the GPU round as long sums do; those of tiles are short.
 */
double enuf_error_with_points(const enuf_nufft *plan)
{
    const enuf_method *method = &plan->method;
    const enuf_nufft_options *o = &plan->options;
    double extra = 0, additions = (double)plan->n_points, spread = 1;
    /* on the grids that the GPU takes (H100, tests/nufft/test_tolerance) */
    const double of_integers = plan->backend->kind == ENUF_BACKEND_CUDA ? 1.5 : 1;
    if (!plan->points_set) return method->error;
    for (int d = 0; d < o->dim; d++) {
        additions *= method->window.width / (double)method->grid[d];
        spread *= method->window.width / method->window.square;
    }
    if (o->deterministic)
        extra = of_integers * ldexp((double)plan->n_points, -62) * sqrt(spread);
    else if (plan->backend->kind == ENUF_BACKEND_CUDA)
        extra =
            ADDITION * (o->precision == ENUF_FLOAT ? FLT_EPSILON : DBL_EPSILON) * sqrt(additions);
    return hypot(method->error, extra * method->amplification);
}

static double relevant_error(const enuf_nufft_options *o, const enuf_method *method)
{
    return o->gradients ? fmax(method->error, method->gradient_error) : method->error;
}

/* Grid for an upsampling factor: as given, else smooth. Its own smallest grid/modes. */
static void set_grid(const enuf_nufft_options *o, double factor, enuf_method *method)
{
    method->upsampling = HUGE_VAL;
    for (int d = 0; d < 3; d++) {
        method->grid[d] = 1;
        if (d >= o->dim) continue;
        int64_t modes = o->modes[d];
        int64_t least = (int64_t)ceil(factor * (double)modes * (1 - 1e-12));
        if (least < modes + 1) least = modes + 1;
        method->grid[d] = o->fine_grid[d] ? o->fine_grid[d] : enuf_fft_size(least);
        double ratio = (double)method->grid[d] / (double)(modes > 0 ? modes : 1);
        method->upsampling = fmin(method->upsampling, ratio);
    }
}

static enuf_status set_width(const enuf_nufft_options *o, int width, enuf_method *method)
{
    ENUF_TRY(enuf_window_form_make(o->window, width, o->shape, fmin(method->upsampling, 4),
                                   &method->window));
    predict(o, method);
    return ENUF_SUCCESS;
}

/* Part of the tolerance, or of the predicted error if the caller gave the method, that is the
 * largest error of a table near the last mode. */
static double share_of_table(const enuf_method *method)
{
    return 0.1 / method->amplification;
}

/* The least error that tables of a method's window serve, with two digits, rounded up. */
static double least_of_tables(const enuf_method *method)
{
    const double least =
        enuf_window_table_error(&method->fit, ENUF_MOST_PIECES) / share_of_table(method);
    const double unit = pow(10, floor(log10(least)) - 1);
    return ceil(least / unit) * unit;
}

/* A tolerance that tables serve, near the least one: each chooses a window of its own. */
static double served_by_tables(const enuf_nufft_options *o, const enuf_method *method)
{
    enum { TURNS = 20 };
    double served = least_of_tables(method);
    for (int turn = 0; o->tolerance > 0 && turn < TURNS; turn++) {
        enuf_nufft_options easier = *o;
        enuf_method other;
        easier.tolerance = served;
        easier.window_table = 0;
        if (enuf_choose_method(&easier, &other) != ENUF_SUCCESS) break;
        const double least = least_of_tables(&other);
        if (least <= served) break;
        served = least;
    }
    return served;
}

/* A table in place of the polynomials. */
static enuf_status take_table(const enuf_nufft_options *o, enuf_method *method)
{
    const double target = o->tolerance > 0 ? o->tolerance : method->error;
    method->table_pieces = enuf_window_table_pieces(&method->fit, share_of_table(method) * target);
    if (method->table_pieces == 0)
        return enuf_fail(
            ENUF_UNREACHABLE_ACCURACY,
            "enuf_nufft_create: window_table with an error of %.2g: a table of the %s window with "
            "%d places a cell serves %.2g; ask for that, or take polynomials",
            target, enuf_window_name(method->window.window), ENUF_MOST_PIECES,
            served_by_tables(o, method));
    method->window.missed += enuf_window_table_missed(&method->fit, method->table_pieces);
    predict(o, method);
    return ENUF_SUCCESS;
}

/* Fits polynomials of the window that add at most a tenth to the error. 1/w near the last mode
 * amplifies their error, and slopes have an error some 40 times larger than values. */
enuf_status enuf_fit_method(const enuf_nufft_options *o, enuf_method *method)
{
    double rounding = o->precision == ENUF_FLOAT ? 1e-8 : 2e-17;
    double target = o->tolerance > 0 ? o->tolerance : 1e-16;
    double share = o->gradients ? 0.0005 : 0.02;
    predict(o, method);
    ENUF_TRY(enuf_window_fit_make(
        &method->window, fmax(rounding, share * target / method->amplification), &method->fit));
    predict(o, method);
    method->table_pieces = 0;
    return o->window_table ? take_table(o, method) : ENUF_SUCCESS;
}

int enuf_expected_width(double tolerance, double upsampling)
{
    /* prolate, Kaiser-Bessel and semicircle windows gain that many digits a cell */
    const double digits = -log10(fmax(tolerance, 1e-16));
    const double of_cell = M_PI / log(10) * sqrt(fmax(1 - 1 / upsampling, 0.01));
    return (int)fmin(fmax(1 + digits / of_cell, 2), ENUF_MAX_WIDTH);
}

/* No window gains more than pi/ln 10 = 1.36 digits a cell, at any upsampling. */
static int least_width(const enuf_nufft_options *o)
{
    return (int)fmax(2, floor(-log10(fmax(o->tolerance, 1e-16)) / 1.37));
}

/* Smallest width that meets the tolerance on the grid (*met 1). */
static enuf_status choose_width(const enuf_nufft_options *o, enuf_method *method, int *met)
{
    const int expected = enuf_expected_width(o->tolerance, method->upsampling);
    const int first = o->width ? o->width : expected, last = o->width ? o->width : ENUF_MAX_WIDTH;
    *met = 0;
    for (int width = first; width <= last && !*met; width++) {
        ENUF_TRY(set_width(o, width, method));
        *met = relevant_error(o, method) <= o->tolerance;
        if (hypot(method->rounding, method->phase) > o->tolerance) break; /* it grows with width */
    }
    if (!*met || o->width) return ENUF_SUCCESS;
    while (method->window.width <= expected && method->window.width > least_width(o)) {
        enuf_method narrower = *method;
        ENUF_TRY(set_width(o, method->window.width - 1, &narrower));
        if (relevant_error(o, &narrower) > o->tolerance) break;
        *method = narrower;
    }
    return ENUF_SUCCESS;
}

/* The width of least error, the minimum of truncation plus rounding, where none meets the
 * tolerance. */
static enuf_status take_least_error(const enuf_nufft_options *o, enuf_method *method)
{
    enuf_method best = {.error = HUGE_VAL, .gradient_error = HUGE_VAL};
    if (o->width) return ENUF_SUCCESS;
    for (int width = least_width(o); width <= ENUF_MAX_WIDTH; width++) {
        ENUF_TRY(set_width(o, width, method));
        double error = relevant_error(o, method);
        if (error < relevant_error(o, &best))
            best = *method;
        else if (error > 4 * relevant_error(o, &best) && best.window.width + 4 < width)
            break; /* rounding has taken over */
    }
    *method = best;
    return ENUF_SUCCESS;
}

static enuf_status refuse_factor(const enuf_nufft_options *o, enuf_method *method)
{
    ENUF_TRY(take_least_error(o, method));
    double floor = relevant_error(o, method);
    for (int k = 0; k < N_WIDER; k++) {
        if (WIDER_FACTORS[k] <= method->upsampling) continue;
        enuf_nufft_options wider = *o;
        enuf_method candidate;
        int met;
        for (int d = 0; d < 3; d++) wider.fine_grid[d] = 0;
        set_grid(&wider, WIDER_FACTORS[k], &candidate);
        ENUF_TRY(choose_width(&wider, &candidate, &met));
        if (met)
            return enuf_fail(
                ENUF_UNREACHABLE_ACCURACY,
                "enuf_nufft_create: tolerance %.2g: the %s window with upsampling %.3g "
                "has a floor of %.2g; upsampling %.3g serves",
                o->tolerance, enuf_window_name(o->window), method->upsampling, floor,
                WIDER_FACTORS[k]);
    }
    if (method->phase > 0.5 * floor)
        return enuf_fail(ENUF_UNREACHABLE_ACCURACY,
                         "enuf_nufft_create: tolerance %.2g: coordinates in double precision leave "
                         "an error of %.2g at that many modes; ask for that",
                         o->tolerance, floor);
    if (method->rounding > 0.3 * floor)
        return enuf_fail(ENUF_UNREACHABLE_ACCURACY,
                         "enuf_nufft_create: tolerance %.2g: with upsampling %.3g the rounding of "
                         "%s precision leaves %.2g; ask for that%s",
                         o->tolerance, method->upsampling,
                         o->precision == ENUF_FLOAT ? "float" : "double", floor,
                         o->precision == ENUF_FLOAT ? ", or take double" : "");
    return enuf_fail(
        ENUF_UNREACHABLE_ACCURACY,
        "enuf_nufft_create: tolerance %.2g: the %s window%s reaches %.2g with width %d; "
        "ask for that, or take the prolate window",
        o->tolerance, enuf_window_name(o->window), o->width ? " of that width" : "", floor,
        method->window.width);
}

static const double *factors_of(const enuf_nufft_options *o, int *n)
{
    const int fine = o->dim == 3;
    const int skipped = o->strengths != ENUF_REAL_STRENGTHS;
    *n = fine ? N_FINE - skipped : N_FACTORS;
    return fine ? FINE_FACTORS + skipped : FACTORS;
}

/* The upsampling of least cost among those that meet the tolerance (*met 1). */
static enuf_status choose_factor(const enuf_nufft_options *o, enuf_method *method, int *met)
{
    enuf_method candidate;
    int candidate_met, n;
    const double *factors = factors_of(o, &n);
    for (int k = 0; k < n; k++) {
        set_grid(o, factors[k], &candidate);
        candidate.window.width = enuf_expected_width(o->tolerance, candidate.upsampling);
        if (*met && enuf_method_cost(o, &candidate) >= enuf_method_cost(o, method)) continue;
        ENUF_TRY(choose_width(o, &candidate, &candidate_met));
        int better =
            candidate_met > *met || (candidate_met == *met && *met &&
                                     enuf_method_cost(o, &candidate) < enuf_method_cost(o, method));
        if (k == 0 || better || (!*met && k == n - 1)) {
            *method = candidate;
            *met = candidate_met;
        }
    }
    return ENUF_SUCCESS;
}

double enuf_expected_cost(const enuf_nufft_options *o)
{
    enuf_method candidate;
    double least = HUGE_VAL;
    int n;
    const double *factors = factors_of(o, &n);
    for (int k = 0; k < n; k++) {
        set_grid(o, factors[k], &candidate);
        candidate.window.width = enuf_expected_width(o->tolerance, candidate.upsampling);
        least = fmin(least, enuf_method_cost(o, &candidate));
    }
    return least;
}

enuf_status enuf_choose_grid(const enuf_nufft_options *o, enuf_method *method, int *met)
{
    *met = 0;
    if (o->fine_grid[0] == 0 && o->upsampling == 0) return choose_factor(o, method, met);
    set_grid(o, o->upsampling, method);
    return choose_width(o, method, met);
}

enuf_status enuf_choose_method(const enuf_nufft_options *o, enuf_method *method)
{
    int met = 1;
    if (o->tolerance == 0) {
        set_grid(o, o->upsampling > 0 ? o->upsampling : 2, method);
        ENUF_TRY(set_width(o, o->width, method));
    } else {
        ENUF_TRY(enuf_choose_grid(o, method, &met));
    }
    return met ? enuf_fit_method(o, method) : refuse_factor(o, method);
}
