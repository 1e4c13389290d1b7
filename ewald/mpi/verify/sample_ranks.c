/* sample_ranks.c - see sample_ranks.h. SPDX-License-Identifier: BSD-3-Clause */
#include "sample_ranks.h"
#include "exact_ranks.h"
#include "memory.h"

#include <stdlib.h>
#include <string.h>

static const char what[] = "sample of atoms";

void enuf_rank_sample_release(enuf_rank_sample *s)
{
    enuf_release(&s->number);
    enuf_release(&s->q);
    enuf_sample_release(&s->sample);
}

/* ---- Drawing ---- */

/* A drawn atom. */
typedef struct drawn_atom {
    int64_t number;
    double weight;
} drawn_atom;

typedef struct drawing {
    double *key, *weight; /* [charges here] */
    drawn_atom *here, *all;
    int *count, *place; /* [ranks] */
} drawing;

static void release(drawing *d)
{
    enuf_release(&d->key);
    enuf_release(&d->weight);
    enuf_release(&d->here);
    enuf_release(&d->all);
    enuf_release(&d->count);
    enuf_release(&d->place);
}

static int by_number(const void *a, const void *b)
{
    const drawn_atom *p = a, *q = b;
    return (p->number > q->number) - (p->number < q->number);
}

static enuf_status reserve_keys(const enuf_rank_state *m, drawing *d)
{
    const int64_t n = m->ewald->charges.n;
    ENUF_TRY(enuf_allocate(&d->key, n, sizeof *d->key, what));
    ENUF_TRY(enuf_allocate(&d->weight, n, sizeof *d->weight, what));
    ENUF_TRY(enuf_allocate(&d->count, m->ranks.size, sizeof *d->count, what));
    return enuf_allocate(&d->place, m->ranks.size, sizeof *d->place, what);
}

static int64_t count_here(const enuf_rank_state *m, const drawing *d, double last)
{
    int64_t n = 0;
    for (int64_t i = 0; i < m->ewald->charges.n; i++) n += d->key[i] <= last;
    return n;
}

/* Allocates a sample of n atoms; n_here of them are on this rank. */
static enuf_status reserve(int64_t n_here, int64_t n, drawing *d, enuf_rank_sample *made)
{
    enuf_sample *s = &made->sample;
    if (n > INT32_MAX)
        return enuf_fail(ENUF_UNSUPPORTED, "a sample of %lld atoms: ranks draw up to 2^31",
                         (long long)n);
    ENUF_TRY(enuf_allocate(&d->here, n_here, sizeof *d->here, what));
    ENUF_TRY(enuf_allocate(&d->all, n, sizeof *d->all, what));
    ENUF_TRY(enuf_allocate(&made->number, n, sizeof *made->number, what));
    ENUF_TRY(enuf_allocate(&made->q, n, sizeof *made->q, "charges of the sample"));
    ENUF_TRY(enuf_allocate(&s->atoms, n, sizeof *s->atoms, what));
    ENUF_TRY(enuf_allocate(&s->weight, n, sizeof *s->weight, what));
    ENUF_TRY(enuf_allocate(&s->forces, 3 * n, sizeof(double), "forces of the sample"));
    ENUF_TRY(enuf_allocate(&s->potential, n, sizeof(double), "potentials of the sample"));
    ENUF_TRY(enuf_allocate(&s->exact_forces, 3 * n, sizeof(double), "exact forces"));
    return enuf_allocate(&s->exact_potential, n, sizeof(double), "exact potentials");
}

/* Collective: sends the atoms drawn here to all ranks. */
static void share(enuf_rank_state *m, double last, int n_here, drawing *d)
{
    int before = 0;
    MPI_Datatype item;
    for (int64_t i = 0, k = 0; i < m->ewald->charges.n; i++)
        if (d->key[i] <= last) d->here[k++] = (drawn_atom){enuf_number_of_atom(m, i), d->weight[i]};
    MPI_Allgather(&n_here, 1, MPI_INT, d->count, 1, MPI_INT, m->ranks.comm);
    for (int r = 0; r < m->ranks.size; r++) {
        d->place[r] = before;
        before += d->count[r];
    }
    MPI_Type_contiguous((int)sizeof(drawn_atom), MPI_BYTE, &item);
    MPI_Type_commit(&item);
    MPI_Allgatherv(d->here, n_here, item, d->all, d->count, d->place, item, m->ranks.comm);
    MPI_Type_free(&item);
}

static enuf_status draw(enuf_rank_state *m, const double *positions, int64_t stride, int64_t size,
                        uint64_t seed, drawing *d, enuf_rank_sample *made)
{
    enuf_sample *s = &made->sample;
    const enuf_sample_source source = {&m->ewald->charges, m->ewald->reduction, &m->ewald->geometry,
                                       positions, stride};
    ENUF_TRY(enuf_ranks_agree(&m->ranks, reserve_keys(m, d)));
    const double last = enuf_sample_find_keys(&source, size, seed, d->key, d->weight);
    const int64_t n_here = count_here(m, d, last);
    s->n = n_here;
    enuf_ranks_sum_integers(&m->ranks, 1, &s->n);
    ENUF_TRY(enuf_ranks_agree(&m->ranks, reserve(n_here, s->n, d, made)));
    share(m, last, (int)n_here, d);
    if (s->n > 0) qsort(d->all, (size_t)s->n, sizeof *d->all, by_number);
    for (int64_t k = 0; k < s->n; k++) {
        s->atoms[k] = k;
        made->number[k] = d->all[k].number;
        s->weight[k] = d->all[k].weight;
    }
    enuf_sample_scale_weights(s->n, s->weight);
    return ENUF_SUCCESS;
}

enuf_status enuf_rank_sample_make(enuf_rank_state *m, const double *positions, int64_t stride,
                                  int64_t size, uint64_t seed, enuf_rank_sample *made)
{
    drawing d = {.key = NULL};
    enuf_sample *s = &made->sample;
    memset(made, 0, sizeof *made);
    struct {
        int64_t size;
        uint64_t seed;
    } of_first = {size, seed};
    enuf_ranks_from_first(&m->ranks, (int64_t)sizeof of_first, &of_first);
    const enuf_status status = draw(m, positions, stride, of_first.size, of_first.seed, &d, made);
    release(&d);
    ENUF_TRY(status);
    const enuf_exact_atoms atoms = {
        s->n, made->number, made->q, s->exact_forces, s->exact_potential, s->exact_virial};
    s->has_virial = s->n == m->ewald->charges.n_charged;
    return enuf_ranks_sum_exactly(m, positions, stride, &atoms);
}

/* ---- Comparing ---- */

void enuf_rank_sample_compare(enuf_rank_state *m, const double *forces, const double *potential,
                              const double virial[6], const enuf_rank_sample *of,
                              enuf_ewald_error *found)
{
    const enuf_sample *s = &of->sample;
    for (int64_t k = 0; k < s->n; k++) {
        const int64_t i = enuf_atom_of_number(m, of->number[k]);
        const int own = i >= 0;
        for (int d = 0; d < 3; d++) s->forces[3 * k + d] = own ? forces[3 * i + d] : 0;
        s->potential[k] = own ? potential[i] : 0;
    }
    enuf_ranks_sum_doubles(&m->ranks, 3 * s->n, s->forces);
    enuf_ranks_sum_doubles(&m->ranks, s->n, s->potential);
    enuf_sample_compare(m->ewald->method.parameters.f_ref, of->q, s, virial, found);
    /* ranks on machines that round differently must have the same errors */
    enuf_ranks_from_first(&m->ranks, (int64_t)sizeof *found, found);
}
