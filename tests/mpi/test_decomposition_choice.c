/*
 * test_decomposition_choice.c - the library chooses the decomposition of the mesh that it predicts
 * to be cheaper.
 *
 *   - Predictions: on one rank both cost what one process costs. On more ranks replicated modes
 *     keep the whole transform, and a distributed grid pays for messages.
 *   - Choice: the cheaper one. The distributed grid if the whole grid exceeds memory_limit.
 *     Replicated modes for deterministic sums. The report names the choice, and the results are
 *     those of one process to 1e-12.
 *   - Calibration: message costs from a file of rank 0 decide for all ranks.
 *   - enuf_ewald_mpi_predict(): runs that are not made follow the formulas of docs/theory.md,
 *     section 8.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "mpi/choose/device_work.h"
#include "shared_system.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* An object with parameters for n ions, and without a mesh. */
static enuf_ewald *make_object(charge_system *s, int64_t n, double accuracy)
{
    *s = make_ions(7, n, CELL_CUBIC, 0);
    enuf_ewald_options options = shared_options(accuracy, ENUF_SPLIT_PROLATE);
    enuf_ewald *ewald = make_alone(&options, s, NULL);
    ewald->without_mesh = 1;
    CHECK_STATUS(enuf_ewald_update_method(ewald), ENUF_SUCCESS);
    return ewald;
}

typedef enuf_ewald_mpi_cost (*cost_function)(const enuf_rank_run *);

static enuf_ewald_mpi_cost cost_of(cost_function cost, const enuf_ewald *ewald, int ranks)
{
    const enuf_rank_run run = enuf_rank_run_of(ewald, ranks, 1);
    return cost(&run);
}

static void check_predictions(void)
{
    charge_system s;
    enuf_ewald *ewald = make_object(&s, 20000, 1e-7);
    const enuf_parameters *p = &ewald->method.parameters;
    const double alone = p->cost_mesh;
    double cells = 1;
    for (int d = 0; d < 3; d++) cells *= (double)p->grid[d];
    const enuf_cost_rates *rates = enuf_cost_rates_of(&ewald->costs, ewald->options.arithmetic);
    const double transform = 1e-9 * cells * enuf_cost_of_cell(rates, p->modes, p->grid);
    enuf_ewald_mpi_cost whole = cost_of(enuf_cost_of_replicated, ewald, 1);
    enuf_ewald_mpi_cost part = cost_of(enuf_cost_of_distributed, ewald, 1);
    CHECK_CLOSE(whole.seconds, alone, 1e-12, "one rank, replicated: the cost of one process");
    CHECK_CLOSE(part.seconds, alone, 1e-12, "one rank, distributed: the same");
    const enuf_ewald_mpi_cost before[2] = {whole, part};
    for (int ranks = 2; ranks <= 8; ranks *= 2) {
        whole = cost_of(enuf_cost_of_replicated, ewald, ranks);
        part = cost_of(enuf_cost_of_distributed, ewald, ranks);
        printf("%lld^3 cells, %d ranks: replicated %.3g ms, distributed %.3g ms and %.3g MB\n",
               (long long)p->grid[0], ranks, 1e3 * whole.seconds, 1e3 * part.seconds,
               part.memory / 1e6);
        CHECK(whole.seconds > transform);
        CHECK(part.seconds > alone / ranks);
        CHECK(part.seconds < whole.seconds);
        CHECK(whole.memory == before[0].memory);
        CHECK(part.memory < before[1].memory);
    }
    /* a small grid on many ranks: messages cost more than work */
    free_system(&s);
    enuf_ewald_destroy(&ewald);
    ewald = make_object(&s, 200, 1e-3);
    CHECK(cost_of(enuf_cost_of_replicated, ewald, 512).seconds <
          cost_of(enuf_cost_of_distributed, ewald, 512).seconds);
    free_system(&s);
    enuf_ewald_destroy(&ewald);
}

/* Computes with these options, compares with one process, and returns the decomposition in use. */
static enuf_decomposition compute_and_get_decomposition(const enuf_ewald_options *options,
                                                        const charge_system *s,
                                                        const enuf_ewald_result *whole)
{
    enuf_ewald *ewald = make_shared(options, s);
    dealt_system dealt = deal_out(s, DEAL_IN_BLOCKS, MPI_COMM_WORLD);
    enuf_ewald_result here = make_result(dealt.n);
    enuf_ewald_mpi_report report = {.struct_size = sizeof report};
    if (ewald && set_shared(ewald, &dealt, NULL) &&
        CHECK_STATUS(enuf_ewald_compute(ewald, dealt.x, 3, WANT_ALL, &here), ENUF_SUCCESS)) {
        const shared_difference d = compare_shared(whole, s->n, &here, &dealt);
        check_difference(&d, 1e-12);
        CHECK_STATUS(enuf_ewald_get_mpi_report(ewald, &report), ENUF_SUCCESS);
    }
    enuf_ewald_destroy(&ewald);
    free_result(&here);
    free_dealt(&dealt);
    return report.decomposition;
}

static void check_choice(int ranks)
{
    charge_system s = make_ions(9, 3000, CELL_CUBIC, 0);
    enuf_ewald_options options = shared_options(1e-6, ENUF_SPLIT_PROLATE);
    for (int d = 0; d < 3; d++) options.grid[d] = 128; /* the grid takes most of the memory */
    enuf_ewald_result whole = evaluate_alone(&options, &s, NULL);
    enuf_ewald *ewald = make_alone(&options, &s, NULL);
    ewald->without_mesh = 1;
    CHECK_STATUS(enuf_ewald_update_method(ewald), ENUF_SUCCESS);
    const enuf_ewald_mpi_cost replicated = cost_of(enuf_cost_of_replicated, ewald, ranks);
    const enuf_ewald_mpi_cost distributed = cost_of(enuf_cost_of_distributed, ewald, ranks);
    options.threads = 1;
    options.decomposition = ENUF_DECOMPOSITION_AUTO;
    const enuf_decomposition expected = distributed.seconds < replicated.seconds
                                            ? ENUF_DECOMPOSITION_DISTRIBUTED
                                            : ENUF_DECOMPOSITION_REPLICATED;
    CHECK(compute_and_get_decomposition(&options, &s, &whole) == expected);
    options.memory_limit = (int64_t)(0.9 * replicated.memory);
    CHECK(distributed.memory < 0.9 * replicated.memory);
    CHECK(compute_and_get_decomposition(&options, &s, &whole) == ENUF_DECOMPOSITION_DISTRIBUTED);
    options.memory_limit = 0;
    options.deterministic = 1;
    options.decomposition = ENUF_DECOMPOSITION_DISTRIBUTED;
    free_result(&whole);
    whole = evaluate_alone(&options, &s, NULL);
    CHECK(compute_and_get_decomposition(&options, &s, &whole) == ENUF_DECOMPOSITION_REPLICATED);
    enuf_ewald_destroy(&ewald);
    free_result(&whole);
    free_system(&s);
}

/* If a message costs a second, a small grid is replicated; if messages cost nearly nothing, it is
 * distributed. Only rank 0 knows the calibration file. */
static void check_calibrated(int rank)
{
    charge_system s = make_ions(9, 3000, CELL_CUBIC, 0);
    enuf_ewald_options options = shared_options(1e-6, ENUF_SPLIT_PROLATE);
    options.threads = 1;
    enuf_ewald_result whole = evaluate_alone(&options, &s, NULL);
    for (int expensive = 0; expensive < 2; expensive++) {
        char name[64];
        enuf_costs costs = enuf_costs_shipped;
        costs.messages.message = expensive ? 9e8 : 1e-3;
        costs.messages.byte = expensive ? 9e8 : 1e-6;
        snprintf(name, sizeof name, "/tmp/enuf_messages_%ld", (long)getpid());
        if (rank == 0) CHECK_STATUS(enuf_costs_write(name, &costs), ENUF_SUCCESS);
        options.calibration_file = rank == 0 ? name : NULL;
        CHECK(compute_and_get_decomposition(&options, &s, &whole) ==
              (expensive ? ENUF_DECOMPOSITION_REPLICATED : ENUF_DECOMPOSITION_DISTRIBUTED));
        if (rank == 0) remove(name);
    }
    free_result(&whole);
    free_system(&s);
}

/* The numbers that a GPU sends with the grid in slabs, by the formulas. */
static double numbers_by_formula(const enuf_ewald_candidate *p, double gpus)
{
    const double m_z = (double)p->grid[2] / gpus, n_2 = (double)p->modes[1];
    const double h_1 = 0.5 * (double)(p->modes[0] + 1), halo = 2 * (p->width / 2) + 1;
    return 2 * halo * (double)p->grid[0] * (double)p->grid[1] +
           2 * h_1 * ((n_2 - n_2 / gpus) * m_z + n_2 / gpus * ((double)p->grid[2] - m_z));
}

/* Prediction for a billion ions on 64 GPUs, without a GPU. */
static void check_large_run(void)
{
    enum { GPUS = 64, EDGE = 4 }; /* domains along an edge */
    charge_system s = make_ions(3, 1000, CELL_CUBIC, 0);
    const enuf_ewald_options options = shared_options(1e-4, ENUF_SPLIT_AUTO);
    enuf_ewald *ewald = make_alone(&options, &s, NULL);
    enuf_ewald_mpi_run run = {.struct_size = sizeof run,
                              .ranks = GPUS,
                              .threads = 1,
                              .backend = ENUF_BACKEND_CUDA,
                              .cells = 100};
    enuf_ewald_mpi_prediction found = {.struct_size = sizeof found};
    CHECK_STATUS(enuf_ewald_mpi_predict(ewald, &run, &found), ENUF_SUCCESS);
    const enuf_ewald_candidate *p = &found.parameters;
    const enuf_message_costs *m = &enuf_costs_shipped_cuda.messages;
    const double share = 1e9 / GPUS, others = 1 - 1.0 / GPUS;
    CHECK(found.charges == 1000000000 && found.arithmetic == ENUF_ARITHMETIC_MIXED);
    CHECK(found.chosen == ENUF_DECOMPOSITION_DISTRIBUTED);
    CHECK(p->predicted <= 1e-4);
    printf("1e9 ions on %d GPUs: grid %lld^3, width %d, cutoff %.3g; pairs %.3g ms, replicated "
           "%.3g ms, distributed %.3g ms\n",
           GPUS, (long long)p->grid[0], p->width, p->cutoff, 1e3 * found.pairs.seconds,
           1e3 * found.replicated.seconds, 1e3 * found.distributed.seconds);

    /* replicated: 2 (P-1)/P 2 K numbers of 4 bytes, K = V k_c^3/(12 pi^2) = 2/3 pi kmax^3; the
     * whole transform on each */
    const double pi = acos(-1.0), k = 2.0 / 3 * pi * pow(p->kmax, 3);
    CHECK_CLOSE(found.replicated.bytes_sent, 4 * 2 * others * 2 * k, 1e-9, "bytes, replicated");
    const double cells = (double)p->grid[0] * (double)p->grid[1] * (double)p->grid[2];
    const double transform =
        1e-9 * cells * enuf_cost_of_cell(&enuf_costs_shipped_cuda.rates[1], p->modes, p->grid);
    CHECK_CLOSE(found.replicated.work, transform + (p->seconds_reciprocal - transform) / GPUS, 1e-9,
                "work, replicated");
    CHECK_CLOSE(found.distributed.work, p->seconds_reciprocal / GPUS, 1e-9, "work, distributed");

    /* distributed: half of the ions that another GPU may hold travel, with forces in float; slabs
     * are whole numbers of planes, and the busiest GPU has the larger ones */
    const double points = 0.5 * share * others * (32 + 12);
    CHECK_CLOSE(found.distributed.bytes_sent - points, 4 * numbers_by_formula(p, GPUS), 0.1,
                "bytes, distributed");
    /* pairs: a shell of one cutoff around each of 4 x 4 x 4 domains, 32 bytes a ghost */
    const double edge =
        cbrt((double)found.charges * s.cell[0] * s.cell[4] * s.cell[8] / 1000) / EDGE;
    const double ghosts = share * (pow(1 + 2 * p->cutoff / edge, 3) - 1);
    CHECK_CLOSE(found.pairs.bytes_sent, 32 * ghosts, 1e-6, "bytes of pairs");
    /* two GPUs compute the pairs of an ion with a ghost: 3/16 of an ion's work for each ghost */
    CHECK_CLOSE(found.pairs.work, p->seconds_real / 1e9 * (share + 3.0 / 16 * ghosts), 1e-6,
                "work of pairs");
    const enuf_ewald_mpi_cost *costs[] = {&found.pairs, &found.replicated, &found.distributed};
    for (int c = 0; c < 3; c++)
        CHECK_CLOSE(costs[c]->seconds,
                    costs[c]->work +
                        1e-9 * (m->byte * costs[c]->bytes_sent + m->message * costs[c]->messages),
                    1e-12, "work and messages");

    /* another network: bytes at 50 GB/s, messages of 5 us */
    enuf_ewald_mpi_prediction other = {.struct_size = sizeof other};
    run.latency = 5e-6;
    run.bandwidth = 50e9;
    CHECK_STATUS(enuf_ewald_mpi_predict(ewald, &run, &other), ENUF_SUCCESS);
    const enuf_ewald_mpi_cost *d = &other.distributed;
    CHECK_CLOSE(d->seconds, d->work + d->bytes_sent / 50e9 + 5e-6 * d->messages, 1e-12,
                "work and messages of another network");
    CHECK_CLOSE(d->work, other.parameters.seconds_reciprocal / GPUS, 1e-9, "work");
    run.bandwidth = -1;
    CHECK_STATUS(enuf_ewald_mpi_predict(ewald, &run, &other), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("bandwidth -1");
    run.bandwidth = 0;

    run.ranks = 0;
    CHECK_STATUS(enuf_ewald_mpi_predict(ewald, &run, &found), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("ranks is 0");
    run.ranks = 1;
    run.cells = 1000000;
    CHECK_STATUS(enuf_ewald_mpi_predict(ewald, &run, &found), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("cells is 1000000");
    /* the system of the object on one rank: the predictions of the object itself */
    run = (enuf_ewald_mpi_run){.struct_size = sizeof run, .ranks = 1, .threads = 1, .cells = 1};
    CHECK_STATUS(enuf_ewald_mpi_predict(ewald, &run, &found), ENUF_SUCCESS);
    const enuf_parameters *own = &ewald->method.parameters;
    CHECK_CLOSE(found.pairs.seconds, own->cost_pairs, 1e-12, "one rank, pairs");
    CHECK_CLOSE(found.replicated.seconds, own->cost_mesh, 1e-12, "one rank, replicated");
    enuf_ewald_destroy(&ewald);
    free_system(&s);
}

int main(int argc, char **argv)
{
    begin_mpi(&argc, &argv);
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (rank == 0) check_predictions();
    if (rank == 0) check_large_run();
    check_choice(ranks);
    check_calibrated(rank);
    return finish_ranks();
}
