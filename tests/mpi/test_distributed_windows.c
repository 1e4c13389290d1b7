/*
 * test_distributed_windows.c - a distributed grid has the errors of the whole grid for windows of 2
 * to 30 cells. The widest are wider than a rank's block and than the grid of 24 cells. Compared
 * with one process, potentials differ by at most 1e-14 of the largest one and gradients by 3e-14.
 * The errors of both against direct sums over modes differ by at most 1e-14. A window of 30 cells
 * has an error of at most 1e-14.
 *
 * All six windows. Four of them are those of HP-NFFT, whose m is half the width.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "distributed_mesh.h"
#include "enuf/direct.h"
#include "mpi_program.h"
#include "random_system.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 120, CELLS = 24 };

static double x[3 * N], q[N];

static enuf_ewald *make_object(enuf_window window, int width)
{
    const double cell[9] = {10, 0, 0, 1, 10, 0, 0, -1, 10};
    enuf_ewald *ewald = NULL;
    enuf_ewald_options options;
    enuf_ewald_options_init(&options);
    options.accuracy = 1e-4;
    options.split = ENUF_SPLIT_GAUSSIAN;
    options.backend = ENUF_BACKEND_CPU;
    options.threads = 1;
    options.window = window;
    options.width = width;
    options.kmax = 5; /* about 11 modes an axis: an upsampling of 2 */
    for (int d = 0; d < 3; d++) options.grid[d] = CELLS;
    random_ions(17, N, cell, 1.0, x, q);
    CHECK_STATUS(enuf_ewald_create(&options, &ewald), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_set_cell(ewald, cell), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_set_charges(ewald, N, q, NULL), ENUF_SUCCESS);
    return ewald;
}

/* Half potentials by direct sums over the modes of the object. */
static void sum_directly(const enuf_ewald *ewald, double *half_potential)
{
    const enuf_ewald_method *method = &ewald->method;
    enuf_nufft_options options;
    enuf_nufft_options_init(&options);
    options.dim = 3;
    options.strengths = ENUF_REAL_STRENGTHS;
    options.threads = 1;
    memcpy(options.modes, method->plan_modes, sizeof options.modes);
    double *modes = calloc((size_t)(2 * method->n_stored_modes), sizeof *modes);
    if (!modes) exit(CHECK_FAILED);
    const double *T = ewald->geometry.frame, *weight = method->influence;
    CHECK_STATUS(enuf_direct_type1(&options, T, NULL, N, x, x + 1, x + 2, 3, q, modes),
                 ENUF_SUCCESS);
    for (int64_t k = 0; k < method->n_stored_modes; k++) {
        modes[2 * k] *= weight[k];
        modes[2 * k + 1] *= weight[k];
    }
    CHECK_STATUS(
        enuf_direct_type2(&options, T, NULL, N, x, x + 1, x + 2, 3, modes, half_potential, NULL),
        ENUF_SUCCESS);
    free(modes);
}

/* The largest number of all ranks. */
static double largest_of_all_ranks(double mine)
{
    double all;
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return all;
}

static void check_window(enuf_window window, int width, enuf_ranks *ranks)
{
    const enuf_reciprocal_table *table = &enuf_reciprocal_distributed;
    enuf_ewald *ewald = make_object(window, width);
    whole_system whole = sum_whole(ewald, N, x, q), exact = whole;
    double direct[N], error_of_one = 0, largest = 0;
    sum_directly(ewald, direct);
    exact.half_potential = direct;
    for (int i = 0; i < N; i++) {
        error_of_one = fmax(error_of_one, fabs(((double *)whole.half_potential)[i] - direct[i]));
        largest = fmax(largest, fabs(direct[i]));
    }
    error_of_one /= largest;
    const enuf_mesh_request request = {ranks, ewald, NULL};
    enuf_reciprocal *mesh = NULL;
    CHECK_STATUS(table->create(&request, &mesh), ENUF_SUCCESS);
    const mesh_difference to_whole = compare_with_whole(table, mesh, &whole, ranks, IN_TURN);
    const mesh_difference to_exact = compare_with_whole(table, mesh, &exact, ranks, IN_TURN);
    const double error = largest_of_all_ranks(to_exact.potential);
    if (ranks->rank == 0)
        printf("%s, m = %d: error %.2e of one process, %.2e of %d ranks\n",
               enuf_window_name(window), width / 2, error_of_one, error, ranks->size);
    CHECK_BELOW(to_whole.potential, 1e-14, "difference to one process");
    CHECK_BELOW(to_whole.gradient, 3e-14, "difference of gradients");
    CHECK_BELOW(fabs(error - error_of_one), 1e-14, "difference of the errors");
    if (width == 30) CHECK_BELOW(error, 1e-14, "error at the rounding");
    table->destroy(&mesh);
    free_whole(&whole);
    enuf_ewald_destroy(&ewald);
}

int main(int argc, char **argv)
{
    static const enuf_window windows[] = {ENUF_WINDOW_GAUSSIAN,   ENUF_WINDOW_BSPLINE,
                                          ENUF_WINDOW_SINC_POWER, ENUF_WINDOW_KAISER_BESSEL,
                                          ENUF_WINDOW_PROLATE,    ENUF_WINDOW_ES};
    begin_mpi(&argc, &argv);
    enuf_ranks ranks = all_ranks();
    /* many ranks on few cores: every other width */
    const int step = ranks.size > 4 ? 2 : 1;
    for (size_t k = 0; k < sizeof windows / sizeof *windows; k++)
        for (int m = 15; m >= 1; m -= k < 4 ? step : 7) check_window(windows[k], 2 * m, &ranks);
    return end_mpi(check_result());
}
