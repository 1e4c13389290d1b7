/* domain_choice.c - see domain_choice.h. SPDX-License-Identifier: BSD-3-Clause */
#include "domain_choice.h"
#include "domains.h"
#include "memory.h"
#include "migration.h"
#include "mpi/messages/exchange.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Atoms of the sample, of all ranks. A part of it has a standard error of half a per cent. */
enum { SAMPLE = 8192 };

/* Trials of a choice. More ranks have more numbers of pieces than these, but hardly any of them can
 * win: atoms of thin domains have more ghosts than the move of an atom costs. */
enum { MOST_TRIALS = 64 };

/* A sample errs by up to 1/sqrt(SAMPLE), twice: gains below this part of the atoms are chance. */
static const double CHANCE = 0.02;

/* A choice is made anew if this part of all atoms moves beside those that moved at first, or if
 * cutoff over height has changed by this factor. Either changes the cost of an evaluation by a few
 * per cent at most. */
static const double MORE_MOVED = 0.1, OTHER_SHAPE = 1.1;

double enuf_domain_ghosts(const enuf_cell_geometry *cell, double cutoff, const int count[3])
{
    double reached = 1;
    for (int d = 0; d < 3; d++)
        if (count[d] > 1) reached *= 1 + 2 * cutoff * count[d] / cell->height[d];
    return reached - 1;
}

/* ---- All numbers of pieces with one product ---- */

/* Moves to the next one; starts from {0}. Returns 0 after the last. Slabs along z come first. */
static int next_count(int pieces, int count[3])
{
    if (count[0] == 0) {
        count[0] = 1;
        count[1] = 0;
    }
    for (; count[0] <= pieces && count[0] <= ENUF_MOST_PIECES; count[0]++, count[1] = 0) {
        const int rest = pieces / count[0];
        if (pieces % count[0] != 0) continue;
        while (++count[1] <= rest && count[1] <= ENUF_MOST_PIECES) {
            count[2] = rest / count[1];
            if (rest % count[1] == 0 && count[2] <= ENUF_MOST_PIECES) return 1;
        }
    }
    return 0;
}

/* The numbers with the fewest ghosts. Returns 0 if there are none. */
static int fewest_ghosts(int pieces, const enuf_cell_geometry *cell, double cutoff, int count[3])
{
    double least = INFINITY;
    for (int trial[3] = {0}; next_count(pieces, trial);) {
        const double ghosts = enuf_domain_ghosts(cell, cutoff, trial);
        if (ghosts >= least) continue;
        least = ghosts;
        memcpy(count, trial, sizeof trial);
    }
    return least < INFINITY;
}

void enuf_domains_choose(int ranks, const enuf_cell_geometry *cell, double cutoff, int count[3])
{
    const int most = ENUF_MOST_PIECES * ENUF_MOST_PIECES * ENUF_MOST_PIECES;
    int pieces = ranks < most ? ranks : most;
    /* every number up to ENUF_MOST_PIECES is possible; so the loop ends */
    while (!fewest_ghosts(pieces, cell, cutoff, count)) pieces--;
}

/* ---- The sample ---- */

/* An atom of the sample, for `weight` atoms. */
typedef struct sampled {
    int16_t bin[3];
    int home; /* rank */
    double weight;
} sampled;

int64_t enuf_domain_sample_size(int ranks, int64_t n)
{
    const int64_t share = SAMPLE / ranks > 1 ? SAMPLE / ranks : 1;
    return n < share ? n : share;
}

int64_t enuf_domain_sample_step(int ranks, int64_t n)
{
    return n > 0 ? n / enuf_domain_sample_size(ranks, n) : 1;
}

static void list(const enuf_ranks *ranks, const enuf_cell_geometry *cell,
                 const enuf_domain_sample *sample, sampled *listed)
{
    for (int64_t k = 0; k < sample->n_listed; k++) {
        listed[k] =
            (sampled){.home = ranks->rank, .weight = (double)sample->n / (double)sample->n_listed};
        enuf_bin_of(cell, sample->positions + k * sample->stride, listed[k].bin);
    }
}

/* Collective, the same status on all: rank 0 gets the samples of all ranks. */
static enuf_status gather(enuf_ranks *ranks, enuf_status mine, const enuf_cell_geometry *cell,
                          const enuf_domain_sample *sample, sampled **all, int64_t *n)
{
    enuf_exchange e = {0};
    sampled *listed = NULL;
    if (mine == ENUF_SUCCESS) mine = enuf_exchange_create(ranks, &e);
    if (mine == ENUF_SUCCESS)
        mine = enuf_allocate(&listed, sample->n_listed, sizeof *listed, "a sample of atoms");
    enuf_status status = enuf_ranks_agree(ranks, mine);
    if (status == ENUF_SUCCESS) {
        list(ranks, cell, sample, listed);
        e.send[0] = e.n_send = sample->n_listed;
        enuf_exchange_count(ranks, &e);
        status = enuf_ranks_agree(
            ranks, enuf_allocate(all, e.n_receive, sizeof **all, "a sample of atoms"));
    }
    if (status == ENUF_SUCCESS) {
        enuf_exchange_forth(ranks, &e, sizeof *listed, listed, *all);
        *n = e.n_receive;
    }
    enuf_release(&listed);
    enuf_exchange_release(&e);
    return status;
}

/* ---- How many atoms of the sample move ---- */

#define COMPARE(d)                                                                                 \
    static int compare_##d(const void *a, const void *b)                                           \
    {                                                                                              \
        return ((const sampled *)a)->bin[d] - ((const sampled *)b)->bin[d];                        \
    }
COMPARE(0)
COMPARE(1)
COMPARE(2)
#undef COMPARE

/* The atoms that leave their home for domains of the numbers count[], from direction d on; rank:
 * number of the piece along the directions before. Cuts are where domains.c places them: at the
 * edge of a bin that is nearer to k/count of the atoms. */
static double moved_from(sampled *atoms, int64_t n, const int count[3], int d, int rank)
{
    static int (*const compare[3])(const void *, const void *) = {compare_0, compare_1, compare_2};
    double total = 0, before = 0, moved = 0;
    if (d == 3) {
        for (int64_t i = 0; i < n; i++) moved += atoms[i].home != rank ? atoms[i].weight : 0;
        return moved;
    }
    if (count[d] == 1) return moved_from(atoms, n, count, d + 1, rank);
    qsort(atoms, (size_t)n, sizeof *atoms, compare[d]);
    for (int64_t i = 0; i < n; i++) total += atoms[i].weight;
    int64_t first = 0, behind = 0;
    for (int piece = 0; piece < count[d]; piece++, first = behind) {
        while (behind < n) {
            double bin = 0;
            int64_t end = behind;
            for (; end < n && atoms[end].bin[d] == atoms[behind].bin[d]; end++)
                bin += atoms[end].weight;
            if (piece < count[d] - 1 && (before + bin / 2) * count[d] > total * (piece + 1)) break;
            before += bin;
            behind = end;
        }
        moved += moved_from(atoms + first, behind - first, count, d + 1, rank * count[d] + piece);
    }
    return moved;
}

/* Rank 0 tries all numbers of pieces whose ghosts alone do not cost more than the best so far. */
static void choose(const enuf_cell_geometry *cell, double cutoff,
                   const enuf_domain_weights *weights, sampled *atoms, int64_t n, int count[3])
{
    const int pieces = count[0] * count[1] * count[2];
    double total = 0;
    for (int64_t i = 0; i < n; i++) total += atoms[i].weight;
    if (total == 0) return;
    double least = weights->ghost * enuf_domain_ghosts(cell, cutoff, count) +
                   weights->moved * (moved_from(atoms, n, count, 0, 0) / total - CHANCE);
    int trials = 0;
    for (int trial[3] = {0}; trials < MOST_TRIALS && next_count(pieces, trial);) {
        const double ghosts = weights->ghost * enuf_domain_ghosts(cell, cutoff, trial);
        if (ghosts >= least) continue;
        trials++;
        const double cost = ghosts + weights->moved * moved_from(atoms, n, trial, 0, 0) / total;
        if (cost >= least) continue;
        least = cost;
        memcpy(count, trial, sizeof trial);
    }
}

/* ---- A choice in use ---- */

static void remember(enuf_domain_choice *choice, const enuf_cell_geometry *cell, double cutoff)
{
    memcpy(choice->cell, cell->cell, sizeof choice->cell);
    choice->cutoff = cutoff;
}

enuf_status enuf_domain_choice_make(enuf_ranks *ranks, enuf_status mine,
                                    const enuf_cell_geometry *cell, double cutoff,
                                    const enuf_domain_weights *weights,
                                    const enuf_domain_sample *sample, enuf_domain_choice *choice)
{
    const int64_t bytes = ranks->bytes_sent;
    sampled *atoms = NULL;
    int64_t n = 0;
    enuf_domain_choice made = {.exists = 1, .moved = -1};
    const enuf_status status = gather(ranks, mine, cell, sample, &atoms, &n);
    if (status == ENUF_SUCCESS && ranks->rank == 0) {
        enuf_domains_choose(ranks->size, cell, cutoff, made.count);
        choose(cell, cutoff, weights, atoms, n, made.count);
        for (int d = 0; d < 3; d++) made.ratio[d] = cutoff / cell->height[d];
    }
    if (status == ENUF_SUCCESS) {
        enuf_ranks_from_first(ranks, (int64_t)sizeof made, &made);
        remember(&made, cell, cutoff);
        *choice = made;
    }
    enuf_release(&atoms);
    ranks->bytes_sent = bytes;
    return status;
}

int enuf_domain_choice_serves(enuf_ranks *ranks, enuf_domain_choice *choice,
                              const enuf_cell_geometry *cell, double cutoff)
{
    if (!choice->exists || choice->outdated) return 0;
    if (choice->cutoff == cutoff && memcmp(choice->cell, cell->cell, sizeof choice->cell) == 0)
        return 1;
    int serves = 1;
    for (int d = 0; d < 3; d++) {
        const double change = cutoff / cell->height[d] / choice->ratio[d];
        serves = serves && change < OTHER_SHAPE && change > 1 / OTHER_SHAPE;
    }
    enuf_ranks_from_first(ranks, (int64_t)sizeof serves, &serves);
    if (serves) remember(choice, cell, cutoff);
    return serves;
}

void enuf_domain_choice_watch(enuf_domain_choice *choice, double moved)
{
    if (choice->moved < 0) choice->moved = moved;
    choice->outdated = moved > choice->moved + MORE_MOVED;
}
