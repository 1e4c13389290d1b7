/*
 * test_traffic.c - the bytes that the report counts as sent, and the number of collective calls.
 * 2000 ions on P ranks. The formulas are those of docs/theory.md, "Parallel decompositions".
 *
 *   - Replicated modes: MPI_Allreduce sums the structure factors of the modes inside the sphere.
 *     Half of the K = 4/3 pi kmax^3 modes are stored, as complex numbers of 16 bytes. The report
 *     counts 2 (P-1)/P times these bytes for each rank, whatever algorithm MPI takes: the traffic
 *     of an algorithm that divides the sum among the ranks, such as a reduce-scatter followed by
 *     an allgather. Agreement to 1 %.
 *   - Deterministic: MPI_Allreduce sums the integers of the fine grid, 8 bytes a cell, counted in
 *     the same way. Agreement to 20 %, because rows are padded.
 *   - Pairs, on two ranks: a layer of one cutoff at each face of a domain goes from one side to the
 *     other, and its forces come back. Agreement to 10 %.
 *   - Collective calls of an evaluation, counted where MPI is called: at most the numbers in
 *     main() by messages, none in shared memory. Across machines each takes as long as the work on
 *     thousands of atoms.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "shared_system.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 2000, MOST_RANKS = 64 };

static int rank, ranks, reductions, other_messages;

/* Functions with the names of MPI's count the calls (the profiling interface of MPI). */
int MPI_Allreduce(const void *sent, void *received, int n, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm)
{
    reductions++;
    return PMPI_Allreduce(sent, received, n, type, op, comm);
}

int MPI_Bcast(void *buffer, int n, MPI_Datatype type, int root, MPI_Comm comm)
{
    other_messages++;
    return PMPI_Bcast(buffer, n, type, root, comm);
}

int MPI_Allgather(const void *sent, int n_sent, MPI_Datatype sent_type, void *received, int n,
                  MPI_Datatype type, MPI_Comm comm)
{
    other_messages++;
    return PMPI_Allgather(sent, n_sent, sent_type, received, n, type, comm);
}

int MPI_Alltoall(const void *sent, int n_sent, MPI_Datatype sent_type, void *received, int n,
                 MPI_Datatype type, MPI_Comm comm)
{
    other_messages++;
    return PMPI_Alltoall(sent, n_sent, sent_type, received, n, type, comm);
}

/* The bytes that all ranks sent in the last evaluation, and the cells of the fine grid. */
static double bytes_sent_by_all(enuf_ewald *ewald, double *cells)
{
    int64_t bytes[MOST_RANKS], held[MOST_RANKS];
    enuf_ewald_mpi_report report = {
        .struct_size = sizeof report, .grid_cells = held, .bytes_sent = bytes};
    double sum = 0;
    CHECK_STATUS(enuf_ewald_get_mpi_report(ewald, &report), ENUF_SUCCESS);
    for (int r = 0; r < ranks; r++) sum += (double)bytes[r];
    *cells = (double)held[0];
    return sum;
}

static void check_bytes(const charge_system *s, const dealt_system *dealt, int deterministic)
{
    const double kmax = 20, cutoff = 4;
    enuf_ewald_options options = shared_options(1e-4, ENUF_SPLIT_GAUSSIAN);
    options.decomposition = ENUF_DECOMPOSITION_REPLICATED;
    options.deterministic = deterministic;
    options.cutoff = cutoff;
    options.alpha = 0.8;
    options.kmax = kmax;
    enuf_ewald *ewald = make_shared(&options, s);
    enuf_ewald_result here = make_result(dealt->n);
    double cells;
    if (!ewald || !set_shared(ewald, dealt, NULL)) return;

    /* equal blocks: ranks sum over modes with the atoms that they have, and no atom moves */
    CHECK_STATUS(enuf_ewald_reciprocal(ewald, dealt->x, 3, ENUF_WANT_ENERGY, &here), ENUF_SUCCESS);
    const double modes = bytes_sent_by_all(ewald, &cells), pi = acos(-1.0);
    /* the whole plane m_1 = 0 is stored, not only half of it */
    const double k = 4.0 / 3 * pi * pow(kmax, 3) + pi * kmax * kmax;
    const double numbers = deterministic ? cells : k;
    const double expected = 2.0 * (ranks - 1) * 8 * numbers;
    if (rank == 0)
        printf("%s: modes %.0f bytes, formula %.0f\n",
               deterministic ? "deterministic" : "floating point", modes, expected);
    /* the sphere's surface is rough; rows of the grid are padded for the transform */
    CHECK_CLOSE(modes, expected, deterministic ? 0.2 : 0.01, "bytes for the modes");

    CHECK_STATUS(enuf_ewald_real(ewald, dealt->x, 3, ENUF_WANT_ENERGY | ENUF_WANT_FORCES, &here),
                 ENUF_SUCCESS);
    const double pairs = bytes_sent_by_all(ewald, &cells);
    if (rank == 0) printf("pairs %.0f bytes\n", pairs);
    if (ranks == 2 && !deterministic) {
        /* two domains with two faces, and a layer of one cutoff at each: 40 bytes an atom there, 24
         * back. Half of all atoms are not in their domain; each costs the same. Cuts: 64 blocks of
         * bins, and the 64 bins of one block */
        const double ghosts =
            2 * cutoff / pow(fabs(s->cell[0] * s->cell[4] * s->cell[8]), 1.0 / 3) * N;
        const double moved = 0.5 * N, cuts = 2 * 8 * (64 + 64);
        CHECK_CLOSE(pairs, (ghosts + moved) * (40 + 24) + cuts, 0.1, "bytes for the pairs");
    }
    enuf_ewald_destroy(&ewald);
    free_result(&here);
}

/* Energy and forces of the modes, when nothing has changed since the last evaluation. Reductions:
 * agreement on the request, on memory and on the work before the sum; the sum over ranks; agreement
 * on the energy; the net force. A distributed grid also exchanges counts of points, agrees on their
 * places and on memory for them, sums the energy and agrees on the interpolated results. */
static void check_calls_of_decomposition(const charge_system *s, const dealt_system *dealt,
                                         enuf_decomposition decomposition, int most,
                                         int most_others)
{
    enuf_ewald_options options = shared_options(1e-4, ENUF_SPLIT_GAUSSIAN);
    options.decomposition = decomposition;
    enuf_ewald *ewald = make_shared(&options, s);
    enuf_ewald_result here = make_result(dealt->n);
    if (!ewald || !set_shared(ewald, dealt, NULL)) return;
    for (int k = 0; k < 2; k++) {
        reductions = other_messages = 0;
        CHECK_STATUS(
            enuf_ewald_reciprocal(ewald, dealt->x, 3, ENUF_WANT_ENERGY | ENUF_WANT_FORCES, &here),
            ENUF_SUCCESS);
    }
    if (rank == 0) printf("%d reductions, %d other collectives\n", reductions, other_messages);
    CHECK((reductions > 0) == shared_memory_fails);
    CHECK(reductions <= most && other_messages <= most_others);
    CHECK(shared_memory_fails || other_messages == 0);
    enuf_ewald_destroy(&ewald);
    free_result(&here);
}

static void set_cell(enuf_ewald *ewald, const charge_system *s, double factor)
{
    double cell[9];
    for (int k = 0; k < 9; k++) cell[k] = factor * s->cell[k];
    CHECK_STATUS(enuf_ewald_set_cell(ewald, cell), ENUF_SUCCESS);
}

static void check_calls(enuf_ewald *ewald, const dealt_system *dealt, const char *what, int most,
                        int most_others)
{
    enuf_ewald_result here = make_result(dealt->n);
    reductions = other_messages = 0;
    CHECK_STATUS(
        enuf_ewald_reciprocal(ewald, dealt->x, 3, ENUF_WANT_ENERGY | ENUF_WANT_FORCES, &here),
        ENUF_SUCCESS);
    if (rank == 0)
        printf("%s: %d reductions, %d other collectives\n", what, reductions, other_messages);
    CHECK(reductions <= most && other_messages <= most_others);
    free_result(&here);
}

/* Atoms that have moved to other ranks cost no more messages than atoms that stayed. A new cell
 * that the mesh still serves costs three agreements more (request, decision, number of modes), and
 * rank 0 sends its choice of the method and of the domains. */
static void check_calls_after_changes(const charge_system *s, const dealt_system *dealt)
{
    enuf_ewald_options options = shared_options(1e-4, ENUF_SPLIT_GAUSSIAN);
    options.decomposition = ENUF_DECOMPOSITION_REPLICATED;
    charge_system other = copy_system(s);
    for (int64_t i = 0; i < s->n; i++) {
        const int64_t from = (i + s->n / 3) % s->n;
        other.q[i] = s->q[from];
        for (int d = 0; d < 3; d++) other.x[3 * i + d] = s->x[3 * from + d];
    }
    dealt_system migrated = deal_out(&other, DEAL_IN_BLOCKS, MPI_COMM_WORLD);
    enuf_ewald *ewald = make_shared(&options, s);
    if (!ewald || !set_shared(ewald, dealt, NULL)) return;
    check_calls(ewald, dealt, "first evaluation", 100, 100);
    if (!set_shared(ewald, &migrated, NULL)) return;
    check_calls(ewald, &migrated, "atoms on other ranks", 6, 0);
    set_cell(ewald, s, 1 + 1e-6);
    check_calls(ewald, &migrated, "another cell", 100, 100);
    set_cell(ewald, s, 1 - 1e-5);
    check_calls(ewald, &migrated, "a cell that the mesh serves", 6 + 3, 2);
    enuf_ewald_destroy(&ewald);
    free_dealt(&migrated);
    free_system(&other);
}

int main(int argc, char **argv)
{
    begin_mpi(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    charge_system s = make_ions(9, N, CELL_CUBIC, 0);
    dealt_system dealt = deal_out(&s, DEAL_IN_BLOCKS, MPI_COMM_WORLD);
    check_bytes(&s, &dealt, 0);
    check_bytes(&s, &dealt, 1);
    check_calls_of_decomposition(&s, &dealt, ENUF_DECOMPOSITION_REPLICATED, 6, 0);
    check_calls_of_decomposition(&s, &dealt, ENUF_DECOMPOSITION_DISTRIBUTED, 8, 1);
    check_calls_after_changes(&s, &dealt);
    free_dealt(&dealt);
    free_system(&s);
    return finish_ranks();
}
