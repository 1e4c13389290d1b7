/* cell_constants.c - see cell_constants.h. SPDX-License-Identifier: BSD-3-Clause */
#include "cell_constants.h"

#include <math.h>
#include <string.h>

static const double PI = 3.141592653589793238;

static double cosine(double degrees) /* exactly 0 at 90 */
{
    return sin((90.0 - degrees) * (PI / 180.0));
}

void enuf_cell_from_constants(const double lengths[3], const double angles[3], double cell[9])
{
    const double ca = cosine(angles[0]), cb = cosine(angles[1]), cg = cosine(angles[2]);
    const double sg = sqrt(1.0 - cg * cg), y = (ca - cb * cg) / sg;
    const double rows[9] = {lengths[0],
                            0.0,
                            0.0,
                            lengths[1] * cg,
                            lengths[1] * sg,
                            0.0,
                            lengths[2] * cb,
                            lengths[2] * y,
                            lengths[2] * sqrt(1.0 - cb * cb - y * y)};
    memcpy(cell, rows, sizeof rows);
}
