/*
 * test_extxyz.c - extended XYZ files give exactly the cell, positions, charges, species and ids
 * that stand in them, in the notations of several programs.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "parse.h"

#include <string.h>

#define CUBE "Lattice=\"9 0 0 0 9 0 0 0 9\" "

static void comment_line_holds_cell_and_columns(void)
{
    enuf_structure s;
    const double cell[9] = {9, 0, 0, 1, 8, 0, 2, 3, 7}, positions[6] = {1, 2, 3, 4, 5, 6e-1};
    const char *text = "2\n"
                       "energy=-3.5 Lattice=\"9 0 0 1 8 0 2 3 7\" title='a \"b\" = c' relaxed "
                       "Properties=id:I:1:forces:R:3:charge:R:1:pos:R:3:mol:I:1:species:S:1 "
                       "pbc=\"T T F\" Origin=\"-1 -2 -3\" units=real\n"
                       "5 0 0 0 1 1 2 3 8 Na\n"
                       "3 0 0 0 -1 4 5 6e-1 9 Cl\n\n";
    if (!CHECK_STATUS(parse("two.xyz", text, &s), ENUF_SUCCESS)) return;
    CHECK(s.n == 2 && s.n_species == 2);
    CHECK(memcmp(s.cell, cell, sizeof cell) == 0);
    CHECK(s.origin[0] == -1 && s.origin[1] == -2 && s.origin[2] == -3);
    CHECK(s.periodic[0] && s.periodic[1] && !s.periodic[2]);
    CHECK(memcmp(s.positions, positions, sizeof positions) == 0);
    CHECK(s.charges[0] == 1 && s.charges[1] == -1);
    CHECK(s.ids[0] == 5 && s.ids[1] == 3 && s.molecules[0] == 8 && s.molecules[1] == 9);
    CHECK(strcmp(s.species_names[s.species[1]], "Cl") == 0);
    CHECK(s.units == ENUF_UNITS_REAL && s.units_given && !s.more_frames);
    enuf_structure_free(&s);
}

static void writers_spell_differently(void)
{
    static const char *const texts[] = {
        "1\nLattice=\"[[9, 0, 0], [0, 9, 0], [0, 0, 9]]\" pbc=[T,T,T] "
        "Properties=species:S:1:pos:R:3:q:R:1\nNa 1 2 3 1\n",
        "1\r\nlattice=\"9 0 0 0 9 0 0 0 9\" "
        "properties=species:S:1:pos:R:3:initial_charges:R:1 pbc=\"1 1 1\"\r\nNa 1 2 3 1\r\n",
        "1\n" CUBE "Properties=species:S:1:pos:R:3:charges:I:1 pbc='true True T'\nNa 1 2 3 1",
        "\xef\xbb\xbf"
        "1\r\n" CUBE "Properties=species:S:1:pos:R:3:charge:R:1\r\nNa 1 2 3 1\r\n",
    };
    for (int t = 0; t < 4; ++t) {
        enuf_structure s;
        if (!CHECK_STATUS(parse("one.extxyz", texts[t], &s), ENUF_SUCCESS)) continue;
        CHECK(s.cell[0] == 9 && s.cell[4] == 9 && s.cell[8] == 9 && s.cell[1] == 0);
        CHECK(s.periodic[0] && s.periodic[1] && s.periodic[2]);
        CHECK(s.charges[0] == 1 && s.positions[2] == 3 && !s.ids && !s.molecules);
        CHECK(s.units == ENUF_UNITS_METAL && !s.units_given);
        enuf_structure_free(&s);
    }
}

/* Without Properties the columns are species and position; further columns are ignored. */
static void plain_xyz_with_rules(void)
{
    enuf_structure s;
    if (!CHECK_STATUS(parse_with("ions", "2\n" CUBE "\nNa 1 2 3\nNa 4 5 6 7 8\n", "Na=0.5", &s),
                      ENUF_SUCCESS))
        return;
    CHECK(s.n_species == 1 && s.charges[0] == 0.5 && s.charges[1] == 0.5 && s.positions[5] == 6);
    enuf_structure_free(&s);
}

static void first_of_several_frames(void)
{
    enuf_structure s;
    const char *text = "1\n" CUBE "\nNa 1 2 3\n2\n" CUBE "\nCl 1 2 3\nCl 3 2 1\n";
    if (!CHECK_STATUS(parse_with("ions.xyz", text, "Na=1", &s), ENUF_SUCCESS)) return;
    CHECK(s.n == 1 && s.more_frames);
    enuf_structure_free(&s);
}

static void many_species(void)
{
    enuf_structure s;
    const char *text = "9\n" CUBE "Properties=pos:R:3:species:S:1:charge:R:1\n"
                       "0 0 1 A 1\n0 0 2 B 2\n0 0 3 C 3\n0 0 4 D 4\n0 0 5 A 5\n0 0 6 E 6\n"
                       "0 0 7 F 7\n0 0 8 D 8\n0 0 9 Fifteen_letters 9\n";
    const char *names[9] = {"A", "B", "C", "D", "A", "E", "F", "D", "Fifteen_letters"};
    if (!CHECK_STATUS(parse("ions.xyz", text, &s), ENUF_SUCCESS)) return;
    CHECK(s.n_species == 7);
    for (int64_t i = 0; i < s.n; ++i) {
        CHECK(strcmp(s.species_names[s.species[i]], names[i]) == 0);
        CHECK(s.charges[i] == (double)(i + 1));
    }
    enuf_structure_free(&s);
}

int main(void)
{
    comment_line_holds_cell_and_columns();
    writers_spell_differently();
    plain_xyz_with_rules();
    first_of_several_frames();
    many_species();
    return check_result();
}
