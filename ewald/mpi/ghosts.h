/*
 * ghosts.h - the atoms of other domains within the cutoff of this rank's.
 *
 * Images: each pair of atoms, images included, is met by one rank. Of two domains (images of a
 * domain count as others) the one whose middle comes first in the order z, y, x of fractions gets
 * ghosts of the other; ghosts are shifted to where their image is, and what the pair loop finds for
 * them goes back and is added to the atoms. The cell is open to the pair loop along the directions
 * that are cut.
 *
 * Once: every rank gets all atoms within the cutoff, each once, unshifted, and leaves the images to
 * the pair loop; what is found for ghosts is dropped. Twice the pairs of ghosts, but the sums of an
 * atom are made in one place: deterministic sums have the bits of one rank.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_MPI_GHOSTS_H
#define ENUF_EWALD_MPI_GHOSTS_H

#include "migration.h"

typedef struct enuf_ghosts {
    enuf_exchange exchange;
    enuf_array atom;           /* [n_send] int64_t: which atoms go */
    enuf_array sent, received; /* migrants, or results of ghosts */
} enuf_ghosts;

enuf_status enuf_ghosts_create(const enuf_ranks *ranks, enuf_ghosts *ghosts);
void enuf_ghosts_release(enuf_ghosts *ghosts);

/** Collective: appends the ghosts to atoms, whose first n_own are this domain's. */
enuf_status enuf_ghosts_fetch(enuf_ranks *ranks, enuf_ghosts *ghosts,
                              const enuf_cell_geometry *cell, const enuf_domains *domains,
                              double cutoff, int unshifted, int64_t n_own, enuf_atom_arrays *atoms);

/** Collective: adds what was found for ghosts, sums [n_own + ghosts][width], to the atoms that they
 * are, on their own ranks. */
enuf_status enuf_ghosts_add_back(enuf_ranks *ranks, enuf_ghosts *ghosts, int64_t n_own, int width,
                                 double *sums);

#endif
