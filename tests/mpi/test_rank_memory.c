/*
 * test_rank_memory.c - the memory of a rank depends on its own atoms, its ghosts and the modes, not
 * on the number of all atoms. Two ranks and four ranks compute systems with the same cell, the same
 * modes and as many ions on each rank. For every array of the library the largest allocation grows
 * by less than 8 bytes for each further ion of all ranks. An array of all ions would grow by at
 * least one double. compute, measure_error, and tune with positions.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "memory.h"
#include "shared_system.h"

#include <stdio.h>
#include <string.h>

/* Ions of a rank. More than 10,000 on two ranks are tuned by a finer mesh, as on four. */
enum { N = 5100, FEW = 2, BLOCKS = 4, KINDS = 256, NAME = 64 };

/* The name of an array in error texts, and the bytes of its largest allocation. */
typedef struct kind {
    char what[NAME];
    int64_t bytes;
} kind;

typedef struct record {
    kind kinds[KINDS];
    int n;
} record;

static record *recording; /* allocations are recorded here; NULL: nowhere */

/* All host arrays of the library are allocated by this function. The linker (--wrap) puts the
 * function of this test in its place. */
enuf_status __real_enuf_allocate(void *pointer, int64_t count, size_t size, const char *what);
enuf_status __wrap_enuf_allocate(void *pointer, int64_t count, size_t size, const char *what);

static kind *find(record *r, const char *what)
{
    int k = 0;
    while (k < r->n && strncmp(r->kinds[k].what, what, NAME - 1) != 0) k++;
    if (k == r->n && CHECK(r->n < KINDS - 1)) snprintf(r->kinds[r->n++].what, NAME, "%s", what);
    return &r->kinds[k];
}

enuf_status __wrap_enuf_allocate(void *pointer, int64_t count, size_t size, const char *what)
{
    const int64_t bytes = count * (int64_t)size;
    kind *k = recording ? find(recording, what) : NULL;
    if (k && bytes > k->bytes) k->bytes = bytes;
    return __real_enuf_allocate(pointer, count, size, what);
}

typedef enum step { COMPUTE, MEASURE, TUNE, STEPS } step;
static const char *const names[STEPS] = {"compute", "measure_error", "tune(positions)"};

/* N ions of this rank. The cell has BLOCKS equal blocks, one above the other; this rank has its
 * share of them. */
static charge_system make_share(int rank, int ranks, double cell[9])
{
    const int share = BLOCKS / ranks, n = N / share;
    charge_system s = make_ions(11, N, CELL_CUBIC, 0);
    charge_system block = make_ions(12, n, CELL_CUBIC, 0);
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < 3; k++)
            s.x[3 * i + k] = block.x[3 * (i % n) + k] * s.cell[0] / block.cell[0];
        s.x[3 * i + 2] += (rank * share + i / n) * s.cell[0];
        s.q[i] = block.q[i % n];
    }
    memcpy(cell, s.cell, 9 * sizeof *cell);
    cell[8] *= BLOCKS;
    free_system(&block);
    return s;
}

static void record_step(MPI_Comm comm, step what, record *made)
{
    int rank, ranks;
    double cell[9];
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    charge_system s = make_share(rank, ranks, cell);
    enuf_ewald_options options = shared_options(1e-2, ENUF_SPLIT_GAUSSIAN);
    enuf_ewald *ewald = NULL;
    enuf_ewald_result result = make_result(N);
    enuf_ewald_error error = {.struct_size = sizeof error};
    options.decomposition = ENUF_DECOMPOSITION_DISTRIBUTED;
    options.cutoff = 3; /* few ghosts */
    options.alpha = 0.8;
    options.kmax = 1.5; /* few modes */
    recording = made;
    CHECK_STATUS(enuf_ewald_create_mpi(comm, &options, &ewald), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_set_cell(ewald, cell), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_set_charges(ewald, N, s.q, NULL), ENUF_SUCCESS);
    if (what == TUNE)
        CHECK_STATUS(enuf_ewald_tune(ewald, s.x, 3), ENUF_SUCCESS);
    else
        CHECK_STATUS(enuf_ewald_compute(ewald, s.x, 3, WANT_ALL, &result), ENUF_SUCCESS);
    if (what == MEASURE)
        CHECK_STATUS(enuf_ewald_measure_error(ewald, s.x, 3, 20, 1, &error), ENUF_SUCCESS);
    enuf_ewald_destroy(&ewald);
    recording = NULL;
    free_result(&result);
    free_system(&s);
}

static void check(MPI_Comm few, step what)
{
    static record of_few, of_all;
    const char *largest = "";
    double most = 0;
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    memset(&of_few, 0, sizeof of_few);
    memset(&of_all, 0, sizeof of_all);
    record_step(few, what, &of_few);
    record_step(MPI_COMM_WORLD, what, &of_all);
    CHECK(of_all.n > 20); /* arrays were recorded */
    for (int k = 0; k < of_all.n; k++) {
        const kind *all = &of_all.kinds[k];
        const int64_t grown = all->bytes - find(&of_few, all->what)->bytes;
        const double bytes_an_ion = (double)grown / ((double)N * (ranks - FEW));
        if (bytes_an_ion > most) largest = all->what;
        if (bytes_an_ion > most) most = bytes_an_ion;
    }
    CHECK(most < (double)sizeof(double));
    if (rank == 0)
        printf("%s: %d arrays; \"%s\" grows by %.2f bytes for each further ion, allowed below %d\n",
               names[what], of_all.n, largest, most, (int)sizeof(double));
}

int main(int argc, char **argv)
{
    if (!begin_ranks(&argc, &argv)) return finish_ranks();
    int rank;
    MPI_Comm few;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank / FEW, rank, &few);
    for (int what = 0; what < STEPS; what++) check(few, (step)what);
    MPI_Comm_free(&few);
    return finish_ranks();
}
