/*
 * test_distributed_shares.c - memory and messages of a rank with a distributed grid on CPUs.
 *
 *   - Memory, 256^3 cells: on four ranks or more at most 0.4 of what one rank alone needs. Slabs
 *     keep the bound that is derived below.
 *   - Bytes sent, 64^3 and 120^3 cells: exactly those of docs/theory.md, "Parallel decompositions",
 *     if all blocks are equal.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "mpi/mesh/pencils/distributed_grid.h"
#include "distributed_mesh.h"
#include "mpi_program.h"
#include "random_system.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 400 };

/* An object with parameters, but without a mesh of its own. */
static enuf_ewald *make_object(int64_t cells, double *x, double *q)
{
    const double cell[9] = {20, 0, 0, 0, 20, 0, 0, 0, 20};
    enuf_ewald *ewald = NULL;
    enuf_ewald_options options;
    enuf_ewald_options_init(&options);
    options.accuracy = 1e-6;
    options.split = ENUF_SPLIT_PROLATE;
    options.backend = ENUF_BACKEND_CPU;
    options.threads = 1;
    /* half of the grid's frequencies along an axis are modes */
    options.kmax = (double)(cells / 4 - 1);
    for (int d = 0; d < 3; d++) options.grid[d] = cells;
    random_ions(5, N, cell, 1.0, x, q);
    CHECK_STATUS(enuf_ewald_create(&options, &ewald), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_set_cell(ewald, cell), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_set_charges(ewald, N, q, NULL), ENUF_SUCCESS);
    ewald->without_mesh = 1;
    CHECK_STATUS(enuf_ewald_update_method(ewald), ENUF_SUCCESS);
    return ewald;
}

static void check_memory(enuf_ranks *ranks, int64_t cells)
{
    const enuf_reciprocal_table *table = &enuf_reciprocal_distributed;
    static double x[3 * N], q[N];
    enuf_ewald *ewald = make_object(cells, x, q);
    int64_t alone = 0;
    if (ranks->rank == 0) { /* the others wait: one whole grid at a time */
        enuf_ranks self = {.comm = MPI_COMM_SELF, .size = 1};
        const enuf_mesh_request request = {&self, ewald, NULL};
        enuf_reciprocal *mesh = NULL;
        CHECK_STATUS(table->create(&request, &mesh), ENUF_SUCCESS);
        enuf_mesh_part part = table->part(mesh);
        alone = part.bytes;
        CHECK(part.cells == cells * cells * cells);
        table->destroy(&mesh);
    }
    MPI_Bcast(&alone, 1, MPI_INT64_T, 0, ranks->comm);
    const enuf_mesh_request request = {ranks, ewald, NULL};
    enuf_reciprocal *mesh = NULL;
    CHECK_STATUS(table->create(&request, &mesh), ENUF_SUCCESS);
    enuf_mesh_part part = table->part(mesh);
    printf("rank %d of %d, grid %lld^3, width %d: %lld cells, %.1f MB of %.1f MB\n", ranks->rank,
           ranks->size, (long long)cells, ewald->method.parameters.width, (long long)part.cells,
           (double)part.bytes / 1e6, (double)alone / 1e6);
    /* Slabs: a share of 1/P with halos around it. A rank has two buffers for transpositions or
     * halos, whichever are larger; one rank alone has one buffer. */
    const enuf_layout *l = &((const enuf_distributed *)(const void *)mesh)->layout;
    const double halo = (ewald->method.parameters.width + 1) / (double)cells;
    const double share = 1.0 / ranks->size;
    const double bound = ranks->size == 1 ? 1 : fmax(1.25 * share, share + 2 * halo) + halo;
    if (l->cells[ENUF_AXIS_Y].parts == 1)
        CHECK_BELOW((double)part.bytes / (double)alone, bound, "memory of a rank over that of one");
    if (ranks->size >= 4)
        CHECK_BELOW((double)part.bytes / (double)alone, 0.4, "the same, on four ranks or more");
    table->destroy(&mesh);
    enuf_ewald_destroy(&ewald);
}

/* Numbers of points that a rank sends and receives: points whose cells another rank holds. */
static void count_points(const enuf_layout *l, const enuf_ranks *ranks, const double *x,
                         int64_t *out, int64_t *in)
{
    *out = *in = 0;
    for (int64_t i = 0; i < N; i++) {
        int64_t y = (int64_t)(x[3 * i + 1] / 20 * (double)l->grid[1]);
        int64_t z = (int64_t)(x[3 * i + 2] / 20 * (double)l->grid[2]);
        int owner = enuf_layout_rank(l, enuf_block_of(l->cells[ENUF_AXIS_Y], y),
                                     enuf_block_of(l->cells[ENUF_AXIS_Z], z));
        int home = (int)(i % ranks->size);
        *out += home == ranks->rank && owner != home;
        *in += owner == ranks->rank && owner != home;
    }
}

/* Bytes of one evaluation of energy, virial, potentials and gradients. */
static int64_t expected_bytes(const enuf_layout *l, const enuf_ranks *ranks, const double *x)
{
    const int64_t parts_y = l->cells[0].parts, parts_z = l->cells[1].parts, number = 8;
    const int64_t n_y = l->grid[1] / parts_y, n_z = l->grid[2] / parts_z;
    const int64_t h = l->halo_lo + l->halo_hi;
    const enuf_share s = enuf_layout_share(l, ranks->rank);
    int64_t out, in, numbers = 0;
    count_points(l, ranks, x, &out, &in);
    /* halos are sent after spreading and filled before interpolation; both send the same number of
     * cells if all blocks are equal */
    if (parts_y > 1) numbers += 2 * h * l->grid[0] * (n_z + (parts_z > 1 ? h : 0));
    if (parts_z > 1) numbers += 2 * h * l->grid[0] * n_y;
    /* transpositions forth: a rank sends its rows except its own modes; back: its modes except its
     * own rows */
    const int64_t h_1 = l->modes_x.total;
    numbers += 2 * (h_1 - s.n_x) * n_y * n_z + 2 * s.n_x * (l->grid[1] - n_y) * n_z;
    numbers += 2 * s.n_x * (l->modes[1] - s.n_y) * n_z + 2 * s.n_x * s.n_y * (l->grid[2] - n_z);
    int64_t bytes = numbers * number;
    bytes += out * 4 * number + in * (1 + 3) * number; /* positions, charge; potential, gradient */
    bytes += (ranks->size - 1) * number;               /* counts of points */
    bytes += (ranks->size - 1) * (int64_t)sizeof(enuf_home_box); /* first: where they lie */
    bytes += 2 * (ranks->size - 1) * 8 * number / ranks->size;   /* agreement, energy, moments */
    return bytes;
}

static void check_traffic(enuf_ranks *ranks, int64_t cells)
{
    const enuf_reciprocal_table *table = &enuf_reciprocal_distributed;
    static double x[3 * N], q[N], mine[3 * N], charge[N], potential[N], gradient[3 * N];
    enuf_ewald *ewald = make_object(cells, x, q);
    const enuf_mesh_request request = {ranks, ewald, NULL};
    enuf_reciprocal *mesh = NULL;
    CHECK_STATUS(table->create(&request, &mesh), ENUF_SUCCESS);
    const enuf_layout *l = &((const enuf_distributed *)(const void *)mesh)->layout;
    int64_t n = 0;
    for (int64_t i = ranks->rank; i < N; i += ranks->size) {
        memcpy(mine + 3 * n, x + 3 * i, 3 * sizeof *mine);
        charge[n++] = q[i];
    }
    const enuf_mesh_points points = {n, mine, charge, NULL};
    enuf_mesh_sums sums = {
        .with_virial = 1, .half_potential = potential, .half_gradient = gradient};
    ranks->bytes_sent = 0;
    CHECK_STATUS(table->compute(mesh, &points, &sums), ENUF_SUCCESS);
    int64_t sent = ranks->bytes_sent, expected = expected_bytes(l, ranks, x);
    printf("rank %d: %d x %d blocks of %lld^3 cells, width %d: %lld bytes sent, %lld expected\n",
           ranks->rank, l->cells[0].parts, l->cells[1].parts, (long long)cells,
           ewald->method.parameters.width, (long long)sent, (long long)expected);
    if (l->grid[1] % l->cells[0].parts == 0 && l->grid[2] % l->cells[1].parts == 0)
        CHECK(sent == expected);
    /* the blocks were chosen by the traffic of the busiest rank */
    enuf_layout_traffic traffic = enuf_layout_traffic_of(l);
    CHECK_BELOW((double)sent, 8 * (traffic.halo + traffic.transposed) + 64.0 * N,
                "bytes sent, below those of the busiest rank");
    table->destroy(&mesh);
    enuf_ewald_destroy(&ewald);
}

int main(int argc, char **argv)
{
    begin_mpi(&argc, &argv);
    enuf_ranks ranks = all_ranks();
    check_memory(&ranks, 256);
    check_traffic(&ranks, 64);
    check_traffic(&ranks, 120);
    return end_mpi(check_result());
}
