/*
 * test_pdb_gro.c - PDB and GRO files give the right cell, positions and species, also with numbers
 * that touch and with more decimals; charges come from rules. A wrong file is refused with a text
 * that names the line.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "error.h"
#include "read.h"
#include "trajectory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define CRYSTAL "CRYST1   20.000   30.000   40.000  90.00  90.00  90.00 P 1           1\n"
#define WATER                                                                                      \
    "ATOM      1  OW  HOH A   1       1.000  -2.000   3.000  1.00  0.00           O\n"             \
    "ATOM      2  HW1 HOH A   1    -111.111-222.222-333.333  1.00  0.00           H\n"
#define SODIUM "HETATM    3 NA    NA A   2       7.000   8.000   9.000  1.00  0.00          NA1+\n"

static enuf_status read_text(const char *name, const char *string, enuf_structure *out)
{
    static const enuf_charge_rule rules[] = {{"O", -0.8},  {"H", 0.4},   {"Na", 1.0},
                                             {"OW", -0.8}, {"HW1", 0.4}, {"NA", 1.0}};
    enuf_charge_rule here[6];
    enuf_text text;
    int n = 0;
    /* only rules for species of the file: any other rule is refused */
    for (int r = 0; r < 6; ++r) {
        const int pdb = r < 3;
        if (pdb != (strstr(name, ".pdb") != NULL)) continue;
        if (pdb && r == 2 && !strstr(string, "NA")) continue;
        if (pdb && r < 2 && !strstr(string, "HOH")) continue;
        if (!pdb && !strstr(string, rules[r].species)) continue;
        here[n++] = rules[r];
    }
    ENUF_TRY(enuf_text_copy(name, string, strlen(string), &text));
    const enuf_status status = enuf_parse_structure(&text, NULL, here, n, out);
    enuf_text_free(&text);
    return status;
}

static void pdb_atoms_and_cell(void)
{
    enuf_structure s;
    const double cell[9] = {20, 0, 0, 0, 30, 0, 0, 0, 40};
    const double positions[9] = {1, -2, 3, -111.111, -222.222, -333.333, 7, 8, 9};
    const char *file = "HEADER    WATER\n" CRYSTAL "MODEL        1\n" WATER "TER\n" SODIUM
                       "ENDMDL\nMODEL        2\n" WATER "ENDMDL\nEND\n";
    if (!CHECK_STATUS(read_text("a.pdb", file, &s), ENUF_SUCCESS)) return;
    CHECK(s.n == 3 && s.more_frames && s.cell_line == 2 && s.units == ENUF_UNITS_METAL);
    CHECK(memcmp(s.cell, cell, sizeof cell) == 0);
    CHECK(memcmp(s.positions, positions, sizeof positions) == 0);
    CHECK(strcmp(s.species_names[s.species[2]], "Na") == 0 && s.charges[0] == -0.8);
    enuf_structure_free(&s);
}

/* As VMD and others write it, without elements: the atom name is the species. */
static void pdb_names_are_species_without_elements(void)
{
    enuf_structure s;
    const enuf_charge_rule rule = {"CLA", -1.0};
    enuf_text text;
    const char *file =
        "CRYST1   10.000   10.000   10.000  60.00  60.00  60.00 P 1           1\n"
        "SCALE1      0.100000 -0.057735 -0.040825        0.00000\n"
        "ATOM      1  CLA CLA I   1       1.000   2.000   3.000  0.00  0.00      ION\n";
    CHECK_STATUS(enuf_text_copy("b", file, strlen(file), &text), ENUF_SUCCESS);
    CHECK_STATUS(enuf_parse_structure(&text, NULL, &rule, 1, &s), ENUF_SUCCESS);
    CHECK(s.charges[0] == -1.0 && !s.more_frames);
    CHECK_CLOSE(enuf_structure_volume(&s), 1000 / sqrt(2.0), 1e-14, "volume of a rhombohedron");
    enuf_structure_free(&s);
    enuf_text_free(&text);
}

#define ATOM_LINE "    1SOL     OW    1   0.100  -0.200   0.300  0.1000  0.2000  0.3000\n"

static void gro_atoms_and_cell(void)
{
    enuf_structure s;
    const double cell[9] = {30, 0, 0, 10, 40, 0, -5, 6, 50};
    const double positions[6] = {1, -2, 3, -1234.567, 2345.678, 9999.999};
    const char *file =
        "water, t= 0.0\n    2\n" ATOM_LINE "99999SOL    HW199999-123.4567 234.5678 999.9999\n"
        "3.0 4.0 5.0 0 0 1.0 0 -0.5 0.6\n";
    /* `wide` has five decimals in columns of 10: the width of columns is found at the first atom */
    const char *wide = "water\n1\n    1SOL    HW1    1-123.45670 234.56780 999.99990\n3 4 5\n";
    CHECK_STATUS(read_text("a.gro", file, &s), ENUF_BAD_FILE);
    CHECK_TEXT("a.gro, line 4: coordinate '7 234.56' is no number");
    const char *good =
        "water, t= 0.0\n    2\n" ATOM_LINE "99999SOL    HW199999-123.457 234.568 999.999\n"
        "3.0 4.0 5.0 0 0 1.0 0 -0.5 0.6\n";
    if (!CHECK_STATUS(read_text("a.gro", good, &s), ENUF_SUCCESS)) return;
    CHECK(s.n == 2 && !s.more_frames && s.cell_line == 5 && !s.ids && !s.molecules);
    for (int k = 0; k < 9; ++k) CHECK_BELOW(s.cell[k] - cell[k], 1e-14, "cell");
    for (int k = 0; k < 3; ++k) CHECK_BELOW(s.positions[k] - positions[k], 1e-15, "position");
    CHECK_BELOW(s.positions[3] + 1234.57, 1e-12, "x without a blank before");
    CHECK(s.charges[0] == -0.8 && s.charges[1] == 0.4);
    enuf_structure_free(&s);
    /* a name without ending: the format is found by the content, with any title */
    const char *titled = "TITLE     water\n1\n" ATOM_LINE "3 3 3\n";
    if (CHECK_STATUS(read_text("some", titled, &s), ENUF_SUCCESS)) enuf_structure_free(&s);
    if (!CHECK_STATUS(read_text("wide.gro", wide, &s), ENUF_SUCCESS)) return;
    for (int k = 0; k < 3; ++k)
        CHECK_CLOSE(s.positions[k], positions[3 + k], 1e-15, "wide columns");
    enuf_structure_free(&s);
}

/* A title may be empty. Blank lines between two frames are no titles. */
static void gro_titles_may_be_empty(void)
{
    static const char *const between[] = {"", "\n", "\n\n\n", "\nwater\n", "water\n"};
    static const enuf_charge_rule rule = {"OW", -0.8};
    for (int k = 0; k < 5; ++k) {
        char file[512];
        enuf_text text;
        enuf_trajectory *frames;
        enuf_structure s;
        const enuf_read_options options = {.format = "gro", .rules = &rule, .n_rules = 1};
        int n = 0, found = 1;
        const int length = snprintf(file, sizeof file, "\n1\n" ATOM_LINE "3 3 3\n%s%s", between[k],
                                    k == 0 ? "" : "1\n" ATOM_LINE "3 3 3\n\n");
        if (!CHECK_STATUS(enuf_text_copy("a.gro", file, (size_t)length, &text), ENUF_SUCCESS))
            return;
        if (!CHECK_STATUS(enuf_trajectory_open_text(&text, &options, &frames), ENUF_SUCCESS))
            return;
        while (found && CHECK_STATUS(enuf_trajectory_next(frames, &s, &found), ENUF_SUCCESS))
            if (found) {
                ++n;
                enuf_structure_free(&s);
            }
        printf("%d blank or other lines between frames: %d frames\n", k, n);
        CHECK(n == (k == 0 ? 1 : 2));
        enuf_trajectory_close(&frames);
        enuf_text_free(&text);
    }
}

static void errors_name_line_and_remedy(void)
{
    static const struct {
        const char *name, *text, *error;
    } files[] = {
        {"a.pdb", "REMARK 1\n", "a.pdb: no records ATOM or HETATM"},
        {"a.pdb", WATER, "a.pdb: no record CRYST1: an Ewald sum needs a cell; --cell gives one"},
        {"a.pdb", "CRYST1    1.000    1.000    1.000  90.00  90.00  90.00 P 1\n" WATER,
         "a.pdb, line 1: CRYST1 says that there is no crystal: an Ewald sum needs a cell"},
        {"a.pdb", "CRYST1   20.000   30.000   40.000  90.00  90.00  90.00 P 21 21 21\n" WATER,
         "line 1: space group 'P 21 21 21': the cell holds copies of the atoms that are not "
         "listed"},
        {"a.pdb", "CRYST1   20.000   30.000\n" WATER, "line 1: no cell angle in columns 34 to 40"},
        {"a.pdb", "CRYST1   20.000   3x.000   40.000  90.00  90.00  90.00 P 1\n" WATER,
         "line 1: cell length '3x.000' is no number"},
        {"a.pdb", "CRYST1   20.000    0.000   40.000  90.00  90.00  90.00 P 1\n" WATER,
         "line 1: lengths should be above 0"},
        {"a.pdb", CRYSTAL "SCALE2      0.050000  0.000000  0.000000        0.00000\n" WATER,
         "line 2: SCALE is not that of CRYST1 (line 1)"},
        {"a.pdb", CRYSTAL "ATOM      1  O   HOH A   1       1.000   2.0x0   3.000  1.00  0.00\n",
         "line 2: coordinate '2.0x0' is no number"},
        {"a.pdb", CRYSTAL "ATOM      1  O   HOH A   1       1.000   2.000\n",
         "line 2: no coordinate in columns 47 to 54"},
        {"a.pdb", CRYSTAL "ATOM      1  O  BHOH A   1       1.000   2.000   3.000  1.00  0.00\n",
         "line 2: alternate position 'B' of an atom: keep one"},
        {"b.pdb", CRYSTAL "ATOM      1  XX  ABC A   1       1.000   2.000   3.000  1.00  0.00\n",
         "line 2: no charge for 'XX': a PDB file has none; add --charge XX=CHARGE"},
        {"a.gro", "t\n", "a.gro, line 1: the file ends before the number of atoms"},
        {"a.gro", "t\n1 2\n", "line 2: the second line of a GRO file is the number of atoms"},
        {"a.gro", "t\nx\n", "line 2: number of atoms 'x' is no integer"},
        {"a.gro", "t\n0\n", "line 2: there are no atoms"},
        {"a.gro", "t\n99\n" ATOM_LINE, "line 2: 99 atoms do not fit in the 69 bytes left"},
        {"a.gro", "t\n2\n" ATOM_LINE, "line 3: the file ends after 1 of 2 atoms"},
        {"a.gro", "t\n1\n" ATOM_LINE, "line 3: the file ends before the cell's line"},
        {"a.gro", "t\n1\n" ATOM_LINE "3 3 3", "line 4: the file ends without a newline"},
        {"a.gro", "t\n1\n" ATOM_LINE "3 3\n", "line 4: 2 words, but the cell's line"},
        {"a.gro", "t\n1\n" ATOM_LINE "0 0 0\n",
         "line 4: a cell of zeros: an Ewald sum needs a cell; --cell"},
        {"a.gro", "t\n1\n" ATOM_LINE "3 0 3\n", "line 4: the cell has no volume"},
        {"a.gro", "t\n1\n    1SOL     OW    1 0 0 0 0 0 0 0 0 0 0\n",
         "line 3: no coordinates x, y, z with"},
        {"a.gro", "t\n1\n    1SOL           1   0.100   0.200   0.300\n3 3 3\n",
         "line 3: no atom name in"},
        {"a.gro", "t\n2\n" ATOM_LINE "    1SOL     OW    1   0.100   0.200\n3 3 3\n",
         "line 4: 36 characters, but an atom needs 20 and three coordinates of 8"},
    };
    for (size_t f = 0; f < sizeof files / sizeof *files; ++f) {
        enuf_structure s;
        CHECK_STATUS(read_text(files[f].name, files[f].text, &s), ENUF_BAD_FILE);
        CHECK_TEXT(files[f].name);
        CHECK_TEXT(files[f].error);
    }
}

int main(void)
{
    pdb_atoms_and_cell();
    pdb_names_are_species_without_elements();
    gro_atoms_and_cell();
    gro_titles_may_be_empty();
    errors_name_line_and_remedy();
    return check_result();
}
