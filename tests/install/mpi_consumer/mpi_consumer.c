/*
 * mpi_consumer.c - a program that uses an installed enuf with MPI: the Madelung constant of rock
 * salt to 2e-8, from 8 ions divided among the ranks.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <enuf/ewald_mpi.h>

#include <math.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    const double cell[9] = {2, 0, 0, 0, 2, 0, 0, 0, 2}, constant = 1.747564594633182;
    const double charges[8] = {1, -1, -1, 1, -1, 1, 1, -1};
    double positions[24];
    int rank, ranks;
    int threads_allowed;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &threads_allowed);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int i = 0; i < 24; i++) positions[i] = i / 3 >> i % 3 & 1;
    const int first = 8 * rank / ranks, n = 8 * (rank + 1) / ranks - first;

    enuf_ewald *ewald;
    enuf_ewald_options options;
    enuf_ewald_result result = {.struct_size = sizeof result};
    enuf_ewald_options_init(&options);
    options.accuracy = 1e-9;
    if (enuf_ewald_create_mpi(MPI_COMM_WORLD, &options, &ewald) ||
        enuf_ewald_set_cell(ewald, cell) ||
        enuf_ewald_set_charges(ewald, n, charges + first, NULL) ||
        enuf_ewald_compute(ewald, positions + 3 * first, 3, ENUF_WANT_ENERGY, &result)) {
        puts(enuf_last_error());
        return 1;
    }
    if (rank == 0) printf("%d ranks, enuf %s: %.10f\n", ranks, enuf_version(), -result.energy / 4);
    enuf_ewald_destroy(&ewald);
    MPI_Finalize();
    return fabs(-result.energy / 4 - constant) > 2e-8;
}
