/*
 * both_libraries.c - one program that calls libenuf and libenuf_mpi.
 *
 * The energy of rock salt on one process and on the ranks differs by at most twice 1e-9 of 8 ions.
 * Both libraries have one text of the last error. With the argument `cuda` it runs on the GPU, and
 * ends with 77 if there is none.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <enuf/ewald.h>
#include <enuf/ewald_mpi.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double cell[9] = {2, 0, 0, 0, 2, 0, 0, 0, 2};
static const double charges[8] = {1, -1, -1, 1, -1, 1, 1, -1};

static enuf_status by_one(const enuf_ewald_options *options, const double *x,
                          enuf_ewald_result *result)
{
    enuf_ewald *ewald = NULL;
    enuf_status status = enuf_ewald_create(options, &ewald);
    if (!status) status = enuf_ewald_set_cell(ewald, cell);
    if (!status) status = enuf_ewald_set_charges(ewald, 8, charges, NULL);
    if (!status) status = enuf_ewald_compute(ewald, x, 3, ENUF_WANT_ENERGY, result);
    enuf_ewald_destroy(&ewald);
    return status;
}

static enuf_status by_ranks(const enuf_ewald_options *options, const double *x,
                            enuf_ewald_result *result)
{
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int first = 8 * rank / ranks, n = 8 * (rank + 1) / ranks - first;
    enuf_ewald *ewald = NULL;
    enuf_status status = enuf_ewald_create_mpi(MPI_COMM_WORLD, options, &ewald);
    if (!status) status = enuf_ewald_set_cell(ewald, cell);
    if (!status) status = enuf_ewald_set_charges(ewald, n, charges + first, NULL);
    if (!status) status = enuf_ewald_compute(ewald, x + 3 * first, 3, ENUF_WANT_ENERGY, result);
    enuf_ewald_destroy(&ewald);
    return status;
}

/* One library fails, then the other: enuf_last_error() is always the text of the last failure. */
static int one_error_text(enuf_ewald_options one, enuf_ewald_options ranks)
{
    double x[24] = {0};
    enuf_ewald_result result = {.struct_size = sizeof result};
    enuf_ewald *ewald = NULL;
    one.accuracy = -1.25;
    int is_last = by_one(&one, x, &result) && strstr(enuf_last_error(), "-1.25");
    is_last = is_last && enuf_ewald_create_mpi(MPI_COMM_NULL, &ranks, &ewald) &&
              strstr(enuf_last_error(), "MPI_COMM_NULL");
    return is_last && by_one(&one, x, &result) && strstr(enuf_last_error(), "-1.25");
}

int main(int argc, char **argv)
{
    int threads_allowed, rank, status = 0;
    double x[24];
    enuf_ewald_options one;
    enuf_ewald_options ranks;
    enuf_ewald_result of_one = {.struct_size = sizeof of_one}, of_ranks = of_one;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &threads_allowed);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 24; i++) x[i] = i / 3 >> i % 3 & 1;
    enuf_ewald_options_init(&one);
    enuf_ewald_options_init(&ranks);
    one.accuracy = ranks.accuracy = 1e-9;
    if (argc > 1 && strcmp(argv[1], "cuda") == 0) one.backend = ranks.backend = ENUF_BACKEND_CUDA;

    const char *reason = "";
    if (!enuf_backend_usable(one.backend, &reason)) {
        if (rank == 0) printf("skipped: %s\n", reason);
        status = 77;
    } else if (by_one(&one, x, &of_one) || by_ranks(&ranks, x, &of_ranks)) {
        printf("FAILED: %s\n", enuf_last_error());
        status = 1;
    } else {
        /* each has an error of at most 1e-9 of F_ref, which is 1 here (unit charges at distance 1),
         * for each of 8 ions */
        const double difference = fabs(of_one.energy - of_ranks.energy);
        if (rank == 0)
            printf(
                "energy %.10f, by ranks %.10f: %.1e apart, bound 1.6e-8 (twice 1e-9 of 8 ions)\n",
                of_one.energy, of_ranks.energy, difference);
        status = difference > 1.6e-8;
        if (!one_error_text(one, ranks)) {
            printf("FAILED: this is not the text of the last error: '%s'\n", enuf_last_error());
            status = 1;
        }
    }
    MPI_Finalize();
    return status;
}
