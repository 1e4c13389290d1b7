/*
 * test_poscar.c - POSCAR files give the right cell and positions (1e-14) for every kind of scale
 * and coordinates, and in the notations of VASP and other programs. A wrong file, or one that is
 * cut off anywhere, is refused with a text that names file and line.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "error.h"
#include "read.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Reads a text as the file POSCAR, with up to four charges such as "Na=1". */
static enuf_status read_text(const char *string, const char *const charges[], enuf_structure *out)
{
    enuf_charge_rule rules[4];
    enuf_text text;
    int n = 0;
    for (; charges && charges[n]; ++n) ENUF_TRY(enuf_charge_rule_parse(charges[n], &rules[n]));
    ENUF_TRY(enuf_text_copy("runs/POSCAR", string, strlen(string), &text));
    enuf_status status = enuf_parse_structure(&text, NULL, rules, n, out);
    enuf_text_free(&text);
    return status;
}

static const char *const salt[] = {"Na=1", "Cl=-1", NULL};

/* The file has this cell and these positions of two ions. */
static void gives(const char *string, const double cell[9], const double positions[6])
{
    enuf_structure s;
    if (!CHECK_STATUS(read_text(string, salt, &s), ENUF_SUCCESS)) return;
    CHECK(s.n == 2 && s.n_species == 2);
    CHECK(s.species[0] == 0 && s.species[1] == 1);
    CHECK(strcmp(s.species_names[0], "Na") == 0 && strcmp(s.species_names[1], "Cl") == 0);
    CHECK(s.charges[0] == 1.0 && s.charges[1] == -1.0);
    CHECK(s.periodic[0] && s.periodic[1] && s.periodic[2]);
    CHECK(s.units == ENUF_UNITS_METAL && !s.units_given);
    double worst = 0.0;
    for (int k = 0; k < 9; ++k) worst = fmax(worst, fabs(s.cell[k] - cell[k]));
    for (int k = 0; k < 6; ++k) worst = fmax(worst, fabs(s.positions[k] - positions[k]));
    CHECK_BELOW(worst, 1e-14, "cell and positions: a rounding or two of numbers up to 16");
    enuf_structure_free(&s);
}

#define TITLE   "rock salt\n"
#define VECTORS "4 0 0\n1 4 0\n0 2 8\n"
#define SPECIES "Na Cl\n1 1\n"
#define DIRECT  "Direct\n0 0 0\n0.5 0.25 0.125\n"

static void scales_and_coordinates(void)
{
    const double cell[9] = {4, 0, 0, 1, 4, 0, 0, 2, 8}, twice[9] = {8, 0, 0, 2, 8, 0, 0, 4, 16};
    const double three[9] = {2, 0, 0, .5, 4, 0, 0, 2, 16};
    gives(TITLE "1\n" VECTORS SPECIES DIRECT, cell, (double[6]){0, 0, 0, 2.25, 1.25, 1});
    gives(TITLE "2.0\n" VECTORS SPECIES DIRECT, twice, (double[6]){0, 0, 0, 4.5, 2.5, 2});
    gives(TITLE "-128\n" VECTORS SPECIES DIRECT, cell, (double[6]){0, 0, 0, 2.25, 1.25, 1});
    gives(TITLE "-1024\n" VECTORS SPECIES "cartesian\n-1 0 0\n1 2 3\n", twice,
          (double[6]){-2, 0, 0, 2, 4, 6});
    gives(TITLE ".5 1 2\n" VECTORS SPECIES DIRECT, three, (double[6]){0, 0, 0, 1.125, 1.25, 2});
    gives(TITLE ".5 1 2\n" VECTORS SPECIES "Kartesisch\n1 1 1\n2 2 2\n", three,
          (double[6]){.5, 1, 2, 1, 2, 4});
}

static void notations_of_vasp_and_other_programs(void)
{
    const double cell[9] = {4, 0, 0, 1, 4, 0, 0, 2, 8};
    const double x[6] = {0, 0, 0, 2.25, 1.25, 1};
    static const char *const files[] = {
        /* flags; velocities behind a blank line, and behind a heading */
        TITLE "1\n" VECTORS SPECIES "Selective dynamics\nDirect\n0 0 0 T T F\n"
              "0.5 0.25 0.125 .FALSE. .true. T\n\n0 0 0\n1 1 1\n",
        TITLE "1\n" VECTORS SPECIES DIRECT "Lattice velocities and vectors\n1\n0 0 0\n",
        /* elements behind the coordinates, comments, line ends of Windows */
        TITLE "1 ! scale\r\n4 0 0\r\n1 4 0 # b\r\n0 2 8\r\nNa Cl\r\n1 1 ! two\r\ndirect\r\n"
              "0 0 0 Na\r\n0.5 0.25 0.125!Cl\r\n",
        /* names with a potential's name and hash; names and numbers over several lines */
        TITLE "1\n" VECTORS "Na_pv/1234567890abcdef Cl/fedcba0987654321\n1 1\n" DIRECT,
        TITLE "1\n" VECTORS "Na\nCl\n1\n1\n" DIRECT,
        "\n1\n" VECTORS SPECIES DIRECT,
    };
    for (size_t f = 0; f < sizeof files / sizeof *files; ++f) gives(files[f], cell, x);
}

static void a_species_may_come_twice(void)
{
    enuf_structure s;
    const char *file =
        TITLE "1\n" VECTORS "Na Cl Na H\n1 2 1 0\nD\n0 0 0\n.5 0 0\n0 .5 0\n0 0 .5\n";
    if (!CHECK_STATUS(read_text(file, salt, &s), ENUF_SUCCESS)) return;
    CHECK(s.n == 4);
    CHECK(s.charges[0] == 1 && s.charges[1] == -1 && s.charges[2] == -1 && s.charges[3] == 1);
    enuf_structure_free(&s);
}

static void errors_name_line_and_remedy(void)
{
    static const struct {
        const char *text, *error;
    } files[] = {
        {TITLE, "runs/POSCAR, line 1: the file ends before line 2, the scale"},
        {TITLE "1 2\n" VECTORS, "line 2: 2 words, but the scale is one number"},
        {TITLE "x\n" VECTORS, "line 2: scale 'x' is no number"},
        {TITLE "0\n" VECTORS, "line 2: the scale is 0: 1 leaves"},
        {TITLE "1 -1 1\n" VECTORS, "line 2: each of three scales has to be above 0"},
        {TITLE "1\n4 0 0\n0 4\n0 0 4\n", "line 4: 2 words, but a cell vector has 3 numbers"},
        {TITLE "1\n4 0 0\n", "line 3: the file ends before the third cell vector, line 5"},
        {TITLE "1\n4 0 0\n0 4 0\n4 4 0\n" SPECIES DIRECT, "line 3: the cell has no volume"},
        {TITLE "1e200\n" VECTORS SPECIES DIRECT, "line 3: the cell has no volume"},
        {TITLE "1\n" VECTORS "1 1\n" DIRECT,
         "runs/POSCAR, line 6: the line with the names of the species, e.g. 'Na Cl', is missing "
         "before the numbers of ions (VASP 4 left it out): add it as line 6"},
        {TITLE "1\n" VECTORS "Na Cl\n", "line 6: the file ends before the numbers of ions"},
        {TITLE "1\n" VECTORS "Na Cl\n1\n" DIRECT, "line 8: number of ions 'Direct' is no integer"},
        {TITLE "1\n" VECTORS "Na Cl\n1 1 1\n",
         "line 7: 3 numbers of ions, but there are 2 species"},
        {TITLE "1\n" VECTORS "Na Cl\n1 x\n" DIRECT, "line 7: number of ions 'x' is no integer"},
        {TITLE "1\n" VECTORS "Na Cl\n1 -1\n" DIRECT,
         "line 7: -1 ions: a number of ions cannot be negative"},
        {TITLE "1\n" VECTORS "Na Cl\n0 0\n", "line 7: there are no ions"},
        {TITLE "1\n" VECTORS "Na Cl\n1 1000000000000000000\n" DIRECT,
         "line 7: 1000000000000000000 more ions do not fit in the 28 bytes left"},
        {TITLE "1\n" VECTORS "Sixteen_letters_ Cl\n1 1\n" DIRECT,
         "line 6: species 'Sixteen_letters_'"},
        {TITLE "1\n" VECTORS SPECIES "0 0 0 000000\n0 0 0\n", "line 8: '0' where 'Direct' or "
                                                              "'Cartesian' should stand (or"},
        {TITLE "1\n" VECTORS SPECIES "Selective\n0 0 0 T T T\n", "line 9: '0' where 'Direct'"},
        {TITLE "1\n" VECTORS SPECIES "Direct\n0 0\n0 0 0000\n",
         "line 9: 2 words, but an ion's line"},
        {TITLE "1\n" VECTORS SPECIES "S\nD\n0 0 0\n0 0 0\n", "3 coordinates and 3 flags T or F"},
        {TITLE "1\n" VECTORS SPECIES "S\nD\n0 0 0 T T 1\n0 0 0\n", "line 10: flag '1' should be T"},
        {TITLE "1\n" VECTORS SPECIES "Direct\n0 0 0 1\n0 0 0\n", "line 9: '1': one word more"},
        {TITLE "1\n" VECTORS SPECIES "Direct\n0 0 nan\n0 0 0\n", "line 9: coordinate 'nan' is not"},
        {TITLE "1\n" VECTORS SPECIES "Direct\n0 0 1e308\n0 0 0\n", "line 9: the ion's position is"},
        {TITLE "1\n" VECTORS SPECIES "Direct\n0.00 0.00 0.00\n",
         "line 9: the file ends after 1 of 2 ions"},
        {TITLE "1\n" VECTORS SPECIES "Direct\n0 0 0\n.5 .25 .12",
         "line 10: the file ends without a newline, so this line may be incomplete"},
        {TITLE "1\n" VECTORS SPECIES DIRECT "0 0 0\n", "line 11: one line more than the 2 ions"},
        {TITLE "1\n" VECTORS SPECIES DIRECT,
         "runs/POSCAR, line 6: no charge for 'Na': a POSCAR has none; add --charge Na=CHARGE"},
    };
    for (size_t f = 0; f < sizeof files / sizeof *files; ++f) {
        enuf_structure untouched, s;
        memset(&s, 0x5a, sizeof s);
        untouched = s;
        CHECK_STATUS(read_text(files[f].text, NULL, &s), ENUF_BAD_FILE);
        CHECK_TEXT(files[f].error);
        CHECK(memcmp(&s, &untouched, sizeof s) == 0);
    }
}

/* A file that is cut off anywhere is refused. */
static void no_cut_file_gives_other_numbers(void)
{
    static const char file[] =
        TITLE "1.5\n" VECTORS SPECIES "Direct\n0.125 0.375 0.0625\n0.5 0.25 0.15625\n";
    enuf_structure whole, s;
    int refused = 0;
    if (!CHECK_STATUS(read_text(file, salt, &whole), ENUF_SUCCESS)) return;
    for (size_t size = 0; size < sizeof file - 1; ++size) {
        char cut[sizeof file] = "";
        memcpy(cut, file, size);
        if (read_text(cut, salt, &s) != ENUF_SUCCESS) {
            ++refused;
            continue;
        }
        CHECK(memcmp(s.positions, whole.positions, 6 * sizeof(double)) == 0);
        CHECK(memcmp(s.cell, whole.cell, sizeof s.cell) == 0);
        enuf_structure_free(&s);
    }
    printf("%d of %d cuts refused\n", refused, (int)sizeof file - 1);
    CHECK(refused == sizeof file - 1);
    enuf_structure_free(&whole);
}

static void names_tell_the_format(void)
{
    static const char *const names[] = {"POSCAR",      "CONTCAR",   "a/POSCAR.relaxed",
                                        "x/CONTCAR_2", "salt.vasp", "standard input"};
    for (size_t k = 0; k < sizeof names / sizeof *names; ++k) {
        const char *string = TITLE "1\n" VECTORS SPECIES DIRECT;
        enuf_text text;
        enuf_structure s;
        CHECK_STATUS(enuf_text_copy(names[k], string, strlen(string), &text), ENUF_SUCCESS);
        CHECK_STATUS(enuf_parse_structure(&text, NULL, NULL, 0, &s), ENUF_BAD_FILE);
        CHECK_TEXT("no charge for 'Na'"); /* so it was read as POSCAR */
        enuf_text_free(&text);
    }
}

int main(void)
{
    scales_and_coordinates();
    notations_of_vasp_and_other_programs();
    a_species_may_come_twice();
    errors_name_line_and_remedy();
    no_cut_file_gives_other_numbers();
    names_tell_the_format();
    return check_result();
}
