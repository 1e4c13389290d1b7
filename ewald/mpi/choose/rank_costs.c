/*
 * rank_costs.c - see rank_costs.h. Both decompositions share the work at charges among ranks. With
 * replicated modes, every rank makes the whole transform. Source: docs/theory.md, section 8.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "rank_costs.h"
#include "mpi/mesh/pencils/distributed_layout.h"
#include "mpi/domains/domain_choice.h"
#include "mpi/messages/message_rates.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

/* Numbers of small collective steps of an evaluation: agreements, counts, sums. Times that a host
 * waits for its GPU, each as long as a message. */
enum { PAIR_STEPS = 6, REPLICATED_STEPS = 4, DISTRIBUTED_STEPS = 6, WAITS_FOR_GPU = 4 };

/* Numbers sent for each charge: position and charge; back: potential and gradient. */
enum { NUMBERS_OF_CHARGE = 4 + 4 };

/*
 * Bytes of an atom on its way to its domain, and of its force back; of a ghost and its force back.
 * On CPUs numbers of atoms go too. On GPUs both ranks compute the pairs of a ghost, and no force
 * comes back: ghosts come from both sides of a face.
 */
typedef struct atom_bytes {
    double there, back, ghost, ghost_back;
    double sides; /* part of the atoms around a domain that become its ghosts */
} atom_bytes;

static int on_gpus(const enuf_rank_run *run)
{
    return run->costs->backend == ENUF_BACKEND_CUDA;
}

static atom_bytes bytes_of(const enuf_rank_run *run)
{
    static const atom_bytes of_gpus = {32, 24, 32, 0, 1}, of_cpus = {40, 24, 40, 24, 0.5};
    return on_gpus(run) ? of_gpus : of_cpus;
}

/* Pairs of an atom within the cutoff r of a plane, with the atoms beyond it: as the mean over the
 * distances t from 0 to r of pi (r - t)^2 (2 r + t)/3, 3/16 of the ball's 4/3 pi r^3. An own atom
 * has half of its ball, and its share of pairs that both ranks compute is half of these: so a ghost
 * adds 3/16 of the pairs of an own atom. */
static const double PAIRS_OF_GHOST = 3.0 / 16;

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

/* Work of one core on the pairs of an atom beyond its domain, that another rank computes too. */
static double pairs_of_ghost(const enuf_rank_run *run)
{
    const double twice = bytes_of(run).sides > 0.5;
    return twice * PAIRS_OF_GHOST * run->parameters->cost_pairs / fmax((double)run->n_charged, 1);
}

enuf_domain_weights enuf_domain_weights_of(const enuf_rank_run *run)
{
    const atom_bytes bytes = bytes_of(run);
    const double byte = 1e-9 * run->costs->messages.byte;
    return (enuf_domain_weights){.moved = byte * (bytes.there + bytes.back),
                                 .ghost = bytes.sides * byte * (bytes.ghost + bytes.ghost_back) +
                                          pairs_of_ghost(run) / run->threads};
}

/* Number of domains within the cutoff of a domain, itself included. */
static double partners_of(const enuf_rank_run *run, const int count[3])
{
    double partners = 1;
    for (int d = 0; d < 3; d++) {
        const double reached = run->parameters->splitting.cutoff * count[d] / run->cell->height[d];
        if (count[d] > 1) partners *= fmin(1 + 2 * ceil(reached), count[d]);
    }
    return partners;
}

enuf_ewald_mpi_cost enuf_cost_of_domains(const enuf_rank_run *run)
{
    const double cutoff = run->parameters->splitting.cutoff;
    const atom_bytes bytes = bytes_of(run);
    int count[3];
    enuf_domains_choose(run->ranks, run->cell, cutoff, count);
    const double own = (double)run->n_charged / ((double)count[0] * count[1] * count[2]);
    const double ghosts = bytes.sides * own * enuf_domain_ghosts(run->cell, cutoff, count);
    /* ghosts go one way, and back where their forces do */
    const double others = partners_of(run, count) - 1;
    const double messages = fmin(bytes.sides * others, run->ranks - 1.0);
    const double ways = bytes.ghost_back > 0 ? 2 : 1;
    const double waits = on_gpus(run) && run->ranks > 1 ? WAITS_FOR_GPU : 0;
    return cost_of(run,
                   (run->parameters->cost_pairs / run->ranks + ghosts * pairs_of_ghost(run)) /
                       run->threads,
                   (bytes.ghost + bytes.ghost_back) * ghosts,
                   ceil(ways * messages) + step_messages(run, PAIR_STEPS) + waits,
                   (bytes.ghost + 24) * (own + ghosts));
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

/* Pencils, or on GPUs slabs. */
static enuf_layout layout_of(const enuf_rank_run *run)
{
    const enuf_parameters *p = run->parameters;
    if (on_gpus(run)) return enuf_layout_slabs(p->grid, p->modes, p->width, run->ranks);
    return enuf_layout_choose(p->grid, p->modes, p->width, run->ranks,
                              enuf_message_in_numbers(run->costs));
}

/* Bytes of the charges that a rank sends to the ranks of their cells, and of their forces. On CPUs
 * nearly all of its own, as of a caller without domains. A caller with domains sends fewer (47 MB
 * predicted, 31 MB sent), so replicated modes may be chosen by mistake. On GPUs half of that: none
 * of the ions that arrive in layers travel, all of those that arrive at random. */
static double bytes_of_charges(const enuf_rank_run *run, double busy)
{
    const double charges = (double)run->n_charged / busy * (busy - 1) / busy;
    if (on_gpus(run)) return 0.5 * charges * (4 * 8 + 3 * number_size(run));
    return 8 * NUMBERS_OF_CHARGE * charges;
}

enuf_ewald_mpi_cost enuf_cost_of_distributed(const enuf_rank_run *run)
{
    const enuf_parameters *p = run->parameters;
    const enuf_layout l = layout_of(run);
    const enuf_layout_traffic traffic = enuf_layout_traffic_of(&l);
    const enuf_share share = enuf_layout_share(&l, 0);
    const double number = number_size(run), busy = enuf_layout_ranks(&l);
    const mesh_work w = work_of(run);
    /* to every rank: counts of charges, charges; their forces come back */
    const double messages = traffic.messages + (on_gpus(run) ? 3 * (busy - 1) : 0);
    double brick = (double)p->grid[0], lines = 0.5 * (double)p->modes[0];
    for (int a = 0; a < 2; a++) brick *= (double)(share.n[a] + share.halo_lo[a] + share.halo_hi[a]);
    lines *= (double)(p->modes[1] * p->grid[2]) / busy;
    return cost_of(run, (w.charges + w.cells) / (busy * run->threads),
                   number * (traffic.halo + traffic.transposed) + bytes_of_charges(run, busy),
                   messages + step_messages(run, DISTRIBUTED_STEPS),
                   /* cells; sent and received data, and weights */
                   number * (brick + 6 * lines));
}
