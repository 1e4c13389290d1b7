/*
 * test_home_bricks.c - ranks that hold points of one part of space each keep them, and send the
 * cells around them: sums are those of one process to rounding, in double and in float, in a
 * triclinic cell with points outside of it. The boxes follow points that move and points that
 * change ranks. Points without order, or all on one rank, travel instead; later the ranks look
 * again. A position that is not finite is reported, and the mesh works afterwards.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "mpi/mesh/pencils/distributed_grid.h"
#include "mpi/messages/node_open.h"
#include "check.h"
#include "distributed_mesh.h"
#include "mpi_program.h"
#include "random_system.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 12000, CELLS = 32 };
static const double CELL[9] = {20, 1, 0, -3, 21, 0, 2, 4, 19};

static const enuf_reciprocal_table *const table = &enuf_reciprocal_distributed;
static enuf_ranks ranks;

static enuf_ewald *make_object(enuf_arithmetic arithmetic, const double *q)
{
    enuf_ewald *ewald = NULL;
    enuf_ewald_options options;
    enuf_ewald_options_init(&options);
    options.accuracy = 1e-4;
    options.split = ENUF_SPLIT_PROLATE;
    options.arithmetic = arithmetic;
    options.backend = ENUF_BACKEND_CPU;
    options.threads = 2;
    for (int d = 0; d < 3; d++) options.grid[d] = CELLS;
    CHECK_STATUS(enuf_ewald_create(&options, &ewald), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_set_cell(ewald, CELL), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_set_charges(ewald, N, q, NULL), ENUF_SUCCESS);
    return ewald;
}

static const enuf_home *home_of(const enuf_reciprocal *mesh)
{
    return &((const enuf_distributed *)(const void *)mesh)->home;
}

static void check(const char *name, enuf_reciprocal *mesh, enuf_ewald *ewald, const double *x,
                  const double *q, point_shares shares)
{
    const double bound = enuf_ewald_single_mesh(ewald) ? 1e-6 : 1e-14;
    whole_system whole = sum_whole(ewald, N, x, q);
    const mesh_difference d = compare_with_whole(table, mesh, &whole, &ranks, shares);
    printf("%s\n", name);
    CHECK_BELOW(d.energy, bound, "energy");
    CHECK_BELOW(d.virial, bound, "virial");
    CHECK_BELOW(d.potential, bound, "potentials");
    CHECK_BELOW(d.gradient, bound, "gradients");
    CHECK_BELOW(d.atom_virial, bound, "virials of atoms");
    free_whole(&whole);
}

static enuf_status compute_energy(enuf_reciprocal *mesh, int64_t n, const double *x,
                                  const double *q)
{
    static float q_single[N];
    enuf_mesh_sums sums = {0};
    for (int64_t i = 0; i < n; i++) q_single[i] = (float)q[i];
    const enuf_mesh_points points = {n, x, q, q_single};
    return table->compute(mesh, &points, &sums);
}

static void check_bad_position(enuf_reciprocal *mesh, const double *x, const double *q)
{
    double bad[3] = {1, NAN, 1};
    const int last = ranks.rank == ranks.size - 1;
    const enuf_status status = compute_energy(mesh, 1, last ? bad : x, q);
    CHECK_STATUS(status, ENUF_NOT_FINITE);
    CHECK(strstr(enuf_last_error(), "position (1, nan, 1)") != NULL ||
          strstr(enuf_last_error(), "position (1, -nan, 1)") != NULL);
}

static void check_arithmetic(enuf_arithmetic arithmetic)
{
    static double x[3 * N], q[N];
    random_ions(23, N, CELL, 0.2, x, q);
    for (int64_t i = 0; i < N; i += 7)
        for (int d = 0; d < 3; d++) x[3 * i + d] += 3 * CELL[d] - 2 * CELL[6 + d];
    enuf_ewald *ewald = make_object(arithmetic, q);
    CHECK_STATUS(enuf_ewald_update_method(ewald), ENUF_SUCCESS);
    const enuf_mesh_request request = {&ranks, ewald, NULL};
    enuf_reciprocal *mesh = NULL;
    CHECK_STATUS(table->create(&request, &mesh), ENUF_SUCCESS);
    check("layers across x", mesh, ewald, x, q, LAYERS_ACROSS_X);
    CHECK(home_of(mesh)->in_use);
    CHECK(home_of(mesh)->fits == 1);
    for (int64_t i = 0; i < N; i++) x[3 * i] += 0.05;
    check("moved a little", mesh, ewald, x, q, LAYERS_ACROSS_X);
    check_bad_position(mesh, x, q);
    check("layers across y", mesh, ewald, x, q, LAYERS_ACROSS_Y);
    CHECK(home_of(mesh)->in_use);
    CHECK(ranks.size == 1 || home_of(mesh)->fits > 1);
    check("without order", mesh, ewald, x, q, IN_TURN);
    CHECK(ranks.size < 8 || !home_of(mesh)->in_use);
    check("layers again", mesh, ewald, x, q, LAYERS_ACROSS_X);
    for (int k = 0; k < 300; k++) {
        const int64_t first = N / ranks.size * ranks.rank;
        CHECK_STATUS(compute_energy(mesh, k % 3 == 0 && ranks.rank == 0 ? 0 : 1, x + 3 * first, q),
                     ENUF_SUCCESS);
    }
    check("all on the last rank", mesh, ewald, x, q, ALL_ON_LAST);
    CHECK(ranks.size == 1 || !home_of(mesh)->in_use);
    table->destroy(&mesh);
    enuf_ewald_destroy(&ewald);
}

int main(int argc, char **argv)
{
    begin_mpi(&argc, &argv);
    ranks = all_ranks();
    CHECK_STATUS(enuf_node_open(&ranks, ENUF_NODE_OF_EXCHANGES), ENUF_SUCCESS);
    check_arithmetic(ENUF_ARITHMETIC_DOUBLE);
    check_arithmetic(ENUF_ARITHMETIC_MIXED);
    enuf_node_close(&ranks);
    return end_mpi(check_result());
}
