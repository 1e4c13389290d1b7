/* cell_shape.c - see cell_shape.h. SPDX-License-Identifier: BSD-3-Clause */
#include "cell_shape.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

/* The array of modes holds the box around the sphere |k| <= k_c. In a compact cell the box has
 * twice the modes of the sphere, or a few. An evaluation of MOST_MODES takes about a second of a
 * core. */
static const double MOST_MODES = 2e6, MOST_TIMES_THE_SPHERE = 1000;

/* Lattice lines within a cutoff, which the pair loop visits for each ion: 3e4 if the cutoff is a
 * hundred edges of a cube. */
static const double MOST_LINES = 1e5;

static const char *of_slab(const enuf_choice_request *request)
{
    return request->options->slab > 0 ? ", extended for the slab," : "";
}

static enuf_status refuse(const enuf_choice_request *request, const char *why, double many)
{
    const enuf_cell_geometry *cell = request->cell;
    return enuf_fail(ENUF_BAD_ARGUMENT,
                     "the cell%s is too thin or too long for its %lld charges: its shortest "
                     "vectors are %g, %g and %g long, %g, %g and %g apart, and %g %s",
                     of_slab(request), (long long)request->n_charged, cell->length[0],
                     cell->length[1], cell->length[2], cell->height[0], cell->height[1],
                     cell->height[2], many, why);
}

enuf_status enuf_check_shape(const enuf_choice_request *request, double cutoff, double k_c)
{
    const enuf_cell_geometry *cell = request->cell;
    double box = 1, thinnest = HUGE_VAL;
    for (int d = 0; d < 3; d++) {
        box *= 2 * floor(k_c * cell->length[d] / (2 * pi)) + 1;
        thinnest = fmin(thinnest, cell->height[d] * cell->height[(d + 1) % 3]);
    }
    /* modes of the volume that the charges fill, without the extension of a slab, which may be so
     * large that a limit from it would refuse nothing */
    const double sphere = request->volume * k_c * k_c * k_c / (6 * pi * pi);
    if (box > MOST_MODES && box > MOST_TIMES_THE_SPHERE * (sphere + 1))
        return refuse(request, "modes would have to be summed", box);
    const double lines = pi * cutoff * cutoff / thinnest;
    if (lines > MOST_LINES) return refuse(request, "images of an ion within the cutoff", lines);
    return ENUF_SUCCESS;
}
