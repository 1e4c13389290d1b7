/*
 * test_read_errors.c - wrong extended XYZ and LAMMPS data files, formats and charge rules are
 * refused with a text that names the file, the line and what would be right; the result stays
 * untouched.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "parse.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct broken_file {
    const char *text, *error;
} broken_file;

#define CUBE     "Lattice=\"9 0 0 0 9 0 0 0 9\" "
#define CHARGED  CUBE "Properties=species:S:1:pos:R:3:charge:R:1\n"
#define WITH_IDS CUBE "Properties=species:S:1:pos:R:3:charge:R:1:id:I:1\n"

static const broken_file extxyz[] = {
    {" \n\t\n", "bad.xyz: is empty"},
    {"x\n", "line 1: the first line of an XYZ file is the number of ions"},
    {"0\n", "line 1: the first line of an XYZ file is the number of ions"},
    {"2 3\n", "line 1: the first line of an XYZ file is the number of ions"},
    {"-2\n", "line 1: the first line of an XYZ file is the number of ions"},
    {"2\n", "line 1: the file ends before the comment line"},
    {"1\nwater\nNa 1 2 3\n", "line 2: no Lattice="},
    {"1\nLattice=\"9 0 0\"\n", "line 2: Lattice holds 3 numbers, but needs 9"},
    {"1\nLattice=\"9 0 0 0 9 0 0 0 9\n", "line 2: the \" that opens the value of Lattice"},
    {"1\nLattice=\"9 0 0 0 9 0 0 0 x\"\n", "line 2: Lattice 'x' is no number"},
    {"1\nLattice=\"9 0 0 0 9 0 0 0 inf\"\n", "line 2: Lattice 'inf' is not finite"},
    {"1\nLattice=\"9 0 0 0 9 0 0 9 0\"\n", "line 2: the cell has no volume: a = (9, 0, 0)"},
    {"1\nLattice=\"0 0 0 0 9 0 0 0 9\"\n", "line 2: the cell has no volume"},
    {"1\nLattice=\"1e200 0 0 0 1e200 0 0 0 1\"\n", "line 2: the cell has no volume"},
    {"1\n" CUBE "Properties=species:S:1:pos:R:3 " CHARGED "Na 1 2 3 1\n",
     "line 2: Lattice stands here twice"},
    {"1\n" CUBE "Properties=species:S:1:pos:R:3 Properties=pos:R:3:species:S:1\nNa 1 2 3\n",
     "line 2: Properties stands here twice"},
    {"1\n" CUBE CUBE "\nNa 1 2 3\n", "line 2: Lattice stands here twice"},
    {"1\n" CUBE "pbc=\"T T T\" PBC=\"T T F\"\nNa 1 2 3\n", "line 2: pbc stands here twice"},
    {"1\n" CUBE "pbc=\"T T\"\n", "line 2: pbc=\"T T\" should be three of T and F"},
    {"1\n" CUBE "pbc=\"T T maybe\"\n", "line 2: pbc=\"T T maybe\" should be three"},
    {"1\n" CUBE "Origin=\"1 2\"\n", "line 2: Origin holds 2 numbers, but needs 3"},
    {"1\n" CUBE "units=nano\n", "line 2: units=nano: they are real, metal"},
    {"1\n" CUBE "Properties=species:S:1:charge:R:1\n", "line 2: Properties has no pos:R:3"},
    {"1\n" CUBE "Properties=pos:R:3\n", "line 2: Properties has no species:S:1"},
    {"1\n" CUBE "Properties=species:S\n", "line 2: Properties: 'species' should be followed by"},
    {"1\n" CUBE "Properties=pos:Q:3\n", "line 2: Properties: 'pos' should be followed by a type"},
    {"1\n" CUBE "Properties=pos:R:x\n", "line 2: the width of a property 'x' is no integer"},
    {"1\n" CUBE "Properties=pos:R:999\n", "at most 256 columns in all"},
    {"99999999999\n" CHARGED "Na 1 2 3 1\n", "line 1: 99999999999 ions do not fit in the 11 bytes"},
    {"9223372036854775807\n" CHARGED, "line 1: 9223372036854775807 ions do not fit"},
    {"9223372036854775808\n" CHARGED, "line 1: the first line of an XYZ file"},
    {"2\n" CHARGED "Na 10.00 20.00 30.00 1\n", "line 3: the file ends after 1 of 2 ions"},
    {"1\n" CHARGED "Na 1 2 3\n \n", "line 3: 4 columns, but Properties promises 5"},
    {"1\n" CHARGED "Na 1 2 3 1 0\n", "line 3: 6 columns, but Properties promises 5"},
    {"1\n" CUBE "\nNa 1 2\n   ", "line 3: 3 columns, but an XYZ file has at least 4"},
    {"2\n" CHARGED "Na 1 2 3 1\n\nNa 1 2 3 1\n", "line 4: 0 columns"},
    {"1\n" CHARGED "Na 1 2 y 1\n", "line 3: coordinate 'y' is no number"},
    {"1\n" CHARGED "Na 1 2 3.0.0 1\n", "line 3: coordinate '3.0.0' is no number"},
    {"1\n" CHARGED "Na 1 nan 3 1\n", "line 3: coordinate 'nan' is not finite"},
    {"1\n" CHARGED "Na 1 2 -Inf 1\n", "line 3: coordinate '-Inf' is not finite"},
    {"1\n" CHARGED "Na 1 2 1e999 1\n", "line 3: coordinate '1e999' is not finite"},
    {"1\n" CHARGED "Na 1 2 3 NaN\n", "line 3: charge 'NaN' is not finite"},
    {"1\n" CHARGED "Sixteen_letters_ 1 2 3 1\n",
     "line 3: species 'Sixteen_letters_' has more than 15"},
    {"1\n" WITH_IDS "Na 1 2 3 1 1.5\n", "line 3: atom id '1.5' is no integer"},
    {"1\n" WITH_IDS "Na 1 2 3 1 99999999999999999999\n", "line 3: atom id '99999999999999999999'"},
    {"2\n" WITH_IDS "Na 1 2 3 1 7\nCl 3 2 1 -1 7\n", "line 4: atom id 7 stands on line 3 too"},
    {"1\n" CHARGED "Na 1 2 3 1\nCl 1 2 3 1\n", "line 4: one line more than the 1 ions of line 1"},
    {"2\n" CUBE "\nNa 1 2 3\nCl 4 5 6\n", "bad.xyz, line 3: no charge for 'Na'"},
    {"1\n" CHARGED "Na 1 2 3\t\x1b[2J\n", "line 3: charge '?[2J' is no number"},
};

#define BOX  "0 9 xlo xhi\n0 9 ylo yhi\n0 9 zlo zhi\n"
#define TWO  "title\n2 atoms\n2 atom types\n" BOX
#define ONE  "title\n1 atoms\n2 atom types\n" BOX
#define PAIR "Atoms # charge\n\n1 1 1 0 0 0\n2 2 -1 1 1 1\n"

static const broken_file lammps_data[] = {
    {"title\n1 atom types\n" BOX PAIR,
     "bad.data, line 6: the header ends here without '... atoms'"},
    {"title\n2 atoms\n" BOX PAIR, "line 6: the header ends here without '... atom types'"},
    {"title\nx atoms\n" BOX PAIR, "line 2: count 'x' is no integer"},
    {"title\n2.5 atoms\n" BOX PAIR, "line 2: count '2.5' is no integer"},
    {"title\n-2 atoms\n" BOX PAIR, "line 2: a count cannot be negative"},
    {"title\n0 atoms\n1 atom types\n" BOX PAIR, "line 2: there are no atoms"},
    {"title\n2 atoms\n0 atom types\n" BOX PAIR, "line 3: 0 atom types: 1 to 4096 are possible"},
    {"title\n2 atoms\n99999999999 atom types\n" BOX PAIR, "line 3: 99999999999 atom types"},
    {"title units = electron\n2 atoms\n", "line 1: units = electron: those known here are real"},
    {"title\n2 atoms\n2 atom types\n0 9 xlo xhi\n0 9 ylo yhi\n" PAIR,
     "line 6: the header ends here without the box: 'zlo zhi'"},
    {"title\n2 atoms\n2 atom types\n9 9 xlo xhi\n", "bad.data, line 4: xhi 9 is not above xlo 9"},
    {"title\n2 atoms\n2 atom types\n0 x xlo xhi\n", "line 4: box size 'x' is no number"},
    {"title\n2 atoms\n2 atom types\n0 nan xlo xhi\n", "line 4: box size 'nan' is not finite"},
    {TWO "0 inf 0 xy xz yz\n" PAIR, "line 7: box size 'inf' is not finite"},
    {TWO "0 1e12 0 xy xz yz\n" PAIR, "line 4: the cell has no volume"},
    {"t\n2 atoms\n2 atom types\n1 0 0 avec\n", "needs avec, bvec, cvec and abc origin"},
    {TWO "1 0 0 avec\n0 1 0 bvec\n0 0 1 cvec\n0 0 0 abc origin\n" PAIR, "line 7: two boxes"},
    {"t\n2 atoms\n2 atom types\n1 0 0 avec\n2 0 0 bvec\n0 0 1 cvec\n0 0 0 abc origin\n" PAIR,
     "line 4: the cell has no volume"},
    {TWO, "bad.data: no section Atoms"},
    {TWO PAIR PAIR, "line 11: a second section Atoms: the first is on line 7"},
    {"title\n99999999999 atoms\n2 atom types\n" BOX PAIR, "line 2: 99999999999 atoms do not fit"},
    {"title\n3 atoms\n2 atom types\n" BOX PAIR "\n#\n\nBonds\n",
     "line 14: section Atoms ends after 2 of 3 lines"},
    {"title\n2 atoms\n2 atom types\n" BOX "Atoms # charge\n\n1 1 1 0 0 0       \n",
     "line 9: section Atoms ends after 1 of 2 lines"},
    {ONE PAIR, "line 10: one line more in section Atoms than the header's 1"},
    {ONE "Atoms # full\n\n1 1 1 1 0 0 0 0\n",
     "bad.data, line 9: 8 columns, but atom_style full needs 7 or 10 "
     "(id mol type q x y z [ix iy iz])"},
    {ONE "Atoms # hybrid\n\n1 1 1 0 0 0\n",
     "line 7: atom_style hybrid: the order of its sub-styles"},
    {ONE "Atoms # fool\n\n1 1 1 0 0 0\n", "line 7: atom style 'fool' is none of angle, atomic"},
    {ONE "Atoms\n\n1 1 1 0 0 0\n",
     "line 9: 6 columns do not tell the atom style: write it behind the section's name, "
     "e.g. 'Atoms # full' on line 7"},
    {ONE "Atoms\n\n1 1 1 0     \n", "line 9: 4 columns do not tell the atom style"},
    {ONE "Atoms\n\n1 1 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n", "line 9: 18 columns do not tell"},
    {ONE "Atoms # charge\n\n1 3 1 0 0 0\n", "line 9: atom type 3, but there are 2 atom types"},
    {ONE "Atoms # charge\n\n1 0 1 0 0 0\n", "line 9: atom type 0, but there are 2 atom types"},
    {ONE "Atoms # charge\n\n1 Na 1 0 0 0\n", "line 9: atom type 'Na' is no integer"},
    {ONE "Atoms # charge\n\n1. 1 1 0 0 0\n", "line 9: atom id '1.' is no integer"},
    {ONE "Atoms # full\n\n1 x 1 1 0 0 0\n", "line 9: molecule id 'x' is no integer"},
    {ONE "Atoms # charge\n\n1 1 inf 0 0 0\n", "line 9: charge 'inf' is not finite"},
    {ONE "Atoms # charge\n\n1 1 1 0 nan 0\n", "line 9: coordinate 'nan' is not finite"},
    {ONE "Atoms # charge\n\n1 1 1 0 0 0 1 1 .5\n", "line 9: image flag '.5' is no integer"},
    {"t\n1 atoms\n1 atom types\n0 1e300 xlo xhi\n0 1e-3 ylo yhi\n0 1e-3 zlo zhi\n" PAIR,
     "line 4: the cell has no volume"},
    {TWO "Atoms # charge\n\n5 1 1 0 0 0\n# comment\n5 2 -1 1 1 1\n",
     "line 11: atom id 5 stands on line 9 too"},
    {TWO "Masses\n\n1 22.9\n\n" PAIR, "line 11: section Masses ends after 1 of 2 lines"},
    {TWO "Masses\n\n1\n2 35\n\n" PAIR, "line 9: 1 columns, but a mass's line has 2"},
    {TWO "Masses\n\n1 22.9\n3 35\n\n" PAIR, "line 10: atom type 3, but there are 2"},
    {TWO "Masses\n\n1 22.9 0\n2 35\n\n" PAIR, "line 9: 3 columns, but a mass's line has 2"},
    {TWO "Masses\n\n1 x\n2 35\n\n" PAIR, "line 9: mass 'x' is no number"},
    {TWO "Masses\n\n1 1\n2 35\n3 1\n\n" PAIR, "line 11: one line more in section Masses"},
    {TWO "Atom Type Labels\n\n1 Na\n2\n" PAIR, "line 10: 1 columns, but a label's line has 2"},
    {TWO "Atom Type Labels\n\n1 Na\n2 Sixteen_letters_\n" PAIR,
     "line 10: label 'Sixteen_letters_'"},
    {TWO "1 bonds\n" PAIR, "line 7: 1 bonds, but there is no section Bonds"},
    {TWO "99999999 bonds\n" PAIR "Bonds\n\n1 1 1 2\n", "line 7: 99999999 bonds do not fit"},
    {TWO "1 bonds\n" PAIR "Bonds\n\n1 1 1 3\n", "line 14: a bond of atom 3, which is not in"},
    {TWO "1 bonds\n" PAIR "Bonds\n\n1 1 2 2\n", "line 14: a bond of an atom with itself"},
    {TWO "1 bonds\n" PAIR "Bonds\n\n1 1 2     \n", "line 14: 3 columns, but a bond has 4"},
    {TWO "1 bonds\n" PAIR "Bonds\n\n1 1 x 2\n", "line 14: atom id 'x' is no integer"},
    {TWO PAIR "Bonds\n\n1 1 1 2\n", "line 13: one line more in section Bonds than the header's 0"},
    {TWO "Masses\n\n1 16 # O\n2 1 # H\n\nAtoms # atomic\n\n1 2 0 0 0\n2 1 1 1 1\n",
     "bad.data, line 15: no charge for 'O': atom_style atomic has none (charge, full and dipole "
     "have); add --charge O=CHARGE"},
    {ONE "Atoms # spin\n\n1 1 0 0 0 0 0 1 2\n",
     "line 7: atom_style spin: it has no charges, and the order of its columns depends on the"},
    {TWO "Atoms\n\n1 1 1 2.5 1 2 3\n2 1 1 2.5 4 5 6\n",
     "line 7: all charges would be above 0: are they charges of atom_style full, or densities"},
    {TWO "Atoms\n\n1 1 1 2.5 1 2 3 0 0 1\n2 1 1 2.5 4 5 6 0 1 0\n", "line 7: all charges would be"},
    {TWO "Atoms\n\n1 1 300.5 1 2 3\n2 1 299.5 4 5 6\n",
     "line 7: all charges would be above 0: are they charges of atom_style charge, or densities"},
    {ONE "Atoms # tdpd\n\n1 1 0 0 0 1 1\n", "line 7: atom_style tdpd: it has no charges, and the"},
    {ONE "Atoms # template\n\n1 1 0 0 0 1 1\n",
     "line 7: atom_style template: its charges stand in"},
    {ONE "Atoms # dielectric\n\n1 1 0 0 0 1 1\n", "line 7: atom_style dielectric: its charges are"},
    {TWO "Atoms # charge\n\n1 1 1 0 0 0 0 0 0\n2 2 -1 1 1 1\n",
     "line 10: 6 columns, but the first atom has 9: all atoms have image flags, or none"},
    {TWO "Charges\n\n1 1\n2 -1\n\n" PAIR, "line 7: charges in a section of their own"},
};

/* Each is put as line 7 into a complete header. It may be meant to change the cell, so it must not
 * be skipped. */
static const broken_file header_lines[] = {
    {"4 0 xy xz yz", "line 7: 2 words before 'xy xz yz', but 3 numbers should stand there"},
    {"4,0,0 xy xz yz", "line 7: 1 words before 'xy xz yz', but 3 numbers should stand there"},
    {"4 0 0 0 xy xz yz", "line 7: 4 words before 'xy xz yz', but 3 numbers should stand there"},
    {"xy xz yz", "line 7: 0 words before 'xy xz yz', but 3 numbers should stand there"},
    {"4 0 0 xy yz xz", "line 7: '4 0 0 xy yz xz' is no line of a header: LAMMPS knows 'xy xz yz'"},
    {"4 0 0 xy xz", "line 7: '4 0 0 xy xz' is no line of a header: LAMMPS knows 'xy xz yz'"},
    {"4 0 0 XY XZ YZ", "line 7: '4 0 0 XY XZ YZ' is no line of a header: LAMMPS knows 'xy xz yz'"},
    {"4 0 0 xy xz yz tilt", "is no line of a header: LAMMPS knows 'xy xz yz' behind 3 numbers"},
    {"xy xz yz 4 0 0", "is no line of a header: LAMMPS knows 'xy xz yz' behind 3 numbers"},
    {"4 0 0",
     "line 7: '4 0 0' is neither a line of the header, such as '64 atoms', nor a section's"},
    {"tilt 4 0 0", "line 7: 'tilt 4 0 0' is neither a line of the header"},
    {"tilt", "line 7: 'tilt' is neither a line of the header"},
    {"nan 0 0 xy xz yz", "line 7: box size 'nan' is not finite"},
    {"4e 0 0 xy xz yz", "line 7: box size '4e' is no number"},
    {"0x4 0 0 xy xz yz", "line 7: box size '0x4' is no number"},
    {"4 0 0 xyxzyz", "line 7: '4 0 0 xyxzyz' is neither a line"},
    {"0 4 xlo",
     "line 7: '0 4 xlo' is no line of a header: LAMMPS knows 'xlo xhi' behind 2 numbers"},
    {"2.0 angles", "line 7: count '2.0' is no integer"},
    {"1 2 angles", "line 7: 2 words before 'angles', but 1 number should stand there"},
    {"3 Angles",
     "line 7: '3 Angles' is no line of a header: LAMMPS knows 'angles' behind 1 number"},
    {"Atom", "line 7: 'Atom' is no section: LAMMPS knows 'Atoms', alone on its line"},
    {"Atoms full", "line 7: 'Atoms full' is no section: LAMMPS knows 'Atoms'"},
    {"masses", "line 7: 'masses' is no section: LAMMPS knows 'Masses'"},
    {"Pair Coefs\n\n1 1", "line 7: 'Pair Coefs' is no section: LAMMPS knows 'Pair Coeffs'"},
    {"Velocities\n\n1 0 0 0\n2 0 0 0\n4 0 0 xy xz yz",
     "line 11: a line of the header behind the first section, which begins on line 7"},
};

static void each_header_line_is_refused(void)
{
    for (size_t l = 0; l < sizeof header_lines / sizeof *header_lines; ++l) {
        char text[400];
        enuf_structure s;
        snprintf(text, sizeof text, TWO "%s\n\n" PAIR, header_lines[l].text);
        CHECK_STATUS(parse("bad.data", text, &s), ENUF_BAD_FILE);
        CHECK_TEXT(header_lines[l].error);
    }
}

static void each_text_is_refused(const char *name, const broken_file *files, size_t n)
{
    for (size_t f = 0; f < n; ++f) {
        enuf_structure untouched, s;
        memset(&s, 0x5a, sizeof s);
        untouched = s;
        CHECK_STATUS(parse(name, files[f].text, &s), ENUF_BAD_FILE);
        CHECK_TEXT(name);
        CHECK_TEXT(files[f].error);
        CHECK(memcmp(&s, &untouched, sizeof s) == 0);
    }
}

static void bytes_that_are_no_text(void)
{
    static const struct {
        const char *bytes;
        size_t size;
        const char *error;
    } files[] = {
        {"1\nNa\0 1", 8, "some: is no text: byte 5 is 0"},
        {"\x1f\x8b\x08\x00", 4, "some: is compressed: unpack it"},
        {"BZh91AY", 7, "some: is compressed: unpack it"},
        {"\x28\xb5\x2f\xfd", 4, "some: is compressed: unpack it"},
        {"", 0, "some: is empty"},
    };
    for (size_t f = 0; f < sizeof files / sizeof *files; ++f) {
        enuf_text text;
        CHECK_STATUS(enuf_text_copy("some", files[f].bytes, files[f].size, &text), ENUF_BAD_FILE);
        CHECK_TEXT(files[f].error);
    }
}

static void formats_and_rules(void)
{
    enuf_structure s;
    enuf_charge_rule rule;
    enuf_text text;
    CHECK_STATUS(parse("prose", "Call me Ishmael.\n", &s), ENUF_BAD_FILE);
    CHECK_TEXT("prose: neither the name nor the content tells the format: say --format "
               "lammps-data, lammps-dump, extxyz, poscar, cif, pdb, or gro");
    CHECK_STATUS(enuf_text_copy("x.xyz", "1", 1, &text), ENUF_SUCCESS);
    CHECK_STATUS(enuf_parse_structure(&text, "xtc", NULL, 0, &s), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("--format 'xtc': choose lammps-data, lammps-dump, extxyz, poscar, cif, pdb, or gro");
    enuf_text_free(&text);
    CHECK_STATUS(parse_with("x.xyz", "1\n" CUBE "\nNa 1 2 3\n", "NA=1", &s), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("charge of 'NA': x.xyz has no such species (it has Na)");
    /* without an atom style, charges that are all above 0 might be densities: they are refused
     * unless rules replace every one of them */
    const char *guessed = TWO "Atoms\n\n1 1 1 2.5 1 2 3\n2 1 2 2.5 4 5 6\n";
    const enuf_charge_rule both[] = {{"1", 1.5}, {"2", 0.5}}, negative = {"2", -1};
    CHECK_STATUS(enuf_text_copy("bad.data", guessed, strlen(guessed), &text), ENUF_SUCCESS);
    CHECK_STATUS(enuf_parse_structure(&text, NULL, both, 1, &s), ENUF_BAD_FILE);
    CHECK_TEXT("line 7: all charges would be above 0");
    if (CHECK_STATUS(enuf_parse_structure(&text, NULL, both, 2, &s), ENUF_SUCCESS))
        enuf_structure_free(&s);
    CHECK_STATUS(enuf_parse_structure(&text, NULL, &negative, 1, &s), ENUF_BAD_FILE);
    CHECK_TEXT("line 7: all charges would be above 0");
    enuf_text_free(&text);
    /* a number below 0 in the file is no density, even if a rule replaces this charge */
    const char *charges = TWO "Atoms\n\n1 1 1 2.5 1 2 3\n2 1 2 -2.5 4 5 6\n";
    CHECK_STATUS(enuf_text_copy("good.data", charges, strlen(charges), &text), ENUF_SUCCESS);
    if (CHECK_STATUS(enuf_parse_structure(&text, NULL, both + 1, 1, &s), ENUF_SUCCESS))
        enuf_structure_free(&s);
    enuf_text_free(&text);
    static const char *const rules[] = {"Na",    "=1",     "Na=",    "Na=x",
                                        "Na=1x", "Na=inf", "Na=nan", "Sixteen_letters_=1"};
    for (size_t r = 0; r < sizeof rules / sizeof *rules; ++r)
        CHECK_STATUS(enuf_charge_rule_parse(rules[r], &rule), ENUF_BAD_ARGUMENT);
    CHECK_STATUS(enuf_charge_rule_parse("Na=-1.5e0", &rule), ENUF_SUCCESS);
    CHECK(rule.charge == -1.5 && strcmp(rule.species, "Na") == 0);
}

static void files_that_cannot_be_read(void)
{
    enuf_structure s;
    CHECK_STATUS(enuf_read_structure("/nowhere/data.water", NULL, NULL, 0, &s), ENUF_IO);
    CHECK_TEXT("cannot open /nowhere/data.water: No such file or directory");
    CHECK_STATUS(enuf_read_structure("/", NULL, NULL, 0, &s), ENUF_IO);
    CHECK_TEXT("cannot open /: Is a directory");
    CHECK_STATUS(enuf_read_structure("/dev/null", NULL, NULL, 0, &s), ENUF_BAD_FILE);
    CHECK_TEXT("/dev/null: is empty");
    CHECK_STATUS(enuf_read_structure("/dev/zero", NULL, NULL, 0, &s), ENUF_BAD_FILE);
    CHECK_TEXT("/dev/zero: is no text");
}

/* "-" reads the standard input, here a pipe; its errors name it `standard input`. */
static void standard_input(const char *bytes, enuf_status expected, const char *error)
{
    enuf_structure s;
    int ends[2];
    if (!CHECK(pipe(ends) == 0)) return;
    CHECK(write(ends[1], bytes, strlen(bytes)) == (ssize_t)strlen(bytes));
    close(ends[1]);
    CHECK(dup2(ends[0], STDIN_FILENO) == STDIN_FILENO);
    close(ends[0]);
    clearerr(stdin);
    CHECK_STATUS(enuf_read_structure("-", NULL, NULL, 0, &s), expected);
    if (expected == ENUF_SUCCESS)
        enuf_structure_free(&s);
    else
        CHECK_TEXT(error);
}

int main(void)
{
    each_text_is_refused("bad.xyz", extxyz, sizeof extxyz / sizeof *extxyz);
    each_text_is_refused("bad.data", lammps_data, sizeof lammps_data / sizeof *lammps_data);
    each_header_line_is_refused();
    bytes_that_are_no_text();
    formats_and_rules();
    files_that_cannot_be_read();
    standard_input("1\n" CHARGED "Na 1 2 3 1\n", ENUF_SUCCESS, NULL);
    standard_input(TWO PAIR, ENUF_SUCCESS, NULL);
    standard_input("1\n" CHARGED "Na 1 2 3 x\n", ENUF_BAD_FILE,
                   "standard input, line 3: charge 'x' is no number");
    return check_result();
}
