/* crystals.c - building crystals; the list is in crystal_list.c. SPDX-License-Identifier:
 * BSD-3-Clause */
#include "crystals.h"

#include "error.h"

#include <string.h>

/* Most cells along a vector; the count of ions does not overflow. */
static const int64_t MOST_CELLS = 100000;

const enuf_crystal *enuf_crystal_find(const char *name)
{
    for (int c = 0; c < enuf_crystal_count(); ++c)
        if (strcmp(enuf_crystal_at(c)->name, name) == 0) return enuf_crystal_at(c);
    return NULL;
}

static void place(const enuf_crystal *crystal, const int64_t index[3], enuf_structure *out,
                  int64_t i)
{
    for (int n = 0; n < crystal->n_ions; ++n, ++i) {
        const enuf_crystal_ion *ion = &crystal->ions[n];
        out->species[i] = ion->species;
        out->charges[i] = crystal->charges[ion->species];
        for (int k = 0; k < 3; ++k) {
            double sum = 0.0;
            for (int d = 0; d < 3; ++d)
                sum += ((double)index[d] + ion->fraction[d]) *
                       (crystal->cell[3 * d + k] * crystal->edge);
            out->positions[3 * i + k] = sum;
        }
    }
}

enuf_status enuf_crystal_build(const enuf_crystal *crystal, int64_t cells, enuf_structure *out)
{
    if (cells < 1 || cells > MOST_CELLS)
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "%s: %lld cells along each edge; 1 to %lld are possible", crystal->name,
                         (long long)cells, (long long)MOST_CELLS);
    int64_t n = crystal->n_ions * cells * cells * cells;
    enuf_structure built;
    ENUF_TRY(enuf_structure_create(n, crystal->n_species, &built));
    built.units = ENUF_UNITS_NATURAL;
    built.units_given = 1;
    for (int k = 0; k < 9; ++k) built.cell[k] = (double)cells * (crystal->cell[k] * crystal->edge);
    for (int s = 0; s < crystal->n_species; ++s)
        enuf_structure_set_name(&built, s, crystal->species[s], strlen(crystal->species[s]));
    int64_t index[3], i = 0;
    for (index[0] = 0; index[0] < cells; ++index[0])
        for (index[1] = 0; index[1] < cells; ++index[1])
            for (index[2] = 0; index[2] < cells; ++index[2], i += crystal->n_ions)
                place(crystal, index, &built, i);
    *out = built;
    return ENUF_SUCCESS;
}

double enuf_crystal_constant(const enuf_crystal *crystal, int64_t cells, double energy)
{
    double n = (double)cells;
    return -energy / (n * n * n * crystal->formula_units * crystal->scale);
}
