/*
 * sharing_charges.c - charges and exclusions of ranks that share a GPU, in the leaders' numbers.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "object/exclusions_check.h"
#include "memory.h"
#include "mpi/object/calls.h"
#include "mpi/object/rank_state.h"
#include "sharing.h"

#include <math.h>
#include <string.h>

enuf_status enuf_sharing_gather(enuf_sharing *s, const enuf_exchange *route, size_t size,
                                const void *here, enuf_array *all)
{
    enuf_ranks *group = &s->share.group;
    ENUF_TRY(enuf_ranks_agree(&s->ranks, enuf_array_reserve(all, route->n_receive, size,
                                                            "atoms of ranks that share a GPU")));
    enuf_exchange_forth(group, route, size, here, all->at);
    return ENUF_SUCCESS;
}

/* Numbers of the atoms of all ranks, in the callers' count and in the leaders' count. */
static void number(enuf_sharing *s, int64_t n)
{
    enuf_numbering *numbering = &s->next->numbering;
    enuf_ranks *ranks = &s->ranks, *group = &s->share.group;
    int64_t first = 0, led = 0, in_group = 0, of_group = n;
    MPI_Exscan(&n, &first, 1, MPI_INT64_T, MPI_SUM, ranks->comm);
    if (ranks->rank == 0) first = 0; /* MPI_Exscan leaves it undefined on rank 0, also below */
    MPI_Exscan(&n, &in_group, 1, MPI_INT64_T, MPI_SUM, group->comm);
    if (group->rank == 0) in_group = 0;
    enuf_ranks_sum_integers(group, 1, &of_group);
    if (s->share.leads) {
        MPI_Exscan(&of_group, &led, 1, MPI_INT64_T, MPI_SUM, s->share.leaders.comm);
        if (s->share.leaders.rank == 0) led = 0;
    }
    enuf_ranks_from_first(group, (int64_t)sizeof led, &led);
    s->next->led = led;
    s->next->first = in_group;
    s->next->of_group = of_group;
    const enuf_piece mine = {n,
                             {[ENUF_CALLERS_COUNT] = first, [ENUF_LEADERS_COUNT] = led + in_group}};
    MPI_Allgather(&mine, (int)sizeof mine, MPI_BYTE, numbering->by[ENUF_CALLERS_COUNT],
                  (int)sizeof mine, MPI_BYTE, ranks->comm);
    enuf_numbering_sort(numbering, ranks->size);
}

/* Converts exclusions to the leaders' numbers. It checks them first, because errors report the
 * caller's numbers. */
static enuf_status translate(const enuf_sharing *s, const enuf_exclusions *x, int64_t n_all,
                             int64_t *pairs, double *weights)
{
    const enuf_numbering *numbering = &s->next->numbering;
    ENUF_TRY(enuf_exclusions_check(x, n_all));
    for (int64_t k = 0; k < 2 * x->n; k++)
        pairs[k] = enuf_numbering_convert(numbering, ENUF_CALLERS_COUNT, x->pairs[k]);
    for (int64_t k = 0; k < x->n; k++) weights[k] = x->weights ? x->weights[k] : 0;
    return ENUF_SUCCESS;
}

/* Charges and exclusions of a group, for the leaders' set_charges(). */
typedef struct gathered {
    enuf_array q, pairs, weights;
    int64_t *here_pairs;
    double *here_weights;
    enuf_exchange exclusions;
} gathered;

static enuf_status gather_exclusions(enuf_sharing *s, const enuf_exclusions *x, gathered *g)
{
    int64_t n_all = s->next->n;
    enuf_ranks_sum_integers(&s->ranks, 1, &n_all);
    enuf_status status = enuf_exchange_create(&s->share.group, &g->exclusions);
    if (status == ENUF_SUCCESS)
        status = enuf_allocate(&g->here_pairs, 2 * x->n, sizeof *g->here_pairs, "exclusions");
    if (status == ENUF_SUCCESS)
        status = enuf_allocate(&g->here_weights, x->n, sizeof *g->here_weights, "exclusions");
    if (status == ENUF_SUCCESS) status = translate(s, x, n_all, g->here_pairs, g->here_weights);
    ENUF_TRY(enuf_ranks_agree(&s->ranks, status));
    g->exclusions.send[0] = x->n;
    enuf_exchange_count(&s->share.group, &g->exclusions);
    ENUF_TRY(enuf_sharing_gather(s, &g->exclusions, 2 * sizeof(int64_t), g->here_pairs, &g->pairs));
    return enuf_sharing_gather(s, &g->exclusions, sizeof(double), g->here_weights, &g->weights);
}

/* Sets the leaders' charges. During the call, errors report the new numbers of atoms. After an
 * error the former numbers hold again. */
static enuf_status set_led(enuf_sharing *s, int64_t n, const gathered *g)
{
    const enuf_exclusions all = {g->exclusions.n_receive, g->pairs.at, g->weights.at};
    enuf_ewald *leaders = s->leaders;
    enuf_rank_state *m = leaders->on_ranks; /* NULL for a single leader: it needs no second count */
    const enuf_numbering *before = m ? m->numbering : NULL;
    if (m) m->numbering = &s->next->numbering;
    const enuf_status status = leaders->calls->set_charges(leaders, n, g->q.at, &all);
    if (m && status != ENUF_SUCCESS) m->numbering = before;
    return status;
}

static enuf_status set_charges(enuf_sharing *s, int64_t n, const double *charges,
                               const enuf_exclusions *x, gathered *g)
{
    enuf_led_atoms *a = s->next;
    enuf_exchange *route = &a->to_leader;
    a->n = n;
    memset(route->send, 0, (size_t)s->share.group.size * sizeof *route->send);
    route->send[0] = n;
    enuf_exchange_count(&s->share.group, route);
    ENUF_TRY(enuf_sharing_gather(s, route, sizeof *charges, charges, &g->q));
    number(s, n);
    ENUF_TRY(gather_exclusions(s, x, g));
    const enuf_row_share rows = enuf_sharing_rows(s, a);
    ENUF_TRY(enuf_ranks_agree(&s->ranks,
                              enuf_common_array_reserve(&rows, 3, s->leaders, &s->positions)));
    ENUF_TRY(ENUF_LED(s, set_led(s, route->n_receive, g)));
    s->next = s->now;
    s->now = a;
    s->has_room = 0;
    return ENUF_SUCCESS;
}

enuf_status enuf_sharing_set_charges(enuf_ewald *ewald, int64_t n, const double *charges,
                                     const enuf_exclusions *exclusions)
{
    static const enuf_exclusions none;
    enuf_sharing *s = ewald->on_ranks;
    gathered g = {.here_pairs = NULL};
    enuf_status status = enuf_ranks_check_charges(n, charges, exclusions);
    for (int64_t i = 0; i < n && status == ENUF_SUCCESS; i++)
        if (!isfinite(charges[i])) status = enuf_charge_not_finite(i, charges[i]);
    ENUF_TRY(enuf_ranks_agree(&s->ranks, status));
    status = set_charges(s, n, charges, exclusions ? exclusions : &none, &g);
    enuf_array_release(&g.q);
    enuf_array_release(&g.pairs);
    enuf_array_release(&g.weights);
    enuf_release(&g.here_pairs);
    enuf_release(&g.here_weights);
    enuf_exchange_release(&g.exclusions);
    return status;
}
