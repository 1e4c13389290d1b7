/* domains.c - see domains.h. SPDX-License-Identifier: BSD-3-Clause */
#include "domains.h"
#include "memory.h"

#include <math.h>
#include <string.h>

/* Pieces along one vector: with 8 bins each a cut is placed to an eighth of a piece. */
enum { BINS = ENUF_DOMAIN_BINS, MOST_PIECES = BINS / 8 };

/* Volume of a domain and of what it needs around it, of the cell's. A direction that is not cut
 * needs nothing. */
static double reach_volume(const enuf_cell_geometry *cell, double cutoff, const int count[3])
{
    double volume = 1;
    for (int d = 0; d < 3; d++)
        volume *= 1.0 / count[d] + (count[d] > 1 ? 2 * cutoff / cell->height[d] : 0);
    return volume;
}

/* The best of the ways to cut the cell into so many pieces; 0 where there is none. */
static int choose_for(int pieces, const enuf_cell_geometry *cell, double cutoff, int count[3])
{
    double least = INFINITY;
    for (int a = 1; a <= pieces && a <= MOST_PIECES; a++) {
        for (int b = 1; pieces % a == 0 && b <= pieces / a && b <= MOST_PIECES; b++) {
            const int trial[3] = {a, b, pieces / a / b};
            if (pieces / a % b != 0 || trial[2] > MOST_PIECES) continue;
            const double volume = reach_volume(cell, cutoff, trial);
            if (volume >= least) continue;
            least = volume;
            memcpy(count, trial, sizeof trial);
        }
    }
    return least < INFINITY;
}

void enuf_domains_choose(int ranks, const enuf_cell_geometry *cell, double cutoff, int count[3])
{
    int pieces = ranks < MOST_PIECES * MOST_PIECES * MOST_PIECES
                     ? ranks
                     : MOST_PIECES * MOST_PIECES * MOST_PIECES;
    /* up to MOST_PIECES the first serves; pieces of 1 always do */
    while (!choose_for(pieces, cell, cutoff, count)) pieces--;
}

void enuf_domains_count(enuf_ranks *ranks, const enuf_cell_geometry *cell, double cutoff,
                        int count[3])
{
    enuf_domains_choose(ranks->size, cell, cutoff, count);
    enuf_ranks_from_first(ranks, 3 * (int64_t)sizeof *count, count);
}

int64_t enuf_domains_pieces_before(const enuf_domains *domains, int d)
{
    int64_t before = 1;
    for (int e = 0; e < d; e++) before *= domains->count[e];
    return before;
}

enuf_status enuf_domains_create(const enuf_ranks *ranks, const int count[3], enuf_domains *domains)
{
    *domains = (enuf_domains){.count = {count[0], count[1], count[2]}};
    ENUF_TRY(enuf_allocate(&domains->domain, ranks->size, sizeof *domains->domain, "domains"));
    memset(domains->domain, 0, (size_t)ranks->size * sizeof *domains->domain);
    for (int d = 0; d < 3; d++)
        ENUF_TRY(enuf_allocate(&domains->piece[d], enuf_domains_pieces_before(domains, d) * BINS,
                               sizeof(int), "cuts of domains"));
    return enuf_allocate(&domains->histogram, enuf_domains_pieces_before(domains, 2) * BINS,
                         sizeof *domains->histogram, "counts of atoms in bins");
}

void enuf_domains_release(enuf_domains *domains)
{
    enuf_release(&domains->domain);
    for (int d = 0; d < 3; d++) enuf_release(&domains->piece[d]);
    enuf_release(&domains->histogram);
}

/* Index of the slab (d = 1) or column (d = 2) that an atom lies in; 0 for d = 0. */
static int64_t place_before(const enuf_domains *domains, const int16_t bin[3], int d)
{
    int64_t place = 0;
    for (int e = 0; e < d; e++)
        place = place * domains->count[e] + domains->piece[e][place * BINS + bin[e]];
    return place;
}

/* Cuts so that each of `count` pieces holds as many of the atoms as can be; cut [count + 1]. */
static void place_cuts(const int64_t *histogram, int count, int *cut)
{
    int64_t total = 0, sum = 0;
    for (int b = 0; b < BINS; b++) total += histogram[b];
    cut[0] = 0;
    cut[count] = BINS;
    if (total == 0) {
        for (int k = 1; k < count; k++) cut[k] = (int)((int64_t)k * BINS / count);
        return;
    }
    int k = 1;
    for (int b = 0; b < BINS && k < count; b++) {
        const int64_t with = sum + histogram[b];
        /* the edge of bin b that is nearer to the k-th part of the atoms */
        for (; k < count && with * count >= total * k; k++)
            cut[k] = with * count - total * k <= total * k - sum * count ? b + 1 : b;
        sum = with;
    }
    for (; k < count; k++) cut[k] = BINS;
}

static void mark_pieces(const int *cut, int count, int *piece)
{
    for (int k = 0; k < count; k++)
        for (int b = cut[k]; b < cut[k + 1]; b++) piece[b] = k;
}

static void set_domains(enuf_domains *domains, int64_t before, int d, const int *cut)
{
    int64_t behind = 1;
    for (int e = d + 1; e < 3; e++) behind *= domains->count[e];
    for (int k = 0; k < domains->count[d]; k++)
        for (int64_t r = 0; r < behind; r++) {
            enuf_domain *domain = domains->domain + (before * domains->count[d] + k) * behind + r;
            domain->low[d] = cut[k];
            domain->high[d] = cut[k + 1];
        }
}

/* Atoms on the host. */
typedef struct host_bins {
    int64_t n;
    const int16_t *bin;
} host_bins;

static enuf_status count_on_host(void *context, const enuf_domains *domains, int d,
                                 int64_t *histogram)
{
    const host_bins *atoms = context;
    for (int64_t i = 0; i < atoms->n; i++) {
        const int16_t *bin = atoms->bin + 3 * i;
        histogram[place_before(domains, bin, d) * BINS + bin[d]]++;
    }
    return ENUF_SUCCESS;
}

void enuf_domains_cut(enuf_ranks *ranks, enuf_domains *domains, int64_t n, const int16_t *bin)
{
    host_bins atoms = {n, bin};
    (void)enuf_domains_cut_by(ranks, domains, count_on_host, &atoms); /* which cannot fail */
}

enuf_status enuf_domains_cut_by(enuf_ranks *ranks, enuf_domains *domains, enuf_count_bins count,
                                void *context)
{
    enuf_status failed = ENUF_SUCCESS;
    for (int d = 0; d < 3; d++) {
        const int64_t before = enuf_domains_pieces_before(domains, d);
        int64_t *histogram = domains->histogram;
        if (domains->count[d] == 1) {
            const int whole[2] = {0, BINS};
            memset(domains->piece[d], 0, (size_t)(before * BINS) * sizeof(int));
            for (int64_t p = 0; p < before; p++) set_domains(domains, p, d, whole);
            continue;
        }
        memset(histogram, 0, (size_t)(before * BINS) * sizeof *histogram);
        const enuf_status status = count(context, domains, d, histogram);
        if (failed == ENUF_SUCCESS) failed = status;
        enuf_ranks_sum_integers(ranks, before * BINS, histogram);
        for (int64_t p = 0; p < before; p++) {
            /* the cuts of a piece need as many integers as the bins that they cut at the most */
            int cut[BINS + 1];
            place_cuts(histogram + p * BINS, domains->count[d], cut);
            mark_pieces(cut, domains->count[d], domains->piece[d] + p * BINS);
            set_domains(domains, p, d, cut);
        }
    }
    return failed;
}

int enuf_domains_rank(const enuf_domains *domains, const int16_t bin[3])
{
    return (int)place_before(domains, bin, 3);
}
