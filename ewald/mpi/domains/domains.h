/*
 * domains.h - one domain of the cell for each rank: bricks in fractions of the cell vectors.
 *
 * The cell is cut into slabs along one vector, each slab into columns along another, each column
 * into bricks along the third. All bricks hold about equal numbers of atoms. Cuts are integers
 * (bins), so that all ranks have the same domains.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_MPI_DOMAINS_H
#define ENUF_EWALD_MPI_DOMAINS_H

#include "lattice/cell_geometry.h"
#include "mpi/messages/ranks.h"

enum { ENUF_DOMAIN_BINS = 4096 };

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

/**
 * Chooses the numbers of pieces with the least exchange at this cutoff, for any number of ranks >=
 * 1. Their product is the number of ranks. If a prime factor of it exceeds BINS/8, the product is
 * the next smaller number without such a factor, and the other ranks get no atoms.
 * enuf_domains_count() is collective: all ranks take the choice of rank 0.
 */
void enuf_domains_choose(int ranks, const enuf_cell_geometry *cell, double cutoff, int count[3]);
void enuf_domains_count(enuf_ranks *ranks, const enuf_cell_geometry *cell, double cutoff,
                        int count[3]);

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
