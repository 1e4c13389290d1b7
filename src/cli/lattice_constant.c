/* lattice_constant.c - see lattice_constant.h. SPDX-License-Identifier: BSD-3-Clause */
#include "lattice_constant.h"

#include "memory.h"
#include "shortest_distance.h"
#include "units.h"

#include <math.h>
#include <string.h>

cli_lattice_constant cli_constant_of_crystal(const enuf_crystal *crystal, int64_t cells)
{
    const int64_t units = crystal->formula_units * cells * cells * cells;
    return (cli_lattice_constant){
        .crystal = crystal,
        .symbol = crystal->symbol,
        .d = 1,
        .formula_units = units,
        .per_energy = enuf_crystal_constant(crystal, cells, 1),
        .formula_energy = 1 / (double)units,
        .reference = crystal->constant,
    };
}

static int64_t greatest_common_divisor(int64_t a, int64_t b)
{
    while (b != 0) {
        const int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Two LAMMPS types may have one name: they are one species. */
static enuf_status count_formula_units(const enuf_structure *structure, int64_t *units)
{
    int64_t *counts;
    const int32_t n = structure->n_species;
    ENUF_TRY(enuf_allocate(&counts, n, sizeof *counts, "ions of each species"));
    for (int32_t s = 0; s < n; ++s) counts[s] = 0;
    for (int64_t i = 0; i < structure->n; ++i) ++counts[structure->species[i]];
    *units = 0;
    for (int32_t s = 0; s < n; ++s) {
        for (int32_t t = s + 1; t < n; ++t) {
            if (strcmp(structure->species_names[s], structure->species_names[t])) continue;
            counts[t] += counts[s];
            counts[s] = 0;
            break;
        }
        *units = greatest_common_divisor(counts[s], *units);
    }
    enuf_release(&counts);
    return ENUF_SUCCESS;
}

enuf_status cli_constant_of_structure(const enuf_structure *structure, int64_t cells,
                                      cli_lattice_constant *constant)
{
    double d;
    int64_t units;
    ENUF_TRY(cli_shortest_distance(structure, &d));
    ENUF_TRY(count_formula_units(structure, &units));
    units *= cells * cells * cells;
    const double coulomb = enuf_unit_system_of(structure->units)->coulomb;
    const double scale = d / (coulomb * (double)units);
    *constant = (cli_lattice_constant){.symbol = "A",
                                       .d = d,
                                       .formula_units = units,
                                       .per_energy = -scale,
                                       .formula_energy = scale,
                                       .reference = NAN};
    return ENUF_SUCCESS;
}

double cli_electronvolts(enuf_units units, double *error)
{
    static const double kilocalorie = 4.184, joule = 1 / 1.602176634e-19;
    *error = units == ENUF_UNITS_METAL  ? 3e-8
             : units == ENUF_UNITS_REAL ? 1e-8
                                        : 5e-6; /* units.c */
    if (units == ENUF_UNITS_METAL) return 1;
    if (units == ENUF_UNITS_REAL) return kilocalorie / CLI_KJ_PER_MOL;
    return units == ENUF_UNITS_SI ? joule : NAN;
}

double cli_deviation(const cli_lattice_constant *constant, double value)
{
    return value / constant->reference - 1;
}
