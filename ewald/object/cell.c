/* cell.c - the cell of an Ewald object. SPDX-License-Identifier: BSD-3-Clause */
#include "calls.h"

#include <math.h>
#include <string.h>

/* EW3DC is open along z: a and b have to span the xy plane, c has to be perpendicular to it. */
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

/* With an explicit grid the vectors stay as given. */
static int keeps_basis(const enuf_ewald_options *o)
{
    return o->grid[0] > 0 || o->grid[1] > 0 || o->grid[2] > 0;
}

/* The cell that is summed: extended for a slab, in the shortest vectors of its lattice. The
 * vectors of the cell before are kept while they are about as short, so that parameters and
 * predictions do not jump. */
static enuf_status find_summed(const enuf_ewald *ewald, const double cell[9],
                               enuf_cell_geometry *summed)
{
    const enuf_ewald_options *o = &ewald->options;
    const int is_slab = o->slab > 0, n = is_slab ? 2 : 3;
    double extended[9], basis[9];
    memcpy(extended, cell, sizeof extended);
    if (is_slab) ENUF_TRY(extend(cell, o->slab, extended));
    if (keeps_basis(o)) return enuf_cell_geometry_make(extended, summed);
    if (ewald->has_cell)
        enuf_cell_steady_basis(extended, n, ewald->geometry.cell, basis);
    else
        enuf_cell_shortest_basis(extended, n, basis);
    return enuf_cell_geometry_make(basis, summed);
}

enuf_status enuf_alone_set_cell(enuf_ewald *ewald, const double cell[9])
{
    enuf_cell_geometry given, summed;
    if (!cell) return enuf_fail(ENUF_BAD_ARGUMENT, "cell is NULL: it has to hold rows a, b, c");
    ENUF_TRY(enuf_cell_geometry_make(cell, &given));
    if (ewald->has_cell && memcmp(cell, ewald->cell, sizeof ewald->cell) == 0) return ENUF_SUCCESS;
    ENUF_TRY(find_summed(ewald, cell, &summed));
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
    ENUF_CALL(ewald, set_cell, (ewald, cell));
}
