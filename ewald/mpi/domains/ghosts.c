/* ghosts.c - see ghosts.h. SPDX-License-Identifier: BSD-3-Clause */
#include "ghosts.h"
#include "memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BINS = ENUF_DOMAIN_BINS };

/* Margin of fractions, so that rounding loses no ghost. */
static const double slack = 1e-9;

enuf_status enuf_ghosts_create(const enuf_ranks *ranks, enuf_ghosts *ghosts)
{
    *ghosts = (enuf_ghosts){0};
    return enuf_exchange_create(ranks, &ghosts->exchange);
}

void enuf_ghosts_release(enuf_ghosts *ghosts)
{
    enuf_exchange_release(&ghosts->exchange);
    enuf_array_release(&ghosts->atom);
    enuf_array_release(&ghosts->sent);
    enuf_array_release(&ghosts->received);
}

/* A search for this rank's atoms near another domain, or near an image of it. */
typedef struct search {
    const enuf_cell_geometry *cell;
    const enuf_domains *domains;
    const enuf_atom_arrays *atoms;
    int64_t n_own;
    int unshifted;
    int me;
    double reach[3]; /* the cutoff in fractions */
    int images[3];   /* shifts to look at: -images ... images */
    int64_t n_found;
    enuf_ghosts *ghosts;
} search;

/* 1 if `other` gets ghosts of `mine` moved by `shift`: the middle of `mine` comes later. */
static int comes_later(const enuf_domain *mine, const int shift[3], int me,
                       const enuf_domain *other, int rank)
{
    for (int d = 2; d >= 0; d--) {
        const int later =
            mine->low[d] + mine->high[d] + 2 * BINS * shift[d] - other->low[d] - other->high[d];
        if (later != 0) return later > 0;
    }
    /* domains without volume may have the same middle */
    for (int d = 2; d >= 0; d--)
        if (shift[d] != 0) return shift[d] > 0;
    return me > rank;
}

/* Bounds of the fractions of atoms that are within reach of a domain after a move by `shift`.
 * Returns 0 if `mine` has no such atoms. */
static int find_bounds(const search *s, const enuf_domain *mine, const int shift[3],
                       const enuf_domain *other, double low[3], double high[3])
{
    for (int d = 0; d < 3; d++) {
        if (other->low[d] == other->high[d]) return 0; /* a domain without bins has no atoms */
        low[d] = (double)other->low[d] / BINS - s->reach[d] - shift[d];
        high[d] = (double)other->high[d] / BINS + s->reach[d] - shift[d];
        if (s->domains->count[d] == 1) {
            low[d] = -INFINITY;
            high[d] = INFINITY;
        }
        if ((double)mine->high[d] / BINS < low[d] - slack ||
            (double)mine->low[d] / BINS > high[d] + slack)
            return 0;
    }
    return 1;
}

static int is_inside(const search *s, const double *x, const double low[3], const double high[3])
{
    for (int d = 0; d < 3; d++) {
        if (s->domains->count[d] == 1) continue;
        const double *inverse = s->cell->inverse;
        double at = x[0] * inverse[d] + x[1] * inverse[3 + d] + x[2] * inverse[6 + d];
        if (s->unshifted) at -= floor(at);
        if (at < low[d] || at > high[d]) return 0;
    }
    return 1;
}

/*
 * A ghost is sent at the caller's position, so that it keeps all digits. The rank that receives it
 * moves it. The low bits of its number say how: the image, and 1 if the atom must be folded first.
 * Systems have less than 2^47 atoms.
 */
enum { SHIFT_BITS = 5, MOST_SHIFT = 1 << (SHIFT_BITS - 1), TAG_BITS = 3 * SHIFT_BITS + 1 };

static int64_t tagged(int64_t number, const int shift[3], int folded)
{
    int64_t tag = number;
    for (int d = 0; d < 3; d++) tag = tag * (1 << SHIFT_BITS) + shift[d] + MOST_SHIFT;
    return tag * 2 + folded;
}

static int64_t read_tag(int64_t tag, int shift[3], int *folded)
{
    *folded = (int)(tag & 1);
    for (int d = 0; d < 3; d++)
        shift[d] =
            (int)(tag >> (TAG_BITS - (d + 1) * SHIFT_BITS) & (2 * MOST_SHIFT - 1)) - MOST_SHIFT;
    return tag >> TAG_BITS;
}

static enuf_migrant ghost_of(const search *s, int64_t atom, const int shift[3])
{
    static const int nowhere[3] = {0, 0, 0};
    const double *given = s->atoms->given + 3 * atom, *at = s->atoms->positions + 3 * atom;
    const int64_t number = s->atoms->number[atom];
    enuf_migrant m = {{given[0], given[1], given[2]}, s->atoms->q[atom], number};
    if (s->unshifted) return m;
    int is_near = 1;
    for (int d = 0; d < 3; d++) is_near = is_near && abs(shift[d]) < MOST_SHIFT;
    m.number = tagged(number, is_near ? shift : nowhere,
                      is_near && memcmp(given, at, 3 * sizeof *at) != 0);
    /* the shift does not fit into the tag: move the atom here, with one rounding */
    for (int e = 0; e < 3 && !is_near; e++) {
        long double x = at[e];
        for (int d = 0; d < 3; d++) x += (long double)shift[d] * s->cell->cell[3 * d + e];
        m.x[e] = (double)x;
    }
    return m;
}

/* Writes received ghosts behind this rank's own atoms. */
static void put_ghosts(const search *s, int64_t n, enuf_atom_arrays *atoms)
{
    const enuf_migrant *received = s->ghosts->received.at;
    for (int64_t k = 0; k < n; k++) {
        int shift[3] = {0, 0, 0}, folded = 0;
        const int64_t number =
            s->unshifted ? received[k].number : read_tag(received[k].number, shift, &folded);
        double vectors[3] = {0, 0, 0};
        if (folded) enuf_vectors_home(s->cell, s->domains->count, received[k].x, vectors);
        for (int d = 0; d < 3; d++) vectors[d] += shift[d];
        enuf_atom_arrays_put(atoms, s->n_own + k, &received[k], number, s->cell, vectors);
    }
}

static enuf_status add_found(search *s, int64_t atom, const int shift[3])
{
    enuf_ghosts *ghosts = s->ghosts;
    ENUF_TRY(enuf_array_extend(&ghosts->atom, s->n_found, s->n_found + 1, sizeof(int64_t),
                               "atoms to send"));
    ENUF_TRY(enuf_array_extend(&ghosts->sent, s->n_found, s->n_found + 1, sizeof(enuf_migrant),
                               "atoms to send"));
    ((int64_t *)ghosts->atom.at)[s->n_found] = atom;
    ((enuf_migrant *)ghosts->sent.at)[s->n_found++] = ghost_of(s, atom, shift);
    return ENUF_SUCCESS;
}

/* Finds the atoms that one image brings near to rank `to`. Marked atoms were found for this rank
 * before. */
static enuf_status find_atoms(search *s, int to, const int shift[3], char *marked)
{
    const enuf_domain *mine = s->domains->domain + s->me, *other = s->domains->domain + to;
    double low[3], high[3];
    if (!s->unshifted && !comes_later(mine, shift, s->me, other, to)) return ENUF_SUCCESS;
    if (!find_bounds(s, mine, shift, other, low, high)) return ENUF_SUCCESS;
    for (int64_t i = 0; i < s->n_own; i++) {
        if (!is_inside(s, s->atoms->positions + 3 * i, low, high)) continue;
        if (marked && marked[i]) continue;
        if (marked) marked[i] = 1;
        ENUF_TRY(add_found(s, i, shift));
    }
    return ENUF_SUCCESS;
}

static enuf_status find_for(search *s, int to, char *marked)
{
    if (s->unshifted && to == s->me) return ENUF_SUCCESS;
    if (marked) memset(marked, 0, (size_t)s->n_own);
    for (int z = -s->images[2]; z <= s->images[2]; z++)
        for (int y = -s->images[1]; y <= s->images[1]; y++)
            for (int x = -s->images[0]; x <= s->images[0]; x++) {
                const int shift[3] = {x, y, z};
                if (to == s->me && x == 0 && y == 0 && z == 0) continue;
                ENUF_TRY(find_atoms(s, to, shift, marked));
            }
    return ENUF_SUCCESS;
}

static enuf_status find_all(const enuf_ranks *ranks, search *s)
{
    char *marked = NULL;
    enuf_status status = ENUF_SUCCESS;
    if (s->unshifted) status = enuf_allocate(&marked, s->n_own, 1, "marks of atoms");
    for (int to = 0; to < ranks->size && status == ENUF_SUCCESS; to++) {
        const int64_t before = s->n_found;
        status = find_for(s, to, marked);
        s->ghosts->exchange.send[to] = s->n_found - before;
    }
    enuf_release(&marked);
    return status;
}

enuf_status enuf_ghosts_fetch(enuf_ranks *ranks, enuf_ghosts *ghosts,
                              const enuf_cell_geometry *cell, const enuf_domains *domains,
                              double cutoff, int unshifted, int64_t n_own, enuf_atom_arrays *atoms)
{
    search s = {.cell = cell,
                .domains = domains,
                .atoms = atoms,
                .n_own = n_own,
                .unshifted = unshifted,
                .me = ranks->rank,
                .ghosts = ghosts};
    for (int d = 0; d < 3; d++) {
        s.reach[d] = cutoff / cell->height[d] * (1 + slack) + slack;
        s.images[d] = domains->count[d] > 1 ? (int)floor(s.reach[d]) + 1 : 0;
    }
    ENUF_TRY(enuf_ranks_agree(ranks, find_all(ranks, &s)));
    enuf_exchange_count(ranks, &ghosts->exchange);
    const int64_t n = ghosts->exchange.n_receive;
    enuf_status status = enuf_atom_arrays_extend(atoms, n_own + n);
    if (status == ENUF_SUCCESS)
        status = enuf_array_reserve(&ghosts->received, n, sizeof(enuf_migrant), "ghosts");
    ENUF_TRY(enuf_ranks_agree(ranks, status));
    enuf_exchange_forth(ranks, &ghosts->exchange, sizeof(enuf_migrant), ghosts->sent.at,
                        ghosts->received.at);
    put_ghosts(&s, n, atoms);
    atoms->n = n_own + n;
    return ENUF_SUCCESS;
}

enuf_status enuf_ghosts_add_back(enuf_ranks *ranks, enuf_ghosts *ghosts, int64_t n_own, int width,
                                 double *sums)
{
    const int64_t n = ghosts->exchange.n_send, *atom = ghosts->atom.at;
    const size_t size = (size_t)width * sizeof *sums;
    ENUF_TRY(enuf_ranks_agree(
        ranks, enuf_array_reserve(&ghosts->sent, n, size, "what is found for ghosts")));
    enuf_exchange_back(ranks, &ghosts->exchange, size, sums + n_own * width, ghosts->sent.at);
    const double *found = ghosts->sent.at;
    for (int64_t k = 0; k < n; k++)
        for (int c = 0; c < width; c++) sums[atom[k] * width + c] += found[k * width + c];
    return ENUF_SUCCESS;
}
