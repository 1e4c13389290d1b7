/*
 * systems.h - test systems of charges in a cell, and their energies and forces by the library and
 * by exact sums. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TESTS_EWALD_SYSTEMS_H
#define TESTS_EWALD_SYSTEMS_H

#include "check.h"
#include "enuf/ewald.h"

typedef struct charge_system {
    int64_t n;
    double cell[9];
    double *x; /* [n][3] */
    double *q; /* [n] */
} charge_system;

/* X(NAME, description) */
#define CELL_SHAPES(X)                                                                             \
    X(CUBIC, "cubic")                                                                              \
    X(THIN, "orthorhombic, 1 : 2 : 4")                                                             \
    X(TRICLINIC, "triclinic")                                                                      \
    X(LEFT_HANDED, "left-handed, any orientation")

typedef enum cell_shape {
#define ENUF_X(NAME, description) CELL_##NAME,
    CELL_SHAPES(ENUF_X)
#undef ENUF_X
        CELL_SHAPE_COUNT
} cell_shape;

const char *cell_shape_name(cell_shape shape);

/** A cell of this shape and volume. */
void make_cell(cell_shape shape, double volume, double cell[9]);

/** n ions of charge +-1 at random places, 0.1 per unit volume, at least 1.3 apart. In Angstrom this
 * resembles a molten salt. The last ion's charge is changed so that the net charge is `net`. */
charge_system make_ions(uint64_t seed, int64_t n, cell_shape shape, double net);

/** n_molecules rigid SPC/E water molecules at random places. pairs [3 n_molecules][2] or NULL: the
 * intramolecular pairs. */
charge_system make_water(uint64_t seed, int64_t n_molecules, int64_t *pairs);

charge_system copy_system(const charge_system *system);
void free_system(charge_system *system);

/** The same system in another cell of its lattice, tilted by up to about most^2 edges. The ions are
 * wrapped into that cell. A slab keeps its c. Exact if the cell's entries are whole numbers, except
 * for the rounding of the ions' positions. */
charge_system another_description(const charge_system *system, uint64_t seed, int most,
                                  int is_slab);

/** F_ref of the accuracy, with the Coulomb constant 1. */
double reference_force(const charge_system *system);

/** A result with all arrays, filled with zeros. */
enuf_ewald_result make_result(int64_t n);
void free_result(enuf_ewald_result *result);

enum { WANT_ALL = 127, WANT_SUMS = ENUF_WANT_ENERGY | ENUF_WANT_VIRIAL | ENUF_WANT_FORCES };

/** The backend under test: the value of the environment variable ENUF_TEST_BACKEND, else auto. If
 * the backend is not usable, the test ends as skipped. */
enuf_backend tested_backend(void);

/** Options with this accuracy and splitting, for the backend under test. */
enuf_ewald_options options_for(double accuracy, enuf_split split);

/** An object with options, cell and charges set. A failure is a failed check, and returns NULL. */
enuf_ewald *make_ewald(const enuf_ewald_options *options, const charge_system *system,
                       const enuf_exclusions *exclusions);

/** Makes an object, computes everything wanted, destroys it. */
enuf_ewald_result evaluate(const enuf_ewald_options *options, const charge_system *system,
                           const enuf_exclusions *exclusions, int wanted);

/** Exact sums of all atoms, with coulomb, surroundings and slab of the options. They give no
 * atom_virial, atom_energy and field. */
enuf_ewald_result evaluate_exactly(const enuf_ewald_options *options, const charge_system *system,
                                   const enuf_exclusions *exclusions);

/** sqrt(mean |a - b|^2) over n vectors; b NULL: zeros. */
double rms_difference(int64_t n, const double *a, const double *b);

/** max |a - b| over n numbers. */
double largest_difference(int64_t n, const double *a, const double *b);

#endif
