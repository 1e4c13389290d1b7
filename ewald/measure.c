/* measure.c - the error of forces and energy, measured against exact Ewald sums on a random sample
 * of the charged atoms. SPDX-License-Identifier: BSD-3-Clause */
#include "ewald_object.h"
#include "memory.h"

#include <math.h>

/* The arrays of one measurement. */
typedef struct sample {
    int64_t n;
    int64_t *atoms;                         /* [n] */
    double *forces, *potential;             /* of all atoms, by compute() */
    double *exact_forces, *exact_potential; /* [n] */
} sample;

static void release(sample *s)
{
    enuf_release(&s->atoms);
    enuf_release(&s->forces);
    enuf_release(&s->potential);
    enuf_release(&s->exact_forces);
    enuf_release(&s->exact_potential);
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
static enuf_status draw(const enuf_charge_set *set, int64_t size, uint64_t seed, sample *s)
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
                               const enuf_exclusions *exclusions, sample *s)
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

static void compare(const enuf_ewald *ewald, const sample *s, enuf_ewald_error *error)
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

static enuf_status measure(enuf_ewald *ewald, const double *positions, int64_t stride, int64_t size,
                           uint64_t seed, sample *s, enuf_ewald_error *error)
{
    const enuf_charge_set *set = &ewald->charges;
    ENUF_TRY(draw(set, size, seed, s));
    ENUF_TRY(enuf_allocate(&s->forces, 3 * set->n, sizeof(double), "forces"));
    ENUF_TRY(enuf_allocate(&s->potential, set->n, sizeof(double), "potentials"));
    ENUF_TRY(enuf_allocate(&s->exact_forces, 3 * s->n, sizeof(double), "exact forces"));
    ENUF_TRY(enuf_allocate(&s->exact_potential, s->n, sizeof(double), "exact potentials"));
    enuf_ewald_result result = {
        .struct_size = sizeof result, .forces = s->forces, .potential = s->potential};
    const enuf_evaluation what = {positions, stride, ENUF_WANT_FORCES | ENUF_WANT_POTENTIAL,
                                  1,         1,      &result};
    ENUF_TRY(enuf_ewald_evaluate(ewald, &what));
    const enuf_exclusions exclusions = {set->n_excluded, set->pairs, set->weights};
    ENUF_TRY(sum_exactly(ewald, positions, stride, &exclusions, s));
    compare(ewald, s, error);
    ewald->measured = error->accuracy;
    return ENUF_SUCCESS;
}

static enuf_status check_and_measure(enuf_ewald *ewald, const double *positions, int64_t stride,
                                     int64_t size, uint64_t seed, enuf_ewald_error *error)
{
    ENUF_TRY(enuf_ewald_check_idle(ewald));
    if (!error || error->struct_size != sizeof *error)
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "error is NULL, or error->struct_size is not sizeof(enuf_ewald_error)");
    if (size < 0)
        return enuf_fail(ENUF_BAD_ARGUMENT, "sample is %lld: it has to be at least 0 (all atoms)",
                         (long long)size);
    ENUF_TRY(enuf_ewald_prepare(ewald));
    ENUF_TRY(enuf_ewald_check_positions(ewald, positions, stride));
    enuf_ewald_error found = {.struct_size = sizeof found};
    if (ewald->charges.n_charged > 0) {
        sample s = {0};
        enuf_status status = measure(ewald, positions, stride, size, seed, &s, &found);
        release(&s);
        ENUF_TRY(status);
    }
    *error = found;
    return ENUF_SUCCESS;
}

enuf_status enuf_ewald_measure_error(enuf_ewald *ewald, const double *positions, int64_t stride,
                                     int64_t sample_size, uint64_t seed, enuf_ewald_error *error)
{
    return enuf_named(check_and_measure(ewald, positions, stride, sample_size, seed, error),
                      __func__);
}
