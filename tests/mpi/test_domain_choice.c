/*
 * test_domain_choice.c - domains for the pair sums, for any number of ranks.
 *
 *   - Choice, up to 20000 ranks: as many domains as ranks or at most 1 % fewer, and at most 512
 *     along an axis, so that a domain has 8 bins or more.
 *   - Cuts lie where their definition puts them, however the atoms are distributed. The bytes that
 *     ranks send to place them are bounded.
 *   - Ranks without a domain take part without atoms.
 *   - Weights: atoms that arrive in layers along the shortest edge get domains in layers where
 * moves are dear, and the fewest ghosts where ghosts are dear. A choice serves while cutoff over
 * height and the part of the atoms that moves change little. If one rank fails, all fail with its
 * text. SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "mpi/domains/domain_choice.h"
#include "mpi/domains/ghosts.h"
#include "mpi_program.h"
#include "random_system.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RANKS = 20000, THINNEST = 8, N = 300 };

static void check_choice(const double rows[9], double cutoff)
{
    enuf_cell_geometry cell;
    double worst = 1;
    int rank_of_worst = 1, bad = 0;
    CHECK_STATUS(enuf_cell_geometry_make(rows, &cell), ENUF_SUCCESS);
    for (int ranks = 1; ranks <= MOST_RANKS; ranks++) {
        int count[3] = {-1, -1, -1};
        enuf_domains_choose(ranks, &cell, cutoff, count);
        int64_t pieces = 1;
        for (int d = 0; d < 3; d++) {
            bad += count[d] < 1 || count[d] > ENUF_DOMAIN_BINS / THINNEST;
            pieces *= count[d];
        }
        const double used = (double)pieces / ranks;
        bad += pieces < 1 || pieces > ranks;
        if (used < worst) {
            worst = used;
            rank_of_worst = ranks;
        }
    }
    printf("cutoff %g of a %g: fewest pieces at %d ranks\n", cutoff, rows[0], rank_of_worst);
    CHECK(bad == 0);
    /* a number without a prime factor above 512 is never far below */
    CHECK_BELOW(1 - worst, 0.01, "ranks left over, of all");
}

/* ---- Cuts ---- */

enum { BINS = ENUF_DOMAIN_BINS, ATOMS = 20000 };

/* The k-th of `count` cuts, by its definition: some bin holds the place below which k/count of the
 * atoms lie; the cut is the edge of this bin that is nearer, counted in atoms. */
static int cut_at(const int64_t *histogram, int count, int k)
{
    int64_t total = 0, sum = 0;
    for (int b = 0; b < BINS; b++) total += histogram[b];
    if (k == count) return BINS;
    if (k == 0 || total == 0) return (int)((int64_t)k * BINS / count);
    for (int b = 0; b < BINS; sum += histogram[b++]) {
        const int64_t with = sum + histogram[b];
        if (with * count >= total * k)
            return with * count - total * k <= total * k - sum * count ? b + 1 : b;
    }
    return BINS;
}

/* The bins of the atoms. Crowded: uneven, and a quarter of the atoms in one bin of the third
 * axis. */
static void make_bins(int crowded, int16_t (*bin)[3])
{
    double *s = malloc(3 * ATOMS * sizeof *s);
    if (!s) abort();
    random_numbers(17, 3 * ATOMS, 0, 1, s);
    for (int i = 0; i < 3 * ATOMS; i++)
        bin[i / 3][i % 3] = (int16_t)(BINS * (crowded ? pow(s[i], 3) * 0.7 : s[i]));
    for (int i = 0; i < crowded * ATOMS / 4; i++) bin[i][2] = 1234; /* a quarter in one bin */
    free(s);
}

static int64_t inside(const enuf_domain *domain, int d, const int16_t bin[3])
{
    for (int e = 0; e < d; e++)
        if (bin[e] < domain->low[e] || bin[e] >= domain->high[e]) return 0;
    return 1;
}

/* The number of cuts of a domain that differ from their definition. */
static int count_wrong(const enuf_domains *domains, int domain, int16_t (*bin)[3])
{
    static int64_t histogram[BINS];
    const int *count = domains->count;
    const enuf_domain *of = domains->domain + domain;
    const int at[3] = {domain / (count[1] * count[2]), domain / count[2] % count[1],
                       domain % count[2]};
    int wrong = 0;
    for (int d = 0; d < 3; d++) {
        memset(histogram, 0, sizeof histogram);
        for (int i = 0; i < ATOMS; i++)
            if (inside(of, d, bin[i])) histogram[bin[i][d]]++;
        wrong += of->low[d] != cut_at(histogram, count[d], at[d]);
        wrong += of->high[d] != cut_at(histogram, count[d], at[d] + 1);
    }
    return wrong;
}

/* Checks the cuts of count[] domains. Returns the bytes that this rank sends. */
static int64_t check_cuts(const enuf_ranks *real, const int count[3], int crowded)
{
    static int16_t bin[ATOMS][3];
    enuf_domains domains;
    enuf_ranks ranks = *real; /* one for each domain, though most do not run */
    ranks.size = count[0] * count[1] * count[2];
    ranks.bytes_sent = 0;
    make_bins(crowded, bin);
    CHECK_STATUS(enuf_domains_create(&ranks, count, &domains), ENUF_SUCCESS);
    const int64_t first = ATOMS * real->rank / real->size;
    const int64_t n = (int64_t)ATOMS * (real->rank + 1) / real->size - first;
    enuf_domains_cut(&ranks, &domains, n, bin[first]);
    int wrong = 0;
    for (int k = 0; k < ranks.size; k += 1 + ranks.size / 60)
        wrong += count_wrong(&domains, k, bin);
    CHECK(wrong == 0);
    CHECK(count_wrong(&domains, ranks.size - 1, bin) == 0);
    enuf_domains_release(&domains);
    return ranks.bytes_sent;
}

static void check_all_cuts(const enuf_ranks *ranks)
{
    static const int counts[][3] = {{1, 1, 2},   {2, 1, 3},  {3, 2, 5}, {1, 7, 1},
                                    {1, 1, 512}, {40, 2, 1}, {8, 8, 8}};
    int64_t bytes = 0;
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
        for (int crowded = 0; crowded < 2; crowded++) bytes = check_cuts(ranks, counts[k], crowded);
    /* whole histograms would be 2 * 8 bytes of 4096 bins for each of 1 + 8 + 64 pieces: 4.8 MB;
     * sent are 128 blocks of bins, and the 32 bins of 7 blocks */
    if (ranks->rank == 0)
        CHECK_BELOW((double)bytes, 2 * 8 * (1 + 8 + 64) * (128 + 7 * 32),
                    "bytes for cuts, 512 ranks");
}

/* Two domains for any number of ranks: the first two ranks get all atoms and their ghosts. */
static void check_ranks_without_domain(enuf_ranks *ranks)
{
    static const int count[3] = {1, 1, 2};
    const double rows[9] = {10, 0, 0, 0, 10, 0, 0, 0, 10}, cutoff = 2;
    static double x[3 * N], q[N];
    enuf_cell_geometry cell;
    enuf_migration migration;
    enuf_ghosts ghosts;
    random_ions(5, N, rows, 0.1, x, q);
    CHECK_STATUS(enuf_cell_geometry_make(rows, &cell), ENUF_SUCCESS);
    CHECK_STATUS(enuf_migration_create(ranks, count, &migration), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ghosts_create(ranks, &ghosts), ENUF_SUCCESS);
    const int64_t first = N * ranks->rank / ranks->size;
    const int64_t n = (int64_t)N * (ranks->rank + 1) / ranks->size - first;
    CHECK_STATUS(enuf_migrate(ranks, &migration, &cell, n, x + 3 * first, 3, q + first, first, 1),
                 ENUF_SUCCESS);
    const int64_t own = migration.atoms.n;
    CHECK_STATUS(enuf_ghosts_fetch(ranks, &ghosts, &cell, &migration.domains, cutoff, 0, own,
                                   &migration.atoms),
                 ENUF_SUCCESS);
    int64_t atoms[2] = {own, migration.atoms.n - own};
    if (ranks->rank >= 2) CHECK(atoms[0] == 0 && atoms[1] == 0);
    enuf_ranks_sum_integers(ranks, 2, atoms);
    if (ranks->rank == 0)
        printf("%d ranks, 2 domains: %lld atoms, %lld ghosts\n", ranks->size, (long long)atoms[0],
               (long long)atoms[1]);
    CHECK(atoms[0] == N);
    /* at each of two faces a layer of one cutoff, from one side */
    CHECK_CLOSE((double)atoms[1], 2 * cutoff / 10 * N, 0.3, "ghosts");
    enuf_migration_release(&migration);
    enuf_ghosts_release(&ghosts);
}

/* Makes the choice with these weights, and compares the numbers of domains. */
static void check_weights(enuf_ranks *ranks, const enuf_cell_geometry *cell,
                          const enuf_domain_weights *weights, const enuf_domain_sample *sample,
                          const int expected[3], enuf_domain_choice *choice)
{
    ranks->bytes_sent = 0;
    CHECK_STATUS(enuf_domain_choice_make(ranks, ENUF_SUCCESS, cell, 1, weights, sample, choice),
                 ENUF_SUCCESS);
    if (ranks->rank == 0)
        printf("%d x %d x %d\n", choice->count[0], choice->count[1], choice->count[2]);
    CHECK(memcmp(choice->count, expected, sizeof choice->count) == 0 && ranks->bytes_sent == 0);
}

static void check_choice_in_use(enuf_ranks *ranks)
{
    static const double rows[9] = {20, 0, 0, 0, 30, 0, 0, 0, 40};
    static const enuf_domain_weights moves = {.moved = 1, .ghost = 0.3},
                                     ghosts = {.moved = 1e-12, .ghost = 1};
    static double x[3 * N];
    enuf_cell_geometry cell;
    enuf_domain_choice choice = {.exists = 0};
    int fewest[3];
    CHECK_STATUS(enuf_cell_geometry_make(rows, &cell), ENUF_SUCCESS);
    random_numbers(7 + (uint64_t)ranks->rank, 3 * N, 0, 1, x);
    for (int k = 0; k < 3 * N; k++)
        x[k] = k % 3 == 0 ? rows[0] * (ranks->rank + x[k]) / ranks->size : rows[4 * (k % 3)] * x[k];
    enuf_domains_choose(ranks->size, &cell, 1, fewest);
    const enuf_domain_sample sample = {N, enuf_domain_sample_size(ranks->size, N), x,
                                       3 * enuf_domain_sample_step(ranks->size, N)};
    check_weights(ranks, &cell, &moves, &sample, (const int[3]){ranks->size, 1, 1}, &choice);
    check_weights(ranks, &cell, &ghosts, &sample, fewest, &choice);
    CHECK(enuf_domain_choice_serves(ranks, &choice, &cell, 1.05));
    CHECK(!enuf_domain_choice_serves(ranks, &choice, &cell, 1.2));
    enuf_domain_choice_watch(&choice, 0.5);
    enuf_domain_choice_watch(&choice, 0.55);
    CHECK(enuf_domain_choice_serves(ranks, &choice, &cell, 1));
    enuf_domain_choice_watch(&choice, 0.65);
    CHECK(!enuf_domain_choice_serves(ranks, &choice, &cell, 1));
    const enuf_domain_choice before = choice;
    const enuf_status mine = ranks->rank == ranks->size - 1
                                 ? enuf_fail(ENUF_OUT_OF_MEMORY, "no memory for a test")
                                 : ENUF_SUCCESS;
    CHECK_STATUS(enuf_domain_choice_make(ranks, mine, &cell, 1, &moves, &sample, &choice),
                 ENUF_OUT_OF_MEMORY);
    CHECK_TEXT("no memory for a test");
    CHECK(memcmp(&before, &choice, sizeof choice) == 0);
}

int main(int argc, char **argv)
{
    static const double cube[9] = {60, 0, 0, 0, 60, 0, 0, 0, 60};
    static const double slab[9] = {300, 0, 0, 30, 200, 0, 5, 5, 12};
    begin_mpi(&argc, &argv);
    enuf_ranks ranks = {.comm = MPI_COMM_WORLD};
    MPI_Comm_rank(ranks.comm, &ranks.rank);
    MPI_Comm_size(ranks.comm, &ranks.size);
    if (ranks.rank == 0) {
        check_choice(cube, 10);
        check_choice(slab, 10);
        check_choice(cube, 1e-3);
    }
    check_all_cuts(&ranks);
    if (ranks.size > 1) check_ranks_without_domain(&ranks);
    check_choice_in_use(&ranks);
    return end_mpi(check_result());
}
