/*
 * test_cli_madelung.c - `enuf madelung` finds the Madelung constants of all its structures to 12
 * digits (reference: docs/theory.md), by both splittings, by other names, and from a file.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "program.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* docs/theory.md, reference values: independent of the program's own table */
static const struct {
    const char *name;
    double constant;
    double energy; /* of a formula unit, in units of the constant */
} references[] = {
    {"fluorite", 2.519392439924283623, -2},
    {"nacl", 1.747564594633182191, -1},
    {"cscl", 1.762674773070988398, -1},
    {"zincblende", 1.638055053388789424, -1},
    {"wurtzite", 1.641321627371949340, -1},
    {"perovskite", 49.50987211335879987, -1},
    {"rutile", 45.04583357785451438, -1},
    {"cuprite", 10.2594570330750, -1},
    {"antifluorite", 2.519392439924283623, -2},
    {"sc", 2.837297479480619, -0.5},
    {"bcc", 3.63923344951, -0.5},
    {"fcc", 4.58486207411, -0.5},
};

enum { N_REFERENCES = sizeof references / sizeof *references };

static void constants_agree(const char *split)
{
    for (int r = 0; r < N_REFERENCES; ++r) {
        cJSON *report = JSON("madelung", references[r].name, "--cells", "2", "--split", split);
        const double reference = references[r].constant;
        char name[80];
        snprintf(name, sizeof name, "%s, %s", references[r].name, split);
        /* the command's accuracy is 1e-12; some references have no more digits */
        CHECK_CLOSE(json_number(report, "madelung"), reference, 3e-12, name);
        CHECK_CLOSE(json_number(report, "energy_per_formula_unit"),
                    references[r].energy * json_number(report, "madelung"), 1e-14,
                    "energy of a formula unit");
        CHECK(strcmp(json_text(report, "parameters.split"), split) == 0);
        CHECK(strcmp(json_text(report, "unit"), "e^2/d") == 0);
        cJSON_Delete(report);
    }
}

/* The constant of a file, repeated `cells` times along a, b and c; energy in the file's units. */
static void file_gives_the_constant(const char *cells, double formula_units)
{
    cJSON *report = JSON("madelung", "nacl.xyz", "--cells", cells);
    const double constant = references[1].constant;
    CHECK_CLOSE(json_number(report, "madelung"), constant, 3e-12, "nacl.xyz");
    CHECK_CLOSE(json_number(report, "d"), 2.82, 1e-15, "shortest distance");
    CHECK_CLOSE(json_number(report, "formula_units"), formula_units, 0, "formula units");
    CHECK_CLOSE(json_number(report, "energy"), -constant * formula_units * 332.06371 / 2.82, 3e-12,
                "energy, kcal/mol");
    CHECK(strcmp(json_text(report, "unit"), "kcal/mol") == 0);
    CHECK(cJSON_IsNull(json_at(report, "reference")));
    cJSON_Delete(report);
}

/* Names in any case, with blanks or hyphens, and of compounds; a compound has its own charges,
 * which the energy shows. */
static void common_names_are_known(void)
{
    static const struct {
        const char *name;
        int reference;
        double charges; /* product of charges, in the compound over in the structure */
    } names[] = {{"NaCl", 1, 1},   {"NACL", 1, 1}, {"rocksalt", 1, 1}, {"Rock Salt", 1, 1},
                 {"halite", 1, 1}, {"MgO", 1, 4},  {"mgo", 1, 4},      {"KCl", 1, 1},
                 {"CsCl", 2, 1},   {"CsI", 2, 1},  {"ZnS", 3, 4},      {"zinc-blende", 3, 1},
                 {"CaF2", 0, 1},   {"UO2", 0, 4},  {"Li2O", 8, 1},     {"CaTiO3", 5, 1},
                 {"SrTiO3", 5, 1}, {"TiO2", 6, 1}, {"Cu2O", 7, 1},     {"FCC", 11, 1}};
    for (size_t k = 0; k < sizeof names / sizeof *names; ++k) {
        const double constant = references[names[k].reference].constant;
        const double energy = references[names[k].reference].energy;
        cJSON *report = JSON("madelung", names[k].name, "--cells", "1");
        CHECK_CLOSE(json_number(report, "madelung"), constant, 3e-12, names[k].name);
        CHECK_CLOSE(json_number(report, "energy_per_formula_unit"),
                    energy * constant * names[k].charges, 3e-12, "energy of a formula unit");
        CHECK(fabs(json_number(report, "deviation")) < 3e-12);
        cJSON_Delete(report);
    }
    /* A of a perovskite is in units of the charges: KMgF3 has half the charges of CaTiO3 */
    cJSON *report = JSON("madelung", "KMgF3", "--cells", "1");
    CHECK_CLOSE(json_number(report, "madelung"), references[5].constant / 4, 3e-12, "KMgF3");
    cJSON_Delete(report);
}

/* 1 eV = 96.485 kJ/mol = 23.0605 kcal/mol (CODATA 2018). The file is in kcal/mol. */
static void formula_units_in_electronvolts(void)
{
    cJSON *report = JSON("madelung", "nacl.xyz");
    const double kcal = json_number(report, "energy") / 4;
    CHECK_CLOSE(json_number(report, "energy_per_formula_unit_kJ_per_mol"), 4.184 * kcal, 1e-14,
                "kJ/mol");
    CHECK_CLOSE(json_number(report, "energy_per_formula_unit_eV"), kcal / 23.060547830619, 1e-11,
                "eV");
    cJSON_Delete(report);
    report = JSON("madelung", "nacl", "--cells", "1");
    CHECK(cJSON_IsNull(json_at(report, "energy_per_formula_unit_eV")));
    cJSON_Delete(report);
}

int main(void)
{
    program_run run;
    program_enter_directory();
    constants_agree("gaussian");
    constants_agree("prolate");

    program_write_file("nacl.xyz", nacl_xyz);
    file_gives_the_constant("1", 4);
    file_gives_the_constant("3", 108);

    common_names_are_known();
    formula_units_in_electronvolts();

    RUN(&run, "madelung", "--list");
    CHECK(run.status == 0);
    for (int r = 0; r < N_REFERENCES; ++r) CHECK(strstr(run.out, references[r].name) != NULL);
    CHECK(strstr(run.out, "1.747564594633") != NULL);
    program_free(&run);

    RUN(&run, "madelung", "fluorite");
    CHECK(run.status == 0 && !*run.err);
    CHECK(strstr(run.out, "2.519392439924") != NULL);
    CHECK(strstr(run.out, "-5.0387848798") != NULL);
    program_free(&run);

    RUN(&run, "madelung", "bcc"); /* its net charge is intended: no warning */
    CHECK(run.status == 0 && !*run.err);
    program_free(&run);

    REFUSED("neither a file nor a structure: fluorite, ", "madelung", "quartz");
    REFUSED("enuf madelung --list", "madelung", "quartz");
    REFUSED("missing.xyz", "madelung", "missing.xyz");
    REFUSED("--cells '0'", "madelung", "nacl", "--cells", "0");
    REFUSED("--charge", "madelung", "nacl", "--charge", "Na=1");
    program_leave_directory();
    return check_result();
}
