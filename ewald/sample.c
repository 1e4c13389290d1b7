/* sample.c - see sample.h. SPDX-License-Identifier: BSD-3-Clause */
#include "sample.h"
#include "memory.h"

#include <math.h>
#include <string.h>

void enuf_sample_release(enuf_sample *sample)
{
    enuf_release(&sample->atoms);
    enuf_release(&sample->forces);
    enuf_release(&sample->potential);
    enuf_release(&sample->exact_forces);
    enuf_release(&sample->exact_potential);
}

/* splitmix64 (Steele, Lea, Flood, OOPSLA 2014). */
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* The charged atoms; then the first `size` steps of a Fisher-Yates shuffle. */
static enuf_status draw(const enuf_charge_set *set, int64_t size, uint64_t seed, enuf_sample *s)
{
    ENUF_TRY(enuf_allocate(&s->atoms, set->n_charged, sizeof *s->atoms, "sample of atoms"));
    int64_t n = 0;
    for (int64_t i = 0; i < set->n; i++)
        if (set->q[i] != 0) s->atoms[n++] = i;
    s->n = size > 0 && size < n ? size : n;
    if (s->n == n) return ENUF_SUCCESS;
    for (int64_t i = 0; i < s->n; i++) {
        int64_t j = i + (int64_t)(next_random(&seed) % (uint64_t)(n - i));
        int64_t drawn = s->atoms[j];
        s->atoms[j] = s->atoms[i];
        s->atoms[i] = drawn;
    }
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

static void compare(const enuf_ewald *ewald, const enuf_sample *s, enuf_ewald_error *error)
{
    double sum = 0, of_forces = 0, energy = 0;
    error->sample = s->n;
    for (int64_t k = 0; k < s->n; k++) {
        int64_t i = s->atoms[k];
        double difference = 0;
        for (int d = 0; d < 3; d++) {
            double exact = s->exact_forces[3 * k + d], off = s->forces[3 * i + d] - exact;
            difference += off * off;
            of_forces += exact * exact;
        }
        sum += difference;
        error->worst_force = fmax(error->worst_force, sqrt(difference));
        energy += 0.5 * ewald->charges.q[i] * (s->potential[i] - s->exact_potential[k]);
        error->energy_scale += 0.5 * fabs(ewald->charges.q[i] * s->exact_potential[k]);
    }
    error->rms_force = sqrt(sum / (double)s->n);
    error->rms_of_forces = sqrt(of_forces / (double)s->n);
    error->energy = fabs(energy);
    error->accuracy = error->rms_force / ewald->method.parameters.f_ref;
}

enuf_status enuf_sample_make(const enuf_ewald *ewald, const double *positions, int64_t stride,
                             int64_t size, uint64_t seed, enuf_sample *s)
{
    const enuf_charge_set *set = &ewald->charges;
    memset(s, 0, sizeof *s);
    ENUF_TRY(draw(set, size, seed, s));
    ENUF_TRY(enuf_allocate(&s->forces, 3 * set->n, sizeof(double), "forces"));
    ENUF_TRY(enuf_allocate(&s->potential, set->n, sizeof(double), "potentials"));
    ENUF_TRY(enuf_allocate(&s->exact_forces, 3 * s->n, sizeof(double), "exact forces"));
    ENUF_TRY(enuf_allocate(&s->exact_potential, s->n, sizeof(double), "exact potentials"));
    const enuf_exclusions exclusions = {set->n_excluded, set->pairs, set->weights};
    return sum_exactly(ewald, positions, stride, &exclusions, s);
}

enuf_status enuf_sample_measure(enuf_ewald *ewald, const double *positions, int64_t stride,
                                enuf_sample *s, enuf_ewald_error *error)
{
    enuf_ewald_result result = {
        .struct_size = sizeof result, .forces = s->forces, .potential = s->potential};
    const enuf_evaluation what = {positions, stride, ENUF_WANT_FORCES | ENUF_WANT_POTENTIAL,
                                  1,         1,      &result};
    ENUF_TRY(enuf_ewald_evaluate(ewald, &what));
    *error = (enuf_ewald_error){.struct_size = sizeof *error};
    compare(ewald, s, error);
    return ENUF_SUCCESS;
}
