/* cell.c - the cell of an Ewald object. SPDX-License-Identifier: BSD-3-Clause */
#include "ewald_object.h"

#include <math.h>
#include <string.h>

/* EW3DC knows one open direction, z: a and b have to span the xy plane and c to stand on it. */
static enuf_status extend(const double cell[9], double factor, double extended[9])
{
    double largest = 0;
    for (int k = 0; k < 9; k++) largest = fmax(largest, fabs(cell[k]));
    const double rounding = 1e-12 * largest;
    if (fabs(cell[2]) > rounding || fabs(cell[5]) > rounding || fabs(cell[6]) > rounding ||
        fabs(cell[7]) > rounding)
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "a slab needs a and b in the xy plane and c along z (tilt xy only), but "
                         "a_z = %g, b_z = %g, c_x = %g, c_y = %g",
                         cell[2], cell[5], cell[6], cell[7]);
    memcpy(extended, cell, 9 * sizeof *extended);
    for (int d = 6; d < 9; d++) extended[d] *= factor;
    return ENUF_SUCCESS;
}

static enuf_status set_cell(enuf_ewald *ewald, const double cell[9])
{
    enuf_cell_geometry given, summed;
    ENUF_TRY(enuf_ewald_check_idle(ewald));
    if (!cell) return enuf_fail(ENUF_BAD_ARGUMENT, "cell is NULL: it has to hold rows a, b, c");
    ENUF_TRY(enuf_cell_geometry_make(cell, &given));
    summed = given;
    if (ewald->options.slab > 0) {
        double extended[9];
        ENUF_TRY(extend(cell, ewald->options.slab, extended));
        ENUF_TRY(enuf_cell_geometry_make(extended, &summed));
    }
    if (ewald->has_cell && memcmp(cell, ewald->cell, sizeof ewald->cell) == 0) return ENUF_SUCCESS;
    memcpy(ewald->cell, cell, sizeof ewald->cell);
    ewald->volume = given.volume;
    ewald->geometry = summed;
    enuf_lattice_make(summed.cell, &ewald->lattice);
    ewald->has_cell = 1;
    ewald->stale = 1;
    return ENUF_SUCCESS;
}

enuf_status enuf_ewald_set_cell(enuf_ewald *ewald, const double cell[9])
{
    return enuf_named(set_cell(ewald, cell), __func__);
}
