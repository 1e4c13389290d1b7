/*
 * atom_results.h - the results that atoms have, written once. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_ATOM_RESULTS_H
#define ENUF_EWALD_ATOM_RESULTS_H

/* X(BIT, name, width, what): wanted by ENUF_WANT_BIT, an array of that name in enuf_ewald_result
 * and in all sums [n][width], and its name in the texts of errors */
#define ENUF_ATOM_RESULTS(X)                                                                       \
    X(FORCES, forces, 3, "forces")                                                                 \
    X(ATOM_ENERGY, atom_energy, 1, "energies of atoms")                                            \
    X(ATOM_VIRIAL, atom_virial, 6, "virials of atoms")                                             \
    X(POTENTIAL, potential, 1, "potentials")                                                       \
    X(FIELD, field, 3, "fields")

#endif
