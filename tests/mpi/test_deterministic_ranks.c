/*
 * test_deterministic_ranks.c - options.deterministic gives the bits of one process, at any number
 * of ranks and threads, however the atoms are distributed. Both arithmetics; triclinic, tilted,
 * thin and cubic cells, a net charge, vacuum, a slab, a cutoff beyond the cell, near pairs,
 * exclusions, and charges that change. A requested distributed grid becomes replicated modes.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "shared_system.h"

#include <math.h>
#include <stdio.h>

/* The number of threads of this rank. It differs between ranks. */
static int threads_here(int at_most)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return 1 + rank % at_most;
}

static void check_deal(enuf_ewald *ewald, deal how, const charge_system *s,
                       const enuf_exclusions *exclusions, const enuf_ewald_result *whole)
{
    dealt_system dealt = deal_out(s, how, MPI_COMM_WORLD);
    enuf_ewald_result here = make_result(dealt.n);
    if (set_shared(ewald, &dealt, exclusions) &&
        CHECK_STATUS(enuf_ewald_compute(ewald, dealt.x, 3, WANT_ALL, &here), ENUF_SUCCESS)) {
        int64_t different = count_different_bits(whole, &here, &dealt);
        MPI_Allreduce(MPI_IN_PLACE, &different, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
        CHECK_BELOW((double)different, 0, "numbers with other bits");
    }
    free_result(&here);
    free_dealt(&dealt);
}

static void check_system(const char *name, const enuf_ewald_options *asked, const charge_system *s,
                         const enuf_exclusions *exclusions)
{
    enuf_ewald_options options = *asked;
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    enuf_ewald_result whole = evaluate_alone(&options, s, exclusions);
    options.threads = threads_here(3);
    enuf_ewald *ewald = make_shared(&options, s);
    for (int how = 0; how < DEAL_COUNT && ewald; how++) {
        if (rank == 0) printf("%s, atoms %s\n", name, deal_name((deal)how));
        check_deal(ewald, (deal)how, s, exclusions, &whole);
    }
    enuf_ewald_mpi_report report = {.struct_size = sizeof report};
    CHECK_STATUS(enuf_ewald_get_mpi_report(ewald, &report), ENUF_SUCCESS);
    CHECK(report.decomposition == ENUF_DECOMPOSITION_REPLICATED);
    enuf_ewald_destroy(&ewald);
    free_result(&whole);
}

/* The unit of the grid's integers is that of the present charges, not of earlier ones. */
static void new_charges(const enuf_ewald_options *options)
{
    charge_system s = make_ions(127, 300, CELL_TRICLINIC, 0);
    const double scales[] = {1, 4, 0.125}; /* the parameters stay the same */
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    enuf_ewald *ewald = make_shared(options, &s);
    for (int k = 0; k < 3 && ewald; k++) {
        charge_system scaled = copy_system(&s);
        for (int64_t i = 0; i < s.n; i++) scaled.q[i] *= scales[k];
        enuf_ewald_result whole = evaluate_alone(options, &scaled, NULL);
        if (rank == 0) printf("the same object, charges times %g\n", scales[k]);
        check_deal(ewald, DEAL_IN_BLOCKS, &scaled, NULL, &whole);
        free_result(&whole);
        free_system(&scaled);
    }
    enuf_ewald_destroy(&ewald);
    free_system(&s);
}

int main(int argc, char **argv)
{
    if (!begin_ranks(&argc, &argv)) return finish_ranks();
    for (int arithmetic = ENUF_ARITHMETIC_DOUBLE; arithmetic <= ENUF_ARITHMETIC_MIXED;
         arithmetic++) {
        const int is_double = arithmetic == ENUF_ARITHMETIC_DOUBLE;
        enuf_ewald_options options = shared_options(
            is_double ? 1e-8 : 1e-4, is_double ? ENUF_SPLIT_GAUSSIAN : ENUF_SPLIT_PROLATE);
        options.deterministic = 1;
        options.arithmetic = (enuf_arithmetic)arithmetic;
        options.decomposition = ENUF_DECOMPOSITION_DISTRIBUTED;
        charge_system s = make_ions(121, 300, CELL_TRICLINIC, 2.3);
        check_system("triclinic, net charge", &options, &s, NULL);
        free_system(&s);
        new_charges(&options);

        s = make_ions(126, 200, CELL_TRICLINIC, 0);
        charge_system tilted = another_description(&s, 1, 15, 0);
        check_system("tilted by 200 edges", &options, &tilted, NULL);
        free_system(&tilted);
        free_system(&s);

        s = make_ions(122, 300, CELL_THIN, 0);
        options.surroundings = 1;
        check_system("thin, in vacuum", &options, &s, NULL);
        options.surroundings = 0;
        free_system(&s);
        s = make_ions(124, 200, CELL_CUBIC, 1);
        options.slab = 3;
        check_system("slab, net charge", &options, &s, NULL);
        options.slab = 0;
        free_system(&s);
        s = make_ions(125, 20, CELL_CUBIC, 0);
        options.cutoff = 9; /* longer than the cell */
        check_system("a long cutoff", &options, &s, NULL);
        options.cutoff = 0;
        free_system(&s);

        s = make_ions(126, 300, CELL_TRICLINIC, 0);
        s.q[61] *= 50;
        for (int k = 0; k < 15; k++) /* pairs at distances of 0.1 to 1e-4 */
            for (int e = 0; e < 3; e++)
                s.x[60 * k + e] = s.x[60 * k + 27 + e] + (e == 0 ? pow(10, -1 - k % 4) : 0);
        check_system("near pairs and a large charge", &options, &s, NULL);
        free_system(&s);

        int64_t pairs[6 * 100];
        s = make_water(123, 100, pairs);
        const enuf_exclusions exclusions = {300, pairs, NULL};
        check_system("water with exclusions", &options, &s, &exclusions);
        free_system(&s);
    }
    return finish_ranks();
}
