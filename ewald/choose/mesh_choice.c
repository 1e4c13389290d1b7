/* mesh_choice.c - see mesh_choice.h. SPDX-License-Identifier: BSD-3-Clause */
#include "mesh_choice.h"
#include "costs.h"
#include "enuf/window.h"

#include <math.h>

/* Fewest cells of an axis for the GPU's kernels with tiles. On smaller grids atomics on few cells
 * wait for each other: spreading and interpolating 1000 ions took 0.17 and 0.16 ms on a grid of
 * 8^3 (H100, November 2026), while the FFT of 32^3 is no slower than that of 8^3. */
static const double LEAST_ON_GPU = ENUF_LEAST_GRID_ON_GPU;

void enuf_mesh_sizes(const enuf_choice_request *request, double k_c, double factor, enuf_mesh *mesh)
{
    const int64_t *given = request->options->grid;
    enuf_modes_of_sphere(request->cell, k_c, mesh->modes);
    for (int d = 0; d < 3; d++) {
        double least =
            fmax(ceil(factor * (double)mesh->modes[d] * (1 - 1e-12)), (double)mesh->modes[d] + 1);
        if (request->costs->backend == ENUF_BACKEND_CUDA) least = fmax(least, LEAST_ON_GPU);
        mesh->grid[d] = given[d] > 0 ? given[d] : enuf_cheapest_grid(request, (int64_t)least);
    }
}

double enuf_band_of_grid(const enuf_choice_request *request, double factor)
{
    const double two_pi = 6.283185307179586476925, just_below = 1 - 1e-6;
    double band = HUGE_VAL;
    for (int d = 0; d < 3; d++) {
        const double given = (double)request->options->grid[d];
        if (given == 0) continue;
        /* modes 2 m + 1 */
        const double m = fmax(floor((fmin(given / factor, given - 1) - 1) / 2), 0);
        band = fmin(band, just_below * two_pi * (m + 1) / request->cell->length[d]);
    }
    return band;
}

int enuf_mesh_holds_modes(const enuf_mesh *mesh)
{
    for (int d = 0; d < 3; d++)
        if (mesh->grid[d] < mesh->modes[d] + 1) return 0;
    return 1;
}

/* Smallest upsampling of the three axes. */
static double upsampling(const enuf_mesh *mesh)
{
    double factor = HUGE_VAL;
    for (int d = 0; d < 3; d++)
        factor = fmin(factor, (double)mesh->grid[d] / (double)mesh->modes[d]);
    return factor;
}

static double digits_of(const enuf_split_choice *choice)
{
    return -log10(fmin(choice->mesh_budget, 0.5));
}

int enuf_mesh_likely_width(const enuf_choice_request *request, const enuf_split_choice *choice,
                           const enuf_mesh *mesh)
{
    if (request->options->width > 0) return request->options->width;
    double factor = fmin(fmax(upsampling(mesh), 1.05), 4);
    double width = digits_of(choice) * (0.8 + 0.25 / factor) + 1.6 + 1.2 / (factor * factor);
    return (int)fmin(fmax(ceil(width), 3), ENUF_MAX_WIDTH);
}

/* Data that all meshes of a splitting share. */
typedef struct mesh_search {
    const enuf_choice_request *request;
    const enuf_split_choice *choice;
    enuf_influence_table influence;
    double ratio; /* best shape over default shape, at the last width; 0: none yet */
} mesh_search;

/* Aliasing, self-force and rounding; small upsampling amplifies rounding. Correlation of the
 * charges changes only the first, so the others are divided by the error scale in the budget. */
static enuf_status mesh_error(const mesh_search *search, const enuf_mesh *mesh, int samples,
                              double *error)
{
    const enuf_choice_request *request = search->request;
    enuf_mesh_errors of;
    ENUF_TRY(enuf_mesh_error(request->cell, &search->influence, mesh,
                             enuf_grid_rounding(request, mesh->width), samples, &of));
    double fixed = hypot(of.own * sqrt(request->concentration), of.rounding);
    *error = hypot(of.aliasing / enuf_room_for_deviation(of.scatter), fixed / request->error_scale);
    return ENUF_SUCCESS;
}

/*
 * The shape of least error for a width, by golden section on its ratio to the default shape. Modes
 * near the edge of the sphere have little weight, so the ratio is above 1. It changes little from
 * width to width.
 */
static enuf_status choose_shape(mesh_search *search, enuf_mesh *mesh, double *error)
{
    const double golden = 0.381966011250105;
    const enuf_ewald_options *o = search->request->options;
    double usual = enuf_window_shape(mesh->window, mesh->width, fmin(upsampling(mesh), 4));
    int fixed = o->shape > 0 || mesh->window == ENUF_WINDOW_BSPLINE ||
                mesh->window == ENUF_WINDOW_SINC_POWER;
    mesh->shape = o->shape > 0 ? o->shape : usual;
    double lo = search->ratio > 0 ? search->ratio - 0.07 : 0.9;
    double hi = search->ratio > 0 ? search->ratio + 0.07 : 1.5;
    hi = fmin(hi, ENUF_MAX_SHAPE / usual);
    lo = fmin(lo, hi);
    double x[2] = {lo + golden * (hi - lo), hi - golden * (hi - lo)}, e[2];
    for (int k = 0; k < 2 && !fixed; k++) {
        mesh->shape = usual * x[k];
        ENUF_TRY(mesh_error(search, mesh, ENUF_MESH_COARSE, &e[k]));
    }
    while (!fixed && hi - lo > 0.04) {
        int left = e[0] < e[1]; /* the minimum lies left of x[1] */
        if (left) {
            hi = x[1];
            x[1] = x[0];
            e[1] = e[0];
            x[0] = lo + golden * (hi - lo);
        } else {
            lo = x[0];
            x[0] = x[1];
            e[0] = e[1];
            x[1] = hi - golden * (hi - lo);
        }
        mesh->shape = usual * x[left ? 0 : 1];
        ENUF_TRY(mesh_error(search, mesh, ENUF_MESH_COARSE, &e[left ? 0 : 1]));
    }
    if (!fixed) search->ratio = x[e[0] < e[1] ? 0 : 1];
    if (!fixed) mesh->shape = usual * search->ratio;
    return mesh_error(search, mesh, ENUF_MESH_FINE, error);
}

/* Wider windows than *mesh until one fits or rounding stops the error from falling. */
static enuf_status widen(mesh_search *search, double error, enuf_mesh *mesh, int *fits)
{
    enuf_mesh trial = *mesh;
    while (!*fits && trial.width < ENUF_MAX_WIDTH && trial.width < mesh->width + 3) {
        double wider;
        trial.width++;
        ENUF_TRY(choose_shape(search, &trial, &wider));
        *fits = wider <= search->choice->mesh_budget;
        if (wider >= error) continue;
        error = wider;
        *mesh = trial;
    }
    return ENUF_SUCCESS;
}

/* Narrower windows than *mesh, which fits, while they fit too. */
static enuf_status narrow(mesh_search *search, enuf_mesh *mesh)
{
    for (enuf_mesh trial = *mesh; trial.width > 3; *mesh = trial) {
        double error;
        trial.width--;
        ENUF_TRY(choose_shape(search, &trial, &error));
        if (error > search->choice->mesh_budget) break;
    }
    return ENUF_SUCCESS;
}

enuf_status enuf_choose_mesh(const enuf_choice_request *request, const enuf_split_choice *choice,
                             const enuf_splitting *splitting, enuf_mesh *mesh, int *fits)
{
    double error;
    mesh_search search = {.request = request, .choice = choice};
    enuf_influence_tabulate(splitting, choice->k_c, request->structure_factor, &search.influence);
    mesh->window = request->options->window;
    mesh->width = enuf_mesh_likely_width(request, choice, mesh);
    ENUF_TRY(choose_shape(&search, mesh, &error));
    *fits = error <= choice->mesh_budget;
    if (request->options->width > 0) return ENUF_SUCCESS;
    return *fits ? narrow(&search, mesh) : widen(&search, error, mesh, fits);
}
