/*
 * mesh_costs.c - see mesh_costs.h. Work at charges is shared by the ranks either way; the transform
 * is not where every rank has the whole mesh. Source: docs/theory.md, section 8.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "mesh_costs.h"
#include "distributed_layout.h"
#include "network.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

/* Small collective steps of an evaluation: agreements, counts, sums. */
enum { REPLICATED_STEPS = 4, DISTRIBUTED_STEPS = 6 };

/* Numbers that a charge takes along and brings back: position and charge, potential and gradient.
 */
enum { NUMBERS_OF_CHARGE = 4 + 4 };

/* Work of one core: at all charges, and on all cells. */
typedef struct work {
    double charges, cells;
} work;

static work work_of(const enuf_ewald *ewald)
{
    const enuf_parameters *p = &ewald->method.parameters;
    const enuf_cost_rates *rates = enuf_cost_rates_of(&ewald->costs, ewald->options.arithmetic);
    double cells = 1;
    for (int d = 0; d < 3; d++) cells *= (double)p->grid[d];
    work w = {.cells = 1e-9 * cells * enuf_cost_of_cell(rates, p->modes, p->grid)};
    w.charges = fmax(p->cost_mesh - w.cells, 0);
    return w;
}

static double number_size(const enuf_ewald *ewald)
{
    return enuf_ewald_single_mesh(ewald) ? 4 : 8;
}

/* One number from all ranks to all. */
static double step_seconds(int ranks)
{
    return ENUF_MESSAGE_SECONDS * ceil(log2(ranks));
}

enuf_mesh_cost enuf_cost_of_replicated(const enuf_ewald *ewald, int ranks, int threads)
{
    const enuf_parameters *p = &ewald->method.parameters;
    const double number = number_size(ewald);
    double cells = 1, stored = 0.5;
    for (int d = 0; d < 3; d++) {
        cells *= (double)p->grid[d];
        stored *= (double)p->modes[d];
    }
    /* modes in half a sphere: volume of it over that of a mode, (2 pi)^3/V */
    const double sphere = ewald->geometry.volume * pow(p->k_c, 3) / (12 * pi * pi);
    const work w = work_of(ewald);
    /* halves of the sums go around, then they are told: 2 (P-1)/P of them, twice log2 P messages */
    const double sent = 2 * (ranks - 1.0) / ranks * 2 * number * sphere;
    return (enuf_mesh_cost){.seconds = w.charges / (ranks * (double)threads) + w.cells / threads +
                                       ENUF_BYTE_SECONDS * sent +
                                       (2 + REPLICATED_STEPS) * step_seconds(ranks),
                            /* cells; spectrum, weights and structure factors */
                            .bytes = number * (cells + 6 * stored)};
}

enuf_mesh_cost enuf_cost_of_distributed(const enuf_ewald *ewald, int ranks, int threads)
{
    const enuf_parameters *p = &ewald->method.parameters;
    const enuf_layout l = enuf_layout_choose(p->grid, p->modes, p->width, ranks);
    const enuf_layout_traffic traffic = enuf_layout_traffic_of(&l);
    const enuf_share share = enuf_layout_share(&l, 0);
    const double number = number_size(ewald), busy = enuf_layout_ranks(&l);
    const work w = work_of(ewald);
    /* those of a rank, of which as good as none are where their cells are */
    const double charges = (double)ewald->charges.n_charged / busy * (busy - 1) / busy;
    const double sent =
        number * (traffic.halo + traffic.transposed) + 8 * NUMBERS_OF_CHARGE * charges;
    double brick = (double)p->grid[0], lines = 0.5 * (double)p->modes[0];
    for (int a = 0; a < 2; a++) brick *= (double)(share.n[a] + share.halo_lo[a] + share.halo_hi[a]);
    lines *= (double)(p->modes[1] * p->grid[2]) / busy;
    return (enuf_mesh_cost){.seconds = (w.charges + w.cells) / (busy * threads) +
                                       ENUF_BYTE_SECONDS * sent +
                                       ENUF_MESSAGE_SECONDS * traffic.messages +
                                       DISTRIBUTED_STEPS * step_seconds(ranks),
                            /* cells; what is sent and received, and weights */
                            .bytes = number * (brick + 6 * lines)};
}
