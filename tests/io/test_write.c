/*
 * test_write.c - a structure written as extended XYZ is read back bit by bit, with numbers that
 * need all 17 digits; further columns stand beside their ions.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "crystals.h"
#include "read.h"
#include "write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char path[] = "io_write_test.xyz";

static void write_file(const enuf_structure *s, const enuf_column *columns, int n,
                       const char *comment)
{
    enuf_output *output;
    if (!CHECK_STATUS(enuf_output_open(path, &output), ENUF_SUCCESS)) return;
    enuf_write_extxyz(enuf_output_stream(output), s, columns, n, comment);
    CHECK_STATUS(enuf_output_commit(&output), ENUF_SUCCESS);
}

static void structures_come_back_bit_by_bit(void)
{
    enuf_structure s, t;
    if (!CHECK_STATUS(enuf_crystal_build(enuf_crystal_find("wurtzite"), 3, &s), ENUF_SUCCESS))
        return;
    s.origin[1] = -1.0 / 3.0;
    s.periodic[2] = 0;
    for (int64_t i = 0; i < s.n; ++i) { /* numbers that need all 17 digits, large and small */
        s.positions[3 * i] += 1e-9 / (double)(i + 1);
        s.charges[i] *= 1e-200 / 3.0;
    }
    write_file(&s, &(enuf_column){"charge", 1, s.charges}, 1, NULL);
    if (CHECK_STATUS(enuf_read_structure(path, NULL, NULL, 0, &t), ENUF_SUCCESS)) {
        CHECK(t.n == s.n && t.n_species == s.n_species && t.units == s.units && t.units_given);
        CHECK(memcmp(t.cell, s.cell, sizeof s.cell) == 0);
        CHECK(memcmp(t.origin, s.origin, sizeof s.origin) == 0);
        CHECK(memcmp(t.periodic, s.periodic, sizeof s.periodic) == 0);
        CHECK(memcmp(t.positions, s.positions, (size_t)s.n * 3 * sizeof(double)) == 0);
        CHECK(memcmp(t.charges, s.charges, (size_t)s.n * sizeof(double)) == 0);
        CHECK(memcmp(t.species, s.species, (size_t)s.n * sizeof(int32_t)) == 0);
        CHECK(memcmp(t.species_names, s.species_names, (size_t)s.n_species * ENUF_SPECIES_SIZE) ==
              0);
        CHECK(!t.ids && !t.molecules);
        enuf_structure_free(&t);
    }
    enuf_structure_free(&s);
}

static void columns_stand_beside_their_ions(void)
{
    double positions[6] = {0.1, 0.2, 0.3, 1, 2, 3}, forces[6] = {-1, 0.5, 1e-7, 1, -0.5, -1e-7};
    double energies[2] = {1.0 / 3.0, -2};
    int32_t species[2] = {1, 0};
    int64_t ids[2] = {9, 4}, molecules[2] = {1, 2};
    char names[2][ENUF_SPECIES_SIZE] = {"Cl", "Na"};
    const enuf_column columns[] = {{"forces", 3, forces}, {"energy", 1, energies}};
    const enuf_structure s = {.n = 2,
                              .cell = {9, 0, 0, 0, 9, 0, 0, 0, 9},
                              .periodic = {1, 1, 0},
                              .positions = positions,
                              .species = species,
                              .ids = ids,
                              .molecules = molecules,
                              .species_names = names,
                              .n_species = 2,
                              .units = ENUF_UNITS_METAL};
    static const char expected[] =
        "2\n"
        "Lattice=\"9 0 0 0 9 0 0 0 9\" Origin=\"0 0 0\" "
        "Properties=species:S:1:pos:R:3:molid:I:1:id:I:1:forces:R:3:energy:R:1 pbc=\"T T F\" "
        "units=metal total=-1.5\n"
        "Na 0.10000000000000001 0.20000000000000001 0.29999999999999999 1 9 -1 0.5 "
        "9.9999999999999995e-08 0.33333333333333331\n"
        "Cl 1 2 3 2 4 1 -0.5 -9.9999999999999995e-08 -2\n";
    enuf_text text;
    write_file(&s, columns, 2, "total=-1.5");
    if (!CHECK_STATUS(enuf_text_load(path, &text), ENUF_SUCCESS)) return;
    CHECK(strcmp(text.bytes, expected) == 0);
    enuf_text_free(&text);
}

int main(void)
{
    structures_come_back_bit_by_bit();
    columns_stand_beside_their_ions();
    unlink(path);
    return check_result();
}
