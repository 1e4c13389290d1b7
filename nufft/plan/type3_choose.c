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

/* A grid and a window under trial. */
typedef struct trial {
    enuf_type3_method method;
    double alias, noise; /* squares, in the corner */
    double cost;         /* nanoseconds of a core */
} trial;

/* The narrowest window with few enough aliases at the edge of its passband; 0: none has. */
static int choose_window(const enuf_nufft_options *o, double share, trial *t)
{
    const double edge = M_PI / t->method.upsampling;
    for (int width = 2; width <= ENUF_MAX_WIDTH; width++) {
        if (enuf_window_form_make(o->window, width, 0, t->method.upsampling, &t->method.window) !=
            ENUF_SUCCESS)
            return 0;
        const enuf_aliasing_at at = enuf_window_aliasing_at(&t->method.window, edge);
        t->alias = expm1(o->dim * log1p(at.alias));
        t->noise = pow(at.noise, o->dim);
        if (t->alias <= share * share) return 1;
    }
    return 0;
}

/* Cells along each axis: kappa >= upsampling S/pi of them for a unit, and a window's room on both
 * sides. An even number has its zero mode in the middle. */
static enuf_status set_cells(const enuf_nufft_options *o, const enuf_type3_extent *points,
                             const enuf_type3_extent *targets, trial *t)
{
    enuf_type3_method *m = &t->method;
    double product = 1;
    for (int d = 0; d < 3; d++) {
        m->cells[d] = 1;
        m->kappa[d] = 1;
        if (d >= o->dim) continue;
        const double X = points->half[d], S = targets->half[d];
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
static double error_of(const enuf_nufft_options *o, const enuf_type3_extent *points,
                       const enuf_type3_extent *targets, const trial *t, const enuf_method *inner)
{
    const double unit = rounding_of(o);
    double phase = 0;
    for (int d = 0; d < o->dim; d++)
        phase = hypot(phase, PHASE * points->half[d] * targets->half[d]);
    return sqrt(t->alias + t->noise * (inner->error * inner->error + unit * unit) + phase * phase);
}

/* 1 if this upsampling serves the tolerance; fills the trial. */
static enuf_status try_upsampling(const enuf_nufft_options *o, int64_t n_points,
                                  const enuf_type3_extent *points, int64_t n_targets,
                                  const enuf_type3_extent *targets, trial *t, int *serves)
{
    enuf_type3_method *m = &t->method;
    *serves = 0;
    if (!choose_window(o, ALIAS_SHARE * o->tolerance, t)) return ENUF_SUCCESS;
    if (rounding_of(o) * sqrt(t->noise) > ROUNDING_SHARE * o->tolerance) return ENUF_SUCCESS;
    ENUF_TRY(set_cells(o, points, targets, t));
    m->tolerance = fmin(TRANSFORM_SHARE * o->tolerance / sqrt(t->noise), 0.1);
    const enuf_nufft_options options = of_transform(o, n_targets, m);
    enuf_method inner;
    if (m->tolerance < (o->precision == ENUF_FLOAT ? FLT_EPSILON : DBL_EPSILON))
        return ENUF_SUCCESS;
    if (enuf_choose_method(&options, &inner) != ENUF_SUCCESS) return ENUF_SUCCESS;
    m->error = error_of(o, points, targets, t, &inner);
    double cells = 1, grid = 1;
    for (int d = 0; d < 3; d++) {
        m->fine_grid[d] = inner.grid[d];
        cells *= (double)m->cells[d];
        grid *= (double)inner.grid[d];
    }
    m->bytes = (o->precision == ENUF_FLOAT ? 8 : 16) * (2 * cells + grid);
    t->cost = spreading_cost(o, n_points, m->window.width) + enuf_method_cost(&options, &inner);
    *serves = m->error <= o->tolerance;
    return ENUF_SUCCESS;
}

static enuf_status choose(const enuf_nufft_options *o, int64_t n_points,
                          const enuf_type3_extent *points, int64_t n_targets,
                          const enuf_type3_extent *targets, enuf_type3_method *method, int *chosen)
{
    double least = HUGE_VAL;
    *chosen = 0;
    for (int k = 0; k < N_UPSAMPLING; k++) {
        trial t = {.method.upsampling = UPSAMPLING[k]};
        int serves;
        ENUF_TRY(try_upsampling(o, n_points, points, n_targets, targets, &t, &serves));
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
    int chosen;
    ENUF_TRY(choose(&o, n_points, points, n_targets, targets, method, &chosen));
    if (chosen) return ENUF_SUCCESS;
    while (!chosen && o.tolerance < 0.05) {
        o.tolerance *= 2;
        ENUF_TRY(choose(&o, n_points, points, n_targets, targets, method, &chosen));
    }
    return enuf_fail(ENUF_UNREACHABLE_ACCURACY,
                     "enuf_nufft_set_targets: tolerance %.2g: %s precision and the %s window reach "
                     "%.2g for these points and targets; ask for that",
                     options->tolerance, o.precision == ENUF_FLOAT ? "float" : "double",
                     enuf_window_name(o.window), o.tolerance);
}
