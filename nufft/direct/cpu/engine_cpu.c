/*
 * engine_cpu.c - direct sums on the CPU. Pixels on a grid without maps are a lattice, whose phase
 * separates; all others are pairs. SPDX-License-Identifier: BSD-3-Clause
 */
#include "memory.h"
#include "sides.h"

#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

typedef struct workspace {
    enuf_direct_copies samples, pixels; /* of pixels on a grid no places, until pairs need them */
    int on_grid;
    enuf_direct_grid grid;
    double *nodes; /* places along the axes of the grid */
    double voxel[3];
    enuf_direct_sides sides;
} workspace;

static workspace *workspace_of(const enuf_direct *sums)
{
    return sums->workspace;
}

static enuf_status create(enuf_direct *sums)
{
    workspace *w;
    ENUF_TRY(enuf_allocate(&w, 1, sizeof *w, "a workspace"));
    memset(w, 0, sizeof *w);
    sums->workspace = w;
    return ENUF_SUCCESS;
}

static void destroy(enuf_direct *sums)
{
    workspace *w = workspace_of(sums);
    if (!w) return;
    enuf_direct_release_sides(&w->sides);
    enuf_direct_release_copies(&w->samples);
    enuf_direct_release_copies(&w->pixels);
    enuf_release(&w->nodes);
    enuf_release(&sums->workspace);
}

/* ---- What the caller sets ---- */

/* Takes the place of `copies` if it was made, and is freed if not. */
static enuf_status take(workspace *w, enuf_status status, enuf_direct_copies *made,
                        enuf_direct_copies *copies)
{
    if (status != ENUF_SUCCESS) {
        enuf_direct_release_copies(made);
        return status;
    }
    enuf_direct_release_sides(&w->sides);
    enuf_direct_release_copies(copies);
    *copies = *made;
    return ENUF_SUCCESS;
}

static enuf_status set_samples(enuf_direct *sums, const enuf_direct_points *places,
                               const double *times)
{
    workspace *w = workspace_of(sums);
    enuf_direct_copies made = {0};
    return take(w, enuf_direct_copy_places(sums->options.dim, places, times, &made), &made,
                &w->samples);
}

static enuf_status set_pixels(enuf_direct *sums, const enuf_direct_points *places)
{
    workspace *w = workspace_of(sums);
    enuf_direct_copies made = {0};
    ENUF_TRY(take(w, enuf_direct_copy_places(sums->options.dim, places, NULL, &made), &made,
                  &w->pixels));
    memset(w->voxel, 0, sizeof w->voxel);
    w->on_grid = 0;
    return ENUF_SUCCESS;
}

static enuf_status set_pixel_grid(enuf_direct *sums, const enuf_direct_grid *grid)
{
    workspace *w = workspace_of(sums);
    const int64_t *counts = grid->counts;
    enuf_direct_copies made = {.places = {.n = counts[0] * counts[1] * counts[2]}};
    double *nodes, *at;
    ENUF_TRY(
        enuf_allocate(&nodes, counts[0] + counts[1] + counts[2], sizeof(double), "pixels of axes"));
    at = nodes;
    for (int d = 0; d < 3; ++d)
        for (int64_t i = 0; i < counts[d]; ++i) *at++ = enuf_direct_node(grid, d, i);
    enuf_release(&w->nodes);
    w->nodes = nodes;
    w->grid = *grid;
    w->on_grid = 1;
    memset(w->voxel, 0, sizeof w->voxel);
    return take(w, ENUF_SUCCESS, &made, &w->pixels);
}

static enuf_status set_field(enuf_direct *sums, const enuf_direct_field *field)
{
    workspace *w = workspace_of(sums);
    enuf_direct_copies made = {0};
    const enuf_status status = enuf_direct_copy_field(sums->n_pixels, field, &made);
    if (status != ENUF_SUCCESS) {
        enuf_direct_release_field(&made);
        return status;
    }
    enuf_direct_release_sides(&w->sides);
    enuf_direct_release_field(&w->pixels);
    w->pixels.omega = made.omega;
    w->pixels.decay = made.decay;
    memcpy(w->pixels.gradient, made.gradient, sizeof made.gradient);
    memcpy(w->voxel, field->voxel, sizeof w->voxel);
    return ENUF_SUCCESS;
}

/* ---- The mean over a voxel without gradients: a factor of the sample ---- */

static double sinc(double x)
{
    if (fabs(x) < 0x1p-30) return 1;
    const double whole = rint(x), sine = sin(PI * (x - whole));
    return (fmod(whole, 2) == 0 ? sine : -sine) / (PI * x);
}

/* 1 if the mean over a voxel depends on the sample alone. */
static int voxel_separates(const workspace *w)
{
    return w->voxel[0] > 0 && !w->pixels.gradient[0];
}

/* to[b][j] = from[b][j] times the mean over a voxel at sample j; they may be the same array. */
static void multiply_by_voxel(const enuf_direct *sums, const void *from, void *to)
{
    const workspace *w = workspace_of(sums);
    const int64_t n = sums->n_samples;
    for (int64_t j = 0; j < n; ++j) {
        double mean = 1;
        for (int d = 0; d < sums->options.dim; ++d)
            mean *= sinc(w->samples.places.x[d][j] * w->voxel[d]);
        for (int64_t b = 0; b < 2 * sums->options.batch; ++b) {
            const int64_t at = 2 * (b / 2 * n + j) + b % 2;
            if (sums->options.precision == ENUF_FLOAT)
                ((float *)to)[at] = (float)(mean * (double)((const float *)from)[at]);
            else
                ((double *)to)[at] = mean * ((const double *)from)[at];
        }
    }
}

/* ---- Sums over pairs ---- */

/* What the sums over pairs read, made when it is missing. */
static enuf_status make_sides(const enuf_direct *sums)
{
    workspace *w = workspace_of(sums);
    if (w->sides.made) return ENUF_SUCCESS;
    if (w->on_grid && !w->pixels.coordinates) {
        enuf_direct_copies made = {0};
        const enuf_status status = enuf_direct_copy_grid(sums->options.dim, &w->grid, &made);
        if (status != ENUF_SUCCESS) return status;
        w->pixels.places = made.places;
        w->pixels.coordinates = made.coordinates;
    }
    return enuf_direct_make_sides(sums, &w->samples, &w->pixels, w->voxel, &w->sides);
}

/* `voxel`: as a factor of the pairs. */
static enuf_status pairs_of(const enuf_direct *sums, int voxel, enuf_pair_sum *pairs)
{
    const workspace *w = workspace_of(sums);
    ENUF_TRY(make_sides(sums));
    *pairs = (enuf_pair_sum){
        .dim = sums->options.dim, .batch = sums->options.batch, .threads = sums->threads};
    if (w->pixels.omega) pairs->terms |= ENUF_TERM_FIELD;
    if (w->pixels.decay) pairs->terms |= ENUF_TERM_FIELD | ENUF_TERM_DECAY;
    if (voxel) pairs->terms |= ENUF_TERM_FIELD | ENUF_TERM_VOXEL;
    memcpy(pairs->unit, w->sides.unit, sizeof pairs->unit);
    memcpy(pairs->edge, w->voxel, sizeof pairs->edge);
    return ENUF_SUCCESS;
}

static enuf_status forward_pairs(const enuf_direct *sums, const void *image, void *values,
                                 void *gradients)
{
    const workspace *w = workspace_of(sums);
    enuf_pair_sum pairs;
    const int factor = voxel_separates(w) && !gradients;
    ENUF_TRY(pairs_of(sums, w->voxel[0] > 0 && !factor, &pairs));
    pairs.sign = sums->options.sign;
    pairs.to = w->sides.samples;
    pairs.from = w->sides.pixels;
    pairs.input = image;
    pairs.output = values;
    pairs.slopes = gradients;
    enuf_direct_kernels_find(sums->isa)->sum_pairs[sums->options.precision](&pairs);
    if (factor) multiply_by_voxel(sums, values, values);
    return ENUF_SUCCESS;
}

static enuf_status adjoint_pairs(const enuf_direct *sums, const void *values, void *image)
{
    const workspace *w = workspace_of(sums);
    enuf_pair_sum pairs;
    ENUF_TRY(pairs_of(sums, w->voxel[0] > 0 && !voxel_separates(w), &pairs));
    pairs.sign = -sums->options.sign;
    pairs.to = w->sides.pixels;
    pairs.from = w->sides.samples;
    pairs.input = values;
    pairs.output = image;
    enuf_direct_kernels_find(sums->isa)->sum_pairs[sums->options.precision](&pairs);
    return ENUF_SUCCESS;
}

/* ---- Sums over a lattice ---- */

static int is_lattice(const workspace *w)
{
    return w->on_grid && !w->pixels.omega && !w->pixels.decay && !w->pixels.gradient[0];
}

static enuf_lattice lattice_of(const enuf_direct *sums, int sign)
{
    const workspace *w = workspace_of(sums);
    enuf_lattice lattice = {.dim = sums->options.dim,
                            .sign = sign,
                            .batch = sums->options.batch,
                            .threads = sums->threads,
                            .nodes = sums->n_pixels,
                            .samples = w->samples.places};
    const double *at = w->nodes;
    for (int d = 0; d < 3; at += lattice.n[d++]) {
        lattice.n[d] = w->grid.counts[d];
        lattice.position[d] = at;
    }
    return lattice;
}

/* Slopes sum r_d m exp(sign 2 pi i k . r), times sign 2 pi i. */
static void slopes_to_gradients(const enuf_direct *sums, void *slopes)
{
    const double unit = 2 * PI * sums->options.sign;
    const int64_t count = sums->options.batch * sums->n_samples * sums->options.dim;
    for (int64_t at = 0; at < count; ++at)
        if (sums->options.precision == ENUF_FLOAT) {
            float *slope = (float *)slopes + 2 * at, re = slope[0];
            slope[0] = (float)(-unit * (double)slope[1]);
            slope[1] = (float)(unit * (double)re);
        } else {
            double *slope = (double *)slopes + 2 * at, re = slope[0];
            slope[0] = -unit * slope[1];
            slope[1] = unit * re;
        }
}

static enuf_status forward(enuf_direct *sums, const void *image, void *values, void *gradients)
{
    const workspace *w = workspace_of(sums);
    if (!is_lattice(w) || (voxel_separates(w) && gradients))
        return forward_pairs(sums, image, values, gradients);
    const enuf_lattice lattice = lattice_of(sums, sums->options.sign);
    ENUF_TRY(enuf_direct_kernels_find(sums->isa)->lattice_forward[sums->options.precision](
        &lattice, image, values, gradients));
    if (voxel_separates(w)) multiply_by_voxel(sums, values, values);
    if (gradients) slopes_to_gradients(sums, gradients);
    return ENUF_SUCCESS;
}

static enuf_status adjoint_of(const enuf_direct *sums, const void *values, void *image)
{
    const workspace *w = workspace_of(sums);
    if (!is_lattice(w)) return adjoint_pairs(sums, values, image);
    const enuf_lattice lattice = lattice_of(sums, -sums->options.sign);
    return enuf_direct_kernels_find(sums->isa)->lattice_adjoint[sums->options.precision](
        &lattice, values, image);
}

static enuf_status adjoint(enuf_direct *sums, const void *values, void *image)
{
    void *weighted;
    if (!voxel_separates(workspace_of(sums))) return adjoint_of(sums, values, image);
    ENUF_TRY(enuf_allocate(&weighted, sums->options.batch * sums->n_samples,
                           2 * enuf_direct_number_size(sums),
                           "values times the mean over a voxel"));
    multiply_by_voxel(sums, values, weighted);
    const enuf_status status = adjoint_of(sums, weighted, image);
    enuf_release(&weighted);
    return status;
}

/* Data in host memory are checked before and after each call. */
static enuf_status check(enuf_direct *sums, int64_t *first_bad)
{
    (void)sums;
    (void)first_bad;
    return ENUF_SUCCESS;
}

const enuf_direct_engine enuf_direct_engine_cpu = {
    .create = create,
    .destroy = destroy,
    .set_samples = set_samples,
    .set_pixels = set_pixels,
    .set_pixel_grid = set_pixel_grid,
    .set_field = set_field,
    .forward = forward,
    .adjoint = adjoint,
    .check = check,
};
