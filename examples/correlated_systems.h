/*
 * correlated_systems.h - liquids and crystals whose charges screen each other, for the examples
 * and tests that ask whether errors are true on them. Lengths in Angstrom, charges in e.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef EXAMPLES_CORRELATED_SYSTEMS_H
#define EXAMPLES_CORRELATED_SYSTEMS_H

#include "enuf/ewald.h"

/* X(NAME, name, description) */
#define CORRELATED_SYSTEMS(X)                                                                      \
    X(WATER, water, "thin SPC/E water (NIST 1), 300 atoms")                                        \
    X(WATER_BOX, water_box, "the same in a larger box, 2400 atoms")                                \
    X(LIQUID_WATER, liquid_water, "liquid SPC/E water, 1200 atoms")                                \
    X(MELT, melt, "molten NaCl, 1000 ions")                                                        \
    X(CRYSTAL, crystal, "NaCl crystal at 300 K, 512 ions")                                         \
    X(CHARGED, charged, "molten NaCl, charge +10, 990 ions")                                       \
    X(TILTED, tilted, "molten NaCl, tilted cell, 1000 ions")                                       \
    X(PRIMITIVE, primitive, "CaF_2 crystal, 60° cell, 648 ions")

typedef enum correlated_system {
#define ENUF_X(NAME, name, description) SYSTEM_##NAME,
    CORRELATED_SYSTEMS(ENUF_X)
#undef ENUF_X
        SYSTEM_COUNT
} correlated_system;

/** Ions in a cell, and the pairs inside molecules, which do not interact. */
typedef struct ionic_system {
    const char *name, *description;
    double cell[9];
    int64_t n;
    double *positions; /* [n][3] */
    double *charges;   /* [n] */
    int64_t n_excluded;
    int64_t *excluded; /* [n_excluded][2] */
} ionic_system;

/** 1 for molecules of water. */
int ionic_system_is_water(correlated_system which);

/** Builds a system, from a file in `folder` (examples/data) where it starts from one. 0 where that
 * file cannot be read or memory ends; errno then tells why. */
int ionic_system_build(correlated_system which, const char *folder, ionic_system *system);
void ionic_system_free(ionic_system *system);

#endif
