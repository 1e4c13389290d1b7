/*
 * exact_ranks.c - see exact_ranks.h. Pairs: each rank sums the terms of its own atoms at all
 * targets. Modes: structure factors are summed over ranks; then each rank evaluates them at its
 * share of the targets. Exclusions and self terms: the rank that has the target. Closed forms: rank
 * 0. The arrays have own atoms first, then targets of other ranks with charge 0.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "exact_ranks.h"
#include "verify/exact_sums.h"
#include "memory.h"
#include "mpi/object/remote_exclusions.h"

#include <string.h>

/* target: position and charge; sums: potential and field */
enum { TARGET = 4, SUMS = 4, MOMENTS = 6, VIRIAL = 6 };

typedef struct exact_job {
    enuf_rank_state *m;
    const enuf_exact_atoms *atoms;
    int64_t n_own, n_known;  /* own atoms; own and remote atoms */
    int64_t n;               /* with targets of other ranks */
    double *target;          /* [targets][TARGET] */
    int64_t *place, *number; /* [targets] among the n; [n] among those of all ranks */
    double *positions;       /* [n][3] */
    double *charges, *known; /* [n]: own atoms, others 0; own and remote atoms */
    double *target_charges;  /* [targets] */
    double *part, *field;    /* [targets], [targets][3]: of this rank */
    double virial[6];        /* this rank's part */
    double *sums;            /* [targets][SUMS] and the virial: reductions */
    enuf_exact_system system;
    enuf_exact_structure *structure;
} exact_job;

static void release(exact_job *job)
{
    enuf_release(&job->target);
    enuf_release(&job->place);
    enuf_release(&job->number);
    enuf_release(&job->positions);
    enuf_release(&job->charges);
    enuf_release(&job->known);
    enuf_release(&job->target_charges);
    enuf_release(&job->part);
    enuf_release(&job->field);
    enuf_release(&job->sums);
    enuf_exact_structure_release(&job->structure);
    enuf_exact_system_release(&job->system);
}

static int64_t own_place(const exact_job *job, int64_t t)
{
    return enuf_atom_of_number(job->m, job->atoms->numbers[t]);
}

static enuf_status allocate(exact_job *job)
{
    const int64_t n_targets = job->atoms->n;
    static const char what[] = "exact sums";
    ENUF_TRY(enuf_allocate(&job->target, TARGET * n_targets, sizeof(double), what));
    ENUF_TRY(enuf_allocate(&job->place, n_targets, sizeof *job->place, what));
    ENUF_TRY(enuf_allocate(&job->target_charges, n_targets, sizeof(double), what));
    ENUF_TRY(enuf_allocate(&job->part, n_targets, sizeof(double), what));
    ENUF_TRY(enuf_allocate(&job->field, 3 * n_targets, sizeof(double), what));
    ENUF_TRY(enuf_allocate(&job->sums, SUMS * n_targets + VIRIAL, sizeof(double), what));
    job->n = job->n_known;
    for (int64_t t = 0; t < n_targets; t++) job->n += own_place(job, t) < 0;
    ENUF_TRY(enuf_allocate(&job->number, job->n, sizeof *job->number, what));
    ENUF_TRY(enuf_allocate(&job->positions, 3 * job->n, sizeof(double), what));
    ENUF_TRY(enuf_allocate(&job->charges, job->n, sizeof(double), what));
    ENUF_TRY(enuf_allocate(&job->known, job->n, sizeof(double), what));
    memset(job->target, 0, (size_t)(TARGET * n_targets) * sizeof(double));
    memset(job->part, 0, (size_t)n_targets * sizeof(double));
    memset(job->field, 0, (size_t)(3 * n_targets) * sizeof(double));
    return ENUF_SUCCESS;
}

/* Copies own atoms at the caller's positions, then remote atoms. */
static void take_known(exact_job *job, const double *positions, int64_t stride)
{
    const enuf_charge_set *set = &job->m->ewald->charges;
    memset(job->charges, 0, (size_t)job->n * sizeof(double));
    memset(job->known, 0, (size_t)job->n * sizeof(double));
    for (int64_t i = 0; i < job->n_own; i++) job->charges[i] = set->q[i];
    for (int64_t i = 0; i < job->n_known; i++) {
        job->known[i] = set->q[i];
        job->number[i] = i < job->n_own ? enuf_number_of_atom(job->m, i) : -1;
        memcpy(job->positions + 3 * i, positions + stride * i, 3 * sizeof(double));
    }
}

/* Collective: sends positions and charges of the targets to all ranks. */
static void share_targets(exact_job *job)
{
    const int64_t n_targets = job->atoms->n;
    for (int64_t t = 0; t < n_targets; t++) {
        const int64_t i = own_place(job, t);
        if (i < 0) continue;
        memcpy(job->target + TARGET * t, job->positions + 3 * i, 3 * sizeof(double));
        job->target[TARGET * t + 3] = job->charges[i];
    }
    enuf_ranks_sum_doubles(&job->m->ranks, TARGET * n_targets, job->target);
    int64_t next = job->n_known;
    for (int64_t t = 0; t < n_targets; t++) {
        job->target_charges[t] = job->target[TARGET * t + 3];
        job->place[t] = own_place(job, t);
        if (job->place[t] >= 0) continue;
        job->place[t] = next;
        job->number[next] = job->atoms->numbers[t];
        memcpy(job->positions + 3 * next++, job->target + TARGET * t, 3 * sizeof(double));
    }
}

static void exact_options(const enuf_ewald *ewald, enuf_exact_options *options)
{
    enuf_exact_options_init(options);
    options->surroundings = ewald->options.surroundings;
    options->slab = ewald->options.slab;
    options->threads = enuf_ewald_threads(ewald);
    options->isa = ewald->options.isa;
}

static enuf_status make_system(exact_job *job)
{
    const enuf_ewald *ewald = job->m->ewald;
    job->system = (enuf_exact_system){.backend = ewald->backend->exact,
                                      .device = ewald->options.device,
                                      .n = job->n,
                                      .positions = job->positions,
                                      .stride = 3,
                                      .charges = job->charges,
                                      .numbers = job->number,
                                      .target_charges = job->target_charges,
                                      .threads = enuf_ewald_threads(ewald),
                                      .isa = ewald->options.isa};
    return enuf_exact_system_make(ewald->cell, ewald->options.slab, job->atoms->n, job->place,
                                  &job->system);
}

/* Collective: all ranks take alpha, cutoff and last mode of rank 0, for the number of all atoms. */
static enuf_status choose(exact_job *job)
{
    enuf_exact_system *system = &job->system;
    enuf_exact_options options;
    exact_options(job->m->ewald, &options);
    system->n = job->m->reduction.n;
    enuf_status status = enuf_exact_choose(&options, system);
    system->n = job->n;
    ENUF_TRY(enuf_ranks_agree(&job->m->ranks, status));
    double chosen[3] = {system->alpha, system->cutoff, system->k_c};
    enuf_ranks_from_first(&job->m->ranks, (int64_t)sizeof chosen, chosen);
    system->alpha = chosen[0];
    system->cutoff = chosen[1];
    system->k_c = chosen[2];
    return ENUF_SUCCESS;
}

static enuf_status prepare(exact_job *job, const double *positions, int64_t stride)
{
    enuf_rank_state *m = job->m;
    const enuf_charge_set *set = &m->ewald->charges;
    job->n_own = set->n;
    job->n_known = set->n + (set->n_excluded > 0 ? m->remote_exclusions.n : 0);
    ENUF_TRY(enuf_ranks_agree(&m->ranks, allocate(job)));
    if (set->n_excluded > 0) {
        const enuf_evaluation what = {.positions = positions, .stride = stride};
        ENUF_TRY(enuf_remote_exclusions_positions(m, &what, &positions));
        stride = 3;
    }
    take_known(job, positions, stride);
    share_targets(job);
    ENUF_TRY(enuf_ranks_agree(&m->ranks, make_system(job)));
    return choose(job);
}

/* Subtracts the exclusions at own targets. */
static void exclude(exact_job *job, enuf_exact_sums *sums)
{
    const enuf_charge_set *set = &job->m->ewald->charges;
    if (set->n_excluded == 0) return;
    job->system.charges = job->known;
    for (int64_t t = 0; t < job->atoms->n; t++) {
        const int64_t i = job->place[t];
        if (i >= job->n_own) continue;
        for (int64_t e = set->first[i]; e < set->first[i + 1]; e++)
            enuf_exact_remove(&job->system, i, t, set->partner[e], set->removed[e], sums);
    }
    job->system.charges = job->charges;
}

/* Collective: sums structure factors over ranks, then evaluates them at this rank's share of the
 * targets. */
static enuf_status sum_modes(exact_job *job, enuf_exact_sums *sums)
{
    enuf_ranks *ranks = &job->m->ranks;
    int64_t n_numbers = 0;
    double *factors = NULL;
    const int64_t n = job->atoms->n, first = n * ranks->rank / ranks->size,
                  last = n * (ranks->rank + 1) / ranks->size;
    const enuf_status status = enuf_exact_modes_begin(&job->system, &job->structure);
    ENUF_TRY(enuf_ranks_agree(ranks, status));
    factors = enuf_exact_structure_factors(job->structure, &n_numbers);
    ENUF_TRY(enuf_ranks_same(ranks, "the number of modes of the exact sums", n_numbers));
    enuf_ranks_sum_doubles(ranks, n_numbers, factors);
    return enuf_ranks_agree(
        ranks, enuf_exact_modes_finish(&job->system, job->structure, first, last, sums));
}

static void add_virial(exact_job *job, const double virial[6])
{
    for (int c = 0; c < VIRIAL; c++) job->virial[c] += virial[c];
}

/* Collective: rank 0 adds the terms in closed form. */
static enuf_status sum_closed_forms(exact_job *job, enuf_exact_sums *sums)
{
    const enuf_ewald_options *o = &job->m->ewald->options;
    const enuf_exact_moments of_own = enuf_exact_find_moments(&job->system);
    double all[MOMENTS] = {of_own.charge,    of_own.magnitude, of_own.dipole[0],
                           of_own.dipole[1], of_own.dipole[2], of_own.second};
    ENUF_TRY(enuf_ranks_sum_in_order(&job->m->ranks, MOMENTS, all));
    const enuf_exact_moments of = {all[0], all[1], {all[2], all[3], all[4]}, all[5]};
    if (job->m->ranks.rank > 0) return ENUF_SUCCESS;
    enuf_exact_background(&job->system, &of, sums);
    add_virial(job, sums->virial);
    if (o->slab == 0 && o->surroundings == 0) return ENUF_SUCCESS;
    if (o->slab != 0)
        enuf_exact_slab(&job->system, &of, sums);
    else
        enuf_exact_sphere(&job->system, o->surroundings, &of, sums);
    add_virial(job, sums->virial);
    return ENUF_SUCCESS;
}

static enuf_status sum_terms(exact_job *job)
{
    double virial[6] = {0};
    enuf_exact_sums sums = {.potential = job->part, .field = job->field, .virial = virial};
    exclude(job, &sums);
    add_virial(job, virial);
    ENUF_TRY(enuf_ranks_agree(&job->m->ranks, enuf_exact_pairs(&job->system, &sums)));
    add_virial(job, virial);
    ENUF_TRY(sum_modes(job, &sums));
    /* each rank has the virial of all modes: one rank adds it */
    if (job->m->ranks.rank == 0) add_virial(job, virial);
    enuf_exact_self(&job->system, &sums);
    return sum_closed_forms(job, &sums);
}

/* Collective: reduction of all parts, in the caller's units. */
static void deliver(exact_job *job)
{
    const double coulomb = job->m->ewald->options.coulomb;
    const enuf_exact_atoms *atoms = job->atoms;
    for (int64_t t = 0; t < atoms->n; t++) {
        job->sums[SUMS * t] = job->part[t];
        memcpy(job->sums + SUMS * t + 1, job->field + 3 * t, 3 * sizeof(double));
    }
    double *virial = job->sums + SUMS * atoms->n;
    memcpy(virial, job->virial, sizeof job->virial);
    enuf_ranks_sum_doubles(&job->m->ranks, SUMS * atoms->n + VIRIAL, job->sums);
    for (int c = 0; c < VIRIAL && atoms->virial; c++) atoms->virial[c] = coulomb * virial[c];
    for (int64_t t = 0; t < atoms->n; t++) {
        atoms->q[t] = job->target_charges[t];
        atoms->potential[t] = coulomb * job->sums[SUMS * t];
        for (int d = 0; d < 3; d++)
            atoms->forces[3 * t + d] = coulomb * atoms->q[t] * job->sums[SUMS * t + 1 + d];
    }
}

enuf_status enuf_ranks_sum_exactly(enuf_rank_state *m, const double *positions, int64_t stride,
                                   const enuf_exact_atoms *atoms)
{
    exact_job job = {.m = m, .atoms = atoms};
    enuf_status status = prepare(&job, positions, stride);
    if (status == ENUF_SUCCESS) status = sum_terms(&job);
    if (status == ENUF_SUCCESS) deliver(&job);
    release(&job);
    return status;
}
