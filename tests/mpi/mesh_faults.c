/* mesh_faults.c - see mesh_faults.h. SPDX-License-Identifier: BSD-3-Clause */
#include "mesh_faults.h"
#include "check.h"
#include "distributed_mesh.h"
#include "memory.h"
#include "random_system.h"

#include <math.h>
#include <stdio.h>

enum { N = 200, MOST_ALLOCATIONS = 200 };

static double x[3 * N], q[N], potential[N], gradient[3 * N], atom_virial[6 * N];

/* An object with parameters, but without a mesh of its own. */
static enuf_ewald *make_object(const mesh_faults *f, int deterministic)
{
    const double cell[9] = {15, 0, 0, 2, 15, 0, 0, 0, 15};
    enuf_ewald *ewald = NULL;
    enuf_ewald_options options;
    enuf_ewald_options_init(&options);
    options.accuracy = 1e-6;
    options.backend = f->mesh.devices ? ENUF_BACKEND_CUDA : ENUF_BACKEND_CPU;
    options.arithmetic = ENUF_ARITHMETIC_DOUBLE;
    options.threads = 1;
    options.deterministic = deterministic;
    random_ions(3, N, cell, 1.0, x, q);
    CHECK_STATUS(enuf_ewald_create(&options, &ewald), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_set_cell(ewald, cell), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_set_charges(ewald, N, q, NULL), ENUF_SUCCESS);
    ewald->without_mesh = 1;
    CHECK_STATUS(enuf_ewald_update_method(ewald), ENUF_SUCCESS);
    return ewald;
}

static enuf_mesh_request request_for(const mesh_faults *f, enuf_ranks *ranks, enuf_ewald *ewald)
{
    return (enuf_mesh_request){ranks, ewald, f->mesh.devices};
}

/* Computes with this rank's block of the points. If moved_to is not 0, one coordinate has this
 * value. */
static enuf_status compute(const mesh_faults *f, const enuf_ranks *ranks, enuf_reciprocal *mesh,
                           double moved_to, enuf_mesh_sums *sums)
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
    const enuf_status status = f->mesh.table->compute(mesh, &points, sums);
    x[3 * first + 1] = before;
    return status;
}

static void check_energy(const mesh_faults *f, const enuf_mesh_sums *sums, double energy)
{
    CHECK_BELOW(fabs(sums->energy - energy), f->rounding * fabs(energy), "energy after a failure");
}

/* The k-th allocation of the last rank fails in create (or in the first compute), k = 1, 2, ...,
 * until the call succeeds. */
static void check_allocations(const mesh_faults *f, enuf_ranks *ranks, enuf_ewald *ewald,
                              int of_compute)
{
    const enuf_reciprocal_table *table = f->mesh.table;
    const enuf_mesh_request request = request_for(f, ranks, ewald);
    const int faulty = ranks->size - 1;
    enuf_status status = ENUF_OUT_OF_MEMORY;
    enuf_mesh_sums sums;
    double energy = 0;
    int k = 0;
    while (status == ENUF_OUT_OF_MEMORY && k < MOST_ALLOCATIONS) {
        enuf_reciprocal *mesh = NULL;
        const int failing = ranks->rank == faulty ? ++k : 0;
        if (!of_compute) enuf_fail_allocation(failing);
        status = table->create(&request, &mesh);
        enuf_fail_allocation(of_compute ? failing : 0);
        if (of_compute) status = compute(f, ranks, mesh, 0, &sums);
        enuf_fail_allocation(0);
        MPI_Bcast(&k, 1, MPI_INT, faulty, ranks->comm);
        CHECK(all_agree(ranks, status));
        CHECK((mesh != NULL) == (of_compute || status == ENUF_SUCCESS));
        if (mesh) {
            CHECK_STATUS(compute(f, ranks, mesh, 0, &sums), ENUF_SUCCESS);
            if (energy == 0) energy = sums.energy;
            check_energy(f, &sums, energy);
        }
        table->destroy(&mesh);
    }
    CHECK(status == ENUF_SUCCESS);
    CHECK(k > f->least[of_compute]);
    if (ranks->rank == 0)
        printf("%s: %d allocations of rank %d failed\n", of_compute ? "compute" : "create", k - 1,
               faulty);
}

static void check_positions(const mesh_faults *f, enuf_ranks *ranks, enuf_ewald *ewald)
{
    static const double bad[] = {1e300, INFINITY, NAN};
    const enuf_mesh_request request = request_for(f, ranks, ewald);
    enuf_reciprocal *mesh = NULL;
    enuf_mesh_sums sums;
    CHECK_STATUS(f->mesh.table->create(&request, &mesh), ENUF_SUCCESS);
    if (!mesh) return;
    CHECK_STATUS(compute(f, ranks, mesh, 0, &sums), ENUF_SUCCESS);
    const double energy = sums.energy;
    for (int k = 0; k < 3; k++) {
        /* in double, 1e300 may count as a multiple of the cell: success and an error are both
         * right */
        const double moved_to = ranks->rank == ranks->size - 1 ? bad[k] : 0;
        const enuf_status status = compute(f, ranks, mesh, moved_to, &sums);
        CHECK(all_agree(ranks, status));
        CHECK(status == ENUF_NOT_FINITE || k == 0);
        if (k > 0) CHECK_TEXT("finite");
    }
    CHECK_STATUS(compute(f, ranks, mesh, 0, &sums), ENUF_SUCCESS);
    check_energy(f, &sums, energy);
    f->mesh.table->destroy(&mesh);
}

/* A distributed grid refuses deterministic sums, and a memory_limit that is too small. */
static void check_refusals(const mesh_faults *f, enuf_ranks *ranks)
{
    static const struct {
        int deterministic;
        int64_t limit;
        enuf_status status;
        const char *text;
    } cases[] = {{1, 0, ENUF_UNSUPPORTED, "replicated"},
                 {0, 50000, ENUF_OUT_OF_MEMORY, "memory_limit"}};
    for (int k = 0; k < 2; k++) {
        enuf_ewald *ewald = make_object(f, cases[k].deterministic);
        ewald->options.memory_limit = cases[k].limit;
        const enuf_mesh_request request = request_for(f, ranks, ewald);
        enuf_reciprocal *mesh = NULL;
        const enuf_status status = f->mesh.table->create(&request, &mesh);
        CHECK(status == cases[k].status);
        CHECK(mesh == NULL);
        CHECK(all_agree(ranks, status));
        CHECK_TEXT(cases[k].text);
        enuf_ewald_destroy(&ewald);
    }
}

void check_mesh_faults(const mesh_faults *f, enuf_ranks *ranks)
{
    enuf_ewald *ewald = make_object(f, 0);
    check_allocations(f, ranks, ewald, 0);
    check_allocations(f, ranks, ewald, 1);
    check_positions(f, ranks, ewald);
    check_refusals(f, ranks);
    enuf_ewald_destroy(&ewald);
}
