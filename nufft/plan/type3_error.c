/* type3_error.c - see type3_error.h. Source: docs/theory.md, "Type 3". SPDX-License-Identifier:
 * BSD-3-Clause
 */
#include "type3_error.h"

#include <float.h>
#include <math.h>

/* Rounding of strengths spread, in units of epsilon: as in choose.c. */
static const double ROUNDING = 2, ROUNDING_GPU = 3.2;

/* RMS rounding of s'.x' over its largest value: of both scales, and of places on both grids. */
static const double PHASE = 1.5e-16;

/* Half of the spread of a point's energy on the cells of a window of width w, over the root of w:
 * 1.5 standard deviations of exp(-4.6 w (x/w)^2), which a window's square is nearly. */
static const double ENERGY = 0.5;

enum { PARTS = 32, FINE = 8 * PARTS };

/* A window's aliases and noise at frequencies up to an edge. */
typedef struct error_table {
    double edge;
    enuf_squares at[FINE + 1]; /* amplitude of the aliases, square of the noise */
} error_table;

/* Both grow exponentially: their logarithms are linear between PARTS of the edge. */
static void tabulate(const enuf_window_form *window, double edge, error_table *table)
{
    enum { EACH = FINE / PARTS };
    double alias[PARTS + 1], noise[PARTS + 1];
    for (int k = 0; k <= PARTS; k++) {
        const enuf_aliasing_at at = enuf_window_aliasing_at(window, edge * k / PARTS);
        alias[k] = log(fmax(at.alias_most, DBL_MIN));
        noise[k] = log(at.noise);
    }
    for (int i = 0; i <= FINE; i++) {
        const int k = i < FINE ? i / EACH : PARTS - 1;
        const double right = (double)i / EACH - k, left = 1 - right;
        table->at[i] = (enuf_squares){exp(left * alias[k] + right * alias[k + 1]),
                                      exp(left * noise[k] + right * noise[k + 1])};
    }
    table->edge = edge;
}

static enuf_squares look_up(const error_table *table, double theta)
{
    const double at = fmin(theta / table->edge, 1) * FINE;
    const int k = at < FINE ? (int)at : FINE - 1;
    const enuf_squares *low = &table->at[k], *high = low + 1;
    const double right = at - k, left = 1 - right;
    return (enuf_squares){left * low->alias + right * high->alias,
                          left * low->noise + right * high->noise};
}

/* Means over n coordinates with frequencies shift + scale distance, with room for draws. */
static enuf_squares mean_over(const error_table *table, int dim, double n,
                              const enuf_type3_extent *e, const double scale[3],
                              const double shift[3])
{
    const int samples = e->samples > 0 ? e->samples : 1;
    enuf_squares mean = {0, 0}, square = {0, 0};
    for (int k = 0; k < samples; k++) {
        double amplitude = 0, noise = 1;
        for (int d = 0; d < dim; d++) {
            const double distance = e->samples > 0 ? e->distance[k][d] : 0;
            const enuf_squares here = look_up(table, shift[d] + scale[d] * distance);
            amplitude += here.alias + amplitude * here.alias;
            noise *= here.noise;
        }
        const double alias = amplitude * amplitude;
        mean.alias += alias / samples;
        mean.noise += noise / samples;
        square.alias += alias * alias / samples;
        square.noise += noise * noise / samples;
    }
    return (enuf_squares){enuf_alias_with_room(mean.alias, square.alias, n),
                          enuf_rounding_with_room(mean.noise, square.noise, n)};
}

/* Of n numbers, those that are independent: the others lie within a wavelength of them. */
static double independent(const enuf_type3_request *r, int64_t n)
{
    double places = 1;
    for (int d = 0; d < r->options->dim; d++)
        places *= 1 + 2 * r->points->half[d] * r->targets->half[d] / M_PI;
    return fmax(fmin((double)n, places), 1);
}

enuf_squares enuf_type3_spreading_error(const enuf_type3_request *r, const enuf_type3_method *m)
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
static enuf_squares of_cells(const enuf_type3_request *r, const enuf_type3_method *m)
{
    const enuf_method *inner = &m->transform;
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

double enuf_type3_rounding(const enuf_nufft_options *o)
{
    return (o->precision == ENUF_FLOAT ? FLT_EPSILON : DBL_EPSILON) *
           (o->backend == ENUF_BACKEND_CUDA ? ROUNDING_GPU : ROUNDING);
}

double enuf_type3_error(const enuf_type3_request *r, const enuf_type3_method *m,
                        const enuf_squares *spreading)
{
    const double unit = enuf_type3_rounding(r->options);
    const enuf_squares cells = of_cells(r, m);
    const double inner_phase = m->transform.phase;
    const double of_inner =
        cells.alias + unit * unit * (cells.noise + 1) + inner_phase * inner_phase;
    double phase = 0;
    for (int d = 0; d < r->options->dim; d++)
        phase = hypot(phase, PHASE * r->points->half[d] * r->targets->half[d]);
    return sqrt(spreading->alias + spreading->noise * of_inner + phase * phase);
}
