/*
 * crystal_list.h - the crystals, each with the reference constant of its energy.
 *
 * Lengths are in units of d, the reference length of the structure's constant. The energy of a
 * formula unit is -constant * scale * C e^2/d. `scale` selects the constant:
 *
 * - 1: A, charges included
 * - |z+ z-|: M = A/|z+ z-|, of the compounds of two ions
 * - 1/2: M of a Wigner crystal, ions of charge 1 in a uniform neutralising background
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CRYSTAL_LIST_H
#define ENUF_CRYSTAL_LIST_H

typedef struct enuf_crystal_ion {
    int species;        /* index into the crystal's species */
    double fraction[3]; /* of the cell */
} enuf_crystal_ion;

typedef struct enuf_crystal {
    const char *name;
    const char *formula;
    const char *length; /* the definition of d, in words */
    const char *symbol; /* of the constant: "M" or "A" */
    double edge;        /* a in units of d */
    double cell[9];     /* rows in units of a */
    int n_species;
    const char *species[3];
    double charges[3]; /* of the species */
    int n_ions;        /* in a cell */
    const enuf_crystal_ion *ions;
    int formula_units; /* in a cell */
    double scale;
    double constant;    /* the reference */
    const char *source; /* of the constant */
} enuf_crystal;

int enuf_crystal_count(void);

/** The crystal at an index of the list, 0 <= index < enuf_crystal_count(). */
const enuf_crystal *enuf_crystal_at(int index);

#endif
