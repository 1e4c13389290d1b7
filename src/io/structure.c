/* structure.c - see structure.h. SPDX-License-Identifier: BSD-3-Clause */
#include "structure.h"

#include "memory.h"

#include <math.h>
#include <string.h>

static enuf_status zeros(void *pointer, int64_t count, size_t size, const char *what)
{
    ENUF_TRY(enuf_allocate(pointer, count, size, what));
    void *block;
    memcpy(&block, pointer, sizeof block);
    memset(block, 0, (size_t)count * size);
    return ENUF_SUCCESS;
}

static enuf_status fill(enuf_structure *structure, int64_t n, int32_t n_species)
{
    ENUF_TRY(zeros(&structure->positions, n, 3 * sizeof(double), "positions"));
    ENUF_TRY(zeros(&structure->charges, n, sizeof(double), "charges"));
    ENUF_TRY(zeros(&structure->species, n, sizeof(int32_t), "species"));
    ENUF_TRY(zeros(&structure->species_names, n_species, ENUF_SPECIES_SIZE, "names of species"));
    structure->n = n;
    structure->n_species = n_species;
    for (int d = 0; d < 3; ++d) structure->periodic[d] = 1;
    return ENUF_SUCCESS;
}

enuf_status enuf_structure_create(int64_t n, int32_t n_species, enuf_structure *structure)
{
    memset(structure, 0, sizeof *structure);
    enuf_status status = fill(structure, n, n_species);
    if (status != ENUF_SUCCESS) enuf_structure_free(structure);
    return status;
}

void enuf_structure_free(enuf_structure *structure)
{
    enuf_release(&structure->positions);
    enuf_release(&structure->charges);
    enuf_release(&structure->species);
    enuf_release(&structure->molecules);
    enuf_release(&structure->ids);
    enuf_release(&structure->species_names);
    enuf_release(&structure->bonds);
    memset(structure, 0, sizeof *structure);
}

double enuf_structure_volume(const enuf_structure *structure)
{
    const double *a = structure->cell, *b = a + 3, *c = a + 6;
    return fabs(a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
                a[2] * (b[0] * c[1] - b[1] * c[0]));
}

int enuf_structure_set_name(enuf_structure *structure, int32_t species, const char *name,
                            size_t length)
{
    if (length == 0 || length >= ENUF_SPECIES_SIZE) return 0;
    memset(structure->species_names[species], 0, ENUF_SPECIES_SIZE);
    memcpy(structure->species_names[species], name, length);
    return 1;
}
