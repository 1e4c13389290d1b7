/*
 * The decomposition is chosen by what both are predicted to cost: equal on one rank; with more the
 * replicated mesh keeps its whole transform and the distributed one its messages; a limit of memory
 * decides where the whole grid does not fit; deterministic sums are replicated. What is chosen is
 * what the report tells, and gives the sums of one process. SPDX-License-Identifier: BSD-3-Clause
 */
#include "mesh_costs.h"
#include "shared_system.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* An object with parameters for n ions, and no mesh. */
static enuf_ewald *make_object(charge_system *s, int64_t n, double accuracy)
{
    *s = make_ions(7, n, CELL_CUBIC, 0);
    enuf_ewald_options options = shared_options(accuracy, ENUF_SPLIT_PROLATE).ewald;
    enuf_ewald *ewald = make_ewald(&options, s, NULL);
    ewald->without_mesh = 1;
    CHECK_STATUS(enuf_ewald_prepare(ewald), ENUF_SUCCESS);
    return ewald;
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
    enuf_mesh_cost whole = enuf_cost_of_replicated(ewald, 1, 1);
    enuf_mesh_cost part = enuf_cost_of_distributed(ewald, 1, 1);
    CHECK_CLOSE(whole.seconds, alone, 1e-12, "one rank, replicated: the cost of one process");
    CHECK_CLOSE(part.seconds, alone, 1e-12, "one rank, distributed: the same");
    const enuf_mesh_cost before[2] = {whole, part};
    for (int ranks = 2; ranks <= 8; ranks *= 2) {
        whole = enuf_cost_of_replicated(ewald, ranks, 1);
        part = enuf_cost_of_distributed(ewald, ranks, 1);
        printf("%lld^3 cells, %d ranks: replicated %.3g ms, distributed %.3g ms and %.3g MB\n",
               (long long)p->grid[0], ranks, 1e3 * whole.seconds, 1e3 * part.seconds,
               part.bytes / 1e6);
        CHECK(whole.seconds > transform);
        CHECK(part.seconds > alone / ranks);
        CHECK(part.seconds < whole.seconds);
        CHECK(whole.bytes == before[0].bytes);
        CHECK(part.bytes < before[1].bytes);
    }
    /* a small grid among many: more messages than work */
    free_system(&s);
    enuf_ewald_destroy(&ewald);
    ewald = make_object(&s, 200, 1e-3);
    CHECK(enuf_cost_of_replicated(ewald, 512, 1).seconds <
          enuf_cost_of_distributed(ewald, 512, 1).seconds);
    free_system(&s);
    enuf_ewald_destroy(&ewald);
}

/* Computes with these options; gives the decomposition in use. */
static enuf_decomposition use(const enuf_ewald_mpi_options *options, const charge_system *s,
                              const enuf_ewald_result *whole)
{
    enuf_ewald_mpi *ewald = make_shared(options, s);
    dealt_system dealt = deal_out(s, DEAL_IN_BLOCKS, MPI_COMM_WORLD);
    enuf_ewald_result here = make_result(dealt.n);
    enuf_ewald_mpi_report report = {.struct_size = sizeof report};
    if (ewald && set_shared(ewald, &dealt, NULL) &&
        CHECK_STATUS(enuf_ewald_mpi_compute(ewald, dealt.x, 3, WANT_ALL, &here), ENUF_SUCCESS)) {
        const shared_difference d = compare_shared(whole, s->n, &here, &dealt);
        check_difference(&d, 1e-12);
        CHECK_STATUS(enuf_ewald_mpi_get_report(ewald, &report), ENUF_SUCCESS);
    }
    enuf_ewald_mpi_destroy(&ewald);
    free_result(&here);
    free_dealt(&dealt);
    return report.decomposition;
}

static void check_use(int ranks)
{
    charge_system s = make_ions(9, 3000, CELL_CUBIC, 0);
    enuf_ewald_mpi_options options = shared_options(1e-6, ENUF_SPLIT_PROLATE);
    for (int d = 0; d < 3; d++)
        options.ewald.grid[d] = 128; /* so that the grid is what takes memory */
    enuf_ewald_result whole = evaluate_alone(&options.ewald, &s, NULL);
    enuf_ewald *ewald = make_ewald(&options.ewald, &s, NULL);
    ewald->without_mesh = 1;
    CHECK_STATUS(enuf_ewald_prepare(ewald), ENUF_SUCCESS);
    const enuf_mesh_cost replicated = enuf_cost_of_replicated(ewald, ranks, 1);
    const enuf_mesh_cost distributed = enuf_cost_of_distributed(ewald, ranks, 1);
    options.ewald.threads = 1;
    options.decomposition = ENUF_DECOMPOSITION_AUTO;
    const enuf_decomposition expected = distributed.seconds < replicated.seconds
                                            ? ENUF_DECOMPOSITION_DISTRIBUTED
                                            : ENUF_DECOMPOSITION_REPLICATED;
    CHECK(use(&options, &s, &whole) == expected);
    options.ewald.memory_limit = (int64_t)(0.9 * replicated.bytes);
    CHECK(distributed.bytes < 0.9 * replicated.bytes);
    CHECK(use(&options, &s, &whole) == ENUF_DECOMPOSITION_DISTRIBUTED);
    options.ewald.memory_limit = 0;
    options.ewald.deterministic = 1;
    options.decomposition = ENUF_DECOMPOSITION_DISTRIBUTED;
    free_result(&whole);
    whole = evaluate_alone(&options.ewald, &s, NULL);
    CHECK(use(&options, &s, &whole) == ENUF_DECOMPOSITION_REPLICATED);
    enuf_ewald_destroy(&ewald);
    free_result(&whole);
    free_system(&s);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (rank == 0) check_predictions();
    check_use(ranks);
    return finish_ranks();
}
