/* domains.c - see domains.h. SPDX-License-Identifier: BSD-3-Clause */
#include "domains.h"
#include "memory.h"

#include <string.h>

enum { BINS = ENUF_DOMAIN_BINS };

int64_t enuf_domains_pieces_before(const enuf_domains *domains, int d)
{
    int64_t before = 1;
    for (int e = 0; e < d; e++) before *= domains->count[e];
    return before;
}

/*
 * A cut depends only on the number of atoms before its bin and in its bin. So ranks exchange counts
 * of blocks of bins first, then counts of single bins in the blocks that contain cuts.
 */

/* Number of blocks of bins along a vector with `count` pieces: the power of two with the fewest
 * counts to exchange. */
static int64_t blocks_for(int count)
{
    int64_t best = BINS;
    for (int64_t blocks = BINS / 2; blocks > 0; blocks /= 2)
        if (blocks + (count - 1) * (BINS / blocks) < best + (count - 1) * (BINS / best))
            best = blocks;
    return best;
}

/* Largest number of single bins that ranks exchange, for one piece of the directions before. */
static int64_t bins_reported(int count)
{
    const int64_t blocks = blocks_for(count);
    return (count - 1 < blocks ? count - 1 : blocks) * (BINS / blocks);
}

enuf_status enuf_domains_create(const enuf_ranks *ranks, const int count[3], enuf_domains *domains)
{
    *domains = (enuf_domains){.count = {count[0], count[1], count[2]}};
    ENUF_TRY(enuf_allocate(&domains->domain, ranks->size, sizeof *domains->domain, "domains"));
    memset(domains->domain, 0, (size_t)ranks->size * sizeof *domains->domain);
    for (int d = 0; d < 3; d++)
        ENUF_TRY(enuf_allocate(&domains->piece[d], enuf_domains_pieces_before(domains, d) * BINS,
                               sizeof(int), "cuts of domains"));
    int64_t reported = 0;
    for (int d = 0; d < 3; d++) {
        const int64_t of_piece = blocks_for(count[d]) + bins_reported(count[d]);
        const int64_t here = enuf_domains_pieces_before(domains, d) * of_piece;
        if (here > reported) reported = here;
    }
    ENUF_TRY(enuf_allocate(&domains->reported, reported, sizeof *domains->reported,
                           "counts of atoms in bins"));
    return enuf_allocate(&domains->histogram, enuf_domains_pieces_before(domains, 2) * BINS,
                         sizeof *domains->histogram, "counts of atoms in bins");
}

void enuf_domains_release(enuf_domains *domains)
{
    enuf_release(&domains->domain);
    for (int d = 0; d < 3; d++) enuf_release(&domains->piece[d]);
    enuf_release(&domains->histogram);
    enuf_release(&domains->reported);
}

/* Index of the slab (d = 1) or column (d = 2) of an atom; 0 for d = 0. */
static int64_t place_before(const enuf_domains *domains, const int16_t bin[3], int d)
{
    int64_t place = 0;
    for (int e = 0; e < d; e++)
        place = place * domains->count[e] + domains->piece[e][place * BINS + bin[e]];
    return place;
}

/* The first place from `at` on where the running sum reaches k/count of the total. *before is the
 * sum before `at`; it becomes the sum before the place. */
static int64_t find_part(const int64_t *counts, int64_t at, int64_t total, int k, int count,
                         int64_t *before)
{
    while ((*before + counts[at]) * count < total * k) *before += counts[at++];
    return at;
}

/* The counts of bins of one piece, summed over ranks. */
typedef struct counted_piece {
    const int64_t *blocks; /* of all ranks */
    int64_t n_blocks, total;
} counted_piece;

static counted_piece count_piece(const int64_t *blocks, int64_t n_blocks)
{
    counted_piece p = {blocks, n_blocks, 0};
    for (int64_t b = 0; b < n_blocks; b++) p.total += blocks[b];
    return p;
}

/* Lists the blocks that contain cuts, ascending; returns their number. */
static int list_blocks(const counted_piece *p, int count, int64_t *list)
{
    int n = 0;
    int64_t before = 0, at = 0;
    for (int k = 1; k < count && p->total > 0; k++) {
        at = find_part(p->blocks, at, p->total, k, count, &before);
        if (n == 0 || list[n - 1] != at) list[n++] = at;
    }
    return n;
}

/* Places the cuts: `count` pieces with numbers of atoms as equal as possible; cut [count + 1].
 * bins: counts of the bins in the blocks that contain cuts, block after block. */
static void place_cuts(const counted_piece *p, const int64_t *bins, int count, int *cut)
{
    const int64_t length = BINS / p->n_blocks;
    int64_t before = 0, block = 0, last = -1;
    cut[0] = 0;
    cut[count] = BINS;
    for (int k = 1; k < count; k++) {
        if (p->total == 0) {
            cut[k] = (int)((int64_t)k * BINS / count);
            continue;
        }
        block = find_part(p->blocks, block, p->total, k, count, &before);
        if (last >= 0 && last != block) bins += length;
        last = block;
        /* cut at the edge of the bin that is nearer to k/count of the atoms */
        int64_t sum = before;
        const int64_t bin = find_part(bins, 0, p->total, k, count, &sum), with = sum + bins[bin];
        const int behind = with * count - p->total * k <= p->total * k - sum * count;
        cut[k] = (int)(block * length + bin) + behind;
    }
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
    /* counting on the host cannot fail */
    (void)enuf_domains_cut_by(ranks, domains, count_on_host, &atoms);
}

/* Collective: places the cuts along one direction, for the reduction of the histograms of all
 * ranks. */
static void cut_direction(enuf_ranks *ranks, enuf_domains *domains, int d)
{
    const int count = domains->count[d];
    const int64_t before = enuf_domains_pieces_before(domains, d);
    const int64_t n_blocks = blocks_for(count), length = BINS / n_blocks;
    const int64_t *histogram = domains->histogram;
    /* `reported`: counts of blocks, then counts of bins in the blocks that contain cuts */
    int64_t list[ENUF_MOST_PIECES], *blocks = domains->reported, *bins = blocks + before * n_blocks;
    for (int64_t b = 0; b < before * n_blocks; b++) {
        blocks[b] = 0;
        for (int64_t k = 0; k < length; k++) blocks[b] += histogram[b * length + k];
    }
    enuf_ranks_sum_integers(ranks, before * n_blocks, blocks);
    int64_t n = 0;
    for (int64_t p = 0; p < before; p++) {
        const counted_piece piece = count_piece(blocks + p * n_blocks, n_blocks);
        const int listed = list_blocks(&piece, count, list);
        for (int k = 0; k < listed; k++, n += length)
            memcpy(bins + n, histogram + p * BINS + list[k] * length,
                   (size_t)length * sizeof *bins);
    }
    enuf_ranks_sum_integers(ranks, n, bins);
    for (int64_t p = 0; p < before; p++) {
        int cut[BINS + 1];
        const counted_piece piece = count_piece(blocks + p * n_blocks, n_blocks);
        place_cuts(&piece, bins, count, cut);
        bins += length * list_blocks(&piece, count, list);
        mark_pieces(cut, count, domains->piece[d] + p * BINS);
        set_domains(domains, p, d, cut);
    }
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
        if (status != ENUF_SUCCESS) /* the other ranks still need valid counts */
            memset(histogram, 0, (size_t)(before * BINS) * sizeof *histogram);
        cut_direction(ranks, domains, d);
    }
    return failed;
}

int enuf_domains_rank(const enuf_domains *domains, const int16_t bin[3])
{
    return (int)place_before(domains, bin, 3);
}
