/*
 * calibrate_ranks.c - the error estimate made true for the positions by all ranks. Of few charges a
 * sample is compared with exact sums; of many each rank compares its own atoms with another
 * splitting on a finer mesh, which is shared as well. The search is that of one process, and its
 * numbers are the same on all ranks.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "calibration.h"
#include "context.h"
#include "memory.h"
#include "sample_ranks.h"

#include <string.h>

typedef struct rank_search {
    enuf_ewald_mpi *m;
    const double *positions;
    int64_t stride;
    enuf_sample sample;     /* all charged atoms of this rank; its forces serve either way */
    int is_exact;           /* the reference is: */
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

static enuf_status sum_on_finer_mesh(rank_search *s)
{
    enuf_ewald_mpi *m = s->m, *finer = NULL;
    const enuf_charge_set *set = &m->ewald->charges;
    enuf_sample *sample = &s->sample;
    enuf_ewald_mpi_options options;
    enuf_ewald_mpi_options_init(&options);
    enuf_finer_options(m->ewald, &options.ewald);
    options.decomposition = m->asked;
    enuf_ewald_result result = {
        .struct_size = sizeof result, .forces = sample->forces, .potential = sample->potential};
    enuf_status status = enuf_ewald_mpi_create(m->ranks.comm, &options, &finer);
    if (!status) status = enuf_ewald_mpi_set_cell(finer, m->ewald->cell);
    if (!status) status = enuf_ewald_mpi_set_charges(finer, set->n, set->q, &m->excluded);
    if (!status)
        status = enuf_ewald_mpi_compute(finer, s->positions, s->stride,
                                        ENUF_WANT_FORCES | ENUF_WANT_POTENTIAL, &result);
    enuf_ewald_mpi_destroy(&finer);
    ENUF_TRY(status);
    for (int64_t k = 0; k < sample->n; k++) {
        const int64_t i = sample->atoms[k];
        memcpy(sample->exact_forces + 3 * k, sample->forces + 3 * i, 3 * sizeof(double));
        sample->exact_potential[k] = sample->potential[i];
    }
    return ENUF_SUCCESS;
}

static enuf_status make_reference(rank_search *s)
{
    enuf_ewald_mpi *m = s->m;
    ENUF_TRY(enuf_ranks_agree(&m->ranks, reserve_forces(s)));
    if (enuf_calibration_by_finer_mesh(m->ewald)) {
        enuf_status status = enuf_ranks_agree(&m->ranks, reserve(s));
        if (status == ENUF_SUCCESS) status = sum_on_finer_mesh(s);
        /* exact sums at a sample take less memory */
        if (status != ENUF_OUT_OF_MEMORY) return status;
    }
    s->is_exact = 1;
    return enuf_rank_sample_make(m, s->positions, s->stride, ENUF_CALIBRATION_SAMPLE, 1, &s->exact);
}

static enuf_status choose(void *context)
{
    return enuf_ranks_choose(((rank_search *)context)->m);
}

static enuf_status add_up(void *context, enuf_status mine, int64_t n, double *sums)
{
    enuf_ranks *ranks = &((rank_search *)context)->m->ranks;
    ENUF_TRY(enuf_ranks_agree(ranks, mine));
    enuf_ranks_sum_doubles(ranks, n, sums);
    return ENUF_SUCCESS;
}

static enuf_status measure(void *context, enuf_ewald_error *found)
{
    rank_search *s = context;
    enuf_ewald_mpi *m = s->m;
    const double f_ref = m->ewald->method.parameters.f_ref;
    enuf_ewald_result result = {
        .struct_size = sizeof result, .forces = s->sample.forces, .potential = s->sample.potential};
    const enuf_evaluation what = {
        s->positions, s->stride, ENUF_WANT_FORCES | ENUF_WANT_POTENTIAL, 1, 1, &result, ENUF_HOST};
    ENUF_TRY(enuf_ranks_evaluate(m, &what));
    if (s->is_exact) {
        enuf_rank_sample_compare(m, s->sample.forces, s->sample.potential, &s->exact, found);
        return ENUF_SUCCESS;
    }
    enuf_sample_sums sums = enuf_sample_sum(f_ref, m->ewald->charges.q, &s->sample);
    double added[5] = {sums.n, sums.off, sums.of_forces, sums.energy, sums.energy_scale};
    ENUF_TRY(enuf_ranks_sum_in_order(&m->ranks, 5, added));
    enuf_ranks_largest(&m->ranks, 1, &sums.worst);
    sums = (enuf_sample_sums){added[0], added[1], added[2], added[3], added[4], sums.worst};
    enuf_sample_error(f_ref, &sums, found);
    /* machines that round otherwise take the same turns */
    enuf_ranks_from_first(&m->ranks, (int64_t)sizeof *found, found);
    return ENUF_SUCCESS;
}

enuf_status enuf_ranks_calibrate(enuf_ewald_mpi *m, const double *positions, int64_t stride)
{
    enuf_ewald *ewald = m->ewald;
    rank_search s = {.m = m, .positions = positions, .stride = stride};
    const enuf_calibration_steps steps = {&s, positions, stride, choose, measure, add_up};
    const enuf_calibration before = ewald->calibration;
    ewald->calibration = ENUF_NOT_CALIBRATED;
    enuf_status status = enuf_ranks_choose(m);
    if (status == ENUF_SUCCESS && enuf_calibration_is_due(ewald)) {
        status = make_reference(&s);
        if (status == ENUF_SUCCESS) status = enuf_calibration_search(ewald, &steps);
    } else if (status == ENUF_SUCCESS) {
        status = enuf_calibration_tail(ewald, &steps);
    }
    enuf_sample_release(&s.sample);
    enuf_rank_sample_release(&s.exact);
    if (status != ENUF_SUCCESS) {
        ewald->calibration = before;
        ewald->method.made_for.n_charged = -1;
        ewald->stale = 1;
    }
    return status;
}
