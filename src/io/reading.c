/* reading.c - what the readers share; see reading.h. SPDX-License-Identifier: BSD-3-Clause */
#include "reading.h"

#include "error.h"
#include "memory.h"

#include <math.h>
#include <string.h>

/* Volume over the product of the edges: below it, positions lose more than half of their digits. */
static const double FLATTEST_CELL = 1e-8;

enuf_status enuf_reading_create(int64_t n, int32_t n_species, enuf_reading *reading)
{
    ENUF_TRY(enuf_structure_create(n, n_species, &reading->ions));
    reading->ions.units = ENUF_UNITS_METAL;
    ENUF_TRY(enuf_allocate(&reading->first_lines, n_species, sizeof(int64_t), "species"));
    memset(reading->first_lines, 0, (size_t)n_species * sizeof(int64_t));
    return ENUF_SUCCESS;
}

void enuf_reading_free(enuf_reading *reading)
{
    enuf_structure_free(&reading->ions);
    enuf_release(&reading->first_lines);
}

static double length(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

enuf_status enuf_reading_check_cell(const enuf_text *text, int64_t line, const double cell[9])
{
    enuf_structure box = {0};
    memcpy(box.cell, cell, sizeof box.cell);
    double volume = enuf_structure_volume(&box);
    double edges = length(cell) * length(cell + 3) * length(cell + 6);
    if (volume > FLATTEST_CELL * edges && isfinite(volume) && isfinite(edges)) return ENUF_SUCCESS;
    return enuf_text_fail(text, line,
                          "the cell has no volume: a = (%g, %g, %g), b = (%g, %g, %g), "
                          "c = (%g, %g, %g)",
                          cell[0], cell[1], cell[2], cell[3], cell[4], cell[5], cell[6], cell[7],
                          cell[8]);
}
