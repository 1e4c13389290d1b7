/*
 * test_slabs.c - the fine grid in slabs on GPUs.
 *
 *   - Every case of mesh_cases.h: the sums over modes are those of one process on the CPU.
 *   - Memory of a GPU, 256^3 cells: at most 1.25/P and halos of what one GPU alone needs; on four
 *     GPUs or more at most 0.4.
 *   - Bytes sent, 64^3 and 120^3 cells: exactly those of docs/theory.md, "Parallel decompositions",
 *     if all slabs are equal.
 *   - If one rank fails, all fail together: mesh_faults.h.
 *
 * Ranks that share a GPU send through the host.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "device.h"
#include "distributed_mesh.h"
#include "mpi_program.h"
#include "mesh_cases.h"
#include "mesh_faults.h"
#include "mesh_on_device.h"
#include "random_system.h"
#include "mpi/devices/slabs/slab.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N = 400 };

static double x[3 * N], q[N], potential[N], gradient[3 * N];
static enuf_reciprocal_table table;
static enuf_device_ranks devices;

/* An object with parameters, but without a mesh of its own. */
static enuf_ewald *make_object(int64_t cells)
{
    const double cell[9] = {20, 0, 0, 0, 20, 0, 0, 0, 20};
    enuf_ewald *ewald = NULL;
    enuf_ewald_options options;
    enuf_ewald_options_init(&options);
    options.accuracy = 1e-6;
    options.split = ENUF_SPLIT_PROLATE;
    options.backend = ENUF_BACKEND_CUDA;
    options.arithmetic = ENUF_ARITHMETIC_DOUBLE;
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

static const enuf_slab *slab_of(const enuf_reciprocal *mesh)
{
    return (const enuf_slab *)(const void *)mesh;
}

static enuf_mesh_request request_for(enuf_ranks *ranks, enuf_ewald *ewald)
{
    return (enuf_mesh_request){ranks, ewald, &devices};
}

/* Computes with this rank's block of the points. */
static enuf_status compute(const enuf_ranks *ranks, enuf_reciprocal *mesh)
{
    const int64_t first = N * ranks->rank / ranks->size;
    const int64_t n = (int64_t)N * (ranks->rank + 1) / ranks->size - first;
    const enuf_mesh_points points = {n, x + 3 * first, q + first, NULL};
    enuf_mesh_sums sums = {
        .with_virial = 1, .half_potential = potential, .half_gradient = gradient};
    return table.compute(mesh, &points, &sums);
}

/* ---- What a rank holds and sends ---- */

static void check_memory(enuf_ranks *ranks, int64_t cells)
{
    enuf_ewald *ewald = make_object(cells);
    int64_t alone = 0;
    if (ranks->rank == 0) {
        enuf_ranks self = {.comm = MPI_COMM_SELF, .size = 1};
        enuf_device_ranks one = {.ranks = &self, .device = devices.device, .name = "none"};
        const enuf_mesh_request request = {&self, ewald, &one};
        enuf_reciprocal *mesh = NULL;
        CHECK_STATUS(table.create(&request, &mesh), ENUF_SUCCESS);
        if (mesh) alone = table.part(mesh).bytes;
        table.destroy(&mesh);
    }
    MPI_Bcast(&alone, 1, MPI_INT64_T, 0, ranks->comm);
    const enuf_mesh_request request = request_for(ranks, ewald);
    enuf_reciprocal *mesh = NULL;
    CHECK_STATUS(table.create(&request, &mesh), ENUF_SUCCESS);
    if (!mesh) return;
    const enuf_mesh_part part = table.part(mesh);
    const double share = (double)part.bytes / (double)alone;
    printf("rank %d of %d, grid %lld^3, width %d: %lld cells, %.1f MB of %.1f MB\n", ranks->rank,
           ranks->size, (long long)cells, ewald->method.parameters.width, (long long)part.cells,
           (double)part.bytes / 1e6, (double)alone / 1e6);
    /* a share of 1/P with halos, and a second buffer, which a single GPU does not need */
    const double halo = (ewald->method.parameters.width + 1) / (double)cells;
    CHECK_BELOW(share, ranks->size == 1 ? 1 : 1.25 / ranks->size + 2 * halo, "memory of a GPU");
    if (ranks->size >= 4) CHECK_BELOW(share, 0.4, "the same, on four GPUs or more");
    table.destroy(&mesh);
    enuf_ewald_destroy(&ewald);
}

/* Numbers of points that a rank sends and receives. */
static void count_points(const enuf_layout *l, const enuf_ranks *ranks, int64_t *out, int64_t *in)
{
    *out = *in = 0;
    for (int r = 0; r < ranks->size; r++)
        for (int64_t i = N * r / ranks->size; i < (int64_t)N * (r + 1) / ranks->size; i++) {
            const double s = x[3 * i + 2] / 20;
            const int64_t z = (int64_t)((s - floor(s)) * (double)l->grid[2]);
            const int owner = enuf_block_of(l->cells[ENUF_AXIS_Z], z);
            *out += r == ranks->rank && owner != r;
            *in += owner == ranks->rank && owner != r;
        }
}

/* Bytes of one evaluation of energy, virial, potentials and gradients: docs/theory.md, "Parallel
 * decompositions", slabs. */
static int64_t expected_bytes(const enuf_slab *slab, const enuf_ranks *ranks)
{
    const enuf_layout *l = &slab->layout;
    const enuf_share s = enuf_layout_share(l, ranks->rank);
    const int64_t number = 8, h = l->halo_lo + l->halo_hi, n_z = s.n[ENUF_AXIS_Z];
    int64_t out, in, numbers = 0;
    count_points(l, ranks, &out, &in);
    /* halos are sent after spreading and filled before interpolation; rows are padded for the FFT
     * in place */
    if (ranks->size > 1) numbers += 2 * h * slab->row * l->grid[1];
    /* modes forth: a rank sends its planes except its own lines; back: its lines except its own
     * planes */
    const int64_t h_1 = l->modes_x.total;
    numbers += 2 * h_1 * ((l->modes[1] - s.n_y) * n_z + s.n_y * (l->grid[2] - n_z));
    int64_t bytes = numbers * number;
    bytes += out * 4 * number + in * (1 + 3) * number; /* positions, charge; potential, gradient */
    bytes += (ranks->size - 1) * number;               /* counts of points */
    bytes += 2 * (ranks->size - 1) * 8 * number / ranks->size; /* agreement, energy, moments */
    return bytes;
}

static void check_traffic(enuf_ranks *ranks, int64_t cells)
{
    enuf_ewald *ewald = make_object(cells);
    const enuf_mesh_request request = request_for(ranks, ewald);
    enuf_reciprocal *mesh = NULL;
    CHECK_STATUS(table.create(&request, &mesh), ENUF_SUCCESS);
    if (!mesh) return;
    ranks->bytes_sent = 0;
    CHECK_STATUS(compute(ranks, mesh), ENUF_SUCCESS);
    const int64_t sent = ranks->bytes_sent, expected = expected_bytes(slab_of(mesh), ranks);
    printf("rank %d of %d, %lld^3 cells: %lld bytes sent, %lld expected\n", ranks->rank,
           ranks->size, (long long)cells, (long long)sent, (long long)expected);
    if (cells % ranks->size == 0) CHECK(sent == expected);
    table.destroy(&mesh);
    enuf_ewald_destroy(&ewald);
}

static int check_all(enuf_ranks *ranks)
{
    int count = 0;
    const char *reason;
    if (!enuf_cuda_device_usable(&reason) || cudaGetDeviceCount(&count) != cudaSuccess)
        return check_skip(reason);
    const int device = ranks->rank % count;
    CHECK(cudaSetDevice(device) == cudaSuccess);
    CHECK_STATUS(enuf_device_ranks_create(ranks, device, ranks->size <= count, &devices),
                 ENUF_SUCCESS);
    if (ranks->rank == 0) printf("%d ranks, %d GPUs: %s\n", ranks->size, count, devices.name);
    table = mesh_from_host(&enuf_reciprocal_slabs);
    const tested_mesh tested = {&table, &devices};
    check_mesh_cases(&tested, ranks);
    check_memory(ranks, 256);
    check_traffic(ranks, 64);
    check_traffic(ranks, 120);
    /* the order of points within a chunk varies, so sums round differently each time */
    const mesh_faults faults = {tested, 1e-13, {5, 5}};
    check_mesh_faults(&faults, ranks);
    enuf_device_ranks_release(&devices);
    return check_result();
}

int main(int argc, char **argv)
{
    begin_mpi(&argc, &argv);
    enuf_ranks ranks = all_ranks();
    return end_mpi(check_all(&ranks));
}
