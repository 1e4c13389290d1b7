/* units.c - see units.h. SPDX-License-Identifier: BSD-3-Clause */
#include "units.h"

#include "error.h"

#include <string.h>

/*
 * LAMMPS' constants, digit for digit (force->qqr2e in its update.cpp), not CODATA's: energies have
 * to agree with a LAMMPS run to all digits. Relative to CODATA 2018 they are off by 1e-8 (real),
 * 3e-8 (metal) and 5e-6 (si).
 */
static const enuf_unit_system unit_systems[] = {
    [ENUF_UNITS_REAL] = {"real", 332.06371, "kcal/mol", "Angstrom", "e", "kcal/mol/Angstrom"},
    [ENUF_UNITS_METAL] = {"metal", 14.399645, "eV", "Angstrom", "e", "eV/Angstrom"},
    [ENUF_UNITS_SI] = {"si", 8.9876e9, "J", "m", "C", "N"},
    [ENUF_UNITS_LJ] = {"lj", 1.0, "epsilon", "sigma", "q*", "epsilon/sigma"},
    [ENUF_UNITS_NATURAL] = {"natural", 1.0, "e^2/d", "d", "e", "e^2/d^2"},
};

enum { N_UNIT_SYSTEMS = sizeof unit_systems / sizeof *unit_systems };

const enuf_unit_system *enuf_unit_system_of(enuf_units units)
{
    return &unit_systems[(unsigned)units < N_UNIT_SYSTEMS ? units : ENUF_UNITS_NATURAL];
}

enuf_status enuf_units_parse(const char *name, enuf_units *units)
{
    for (int u = 0; u < N_UNIT_SYSTEMS; ++u) {
        if (strcmp(name, unit_systems[u].name) == 0) {
            *units = (enuf_units)u;
            return ENUF_SUCCESS;
        }
    }
    return enuf_fail(ENUF_BAD_ARGUMENT, "units '%.40s': choose real, metal, si, lj or natural",
                     name);
}
