/*
 * domains.h - one domain of the cell for each rank: bricks in fractions of the cell vectors.
 *
 * The cell is cut into slabs along one vector, each slab into columns along another, each column
 * into bricks along the third. All bricks hold about equal numbers of atoms. Cuts are integers
 * (bins), so that all ranks have the same domains. domain_choice.h chooses the numbers of pieces.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_MPI_DOMAINS_H
#define ENUF_EWALD_MPI_DOMAINS_H

#include "lattice/cell_geometry.h"
#include "mpi/messages/ranks.h"

/** Most pieces along one vector: each piece has 8 bins at least, so that a cut errs by an eighth of
 * a piece at most. */
enum { ENUF_DOMAIN_BINS = 4096, ENUF_MOST_PIECES = ENUF_DOMAIN_BINS / 8 };

typedef struct enuf_domain {
    int low[3], high[3]; /* bins low ... high - 1 along each cell vector */
} enuf_domain;

typedef struct enuf_domains {
    int count[3];        /* pieces along each cell vector */
    enuf_domain *domain; /* [ranks]; domains behind the last piece are empty */
    int *piece[3];       /* [pieces before][bins] piece that holds a bin */
    int64_t *histogram;  /* scratch [pieces before][bins] */
    int64_t *reported;   /* scratch: counts that ranks exchange */
} enuf_domains;

/** Local: makes room for domains of count[]. */
enuf_status enuf_domains_create(const enuf_ranks *ranks, const int count[3], enuf_domains *domains);
void enuf_domains_release(enuf_domains *domains);

/** Collective: places the cuts for atoms whose bins along the cell vectors are bin [n][3]. */
void enuf_domains_cut(enuf_ranks *ranks, enuf_domains *domains, int64_t n, const int16_t *bin);

/** As enuf_domains_cut(), with a caller's function: count() adds atoms to histogram [pieces before
 * d][bins]. Returns this rank's first failure; all ranks go on to the end, then must agree. */
typedef enuf_status (*enuf_count_bins)(void *context, const enuf_domains *domains, int d,
                                       int64_t *histogram);
enuf_status enuf_domains_cut_by(enuf_ranks *ranks, enuf_domains *domains, enuf_count_bins count,
                                void *context);
/** Product of the numbers of pieces along the directions before d. */
int64_t enuf_domains_pieces_before(const enuf_domains *domains, int d);

/** The rank whose domain holds an atom. */
int enuf_domains_rank(const enuf_domains *domains, const int16_t bin[3]);

#endif
