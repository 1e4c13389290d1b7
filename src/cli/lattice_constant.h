/*
 * lattice_constant.h - from the energy of a crystal to its Madelung constant.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CLI_LATTICE_CONSTANT_H
#define ENUF_CLI_LATTICE_CONSTANT_H

#include "crystals.h"

typedef struct cli_lattice_constant {
    const enuf_crystal *crystal; /* NULL: from a file */
    const char *symbol;          /* M or A */
    double d;                    /* in the structure's lengths */
    int64_t formula_units;       /* in all cells */
    double per_energy;           /* constant = per_energy * energy, < 0 */
    double formula_energy;       /* energy of a formula unit in e^2/d = this * energy */
    double reference;            /* NaN: unknown */
    int converged;               /* 1: the reference is enuf's own, of a sweep of a file */
} cli_lattice_constant;

/** The constant of cells x cells x cells cells of a crystal; lengths are in units of d. */
cli_lattice_constant cli_constant_of_crystal(const enuf_crystal *crystal, int64_t cells);

/**
 * The constant of cells x cells x cells copies of a structure, -E d/(C formula units). d is the
 * shortest distance of opposite charges. The number of formula units is the greatest common divisor
 * of the numbers of ions of each species.
 */
enuf_status cli_constant_of_structure(const enuf_structure *structure, int64_t cells,
                                      cli_lattice_constant *constant);

/** kJ/mol in an electronvolt: CODATA 2018, exact. */
#define CLI_KJ_PER_MOL 96.48533212331

/**
 * Electronvolts in an energy of these units; NaN for natural units. `error` is the relative error
 * of LAMMPS' constant of these units against CODATA 2018.
 */
double cli_electronvolts(enuf_units units, double *error);

/** Relative deviation of a value from the reference; NaN without a reference. */
double cli_deviation(const cli_lattice_constant *constant, double value);

#endif
