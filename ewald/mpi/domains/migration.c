/* migration.c - see migration.h. SPDX-License-Identifier: BSD-3-Clause */
#include "migration.h"
#include "memory.h"

#include <math.h>
#include <string.h>

enuf_status enuf_atom_arrays_extend(enuf_atom_arrays *atoms, int64_t n)
{
    static const char what[] = "atoms of a domain";
    ENUF_TRY(enuf_array_extend(&atoms->room[0], atoms->n, n, 3 * sizeof(double), what));
    ENUF_TRY(enuf_array_extend(&atoms->room[1], atoms->n, n, sizeof(double), what));
    ENUF_TRY(enuf_array_extend(&atoms->room[2], atoms->n, n, sizeof(int64_t), what));
    ENUF_TRY(enuf_array_extend(&atoms->room[3], atoms->n, n, 3 * sizeof(double), what));
    atoms->positions = atoms->room[0].at;
    atoms->q = atoms->room[1].at;
    atoms->number = atoms->room[2].at;
    atoms->given = atoms->room[3].at;
    return ENUF_SUCCESS;
}

void enuf_atom_arrays_put(enuf_atom_arrays *atoms, int64_t at, const enuf_migrant *migrant,
                          int64_t number, const enuf_cell_geometry *cell, const double *vectors)
{
    for (int e = 0; e < 3; e++) {
        long double x = atoms->given[3 * at + e] = migrant->x[e];
        for (int d = 0; d < 3 && vectors; d++) x += (long double)vectors[d] * cell->cell[3 * d + e];
        atoms->positions[3 * at + e] = (double)x;
    }
    atoms->q[at] = migrant->q;
    atoms->number[at] = number;
}

static void release_arrays(enuf_atom_arrays *atoms)
{
    for (int k = 0; k < 4; k++) enuf_array_release(&atoms->room[k]);
    *atoms = (enuf_atom_arrays){0};
}

enuf_status enuf_migration_create(const enuf_ranks *ranks, const int count[3],
                                  enuf_migration *migration)
{
    *migration = (enuf_migration){0};
    ENUF_TRY(enuf_exchange_create(ranks, &migration->exchange));
    return enuf_domains_create(ranks, count, &migration->domains);
}

void enuf_migration_release(enuf_migration *migration)
{
    enuf_domains_release(&migration->domains);
    enuf_exchange_release(&migration->exchange);
    release_arrays(&migration->atoms);
    enuf_array_release(&migration->bin);
    enuf_array_release(&migration->slot);
    enuf_array_release(&migration->outside);
    enuf_array_release(&migration->sent);
    enuf_array_release(&migration->received);
    *migration = (enuf_migration){0};
}

/* Larger fractions have less than 13 bits behind the point, even in long double. */
static const double farthest = 0x1p50;

/* One function for all callers, not inlined: a fraction near a face has the same rounding
 * everywhere. */
static __attribute__((noinline)) void find_fractions(const enuf_cell_geometry *cell,
                                                     const double *x, double s[3])
{
    for (int d = 0; d < 3; d++)
        s[d] = x[0] * cell->inverse[d] + x[1] * cell->inverse[3 + d] + x[2] * cell->inverse[6 + d];
}

char enuf_bin_of(const enuf_cell_geometry *cell, const double *x, int16_t bin[3])
{
    int outside = 0;
    double s[3];
    find_fractions(cell, x, s);
    for (int d = 0; d < 3; d++) {
        const double at = (s[d] - floor(s[d])) * ENUF_DOMAIN_BINS;
        if (!(s[d] >= 0 && s[d] < 1))
            outside |= fabs(s[d]) <= farthest ? ENUF_OUTSIDE : ENUF_TOO_FAR;
        bin[d] = (int16_t)(at > 0 ? (at < ENUF_DOMAIN_BINS ? at : ENUF_DOMAIN_BINS - 1) : 0);
    }
    return (char)outside;
}

void enuf_vectors_home(const enuf_cell_geometry *cell, const int count[3], const double *x,
                       double vectors[3])
{
    double s[3];
    find_fractions(cell, x, s);
    for (int d = 0; d < 3; d++) vectors[d] = count[d] == 1 ? 0 : -floor(s[d]);
}

static enuf_status reserve_home(enuf_migration *m, int64_t n)
{
    ENUF_TRY(enuf_array_reserve(&m->bin, n, 3 * sizeof(int16_t), "domains of atoms"));
    ENUF_TRY(enuf_array_reserve(&m->slot, n, sizeof(int64_t), "places of atoms"));
    ENUF_TRY(enuf_array_reserve(&m->outside, n, 1, "marks of atoms"));
    return enuf_array_reserve(&m->sent, n, sizeof(enuf_migrant), "atoms to send");
}

static enuf_status find_bins(enuf_migration *m, const enuf_cell_geometry *cell, int64_t n,
                             const double *positions, int64_t stride, int64_t first)
{
    int16_t *bin = m->bin.at;
    char *outside = m->outside.at;
    m->n_home = n;
    for (int64_t i = 0; i < n; i++) {
        const double *x = positions + i * stride;
        outside[i] = enuf_bin_of(cell, x, bin + 3 * i);
        if (outside[i] & ENUF_TOO_FAR)
            return enuf_fail(ENUF_BAD_ARGUMENT,
                             "atom %lld: position (%g, %g, %g) is more than %.3g cell vectors away "
                             "from the origin: fold it first",
                             (long long)(first + i), x[0], x[1], x[2], farthest);
    }
    return ENUF_SUCCESS;
}

/* Writes the atoms into the array to send. Atoms to be folded get a negative number. */
static void pack(enuf_migration *m, const double *positions, int64_t stride, const double *q,
                 int64_t first, int fold)
{
    const int64_t *slot = m->slot.at;
    const char *outside = m->outside.at;
    enuf_migrant *sent = m->sent.at;
    for (int64_t i = 0; i < m->n_home; i++) {
        const double *x = positions + i * stride;
        const int64_t number = first + i;
        sent[slot[i]] =
            (enuf_migrant){{x[0], x[1], x[2]}, q[i], fold && outside[i] ? -1 - number : number};
    }
}

static void unpack(enuf_migration *m, const enuf_cell_geometry *cell)
{
    const enuf_migrant *received = m->received.at;
    for (int64_t i = 0; i < m->atoms.n; i++) {
        const int64_t number = received[i].number;
        double vectors[3];
        if (number < 0) enuf_vectors_home(cell, m->domains.count, received[i].x, vectors);
        enuf_atom_arrays_put(&m->atoms, i, &received[i], number < 0 ? -1 - number : number, cell,
                             number < 0 ? vectors : NULL);
    }
}

static enuf_status reserve_domain(enuf_migration *m, int64_t n)
{
    m->atoms.n = 0;
    ENUF_TRY(enuf_atom_arrays_extend(&m->atoms, n));
    return enuf_array_reserve(&m->received, n, sizeof(enuf_migrant), "atoms to receive");
}

/* Finds the rank of each atom and its place among those sent. */
static void find_places(const enuf_ranks *ranks, enuf_migration *m, int64_t n)
{
    const int16_t *bin = m->bin.at;
    int64_t *slot = m->slot.at, *send = m->exchange.send;
    memset(send, 0, (size_t)ranks->size * sizeof *send);
    for (int64_t i = 0; i < n; i++) {
        slot[i] = enuf_domains_rank(&m->domains, bin + 3 * i);
        send[slot[i]]++;
    }
    /* send[] holds places during the loop, counts after it */
    int64_t place = 0;
    for (int r = 0; r < ranks->size; r++) {
        const int64_t count = send[r];
        send[r] = place;
        place += count;
    }
    for (int64_t i = 0; i < n; i++) slot[i] = send[slot[i]]++;
    for (int r = ranks->size - 1; r > 0; r--) send[r] -= send[r - 1];
}

enuf_status enuf_migrate(enuf_ranks *ranks, enuf_migration *m, const enuf_cell_geometry *cell,
                         int64_t n, const double *positions, int64_t stride, const double *q,
                         int64_t first, int fold)
{
    enuf_status status = reserve_home(m, n);
    if (status == ENUF_SUCCESS) status = find_bins(m, cell, n, positions, stride, first);
    ENUF_TRY(enuf_ranks_agree(ranks, status));
    enuf_domains_cut(ranks, &m->domains, n, m->bin.at);
    find_places(ranks, m, n);
    pack(m, positions, stride, q, first, fold);
    enuf_exchange_count(ranks, &m->exchange);
    ENUF_TRY(enuf_ranks_agree(ranks, reserve_domain(m, m->exchange.n_receive)));
    enuf_exchange_forth(ranks, &m->exchange, sizeof(enuf_migrant), m->sent.at, m->received.at);
    m->atoms.n = m->exchange.n_receive;
    unpack(m, cell);
    return ENUF_SUCCESS;
}

enuf_status enuf_migrate_back(enuf_ranks *ranks, enuf_migration *m, size_t size, const void *found,
                              void *home)
{
    const int64_t *slot = m->slot.at;
    ENUF_TRY(enuf_ranks_agree(
        ranks, enuf_array_reserve(&m->sent, m->exchange.n_send, size, "results of atoms")));
    enuf_exchange_back(ranks, &m->exchange, size, found, m->sent.at);
    for (int64_t i = 0; i < m->n_home; i++)
        memcpy((char *)home + (size_t)i * size, (const char *)m->sent.at + (size_t)slot[i] * size,
               size);
    return ENUF_SUCCESS;
}
