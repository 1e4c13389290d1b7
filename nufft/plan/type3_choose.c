/* type3_choose.c - the grid and the windows of type 3. SPDX-License-Identifier: BSD-3-Clause */
#include "type3_choose.h"

#include <float.h>
#include <math.h>

/* Of the spreading, in the order of their grids. A wide passband amplifies the error of the type 2:
 * 1.25 at width 15 by 491 along an axis, 2 by 3.4. */
static const double UPSAMPLING[] = {1.25, 1.5, 2};
enum { N_UPSAMPLING = 3 };

/* Shares of the tolerance: aliases of the spreading, the type 2, and rounding of the spreading. */
static const double ALIAS_SHARE = 0.5, TRANSFORM_SHARE = 0.7, ROUNDING_SHARE = 0.1;

/* Rounding of strengths spread, in units of epsilon: as in choose.c. */
static const double ROUNDING = 2, ROUNDING_GPU = 3.2;

/* RMS rounding of s'.x' over its largest value: of both scales, and of places on both grids. */
static const double PHASE = 1.5e-16;

static const double NO_MEMORY = 1e15; /* bytes or cells that no machine has */

/* Nanoseconds of spreading: a point, and a vector of 32 bytes of its window: as in choose.c. */
static const double POINT = 15, VECTOR = 0.4;
static const double GPU_CELL = 0.008; /* on one H100, a cell of a point's window */

/* Half of the spread of a point's energy on the cells of a window of width w, over the root of w:
 * 1.5 standard deviations of exp(-4.6 w (x/w)^2), which a window's square is nearly. */
static const double ENERGY = 0.5;

/* The request. */
typedef struct request {
    const enuf_nufft_options *options;
    int64_t n_points, n_targets;
    const enuf_type3_extent *points, *targets;
} request;

/* Squares of errors: aliases, and the factor of rounding. */
typedef struct squares {
    double alias, noise;
} squares;

/* A grid and a window under trial. */
typedef struct trial {
    enuf_type3_method method;
    squares mean; /* over the targets */
    double cost;  /* nanoseconds of a core */
} trial;

/* ---- Errors at samples ---- */

enum { PARTS = 32 };

/* Logarithms of a window's aliases and noise at frequencies up to an edge. */
typedef struct error_table {
    double edge, alias[PARTS + 1], noise[PARTS + 1];
} error_table;

static void tabulate(const enuf_window_form *window, double edge, error_table *table)
{
    table->edge = edge;
    for (int k = 0; k <= PARTS; k++) {
        const enuf_aliasing_at at = enuf_window_aliasing_at(window, edge * k / PARTS);
        table->alias[k] = log(fmax(at.alias_most, DBL_MIN));
        table->noise[k] = log(at.noise);
    }
}

static squares look_up(const error_table *table, double theta)
{
    const double at = fmin(theta / table->edge, 1) * PARTS;
    const int k = at < PARTS ? (int)at : PARTS - 1;
    const double right = at - k, left = 1 - right;
    return (squares){exp(left * table->alias[k] + right * table->alias[k + 1]),
                     exp(left * table->noise[k] + right * table->noise[k + 1])};
}

/* Means over n coordinates with frequencies shift + scale distance, with room for draws. */
static squares mean_over(const error_table *table, int dim, double n, const enuf_type3_extent *e,
                         const double scale[3], const double shift[3])
{
    const int samples = e->samples > 0 ? e->samples : 1;
    squares mean = {0, 0}, square = {0, 0};
    for (int k = 0; k < samples; k++) {
        double amplitude = 0, noise = 1;
        for (int d = 0; d < dim; d++) {
            const double distance = e->samples > 0 ? e->distance[k][d] : 0;
            const squares here = look_up(table, shift[d] + scale[d] * distance);
            amplitude += here.alias + amplitude * here.alias;
            noise *= here.noise;
        }
        const double alias = amplitude * amplitude;
        mean.alias += alias / samples;
        mean.noise += noise / samples;
        square.alias += alias * alias / samples;
        square.noise += noise * noise / samples;
    }
    return (squares){enuf_alias_with_room(mean.alias, square.alias, n),
                     enuf_rounding_with_room(mean.noise, square.noise, n)};
}

/* Of n numbers, those that are independent: the others lie within a wavelength of them. */
static double independent(const request *r, int64_t n)
{
    double places = 1;
    for (int d = 0; d < r->options->dim; d++)
        places *= 1 + 2 * r->points->half[d] * r->targets->half[d] / M_PI;
    return fmax(fmin((double)n, places), 1);
}

static squares of_spreading(const request *r, const enuf_type3_method *m)
{
    const double none[3] = {0};
    error_table table;
    double scale[3] = {0};
    for (int d = 0; d < r->options->dim; d++) scale[d] = r->targets->half[d] / m->kappa[d];
    tabulate(&m->window, M_PI / m->upsampling, &table);
    return mean_over(&table, r->options->dim, independent(r, r->n_targets), r->targets, scale,
                     none);
}

/* Of the type 2, whose modes are the cells: few of them hold a point's energy. */
static squares of_cells(const request *r, const enuf_type3_method *m, const enuf_method *inner)
{
    error_table table;
    double scale[3] = {0}, shift[3] = {0}, edge = 0;
    for (int d = 0; d < r->options->dim; d++) {
        const double step = 2 * M_PI / (double)inner->grid[d];
        edge = fmax(edge, step * (double)m->cells[d] / 2);
        scale[d] = step * m->kappa[d] * r->points->half[d];
        shift[d] = step * ENERGY * sqrt(m->window.width);
    }
    tabulate(&inner->window, edge, &table);
    return mean_over(&table, r->options->dim, independent(r, r->n_points), r->points, scale, shift);
}

/* ---- Choice ---- */

/* Cells along each axis: kappa >= upsampling S/pi of them for a unit, and a window's room on both
 * sides. An even number has its zero mode in the middle. */
static enuf_status set_cells(const request *r, enuf_type3_method *m)
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

/* The narrowest window with few enough aliases at the targets (*found 1), and its cells. */
static enuf_status choose_window(const request *r, trial *t, int *found)
{
    const double share = ALIAS_SHARE * r->options->tolerance;
    enuf_type3_method *m = &t->method;
    *found = 0;
    for (int width = 2; width <= ENUF_MAX_WIDTH && !*found; width++) {
        if (enuf_window_form_make(r->options->window, width, 0, m->upsampling, &m->window) !=
            ENUF_SUCCESS)
            return ENUF_SUCCESS;
        ENUF_TRY(set_cells(r, m));
        t->mean = of_spreading(r, m);
        *found = t->mean.alias <= share * share;
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

static double spreading_cost(const enuf_nufft_options *o, int64_t n_points, int width)
{
    if (o->backend == ENUF_BACKEND_CUDA) return (double)n_points * GPU_CELL * pow(width, o->dim);
    const double bytes = 2 * (o->precision == ENUF_FLOAT ? 4 : 8);
    return (double)n_points * (POINT + VECTOR * pow(width, o->dim - 1) * ceil(width * bytes / 32));
}

/* Relative rounding of a cell. */
static double rounding_of(const enuf_nufft_options *o)
{
    return (o->precision == ENUF_FLOAT ? FLT_EPSILON : DBL_EPSILON) *
           (o->backend == ENUF_BACKEND_CUDA ? ROUNDING_GPU : ROUNDING);
}

/* The error of the trial's method and of its type 2. */
static double error_of(const request *r, const trial *t, const enuf_method *inner)
{
    const double unit = rounding_of(r->options);
    const squares cells = of_cells(r, &t->method, inner);
    const double of_inner =
        cells.alias + unit * unit * (cells.noise + 1) + inner->phase * inner->phase;
    double phase = 0;
    for (int d = 0; d < r->options->dim; d++)
        phase = hypot(phase, PHASE * r->points->half[d] * r->targets->half[d]);
    return sqrt(t->mean.alias + t->mean.noise * of_inner + phase * phase);
}

/* 1 if this upsampling serves the tolerance; fills the trial. */
static enuf_status try_upsampling(const request *r, trial *t, int *serves)
{
    const enuf_nufft_options *o = r->options;
    enuf_type3_method *m = &t->method;
    int found;
    *serves = 0;
    ENUF_TRY(choose_window(r, t, &found));
    if (!found || rounding_of(o) * sqrt(t->mean.noise) > ROUNDING_SHARE * o->tolerance)
        return ENUF_SUCCESS;
    const double least = o->precision == ENUF_FLOAT ? 1e-6 : 1e-14; /* of a plan: options.c */
    m->tolerance = fmax(fmin(TRANSFORM_SHARE * o->tolerance / sqrt(t->mean.noise), 0.1), least);
    const enuf_nufft_options options = of_transform(o, r->n_targets, m);
    enuf_method inner;
    if (enuf_choose_method(&options, &inner) != ENUF_SUCCESS) return ENUF_SUCCESS;
    m->error = error_of(r, t, &inner);
    double cells = 1, grid = 1;
    for (int d = 0; d < 3; d++) {
        m->fine_grid[d] = inner.grid[d];
        cells *= (double)m->cells[d];
        grid *= (double)inner.grid[d];
    }
    m->bytes = (o->precision == ENUF_FLOAT ? 8 : 16) * (2 * cells + grid);
    t->cost = spreading_cost(o, r->n_points, m->window.width) + enuf_method_cost(&options, &inner);
    *serves = m->error <= o->tolerance;
    return ENUF_SUCCESS;
}

static enuf_status choose(const request *r, enuf_type3_method *method, int *chosen)
{
    double least = HUGE_VAL;
    *chosen = 0;
    for (int k = 0; k < N_UPSAMPLING; k++) {
        trial t = {.method.upsampling = UPSAMPLING[k]};
        int serves;
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
    const request r = {&o, n_points, n_targets, points, targets};
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
