/*
 * remote_exclusions.c - excluded pairs on many ranks. Each pair is listed at both of its atoms, on
 * the ranks that have them. A rank stores its own atoms, then copies of the remote atoms of its
 * pairs.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "remote_exclusions.h"
#include "object/exclusions_check.h"
#include "memory.h"

#include <stdlib.h>
#include <string.h>

/* An excluded pair in the list of one of its atoms. */
typedef struct share {
    int64_t own, other; /* numbers among the atoms of all ranks */
    double removed;     /* 1 - weight */
} share;

void enuf_remote_exclusions_release(enuf_remote_exclusions *remote)
{
    enuf_exchange_release(&remote->exchange);
    enuf_release(&remote->requested);
    enuf_array_release(&remote->positions);
    enuf_array_release(&remote->sent);
    remote->n = 0;
}

/* The rank of an atom: the last rank whose first atom is not behind it. */
static int home_of_atom(const int64_t *first, int ranks, int64_t atom)
{
    int low = 0, high = ranks - 1;
    while (low < high) {
        const int middle = (low + high + 1) / 2;
        if (first[middle] <= atom)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

static int by_own(const void *a, const void *b)
{
    const share *p = a, *q = b;
    if (p->own != q->own) return p->own < q->own ? -1 : 1;
    return (p->other > q->other) - (p->other < q->other);
}

static int ascending(const void *a, const void *b)
{
    const int64_t i = *(const int64_t *)a, j = *(const int64_t *)b;
    return (i > j) - (i < j);
}

/* Lists during their construction. */
typedef struct listing {
    enuf_rank_state *m;
    int64_t *first;       /* [ranks] */
    enuf_exchange route;  /* of shares */
    share *sent, *shares; /* shares: [n] of own atoms */
    int64_t n;
    int64_t *wanted; /* remote atoms, ascending: [n_wanted] */
    int64_t n_wanted;
} listing;

static void release(listing *l)
{
    enuf_release(&l->first);
    enuf_exchange_release(&l->route);
    enuf_release(&l->sent);
    enuf_release(&l->shares);
    enuf_release(&l->wanted);
}

/* Both shares of each pair, in the order of the ranks that receive them. */
static enuf_status route_shares(listing *l, const enuf_exclusions *x)
{
    const int ranks = l->m->ranks.size;
    int64_t *place = NULL;
    ENUF_TRY(enuf_exclusions_check(x, l->m->reduction.n));
    ENUF_TRY(enuf_exchange_create(&l->m->ranks, &l->route));
    ENUF_TRY(enuf_allocate(&l->sent, 2 * x->n, sizeof *l->sent, "exclusions"));
    ENUF_TRY(enuf_allocate(&place, ranks, sizeof *place, "exclusions"));
    for (int64_t e = 0; e < 2 * x->n; e++)
        l->route.send[home_of_atom(l->first, ranks, x->pairs[e])]++;
    place[0] = 0;
    for (int r = 1; r < ranks; r++) place[r] = place[r - 1] + l->route.send[r - 1];
    for (int64_t e = 0; e < 2 * x->n; e++)
        l->sent[place[home_of_atom(l->first, ranks, x->pairs[e])]++] =
            (share){x->pairs[e], x->pairs[e ^ 1], 1 - x->weights[e / 2]};
    enuf_release(&place);
    return ENUF_SUCCESS;
}

static int is_own(const listing *l, const enuf_charge_set *set, int64_t atom)
{
    return atom >= l->m->first && atom < l->m->first + set->n;
}

/* Makes the lists of own atoms, still with numbers of atoms, and the list of remote atoms. */
static enuf_status list_shares(listing *l, enuf_charge_set *set)
{
    const enuf_numbering *numbering = l->m->numbering;
    ENUF_TRY(enuf_allocate(&set->first, set->n + 1, sizeof *set->first, "exclusions"));
    ENUF_TRY(enuf_allocate(&set->partner, l->n, sizeof *set->partner, "exclusions"));
    ENUF_TRY(enuf_allocate(&set->removed, l->n, sizeof *set->removed, "exclusions"));
    ENUF_TRY(enuf_allocate(&l->wanted, l->n, sizeof *l->wanted, "exclusions"));
    if (l->n > 0) qsort(l->shares, (size_t)l->n, sizeof *l->shares, by_own);
    int64_t at = 0;
    for (int64_t i = 0; i < set->n; i++) {
        set->first[i] = at;
        while (at < l->n && l->shares[at].own == l->m->first + i) at++;
    }
    set->first[set->n] = at;
    for (int64_t k = 0; k < l->n; k++) {
        const share *s = l->shares + k;
        if (k > 0 && s->own == s[-1].own && s->other == s[-1].other)
            return enuf_fail(
                ENUF_BAD_ARGUMENT, "the pair (%lld, %lld) is excluded twice: list each pair once",
                (long long)enuf_numbering_convert(numbering, ENUF_LEADERS_COUNT, s->own),
                (long long)enuf_numbering_convert(numbering, ENUF_LEADERS_COUNT, s->other));
        set->partner[k] = s->other;
        set->removed[k] = s->removed;
        if (!is_own(l, set, s->other)) l->wanted[l->n_wanted++] = s->other;
    }
    if (l->n_wanted > 0) qsort(l->wanted, (size_t)l->n_wanted, sizeof *l->wanted, ascending);
    int64_t different = 0;
    for (int64_t k = 0; k < l->n_wanted; k++)
        if (k == 0 || l->wanted[k] != l->wanted[k - 1]) l->wanted[different++] = l->wanted[k];
    l->n_wanted = different;
    return ENUF_SUCCESS;
}

/* Replaces numbers by places: own atoms first, then remote atoms. */
static void number_places(const listing *l, enuf_charge_set *set)
{
    for (int64_t k = 0; k < l->n; k++) {
        int64_t *partner = set->partner + k;
        if (is_own(l, set, *partner)) {
            *partner -= l->m->first;
            continue;
        }
        const int64_t *found =
            bsearch(partner, l->wanted, (size_t)l->n_wanted, sizeof *l->wanted, ascending);
        *partner = set->n + (found - l->wanted);
    }
}

/* Requests the remote atoms from their ranks. Their charges are sent now, their positions with each
 * evaluation. */
static enuf_status request_partners(listing *l, enuf_charge_set *set, enuf_remote_exclusions *p)
{
    enuf_ranks *ranks = &l->m->ranks;
    double *q = NULL, *sent = NULL;
    p->n = l->n_wanted;
    enuf_status status = enuf_exchange_create(ranks, &p->exchange);
    if (status == ENUF_SUCCESS)
        status = enuf_allocate(&q, set->n + p->n, sizeof *q, "charges of partners");
    status = enuf_ranks_agree(ranks, status);
    if (status != ENUF_SUCCESS) {
        enuf_release(&q);
        return status;
    }
    for (int64_t k = 0; k < p->n; k++)
        p->exchange.send[home_of_atom(l->first, ranks->size, l->wanted[k])]++;
    enuf_exchange_count(ranks, &p->exchange);
    const int64_t n_requested = p->exchange.n_receive;
    status = enuf_allocate(&p->requested, n_requested, sizeof *p->requested, "atoms requested");
    if (status == ENUF_SUCCESS)
        status = enuf_allocate(&sent, n_requested, sizeof *sent, "charges of partners");
    status = enuf_ranks_agree(ranks, status);
    if (status == ENUF_SUCCESS) {
        enuf_exchange_forth(ranks, &p->exchange, sizeof *p->requested, l->wanted, p->requested);
        for (int64_t k = 0; k < n_requested; k++) {
            p->requested[k] -= l->m->first;
            sent[k] = set->q[p->requested[k]];
        }
        if (set->n > 0) memcpy(q, set->q, (size_t)set->n * sizeof *q);
        enuf_exchange_back(ranks, &p->exchange, sizeof *sent, sent, q + set->n);
        enuf_release(&set->q);
        set->q = q;
    } else {
        enuf_release(&q);
    }
    enuf_release(&sent);
    return status;
}

static enuf_status list(listing *l, const enuf_exclusions *x, enuf_charge_set *set,
                        enuf_remote_exclusions *remote)
{
    enuf_ranks *ranks = &l->m->ranks;
    enuf_status status =
        enuf_allocate(&l->first, ranks->size, sizeof *l->first, "numbers of ranks' atoms");
    ENUF_TRY(enuf_ranks_agree(ranks, status));
    MPI_Allgather(&l->m->first, 1, MPI_INT64_T, l->first, 1, MPI_INT64_T, ranks->comm);
    ENUF_TRY(enuf_ranks_agree(ranks, route_shares(l, x)));
    enuf_exchange_count(ranks, &l->route);
    l->n = l->route.n_receive;
    ENUF_TRY(
        enuf_ranks_agree(ranks, enuf_allocate(&l->shares, l->n, sizeof *l->shares, "exclusions")));
    enuf_exchange_forth(ranks, &l->route, sizeof(share), l->sent, l->shares);
    ENUF_TRY(enuf_ranks_agree(ranks, list_shares(l, set)));
    number_places(l, set);
    return request_partners(l, set, remote);
}

enuf_status enuf_remote_exclusions_list(enuf_rank_state *m, const enuf_exclusions *exclusions,
                                        enuf_charge_set *set, enuf_remote_exclusions *remote)
{
    int64_t n = exclusions->n;
    enuf_ranks_sum_integers(&m->ranks, 1, &n);
    if (n == 0) return ENUF_SUCCESS;
    listing l = {.m = m};
    const enuf_status status = list(&l, exclusions, set, remote);
    release(&l);
    /* of all ranks, because every rank takes part in the exchange of positions */
    set->n_excluded = n;
    return status;
}

enuf_status enuf_remote_exclusions_positions(enuf_rank_state *m, const enuf_evaluation *what,
                                             const double **positions)
{
    enuf_remote_exclusions *p = &m->remote_exclusions;
    const int64_t n = m->ewald->charges.n, n_requested = p->exchange.n_receive;
    enuf_status status =
        enuf_array_reserve(&p->positions, n + p->n, 3 * sizeof(double), "positions of partners");
    if (status == ENUF_SUCCESS)
        status = enuf_array_reserve(&p->sent, n_requested, 3 * sizeof(double), "atoms requested");
    ENUF_TRY(enuf_ranks_agree(&m->ranks, status));
    double *all = p->positions.at, *sent = p->sent.at;
    for (int64_t i = 0; i < n; i++)
        memcpy(all + 3 * i, what->positions + i * what->stride, 3 * sizeof *all);
    for (int64_t k = 0; k < n_requested; k++)
        memcpy(sent + 3 * k, all + 3 * p->requested[k], 3 * sizeof *all);
    enuf_exchange_back(&m->ranks, &p->exchange, 3 * sizeof *all, sent, all + 3 * n);
    *positions = all;
    return ENUF_SUCCESS;
}
