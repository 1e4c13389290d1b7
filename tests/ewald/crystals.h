/*
 * crystals.h - crystals with known Madelung constants. Source: docs/theory.md, "Reference values".
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TESTS_EWALD_CRYSTALS_H
#define TESTS_EWALD_CRYSTALS_H

#include "systems.h"

typedef struct crystal_ion {
    double q, s[3]; /* charge, fraction of the cubic cell of edge 1 */
} crystal_ion;

/** The energy of a formula unit is minus the constant over its length d. */
typedef struct crystal {
    const char *name;
    double constant, d; /* the Madelung constant and its length */
    double units;       /* formula units in a cell */
    int n;
    crystal_ion ions[12];
} crystal;

enum { CRYSTALS = 4 };
extern const crystal crystals[CRYSTALS]; /* NaCl, CsCl, fluorite, zincblende */

/** cells x cells x cells cells of edge 1. */
charge_system make_crystal(const crystal *of, int cells);

#endif
