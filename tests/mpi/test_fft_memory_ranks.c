/*
 * test_fft_memory_ranks.c - the FFTs of one rank lack memory while ranks compute on a distributed
 * grid: all ranks return ENUF_OUT_OF_MEMORY with the same text, and the next evaluation is right.
 * The first, the middle and the last allocation fail, on the way to the modes and back, with
 * results at the atoms and with the energy alone.
 *
 * DUCC0 allocates when it executes, for single lines of more than 10,000 numbers that it cannot
 * take as vectors. Here each rank has 9 lines of y, and vectors have 2, 4 or 8. The linker
 * (--wrap) puts a malloc() that fails on demand in the place of the one that the library calls.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "distributed_mesh.h"
#include "mpi_program.h"
#include "random_system.h"

#include <stdio.h>
#include <string.h>

enum { N = 60, LINES = 9, LENGTH = 10125 };

static double x[3 * N], q[N], potential[N], gradient[3 * N], atom_virial[6 * N];
static int failing, allocations; /* failing: number of the one that fails, 0: none does */

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);

/* Counts the scratch of the FFTs: at least two rows of a hundred numbers. */
void *__wrap_malloc(size_t size)
{
    if (size >= 1600 && ++allocations == failing) return NULL;
    return __real_malloc(size);
}

/* The grid belongs to no accuracy: each rank gets LINES modes of x. */
static enuf_ewald *make_object(int ranks)
{
    const double cell[9] = {15, 0, 0, 0, 15, 0, 0, 0, 15};
    const int64_t grid[3] = {4 * LINES * ranks, LENGTH, 2},
                  modes[3] = {2 * LINES * ranks - 1, 5, 1};
    enuf_ewald *ewald = NULL;
    enuf_ewald_options options;
    enuf_ewald_options_init(&options);
    options.accuracy = 1e-3;
    options.fft = ENUF_FFT_DUCC0;
    options.threads = 1;
    random_ions(3, N, cell, 1.0, x, q);
    CHECK_STATUS(enuf_ewald_create(&options, &ewald), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_set_cell(ewald, cell), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_set_charges(ewald, N, q, NULL), ENUF_SUCCESS);
    ewald->without_mesh = 1;
    CHECK_STATUS(enuf_ewald_update_method(ewald), ENUF_SUCCESS);
    memcpy(ewald->method.parameters.grid, grid, sizeof grid);
    memcpy(ewald->method.parameters.modes, modes, sizeof modes);
    return ewald;
}

/* Allocation `failed` of the last rank fails. Returns the number of its allocations. */
static int compute(const enuf_ranks *ranks, enuf_reciprocal *mesh, int of_atoms, int failed,
                   enuf_status *status, double *energy)
{
    const int64_t first = N * ranks->rank / ranks->size;
    const int64_t n = (int64_t)N * (ranks->rank + 1) / ranks->size - first;
    const enuf_mesh_points points = {n, x + 3 * first, q + first, NULL};
    enuf_mesh_sums sums = {.with_virial = of_atoms};
    if (of_atoms) {
        sums.half_potential = potential;
        sums.half_gradient = gradient;
        sums.atom_virial = atom_virial;
    }
    failing = ranks->rank == ranks->size - 1 ? failed : 0;
    allocations = 0;
    *status = enuf_reciprocal_distributed.compute(mesh, &points, &sums);
    failing = 0;
    *energy = sums.energy;
    MPI_Bcast(&allocations, 1, MPI_INT, ranks->size - 1, ranks->comm);
    return allocations;
}

static void law_of(enuf_ranks *ranks, enuf_reciprocal *mesh, int of_atoms)
{
    enuf_status status;
    double energy, again;
    compute(ranks, mesh, of_atoms, 0, &status, &energy); /* leaves room for the points */
    const int n = compute(ranks, mesh, of_atoms, 0, &status, &energy);
    const int failed[3] = {1, n / 2 + 1, n};
    CHECK_STATUS(status, ENUF_SUCCESS);
    CHECK(n >= 4); /* two planes, two passes */
    for (int k = 0; k < 3; k++) {
        compute(ranks, mesh, of_atoms, failed[k], &status, &again);
        if (ranks->rank == 0)
            printf("%s, allocation %d of %d: %s\n", of_atoms ? "all results" : "energy", failed[k],
                   n, status == ENUF_SUCCESS ? "no error" : enuf_last_error());
        CHECK(all_agree(ranks, status));
        CHECK_STATUS(status, ENUF_OUT_OF_MEMORY);
        CHECK_TEXT("scratch of an FFT");
        compute(ranks, mesh, of_atoms, 0, &status, &again);
        CHECK_STATUS(status, ENUF_SUCCESS);
        CHECK(again == energy && energy != 0);
    }
}

int main(int argc, char **argv)
{
    begin_mpi(&argc, &argv);
    enuf_ranks ranks = all_ranks();
    enuf_ewald *ewald = make_object(ranks.size);
    const enuf_mesh_request request = {&ranks, ewald, NULL};
    enuf_reciprocal *mesh = NULL;
    if (CHECK_STATUS(enuf_reciprocal_distributed.create(&request, &mesh), ENUF_SUCCESS)) {
        law_of(&ranks, mesh, 0);
        law_of(&ranks, mesh, 1);
    }
    enuf_reciprocal_distributed.destroy(&mesh);
    enuf_ewald_destroy(&ewald);
    return end_mpi(check_result());
}
