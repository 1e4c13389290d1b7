/* sample.c - see sample.h. SPDX-License-Identifier: BSD-3-Clause */
#include "sample.h"
#include "memory.h"
#include "object/calls.h"
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

/*
 * Importance of atoms. The square of a force error is proportional to q^2, so few strong charges
 * may hold nearly all of it: half of the draws is by q^2, the other half uniform.
 */
static double importance(const enuf_charge_set *set, int64_t i)
{
    return 0.5 * set->q[i] * set->q[i] / set->sum_q2 + 0.5 / (double)set->n_charged;
}

/* The factor by which min(1, factor * importance) sums to `size`. */
static double inclusion_factor(const enuf_sample_source *source, int64_t size)
{
    const enuf_charge_set *set = source->set;
    const enuf_reduction *reduction = source->reduction;
    double factor = (double)size;
    for (int round = 0; round < 30; round++) {
        double sums[2] = {0, 0}; /* atoms drawn with certainty; importance of the rest */
        for (int64_t i = 0; i < set->n; i++) {
            if (set->q[i] == 0) continue;
            const double share = importance(set, i);
            if (factor * share >= 1)
                sums[0]++;
            else
                sums[1] += share;
        }
        if (reduction) reduction->add_doubles(reduction->context, 2, sums);
        const double next = sums[1] > 0 ? ((double)size - sums[0]) / sums[1] : factor;
        if (!(next > factor * (1 + 1e-12))) break;
        factor = next;
    }
    return factor;
}

static int64_t count_up_to(const enuf_sample_source *source, double most, const double *key)
{
    int64_t count = 0;
    for (int64_t i = 0; i < source->set->n; i++) count += key[i] <= most;
    if (source->reduction) source->reduction->add(source->reduction->context, 1, &count);
    return count;
}

/* The key that exactly `size` atoms do not exceed; about `size` atoms have a key up to 1. */
static double find_last_key(const enuf_sample_source *source, int64_t size, const double *key)
{
    double low = 0, high = 1;
    int64_t count = count_up_to(source, low, key);
    if (count >= size) return low;
    for (count = count_up_to(source, high, key); count < size;) {
        low = high;
        high *= 2;
        count = count_up_to(source, high, key);
    }
    while (count > size) {
        const double middle = 0.5 * (low + high);
        if (!(middle > low && middle < high)) break; /* keys that are equal */
        const int64_t below = count_up_to(source, middle, key);
        if (below < size) {
            low = middle;
        } else {
            high = middle;
            count = below;
        }
    }
    return high;
}

/* Places an axis. Coarse enough that positions that differ by rounding are at one place. */
static const double PLACES = 0x1p20;

/* A number between 0 and 1 for each atom, by its place in the cell: equal for its images. */
static double chance(const enuf_sample_source *source, uint64_t seed, int64_t i)
{
    uint64_t state = seed;
    double s[3];
    enuf_cell_fractions(source->cell, source->positions + i * source->stride, s);
    for (int d = 0; d < 3; d++) {
        const uint64_t place = (uint64_t)round(PLACES * (s[d] - floor(s[d]))) % (uint64_t)PLACES;
        state = enuf_random(&state) ^ place * 0xd1342543de82ef95u;
    }
    return ((double)(enuf_random(&state) >> 11) + 0.5) * 0x1p-53;
}

/*
 * Pareto sampling: each atom has a random key, and the atoms with the least keys are drawn. Each is
 * drawn with about its probability (Rosen, J. Stat. Plan. Inference 62 (1997) 159); means are
 * weighted by the inverse of that (Horvitz and Thompson, J. Am. Stat. Assoc. 47 (1952) 663). Equal
 * charges make it a plain random sample.
 */
double enuf_sample_find_keys(const enuf_sample_source *source, int64_t size, uint64_t seed,
                             double *key, double *weight)
{
    const enuf_charge_set *set = source->set;
    const int all = size <= 0 || size >= set->n_charged;
    const double factor = all ? 0 : inclusion_factor(source, size);
    for (int64_t i = 0; i < set->n; i++) {
        key[i] = set->q[i] == 0 ? INFINITY : 0;
        weight[i] = 1;
        if (set->q[i] == 0 || all) continue;
        const double p = fmin(1, factor * importance(set, i));
        const double u = chance(source, seed, i);
        key[i] = u / (1 - u) * (1 - p) / p;
        weight[i] = 1 / p;
    }
    return all ? 0 : find_last_key(source, size, key);
}

void enuf_sample_scale_weights(int64_t n, double *weight)
{
    double total = 0;
    for (int64_t k = 0; k < n; k++) total += weight[k];
    for (int64_t k = 0; k < n; k++) weight[k] *= (double)n / total;
}

static enuf_status draw(const enuf_sample_source *source, int64_t size, uint64_t seed,
                        enuf_sample *s)
{
    const enuf_charge_set *set = source->set;
    double *key = NULL, *weight = NULL;
    enuf_status status = enuf_allocate(&key, set->n, sizeof *key, "sample of atoms");
    if (status == ENUF_SUCCESS)
        status = enuf_allocate(&weight, set->n, sizeof *weight, "sample of atoms");
    if (status == ENUF_SUCCESS) {
        const double last = enuf_sample_find_keys(source, size, seed, key, weight);
        for (int64_t i = 0; i < set->n; i++) s->n += key[i] <= last;
        status = enuf_allocate(&s->atoms, s->n, sizeof *s->atoms, "sample of atoms");
        if (status == ENUF_SUCCESS)
            status = enuf_allocate(&s->weight, s->n, sizeof *s->weight, "sample of atoms");
        for (int64_t i = 0, k = 0; i < set->n && status == ENUF_SUCCESS; i++) {
            if (key[i] > last) continue;
            s->atoms[k] = i;
            s->weight[k++] = weight[i];
        }
        if (status == ENUF_SUCCESS) enuf_sample_scale_weights(s->n, s->weight);
    }
    enuf_release(&key);
    enuf_release(&weight);
    return status;
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
    options.isa = o->isa;
    options.backend = o->backend;
    options.device = o->device;
    options.log = o->log;
    options.log_context = o->log_context;
    enuf_exact_result exact = {.forces = s->exact_forces, .potential = s->exact_potential};
    ENUF_TRY(enuf_exact_ewald(&options, ewald->cell, set->n, positions, stride, set->q, exclusions,
                              s->n, s->atoms, &exact));
    s->has_virial = s->n == set->n_charged;
    memcpy(s->exact_virial, exact.virial, sizeof s->exact_virial);
    return ENUF_SUCCESS;
}

/* Errors of the other splitting on a finer mesh are independent of the measured ones, and smaller
 * by this factor. */
static const double FINE = 20, FINER = 50;

void enuf_finer_options(const enuf_ewald *ewald, enuf_reference reference,
                        enuf_ewald_options *options)
{
    const enuf_ewald_options *o = &ewald->options;
    const double finer = reference == ENUF_REFERENCE_FINE ? FINE : FINER;
    enuf_ewald_options_init(options);
    options->accuracy = fmax(ewald->method.requested / finer, ENUF_TIGHTEST_ACCURACY);
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
    options->isa = o->isa;
    options->fft = o->fft;
    options->memory_limit = o->memory_limit;
}

static enuf_status sum_on_finer_mesh(const enuf_ewald *ewald, const double *positions,
                                     int64_t stride, const enuf_exclusions *exclusions,
                                     enuf_reference reference, enuf_sample *s)
{
    const enuf_charge_set *set = &ewald->charges;
    enuf_ewald_options options;
    enuf_finer_options(ewald, reference, &options);
    enuf_ewald *finer = NULL;
    enuf_ewald_result result = {
        .struct_size = sizeof result, .forces = s->forces, .potential = s->potential};
    const enuf_evaluation what = {positions, stride,   ENUF_WANT_FORCES | ENUF_WANT_POTENTIAL, 1, 1,
                                  &result,   ENUF_HOST};
    enuf_status status = enuf_ewald_make(&options, &finer);
    if (!status) status = enuf_alone_set_cell(finer, ewald->cell);
    if (!status) status = enuf_charges_set(finer, set->n, set->q, exclusions);
    if (!status) status = enuf_ewald_sum(finer, &what);
    enuf_ewald_free(finer);
    for (int64_t k = 0; k < s->n && !status; k++) {
        int64_t i = s->atoms[k];
        for (int d = 0; d < 3; d++) s->exact_forces[3 * k + d] = s->forces[3 * i + d];
        s->exact_potential[k] = s->potential[i];
    }
    return status;
}

enuf_sample_sums enuf_sample_sum(double f_ref, const double *q, const enuf_sample *s)
{
    /* in units of F_ref, so that squares do not overflow in any unit system */
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
                                .virial = NAN,
                                .sample = (int64_t)sums->n,
                                .accuracy = sqrt(sums->off / sums->n),
                                .worst_force = f_ref * sqrt(sums->worst),
                                .rms_of_forces = f_ref * sqrt(sums->of_forces / sums->n),
                                .energy = fabs(sums->energy),
                                .energy_scale = sums->energy_scale};
    error->rms_force = f_ref * error->accuracy;
}

void enuf_sample_compare(double f_ref, const double *q, const enuf_sample *s,
                         const double virial[6], enuf_ewald_error *error)
{
    const enuf_sample_sums sums = enuf_sample_sum(f_ref, q, s);
    enuf_sample_error(f_ref, &sums, error);
    if (!s->has_virial) return;
    error->virial = 0;
    for (int c = 0; c < 6; c++)
        error->virial = fmax(error->virial, fabs(virial[c] - s->exact_virial[c]));
}

enuf_status enuf_sample_make(const enuf_ewald *ewald, const double *positions, int64_t stride,
                             int64_t size, uint64_t seed, enuf_reference reference, enuf_sample *s)
{
    const enuf_charge_set *set = &ewald->charges;
    const enuf_sample_source source = {
        .set = set, .cell = &ewald->geometry, .positions = positions, .stride = stride};
    memset(s, 0, sizeof *s);
    ENUF_TRY(draw(&source, size, seed, s));
    ENUF_TRY(enuf_allocate(&s->forces, 3 * set->n, sizeof(double), "forces"));
    ENUF_TRY(enuf_allocate(&s->potential, set->n, sizeof(double), "potentials"));
    ENUF_TRY(enuf_allocate(&s->exact_forces, 3 * s->n, sizeof(double), "exact forces"));
    ENUF_TRY(enuf_allocate(&s->exact_potential, s->n, sizeof(double), "exact potentials"));
    const enuf_exclusions exclusions = {set->n_excluded, set->pairs, set->weights};
    return reference == ENUF_REFERENCE_EXACT
               ? sum_exactly(ewald, positions, stride, &exclusions, s)
               : sum_on_finer_mesh(ewald, positions, stride, &exclusions, reference, s);
}

enuf_status enuf_sample_measure(enuf_ewald *ewald, const double *positions, int64_t stride,
                                enuf_sample *s, enuf_ewald_error *error)
{
    enuf_ewald_result result = {
        .struct_size = sizeof result, .forces = s->forces, .potential = s->potential};
    const int wanted =
        ENUF_WANT_FORCES | ENUF_WANT_POTENTIAL | (s->has_virial ? ENUF_WANT_VIRIAL : 0);
    const enuf_evaluation what = {positions, stride, wanted, 1, 1, &result, ENUF_HOST};
    ENUF_TRY(enuf_ewald_sum(ewald, &what));
    enuf_sample_compare(ewald->method.parameters.f_ref, ewald->charges.q, s, result.virial, error);
    return ENUF_SUCCESS;
}
