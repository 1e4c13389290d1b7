/*
 * A rank that fails takes the others along: every allocation of one rank fails in its turn, a
 * position is not finite or cannot be folded, memory is limited; all ranks return the same status
 * and text, and a mesh that was made stays usable. SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "distributed.h"
#include "distributed_mesh.h"
#include "memory.h"
#include "random_system.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N = 200, MOST_ALLOCATIONS = 200 };

static double x[3 * N], q[N], potential[N], gradient[3 * N], atom_virial[6 * N];

static enuf_ewald *make_object(int deterministic, int64_t memory_limit)
{
    const double cell[9] = {15, 0, 0, 2, 15, 0, 0, 0, 15};
    enuf_ewald *ewald = NULL;
    enuf_ewald_options options;
    enuf_ewald_options_init(&options);
    options.accuracy = 1e-4;
    options.backend = ENUF_BACKEND_CPU;
    options.threads = 1;
    options.deterministic = deterministic;
    options.memory_limit = memory_limit;
    random_ions(3, N, cell, 1.0, x, q);
    CHECK_STATUS(enuf_ewald_create(&options, &ewald), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_set_cell(ewald, cell), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_set_charges(ewald, N, q, NULL), ENUF_SUCCESS);
    ewald->without_mesh = 1;
    CHECK_STATUS(enuf_ewald_prepare(ewald), ENUF_SUCCESS);
    return ewald;
}

/* Status and text are those of rank 0 on every rank; 1 where they are. */
static int is_agreed(const enuf_ranks *ranks, enuf_status status)
{
    struct {
        int status;
        char text[1024];
    } first = {.status = status};
    if (status != ENUF_SUCCESS) strncpy(first.text, enuf_last_error(), sizeof first.text - 1);
    MPI_Bcast(&first, (int)sizeof first, MPI_BYTE, 0, ranks->comm);
    return first.status == (int)status &&
           (status == ENUF_SUCCESS || strcmp(first.text, enuf_last_error()) == 0);
}

/* This rank's points are a share of all; one of them may be moved. */
static enuf_status compute(const enuf_ranks *ranks, enuf_reciprocal *mesh, double moved_to,
                           enuf_mesh_sums *sums)
{
    const int64_t first = N * ranks->rank / ranks->size;
    const int64_t n = (int64_t)N * (ranks->rank + 1) / ranks->size - first;
    const double before = x[3 * first + 1];
    if (moved_to != 0) x[3 * first + 1] = moved_to;
    const enuf_mesh_points points = {n, x + 3 * first, q + first, NULL};
    *sums = (enuf_mesh_sums){.with_virial = 1,
                             .half_potential = potential,
                             .half_gradient = gradient,
                             .atom_virial = atom_virial};
    enuf_status status = enuf_reciprocal_distributed.compute(mesh, &points, sums);
    x[3 * first + 1] = before;
    return status;
}

/* The k-th allocation of `faulty` fails, k = 1, 2, ..., until there are no more. */
static void check_allocations_of_create(enuf_ranks *ranks, enuf_ewald *ewald, int faulty)
{
    const enuf_mesh_request request = {ranks, ewald, ewald->charges.sum_abs, NULL};
    enuf_status status = ENUF_OUT_OF_MEMORY;
    int k = 0;
    while (status == ENUF_OUT_OF_MEMORY && k < MOST_ALLOCATIONS) {
        enuf_reciprocal *mesh = NULL;
        enuf_fail_allocation(ranks->rank == faulty ? ++k : 0);
        status = enuf_reciprocal_distributed.create(&request, &mesh);
        enuf_fail_allocation(0);
        MPI_Bcast(&k, 1, MPI_INT, faulty, ranks->comm);
        CHECK(is_agreed(ranks, status));
        CHECK((mesh != NULL) == (status == ENUF_SUCCESS));
        enuf_reciprocal_distributed.destroy(&mesh);
    }
    CHECK(status == ENUF_SUCCESS);
    CHECK(k > 10);
    if (ranks->rank == 0) printf("create: %d allocations of rank %d failed\n", k - 1, faulty);
}

static void check_allocations_of_compute(enuf_ranks *ranks, enuf_ewald *ewald, int faulty)
{
    const enuf_mesh_request request = {ranks, ewald, ewald->charges.sum_abs, NULL};
    enuf_status status = ENUF_OUT_OF_MEMORY;
    enuf_mesh_sums sums;
    double energy = 0;
    int k = 0;
    while (status == ENUF_OUT_OF_MEMORY && k < MOST_ALLOCATIONS) {
        enuf_reciprocal *mesh = NULL; /* a new one: the next evaluation allocates nothing */
        CHECK_STATUS(enuf_reciprocal_distributed.create(&request, &mesh), ENUF_SUCCESS);
        enuf_fail_allocation(ranks->rank == faulty ? ++k : 0);
        status = compute(ranks, mesh, 0, &sums);
        enuf_fail_allocation(0);
        MPI_Bcast(&k, 1, MPI_INT, faulty, ranks->comm);
        CHECK(is_agreed(ranks, status));
        CHECK(compute(ranks, mesh, 0, &sums) == ENUF_SUCCESS);
        if (k == 1) energy = sums.energy;
        CHECK(sums.energy == energy);
        enuf_reciprocal_distributed.destroy(&mesh);
    }
    CHECK(status == ENUF_SUCCESS);
    CHECK(k > 3);
    if (ranks->rank == 0) printf("compute: %d allocations of rank %d failed\n", k - 1, faulty);
}

static void check_positions(enuf_ranks *ranks, enuf_ewald *ewald, int faulty)
{
    static const double bad[] = {1e300, INFINITY, NAN};
    const enuf_mesh_request request = {ranks, ewald, ewald->charges.sum_abs, NULL};
    enuf_reciprocal *mesh = NULL;
    enuf_mesh_sums sums;
    CHECK_STATUS(enuf_reciprocal_distributed.create(&request, &mesh), ENUF_SUCCESS);
    CHECK_STATUS(compute(ranks, mesh, 0, &sums), ENUF_SUCCESS);
    const double energy = sums.energy;
    for (int k = 0; k < 3; k++) {
        /* 1e300 is a multiple of the cell as far as a double can tell: that, or an error */
        enuf_status status = compute(ranks, mesh, ranks->rank == faulty ? bad[k] : 0, &sums);
        CHECK(is_agreed(ranks, status));
        CHECK(status == ENUF_NOT_FINITE || k == 0);
        if (k > 0) CHECK_TEXT("finite");
    }
    CHECK_STATUS(compute(ranks, mesh, 0, &sums), ENUF_SUCCESS);
    CHECK(sums.energy == energy);
    enuf_reciprocal_distributed.destroy(&mesh);
}

/* What this decomposition does not do, and what a limit leaves no room for. */
static void check_refusals(enuf_ranks *ranks)
{
    static const struct {
        int deterministic;
        int64_t limit;
        enuf_status status;
        const char *text;
    } cases[] = {{1, 0, ENUF_UNSUPPORTED, "replicated"},
                 {0, 50000, ENUF_OUT_OF_MEMORY, "memory_limit"}};
    for (int k = 0; k < 2; k++) {
        enuf_ewald *ewald = make_object(cases[k].deterministic, 0);
        ewald->options.memory_limit = cases[k].limit;
        const enuf_mesh_request request = {ranks, ewald, ewald->charges.sum_abs, NULL};
        enuf_reciprocal *mesh = NULL;
        enuf_status status = enuf_reciprocal_distributed.create(&request, &mesh);
        CHECK(status == cases[k].status);
        CHECK(mesh == NULL);
        CHECK(is_agreed(ranks, status));
        CHECK_TEXT(cases[k].text);
        enuf_ewald_destroy(&ewald);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    enuf_ranks ranks = all_ranks();
    enuf_ewald *ewald = make_object(0, 0);
    const int faulty = ranks.size - 1;
    check_allocations_of_create(&ranks, ewald, faulty);
    check_allocations_of_compute(&ranks, ewald, faulty);
    check_positions(&ranks, ewald, faulty);
    check_refusals(&ranks);
    enuf_ewald_destroy(&ewald);
    int result = check_result();
    MPI_Finalize();
    return result;
}
