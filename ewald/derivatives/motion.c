/* motion.c - see motion.h. SPDX-License-Identifier: BSD-3-Clause */
#include "motion.h"
#include "object/ewald_object.h"

enuf_motion enuf_motion_of(const enuf_ewald *ewald, const double *positions, int64_t stride,
                           const enuf_ewald_direction *direction)
{
    const double *g = direction->cell;
    enuf_motion m = {.positions = positions,
                     .stride = stride,
                     .displacements = direction->positions,
                     .charges = direction->charges,
                     .moves = direction->positions || g,
                     .strains = g != NULL};
    if (!g) return m;
    long double cell[9], inverse[9];
    for (int k = 0; k < 9; k++) cell[k] = ewald->cell[k];
    enuf_invert_3x3(cell, inverse);
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            m.strain[3 * a + b] = (double)(inverse[3 * a] * g[b] + inverse[3 * a + 1] * g[3 + b] +
                                           inverse[3 * a + 2] * g[6 + b]);
    m.trace = m.strain[0] + m.strain[4] + m.strain[8];
    return m;
}
