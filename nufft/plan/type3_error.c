/* type3_error.c - see type3_error.h. Source: docs/theory.md, "Type 3". SPDX-License-Identifier:
 * BSD-3-Clause
 */
#include "type3_error.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Rounding of strengths spread, in units of epsilon: as in choose.c. */
static const double ROUNDING = 2, ROUNDING_GPU = 3.2;

/* RMS rounding of s'.x' over its largest value: of both scales, and of places on both grids. */
static const double PHASE = 1.5e-16;

/* Half of the spread of a point's energy on the cells of a window of width w, over the root of w:
 * 1.5 standard deviations of exp(-4.6 w (x/w)^2), which a window's square is nearly. */
static const double ENERGY = 0.5;

enum { MOST_WAVES = ENUF_TYPE3_SAMPLES };

/* Of the square of aliases, for what their envelope and the means miss. With it 4 of 2100 random
 * sums had larger errors than predicted, at most 1.29 times (prolate window, 1D and 2D, 4 to 300
 * cells; points and targets uniform, on lattices, at edges, with outliers). All 4 had crowds at an
 * edge; of the 700 without crowds none came nearer than 0.74. */
static const double SCATTER = 1.44;

static int samples_of(const enuf_type3_extent *e)
{
    return e->samples > 0 ? e->samples : 1;
}

static double distance_of(const enuf_type3_extent *e, int sample, int d)
{
    return e->samples > 0 ? fabs(e->distance[sample][d]) : 0;
}

/* Means over n coordinates with frequencies scale distance, with room for draws. Noise is that at
 * frequencies higher by a shift. */
static enuf_squares mean_over(const enuf_alias_table *table, int dim, double n,
                              const enuf_type3_extent *e, const double scale[3],
                              const double shift[3])
{
    const int samples = samples_of(e);
    enuf_squares mean = {0, 0}, square = {0, 0};
    for (int k = 0; k < samples; k++) {
        double amplitude = 0, noise = 1;
        for (int d = 0; d < dim; d++) {
            const double theta = scale[d] * distance_of(e, k, d);
            const double alias = enuf_alias_look_up(table, theta).alias;
            amplitude += alias + amplitude * alias;
            noise *= enuf_alias_look_up(table, theta + shift[d]).noise;
        }
        const double alias = amplitude * amplitude;
        mean.alias += alias / samples;
        mean.noise += noise / samples;
        square.alias += alias * alias / samples;
        square.noise += noise * noise / samples;
    }
    return (enuf_squares){SCATTER * enuf_alias_with_room(mean.alias, square.alias, n),
                          enuf_rounding_with_room(mean.noise, square.noise, n)};
}

/* Sums at places nearer than half a wavelength hardly differ. Of so many such parts of an extent
 * along an axis, those that hold samples: the inverse of the probability that two samples share
 * one. */
static double parts_in_use(const enuf_type3_extent *e, int d, double parts)
{
    double count[MOST_WAVES] = {0}, pairs = 0;
    const int n = (int)fmin(ceil(parts), MOST_WAVES), samples = samples_of(e);
    for (int k = 0; k < samples; k++) {
        const double at = e->samples > 0 ? 0.5 * (1 + e->distance[k][d]) : 0;
        count[(int)fmin(fmax(at * n, 0), n - 1)]++;
    }
    for (int i = 0; i < n; i++) pairs += count[i] * count[i];
    return (double)samples * samples / pairs;
}

/* Of n sums, those that are independent, of so many that differ. */
static double independent(int64_t n, double different)
{
    return fmax(fmin(fmin((double)n, ENUF_TYPE3_SAMPLES), different), 1);
}

void enuf_type3_count_independent(enuf_type3_request *r)
{
    double points = 1, targets = 1; /* that are apart */
    for (int d = 0; d < r->options->dim; d++) {
        const double waves = 1 + 2 * r->points->half[d] * r->targets->half[d] / M_PI;
        points *= parts_in_use(r->points, d, waves);
        targets *= parts_in_use(r->targets, d, waves);
    }
    /* sums are apart where their points and their targets both are */
    r->independent_points = independent(r->n_points, fmin(points, targets));
    r->independent_targets = independent(r->n_targets, fmin(points, targets));
}

void enuf_type3_spreading_error(const enuf_type3_request *r, const enuf_type3_method *m,
                                enuf_type3_spreading *spreading)
{
    const double none[3] = {0};
    double scale[3] = {0};
    for (int d = 0; d < r->options->dim; d++) scale[d] = r->targets->half[d] / m->kappa[d];
    enuf_alias_table_make(&m->window, M_PI / m->upsampling, &spreading->table);
    spreading->mean = mean_over(&spreading->table, r->options->dim, r->independent_targets,
                                r->targets, scale, none);
}

/* The type 2 along its densest axis: frequencies of a cell, and of the outermost point. */
typedef struct axis_of_cells {
    double step, place;
} axis_of_cells;

static axis_of_cells densest(const enuf_type3_request *r, const enuf_type3_method *m)
{
    axis_of_cells axis = {0, 0};
    for (int d = 0; d < r->options->dim; d++) {
        const double step = 2 * M_PI / (double)m->transform.grid[d];
        axis.step = fmax(axis.step, step);
        axis.place = fmax(axis.place, step * m->kappa[d] * r->points->half[d]);
    }
    return axis;
}

/* psi times the aliases of its cells, relative to those at the outermost point, on nodes x > 0:
 * its even and its odd part. */
typedef struct weighted_window {
    int n;
    const double *node;
    double even[ENUF_WINDOW_NODES], odd[ENUF_WINDOW_NODES];
} weighted_window;

static void weigh(const enuf_window_form *psi, const enuf_alias_table *cells, axis_of_cells axis,
                  double alias, weighted_window *w)
{
    w->n = psi->n_nodes;
    w->node = psi->node;
    for (int j = 0; j < w->n; j++) {
        const double x = axis.step * psi->node[j], weight = 0.5 * psi->weight[j] / alias;
        const double outside = enuf_alias_look_up(cells, axis.place + x).alias;
        const double inside = enuf_alias_look_up(cells, fmax(axis.place - x, 0)).alias;
        w->even[j] = weight * (outside + inside);
        w->odd[j] = weight * (outside - inside);
    }
}

/* Squares of its transform at k step - turn and k step + turn, k = 0 ... n - 1: their means. */
static void transform(const weighted_window *w, double step, double turn, int n, double *square)
{
    double c[2][ENUF_WINDOW_NODES], s[2][ENUF_WINDOW_NODES];
    double step_c[ENUF_WINDOW_NODES], step_s[ENUF_WINDOW_NODES];
    for (int j = 0; j < w->n; j++) {
        c[0][j] = c[1][j] = cos(turn * w->node[j]);
        s[1][j] = sin(turn * w->node[j]);
        s[0][j] = -s[1][j];
        step_c[j] = cos(step * w->node[j]);
        step_s[j] = sin(step * w->node[j]);
    }
    memset(square, 0, (size_t)n * sizeof *square);
    for (int k = 0; k < n; k++)
        for (int side = 0; side < 2; side++) {
            double even = 0, odd = 0;
            for (int j = 0; j < w->n; j++) {
                const double re = c[side][j], im = s[side][j];
                even += w->even[j] * re;
                odd += w->odd[j] * im;
                c[side][j] = re * step_c[j] - im * step_s[j];
                s[side][j] = im * step_c[j] + re * step_s[j];
            }
            square[k] += 0.5 * (even * even + odd * odd);
        }
}

/*
 * What a relative error of the cells by the type 2's aliases becomes at the targets, squared: a
 * mean over them.
 *
 * Aliases grow smoothly from cell to cell. They change their sign as cos(k step P/2) does at most,
 * P the width of the type 2. A point's cells k have the numbers psi(k) exp(i theta k), so that
 * their aliases add up to the transform of psi times the aliases at theta +- step P/2, where the
 * sum itself is psi's transform at theta. Both fall alike with theta: unlike rounding, aliases are
 * hardly amplified where cells are many.
 */
static double amplified(const enuf_type3_request *r, const enuf_type3_method *m,
                        const enuf_alias_table *psi, const enuf_alias_table *cells)
{
    enum { TURNS = 16 };
    const axis_of_cells axis = densest(r, m);
    const double width = m->transform.window.width, turn = 0.5 * width * axis.step;
    const double alias = enuf_alias_look_up(cells, axis.place).alias;
    double factor[TURNS + 1], most = 0;
    const double part = psi->edge / TURNS, n = r->independent_targets;
    const int samples = samples_of(r->targets);
    weighted_window w;
    weigh(&m->window, cells, axis, fmax(alias, DBL_MIN), &w);
    transform(&w, part, turn, TURNS + 1, factor);
    for (int k = 0; k <= TURNS; k++)
        factor[k] *= enuf_alias_look_up(psi, k * part).noise / m->window.square;
    for (int d = 0; d < r->options->dim; d++) {
        double mean = 0, square = 0;
        for (int k = 0; k < samples; k++) {
            const double at = r->targets->half[d] / m->kappa[d] * distance_of(r->targets, k, d);
            const double place = fmin(at / part, TURNS);
            const int low = place < TURNS ? (int)place : TURNS - 1;
            const double here = factor[low] + (place - low) * (factor[low + 1] - factor[low]);
            mean += here / samples;
            square += here * here / samples;
        }
        most = fmax(most, enuf_rounding_with_room(mean, square, n));
    }
    return fmax(most, 1);
}

double enuf_type3_rounding(const enuf_nufft_options *o)
{
    return (o->precision == ENUF_FLOAT ? FLT_EPSILON : DBL_EPSILON) *
           (o->backend == ENUF_BACKEND_CUDA ? ROUNDING_GPU : ROUNDING);
}

enuf_type3_errors enuf_type3_error(const enuf_type3_request *r, const enuf_type3_method *m,
                                   const enuf_type3_spreading *spreading)
{
    const enuf_method *inner = &m->transform;
    const double unit = enuf_type3_rounding(r->options);
    enuf_alias_table table;
    double scale[3] = {0}, shift[3] = {0}, edge = 0, phase = 0;
    for (int d = 0; d < r->options->dim; d++) {
        const double step = 2 * M_PI / (double)inner->grid[d];
        edge = fmax(edge, step * (double)m->cells[d] / 2);
        scale[d] = step * m->kappa[d] * r->points->half[d];
        shift[d] = step * ENERGY * sqrt(m->window.width);
        phase = hypot(phase, PHASE * r->points->half[d] * r->targets->half[d]);
    }
    enuf_alias_table_make(&inner->window, edge, &table);
    const enuf_squares cells =
        mean_over(&table, r->options->dim, r->independent_points, r->points, scale, shift);
    const double noise = unit * unit * (cells.noise + 1);
    return (enuf_type3_errors){.aliases = cells.alias * amplified(r, m, &spreading->table, &table),
                               .others = spreading->mean.alias + spreading->mean.noise * noise +
                                         phase * phase};
}

double enuf_type3_narrower(double upsampling)
{
    const double least = 0.7; /* of what the law of prolate windows says: choose.c */
    const double factor = least * exp(M_PI * sqrt(fmax(1 - 1 / upsampling, 0.01)));
    return factor * factor;
}
