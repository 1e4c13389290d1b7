/* sample.c - see sample.h. SPDX-License-Identifier: BSD-3-Clause */
#include "sample.h"
#include "memory.h"
#include "random.h"

#include <math.h>
#include <string.h>

void enuf_sample_release(enuf_sample *sample)
{
    enuf_release(&sample->atoms);
    enuf_release(&sample->weight);
    enuf_release(&sample->forces);
    enuf_release(&sample->potential);
    enuf_release(&sample->exact_forces);
    enuf_release(&sample->exact_potential);
}

/* The charged atoms in random order (Fisher-Yates). */
static void shuffle(const enuf_charge_set *set, uint64_t seed, int64_t *atoms)
{
    int64_t n = 0;
    for (int64_t i = 0; i < set->n; i++)
        if (set->q[i] != 0) atoms[n++] = i;
    for (int64_t i = 0; i < n - 1; i++) {
        int64_t j = i + (int64_t)(enuf_random(&seed) % (uint64_t)(n - i));
        int64_t drawn = atoms[j];
        atoms[j] = atoms[i];
        atoms[i] = drawn;
    }
}

/*
 * What atoms are drawn by: the square of a force error goes with q^2, so that few strong charges
 * may hold nearly all of it; the other half of the draws goes to all alike.
 */
static double importance(const enuf_charge_set *set, int64_t i)
{
    return 0.5 * set->q[i] * set->q[i] / set->sum_q2 + 0.5 / (double)set->n_charged;
}

/* The factor by which min(1, factor * importance) sums to `size`. */
static double inclusion_factor(const enuf_charge_set *set, const int64_t *atoms, int64_t size)
{
    double factor = (double)size;
    for (int round = 0; round < 30; round++) {
        double certain = 0, rest = 0;
        for (int64_t k = 0; k < set->n_charged; k++) {
            double share = importance(set, atoms[k]);
            if (factor * share >= 1)
                certain++;
            else
                rest += share;
        }
        double next = rest > 0 ? ((double)size - certain) / rest : factor;
        if (!(next > factor * (1 + 1e-12))) break;
        factor = next;
    }
    return factor;
}

/*
 * Systematic sampling with unequal probabilities (Madow, Ann. Math. Stat. 20 (1949) 333): steps of
 * one through the running sum of the probabilities of the shuffled atoms; means are weighted by
 * their inverse (Horvitz and Thompson, J. Am. Stat. Assoc. 47 (1952) 663). Equal charges make it a
 * plain random sample.
 */
enuf_status enuf_sample_draw(const enuf_charge_set *set, int64_t size, uint64_t seed,
                             enuf_sample *s)
{
    const int64_t n = set->n_charged;
    ENUF_TRY(enuf_allocate(&s->atoms, n, sizeof *s->atoms, "sample of atoms"));
    ENUF_TRY(enuf_allocate(&s->weight, n, sizeof *s->weight, "sample of atoms"));
    shuffle(set, seed, s->atoms);
    for (int64_t k = 0; k < n; k++) s->weight[k] = 1;
    s->n = n;
    if (size <= 0 || size >= n) return ENUF_SUCCESS;
    double factor = inclusion_factor(set, s->atoms, size), sum = 0.5, total = 0;
    s->n = 0;
    for (int64_t k = 0; k < n; k++) {
        double probability = fmin(1, factor * importance(set, s->atoms[k])), before = floor(sum);
        sum += probability;
        if (floor(sum) == before || s->n == size) continue;
        s->atoms[s->n] = s->atoms[k];
        s->weight[s->n] = 1 / probability;
        total += s->weight[s->n++];
    }
    for (int64_t k = 0; k < s->n; k++) s->weight[k] *= (double)s->n / total;
    return ENUF_SUCCESS;
}

static enuf_status sum_exactly(const enuf_ewald *ewald, const double *positions, int64_t stride,
                               const enuf_exclusions *exclusions, enuf_sample *s)
{
    const enuf_ewald_options *o = &ewald->options;
    const enuf_charge_set *set = &ewald->charges;
    enuf_exact_options options;
    enuf_exact_options_init(&options);
    options.coulomb = o->coulomb;
    options.surroundings = o->surroundings;
    options.slab = o->slab;
    options.threads = enuf_ewald_threads(ewald);
    options.log = o->log;
    options.log_context = o->log_context;
    enuf_exact_result exact = {.forces = s->exact_forces, .potential = s->exact_potential};
    return enuf_exact_ewald(&options, ewald->cell, set->n, positions, stride, set->q, exclusions,
                            s->n, s->atoms, &exact);
}

/* Errors of another splitting on a finer mesh have nothing in common with those measured, and are
 * smaller by this. */
static const double FINER = 50;

void enuf_finer_options(const enuf_ewald *ewald, enuf_ewald_options *options)
{
    const enuf_ewald_options *o = &ewald->options;
    enuf_ewald_options_init(options);
    options->accuracy = fmax(ewald->method.requested / FINER, ENUF_TIGHTEST_ACCURACY);
    options->split = ewald->method.parameters.splitting.kind == ENUF_SPLIT_GAUSSIAN
                         ? ENUF_SPLIT_PROLATE
                         : ENUF_SPLIT_GAUSSIAN;
    options->evaluations = 1;
    options->coulomb = o->coulomb;
    options->surroundings = o->surroundings;
    options->slab = o->slab;
    options->backend = o->backend;
    options->device = o->device;
    options->threads = enuf_ewald_threads(ewald);
    options->memory_limit = o->memory_limit;
}

static enuf_status sum_on_finer_mesh(const enuf_ewald *ewald, const double *positions,
                                     int64_t stride, const enuf_exclusions *exclusions,
                                     enuf_sample *s)
{
    const enuf_charge_set *set = &ewald->charges;
    enuf_ewald_options options;
    enuf_finer_options(ewald, &options);
    enuf_ewald *finer = NULL;
    enuf_ewald_result result = {
        .struct_size = sizeof result, .forces = s->forces, .potential = s->potential};
    enuf_status status = enuf_ewald_create(&options, &finer);
    if (!status) status = enuf_ewald_set_cell(finer, ewald->cell);
    if (!status) status = enuf_ewald_set_charges(finer, set->n, set->q, exclusions);
    if (!status)
        status = enuf_ewald_compute(finer, positions, stride,
                                    ENUF_WANT_FORCES | ENUF_WANT_POTENTIAL, &result);
    enuf_ewald_destroy(&finer);
    for (int64_t k = 0; k < s->n && !status; k++) {
        int64_t i = s->atoms[k];
        for (int d = 0; d < 3; d++) s->exact_forces[3 * k + d] = s->forces[3 * i + d];
        s->exact_potential[k] = s->potential[i];
    }
    return status;
}

enuf_sample_sums enuf_sample_sum(double f_ref, const double *q, const enuf_sample *s)
{
    /* in units of F_ref, whose square no unit system makes overflow */
    enuf_sample_sums sums = {.n = (double)s->n};
    for (int64_t k = 0; k < s->n; k++) {
        int64_t i = s->atoms[k];
        double difference = 0;
        for (int d = 0; d < 3; d++) {
            double exact = s->exact_forces[3 * k + d];
            double off = (s->forces[3 * i + d] - exact) / f_ref;
            difference += off * off;
            sums.of_forces += s->weight[k] * (exact / f_ref) * (exact / f_ref);
        }
        sums.off += s->weight[k] * difference;
        sums.worst = fmax(sums.worst, difference);
        double half_charge = 0.5 * s->weight[k] * q[i];
        sums.energy += half_charge * (s->potential[i] - s->exact_potential[k]);
        sums.energy_scale += fabs(half_charge * s->exact_potential[k]);
    }
    return sums;
}

void enuf_sample_error(double f_ref, const enuf_sample_sums *sums, enuf_ewald_error *error)
{
    *error = (enuf_ewald_error){.struct_size = sizeof *error,
                                .sample = (int64_t)sums->n,
                                .accuracy = sqrt(sums->off / sums->n),
                                .worst_force = f_ref * sqrt(sums->worst),
                                .rms_of_forces = f_ref * sqrt(sums->of_forces / sums->n),
                                .energy = fabs(sums->energy),
                                .energy_scale = sums->energy_scale};
    error->rms_force = f_ref * error->accuracy;
}

void enuf_sample_compare(double f_ref, const double *q, const enuf_sample *s,
                         enuf_ewald_error *error)
{
    const enuf_sample_sums sums = enuf_sample_sum(f_ref, q, s);
    enuf_sample_error(f_ref, &sums, error);
}

enuf_status enuf_sample_make(const enuf_ewald *ewald, const double *positions, int64_t stride,
                             int64_t size, uint64_t seed, enuf_reference reference, enuf_sample *s)
{
    const enuf_charge_set *set = &ewald->charges;
    memset(s, 0, sizeof *s);
    ENUF_TRY(enuf_sample_draw(set, size, seed, s));
    ENUF_TRY(enuf_allocate(&s->forces, 3 * set->n, sizeof(double), "forces"));
    ENUF_TRY(enuf_allocate(&s->potential, set->n, sizeof(double), "potentials"));
    ENUF_TRY(enuf_allocate(&s->exact_forces, 3 * s->n, sizeof(double), "exact forces"));
    ENUF_TRY(enuf_allocate(&s->exact_potential, s->n, sizeof(double), "exact potentials"));
    const enuf_exclusions exclusions = {set->n_excluded, set->pairs, set->weights};
    return reference == ENUF_REFERENCE_EXACT
               ? sum_exactly(ewald, positions, stride, &exclusions, s)
               : sum_on_finer_mesh(ewald, positions, stride, &exclusions, s);
}

enuf_status enuf_sample_measure(enuf_ewald *ewald, const double *positions, int64_t stride,
                                enuf_sample *s, enuf_ewald_error *error)
{
    enuf_ewald_result result = {
        .struct_size = sizeof result, .forces = s->forces, .potential = s->potential};
    const enuf_evaluation what = {positions, stride,   ENUF_WANT_FORCES | ENUF_WANT_POTENTIAL, 1, 1,
                                  &result,   ENUF_HOST};
    ENUF_TRY(enuf_ewald_evaluate(ewald, &what));
    enuf_sample_compare(ewald->method.parameters.f_ref, ewald->charges.q, s, error);
    return ENUF_SUCCESS;
}
