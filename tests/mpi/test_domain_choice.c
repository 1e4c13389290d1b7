/*
 * Domains for any number of ranks: as many pieces as ranks or a few less, none of them so thin that
 * cuts cannot balance it; and ranks that are left over take part without atoms.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "ghosts.h"
#include "mpi_program.h"
#include "random_system.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

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
    /* the nearest number below without a prime factor above 512 is never far */
    CHECK_BELOW(1 - worst, 0.01, "ranks left over, of all");
}

/* Two pieces for any number of ranks: all atoms arrive at the first two, and their neighbours. */
static void check_left_over(enuf_ranks *ranks)
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
    /* a layer of one cutoff at each of two faces, from one of their sides */
    CHECK_CLOSE((double)atoms[1], 2 * cutoff / 10 * N, 0.3, "ghosts");
    enuf_migration_release(&migration);
    enuf_ghosts_release(&ghosts);
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
    if (ranks.size > 1) check_left_over(&ranks);
    return end_mpi(check_result());
}
