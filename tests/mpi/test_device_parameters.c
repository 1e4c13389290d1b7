/*
 * test_device_parameters.c - parameters suit the number of GPUs.
 *
 *   - By the cost model, without a GPU: on many GPUs the parameters chosen for them are cheaper
 *     than those of one GPU, wherever they differ; they do so for some number of GPUs. The error
 *     predicted keeps the request.
 *   - Deterministic sums have the parameters of one GPU, and so do ranks on CPUs.
 *   - With `cuda`: on the GPUs that are here, the object takes the parameters that were predicted
 *     for their number, and the forces have the error that was requested.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "choose/costs.h"
#include "mpi/choose/device_work.h"
#include "shared_system.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int rank;

static enuf_ewald_mpi_prediction predict(enuf_ewald *ewald, int ranks, int64_t cells,
                                         enuf_backend backend)
{
    enuf_ewald_mpi_prediction found = {.struct_size = sizeof found};
    const enuf_ewald_mpi_run run = {.struct_size = sizeof run,
                                    .ranks = ranks,
                                    .threads = 1,
                                    .backend = backend,
                                    .arithmetic = ENUF_ARITHMETIC_AUTO,
                                    .cells = cells};
    CHECK_STATUS(enuf_ewald_mpi_predict(ewald, &run, &found), ENUF_SUCCESS);
    return found;
}

/* Candidates as reported. */
static int same(const enuf_ewald_candidate *a, const enuf_ewald_candidate *b)
{
    return a->split == b->split && a->cutoff == b->cutoff && a->kmax == b->kmax &&
           memcmp(a->grid, b->grid, sizeof a->grid) == 0 && a->width == b->width;
}

static int same_parameters(const enuf_parameters *a, const enuf_parameters *b)
{
    return a->splitting.kind == b->splitting.kind && a->splitting.cutoff == b->splitting.cutoff &&
           a->k_c == b->k_c && memcmp(a->grid, b->grid, sizeof a->grid) == 0 &&
           a->width == b->width;
}

/* n ions of charges +-1, 0.1 per cubic angstrom, in a cube: counts the numbers of GPUs that have
 * other parameters than one. */
static int count_different(double n, double accuracy)
{
    static const enuf_structure_factor uncorrelated;
    static const int numbers[] = {2, 4, 8, 64};
    const double edge = cbrt(n / 0.1), rows[9] = {edge, 0, 0, 0, edge, 0, 0, 0, edge};
    enuf_cell_geometry cell;
    enuf_ewald_options options;
    enuf_parameters one, many;
    int different = 0;
    enuf_ewald_options_init(&options);
    options.accuracy = accuracy;
    options.arithmetic = enuf_arithmetic_for(accuracy);
    CHECK_STATUS(enuf_cell_geometry_make(rows, &cell), ENUF_SUCCESS);
    enuf_choice_request request = {.options = &options,
                                   .cell = &cell,
                                   .volume = cell.volume,
                                   .n_charged = (int64_t)n,
                                   .sum_q2 = n,
                                   .concentration = 1 / n,
                                   .requested = accuracy,
                                   .error_scale = 1,
                                   .structure_factor = &uncorrelated,
                                   .costs = &enuf_costs_shipped_cuda};
    CHECK_STATUS(enuf_choose_parameters(&request, &one), ENUF_SUCCESS);
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        const enuf_shared_work work = enuf_work_on_devices(numbers[k]);
        request.shared_work = &work;
        CHECK_STATUS(enuf_choose_parameters(&request, &many), ENUF_SUCCESS);
        const double chosen = 1e3 * work.seconds(&work, &request, &many);
        const double as_one = 1e3 * work.seconds(&work, &request, &one);
        printf("%.0f ions at %g, %2d GPUs: cutoff %.3f, grid %lld, width %d: %.4g ms; as on one "
               "(cutoff %.3f, grid %lld, width %d) %.4g ms\n",
               n, accuracy, numbers[k], many.splitting.cutoff, (long long)many.grid[0], many.width,
               chosen, one.splitting.cutoff, (long long)one.grid[0], one.width, as_one);
        CHECK(many.predicted <= accuracy);
        if (!same_parameters(&one, &many)) {
            CHECK_BELOW(chosen, as_one, "ms of an evaluation, with those of one GPU");
            different++;
        }
    }
    return different;
}

static void check_model(void)
{
    const int numbers[] = {2, 8, 64}, cells = 12; /* 1000 ions in each of 12^3 */
    charge_system s = make_ions(3, 1000, CELL_CUBIC, 0);
    enuf_ewald_options options = options_for(1e-4, ENUF_SPLIT_AUTO);
    CHECK(count_different(1e5, 1e-4) + count_different(1e7, 1e-4) > 0);
    CHECK(count_different(3e6, 1e-6) > 0);

    options.deterministic = 1;
    enuf_ewald *ewald = make_alone(&options, &s, NULL);
    const enuf_ewald_mpi_prediction alone = predict(ewald, 1, cells, ENUF_BACKEND_CUDA);
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        const enuf_ewald_mpi_prediction many = predict(ewald, numbers[k], cells, ENUF_BACKEND_CUDA);
        CHECK(same(&many.parameters, &alone.parameters));
        CHECK(many.chosen == ENUF_DECOMPOSITION_REPLICATED);
    }
    enuf_ewald_destroy(&ewald);

    options.deterministic = 0;
    ewald = make_alone(&options, &s, NULL);
    const enuf_ewald_mpi_prediction core = predict(ewald, 1, 2, ENUF_BACKEND_CPU);
    const enuf_ewald_mpi_prediction cores = predict(ewald, 8, 2, ENUF_BACKEND_CPU);
    CHECK(same(&core.parameters, &cores.parameters));
    enuf_ewald_destroy(&ewald);
    free_system(&s);
}

/* The object on the ranks; unlike make_shared(), which compares with one process. */
static void check_object(void)
{
    charge_system s = make_ions(5, 20000, CELL_CUBIC, 0);
    const double accuracy = 1e-5;
    enuf_ewald_options options = shared_options(accuracy, ENUF_SPLIT_AUTO);
    dealt_system dealt = deal_out(&s, DEAL_IN_BLOCKS, MPI_COMM_WORLD);
    enuf_ewald_result here = make_result(dealt.n);
    enuf_ewald *ewald = NULL;
    enuf_ewald_report report = {.struct_size = sizeof report};
    enuf_ewald_mpi_report ranks = {.struct_size = sizeof ranks};
    enuf_ewald_error error = {.struct_size = sizeof error};
    CHECK_STATUS(enuf_ewald_create_mpi(MPI_COMM_WORLD, &options, &ewald), ENUF_SUCCESS);
    if (!ewald) return;
    CHECK_STATUS(enuf_ewald_set_cell(ewald, s.cell), ENUF_SUCCESS);
    set_shared(ewald, &dealt, NULL);
    CHECK_STATUS(enuf_ewald_tune(ewald, NULL, 0), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_get_report(ewald, &report), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_get_mpi_report(ewald, &ranks), ENUF_SUCCESS);
    if (rank == 0) {
        enuf_ewald *alone = make_alone(&options, &s, NULL);
        const enuf_ewald_mpi_prediction p =
            predict(alone, ranks.devices > 0 ? ranks.devices : 1, 1, ENUF_BACKEND_AUTO);
        CHECK_CLOSE(report.cutoff, p.parameters.cutoff, 1e-12, "cutoff, as predicted");
        CHECK(memcmp(report.grid, p.parameters.grid, sizeof report.grid) == 0);
        CHECK(report.width == p.parameters.width);
        enuf_ewald_destroy(&alone);
    }
    CHECK_STATUS(enuf_ewald_compute(ewald, dealt.x, 3, WANT_SUMS, &here), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_measure_error(ewald, dealt.x, 3, 200, 1, &error), ENUF_SUCCESS);
    CHECK_BELOW(error.accuracy, accuracy, "error measured against exact sums");
    enuf_ewald_destroy(&ewald);
    free_result(&here);
    free_dealt(&dealt);
    free_system(&s);
}

int main(int argc, char **argv)
{
    const int usable = begin_ranks(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0 && !on_gpus()) check_model();
    if (usable) check_object();
    return finish_ranks();
}
