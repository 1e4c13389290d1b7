/*
 * test_kernel_choice_ranks.c - ranks with different kernels. Each rank takes its own instruction
 * set: rank 1 has the least, by ENUF_ISA. All ranks take the library of FFTs that rank 0 has
 * chosen, here by ENUF_FFT, also if another rank names another one. Sums on a distributed grid and
 * on replicated modes agree with one process to 1e-12; deterministic ones have the bits of one
 * process with that set and library. A rank with an unknown name, with a set of another build, or
 * without the library of rank 0, is an error on all ranks. SPDX-License-Identifier: BSD-3-Clause
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

/* Sums by the ranks' own choice against those of one process with this set and library. */
static void check_sums(enuf_decomposition decomposition, int deterministic, enuf_isa isa,
                       enuf_fft fft, const charge_system *s)
{
    enuf_ewald_options options;
    enuf_ewald_options_init(&options);
    options.accuracy = 1e-8;
    options.deterministic = deterministic;
    options.isa = isa;
    options.fft = fft;
    enuf_ewald_result whole = evaluate_alone(&options, s, NULL);
    options.isa = ENUF_ISA_AUTO;
    options.fft = ENUF_FFT_AUTO;
    options.decomposition = decomposition;
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

static void check_refused(int of_rank, const char *variable, const char *value, enuf_status status)
{
    enuf_ewald_options options;
    enuf_ewald *ewald = NULL;
    enuf_ewald_options_init(&options);
    if (rank == of_rank) setenv(variable, value, 1);
    CHECK_STATUS(enuf_ewald_create_mpi(MPI_COMM_WORLD, &options, &ewald), status);
    CHECK_TEXT(of_rank == 0 ? "rank 0" : "rank 1");
    CHECK_TEXT(variable);
    CHECK(ewald == NULL);
    unsetenv(variable);
}

static void instruction_sets(const charge_system *s)
{
    const enuf_isa least = least_set();
    if (rank == 0) printf("rank 1 has %s\n", enuf_isa_name(least));
    if (rank == 1) setenv("ENUF_ISA", enuf_isa_name(least), 1);
    check_sums(ENUF_DECOMPOSITION_AUTO, 1, least, ENUF_FFT_AUTO, s);
    check_sums(ENUF_DECOMPOSITION_AUTO, 0, least, ENUF_FFT_AUTO, s);
    unsetenv("ENUF_ISA");
    check_refused(1, "ENUF_ISA", "avx9", ENUF_BAD_ARGUMENT);
    check_refused(1, "ENUF_ISA", least == ENUF_ISA_NATIVE ? "x86-64" : "native", ENUF_NO_BACKEND);
}

static void libraries_of_ffts(const charge_system *s)
{
    static const enuf_fft ffts[] = {ENUF_FFT_FFTW, ENUF_FFT_DUCC0, ENUF_FFT_MKL};
    enuf_fft of_others;
    CHECK_STATUS(enuf_fft_find(ENUF_FFT_AUTO, &of_others), ENUF_SUCCESS);
    for (int k = 0; k < 3; k++) {
        const char *name = enuf_fft_name(ffts[k]);
        if (!enuf_fft_usable(ffts[k], NULL)) {
            check_refused(0, "ENUF_FFT", name, ENUF_NO_BACKEND);
            check_refused(1, "ENUF_FFT", name, ENUF_NO_BACKEND);
            continue;
        }
        if (rank == 0) printf("%s, others have chosen %s\n", name, enuf_fft_name(of_others));
        setenv("ENUF_FFT", rank == 0 ? name : enuf_fft_name(of_others), 1);
        check_sums(ENUF_DECOMPOSITION_DISTRIBUTED, 0, ENUF_ISA_AUTO, ffts[k], s);
        check_sums(ENUF_DECOMPOSITION_REPLICATED, 0, ENUF_ISA_AUTO, ffts[k], s);
        check_sums(ENUF_DECOMPOSITION_REPLICATED, 1, ENUF_ISA_AUTO, ffts[k], s);
        unsetenv("ENUF_FFT");
    }
    check_refused(0, "ENUF_FFT", "fftw3", ENUF_BAD_ARGUMENT);
    check_refused(1, "ENUF_FFT", "fftw3", ENUF_BAD_ARGUMENT);
}

int main(int argc, char **argv)
{
    if (!begin_ranks(&argc, &argv)) return finish_ranks();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    unsetenv("ENUF_ISA");
    unsetenv("ENUF_FFT");
    charge_system s = make_ions(41, 400, CELL_TRICLINIC, 0);
    instruction_sets(&s);
    libraries_of_ffts(&s);
    free_system(&s);
    return finish_ranks();
}
