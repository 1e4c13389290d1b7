/*
 * crystal_list.c - the crystals: ions, cells, reference constants.
 *
 * Positions follow R. W. G. Wyckoff, Crystal Structures, 2nd ed. (1963).
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "crystal_list.h"

/* clang-format off */
#define FCC(s) {s, {0, 0, 0}}, {s, {0, .5, .5}}, {s, {.5, 0, .5}}, {s, {.5, .5, 0}}

static const enuf_crystal_ion fluorite[] = {
    FCC(0),
    {1, {.25, .25, .25}}, {1, {.25, .25, .75}}, {1, {.25, .75, .25}}, {1, {.25, .75, .75}},
    {1, {.75, .25, .25}}, {1, {.75, .25, .75}}, {1, {.75, .75, .25}}, {1, {.75, .75, .75}}};

static const enuf_crystal_ion nacl[] = {
    FCC(0), {1, {.5, .5, .5}}, {1, {.5, 0, 0}}, {1, {0, .5, 0}}, {1, {0, 0, .5}}};

static const enuf_crystal_ion cscl[] = {{0, {0, 0, 0}}, {1, {.5, .5, .5}}};

static const enuf_crystal_ion zincblende[] = {
    FCC(0), {1, {.25, .25, .25}}, {1, {.25, .75, .75}}, {1, {.75, .25, .75}}, {1, {.75, .75, .25}}};

static const enuf_crystal_ion wurtzite[] = {
    {0, {1. / 3, 2. / 3, 0}},    {0, {2. / 3, 1. / 3, .5}},
    {1, {1. / 3, 2. / 3, .375}}, {1, {2. / 3, 1. / 3, .875}}};

static const enuf_crystal_ion perovskite[] = {
    {0, {0, 0, 0}}, {1, {.5, .5, .5}}, {2, {.5, .5, 0}}, {2, {.5, 0, .5}}, {2, {0, .5, .5}}};

static const enuf_crystal_ion rutile[] = {
    {0, {0, 0, 0}}, {0, {.5, .5, .5}},
    {1, {.305, .305, 0}}, {1, {.695, .695, 0}}, {1, {.805, .195, .5}}, {1, {.195, .805, .5}}};

static const enuf_crystal_ion cuprite[] = {
    {0, {.25, .25, .25}}, {0, {.75, .75, .25}}, {0, {.75, .25, .75}}, {0, {.25, .75, .75}},
    {1, {0, 0, 0}}, {1, {.5, .5, .5}}};

static const enuf_crystal_ion sc[] = {{0, {0, 0, 0}}};
static const enuf_crystal_ion bcc[] = {{0, {0, 0, 0}}, {0, {.5, .5, .5}}};
static const enuf_crystal_ion fcc[] = {FCC(0)};

#define CUBIC {1, 0, 0, 0, 1, 0, 0, 0, 1}
#define HEXAGONAL {1, 0, 0, -.5, HALF_ROOT_3, 0, 0, 0, ROOT_8_OVER_3} /* c/a = sqrt(8/3) */
#define TETRAGONAL {1, 0, 0, 0, 1, 0, 0, 0, .644}

#define HALF_ROOT_3 .8660254037844386468
#define ROOT_8_OVER_3 1.632993161855452065
#define TWO_OVER_ROOT_3 1.154700538379251529
#define FOUR_OVER_ROOT_3 2.309401076758503058

#define IONS(list) .n_ions = sizeof(list) / sizeof *(list), .ions = list

static const char ewald_sum[] = "Ewald sum, 30 digits";

static const enuf_crystal crystals[] = {
    {.name = "fluorite", .formula = "CaF2", .length = "sqrt(3) a/4, Ca-F", .symbol = "M",
     .edge = FOUR_OVER_ROOT_3, .cell = CUBIC,
     .n_species = 2, .species = {"Ca", "F"}, .charges = {2, -1},
     IONS(fluorite), .formula_units = 4, .scale = 2,
     .constant = 2.519392439924283623, .source = ewald_sum},
    {.name = "antifluorite", .formula = "Li2O", .length = "sqrt(3) a/4, Li-O", .symbol = "M",
     .edge = FOUR_OVER_ROOT_3, .cell = CUBIC,
     .n_species = 2, .species = {"O", "Li"}, .charges = {-2, 1},
     IONS(fluorite), .formula_units = 4, .scale = 2,
     .constant = 2.519392439924283623, .source = ewald_sum},
    {.name = "nacl", .formula = "NaCl", .length = "a/2, Na-Cl", .symbol = "M",
     .edge = 2, .cell = CUBIC,
     .n_species = 2, .species = {"Na", "Cl"}, .charges = {1, -1},
     IONS(nacl), .formula_units = 4, .scale = 1,
     .constant = 1.747564594633182191, .source = ewald_sum},
    {.name = "cscl", .formula = "CsCl", .length = "sqrt(3) a/2, Cs-Cl", .symbol = "M",
     .edge = TWO_OVER_ROOT_3, .cell = CUBIC,
     .n_species = 2, .species = {"Cs", "Cl"}, .charges = {1, -1},
     IONS(cscl), .formula_units = 1, .scale = 1,
     .constant = 1.762674773070988398, .source = ewald_sum},
    {.name = "zincblende", .formula = "ZnS, unit charges",
     .length = "sqrt(3) a/4, Zn-S", .symbol = "M",
     .edge = FOUR_OVER_ROOT_3, .cell = CUBIC,
     .n_species = 2, .species = {"Zn", "S"}, .charges = {1, -1},
     IONS(zincblende), .formula_units = 4, .scale = 1,
     .constant = 1.638055053388789424, .source = ewald_sum},
    {.name = "wurtzite", .formula = "ZnS, unit charges, c/a = sqrt(8/3), u = 3/8",
     .length = "3c/8, Zn-S along c", .symbol = "M",
     .edge = ROOT_8_OVER_3, .cell = HEXAGONAL,
     .n_species = 2, .species = {"Zn", "S"}, .charges = {1, -1},
     IONS(wurtzite), .formula_units = 2, .scale = 1,
     .constant = 1.641321627371949340, .source = ewald_sum},
    {.name = "perovskite", .formula = "CaTiO3", .length = "a", .symbol = "A",
     .edge = 1, .cell = CUBIC,
     .n_species = 3, .species = {"Ca", "Ti", "O"}, .charges = {2, 4, -2},
     IONS(perovskite), .formula_units = 1, .scale = 1,
     .constant = 49.50987211335879987, .source = ewald_sum},
    {.name = "rutile", .formula = "TiO2, c/a = 0.644, u = 0.305", .length = "a", .symbol = "A",
     .edge = 1, .cell = TETRAGONAL,
     .n_species = 2, .species = {"Ti", "O"}, .charges = {4, -2},
     IONS(rutile), .formula_units = 2, .scale = 1,
     .constant = 45.04583357785451438, .source = ewald_sum},
    {.name = "cuprite", .formula = "Cu2O", .length = "a", .symbol = "A",
     .edge = 1, .cell = CUBIC,
     .n_species = 2, .species = {"Cu", "O"}, .charges = {1, -2},
     IONS(cuprite), .formula_units = 2, .scale = 1,
     .constant = 10.25945703307504062, .source = ewald_sum},
    {.name = "sc", .formula = "Wigner crystal", .length = "a", .symbol = "M",
     .edge = 1, .cell = CUBIC,
     .n_species = 1, .species = {"e"}, .charges = {-1},
     IONS(sc), .formula_units = 1, .scale = 0.5,
     .constant = 2.837297479480619477, .source = ewald_sum},
    {.name = "bcc", .formula = "Wigner crystal", .length = "a", .symbol = "M",
     .edge = 1, .cell = CUBIC,
     .n_species = 1, .species = {"e"}, .charges = {-1},
     IONS(bcc), .formula_units = 2, .scale = 0.5,
     .constant = 3.639233449508643635, .source = ewald_sum},
    {.name = "fcc", .formula = "Wigner crystal", .length = "a", .symbol = "M",
     .edge = 1, .cell = CUBIC,
     .n_species = 1, .species = {"e"}, .charges = {-1},
     IONS(fcc), .formula_units = 4, .scale = 0.5,
     .constant = 4.584862074113801667, .source = ewald_sum},
};
/* clang-format on */

enum { N_CRYSTALS = sizeof crystals / sizeof *crystals };

int enuf_crystal_count(void)
{
    return N_CRYSTALS;
}

const enuf_crystal *enuf_crystal_at(int index)
{
    return &crystals[index];
}
