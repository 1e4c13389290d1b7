/*
 * test_lammps_dump.c - text dumps of LAMMPS give the right cell, positions (8e-15), charges,
 * species and ids, for every kind of position and of box. A wrong dump is refused with a text that
 * names the line.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "parse.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define HEAD(n) "ITEM: TIMESTEP\n100\nITEM: NUMBER OF ATOMS\n" #n "\n"
#define CUBE    "ITEM: BOX BOUNDS pp pp pp\n0 10\n0 10\n0 10\n"

/*
 * A tilted box: a = (10, 0, 0), b = (2, 8, 0), c = (-3, 1, 6), origin (1, 2, 3). LAMMPS writes the
 * bounds of the box around it: xlo + min(0, xy, xz, xy + xz), ...
 */
#define TILTED                                                                                     \
    "ITEM: BOX BOUNDS xy xz yz pp pp pp\n-2.0000000000000000e+00 1.3000000000000000e+01 2\n"       \
    "2 11 -3\n3 9 1\n"
#define GENERAL "ITEM: BOX BOUNDS abc origin pp pp pp\n10 0 0 1\n2 8 0 2\n-3 1 6 3\n"

static const double tilted[9] = {10, 0, 0, 2, 8, 0, -3, 1, 6}, tilted_origin[3] = {1, 2, 3};

/* One ion at 1/4 1/2 3/4 of the tilted box, with image flags 1 0 -2 if the columns have them. */
static void every_kind_of_position_gives_the_same_ion(void)
{
    static const struct {
        const char *columns, *values;
        int wrapped; /* 1: without image flags, so that the position stays in the box */
    } kinds[] = {
        {"x y z", "2.25 6.75 7.5", 1},
        {"x y z ix iy iz", "2.25 6.75 7.5 1 0 -2", 0},
        {"xs ys zs", "0.25 0.5 0.75", 1},
        {"ix iy iz xs ys zs", "1 0 -2 0.25 0.5 0.75", 0},
        {"xu yu zu", "18.25 4.75 -4.5", 0},
        {"xsu ysu zsu", "1.25 0.5 -1.25", 0},
        {"x y z xu yu zu ix iy iz", "2.25 6.75 7.5 18.25 4.75 -4.5 1 0 -2", 0},
        {"vx fx x y z ix", "7 7 2.25 6.75 7.5 1", 1},
    };
    static const char *const boxes[] = {TILTED, GENERAL};
    for (size_t b = 0; b < 2; ++b) {
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k) {
            char text[600];
            enuf_structure s;
            const double expected[3] = {1 + 2.5 + 1 - 2.25, 2 + 4 + .75, 3 + 4.5};
            double worst = 0.0;
            snprintf(text, sizeof text, HEAD(1) "%sITEM: ATOMS id type q %s\n7 1 -1.5 %s\n",
                     boxes[b], kinds[k].columns, kinds[k].values);
            if (!CHECK_STATUS(parse("a.dump", text, &s), ENUF_SUCCESS)) continue;
            for (int d = 0; d < 3; ++d) {
                const double shift = kinds[k].wrapped ? 0.0 : tilted[d] - 2 * tilted[6 + d];
                worst = fmax(worst, fabs(s.positions[d] - expected[d] - shift));
            }
            CHECK_BELOW(worst, 8e-15, kinds[k].columns); /* four roundings of 18 */
            CHECK(memcmp(s.cell, tilted, sizeof tilted) == 0);
            CHECK(memcmp(s.origin, tilted_origin, sizeof tilted_origin) == 0);
            CHECK(s.charges[0] == -1.5 && s.ids[0] == 7 && s.step == 100 && s.step_given);
            CHECK(s.cell_line == 5 && !s.more_frames);
            enuf_structure_free(&s);
        }
    }
}

static void items_in_any_order_and_boundaries(void)
{
    enuf_structure s;
    const char *text = "ITEM: UNITS\nreal\nITEM: TIME\n0.25\nITEM: TIMESTEP\n250\n"
                       "ITEM: BOX BOUNDS pp pp ff\n-1 9\n0 10\n0 20\nITEM: NUMBER OF ATOMS\n3\n"
                       "ITEM: ATOMS element mol id q z y x type\n"
                       "O 4 30 -0.8 3 2 1 1\nH 4 10 0.4 6 5 4 2\nH 4 20 0.4 9 8 7 2\n\n";
    if (!CHECK_STATUS(parse("x", text, &s), ENUF_SUCCESS)) return;
    CHECK(s.n == 3 && s.n_species == 2 && strcmp(s.species_names[1], "H") == 0);
    CHECK(s.units == ENUF_UNITS_REAL && s.units_given && s.molecules[2] == 4 && s.ids[1] == 10);
    CHECK(s.positions[3] == 4 && s.positions[4] == 5 && s.positions[5] == 6);
    CHECK(s.periodic[0] && s.periodic[1] && !s.periodic[2] && s.origin[0] == -1);
    enuf_structure_free(&s);
}

static void types_are_species_without_a_column_element(void)
{
    enuf_structure s;
    CHECK_STATUS(
        parse_with("dump.salt", HEAD(1) CUBE "ITEM: ATOMS type x y z\n2 1 2 3\n", "2=1", &s),
        ENUF_SUCCESS);
    CHECK(strcmp(s.species_names[0], "2") == 0 && s.charges[0] == 1.0 && !s.ids && !s.molecules);
    enuf_structure_free(&s);
}

static void errors_name_line_and_remedy(void)
{
#define ATOMS "ITEM: ATOMS id type q x y z\n"
    static const struct {
        const char *text, *error;
    } files[] = {
        {"ITEM: TIMESTEP\n", "bad.dump, line 1: the file ends before the time step"},
        {"ITEM: TIMESTEP\n1 2\n", "line 2: the time step should stand here, and nothing else"},
        {"ITEM: TIMESTEP\n1.5\n", "line 2: time step '1.5' is no integer"},
        {"ITEM: UNITS\nelectron\n",
         "line 2: units electron: those known here are real, metal, si, lj"},
        {"ITEM: ENTRIES a b\n", "line 1: 'ITEM: ENTRIES a b' where ITEM: TIMESTEP"},
        {"ITEM: TIMESTEP\n1\nhello\n", "line 3: 'hello' where ITEM: TIMESTEP"},
        {HEAD(0), "line 4: there are no atoms"},
        {HEAD(x), "line 4: number of atoms 'x' is no integer"},
        {HEAD(1) CUBE, "line 8: the file ends before ITEM: ATOMS"},
        {HEAD(1) ATOMS "1 1 1 0 0 0\n", "line 5: ATOMS without ITEM: BOX BOUNDS before it"},
        {CUBE ATOMS "1 1 1 0 0 0\n", "line 5: ATOMS without ITEM: NUMBER OF ATOMS before it"},
        {HEAD(1) "ITEM: BOX BOUNDS pp pp\n0 1\n0 1\n0 1\n" ATOMS,
         "line 5: BOX BOUNDS should end with the"},
        {HEAD(1) "ITEM: BOX BOUNDS yz pp pp pp\n",
         "line 5: BOX BOUNDS should end with the boundaries"},
        {HEAD(1) "ITEM: BOX BOUNDS xy yz xz pp pp pp\n", "line 5: BOX BOUNDS should end with the"},
        {HEAD(1) "ITEM: BOX BOUNDS pp pp pp\n0 1 0\n",
         "line 6: 3 numbers, but a line of this box has 2"},
        {HEAD(1) "ITEM: BOX BOUNDS pp pp pp\n0 nan\n", "line 6: box size 'nan' is not finite"},
        {HEAD(1) "ITEM: BOX BOUNDS pp pp pp\n0 1\n1 1\n0 1\n" ATOMS,
         "line 7: the box has no extent along y"},
        {HEAD(1) "ITEM: BOX BOUNDS xy xz yz pp pp pp\n0 3 4\n0 9 0\n0 9 0\n",
         "line 6: the box has no extent along x: -1"},
        {HEAD(1) "ITEM: BOX BOUNDS abc origin pp pp pp\n1 0 0 0\n2 0 0 0\n0 0 1 0\n" ATOMS
                 "1 1 1 0 0 0\n",
         "line 5: the cell has no volume"},
        {HEAD(1) CUBE CUBE ATOMS,
         "line 9: a second item of its name before ITEM: ATOMS: the first is on line 5"},
        {HEAD(1) HEAD(2) CUBE ATOMS,
         "line 5: a second item of its name before ITEM: ATOMS: the first is on"},
        {HEAD(1) CUBE "ITEM: ATOMS id q x y z\n",
         "line 9: ATOMS has neither a column type nor element"},
        {HEAD(1) CUBE "ITEM: ATOMS id type q x yu z\n",
         "line 9: ATOMS has no positions: x y z, xu yu zu"},
        {HEAD(99999999) CUBE ATOMS "1 1 1 0 0 0\n",
         "line 4: 99999999 atoms do not fit in the 12 bytes"},
        {HEAD(2) CUBE ATOMS "1 1 1 0 0 0           \n",
         "line 10: the file ends after 1 of 2 atoms"},
        {HEAD(1) CUBE ATOMS "1 1 1 0 0\n    ", "line 10: 5 columns, but ITEM: ATOMS promises 6"},
        {HEAD(1) CUBE ATOMS "1 1 1 0 0 0\n2 1 1 0 0 0\n",
         "line 11: one line more than the 1 atoms of line 4"},
        {HEAD(1) CUBE ATOMS "1 1 1 0 0 1e\n", "line 10: coordinate '1e' is no number"},
        {HEAD(1) CUBE ATOMS "1 1 inf 0 0 1\n", "line 10: charge 'inf' is not finite"},
        {HEAD(2) CUBE ATOMS "1 1 1 0 0 0\n1 1 1 1 1 1\n",
         "line 11: atom id 1 stands on line 10 too"},
        {HEAD(1) CUBE "ITEM: ATOMS type x y z\n3 1 2 3\n",
         "line 10: no charge for '3': the dump has no column q; add --charge 3=CHARGE"},
    };
    for (size_t f = 0; f < sizeof files / sizeof *files; ++f) {
        enuf_structure s;
        CHECK_STATUS(parse("bad.dump", files[f].text, &s), ENUF_BAD_FILE);
        CHECK_TEXT("bad.dump");
        CHECK_TEXT(files[f].error);
    }
}

int main(void)
{
    every_kind_of_position_gives_the_same_ion();
    items_in_any_order_and_boundaries();
    types_are_species_without_a_column_element();
    errors_name_line_and_remedy();
    return check_result();
}
