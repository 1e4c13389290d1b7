/*
 * test_lammps_data.c - LAMMPS data files give exactly the cell, positions, charges, species, ids
 * and bonds that stand in them, in every atom style with positions; all legal header lines and
 * sections are accepted.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "parse.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define HEAD(atoms)                                                                                \
    "title\n\n" atoms " atoms\n2 atom types\n0 10 xlo xhi\n0 20 ylo yhi\n-5 25 zlo zhi\n"

static int is_name(const enuf_structure *s, int64_t ion, const char *name)
{
    return strcmp(s->species_names[s->species[ion]], name) == 0;
}

/* Two ions written in each atom style; charges from rules if the style has none. */
static void every_style_gives_the_same_ions(void)
{
    static const struct {
        const char *hint, *first, *second;
        int charges, molecules;
    } styles[] = {
        {"# angle", "7 3 1 1 2 3", "9 4 2 4 5 6.5", 0, 1},
        {"# atomic", "7 1 1 2 3", "9 2 4 5 6.5", 0, 0},
        {"# body", "7 1 0 1 1 2 3", "9 2 0 1 4 5 6.5", 0, 0},
        {"# bpm/sphere", "7 3 1 1 1 1 2 3", "9 4 2 1 1 4 5 6.5", 0, 1},
        {"# dpd", "7 1 300 1 2 3", "9 2 300 4 5 6.5", 0, 0},
        {"# edpd", "7 1 1 2 1 2 3", "9 2 1 2 4 5 6.5", 0, 0},
        {"# line", "7 3 1 0 1 1 2 3", "9 4 2 0 1 4 5 6.5", 0, 1},
        {"# mdpd", "7 1 .5 1 2 3", "9 2 .5 4 5 6.5", 0, 0},
        {"# peri", "7 1 1 1 1 2 3", "9 2 1 1 4 5 6.5", 0, 0},
        {"# sph", "7 1 1 1 1 1 2 3", "9 2 1 1 1 4 5 6.5", 0, 0},
        {"# tri", "7 3 1 0 1 1 2 3", "9 4 2 0 1 4 5 6.5", 0, 1},
        {"# wavepacket", "7 1 2 1 1 1 1 1 1 2 3", "9 2 -1 1 1 1 1 1 4 5 6.5", 1, 0},
        {"# bond", "7 3 1 1 2 3", "9 4 2 4 5 6.5", 0, 1},
        {"# charge", "7 1 2 1 2 3", "9 2 -1 4 5 6.5", 1, 0},
        {"# dipole", "7 1 2 1 2 3 0 0 0", "9 2 -1 4 5 6.5 1 1 1", 1, 0},
        {"# electron", "7 1 2 0 0 1 2 3", "9 2 -1 1 1.5 4 5 6.5", 1, 0},
        {"# ellipsoid", "7 1 0 1 1 2 3", "9 2 0 1 4 5 6.5", 0, 0},
        {"# full", "7 3 1 2 1 2 3", "9 4 2 -1 4 5 6.5", 1, 1},
        {"# molecular", "7 3 1 1 2 3", "9 4 2 4 5 6.5", 0, 1},
        {"# sphere", "7 1 1 1 1 2 3", "9 2 1 1 4 5 6.5", 0, 0},
        {"", "7 3 1 2 1 2 3", "9 4 2 -1 4 5 6.5", 1, 1},
        {"", "7 3 1 2 1 2 3 0 0 0", "9 4 2 -1 4 5 6.5 0 0 0", 1, 1},
        {"", "7 1 2.0 1 2 3", "9 2 -1 4 5 6.5", 1, 0},
        {"", "7 1 2.0 1 2 3 0 0 0", "9 2 -1 4 5 6.5 0 0 0", 1, 0},
        {"", "7 1 1 2 3", "9 2 4 5 6.5", 0, 0},
        {"", "7 1 1 2 3 0 0 0", "9 2 4 5 6.5 0 0 0", 0, 0},
    };
    static const double positions[6] = {1, 2, 3, 4, 5, 6.5};
    for (size_t c = 0; c < sizeof styles / sizeof *styles; ++c) {
        char text[400];
        enuf_structure s;
        const enuf_charge_rule rules[] = {{"1", 2.0}, {"2", -1.0}};
        enuf_text file;
        snprintf(text, sizeof text, HEAD("2") "\nAtoms %s\n\n%s\n%s\n", styles[c].hint,
                 styles[c].first, styles[c].second);
        CHECK_STATUS(enuf_text_copy("two.data", text, strlen(text), &file), ENUF_SUCCESS);
        int n_rules = styles[c].charges ? 0 : 2;
        if (CHECK_STATUS(enuf_parse_structure(&file, NULL, rules, n_rules, &s), ENUF_SUCCESS)) {
            CHECK(s.n == 2 && s.ids[0] == 7 && s.ids[1] == 9);
            CHECK(memcmp(s.positions, positions, sizeof positions) == 0);
            CHECK(s.charges[0] == 2.0 && s.charges[1] == -1.0);
            CHECK(is_name(&s, 0, "1") && is_name(&s, 1, "2"));
            CHECK((s.molecules != NULL) == styles[c].molecules);
            CHECK(!s.molecules || (s.molecules[0] == 3 && s.molecules[1] == 4));
            enuf_structure_free(&s);
        }
        enuf_text_free(&file);
    }
}

static void box_is_cell_and_origin(void)
{
    enuf_structure s;
    const double cell[9] = {10, 0, 0, 0, 20, 0, 0, 0, 30};
    CHECK_STATUS(parse("data.x", HEAD("1") "Atoms # charge\n\n1 1 1 0 0 0\n", &s), ENUF_SUCCESS);
    CHECK(memcmp(s.cell, cell, sizeof cell) == 0);
    CHECK(s.origin[0] == 0 && s.origin[1] == 0 && s.origin[2] == -5);
    CHECK(s.periodic[0] && s.periodic[1] && s.periodic[2]);
    CHECK(s.units == ENUF_UNITS_METAL && !s.units_given && s.n_bonds == 0);
    CHECK(s.cell_line == 5); /* xlo xhi */
    enuf_structure_free(&s);
}

static void tilt_and_image_flags_unwrap(void)
{
    enuf_structure s;
    const double cell[9] = {10, 0, 0, 1, 20, 0, 2, 3, 30};
    const double expected[3] = {0.5 + 10 - 2 * 1 + 3 * 2, 0.5 - 2 * 20 + 3 * 3, 0.5 + 3 * 30};
    CHECK_STATUS(
        parse("data.x", HEAD("1") "1 2 3 xy xz yz\nAtoms # charge\n\n1 1 1 .5 .5 .5 1 -2 3\n", &s),
        ENUF_SUCCESS);
    CHECK(memcmp(s.cell, cell, sizeof cell) == 0);
    CHECK(memcmp(s.positions, expected, sizeof expected) == 0);
    enuf_structure_free(&s);
}

/* Every header line and section of the manual page of read_data, and of fix cmap, is accepted: the
 * lines that a structure does not need are skipped. */
static void legal_lines_are_skipped(void)
{
    static const char *const header[] = {"1 angles",
                                         "1 dihedrals",
                                         "1 impropers",
                                         "1 bond types",
                                         "1 angle types",
                                         "1 ellipsoids",
                                         "1 dihedral types",
                                         "1 lines",
                                         "1 triangles",
                                         "1 bodies",
                                         "9 crossterms",
                                         "1 improper types",
                                         "0 0 0 xy xz yz",
                                         "0 bonds # none",
                                         "1 extra bond per atom",
                                         "1 extra angle per atom",
                                         "1 extra dihedral per atom",
                                         "1 extra improper per atom",
                                         "1 extra special per atom"};
    static const char *const sections[] = {"Velocities",
                                           "Ellipsoids",
                                           "Lines",
                                           "Triangles",
                                           "Bodies",
                                           "Angles",
                                           "Dihedrals",
                                           "Impropers",
                                           "Bond Type Labels",
                                           "Angle Type Labels",
                                           "Dihedral Type Labels",
                                           "Improper Type Labels",
                                           "Pair Coeffs # lj/cut",
                                           "PairIJ Coeffs",
                                           "Bond Coeffs",
                                           "Angle Coeffs",
                                           "Dihedral Coeffs",
                                           "Improper Coeffs",
                                           "BondBond Coeffs",
                                           "BondAngle Coeffs",
                                           "MiddleBondTorsion Coeffs",
                                           "EndBondTorsion Coeffs",
                                           "AngleTorsion Coeffs",
                                           "AngleAngleTorsion Coeffs",
                                           "BondBond13 Coeffs",
                                           "AngleAngle Coeffs",
                                           "CMAP",
                                           "my fix"};
    for (size_t k = 0; k < sizeof header / sizeof *header; ++k) {
        char text[400];
        enuf_structure s;
        snprintf(text, sizeof text, HEAD("1") "%s\n\nAtoms # charge\n\n1 1 1 0 0 0\n", header[k]);
        if (CHECK_STATUS(parse("data.x", text, &s), ENUF_SUCCESS)) enuf_structure_free(&s);
    }
    for (size_t k = 0; k < sizeof sections / sizeof *sections; ++k) {
        char text[400];
        enuf_structure s;
        const char *label = strstr(sections[k], "Coeffs") ? "Na" : "1";
        snprintf(text, sizeof text,
                 HEAD("1") "%s\n\n1 2 3 4\n%s 2 3 4\n\nAtoms # charge\n\n1 1 1 0 0 0\n",
                 sections[k], label);
        if (CHECK_STATUS(parse("data.x", text, &s), ENUF_SUCCESS)) enuf_structure_free(&s);
    }
}

static void general_triclinic_box(void)
{
    enuf_structure s;
    const double cell[9] = {0, 5, 5, 5, 0, 5, 5, 5, 0}, origin[3] = {-1, -2, -3};
    CHECK_STATUS(parse("data.x",
                       "title\n1 atoms\n1 atom types\n0 5 5 avec\n5 0 5 bvec\n5 5 0 cvec\n"
                       "-1 -2 -3 abc origin\nAtoms # charge\n\n1 1 1 0 0 0\n",
                       &s),
                 ENUF_SUCCESS);
    CHECK(memcmp(s.cell, cell, sizeof cell) == 0);
    CHECK(memcmp(s.origin, origin, sizeof origin) == 0);
    CHECK_CLOSE(enuf_structure_volume(&s), 250, 1e-15, "volume");
    CHECK(s.cell_line == 4); /* avec */
    enuf_structure_free(&s);
}

/* In the form of write_data, with the sections in another order and one unknown section. */
static const char molecule[] =
    "LAMMPS data file via write_data, version 4 Feb 2025, timestep = 0, units = real\n"
    "\n"
    "3 atoms  # a molecule\n"
    "2 atom types\n"
    "2 bonds\n"
    "1 bond types\n"
    "1 angles\n"
    "1 angle types\n"
    "3 extra bond per atom\n"
    "\n"
    "0 10 xlo xhi\r\n"
    "0 10 ylo yhi\r\n"
    "0 10 zlo zhi\r\n"
    "\n"
    "Bonds\n"
    "\n"
    "1 1 30 10\n"
    "2 1 30 20\n"
    "\n"
    "Pair Coeffs # lj/cut/coul/long\n"
    "\n"
    "1 0.1553 3.166\n"
    "2 0 0\n"
    "\n"
    "Tildes of my fix\n"
    "\n"
    "Anything 1 2 3\n"
    "\n"
    "Atoms  # full\n"
    "\n"
    "30 1 1 -0.8476 5 5 5 0 0 0\n"
    "   # the hydrogens\n"
    "10 1 2 0.4238 6 5 5 0 0 0 # first\n"
    "\n"
    "20 1 2 0.4238 5 6 5 0 0 0\n"
    "\n"
    "Masses\n"
    "\n"
    "1 15.9994 # O in water\n"
    "2 1.008\t# H\n"
    "\n"
    "Velocities\n"
    "\n"
    "30 0 0 0\n"
    "10 0 0 0\n"
    "20 0 0 0\n"
    "\n"
    "Angles\n"
    "\n"
    "1 1 10 30 20\n";

static void molecules_as_written_by_lammps(void)
{
    enuf_structure s;
    const int64_t bonds[4] = {0, 1, 0, 2};
    if (!CHECK_STATUS(parse("water", molecule, &s), ENUF_SUCCESS)) return;
    CHECK(s.n == 3 && s.n_species == 2);
    CHECK(s.ids[0] == 30 && s.ids[1] == 10 && s.ids[2] == 20); /* the file's order */
    CHECK(is_name(&s, 0, "O") && is_name(&s, 1, "H") && is_name(&s, 2, "H"));
    CHECK(s.n_bonds == 2 && memcmp(s.bonds, bonds, sizeof bonds) == 0);
    CHECK(s.units == ENUF_UNITS_REAL && s.units_given);
    CHECK_BELOW(s.charges[0] + s.charges[1] + s.charges[2], 1e-16, "net charge");
    enuf_structure_free(&s);
}

static void type_labels_name_the_species(void)
{
    enuf_structure s;
    CHECK_STATUS(parse("data.x",
                       HEAD("2") "Atom Type Labels\n\n2 Cl\n1 Na\n\nMasses\n\nNa 22.9 # sodium\n"
                                 "Cl 35.4\n\nAtoms # charge\n\n1 Cl -1 0 0 0\n2 1 1 1 1 1\n",
                       &s),
                 ENUF_SUCCESS);
    CHECK(is_name(&s, 0, "Cl") && is_name(&s, 1, "Na"));
    enuf_structure_free(&s);
}

static void rules_override_charges(void)
{
    enuf_structure s;
    CHECK_STATUS(parse_with("water", molecule, "H=0.25", &s), ENUF_SUCCESS);
    CHECK(s.charges[0] == -0.8476 && s.charges[1] == 0.25 && s.charges[2] == 0.25);
    enuf_structure_free(&s);
}

int main(void)
{
    every_style_gives_the_same_ions();
    box_is_cell_and_origin();
    tilt_and_image_flags_unwrap();
    legal_lines_are_skipped();
    general_triclinic_box();
    molecules_as_written_by_lammps();
    type_labels_name_the_species();
    rules_override_charges();
    return check_result();
}
