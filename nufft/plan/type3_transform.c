/* type3_transform.c - see type3_transform.h. SPDX-License-Identifier: BSD-3-Clause */
#include "type3_transform.h"

#include <math.h>

/* Upsamplings: cells of the fine grid for each that the points reach. */
static const double UPSAMPLINGS[] = {1.15, 1.2, 1.25, 1.3, 1.35, 1.42, 1.5, 1.6, 1.75, 2};

/* Shapes of windows are those of whole parts of an upsampling: fewer windows are made. */
static const double PARTS = 40;

/* Cells beyond the outermost point that hold the energy of its window of width w, over the root of
 * w. */
static const double REACH = 0.5;

/* Of the tolerance, that of the polynomials, which hold their error below a small part of it. */
static const double POLYNOMIALS = 0.5;

/* Of the tolerance, where the search of a width begins. */
static const double EXPECTED_SHARE = 0.3;

/* Nanoseconds of a core for a byte of both grids: they are made anew with each set of targets,
 * cleared and amplified (2D, 1800^2 cells at 0.03 points a cell; Xeon, Sapphire Rapids class,
 * November 2026). */
static const double FRESH_BYTE = 0.3;

static double upsampling_of(int k)
{
    return k < (int)(sizeof UPSAMPLINGS / sizeof *UPSAMPLINGS) ? UPSAMPLINGS[k] : 0;
}

/* Options of a plan whose modes are the cells, with so many points. */
static enuf_nufft_options of_cells(const enuf_nufft_options *o, int64_t n,
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
    inner.density = fmax((double)n, 1) / modes;
    return inner;
}

double enuf_type3_plan_tolerance(const enuf_nufft_options *o, double tolerance)
{
    const double least = o->precision == ENUF_FLOAT ? 1e-6 : 1e-14; /* options.c */
    return fmax(fmin(tolerance, 0.1), least);
}

/* Cells along an axis that an upsampling counts. */
static double cells_reached(const enuf_type3_request *r, const enuf_type3_method *m, int d)
{
    const double cells = (double)m->cells[d];
    const double window = 2 * REACH * sqrt(m->window.width);
    return fmin(fmax(2 * m->kappa[d] * r->points->half[d] + window, 1), cells);
}

/* The fine grid for an upsampling of the cells that the points reach. Returns its least one. */
static double set_grid(const enuf_type3_request *r, double factor, enuf_type3_method *m)
{
    double least = HUGE_VAL;
    m->transform.upsampling = HUGE_VAL;
    for (int d = 0; d < 3; d++) {
        m->transform.grid[d] = 1;
        if (d >= r->options->dim) continue;
        const double reached = cells_reached(r, m, d);
        const int64_t wanted = (int64_t)ceil(factor * reached);
        m->transform.grid[d] = enuf_fft_size(wanted > m->cells[d] ? wanted : m->cells[d] + 1);
        const double grid = (double)m->transform.grid[d];
        m->transform.upsampling = fmin(m->transform.upsampling, grid / (double)m->cells[d]);
        least = fmin(least, grid / reached);
    }
    return floor(PARTS * fmin(least, 4)) / PARTS;
}

/* Of the cells and of the fine grid. */
static double bytes_of(const enuf_nufft_options *o, const enuf_type3_method *m)
{
    double cells = 1, grid = 1;
    for (int d = 0; d < 3; d++) {
        cells *= (double)m->cells[d];
        grid *= (double)m->transform.grid[d];
    }
    return (o->precision == ENUF_FLOAT ? 8 : 16) * (cells + grid);
}

/* Interpolation over spreading, on a CPU: tiles are not added to the grid, and cells not written.
 */
static const double INTERPOLATION = 0.6;

static double cost_of(const enuf_type3_request *r, const enuf_type3_method *m)
{
    const enuf_nufft_options of_points = of_cells(r->options, r->n_points, m);
    const enuf_nufft_options of_targets = of_cells(r->options, r->n_targets, m);
    const int cuda = r->options->backend == ENUF_BACKEND_CUDA;
    enuf_method spreading = {.window.width = m->window.width};
    for (int d = 0; d < 3; d++) spreading.grid[d] = m->cells[d];
    const double less =
        cuda ? 0 : (1 - INTERPOLATION) * enuf_spreading_cost(&of_targets, &m->transform);
    return enuf_spreading_cost(&of_points, &spreading) +
           enuf_method_cost(&of_targets, &m->transform) - less +
           (cuda ? 0 : FRESH_BYTE * bytes_of(r->options, m));
}

static int expected_width(const enuf_type3_request *r, double upsampling)
{
    return enuf_expected_width(EXPECTED_SHARE * r->options->tolerance, upsampling);
}

double enuf_type3_expected_cost(const enuf_type3_request *r, const enuf_type3_method *m, int factor)
{
    const double upsampling = upsampling_of(factor);
    enuf_type3_method trial;
    if (upsampling == 0) return HUGE_VAL;
    trial.window.width = m->window.width;
    for (int d = 0; d < 3; d++) {
        trial.cells[d] = m->cells[d];
        trial.kappa[d] = m->kappa[d];
    }
    const double shape = set_grid(r, upsampling, &trial);
    trial.transform.window.width = expected_width(r, shape);
    return cost_of(r, &trial);
}

/* The errors with a width; HUGE_VAL: no such window. */
static enuf_type3_errors errors_with(const enuf_type3_request *r,
                                     const enuf_type3_spreading *spreading, double upsampling,
                                     int width, enuf_type3_method *m)
{
    enuf_window_form *window = &m->transform.window;
    enuf_type3_errors errors = {HUGE_VAL, 0};
    if (enuf_window_form_make(r->options->window, width, 0, upsampling, window) == ENUF_SUCCESS)
        errors = enuf_type3_error(r, m, spreading);
    m->error = sqrt(errors.aliases + errors.others);
    return errors;
}

/* The narrowest window that serves and costs less than `most`; 0: none. */
static int choose_width(const enuf_type3_request *r, const enuf_type3_spreading *spreading,
                        double upsampling, double most, enuf_type3_method *m)
{
    const double whole = r->options->tolerance * r->options->tolerance;
    const int expected = expected_width(r, upsampling);
    enuf_type3_errors errors = {0, 0};
    int width = expected;
    for (;; width++) {
        m->transform.window.width = width;
        if (width > ENUF_MAX_WIDTH || cost_of(r, m) >= most) return 0;
        errors = errors_with(r, spreading, upsampling, width, m);
        if (errors.aliases + errors.others <= whole) break;
        if (errors.others > whole) return 0;
    }
    while (width > 2 && width <= expected &&
           errors.aliases * enuf_type3_narrower(upsampling) + errors.others <= whole) {
        enuf_type3_method narrower = *m;
        errors = errors_with(r, spreading, upsampling, --width, &narrower);
        if (errors.aliases + errors.others > whole) break;
        *m = narrower;
    }
    return m->transform.window.width;
}

double enuf_type3_choose_transform(const enuf_type3_request *r,
                                   const enuf_type3_spreading *spreading, int factor, double most,
                                   enuf_type3_method *m)
{
    const enuf_nufft_options *o = r->options;
    const double upsampling = set_grid(r, upsampling_of(factor), m);
    if (choose_width(r, spreading, upsampling, most, m) == 0) return HUGE_VAL;
    double spectrum =
        o->precision == ENUF_FLOAT ? 8 : 16; /* of the type 2: as many modes as cells */
    for (int d = 0; d < 3; d++) spectrum *= (double)m->cells[d];
    m->tolerance = enuf_type3_plan_tolerance(o, POLYNOMIALS * o->tolerance);
    m->bytes = bytes_of(o, m) + spectrum;
    return cost_of(r, m);
}
