/*
 * test_fft_ranks.c - all ranks take the library of FFTs that rank 0 has chosen, here by ENUF_FFT,
 * also if another rank names another one. Sums on a distributed grid and on replicated modes agree
 * with one process to 1e-12, and deterministic ones have its bits, with each library that is there.
 * A rank with an unknown library, and one without the library of rank 0, are errors on all ranks.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "shared_system.h"

#include <stdio.h>
#include <stdlib.h>

static const enuf_fft ffts[] = {ENUF_FFT_FFTW, ENUF_FFT_DUCC0, ENUF_FFT_MKL};
enum { N_FFTS = sizeof ffts / sizeof *ffts };

static const double BOUND = 1e-12;
static int rank;

static void check_sums(const enuf_ewald_options *given, enuf_fft fft, const charge_system *s)
{
    enuf_ewald_options options = *given;
    options.decomposition = ENUF_DECOMPOSITION_AUTO;
    options.fft = fft;
    enuf_ewald_result whole = evaluate_alone(&options, s, NULL);
    options = *given;
    enuf_ewald *ewald = make_shared(&options, s);
    dealt_system dealt = deal_out(s, DEAL_IN_BLOCKS, MPI_COMM_WORLD);
    enuf_ewald_result here = make_result(dealt.n);
    if (set_shared(ewald, &dealt, NULL) &&
        CHECK_STATUS(enuf_ewald_compute(ewald, dealt.x, 3, WANT_ALL, &here), ENUF_SUCCESS)) {
        if (options.deterministic) {
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

static void check_library(enuf_fft fft, enuf_fft of_others, const charge_system *s)
{
    enuf_ewald_options options;
    enuf_ewald_options_init(&options);
    options.accuracy = 1e-8;
    if (rank == 0)
        printf("%s, others have chosen %s\n", enuf_fft_name(fft), enuf_fft_name(of_others));
    setenv("ENUF_FFT", enuf_fft_name(rank == 0 ? fft : of_others), 1);
    options.decomposition = ENUF_DECOMPOSITION_DISTRIBUTED;
    check_sums(&options, fft, s);
    options.decomposition = ENUF_DECOMPOSITION_REPLICATED;
    check_sums(&options, fft, s);
    options.deterministic = 1;
    check_sums(&options, fft, s);
    unsetenv("ENUF_FFT");
}

static void check_refused(int of_rank, const char *name, enuf_status status)
{
    enuf_ewald_options options;
    enuf_ewald *ewald = NULL;
    enuf_ewald_options_init(&options);
    if (rank == of_rank) setenv("ENUF_FFT", name, 1);
    CHECK_STATUS(enuf_ewald_create_mpi(MPI_COMM_WORLD, &options, &ewald), status);
    CHECK_TEXT(of_rank == 0 ? "rank 0" : "rank 1");
    CHECK_TEXT("ENUF_FFT");
    CHECK(ewald == NULL);
    unsetenv("ENUF_FFT");
}

int main(int argc, char **argv)
{
    if (!begin_ranks(&argc, &argv)) return finish_ranks();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    unsetenv("ENUF_FFT");
    enuf_fft first;
    CHECK_STATUS(enuf_fft_find(ENUF_FFT_AUTO, &first), ENUF_SUCCESS);
    charge_system s = make_ions(41, 400, CELL_TRICLINIC, 0);
    for (int k = 0; k < N_FFTS; k++)
        if (enuf_fft_usable(ffts[k], NULL))
            check_library(ffts[k], first, &s);
        else
            for (int of_rank = 0; of_rank < 2; of_rank++)
                check_refused(of_rank, enuf_fft_name(ffts[k]), ENUF_NO_BACKEND);
    check_refused(0, "fftw3", ENUF_BAD_ARGUMENT);
    check_refused(1, "fftw3", ENUF_BAD_ARGUMENT);
    free_system(&s);
    return finish_ranks();
}
