/*
 * charges.c - the charges of this rank and the reduction of their sums.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "calls.h"
#include "remote_exclusions.h"
#include "memory.h"

#include <string.h>

/* Largest number of atoms of a rank over the mean. Moving atoms costs about a tenth of the work on
 * them. */
static const double BALANCED = 1.1;

enuf_status enuf_ranks_check_charges(int64_t n, const double *charges, const enuf_exclusions *x)
{
    if (n < 0)
        return enuf_fail(ENUF_BAD_ARGUMENT, "n is %lld: it has to be at least 0", (long long)n);
    if (n > 0 && !charges)
        return enuf_fail(ENUF_BAD_ARGUMENT, "charges is NULL, but n is %lld", (long long)n);
    if (x && x->n < 0)
        return enuf_fail(ENUF_BAD_ARGUMENT, "exclusions->n is %lld: it has to be at least 0",
                         (long long)x->n);
    if (x && x->n > 0 && !x->pairs)
        return enuf_fail(ENUF_BAD_ARGUMENT, "exclusions->pairs is NULL, but exclusions->n is %lld",
                         (long long)x->n);
    return ENUF_SUCCESS;
}

/* Copies of the caller's exclusions. */
static enuf_status keep_exclusions(const enuf_exclusions *x, int64_t **pairs, double **weights)
{
    ENUF_TRY(enuf_allocate(pairs, 2 * x->n, sizeof **pairs, "exclusions"));
    ENUF_TRY(enuf_allocate(weights, x->n, sizeof **weights, "exclusions"));
    if (x->n > 0) memcpy(*pairs, x->pairs, 2 * (size_t)x->n * sizeof **pairs);
    for (int64_t k = 0; k < x->n; k++) (*weights)[k] = x->weights ? x->weights[k] : 0;
    return ENUF_SUCCESS;
}

/* The data that set_charges() computes. */
typedef struct given {
    enuf_charge_set set;
    enuf_remote_exclusions remote_exclusions;
    int64_t *pairs;
    double *weights;
} given;

static void release(given *g)
{
    enuf_charge_set_release(&g->set);
    enuf_remote_exclusions_release(&g->remote_exclusions);
    enuf_release(&g->pairs);
    enuf_release(&g->weights);
}

/* Arrays of device memory are copied to the host, because all steps of ranks read them there. */
static enuf_status copy_given(enuf_rank_state *m, int64_t n, const double *charges,
                              const enuf_exclusions *exclusions, given *g)
{
    void *copy = NULL;
    const void *array = charges;
    enuf_status status = enuf_ewald_host_array(m->ewald, n, "charges", &array, &copy);
    if (status == ENUF_SUCCESS) status = enuf_charge_set_copy(m->ewald, n, n, array, &g->set);
    enuf_release(&copy);
    ENUF_TRY(status);
    enuf_host_exclusions x;
    status = enuf_host_exclusions_make(m->ewald, m->reduction.n, exclusions, &x);
    if (status == ENUF_SUCCESS) status = keep_exclusions(&x.list, &g->pairs, &g->weights);
    enuf_host_exclusions_release(&x);
    return status;
}

static enuf_status make(enuf_rank_state *m, int64_t n, const double *charges,
                        const enuf_exclusions *exclusions, given *g)
{
    const enuf_status status = copy_given(m, n, charges, exclusions, g);
    ENUF_TRY(enuf_ranks_agree(&m->ranks, status));
    ENUF_TRY(enuf_ranks_agree(&m->ranks, enuf_charge_set_sum(m->ewald, &g->set)));
    const enuf_exclusions kept = {exclusions->n, g->pairs, g->weights};
    return enuf_remote_exclusions_list(m, &kept, &g->set, &g->remote_exclusions);
}

enuf_status enuf_ranks_set_charges(enuf_ewald *ewald, int64_t n, const double *charges,
                                   const enuf_exclusions *exclusions)
{
    static const enuf_exclusions none;
    enuf_rank_state *m = ewald->on_ranks;
    ENUF_TRY(enuf_ranks_agree(&m->ranks, enuf_ranks_check_charges(n, charges, exclusions)));
    const enuf_reduction before = m->reduction;
    const int64_t first_before = m->first;
    double most = (double)n;
    given g = {.set = {0}};
    m->first = 0;
    m->reduction.n = n;
    MPI_Exscan(&n, &m->first, 1, MPI_INT64_T, MPI_SUM, m->ranks.comm);
    if (m->ranks.rank == 0) m->first = 0; /* MPI_Exscan leaves it undefined on rank 0 */
    enuf_ranks_sum_integers(&m->ranks, 1, &m->reduction.n);
    const enuf_exclusions *x = exclusions ? exclusions : &none;
    const enuf_status status = make(m, n, charges, x, &g);
    if (status != ENUF_SUCCESS) {
        release(&g);
        m->reduction = before;
        m->first = first_before;
        return status;
    }
    enuf_ranks_largest(&m->ranks, 1, &most);
    m->is_balanced = most * m->ranks.size <= BALANCED * (double)m->reduction.n;
    enuf_charge_set_apply(m->ewald, &g.set);
    enuf_remote_exclusions_release(&m->remote_exclusions);
    enuf_release(&m->excluded_pairs);
    enuf_release(&m->excluded_weights);
    m->remote_exclusions = g.remote_exclusions;
    m->excluded_pairs = g.pairs;
    m->excluded_weights = g.weights;
    m->excluded = (enuf_exclusions){x->n, g.pairs, g.weights};
    return ENUF_SUCCESS;
}
