/*
 * rank_costs.c - see rank_costs.h. Both decompositions share the work at charges among ranks. With
 * replicated modes, every rank makes the whole transform. Source: docs/theory.md, section 8.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "rank_costs.h"
#include "mpi/mesh/pencils/distributed_layout.h"
#include "mpi/domains/domains.h"
#include "mpi/messages/message_rates.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

/* Numbers of small collective steps of an evaluation: agreements, counts, sums. */
enum { PAIR_STEPS = 6, REPLICATED_STEPS = 4, DISTRIBUTED_STEPS = 6 };

/* Numbers sent for each charge: position and charge; back: potential and gradient. */
enum { NUMBERS_OF_CHARGE = 4 + 4 };

/* Bytes sent for each ghost: position, charge and number; back: force. */
enum { GHOST_THERE = 40, GHOST_BACK = 24 };

enuf_rank_run enuf_rank_run_of(const enuf_ewald *ewald, int ranks, int threads)
{
    return (enuf_rank_run){.parameters = &ewald->method.parameters,
                           .cell = &ewald->geometry,
                           .costs = &ewald->costs,
                           .arithmetic = ewald->options.arithmetic,
                           .n_charged = ewald->charges.n_charged,
                           .ranks = ranks,
                           .threads = threads};
}

/* Work of one core on the mesh: for all charges, and for all cells. */
typedef struct mesh_work {
    double charges, cells;
} mesh_work;

static mesh_work work_of(const enuf_rank_run *run)
{
    const enuf_parameters *p = run->parameters;
    const enuf_cost_rates *rates = enuf_cost_rates_of(run->costs, run->arithmetic);
    double cells = 1;
    for (int d = 0; d < 3; d++) cells *= (double)p->grid[d];
    mesh_work w = {.cells = 1e-9 * cells * enuf_cost_of_cell(rates, p->modes, p->grid)};
    w.charges = fmax(p->cost_mesh - w.cells, 0);
    return w;
}

static double number_size(const enuf_rank_run *run)
{
    return run->arithmetic == ENUF_ARITHMETIC_MIXED ? 4 : 8;
}

/* Messages of small steps, which send one number from all ranks to all. */
static double step_messages(const enuf_rank_run *run, int steps)
{
    return steps * ceil(log2(run->ranks));
}

static enuf_ewald_mpi_cost cost_of(const enuf_rank_run *run, double work, double bytes_sent,
                                   double messages, double memory)
{
    const enuf_message_costs *m = &run->costs->messages;
    return (enuf_ewald_mpi_cost){.seconds =
                                     work + 1e-9 * (m->byte * bytes_sent + m->message * messages),
                                 .work = work,
                                 .bytes_sent = bytes_sent,
                                 .messages = messages,
                                 .memory = memory};
}

enuf_ewald_mpi_cost enuf_cost_of_domains(const enuf_rank_run *run)
{
    const double cutoff = run->parameters->splitting.cutoff;
    int count[3];
    enuf_domains_choose(run->ranks, run->cell, cutoff, count);
    /* own: a domain's part of the cell. reached: the volume of a domain with its surroundings
     * inside the cutoff, in domains. partners: the number of domains there, this one included.
     * Below, half of the surroundings and partners count, because one rank computes each pair. */
    double own = 1, reached = 1, partners = 1;
    for (int d = 0; d < 3; d++) {
        own /= count[d];
        if (count[d] == 1) {
            continue;
        }
        const double sides = 2 * cutoff * count[d] / run->cell->height[d];
        reached *= 1 + sides;
        partners *= fmin(1 + 2 * ceil(sides / 2), count[d]);
    }
    const double ghosts = 0.5 * (double)run->n_charged * own * (reached - 1);
    const double messages = 2 * fmin(0.5 * (partners - 1), run->ranks - 1.0);
    return cost_of(run, run->parameters->cost_pairs / ((double)run->ranks * run->threads),
                   (GHOST_THERE + GHOST_BACK) * ghosts,
                   ceil(messages) + step_messages(run, PAIR_STEPS),
                   (GHOST_THERE + GHOST_BACK) * ((double)run->n_charged * own + ghosts));
}

enuf_ewald_mpi_cost enuf_cost_of_replicated(const enuf_rank_run *run)
{
    const enuf_parameters *p = run->parameters;
    const double number = number_size(run), ranks = run->ranks;
    double cells = 1, stored = 0.5;
    for (int d = 0; d < 3; d++) {
        cells *= (double)p->grid[d];
        stored *= (double)p->modes[d];
    }
    /* modes in half a sphere: its volume over that of a mode, (2 pi)^3/V */
    const double sphere = run->cell->volume * pow(p->k_c, 3) / (12 * pi * pi);
    const mesh_work w = work_of(run);
    /* a reduction that divides the sums among the ranks: 2 (P-1)/P of them, 2 log2 P messages */
    return cost_of(run, (w.charges / ranks + w.cells) / run->threads,
                   2 * (ranks - 1) / ranks * 2 * number * sphere,
                   step_messages(run, 2 + REPLICATED_STEPS),
                   /* cells; spectrum, weights and structure factors */
                   number * (cells + 6 * stored));
}

enuf_ewald_mpi_cost enuf_cost_of_distributed(const enuf_rank_run *run)
{
    const enuf_parameters *p = run->parameters;
    const enuf_layout l = enuf_layout_choose(p->grid, p->modes, p->width, run->ranks,
                                             enuf_message_in_numbers(run->costs));
    const enuf_layout_traffic traffic = enuf_layout_traffic_of(&l);
    const enuf_share share = enuf_layout_share(&l, 0);
    const double number = number_size(run), busy = enuf_layout_ranks(&l);
    const mesh_work w = work_of(run);
    /* charges that a rank sends: nearly all of its own, as for a caller without domains. A caller
     * with domains sends fewer (47 MB predicted, 31 MB sent), so replicated modes may be chosen by
     * mistake */
    const double charges = (double)run->n_charged / busy * (busy - 1) / busy;
    double brick = (double)p->grid[0], lines = 0.5 * (double)p->modes[0];
    for (int a = 0; a < 2; a++) brick *= (double)(share.n[a] + share.halo_lo[a] + share.halo_hi[a]);
    lines *= (double)(p->modes[1] * p->grid[2]) / busy;
    return cost_of(run, (w.charges + w.cells) / (busy * run->threads),
                   number * (traffic.halo + traffic.transposed) + 8 * NUMBERS_OF_CHARGE * charges,
                   traffic.messages + step_messages(run, DISTRIBUTED_STEPS),
                   /* cells; sent and received data, and weights */
                   number * (brick + 6 * lines));
}

enuf_decomposition enuf_cheaper_decomposition(const enuf_ewald_mpi_cost *replicated,
                                              const enuf_ewald_mpi_cost *distributed,
                                              int64_t memory_limit)
{
    if (memory_limit > 0 && replicated->memory > (double)memory_limit)
        return ENUF_DECOMPOSITION_DISTRIBUTED;
    return distributed->seconds < replicated->seconds ? ENUF_DECOMPOSITION_DISTRIBUTED
                                                      : ENUF_DECOMPOSITION_REPLICATED;
}
