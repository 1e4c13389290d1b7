/* gather.c - the whole system on rank 0, for what only one rank does. SPDX-License-Identifier:
 * BSD-3-Clause */
#include "context.h"
#include "memory.h"

#include <string.h>

/* Items of all ranks, one behind the other, in an array made on rank 0. */
static enuf_status gather(enuf_ewald_mpi *m, int64_t n, size_t size, const void *here, void *array,
                          int64_t *n_all)
{
    enuf_ranks *ranks = &m->ranks;
    enuf_exchange to_first = {0};
    void *all = NULL;
    memset(array, 0, sizeof all);
    enuf_status status = enuf_ranks_agree(ranks, enuf_exchange_create(ranks, &to_first));
    if (status == ENUF_SUCCESS) {
        to_first.send[0] = n;
        enuf_exchange_count(ranks, &to_first);
        *n_all = to_first.n_receive;
        if (ranks->rank == 0) status = enuf_allocate(&all, *n_all, size, "atoms of all ranks");
        status = enuf_ranks_agree(ranks, status);
    }
    if (status == ENUF_SUCCESS) enuf_exchange_forth(ranks, &to_first, size, here, all);
    enuf_exchange_release(&to_first);
    if (status != ENUF_SUCCESS) enuf_release(&all);
    memcpy(array, &all, sizeof all);
    return status;
}

/* The same of this rank's atoms, in the callers' order. */
static enuf_status gather_atoms(enuf_ewald_mpi *m, size_t size, const void *here, void *array,
                                int64_t *n)
{
    void *as_leaders = NULL, *all = NULL;
    const int64_t n_here = m->ewald->charges.n;
    if (!m->numbering) return gather(m, n_here, size, here, array, n);
    memset(array, 0, sizeof all);
    ENUF_TRY(gather(m, n_here, size, here, &as_leaders, n));
    enuf_status status = ENUF_SUCCESS;
    if (m->ranks.rank == 0) status = enuf_allocate(&all, *n, size, "atoms of all ranks");
    if (all) enuf_numbering_arrange(m->numbering, *n, size, as_leaders, all);
    enuf_release(&as_leaders);
    memcpy(array, &all, sizeof all);
    return enuf_ranks_agree(&m->ranks, status);
}

static enuf_status pack(int64_t n, const double *positions, int64_t stride, double **packed)
{
    ENUF_TRY(enuf_allocate(packed, 3 * n, sizeof **packed, "positions"));
    for (int64_t i = 0; i < n; i++)
        memcpy(*packed + 3 * i, positions + i * stride, 3 * sizeof **packed);
    return ENUF_SUCCESS;
}

/* What rank 0 makes the object of. */
typedef struct whole {
    double *positions, *q, *weights;
    int64_t *pairs, n, n_pairs;
} whole;

static enuf_status gather_all(enuf_ewald_mpi *m, const double *positions, int64_t stride, whole *w)
{
    const enuf_charge_set *set = &m->ewald->charges;
    double *packed = NULL;
    int64_t n;
    enuf_status status = enuf_ranks_agree(&m->ranks, pack(set->n, positions, stride, &packed));
    if (status == ENUF_SUCCESS)
        status = gather_atoms(m, 3 * sizeof(double), packed, &w->positions, &n);
    enuf_release(&packed);
    ENUF_TRY(status);
    ENUF_TRY(gather_atoms(m, sizeof(double), set->q, &w->q, &w->n));
    ENUF_TRY(
        gather(m, m->excluded.n, 2 * sizeof(int64_t), m->excluded_pairs, &w->pairs, &w->n_pairs));
    for (int64_t k = 0; w->pairs && k < 2 * w->n_pairs; k++)
        w->pairs[k] = enuf_numbering_convert(m->numbering, ENUF_LEADERS_COUNT, w->pairs[k]);
    return gather(m, m->excluded.n, sizeof(double), m->excluded_weights, &w->weights, &n);
}

static enuf_status make(const enuf_ewald_mpi *m, const whole *w, enuf_ewald **alone)
{
    const enuf_exclusions exclusions = {w->n_pairs, w->pairs, w->weights};
    enuf_ewald_options options = m->ewald->options;
    options.memory = ENUF_HOST; /* where they have been gathered */
    if (m->ewald->settles_arithmetic) options.arithmetic = ENUF_ARITHMETIC_AUTO;
    ENUF_TRY(enuf_ewald_create(&options, alone));
    (*alone)->costs = m->ewald->costs; /* the options no longer name the file that they come from */
    ENUF_TRY(enuf_ewald_set_cell(*alone, m->ewald->cell));
    return enuf_ewald_set_charges(*alone, w->n, w->q, w->n_pairs > 0 ? &exclusions : NULL);
}

enuf_status enuf_gather_system(enuf_ewald_mpi *m, const double *positions, int64_t stride,
                               enuf_ewald **alone, double **all_positions)
{
    whole w = {.n = 0};
    *alone = NULL;
    *all_positions = NULL;
    enuf_status status = gather_all(m, positions, stride, &w);
    if (status == ENUF_SUCCESS)
        status =
            enuf_ranks_agree(&m->ranks, m->ranks.rank == 0 ? make(m, &w, alone) : ENUF_SUCCESS);
    if (status == ENUF_SUCCESS) {
        *all_positions = w.positions;
        w.positions = NULL;
    } else {
        enuf_ewald_destroy(alone);
    }
    enuf_release(&w.positions);
    enuf_release(&w.q);
    enuf_release(&w.pairs);
    enuf_release(&w.weights);
    return status;
}

enuf_status enuf_gather_array(enuf_ewald_mpi *m, int width, const double *here, double *all)
{
    double *gathered = NULL;
    int64_t n;
    const size_t size = (size_t)width * sizeof *here;
    ENUF_TRY(gather(m, m->ewald->charges.n, size, here, &gathered, &n));
    if (gathered) enuf_numbering_arrange(m->numbering, n, size, gathered, all);
    enuf_release(&gathered);
    return ENUF_SUCCESS;
}
