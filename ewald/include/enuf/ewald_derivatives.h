/*
 * enuf/ewald_derivatives.h - second derivatives of the energy: products of a direction with the
 * Hessian of E(positions, charges, cell), and of sets of charges with its matrix at positions that
 * stay. For those who train on forces, minimise with Newton's method, need elastic and dielectric
 * constants, or solve for fluctuating charges.
 *
 *     enuf_ewald_direction direction = {.struct_size = sizeof direction, .positions = u};
 *     enuf_ewald_slopes slopes = {.struct_size = sizeof slopes, .forces = force_slopes};
 *     enuf_ewald_differentiate(ewald, x, 3, &direction, ENUF_WANT_ENERGY | ENUF_WANT_FORCES,
 *                              &slopes);
 *
 * Formulas: docs/theory.md, section 1, "Second derivatives". Signs, units, virial order, cells:
 * docs/conventions.md. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_DERIVATIVES_H
#define ENUF_EWALD_DERIVATIVES_H

#include "enuf/ewald.h"

#ifdef __cplusplus
extern "C" {
#endif

/** How the system changes with t. NULL: stays as it is. Positions and charges live where
 * options.memory says, the cell on the host. */
typedef struct enuf_ewald_direction {
    size_t struct_size;      /* sizeof(enuf_ewald_direction) */
    const double *positions; /* [n][3] u: positions + t u */
    const double *charges;   /* [n] w: charges + t w */
    const double *cell;      /* [9] g: cell + t g, rows a, b, c; positions stay, but for u */
} enuf_ewald_direction;

/** Derivatives by t at t = 0. The arrays belong to the caller and live where options.memory says;
 * only wanted ones change. */
typedef struct enuf_ewald_slopes {
    size_t struct_size; /* sizeof(enuf_ewald_slopes) */
    double energy;
    double virial[6]; /* xx, yy, zz, xy, xz, yz */
    /* rows: of dE/dcell at fixed positions and charges; with A = forces^T x - virial,
     * dE/dcell = (A cell^-1)^T */
    double cell[9];
    double *forces;    /* [n][3] */
    double *potential; /* [n] */
} enuf_ewald_slopes;

/**
 * Computes d/dt of the results of enuf_ewald_compute() at positions + t u, charges + t w and
 * cell + t g. These are all products with the Hessian: of dE/dposition = -force, of dE/dcharge =
 * potential, and of dE/dcell. Any direction does: w may have a net charge, and g a rotation. The
 * slopes are linear in the direction.
 *
 * positions  [n][stride], stride >= 3, anywhere, where options.memory says. With `surroundings`,
 *            `slab` or g they are used as they are given, not folded
 * wanted     a sum of ENUF_WANT_ENERGY, _FORCES, _POTENTIAL and _VIRIAL (virial and cell)
 *
 * The splitting, its cutoff and kmax, and the set of modes count as fixed. Parameters are chosen
 * and verified as in enuf_ewald_compute(). With A the accuracy asked for, the relative l2 error of
 * the slopes of forces and of potentials is a few A, along g up to 20 A; virial and cell err by up
 * to 20 A of 1/2 sum |q phi| times the strain. A whole shift of all ions changes nothing: the mean
 * displacement of the mesh is left out, and its mean force slope is subtracted, unless
 * options.keep_net_force is set.
 *
 * A strain multiplies what modes at the edge of the sphere lack. So a call that wants the virial
 * along g takes a prolate splitting of its own that leaves out less, with a larger cutoff for about
 * the same modes. It takes the memory of another object, and stays until the cutoff of the object
 * changes by half, or larger charges ask for more. Virial and cell err by more, for few ions by up
 * to 600 A, below A = 1e-12; where such a splitting cannot be reached; and if options alpha, c,
 * kmax, grid, width or shape are given, which then serve.
 *
 * The mesh works in the arithmetic of the options, on a GPU pairs do too (deterministic ones in
 * double), all else in double. With options.deterministic the same input gives the same bits in
 * every run at any number of threads; another order of atoms may change last bits. On a GPU the
 * call works in order with options.stream, and returns when the slopes are complete.
 *
 * On a CPU it takes three to three and a half times as long as energy and forces, a direction of
 * charges alone 1.7 times, with the virial along g 3.3 to 4 times
 * (bench/results/second_derivatives_1thread_2026-11-30.csv). On an H200 a direction of positions
 * and charges takes 1.5 to 2.8 times as long (second_derivatives_h200_2026-12-01.csv); the virial
 * along g 1.6 to 3.8 times, in the first call after charges of the host were set 1.9 to 4.1 times,
 * where an evaluation takes up to 1.4 times as long as with constant ones.
 *
 * Errors: ENUF_BAD_ARGUMENT for NULL, a wrong struct_size, other bits in `wanted`, two charges at
 * one place, and if all charges are 0; ENUF_NOT_FINITE names the first bad number of positions or
 * direction; ENUF_NO_POINTS_SET without cell or charges; those of enuf_ewald_tune().
 * ENUF_BAD_MEMORY for an array that lives elsewhere. ENUF_UNSUPPORTED: on several ranks of MPI; a
 * direction of the cell, where no splitting of its own serves, while results contain the
 * modes beyond kmax that enuf_ewald_tune() or enuf_ewald_measure_tail() has measured
 * (options.truncated leaves them out). After an error `slopes` does not change.
 */
ENUF_API enuf_status enuf_ewald_differentiate(enuf_ewald *ewald, const double *positions,
                                              int64_t stride, const enuf_ewald_direction *direction,
                                              int wanted, enuf_ewald_slopes *slopes);

/**
 * Holds positions [n][stride], where options.memory says, for enuf_ewald_apply(): copies them, and
 * makes what does not depend on charges. The object may compute at other positions meanwhile.
 *
 * On a CPU it takes two evaluations of energy and forces, and 24 bytes for each pair of atoms
 * inside the cutoff. On a GPU an atom takes 250 bytes by count, 32 for each of up to eight vectors
 * (of the host 48), and 8 for each neighbour, in double 12, beside the mesh. Neighbours are not
 * stored but found at each call if that would take over a quarter of the free memory, if
 * options.memory_limit is given, and with options.deterministic. enuf_ewald_apply() plans the mesh
 * at its first call.
 *
 * Errors: those of enuf_ewald_compute() and of enuf_ewald_tune(); ENUF_BAD_ARGUMENT if all charges
 * are 0; on a CPU ENUF_OUT_OF_MEMORY also if the pairs exceed options.memory_limit;
 * ENUF_UNSUPPORTED on several ranks of MPI, and for more than 2^31 - 1 atoms, on a GPU a quarter of
 * them. After an error of positions or sums no positions are held.
 */
ENUF_API enuf_status enuf_ewald_hold(enuf_ewald *ewald, const double *positions, int64_t stride);

/**
 * Multiplies sets of charges by the matrix of the energy: potentials = A charges at the held
 * positions, where E = 1/2 q A q. The call is linear: background of a net charge, surface term and
 * exclusions are contained, so that A is what solvers for fluctuating charges need.
 *
 * vectors     number of sets
 * charges     [vectors][n], where options.memory says
 * potentials  [vectors][n], likewise, times C; may be the array of the charges
 *
 * Cell, parameters and exclusions are those of the object. If they have changed since the last
 * call, for example by enuf_ewald_set_charges(), the first call remakes what depends on them, as
 * enuf_ewald_hold() does. Parameters are chosen for the charges that are set, not for these.
 *
 * On a CPU a vector takes half of an evaluation of energy and forces; each of eight 0.3, below an
 * accuracy of 1e-8 up to 0.45. On an H200 a vector takes 0.49 to 0.60, each of eight 0.09 to 0.34,
 * in mixed arithmetic at 1e-6 0.37 (second_derivatives_h200_2026-12-01.csv). On a GPU the call
 * works in order with options.stream, and returns when the potentials are complete; pairs are in
 * the arithmetic of the options, as in evaluations. With options.deterministic the same input gives
 * the same bits in every run at any number of threads.
 *
 * Errors: ENUF_NO_POINTS_SET if no positions are held for as many atoms as there are charges;
 * ENUF_BAD_ARGUMENT; ENUF_BAD_MEMORY for an array that lives elsewhere; ENUF_NOT_FINITE names the
 * first charge that is not finite; those of enuf_ewald_hold(). After an error potentials are
 * undefined.
 */
ENUF_API enuf_status enuf_ewald_apply(enuf_ewald *ewald, int64_t vectors, const double *charges,
                                      double *potentials);

#ifdef __cplusplus
}
#endif
#endif
