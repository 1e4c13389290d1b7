/*
 * error_scale_ranks.c - all ranks measure the error scale at the positions. With few charges, a
 * sample is compared with exact sums. With many charges, each rank compares its own atoms with
 * another splitting on a finer mesh, which all ranks share. The search is that of one process. All
 * ranks get the same numbers.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "error_scale_ranks.h"
#include "verify/error_scale.h"
#include "verify/tail_at_positions.h"
#include "mpi/object/calls.h"
#include "mpi/evaluate/evaluate.h"
#include "mpi/evaluate/method.h"
#include "memory.h"
#include "sample_ranks.h"

#include <string.h>

typedef struct rank_search {
    enuf_rank_state *m;
    const double *positions;
    int64_t stride;
    enuf_sample sample;     /* all charged atoms of this rank; both references use its forces */
    int is_exact;           /* 1: the reference is `exact` */
    enuf_rank_sample exact; /* a few atoms of all ranks */
} rank_search;

static enuf_status reserve_forces(rank_search *s)
{
    const int64_t n = s->m->ewald->charges.n;
    ENUF_TRY(enuf_allocate(&s->sample.forces, 3 * n, sizeof(double), "forces"));
    return enuf_allocate(&s->sample.potential, n, sizeof(double), "potentials");
}

static enuf_status reserve(rank_search *s)
{
    const enuf_charge_set *set = &s->m->ewald->charges;
    enuf_sample *sample = &s->sample;
    ENUF_TRY(enuf_allocate(&sample->atoms, set->n, sizeof *sample->atoms, "charged atoms"));
    for (int64_t i = 0; i < set->n; i++)
        if (set->q[i] != 0) sample->atoms[sample->n++] = i;
    ENUF_TRY(enuf_allocate(&sample->weight, sample->n, sizeof(double), "charged atoms"));
    for (int64_t k = 0; k < sample->n; k++) sample->weight[k] = 1;
    ENUF_TRY(enuf_allocate(&sample->exact_forces, 3 * sample->n, sizeof(double), "exact forces"));
    return enuf_allocate(&sample->exact_potential, sample->n, sizeof(double), "exact potentials");
}

static enuf_status sum_on_finer_mesh(rank_search *s, enuf_reference reference)
{
    const enuf_rank_state *m = s->m;
    enuf_rank_state *finer = NULL;
    const enuf_charge_set *set = &m->ewald->charges;
    enuf_sample *sample = &s->sample;
    enuf_ewald_options options;
    enuf_finer_options(m->ewald, reference, &options);
    options.decomposition = m->ewald->options.decomposition;
    enuf_ewald_result result = {
        .struct_size = sizeof result, .forces = sample->forces, .potential = sample->potential};
    const enuf_evaluation what = {
        s->positions, s->stride, ENUF_WANT_FORCES | ENUF_WANT_POTENTIAL, 1, 1, &result, ENUF_HOST};
    enuf_status status = enuf_rank_state_make(&m->ranks, &options, m->gpus, &finer);
    if (!status) status = enuf_ranks_set_cell(finer->ewald, m->ewald->cell);
    if (!status) status = enuf_ranks_set_charges(finer->ewald, set->n, set->q, &m->excluded);
    if (!status) status = enuf_ranks_prepare_for(finer, &what);
    if (!status) status = enuf_ranks_sum(finer, &what);
    enuf_rank_state_free(finer);
    ENUF_TRY(status);
    for (int64_t k = 0; k < sample->n; k++) {
        const int64_t i = sample->atoms[k];
        memcpy(sample->exact_forces + 3 * k, sample->forces + 3 * i, 3 * sizeof(double));
        sample->exact_potential[k] = sample->potential[i];
    }
    return ENUF_SUCCESS;
}

static void release(rank_search *s)
{
    enuf_sample_release(&s->sample);
    enuf_rank_sample_release(&s->exact);
    memset(&s->sample, 0, sizeof s->sample);
    memset(&s->exact, 0, sizeof s->exact);
}

static enuf_status choose(void *context)
{
    return enuf_ranks_choose_anew(((rank_search *)context)->m);
}

static enuf_status reduce(void *context, enuf_status mine, int64_t n, double *sums)
{
    enuf_ranks *ranks = &((rank_search *)context)->m->ranks;
    ENUF_TRY(enuf_ranks_agree(ranks, mine));
    enuf_ranks_sum_doubles(ranks, n, sums);
    return ENUF_SUCCESS;
}

static enuf_status measure(void *context, enuf_ewald_error *found)
{
    rank_search *s = context;
    enuf_rank_state *m = s->m;
    const double f_ref = m->ewald->method.parameters.f_ref;
    enuf_ewald_result result = {
        .struct_size = sizeof result, .forces = s->sample.forces, .potential = s->sample.potential};
    const int wanted = ENUF_WANT_FORCES | ENUF_WANT_POTENTIAL |
                       (s->is_exact && s->exact.sample.has_virial ? ENUF_WANT_VIRIAL : 0);
    const enuf_evaluation what = {s->positions, s->stride, wanted, 1, 1, &result, ENUF_HOST};
    ENUF_TRY(enuf_ranks_prepare_for(m, &what));
    ENUF_TRY(enuf_ranks_sum(m, &what));
    if (s->is_exact) {
        enuf_rank_sample_compare(m, s->sample.forces, s->sample.potential, result.virial, &s->exact,
                                 found);
        return ENUF_SUCCESS;
    }
    enuf_sample_sums sums = enuf_sample_sum(f_ref, m->ewald->charges.q, &s->sample);
    double added[5] = {sums.n, sums.off, sums.of_forces, sums.energy, sums.energy_scale};
    ENUF_TRY(enuf_ranks_sum_in_order(&m->ranks, 5, added));
    enuf_ranks_largest(&m->ranks, 1, &sums.worst);
    sums = (enuf_sample_sums){added[0], added[1], added[2], added[3], added[4], sums.worst};
    enuf_sample_error(f_ref, &sums, found);
    /* ranks on machines that round differently must take the same steps */
    enuf_ranks_from_first(&m->ranks, (int64_t)sizeof *found, found);
    return ENUF_SUCCESS;
}

static enuf_status refer(void *context, enuf_reference reference, int64_t size)
{
    rank_search *s = context;
    enuf_ranks *ranks = &s->m->ranks;
    release(s);
    ENUF_TRY(enuf_ranks_agree(ranks, reserve_forces(s)));
    s->is_exact = reference == ENUF_REFERENCE_EXACT;
    if (s->is_exact)
        return enuf_rank_sample_make(s->m, s->positions, s->stride, size, 1, &s->exact);
    ENUF_TRY(enuf_ranks_agree(ranks, reserve(s)));
    return sum_on_finer_mesh(s, reference);
}

static enuf_error_scale_steps steps_of(rank_search *s)
{
    return (enuf_error_scale_steps){.context = s,
                                    .positions = s->positions,
                                    .stride = s->stride,
                                    .choose = choose,
                                    .measure = measure,
                                    .reduce = reduce,
                                    .refer = refer};
}

enuf_status enuf_ranks_find_error_scale(enuf_rank_state *m, const double *positions, int64_t stride)
{
    rank_search s = {.m = m, .positions = positions, .stride = stride};
    const enuf_error_scale_steps steps = steps_of(&s);
    const enuf_status status = enuf_error_scale_run(m->ewald, &steps);
    release(&s);
    return status;
}

/* As verify() of one process; positions are on the host, and finite. */
static enuf_status verify(enuf_rank_state *m, const double *positions, int64_t stride)
{
    rank_search s = {.m = m, .positions = positions, .stride = stride};
    const enuf_error_scale_steps steps = steps_of(&s);
    const enuf_status status = enuf_verification_run(m->ewald, &steps);
    release(&s);
    return status;
}

static enuf_status measure_tail(enuf_rank_state *m, const double *positions, int64_t stride)
{
    rank_search s = {.m = m};
    const enuf_tail_source from = {positions, stride, reduce, &s};
    return enuf_error_scale_may_choose(m->ewald) ? enuf_tail_measure(m->ewald, &from)
                                                 : ENUF_SUCCESS;
}

/* Calls `look` with the positions on the host, after all ranks have checked theirs. */
static enuf_status look_at(enuf_rank_state *m, const double *positions, int64_t stride,
                           enuf_memory memory,
                           enuf_status (*look)(enuf_rank_state *, const double *, int64_t))
{
    double *copy = NULL;
    enuf_status status = enuf_ewald_host_positions(m->ewald, memory, &positions, stride, &copy);
    if (status == ENUF_SUCCESS) status = enuf_ewald_check_positions(m->ewald, positions, stride);
    status = enuf_ranks_agree(&m->ranks, status);
    if (status == ENUF_SUCCESS) status = look(m, positions, stride);
    enuf_release(&copy);
    return status;
}

enuf_status enuf_ranks_verify_at(enuf_rank_state *m, const double *positions, int64_t stride,
                                 enuf_memory memory)
{
    return look_at(m, positions, stride, memory, verify);
}

enuf_status enuf_ranks_measure_tail_at(enuf_rank_state *m, const double *positions, int64_t stride)
{
    return look_at(m, positions, stride, m->ewald->options.memory, measure_tail);
}

enuf_status enuf_ranks_verify_first(enuf_rank_state *m, const enuf_evaluation *what)
{
    if (!enuf_verification_is_due(m->ewald, what)) return ENUF_SUCCESS;
    return enuf_verification_forgive(
        m->ewald, what, enuf_ranks_verify_at(m, what->positions, what->stride, what->memory));
}
