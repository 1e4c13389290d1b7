/* ranks_forecast.c - `enuf tune` on many ranks (ranks.h): predicted times, measured times and costs
 * of messages. SPDX-License-Identifier: BSD-3-Clause */
#include "ranks.h"

#include "enuf/ewald_mpi.h"
#include "error.h"
#include "memory.h"
#include "wall_clock.h"

#include <limits.h>
#include <math.h>
#include <string.h>

static int ranks_here(void)
{
    int ranks = 1;
    if (cli_on_ranks()) MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    return ranks;
}

static cli_rank_cost cost_of(const enuf_ewald_mpi_cost *predicted)
{
    return (cli_rank_cost){.seconds = predicted->seconds,
                           .work = predicted->work,
                           .bytes_sent = predicted->bytes_sent,
                           .messages = predicted->messages,
                           .memory = predicted->memory,
                           .measured = NAN};
}

enuf_status cli_ranks_threads(const enuf_ewald_options *options, int *threads)
{
    enuf_ewald *ewald = NULL;
    enuf_ewald_report report = {.struct_size = sizeof report};
    *threads = 0;
    if (!cli_on_ranks()) return ENUF_SUCCESS;
    enuf_status status = enuf_ewald_create_mpi(MPI_COMM_WORLD, options, &ewald);
    if (!status) status = enuf_ewald_get_report(ewald, &report);
    if (!status) *threads = report.threads;
    enuf_ewald_destroy(&ewald);
    return status;
}

enuf_status cli_ranks_predict(const cli_settings *settings, enuf_ewald *ewald,
                              cli_forecast *forecast)
{
    enuf_ewald_mpi_prediction found = {.struct_size = sizeof found};
    enuf_ewald_report report = {.struct_size = sizeof report};
    const int ranks = settings->ranks > 0 ? settings->ranks : ranks_here();
    if (ranks == 1 && settings->ranks == 0 && settings->cells == 0) return ENUF_SUCCESS;
    ENUF_TRY(enuf_ewald_get_report(ewald, &report));
    int threads = settings->ewald.threads > 0 ? settings->ewald.threads : 1;
    if (forecast->threads > 0 && settings->ranks == 0) threads = forecast->threads;
    const enuf_arithmetic wanted = settings->ewald.arithmetic;
    const enuf_ewald_mpi_run run = {
        .struct_size = sizeof run,
        .ranks = ranks,
        .threads = threads,
        .backend = settings->ewald.backend,
        .arithmetic = wanted == ENUF_ARITHMETIC_BY_ACCURACY ? report.arithmetic : wanted,
        .cells = settings->cells > 0 ? settings->cells : 1,
        .latency = 1e-6 * settings->latency,
        .bandwidth = 1e9 * settings->bandwidth};
    ENUF_TRY(enuf_ewald_mpi_predict(ewald, &run, &found));
    *forecast =
        (cli_forecast){.ranks = run.ranks,
                       .threads = run.threads,
                       .charges = found.charges,
                       .backend = run.backend == ENUF_BACKEND_AUTO ? report.backend : run.backend,
                       .arithmetic = found.arithmetic,
                       .parameters = found.parameters,
                       .chosen = found.chosen,
                       .pairs = cost_of(&found.pairs),
                       .replicated = cost_of(&found.replicated),
                       .distributed = cost_of(&found.distributed)};
    return ENUF_SUCCESS;
}

/* A rank's block of the ions; blocks have equal sizes. */
typedef struct dealt_ions {
    double cell[9];
    int64_t n_all, n;
    double *positions, *charges, *forces; /* [n][3], [n], [n][3] */
    int *count, *place;                   /* [ranks] */
} dealt_ions;

static void release(dealt_ions *ions)
{
    enuf_release(&ions->positions);
    enuf_release(&ions->charges);
    enuf_release(&ions->forces);
    enuf_release(&ions->count);
    enuf_release(&ions->place);
}

/* 1 if the status is ENUF_SUCCESS on all ranks. */
static int all_well(enuf_status status)
{
    int worst = (int)status;
    MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return worst == 0;
}

static enuf_status allocate(dealt_ions *ions, int rank, int ranks)
{
    ions->n = ions->n_all * (rank + 1) / ranks - ions->n_all * rank / ranks;
    ENUF_TRY(enuf_allocate(&ions->positions, 3 * ions->n, sizeof(double), "positions"));
    ENUF_TRY(enuf_allocate(&ions->charges, ions->n, sizeof(double), "charges"));
    ENUF_TRY(enuf_allocate(&ions->forces, 3 * ions->n, sizeof(double), "forces"));
    ENUF_TRY(enuf_allocate(&ions->count, ranks, sizeof *ions->count, "shares of ranks"));
    return enuf_allocate(&ions->place, ranks, sizeof *ions->place, "shares of ranks");
}

static void scatter(dealt_ions *ions, int ranks, int width, const double *all, double *here)
{
    for (int r = 0; r < ranks; ++r) {
        ions->place[r] = width * (int)(ions->n_all * r / ranks);
        ions->count[r] = width * (int)(ions->n_all * (r + 1) / ranks) - ions->place[r];
    }
    MPI_Scatterv(all, ions->count, ions->place, MPI_DOUBLE, here, width * (int)ions->n, MPI_DOUBLE,
                 0, MPI_COMM_WORLD);
}

/* Distributes the ions. 0: too many ions for MPI's counts, or too little memory; nothing is timed
 * then. */
static int deal(const enuf_structure *structure, dealt_ions *ions)
{
    const int rank = cli_rank(), ranks = ranks_here();
    if (rank == 0) {
        ions->n_all = structure->n;
        memcpy(ions->cell, structure->cell, sizeof ions->cell);
    }
    MPI_Bcast(&ions->n_all, 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
    MPI_Bcast(ions->cell, 9, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (ions->n_all > INT_MAX / 3 || !all_well(allocate(ions, rank, ranks))) return 0;
    scatter(ions, ranks, 3, structure->positions, ions->positions);
    scatter(ions, ranks, 1, structure->charges, ions->charges);
    return 1;
}

/* Best of several evaluations of one half; the slowest rank counts. */
static enuf_status time_half(enuf_ewald *ewald, const dealt_ions *ions, int real, double *seconds)
{
    enum { REPEATS = 3, MOST_REPEATS = 50 };
    static const double enough = 0.3;
    const int wanted = ENUF_WANT_ENERGY | ENUF_WANT_FORCES;
    enuf_ewald_result result = {.struct_size = sizeof result, .forces = ions->forces};
    double best = HUGE_VAL, total = 0;
    for (int k = 0; k < REPEATS || (k < MOST_REPEATS && total < enough); ++k) {
        MPI_Barrier(MPI_COMM_WORLD);
        const double begin = enuf_seconds();
        ENUF_TRY(real ? enuf_ewald_real(ewald, ions->positions, 3, wanted, &result)
                      : enuf_ewald_reciprocal(ewald, ions->positions, 3, wanted, &result));
        double took = enuf_seconds() - begin;
        MPI_Allreduce(MPI_IN_PLACE, &took, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        best = fmin(best, took);
        total += took;
    }
    *seconds = best;
    return ENUF_SUCCESS;
}

static enuf_status time_decomposition(const enuf_ewald_options *options, const dealt_ions *ions,
                                      enuf_decomposition decomposition, double *real,
                                      double *reciprocal)
{
    enuf_ewald_options o = *options;
    enuf_ewald *ewald = NULL;
    o.decomposition = decomposition;
    enuf_status status = enuf_ewald_create_mpi(MPI_COMM_WORLD, &o, &ewald);
    if (!status) status = enuf_ewald_set_cell(ewald, ions->cell);
    if (!status) status = enuf_ewald_set_charges(ewald, ions->n, ions->charges, NULL);
    if (!status && real) status = time_half(ewald, ions, 1, real);
    if (!status) status = time_half(ewald, ions, 0, reciprocal);
    enuf_ewald_destroy(&ewald);
    return status;
}

enuf_status cli_ranks_time(const enuf_ewald_options *options, const enuf_structure *structure,
                           cli_forecast *forecast)
{
    dealt_ions ions = {.n = 0};
    enuf_status status = ENUF_SUCCESS;
    int wanted = forecast->ranks == ranks_here() && forecast->ranks > 1;
    if (!cli_on_ranks()) return ENUF_SUCCESS;
    MPI_Bcast(&wanted, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (!wanted) return ENUF_SUCCESS;
    if (deal(structure, &ions)) {
        status = time_decomposition(options, &ions, ENUF_DECOMPOSITION_REPLICATED,
                                    &forecast->pairs.measured, &forecast->replicated.measured);
        if (!status && !options->deterministic)
            status = time_decomposition(options, &ions, ENUF_DECOMPOSITION_DISTRIBUTED, NULL,
                                        &forecast->distributed.measured);
    }
    release(&ions);
    return status;
}

enuf_status cli_ranks_calibrate(const enuf_ewald_options *options, const char *file)
{
    if (!cli_on_ranks()) return enuf_ewald_calibrate_machine(options, file);
    return enuf_ewald_mpi_calibrate_machine(MPI_COMM_WORLD, options, file);
}
