/*
 * test_units.c - the Coulomb constants of the unit systems are those of LAMMPS, bit by bit, and
 * agree with CODATA 2018 within the rounding of LAMMPS' digits. Names of unit systems are parsed.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "units.h"

#include <string.h>

/* CODATA 2018: e and N_A exact, 1/(4 pi eps0) to 1.5e-10 */
static const double COULOMB_SI = 8.9875517923e9;
static const double CHARGE = 1.602176634e-19;
static const double AVOGADRO = 6.02214076e23;
static const double CALORIE = 4.184;

/* LAMMPS' constants have 8 digits in metal and real, 5 in si. */
static void constants_agree_with_codata(void)
{
    double electronvolt_angstrom = COULOMB_SI * CHARGE * 1e10;
    double kilocalories = electronvolt_angstrom * CHARGE * AVOGADRO / (1000.0 * CALORIE);
    CHECK_CLOSE(enuf_unit_system_of(ENUF_UNITS_METAL)->coulomb, electronvolt_angstrom, 5e-8,
                "C metal");
    CHECK_CLOSE(enuf_unit_system_of(ENUF_UNITS_REAL)->coulomb, kilocalories, 5e-8, "C real");
    CHECK_CLOSE(enuf_unit_system_of(ENUF_UNITS_SI)->coulomb, COULOMB_SI, 1e-5, "C si");
}

static void constants_are_those_of_lammps(void)
{
    CHECK(enuf_unit_system_of(ENUF_UNITS_REAL)->coulomb == 332.06371);
    CHECK(enuf_unit_system_of(ENUF_UNITS_METAL)->coulomb == 14.399645);
    CHECK(enuf_unit_system_of(ENUF_UNITS_SI)->coulomb == 8.9876e9);
    CHECK(enuf_unit_system_of(ENUF_UNITS_LJ)->coulomb == 1.0);
    CHECK(enuf_unit_system_of(ENUF_UNITS_NATURAL)->coulomb == 1.0);
}

static void names_lead_back_to_units(void)
{
    for (int u = 0; u <= ENUF_UNITS_NATURAL; ++u) {
        enuf_units units = ENUF_UNITS_LJ;
        const enuf_unit_system *system = enuf_unit_system_of((enuf_units)u);
        CHECK_STATUS(enuf_units_parse(system->name, &units), ENUF_SUCCESS);
        CHECK(units == (enuf_units)u);
        CHECK(system->energy[0] && system->length[0] && system->charge[0] && system->force[0]);
    }
    CHECK(strcmp(enuf_unit_system_of(ENUF_UNITS_REAL)->name, "real") == 0);
    enuf_units units;
    CHECK_STATUS(enuf_units_parse("electron", &units), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("choose real, metal, si, lj or natural");
    CHECK_STATUS(enuf_units_parse("", &units), ENUF_BAD_ARGUMENT);
}

int main(void)
{
    constants_agree_with_codata();
    constants_are_those_of_lammps();
    names_lead_back_to_units();
    return check_result();
}
