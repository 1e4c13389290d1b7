/*
 * pairs.c - the pairs inside the cutoff: the backend's cell lists on each rank's domain with its
 * ghosts.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "terms.h"

#include <math.h>
#include <string.h>

/* An array that pair sums fill. */
typedef struct found {
    enuf_array *room;
    int width;
    double **array; /* of the pair sums */
    double *home;   /* the caller's array; NULL: not wanted */
    const char *what;
} found;

enum { ARRAYS = 5 };

static enuf_status reserve(found arrays[ARRAYS], int64_t n)
{
    for (int k = 0; k < ARRAYS; k++) {
        *arrays[k].array = NULL;
        if (!arrays[k].home) continue;
        const size_t size = (size_t)arrays[k].width * sizeof(double);
        ENUF_TRY(enuf_array_reserve(arrays[k].room, n, size, arrays[k].what));
        memset(arrays[k].room->at, 0, (size_t)n * size);
        *arrays[k].array = arrays[k].room->at;
    }
    return ENUF_SUCCESS;
}

/* Adds integers of 128 bits over all ranks, in pieces of 32 bits that cannot overflow. */
static void add_totals(enuf_ranks *ranks, const enuf_pair_totals *totals, double sums[7])
{
    __extension__ typedef __int128 wide;
    int64_t part[7][4];
    double unit = totals->unit; /* 0 on a rank without atoms */
    for (int e = 0; e < 7; e++) {
        part[e][0] = (int64_t)(totals->low[e] & UINT32_MAX);
        part[e][1] = (int64_t)(totals->low[e] >> 32);
        part[e][2] = (int64_t)((uint64_t)totals->high[e] & UINT32_MAX);
        part[e][3] = totals->high[e] >> 32;
    }
    enuf_ranks_sum_integers(ranks, 7 * 4, &part[0][0]);
    enuf_ranks_largest(ranks, 1, &unit);
    for (int e = 0; e < 7; e++) {
        wide sum = 0;
        for (int k = 3; k >= 0; k--) sum = sum * ((wide)1 << 32) + part[e][k];
        sums[e] = unit * (double)sum;
    }
}

/* Largest distance of a close pair. Positions moved by lattice vectors have rounding errors of the
 * size of the cell, which may exceed the cutoff. The error of the force goes as 1/distance^3. */
static double close_distance(const enuf_ewald *ewald)
{
    const enuf_parameters *p = &ewald->method.parameters;
    const double *cell = ewald->geometry.cell;
    const double spacing = cbrt(ewald->geometry.volume / (double)ewald->charges.n_charged);
    double size = p->splitting.cutoff;
    for (int e = 0; e < 3; e++)
        size = fmax(size, fabs(cell[e]) + fabs(cell[3 + e]) + fabs(cell[6 + e]));
    const double wider = p->close * cbrt(size / p->splitting.cutoff);
    return fmin(wider, fmax(p->close, 0.25 * spacing));
}

static enuf_pair_request request_for(const enuf_rank_state *m, int wanted, int64_t n_own)
{
    const enuf_ewald *ewald = m->ewald;
    const enuf_atom_arrays *atoms = &m->migration.atoms;
    enuf_pair_request request = enuf_request_pairs(ewald, wanted);
    request.n = atoms->n;
    request.n_ghosts = atoms->n - n_own;
    request.positions = atoms->positions;
    request.given = atoms->given;
    request.charges = atoms->q;
    request.original = atoms->number;
    request.close = close_distance(ewald);
    for (int d = 0; d < 3; d++)
        request.periodic[d] = ewald->options.deterministic || m->migration.domains.count[d] == 1;
    return request;
}

/* A rank without atoms has no pairs. */
static enuf_status sum_here(enuf_rank_state *m, int wanted, int64_t n_own, enuf_pair_sums *pairs)
{
    if (n_own == 0) return ENUF_SUCCESS;
    const enuf_pair_request request = request_for(m, wanted, n_own);
    return m->ewald->backend->pairs_sum(m->ewald->pairs, &request, pairs);
}

static enuf_status bring_home(enuf_rank_state *m, const found *array, int64_t n_own)
{
    if (!array->home) return ENUF_SUCCESS;
    double *sums = *array->array;
    const size_t size = (size_t)array->width * sizeof(double);
    if (!m->ewald->options.deterministic)
        ENUF_TRY(enuf_ghosts_add_back(&m->ranks, &m->ghosts, n_own, array->width, sums));
    const int64_t n = m->ewald->charges.n;
    ENUF_TRY(enuf_ranks_agree(&m->ranks, enuf_array_reserve(&m->home, n, size, array->what)));
    ENUF_TRY(enuf_migrate_back(&m->ranks, &m->migration, size, sums, m->home.at));
    const double *here = m->home.at;
    for (int64_t k = 0; k < n * array->width; k++) array->home[k] += here[k];
    return ENUF_SUCCESS;
}

enuf_status enuf_ranks_sum_pairs(enuf_rank_state *m, int wanted, enuf_ewald_sums *sums)
{
    enuf_ranks *ranks = &m->ranks;
    const int64_t n_own = m->migration.atoms.n;
    const int deterministic = m->ewald->options.deterministic;
    enuf_pair_totals totals = {.unit = 0};
    enuf_pair_sums pairs = {.totals = deterministic ? &totals : NULL};
    found arrays[ARRAYS] = {
#define ENUF_X(BIT, name, width, text) {&m->name, width, &pairs.name, sums->name, text},
        ENUF_ATOM_RESULTS(ENUF_X)
#undef ENUF_X
    };
    ENUF_TRY(enuf_ghosts_fetch(ranks, &m->ghosts, &m->ewald->geometry, &m->migration.domains,
                               m->ewald->method.parameters.splitting.cutoff, deterministic, n_own,
                               &m->migration.atoms));
    enuf_status status = reserve(arrays, m->migration.atoms.n);
    if (status == ENUF_SUCCESS) status = sum_here(m, wanted, n_own, &pairs);
    m->migration.atoms.n = n_own; /* drop the ghosts */
    ENUF_TRY(enuf_ranks_agree(ranks, status));

    double total[7] = {pairs.energy};
    memcpy(total + 1, pairs.virial, sizeof pairs.virial);
    if (deterministic)
        add_totals(ranks, &totals, total);
    else
        ENUF_TRY(enuf_ranks_sum_in_order(ranks, 7, total));
    m->ewald->close_forces = sqrt(pairs.close_forces2 / (double)m->ewald->charges.n_charged);
    sums->parts.real = total[0];
    for (int c = 0; c < 6; c++) sums->virial[c] += total[1 + c];
    for (int k = 0; k < ARRAYS; k++) ENUF_TRY(bring_home(m, &arrays[k], n_own));
    return ENUF_SUCCESS;
}
