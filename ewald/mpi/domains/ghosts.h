/*
 * ghosts.h - ghosts: atoms of other domains within the cutoff of this rank's domain.
 *
 * Images: one rank computes each pair of atoms, images included. Of two domains (an image of a
 * domain is another domain) the one whose middle comes first in the order z, y, x of fractions gets
 * ghosts of the other. Ghosts are shifted to their image. The results of ghosts go back and are
 * added to the atoms. The pair loop treats the cell as open along the directions that are cut.
 *
 * Unshifted: every rank gets each atom within the cutoff once, without a shift, and the pair loop
 * finds the images. Results of ghosts are dropped. This computes pairs with ghosts twice, but one
 * rank makes all sums of an atom: deterministic sums have the bits of one rank.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_MPI_GHOSTS_H
#define ENUF_EWALD_MPI_GHOSTS_H

#include "migration.h"

typedef struct enuf_ghosts {
    enuf_exchange exchange;
    enuf_array atom;           /* [n_send] int64_t: atoms that this rank sends */
    enuf_array sent, received; /* migrants, or results of ghosts */
} enuf_ghosts;

enuf_status enuf_ghosts_create(const enuf_ranks *ranks, enuf_ghosts *ghosts);
void enuf_ghosts_release(enuf_ghosts *ghosts);

/** Collective: appends the ghosts to atoms, whose first n_own are this domain's. */
enuf_status enuf_ghosts_fetch(enuf_ranks *ranks, enuf_ghosts *ghosts,
                              const enuf_cell_geometry *cell, const enuf_domains *domains,
                              double cutoff, int unshifted, int64_t n_own, enuf_atom_arrays *atoms);

/** Collective: sends the results of ghosts, in sums [n_own + ghosts][width], to the ranks of their
 * atoms, and adds them there. */
enuf_status enuf_ghosts_add_back(enuf_ranks *ranks, enuf_ghosts *ghosts, int64_t n_own, int width,
                                 double *sums);

#endif
