/*
 * test_cli_formats.c - fluorite from a POSCAR and from a CIF file has its Madelung constant and
 * energy to 12 digits. Charges come from the command line, or from the oxidation numbers of the CIF
 * file; a POSCAR without charges is refused.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* docs/theory.md, reference values: E = -2 M C e^2/d for a formula unit, d = sqrt(3) a/4 */
static const double MADELUNG = 2.519392439924283623, EDGE = 5.463, COULOMB = 14.399645;
static const double TWELVE_DIGITS = 1e-12;

enum { FORMULA_UNITS = 4 };

#define VASP ENUF_EXAMPLES "/fluorite.vasp"
#define CIF  ENUF_EXAMPLES "/fluorite.cif"

static void is_fluorite(cJSON *madelung, cJSON *energy)
{
    const double d = sqrt(3.0) / 4 * EDGE;
    CHECK_CLOSE(json_number(madelung, "madelung"), 2 * MADELUNG, TWELVE_DIGITS, "constant A = 2 M");
    CHECK_CLOSE(json_number(madelung, "d"), d, 1e-15, "distance Ca-F");
    CHECK(json_number(madelung, "formula_units") == FORMULA_UNITS);
    CHECK_CLOSE(json_number(energy, "energy"), -2 * MADELUNG * FORMULA_UNITS * COULOMB / d,
                TWELVE_DIGITS, "energy, eV");
    CHECK(json_number(energy, "ions") == 12);
    CHECK(strcmp(json_text(energy, "units"), "metal") == 0);
    cJSON_Delete(madelung);
    cJSON_Delete(energy);
}

static void poscar(void)
{
    is_fluorite(
        JSON("madelung", VASP, "--charge", "Ca=2", "--charge", "F=-1"),
        JSON("energy", VASP, "--charge", "Ca=2", "--charge", "F=-1", "--accuracy", "1e-13"));
    REFUSED("line 6: no charge for 'Ca': a POSCAR has none; add --charge Ca=CHARGE", "energy", VASP,
            "--charge", "F=-1");
    REFUSED("charge of 'Fl': ", "energy", VASP, "--charge", "Fl=-1");
    char *text = program_read_file(VASP);
    program_run run; /* from standard input: the format is found by the content */
    program_start(&run, text,
                  (const char *const[]){"madelung", "-", "--charge=Ca=2", "--charge=F=-1", NULL});
    CHECK(run.status == 0 && strstr(run.out, "5.0387848798") != NULL);
    program_free(&run);
    free(text);
}

static void cif(void)
{
    is_fluorite(JSON("madelung", CIF), JSON("energy", CIF, "--accuracy", "1e-13"));
    cJSON *doubled = JSON("energy", CIF, "--charge", "F=-2", "--charge", "Ca=4");
    cJSON *charged = JSON("energy", CIF); /* oxidation numbers */
    CHECK_CLOSE(json_number(doubled, "energy"), 4 * json_number(charged, "energy"), TWELVE_DIGITS,
                "charges of the command line: twice the oxidation numbers");
    cJSON_Delete(doubled);
    cJSON_Delete(charged);
}

int main(void)
{
    program_enter_directory();
    poscar();
    if (ENUF_HAS_GEMMI)
        cif();
    else
        REFUSED("fluorite.cif: this enuf was built without gemmi", "energy", CIF);
    REFUSED("--format 'xtc': choose lammps-data, lammps-dump, extxyz, poscar, cif, pdb, or gro",
            "energy", VASP, "--format", "xtc");
    program_leave_directory();
    return check_result();
}
