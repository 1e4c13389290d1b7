/*
 * choose.c - lattice and parameters of a system of a batch.
 *
 * Pairs cost n * neighbours(cutoff), modes (n + what they cost themselves) * (modes of the half
 * space), for the structure factor and for the atoms. With u = alpha^3 that is A/u + B u, least
 * where u^2 = A/B.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "batch.h"
#include "lattice/cell_geometry.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

/* Most images of an atom and most modes in the boxes that are searched. A cube of 1e5 atoms has
 * fewer; a tenth of a second of a core for each atom. */
static const double MOST_IMAGES = 1e6, MOST_MODES = 4e6;

static double cheapest_alpha(const enuf_ewald_batch *batch, const enuf_batch_system *system)
{
    const double cube = batch->steepness * batch->steepness * batch->steepness;
    const double pairs =
        batch->engine->pair_time * 4 * pi / 3 * (double)system->n / system->volume * cube;
    const double modes = batch->engine->mode_time * (1 + batch->engine->mode_atoms / system->n) *
                         system->volume * 8 * cube / (12 * pi * pi);
    return cbrt(sqrt(pairs / modes));
}

static double length(const double *row)
{
    return sqrt(row[0] * row[0] + row[1] * row[1] + row[2] * row[2]);
}

/* The farthest corner of the cell from its middle. */
static double half_diagonal(const double cell[9])
{
    double most = 0;
    for (int signs = 0; signs < 4; signs++) {
        double corner[3];
        for (int a = 0; a < 3; a++)
            corner[a] =
                cell[a] + (signs & 1 ? 1 : -1) * cell[3 + a] + (signs & 2 ? 1 : -1) * cell[6 + a];
        most = fmax(most, length(corner) / 2);
    }
    return most;
}

/* The boxes around the spheres of modes and of images. Refuses needles and plates. */
static enuf_status find_boxes(enuf_batch_system *system, const double heights[3])
{
    double modes[3], images[3], all_modes = 1, all_images = 1;
    for (int d = 0; d < 3; d++) {
        modes[d] = floor(system->band * length(system->cell + 3 * d) / (2 * pi));
        images[d] = floor(system->cutoff / heights[d] + 0.5);
        all_modes *= 2 * modes[d] + 1;
        all_images *= 2 * images[d] + 1;
    }
    if (!(all_modes <= MOST_MODES && all_images <= MOST_IMAGES))
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "the cell is too thin or too long for its %d atoms: its shortest vectors "
                         "are %g, %g and %g long, and %g modes and %g images would have to be "
                         "searched; at most %g and %g are",
                         system->n, length(system->cell), length(system->cell + 3),
                         length(system->cell + 6), all_modes, all_images, MOST_MODES, MOST_IMAGES);
    for (int d = 0; d < 3; d++) {
        system->modes[d] = (int32_t)modes[d];
        system->images[d] = (int32_t)images[d];
    }
    return ENUF_SUCCESS;
}

enuf_status enuf_batch_choose(const enuf_ewald_batch *batch, const double cell[9],
                              enuf_batch_system *system)
{
    static const int periodic[3] = {1, 1, 1};
    enuf_cell_geometry given, reduced;
    long double rows[9];
    ENUF_TRY(enuf_cell_geometry_make(cell, &given));
    enuf_cell_reduce(cell, periodic, rows);
    for (int k = 0; k < 9; k++) {
        system->cell[k] = (double)rows[k];
        system->cell_low[k] = (double)(rows[k] - system->cell[k]);
    }
    ENUF_TRY(enuf_cell_geometry_make(system->cell, &reduced));
    for (int k = 0; k < 9; k++) system->inverse[k] = reduced.inverse[k];
    system->volume = given.volume;
    system->alpha = cheapest_alpha(batch, system);
    system->cutoff = batch->steepness / system->alpha;
    system->band = 2 * batch->steepness * system->alpha;
    system->reach = (system->cutoff + half_diagonal(system->cell)) * (1 + 1e-12);
    return find_boxes(system, reduced.height);
}
