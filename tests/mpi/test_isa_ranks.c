/*
 * test_isa_ranks.c - ranks on different processors. Rank 1 has the least instruction set, by
 * ENUF_ISA. Deterministic sums have the bits of one process with that set; others agree with one
 * process to 1e-12. A rank with an unknown set, and one with a set of another build, are errors on
 * all ranks. SPDX-License-Identifier: BSD-3-Clause
 */
#include "shared_system.h"

#include <stdio.h>
#include <stdlib.h>

static const double BOUND = 1e-12;
static int rank;

/* The least set that the library has and this processor runs. */
static enuf_isa least_set(void)
{
    enuf_isa isa = ENUF_ISA_AUTO;
    for (int k = ENUF_ISA_AUTO + 1; enuf_isa_name((enuf_isa)k); k++)
        if (enuf_isa_find((enuf_isa)k, &isa) == ENUF_SUCCESS) return isa;
    return isa;
}

static void check_sums(int deterministic, enuf_isa least, const charge_system *s)
{
    enuf_ewald_options options;
    enuf_ewald_options_init(&options);
    options.accuracy = 1e-8;
    options.deterministic = deterministic;
    options.isa = least;
    enuf_ewald_result whole = evaluate_alone(&options, s, NULL);
    options.isa = ENUF_ISA_AUTO;
    enuf_ewald *ewald = make_shared(&options, s);
    dealt_system dealt = deal_out(s, DEAL_IN_BLOCKS, MPI_COMM_WORLD);
    enuf_ewald_result here = make_result(dealt.n);
    if (set_shared(ewald, &dealt, NULL) &&
        CHECK_STATUS(enuf_ewald_compute(ewald, dealt.x, 3, WANT_ALL, &here), ENUF_SUCCESS)) {
        if (deterministic) {
            int64_t different = count_different_bits(&whole, &here, &dealt);
            MPI_Allreduce(MPI_IN_PLACE, &different, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
            CHECK_BELOW((double)different, 0, "numbers with other bits");
        } else {
            shared_difference d = compare_shared(&whole, s->n, &here, &dealt);
            check_difference(&d, BOUND);
        }
    }
    enuf_ewald_destroy(&ewald);
    free_result(&here);
    free_result(&whole);
    free_dealt(&dealt);
}

static void check_refused(const char *set, enuf_status status)
{
    enuf_ewald_options options;
    enuf_ewald *ewald = NULL;
    enuf_ewald_options_init(&options);
    if (rank == 1) setenv("ENUF_ISA", set, 1);
    CHECK_STATUS(enuf_ewald_create_mpi(MPI_COMM_WORLD, &options, &ewald), status);
    CHECK_TEXT("rank 1");
    CHECK_TEXT("ENUF_ISA");
    CHECK(ewald == NULL);
    unsetenv("ENUF_ISA");
}

int main(int argc, char **argv)
{
    if (!begin_ranks(&argc, &argv)) return finish_ranks();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    unsetenv("ENUF_ISA");
    const enuf_isa least = least_set();
    if (rank == 0) printf("rank 1 has %s\n", enuf_isa_name(least));
    charge_system s = make_ions(41, 400, CELL_TRICLINIC, 0);
    if (rank == 1) setenv("ENUF_ISA", enuf_isa_name(least), 1);
    check_sums(1, least, &s);
    check_sums(0, least, &s);
    unsetenv("ENUF_ISA");
    check_refused("avx9", ENUF_BAD_ARGUMENT);
    check_refused(least == ENUF_ISA_NATIVE ? "x86-64" : "native", ENUF_NO_BACKEND);
    free_system(&s);
    return finish_ranks();
}
