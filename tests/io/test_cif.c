/*
 * test_cif.c - CIF files give the right cell, ions and charges: rock salt, zincblende, rutile and
 * wurtzite, in many notations, agree with enuf_crystal_build() to 3e-15 Angstrom. A wrong or cut
 * file is refused with a text that names file and line.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "crystals.h"
#include "error.h"
#include "read.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enuf_status read_text(const char *string, const char *const charges[], enuf_structure *out)
{
    enuf_charge_rule rules[4];
    enuf_text text;
    int n = 0;
    for (; charges && charges[n]; ++n) ENUF_TRY(enuf_charge_rule_parse(charges[n], &rules[n]));
    ENUF_TRY(enuf_text_copy("salt.cif", string, strlen(string), &text));
    enuf_status status = enuf_parse_structure(&text, NULL, rules, n, out);
    enuf_text_free(&text);
    return status;
}

#define CELL(a, b, c, alpha, beta, gamma)                                                          \
    "data_test\n_cell_length_a " #a "\n_cell_length_b " #b "\n_cell_length_c " #c                  \
    "\n_cell_angle_alpha " #alpha "\n_cell_angle_beta " #beta "\n_cell_angle_gamma " #gamma "\n"
#define CUBIC     CELL(5.5, 5.5, 5.5, 90, 90, 90)
#define GROUP(hm) "_symmetry_space_group_name_H-M '" hm "'\n"
#define SITES                                                                                      \
    "loop_\n_atom_site_label\n_atom_site_fract_x\n_atom_site_fract_y\n_atom_site_fract_z\n"
#define TYPES      "loop_\n_atom_type_symbol\n_atom_type_oxidation_number\n"
#define OPERATIONS "loop_\n_symmetry_equiv_pos_as_xyz\n"

/* The structure has the cell and the ions of the built crystal, with species and charges. */
static void is_crystal(const enuf_structure *s, const char *name, double d)
{
    enuf_structure expected;
    double worst = 0.0;
    const enuf_crystal *crystal = enuf_crystal_find(name);
    if (!CHECK_STATUS(enuf_crystal_build(crystal, 1, &expected), ENUF_SUCCESS)) return;
    CHECK(s->n == expected.n);
    for (int k = 0; k < 9; ++k) worst = fmax(worst, fabs(s->cell[k] - d * expected.cell[k]));
    for (int64_t i = 0; i < expected.n; ++i) {
        double least = INFINITY;
        for (int64_t j = 0; j < s->n; ++j) {
            double r = 0.0;
            if (strcmp(s->species_names[s->species[j]],
                       expected.species_names[expected.species[i]]) != 0 ||
                s->charges[j] != expected.charges[i])
                continue;
            for (int k = 0; k < 3; ++k)
                r = fmax(r, fabs(s->positions[3 * j + k] - d * expected.positions[3 * i + k]));
            least = fmin(least, r);
        }
        worst = fmax(worst, least);
    }
    CHECK_BELOW(worst, 3e-15, name); /* Angstrom: three roundings of numbers up to 8 */
    enuf_structure_free(&expected);
}

static void gives_crystal(const char *string, const char *const charges[], const char *name,
                          double d)
{
    enuf_structure s;
    if (!CHECK_STATUS(read_text(string, charges, &s), ENUF_SUCCESS)) return;
    is_crystal(&s, name, d);
    CHECK(s.units == ENUF_UNITS_METAL && !s.units_given);
    enuf_structure_free(&s);
}

static void symmetry_gives_the_cell(void)
{
    static const char *const salt[] = {"Na=1", "Cl=-1", NULL};
    static const char *const blende[] = {"Zn=1", "S=-1", NULL};
    static const char *const rutile[] = {"Ti=4", "O=-2", NULL};
    const double d = 5.5 / 2, edge = sqrt(3.0) / 4 * 5.5;
    gives_crystal(CUBIC GROUP("F m -3 m") SITES "Na1 0 0 0\nCl1 .5 .5 .5\n", salt, "nacl", d);
    /* sites outside the cell; quotes, uncertainties, unknown values, further columns, comments */
    gives_crystal("# from a database\n" CELL(5.50(1), 5.5, '5.5', 90., "90", 90(2)) GROUP(
                      "Fm-3m") "_journal_name ?\nloop_\n_atom_site_fract_z\n_atom_site_fract_y\n"
                               "_atom_site_fract_x\n_atom_site_type_symbol\n_atom_site_occupancy\n"
                               "_atom_site_label\n3.0(1) -1 2 Na 1.0 A\n0.5 .5 -2.5 Cl ? 'B'\n#end",
                  salt, "nacl", d);
    /* zincblende by P 1, by its space group, and by a list of operations */
    gives_crystal(CUBIC GROUP("P 1") SITES
                  "Zn1 0 0 0\nZn2 0 .5 .5\nZn3 .5 0 .5\nZn4 .5 .5 0\nS .25 .25 "
                  ".25\nS .25 .75 .75\nS .75 .25 .75\nS .75 .75 .25\n",
                  blende, "zincblende", edge);
    gives_crystal(CUBIC GROUP("F -4 3 m") SITES "Zn 0 0 0\nS .25 .25 .25\n", blende, "zincblende",
                  edge);
    gives_crystal(CUBIC OPERATIONS "x,y,z\nx,y+1/2,z+1/2\n'x+1/2, y, z+1/2'\nx+1/2,y+1/2,z\n" SITES
                                   "Zn 0 0 0\nS .25 .25 .25\n",
                  blende, "zincblende", edge);
    gives_crystal(CELL(4.5, 4.5, 2.898, 90, 90, 90) GROUP("P 42/m n m") SITES
                  "Ti 0 0 0\nO .305 .305 0\n",
                  rutile, "rutile", 4.5);
}

/* The formula may hold one, two or all four formula units of the cell, and Z may count either. The
 * last file has the number of the space group. */
static void formula_of_any_part_of_the_cell(void)
{
    static const char *const salt[] = {"Na=1", "Cl=-1", NULL};
    static const char *const formulae[] = {
        "_chemical_formula_sum 'Na Cl'\n",
        "_chemical_formula_sum 'Na Cl'\n_cell_formula_units_Z 4\n",
        "_chemical_formula_sum 'Cl2 Na2'\n",
        "_chemical_formula_sum 'Cl2 Na2'\n_cell_formula_units_Z 4\n",
        "_chemical_formula_sum 'Cl2 Na2'\n_cell_formula_units_Z 2\n",
        "_chemical_formula_sum 'Na4 Cl4'\n",
        "_chemical_formula_sum 'Na4 Cl4'\n_cell_formula_units_Z 4\n",
        "_chemical_formula_sum 'Na4 Cl4'\n_cell_formula_units_Z 2\n",
        "_chemical_formula_sum 'Na4 Cl4'\n_cell_formula_units_Z 1\n",
        "_chemical_formula_sum 'Na4 Cl4'\n_cell_formula_units_Z ?\n_space_group_IT_number 225\n",
    };
    for (size_t f = 0; f < sizeof formulae / sizeof *formulae; ++f) {
        char file[600];
        snprintf(file, sizeof file, CUBIC GROUP("F m -3 m") "%s" SITES "Na1 0 0 0\nCl1 .5 .5 .5\n",
                 formulae[f]);
        gives_crystal(file, salt, "nacl", 2.75);
    }
}

/* The coordinate 0.3333 is read as 1/3 in P 63 m c. c/a is sqrt(8/3) to 16 digits. */
static void special_positions_need_no_digits(void)
{
    static const char *const wurtzite[] = {"Zn=1", "S=-1", NULL};
    const double a = 3.8, d = .375 * 1.632993161855452065 * a;
    gives_crystal(CELL(3.8, 3.8, 6.205374015050718, 90, 90, 120) GROUP("P 63 m c") SITES
                  "Zn .3333 .6667 0\nS .3333 .6667 .375\n",
                  wurtzite, "wurtzite", d);
}

static void oxidation_numbers_are_charges(void)
{
    static const char *const chlorine[] = {"Cl=-1", NULL};
#define IONS SITES "Na 0 0 0\nCl .5 .5 .5\n"
    gives_crystal(CUBIC GROUP("F m -3 m") TYPES "Na +1\nCl -1\n" IONS, NULL, "nacl", 2.75);
    gives_crystal(CUBIC GROUP("F m -3 m") TYPES "Na 1\nCl ?\n" IONS, chlorine, "nacl", 2.75);
    gives_crystal(CUBIC GROUP("F m -3 m") TYPES "Na 1\nCl 5\n" IONS, chlorine, "nacl", 2.75);
    enuf_structure s;
    CHECK_STATUS(read_text(CUBIC GROUP("F m -3 m") TYPES "Na 1\nCl ?\n" IONS, NULL, &s),
                 ENUF_BAD_FILE);
    CHECK_TEXT(
        "salt.cif, line 20: no charge for 'Cl': the file gives none; add --charge Cl=CHARGE");
}

/* A triclinic cell has the lengths and angles of the file. */
static void any_cell(void)
{
    static const char *const charges[] = {"Na=1", NULL};
    const double lengths[3] = {4, 5, 6}, angles[3] = {80, 95, 100};
    enuf_structure s;
    if (!CHECK_STATUS(
            read_text(CELL(4, 5, 6, 80, 95, 100) GROUP("P 1") SITES "Na .5 .5 .5\n", charges, &s),
            ENUF_SUCCESS))
        return;
    double worst = 0.0;
    for (int i = 0; i < 3; ++i) {
        const double *u = &s.cell[3 * ((i + 1) % 3)], *v = &s.cell[3 * ((i + 2) % 3)];
        const double uv = u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
        const double expected = lengths[(i + 1) % 3] * lengths[(i + 2) % 3] *
                                cos(angles[i] * 3.141592653589793238 / 180);
        const double *w = &s.cell[3 * i];
        worst = fmax(worst, fabs(uv - expected));
        worst =
            fmax(worst, fabs(w[0] * w[0] + w[1] * w[1] + w[2] * w[2] - lengths[i] * lengths[i]));
    }
    CHECK_BELOW(worst, 3e-14, "scalar products of cell vectors: four roundings of 36");
    enuf_structure_free(&s);
}

static void further_blocks_are_reported(void)
{
    static const char *const charges[] = {"Na=1", "Cl=-1", NULL};
    enuf_structure s;
    const char *file = "data_words\n_journal_name 'Acta'\n" CUBIC GROUP("F m -3 m") IONS
        "data_second\n" SITES "K 0 0 0\n";
    if (!CHECK_STATUS(read_text(file, charges, &s), ENUF_SUCCESS)) return;
    CHECK(s.n == 8 && s.more_frames);
    enuf_structure_free(&s);
}

static void errors_name_line_and_remedy(void)
{
    static const struct {
        const char *text, *error;
    } files[] = {
        {"data_a\n_cell_length_a 'x\n", "salt.cif, line 2: no valid CIF: unterminated 'string'"},
        {"data_a\n_cell_length_a 5 6\n", "line 2: no valid CIF"},
        {"_cell_length_a 5\n", "line 1: no valid CIF: expected block header (data_)"},
        {"data_1ABC\n_cell.length_a 5\nloop_\n_atom_site.id\n_atom_site.Cartn_x\n1 0.5\n",
         "line 6: mmCIF, with sites in Angstrom, is not read: write the file as PDB"},
        {"# a comment\n", "salt.cif: no valid CIF: there is no data block (data_...)"},
        {CUBIC "_cell_length_a 5\n", "no valid CIF: line:8 in data_test: duplicate tag _cell_length_a"},
        {CUBIC "loop_\n_a\n_b\n1 2 3\n", "line 8: no valid CIF: Wrong number of values in "},
        {"data_a\n_cell_length_a 5\n", "salt.cif: no _cell_length_b: an Ewald sum needs a cell"},
        {CELL(x, 5, 5, 90, 90, 90), "line 2: _cell_length_a 'x' is no number"},
        {CELL(?, 5, 5, 90, 90, 90), "line 2: no _cell_length_a"},
        {CELL(-5, 5, 5, 90, 90, 90), "line 2: _cell_length_a -5 should be above 0"},
        {CELL(5, 5, 5, 90, 90, 180), "line 7: _cell_angle_gamma 180 should be above 0 and below 180"},
        {CELL(5, 5, 5, 120, 120, 120), "line 2: the cell has no volume"},
        {CELL(5, 5, 5, 20, 20, 90), "line 2: the cell has no volume"},
        {CELL(.5, .5, .5, 90, 90, 90), "line 2: the cell is 0.5 Angstrom high along a"},
        {CUBIC IONS, "salt.cif: no symmetry: neither _space_group_symop_operation_xyz nor"},
        {CUBIC GROUP("?") IONS, "line 8: space group '?' is not known: list the operations"},
        {CUBIC GROUP("Q 1") IONS, "line 8: space group 'Q 1' is not known: list the operations"},
        {CUBIC GROUP("F d -3 m") IONS, "line 8: space group 'F d -3 m' has two origins: write 'F d -3 m:1'"},
        {CUBIC OPERATIONS "x,y,z\nx,y,2z\n" IONS, "line 11: 'x,y,2z' is no symmetry operation such as"},
        {CUBIC OPERATIONS "x,y,z\n-x,-y,-z\nx,y,z\n" IONS, "line 12: a symmetry operation that stands"},
        {CUBIC OPERATIONS "x,y,z\nz,x,y\n" IONS, "line 10: the 2 symmetry operations are not complete"},
        {CUBIC GROUP("F m -3 m") OPERATIONS "x,y,z\n" IONS,
         "line 11: 1 symmetry operations, but space group 'F m -3 m' (line 8) has 192"},
        {CELL(5, 5, 5.1, 90, 90, 90) GROUP("F m -3 m") IONS, "line 8: the symmetry does not fit"},
        {CELL(5, 5, 5, 90, 90, 91) OPERATIONS "x,y,z\n-x,y,z\n" IONS, "line 11: the symmetry does not"},
        {CUBIC GROUP("F m -3 m") "_space_group_IT_number 226\n" IONS,
         "line 9: space group number 226, but 'F m -3 m' (line 8) is number 225"},
        {CUBIC GROUP("Fm-3m") "_symmetry_Int_Tables_number 226\n" IONS,
         "line 9: space group number 226, but 'Fm-3m' (line 8) is number 225"},
        {CUBIC GROUP("F m -3 m") "_space_group_IT_number 225.0\n" IONS, "line 9: number of the space"},
        {CUBIC GROUP("F m -3 m") "_space_group_IT_number 0\n" IONS, "line 9: space group number 0 should"},
        {CUBIC "_space_group_IT_number 226\n" OPERATIONS "x,y,z\n-x,-y,-z\n" IONS,
         "line 8: space group number 226, but the operations (line 11) are those of number 2"},
        {CUBIC GROUP("P 1 m 1") OPERATIONS "x,y,z\n-x,-y,-z\n" IONS,
         "line 8: space group 'P 1 m 1' is number 6, but the operations (line 11) are those of number 2"},
        {CUBIC GROUP("P -1") "_space_group_IT_number 6\n" OPERATIONS "x,y,z\n-x,-y,-z\n" IONS,
         "line 9: space group number 6, but 'P -1' (line 8) is number 2"},
        {CUBIC GROUP("P 1"), "salt.cif: no loop with _atom_site_fract_x"},
        {CUBIC GROUP("P 1") "loop_\n_atom_site_fract_x\n_atom_site_fract_y\n_atom_site_fract_z\n0 0 0\n",
         "line 13: the sites have neither _atom_site_type_symbol nor _atom_site_label"},
        {CUBIC GROUP("P 1") SITES "1 0 0 0\n", "line 14: a site without a species"},
        {CUBIC GROUP("P 1") SITES "Na 0 0 .\n", "line 14: no coordinate"},
        {CUBIC GROUP("P 1") SITES "Na 0 0 0.1(2\n", "line 14: coordinate '0.1(2' is no number"},
        {CUBIC GROUP("P 1") SITES "Na 0 0 1e9\n", "line 14: coordinate 1e+09 should be a fraction"},
        {CUBIC GROUP("P 1") SITES "Na 0 0 inf\n", "line 14: coordinate 'inf' is no number"},
        {CUBIC GROUP("P 1") SITES "Sodiumsodiumsodium 0 0 0\n", "line 14: species 'Sodiumsodiumsodium'"},
        {CUBIC GROUP("P 1") "loop_\n_atom_site_label\n_atom_site_occupancy\n_atom_site_fract_x\n"
                            "_atom_site_fract_y\n_atom_site_fract_z\nNa 1 0 0 0\nK 0.5 .5 0 0\n",
         "line 16: occupancy 0.5: ions stand on a site or not; give an ordered cell"},
        {CUBIC GROUP("P 1") "loop_\n_atom_site_label\n_atom_site_disorder_group\n_atom_site_fract_x\n"
                            "_atom_site_fract_y\n_atom_site_fract_z\nNa . 0 0 0\nK1 1 .5 0 0\nK2 2 .4 0 0\n",
         "line 17: disorder group 2: the site is an alternative to others; give an ordered cell"},
        {CUBIC GROUP("F m -3 m") SITES "Na 0 0 0\nCl .5 .5 .5\nCl .5 0 0\n",
         "line 16: the site stands on that of line 15, less than 0.5 Angstrom apart"},
        {CUBIC GROUP("F m -3 m") SITES "Na 0 0 0\nCl .5 .5 .47\n",
         "line 15: the site and its own image are less than 0.5 Angstrom apart"},
        {CUBIC GROUP("F m -3 m") SITES "Na 0 0 0.006\n", "line 14: the site and its own image are less"},
        {CUBIC GROUP("F m -3 m") "_chemical_formula_sum 'Na Cl'\n" SITES "Na 0 0 0\n",
         "line 9: formula 'Na Cl' asks for 4 Cl in the cell, but sites and symmetry give 0"},
        {CUBIC GROUP("F m -3 m") "_chemical_formula_sum 'Na Cl'\n_cell_formula_units_Z 8\n" IONS,
         "line 9: formula 'Na Cl' asks for 8 Na in the cell, but sites and symmetry give 4"},
        {CUBIC GROUP("F m -3 m") "_chemical_formula_sum 'Na4 Cl4'\n_cell_formula_units_Z 8\n" IONS,
         "line 9: formula 'Na4 Cl4' asks for 8 Na in the cell, but sites and symmetry give 4"},
        {CUBIC GROUP("F m -3 m") "_chemical_formula_sum 'Na8 Cl8'\n" IONS,
         "line 9: formula 'Na8 Cl8' asks for 8 Na in the cell, but sites and symmetry give 4"},
        {CUBIC GROUP("F m -3 m") "_chemical_formula_sum 'Na3 Cl3'\n" IONS,
         "line 9: formula 'Na3 Cl3' asks for 6 Na in the cell, but sites and symmetry give 4"},
        {CUBIC GROUP("F m -3 m") "_chemical_formula_sum 'Na4 Cl4'\n_cell_formula_units_Z 3\n" IONS,
         "line 9: formula 'Na4 Cl4' asks for 12 Na in the cell, but sites and symmetry give 4"},
        {CUBIC GROUP("F m -3 m") "_chemical_formula_sum Na\n" IONS, "line 9: formula 'Na' asks for 0 Cl"},
        {CUBIC GROUP("F m -3 m") TYPES "Na one\n" IONS, "line 12: _atom_type_oxidation_number 'one' is"},
        {CUBIC GROUP("P 1") SITES "Na 0 0 0.125", "line 14: the file ends without a newline"},
        {CUBIC GROUP("P 1") SITES "Na 0 0 0.125\n", "salt.cif, line 14: no charge for 'Na'"},
    };
    for (size_t f = 0; f < sizeof files / sizeof *files; ++f) {
        enuf_structure untouched, s;
        memset(&s, 0x5a, sizeof s);
        untouched = s;
        CHECK_STATUS(read_text(files[f].text, NULL, &s), ENUF_BAD_FILE);
        CHECK_TEXT("salt.cif");
        CHECK_TEXT(files[f].error);
        CHECK(memcmp(&s, &untouched, sizeof s) == 0);
    }
}

/* More operations than any group has are refused before a site is expanded. */
static void too_many_operations(void)
{
    static char file[8192];
    enuf_structure s;
    strcpy(file, CUBIC OPERATIONS);
    for (int o = 0; o < 193; ++o) strcat(file, "x,y,z\n");
    strcat(file, IONS);
    CHECK_STATUS(read_text(file, NULL, &s), ENUF_BAD_FILE);
    CHECK_TEXT("line 10: 193 symmetry operations, but no cell has more than 192");
}

/* A file with formula and Z is refused wherever it is cut off. */
static void no_cut_file_gives_other_numbers(void)
{
    static const char file[] =
        CUBIC GROUP("F m -3 m") "_chemical_formula_sum 'Na Cl'\n_cell_formula_units_Z 4\n" TYPES
                                "Na 1\nCl -1\n" SITES "Na 0 0 0\nCl .5 .5 .5\n";
    enuf_structure s;
    gives_crystal(file, NULL, "nacl", 2.75);
    for (size_t size = 0; size < sizeof file - 1; ++size) {
        char cut[sizeof file] = "";
        memcpy(cut, file, size);
        const enuf_status status = read_text(cut, NULL, &s);
        if (CHECK(status == ENUF_BAD_FILE)) continue;
        printf("  cut after %zu bytes\n", size);
        if (status == ENUF_SUCCESS) enuf_structure_free(&s);
    }
}

int main(void)
{
    symmetry_gives_the_cell();
    formula_of_any_part_of_the_cell();
    special_positions_need_no_digits();
    oxidation_numbers_are_charges();
    any_cell();
    further_blocks_are_reported();
    errors_name_line_and_remedy();
    too_many_operations();
    no_cut_file_gives_other_numbers();
    return check_result();
}
