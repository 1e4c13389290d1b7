/* supercell.c - see supercell.h. SPDX-License-Identifier: BSD-3-Clause */
#include "supercell.h"

#include "error.h"

#include <string.h>

static void copy_ions(const enuf_structure *cell, const int64_t index[3], int64_t begin,
                      enuf_structure *out)
{
    double shift[3] = {0, 0, 0};
    for (int d = 0; d < 3; ++d)
        for (int k = 0; k < 3; ++k) shift[k] += (double)index[d] * cell->cell[3 * d + k];
    for (int64_t i = 0; i < cell->n; ++i) {
        for (int k = 0; k < 3; ++k)
            out->positions[3 * (begin + i) + k] = cell->positions[3 * i + k] + shift[k];
        out->charges[begin + i] = cell->charges[i];
        out->species[begin + i] = cell->species[i];
    }
}

enuf_status cli_make_supercell(int64_t cells, enuf_structure *structure)
{
    if (cells == 1) return ENUF_SUCCESS;
    const double n = (double)cells * (double)cells * (double)cells * (double)structure->n;
    if (n > 1e15) {
        return enuf_fail(ENUF_BAD_ARGUMENT, "--cells %lld: %.2g ions are too many",
                         (long long)cells, n);
    }
    enuf_structure out;
    ENUF_TRY(enuf_structure_create((int64_t)n, structure->n_species, &out));
    out.units = structure->units;
    out.units_given = structure->units_given;
    out.more_frames = structure->more_frames;
    memcpy(out.origin, structure->origin, sizeof out.origin);
    memcpy(out.periodic, structure->periodic, sizeof out.periodic);
    for (int k = 0; k < 9; ++k) out.cell[k] = (double)cells * structure->cell[k];
    memcpy(out.species_names, structure->species_names,
           (size_t)structure->n_species * sizeof *out.species_names);
    int64_t index[3], begin = 0;
    for (index[0] = 0; index[0] < cells; ++index[0])
        for (index[1] = 0; index[1] < cells; ++index[1])
            for (index[2] = 0; index[2] < cells; ++index[2], begin += structure->n)
                copy_ions(structure, index, begin, &out);
    enuf_structure_free(structure);
    *structure = out;
    return ENUF_SUCCESS;
}
